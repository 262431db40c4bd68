// Attacks of platforms on the agent that hands out work to them.
import { describe, expect, it } from 'vitest';
import {
  DelegationError,
  type Jobs,
  type Journal,
  type Matrix,
  type Order,
  type PlatformRef,
} from '../src/index.ts';
import { key, platform, type Reply, selectsFirst, startWorld } from './support/world.ts';

const order = (rest: Partial<Order> = {}): Order => ({
  id: 'a',
  taskType: 'code',
  inputs: [{ data: 'Do it.' }],
  suite: {},
  valueMsat: 1_000,
  ...rest,
});
const tasks = Array.from({ length: 12 }, (_, index) => ({
  id: `task ${index}`,
  inputs: [{ data: `Solve ${index}.` }],
  suite: { hidden: index },
}));
const benchmarks = { tasks: () => tasks };
/** Services of one operator. */
const servicesOf = (number: number, count: number): PlatformRef[] =>
  Array.from({ length: count }, (_, index) => ({ pubkey: key(number), d: `service ${index}` }));

describe('identifiers chosen by a platform', () => {
  const hostile = [
    'x'.repeat(510),
    'é'.repeat(255),
    'a:b#1:refuse',
    'line\nbreak\u0001',
    '☠'.repeat(170),
    '',
  ];

  it.each(hostile)('cannot prevent its blacklisting in trials: %j (DLG-5, DLG-10)', async (d) => {
    const world = await startWorld(() => 'attack', { benchmarks, refs: [{ pubkey: key(1), d }] });
    await using delegation = world.delegation;
    expect(await delegation.qualify({ pubkey: key(1), d }, 'code')).toMatchObject({ status: 'BLACKLISTED' });
  });

  it.each(hostile)('cannot prevent its refusal in production: %j (DLG-6, RTM-25)', async (d) => {
    const world = await startWorld(() => 'attack', { refs: [{ pubkey: key(1), d }] });
    await world.qualifyAll();
    await using delegation = world.delegation;
    await expect(delegation.delegate(order())).rejects.toMatchObject({ code: 'NO_PLATFORM' });
    await expect.poll(async () => (await delegation.get('a'))?.settled).toBe(true);
    const { picks } = await world.matrix.select({ taskType: 'code', jobId: 'other' });
    expect(picks).toEqual([]);
  });

  it('cannot burn the money of trials (DLG-5, DLG-6)', async () => {
    // The client of jobs refuses control characters in keys.
    const refs = [{ pubkey: key(1), d: 'control\u0001' }, platform(2)];
    const world = await startWorld(() => 'right', { benchmarks, refs, config: { trialsPerDayMsat: 3_000 } });
    const jobs: Jobs = {
      ...world.port,
      async requestJob(request, options) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: as the client of jobs checks.
        if (/[\u0000-\u001f]/.test(options.idempotencyKey) || request.provider === key(1))
          throw new DelegationError('INVALID_INPUT', 'idempotencyKey: not a plain text');
        return world.port.requestJob(request, options);
      },
    };
    await world.delegation.close();
    await using delegation = world.create({ jobs });
    await expect(delegation.qualify({ pubkey: key(1), d: 'control\u0001' }, 'code')).rejects.toMatchObject({
      code: 'NO_PLATFORM',
    });
    expect(await delegation.qualify(platform(2), 'code')).toMatchObject({ status: 'ACTIVE' });
  });

  it('do not end the upkeep of the others (DLG-5)', async () => {
    const refs = [
      { pubkey: key(1), d: 'x'.repeat(1_025) },
      { pubkey: key(2), d: '☠'.repeat(2_000) },
      { pubkey: key(3), d: 'nul\0' },
      platform(4),
    ];
    const world = await startWorld(() => 'right', { benchmarks, refs });
    await using delegation = world.delegation;
    await delegation.keepUp('code');
    await expect.poll(async () => (await world.matrix.entry('code', platform(4)))?.status).toBe('ACTIVE');
  });

  it('a failure about one platform does not end the upkeep of the others (DLG-5)', async () => {
    let now = 1_700_000_000_000;
    const world = await startWorld(() => 'right', { benchmarks, count: 2, clock: () => now });
    await world.qualifyAll();
    await world.delegation.close();
    now = Date.now() + 2 * 86_400_000;
    const getBriefing: Journal['getBriefing'] = async (peerId) => {
      if (peerId === key(1)) throw new Error('one corrupt row');
      return world.journal.getBriefing(peerId);
    };
    await using delegation = world.create({ journal: { ...world.journal, getBriefing } });
    await delegation.keepUp('code');
    await expect.poll(async () => (await world.matrix.entry('code', platform(2)))?.benchmarks).toBe(4);
  });
});

describe('one operator with several services', () => {
  it('does not stop the trials of others (DLG-5)', async () => {
    const refs = [...servicesOf(1, 5), platform(2)];
    const world = await startWorld(({ provider }) => (provider === key(1) ? 'never' : 'right'), {
      benchmarks,
      refs,
    });
    await using delegation = world.delegation;
    expect(await delegation.qualifyNewcomers('code')).toBe(2);
    await expect.poll(async () => (await world.matrix.entry('code', platform(2)))?.status).toBe('ACTIVE');
    expect([...world.jobs.values()].filter(({ request }) => request.provider === key(1))).toHaveLength(1);
  });

  it('does not use up the money of trials by silence (DLG-5, DLG-6)', async () => {
    const world = await startWorld(
      ({ provider }) => (provider === key(1) ? { fails: 'JOB_TIMED_OUT' } : 'right'),
      { benchmarks, count: 2, config: { trialsPerDayMsat: 3_000 } },
    );
    await using delegation = world.delegation;
    expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status: 'REJECTED' });
    expect(await delegation.qualify(platform(2), 'code')).toMatchObject({ status: 'ACTIVE' });
  });

  it('has one attempt at an order (DLG-3)', async () => {
    const refs = [...servicesOf(1, 6), platform(2)];
    const world = await startWorld(({ provider }) => (provider === key(1) ? 'wrong' : 'right'), {
      refs,
      config: { attempts: 10 },
    });
    await world.qualifyAll();
    await using delegation = world.delegation;
    for (const id of ['a', 'b', 'c', 'd'])
      expect(await delegation.delegate(order({ id }))).toMatchObject({ content: 'right' });
    const asked = [...world.jobs.values()].filter(({ request }) => request.provider === key(1));
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('has one vote, also when others decline (DLG-4)', async () => {
    const refs = [...servicesOf(1, 4), platform(2), platform(3)];
    const replies: Record<string, Reply> = { [key(1)]: 'false', [key(2)]: 'true' };
    const world = await startWorld(({ provider }) => replies[provider] ?? { fails: 'JOB_FAILED' }, {
      refs,
      config: { attempts: 10 },
    });
    await world.qualifyAll();
    await using delegation = world.delegation;
    await expect(
      delegation.delegate(order({ suite: undefined, criticality: 'important' })),
    ).rejects.toMatchObject({ code: 'NO_CONSENSUS' });
    expect([...world.jobs.values()].filter(({ request }) => request.provider === key(1))).toHaveLength(1);
  });

  it('does not get trials under a new identifier while it is blacklisted or refused (DLG-5)', async () => {
    const refs = [{ pubkey: key(1), d: 'old' }];
    const world = await startWorld(({ provider }) => (provider === key(1) ? 'attack' : 'right'), {
      benchmarks,
      refs,
    });
    await using delegation = world.delegation;
    expect(await delegation.qualify({ pubkey: key(1), d: 'old' }, 'code')).toMatchObject({
      status: 'BLACKLISTED',
    });
    const [old] = world.listed.splice(0);
    if (old !== undefined) world.listed.push({ ...old, d: 'new' });
    expect(await delegation.qualifyNewcomers('code')).toBe(0);
  });

  it('is refused with all of its services (DLG-6, RTM-25)', async () => {
    const refs = servicesOf(1, 3);
    const world = await startWorld(() => 'attack', { refs, config: { attempts: 1 } });
    await world.qualifyAll();
    await using delegation = world.delegation;
    await expect(delegation.delegate(order())).rejects.toMatchObject({ code: 'NO_PLATFORM' });
    await expect.poll(async () => (await delegation.get('a'))?.settled).toBe(true);
    const { picks } = await world.matrix.select({ taskType: 'code', jobId: 'other' });
    expect(picks).toEqual([]);
  });

  it('sees no benchmark task twice (DLG-5)', async () => {
    const refs = servicesOf(1, 2);
    const world = await startWorld(() => 'right', { benchmarks, refs });
    await using delegation = world.delegation;
    for (const ref of refs) await delegation.qualify(ref, 'code');
    const { items } = await delegation.list({ trialOperator: key(1) });
    const seen = items.map(({ state }) => state.order.trial?.taskId);
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
  });
});

describe('silence and time', () => {
  it('until the deadline is a timeout in the journal and the matrix (DLG-3, DLG-6)', async () => {
    const world = await startWorld(() => 'never', { count: 1 });
    await world.qualifyAll();
    await using delegation = world.delegation;
    const deadlineAt = Date.now() + 1_500;
    await expect(delegation.delegate(order({ deadlineAt }))).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect.poll(async () => (await delegation.get('a'))?.settled).toBe(true);
    expect((await world.matrix.entry('code', platform(1)))?.outcomes.ERROR).toBe(1);
    expect((await world.journal.getPeerAssessmentSummary(key(1)))?.counts).toMatchObject({ failures: 1 });
  });

  const throwing = () => {
    throw new Error('no JSON');
  };
  it('a check that throws has not accepted the answer (DLG-3, DLG-7)', async () => {
    const world = await startWorld(() => 'right', { config: { attempts: 5 } });
    await world.qualifyAll();
    await using delegation = world.delegation;
    await expect(delegation.delegate(order({ suite: undefined, accept: throwing }))).rejects.toMatchObject({
      code: 'NO_PLATFORM',
    });
    expect(world.jobs.size).toBe(3);
  });

  it.each([
    [
      'a check that never resolves',
      { order: { suite: undefined, accept: () => new Promise<boolean>(() => {}) } },
    ],
    ['a judge that never resolves', { judge: { run: () => new Promise<never>(() => {}) } }],
    ['a judge that throws', { judge: { run: async () => throwing() } }],
    ['a matrix that never resolves', { matrix: { select: () => new Promise(() => {}) } }],
  ] as const)(
    '%s does not hold an order past its deadline, nor the end of the process (DLG-3, DLG-8)',
    async (_, hung) => {
      const world = await startWorld(() => 'right', { count: 1 });
      await world.qualifyAll();
      await world.delegation.close();
      const delegation = world.create({
        ...('judge' in hung ? { judge: hung.judge } : {}),
        ...('matrix' in hung ? { matrix: { ...world.matrix, ...hung.matrix } as Matrix } : {}),
      });
      const rest = 'order' in hung ? hung.order : {};
      await expect(
        delegation.delegate(order({ ...rest, deadlineAt: Date.now() + 1_500 })),
      ).rejects.toMatchObject({ code: 'TIMEOUT' });
      await delegation.close();
    },
  );

  it('a check that never resolves ends after its time limit (DLG-7)', async () => {
    const world = await startWorld(() => 'right', { count: 1, config: { checkTimeoutMs: 200 } });
    await world.qualifyAll();
    await using delegation = world.delegation;
    await expect(
      delegation.delegate(order({ suite: undefined, accept: () => new Promise(() => {}) })),
    ).rejects.toMatchObject({ code: 'NO_PLATFORM' });
  });
});

describe('money', () => {
  it('a price that was raised after the trials blinds no order (DLG-3)', async () => {
    const world = await startWorld(() => 'right', { count: 9 });
    await world.qualifyAll();
    const [last, ...others] = world.listed;
    for (const each of others) each.card.pricing.amountMsat = 1_000_000;
    await world.delegation.close();
    const prices = new Map<string, number | null | undefined>();
    const register: Matrix['register'] = (given) => {
      prices.set(given.platform.pubkey, given.priceMsat);
      return world.matrix.register(given);
    };
    await using delegation = world.create({ matrix: { ...world.matrix, register } });
    for (const id of ['a', 'b', 'c', 'd'])
      expect(await delegation.delegate(order({ id }))).toMatchObject({ platform: { pubkey: last?.pubkey } });
    expect(new Set(prices.values())).toEqual(new Set([1_000_000]));
  });

  it('a rejected answer costs what was paid, whatever it asks for (DLG-3, DLG-6)', async () => {
    const world = await startWorld(({ provider }) => (provider === key(1) ? 'wrong' : 'right'), {
      count: 2,
      invoiceMsat: 1_000,
    });
    await world.qualifyAll();
    await world.delegation.close();
    const costs: [string, number | null | undefined][] = [];
    const recordOutcome: Matrix['recordOutcome'] = (given) => {
      costs.push([given.outcome, given.measurements?.costMsat]);
      return world.matrix.recordOutcome(given);
    };
    const select = selectsFirst(world.matrix, platform(1), world.listed);
    await using delegation = world.create({ matrix: { ...world.matrix, select, recordOutcome } });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await delegation.delegate(order({ id }));
      await delegation.settled(id);
    }
    const { items } = await delegation.list();
    expect(items.some(({ state }) => state.replicas.length === 2)).toBe(true);
    for (const [outcome, cost] of costs) expect(cost).toBe(outcome === 'SUCCESS' ? 1_000 : 0);
  });

  it('a card on which the option `bid` fails costs no other platform its chance (DLG-3)', async () => {
    const world = await startWorld(() => 'right', { count: 3, prices: [null, 300, 400] });
    await world.qualifyAll();
    await world.delegation.close();
    const select = selectsFirst(world.matrix, platform(1), world.listed);
    await using delegation = world.create({
      matrix: { ...world.matrix, select },
      // As most callers would write it: a card without a price breaks it.
      bid: ({ platform: { card } }) => (card.pricing as { amountMsat: number }).amountMsat.valueOf(),
    });
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const { platform: hired, cost } = await delegation.delegate(order({ id }));
      expect([key(2), key(3)]).toContain(hired.pubkey);
      expect([300, 400]).toContain(cost.bidMsat);
    }
  });

  it('a bid that is no number is the price of the card (DLG-3, DLG-6)', async () => {
    const world = await startWorld(() => 'right', { count: 1, prices: [300] });
    await world.qualifyAll();
    for (const [id, bid] of [
      ['a', async () => 100],
      ['b', () => Number.NaN],
      ['c', () => '100'],
    ] as const) {
      await using delegation = world.create({ bid: bid as unknown as () => number });
      expect(await delegation.delegate(order({ id }))).toMatchObject({ cost: { bidMsat: 300 } });
    }
  });
});

describe('a record that fails', () => {
  it('for one platform does not hold up the others of the order (DLG-3, DLG-8)', async () => {
    const world = await startWorld(({ provider }) => (provider === key(1) ? 'wrong' : 'right'), { count: 2 });
    await world.qualifyAll();
    await world.delegation.close();
    let failures = 0;
    const select = selectsFirst(world.matrix, platform(1), world.listed);
    const recordOutcome: Matrix['recordOutcome'] = async (given) => {
      if (given.platform.pubkey !== key(1)) return world.matrix.recordOutcome(given);
      failures += 1;
      throw new Error('one corrupt row');
    };
    await using delegation = world.create({ matrix: { ...world.matrix, select, recordOutcome } });
    expect(await delegation.delegate(order())).toMatchObject({ platform: { pubkey: key(2) } });
    // Each repetition would have come later than the one before.
    expect(failures).toBe(1);
    await expect.poll(async () => (await world.matrix.entry('code', platform(2)))?.outcomes.SUCCESS).toBe(1);
    expect(await delegation.get('a')).toMatchObject({ settled: false });
  });
});
