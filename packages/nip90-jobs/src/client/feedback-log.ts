import { lazy } from '../lazy.ts';

/** A list that any number of readers iterate from its beginning while it grows. */
export interface ReplayLog<Item> extends AsyncIterable<Item> {
  /** Appends an item, unless one with the same id is there. */
  push(item: Item): void;
  /** Ends every reader after the last item. */
  end(): void;
}

/** Creates a replay log. The caller bounds its length. */
export function createReplayLog<Item>(items: readonly Item[], idOf: (item: Item) => string): ReplayLog<Item> {
  const log = [...items];
  const ids = lazy(() => new Set(log.map(idOf)));
  let ended = false;
  let waiting: (() => void)[] = [];

  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };

  return {
    push(item) {
      if (ended || ids().has(idOf(item))) return;
      ids().add(idOf(item));
      log.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; at += 1) {
        while (at >= log.length) {
          if (ended) return;
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        yield log[at] as Item;
      }
    },
  };
}
