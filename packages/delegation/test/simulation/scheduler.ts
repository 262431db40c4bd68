/** A simulated clock: callbacks run in the order of their times, and everything that follows from one runs before the next. */
export interface Scheduler {
  now(): number;
  /** Number of callbacks that ran. */
  readonly steps: number;
  after(delayMs: number, callback: () => void): () => void;
  /** Runs callbacks until `isDone` or until nothing is left before `until` (ms since epoch). Returns true when done. */
  run(isDone: () => boolean, until: number): Promise<boolean>;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | null;
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Lets every promise settle that can settle without a callback and without a turn of the event loop, which costs much more. */
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve));
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** @param turns - Number of turns of the event loop after a callback, for work that yields to it. */
export function createScheduler(startAt: number, turns: () => number): Scheduler {
  const heap: Entry[] = [];
  let now = startAt;
  let order = 0;
  let steps = 0;

  const push = (entry: Entry) => {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[index] = heap[parent] as Entry;
      index = parent;
    }
    heap[index] = entry;
  };

  const pop = (): Entry | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const least = right < heap.length && isBefore(heap[right] as Entry, heap[left] as Entry) ? right : left;
      if (!isBefore(heap[least] as Entry, last)) break;
      heap[index] = heap[least] as Entry;
      index = least;
    }
    heap[index] = last;
    return first;
  };

  return {
    now: () => now,
    get steps() {
      return steps;
    },
    after(delayMs, callback) {
      const entry: Entry = { at: Math.ceil(now + Math.max(0, delayMs)), order: order++, callback };
      push(entry);
      return () => {
        entry.callback = null;
      };
    },
    async run(isDone, until) {
      await settle();
      while (!isDone()) {
        const next = pop();
        if (next === undefined) return false;
        if (next.at > until) {
          push(next);
          return false;
        }
        if (next.callback === null) continue;
        now = next.at;
        next.callback();
        steps += 1;
        let left = turns();
        if (left === 0) await settle();
        for (; left > 0; left -= 1) await turn();
      }
      return true;
    },
  };
}
