// Orders of another version of the package, or of another way to run it, are continued.
import { testDatabases } from '@bonafide/storage/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  createEmbeddedEngine,
  type DelegationEngine,
  isSettled,
  type Leadership,
  type Order,
  type OrderEvent,
  type OrderState,
  type RecordTarget,
} from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { after, answer, check, newOrder, pick, start } from './support/orders.ts';
import { platform, startWorld } from './support/world.ts';

const targets = ['request', 'journal', 'matrix', 'reflection', 'review', 'receipt'] as const;

/** A world on a real file that counts the effects of records by order, with the real journal and the real matrix. */
async function openWorld() {
  const database = testDatabases().find(({ name }) => name === 'node:sqlite');
  const opened = await database?.open();
  if (opened === undefined) throw new Error('node:sqlite is missing');
  onTestFinished(() => opened.close());
  await migrateDelegation(opened.db);
  const effects = new Map<string, number>();
  const count = (target: RecordTarget, key: string) => {
    const name = `${target} of ${key.split('/')[0]}`;
    effects.set(name, (effects.get(name) ?? 0) + 1);
  };
  const recorded: string[] = [];
  const world = await startWorld(({ provider }) => (provider.endsWith('1') ? 'wrong' : 'right'), {
    store: createKyselyDelegationStore(opened.db),
    publicWord: { offerReview: async ({ key }) => count('review', key) },
    receipts: { send: async ({ key }) => count('receipt', key) },
    reflection: {
      hooks: { onMessage: ({ content }) => count('reflection', content), afterSend: () => {} },
    },
  });
  await world.qualifyAll();
  const { matrix, journal } = world;
  const ports = {
    ...world.ports,
    matrix: {
      ...matrix,
      recordOutcome: async (given: Parameters<typeof matrix.recordOutcome>[0]) => {
        count('matrix', given.jobId);
        const result = await matrix.recordOutcome(given);
        if (result.recorded) recorded.push(`${given.jobId} ${given.platform.pubkey}`);
        return result;
      },
    },
    journal: {
      ...journal,
      recordOutgoing: (message: Parameters<typeof journal.recordOutgoing>[0]) => {
        count('request', message.content);
        return journal.recordOutgoing(message);
      },
      recordIncoming: (message: Parameters<typeof journal.recordIncoming>[0]) => {
        count('journal', message.content);
        return journal.recordIncoming(message);
      },
    },
  };
  return { world, ports, effects, recorded };
}

/** Every subset of the places in which an end is recorded. */
const subsets = Array.from({ length: 2 ** targets.length }, (_, bits) =>
  targets.filter((_target, index) => bits & (1 << index)),
);

it('carries out exactly what is missing, in whatever order an earlier version recorded (DLG-2, DLG-8, DLG-10)', async () => {
  const { world, ports, effects } = await openWorld();
  await world.delegation.close();
  const chosen = (id: string): OrderState => {
    const picks = [{ ...pick(1), platform: platform(1) }];
    const order = newOrder({ id, inputs: [{ data: id }], suite: {} }, { attempts: 1 });
    return after(order, { type: 'chosen', at: start, round: 1, wanted: 1, picks, exclusions: [] });
  };
  const leftOpen: { readonly id: string; readonly done: readonly RecordTarget[] }[] = [];
  const leave = async (id: string, done: readonly RecordTarget[], events: readonly OrderEvent[]) => {
    const open = events.length === 0 ? null : await askFor(id);
    const state = after(
      chosen(id),
      ...events.map((event) => (event.type === 'requested' ? { ...event, jobId: open ?? '' } : event)),
    );
    const settled = isSettled(state);
    const stored = { id, fingerprint: id, revision: 1, state, settled, createdAt: start, updatedAt: start };
    await world.store.create(stored);
    leftOpen.push({ id, done });
  };
  const askFor = async (id: string): Promise<string> => {
    const request = { kind: 5000, provider: platform(1).pubkey, inputs: [{ data: id }] };
    const { jobId } = await world.port.requestJob(request, { idempotencyKey: `${id}/1`, providerRelays: [] });
    return jobId;
  };
  const about = { at: start, replica: 1 } as const;
  const requested: OrderEvent = { type: 'requested', ...about, jobId: '' };
  const answered = (id: string): OrderEvent => ({
    ...{ type: 'answered', ...about, paid: null },
    answer: answer(id, { externalId: `answer of ${id}` }),
  });
  await leave('chosen', [], []);
  await leave('requested', [], [requested]);
  await leave(
    'asked',
    ['request'],
    [requested, { type: 'recorded', ...about, hasAnswer: false, targets: ['request'] }],
  );
  await leave('answered', [], [requested, answered('answered')]);
  for (const [number, done] of subsets.entries()) {
    const id = `checked ${number}`;
    const checked: OrderEvent = { type: 'checked', ...about, check: check('SUCCESS') };
    const record: OrderEvent = { type: 'recorded', ...about, hasAnswer: true, targets: done };
    await leave(id, done, [requested, answered(id), checked, record]);
  }

  await using next = world.create(ports);
  await expect.poll(async () => (await next.list({ settled: false })).items.length).toBe(0);
  for (const { id, done } of leftOpen) {
    const made = targets.filter((target) => effects.get(`${target} of ${id}`) === 1);
    // The answer of a world is its content: the first three were not answered by the earlier version.
    const expected = targets.filter((target) => !done.includes(target));
    const isAnswered = id === 'answered' || id.startsWith('checked');
    expect(made, id).toEqual(
      isAnswered ? expected : expected.filter((target) => target !== 'journal' && target !== 'reflection'),
    );
  }
  expect(leftOpen).toHaveLength(subsets.length + 4);
});

it('goes on while one process becomes many: both work on the same orders (DLG-8, DLG-9, DLG-10)', async () => {
  const { world, ports, recorded } = await openWorld();
  await world.delegation.close();
  const engine = (): DelegationEngine =>
    createEmbeddedEngine({ store: world.store.wakes, config: { exclusive: false, pollMs: 20 } });
  const leadership: Leadership = { lead: (task, signal) => task(signal) };
  const order = (id: string): Order => ({
    ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000, criticality: 'normal' },
  });
  await using alone = world.create({ ...ports, engine: engine() });
  // The steps of this one are spread over three queues, and come in another order.
  await using one = world.create({ ...ports, engine: engine(), leadership });
  const ids = Array.from({ length: 30 }, (_, number) => `order ${number}`);
  await Promise.all(ids.map((id, number) => (number % 2 === 0 ? alone : one).delegate(order(id))));
  await expect.poll(async () => (await one.list({ settled: false })).items.length).toBe(0);
  const { items } = await one.list({ limit: 500 });
  expect(items.every(({ state }) => state.status === 'delivered')).toBe(true);
  expect(new Set(recorded).size).toBe(recorded.length);
  expect(recorded).toHaveLength(items.reduce((sum, { state }) => sum + state.replicas.length, 0));
});
