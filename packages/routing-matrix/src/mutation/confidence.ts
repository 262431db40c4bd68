import { probabilityAbove } from '@bonafide/internal';
import type { MutationOutcome } from './adjustment.ts';

/**
 * Returns the posterior probability that the success rate lies on the side of the move. With `outcome` `null`, which
 * moves nothing, it is 1.
 */
export function confidenceOf(
  outcome: MutationOutcome | null,
  {
    observations,
    expectedRate,
  }: {
    readonly observations?: { readonly successes: number; readonly failures: number } | undefined;
    readonly expectedRate: number;
  },
): number {
  if (outcome === null) return 1;
  const success = outcome === 'SUCCESS';
  const { successes, failures } = observations ?? { successes: success ? 1 : 0, failures: success ? 0 : 1 };
  const above = probabilityAbove(expectedRate, successes, failures);
  return success ? above : 1 - above;
}
