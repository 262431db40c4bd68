/** Constants of a {@link LinearModel}. */
export interface LinearModelOptions {
  /** Factor on all earlier evidence for each new observation, 0 < x ≤ 1. */
  readonly playDecay: number;
  /** Factor on all evidence for each step of time, 0 < x ≤ 1. */
  readonly timeDecay: number;
  /** Strength of the prior, in observations, per feature; the first belongs to the intercept. */
  readonly ridge: (feature: number) => number;
}

/** Features of a job. */
export interface Features {
  readonly values: Float64Array;
  /** Indexes of those that are not 0, ascending. */
  readonly present: readonly number[];
}

/** Returns the features with these values. */
export function featuresOf(values: Float64Array): Features {
  const present: number[] = [];
  for (let index = 0; index < values.length; index += 1) if (values[index] !== 0) present.push(index);
  return { values, present };
}

/** Estimates read the decay of time in steps of this size, so that they depend on the state alone. */
const timeGrain = 64;

/**
 * A linear model of a probability, fitted by ridge regression with exponential forgetting. Feature 0 is the intercept
 * and always 1; a prior mean of the probability enters through it. Features are added by {@link grow}.
 *
 * After "Weighted Linear Bandits for Non-Stationary Environments" (Russac, Vernade and Cappé, 2019).
 */
export class LinearModel {
  /** Σ w x xᵀ, row by row. */
  #gram: Float64Array;
  /** Σ w x y. */
  #moment: Float64Array;
  #features: number;
  /** Time of the last change. */
  #at = 0;
  readonly #options: LinearModelOptions;
  #inverse: Float64Array | null = null;
  #inverseBuffer = new Float64Array(0);
  #weights: Float64Array | null = null;
  #inverseAt = -1;
  #weightsPrior = Number.NaN;

  constructor(features: number, options: LinearModelOptions) {
    this.#features = features;
    this.#gram = new Float64Array(features * features);
    this.#moment = new Float64Array(features);
    this.#options = options;
  }

  /** Returns the number of observations, each faded by its age. */
  get evidence(): number {
    return this.#gram[0] ?? 0;
  }

  /** Adds features with no evidence; never removes any. */
  grow(features: number): void {
    if (features <= this.#features) return;
    const gram = new Float64Array(features * features);
    for (let row = 0; row < this.#features; row += 1) {
      gram.set(this.#gram.subarray(row * this.#features, (row + 1) * this.#features), row * features);
    }
    const moment = new Float64Array(features);
    moment.set(this.#moment);
    [this.#gram, this.#moment, this.#features] = [gram, moment, features];
    this.#inverse = null;
  }

  /** Learns that work with some features succeeded by `y`, 0..1, at a time ≥ the last one. */
  learn({ values: x }: Features, y: number, at: number): void {
    const n = this.#features;
    const fade = this.#options.timeDecay ** Math.max(0, at - this.#at) * this.#options.playDecay;
    this.#at = Math.max(this.#at, at);
    for (let i = 0; i < n; i += 1) {
      const xi = x[i] ?? 0;
      for (let j = 0; j < n; j += 1) {
        this.#gram[i * n + j] = (this.#gram[i * n + j] ?? 0) * fade + xi * (x[j] ?? 0);
      }
      this.#moment[i] = (this.#moment[i] ?? 0) * fade + xi * y;
    }
    this.#inverse = null;
  }

  /** Multiplies the weight of all evidence. */
  fade(factor: number): void {
    for (let i = 0; i < this.#gram.length; i += 1) this.#gram[i] = (this.#gram[i] ?? 0) * factor;
    for (let i = 0; i < this.#moment.length; i += 1) this.#moment[i] = (this.#moment[i] ?? 0) * factor;
    this.#inverse = null;
  }

  /** Returns the mean, clipped to 0..1, and the uncertainty under a prior mean, as of `at`. */
  estimate(
    { values: x, present }: Features,
    prior: number,
    at: number,
  ): { readonly mean: number; readonly deviation: number } {
    const stride = this.#features;
    const inverse = this.#invertedAt(Math.floor(at / timeGrain) * timeGrain);
    const weights = this.#weightsFor(inverse, prior);
    let mean = prior;
    let variance = 0;
    let count = present.length;
    while (count > 0 && (present[count - 1] as number) >= stride) count -= 1;
    for (let a = 0; a < count; a += 1) {
      const i = present[a] as number;
      const xi = x[i] as number;
      const row = i * stride;
      mean += xi * (weights[i] as number);
      for (let b = 0; b < count; b += 1) {
        const j = present[b] as number;
        variance += xi * (x[j] as number) * (inverse[row + j] as number);
      }
    }
    return { mean: Math.min(1, Math.max(0, mean)), deviation: Math.sqrt(Math.max(0, variance)) };
  }

  /** Returns the state as numbers that JSON keeps exactly. */
  toJSON(): { readonly at: number; readonly gram: number[]; readonly moment: number[] } {
    return { at: this.#at, gram: [...this.#gram], moment: [...this.#moment] };
  }

  /** Restores what {@link toJSON} returned. */
  static from(
    stored: { readonly at: number; readonly gram: readonly number[]; readonly moment: readonly number[] },
    options: LinearModelOptions,
  ): LinearModel {
    const model = new LinearModel(stored.moment.length, options);
    model.#gram.set(stored.gram);
    model.#moment.set(stored.moment);
    model.#at = stored.at;
    return model;
  }

  #invertedAt(at: number): Float64Array {
    const time = Math.max(at, this.#at);
    if (this.#inverse !== null && this.#inverseAt === time) return this.#inverse;
    const n = this.#features;
    const fade = this.#options.timeDecay ** (time - this.#at);
    // Typed arrays are slow to create: the buffers of the last inversion are used again.
    const size = n * n;
    const matrix = this.#inverseBuffer.length === size ? this.#inverseBuffer : new Float64Array(size);
    this.#inverseBuffer = matrix;
    for (let i = 0; i < size; i += 1) matrix[i] = (this.#gram[i] as number) * fade;
    for (let i = 0; i < n; i += 1) matrix[i * n + i] = (matrix[i * n + i] as number) + this.#options.ridge(i);
    invertInPlace(matrix, n);
    this.#inverse = matrix;
    this.#inverseAt = time;
    this.#weightsPrior = Number.NaN;
    return this.#inverse;
  }

  #weightsFor(inverse: Float64Array, prior: number): Float64Array {
    if (this.#weights !== null && this.#weightsPrior === prior) return this.#weights;
    const n = this.#features;
    const fade = this.#options.timeDecay ** (this.#inverseAt - this.#at);
    const residuals = scratch(0, n);
    for (let j = 0; j < n; j += 1)
      residuals[j] = (this.#moment[j] as number) - prior * (this.#gram[j * n] as number);
    const weights = this.#weights?.length === n ? this.#weights : new Float64Array(n);
    for (let i = 0; i < n; i += 1) {
      let sum = 0;
      for (let j = 0; j < n; j += 1) sum += (inverse[i * n + j] as number) * (residuals[j] as number) * fade;
      weights[i] = sum;
    }
    [this.#weights, this.#weightsPrior] = [weights, prior];
    return weights;
  }
}

const buffers = [new Float64Array(0), new Float64Array(0)];

/** Returns one of two buffers for numbers that no one needs after the call. */
function scratch(which: 0 | 1, size: number): Float64Array {
  const known = buffers[which] as Float64Array;
  if (known.length >= size) return known;
  const larger = new Float64Array(size);
  buffers[which] = larger;
  return larger;
}

/** Inverts a symmetric positive definite matrix through its Cholesky factor. Uses plain loops, as it runs in every decision. */
function invertInPlace(matrix: Float64Array, n: number): void {
  const factor = scratch(0, n * n);
  for (let j = 0; j < n; j += 1) {
    for (let i = j; i < n; i += 1) {
      let sum = matrix[i * n + j] as number;
      for (let k = 0; k < j; k += 1) sum -= (factor[i * n + k] as number) * (factor[j * n + k] as number);
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / (factor[j * n + j] as number);
    }
  }
  const lower = scratch(1, n * n);
  for (let j = 0; j < n; j += 1) {
    for (let i = j; i < n; i += 1) {
      let sum = i === j ? 1 : 0;
      for (let k = j; k < i; k += 1) sum -= (factor[i * n + k] as number) * (lower[k * n + j] as number);
      lower[i * n + j] = sum / (factor[i * n + i] as number);
    }
  }
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = 0;
      for (let k = i; k < n; k += 1) sum += (lower[k * n + i] as number) * (lower[k * n + j] as number);
      matrix[i * n + j] = sum;
      matrix[j * n + i] = sum;
    }
  }
}
