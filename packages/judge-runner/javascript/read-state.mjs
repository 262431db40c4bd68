/* The state of its own process that a test reads: a program changes that of another one. */
import { ownerOf } from './owners.mjs';

const maxVersions = 100;
/** Longest text of a value, in characters. */
const maxText = 200;
const { ownKeys } = Reflect;
/** The last part of the path of the names that an object has of its own, and of those that a loop goes through. */
export const ownNames = '*';
export const listedNames = '+';
const namesOf = {
  [ownNames]: (found) => ownKeys(found).map(String),
  [listedNames]: Object.keys,
};

/** What a value is compared by: an object may hold anything. */
const compared = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'symbol' ? ownKeys : value;

/** A function that reads what a path leads to from where it leads to now. */
function readerOf([first, second, ...rest]) {
  // A test may have mocked `Date`.
  const root = ownerOf(first)?.[second];
  return () => {
    let found = root;
    try {
      for (const key of rest)
        found = Object.hasOwn(namesOf, key) ? namesOf[key](found).join(' ') : found?.[key];
      return compared(rest.length === 0 ? ownerOf(first)[second] : found);
    } catch {
      return ownKeys;
    }
  };
}

/** The value of a path in words, as another program has to have it for the same change: names that were added, and any function for another one. */
function inWords(path, value, before) {
  if (value === ownKeys) return 'object';
  if (typeof value === 'function') return 'function';
  if (!Object.hasOwn(namesOf, path.at(-1))) return `${typeof value} ${value}`.slice(0, maxText);
  const known = new Set(String(before).split(' '));
  const added = String(value)
    .split(' ')
    .filter((name) => !known.has(name));
  return added.sort().join(' ').slice(0, maxText);
}

/**
 * Looks at what paths lead to. Returns a function that answers those that lead to another value than when it was asked last, as
 * `[index, number of the value, the value in words]`.
 */
export function watchState(paths) {
  const places = paths.map((path) => {
    const read = readerOf(path);
    return { path, read, values: [read()], version: 0 };
  });
  return () =>
    places.flatMap((place, index) => {
      const now = place.read();
      const { path, values } = place;
      if (Object.is(values[place.version], now)) return [];
      const known = values.findIndex((value) => Object.is(value, now));
      if (known < 0 && values.length >= maxVersions) return [];
      place.version = known < 0 ? values.push(now) - 1 : known;
      return [[index, place.version, inWords(path, now, values[0])]];
    });
}

/** What a tester knows of that state. @param paths of what its suite reads */
export function createReadState(paths) {
  const names = paths.map((path) => (path[0] === 'globalThis' ? path.slice(1) : path).join('.'));
  /** Of those that are not as they were before the artifact was loaded, the values in words, by index. */
  const now = new Map();
  /** What it was at any answer in the running test, which may have looked at it then. */
  let seen = new Map();
  /** What tests have replaced, which the artifact's box has replaced as well. */
  const replaced = new Set();
  return {
    noteReplaced(owner, name) {
      replaced.add(`${owner}.${name}`);
    },
    beginTest() {
      seen = new Map(now);
    },
    /** @param isAnswer false for the call of a function of the test: what a program changes for that time alone is its own */
    arrive(told, isAnswer) {
      for (const [index, version, text] of told)
        if (version === 0) now.delete(index);
        else if (index < paths.length) now.set(index, text);
      if (isAnswer) for (const [index, text] of now) seen.set(index, text);
    },
    /** What is not as it was before the artifact was loaded, as pairs of a name and the value in words. */
    changed: () =>
      [...seen].flatMap(([index, text]) =>
        replaced.has(names[index]) ? [] : [[names[index].replace(/\.[*+]$/, ''), text]],
      ),
  };
}
