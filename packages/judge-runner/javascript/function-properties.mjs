/* Properties of functions of the test in the artifact's box: they arrive with the function, and what the artifact makes of them is told. */
import { nameOfKey } from './values.mjs';

/** Most functions that are looked at after each question, the last ones. */
const maxFunctions = 64;
const { defineProperty, deleteProperty, getOwnPropertyDescriptor: shapeOf } = Reflect;
/** What every function has by itself. */
const ofAll = new Set(['length', 'name', 'prototype', 'arguments', 'caller']);

/** Names and values that a function of the test has beside what every function has; none where a getter computes one. */
export function propertiesOf(part) {
  const names = Object.keys(part).filter((name) => !ofAll.has(name));
  return names.flatMap((name) => {
    const shape = shapeOf(part, name);
    return 'value' in shape ? [[name, shape.value]] : [];
  });
}

export function createFunctionProperties() {
  /** By number: the function, and the properties that both boxes know. */
  const known = new Map();
  const heldBy = (part) =>
    new Map(
      Reflect.ownKeys(part).flatMap((key) => {
        const { value } = shapeOf(part, key);
        return ofAll.has(key) || nameOfKey(key) === undefined ? [] : [[key, value]];
      }),
    );
  return {
    /** Gives a function what that of the test has now. */
    arrive(number, part, entries, isFrozen) {
      const before = known.get(number)?.held ?? new Map();
      for (const key of before.keys()) if (!entries.some(([name]) => name === key)) deleteProperty(part, key);
      for (const [name, value] of entries)
        defineProperty(part, name, { value, writable: true, enumerable: true, configurable: true });
      if (isFrozen) Object.freeze(part);
      known.delete(number);
      known.set(number, { part, held: heldBy(part) });
      if (known.size > maxFunctions) known.delete(known.keys().next().value);
    },
    /** What the artifact has changed since, as `[number, name]` and the value where there is one. */
    changed() {
      const found = [];
      for (const [number, entry] of known) {
        const now = heldBy(entry.part);
        const { held } = entry;
        entry.held = now;
        for (const [key, value] of now)
          if (!held.has(key) || !Object.is(held.get(key), value))
            found.push([number, nameOfKey(key), [value]]);
        for (const key of held.keys()) if (!now.has(key)) found.push([number, nameOfKey(key), []]);
      }
      return found;
    },
  };
}
