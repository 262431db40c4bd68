/* What classes of the artifact claim about how they make objects, and what is compared of what they hold. */

import { handles } from './handles.mjs';
import { stringify } from './json.mjs';

/** Properties that every object has: nothing of the artifact's is read under these names. */
export const unasked = new Set(['constructor', '__proto__']);

/** How a class makes objects, as its description says. */
export function makingFrom(told) {
  if (told === null) return null;
  const { parameters, keeps, simple, quiet } = told;
  const names = parameters.map(([name, value]) => [String(name), value]);
  if (keeps.some(([, index]) => names[index] === undefined)) throw new TypeError('no parameter');
  const properties = new Set(keeps.map(([property]) => String(property)));
  // Nothing that is given is left out, or kept where nothing is compared.
  const isWhole =
    properties.size === keeps.length &&
    names.every((_, index) => keeps.some(([, kept]) => kept === index)) &&
    ![...properties].some((property) => unasked.has(property) || property.startsWith('@@'));
  return {
    parameters: names,
    keeps: keeps.map(([property, index]) => [String(property), index]),
    simple: simple === true && isWhole,
    quiet: quiet === true,
  };
}

/** True for a class whose constructor, and those of the classes that it extends, throw nothing by their text; of Node's, errors are such. */
export const isQuiet = ({ making, base, library }) =>
  library !== undefined ||
  (making?.quiet === true && (typeof base !== 'object' || base === null || isQuiet(base)));

/** A container of the language as it is now; other values and what it holds of them are the same. */
export function copyOf(value) {
  /** Copies by what they are of: it may contain itself. */
  const copies = new Map();
  const walk = (part) => {
    if (typeof part !== 'object' || part === null || handles.has(part)) return part;
    if (copies.has(part)) return copies.get(part);
    const keep = (copy) => {
      copies.set(part, copy);
      return copy;
    };
    const parent = Object.getPrototypeOf(part);
    if (Array.isArray(part)) {
      const copy = keep([]);
      for (const item of part) copy.push(walk(item));
      return copy;
    }
    if (parent === Map.prototype) return keep(new Map(part));
    if (parent === Set.prototype) return keep(new Set(part));
    if (parent !== Object.prototype) return part;
    const copy = keep({});
    for (const [key, item] of Object.entries(part))
      Object.defineProperty(copy, key, {
        ...{ value: walk(item), writable: true, enumerable: true, configurable: true },
      });
    return copy;
  };
  return walk(value);
}

/** A value of the artifact as it was told, with objects by their numbers; null where it is told in another way the next time. */
export function outline(told) {
  const text = stringify(told, (tag, held) => {
    if (tag === '$handle' && typeof held === 'object') return held.id;
    // The same content may be another value each time.
    return tag === '$own' ? undefined : (Object(held).$lent?.[1] ?? held);
  });
  return /"\$own"|"\$callback"|"\$local"/.test(stringify(told)) ? null : text;
}

/** Numbers of the objects that told values contain. */
export function objectsIn(told) {
  const found = [];
  stringify(told, (tag, held) => {
    if (tag === '$handle' && held?.kind === 'object') found.push(held.id);
    return held;
  });
  return found;
}

/** True where what an object holds is not what it held, of what is told in one way only. */
export function differs(before, after) {
  const isOther = ([key, value]) => outline(value) !== null && outline(value) !== outline(after.get(key));
  return (
    [...before.keys()].join('\n') !== [...after.keys()].map(String).join('\n') || [...before].some(isOther)
  );
}
