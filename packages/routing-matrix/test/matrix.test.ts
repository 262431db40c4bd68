import { seededRandom } from '@bonafide/internal';
import { measured } from '@bonafide/internal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  entryViews,
  type LogRecord,
  type MatrixEntry,
  type Outcome,
  type RoutingAlert,
  type RoutingMatrixOptions,
  type RoutingStore,
  replay,
  resolveConfig,
  type SelectionStrategy,
} from '../src/index.ts';
import { good, manualClock, platform, start, verdict } from './support.ts';

const taskType = 'code';
const dayMs = 86_400_000;

function setUp(options: Partial<RoutingMatrixOptions> = {}) {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const matrix = createRoutingMatrix({ store, clock, random: seededRandom(1), newId, ...options });

  let attempts = 0;
  const benchmark = (n: number, judged = good(), type = taskType) =>
    matrix.recordBenchmark({
      platform: platform(n),
      taskType: type,
      attemptId: `attempt-${++attempts}`,
      verdict: judged,
    });
  const qualify = async (...platforms: readonly number[]) => {
    for (const n of platforms) for (let i = 0; i < 3; i += 1) await benchmark(n);
  };
  const produce = (n: number, outcome: Outcome, jobId = `job-${++attempts}`, measurements = {}) =>
    matrix.recordOutcome({ jobId, platform: platform(n), taskType, outcome, measurements });
  /** Qualifies platforms and gives them production outcomes, so that they stand where the outcomes put them. */
  const prove = async (n: number, ...outcomes: readonly Outcome[]) => {
    await qualify(n);
    for (const outcome of outcomes) await produce(n, outcome);
  };
  return { matrix, store, clock, benchmark, qualify, produce, prove, newId };
}

const keysOf = (decision: { readonly picks: readonly { readonly platformId: string }[] }) =>
  decision.picks.map(({ platformId }) => platformId);
const idOf = (n: number, d = 'main') => `${platform(n).pubkey}:${d}`;

describe('evaluating a platform', () => {
  it('RTM-1 knows a registered platform by task type, with nothing claimed', async () => {
    const { matrix } = setUp();
    await matrix.register({
      platform: platform(1),
      name: 'One\u202e',
      taskTypes: ['prose', 'code'],
      priceMsat: 900,
    });
    const entries = await matrix.entries();
    expect(entries.map((entry) => entry.taskType)).toEqual(['code', 'prose']);
    expect(entries[0]).toMatchObject({
      platformId: idOf(1),
      name: 'One',
      status: 'EVALUATING',
      trustScore: null,
      tier: 'none',
      score: null,
      successRate30d: null,
      cost: { medianMsat: null, listedMsat: 900 },
      posteriorMean: 0.5,
    });
    expect(await matrix.entry('code', platform(2))).toBeNull();
  });

  it('RTM-1 registers the same words once, and changed words again, also when they change back', async () => {
    const { matrix, store } = setUp();
    const register = (priceMsat: number) =>
      matrix.register({ platform: platform(1), taskTypes: ['code'], priceMsat });
    expect([await register(1), await register(1), await register(2), await register(1)]).toEqual([
      { recorded: true },
      { recorded: false },
      { recorded: true },
      { recorded: true },
    ]);
    expect(await store.readAfter(0, 10)).toHaveLength(3);
    expect((await matrix.entry('code', platform(1)))?.cost.listedMsat).toBe(1);
  });

  it('RTM-3 RTM-4 turns three good attempts into an active platform that starts at .60', async () => {
    const { matrix, benchmark } = setUp();
    expect((await benchmark(1)).entry).toMatchObject({ status: 'EVALUATING', attempts: 1, trustScore: null });
    await benchmark(1);
    const { entry } = await benchmark(1);
    expect(entry).toMatchObject({
      status: 'ACTIVE',
      trustScore: 0.6,
      score: 1,
      tier: 'tertiary',
      attempts: 0,
    });
    // Untried in production: third tier, whatever its trust.
    expect(await matrix.entry(taskType, platform(1))).toEqual(entry);
  });

  it('RTM-4 starts an exceptional one at .75, measured against what is usual', async () => {
    const { benchmark } = setUp({ config: { baselines: { code: { latencyMs: 1_000 } } } });
    await benchmark(1, good({ latencyMs: 300 }));
    await benchmark(1, good({ latencyMs: 499 }));
    expect((await benchmark(1, good({ latencyMs: 2_000 }))).entry.trustScore).toBe(0.75);
  });

  it('RTM-2 adapts what is usual to what was seen, and lets failures say nothing about it', async () => {
    const { matrix, benchmark } = setUp();
    for (let i = 0; i < 5; i += 1) await benchmark(9, verdict('FAILURE', 0, { latencyMs: 1 }));
    for (let i = 0; i < 5; i += 1) await benchmark(2, good({ latencyMs: 1_000 }));
    for (let i = 0; i < 3; i += 1) await benchmark(1, good({ latencyMs: 400 }));
    const one = await matrix.entry(taskType, platform(1));
    expect(one).toMatchObject({
      trustScore: 0.75,
      performanceTier: 'FAST',
      annotations: ['fast', 'reliable'],
    });
  });

  it('RTM-3 keeps a half-good one conditional and sends a bad one away', async () => {
    const { benchmark } = setUp();
    await benchmark(1, verdict('FAILURE', 0.4));
    await benchmark(1);
    expect((await benchmark(1, verdict('FAILURE', 0.4))).entry).toMatchObject({
      status: 'CONDITIONAL',
      trustScore: 0.45,
    });
    for (let i = 0; i < 2; i += 1) await benchmark(2, verdict('FAILURE', 0));
    const { entry } = await benchmark(2, verdict('ERROR', 0));
    expect(entry).toMatchObject({ status: 'REJECTED', trustScore: null, failedEvaluations: 1 });
    expect(entry.cooldownUntilAt).toBe(start + 30 * dayMs);
  });

  it('RTM-12 evaluates a rejected platform from the start, and only after its cooldown', async () => {
    const { clock, benchmark } = setUp();
    const reject = async () => {
      await benchmark(1, verdict('PARTIAL', 0.8));
      await benchmark(1, verdict('FAILURE', 0.3));
      return (await benchmark(1, verdict('FAILURE', 0.3))).entry;
    };
    expect((await reject()).cooldownUntilAt).toBe(start + dayMs);
    clock.advance(dayMs - 1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'REJECTED', attempts: 0 });
    clock.advance(1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'EVALUATING', attempts: 1 });
    await benchmark(1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'ACTIVE', trustScore: 0.6 });
  });

  it('RTM-4 adds less for each further benchmark, and starts over after a failed one', async () => {
    const { benchmark, qualify } = setUp();
    await qualify(1);
    const trust = async (judged = good()) => (await benchmark(1, judged)).entry.trustScore;
    expect([await trust(), await trust(), await trust()]).toEqual([0.75, 0.825, 0.8625]);
    expect(await trust(verdict('FAILURE', 0.8))).toBe(0.7625);
    expect(await trust()).toBe(0.83125);
  });

  it('RTM-5 blacklists the operator, in every task type and with every service, also later ones', async () => {
    const { matrix, benchmark, qualify } = setUp();
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    await qualify(1);
    await matrix.register({ platform: platform(1, 'second'), taskTypes: ['prose'] });
    await benchmark(1, verdict('SECURITY_VIOLATION', 1), 'math');
    await matrix.register({ platform: platform(1, 'third'), taskTypes: ['code'] });
    const entries = await matrix.entries();
    expect(entries).toHaveLength(4);
    for (const entry of entries) {
      expect(entry).toMatchObject({ status: 'BLACKLISTED', trustScore: 0, tier: 'none' });
    }
    expect(alerts.map(({ type }) => type)).toEqual(['blacklisted', 'blacklisted', 'blacklisted']);
    // Nothing brings it back.
    await qualify(1);
    expect((await matrix.entry(taskType, platform(1)))?.status).toBe('BLACKLISTED');
    expect((await matrix.select({ taskType })).picks).toEqual([]);
  });
});

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

describe('selecting', () => {
  it('RTM-9 chooses different operators, and never one twice', async () => {
    const { matrix, qualify } = setUp();
    await qualify(1, 2, 3);
    for (let i = 0; i < 3; i += 1) {
      await matrix.recordBenchmark({
        platform: platform(1, 'twin'),
        taskType,
        attemptId: `twin-${i}`,
        verdict: good(),
      });
    }
    const decision = await matrix.select({ taskType }, { n: 5 });
    expect(decision.wanted).toBe(5);
    expect(new Set(decision.picks.map((pick) => pick.platform.pubkey)).size).toBe(3);
    expect(decision.picks).toHaveLength(3);
  });

  it('RTM-8 RTM-8c leaves out who may not work, and says why of each', async () => {
    const { matrix, clock, benchmark, qualify, prove } = setUp({ config: { adaptiveThresholds: false } });
    await qualify(1, 2, 3, 4);
    await benchmark(5, verdict('SECURITY_VIOLATION', 0));
    for (let i = 0; i < 3; i += 1) await benchmark(6, verdict('FAILURE', 0));
    await benchmark(7);
    await prove(8, 'ERROR', 'ERROR', 'ERROR', 'ERROR', 'ERROR');
    await prove(9, 'ERROR', 'ERROR');
    await matrix.direct({ platform: platform(2), action: 'deny', reason: 'rude' });
    await matrix.direct({
      platform: platform(3),
      taskType,
      action: 'suspend',
      untilAt: start + 10,
      reason: 'SLA',
    });
    const decision = await matrix.select({ taskType, valueMsat: 10_001 }, { exclude: [platform(4)] });
    expect(keysOf(decision)).toEqual([idOf(1)]);
    expect(
      Object.fromEntries(decision.excluded.map(({ platformId, reason }) => [platformId, reason])),
    ).toEqual({
      [idOf(2)]: 'denied',
      [idOf(3)]: 'suspended',
      [idOf(4)]: 'excluded',
      [idOf(5)]: 'blacklisted',
      [idOf(6)]: 'cooling',
      [idOf(7)]: 'unqualified',
      [idOf(8)]: 'below-minimum',
      [idOf(9)]: 'below-threshold',
    });
    clock.advance(10);
    await matrix.direct({ platform: platform(2), action: 'allow', reason: 'apologised' });
    const later = await matrix.select({ taskType, valueMsat: 10_001 }, { n: 9 });
    expect([...keysOf(later)].sort()).toEqual([1, 2, 3, 4].map((n) => idOf(n)));
    clock.advance(40 * dayMs);
    const much = await matrix.select({ taskType }, { n: 9 });
    expect(much.excluded).toContainEqual({ platformId: idOf(6), reason: 'rejected' });
  });

  it('RTM-25 refuses by policy, with one small trial a day unless a violation or a person is behind it', async () => {
    const { matrix, clock, store, qualify } = setUp();
    await qualify(1, 2, 3, 4);
    const refuse = (n: number, more: object) =>
      matrix.direct({ platform: platform(n), action: 'refuse', reason: 'the ledger says so', ...more });
    await refuse(1, { source: 'policy' });
    await refuse(2, { source: 'policy', violation: true });
    await refuse(3, {});
    await refuse(4, { source: 'policy', taskType: 'prose' });
    const ask = async (valueMsat: number) =>
      [...keysOf(await matrix.select({ taskType, valueMsat }, { n: 4 }))].sort();
    expect(await ask(1_000)).toEqual([idOf(4)]);
    clock.advance(dayMs);
    expect(await ask(1_000_000)).toEqual([idOf(4)]);
    expect(await ask(1_000)).toEqual([idOf(1), idOf(4)]);
    expect(await ask(1_000)).toEqual([idOf(4)]);
    const { excluded } = await matrix.select({ taskType, valueMsat: 1_000 });
    expect(excluded).toContainEqual({ platformId: idOf(2), reason: 'refused' });
    const reopened = createRoutingMatrix({ store, clock });
    expect((await reopened.select({ taskType, valueMsat: 1_000 }, { n: 4 })).excluded).toHaveLength(3);
    for (const n of [1, 2, 3]) {
      await matrix.direct({ platform: platform(n), action: 'allow', reason: 'cleared', source: 'policy' });
    }
    expect(await ask(1_000)).toEqual([1, 2, 4].map((n) => idOf(n)));
    await matrix.direct({ platform: platform(3), action: 'allow', reason: 'cleared' });
    expect(await ask(1_000)).toEqual([1, 2, 3, 4].map((n) => idOf(n)));
  });

  it('RTM-6 gives a platform below the threshold small jobs only, and none of unstated worth', async () => {
    const { matrix, prove } = setUp({ config: { exposureCapMsat: 5_000 } });
    await prove(1, 'ERROR', 'ERROR');
    const picks = async (valueMsat: number | null) => keysOf(await matrix.select({ taskType, valueMsat }));
    expect([await picks(5_000), await picks(5_001), await picks(null)]).toEqual([[idOf(1)], [], []]);
    const open = setUp({ config: { exposureCapMsat: null } });
    await open.prove(1, 'ERROR', 'ERROR');
    expect(keysOf(await open.matrix.select({ taskType }))).toEqual([idOf(1)]);
  });

  it('RTM-8 obeys a pin above threshold and share, but never for who is blacklisted or denied', async () => {
    const { matrix, benchmark, qualify, prove } = setUp();
    await qualify(1, 2, 3);
    await prove(4, 'ERROR', 'ERROR');
    await matrix.direct({ platform: platform(4), taskType, action: 'pin', reason: 'trial' });
    for (let i = 0; i < 12; i += 1) {
      const { picks } = await matrix.select({ taskType });
      expect(picks).toMatchObject([
        { platformId: idOf(4), probability: 1, reason: 'pinned by the operator' },
      ]);
    }
    expect(keysOf(await matrix.select({ taskType }, { n: 2 }))[0]).toBe(idOf(4));
    await matrix.direct({ platform: platform(4), taskType, action: 'deny', reason: 'enough' });
    expect(keysOf(await matrix.select({ taskType }))).not.toContain(idOf(4));
    await matrix.direct({ platform: platform(4), taskType, action: 'allow', reason: 'again' });
    await matrix.direct({ platform: platform(4), taskType, action: 'unpin', reason: 'over' });
    expect((await matrix.select({ taskType })).picks[0]?.reason).not.toContain('pinned');
    await matrix.direct({ platform: platform(4), action: 'pin', reason: 'for all' });
    await benchmark(4, verdict('SECURITY_VIOLATION', 0));
    expect(keysOf(await matrix.select({ taskType }))).not.toContain(idOf(4));
  });

  it('RTM-8 gives nobody more than half of an hour\u2019s jobs while another could do them', async () => {
    const greedy: SelectionStrategy = {
      name: 'greedy',
      version: '1',
      distribution: (_task, candidates) =>
        candidates.map((_, index) => ({ probability: index === 0 ? 1 : 0, reason: 'first' })),
    };
    const { matrix, clock, qualify } = setUp({ strategy: greedy });
    await qualify(1, 2, 3);
    const picked: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const decision = await matrix.select({ taskType });
      picked.push(...keysOf(decision));
      // Six decisions are free, since a share of so few means nothing.
      if (i >= 6)
        expect(decision.excluded.some(({ reason }) => reason === 'over-share')).toBe(
          picked.at(-1) !== picked[0],
        );
    }
    expect(picked.slice(0, 7)).toEqual([...Array.from({ length: 6 }, () => idOf(1)), idOf(2)]);
    expect(picked.filter((id) => id === idOf(1))).toHaveLength(20);
    clock.advance(3_600_000);
    expect(keysOf(await matrix.select({ taskType }))).toEqual([idOf(1)]);
  });

  it('RTM-8 lets one platform have everything when there is no other, and takes turns between two', async () => {
    const alone = setUp();
    await alone.qualify(1);
    for (let i = 0; i < 20; i += 1)
      expect(keysOf(await alone.matrix.select({ taskType }))).toEqual([idOf(1)]);

    const two = setUp();
    await two.qualify(1, 2);
    const counts = new Map<string, number>();
    for (let i = 0; i < 40; i += 1) {
      const [id = ''] = keysOf(await two.matrix.select({ taskType }));
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual([20, 20]);
  });

  it('RTM-8 counts jobs that are out as load until they end or time out, and prefers who has fewer', async () => {
    const { matrix, clock, qualify, produce } = setUp({ random: seededRandom(3) });
    await qualify(1, 2);
    const depth = async (n: number) => (await matrix.entry(taskType, platform(n)))?.queueDepth;
    const first = await matrix.select({ taskType, jobId: 'a' });
    const busy = keysOf(first)[0] === idOf(1) ? 1 : 2;
    expect([await depth(busy), await depth(3 - busy)]).toEqual([1, 0]);
    const next = await matrix.select({ taskType, jobId: 'b' });
    const criteria = (n: number) =>
      next.candidates.find(({ platformId }) => platformId === idOf(n))?.criteria.load.value;
    expect([criteria(busy), criteria(3 - busy)]).toEqual([0.5, 1]);
    await produce(busy, 'INFRA', 'a');
    const still = keysOf(next)[0] === idOf(busy) ? 1 : 0;
    expect(await depth(busy)).toBe(still);
    clock.advance(600_000);
    expect([await depth(1), await depth(2)]).toEqual([0, 0]);
  });

  it('RTM-8c AGT-4 decides a job once: asked again, it gives the same answer and logs nothing', async () => {
    const { matrix, store, qualify } = setUp();
    await qualify(1, 2, 3);
    const before = (await store.readAfter(0, 100)).length;
    const first = await matrix.select({ taskType, jobId: 'a' }, { n: 2 });
    expect(await matrix.select({ taskType, jobId: 'a' }, { n: 2 })).toEqual(first);
    expect(await store.readAfter(before, 100)).toHaveLength(1);
    const reopened = createRoutingMatrix({ store, random: seededRandom(99) });
    expect(await reopened.select({ taskType, jobId: 'a' }, { n: 2 })).toEqual(first);
    await expect(matrix.select({ taskType: 'prose', jobId: 'a' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('RTM-8c logs probabilities, candidates and reasons, from which the choice can be redrawn', async () => {
    const { matrix, qualify, produce } = setUp({ random: () => 0.999 });
    await qualify(1, 2, 3);
    await produce(3, 'SUCCESS');
    const decision = await matrix.select({ taskType, valueMsat: 500 });
    const total = decision.candidates.reduce((sum, { probability }) => sum + probability, 0);
    expect(total).toBeCloseTo(1, 9);
    expect(decision).toMatchObject({
      strategy: 'learned',
      strategyVersion: '2',
      candidateCount: 3,
      excludedCount: 0,
      valueMsat: 500,
    });
    const [pick] = decision.picks;
    const logged = decision.candidates.find(({ platformId }) => platformId === pick?.platformId);
    expect(logged?.probability).toBe(pick?.probability);
    const { items, nextCursor } = await matrix.decisions();
    expect([items, nextCursor]).toEqual([[decision], null]);
    expect((await matrix.decisions({ taskType: 'prose' })).items).toEqual([]);
  });

  it('RTM-8 draws as often as it says', async () => {
    const { matrix, prove } = setUp({ config: { maxShare: 1 }, random: seededRandom(5) });
    await prove(1, 'SUCCESS', 'SUCCESS', 'SUCCESS');
    await prove(2, 'FAILURE', 'SUCCESS');
    await prove(3, 'PARTIAL');
    const seen = new Map<string, number>();
    const expected = new Map<string, number>();
    const rounds = 3_000;
    for (let i = 0; i < rounds; i += 1) {
      const { picks, candidates } = await matrix.select({ taskType });
      for (const { platformId } of picks) seen.set(platformId, (seen.get(platformId) ?? 0) + 1);
      for (const { platformId, probability } of candidates) {
        expected.set(platformId, (expected.get(platformId) ?? 0) + probability);
      }
    }
    expect(expected.size).toBe(3);
    for (const [id, sum] of expected)
      expect(Math.abs((seen.get(id) ?? 0) - sum)).toBeLessThan(4 * Math.sqrt(sum));
  });

  it('RTM-8 raises an alert once when fewer than three may work, and again after it was mended', async () => {
    const { matrix, qualify } = setUp();
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    expect((await matrix.select({ taskType })).picks).toEqual([]);
    await qualify(1, 2);
    await matrix.select({ taskType });
    expect(alerts).toEqual([{ type: 'few-platforms', taskType, candidates: 0, minimum: 3 }]);
    await qualify(3);
    await matrix.select({ taskType });
    await matrix.direct({ platform: platform(1), action: 'deny', reason: 'x' });
    await matrix.select({ taskType });
    expect(alerts).toHaveLength(2);
  });

  it('RTM-8c cuts a long list of candidates, but never the chosen', async () => {
    const { matrix, qualify } = setUp({ config: { loggedCandidates: 2 } });
    await qualify(1, 2, 3, 4, 5);
    const decision = await matrix.select({ taskType }, { n: 4 });
    expect(decision.candidates).toHaveLength(4);
    expect(new Set(decision.candidates.map(({ platformId }) => platformId))).toEqual(
      new Set(keysOf(decision)),
    );
    expect(decision.candidateCount).toBe(5);
  });
});

describe('the log', () => {
  const anyOutcome = fc.constantFrom<Outcome>(
    'SUCCESS',
    'PARTIAL',
    'FAILURE',
    'ERROR',
    'SECURITY_VIOLATION',
    'INFRA',
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('benchmark' as const), fc.nat(4), anyOutcome) },
    { weight: 6, arbitrary: fc.tuple(fc.constant('outcome' as const), fc.nat(4), anyOutcome) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('select' as const), fc.nat(3), anyOutcome) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('register' as const), fc.nat(4), anyOutcome) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom('pin' as const, 'deny' as const, 'suspend' as const),
        fc.nat(4),
        anyOutcome,
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('wait' as const), fc.nat(20), anyOutcome) },
  );

  it('RTM-5 RTM-20 AGT-4 reproduces every view from the log, and replayed calls change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(), async (steps, seed) => {
        const { matrix, store, clock } = setUp({ random: seededRandom(seed) });
        const types = ['code', 'prose'];
        const perform = async (again = false) => {
          for (const [index, [what, n, outcome]] of steps.entries()) {
            const type = types[index % 2] ?? 'code';
            const measurements = {
              passRate: n / 4,
              latencyMs: 100 * (n + 1),
              quality: 2 * n,
              costMsat: 10 * n,
            };
            const ref = platform(n);
            if (what === 'benchmark') {
              await matrix.recordBenchmark({
                platform: ref,
                taskType: type,
                attemptId: `a${index}`,
                verdict: { ...measurements, outcome },
              });
            } else if (what === 'outcome') {
              await matrix.recordOutcome({
                jobId: `j${index - n}`,
                platform: ref,
                taskType: type,
                outcome,
                measurements,
              });
            } else if (what === 'select') {
              await matrix.select({ taskType: type, jobId: `j${index}`, valueMsat: 1 }, { n: n + 1 });
            } else if (what === 'register') {
              if (!again) await matrix.register({ platform: ref, taskTypes: [type], priceMsat: index });
            } else if (what === 'wait') {
              clock.advance(n * 3_600_000 * 6);
            } else {
              await matrix.direct({
                id: `d${index}`,
                platform: ref,
                taskType: type,
                action: what,
                untilAt: start + 30 * dayMs,
                reason: 'r',
              });
            }
          }
        };
        await perform();
        const now = clock();
        await matrix.maintain();
        const live = await matrix.entries();
        const log = await store.readAfter(0, 10_000);

        const folded = replay(log.map(decodeRecord), resolveConfig());
        expect(entryViews(folded, now)).toEqual(live);
        const reopened = createRoutingMatrix({ store, clock });
        expect(await reopened.entries()).toEqual(live);

        for (const entry of live) {
          const { trustScore, status } = entry;
          if (status === 'BLACKLISTED') expect(trustScore).toBe(0);
          else if (trustScore !== null) {
            expect(trustScore).toBeGreaterThanOrEqual(0.1);
            expect(trustScore).toBeLessThanOrEqual(0.9);
          }
        }
        await perform(true);
        expect(await store.readAfter(0, 10_000)).toEqual(log);
      }),
      { numRuns: 60 },
    );
  });

  it('RTM-8 chooses only who may be chosen, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.boolean(), anyOutcome), { maxLength: 50 }),
        fc.nat(),
        async (steps, seed) => {
          const { matrix, benchmark, produce } = setUp({ random: seededRandom(seed) });
          for (const [n, isBenchmark, outcome] of steps) {
            if (isBenchmark) await benchmark(n, verdict(outcome, n / 5));
            else await produce(n, outcome);
          }
          const excluded = platform(0);
          const decision = await matrix.select(
            { taskType, valueMsat: 20_000 },
            { n: 4, exclude: [excluded] },
          );
          const entries = new Map<string, MatrixEntry>();
          for (const entry of await matrix.entries()) entries.set(entry.platformId, entry);
          for (const { platformId, probability } of decision.picks) {
            const entry = entries.get(platformId);
            expect(entry?.status).toMatch(/ACTIVE|CONDITIONAL/);
            expect(entry?.trustScore).toBeGreaterThanOrEqual(0.5);
            expect(platformId).not.toBe(idOf(0));
            expect(probability).toBeGreaterThan(0);
            expect(probability).toBeLessThanOrEqual(1);
          }
          expect(decision.candidateCount + decision.excludedCount).toBe(entries.size);
          if (decision.candidateCount > 0)
            expect(decision.picks.length).toBe(Math.min(4, decision.candidateCount));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('RTM-20 appends before it takes effect: when the store fails, nothing happened', async () => {
    const inner = createMemoryRoutingStore();
    let full = false;
    const store: RoutingStore = {
      ...inner,
      append: (records: readonly LogRecord[]) =>
        full ? Promise.reject(new Error('disk full')) : inner.append(records),
    };
    const { matrix, qualify, produce } = setUp({ store });
    const seen: unknown[] = [];
    await qualify(1);
    const before = await matrix.entries();
    for (const name of ['trust', 'status', 'decision', 'alert'] as const)
      matrix.on(name, (event) => seen.push(event));
    full = true;
    await expect(produce(1, 'SUCCESS', 'j')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      cause: expect.objectContaining({ message: 'disk full' }),
    });
    await expect(matrix.select({ taskType })).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await matrix.entries()).toEqual(before);
    expect(seen).toEqual([]);
    full = false;
    expect((await produce(1, 'SUCCESS', 'j')).entry.trustScore).toBe(0.7);
    expect(seen).toMatchObject([{ type: 'trust', before: 0.6, after: 0.7 }]);
  });

  it('RTM-20 tells listeners only once a record is durable, in the order of the log', async () => {
    const inner = createMemoryRoutingStore();
    const order: string[] = [];
    const store: RoutingStore = {
      ...inner,
      async append(records) {
        const result = await inner.append(records);
        order.push(...records.map(({ id }) => `stored ${id}`));
        return result;
      },
    };
    const { matrix } = setUp({ store });
    matrix.on('trust', ({ recordId }) => order.push(`told ${recordId}`));
    matrix.on('decision', ({ id }) => order.push(`told ${id}`));
    const attempt = (n: number) =>
      matrix.recordBenchmark({ platform: platform(1), taskType, attemptId: `${n}`, verdict: good() });
    await Promise.all([attempt(1), attempt(2), attempt(3), matrix.select({ taskType, jobId: 'j' })]);
    expect(order).toEqual([
      'stored benchmark:1',
      'stored benchmark:2',
      'stored benchmark:3',
      'told benchmark:3',
      'stored decision:j',
      'told decision:j',
      'stored alert:few-platforms:code#1',
    ]);
  });

  it('RTM-21 takes in what another matrix on the same log recorded, in the order of the log', async () => {
    const { matrix, store, clock, qualify, newId } = setUp();
    const other = createRoutingMatrix({ store, clock, newId: () => `other-${newId()}` });
    await other.entries();
    await qualify(1, 2);
    await other.recordOutcome({ jobId: 'x', platform: platform(1), taskType, outcome: 'SUCCESS' });
    expect((await other.entry(taskType, platform(1)))?.trustScore).toBe(0.7);
    // Reading and choosing take in first what others appended.
    expect((await matrix.entry(taskType, platform(1)))?.trustScore).toBe(0.7);
    expect(await matrix.entries()).toEqual(await other.entries());
    await matrix.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 1 });
    expect(await other.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 1 })).toEqual({
      recorded: false,
    });
    expect(await other.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 2 })).toEqual({
      recorded: true,
    });
  });

  it('RTM-24 quarantines a record that it cannot read, with its sequence number, and uses the rest', async () => {
    const { matrix, store, qualify } = setUp();
    await qualify(1);
    await store.append([
      { id: 'x', kind: 'outcome', at: 1, taskType, data: { outcome: 'SUCCESS' } },
      { id: 'y', kind: 'a-later-kind', at: 1, taskType, data: {} },
    ]);
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    await qualify(2);
    expect((await matrix.entries()).map(({ trustScore }) => trustScore)).toEqual([0.6, 0.6]);
    expect((await matrix.quarantined()).map(({ seq, recordId }) => [seq, recordId])).toEqual([
      [4, 'x'],
      [5, 'y'],
    ]);
    expect(alerts).toMatchObject([
      { type: 'record-quarantined', seq: 4 },
      { type: 'record-quarantined', seq: 5 },
    ]);
    expect(keysOf(await matrix.select({ taskType }, { n: 2 }))).toHaveLength(2);
    const reopened = createRoutingMatrix({ store });
    expect(await reopened.quarantined()).toHaveLength(2);
  });

  it('RTM-20 reads a log of more than one page', async () => {
    const { store, qualify, clock } = setUp();
    await qualify(1);
    const [model] = await store.readAfter(2, 1);
    if (model === undefined) throw new Error('nothing stored');
    const { seq: _, ...record } = model;
    await store.append(Array.from({ length: 2_500 }, (__, n) => ({ ...record, id: `more-${n}` })));
    const reopened = createRoutingMatrix({ store, clock });
    expect((await reopened.entry(taskType, platform(1)))?.benchmarks).toBe(2_503);
  });

  it('X-8 finishes what it began when it is closed, and begins nothing afterwards', async () => {
    const { matrix, store, produce } = setUp();
    const last = produce(1, 'SUCCESS', 'last');
    await matrix.close();
    expect((await last).recorded).toBe(true);
    expect(await store.readAfter(0, 10)).toHaveLength(1);
    await expect(matrix.entries()).rejects.toMatchObject({ code: 'CLOSED' });
    await using disposed = createRoutingMatrix({ store });
    expect(await disposed.entries()).toHaveLength(1);
  });
});

describe('what a host can watch', () => {
  it('X-6 counts decisions, changes of status and alerts for OpenTelemetry', async () => {
    const found = await measured(async () => {
      const { matrix, prove } = setUp();
      await prove(1, 'SUCCESS', 'SECURITY_VIOLATION');
      await matrix.select({ taskType, jobId: 'nobody-left' });
    });
    expect(found).toMatchObject({
      'bonafide.routing.decisions code none': 1,
      'bonafide.routing.status_changes code ACTIVE BLACKLISTED': 1,
      'bonafide.routing.alerts code blacklisted': 1,
      'bonafide.routing.alerts code few-platforms': 1,
    });
    expect(JSON.stringify(found)).not.toContain(platform(1).pubkey);
  });

  it('X-6 does the same work where nobody watches', async () => {
    const { matrix, prove } = setUp();
    await prove(1, 'SUCCESS');
    expect(keysOf(await matrix.select({ taskType }))).toEqual([idOf(1)]);
  });
});
