import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { createRoutingMatrix, type RoutingAlert, type SelectionStrategy } from '../src/index.ts';
import { dayMs, idOf, keysOf, setUp, taskType } from './support/matrix.ts';
import { good, platform, start, verdict } from './support.ts';

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

  it('RTM-8c AGT-4 does not keep a decision without platforms: the job gets one once there is one', async () => {
    const { matrix, store, clock, qualify } = setUp();
    const decided: string[] = [];
    matrix.on('decision', ({ id, picks }) => decided.push(`${id} ${picks.length}`));
    for (let again = 0; again < 3; again += 1) {
      expect((await matrix.select({ taskType, jobId: 'a' })).picks).toEqual([]);
      clock.advance(1_000);
    }
    // Logged once, however often a host asks.
    expect(decided).toEqual(['decision:no-platform:a 0']);
    expect((await matrix.decisions()).items.map(({ jobId, at }) => [jobId, at])).toEqual([['a', start]]);
    await expect(matrix.select({ taskType: 'prose', jobId: 'a' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });

    await qualify(1);
    const chosen = await matrix.select({ taskType, jobId: 'a' }, { n: 2 });
    expect(keysOf(chosen)).toEqual([idOf(1)]);
    expect(decided).toEqual(['decision:no-platform:a 0', 'decision:a 1']);
    // From now on it holds, also with more platforms, without any that is left, and after a restart.
    await qualify(2);
    expect(await matrix.select({ taskType, jobId: 'a' }, { n: 2 })).toEqual(chosen);
    const none = { exclude: [platform(1), platform(2)] };
    expect(await matrix.select({ taskType, jobId: 'a' }, none)).toEqual(chosen);
    const reopened = createRoutingMatrix({ store, clock, random: seededRandom(99) });
    expect(await reopened.select({ taskType, jobId: 'a' }, none)).toEqual(chosen);
    // Each reader of the log has the same state.
    expect(await reopened.entries()).toEqual(await matrix.entries());
    expect((await reopened.exportSnapshot()).snapshot).toBe((await matrix.exportSnapshot()).snapshot);
    // Another job's id that looks like the one of a decision is no other job.
    await expect(matrix.select({ taskType, jobId: 'no-platform:a' })).rejects.toMatchObject({
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

  it('RTM-8 the services of one operator are one source of supply for the alert', async () => {
    const { matrix, qualify } = setUp();
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    await qualify(1, 2);
    for (const d of ['a', 'b', 'c'])
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(1, d),
          taskType,
          attemptId: `${d} ${i}`,
          verdict: good(),
        });
    expect((await matrix.select({ taskType })).candidateCount).toBe(5);
    expect(alerts).toEqual([{ type: 'few-platforms', taskType, candidates: 2, minimum: 3 }]);
  });

  it('RTM-8c RTM-23 logs what changed, and what decisions share cannot be changed by who reads one', async () => {
    const { matrix, qualify } = setUp();
    await qualify(1, 2, 3);
    const criteriaOf = async (jobId: string) => {
      const { candidates } = await matrix.select({ taskType, jobId, size: 2 });
      return new Map(candidates.map(({ platformId, criteria }) => [platformId, criteria]));
    };
    const first = await criteriaOf('a');
    for (const criteria of first.values())
      for (const part of [criteria, ...Object.values(criteria)])
        expect(() => Object.assign(part, { value: 2, trust: null })).toThrow(TypeError);
    // The job is open, so that its platform has a load.
    const second = await criteriaOf('b');
    const loads = (criteria: typeof first) => [...criteria.values()].map(({ load }) => load.raw).sort();
    expect([loads(first), loads(second)]).toEqual([
      [0, 0, 0],
      [0, 0, 1],
    ]);
    for (const [id, { load, trust, cost, latency, exploration }] of second) {
      expect(load).toEqual(load.raw === 0 ? first.get(id)?.load : { raw: 1, value: 0.5, contribution: 0.05 });
      expect({ trust, cost, latency, exploration }).toEqual({ ...first.get(id), load: undefined });
    }
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
