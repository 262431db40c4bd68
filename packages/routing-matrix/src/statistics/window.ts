import { quantileOfSorted } from './numbers.ts';

/**
 * The last `size` samples, kept in order of arrival and in order of value: a new sample costs two binary searches and
 * a move, a quantile nothing, because both are needed at every outcome.
 */
export class SampleWindow {
  readonly #size: number;
  readonly #arrived: number[] = [];
  readonly #sorted: number[] = [];
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#sorted.length;
  }

  push(sample: number): void {
    const oldest = this.#arrived[this.#next];
    const sorted = this.#sorted;
    const to = firstNotBelow(sorted, sample);
    if (oldest === undefined) {
      sorted.splice(to, 0, sample);
    } else {
      // The sample takes the place of the oldest one: only what is between them moves.
      let place = firstNotBelow(sorted, oldest);
      for (; place < to - 1; place += 1) sorted[place] = sorted[place + 1] as number;
      for (; place > to; place -= 1) sorted[place] = sorted[place - 1] as number;
      sorted[place] = sample;
    }
    this.#arrived[this.#next] = sample;
    this.#next = (this.#next + 1) % this.#size;
  }

  toJSON(): { readonly size: number; readonly arrived: number[]; readonly next: number } {
    return { size: this.#size, arrived: [...this.#arrived], next: this.#next };
  }

  /** Restores what {@link toJSON} returned. */
  static from(stored: { readonly size: number; readonly arrived: readonly number[]; readonly next: number }) {
    const window = new SampleWindow(stored.size);
    window.#arrived.push(...stored.arrived);
    window.#sorted.push(...[...stored.arrived].sort((a, b) => a - b));
    window.#next = stored.next;
    return window;
  }

  quantile(q: number): number | null {
    return quantileOfSorted(this.#sorted, q);
  }
}

function firstNotBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
