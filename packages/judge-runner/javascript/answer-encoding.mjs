/*
 * Encodes what leaves the artifact's box: plain values as copies, what both boxes know by its number, and all else as descriptions. What contains itself
 * is encoded again with numbers.
 */

import { types } from 'node:util';
import { Circular, circular } from './circles.mjs';
import { stringify } from './json.mjs';
import { encode as encodeParts, extendsArray, Unplain } from './values.mjs';

/** Values within one answer that are told with numbers of their own. */
const maxWithin = 200;

/** @param link the connection, as `objects.mjs` makes it */
export function createAnswerEncoding(link) {
  const { numbers, received } = link;
  /** True while properties that functions compute are left to be asked for. */
  let lazy = false;
  /** True once those of an answer are known that contain themselves. */
  let isRepeated = false;
  /** True while whatever is within itself has a number: an array that holds an object which the test knows, and which holds the array. */
  let isNumbering = false;
  /** Arrays and plain objects that the value which is told now holds within themselves. */
  let referenced = new Set();
  /** How many values within the answer that is told now have numbers of their own. */
  let withinCount = 0;

  const leave = (part) => link.objects.leave(part);
  const own = (part, told, level) => link.owned.own(part, told, level);
  /** What looks like a plain value and is none, as it leaves; undefined for a plain value. */
  const other = (part, walk) => {
    if (received.localNumber(part) !== undefined && !received.isDerived(part))
      return { $local: received.localNumber(part) };
    if (link.errors.isOfTest(part)) return { $error: link.errors.leave(part) };
    // The prototype of a class without a base looks like a plain object with functions.
    if (received.numberOfPrototype(part) !== undefined) return leave(part);
    if (Array.isArray(part) && extendsArray(Object.getPrototypeOf(part)))
      return link.objects.leaveList(part, (item) => walk(item));
    return link.owned.ownNumbers.has(part) ? undefined : link.live.leave(part, walk);
  };
  /** What is within itself, as it leaves there. */
  const again = (part, within) => {
    const { owned, ownNumbers } = link.owned;
    const number = ownNumbers.get(part);
    if (owned.get(number)?.part === part) return { $own: [number] };
    if (link.live.isTold(numbers.known(part))) return { $live: [numbers.known(part)] };
    if (link.lent.has(part) || isNumbering) {
      referenced.add(part);
      return { $lent: [link.lent.numberOf(part)] };
    }
    const between = [...within].slice([...within].indexOf(part));
    // Arrays, Maps and Sets alone.
    const isBare = between.every(
      (each) => (types.isMap(each) || types.isSet(each) || Array.isArray(each)) && !ownNumbers.has(each),
    );
    if (isBare) return { $within: between.length };
    throw new Circular('that contains itself');
  };
  const encodeOnce = (part) => {
    const outer = referenced;
    withinCount = 0;
    referenced = new Set();
    try {
      return link.live.inMessage(() => encodeParts(part, leave, own, other, again));
    } finally {
      referenced = outer;
    }
  };
  const encodeNumbered = (part) => {
    const outer = isNumbering;
    try {
      return encodeOnce(part);
    } catch (error) {
      if (!(error instanceof Circular)) throw error;
      isNumbering = true;
      return encodeOnce(part);
    } finally {
      isNumbering = outer;
    }
  };
  const encode = (part) => {
    const outer = isRepeated;
    try {
      isRepeated = false;
      return encodeOnce(part);
    } catch (error) {
      if (!(error instanceof Circular)) throw error;
      // The test knows those that it was told of by number: they stay what they are there.
      for (const each of circular(part)) if (!link.lent.has(each)) link.live.noteCircle(each);
      isRepeated = true;
      return encodeNumbered(part);
    } finally {
      isRepeated = outer;
    }
  };

  return {
    encode,
    /**
     * Encodes what a call has answered: an error while that is read is none of the call's.
     * @param isLazy leaves properties that functions compute to be asked for
     */
    encodeAnswer(isLazy, part) {
      const outer = lazy;
      lazy = isLazy;
      try {
        return encode(part);
      } catch (error) {
        throw error instanceof Unplain ? error : new Unplain('that throws when it is read');
      } finally {
        lazy = outer;
      }
    },
    /** Encodes an object with functions among its properties that the test knows by its number. */
    encodeLive(isLazy, part) {
      lazy = isLazy;
      try {
        return link.live.inMessage(() => link.live.tell(part, encode));
      } finally {
        lazy = false;
      }
    },
    isLazy: () => lazy,
    isRepeated: () => isRepeated,
    /** An array or plain object of ours as it leaves: with a number of its own within others. */
    lendWithin(part, told, level) {
      if (!referenced.has(part) && (level === 0 || withinCount >= maxWithin)) return told;
      withinCount += 1;
      link.lent.note(part, stringify(told));
      return { $lent: [link.lent.numberOf(part), told] };
    },
  };
}
