/*
 * Errors that cross: the test's, which stay the same in the artifact's box and come back as they were, those that the artifact throws, and those
 * that nobody has caught.
 */
import { besidesOf } from './described.mjs';
import { isStackEnd, makeError, maxMessage, Unplain } from './values.mjs';

export const tooManyCalls = 'of too many calls within one another';
/** Longest name of a class, in characters, and most classes of an error. */
const maxName = 200;
const maxClasses = 50;
/** Most errors that nobody has caught which are told at once, and the longest text of one. */
const maxFaults = 20;
const maxFault = 500;

/**
 * @param link the connection, as `objects.mjs` makes it
 * @param onFault is given what takes errors that nobody has caught
 */
export function createRaisedErrors(link, onFault) {
  const encode = (part) => link.encoding.encode(part);
  /** Errors of the test by number, with how they arrived last; and the number of each, with what it held. */
  const errors = new Map();
  const ofTest = new WeakMap();
  const heldBy = (error) => JSON.stringify([error.message, encode({ ...error })]);
  /** An error of the test, with what was changed in it. */
  const leave = (error) => {
    const { number, held } = ofTest.get(error);
    return held === heldBy(error) ? [number] : [number, error.message, encode({ ...error })];
  };
  /** Adds the names of an error's classes to a list, which keeps them where a later one throws. */
  const addClassNames = (names, error) => {
    for (
      let kind = Object.getPrototypeOf(Object(error));
      kind !== null && names.length < maxClasses;
      kind = Object.getPrototypeOf(kind)
    )
      names.push(String(kind.constructor?.name ?? '').slice(0, maxName));
  };
  /** What the artifact has thrown, or an answer that cannot leave, as an answer. */
  const raised = (error) => {
    if (error instanceof Unplain)
      return { raised: { mro: ['Error'], message: `an answer ${error.message}`, module: '', unplain: true } };
    if (isStackEnd(error, link.depth())) return raised(new Unplain(tooManyCalls));
    const told = { mro: [], message: '', module: '' };
    try {
      addClassNames(told.mro, error);
      told.message = String(error?.message ?? error).slice(0, maxMessage);
      if (ofTest.has(error)) told.own = leave(error);
      else if (error instanceof Error) {
        told.self = link.numbers.numberOf(error);
        told.class = link.classes.ofObject(error);
        const name = String(error.name).slice(0, maxName);
        told.args = encode([name]);
        told.args = encode([name, { ...error }, besidesOf(error)]);
      } else told.args = encode([error]);
    } catch {
      // Even this is the artifact's code.
    }
    if (told.mro.length === 0) told.mro.push('Error');
    return { raised: told };
  };

  const faults = [];
  onFault((error) => {
    if (faults.length >= maxFaults) return;
    let text = 'an error';
    try {
      text = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
    } catch {
      // Even this is the artifact's code.
    }
    faults.push(text.slice(0, maxFault));
  });

  return {
    raised,
    leave,
    isOfTest: (error) => ofTest.has(error),
    /** Notes that an error of the test is the artifact's now. */
    disown: (error) => ofTest.delete(error),
    /** An error of the test: the same each time, with what the test has changed in it since. */
    enter([name, message, more, number, kind]) {
      const { decode } = link.decoding;
      // What holds its properties is another one each time.
      const told = JSON.stringify([message, more.$own?.[1] ?? more]);
      const known = errors.get(number);
      if (known?.told === told || (known && !ofTest.has(known.error))) return known.error;
      const error = known?.error ?? makeError(name, message, decode(more));
      errors.set(number, { error, told });
      if (known === undefined && kind !== undefined)
        Object.setPrototypeOf(error, link.received.classOf(kind).prototype);
      if (known !== undefined) {
        // The test has changed it since.
        if (error.message !== message) error.message = message;
        Object.assign(error, decode(more));
      }
      ofTest.set(error, { number, held: heldBy(error) });
      return error;
    },
    /** Errors that nobody has caught since the test was last told, in words. */
    takeFaults: () => (faults.length === 0 ? {} : { faults: faults.splice(0) }),
  };
}
