/*
 * Arrays and plain objects of the test that the artifact was given: they keep their identity in both boxes while their test runs, and what the test
 * changes in them is told.
 */
import { handles, ownNumbers } from './handles.mjs';
import { createSnapshots } from './snapshots.mjs';
import { sealsOf } from './update.mjs';
import { Unplain } from './values.mjs';

/** Objects of one test that keep their identity. */
const maxOwned = 5000;
/** Plain ones that stay the same in both boxes after their test: the next one may hold them, and an object of the artifact that has them. */
const maxLasting = 16;

/** @param link the connection, as `proxy.mjs` makes it */
export function createGivenValues(link) {
  const owned = new Map();
  let count = 0;
  /** Numbers of those that were given before the tests, or in a hook that prepares several. */
  const shared = new Set();
  const snapshots = createSnapshots((part) => handles.has(part));
  /** The number of an array or plain object of the test; undefined beyond the most that are numbered. */
  const numberOf = (part) => {
    if (!ownNumbers.has(part) && owned.size < maxOwned) {
      count += 1;
      ownNumbers.set(part, count);
      owned.set(count, part);
      if (!link.isInTest()) shared.add(count);
    }
    return ownNumbers.get(part);
  };
  const leave = (part, told) => {
    // One of the artifact's that comes back is the very same there: it may know it by that, or by what does not cross.
    const lent = ownNumbers.has(part) ? undefined : link.incoming.lentNumber(part);
    if (lent !== undefined) return { $lent: [lent, told] };
    const number = numberOf(part);
    if (number !== undefined) snapshots.note(number, part);
    if (number === undefined) return told;
    const seals = Array.isArray(part) || told.$object || told.$bare ? sealsOf(part) : undefined;
    return { $own: seals === undefined || Object.isFrozen(part) ? [number, told] : [number, told, seals] };
  };

  return {
    snapshots,
    leave,
    /** The same of what is within an array or plain object of the artifact that the test has changed: what it holds stands for itself. */
    leaveWithin(part, told, level) {
      const number = link.incoming.arrivedNumber(part);
      if (level > 0 && number !== undefined) return { $lent: [number, told] };
      return level > 0 || ownNumbers.has(part) ? leave(part, told) : told;
    },
    /** One within itself is told by its number. */
    leaveAgain(part) {
      const lent = ownNumbers.has(part) ? undefined : link.incoming.lentNumber(part);
      if (lent !== undefined) return { $lent: [lent] };
      const number = numberOf(part);
      if (number === undefined) throw new Unplain('that contains itself');
      return { $own: [number] };
    },
    /** The same within one of the artifact that the test has changed. */
    leaveAgainWithin(part) {
      if (ownNumbers.has(part)) return { $own: [ownNumbers.get(part)] };
      const lent = link.incoming.arrivedNumber(part);
      if (lent === undefined) throw new Unplain('that contains itself');
      return { $lent: [lent] };
    },
    partOf: (number) => owned.get(number),
    /** Forgets those of the last test. Returns their numbers. */
    beginTest() {
      const lasting = new Set(snapshots.lastPlain(maxLasting));
      const forgotten = [...owned].filter(([number]) => !shared.has(number) && !lasting.has(number));
      for (const [number, part] of forgotten) {
        ownNumbers.delete(part);
        owned.delete(number);
        snapshots.forget(number);
      }
      return forgotten.map(([number]) => number);
    },
  };
}
