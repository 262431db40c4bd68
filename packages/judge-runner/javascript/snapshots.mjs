/*
 * Arrays, plain objects, errors and values of the language of the test that the artifact was given, as they were when they crossed last. What the
 * test changes in them afterwards crosses before the artifact is asked again, as one process would show it: a program that should have copied them
 * would pass as right.
 */

import { contentAsText } from './contents.mjs';

/** Most of them that are looked at, the last ones, and most parts of one, with what it holds. */
const maxContainers = 64;
const maxParts = 128;

/** What a container holds, part by part; null for one that is not looked at. `isStandIn` is true for an object of the artifact. */
function partsIn(container, isStandIn) {
  const found = [];
  const within = new Set();
  const walk = (part) => {
    if (found.length > maxParts) return false;
    // A function stands for itself.
    if (typeof part !== 'object' || part === null || isStandIn(part) || within.has(part)) {
      found.push(part);
      return true;
    }
    within.add(part);
    // What the test seals or freezes later is that in the artifact as well.
    if (!Object.isExtensible(part)) found.push(Object.isFrozen(part) ? 'frozen' : 'sealed');
    if (Array.isArray(part)) {
      found.push(part.length);
      return part.length <= maxParts && part.every(walk);
    }
    const isOpen = (items, size) => size <= maxParts && found.push(size) > 0 && items().every(walk);
    if (part instanceof Map || part instanceof Set) return isOpen(() => [...part].flat(), part.size);
    if (![Object.prototype, null].includes(Object.getPrototypeOf(part)))
      return found.push(contentAsText(part) ?? part) > 0;
    const names = Object.keys(part);
    // A getter of the test is not called.
    const held = (name) => Object.getOwnPropertyDescriptor(part, name)?.value;
    return isOpen(() => names.flatMap((name) => [name, held(name)]), names.length);
  };
  const isError = container instanceof Error;
  return walk(isError ? [container.message, { ...container }] : container) ? found : null;
}
const isSame = (one, other) =>
  one.length === other?.length && one.every((each, index) => Object.is(each, other[index]));

/** @param isStandIn true for an object of the artifact, which is asked for what it holds */
export function createSnapshots(isStandIn) {
  const partsOf = (container) => partsIn(container, isStandIn);
  /** By number: the container, and what it held. */
  const known = new Map();
  return {
    /** Notes that both boxes know a container as it is now. */
    note(number, container) {
      known.delete(number);
      const parts = Object.isFrozen(container) ? null : partsOf(container);
      if (parts === null) return;
      known.set(number, { container, parts });
      if (known.size > maxContainers) known.delete(known.keys().next().value);
    },
    /** Those that the test has changed since, as pairs of number and container. */
    changed: () =>
      [...known].flatMap(([number, { container, parts }]) =>
        isSame(parts, partsOf(container)) ? [] : [[number, container]],
      ),
    /** Notes all as they are now: the artifact has told what it has changed. */
    refresh() {
      for (const [number, { container }] of known)
        known.set(number, { container, parts: partsOf(container) ?? [] });
    },
    /** Numbers of the last ones that hold nothing but plain values. */
    lastPlain: (count) =>
      [...known]
        .filter(([number, { parts }]) => number > 0 && parts.every((part) => Object(part) !== part))
        .slice(-count)
        .map(([number]) => number),
    forget: (number) => void known.delete(number),
    clear: () => known.clear(),
  };
}
