import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildJobCancellation, buildJobRequest } from '../src/codec/index.ts';
import {
  createMemoryPaymentStore,
  createMemoryProviderStore,
  decodeInvoice,
  type Invoices,
  type ProvidedJob,
  type ProviderOptions,
  type ProviderStore,
  type Wallet,
} from '../src/index.ts';
import { createPaymentWatcher } from '../src/provider/payment-watcher.ts';
import { freshProvided } from '../src/provider/provided-job.ts';
import { invoice, secretOf } from './invoice.ts';
import { quickly, shop, tick, till } from './shop.ts';
import { eventually, keys, manualTime, person, provider, relay, sentTo } from './world.ts';

describe('a demand for payment', () => {
  it('that no relay takes is sent again, until one does (JOB-20)', async () => {
    const { invoices, pay } = till();
    const { at, open, ask, demand, results } = await shop({
      invoices,
      config: { ...quickly, publishRetryDelaysMs: Array(1_000).fill(20) },
    });
    await open();
    await at.faults.set({ publish: { answer: 'refuse', reason: 'rate-limited: slow down' } });
    const request = await ask();
    await eventually(() => expect(sentTo(at, 7000).length).toBeGreaterThanOrEqual(3));
    expect(new Set(sentTo(at, 7000)).size).toBe(1);
    await at.faults.clear();
    pay(await demand(request.id));
    await eventually(() => expect(results(request.id)).toHaveLength(1));
  });

  it('that a silent relay has kept can be paid at once (JOB-20)', async () => {
    const { invoices, pay } = till();
    const { at, open, ask, demand, results } = await shop({ invoices });
    await open();
    await at.faults.set({ publish: { answer: 'silence', store: true } });
    const request = await ask();
    pay(await demand(request.id));
    await eventually(() => expect(results(request.id)).toHaveLength(1));
  });
});

describe('a provider that was paid', () => {
  it('does the work although its wallet was unreachable when the invoice expired (JOB-20)', async () => {
    const { invoices, pay, reach } = till();
    let shift = 0;
    const { open, ask, demand, results, said } = await shop({ invoices, clock: () => Date.now() + shift });
    await open();
    const request = await ask();
    const bolt11 = await demand(request.id);
    reach(false);
    pay(bolt11);
    shift += 601_000;
    const asked = invoices.isPaid.mock.calls.length;
    await eventually(() => expect(invoices.isPaid.mock.calls.length).toBeGreaterThan(asked + 2));
    expect(said(request.id).map(({ status }) => status)).not.toContain('error');
    reach(true);
    await eventually(() => expect(results(request.id)).toHaveLength(1));
  });

  it('does the work although it was down for longer than a request may be old (JOB-20)', async () => {
    const { invoices, pay } = till();
    const { open, ask, demand, store } = await shop({ invoices });
    const first = await open();
    const request = await ask();
    pay(await demand(request.id));
    await first.close();
    const stored = await store.get(request.id);
    if (stored === null) throw new Error('not stored');
    const later = Date.now() + 62 * 60_000;
    // As if the provider had ended before it asked the wallet again.
    await store.update({
      ...stored,
      revision: stored.revision + 1,
      paidAt: null,
      answer: null,
      answeredAt: null,
      publishedAt: null,
    });
    expect(await shopAgain(store, invoices, later, request.id)).toBe(6000);
  });

  it.each(['asks about each invoice', 'only lists payments'])(
    'knows of a payment from a time when it was down, with a wallet that %s (JOB-20)',
    async (kind) => {
      const { invoices, pay, paid } = till();
      const receivedAt = Date.now() - 3 * 3_600_000;
      const since: number[] = [];
      const wallet: Invoices =
        kind === 'only lists payments'
          ? {
              create: invoices.create,
              isPaid: async () => Promise.reject(new Error('NOT_IMPLEMENTED')),
              async listPaid(period) {
                since.push(period.since);
                return period.since <= receivedAt ? [...paid] : [];
              },
            }
          : invoices;
      const store = createMemoryProviderStore();
      const { signer, pubkey } = await person(keys.customer);
      const worker = await person(keys.provider);
      const at = Date.now();
      const template = buildJobRequest({
        kind: 5000,
        provider: worker.pubkey,
        createdAt: at,
        bidMsat: 5_000,
      });
      const request = await signer.signEvent(template);
      const asked = { amountMsat: 4_000, description: '', expiryMs: 1 };
      const made = await invoices.create(asked, { signal: new AbortController().signal });
      await store.take({
        ...freshProvided,
        requestId: request.id,
        customer: pubkey,
        kind: 5000,
        request,
        receivedAt,
        charge: { amountMsat: 4_000, ...made, expiresAt: receivedAt + 600_000 },
      });
      pay(made.bolt11);
      expect(await shopAgain(store, wallet, Date.now(), request.id)).toBe(6000);
      expect(await store.get(request.id)).toMatchObject({ paidAt: expect.any(Number), unpaidAt: null });
    },
  );

  it('counts a payment that settles just after the expiry, and owes one that settles much later (JOB-20)', async () => {
    const time = manualTime(0);
    const settled = new Set<string>();
    let tell: (hash: string) => void = () => {};
    const watcher = createPaymentWatcher({
      invoices: {
        create: async () => ({ bolt11: '', paymentHash: '' }),
        isPaid: async (hash) => settled.has(hash),
        onPaid(listener) {
          tell = listener;
          return () => {};
        },
      },
      pollMs: 1_000,
      graceMs: 60_000,
      clock: time.clock,
      timers: time.timers,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      stop: new AbortController().signal,
    });
    const onLate = vi.fn();
    const watch = (paymentHash: string) =>
      watcher.watch({
        customer: paymentHash,
        charge: { amountMsat: 1, bolt11: '', paymentHash, expiresAt: 10_000 },
        since: 0,
        onLate,
      });
    const [soon, late] = [watch('soon'), watch('late')];
    for (let second = 0; second < 11; second += 1) await tick(time);
    expect(watcher.count()).toBe(2);
    settled.add('soon');
    for (let second = 0; second < 90 && watcher.count() > 0; second += 1) await tick(time);
    expect(await soon).toBe('paid');
    expect(await late).toBe('unpaid');
    expect(time.clock()).toBeGreaterThanOrEqual(70_000);
    expect(onLate).not.toHaveBeenCalled();
    tell('late');
    tell('late');
    expect(onLate).toHaveBeenCalledTimes(1);
    await watcher.close();
  });

  it('owes what was paid after it had given up (JOB-20)', async () => {
    const { invoices, pay } = till();
    let shift = 0;
    let tell: (hash: string) => void = () => {};
    const wallet: Invoices = {
      ...invoices,
      onPaid(listener) {
        tell = listener;
        return () => {};
      },
    };
    const { open, ask, demand, said } = await shop({
      invoices: wallet,
      clock: () => Date.now() + shift,
      config: { ...quickly, paymentGraceMs: 0 },
    });
    const providing = await open();
    const request = await ask();
    const bolt11 = await demand(request.id);
    shift += 601_000;
    await eventually(() => expect(said(request.id).map(({ status }) => status)).toContain('error'));
    expect(await providing.obligations()).toEqual([]);
    pay(bolt11);
    tell(decodeInvoice(bolt11)?.paymentHash ?? '');
    await eventually(async () =>
      expect(await providing.obligations()).toMatchObject([{ requestId: request.id, amountMsat: 4_000 }]),
    );
  });

  /** Starts a provider on the store with a clock that shows `now`; returns the kind of the answer. */
  const shopAgain = async (store: ProviderStore, invoices: Invoices, now: number, requestId: string) => {
    const at = await relay();
    await provider([at.url], () => 'done', {
      store,
      invoices,
      price: () => 4_000,
      clock: () => now,
      config: quickly,
    });
    return eventually(async () => {
      const answer = (await store.get(requestId))?.answer;
      if (!answer) throw new Error('no answer yet');
      return answer.kind;
    });
  };

  it('asks the wallet first when it finds an old unpaid request (JOB-20)', async () => {
    const { invoices, pay } = till();
    const store = createMemoryProviderStore();
    const { signer, pubkey } = await person(keys.customer);
    const worker = await person(keys.provider);
    const template = buildJobRequest({
      kind: 5000,
      provider: worker.pubkey,
      createdAt: Date.now(),
      bidMsat: 5_000,
    });
    const request = await signer.signEvent(template);
    const { bolt11, paymentHash } = await invoices.create(
      { amountMsat: 4_000, description: '', expiryMs: 1 },
      { signal: new AbortController().signal },
    );
    await store.take({
      ...freshProvided,
      requestId: request.id,
      customer: pubkey,
      kind: 5000,
      request,
      receivedAt: Date.now(),
      charge: { amountMsat: 4_000, bolt11, paymentHash, expiresAt: Date.now() + 600_000 },
    });
    pay(bolt11);
    expect(await shopAgain(store, invoices, Date.now() + 62 * 60_000, request.id)).toBe(6000);
    expect(await store.get(request.id)).toMatchObject({ paidAt: expect.any(Number) });
  });

  it('finishes a long job that was interrupted by more clean restarts than it has attempts (JOB-20)', async () => {
    const { invoices, pay } = till();
    let isPatient = false;
    const handler: ProviderOptions['handler'] = (_, { signal }) =>
      isPatient
        ? 'done at last'
        : new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { open, ask, demand, results, worked } = await shop({
      invoices,
      handler,
      config: { ...quickly, maxAttempts: 3 },
    });
    let life = await open();
    const request = await ask();
    pay(await demand(request.id));
    for (let restart = 1; restart <= 6; restart += 1) {
      await eventually(() => expect(worked).toHaveBeenCalledTimes(restart));
      await life.close();
      life = await open();
    }
    isPatient = true;
    await eventually(() => expect(worked).toHaveBeenCalledTimes(7));
    await life.close();
    await open();
    await eventually(() => expect(results(request.id)).toHaveLength(1));
  });

  it('reports what it could not deliver, also after a restart (JOB-20)', async () => {
    const { invoices, pay } = till();
    const { open, ask, demand } = await shop({
      invoices,
      handler: () => {
        throw new Error('broken');
      },
    });
    const first = await open();
    const owed = vi.fn();
    first.on('obligation', owed);
    const request = await ask();
    pay(await demand(request.id));
    await eventually(() => expect(owed).toHaveBeenCalledTimes(1));
    const obligation = {
      requestId: request.id,
      amountMsat: 4_000,
      reason: 'failed',
      customer: request.pubkey,
      isPartlyDelivered: false,
    };
    expect(await first.obligations()).toEqual([{ ...obligation, paidAt: expect.any(Number) }]);
    await first.close();
    const second = await open();
    expect(await second.obligations()).toMatchObject([obligation]);
    expect(await second.prune({ before: Date.now() + 1_000 })).toBe(0);
  });

  /** A Lightning address that gives another invoice each time, and a wallet that pays `pays` of them. */
  const refunding = async (pays: (call: number) => boolean) => {
    let made = 0;
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      const callback = `http://127.0.0.1:${port}/pay`;
      if (request.url?.startsWith('/pay')) {
        made += 1;
        response.end(JSON.stringify({ pr: invoice({ name: `refund ${made}`, amountMsat: 4_000 }) }));
      } else response.end(JSON.stringify({ tag: 'payRequest', callback, minSendable: 1, maxSendable: 1e9 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    let calls = 0;
    const pay = vi.fn<Wallet['pay']>(async () =>
      pays(++calls)
        ? { status: 'settled', preimage: secretOf(`refund ${made}`).preimage, feesMsat: 0 }
        : { status: 'failed', reason: 'no route' },
    );
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const address = `alice@127.0.0.1:${(server.address() as AddressInfo).port}`;
    const references = { addresses: { allowLoopback: true } };
    const options = { refunds: { wallet, store: createMemoryPaymentStore() }, references };
    return { pay, options, params: { 'refund-address': address } };
  };
  const broken = () => {
    throw new Error('broken');
  };

  it('refunds to the address that the customer named, once (JOB-20, JOB-23)', async () => {
    const { invoices, pay } = till();
    const refund = await refunding(() => true);
    const { open, ask, demand } = await shop({ invoices, ...refund.options, handler: broken });
    const first = await open();
    const refunded = vi.fn();
    first.on('refunded', refunded);
    const request = await ask(keys.customer, { params: refund.params });
    pay(await demand(request.id));
    await eventually(() => expect(refunded).toHaveBeenCalledTimes(1));
    expect(refund.pay).toHaveBeenCalledTimes(1);
    expect(await first.obligations()).toEqual([]);
    await first.close();
    await open();
    expect(refund.pay).toHaveBeenCalledTimes(1);
  });

  it('tries a refund again that failed, without a restart, less and less often (JOB-20)', async () => {
    const { invoices, pay } = till();
    const refund = await refunding((call) => call === 3);
    let shift = 0;
    const { open, ask, demand } = await shop({
      invoices,
      ...refund.options,
      handler: broken,
      clock: () => Date.now() + shift,
      config: { ...quickly, leaseMs: 90, invoiceExpiryMs: 3_600_000 },
    });
    const running = await open();
    const [owed, refunded] = [vi.fn(), vi.fn()];
    running.on('obligation', owed);
    running.on('refunded', refunded);
    const request = await ask(keys.customer, { params: refund.params });
    pay(await demand(request.id));
    await eventually(() => expect(owed).toHaveBeenCalledTimes(1));
    shift += 61_000;
    await eventually(() => expect(refund.pay).toHaveBeenCalledTimes(2));
    shift += 301_000;
    await eventually(() => expect(refunded).toHaveBeenCalledTimes(1));
    expect(refund.pay).toHaveBeenCalledTimes(3);
    expect(owed).toHaveBeenCalledTimes(1);
    expect(await running.obligations()).toEqual([]);
  });

  it('does not refund a customer who took the parts of a result and cancelled (JOB-20)', async () => {
    const { invoices, pay } = till();
    const refund = await refunding(() => true);
    const { at, open, ask, demand, said } = await shop({
      invoices,
      ...refund.options,
      handler: async (_, { partial, signal }) => {
        await partial('all that was asked for');
        return new Promise<string>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const running = await open();
    const owed = vi.fn();
    running.on('obligation', owed);
    const request = await ask(keys.customer, { params: refund.params });
    pay(await demand(request.id));
    await eventually(() => expect(said(request.id).map(({ status }) => status)).toContain('partial'));
    const { signer } = await person(keys.customer);
    const worker = await person(keys.provider);
    const about = { request, provider: worker.pubkey, reason: '', createdAt: Date.now() };
    at.publish(await signer.signEvent(buildJobCancellation(about)));
    await eventually(() => expect(owed).toHaveBeenCalledTimes(1));
    expect(await running.obligations()).toMatchObject([{ reason: 'cancelled', isPartlyDelivered: true }]);
    expect(refund.pay).not.toHaveBeenCalled();
  });
});

describe('a store that fails for a moment', () => {
  it.each(['paid', 'begun', 'answered'] as const)(
    'when a paid request is %s costs the customer nothing (JOB-20)',
    async (moment) => {
      const time = manualTime();
      const { invoices, pay } = till();
      const memory = createMemoryProviderStore();
      let failures = 0;
      const isMoment = (now: ProvidedJob) => {
        if (moment === 'paid') return now.paidAt !== null && now.attempts === 0;
        return moment === 'begun' ? now.attempts === 1 && now.answer === null : now.answer !== null;
      };
      const store: ProviderStore = {
        ...memory,
        async update(job) {
          if (isMoment(job) && failures < 2) {
            failures += 1;
            throw new Error('The disk is full.');
          }
          return memory.update(job);
        },
      };
      const { open, ask, demand, results, said, worked } = await shop({
        invoices,
        store,
        clock: time.clock,
        timers: time.timers,
      });
      await open();
      const request = await ask();
      const bolt11 = await demand(request.id);
      pay(bolt11);
      await eventually(() => {
        time.advance(1_000);
        expect(results(request.id)).toHaveLength(1);
      });
      expect(failures).toBe(2);
      expect(worked).toHaveBeenCalledTimes(1);
      expect(said(request.id).map(({ status }) => status)).not.toContain('error');
    },
  );
});
