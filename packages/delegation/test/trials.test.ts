import { expect, it } from 'vitest';
import {
  createEmbeddedEngine,
  createMemoryDelegationStore,
  type DelegationStore,
  type PlatformSource,
} from '../src/index.ts';
import { key, platform, startWorld } from './support/world.ts';

const tasks = Array.from({ length: 12 }, (_, index) => ({
  id: `task ${index}`,
  inputs: [{ data: `Solve ${index}.` }],
  suite: { hidden: index },
}));
const benchmarks = { tasks: () => tasks };

it('gives trials until the matrix has decided, each with a task that the platform has not seen (DLG-5)', async () => {
  const world = await startWorld(() => 'right', { benchmarks });
  await using delegation = world.delegation;
  const qualified: string[] = [];
  delegation.on('qualified', ({ status }) => qualified.push(status));
  expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status: 'ACTIVE' });
  const { items } = await delegation.list({ trialOf: `${key(1)}:x` });
  expect(items.map(({ state }) => state.order.trial?.taskId).sort()).toEqual(['task 0', 'task 1', 'task 2']);
  expect([...world.jobs.values()].every(({ request }) => (request.bidMsat ?? 0) <= 1_000)).toBe(true);
  expect(qualified).toEqual(['ACTIVE']);
  // The hidden tests stay here.
  expect(JSON.stringify([...world.jobs.values()].map(({ request }) => request))).not.toContain('hidden');
  expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status: 'ACTIVE' });
  expect(world.jobs.size).toBe(3);
});

it.each([
  ['REJECTED', 'wrong'],
  ['BLACKLISTED', 'attack'],
] as const)('ends with %s for a platform that is %s (DLG-5)', async (status, reply) => {
  const world = await startWorld(() => reply, { benchmarks });
  await using delegation = world.delegation;
  expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status });
});

it('never pays more for a trial than the limit, and tries no platform that asks for more (DLG-5, DLG-6)', async () => {
  const world = await startWorld(() => 'right', { benchmarks, prices: [5_000], config: { trialMsat: 700 } });
  await using delegation = world.delegation;
  await expect(delegation.qualify(platform(1), 'code')).rejects.toMatchObject({
    code: 'NO_PLATFORM',
    message: expect.stringContaining('5000'),
  });
  expect(world.jobs.size).toBe(0);
  expect(await delegation.qualify(platform(2), 'code')).toMatchObject({ status: 'ACTIVE' });
  expect([...world.jobs.values()].map(({ request }) => request.bidMsat)).toEqual([700, 700, 700]);
});

it('ends when no task is left that the platform has not seen (DLG-5)', async () => {
  const world = await startWorld(() => 'right', { benchmarks: { tasks: () => tasks.slice(0, 2) } });
  await using delegation = world.delegation;
  await expect(delegation.qualify(platform(1), 'code')).rejects.toMatchObject({ code: 'NO_BENCHMARK' });
});

it('tries newcomers, at most so many at once and for so much money a day (DLG-5)', async () => {
  const world = await startWorld(() => 'never', { benchmarks, count: 6, config: { platformsOnTrial: 2 } });
  await using delegation = world.delegation;
  expect(await delegation.qualifyNewcomers('code')).toBe(2);
  expect(await delegation.qualifyNewcomers('code')).toBe(0);
  await expect.poll(() => world.jobs.size).toBe(2);

  const poor = await startWorld(() => 'right', { benchmarks, count: 6, config: { trialsPerDayMsat: 4_000 } });
  await using second = poor.delegation;
  await second.qualifyNewcomers('code');
  await expect.poll(() => poor.jobs.size).toBe(4);
  const { items } = await second.list({ trialOf: '*' });
  expect(items).toHaveLength(4);
});

it('resumes trials after a restart and keeps up without being told again (DLG-5, DLG-8)', async () => {
  const world = await startWorld(() => 'right', { benchmarks, count: 3 });
  await world.delegation.keepUp('code');
  await world.delegation.close();
  await using second = world.create();
  await expect
    .poll(async () => (await world.matrix.entries({ taskType: 'code' })).map(({ status }) => status))
    .toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  expect(world.jobs.size).toBe(9);
  await second.ready();
});

it('benchmarks a platform that was not verified for long (DLG-5)', async () => {
  let now = 1_700_000_000_000;
  const world = await startWorld(() => 'right', { benchmarks, count: 1, clock: () => now });
  await world.qualifyAll();
  now = Date.now() + 2 * 86_400_000;
  await using delegation = world.delegation;
  await delegation.keepUp('code');
  await expect.poll(() => world.jobs.size).toBe(1);
  await expect.poll(async () => (await world.matrix.entry('code', platform(1)))?.benchmarks).toBe(4);
});

it('needs a judge and tasks for trials (DLG-5)', async () => {
  await using delegation = (await startWorld(() => 'right')).delegation;
  await expect(delegation.qualify(platform(1), 'code')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('never promises more than the money of the day, also from two processes at once (DLG-5, DLG-9)', async () => {
  const config = { trialsPerDayMsat: 4_000, platformsOnTrial: 10 };
  const world = await startWorld(() => 'never', { benchmarks, count: 10, config });
  await world.delegation.close();
  const notes = new Map<string, number>();
  // Every process reads before any of them writes.
  const slow = {
    ...world.store,
    async note(name: string) {
      const found = await world.store.note(name);
      notes.set(name, (notes.get(name) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return found;
    },
  };
  const processes = [1, 2, 3].map(() => world.create({ store: slow }));
  await Promise.all(processes.map((each) => each.qualifyNewcomers('code')));
  await expect.poll(() => world.jobs.size).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await world.store.list({ trialOf: '*' })).items).toHaveLength(4);
  for (const each of processes) await each.close();
});

it('ends trials also when the clock goes back, or that of the process that does them is behind (DLG-5, DLG-9)', async () => {
  let behindMs = 0;
  const store = createMemoryDelegationStore();
  const world = await startWorld(() => 'right', {
    benchmarks,
    count: 1,
    clock: () => Date.now() - behindMs,
    engine: createEmbeddedEngine({ store: store.wakes }),
    store: {
      ...store,
      async putNote(name, note) {
        const written = await store.putNote(name, note);
        if (name.startsWith('qualify') && note.revision === 1) behindMs = 5_000;
        return written;
      },
    },
  });
  await using delegation = world.delegation;
  expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status: 'ACTIVE' });
  expect(world.jobs.size).toBe(3);
  // A benchmark is one trial.
  behindMs = -2 * 86_400_000;
  await delegation.keepUp('code');
  await expect.poll(async () => (await world.matrix.entry('code', platform(1)))?.benchmarks).toBe(4);
  await expect
    .poll(async () => JSON.parse((await store.note(`benchmark:code:${key(1)}:x`))?.value ?? '{}').endedAt)
    .toBeGreaterThan(0);
  expect(world.jobs.size).toBe(4);
});

it('does not use up the tasks of a platform that no relay reaches (DLG-5)', async () => {
  const world = await startWorld(() => ({ fails: 'JOB_TIMED_OUT', timeoutClass: 'delivery' }), {
    benchmarks,
    count: 1,
    config: { upkeepMs: 10 },
  });
  await world.qualifyAll();
  await world.delegation.close();
  let rounds = 0;
  const entries: typeof world.matrix.entries = async (filter) => {
    rounds += 1;
    const found = await world.matrix.entries(filter);
    return found.map((entry) => ({ ...entry, lastVerifiedAt: null }));
  };
  await using delegation = world.create({ matrix: { ...world.matrix, entries } });
  await delegation.keepUp('code');
  await expect.poll(() => world.jobs.size).toBe(1);
  rounds = 0;
  await expect.poll(() => rounds).toBeGreaterThan(20);
  expect(world.jobs.size).toBe(1);
});

it('continues a trial that was stored although the store said that it failed (DLG-5, DLG-8, DLG-10)', async () => {
  const inner = createMemoryDelegationStore();
  let failures = 0;
  const store: DelegationStore = {
    ...inner,
    async create(record) {
      const created = await inner.create(record);
      failures += 1;
      if (failures === 1) throw new Error('The answer of the store was lost.');
      return created;
    },
  };
  const world = await startWorld(() => 'right', { benchmarks, store, config: { recheckMs: 50 } });
  await using delegation = world.delegation;
  expect(await delegation.qualify(platform(1), 'code')).toMatchObject({ status: 'ACTIVE' });
  expect(world.jobs.size).toBe(3);
});

it('tries the service that an operator renamed, whose former card the registry keeps as deleted (DLG-5)', async () => {
  const world = await startWorld(() => 'right', { benchmarks, count: 1 });
  await world.matrix.register({ platform: { pubkey: key(1), d: 'former' }, taskTypes: ['code'] });
  await world.delegation.close();
  const [listed] = world.listed;
  let status = 'discovered';
  const source: PlatformSource = {
    ...world.source,
    get: async (pubkey, d) =>
      d === 'former' && listed ? { ...listed, d, status } : world.source.get(pubkey, d),
  };
  await using delegation = world.create({ source });
  expect(await delegation.qualifyNewcomers('code')).toBe(0);
  status = 'archived';
  expect(await delegation.qualifyNewcomers('code')).toBe(1);
});
