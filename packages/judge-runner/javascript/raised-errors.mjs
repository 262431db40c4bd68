/*
 * Errors that cross: the test's, which stay the same in the artifact's box and come back as they were, those that the artifact throws, and those
 * that nobody has caught.
 */

import { besidesOf, listedOf, tried } from './described.mjs';
import { stringify } from './json.mjs';
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
  const heldBy = (error) => stringify([error.message, encode({ ...error })]);
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
  const isOf = (error, kind) => tried(() => error instanceof kind, false);
  /** The name that an error says: any value that is none of an object's, as a test may ask for it. */
  const nameOf = (error) => {
    const { name } = error;
    const isValue = Object(name) !== name && !['symbol', 'string'].includes(typeof name);
    return isValue ? name : String(name).slice(0, maxName);
  };
  /** What parts of an error hold that can leave by themselves. */
  const leaving = (held) =>
    Object.fromEntries(
      Object.entries(held).filter(([, part]) => tried(() => encode([part]) !== undefined, false)),
    );
  /** The text of an error whose class writes it in another way than the language does, in a list; none for any other. */
  const textOf = (error) => {
    const [own, usual] = [String, (part) => Error.prototype.toString.call(part)].map((write) =>
      tried(() => write(error).slice(0, maxMessage)),
    );
    return own === undefined || own === usual ? [] : [own];
  };
  /** The name of an error, what it lists, what it holds besides, and its text: as much of it as can leave. */
  const partsOf = (error, ofClass) => {
    const name = tried(() => nameOf(error), ofClass);
    const parts = [listedOf, besidesOf].map((read) => tried(() => read(error), {}));
    const text = textOf(error);
    for (const each of [(held) => held, leaving, () => ({})]) {
      const told = tried(() => encode([name, ...parts.map(each), ...text]));
      if (told !== undefined) return told;
    }
    return encode([name]);
  };
  /** Tells of an error of the artifact, which it is by its number. */
  const tellError = (told, error) => {
    told.self = link.numbers.numberOf(error);
    told.class = tried(() => link.classes.ofObject(error), 'Error');
    told.args = partsOf(error, told.mro[0]);
  };
  /**
   * What the artifact has thrown, or an answer that cannot leave, as an answer. All that is asked of it is its code, which may throw: whatever was
   * thrown is told, if only as an error.
   */
  const raised = (error) => {
    if (isOf(error, Unplain))
      return { raised: { mro: ['Error'], message: `an answer ${error.message}`, module: '', unplain: true } };
    if (isOf(error, RangeError) && tried(() => isStackEnd(error, link.depth()), false))
      return raised(new Unplain(tooManyCalls));
    const told = { mro: [], message: '', module: '' };
    tried(() => addClassNames(told.mro, error));
    if (told.mro.length === 0) told.mro.push('Error');
    told.message = tried(() => String(error?.message ?? error).slice(0, maxMessage), '');
    if (ofTest.has(error)) tried(() => Object.assign(told, { own: leave(error) }));
    else if (isOf(error, Error)) tellError(told, error);
    else tried(() => Object.assign(told, { args: encode([error]) }));
    return { raised: told };
  };

  const faults = [];
  const noteFault = (error) => {
    if (faults.length >= maxFaults) return;
    const text = tried(
      () => (error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`),
      'an error',
    );
    faults.push(`did not catch ${text.slice(0, maxFault)}`);
  };
  onFault(noteFault);
  /** Notes the code with which a program would end that a test has not to look at: as it fails a file of tests in one process. */
  const noteExitCode = () => {
    const { exitCode } = process;
    if (!exitCode || link.around.sharesExitCode()) return;
    process.exitCode = undefined;
    faults.push(`has set process.exitCode to ${String(exitCode).slice(0, 20)}, with which node --test fails`);
  };

  return {
    raised,
    leave,
    noteFault,
    /** Notes the code with which listeners have ended the program, also where a test looks at it: none does any more. */
    noteEnd(before) {
      const { exitCode } = process;
      if (exitCode && exitCode !== before && link.around.sharesExitCode())
        faults.push(`has ended with process.exitCode ${String(exitCode).slice(0, 20)}`);
    },
    isOfTest: (error) => ofTest.has(error),
    /** Notes that an error of the test is the artifact's now. */
    disown: (error) => ofTest.delete(error),
    /** An error of the test: the same each time, with what the test has changed in it since. */
    enter([name, message, more, number, kind]) {
      const { decode } = link.decoding;
      // What holds its properties is another one each time.
      const told = stringify([message, more.$own?.[1] ?? more]);
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
    /** What fails a test whatever it finds, since it was last told, in words: errors that nobody has caught. */
    takeFaults() {
      noteExitCode();
      return faults.length === 0 ? {} : { faults: faults.splice(0) };
    },
  };
}
