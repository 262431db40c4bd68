import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildJobCancellation, buildJobRequest, buildJobResult, parseFeedback } from '../src/codec/index.ts';
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
import { mayStayUnpaid } from '../src/provider/invoicing.ts';
import { createPaymentWatcher } from '../src/provider/payment-watcher.ts';
import { freshProvided } from '../src/provider/provided-job.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, manualTime, person, provider, relay } from './world.ts';

const secretKey = (number: number) => (number + 1_000).toString(16).padStart(64, '0');
const quickly = { paymentPollMs: 20, publishTimeoutMs: 500, publishRetryDelaysMs: [20, 50] };

/** A wallet that makes invoices, and knows which are paid. */
function till() {
  const paid = new Set<string>();
  let made = 0;
  let isReachable = true;
  const isPaid = vi.fn<Invoices['isPaid']>(async (paymentHash) => {
    if (!isReachable) throw new Error('unreachable');
    return paid.has(paymentHash);
  });
  const create = vi.fn<Invoices['create']>(async ({ amountMsat }) => {
    made += 1;
    const bolt11 = invoice({ name: `till ${made}`, amountMsat, expirySeconds: 600 });
    return { bolt11, paymentHash: decodeInvoice(bolt11)?.paymentHash ?? '' };
  });
  return {
    invoices: { create, isPaid } satisfies Invoices,
    paid,
    pay: (bolt11: string) => paid.add(decodeInvoice(bolt11)?.paymentHash ?? ''),
    reach: (now: boolean) => {
      isReachable = now;
    },
  };
}

/** Lets a second pass, and what it causes. */
async function tick(time: ReturnType<typeof manualTime>) {
  time.advance(1_000);
  await new Promise<void>((resolve) => setImmediate(resolve));
}

async function shop(options: Partial<ProviderOptions> & { readonly invoices: Invoices }) {
  const at = await relay();
  const { pubkey } = await person(keys.provider);
  const store: ProviderStore = options.store ?? createMemoryProviderStore();
  const worked = vi.fn(options.handler ?? (() => 'done'));
  const open = () =>
    provider([at.url], worked, { price: () => 4_000, config: quickly, ...options, store, handler: worked });
  const ask = async (secret: string = keys.customer, more: object = {}) => {
    const { signer } = await person(secret);
    const template = buildJobRequest({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: `${Math.random()}` }],
      bidMsat: 5_000,
      createdAt: Date.now(),
      ...more,
    });
    const request = await signer.signEvent(template);
    at.publish(request);
    return request;
  };
  const said = (requestId: string) =>
    at.events({ '#e': [requestId], kinds: [7000] }).flatMap((event) => {
      const parsed = parseFeedback(event);
      return parsed.ok ? [parsed.feedback] : [];
    });
  const demand = (requestId: string) =>
    eventually(() => {
      const found = said(requestId).find(({ status }) => status === 'payment-required');
      if (!found?.bolt11) throw new Error('no demand yet');
      return found.bolt11;
    });
  const results = (requestId: string) => at.events({ '#e': [requestId], kinds: [6000] });
  return { at, store, worked, open, ask, said, demand, results };
}

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
      ...time,
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

describe('a paid provider under a flood', () => {
  it('of 1,000 keys serves a customer who has paid before (JOB-21)', async () => {
    const { invoices, pay } = till();
    const { open, ask, demand, results, said } = await shop({
      invoices,
      config: { ...quickly, maxUnpaid: 100, rateLimit: 10_000 },
    });
    await open();
    const first = await ask();
    pay(await demand(first.id));
    await eventually(() => expect(results(first.id)).toHaveLength(1));
    for (let number = 0; number < 1_000; number += 1) await ask(secretKey(number));
    const stranger = await ask(secretKey(5_000));
    await eventually(() =>
      expect(
        said(stranger.id)
          .map(({ info }) => info)
          .join(),
      ).toMatch(/Busy/),
    );
    const second = await ask();
    pay(await demand(second.id));
    await eventually(() => expect(results(second.id)).toHaveLength(1));
  }, 240_000);

  it.each([2, 200])(
    'of 1,000 unpaid requests from %i keys serves a customer who pays (JOB-21)',
    async (flooders) => {
      const { invoices, pay } = till();
      const { open, ask, demand, results } = await shop({
        invoices,
        config: { ...quickly, paymentPollMs: 30, rateLimit: 10_000 },
        concurrency: 4,
      });
      await open();
      for (let number = 0; number < 1_000; number += 1) await ask(secretKey(number % flooders));
      const request = await ask();
      pay(await demand(request.id));
      await eventually(() => expect(results(request.id)).toHaveLength(1));
      expect(invoices.create.mock.calls.length).toBeLessThanOrEqual(flooders === 2 ? 11 : 701);
    },
    240_000,
  );

  it('asks the wallet at most once a second, about the customers in turn (JOB-21)', async () => {
    const time = manualTime(0);
    const asked: { at: number; hash: string }[] = [];
    const invoices: Invoices = {
      create: async () => ({ bolt11: '', paymentHash: '' }),
      isPaid: async (hash) => {
        asked.push({ at: time.clock(), hash });
        return hash === 'honest' && time.clock() > 0;
      },
    };
    const watcher = createPaymentWatcher({
      invoices,
      pollMs: 1_000,
      graceMs: 0,
      ...time,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      stop: new AbortController().signal,
    });
    const watch = (customer: string, paymentHash: string) =>
      watcher.watch({
        customer,
        charge: { amountMsat: 1, bolt11: '', paymentHash, expiresAt: 600_000 },
        since: 0,
        onLate() {},
      });
    for (let number = 0; number < 500; number += 1) void watch(`flood ${number % 2}`, `${number}`);
    const honest = watch('honest', 'honest');
    let decided: string | null = null;
    void honest.then((decision) => {
      decided = decision;
    });
    for (let second = 0; second < 60 && decided === null; second += 1) {
      await tick(time);
    }
    expect(decided).toBe('paid');
    // The first round asks about each customer once.
    expect(time.clock()).toBeLessThanOrEqual(5_000);
    const times = asked.map(({ at }) => at);
    expect(times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) >= 1_000)).toBe(true);
    await watcher.close();
  });

  it('asks about all at once where the wallet can list, and one by one where it fails to (JOB-21)', async () => {
    const time = manualTime(0);
    let listed = 0;
    let canList = true;
    const isPaid = vi.fn(async () => false);
    const watcher = createPaymentWatcher({
      invoices: {
        create: async () => ({ bolt11: '', paymentHash: '' }),
        isPaid,
        async listPaid() {
          listed += 1;
          if (!canList) throw new Error('NOT_IMPLEMENTED');
          return listed > 2 ? ['7', '8'] : [];
        },
      },
      pollMs: 1_000,
      graceMs: 0,
      ...time,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      stop: new AbortController().signal,
    });
    const decisions = Array.from({ length: 10 }, (_, number) =>
      watcher.watch({
        customer: `${number}`,
        charge: { amountMsat: 1, bolt11: '', paymentHash: `${number}`, expiresAt: 5_000 },
        since: 0,
        onLate() {},
      }),
    );
    for (let second = 0; second < 3; second += 1) await tick(time);
    expect(watcher.count()).toBe(8);
    expect(isPaid).not.toHaveBeenCalled();
    canList = false;
    for (let second = 0; second < 30 && watcher.count() > 0; second += 1) await tick(time);
    expect(await Promise.all(decisions)).toEqual(
      decisions.map((_, number) => (number === 7 || number === 8 ? 'paid' : 'unpaid')),
    );
    expect(isPaid).toHaveBeenCalled();
  });

  it('leaves each customer one unpaid request when half of the room is taken (JOB-21)', () => {
    const limits = { maxUnpaid: 100, maxUnpaidPerCustomer: 5 };
    const may = (all: number, ofCustomer: number, hasPaid = false) =>
      mayStayUnpaid({ all, ofCustomer, hasPaid }, limits);
    expect([may(0, 4), may(0, 5), may(50, 1)]).toEqual([true, false, false]);
    // The last tenth is for those who have paid before.
    expect([may(89, 0), may(90, 0), may(90, 0, true), may(90, 1, true)]).toEqual([true, false, true, false]);
    expect(may(100, 0, true)).toBe(false);
  });
});

describe('a provider whose wallet', () => {
  it.each([
    ['never answers about one of them', () => new Promise<boolean>(() => {})],
    ['answers with an object', async () => ({ paid: false }) as unknown as boolean],
    ['answers with a text', async () => 'false' as unknown as boolean],
  ])('%s decides about the others, and takes nothing for a payment (JOB-21)', async (_, odd) => {
    const time = manualTime(0);
    const watcher = createPaymentWatcher({
      invoices: {
        create: async () => ({ bolt11: '', paymentHash: '' }),
        isPaid: (hash) => (hash === 'odd' ? odd() : Promise.resolve(true)),
      },
      pollMs: 1_000,
      graceMs: 0,
      ...time,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      stop: new AbortController().signal,
    });
    const watch = (paymentHash: string) =>
      watcher.watch({
        customer: paymentHash,
        charge: { amountMsat: 1, bolt11: '', paymentHash, expiresAt: 600_000 },
        since: 0,
        onLate() {},
      });
    const decided = vi.fn();
    void watch('odd').then(decided);
    const honest = vi.fn();
    void watch('honest').then(honest);
    for (let second = 0; second < 200; second += 1) await tick(time);
    expect(honest).toHaveBeenCalledWith('paid');
    expect(decided).not.toHaveBeenCalled();
    await watcher.close();
  });

  it.each([
    ['over satoshi in place of millisatoshi', { amountMsat: 4_000_000, hash: undefined }],
    ['over nothing in particular', { amountMsat: null, hash: undefined }],
    ['with another payment hash', { amountMsat: 4_000, hash: secretOf('another').paymentHash }],
  ])('makes an invoice %s gives it to nobody (JOB-20, JOB-21)', async (_, { amountMsat, hash }) => {
    const bolt11 = invoice({ amountMsat });
    const paymentHash = hash ?? decodeInvoice(bolt11)?.paymentHash ?? '';
    const { open, ask, said, worked } = await shop({
      invoices: { create: async () => ({ bolt11, paymentHash }), isPaid: async () => true },
    });
    await open();
    const request = await ask();
    await eventually(() =>
      expect(said(request.id)).toMatchObject([{ status: 'error', info: 'Not available at the moment.' }]),
    );
    expect(worked).not.toHaveBeenCalled();
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
      const { open, ask, demand, results, said, worked } = await shop({ invoices, store, ...time });
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

describe('a provider that names a Lightning address', () => {
  const lnurl = async (answers: { amount?: number; invoice?: string }) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { port } = server.address() as AddressInfo;
      const isCallback = (request.url ?? '').startsWith('/pay');
      response.end(
        JSON.stringify(
          isCallback
            ? { pr: answers.invoice ?? invoice({ amountMsat: answers.amount ?? 3_000 }) }
            : {
                tag: 'payRequest',
                callback: `http://127.0.0.1:${port}/pay`,
                minSendable: 1_000,
                maxSendable: 10_000,
              },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { address: `bob@127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  };
  const demanding = async (address: string, amountMsat: number, allowLoopback: boolean) => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const wallet = {
      pay: vi.fn<Wallet['pay']>(async () => ({
        status: 'settled',
        preimage: secretOf('invoice').preimage,
        feesMsat: 0,
      })),
      lookup: async () => ({ status: 'unknown' }) as const,
    };
    const asking = await client([at.url], {
      payments: { wallet, store: createMemoryPaymentStore() },
      ...(allowLoopback ? { references: { addresses: { allowLoopback: true } } } : {}),
    });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 5_000 });
    at.publish(
      await signer.signEvent({
        kind: 7000,
        created_at: Math.floor(Date.now() / 1000),
        content: '',
        tags: [
          ['status', 'payment-required'],
          ['amount', String(amountMsat), address],
          ['e', job.jobId],
          ['p', job.job.request.pubkey],
        ],
      }),
    );
    return { job, wallet, asking };
  };

  it('is paid over exactly the amount, through the guarded fetcher (JOB-23)', async () => {
    const { address, asked } = await lnurl({ amount: 3_000 });
    const { job, wallet, asking } = await demanding(address, 3_000, true);
    await eventually(() => expect(job.state).toBe('paid'));
    expect(wallet.pay).toHaveBeenCalledTimes(1);
    expect(asked).toEqual(['/.well-known/lnurlp/bob', '/pay?amount=3000']);
    expect(await asking.payment(job.jobId)).toMatchObject({ method: 'lightning-address', status: 'settled' });
  });

  it.each([
    ['asks for more than was demanded', { amount: 4_000 }, 3_000, true, /over 4000/],
    ['wants more than the bid', {}, 6_000, true, /6000 msat/],
    ['takes other amounts only', {}, 500, true, /takes 1000 to 10000/],
    ['is on an internal host', {}, 3_000, false, /not permitted/],
  ] as const)('is declined when it %s (JOB-23)', async (_, answers, amountMsat, allowLoopback, message) => {
    const { address } = await lnurl(answers);
    const { job, wallet } = await demanding(address, amountMsat, allowLoopback);
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(message),
    });
    expect(wallet.pay).not.toHaveBeenCalled();
  });
});

describe('a result that asks for a payment', () => {
  it.each([
    ['amount', ['amount', '', invoice({ amountMsat: 3_000 })]],
    ['invoice', ['invoice', invoice({ amountMsat: 3_000 })]],
  ])('is paid when only its invoice names the amount, in the tag %s (JOB-23)', async (_, tag) => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const wallet: Wallet = {
      pay: async () => ({ status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 }),
      lookup: async () => ({ status: 'unknown' }),
    };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 4_000 });
    const template = buildJobResult({ request: job.job.request, content: 'done', createdAt: Date.now() });
    at.publish(await signer.signEvent({ ...template, tags: [...template.tags, tag] }));
    await job.result;
    await expect(asking.pay(job.jobId, { maxMsat: 2_999 })).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
    });
    expect(await asking.pay(job.jobId)).toMatchObject({ status: 'settled', amountMsat: 3_000 });
  });

  it('is paid when the caller says so, within the bid, once (JOB-23)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => ({
      content: 'done',
      amountMsat: 3_000,
      bolt11: invoice({ amountMsat: 3_000 }),
    }));
    const pay = vi.fn<Wallet['pay']>(async () => ({
      status: 'settled',
      preimage: secretOf('invoice').preimage,
      feesMsat: 0,
    }));
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 2_000 });
    expect(await job.result).toMatchObject({ content: 'done', amountMsat: 3_000 });
    await expect(asking.pay(job.jobId)).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(await asking.pay(job.jobId, { maxMsat: 3_000 })).toMatchObject({
      status: 'settled',
      amountMsat: 3_000,
    });
    expect(await asking.pay(job.jobId, { maxMsat: 3_000 })).toMatchObject({ status: 'settled' });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(job.job.paidAt ?? (await asking.get(job.jobId))?.job.paidAt).not.toBeNull();
    await expect(asking.pay('00'.repeat(32))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});
