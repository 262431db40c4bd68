import { clampTrust } from './clamp.ts';
import type { FinishedWork } from './finished-work.ts';

/** Number of newer finished pieces of work that halve the weight of one. */
const halfLife = 10;

/**
 * Computes the trust that a record of finished work justifies: (good − 2·bad) / (good + 2·bad + 4), scaled to −10…+10.
 * A piece of work loses half of its weight with every ten later ones; a dispute counts as two failures. A failure weighs
 * twice a success, and the constant 4 keeps short records near 0.
 *
 * One success gives +2, five +5, a hundred +8; one failure −3, three −6; ten failures after a hundred successes −3. Without
 * finished work it is 0.
 *
 * @param work - Oldest first.
 */
export function ruleTrust(work: readonly Pick<FinishedWork, 'result' | 'disputed'>[]): number {
  let good = 0;
  let bad = 0;
  for (const [index, { result, disputed }] of work.entries()) {
    const weight = 2 ** ((index + 1 - work.length) / halfLife);
    if (result === 'success') good += weight;
    else bad += disputed ? 2 * weight : weight;
  }
  return clampTrust((10 * (good - 2 * bad)) / (good + 2 * bad + 4), null, 10);
}
