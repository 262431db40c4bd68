import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix } from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

const taskType = 'code';
const hourMs = 3_600_000;
/** Hours until the best and cheapest platform falls, and after it. */
const [fallsAt, hoursAfter] = [24, 12];

/** Gives a job a minute to eight platforms, of which the preferred one falls to half of its success. */
async function market(strategy: 'learned' | 'tiered', seed: number) {
  const clock = manualClock();
  const random = seededRandom(seed);
  const matrix = createRoutingMatrix({
    store: createMemoryRoutingStore(),
    clock,
    random: seededRandom(seed + 1_000),
    strategy,
  });
  const skills = Array.from({ length: 8 }, (_, n) => (n === 0 ? 0.97 : 0.8 + 0.15 * random()));
  for (const n of skills.keys()) {
    const priceMsat = n === 0 ? 100 : 150 + Math.floor(100 * random());
    await matrix.register({ platform: platform(n), taskTypes: [taskType], priceMsat });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: good(),
      });
  }
  const gotIt: boolean[] = [];
  for (let minute = 0; minute < (fallsAt + hoursAfter) * 60; minute += 1) {
    clock.advance(hourMs / 60);
    const jobId = `job-${minute}`;
    const { picks } = await matrix.select({
      taskType,
      jobId,
      valueMsat: 4_000 + Math.floor(4_000 * random()),
    });
    const n = Number(`0x${picks[0]?.platform.pubkey}`);
    const skill = n === 0 && minute >= fallsAt * 60 ? 0.5 : (skills[n] ?? 0);
    gotIt.push(n === 0);
    await matrix.recordOutcome({
      jobId,
      platform: platform(n),
      taskType,
      outcome: random() < skill ? 'SUCCESS' : 'FAILURE',
    });
  }
  const share = (from: number, to: number) => {
    const own = gotIt.slice(from * 60, to * 60);
    return own.filter(Boolean).length / own.length;
  };
  return { before: share(fallsAt - 6, fallsAt), after: share(fallsAt + 8, fallsAt + hoursAfter) };
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('a platform that falls', () => {
  it.each(['learned', 'tiered'] as const)(
    'RTM-11 with %s, keeps at most a twentieth of the jobs after 8 hours, at 60 jobs an hour (median)',
    async (strategy) => {
      const runs = [];
      for (const seed of [1, 2, 3, 4, 5]) runs.push(await market(strategy, seed));
      // It had a good part of them before.
      expect(median(runs.map(({ before }) => before))).toBeGreaterThan(0.3);
      expect(median(runs.map(({ after }) => after))).toBeLessThanOrEqual(0.05);
    },
  );
});
