import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  type PlatformRef,
  type RoutingRecord,
  replay,
  resolveConfig,
} from '../src/index.ts';
import { shortlistOf } from '../src/selection/shortlist.ts';
import { ensureTask } from '../src/state/ensure.ts';
import { good, manualClock, platform, unmeasured } from './support.ts';

const taskType = 'code';
const idOf = (n: number) => `${platform(n).pubkey}:main`;

async function market(count: number) {
  const store = createMemoryRoutingStore();
  const clock = manualClock();
  const matrix = createRoutingMatrix({
    store,
    clock,
    random: seededRandom(3),
    config: { shareFromDecision: 1_000_000 },
  });
  for (let n = 1; n <= count; n += 1) {
    await matrix.register({ platform: platform(n), taskTypes: [taskType], priceMsat: 100 + n });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: good(),
      });
  }
  let jobs = 0;
  const job = async () => {
    clock.advance(60_000);
    const jobId = `job-${++jobs}`;
    const decision = await matrix.select({ taskType, jobId, valueMsat: 5_000 });
    for (const { platform: picked } of decision.picks)
      await matrix.recordOutcome({ jobId, platform: picked, taskType, outcome: 'SUCCESS' });
    return decision;
  };
  return { store, clock, matrix, job };
}

describe('shortlist', () => {
  it('RTM-26 considers everyone up to 64, and 64 of more', async () => {
    const { job, matrix } = await market(64);
    expect(await job()).toMatchObject({ shortlisted: null, candidateCount: 64 });
    await matrix.register({ platform: platform(65), taskTypes: [taskType] });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(65),
        taskType,
        attemptId: `65 ${i}`,
        verdict: good(),
      });
    for (let i = 0; i < 64; i += 1) await job();
    const { shortlisted, candidateCount, candidates } = await job();
    expect(shortlisted).toBe(64);
    expect(candidateCount).toBe(64);
    expect(candidates.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
  });

  it('RTM-26 gives everyone a turn: after enough decisions each newcomer was considered', async () => {
    const { store, matrix, job } = await market(120);
    for (let i = 0; i < 3; i += 1) await job();
    const log = (await store.readAfter(0, 100_000)).map(decodeRecord);
    const state = replay(log, resolveConfig({ shareFromDecision: 1_000_000 }));
    const considered = new Set<string>();
    for (let turn = 0; turn < 12; turn += 1) {
      const task = state.tasks.get(taskType);
      if (task === undefined) throw new Error('No decisions');
      task.decisions = turn * 64;
      for (const id of shortlistOf(state, taskType) ?? []) considered.add(id);
    }
    expect(considered.size).toBe(120);
    await matrix.close();
  });

  it('RTM-26 RTM-8 an operator with a thousand services does not fill the list', async () => {
    const records: RoutingRecord[] = [];
    const add = (ref: PlatformRef, latencyMs: number) => {
      for (let i = 0; i < 3; i += 1)
        records.push({
          kind: 'benchmark',
          id: `${ref.pubkey} ${ref.d} ${i}`,
          at: 1_000 + i,
          taskType,
          platform: ref,
          attemptId: `${ref.pubkey} ${ref.d} ${i}`,
          outcome: 'SUCCESS',
          smokeFailed: false,
          measurements: { ...unmeasured, passRate: 1, latencyMs },
        });
    };
    // The many are the fastest.
    for (let n = 0; n < 1_000; n += 1) add(platform(9_999, `s${n}`), 100);
    for (let n = 1; n <= 100; n += 1) add(platform(n), 400 + n);
    const state = replay(records, resolveConfig());
    const task = ensureTask(state, taskType);
    const operators = (list: readonly string[] | null) => new Set(list?.map((id) => id.split(':')[0]));
    const considered = new Set<string>();
    for (let turn = 0; turn < 20; turn += 1) {
      task.decisions = turn * 64;
      const list = shortlistOf(state, taskType) ?? [];
      expect(new Set(list).size).toBe(64);
      expect(operators(list).size).toBeGreaterThanOrEqual(50);
      for (const each of operators(list)) considered.add(each ?? '');
    }
    expect(considered.size).toBe(101);
  });

  it('RTM-26 an operator alone in the market fills the list, and each of its services has its turn', () => {
    const records = Array.from({ length: 100 }, (_, n) =>
      [0, 1, 2].map(
        (i): RoutingRecord => ({
          kind: 'benchmark',
          id: `${n} ${i}`,
          at: 1_000 + i,
          taskType,
          platform: platform(1, `s${n}`),
          attemptId: `${n} ${i}`,
          outcome: 'SUCCESS',
          smokeFailed: false,
          measurements: { ...unmeasured, passRate: 1 },
        }),
      ),
    ).flat();
    const state = replay(records, resolveConfig());
    const task = ensureTask(state, taskType);
    const considered = new Set<string>();
    for (let turn = 0; turn < 60; turn += 1) {
      task.decisions = turn * 64;
      const list = shortlistOf(state, taskType) ?? [];
      expect(list).toHaveLength(64);
      for (const id of list) considered.add(id);
    }
    expect(considered.size).toBe(100);
  });

  it('RTM-26 follows from the log: a restart decides with the same probabilities', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 60, max: 70 }), async (jobs) => {
        const { store, clock, job } = await market(70);
        for (let i = 0; i < jobs; i += 1) await job();
        const options = { clock, config: { shareFromDecision: 1_000_000 } } as const;
        const copy = createMemoryRoutingStore();
        await copy.append(await store.readAfter(0, 100_000));
        const [one, two] = [
          createRoutingMatrix({ store, random: seededRandom(9), newId: () => 'x', ...options }),
          createRoutingMatrix({ store: copy, random: seededRandom(9), newId: () => 'x', ...options }),
        ];
        expect(await one.select({ taskType, valueMsat: 9_000 })).toEqual(
          await two.select({ taskType, valueMsat: 9_000 }),
        );
      }),
      { numRuns: 2 },
    );
  });

  it('RTM-26 looks at all when the shortlist has too few, and always at the pinned one', async () => {
    const { matrix, job } = await market(80);
    await job();
    const { candidates } = await matrix.select({ taskType, valueMsat: 5_000 });
    const considered = new Set(candidates.map(({ platformId }) => platformId));
    await matrix.direct({ platform: platform(80), action: 'pin', reason: 'Mine' });
    expect((await matrix.select({ taskType, valueMsat: 5_000 })).picks[0]?.platformId).toBe(idOf(80));
    await matrix.direct({ platform: platform(80), action: 'unpin', reason: 'Not any more' });
    for (let n = 1; n <= 78; n += 1)
      await matrix.direct({ platform: platform(n), action: 'deny', reason: 'No' });
    const rest = await matrix.select({ taskType, valueMsat: 5_000 }, { n: 2 });
    expect(rest.picks.map(({ platformId }) => platformId).sort()).toEqual([idOf(79), idOf(80)]);
    expect(rest.shortlisted).toBeNull();
    expect(considered.size).toBe(32);
  });
});
