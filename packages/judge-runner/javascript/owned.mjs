/* Arrays and plain objects of the test in the artifact's box: the same each time they arrive, with what the test has changed in them. */
import { stringify } from './json.mjs';
import { become, seal } from './update.mjs';
import { decode } from './values.mjs';

/** Objects of the test that keep their identity. */
const maxOwned = 20_000;
/** A value as it arrived, with objects in it by their numbers only. */
const outline = (told) => {
  if (Array.isArray(told)) return told.map(outline);
  if (typeof told !== 'object' || told === null) return told;
  return Object.fromEntries(
    Object.entries(told).map(([tag, held]) => [tag, tag === '$own' ? held.slice(0, 1) : outline(held)]),
  );
};

/**
 * @param leave and `enter`: how other parts leave the box, and come into it
 * @param lend how a value of ours leaves
 * @param lent the value of ours that comes back
 * @param arrived sees each one that arrives, with its number
 */
export function createOwned({ leave, enter, lend, lent, arrived }) {
  /** Arrays and plain objects of the test by their numbers, with how they arrived last; and those numbers. */
  const owned = new Map();
  const ownNumbers = new WeakMap();
  /** Functions of ours that a plain object of the test was given unseen. */
  const hiddenIn = (part) =>
    Object.entries(Object.getOwnPropertyDescriptors(part)).flatMap(([name, { value, enumerable }]) =>
      typeof value === 'function' && !enumerable ? [[name, leave(value)]] : [],
    );
  const own = (part, told, level) => {
    const number = ownNumbers.get(part);
    const known = owned.get(number);
    if (known?.part !== part) return lend(part, told, level);
    const hidden = told.$object === undefined ? [] : hiddenIn(part);
    if (hidden.length > 0) return { $own: [number, told, hidden] };
    const held = stringify(outline(told));
    if (held === known.held && held === stringify(told)) return { $own: [number] };
    known.held = held;
    return { $own: [number, told] };
  };
  const forgetOwned = () => {
    for (const { part } of owned.values()) ownNumbers.delete(part);
    owned.clear();
  };
  /** Those that are arriving now, by number: they may contain themselves. */
  const opening = new Map();
  /** An object of the test: the same as before, with what the test has changed in it since. */
  const enterOwn = ([number, ...content]) => {
    // Within itself.
    if (content.length === 0) return opening.get(number) ?? owned.get(number)?.part;
    const [told, seals] = content;
    const known = owned.get(number);
    const isKnown = (made) =>
      known !== undefined && Object.getPrototypeOf(known.part) === Object.getPrototypeOf(made);
    const opened = (begun) => opening.set(number, isKnown(begun) ? known.part : begun);
    const made = decode(told, enter, undefined, opened, lent);
    opening.delete(number);
    const held = stringify(outline(told));
    const part = isKnown(made) ? known.part : made;
    // Otherwise it is new, or another one.
    if (part !== made && known.held !== held) become(part, made);
    if (seals !== undefined) seal(part, seals);
    if (owned.size > maxOwned) forgetOwned();
    owned.set(number, { part, held });
    ownNumbers.set(part, number);
    arrived(number, part);
    return part;
  };

  return { owned, ownNumbers, own, enterOwn };
}
