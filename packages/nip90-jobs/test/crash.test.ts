import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventTemplate } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  buildFeedback,
  buildJobResult,
  createMemoryJobStore,
  createMemoryPaymentStore,
  createMemoryProviderStore,
  type JobStore,
  type PaymentStore,
  type ProvidedJob,
  type Wallet,
} from '../src/index.ts';
import { createKyselyProviderStore, migrateJobs } from '../src/stores/kysely.ts';
import { sampleProvided } from '../src/testing/samples.ts';
import { directory } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, person, provider, relay } from './world.ts';

/** Lets so many writes happen, then fails each: as seen from the store, the process has died. */
function dying<Store extends JobStore | PaymentStore>(
  store: Store,
  writes: { left: number; made: number },
  names: readonly string[],
): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || !names.includes(String(name))) return method;
      return async (...args: unknown[]) => {
        if (writes.left <= 0) throw new Error('The process has died.');
        writes.left -= 1;
        writes.made += 1;
        return method.apply(target, args);
      };
    },
  });
}

describe('a client that dies after any of its writes', () => {
  /** One paid job, with a client that dies after `writes` writes, and another one that goes on. */
  const live = async (writes: number) => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const settled = { status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 } as const;
    let isPaid = false;
    const pay = vi.fn<Wallet['pay']>(async () => {
      isPaid = true;
      return settled;
    });
    const wallet: Wallet = { pay, lookup: async () => (isPaid ? settled : { status: 'unknown' }) };
    const jobs = createMemoryJobStore();
    const payments = createMemoryPaymentStore();
    const budget = { left: writes, made: 0 };
    let hasHeir = false;
    // The result does not hurry ahead of the payment, nor come to one that is dead.
    const work = async ({ id }: { readonly id: string }) => {
      await eventually(async () => {
        expect(await payments.get(id)).toMatchObject({ status: 'settled' });
        expect(hasHeir || budget.left > 0).toBe(true);
      });
      return 'done';
    };
    await provider([at.url], work, {
      price: () => 4_000,
      invoices: {
        create: async () => ({
          bolt11: invoice({ amountMsat: 4_000 }),
          paymentHash: secretOf('invoice').paymentHash,
        }),
        isPaid: async () => isPaid,
      },
      config: { paymentPollMs: 10, publishTimeoutMs: 240_000 },
    });
    const mortal = await client([at.url], {
      store: dying(jobs, budget, ['create', 'update']),
      payments: { wallet, store: dying(payments, budget, ['hold', 'update']) },
    });
    const spec = { kind: 5000, provider: pubkey, inputs: [{ data: 'x' }], bidMsat: 4_000 };
    const first = await mortal.requestJob(spec, { idempotencyKey: 'k' }).catch(() => null);
    const died = () => expect(budget.left).toBe(0);
    const ended = first?.result.catch(() => {});
    await Promise.race([eventually(died).catch(() => {}), ended]);
    await mortal.close();
    hasHeir = true;

    const heir = await client([at.url], { store: jobs, payments: { wallet, store: payments } });
    const job = await heir.requestJob(spec, { idempotencyKey: 'k' });
    const { content } = await job.result;
    return {
      content,
      made: budget.made,
      pays: pay.mock.calls.length,
      requests: at.events({ kinds: [5000] }).length,
      results: at.events({ kinds: [6000] }).length,
      states: (await jobs.history(job.jobId)).transitions.map(({ to }) => to),
    };
  };

  it('AGT-4 JOB-6 JOB-11 sends one request, pays once and loses no result', async () => {
    const whole = await live(1_000);
    expect(whole).toMatchObject({ content: 'done', pays: 1, requests: 1, results: 1 });
    // create, sending, accepted, payment-required, hold, end, paid, processing, result
    expect(whole.made).toBeGreaterThanOrEqual(8);
    for (let writes = 0; writes <= whole.made; writes += 1) {
      const { content, pays, requests, results, states } = await live(writes);
      expect({ writes, content, pays, requests, results, end: states.at(-1) }).toEqual({
        writes,
        content: 'done',
        pays: 1,
        requests: 1,
        results: 1,
        end: 'completed',
      });
    }
  });
});

describe('a handler that takes its process down', () => {
  it('JOB-15 is begun so many times, then its customer is told', async () => {
    const at = await relay();
    const path = join(directory(), 'provider.db');
    const db = openSqlite<unknown>({ path });
    onTestFinished(() => db.destroy());
    await migrateJobs(db);
    const store = createKyselyProviderStore(db);
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    const fatal: ProvidedJob = sampleProvided(1, {
      requestId: job.jobId,
      customer: job.job.request.pubkey,
      request: job.job.request,
      receivedAt: Date.now(),
    });
    // As often as the process began it and was killed.
    await store.take({ ...fatal, attempts: 3 });
    const worked = vi.fn(() => 'never');
    await provider([at.url], worked, { store, config: { maxAttempts: 3, publishTimeoutMs: 240_000 } });
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_FAILED' });
    expect(worked).not.toHaveBeenCalled();
  });
});

describe('a request that was paid for', () => {
  it('JOB-15 AGT-4 is done after a restart, whatever waits and whoever would be admitted now', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryProviderStore();
    const asking = await client([at.url]);
    const jobs = [];
    for (const data of ['first', 'second', 'third']) {
      const job = await asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data }], bidMsat: 9 });
      await store.take(
        sampleProvided(1, {
          requestId: job.jobId,
          customer: job.job.request.pubkey,
          request: job.job.request,
          receivedAt: Date.now(),
          paidAt: Date.now(),
        }),
      );
      jobs.push(job);
    }
    await provider([at.url], (request) => `done: ${request.inputs[0]?.data}`, {
      store,
      admit: () => 'Nobody any more.',
      price: () => 1,
      invoices: { create: async () => Promise.reject(new Error('none')), isPaid: async () => false },
      config: { queueLimit: 1, publishTimeoutMs: 240_000 },
    });
    const results = await Promise.all(jobs.map((job) => job.result));
    expect(results.map(({ content }) => content)).toEqual(['done: first', 'done: second', 'done: third']);
  });
});

describe('a client that was away when its provider asked for money', () => {
  it('AGT-4 JOB-11 pays what it finds when it starts, however slow its store is', async () => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const jobs = createMemoryJobStore();
    const first = await client([at.url], { store: jobs });
    const asked = await first.requestJob({ kind: 5000, provider: pubkey, bidMsat: 4_000 });
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await first.close();
    const { request } = asked.job;
    const say = async (template: EventTemplate) => at.publish(await signer.signEvent(template));
    const bolt11 = invoice({ amountMsat: 4_000 });
    const demand = { request, status: 'payment-required', amountMsat: 4_000, bolt11 } as const;
    await say(buildFeedback({ ...demand, createdAt: Date.now() }));

    const payments = createMemoryPaymentStore();
    const slow: PaymentStore = {
      ...payments,
      async hold(...args) {
        await sleep(200);
        return payments.hold(...args);
      },
    };
    const settled = { status: 'settled', preimage: null, feesMsat: 0 } as const;
    const pay = vi.fn<Wallet['pay']>(async () => settled);
    const wallet: Wallet = { pay, lookup: async () => settled };
    const paid = vi.fn();
    const second = await client([at.url], { store: jobs, payments: { wallet, store: slow } });
    second.on('paid', paid);
    const job = await second.get(asked.jobId);
    await eventually(() => expect(paid).toHaveBeenCalledTimes(1));
    await say(buildJobResult({ request, content: 'done', createdAt: Date.now() }));
    expect(await job?.result).toMatchObject({ content: 'done' });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(paid).toHaveBeenCalledTimes(1);
  });
});
