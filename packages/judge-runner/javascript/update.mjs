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

const nothing = () => {};
/** Gives a plain object a property. */
function put(part, key, value, refuse) {
  const shape = shapeOf(part, key);
  const isDone =
    shape === undefined
      ? defineProperty(part, key, { value, writable: true, enumerable: true, configurable: true })
      : 'value' in shape
        ? Object.is(shape.value, value) || defineProperty(part, key, { value })
        : Object.is(part[key], value) || set(part, key, value);
  if (!isDone) refuse();
}
/** Makes a plain object what another one is: with its properties in their order. */
function fillObject(part, after, merged, refuse) {
  const names = Object.keys(after);
  const values = names.map((key) => merged(part[key], after[key]));
  for (const key of Object.keys(part)) if (!Object.hasOwn(after, key) && !deleteProperty(part, key)) refuse();
  const kept = Object.keys(part);
  if (kept.some((key, index) => key !== names[index]))
    for (const key of kept) {
      // One that is computed is the test's.
      const shape = shapeOf(part, key);
      if ('value' in shape && shape.writable && Object.isExtensible(part)) deleteProperty(part, key);
    }
  names.forEach((key, index) => {
    put(part, key, values[index], refuse);
  });
}
/** Makes an array what another one is. */
function fillArray(part, after, merged, refuse) {
  const items = Object.keys(after).map((index) => [index, merged(part[index], after[index])]);
  if (Object.isExtensible(part) && set(part, 'length', 0)) stretch(part, after.length);
  else {
    for (const key of Object.keys(part))
      if (!Object.hasOwn(after, key) && !deleteProperty(part, key)) refuse();
    if (!set(part, 'length', after.length)) refuse();
  }
  for (const [index, item] of items) if (!Object.is(part[index], item) && !set(part, index, item)) refuse();
}
/**
 * Makes a value what another one is, in place. What cannot be changed stays.
 *
 * @param merged what stands for a part, of what was there and what is told
 * @param refuse is called where something stays
 */
export function become(part, after, merged = (_old, now) => now, refuse = nothing) {
  if (refill(part, after)) return;
  if (Array.isArray(part)) fillArray(part, after, merged, refuse);
  else if (part instanceof Map) {
    const entries = [...after].map(([key, item]) => [key, merged(part.get(key), item)]);
    part.clear();
    for (const [key, item] of entries) part.set(key, item);
  } else if (part instanceof Set) {
    part.clear();
    for (const item of after) part.add(item);
  } else fillObject(part, after, merged, refuse);
}

/**
 * Returns a function that makes a value what another one is, in place, so that aliases see it too.
 *
 * @param isOther true where a part stands for itself and takes the place of what was there
 * @param refuse is called where something cannot be changed and stays
 */
export function createUpdate(isOther, refuse) {
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
    } else become(mine, after, merged, refuse);
  }
  return (mine, after) => update(mine, after);
}
