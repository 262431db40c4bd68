/*
 * Arrays, plain objects and other values of the language that an artifact keeps and has answered: in one process, the test would hold the very same.
 * The same one is answered again as the same, also within others, and what the test changes in it is told to the artifact.
 */
import { stringify } from './json.mjs';
import { isChangeable } from './values.mjs';

/** Values that are looked at before each question, and the longest text of one. */
const maxWatched = 32;
const maxText = 4096;
/** Text of all those that the test was given before it: they are looked at before every question of every test. */
const maxBefore = 8192;
/** Values that are known to be the same when they arrive again. */
const maxKnown = 5000;

/** Values that have arrived under a number of the artifact's: each stands for itself, wherever it is. */
export const numbered = new WeakSet();

/**
 * @param update makes a value what another one is, in place
 * @param outline what a value holds, as text; null for one that the test cannot change
 * @param leave a value as it leaves
 * @param isBefore true outside of tests: what is given then is held by all of them
 * @param isPlain true for what was told if it holds nothing of the artifact's objects and of what a test has given
 */
export function createLent({ update, outline, leave, isBefore, isPlain }) {
  /** Those within others that a test was given, by number, as they were told last. */
  const parts = new Map();
  /** Those that the test may have changed, with what they held: the last ones. */
  const watched = new Map();
  /** The same of those that were given before the tests. */
  const before = new Map();
  let beforeLength = 0;
  const watching = (number) => before.get(number) ?? watched.get(number);

  /** The number of each value that was answered, with what it held when both boxes knew the same of it. */
  const numbers = new WeakMap();

  const note = (number, value) => {
    watched.delete(number);
    const held = outline(value);
    if (held === null || held.length > maxText) return;
    numbers.set(value, { number, held });
    if (Object.isFrozen(value)) return;
    if (before.has(number)) {
      before.set(number, { value, held });
      return;
    }
    if (isBefore() && beforeLength + held.length <= maxBefore) {
      beforeLength += held.length;
      before.set(number, { value, held });
      return;
    }
    if (watched.size >= maxWatched) watched.delete(watched.keys().next().value);
    watched.set(number, { value, held });
  };

  const keep = (number, found) => {
    if (parts.size >= maxKnown) parts.delete(parts.keys().next().value);
    parts.set(number, found);
  };

  return {
    note,
    /** What is known of a number; undefined for one that was not told within another value. */
    known: (number) => parts.get(number),
    /** Remembers what was told by itself: it may be told within another value later. */
    keep,
    /**
     * The number of a value of the artifact that the test gives back; undefined for any other, and for one that the test has changed without the
     * artifact's being told.
     */
    numberOf(value) {
      const { number, held } = numbers.get(value) ?? {};
      if (number === undefined) return undefined;
      return watching(number)?.value === value || outline(value) === held ? number : undefined;
    },
    /** The number of a value of the artifact, also where the test has changed it. */
    arrivedNumber: (value) => numbers.get(value)?.number,
    /** Notes that the artifact has told what it has changed in a value. */
    refresh(value) {
      const { number } = numbers.get(value) ?? {};
      if (watching(number)?.value === value) note(number, value);
    },
    /** The value of a number: the same as before, made what the artifact has told. */
    arrive(number, made, told) {
      // What is the test's is not made what the artifact tells later.
      if (typeof number !== 'number' || !isChangeable(told)) return made;
      const text = stringify(told);
      const known = parts.get(number);
      if (known === undefined || Object.getPrototypeOf(known.value) !== Object.getPrototypeOf(made)) {
        numbered.add(made);
        keep(number, { value: made, text, isBefore: isBefore() });
        note(number, made);
        return made;
      }
      if (known.text === text) return known.value;
      update(known.value, made);
      known.text = text;
      note(number, known.value);
      return known.value;
    },
    /** What the test has changed since, as `[number, what it is now]`. */
    changed() {
      const found = [];
      for (const [number, known] of [...before, ...watched]) {
        const held = outline(known.value);
        if (held === null || held === known.held) continue;
        known.held = held;
        numbers.set(known.value, { number, held });
        found.push([number, leave(known.value)]);
      }
      return found;
    },
    /** Forgets, with a test, what holds objects: what those are depends on the place at which they arrive. Plain values stay the same ones. */
    forget() {
      for (const [number, known] of parts) {
        if (known.isBefore || known.plain === known.text) continue;
        if (isPlain(known.text)) known.plain = known.text;
        else parts.delete(number);
      }
      for (const number of watched.keys()) if (!parts.has(number)) watched.delete(number);
    },
  };
}
