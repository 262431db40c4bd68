/* Promises that both boxes know: the artifact's, of which the test is told how they end, and the test's, whose ends it tells. */
import { types } from 'node:util';
import { createHandled } from './handled.mjs';
import { endOf, noteWaiting, waitFor } from './promise-state.mjs';
import { nameOfKey } from './values.mjs';

const later = setTimeout;
const cancelTimer = clearTimeout;
const turn = setImmediate;
const activeResources = process.getActiveResourcesInfo.bind(process);
/** Names of what a promise itself holds, with whether each is listed. */
const namesOf = (part) =>
  Reflect.ownKeys(part).flatMap((key) => {
    const name = nameOfKey(key);
    const found = name === undefined ? undefined : Reflect.getOwnPropertyDescriptor(part, key);
    return found === undefined ? [] : [[name, found.enumerable]];
  });
/** Ends of promises, one after the other, that come before a test goes on that waits for a promise which has ended. */
const microtaskRounds = 16;

/** @param link the connection, as `objects.mjs` makes it */
export function createPromises(link) {
  /** Promises of ours that a tester knows, and how those have ended that it waits for, in the order in which they did: a test may race them. */
  const promised = new WeakSet();
  const settled = new Map();
  /** Those whose end the tester was told with them. */
  const over = new WeakSet();
  const handled = createHandled();
  /** Promises of the tester, whose end it tells. */
  const awaited = new Map();
  /** Number of the promise that a function of the test answers now. */
  let answeredNow = null;
  let wake = () => {};
  const settle = (number, tell) => {
    settled.set(number, tell);
    wake();
  };
  const answerOf = (isLazy, value) =>
    link.lent.lending(value, { value: link.encoding.encodeAnswer(isLazy, value) });
  const follow = (part, number) => {
    promised.add(part);
    const isLazy = link.encoding.isLazy();
    handled.waiting(part, () =>
      waitFor(
        part,
        (value) => {
          if (!over.has(part)) settle(number, () => answerOf(isLazy, value));
        },
        (error) => {
          handled.noteRejected(part);
          if (!over.has(part)) settle(number, () => link.errors.raised(error));
        },
      ),
    );
  };
  /** What a promise is beside its end. */
  const describe = (part) => {
    const names = namesOf(part);
    const isOfClass = Reflect.getPrototypeOf(part) !== Promise.prototype;
    return {
      ...(isOfClass ? { class: link.classes.ofObject(part) } : {}),
      ...(names.length > 0 ? { names } : {}),
      ...(types.isPromise(part) ? {} : { inherits: true }),
    };
  };
  /** How a promise has ended that the test is told of now, as its end is told; null while it is pending. */
  const toldEnd = (part, isLazy) => {
    let found = null;
    handled.waiting(part, () => {
      found = endOf(part);
    });
    if (found === null) return null;
    over.add(part);
    const { isFulfilled, value } = found;
    return link.guarded(() => (isFulfilled ? answerOf(isLazy, value) : link.errors.raised(value)));
  };

  return {
    leave(part) {
      const number = link.numbers.numberOf(part);
      if (types.isPromise(part) && !promised.has(part)) follow(part, number);
      return { $handle: { id: number, kind: 'promise', ...describe(part) } };
    },
    /**
     * Encodes the answer of a call. One that is a promise which has ended is told with its end: what the test has wait for it goes on as soon as in one
     * process.
     */
    answer(isLazy, part) {
      const isNew = types.isPromise(part) && !promised.has(part);
      const told = link.encoding.encodeAnswer(isLazy, part);
      const ended = isNew && told?.$handle?.kind === 'promise' ? toldEnd(part, isLazy) : null;
      return ended === null ? told : { $handle: { ...told.$handle, ended } };
    },
    /** A promise of the tester: the same each time. */
    enter(number) {
      let waiting = awaited.get(number);
      if (waiting === undefined) {
        waiting = Promise.withResolvers();
        awaited.set(number, waiting);
      }
      // What a function of the test answers is for the artifact to catch; the test itself may catch what it gives.
      if (number !== answeredNow) waiting.promise.catch(() => {});
      return waiting.promise;
    },
    /** Runs what decodes the answer of a function of the test, which may be a promise. */
    inAnswer(told, work) {
      answeredNow = told?.$later ?? null;
      try {
        return work();
      } finally {
        answeredNow = null;
      }
    },
    /** Runs what the test waits for a promise of ours with, which may be of a class. */
    waiting: (part, work) =>
      types.isPromise(part) ? noteWaiting(part, () => handled.note(part), work) : work(),
    isHandled: (part) => handled.has(part),
    /** True while a timer is set or something is due at once: it goes on while the test waits for anything. */
    isActive: () => activeResources().some((name) => name === 'Timeout' || name === 'Immediate'),
    turn: () => new Promise((resolve) => turn(resolve)),
    /**
     * Lets what was begun go on: until a promise ends that is waited for, or the time is up. Without a time, only ends of promises come, as where
     * a test waits for a promise that has ended: no timer does.
     */
    async tick(op) {
      for (const [number, ended] of op.settled) {
        const waiting = awaited.get(number);
        if ('throws' in ended) waiting?.reject(link.decoding.decode(ended.throws));
        else waiting?.resolve(link.decoding.decode(ended.returns));
      }
      const waiting = new Set(op.wait);
      const ended = () => [...settled.keys()].filter((number) => waiting.has(number));
      if (op.ms === null) for (let round = 0; round < microtaskRounds; round += 1) await null;
      else await new Promise((resolve) => turn(resolve));
      if (op.ms !== null && ended().length === 0)
        await new Promise((resolve) => {
          const timer = later(resolve, op.ms);
          wake = () => {
            cancelTimer(timer);
            resolve();
          };
        });
      return {
        value: ended().map((number) => {
          const tell = settled.get(number);
          settled.delete(number);
          return [number, link.guarded(tell)];
        }),
      };
    },
  };
}
