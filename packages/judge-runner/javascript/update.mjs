/* What one box has made of an array, a plain object or a value of the language, done to that of the other box. */
import { refill, stretch } from './values.mjs';

const { defineProperty, deleteProperty, getOwnPropertyDescriptor: shapeOf, set } = Reflect;

/** How a plain object, or an array with holes and no growth, is restricted: see `sealsOf`. */
const isRestricted = ([isExtensible, names]) => !isExtensible || names.length > 0;
/**
 * What cannot be changed in a plain object or an array that is not frozen: whether it can be extended, and names of properties that cannot be configured,
 * each with whether it can be written. Undefined where everything can.
 */
export function sealsOf(part) {
  const isExtensible = Object.isExtensible(part);
  // Properties of an array are looked at where it is restricted as a whole.
  if (Array.isArray(part) && isExtensible) return undefined;
  const names = Object.keys(part).flatMap((name) => {
    const { configurable, writable = true } = shapeOf(part, name);
    return configurable && writable ? [] : [[name, configurable, writable]];
  });
  const seals = [isExtensible, names];
  return isRestricted(seals) ? seals : undefined;
}
/** Restricts a value as one of the other box is. */
export function seal(part, [isExtensible, names]) {
  for (const [name, configurable, writable] of names)
    if (Object.hasOwn(part, name)) defineProperty(part, name, { configurable, writable });
  if (!isExtensible) Object.preventExtensions(part);
}

/** Gives a plain object a property, where it can have that. */
function put(part, key, value) {
  const shape = shapeOf(part, key);
  if (shape === undefined)
    defineProperty(part, key, { value, writable: true, enumerable: true, configurable: true });
  else if ('value' in shape) defineProperty(part, key, { value });
  else if (!Object.is(part[key], value)) set(part, key, value);
}
/** Makes a plain object what another one is: with its properties in their order. What cannot be changed stays. */
function fillObject(part, after, merged) {
  const names = Object.keys(after);
  const values = names.map((key) => merged(part[key], after[key]));
  for (const key of Object.keys(part)) if (!Object.hasOwn(after, key)) deleteProperty(part, key);
  const kept = Object.keys(part);
  if (kept.some((key, index) => key !== names[index]))
    for (const key of kept) {
      // One that is computed is the test's.
      const shape = shapeOf(part, key);
      if ('value' in shape && shape.writable && Object.isExtensible(part)) deleteProperty(part, key);
    }
  names.forEach((key, index) => {
    put(part, key, values[index]);
  });
}
/** Makes an array what another one is. What cannot be changed stays. */
function fillArray(part, after, merged) {
  const items = Object.keys(after).map((index) => [index, merged(part[index], after[index])]);
  if (Object.isExtensible(part) && set(part, 'length', 0)) stretch(part, after.length);
  else {
    for (const key of Object.keys(part)) if (!Object.hasOwn(after, key)) deleteProperty(part, key);
    set(part, 'length', after.length);
  }
  for (const [index, item] of items) set(part, index, item);
}
/**
 * Makes a value what another one is, in place.
 *
 * @param merged what stands for a part, of what was there and what is told
 */
export function become(part, after, merged = (_old, now) => now) {
  if (refill(part, after)) return;
  if (Array.isArray(part)) fillArray(part, after, merged);
  else if (part instanceof Map) {
    const entries = [...after].map(([key, item]) => [key, merged(part.get(key), item)]);
    part.clear();
    for (const [key, item] of entries) part.set(key, item);
  } else if (part instanceof Set) {
    part.clear();
    for (const item of after) part.add(item);
  } else fillObject(part, after, merged);
}

/**
 * Returns a function that makes a value what another one is, in place, so that aliases see it too.
 *
 * @param isOther true where a part stands for itself and takes the place of what was there
 */
export function createUpdate(isOther) {
  function update(mine, after, known = new Set()) {
    if (
      mine === after ||
      known.has(mine) ||
      typeof mine !== 'object' ||
      mine === null ||
      typeof after !== 'object' ||
      after === null ||
      Object.getPrototypeOf(mine) !== Object.getPrototypeOf(after)
    )
      return;
    // It may contain itself.
    known.add(mine);
    const merged = (old, now) => {
      if (typeof old !== 'object' || old === null || typeof now !== 'object' || now === null) return now;
      if (isOther(old, now) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(now)) return now;
      update(old, now, known);
      return old;
    };
    if (Object.isFrozen(mine)) {
      // What it holds stays the same; what that holds may not.
      for (const key of Object.keys(mine)) update(mine[key], after[key], known);
    } else become(mine, after, merged);
  }
  return (mine, after) => update(mine, after);
}
