import type { PlatformRef } from '../platform.ts';
import type { PlatformTraits } from '../ports.ts';
import type { DelegationContext } from './context.ts';
import { wrongAnswersOf } from './wrong-answers.ts';

/** Number of platforms of a task type whose traits are read, the most trusted ones. */
const maxPlatforms = 200;

/**
 * Returns how alike the answers of two platforms of a task type will be, 0..1, by the option `similarity`; null without it, and when it
 * throws. What it returns outside of 0..1 counts as 0: it must not stop an order.
 */
export async function similarityFor(
  context: DelegationContext,
  taskType: string,
): Promise<((a: PlatformRef, b: PlatformRef) => number) | null> {
  const { similarity, logger } = context;
  if (similarity === undefined) return null;
  const traits = await traitsOf(context, taskType);
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (!hasFailed) logger.error({ err: error, taskType }, 'Platforms count as unlike: `similarity` failed');
    hasFailed = true;
  };
  try {
    const between = similarity(traits);
    return (a, b) => {
      try {
        const value = between(a, b);
        if (value >= 0 && value <= 1) return value;
        failed(new RangeError(`It returned ${value}, not 0 to 1.`));
      } catch (error) {
        failed(error);
      }
      return 0;
    };
  } catch (error) {
    failed(error);
    return null;
  }
}

async function traitsOf(context: DelegationContext, taskType: string): Promise<readonly PlatformTraits[]> {
  const { matrix, source } = context;
  const entries = (await matrix.entries({ taskType }))
    .filter(({ trustScore }) => (trustScore ?? 0) > 0)
    .toSorted((a, b) => (b.trustScore ?? 0) - (a.trustScore ?? 0))
    .slice(0, maxPlatforms);
  return Promise.all(
    entries.map(async ({ platform }) => {
      const listed = await source.get(platform.pubkey, platform.d);
      return {
        platform,
        relays: listed?.relayHints ?? [],
        wrongAnswers: await wrongAnswersOf(context, platform),
      };
    }),
  );
}
