/*
 * Arrays, plain objects and values of the language of the artifact's that the test was given: the test is given the same one again, may give it back
 * and change it. What the artifact changes in them is told.
 */
import { stringify } from './json.mjs';
import { isChangeable } from './values.mjs';

/** Most values that an object has answered which are looked at after each answer. */
const maxWatched = 64;
/** Values of answers that the test may change. */
const maxParts = 5000;
/** Answers of functions, and values within others, which are looked at after each question. */
const maxLast = 32;
/** Longest text of what is looked at after each call of a method, in characters, and of all that a module exports. */
const maxText = 4096;
const maxKept = 8192;

/** @param link the connection, as `objects.mjs` makes it */
export function createLentValues(link) {
  const numbers = new WeakMap();
  /** The same by number: the test may change them. */
  const parts = new Map();
  let count = 0;
  const numberOf = (value) => {
    if (!numbers.has(value)) {
      count += 1;
      numbers.set(value, count);
    }
    const number = numbers.get(value);
    if (!parts.has(number)) {
      if (parts.size >= maxParts) parts.delete(parts.keys().next().value);
      parts.set(number, value);
    }
    return number;
  };
  /** What each object has answered of them, by number, with how it was told last. */
  const byOwner = new Map();
  /** The last ones that functions have answered, or that are within others. */
  const last = new Map();
  /** What modules export, and was answered before the tests: all of them may look at it. */
  const kept = new Map();
  let keptLength = 0;
  let isBefore = true;
  /** Notes what is looked at after each question, whatever object has answered it: it may change later. Undefined for a value that is too large. */
  const note = (value, text) => {
    const number = numberOf(value);
    const known = kept.get(number);
    if (known !== undefined) {
      known.text = text;
      return known;
    }
    if (text.length > maxText) return undefined;
    const found = { value, text };
    if (isBefore && keptLength + text.length <= maxKept) {
      keptLength += text.length;
      kept.set(number, found);
      return found;
    }
    last.delete(number);
    if (last.size >= maxLast) last.delete(last.keys().next().value);
    last.set(number, found);
    return found;
  };
  /** @param isHeld true for what a live object holds, which is asked for anew: its calls alone are followed */
  const lending = (value, reply, owner, isHeld = false) => {
    if (typeof value !== 'object' || !isChangeable(reply.value)) return reply;
    const number = numberOf(value);
    const text = stringify(reply.value);
    const isShort = text.length <= maxText;
    const known = isHeld ? (isShort ? { value, text } : undefined) : note(value, text);
    if (owner !== undefined && known !== undefined) {
      if (!byOwner.has(owner)) byOwner.set(owner, new Map());
      const own = byOwner.get(owner);
      if (own.size < maxWatched || own.has(number)) own.set(number, known);
    }
    return { ...reply, lent: number };
  };
  /** Those of them that have changed since: `[number below zero, what it holds now]`. */
  const changedIn = (all) =>
    [...(all ?? [])].flatMap(([number, known]) => {
      const told = link.encoding.encode(known.value);
      const text = stringify(told);
      if (text === known.text) return [];
      known.text = text;
      return [[-number, told]];
    });

  return {
    numberOf,
    has: (value) => numbers.has(value),
    partOf: (number) => parts.get(number),
    note,
    lending,
    /** What a module exports is the same in both boxes, where it holds no objects: those are asked for what they are. */
    lendingExport: (value, reply) =>
      /"\$(?:handle|live|array|method)":/.test(stringify(reply.value)) ? reply : lending(value, reply),
    /** A value of ours that the test gives back is the very same. What the test has changed in it has arrived before. */
    enter(number, made, told) {
      const part = parts.get(number);
      if (told === undefined) return part;
      if (part === undefined || Object.getPrototypeOf(part) !== Object.getPrototypeOf(made)) return made;
      note(part, stringify(told));
      return part;
    },
    /** What an object has answered and a method of it has changed. */
    changedOf: (owner) => changedIn(byOwner.get(owner)),
    changed: () => [...changedIn(kept), ...changedIn(last)],
    /** @param isOutside true for a question outside of tests: what it answers is held by all of them */
    begin(isOutside) {
      isBefore = isOutside;
    },
  };
}
