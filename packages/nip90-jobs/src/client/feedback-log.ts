/** A list that any number of readers iterate from its beginning while it grows. */
export interface ReplayLog<Item> extends AsyncIterable<Item> {
  /** Appends an item, unless one with the same id is there. */
  push(item: Item): void;
  /** Ends every reader after the last item. */
  end(): void;
}

/** Creates a replay log. The caller bounds its length. */
export const createReplayLog = <Item extends { readonly id: string }>(
  items: readonly Item[],
): ReplayLog<Item> => new GrowingLog(items);

/** A class, since thousands of open jobs have one each. */
class GrowingLog<Item extends { readonly id: string }> implements ReplayLog<Item> {
  readonly #items: Item[];
  #ids: Set<string> | null = null;
  #ended = false;
  #waiting: (() => void)[] | null = null;

  constructor(items: readonly Item[]) {
    this.#items = [...items];
  }

  push(item: Item): void {
    this.#ids ??= new Set(this.#items.map(({ id }) => id));
    if (this.#ended || this.#ids.has(item.id)) return;
    this.#ids.add(item.id);
    this.#items.push(item);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (let at = 0; ; at += 1) {
      while (at >= this.#items.length) {
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#waiting ??= [];
          this.#waiting.push(resolve);
        });
      }
      yield this.#items[at] as Item;
    }
  }

  #wake(): void {
    const woken = this.#waiting ?? [];
    this.#waiting = null;
    for (const resolve of woken) resolve();
  }
}
