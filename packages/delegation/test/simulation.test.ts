import { expect, it } from 'vitest';
import { simulate } from './simulation/simulate.ts';

const seeds = process.env.BONAFIDE_PROOF === 'full' ? 100_000 : 1_000;
/** Several tests, so that a slow machine reaches no limit. */
const parts = Array.from({ length: 8 }, (_, part) => part);
const seen: Record<string, number> = {};

it('gives the same world for the same seed (DLG-13)', async () => {
  const first = await simulate(7);
  expect(await simulate(7)).toEqual(first);
  expect((await simulate(8)).steps).not.toBe(first.steps);
});

it.each(parts)(
  'keeps every guarantee in simulated worlds with crashes, losses and doubts, part %i (DLG-3, DLG-10, DLG-13)',
  async (part) => {
    const failed: string[] = [];
    for (let seed = part + 1; seed <= seeds; seed += parts.length) {
      const { violations, orders, ...counts } = await simulate(seed);
      const { kills, freezes, assessments, paidAfterwards } = counts;
      if (violations.length > 0) failed.push(`seed ${seed}: ${violations.join('; ')}`);
      for (const [name, count] of Object.entries({ ...orders, kills, freezes, assessments, paidAfterwards }))
        seen[name] = (seen[name] ?? 0) + count;
    }
    expect(failed).toEqual([]);
  },
);

it('simulates worlds in which much goes wrong (DLG-13)', () => {
  for (const name of [
    'delivered',
    'NO_PLATFORM',
    'NO_CONSENSUS',
    'TIMEOUT',
    'ORDER_CANCELLED',
    'kills',
    'freezes',
    'assessments',
    'paidAfterwards',
  ])
    expect(seen[name], name).toBeGreaterThan(seeds / 20);
});
