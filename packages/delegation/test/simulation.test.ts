import { afterAll, expect, it } from 'vitest';
import { simulate } from './simulation/simulate.ts';
import { startWorldThreads } from './simulation/threads.ts';

/** `npm run simulate -- --seeds 100000` runs more. */
const seeds = 1_000;
/** Several tests, so that a slow machine reaches no limit. */
const parts = Array.from({ length: 8 }, (_, part) => part);
const seen: Record<string, number> = {};
const threads = startWorldThreads();
afterAll(() => threads[Symbol.asyncDispose]());

it('gives the same world for the same seed (DLG-13)', async () => {
  const first = await simulate(7);
  expect(await simulate(7)).toEqual(first);
  // Also in another thread, beside other worlds.
  for await (const report of threads.run([7, 8])) {
    if (report.seed === 7) expect(report).toEqual(first);
    else expect(report.steps).not.toBe(first.steps);
  }
});

it.each(parts)(
  'keeps every guarantee in simulated worlds with crashes, losses, doubts, colluding keys and changing cards, part %i (DLG-3, DLG-5, DLG-10, DLG-13)',
  async (part) => {
    const own = Array.from({ length: seeds / parts.length }, (_, index) => part + 1 + index * parts.length);
    const failed: string[] = [];
    for await (const { seed, violations, orders, ...counts } of threads.run(own)) {
      if (violations.length > 0) failed.push(`seed ${seed}: ${violations.join('; ')}`);
      for (const [name, count] of Object.entries({ ...orders, ...counts }))
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
    'trials',
    'colluding',
    'cardChanges',
  ])
    expect(seen[name], name).toBeGreaterThan(seeds / 20);
});
