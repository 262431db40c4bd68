import { join } from 'node:path';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import { createJobClient, type PaymentOutcome, type Wallet } from '../src/index.ts';
import {
  createKyselyJobStore,
  createKyselyPaymentStore,
  createKyselyProviderStore,
  migrateJobs,
} from '../src/stores/kysely.ts';
import { directory } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, manualTime, person, provider, quick, relay, sentTo } from './world.ts';

const settled: PaymentOutcome = {
  status: 'settled',
  preimage: secretOf('invoice').preimage,
  feesMsat: 0,
};

/** Stores of one process on a database that several share. */
async function stores(path: string, agentId = 'default') {
  const db = openSqlite<unknown>({ path });
  onTestFinished(() => db.destroy());
  await migrateJobs(db);
  return {
    store: createKyselyJobStore(db, { agentId }),
    payments: createKyselyPaymentStore(db, { agentId }),
    provided: createKyselyProviderStore(db, { agentId }),
  };
}

describe('two clients of one agent', () => {
  const pair = async (wallet?: Wallet) => {
    const path = join(directory(), 'jobs.db');
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const open = async () => {
      const { store, payments } = await stores(path);
      const options = wallet ? { payments: { wallet, store: payments } } : {};
      const asking = await client([at.url], {
        store,
        // Longer than any pause of a busy machine: only who closes gives the job up.
        config: { ...quick, leaseMs: 240_000, watchIntervalMs: 20 },
        ...options,
      });
      return Object.assign(asking, { store, payments });
    };
    const [first, second] = [await open(), await open()];
    const spec = { kind: 5000, provider: pubkey, inputs: [{ data: 'x' }], bidMsat: 4_000 };
    const say = async (requestId: string, what: object) => {
      const request = at.events({ ids: [requestId] })[0];
      if (request === undefined) throw new Error('not published');
      const about = { request, createdAt: Date.now(), ...what };
      const template = 'content' in what ? buildJobResult(about as never) : buildFeedback(about as never);
      at.publish(await signer.signEvent(template));
    };
    return { at, first, second, spec, say, open };
  };

  it('ask once for one key, and both get the result (JOB-27, X-20)', async () => {
    const { at, first, second, spec, say } = await pair();
    const [one, two] = await Promise.all([
      first.requestJob(spec, { idempotencyKey: 'k' }),
      second.requestJob(spec, { idempotencyKey: 'k' }),
    ]);
    expect(two.jobId).toBe(one.jobId);
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await say(one.jobId, { status: 'partial', info: 'half' });
    await eventually(() => expect([one.state, two.state]).toEqual(['partial', 'partial']));
    await say(one.jobId, { content: 'done' });
    expect((await one.result).content).toBe('done');
    expect((await two.result).content).toBe('done');
    const said = [];
    for await (const { status } of two.feedback) said.push(status);
    expect(said).toEqual(['partial']);
    // Only the one that holds the job published and listened.
    expect(new Set(sentTo(at, 5000)).size).toBe(1);
    const listening = at.connections.filter(({ subscriptions }) => subscriptions.length > 0);
    expect(listening.length).toBeLessThanOrEqual(1);
  });

  it('pay once, however slow the wallet is (JOB-27, JOB-19, X-20)', async () => {
    const answer = Promise.withResolvers<PaymentOutcome>();
    const pay = vi.fn<Wallet['pay']>(() => answer.promise);
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const { at, first, second, spec, say, open } = await pair(wallet);
    const one = await first.requestJob(spec, { idempotencyKey: 'k' });
    const two = await second.requestJob(spec, { idempotencyKey: 'k' });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await say(one.jobId, {
      status: 'payment-required',
      amountMsat: 4_000,
      bolt11: invoice({ amountMsat: 4_000 }),
    });
    await eventually(() => expect(pay).toHaveBeenCalledTimes(1));
    const payment = await first.payments.get(one.jobId);
    expect(payment).toMatchObject({ status: 'in-flight' });
    // A third one finds the open payment at its start, and waits as well.
    const third = await open();
    const reads = vi.spyOn(third.payments, 'get');
    await eventually(() => expect(reads.mock.calls.length).toBeGreaterThan(2));
    expect(await first.payments.get(one.jobId)).toEqual(payment);
    await eventually(() => expect(two.state).toBe('payment-required'));
    answer.resolve(settled);
    await eventually(() => expect([one.state, two.state]).toEqual(['paid', 'paid']));
    await say(one.jobId, { content: 'done' });
    expect((await two.result).content).toBe('done');
    expect(pay).toHaveBeenCalledTimes(1);
  });

  it('do not pay for a job that the other one has just cancelled (JOB-19, JOB-27)', async () => {
    const path = join(directory(), 'jobs.db');
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const [mine, theirs] = [await stores(path), await stores(path)];
    // Neither looks for changes of the other in time.
    const config = { ...quick, watchIntervalMs: 60_000 };
    const spec = { kind: 5000, provider: pubkey, inputs: [{ data: 'x' }], bidMsat: 4_000 };
    const second = await client([at.url], { store: theirs.store, config });
    const pay = vi.fn<Wallet['pay']>(async () => settled);
    const first = await client([at.url], {
      store: mine.store,
      config,
      payments: {
        wallet: { pay, lookup: async () => ({ status: 'unknown' }) },
        store: {
          ...mine.payments,
          async hold(...payment) {
            const held = await mine.payments.hold(...payment);
            const same = await second.requestJob(spec, { idempotencyKey: 'k' });
            await same.cancel('not needed');
            return held;
          },
        },
      },
    });
    const { jobId } = await first.requestJob(spec, { idempotencyKey: 'k' });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    const request = at.events({ ids: [jobId] })[0];
    if (request === undefined) throw new Error('not published');
    // Nothing is left for the first one to write, by which it would learn of the cancellation.
    await eventually(async () => expect((await mine.store.get(jobId))?.deliveredAt).not.toBeNull());
    const demand = buildFeedback({
      request,
      createdAt: Date.now(),
      status: 'payment-required',
      amountMsat: 4_000,
      bolt11: invoice({ amountMsat: 4_000 }),
    } as never);
    at.publish(await signer.signEvent(demand));
    await eventually(async () =>
      expect(await mine.payments.get(jobId)).toMatchObject({ status: 'failed-after-lookup' }),
    );
    expect(pay).not.toHaveBeenCalled();
    expect(await mine.store.get(jobId)).toMatchObject({ state: 'cancelled' });
  });

  it('take over from each other when one closes (JOB-27)', async () => {
    const { at, first, second, spec, say } = await pair();
    const one = await first.requestJob(spec, { idempotencyKey: 'k' });
    const two = await second.requestJob(spec, { idempotencyKey: 'k' });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await first.close();
    await expect(one.result).rejects.toMatchObject({ code: 'CLOSED' });
    await say(two.jobId, { content: 'for the second' });
    expect((await two.result).content).toBe('for the second');
  });

  it('lose no result when the other one writes at the same time (JOB-27)', async () => {
    const { at, first, second, spec, say } = await pair();
    const one = await first.requestJob(spec, { idempotencyKey: 'k' });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await eventually(() => expect(one.state).toBe('delivered'));
    // A foreign revision, as another process writes it.
    const stored = await second.store.get(one.jobId);
    if (stored === null) throw new Error('not stored');
    expect(
      await second.store.update({
        job: { ...stored, revision: stored.revision + 1, feedbackCount: stored.feedbackCount },
        transition: null,
        feedback: null,
      }),
    ).toBe(true);
    await say(one.jobId, { content: 'not dropped' });
    expect((await one.result).content).toBe('not dropped');
  });
});

describe('a job that is resumed', () => {
  it('keeps its time limit, however often (JOB-27)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const { store } = await stores(join(directory(), 'jobs.db'));
    const config = { ...quick, retryDelaysMs: [], processingTimeoutMs: 10_000, resultTimeoutMs: 5_000 };
    const open = () => client([at.url], { clock: time.clock, timers: time.timers, store, config });
    let asking = await open();
    const { jobId } = await asking.requestJob({ kind: 5000, provider: pubkey });
    await eventually(async () => {
      time.advance(1);
      expect((await asking.get(jobId))?.state).toBe('delivered');
    });
    const deliveredAt = (await store.get(jobId))?.deliveredAt ?? 0;
    for (let life = 0; life < 5; life += 1) {
      time.advance(1_500);
      await asking.close();
      asking = await open();
    }
    const job = await asking.get(jobId);
    await eventually(() => {
      time.advance(100);
      expect(job?.state).toBe('timed_out');
    });
    expect(job?.job.endedAt ?? 0).toBeLessThan(deliveredAt + 10_000 + 5_000 + 2_000);
  });
});

describe('two processes of one provider', () => {
  it('work on each request once (X-20)', async () => {
    const path = join(directory(), 'provider.db');
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const worked = vi.fn(async () => 'done');
    for (let process = 0; process < 2; process += 1) {
      const { provided } = await stores(path);
      await provider([at.url], worked, {
        store: provided,
        // Longer than any pause of a busy machine: a lease that ends is another test.
        config: { leaseMs: 120_000, publishTimeoutMs: 240_000, publishRetryDelaysMs: [20, 50] },
      });
    }
    const asking = await client([at.url], { config: quick });
    const jobs = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: `${number}` }] }),
      ),
    );
    await Promise.all(jobs.map((job) => job.result));
    expect(worked).toHaveBeenCalledTimes(10);
    expect(at.events({ kinds: [6000] })).toHaveLength(10);
  });
});

describe('a client that was never closed', () => {
  it('is followed by another one when its store fails (JOB-27)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { store } = await stores(join(directory(), 'jobs.db'));
    let dead = false;
    const dying = new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) =>
          dead ? Promise.reject(new Error('The process has died.')) : method.apply(target, args);
      },
    });
    const first = createJobClient({
      transport: (await import('./world.ts')).transport(),
      signer: (await person(keys.customer)).signer,
      store: dying,
      relays: [at.url],
      config: { ...quick, leaseMs: 150 },
    });
    onTestFinished(() => first.close());
    await first.start();
    const { jobId } = await first.requestJob({ kind: 5000, provider: pubkey });
    dead = true;
    const second = await client([at.url], { store, config: { ...quick, leaseMs: 150, watchIntervalMs: 20 } });
    const job = await second.get(jobId);
    await provider([at.url], () => 'done');
    expect((await job?.result)?.content).toBe('done');
  });
});

describe('two agents on one database', () => {
  it('neither resume nor pay the jobs of the other one, nor share a key or a budget (JOB-27, DLG-9)', async () => {
    const path = join(directory(), 'shared.db');
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const open = async (agentId: string, secret: string) => {
      const { store, payments } = await stores(path, agentId);
      const pay = vi.fn<Wallet['pay']>(async (bolt11) => ({
        status: 'settled',
        preimage: secretOf(bolt11 === forAlice ? 'alice' : 'bob').preimage,
        feesMsat: 0,
      }));
      const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
      const asking = await client([at.url], {
        store,
        signer: (await person(secret)).signer,
        payments: { wallet, store: payments, budget: { limitMsat: 4_040 } },
        config: { ...quick, leaseMs: 150, watchIntervalMs: 20 },
      });
      return { asking, store, pay };
    };
    const forAlice = invoice({ name: 'alice', amountMsat: 4_000 });
    const forBob = invoice({ name: 'bob', amountMsat: 4_000 });
    const spec = { kind: 5000, provider: pubkey, inputs: [{ data: 'x' }], bidMsat: 4_000 };
    const alice = await open('alice', keys.customer);
    const hers = await alice.asking.requestJob(spec, { idempotencyKey: 'k' });
    const demand = async (request: NostrEvent, bolt11: string) => {
      const about = { request, createdAt: Date.now(), amountMsat: 4_000, bolt11 } as const;
      at.publish(await signer.signEvent(buildFeedback({ ...about, status: 'payment-required' })));
    };
    await alice.asking.close();
    // Her demand arrives while only the other agent runs.
    const bob = await open('bob', keys.rival);
    await demand(hers.job.request, forAlice);
    expect(await bob.asking.get(hers.jobId)).toBeNull();
    const his = await bob.asking.requestJob(spec, { idempotencyKey: 'k' });
    expect(his.jobId).not.toBe(hers.jobId);
    await demand(his.job.request, forBob);
    await eventually(() => expect(his.state).toBe('paid'));
    expect(bob.pay.mock.calls.map(([bolt11]) => bolt11)).toEqual([forBob]);
    expect(await alice.store.get(hers.jobId)).toMatchObject({ paidAt: null, endedAt: null });
    const again = await open('alice', keys.customer);
    const resumed = await again.asking.getByKey('k');
    await eventually(() => expect(resumed?.state).toBe('paid'));
    expect(again.pay.mock.calls.map(([bolt11]) => bolt11)).toEqual([forAlice]);
  });

  it('both answer an open request, each with its own key (JOB-27, DLG-9)', async () => {
    const path = join(directory(), 'shared.db');
    const at = await relay();
    for (const [agentId, secret] of [
      ['alice', keys.provider],
      ['bob', keys.rival],
    ] as const) {
      const { provided } = await stores(path, agentId);
      await provider([at.url], () => agentId, {
        store: provided,
        signer: (await person(secret)).signer,
        broadcast: true,
      });
    }
    const asking = await client([at.url], { config: quick });
    await (await asking.requestJob({ kind: 5000, inputs: [{ data: 'x' }] })).result;
    await eventually(() =>
      expect(
        at
          .events({ kinds: [6000] })
          .map(({ content }) => content)
          .sort(),
      ).toEqual(['alice', 'bob']),
    );
  });
});
