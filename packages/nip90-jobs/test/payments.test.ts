import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import {
  assessInvoice,
  createMemoryJobStore,
  createMemoryPaymentStore,
  createMemoryProviderStore,
  decodeInvoice,
  type InvoiceRefusal,
  type Invoices,
  type PaymentOptions,
  type PaymentOutcome,
  type Wallet,
} from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { subscribeMs } from './sayings.ts';
import { client, eventually, keys, manualTime, passTime, person, provider, quick, relay } from './world.ts';

const bid = 5_000;

describe('an invoice', () => {
  it('JOB-11 is read from what a stranger published', () => {
    // From the BOLT 11 specification.
    const published =
      'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh';
    expect(decodeInvoice(published)).toMatchObject({
      amountMsat: 250_000_000,
      network: 'bitcoin',
      paymentHash: '0001020304050607080900010203040506070809000102030405060708090102',
      createdAt: 1_496_314_658_000,
      expiresAt: 1_496_314_658_000 + 60_000,
    });
    expect(decodeInvoice(published.replace('quk0', 'quk9'))).toBeNull();
  });

  it('JOB-11 is read as it was written, and nothing else is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e12 }),
        fc.constantFrom('bc', 'tb', 'tbs', 'bcrt'),
        fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: undefined }),
        (amountMsat, prefix, expirySeconds) => {
          const text = invoice({
            amountMsat,
            prefix,
            createdAt: 1e12,
            ...(expirySeconds ? { expirySeconds } : {}),
          });
          const read = decodeInvoice(text);
          expect(read).toMatchObject({ amountMsat, paymentHash: secretOf('invoice').paymentHash });
          expect(read?.expiresAt).toBe(1e12 + (expirySeconds ?? 3_600) * 1000);
        },
      ),
      { numRuns: 50 },
    );
    fc.assert(fc.property(fc.string(), (text) => decodeInvoice(`lnbc${text}`) === null));
    expect(decodeInvoice(`lnbc1${'q'.repeat(100_000)}`)).toBeNull();
  });

  const now = Date.now();
  const cases: [InvoiceRefusal | 'ok', Partial<Parameters<typeof assessInvoice>[0]>][] = [
    ['ok', {}],
    ['ok', { amountMsat: null }],
    ['ok', { amountMsat: 4_500 }],
    ['no-bid', { bidMsat: null }],
    ['over-bid', { amountMsat: 5_001 }],
    ['no-invoice', { bolt11: null }],
    ['unreadable', { bolt11: 'lnbc1nonsense' }],
    ['no-amount', { bolt11: invoice({ amountMsat: null }) }],
    ['wrong-network', { bolt11: invoice({ amountMsat: 4_000, prefix: 'tb' }) }],
    ['ok', { bolt11: invoice({ amountMsat: 4_000, prefix: 'tb' }), network: 'testnet' }],
    ['expired', { bolt11: invoice({ amountMsat: 4_000, createdAt: now - 61_000, expirySeconds: 60 }) }],
    ['expired', { bolt11: invoice({ amountMsat: 4_000, createdAt: now - 57_000, expirySeconds: 60 }) }],
    ['mismatch', { amountMsat: 3_999 }],
    ['over-bid', { bolt11: invoice({ amountMsat: 5_001 }), amountMsat: null }],
  ];
  for (const [wanted, change] of cases) {
    it(`JOB-11 JOB-16 is assessed: ${wanted} for ${JSON.stringify(change).slice(0, 60)}`, () => {
      const assessed = assessInvoice({
        bolt11: invoice({ amountMsat: 4_000 }),
        amountMsat: 4_000,
        bidMsat: bid,
        network: 'bitcoin',
        now,
        ...change,
      });
      expect(assessed.ok ? 'ok' : assessed.reason).toBe(wanted);
    });
  }
});

/** A wallet that does what a test says, and remembers what it was asked. */
function scriptedWallet(script: { pay?: () => Promise<PaymentOutcome>; lookup?: Wallet['lookup'] } = {}) {
  const settled: PaymentOutcome = { status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 7 };
  const wallet = {
    pay: vi.fn<Wallet['pay']>(script.pay ?? (async () => settled)),
    lookup: vi.fn<Wallet['lookup']>(script.lookup ?? (async () => ({ status: 'unknown' as const }))),
  };
  return { wallet, settled };
}

const payOptions = (wallet: Wallet, more: Partial<PaymentOptions> = {}): PaymentOptions => ({
  wallet,
  store: createMemoryPaymentStore(),
  ...more,
});

/** Invoices that are paid when a test says so. */
function scriptedInvoices(paid: () => boolean, bolt11 = invoice({ amountMsat: 4_000 })): Invoices {
  return {
    create: async () => ({ bolt11, paymentHash: decodeInvoice(bolt11)?.paymentHash ?? '' }),
    isPaid: async () => paid(),
  };
}

describe('a job that costs something', () => {
  const ask = (provider: string, more: object = {}) => ({
    kind: 5000,
    provider,
    inputs: [{ data: 'x' }],
    bidMsat: bid,
    ...more,
  });
  const paidPolls = { paymentPollMs: 20, publishTimeoutMs: 240_000 };

  it('JOB-11 JOB-15 is paid once, then worked on', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { wallet } = scriptedWallet();
    const worked = vi.fn(() => 'done');
    await provider([at.url], worked, {
      price: () => 4_000,
      invoices: scriptedInvoices(() => wallet.pay.mock.calls.length > 0),
      config: paidPolls,
    });
    const payments = payOptions(wallet);
    const asking = await client([at.url], { payments });
    const paid = vi.fn();
    asking.on('paid', paid);
    const job = await asking.requestJob(ask(pubkey));
    expect(await job.result).toMatchObject({ content: 'done' });
    expect(wallet.pay).toHaveBeenCalledTimes(1);
    expect(wallet.pay.mock.calls[0]?.[1]).toMatchObject({ maxMsat: 4_000 });
    expect(asking.steps.map(({ to }) => to)).toEqual(expect.arrayContaining(['payment-required', 'paid']));
    expect(await payments.store.get(job.jobId)).toMatchObject({
      status: 'settled',
      amountMsat: 4_000,
      feesMsat: 7,
      preimage: secretOf('invoice').preimage,
    });
    expect(await payments.store.spentMsat(0)).toBe(4_007);
    expect(paid).toHaveBeenCalledTimes(1);
    expect(worked).toHaveBeenCalledTimes(1);
  });

  it('JOB-15 is not begun before it is paid, and given up when it never is', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const worked = vi.fn(() => 'done');
    const time = manualTime();
    await provider([at.url], worked, {
      price: () => 4_000,
      invoices: scriptedInvoices(
        () => false,
        invoice({ amountMsat: 4_000, createdAt: time.clock(), expirySeconds: 60 }),
      ),
      clock: time.clock,
      timers: time.timers,
      config: { ...paidPolls, paymentPollMs: 30_000, paymentGraceMs: 0, heartbeatMs: 0 },
    });
    const { wallet } = scriptedWallet({ pay: () => new Promise(() => {}) });
    const asking = await client([at.url], { payments: payOptions(wallet) });
    const job = await asking.requestJob(ask(pubkey));
    await eventually(() => expect(wallet.pay).toHaveBeenCalledTimes(1));
    await eventually(() => expect(time.pending()).toEqual([30_000]));
    time.advance(30_000);
    await eventually(() => expect(time.pending().at(0)).toBeLessThanOrEqual(30_000));
    time.advance(31_000);
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/not paid in time/),
    });
    expect(worked).not.toHaveBeenCalled();
  });

  it('JOB-15 costs more than was bid: it is declined by the provider itself', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => 'done', { price: () => 6_000, invoices: scriptedInvoices(() => true) });
    const asking = await client([at.url]);
    const job = await asking.requestJob(ask(pubkey));
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/6000 msat/),
    });
  });

  it('JOB-15 goes on after a restart of the provider, with the same invoice', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryProviderStore();
    const create = vi.fn(scriptedInvoices(() => false).create);
    const options = { store, price: () => 4_000, config: paidPolls };
    const first = await provider([at.url], () => 'never', {
      ...options,
      invoices: { create, isPaid: async () => false },
    });
    const { wallet } = scriptedWallet();
    const asking = await client([at.url], { payments: payOptions(wallet) });
    const job = await asking.requestJob(ask(pubkey));
    await eventually(() => expect(job.state).toBe('paid'));
    await first.close();
    await provider([at.url], () => 'done', { ...options, invoices: { create, isPaid: async () => true } });
    expect(await job.result).toMatchObject({ content: 'done' });
    expect(create).toHaveBeenCalledTimes(1);
    expect(wallet.pay).toHaveBeenCalledTimes(1);
  });

  /** A provider of another make: says what it is told to. */
  const haggler = async (
    url: string,
    at: { publish(event: never): unknown },
    says: readonly { bolt11: string | null; amountMsat: number | null }[],
    requestId: string,
  ) => {
    const { signer } = await person(keys.provider);
    const { pubkey } = await person(keys.customer);
    for (const [number, one] of says.entries()) {
      const said = buildFeedback({
        request: { id: requestId, pubkey },
        status: 'payment-required',
        info: `${number} at ${url}`,
        createdAt: Date.now(),
        ...one,
      });
      at.publish((await signer.signEvent(said)) as never);
    }
  };

  it('JOB-11 JOB-16 is not paid twice, whatever the provider asks and however often', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { wallet } = scriptedWallet();
    const payments = payOptions(wallet);
    const asking = await client([at.url], { payments });
    const job = await asking.requestJob(ask(pubkey));
    const demands = ['invoice', 'a', 'b', 'invoice'].map((name) => ({
      bolt11: invoice({ name, amountMsat: 4_000 }),
      amountMsat: 4_000,
    }));
    await haggler(at.url, at, demands, job.jobId);
    await eventually(() => expect(job.job.feedbackCount).toBe(4));
    expect(job.state).toBe('paid');
    expect(wallet.pay).toHaveBeenCalledTimes(1);

    // Nor is the same invoice paid for another job.
    const second = await asking.requestJob(ask(pubkey, { inputs: [{ data: 'y' }] }));
    const paidFor = wallet.pay.mock.calls[0]?.[0] ?? '';
    await haggler(at.url, at, [{ bolt11: paidFor, amountMsat: 4_000 }], second.jobId);
    await expect(second.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/given before/),
    });
    expect(wallet.pay).toHaveBeenCalledTimes(1);
  });

  it('JOB-11 is declined when the budget does not reach, whatever each bid allows', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { wallet } = scriptedWallet();
    const asking = await client([at.url], { payments: payOptions(wallet, { budget: { limitMsat: 9_000 } }) });
    const jobs = [];
    for (const name of ['one', 'two', 'three']) {
      const job = await asking.requestJob(ask(pubkey, { inputs: [{ data: name }] }));
      jobs.push(job);
      await haggler(
        at.url,
        at,
        [{ bolt11: invoice({ name, amountMsat: 4_000 }), amountMsat: 4_000 }],
        job.jobId,
      );
      await eventually(() => expect(['paid', 'failed']).toContain(job.state));
    }
    expect(jobs.map(({ state }) => state)).toEqual(['paid', 'paid', 'failed']);
    await expect(jobs[2]?.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/budget has 986 msat/),
    });
    expect(wallet.pay).toHaveBeenCalledTimes(2);
  });

  it('JOB-11 needs a budget that is one', async () => {
    for (const budget of [{ limitMsat: Number.NaN }, { limitMsat: -1 }, { limitMsat: 1, windowMs: 0.5 }]) {
      const payments = payOptions(scriptedWallet().wallet, { budget });
      await expect(client(['ws://127.0.0.1:9'], { payments })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
      });
    }
  });

  it('JOB-11 fails when the payment certainly did, and the money is free again', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { wallet } = scriptedWallet({ pay: async () => ({ status: 'failed', reason: 'no route' }) });
    const payments = payOptions(wallet, { budget: { limitMsat: 4_040 } });
    const asking = await client([at.url], { payments });
    const job = await asking.requestJob(ask(pubkey));
    await haggler(at.url, at, [{ bolt11: invoice({ amountMsat: 4_000 }), amountMsat: 4_000 }], job.jobId);
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/no route/),
    });
    expect(await payments.store.spentMsat(0)).toBe(0);
    // The wallet confirmed on a look-up that it paid nothing.
    expect(wallet.lookup).toHaveBeenCalledTimes(1);
  });

  it('JOB-11 holds the money while nobody knows, asks by the payment hash, and pays again only what the wallet never heard of', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const answers: Awaited<ReturnType<Wallet['lookup']>>[] = [{ status: 'in-flight' }, { status: 'unknown' }];
    const { wallet, settled } = scriptedWallet({
      pay: () => Promise.reject(new Error('no answer')),
      lookup: async () => answers.shift() ?? settled,
    });
    const time = manualTime();
    const payments = payOptions(wallet, { budget: { limitMsat: 10_000 } });
    const asking = await client([at.url], { payments, clock: time.clock, timers: time.timers });
    const job = await asking.requestJob(ask(pubkey));
    await eventually(() => expect(time.pending()).toContain(20));
    time.advance(20);
    await eventually(() => expect(job.state).toBe('delivered'));
    const bolt11 = invoice({ amountMsat: 4_000 });
    await haggler(at.url, at, [{ bolt11, amountMsat: 4_000 }], job.jobId);
    for (const [delayMs, pays, lookups] of [
      [2_000, 1, 0],
      [5_000, 1, 1],
      [10_000, 2, 2],
    ] as const) {
      await eventually(() => expect(time.pending()).toContain(delayMs));
      expect([wallet.pay.mock.calls.length, wallet.lookup.mock.calls.length]).toEqual([pays, lookups]);
      expect(await payments.store.spentMsat(0)).toBe(4_040);
      expect(job.state).toBe('payment-required');
      time.advance(delayMs);
    }
    await eventually(() => expect(job.state).toBe('paid'));
    expect(wallet.lookup.mock.calls.every(([hash]) => hash === secretOf('invoice').paymentHash)).toBe(true);
    expect(wallet.pay.mock.calls.every(([one]) => one === bolt11)).toBe(true);
  });

  it('JOB-11 does not wait for a silent wallet for ever, and keeps the money set aside all the same', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { wallet } = scriptedWallet({ pay: () => new Promise(() => {}) });
    const payments = payOptions(wallet);
    const time = manualTime();
    const { clock, timers } = time;
    const asking = await client([at.url], {
      payments,
      clock,
      timers,
      config: { ...quick, processingTimeoutMs: 5_000 },
    });
    const job = await asking.requestJob(ask(pubkey));
    await haggler(at.url, at, [{ bolt11: invoice({ amountMsat: 4_000 }), amountMsat: 4_000 }], job.jobId);
    await passTime(time, 1, () => expect(wallet.pay).toHaveBeenCalledTimes(1));
    await passTime(time, 500, () => expect(job.job.endedAt).not.toBeNull());
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/has not said yet/),
    });
    expect(await payments.store.spentMsat(0)).toBe(4_040);
  });

  it('AGT-4 JOB-11 is paid once when the client ends at any point of the payment and starts again', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const bolt11 = invoice({ amountMsat: 4_000 });
    const store = createMemoryJobStore();
    const payments = payOptions(scriptedWallet({ pay: () => new Promise(() => {}) }).wallet);
    const first = await client([at.url], { store, payments });
    const { jobId } = await first.requestJob(ask(pubkey), { idempotencyKey: 'k' });
    await haggler(at.url, at, [{ bolt11, amountMsat: 4_000 }], jobId);
    await eventually(() => expect(payments.wallet.pay).toHaveBeenCalledTimes(1));
    await first.close();

    // The money had left when the client ended; the wallet knows.
    const settled = scriptedWallet().settled;
    const { wallet } = scriptedWallet({ lookup: async () => settled });
    const second = await client([at.url], { store, payments: { ...payments, wallet } });
    const job = await second.get(jobId);
    await eventually(() => expect(job?.state).toBe('paid'));
    expect(wallet.pay).not.toHaveBeenCalled();
    await second.close();

    // Everything is known by now.
    const { wallet: idle } = scriptedWallet();
    const third = await client([at.url], { store, payments: { ...payments, wallet: idle } });
    expect((await third.get(jobId))?.state).toBe('paid');
    expect(idle.pay).not.toHaveBeenCalled();
    expect(idle.lookup).not.toHaveBeenCalled();
  });

  it('AGT-4 JOB-11 is paid after a restart when the demand was stored and nothing was done about it', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryJobStore();
    const broken = payOptions(scriptedWallet().wallet);
    const failing = {
      ...broken,
      store: { ...broken.store, hold: () => Promise.reject(new Error('disk full')) },
    };
    const first = await client([at.url], { store, payments: failing });
    const { jobId } = await first.requestJob(ask(pubkey));
    await haggler(at.url, at, [{ bolt11: invoice({ amountMsat: 4_000 }), amountMsat: 4_000 }], jobId);
    await eventually(async () => expect((await first.get(jobId))?.state).toBe('payment-required'));
    await first.close();
    const { wallet } = scriptedWallet();
    const second = await client([at.url], { store, payments: payOptions(wallet) });
    await eventually(async () => expect((await second.get(jobId))?.state).toBe('paid'));
    expect(wallet.pay).toHaveBeenCalledTimes(1);
  });
});

describe('a job for anybody', () => {
  const open = { kind: 5000, inputs: [{ data: 'x' }], bidMsat: bid };

  it('JOB-5 JOB-11 collects offers, pays the cheapest and takes no other answer', async () => {
    const at = await relay();
    const rivals = [
      ['dear', '41'.repeat(32), 4_900],
      ['cheap', '42'.repeat(32), 3_000],
      ['too dear', '43'.repeat(32), 5_500],
    ] as const;
    const { wallet } = scriptedWallet();
    const time = manualTime();
    const asking = await client([at.url], {
      payments: payOptions(wallet),
      clock: time.clock,
      timers: time.timers,
      config: { ...quick, offerWindowMs: 400 },
    });
    const job = await asking.requestJob(open);
    time.advance(subscribeMs);
    for (const [name, secret, amountMsat] of rivals) {
      const { signer } = await person(secret);
      const said = buildFeedback({
        request: job.job.request,
        status: 'payment-required',
        amountMsat,
        bolt11: invoice({ name, amountMsat }),
        createdAt: Date.now(),
      });
      at.publish(await signer.signEvent(said));
    }
    await eventually(() => expect(job.job.feedbackCount).toBeGreaterThanOrEqual(2));
    time.advance(400);
    await eventually(() => expect(job.state).toBe('paid'));
    const cheap = await person('42'.repeat(32));
    expect(job.job.provider).toBe(cheap.pubkey);
    expect(wallet.pay.mock.calls).toHaveLength(1);
    const answer = async (secret: string, content: string) => {
      const { signer } = await person(secret);
      at.publish(
        await signer.signEvent(buildJobResult({ request: job.job.request, content, createdAt: Date.now() })),
      );
    };
    await answer('41'.repeat(32), 'from the dear one');
    await answer('42'.repeat(32), 'from the cheap one');
    expect(await job.result).toMatchObject({ content: 'from the cheap one', provider: cheap.pubkey });
  });

  it('JOB-5 JOB-16 is not ended by the error of one of many', async () => {
    const at = await relay();
    const { signer } = await person(keys.rival);
    const asking = await client([at.url]);
    const job = await asking.requestJob(open);
    const about = { request: job.job.request, createdAt: Date.now() };
    at.publish(await signer.signEvent(buildFeedback({ ...about, status: 'error', info: 'ha' })));
    at.publish(await signer.signEvent(buildFeedback({ ...about, status: 'success' })));
    await eventually(() => expect(job.job.feedbackCount).toBe(2));
    expect(job.job.successAt).toBeNull();
    await provider([at.url], () => 'done', { broadcast: true });
    expect(await job.result).toMatchObject({ content: 'done' });
  });
});
