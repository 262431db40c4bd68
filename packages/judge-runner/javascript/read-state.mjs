/* The state of its own process that a test reads: a program changes that of another one. */
import { ownerOf } from './owners.mjs';

const maxVersions = 100;
const { ownKeys } = Reflect;

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
      for (const key of rest) found = key === '*' ? ownKeys(found).map(String).join(' ') : found?.[key];
      return compared(rest.length === 0 ? ownerOf(first)[second] : found);
    } catch {
      return ownKeys;
    }
  };
}

/** Looks at what paths lead to. Returns a function that answers those that lead to another value than when it was asked last, as `[index, number of the value]`. */
export function watchState(paths) {
  const places = paths.map((path) => {
    const read = readerOf(path);
    return { read, values: [read()], version: 0 };
  });
  return () =>
    places.flatMap((place, index) => {
      const now = place.read();
      if (Object.is(place.values[place.version], now)) return [];
      const known = place.values.findIndex((value) => Object.is(value, now));
      if (known < 0 && place.values.length >= maxVersions) return [];
      place.version = known < 0 ? place.values.push(now) - 1 : known;
      return [[index, place.version]];
    });
}

/** What a tester knows of that state. @param paths of what its suite reads */
export function createReadState(paths) {
  const names = paths.map((path) => (path[0] === 'globalThis' ? path.slice(1) : path).join('.'));
  const now = paths.map(() => 0);
  let before = [...now];
  /** What tests have replaced, which the artifact's box has replaced as well. */
  const replaced = new Set();
  return {
    noteReplaced(owner, name) {
      replaced.add(`${owner}.${name}`);
    },
    arrive(told) {
      for (const [index, version] of told) if (index < now.length) now[index] = version;
    },
    beginTest() {
      before = [...now];
    },
    /** The name of what has changed since the test began; null for nothing. */
    changed() {
      const index = now.findIndex((version, at) => version !== before[at] && !replaced.has(names[at]));
      return index < 0 ? null : names[index].replace(/\.\*$/, '');
    },
  };
}
