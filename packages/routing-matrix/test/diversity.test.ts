import { seededRandom } from '@bonafide/internal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type SelectionStrategy,
  type StrategyCandidate,
  type StrategyTask,
} from '../src/index.ts';
import { applyShareRule } from '../src/selection/share-rule.ts';
import { good, manualClock, platform } from './support.ts';

const hourMs = 3_600_000;
const taskTypes = ['code', 'prose'];

/** A strategy that wants one platform only. */
const greedy = (): SelectionStrategy => ({
  name: 'greedy',
  version: '1',
  distribution: (_, candidates) => candidates.map((_each, index) => (index === 0 ? 1 : 0)),
});

describe('diversity', () => {
  it('RTM-8 no platform exceeds its share of any sliding hour while others work as well', async () => {
    const step = fc.record({
      taskType: fc.constantFrom(...taskTypes),
      waitMs: fc.integer({ min: 0, max: 900_000 }),
      n: fc.integer({ min: 1, max: 2 }),
      finish: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('learned' as const, 'tiered' as const, 'greedy' as const),
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0.5, 0.7),
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.nat(),
        async (strategy, platforms, maxShare, steps, seed) => {
          const clock = manualClock();
          const matrix = createRoutingMatrix({
            store: createMemoryRoutingStore(),
            clock,
            random: seededRandom(seed),
            strategy: strategy === 'greedy' ? greedy() : strategy,
            config: { maxShare },
          });
          for (let n = 1; n <= platforms; n += 1) {
            for (const taskType of taskTypes) {
              for (let i = 0; i < 3; i += 1) {
                const attemptId = `${n} ${taskType} ${i}`;
                await matrix.recordBenchmark({ platform: platform(n), taskType, attemptId, verdict: good() });
              }
            }
          }
          const picked: { at: number; taskType: string; platformId: string }[] = [];
          for (const [index, { taskType, waitMs, n, finish }] of steps.entries()) {
            clock.advance(waitMs);
            const jobId = `j${index}`;
            const now = clock();
            const { picks } = await matrix.select({ taskType, jobId, valueMsat: 1_000 }, { n });
            expect(picks).toHaveLength(n);
            for (const { platformId, platform: ref } of picks) {
              const recent = picked.filter((each) => each.taskType === taskType && each.at > now - hourMs);
              const used = recent.filter((each) => each.platformId === platformId).length;
              const counts = Array.from(
                { length: platforms },
                (_, other) =>
                  recent.filter((each) => each.platformId === `${platform(other + 1).pubkey}:main`).length,
              );
              picked.push({ at: now, taskType, platformId });
              // Six jobs are free. With two platforms and an odd number of jobs the less used one gets it.
              const free = recent.length + 1 < 7 || used === Math.min(...counts);
              // The second of two picks may not go to the operator of the first.
              const alone = n === 2 && platforms === 2;
              if (!free && !alone) expect(used + 1).toBeLessThanOrEqual(maxShare * (recent.length + 1));
              if (!finish) continue;
              const outcome = 'SUCCESS';
              await matrix.recordOutcome({ jobId, platform: ref, taskType, outcome });
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('RTM-8 a platform that is just back from a suspension is no alternative for the share rule', () => {
  const candidate = (n: number, allocation: number): StrategyCandidate => ({
    platformId: `${platform(n).pubkey}:main`,
    operator: platform(n).pubkey,
    tier: 'primary',
    trust: 0.8,
    score: 0.5,
    priceMsat: null,
    latencyMs: null,
    inFlight: 0,
    observations: 10,
    ageMs: 0,
    explorationOnly: false,
    allocation,
  });
  const task: StrategyTask = {
    taskType: 'code',
    valueMsat: 1_000,
    size: null,
    deadlineMs: null,
    difficulty: null,
    experience: 100,
    threshold: 0.5,
    exposureCapMsat: 10_000,
  };
  const busy = candidate(1, 1);
  const rule = {
    maxShare: 0.5,
    fromDecision: 7,
    recent: { total: 20, of: (operator: string) => (operator === busy.operator ? 20 : 0) },
  };
  expect(applyShareRule(task, [busy, candidate(2, 0.25)], rule).over).toEqual([]);
  expect(applyShareRule(task, [busy, candidate(2, 0.5)], rule).over).toEqual([busy]);
});

it('RTM-8 the services of one operator share one half, however many it offers', async () => {
  const clock = manualClock();
  const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), clock, random: seededRandom(2) });
  const services = [...Array.from({ length: 10 }, (_, n) => platform(9, `s${n}`)), platform(1), platform(2)];
  for (const [index, each] of services.entries()) {
    // The many are cheap.
    await matrix.register({
      platform: each,
      taskTypes: ['code'],
      priceMsat: each.d === 'main' ? 1_000 : 10,
    });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: each,
        taskType: 'code',
        attemptId: `${index} ${i}`,
        verdict: good(),
      });
  }
  let theirs = 0;
  for (let n = 0; n < 50; n += 1) {
    clock.advance(60_000);
    const [pick] = (await matrix.select({ taskType: 'code', jobId: `j${n}`, valueMsat: 5_000 })).picks;
    if (pick === undefined) throw new Error('No platform was eligible');
    if (pick.platform.pubkey === platform(9).pubkey) theirs += 1;
    const { platform: picked } = pick;
    await matrix.recordOutcome({ jobId: `j${n}`, platform: picked, taskType: 'code', outcome: 'SUCCESS' });
  }
  expect(theirs).toBeLessThanOrEqual(28);
  expect(theirs).toBeGreaterThan(20);
});
