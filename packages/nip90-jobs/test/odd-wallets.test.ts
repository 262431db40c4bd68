import { describe, expect, it, vi } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import {
  createBolt11Method,
  createMemoryJobStore,
  createMemoryPaymentStore,
  decodeInvoice,
  type JobClientOptions,
  type JobStore,
  type PaymentMethod,
  type PaymentOutcome,
  type PaymentStore,
  type Wallet,
} from '../src/index.ts';
import { sampleEvent, sampleJob } from '../src/testing/samples.ts';
import { advance } from '../src/transition.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, manualTime, passTime, person, quick, relay } from './world.ts';

const { preimage } = secretOf('invoice');
const settled: PaymentOutcome = { status: 'settled', preimage, feesMsat: 7 };
const failed: PaymentOutcome = { status: 'failed', reason: 'PAYMENT_FAILED: no route' };
const work = (provider: string) => ({ kind: 5000, provider, inputs: [{ data: 'x' }], bidMsat: 4_000 });

/** A job whose provider demands 4,000 msat, paid by `wallet`. */
async function paying(wallet: Wallet, options: Partial<JobClientOptions> = {}) {
  const at = await relay();
  const { signer, pubkey } = await person(keys.provider);
  const store = createMemoryJobStore();
  const payments = { wallet, store: createMemoryPaymentStore() };
  const asking = await client([at.url], { store, payments, ...options });
  const job = await asking.requestJob(work(pubkey), { idempotencyKey: 'k' });
  const { request } = job.job;
  const say = async (what: { bolt11: string } | { content: string }) => {
    const about = { request, createdAt: Date.now() };
    const template =
      'content' in what
        ? buildJobResult({ ...about, content: what.content })
        : buildFeedback({ ...about, status: 'payment-required', amountMsat: 4_000, bolt11: what.bolt11 });
    at.publish(await signer.signEvent(template));
  };
  await say({ bolt11: invoice({ amountMsat: 4_000 }) });
  return { at, asking, job, say, payments, pubkey };
}

const lookup = (...answers: (Awaited<ReturnType<Wallet['lookup']>> | Error)[]) =>
  vi.fn<Wallet['lookup']>(async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer ?? { status: 'unknown' };
  });

describe('a wallet that', () => {
  const unproven: PaymentOutcome = { status: 'settled', preimage: null, feesMsat: 0 };
  const wrong: PaymentOutcome = { ...unproven, preimage: secretOf('another').preimage };
  it.each<[string, PaymentOutcome | Error, Parameters<typeof lookup>, 'settled' | 'failed-after-lookup']>([
    ['says that it failed, and did', failed, [failed], 'failed-after-lookup'],
    ['says that it failed, and does not know it', failed, [{ status: 'unknown' }], 'failed-after-lookup'],
    ['says that it failed, and paid', failed, [settled], 'settled'],
    ['gives no preimage, and paid', unproven, [settled], 'settled'],
    ['never gives a preimage, and paid', unproven, [unproven], 'settled'],
    ['gives no preimage, and failed', unproven, [failed], 'failed-after-lookup'],
    ['gives a wrong preimage, and paid', wrong, [settled], 'settled'],
    ['gives a wrong preimage, and failed', wrong, [failed], 'failed-after-lookup'],
    ['gives a wrong preimage, and does not know it', wrong, [{ status: 'unknown' }], 'settled'],
    ['throws, and paid', new Error('gone'), [settled], 'settled'],
    ['throws, and failed', new Error('gone'), [failed], 'failed-after-lookup'],
  ])('%s: the books are right (JOB-19)', async (_, says, answers, status) => {
    const time = manualTime();
    const pay = vi.fn<Wallet['pay']>(async () => {
      if (says instanceof Error) throw says;
      return says;
    });
    const { payments, job } = await paying(
      { pay, lookup: lookup(...answers) },
      { clock: time.clock, timers: time.timers },
    );
    await eventually(async () => {
      time.advance(10);
      expect((await payments.store.get(job.jobId))?.status).toMatch(/settled|failed/);
    }).catch(() => time.advance(2_000));
    await eventually(async () =>
      expect(await payments.store.get(job.jobId)).toMatchObject({ status, revision: expect.any(Number) }),
    );
    expect(pay).toHaveBeenCalledTimes(1);
    const spent = await payments.store.spentMsat(0);
    expect(spent).toBe(status === 'settled' ? 4_000 + (answers.includes(settled) ? 7 : 0) : 0);
  });

  it('never answers is asked again, and its answer is taken then (JOB-11, JOB-19)', async () => {
    const time = manualTime();
    const never = new Promise<never>(() => {});
    const pay = vi.fn<Wallet['pay']>(() => never);
    const answers = [never, Promise.resolve(settled)];
    const look = vi.fn<Wallet['lookup']>(() => answers.shift() ?? never);
    const config = { ...quick, processingTimeoutMs: 86_400_000 };
    const { payments, job } = await paying(
      { pay, lookup: look },
      { clock: time.clock, timers: time.timers, config },
    );
    await eventually(async () => {
      time.advance(10_000);
      expect(await payments.store.get(job.jobId)).toMatchObject({ status: 'settled', feesMsat: 7 });
    });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(look).toHaveBeenCalledTimes(2);
    expect(job.job.paidAt).not.toBeNull();
  });

  it.each([
    ['NaN', Number.NaN, 40],
    ['less than nothing', -1_000_000, 40],
    ['a text', '7', 40],
    ['nothing', undefined, 40],
    ['a fraction', 6.5, 7],
  ])('says that the fees are %s: the budget counts them carefully (JOB-19)', async (_, feesMsat, counted) => {
    const outcome = { status: 'settled', preimage, feesMsat } as PaymentOutcome;
    const { payments, job } = await paying({ pay: async () => outcome, lookup: lookup(outcome) });
    await eventually(() => expect(job.state).toBe('paid'));
    expect(await payments.store.spentMsat(0)).toBe(4_000 + counted);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'settled'],
    ['a word of its own', { status: 'paid', preimage }],
    ['a preimage that is a number', { status: 'settled', preimage: 7, feesMsat: 7 }],
    ['a failure without a reason', { status: 'failed' }],
  ])('answers %s: the look-up decides (JOB-11, JOB-19)', async (_, said) => {
    const time = manualTime();
    const pay = vi.fn<Wallet['pay']>(async () => said as PaymentOutcome);
    const answers = [said, said, settled] as PaymentOutcome[];
    const look = async () => (answers.length > 1 ? answers.shift() : answers[0]) as PaymentOutcome;
    const { payments, job } = await paying({ pay, lookup: look }, { clock: time.clock, timers: time.timers });
    const wanted = said !== null && typeof said === 'object' && 'status' in said ? said.status : '';
    const status = wanted === 'failed' ? 'failed-after-lookup' : 'settled';
    await eventually(async () => {
      time.advance(10_000);
      expect(await payments.store.get(job.jobId)).toMatchObject({ status });
    });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(await payments.store.spentMsat(0)).toBe(status === 'settled' ? 4_007 : 0);
  });

  it('answers a look-up in the end: nothing is paid twice meanwhile (JOB-19)', async () => {
    const time = manualTime();
    const pay = vi.fn<Wallet['pay']>(async () => ({ status: 'in-flight' }));
    const asked = lookup(new Error('gone'), { status: 'in-flight' }, { status: 'in-flight' }, settled);
    const { payments, job } = await paying(
      { pay, lookup: asked },
      { clock: time.clock, timers: time.timers },
    );
    await eventually(async () => {
      time.advance(10_000);
      expect(await payments.store.get(job.jobId)).toMatchObject({ status: 'settled', feesMsat: 7 });
    });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(job.job.paidAt).not.toBeNull();
  });
});

describe('the result of a paid job', () => {
  const slow = () => {
    const answer = Promise.withResolvers<PaymentOutcome>();
    const wallet: Wallet = { pay: () => answer.promise, lookup: async () => ({ status: 'in-flight' }) };
    return { wallet, settle: () => answer.resolve(settled) };
  };
  const short = { ...quick, processingTimeoutMs: 400, resultTimeoutMs: 400 };
  const timedBy = ({ clock, timers }: ReturnType<typeof manualTime>, config: object = {}) => ({
    ...{ clock, timers, config: { ...quick, processingTimeoutMs: 5_000, resultTimeoutMs: 5_000, ...config } },
  });

  it('is attached when the payment settles after the time limit, and the key returns it (JOB-19)', async () => {
    const { wallet, settle } = slow();
    const time = manualTime();
    const { asking, job, say, pubkey, payments } = await paying(wallet, timedBy(time));
    const late = vi.fn();
    asking.on('late-result', late);
    await passTime(time, 1, async () => expect(await payments.store.get(job.jobId)).not.toBeNull());
    await passTime(time, 500, () => expect(job.job.endedAt).not.toBeNull());
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    settle();
    await passTime(time, 1, () => expect(job.job.paidAt).not.toBeNull());
    await say({ content: 'late, but here' });
    await passTime(time, 1, () => expect(late).toHaveBeenCalledTimes(1));
    expect(late.mock.calls[0]?.[0]).toMatchObject({ result: { content: 'late, but here' } });
    const again = await asking.requestJob(work(pubkey), { idempotencyKey: 'k' });
    expect(again.jobId).toBe(job.jobId);
    expect((await again.result).content).toBe('late, but here');
    expect(await asking.claim(job.jobId)).toMatchObject({ content: 'late, but here' });
  });

  it('is claimed from the relays by a client that comes later (JOB-19)', async () => {
    const wallet: Wallet = { pay: async () => settled, lookup: async () => settled };
    const time = manualTime();
    const { at, asking, job, say, payments, pubkey } = await paying(
      wallet,
      timedBy(time, { lateResultWindowMs: 0 }),
    );
    await passTime(time, 1, () => expect(job.state).toBe('paid'));
    await passTime(time, 10_000, () => expect(job.state).toBe('timed_out'));
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_TIMED_OUT' });
    expect(await asking.claim(job.jobId)).toBeNull();
    const jobs = await asking.list();
    await asking.close();
    await say({ content: 'on the relay' });

    const store = createMemoryJobStore();
    for (const one of jobs.items) await store.create(one);
    const second = await client([at.url], { store, payments, config: { ...short, lateResultWindowMs: 0 } });
    expect(await second.claim(job.jobId)).toMatchObject({ content: 'on the relay', recovered: true });
    expect(await (await second.requestJob(work(pubkey), { idempotencyKey: 'k' })).result).toMatchObject({
      content: 'on the relay',
    });
    await expect(second.claim('00'.repeat(32))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('is returned by the key when the process ended between the payment and its note in the job (JOB-19)', async () => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const [store, payments] = [createMemoryJobStore(), createMemoryPaymentStore()];
    const wallet: Wallet = { pay: async () => settled, lookup: async () => settled };
    const options = { store, payments: { wallet, store: payments }, config: short };
    const first = await client([at.url], options);
    const job = await first.requestJob(work(pubkey), { idempotencyKey: 'k' });
    const { request } = job.job;
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_TIMED_OUT' });
    await first.close();
    const hold = {
      paymentHash: secretOf('invoice').paymentHash,
      jobId: job.jobId,
      provider: pubkey,
      method: 'bolt11',
      bolt11: invoice({ amountMsat: 4_000 }),
      amountMsat: 4_000,
      feeReserveMsat: 40,
      holder: 'ended',
      heldAt: Date.now(),
      expiresAt: Date.now(),
    };
    const held = await payments.hold(hold, null);
    if (held.outcome !== 'held') throw new Error(held.outcome);
    const { payment } = held;
    await payments.update({ ...payment, status: 'settled', endedAt: Date.now(), preimage, revision: 2 });
    at.publish(
      await signer.signEvent(buildJobResult({ request, content: 'paid for', createdAt: Date.now() })),
    );
    const second = await client([at.url], options);
    const again = await second.requestJob(work(pubkey), { idempotencyKey: 'k' });
    expect(again.jobId).toBe(job.jobId);
    expect((await again.result).content).toBe('paid for');
  });

  it('counts although the wallet had said twice that it failed (JOB-19)', async () => {
    const answers = [failed, settled];
    const wallet: Wallet = { pay: async () => failed, lookup: async () => answers.shift() ?? settled };
    const { asking, job, say, payments } = await paying(wallet);
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(await payments.store.spentMsat(0)).toBe(0);
    await say({ content: 'paid after all' });
    await eventually(async () =>
      expect(await asking.claim(job.jobId)).toMatchObject({ content: 'paid after all' }),
    );
    expect(await payments.store.spentMsat(0)).toBe(4_007);
  });
});

describe('a payment of a job that was cancelled', () => {
  it.each(['quote', 'budget', 'wallet'])('is not made when the %s is slow (JOB-19)', async (slow) => {
    const gate = Promise.withResolvers<void>();
    const reached = vi.fn();
    const wait = async () => {
      reached();
      await gate.promise;
    };
    const pay = vi.fn<Wallet['pay']>(async () => {
      if (slow === 'wallet') await wait();
      return { status: 'in-flight' };
    });
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const method: PaymentMethod = {
      ...createBolt11Method(wallet),
      name: 'slow',
      async quote(demand, options) {
        if (slow === 'quote') await wait();
        return createBolt11Method(wallet).quote(demand, options);
      },
    };
    const memory = createMemoryPaymentStore();
    const store: PaymentStore = {
      ...memory,
      async hold(...asked) {
        const held = await memory.hold(...asked);
        if (slow === 'budget') await wait();
        return held;
      },
    };
    const time = manualTime();
    const { job } = await paying(wallet, {
      clock: time.clock,
      timers: time.timers,
      payments: { wallet, store, methods: [method] },
    });
    await eventually(() => {
      time.advance(10);
      expect(reached).toHaveBeenCalled();
    });
    const calls = pay.mock.calls.length;
    await job.cancel();
    gate.resolve();
    await eventually(async () => {
      time.advance(10_000);
      expect(await memory.listOpen()).toEqual([]);
      expect(await memory.spentMsat(0)).toBe(0);
    });
    // Nothing that was under way continues.
    for (let turn = 0; turn < 20; turn += 1) {
      time.advance(10_000);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(pay).toHaveBeenCalledTimes(calls);
  });

  it('is not made by the next process (JOB-19)', async () => {
    const pay = vi.fn<Wallet['pay']>(async () => settled);
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const [store, payments] = [createMemoryJobStore(), createMemoryPaymentStore()];
    const first = await client([at.url], { store });
    const job = await first.requestJob(work(pubkey));
    const open = await first.requestJob(work(pubkey));
    // A process that ended when it had reserved the budget.
    for (const [jobId, name] of [
      [job.jobId, 'one'],
      [open.jobId, 'two'],
    ] as const)
      await payments.hold(
        {
          paymentHash: secretOf(name).paymentHash,
          jobId,
          provider: pubkey,
          method: 'bolt11',
          bolt11: invoice({ name, amountMsat: 4_000 }),
          amountMsat: 4_000,
          feeReserveMsat: 40,
          holder: 'ended',
          heldAt: Date.now(),
          expiresAt: Date.now() + 600_000,
        },
        null,
      );
    await job.cancel();
    await first.close();
    await client([at.url], { store, payments: { wallet, store: payments } });
    await eventually(async () => expect(await payments.listOpen()).toEqual([]));
    expect(pay.mock.calls.map(([bolt11]) => decodeInvoice(bolt11)?.paymentHash)).toEqual([
      secretOf('two').paymentHash,
    ]);
    expect(await payments.get(job.jobId)).toMatchObject({ status: 'failed-after-lookup' });
  });
});

describe('a client that slept longer than its lease', () => {
  it('does not call the wallet for a payment that another one took over (JOB-19, JOB-27)', async () => {
    const time = manualTime();
    const memory = createMemoryPaymentStore();
    const gate = Promise.withResolvers<void>();
    const held = vi.fn();
    const store: PaymentStore = {
      ...memory,
      async hold(...asked) {
        const outcome = await memory.hold(...asked);
        held();
        await gate.promise;
        return outcome;
      },
    };
    const pay = vi.fn<Wallet['pay']>(async () => settled);
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'in-flight' }) };
    const { job } = await paying(wallet, {
      clock: time.clock,
      timers: time.timers,
      payments: { wallet, store },
    });
    await eventually(() => {
      time.advance(10);
      expect(held).toHaveBeenCalled();
    });
    const payment = await memory.get(job.jobId);
    if (payment === null) throw new Error('not held');
    time.advance(60_000);
    const now = time.clock();
    await memory.lease('other', { now, until: now + 1e9 });
    const taken = { ...payment, holder: 'other', revision: 2, status: 'in-flight' } as const;
    expect(await memory.update(taken)).toBe(true);
    gate.resolve();
    for (let turn = 0; turn < 20; turn += 1) {
      time.advance(1_000);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(pay).not.toHaveBeenCalled();
    expect(await memory.get(job.jobId)).toMatchObject({ holder: 'other', status: 'in-flight' });
    // Neither does it call again when its lease ends between two calls.
    await memory.update({ ...taken, revision: 3, status: 'settled', endedAt: now });
    await eventually(() => {
      time.advance(1_000);
      expect(job.job.paidAt).not.toBeNull();
    });
    expect(pay).not.toHaveBeenCalled();
  });

  it('asks the wallet before it calls it when its lease ended while it wrote (JOB-19, JOB-27)', async () => {
    const time = manualTime();
    const memory = createMemoryPaymentStore();
    const order: string[] = [];
    const store: PaymentStore = {
      ...memory,
      async update(payment) {
        if (payment.status === 'in-flight' && order.length === 0) {
          order.push('write');
          time.advance(60_000);
        }
        return memory.update(payment);
      },
    };
    const wallet: Wallet = {
      async pay() {
        order.push('pay');
        return settled;
      },
      async lookup() {
        order.push('lookup');
        return { status: 'unknown' };
      },
    };
    const config = { ...quick, processingTimeoutMs: 86_400_000 };
    const { job } = await paying(wallet, {
      clock: time.clock,
      timers: time.timers,
      config,
      payments: { wallet, store },
    });
    await eventually(() => {
      time.advance(10);
      expect(job.state).toBe('paid');
    });
    expect(order).toEqual(['write', 'lookup', 'pay']);
  });

  it('does not repeat a call after another one took the payment over (JOB-19, JOB-27)', async () => {
    const time = manualTime();
    const memory = createMemoryPaymentStore();
    const asleep = Promise.withResolvers<void>();
    const looked = vi.fn();
    const pay = vi.fn<Wallet['pay']>(async () => ({ status: 'in-flight' }));
    const wallet: Wallet = {
      pay,
      async lookup() {
        looked();
        await asleep.promise;
        return { status: 'unknown' };
      },
    };
    const { job } = await paying(wallet, {
      clock: time.clock,
      timers: time.timers,
      payments: { wallet, store: memory },
    });
    await eventually(() => {
      time.advance(1_000);
      expect(looked).toHaveBeenCalled();
    });
    const payment = await memory.get(job.jobId);
    if (payment === null) throw new Error('not held');
    time.advance(60_000);
    await memory.lease('other', { now: time.clock(), until: time.clock() + 1e9 });
    await memory.update({ ...payment, holder: 'other', revision: payment.revision + 1 });
    asleep.resolve();
    for (let turn = 0; turn < 20; turn += 1) {
      time.advance(1_000);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(pay).toHaveBeenCalledTimes(1);
    await job.cancel();
  });
});

describe('the budget', () => {
  it('includes the fees of payments that are not settled yet (JOB-19)', async () => {
    const budget = { limitMsat: 4_030 };
    const wallet = { pay: vi.fn<Wallet['pay']>(async () => settled), lookup: lookup(settled) };
    const { job } = await paying(wallet, {
      payments: { wallet, store: createMemoryPaymentStore(), budget },
    });
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/4030 msat left, fees included/),
    });
    expect(wallet.pay).not.toHaveBeenCalled();
  });

  it('reserves more once a wallet has paid higher fees (JOB-19)', async () => {
    const wallet = {
      pay: vi.fn<Wallet['pay']>(async () => ({ status: 'settled', preimage, feesMsat: 1_000 })),
      lookup: lookup(settled),
    };
    const store = createMemoryPaymentStore();
    const hold = vi.spyOn(store, 'hold');
    const { at, asking, job, pubkey } = await paying(wallet, { payments: { wallet, store } });
    await eventually(() => expect(job.state).toBe('paid'));
    const second = await asking.requestJob({ ...work(pubkey), inputs: [{ data: 'y' }] });
    const { signer } = await person(keys.provider);
    const demand = { request: second.job.request, status: 'payment-required', amountMsat: 2_000 } as const;
    const bolt11 = invoice({ name: 'second', amountMsat: 2_000 });
    at.publish(await signer.signEvent(buildFeedback({ ...demand, bolt11, createdAt: Date.now() })));
    await eventually(() => expect(hold).toHaveBeenCalledTimes(2));
    expect(hold.mock.calls.map(([{ feeReserveMsat }]) => feeReserveMsat)).toEqual([40, 500]);
  });
});

describe('a store that forgets', () => {
  const endAll = async (store: JobStore, from: number, to: number) => {
    for (let number = from; number < to; number += 1) {
      const { job } = await store.create(sampleJob(number));
      await store.update({ ...advance(job, { type: 'cancelled', at: 1, message: '' }), feedback: null });
    }
  };

  it('keeps what was paid and has not arrived, in memory too (JOB-24)', async () => {
    const store = createMemoryJobStore({ maxEnded: 2 });
    const { job } = await store.create(sampleJob(10));
    const ended = advance(job, { type: 'timeout', at: 1, timeoutClass: 'processing', message: '' });
    await store.update({ ...ended, feedback: null });
    const paid = advance(ended.job, { type: 'late-paid', at: 2 });
    await store.update({ ...paid, feedback: null });
    await endAll(store, 20, 30);
    expect(await store.get(job.jobId)).toMatchObject({ paidAt: 2 });
    const late = sampleEvent(50, { kind: 6000 });
    const done = advance(paid.job, { type: 'late-result', at: 3, event: late, recovered: true });
    await store.update({ ...done, feedback: null });
    await endAll(store, 30, 40);
    expect(await store.get(job.jobId)).toBeNull();
  });

  it('is told by the client of jobs whose payment is open (JOB-24)', async () => {
    const wallet: Wallet = {
      pay: async () => ({ status: 'in-flight' }),
      lookup: async () => ({ status: 'in-flight' }),
    };
    const time = manualTime();
    const { clock, timers } = time;
    const { asking, job, payments } = await paying(wallet, { clock, timers, config: quick });
    await passTime(time, 1, async () => expect(await payments.store.get(job.jobId)).not.toBeNull());
    await passTime(time, 10_000, () => expect(job.job.endedAt).not.toBeNull());
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(await asking.prune({ before: clock() + 60_000 })).toBe(0);
    expect(await asking.get(job.jobId)).not.toBeNull();
    const payment = await payments.store.get(job.jobId);
    if (payment === null) throw new Error('not held');
    const end = {
      status: 'failed-after-lookup',
      endedAt: clock(),
      revision: payment.revision + 1,
    } as const;
    expect(await payments.store.update({ ...payment, ...end })).toBe(true);
    expect(await asking.prune({ before: clock() + 60_000 })).toBe(1);
  });
});
