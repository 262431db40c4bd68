/*
 * Errors on their way to the artifact: the test's, which it is given or which come out of a function of the test, and its own, which the test lets
 * pass. An assertion of the test that fails within the artifact must come out of it again.
 */
import { globalNameOf } from './given-classes.mjs';
import { isStackEnd, maxMessage } from './values.mjs';

const heldBy = (error) => [error.message, ...Object.entries(error).flat()];

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, its `classes`, and `snapshots` of what it has given
 */
export function createGivenErrors(link, { numbers, classes, snapshots }) {
  /** Errors that the artifact was given, by number: of the running test, and of what tests share. */
  const errors = new Map();
  const errorNumbers = new WeakMap();
  /** Errors of the artifact that have arrived, with their numbers and what they held. */
  const thrown = new WeakMap();
  /** An assertion of the running test that failed within the artifact, and has not come out of it yet. */
  let assertion = null;
  /** One that the test lets pass is the same error again; one that it has changed is its own. */
  const isAsThrown = (error) => {
    const held = heldBy(error);
    const before = thrown.get(error)?.held ?? [];
    return held.length === before.length && held.every((part, index) => Object.is(part, before[index]));
  };
  const leave = (error) => {
    if (isAsThrown(error)) return { $handle: thrown.get(error).number };
    const kind = classes.classOf(error);
    const name = globalNameOf(error);
    // Its class says how it is named, where it is given.
    const isNamed = kind === null ? error.name !== name : Object.hasOwn(error, 'name');
    const more = isNamed ? { name: String(error.name), ...error } : { ...error };
    if (!errorNumbers.has(error)) errorNumbers.set(error, numbers.next());
    const number = errorNumbers.get(error);
    if (!errors.has(number))
      numbers.forget(() => {
        errors.delete(number);
        snapshots.forget(-number);
      });
    errors.set(number, error);
    // Below zero are those of errors, in another row.
    snapshots.note(-number, error);
    const ofClass = kind === null ? [] : [classes.give(kind)];
    return { $error: [name, String(error.message), link.outgoing.leave(more), number, ...ofClass] };
  };

  return {
    leave,
    /** What a function of the test has thrown, or what a promise of the test was rejected with. */
    leaveThrown: (error) =>
      error instanceof Error && !link.remote.isObject(error) ? leave(error) : link.outgoing.leave(error),
    /** Notes an error that goes to the artifact out of the test's code: an assertion must come back. */
    noteCrossing(error) {
      if (error instanceof Error && !link.remote.isObject(error) && error.code === 'ERR_ASSERTION')
        assertion = error.message;
    },
    /** The stack ends here earlier than in one process: that is no error which the test or the artifact may expect. */
    asTooDeep: (error) =>
      isStackEnd(error, link.nested())
        ? link.refuse('has too many calls of the artifact within one another')
        : error,
    /** Notes an error that the artifact has thrown. */
    noteThrown: (error, number) => thrown.set(error, { number, held: heldBy(error) }),
    /** The number of an error that the artifact has thrown; undefined for any other. */
    thrownNumber: (error) => thrown.get(error)?.number,
    /** An error of the running test by its number. */
    errorOf: (number) => errors.get(number),
    /** An error of the artifact has this text: one that hides an assertion of the test repeats its text. */
    noteError(message) {
      if (message === assertion?.slice(0, maxMessage)) assertion = null;
    },
    /** The text of an assertion of the running test that failed within the artifact and did not come out; null for none. */
    hiddenAssertion: () => assertion,
    beginTest() {
      assertion = null;
    },
  };
}
