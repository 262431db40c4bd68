import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  type Outcome,
  type RoutingConfigInput,
  replay,
  resolveConfig,
} from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

const dayMs = 86_400_000;
const taskType = 'code';

function setUp(config: RoutingConfigInput = {}, strategy: 'learned' | 'tiered' = 'learned') {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  const open = () => createRoutingMatrix({ store, clock, random: seededRandom(2), config, strategy });
  const matrix = open();
  let ids = 0;
  const qualify = async (ref: { pubkey: string; d: string }, type = taskType) => {
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: ref,
        taskType: type,
        attemptId: `a${++ids}`,
        verdict: good(),
      });
  };
  /** Gives one job and reports what its platform made of it. */
  const job = async (conduct: (pubkey: string, valueMsat: number) => Outcome, valueMsat = 1_000) => {
    clock.advance(60_000);
    const jobId = `j${++ids}`;
    const decision = await matrix.select({ taskType, jobId, valueMsat });
    for (const { platform: picked } of decision.picks)
      await matrix.recordOutcome({
        jobId,
        platform: picked,
        taskType,
        outcome: conduct(picked.pubkey, valueMsat),
      });
    return decision;
  };
  return { clock, store, open, matrix, qualify, job };
}

describe('attacks', () => {
  it('RTM-24 long keys, identifiers and job ids survive a restart, and count once', async () => {
    const { matrix, open, qualify, store } = setUp();
    const long = { pubkey: 'k'.repeat(256), d: '界'.repeat(512) };
    const jobId = '🙂'.repeat(256);
    await matrix.register({ platform: long, taskTypes: [taskType], priceMsat: 5 });
    await qualify(long);
    await matrix.select({ taskType, jobId, valueMsat: 1 });
    for (let i = 0; i < 2; i += 1) {
      await matrix.recordOutcome({
        jobId,
        platform: long,
        taskType,
        outcome: 'ERROR',
        measurements: { errorKind: 'disk' },
      });
    }
    await matrix.budgets.set({ dailyMsat: 100 });
    await matrix.budgets.reserve({ reservationId: jobId, taskType, amountMsat: 60 });
    expect(await matrix.budgets.settle(jobId, 50)).toMatchObject({ state: 'settled', paidMsat: 50 });
    await matrix.recordOutcome({ jobId: 'x', platform: long, taskType, outcome: 'SECURITY_VIOLATION' });
    const heir = open();
    expect(await heir.quarantined()).toEqual([]);
    expect(await heir.entries()).toEqual(await matrix.entries());
    expect((await heir.entries())[0]).toMatchObject({ outcomes: { ERROR: 1 }, cost: { listedMsat: 5 } });
    for (const { id } of await store.readAfter(0, 100))
      expect(Buffer.byteLength(id)).toBeLessThanOrEqual(512);
  });

  it.each(['__proto__', 'constructor', 'toString', '$map'])(
    'RTM-24 a task type called %s is like any other',
    async (type) => {
      const { matrix, open, qualify, clock, store } = setUp({ adaptiveThresholds: true });
      for (const n of [1, 2, 3]) await qualify(platform(n), type);
      const before = clock();
      clock.advance(1_000);
      for (let i = 0; i < 6; i += 1) {
        await matrix.select({ taskType: type, jobId: `j${i}`, valueMsat: 1, deadlineMs: 1_000 });
        await matrix.recordOutcome({
          jobId: `j${i}`,
          platform: platform(1),
          taskType: type,
          outcome: 'SUCCESS',
          measurements: { latencyMs: 900 },
        });
      }
      await matrix.maintain();
      await matrix.budgets.set({ taskType: type, dailyMsat: 10 });
      expect(
        await matrix.budgets.reserve({ reservationId: 'r', taskType: type, amountMsat: 11 }),
      ).toMatchObject({
        state: 'refused',
      });
      const { thresholds, variables } = await matrix.thresholds();
      expect(Object.hasOwn(thresholds, type)).toBe(true);
      // Parsed records lose a member called __proto__, so none is written.
      if (type !== '__proto__') {
        expect(Object.hasOwn(variables.TIMEOUT_CONFIGURATION?.byTaskType ?? {}, type)).toBe(true);
        await matrix.rollbackThresholds({ at: before });
        expect((await matrix.entry(type, platform(1)))?.threshold).toBe(0.5);
      }
      const heir = open();
      expect(await heir.quarantined()).toEqual([]);
      expect(await heir.thresholds()).toEqual(await matrix.thresholds());
      expect(
        replay(
          (await store.readAfter(0, 1_000)).map(decodeRecord),
          resolveConfig({ adaptiveThresholds: true }),
        ).entries.has(type),
      ).toBe(true);
    },
  );

  it('RTM-5 RTM-11 a time in the future does not freeze what comes after it', async () => {
    const { matrix, qualify, clock } = setUp();
    await qualify(platform(1));
    await matrix.recordOutcome({
      jobId: 'late',
      platform: platform(1),
      taskType,
      outcome: 'FAILURE',
      at: 8_640_000_000_000_000,
    });
    expect((await matrix.entry(taskType, platform(1)))?.lastVerifiedAt).toBe(clock());
    clock.advance(60 * dayMs);
    const faded = await matrix.entry(taskType, platform(1));
    expect(faded?.posteriorMean).toBeGreaterThan(0.5);
    expect((await matrix.dueProbes())[0]?.reason).toBe('silence');
  });

  it('RTM-24 one unreadable record in the middle of the log costs only itself', async () => {
    const { matrix, store, open, qualify, job } = setUp();
    for (const n of [1, 2, 3]) await qualify(platform(n));
    await store.append([
      { id: 'a', kind: 'from-the-future', at: 1, taskType: null, data: {} },
      { id: 'b', kind: 'outcome', at: -1, taskType, data: { platform: null } },
      { id: 'c', kind: 'base', at: 1, taskType: null, data: { snapshot: 'no snapshot' } },
      {
        id: 'd',
        kind: 'mutation',
        at: 1,
        taskType: null,
        data: { source: 'agent', proposal: { newThresholds: { code: 7 } } },
      },
    ]);
    expect((await job(() => 'SUCCESS')).picks).toHaveLength(1);
    const heir = open();
    expect((await heir.quarantined()).map(({ recordId }) => recordId)).toEqual(['a', 'b', 'c', 'd']);
    expect(await heir.entries()).toEqual(await matrix.entries());
  });

  it('RTM-25 many small good jobs do not license a large one, and a cheat loses its work', async () => {
    const { qualify, job, matrix } = setUp({ adaptiveThresholds: false });
    for (const n of [1, 2, 3, 4]) await qualify(platform(n));
    const cheat = platform(1).pubkey;
    for (let i = 0; i < 60; i += 1) await job(() => 'SUCCESS', 100 + (i % 50));
    let cheated = 0;
    for (let i = 0; i < 60; i += 1) {
      const { picks } = await job(
        (pubkey, value) => (pubkey === cheat && value > 10_000 ? 'FAILURE' : 'SUCCESS'),
        100_000,
      );
      if (picks[0]?.platform.pubkey === cheat) cheated += 1;
    }
    expect(cheated).toBeLessThan(15);
    expect((await matrix.entry(taskType, platform(1)))?.platformId).toContain(cheat);
  });

  it('RTM-26 a flood of new identities does not take the work of those that earned it', async () => {
    const { qualify, job } = setUp({ adaptiveThresholds: false });
    const honest = [1, 2, 3, 4].map((n) => platform(n).pubkey);
    for (const n of [1, 2, 3, 4]) await qualify(platform(n));
    for (let i = 0; i < 80; i += 1) await job(() => 'SUCCESS');
    for (let n = 100; n < 180; n += 1) await qualify(platform(n));
    let lost = 0;
    for (let i = 0; i < 120; i += 1) {
      const { picks } = await job((pubkey) => (honest.includes(pubkey) ? 'SUCCESS' : 'FAILURE'));
      if (!honest.includes(picks[0]?.platform.pubkey ?? '')) lost += 1;
    }
    expect(lost).toBeLessThan(40);
  });

  it.each(['learned', 'tiered'] as const)(
    'RTM-8 the share rule forces no work on platforms that always fail (%s)',
    async (strategy) => {
      const { qualify, job } = setUp({}, strategy);
      for (const n of [1, 2, 3]) await qualify(platform(n));
      const honest = platform(1).pubkey;
      const conduct = (pubkey: string) => (pubkey === honest ? 'SUCCESS' : 'FAILURE');
      for (let i = 0; i < 60; i += 1) await job(() => 'SUCCESS', 100_000);
      for (let i = 0; i < 60; i += 1) await job(conduct, 100_000);
      let failed = 0;
      for (let i = 0; i < 100; i += 1) {
        const { picks } = await job(conduct, 100_000);
        if (picks[0]?.platform.pubkey !== honest) failed += 1;
      }
      expect(failed).toBeLessThan(5);
    },
  );

  it('RTM-8 RTM-8b the share rule sends no large job to a platform below the threshold', async () => {
    const { qualify, job, matrix } = setUp({}, 'tiered');
    for (const n of [1, 2]) await qualify(platform(n));
    for (let i = 0; i < 2; i += 1) {
      const failure = { jobId: `f${i}`, platform: platform(2), taskType, outcome: 'FAILURE' } as const;
      await matrix.recordOutcome(failure);
    }
    for (let i = 0; i < 30; i += 1) {
      const { picks } = await job(() => 'SUCCESS', 1_000_000);
      expect(picks[0]?.platform.pubkey).toBe(platform(1).pubkey);
    }
  });

  it('RTM-8 an honest newcomer gets work, whatever the established do', async () => {
    const { qualify, job } = setUp();
    for (const n of [1, 2, 3]) await qualify(platform(n));
    for (let i = 0; i < 80; i += 1) await job(() => (i % 10 === 0 ? 'FAILURE' : 'SUCCESS'));
    await qualify(platform(9));
    let got = 0;
    for (let i = 0; i < 150; i += 1) {
      const { picks } = await job((pubkey) =>
        pubkey === platform(9).pubkey || i % 10 !== 0 ? 'SUCCESS' : 'FAILURE',
      );
      if (picks[0]?.platform.pubkey === platform(9).pubkey) got += 1;
    }
    expect(got).toBeGreaterThan(5);
  });
});

describe('hostile identifiers', () => {
  const long = { pubkey: 'k'.repeat(256), d: 'x'.repeat(1_024) };
  const tooLong = { pubkey: 'k', d: 'x'.repeat(1_025) };
  const broken = { pubkey: 'a:b', d: '\u{d800}' };

  it('RTM-20 reconcile ignores items that cannot be platforms, and treats the rest', async () => {
    const warnings: unknown[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (details: unknown) => warnings.push(details) };
    const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), logger });
    for (const ref of [long, platform(1), platform(2)]) {
      await matrix.register({ platform: ref, taskTypes: [taskType] });
    }
    const known = [platform(1), tooLong, broken, long, null, 7, 'npub1'] as never[];
    expect(await matrix.reconcile(known)).toEqual([platform(2)]);
    expect(warnings).toContainEqual(expect.objectContaining({ ignored: 5 }));
    expect(await matrix.reconcile([])).toEqual([long, platform(1)]);
  });

  it('RTM-20 reconcile quarantines again what left the registry twice', async () => {
    const { matrix } = setUp();
    await matrix.register({ platform: platform(1), taskTypes: [taskType] });
    for (let i = 0; i < 2; i += 1) {
      expect(await matrix.reconcile([])).toEqual([platform(1)]);
      expect((await matrix.entry(taskType, platform(1)))?.quarantined).toBe(true);
      await matrix.direct({ platform: platform(1), action: 'readmit', source: 'policy', reason: 'Back' });
      expect((await matrix.entry(taskType, platform(1)))?.quarantined).toBe(false);
    }
  });

  it('RTM-9 a selection ignores exclusions that cannot be platforms', async () => {
    const { matrix, qualify } = setUp();
    for (const n of [1, 2]) await qualify(platform(n));
    const exclude = [tooLong, broken, platform(1)];
    const { picks } = await matrix.select({ taskType, valueMsat: 1 }, { exclude });
    expect(picks.map(({ platform: { pubkey } }) => pubkey)).toEqual([platform(2).pubkey]);
  });

  it('RTM-24 ids composed of long identifiers are accepted, and unique', async () => {
    const { matrix, open, qualify } = setUp();
    await qualify(long);
    const composed = (n: number) => `policy:${long.pubkey}:${long.d}#${n}:refuse`;
    await matrix.select({ taskType, valueMsat: 1, jobId: composed(1) });
    const outcome = { jobId: composed(1), platform: long, taskType, outcome: 'SUCCESS' } as const;
    expect((await matrix.recordOutcome(outcome)).recorded).toBe(true);
    expect((await matrix.recordOutcome(outcome)).recorded).toBe(false);
    const order = { platform: long, action: 'refuse', reason: 'r' } as const;
    expect(await matrix.direct({ ...order, id: composed(1) })).toEqual({ recorded: true });
    expect(await matrix.direct({ ...order, id: composed(2) })).toEqual({ recorded: true });
    expect(await matrix.direct({ ...order, id: composed(2) })).toEqual({ recorded: false });
    await matrix.budgets.set({ dailyMsat: 100 });
    await matrix.budgets.reserve({ reservationId: composed(3), taskType, amountMsat: 1 });
    expect(await open().quarantined()).toEqual([]);
  });

  it('RTM-1 a registration keeps the task types that it can store, and a version of any length', async () => {
    const { matrix, open } = setUp();
    await matrix.register({
      platform: platform(1),
      taskTypes: [
        taskType,
        'x'.repeat(129),
        '',
        '\u{dc00}',
        ...Array.from({ length: 300 }, (_, i) => `t${i}`),
      ],
      version: `1.2.3${'-rc'.repeat(100)}`,
    });
    const types = (await matrix.entries()).map((entry) => entry.taskType);
    expect(types).toContain(taskType);
    expect(types).toHaveLength(256);
    expect(await open().entries()).toEqual(await matrix.entries());
    await expect(matrix.register({ platform: platform(1), taskTypes: [7] as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('clocks', () => {
  it('RTM-24 RTM-20 a clock with fractions of a millisecond writes records that can be read', async () => {
    let now = 1_767_225_600_000.25;
    const clock = () => {
      now += 0.37;
      return now;
    };
    const store = createMemoryRoutingStore();
    const matrix = createRoutingMatrix({ store, clock });
    for (let i = 0; i < 3; i += 1) {
      const attempt = { platform: platform(1), taskType, attemptId: `a${i}`, verdict: good() };
      await matrix.recordBenchmark({ ...attempt, at: now - 10.5 });
    }
    await matrix.register({ platform: platform(1), taskTypes: [taskType], at: now - 1_000.75 });
    const suspend = {
      platform: platform(2),
      action: 'suspend',
      reason: 'r',
      untilAt: now + 60_000.5,
    } as const;
    await matrix.direct(suspend);
    await matrix.select({ taskType, valueMsat: 1, jobId: 'j' });
    await matrix.recordOutcome({ jobId: 'j', platform: platform(1), taskType, outcome: 'SUCCESS' });
    await matrix.budgets.set({ dailyMsat: 10 });
    await matrix.budgets.reserve({ reservationId: 'r', taskType, amountMsat: 1 });
    await matrix.budgets.settle('r', 1);
    await matrix.applyMutation({ newThresholds: { code: 0.6 } });
    await matrix.rollbackThresholds({ at: now - 4.5 });
    await matrix.reconcile([]);
    await matrix.maintain();
    const heir = createRoutingMatrix({ store, clock });
    expect(await heir.quarantined()).toEqual([]);
    for (const { at } of await store.readAfter(0, 100)) expect(Number.isSafeInteger(at)).toBe(true);
  });

  it('X-9 a clock without a time is refused, and nothing is recorded', async () => {
    for (const now of [Number.NaN, Number.POSITIVE_INFINITY, '2026' as never]) {
      const store = createMemoryRoutingStore();
      const matrix = createRoutingMatrix({ store, clock: () => now });
      await expect(
        matrix.recordOutcome({ jobId: 'j', platform: platform(1), taskType, outcome: 'SUCCESS' }),
      ).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
      expect(await store.readAfter(0, 1)).toEqual([]);
    }
  });
});

describe('exposure', () => {
  const cap = 10_000;

  /** Platforms of one operator and one other that are tried only: their trust is below the threshold. */
  async function strangers() {
    const world = setUp({ exposureCapMsat: cap }, 'tiered');
    const refs = [platform(1, 'a'), platform(1, 'b'), platform(1, 'c'), platform(2)];
    for (const [n, ref] of refs.entries()) {
      await world.qualify(ref);
      for (let i = 0; i < 2; i += 1) {
        const failed = { jobId: `f${n} ${i}`, platform: ref, taskType, outcome: 'FAILURE' } as const;
        await world.matrix.recordOutcome(failed);
      }
    }
    return { ...world, refs };
  }

  it('RTM-25 open jobs of one operator on trial are never worth more than the cap together', async () => {
    const { matrix, clock } = await strangers();
    const open = new Map<string, number>();
    for (let i = 0; i < 40; i += 1) {
      const valueMsat = 1_000 + 500 * (i % 7);
      const { picks } = await matrix.select({ taskType, jobId: `o${i}`, valueMsat });
      for (const { platform: picked } of picks) {
        open.set(picked.pubkey, (open.get(picked.pubkey) ?? 0) + valueMsat);
      }
    }
    expect(open.size).toBe(2);
    for (const sum of open.values()) {
      expect(sum).toBeLessThanOrEqual(cap);
      expect(sum).toBeGreaterThan(cap / 2);
    }
    expect((await matrix.select({ taskType, jobId: 'x', valueMsat: 5_000 })).picks).toEqual([]);
    // What is never answered stops counting as load, and as exposure.
    clock.advance(600_000);
    expect((await matrix.select({ taskType, jobId: 'y', valueMsat: 5_000 })).picks).toHaveLength(1);
  });

  it('RTM-25 an outcome frees its part of the cap, and a replay agrees', async () => {
    const { matrix, open } = await strangers();
    const first = await matrix.select({ taskType, jobId: 'a', valueMsat: cap }, { n: 2 });
    expect(first.picks).toHaveLength(2);
    expect((await open().select({ taskType, jobId: 'b', valueMsat: 1 })).picks).toEqual([]);
    const picked = first.picks[0]?.platform ?? platform(0);
    await matrix.recordOutcome({ jobId: 'a', platform: picked, taskType, outcome: 'SUCCESS' });
    const next = await matrix.select({ taskType, jobId: 'c', valueMsat: 1 });
    expect(next.picks[0]?.platform.pubkey).toBe(picked.pubkey);
  });
});
