/*
 * Which promises of the artifact something in its own box waits for: where one that the test knows is rejected, that is no unhandled rejection,
 * as it is none in one process. The judge's own handlers do not count.
 *
 * A program can claim it of any promise. It gains nothing: it could as well wait for the promise and do nothing.
 */
import { promiseHooks } from 'node:v8';

const { nextTick } = process;
/** The last promises that something began to wait for before the test knew them: a power of two. */
const maxLast = 1024;

export function createHandled() {
  const last = new Array(maxLast).fill(undefined);
  let count = 0;
  /** Promises that the test knows, and those of them that something waits for. */
  const known = new WeakSet();
  const handled = new WeakSet();
  const late = new WeakSet();
  let isOurs = false;
  let isWatching = false;
  // Whatever waits for a promise makes another one of it: `then`, `await`, `Promise.all`.
  promiseHooks.onInit((_made, parent) => {
    if (parent === undefined || isOurs) return;
    last[count % maxLast] = parent;
    count += 1;
    if (isWatching && known.has(parent)) handled.add(parent);
  });
  return {
    /** Lets the judge wait for a promise that the test is told of. */
    waiting(part, wait) {
      if (last.includes(part)) handled.add(part);
      known.add(part);
      isWatching = true;
      isOurs = true;
      try {
        wait();
      } finally {
        isOurs = false;
      }
    },
    /** Notes that such a promise was rejected. Node looks for what waits for it once nothing is left to do at once: all else is too late. */
    noteRejected(part) {
      nextTick(() =>
        nextTick(() => {
          if (!handled.has(part)) late.add(part);
        }),
      );
    },
    /** Notes that something waits for such a promise of which the language tells nothing: that of a class makes another one by its constructor. */
    note: (part) => void handled.add(part),
    has: (part) => handled.has(part) && !late.has(part),
  };
}
