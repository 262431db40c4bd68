/* Decodes what a test sends into the artifact's box: plain values as copies, and what both boxes know as the very same. */
import { createRequire } from 'node:module';
import { intrinsicAt } from './intrinsics.mjs';
import { createUpdate } from './update.mjs';
import { dateAt, decode as decodeParts, globals } from './values.mjs';

const require = createRequire(import.meta.url);

/** @param link the connection, as `objects.mjs` makes it */
export function createQuestionDecoding(link) {
  const { numbers, received } = link;

  const enterLocal = ([number, kind, base, isOfClass]) => {
    if (base !== undefined)
      return received.localOf(number, isOfClass === true ? decode(base).prototype : decode(base));
    // A plain object that the test's box cannot read whole has no class.
    if (kind === null) return received.localOf(number, Object.prototype);
    return received.localOf(number, kind === undefined ? null : received.classOf(kind).prototype);
  };
  const enterLibrary = ([name, ...key]) => {
    const module = name === '' ? globalThis : require(name);
    return key.length === 0 ? module : module[key[0]];
  };
  /** How what has a tag arrives. */
  const entering = new Map([
    ['$handle', numbers.partOf],
    ['$method', ([, , number]) => numbers.partOf(number)],
    ['$global', (name) => globals.get(name)],
    ['$local', enterLocal],
    ['$intrinsic', intrinsicAt],
    ['$class', (number) => received.classOf(number)],
    ['$prototype', (number) => received.classOf(number).prototype],
    ['$dated', ([number, time]) => dateAt(time, received.classOf(number).prototype)],
    ['$own', (told) => link.owned.enterOwn(told)],
    ['$registered', (name) => Symbol.for(name)],
    ['$symbol', numbers.enterSymbol],
    ['$library', enterLibrary],
    ['$error', (told) => link.errors.enter(told)],
    ['$callback', (told) => link.callbacks.enter(told)],
    ['$iterator', (told) => link.callbacks.enterIterator(told)],
    ['$asyncIterator', (told) => link.callbacks.enterAsyncIterator(told)],
    ['$signal', (number) => link.callbacks.enterSignal(number)],
    ['$later', (number) => link.promises.enter(number)],
  ]);
  const enter = (tag, content) => {
    const arrive = entering.get(tag);
    if (arrive === undefined) throw new TypeError('an unknown tag');
    return arrive(content);
  };
  const enterLent = (number, made, told) => link.lent.enter(number, made, told);
  const decode = (part) => decodeParts(part, enter, undefined, undefined, enterLent);

  /** A function of the test may change what it is given. */
  const update = createUpdate(
    (_old, now) => numbers.known(now) !== undefined || link.owned.ownNumbers.has(now) || link.lent.has(now),
    () => {
      throw new TypeError('what the test has changed cannot be changed');
    },
  );
  /** Others of ours that it holds may have changed as well. */
  const decodeChanged = (part) =>
    decodeParts(part, enter, undefined, undefined, (number, made, told) => {
      const known = enterLent(number, made, told);
      if (told !== undefined) update(known, made);
      return known;
    });

  return {
    decode,
    enter,
    enterLent,
    /** Does to a value of ours what the test has changed in it. */
    update: (part, told) => update(part, decodeChanged(told)),
  };
}
