/*
 * What a class of Node has, in a few characters: of one that a program exports again the test has its own, unless either has changed what the class and its
 * objects have.
 */
import { createHash } from 'node:crypto';

const { getOwnPropertyDescriptor: shapeOf, ownKeys } = Reflect;
const textOf = Function.prototype.toString;

/** The functions that an object has, by their texts: what else it holds may differ between two processes. */
const functionsOf = (part) =>
  ownKeys(part).flatMap((key) => {
    const { value, get, set } = shapeOf(part, key);
    return [value, get, set].flatMap((each, index) =>
      typeof each === 'function' && each !== part.constructor
        ? [`${String(key)} ${index} ${textOf.call(each)}`]
        : [],
    );
  });

/** The functions of a class, of its objects, and of what these inherit from, hashed. */
export function printOf(kind) {
  const found = functionsOf(kind);
  for (
    let each = kind.prototype;
    each !== null && each !== Object.prototype;
    each = Object.getPrototypeOf(each)
  )
    found.push(...functionsOf(each));
  return createHash('sha256').update(found.sort().join('\n')).digest('base64url');
}
