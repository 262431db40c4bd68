import { seededRandom } from '@bonafide/internal';

/** Pseudo-random draws of one seed; two streams of the same seed and name are equal. */
export interface RandomStream {
  /** Returns a number with 0 ≤ x < 1. */
  uniform(): number;
  /** Returns a number with `low` ≤ x < `high`. */
  between(low: number, high: number): number;
  /** Returns a standard normal number. */
  normal(): number;
}

/** Creates a stream from a seed and the name of what is drawn. */
export function createRandomStream(seed: number, name: string): RandomStream {
  let state = seed >>> 0;
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x9e37_79b1) >>> 0;
  const uniform = seededRandom(state);
  return {
    uniform,
    between: (low, high) => low + (high - low) * uniform(),
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
