/** What was said so far and what will be said, for any number of readers, each from the beginning. */
export interface Log<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  /** Ends every reader after the last item. */
  end(): void;
}

/** A log that keeps what is pushed; whoever pushes bounds it. */
export function createLog<Item>(items: readonly Item[] = []): Log<Item> {
  const log = [...items];
  let ended = false;
  let waiting: (() => void)[] = [];

  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };

  return {
    push(item) {
      if (ended) return;
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
