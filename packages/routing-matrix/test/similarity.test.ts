import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type PlatformRef,
  type SelectionStrategy,
} from '../src/index.ts';
import { good, key, manualClock, platform } from './support.ts';

const taskType = 'code';

async function setUp(strategy: SelectionStrategy | 'learned' = 'learned') {
  const clock = manualClock();
  const matrix = createRoutingMatrix({
    store: createMemoryRoutingStore(),
    clock,
    random: seededRandom(1),
    strategy,
    config: { maxShare: 1 },
  });
  for (const n of [1, 2, 3, 4]) {
    // The first ones are the cheapest: without more knowledge they are chosen together.
    await matrix.register({ platform: platform(n), taskTypes: [taskType], priceMsat: 100 * n });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: good(),
      });
  }
  return matrix;
}

/** 1 and 2 answer alike. */
const alike =
  (value: number) =>
  (a: PlatformRef, b: PlatformRef): number =>
    [key(1), key(2)].includes(a.pubkey) && [key(1), key(2)].includes(b.pubkey) ? value : 0;
const chosen = (picks: readonly { readonly platform: PlatformRef }[]) =>
  picks.map(({ platform: { pubkey } }) => Number(`0x${pubkey}`)).sort();

describe('platforms whose answers are alike', () => {
  it('RTM-9 are not chosen together when they are the same, while another one is left', async () => {
    const matrix = await setUp();
    const task = { taskType, valueMsat: 1_000 };
    expect(chosen((await matrix.select(task, { n: 2 })).picks)).toEqual([1, 2]);
    expect(chosen((await matrix.select(task, { n: 2, similarity: alike(1) })).picks)).toEqual([1, 3]);
    expect(chosen((await matrix.select(task, { n: 4, similarity: alike(1) })).picks)).toEqual([1, 2, 3, 4]);
    expect(chosen((await matrix.select(task, { n: 2, similarity: () => 1 })).picks)).toEqual([1, 2]);
  });

  it('RTM-9 RTM-8c keep the rest of their probability otherwise, which is logged', async () => {
    const matrix = await setUp({
      name: 'first',
      version: '1',
      distribution: (_, candidates) => candidates.map((_, index) => (index === 0 ? 1 : 0)),
    });
    const task = { taskType, valueMsat: 1_000 };
    const second = new Map<number, number>();
    for (let i = 0; i < 400; i += 1) {
      const { picks } = await matrix.select(task, { n: 2, similarity: alike(0.75) });
      const n = Number(`0x${picks[1]?.platform.pubkey}`);
      expect(picks[1]?.probability).toBeCloseTo(n === 2 ? 0.25 : 0.75, 9);
      second.set(n, (second.get(n) ?? 0) + 1);
    }
    expect([...second.keys()].sort()).toEqual([2, 3]);
    expect((second.get(2) ?? 0) / 400).toBeCloseTo(0.25, 1);
  });

  it('RTM-9 a similarity out of range, or one that throws, is refused, and nothing is logged', async () => {
    const matrix = await setUp();
    const task = { taskType, valueMsat: 1_000 };
    for (const similarity of [
      () => 2,
      () => -0.1,
      () => Number.NaN,
      () => {
        throw new Error('unknown');
      },
    ])
      await expect(matrix.select(task, { n: 2, similarity })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    expect((await matrix.decisions()).items).toEqual([]);
    expect((await matrix.select(task)).picks).toHaveLength(1);
  });
});
