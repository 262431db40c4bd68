/** Number of samples over which the steps shrink; after it the estimate follows a drifting market. */
const settling = 500;

/** A running estimate of one quantile of positive numbers by stochastic approximation on their logarithm. */
export class RunningQuantile {
  #log = 0;
  #count = 0;
  /** The estimate, computed when it is first asked for. */
  #value: number | null = null;
  readonly #share: number;

  constructor(share: number) {
    this.#share = share;
  }

  get count(): number {
    return this.#count;
  }

  /** The estimate; `null` before the first sample. */
  get value(): number | null {
    if (this.#value === null && this.#count > 0) this.#value = Math.exp(this.#log);
    return this.#value;
  }

  add(sample: number): void {
    if (!(sample > 0)) return;
    const log = Math.log(sample);
    if (this.#count === 0) this.#log = log;
    this.#count += 1;
    this.#value = null;
    const step = Math.max(2 / settling, 2 / (this.#count + 1));
    this.#log += step * (log > this.#log ? this.#share : this.#share - 1);
  }

  toJSON(): { readonly share: number; readonly log: number; readonly count: number } {
    return { share: this.#share, log: this.#log, count: this.#count };
  }

  /** Restores what {@link toJSON} returned. */
  static from(stored: { readonly share: number; readonly log: number; readonly count: number }) {
    const quantile = new RunningQuantile(stored.share);
    quantile.restore(stored);
    return quantile;
  }

  restore(stored: { readonly log: number; readonly count: number }): void {
    this.#log = stored.log;
    this.#count = stored.count;
    this.#value = null;
  }
}
