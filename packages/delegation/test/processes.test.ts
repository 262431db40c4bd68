// Several processes of one agent over one Postgres, each with connections and ports of its own, and with strangers that all of them share.
import { randomUUID } from 'node:crypto';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPgBossEngine } from '../src/engines/pg-boss.ts';
import { cancelOrder, type DelegationOptions, type Leadership, type Order } from '../src/index.ts';
import {
  createKyselyDelegationStore,
  createPostgresLeadership,
  migrateDelegation,
} from '../src/stores/kysely.ts';
import { type Reply, scriptedJudge, startWorld } from './support/world.ts';

const postgres = testDatabases().find(({ name }) => name === 'Postgres');
const hangLimit = { timeout: 500_000, interval: 20 };

const order = (id: string): Order => ({
  ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000 },
});

/** Opens a world in Postgres, in which each process notes what it does. */
async function openWorld(reply: (id: string) => Reply, { invoiceMsat = 500 } = {}) {
  const opened = await postgres?.open();
  if (opened?.url == null) throw new Error('Postgres is missing');
  onTestFinished(() => opened.close());
  await migrateDelegation(opened.db);
  const world = await startWorld(({ inputs }) => reply(inputs[0]?.data ?? ''), {
    store: createKyselyDelegationStore(opened.db),
    invoiceMsat,
  });
  await world.delegation.close();
  await world.qualifyAll();
  const schema = `boss_${randomUUID().replaceAll('-', '')}`;
  const done: { readonly what: string; readonly by: string }[] = [];
  /** Ids of the verdicts in the journal. */
  const verdicts = new Set<string>();
  /** Names of the processes that did something, in order, each once. */
  const doing = (what: string) => [...new Set(done.filter((each) => each.what === what).map(({ by }) => by))];

  const start = (
    by: string,
    { leadership, ...rest }: Partial<DelegationOptions> & { readonly leadership: Leadership },
  ) => {
    const note = (what: string) => void done.push({ what, by });
    const { matrix, journal, port } = world;
    const engine = createPgBossEngine({
      connectionString: opened.url ?? '',
      schema,
      config: { pollMs: 50, maxConnections: 4 },
    });
    const delegation = world.create({
      engine,
      leadership,
      async jobs() {
        note('start jobs');
        return {
          ...port,
          requestJob: (...args) => {
            note('request');
            return port.requestJob(...args);
          },
          async pay() {
            note('pay');
          },
          async [Symbol.asyncDispose]() {
            note('stop jobs');
          },
        };
      },
      matrix: {
        ...matrix,
        recordOutcome: async (given) => {
          const result = await matrix.recordOutcome(given);
          if (result.recorded) done.push({ what: `matrix of ${given.jobId}`, by });
          return result;
        },
      },
      journal: {
        ...journal,
        recordOutcome: async (...args) => {
          const { outcomeId } = await journal.recordOutcome(...args);
          verdicts.add(outcomeId);
        },
      },
      reflection: { hooks: { onMessage: () => note('reflect'), afterSend: () => note('reflect') } },
      publicWord: { offerReview: async () => note('review') },
      receipts: { send: async () => note('receipt') },
      ...rest,
    });
    const close = async () => {
      await delegation.close();
      await engine.close();
    };
    onTestFinished(close);
    return { delegation, close };
  };

  const connect = () => {
    if (opened.connect === null) throw new Error('Postgres is missing');
    return opened.connect();
  };
  return { world, start, connect, done, doing, verdicts };
}

describe.skipIf(postgres === undefined)('several processes', () => {
  it('ask, pay, reflect and speak in the elected one, which the others reach by wakes, and judge in all (DLG-9)', async () => {
    const { world, start, connect, done, doing } = await openWorld((id) =>
      id.startsWith('silent') ? 'never' : 'right',
    );
    const names = ['a', 'b', 'c'] as const;
    const judgedElsewhere = Promise.withResolvers<void>();
    const processes = new Map(
      names.map((name) => {
        const judge: typeof scriptedJudge = {
          async run(request) {
            // The elected one is busy until another one has judged.
            if (doing('start jobs').includes(name)) await judgedElsewhere.promise;
            else judgedElsewhere.resolve();
            done.push({ what: 'judge', by: name });
            return scriptedJudge.run(request);
          },
        };
        const leadership = createPostgresLeadership(connect(), { config: { intervalMs: 20 } });
        return [name, start(name, { leadership, judge, config: { judging: 1 } })] as const;
      }),
    );
    await expect.poll(() => doing('start jobs'), hangLimit).toHaveLength(1);
    const elected = names.find((name) => name === doing('start jobs')[0]) ?? 'a';
    const [other, third] = names.filter((name) => name !== elected).map((name) => processes.get(name));
    if (other === undefined || third === undefined) throw new Error('Three processes were started.');

    // What is handed in elsewhere reaches the elected one.
    const ids = Array.from({ length: 12 }, (_, number) => `order ${number}`);
    await Promise.all(ids.map((id) => other.delegation.delegate(order(id))));
    await Promise.all(ids.map((id) => other.delegation.settled(id)));
    for (const what of ['request', 'pay', 'reflect', 'review', 'receipt'])
      expect(doing(what), what).toEqual([elected]);
    expect(doing('judge').length).toBeGreaterThan(1);
    expect(world.jobs.size).toBe(12);
    expect((await third.delegation.get('order 3'))?.state.status).toBe('delivered');

    // So does a cancellation, here and by another program, which knows the database and nothing of the engine.
    for (const id of ['silent 1', 'silent 2']) await other.delegation.start(order(id));
    await expect.poll(() => world.jobs.size, hangLimit).toBe(14);
    await third.delegation.cancel('silent 1');
    await expect.poll(() => world.cancelled, hangLimit).toHaveLength(1);
    const program = createKyselyDelegationStore(connect());
    await cancelOrder(program, 'silent 2', { at: Date.now(), reason: 'It is not needed.' });
    await expect.poll(() => world.cancelled, hangLimit).toHaveLength(2);
    await expect.poll(() => program.wakes.list(), hangLimit).toEqual([]);

    // Another one is elected when the first one ends, and continues what was open.
    await other.delegation.start(order('silent 3'));
    await expect.poll(() => world.jobs.size, hangLimit).toBe(15);
    await processes.get(elected)?.close();
    await expect.poll(() => doing('start jobs'), hangLimit).toHaveLength(2);
    expect(done.filter(({ what }) => what.endsWith(' jobs')).map(({ what }) => what)).toEqual([
      'start jobs',
      'stop jobs',
      'start jobs',
    ]);
    world.answer([...world.jobs.values()].at(-1)?.jobId ?? '', 'right');
    await (elected === 'a' ? processes.get('b') : processes.get('a'))?.delegation.settled('silent 3');
    expect(world.jobs.size).toBe(15);
  });

  it('do nothing twice while two are elected at the same time (DLG-9, DLG-10)', async () => {
    const { world, start, done, verdicts } = await openWorld((id) =>
      id.length % 2 === 0 ? 'right' : 'wrong',
    );
    const leadership: Leadership = { lead: (task, signal) => task(signal) };
    const processes = ['a', 'b'].map((name) => start(name, { leadership }));
    const ids = Array.from({ length: 30 }, (_, number) => `order ${number}`);
    await Promise.all(
      ids.map((id, number) =>
        processes[number % 2]?.delegation.start({ ...order(id), criticality: 'normal' }),
      ),
    );
    await Promise.all(ids.map((id, number) => processes[number % 2]?.delegation.settled(id)));
    const { items } = await world.store.list({ limit: 500 });
    const replicas = items.reduce((sum, { state }) => sum + state.replicas.length, 0);
    expect(world.jobs.size).toBe(replicas);
    const records = done.filter(({ what }) => what.startsWith('matrix of '));
    expect(records).toHaveLength(replicas);
    expect(verdicts.size).toBe(replicas);
  });
});
