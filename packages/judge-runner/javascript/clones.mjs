/* `structuredClone` in the artifact's box: the language makes no copy of an object of the test, of which everything is asked for there. */
import { types } from 'node:util';
import { tagOf } from './values.mjs';

/** True for an object that is copied by its properties, whatever its class. */
const isOrdinary = (part) => !types.isProxy(part) && tagOf(part) === 'Object';

/** What a container holds, without calling getters. */
const heldBy = (part) => {
  if (types.isMap(part)) return [...Map.prototype.entries.call(part)].flat();
  if (types.isSet(part)) return [...Set.prototype.values.call(part)];
  if (!Array.isArray(part) && !isOrdinary(part)) return [];
  return Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value);
};

/**
 * Lets the language copy objects of the test, as it copies those of any class: as plain objects of what they hold.
 *
 * @param isOfTest true for an object of the test
 */
export function watchClones(isOfTest) {
  const { structuredClone: clone } = globalThis;
  const holdsOne = (part, seen = new Set()) => {
    if (Object(part) !== part || seen.has(part)) return false;
    seen.add(part);
    return isOfTest(part) || heldBy(part).some((each) => holdsOne(each, seen));
  };
  /** The same value with plain objects in the place of the test's. */
  const withoutThem = (part, known = new Map()) => {
    if (Object(part) !== part || typeof part === 'function') return part;
    if (known.has(part)) return known.get(part);
    const note = (made) => {
      known.set(part, made);
      return made;
    };
    const within = (each) => withoutThem(each, known);
    if (types.isMap(part)) {
      const made = note(new Map());
      for (const [key, item] of Map.prototype.entries.call(part)) made.set(within(key), within(item));
      return made;
    }
    if (types.isSet(part)) {
      const made = note(new Set());
      for (const item of Set.prototype.values.call(part)) made.add(within(item));
      return made;
    }
    if (!Array.isArray(part) && !isOfTest(part) && !isOrdinary(part)) return part;
    const made = note(Array.isArray(part) ? Array.from({ length: part.length }) : {});
    for (const key of Object.keys(part))
      Object.defineProperty(made, key, {
        ...{ value: within(part[key]), writable: true, enumerable: true, configurable: true },
      });
    return made;
  };
  const shape = Object.getOwnPropertyDescriptor(globalThis, 'structuredClone');
  const { structuredClone } = {
    structuredClone: (value, ...options) => clone(holdsOne(value) ? withoutThem(value) : value, ...options),
  };
  Object.defineProperty(globalThis, 'structuredClone', { ...shape, value: structuredClone });
}
