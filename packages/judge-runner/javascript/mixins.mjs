/* Objects and classes of a test that have got functions from plain objects of the artifact: copied (`Object.assign(Bird.prototype, flying)`), or inherited. */
import { handles } from './handles.mjs';
import { keyOfName } from './values.mjs';

/** What an object has under a name that is not computed, itself or by what it inherits from. */
function heldBy(part, key) {
  for (let each = part; each !== null; each = Object.getPrototypeOf(each)) {
    const found = Reflect.getOwnPropertyDescriptor(each, key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}
/** True where an object, or one that it inherits from, holds this very value: another may stand before it, which calls it by `super`. */
function holds(part, key, value) {
  for (let each = part; each !== null; each = Object.getPrototypeOf(each))
    if (Reflect.getOwnPropertyDescriptor(each, key)?.value === value) return true;
  return false;
}

/** True where an object, or one that it inherits from, has a property of its own under a name. */
function has(part, key) {
  for (let each = part; each !== null; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, key)) return true;
  return false;
}

/**
 * @param partOf the object that a test sees of what is known of one
 * @param listedOf names of what is listed of it now, as copying takes it
 */
export function createMixins(partOf, listedOf) {
  /** Names of functions in the objects that hold them, by what is known of those. */
  const holders = new WeakMap();
  /** What is known of objects that were copied, with the names that they listed then. */
  const copied = new Map();

  const inherits = (state, part) => Object.prototype.isPrototypeOf.call(partOf(state), part);
  /**
   * True for an object of the test that inherits from one of the artifact, or has all that it listed when it was copied, and functions under the names
   * of its functions. One that holds a function of several, or under another name, may be a row of a table that says as well what is expected: what an
   * object holds unlisted is not copied, and was compared with nothing.
   */
  const mixes = (state, part) => {
    if (Object(part) !== part || handles.has(part)) return false;
    if (inherits(state, part)) return true;
    const isLike = (name) => {
      const key = keyOfName(name);
      return typeof state.known.get(name)?.value === 'function'
        ? typeof heldBy(part, key) === 'function'
        : has(part, key);
    };
    return copied.get(state)?.every(isLike) === true;
  };

  const isMethodOf = (part, called) =>
    [...(holders.get(called) ?? [])].some(
      ([state, name]) =>
        mixes(state, part) &&
        (inherits(state, part) || (copied.get(state).includes(name) && holds(part, keyOfName(name), called))),
    );

  return {
    inherits,
    mixes,
    /** Notes that an object of the artifact holds a function. */
    note(called, state, name) {
      if (!holders.has(called)) holders.set(called, new Map());
      holders.get(called).set(state, name);
    },
    /** True for an object of the test of which a function of the artifact is a method. */
    isMethodOf,
    /** Notes that the test has looked at all properties of an object of the artifact. */
    noteCopied: (state) => void copied.set(state, listedOf(state)),
    /** True for a plain object of the test that was given functions of the artifact as methods. */
    hasMethods: (part) =>
      copied.size > 0 &&
      Object.getPrototypeOf(part) === Object.prototype &&
      Object.values(Object.getOwnPropertyDescriptors(part)).some(
        ({ value }) => typeof value === 'function' && isMethodOf(part, value),
      ),
  };
}
