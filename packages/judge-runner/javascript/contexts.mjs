/*
 * Asynchronous contexts across the two boxes: what one box asks the other to do runs there in the context in which it would run in one process, and so do
 * the functions that are called back meanwhile or later. A message names the context in which it was sent, and the one of the other box from which that has come.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Most contexts that are known by their numbers, the last ones. */
const maxKnown = 10_000;

/** True for a text that makes contexts, or keeps them. */
export const usesContexts = (text) => /\bAsync(?:LocalStorage|Resource)\b/.test(text);

/** True for a text that changes the context in which it is called. */
export const entersContexts = (text) => /\benterWith\b/.test(text);

/** @param isUsed true where the program of this box makes contexts */
export function createContexts(isUsed) {
  /** The context of the other box from which that of now has come, by its number. */
  const origin = new AsyncLocalStorage();
  const outside = AsyncLocalStorage.snapshot();
  const known = new Map();
  let count = 0;
  const numberOfNow = () => {
    count += 1;
    known.set(count, AsyncLocalStorage.snapshot());
    known.delete(count - maxKnown);
    return count;
  };

  return {
    /** What a message says of the context in which it is sent. */
    leave() {
      const from = origin.getStore();
      return isUsed() || from !== undefined
        ? { context: [isUsed() ? numberOfNow() : null, from ?? null] }
        : {};
    },
    /** The context of now, which what was asked for may have entered. */
    leaveEntered: () => ({ entered: numberOfNow() }),
    /** Enters the context that what was asked for has entered. */
    enter(number) {
      origin.enterWith(number);
    },
    /** Does what a message asks in its context. */
    within(told, work) {
      if (!isUsed() && told === undefined) return work();
      const [from, own] = told ?? [];
      const inOrigin = () => origin.run(from ?? undefined, work);
      // A program that makes no contexts is in none.
      return isUsed() ? (known.get(own) ?? outside)(inOrigin) : inOrigin();
    },
    /** Forgets the contexts of the last test: nothing of the next one runs in them. */
    forget() {
      known.clear();
    },
  };
}
