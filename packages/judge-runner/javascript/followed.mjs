/*
 * Arrays, plain objects and values of the language that the test has given, in the artifact's box: what that has kept of them it may change at any
 * time, in another call, in a timer or after a promise has ended. All are looked at with each answer, and told only where they have changed.
 */
import { types } from 'node:util';
import { contentAsText } from './contents.mjs';

/** Most of them that are looked at, the last ones, most parts of one, with what it holds, and of all. */
const maxFollowed = 256;
const maxParts = 1000;
const maxAll = 10_000;
/** As how many parts one counts that is told to find whether it has changed. */
const partsOfOther = 150;

/** How many bytes count as one part. */
const bytesOfPart = 8;

const isPlain = (parent) => parent === Object.prototype || parent === null;

/** Shows each part of what a value holds to `see`, with as how many it counts, until that says no. Undefined where only telling the value shows what it holds. */
function visit(value, see, within = new Set()) {
  if (!see(value)) return false;
  if (typeof value !== 'object' || value === null || types.isProxy(value) || within.has(value)) return true;
  const isTop = within.size === 0;
  within.add(value);
  const all = (items) => {
    for (const item of items) {
      const isSeen = visit(item, see, within);
      if (isSeen !== true) return isSeen;
    }
    return true;
  };
  const parent = Object.getPrototypeOf(value);
  if (parent === Array.prototype) return see(value.length) && all(value);
  if (parent === Set.prototype) return all(value);
  if (parent === Map.prototype) {
    for (const entry of value) {
      const isSeen = all(entry);
      if (isSeen !== true) return isSeen;
    }
    return true;
  }
  if (isPlain(parent)) {
    for (const key of Reflect.ownKeys(value)) {
      const shape = Reflect.getOwnPropertyDescriptor(value, key);
      // A getter is not called.
      if (!see(key) || !see(shape.enumerable) || !see(shape.get)) return false;
      const isSeen = visit(shape.value, see, within);
      if (isSeen !== true) return isSeen;
    }
    return true;
  }
  const content = contentAsText(value);
  if (content === null) return false;
  if (content !== undefined) return see(content, Math.ceil((value.byteLength ?? 0) / bytesOfPart) + 1);
  // What objects of classes hold is told by the classes.
  return isTop || value instanceof Error ? undefined : true;
}

/** What a value holds, part by part, and as how many it counts; parts are null where it must be told to see that. Undefined where it is too large. */
function partsOf(value) {
  const parts = [];
  let size = 0;
  const isSeen = visit(value, (part, count = 1) => {
    size += count;
    return parts.push(part) <= maxParts;
  });
  if (isSeen === undefined) return { parts: null, size: partsOfOther };
  return isSeen ? { parts, size } : undefined;
}
const isAsBefore = (value, parts) => {
  let count = 0;
  const isSame = (part) => {
    count += 1;
    return count <= parts.length && Object.is(part, parts[count - 1]);
  };
  return visit(value, isSame) === true && count === parts.length;
};

export function createFollowed() {
  /** By number: the value, what it held when it was told last, and as how many parts it counts. */
  const known = new Map();
  let count = 0;
  const drop = (number) => {
    count -= known.get(number)?.size ?? 0;
    known.delete(number);
  };
  return {
    /** Follows a value of the test, which both boxes hold as it is now. */
    note(number, value) {
      drop(number);
      const found = partsOf(value);
      if (found === undefined) return;
      known.set(number, { value, ...found });
      count += found.size;
      while (known.size > maxFollowed || count > maxAll) drop(known.keys().next().value);
    },
    drop,
    /** Numbers and values of those that may have changed since; they are known as they are now. */
    changed() {
      const found = [...known].filter(([, { value, parts }]) => parts === null || !isAsBefore(value, parts));
      for (const [number, { value, parts }] of found) if (parts !== null) this.note(number, value);
      return found.map(([number, { value }]) => [number, value]);
    },
  };
}
