/** Stars from 1 to 5: `1 + 4 × trustScore`. */
export function starsOf(trustScore: number): number {
  return 1 + 4 * trustScore;
}

/** Converts a judgment of the ledger (−10…10) to a trustScore (0…1). */
export function trustScoreOf(trust: number): number {
  return (trust + 10) / 20;
}

/** Converts a trustScore (0…1) to the scale of a web of trust (−1…1). */
export function edgeWeightOf(trustScore: number): number {
  return 2 * trustScore - 1;
}

/**
 * Normalizes a rating with its maximum to 0…1; null when it is out of range. With a maximum of 5 the scale has five
 * stars and begins at 1; every other scale begins at 0.
 */
export function normalizeRating(rating: number, max: number): number | null {
  if (!Number.isFinite(rating) || !(max > 0) || rating < 0 || rating > max) return null;
  if (max !== 5) return rating / max;
  return rating < 1 ? null : (rating - 1) / 4;
}

/** Parses a decimal number as tags hold it; null for other text, signs, exponents and more than 12 characters. */
export function parseDecimal(text: string): number | null {
  return text.length <= 12 && /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : null;
}
