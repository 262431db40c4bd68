/* What one box has made of an array, a plain object or a value of the language, done to that of the other box. */
import { refill, stretch } from './values.mjs';

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
    } else if (refill(mine, after)) {
      // It has no other content.
    } else if (Array.isArray(mine)) {
      const items = Object.keys(after).map((index) => [index, merged(mine[index], after[index])]);
      mine.length = 0;
      stretch(mine, after.length);
      for (const [index, item] of items) mine[index] = item;
    } else if (mine instanceof Map) {
      const entries = [...after].map(([key, item]) => [key, merged(mine.get(key), item)]);
      mine.clear();
      for (const [key, item] of entries) mine.set(key, item);
    } else if (mine instanceof Set) {
      mine.clear();
      for (const item of after) mine.add(item);
    } else {
      for (const key of Object.keys(mine)) if (!Object.hasOwn(after, key)) delete mine[key];
      for (const key of Object.keys(after))
        Object.defineProperty(mine, key, {
          ...{ value: merged(mine[key], after[key]), writable: true, enumerable: true, configurable: true },
        });
    }
  }
  return (mine, after) => update(mine, after);
}
