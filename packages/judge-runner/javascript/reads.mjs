/*
 * Properties that a test reads of objects which it has only made, and of answers: `assert.equal(found.x, new Vector(4, 6).x)`.
 *
 * The artifact could give the object that the test makes the values of its answer, or the answer those of the object. Where a test reads the same
 * property of both, that of the object must be what the test gave it, and that of the answer what it was before the artifact knew the
 * object. What is read in two assertions that keep nothing is not compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { handles } from './handles.mjs';

/** Most plain answers of a test that are remembered, and reads of answers. */
const maxPlain = 500;
const maxReads = 2000;

const isApart = (one, other) => one !== null && other !== null && one !== other;
const isPlainObject = (value) =>
  Object.getPrototypeOf(Object(value)) === Object.prototype && !handles.has(value);
/** True for values of which one cannot stand for the other, however a test compares them for equality. */
const isOther = (one, other) => Object(one) !== one && Object(other) !== other && !Object.is(one, other);
const isPlain = (value) => typeof value !== 'function' && !handles.has(value);

/**
 * @param sites places in the suite's files
 * @param expected `given` what an object of the test was made of, by number, or undefined; `answer` what is known of an answer; `madeNow` how many
 * objects the test has made; `hasAnswers` of such a class; `noteUsed` that an answer of an earlier test is used; and `checkSingle`, `checkWhole`, `doubt`, `doubtEarly`, which fail the test
 */
export function createReads(
  sites,
  { given, answer, madeNow, hasAnswers, noteUsed, checkSingle, checkWhole, doubt, doubtEarly },
) {
  /** Plain objects and errors that were answered in the running test. */
  let plain = [];
  /** What the running test has read of objects that it has only made, and of answers, by name. */
  let ofMade = new Map();
  let ofAnswers = new Map();
  /** True once something was answered in the running test. */
  let isAnswered = false;

  /** True for what the test gave the object under this name, or anywhere where the class does not say under which. */
  const isBacked = ({ making, args }, name, value) => {
    const claimed = making?.keeps.find(([property]) => property === name);
    const isGiven = (arg) =>
      isPlainObject(arg) && Object.hasOwn(arg, name) && isDeepStrictEqual(arg[name], value);
    if (claimed === undefined) return args.some((arg) => isDeepStrictEqual(arg, value) || isGiven(arg));
    const [, index] = claimed;
    const [, fallback] = making.parameters[index] ?? [];
    return args[index] === undefined
      ? isDeepStrictEqual(value, fallback?.$undefined ? undefined : fallback)
      : isDeepStrictEqual(args[index], value) || !isPlain(args[index]);
  };
  const hold = (made, since, isAwaited = false) => {
    // What it has used since is known to the artifact.
    if (given(made.id) !== made.given) return;
    // It was read before anything was there with which it could be compared.
    if (made.given.isError) checkWhole(made.id, made.given);
    // What arrives while the test waits has no place in it.
    if (isAwaited && (!made.isBacked || since >= made.given.made) && sites.allowsInTest('awaited')) return;
    if (!made.isBacked)
      doubt(
        'unkept',
        `its class ${made.given.name} does not show that it keeps what it is given; ${sites.remedyOfClass(made.given.name)}`,
      );
    if (since >= made.given.made) doubtEarly(made.given, 'answered');
  };
  const noted = (all, name) => {
    if (!all.has(name)) all.set(name, []);
    return all.get(name);
  };
  const holdPlain = (answered, made, name, isAwaited) => {
    const isSame = Object.is(answered.part[name], made.value);
    if (isSame && !isApart(answered.assertion, made.assertion)) hold(made, answered.since, isAwaited);
  };

  /** Holds errors that the test has read against what they were given, where it now uses what an earlier test was answered. */
  const checkLate = (id) => {
    if (!noteUsed(id)) return;
    const errors = [...ofMade.values()].flat().filter((each) => each.given.isError);
    for (const each of errors)
      if (given(each.id) === each.given && hasAnswers(each.given)) checkWhole(each.id, each.given);
  };

  return {
    /** True where a plain object or an error was answered in the running test. */
    hasPlain: () => plain.length > 0,
    noteAnswer() {
      isAnswered = true;
    },
    /** Notes a plain object or an error that was answered. */
    notePlain(part) {
      if (plain.length >= maxPlain) return;
      // What arrives while the test waits may be compared anywhere.
      const isAwaited = sites.isAwaited();
      const answered = { part, since: madeNow(), assertion: sites.assertion() };
      plain.push(answered);
      try {
        for (const [name, all] of ofMade)
          for (const made of all)
            if (isAwaited || made.assertion === null || made.assertion === answered.assertion)
              holdPlain(answered, made, name, isAwaited);
      } catch {
        // The refusal fails the test in its end; what arrives now is a value all the same.
      }
    },
    /** Notes what the test reads of an object of the artifact, where it compares nothing in depth. */
    noteRead(id, name, value) {
      if (typeof value === 'function') return;
      const assertion = sites.assertion();
      const own = given(id);
      if (own !== undefined) {
        checkSingle(id);
        if (own.isError && (hasAnswers(own) || plain.some(({ part }) => part instanceof Error)))
          checkWhole(id, own);
        // Of anything that was answered this may be undefined, too.
        if (value === undefined && isAnswered) checkWhole(id, own);
        const made = { id, given: own, assertion, value };
        made.isBacked = own.isError || isBacked(own, name, value);
        noted(ofMade, name).push(made);
        if (typeof value !== 'object' || value === null)
          for (const each of plain) holdPlain(each, made, name);
        for (const each of ofAnswers.get(name) ?? [])
          if (!isApart(each.assertion, assertion) && !isOther(each.value, value)) hold(made, each.since);
        return;
      }
      checkLate(id);
      const known = answer(id);
      const reads = noted(ofAnswers, name);
      if (known === undefined || known.isMade || reads.length >= maxReads) return;
      reads.push({ since: known.made, assertion, value });
      for (const made of ofMade.get(name) ?? [])
        if (!isApart(made.assertion, assertion) && !isOther(made.value, value)) hold(made, known.made);
    },
    /** Notes that the test reads the names of what an object holds: one that it has only made must hold all that it was given. */
    noteKeys(id) {
      checkLate(id);
      const own = given(id);
      if (own !== undefined && (plain.length > 0 || hasAnswers(own))) checkWhole(id, own);
    },
    beginTest() {
      plain = [];
      ofMade = new Map();
      ofAnswers = new Map();
      isAnswered = false;
    },
  };
}
