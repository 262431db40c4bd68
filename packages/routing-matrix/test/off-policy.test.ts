import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  createBackup,
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  discountedUcbStrategy,
  evaluateStrategy,
  learnedStrategy,
  resolveConfig,
  restoreBackup,
  type SelectionStrategy,
  thompsonStrategy,
  tieredStrategy,
} from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

/** True success probabilities and prices of the simulated platforms, by number. */
const world = [
  { n: 1, success: 0.95, priceMsat: 400 },
  { n: 2, success: 0.8, priceMsat: 100 },
  { n: 3, success: 0.5, priceMsat: 50 },
] as const;
const config = { maxShare: 1, adaptiveThresholds: false } as const;

/** A strategy with fixed probabilities by platform number. */
const fixed = (name: string, shares: Readonly<Record<number, number>>): SelectionStrategy => ({
  name,
  version: '1',
  judgesCandidates: true,
  distribution(_, candidates) {
    const own = candidates.map(({ operator }) => shares[Number(`0x${operator}`)] ?? 0);
    const sum = own.reduce((total, share) => total + share, 0);
    return own.map((share) => share / sum);
  },
});

const truth = (shares: Readonly<Record<number, number>>) => ({
  success: world.reduce((sum, { n, success }) => sum + (shares[n] ?? 0) * success, 0),
  utility: world.reduce(
    (sum, { n, success, priceMsat }) => sum + (shares[n] ?? 0) * (1_000 * success - priceMsat),
    0,
  ),
});

async function history(strategy: SelectionStrategy, jobs: number, seed: number) {
  const store = createMemoryRoutingStore();
  const clock = manualClock();
  const random = seededRandom(seed);
  const matrix = createRoutingMatrix({ store, clock, random, strategy, config });
  for (const { n, priceMsat } of world) {
    await matrix.register({ platform: platform(n), taskTypes: ['code'], priceMsat });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType: 'code',
        attemptId: `${n} ${i}`,
        verdict: good(),
      });
  }
  for (let job = 0; job < jobs; job += 1) {
    clock.advance(60_000);
    const jobId = `j${job}`;
    const { picks } = await matrix.select({ taskType: 'code', jobId, valueMsat: 1_000 });
    const [pick] = picks;
    const platformOf = world.find(({ n }) => platform(n).pubkey === pick?.platform.pubkey);
    if (pick === undefined || platformOf === undefined) continue;
    const outcome = random() < platformOf.success ? 'SUCCESS' : 'FAILURE';
    await matrix.recordOutcome({ jobId, platform: pick.platform, taskType: 'code', outcome });
  }
  return (await store.readAfter(0, 100_000)).map(decodeRecord);
}

describe('off-policy evaluation', () => {
  const even = fixed('even', { 1: 1, 2: 1, 3: 1 });

  it.each([
    ['another mix', { 1: 0.6, 2: 0.3, 3: 0.1 }],
    ['the surest', { 1: 1 }],
    ['the cheapest', { 3: 1 }],
  ])('RTM-8c estimates what %s would have earned within its interval', async (_, shares) => {
    let covered = { ips: 0, doublyRobust: 0 };
    const seeds = [1, 2, 3, 4, 5];
    for (const seed of seeds) {
      const log = await history(even, 800, seed);
      const result = evaluateStrategy(log, resolveConfig(config), fixed('other', shares));
      const { success, utility } = truth(shares);
      expect(result.decisions).toBe(800);
      expect(result.utilityMsat).not.toBeNull();
      for (const name of ['ips', 'doublyRobust'] as const) {
        expect(Math.abs(result.success[name].mean - success)).toBeLessThan(0.08);
        expect(Math.abs((result.utilityMsat?.[name].mean ?? 0) - utility)).toBeLessThan(80);
        const { mean, halfWidth } = result.success[name];
        if (Math.abs(mean - success) <= halfWidth) covered = { ...covered, [name]: covered[name] + 1 };
      }
    }
    // 95 % intervals: at most one of five misses.
    expect(covered.ips).toBeGreaterThanOrEqual(seeds.length - 1);
    expect(covered.doublyRobust).toBeGreaterThanOrEqual(seeds.length - 1);
  });

  it('RTM-8c of the logging strategy itself is what was earned', async () => {
    const log = await history(even, 300, 3);
    const { success, effectiveDecisions } = evaluateStrategy(log, resolveConfig(config), even);
    expect(success.ips.mean).toBeCloseTo(success.logged.mean, 9);
    expect(effectiveDecisions).toBeCloseTo(300, 6);
  });

  it.each([
    ['learned', learnedStrategy, false],
    ['learned, restored from a backup', learnedStrategy, true],
    ['tiered', tieredStrategy, false],
    ['thompson', thompsonStrategy, false],
    ['discounted UCB', discountedUcbStrategy, false],
  ])(
    'RTM-8c of %s itself it is what was earned, also with the share rule and reduced platforms',
    async (_, strategy, restores) => {
      let store = createMemoryRoutingStore();
      const clock = manualClock();
      const random = seededRandom(3);
      let matrix = createRoutingMatrix({ store, clock, random, strategy: strategy() });
      for (let n = 1; n <= 8; n += 1) {
        await matrix.register({ platform: platform(n), taskTypes: ['code'], priceMsat: 100 + 30 * n });
        for (let i = 0; i < 3; i += 1)
          await matrix.recordBenchmark({
            platform: platform(n),
            taskType: 'code',
            attemptId: `${n} ${i}`,
            verdict: good({ latencyMs: 500 }),
          });
      }
      const jobs = 300;
      let restrained = 0;
      for (let job = 0; job < jobs; job += 1) {
        clock.advance(60_000 * (1 + Math.floor(8 * random())));
        if (restores && job === jobs / 2) {
          const messages: string[] = [];
          const sink = { send: async (message: string) => void messages.push(message) };
          const backup = createBackup({ matrix, store, clock, sink });
          await backup.flush();
          await backup.close();
          store = createMemoryRoutingStore();
          await restoreBackup(messages, store, { clock });
          matrix = createRoutingMatrix({ store, clock, random, strategy: strategy() });
        }
        const jobId = `j${job}`;
        const valueMsat = Math.floor(3_000 * Math.exp(2 * random() - 1));
        const { picks, excluded } = await matrix.select({ taskType: 'code', jobId, valueMsat });
        const [pick] = picks;
        if (pick === undefined) throw new Error('No platform was eligible');
        const entry = await matrix.entry('code', pick.platform);
        if (excluded.some(({ reason }) => reason === 'over-share') || entry?.allocation !== 1)
          restrained += 1;
        const fails = Number(`0x${pick.platform.pubkey}`) % 3 === 1 && job > 60 && random() < 0.6;
        await matrix.recordOutcome({
          jobId,
          platform: pick.platform,
          taskType: 'code',
          outcome: fails ? 'FAILURE' : 'SUCCESS',
        });
      }
      expect(restrained).toBeGreaterThan(jobs / 10);
      const log = (await store.readAfter(0, 100_000)).map(decodeRecord);
      const { decisions, skipped, effectiveDecisions, success } = evaluateStrategy(
        log,
        resolveConfig(),
        strategy(),
      );
      expect([decisions, skipped]).toEqual([restores ? jobs / 2 : jobs, 0]);
      expect(effectiveDecisions).toBeCloseTo(decisions, 6);
      expect(success.ips.mean).toBeCloseTo(success.logged.mean, 9);
    },
  );

  it('RTM-8c says when the log knows nothing about a strategy', async () => {
    const log = await history(fixed('only one', { 1: 1 }), 200, 3);
    const result = evaluateStrategy(log, resolveConfig(config), fixed('only two', { 2: 1 }));
    expect(result).toMatchObject({ decisions: 200, effectiveDecisions: 0 });
  });

  it('RTM-8c evaluates the strategies of the package on a log of either', async () => {
    const log = await history(tieredStrategy({ epsilon: 0.5, epsilonDecay: 1e9 }), 400, 7);
    for (const strategy of [learnedStrategy(), tieredStrategy()]) {
      const { decisions, skipped, success } = evaluateStrategy(log, resolveConfig(config), strategy);
      expect(decisions + skipped).toBe(400);
      expect(success.doublyRobust.mean).toBeGreaterThan(0.4);
      expect(success.doublyRobust.mean).toBeLessThan(1.05);
    }
  });
});
