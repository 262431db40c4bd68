import { quantile } from './numbers.ts';

/** The last `size` samples. Quantiles are computed on demand and cached until the next sample. */
export class SampleWindow {
  readonly #size: number;
  readonly #samples: number[] = [];
  readonly #known = new Map<number, number | null>();
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#samples.length;
  }

  push(sample: number): void {
    this.#samples[this.#next] = sample;
    this.#next = (this.#next + 1) % this.#size;
    this.#known.clear();
  }

  quantile(q: number): number | null {
    const known = this.#known.get(q);
    if (known !== undefined) return known;
    const value = quantile(this.#samples, q);
    this.#known.set(q, value);
    return value;
  }
}
