// A new version of the package takes over the orders of the old one, and records in another order.
import { testDatabases } from '@bonafide/storage/testing';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { DelegationEngine, Order, RecordTarget } from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { startWorld } from './support/world.ts';

const order = (id: string): Order => ({
  id,
  taskType: 'code',
  inputs: [{ data: id }],
  suite: {},
  valueMsat: 1_000,
  criticality: 'normal',
});

/** The order in which the new version records: what the old one did last comes first. */
const newOrder: readonly RecordTarget[] = [
  'receipt',
  'review',
  'matrix',
  'request',
  'reflection',
  'journal',
  'claim',
];

/** Loads the package as a later version, whose steps come in another order. */
async function loadNewVersion() {
  vi.resetModules();
  vi.doMock('../src/flow/finished.ts', async (importOriginal) => {
    const original = await importOriginal<typeof import('../src/flow/finished.ts')>();
    return {
      ...original,
      recordsDue: (...args: Parameters<typeof original.recordsDue>) =>
        original.recordsDue(...args).toSorted((a, b) => newOrder.indexOf(a) - newOrder.indexOf(b)),
    };
  });
  vi.doMock('../src/flow/next-step.ts', async (importOriginal) => {
    const original = await importOriginal<typeof import('../src/flow/next-step.ts')>();
    return {
      ...original,
      nextStep: (...args: Parameters<typeof original.nextStep>) => {
        const next = original.nextStep(...args);
        return { ...next, steps: next.steps.toReversed() };
      },
    };
  });
  return await import('../src/index.ts');
}

afterEach(() => {
  vi.doUnmock('../src/flow/finished.ts');
  vi.doUnmock('../src/flow/next-step.ts');
  vi.resetModules();
});

/** A world on a real file that counts what is said, once per piece of work. */
async function openWorld() {
  const database = testDatabases().find(({ name }) => name === 'node:sqlite');
  const opened = await database?.open();
  if (opened === undefined) throw new Error('node:sqlite is missing');
  onTestFinished(() => opened.close());
  await migrateDelegation(opened.db);
  const said: string[] = [];
  const recorded: string[] = [];
  const world = await startWorld(({ provider }) => (provider.endsWith('1') ? 'wrong' : 'right'), {
    store: createKyselyDelegationStore(opened.db),
    publicWord: { offerReview: async ({ key, outcome }) => said.push(`review of ${key}: ${outcome}`) },
    receipts: { send: async ({ key, outcome }) => said.push(`receipt of ${key}: ${outcome}`) },
  });
  await world.qualifyAll();
  const { recordOutcome } = world.matrix;
  const matrix = {
    ...world.matrix,
    recordOutcome: async (given: Parameters<typeof recordOutcome>[0]) => {
      const result = await recordOutcome(given);
      if (result.recorded) recorded.push(`${given.jobId} ${given.platform.pubkey}`);
      return result;
    },
  };
  return { world, matrix, said, recorded };
}

it('continues orders that the old version left open after each of their facts (DLG-2, DLG-8, DLG-10)', async () => {
  const { createDelegation } = await loadNewVersion();
  const { world, matrix, said, recorded } = await openWorld();
  await world.delegation.close();
  // The old version ends after one more fact each time.
  for (let facts = 1; facts <= 14; facts += 1) {
    const old = world.create({ matrix });
    let seen = 0;
    const enough = new Promise<void>((resolve) => {
      old.on('step', () => {
        seen += 1;
        if (seen >= facts) resolve();
      });
      old.on('settled', () => resolve());
    });
    await old.start(order(`order ${facts}`));
    await enough;
    await old.close();
  }
  await using next = createDelegation({ ...world.ports, matrix });
  await expect.poll(async () => (await next.list({ settled: false })).items.length).toBe(0);
  const { items } = await next.list({ limit: 500 });
  const works = items.flatMap(({ state }) =>
    state.replicas.filter(({ check }) => check?.checkedBy === 'judge'),
  );
  expect(items).toHaveLength(14);
  expect(items.every(({ state }) => state.status === 'delivered')).toBe(true);
  expect(new Set(recorded).size).toBe(recorded.length);
  for (const kind of ['review', 'receipt'])
    expect(new Set(said.filter((each) => each.startsWith(kind))).size).toBeGreaterThanOrEqual(works.length);
  // It is another version indeed.
  await next.delegate(order('later'));
  const { state } = await next.settled('later');
  const recordedLast = state.replicas.find(({ check }) => check?.checkedBy === 'judge')?.recorded ?? [];
  expect(recordedLast.indexOf('matrix')).toBeLessThan(recordedLast.indexOf('journal'));
  // A word that is said again says the same.
  const outcomes = new Map<string, Set<string>>();
  for (const each of said) {
    const [work = '', outcome = ''] = each.split(': ');
    outcomes.set(work, (outcomes.get(work) ?? new Set()).add(outcome));
  }
  expect([...outcomes.values()].every(({ size }) => size === 1)).toBe(true);
});

it('works beside the old version on the same orders (DLG-8, DLG-9, DLG-10)', async () => {
  const { createDelegation, createEmbeddedEngine } = await loadNewVersion();
  const { world, matrix, recorded } = await openWorld();
  await world.delegation.close();
  const engine = (): DelegationEngine =>
    createEmbeddedEngine({ store: world.store.wakes, config: { exclusive: false, pollMs: 20 } });
  await using old = world.create({ matrix, engine: engine() });
  await using next = createDelegation({ ...world.ports, matrix, engine: engine() });
  const ids = Array.from({ length: 30 }, (_, number) => `order ${number}`);
  await Promise.all(ids.map((id, number) => (number % 2 === 0 ? old : next).delegate(order(id))));
  await expect.poll(async () => (await next.list({ settled: false })).items.length).toBe(0);
  const { items } = await next.list({ limit: 500 });
  expect(items.every(({ state }) => state.status === 'delivered')).toBe(true);
  expect(new Set(recorded).size).toBe(recorded.length);
  expect(recorded).toHaveLength(items.reduce((sum, { state }) => sum + state.replicas.length, 0));
});
