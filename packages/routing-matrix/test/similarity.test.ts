import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type PlatformRef,
  type PlatformTraits,
  platformSimilarity,
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

  it('RTM-9 are not chosen after one that was asked before, while another one is left', async () => {
    const matrix = await setUp();
    const task = { taskType, valueMsat: 1_000 };
    const besides = [platform(1)];
    const exclude = besides;
    expect(chosen((await matrix.select(task, { exclude, besides })).picks)).toEqual([2]);
    expect(chosen((await matrix.select(task, { exclude, similarity: alike(1) })).picks)).toEqual([2]);
    expect(chosen((await matrix.select(task, { exclude, besides, similarity: alike(1) })).picks)).toEqual([
      3,
    ]);
    const others = [1, 3, 4].map((n) => platform(n));
    expect(
      chosen((await matrix.select(task, { exclude: others, besides, similarity: alike(1) })).picks),
    ).toEqual([2]);
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

describe('similarity from relays and wrong answers', () => {
  const traits = (n: number, relays: string[], wrongAnswers: string[] = []): PlatformTraits => ({
    ...{ platform: platform(n), relays, wrongAnswers },
  });
  const everyone = 'wss://relay.example';

  it('RTM-9 relays that few use make platforms alike, those of everyone do not', () => {
    const of = platformSimilarity([
      traits(1, [everyone, 'wss://Own.example/']),
      traits(2, [everyone, 'wss://own.example']),
      traits(3, [everyone]),
      traits(4, [everyone, 'wss://other.example']),
    ]);
    expect(of(platform(1), platform(2))).toBeCloseTo(0.5, 9);
    expect(of(platform(3), platform(4))).toBe(0);
    expect(of(platform(1), platform(3))).toBe(0);
    expect(of(platform(1), platform(9))).toBe(0);
  });

  it('RTM-9 equal wrong answers make platforms alike, whatever relays they name', () => {
    const of = platformSimilarity([
      traits(1, ['wss://a.example'], ['j1:x', 'j2:x', 'j3:x', 'j4:own']),
      traits(2, ['wss://b.example'], ['j1:x', 'j2:x', 'j3:x']),
      traits(3, ['wss://c.example'], ['j1:x', 'j2:other']),
      traits(4, ['wss://d.example']),
    ]);
    expect(of(platform(1), platform(2))).toBe(0.75);
    expect(of(platform(1), platform(3))).toBe(0.5);
    expect(of(platform(2), platform(4))).toBe(0);
  });

  it('RTM-9 is symmetric, in 0..1, never above a half by what platforms say of themselves, and accepted by select', async () => {
    const relay = fc.constantFrom(
      everyone,
      'wss://a.example',
      'wss://b.example',
      'no url',
      'wss://c.example/x',
    );
    const given = fc.array(
      fc.record({
        relays: fc.array(relay, { maxLength: 4 }),
        wrongAnswers: fc.array(fc.constantFrom('j:a', 'j:b', 'k:a'), { maxLength: 3 }),
      }),
      { minLength: 2, maxLength: 6 },
    );
    fc.assert(
      fc.property(given, (all) => {
        const listed = all.map((each, n) => ({ ...each, platform: platform(n + 1) }));
        const of = platformSimilarity(listed);
        const declared = platformSimilarity(listed.map((each) => ({ ...each, wrongAnswers: [] })));
        for (const { platform: a } of listed)
          for (const { platform: b } of listed) {
            expect(of(a, b)).toBe(of(b, a));
            expect(of(a, b)).toBeGreaterThanOrEqual(0);
            expect(of(a, b)).toBeLessThanOrEqual(1);
            expect(declared(a, b)).toBeLessThanOrEqual(0.5);
            expect(of(a, b)).toBeGreaterThanOrEqual(declared(a, b));
          }
      }),
    );
    const matrix = await setUp();
    const similarity = platformSimilarity([1, 2, 3, 4].map((n) => traits(n, [everyone], ['j:x'])));
    expect((await matrix.select({ taskType, valueMsat: 1_000 }, { n: 3, similarity })).picks).toHaveLength(3);
    expect(() => platformSimilarity([{ platform: null as never }])).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});
