/* What the artifact's box says of an object beside its properties: what it is converted to, and what an error holds unseen. */
import { inspect } from 'node:util';
import { namesOfGlobals } from './values.mjs';

/** What the language makes of an object where a number or a text is wanted. */
export function primitiveOf(part, hint) {
  if (hint === 'inspect') return typeof part[inspect.custom] === 'function' ? inspect(part) : null;
  const exotic = part[Symbol.toPrimitive];
  if (exotic !== undefined && exotic !== null) return Reflect.apply(exotic, part, [hint]);
  for (const name of hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString']) {
    const found = typeof part[name] === 'function' ? part[name]() : part;
    if (Object(found) !== found) return found;
  }
  throw new TypeError('Cannot convert object to primitive value');
}
/** What work finds, and something else where the artifact's code throws in it. */
export function tried(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
/** Adds what an error says under a name, as data whatever the name; nothing where its getter throws. */
const addSaid = (found, error, name) =>
  tried(
    () =>
      Object.defineProperty(found, name, {
        ...{ value: error[name], writable: true, enumerable: true, configurable: true },
      }),
    found,
  );
/** What an error lists as its own. */
export function listedOf(error) {
  const found = {};
  for (const name of Object.keys(error)) addSaid(found, error, name);
  return found;
}
/** What an error holds that is not listed: its cause, the errors that it groups, and what getters of its class say. */
export function besidesOf(error) {
  const found = {};
  const listed = new Set(['stack', 'message', 'name', ...Object.keys(error)]);
  for (const name of Object.getOwnPropertyNames(error)) if (!listed.has(name)) addSaid(found, error, name);
  for (
    let kind = Object.getPrototypeOf(error);
    kind !== null && !namesOfGlobals.has(kind.constructor);
    kind = Object.getPrototypeOf(kind)
  )
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(kind)))
      if (get !== undefined && !Object.hasOwn(found, name)) addSaid(found, error, name);
  return found;
}
