/*
 * Plain objects and arrays of the artifact that leave as objects with numbers, as `$live`: those which hold functions or getters, contain themselves,
 * or may be changed by a function of the test after it has returned.
 */
import { types } from 'node:util';
import { Circular } from './circles.mjs';
import { nameOfKey, Unplain } from './values.mjs';

/** Most objects whose functions are looked at after each question, the last ones, and properties of one. */
const maxLive = 256;
const maxFunctions = 100;

const functionsIn = (part) =>
  Reflect.ownKeys(part)
    .slice(0, maxFunctions)
    .flatMap((key) => {
      const value = Reflect.getOwnPropertyDescriptor(part, key)?.value;
      return typeof value === 'function' ? [[key, value]] : [];
    });
/** True for an object that holds functions, or what is not listed or computed. */
const isActing = (part) =>
  types.isProxy(part) ||
  Reflect.ownKeys(part).some((key) => {
    const found = Reflect.getOwnPropertyDescriptor(part, key);
    // What is not listed is read all the same.
    return (
      typeof found?.value === 'function' || (found !== undefined && !(found.enumerable && 'value' in found))
    );
  });

/** @param link the connection, as `objects.mjs` makes it */
export function createLiveObjects(link) {
  const { numbers } = link;
  /** Objects that are being told: they may hold themselves. */
  const telling = new Set();
  /** Those that the message of now has told. */
  let told = new Set();
  /** Plain objects of ours that contain themselves. */
  const circles = new WeakSet();
  /** Plain objects and arrays of ours that a function of the test may change after it has come back. */
  const shared = new WeakSet();
  /** Functions of such objects by number, as they were told last. */
  const functionsOf = new Map();
  const noteFunctions = (number, part) => {
    functionsOf.delete(number);
    if (types.isProxy(part) || Object.isFrozen(part)) return;
    const found = functionsIn(part);
    if (found.length === 0) return;
    functionsOf.set(number, { part, found });
    if (functionsOf.size > maxLive) functionsOf.delete(functionsOf.keys().next().value);
  };
  const share = (part) => {
    const isOpen =
      typeof part === 'object' &&
      part !== null &&
      !link.owned.ownNumbers.has(part) &&
      !link.modules.isNamespace(part) &&
      !Object.isFrozen(part);
    if (isOpen && [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(part)))
      shared.add(part);
  };

  /** What an object with functions among its properties holds now, by name, as `[name, is computed, is hidden, value, its number]`. */
  const tell = (part, walk) => {
    const number = numbers.numberOf(part);
    if (told.has(number)) return { $live: [number] };
    telling.add(number);
    told.add(number);
    try {
      const isShared = shared.has(part);
      const entries = Reflect.ownKeys(part).flatMap((key) => {
        const name = Array.isArray(part) && key === 'length' ? undefined : nameOfKey(key);
        const found = name === undefined ? undefined : Reflect.getOwnPropertyDescriptor(part, key);
        if (found === undefined) return [];
        const entry = [name, !('value' in found), !found.enumerable];
        // A getter is called where the test reads the property.
        if (entry[1]) return [entry];
        try {
          const value = part[key];
          if (isShared) share(value);
          const held = walk(value);
          const { lent } = link.lent.lending(value, { value: held }, number, true);
          return [lent === undefined ? [...entry, held] : [...entry, held, lent]];
        } catch (error) {
          const isAround = error instanceof Circular && link.encoding.isRepeated();
          if (!isAround && (error instanceof Unplain || !entry[1])) throw error;
          // It throws where the test reads it, or is told there: an array that holds this object. What it holds is not told.
          told = new Set(telling);
          return [[name, true, entry[2]]];
        }
      });
      const shape = { isBare: Object.getPrototypeOf(part) === null, isFrozen: Object.isFrozen(part) };
      if (types.isProxy(part)) shape.isProxy = true;
      if (Array.isArray(part)) shape.length = part.length;
      noteFunctions(number, part);
      return { $live: [number, entries, shape] };
    } finally {
      telling.delete(number);
    }
  };

  return {
    tell,
    /** An array or plain object that leaves in this way, as it leaves; undefined for any other part. */
    leave(part, walk) {
      if (Array.isArray(part)) return types.isProxy(part) || shared.has(part) ? tell(part, walk) : undefined;
      const parent = Object.getPrototypeOf(part);
      const isPlain = parent === Object.prototype || parent === null;
      return isPlain && (circles.has(part) || shared.has(part) || isActing(part))
        ? tell(part, walk)
        : undefined;
    },
    /** Runs what makes a message of its own: what another message has told is told again in it. */
    inMessage(work) {
      const outer = told;
      told = new Set(telling);
      try {
        return work();
      } finally {
        told = outer;
      }
    },
    /** True for the number of an object that the message of now has told. */
    isTold: (number) => told.has(number),
    share,
    noteCircle: (part) => circles.add(part),
    /** Numbers of objects of which a function was replaced since. */
    takeStale() {
      const stale = [];
      for (const [number, { part, found }] of functionsOf) {
        const now = functionsIn(part);
        if (
          now.length === found.length &&
          now.every(([key, value], index) => key === found[index][0] && value === found[index][1])
        )
          continue;
        functionsOf.set(number, { part, found: now });
        stale.push(number);
      }
      return stale.length === 0 ? {} : { stale };
    },
  };
}
