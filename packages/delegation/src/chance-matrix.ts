import * as z from 'zod';
import { callable, parseConfig } from './host-options.ts';
import type { PlatformRef } from './platform.ts';
import type { Matrix, MatrixView } from './ports.ts';

const platformsSchema = z.array(
  z.object({
    platform: z.object({ pubkey: z.string(), d: z.string() }),
    name: z.string().nullable(),
  }),
);

/**
 * Creates a matrix that learns nothing and gives every platform the same chance: the baseline for measuring what memory and judgment
 * save.
 *
 * @param random - 0 ≤ x < 1
 */
export function createChanceMatrix(
  platforms: readonly { readonly platform: PlatformRef; readonly name: string | null }[],
  random: () => number,
): Matrix {
  const given = parseConfig(platformsSchema, platforms, 'platforms');
  parseConfig(callable(), random, 'random');
  const nothing = async () => {};
  return {
    register: nothing,
    recordOutcome: nothing,
    recordBenchmark: nothing,
    direct: nothing,
    entry: async (): Promise<MatrixView | null> => null,
    entries: async () => [],
    async select(_task, { n, exclude }) {
      const asked = new Set(exclude.map(({ pubkey }) => pubkey));
      const left = given.filter(({ platform }) => !asked.has(platform.pubkey));
      const picks = Array.from({ length: Math.min(n, left.length) }, () => {
        const probability = 1 / left.length;
        const [chosen] = left.splice(Math.floor(random() * left.length), 1);
        return chosen && { ...chosen, trust: 0, probability, reason: 'chance' };
      });
      return { picks: picks.filter((pick) => pick !== undefined), excluded: [] };
    },
  };
}
