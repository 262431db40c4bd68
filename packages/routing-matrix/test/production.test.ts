import { describe, expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix, type Outcome } from '../src/index.ts';
import { dayMs, setUp, taskType } from './support/matrix.ts';
import { good, platform, start } from './support.ts';

describe('production outcomes', () => {
  it('RTM-5 moves trust by the outcome, and not at all for our own failures', async () => {
    const { qualify, produce } = setUp();
    await qualify(1);
    const trust = async (outcome: Outcome, measurements = {}) =>
      (await produce(1, outcome, undefined, measurements)).entry.trustScore;
    expect(await trust('SUCCESS')).toBe(0.7);
    expect(await trust('PARTIAL', { passRate: 0.9 })).toBe(0.75);
    expect(await trust('INFRA')).toBe(0.75);
    expect(await trust('FAILURE', { passRate: 0 })).toBe(0.6);
    expect(await trust('ERROR', { errorKind: 'timeout' })).toBe(0.5);
    expect(await trust('SECURITY_VIOLATION')).toBe(0);
  });

  it('RTM-1 reports success rate, latency and cost of what was seen', async () => {
    const { matrix, clock, produce } = setUp();
    await produce(1, 'SUCCESS', 'a', { latencyMs: 100, costMsat: 900 });
    clock.advance(29 * dayMs);
    await produce(1, 'FAILURE', 'b', { latencyMs: 300, costMsat: 1_100 });
    await produce(1, 'INFRA', 'c', { latencyMs: 9_999 });
    expect(await matrix.entry(taskType, platform(1))).toMatchObject({
      successRate30d: 0.5,
      latency: { p50Ms: 100, p95Ms: 300, samples: 2 },
      cost: { medianMsat: 900, listedMsat: null },
      outcomes: { SUCCESS: 1, FAILURE: 1, INFRA: 1 },
      lastVerifiedAt: start + 29 * dayMs,
    });
    clock.advance(dayMs);
    expect((await matrix.entry(taskType, platform(1)))?.successRate30d).toBe(0);
  });

  it('RTM-5 shows the posterior mean beside the source\u2019s trust, and lets old evidence fade', async () => {
    const { matrix, clock, produce } = setUp();
    for (let i = 0; i < 8; i += 1) await produce(1, 'SUCCESS');
    expect((await matrix.entry(taskType, platform(1)))?.posteriorMean).toBeCloseTo(0.9, 9);
    clock.advance(30 * dayMs);
    expect((await matrix.entry(taskType, platform(1)))?.posteriorMean).toBeCloseTo(5 / 6, 9);
  });

  it('RTM-5 AGT-4 counts every attempt and every job once', async () => {
    const { matrix, store, qualify } = setUp();
    await qualify(1);
    const outcome = { jobId: 'j', platform: platform(1), taskType, outcome: 'SUCCESS' as const };
    const first = await matrix.recordOutcome(outcome);
    const again = await matrix.recordOutcome({ ...outcome, outcome: 'FAILURE' });
    expect([first.recorded, again.recorded]).toEqual([true, false]);
    expect(again.entry).toEqual(first.entry);
    // The same job at another platform is another piece of work.
    expect((await matrix.recordOutcome({ ...outcome, platform: platform(2) })).recorded).toBe(true);
    const attempt = { platform: platform(3), taskType, attemptId: 'x', verdict: good() };
    expect((await matrix.recordBenchmark(attempt)).recorded).toBe(true);
    expect((await matrix.recordBenchmark(attempt)).entry.attempts).toBe(1);
    expect(await store.readAfter(0, 100)).toHaveLength(6);
    await expect(matrix.recordBenchmark({ ...attempt, platform: platform(4) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(matrix.recordOutcome({ ...outcome, taskType: 'prose' })).rejects.toThrow(/unique/);
  });

  it('X-3 refuses what is out of range, naming it, and records nothing', async () => {
    const { matrix, store } = setUp();
    const invalid = [
      matrix.recordOutcome({
        jobId: 'j',
        platform: platform(1),
        taskType,
        outcome: 'SUCCESS',
        measurements: { passRate: 2 },
      }),
      matrix.recordOutcome({ jobId: 'j', platform: { pubkey: 'a:b', d: '' }, taskType, outcome: 'SUCCESS' }),
      matrix.recordOutcome({ jobId: 'j\0', platform: platform(1), taskType, outcome: 'SUCCESS' }),
      matrix.recordBenchmark({ platform: platform(1), taskType: '', attemptId: 'a', verdict: good() }),
      matrix.register({ platform: { pubkey: 'a', d: '\ud800' } }),
      matrix.select({ taskType, valueMsat: -1 }),
      matrix.select({ taskType }, { n: 0 }),
    ];
    for (const call of invalid) await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(
      matrix.recordOutcome({ jobId: 'j', platform: platform(1), taskType, outcome: 'FINE' as never }),
    ).rejects.toThrow(/outcome/);
    expect(await store.readAfter(0, 1)).toEqual([]);
  });

  it('X-3 is not led astray by task types with names of the language', async () => {
    const { matrix } = setUp({ config: { thresholds: { code: 0.7 } } });
    await matrix.register({ platform: platform(1), taskTypes: ['constructor', '__proto__', 'code'] });
    const thresholds = (await matrix.entries()).map((entry) => [entry.taskType, entry.threshold]);
    expect(thresholds).toEqual([
      ['__proto__', 0.5],
      ['code', 0.7],
      ['constructor', 0.5],
    ]);
  });

  it('X-4 refuses a config with a field out of range or unknown', () => {
    const store = createMemoryRoutingStore();
    for (const config of [{ maxShare: 2 }, { thresholds: { code: 0.95 } }, { epsilon: 1 } as never]) {
      expect(() => createRoutingMatrix({ store, config })).toThrowError(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
    }
  });
});
