/* Finds plain objects that contain themselves, as the nodes of a tree do that name their parent. */

import { Unplain } from './values.mjs';

/** Levels of what is looked at: more than any answer may have. */
const maxLevels = 1000;

/** The answer holds plain objects within themselves that are not known yet. */
export class Circular extends Unplain {}

/** What a container of the language holds; null for any other value. */
function heldBy(part) {
  if (typeof part !== 'object' || part === null) return null;
  if (Array.isArray(part)) return [...part];
  const parent = Object.getPrototypeOf(part);
  if (parent === Map.prototype) return [...part].flat();
  if (parent === Set.prototype) return [...part];
  if (parent !== Object.prototype && parent !== null) return null;
  // What functions compute is no content: reading it may change something.
  return Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value);
}
const isRecord = (part) =>
  Object.getPrototypeOf(part) === Object.prototype || Object.getPrototypeOf(part) === null;

/**
 * The plain objects in a value that can be reached from themselves: the members of Tarjan's strongly connected components.
 *
 * @throws Unplain for a value of more levels than are looked at
 */
export function circular(value) {
  const found = [];
  const order = new Map();
  const open = [];
  const isOpen = new Set();
  /** The first object that is still open and can be reached from this one, by its place. */
  const visit = (part, held, level) => {
    if (level > maxLevels) throw new Unplain(`deeper than ${maxLevels} levels`);
    const place = order.size;
    let first = place;
    let isOwn = false;
    order.set(part, place);
    open.push(part);
    isOpen.add(part);
    for (const each of held) {
      const inner = order.has(each) ? [] : heldBy(each);
      if (inner === null) continue;
      if (!order.has(each)) first = Math.min(first, visit(each, inner, level + 1));
      else if (isOpen.has(each)) first = Math.min(first, order.get(each));
      isOwn ||= each === part;
    }
    if (first === place) {
      const members = open.splice(open.indexOf(part));
      for (const each of members) isOpen.delete(each);
      if (members.length > 1 || isOwn) found.push(...members.filter(isRecord));
    }
    return first;
  };
  const held = heldBy(value);
  if (held !== null) visit(value, held, 0);
  return found;
}
