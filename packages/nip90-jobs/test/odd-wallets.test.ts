import { describe, expect, it, vi } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import {
  createMemoryJobStore,
  createMemoryPaymentStore,
  type JobClientOptions,
  type PaymentOutcome,
  type Wallet,
} from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, manualTime, person, quick, relay } from './world.ts';

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
  it.each<[string, PaymentOutcome | Error, Parameters<typeof lookup>, 'settled' | 'failed-after-lookup']>([
    ['says that it failed, and did', failed, [failed], 'failed-after-lookup'],
    ['says that it failed, and does not know it', failed, [{ status: 'unknown' }], 'failed-after-lookup'],
    ['says that it failed, and paid', failed, [settled], 'settled'],
    ['gives no preimage, and paid', unproven, [settled], 'settled'],
    ['never gives a preimage, and paid', unproven, [unproven], 'settled'],
    ['gives no preimage, and failed', unproven, [failed], 'failed-after-lookup'],
    ['throws, and paid', new Error('gone'), [settled], 'settled'],
    ['throws, and failed', new Error('gone'), [failed], 'failed-after-lookup'],
  ])('%s: the books are right (JOB-19)', async (_, says, answers, status) => {
    const time = manualTime();
    const pay = vi.fn<Wallet['pay']>(async () => {
      if (says instanceof Error) throw says;
      return says;
    });
    const { payments, job } = await paying({ pay, lookup: lookup(...answers) }, time);
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

  it('answers a look-up in the end: nothing is paid twice meanwhile (JOB-19)', async () => {
    const time = manualTime();
    const pay = vi.fn<Wallet['pay']>(async () => ({ status: 'in-flight' }));
    const asked = lookup(new Error('gone'), { status: 'in-flight' }, { status: 'in-flight' }, settled);
    const { payments, job } = await paying({ pay, lookup: asked }, time);
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

  it('is attached when the payment settles after the time limit, and the key returns it (JOB-19)', async () => {
    const { wallet, settle } = slow();
    const { asking, job, say, pubkey } = await paying(wallet, { config: short });
    const late = vi.fn();
    asking.on('late-result', late);
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    settle();
    await eventually(() => expect(job.job.paidAt).not.toBeNull());
    await say({ content: 'late, but here' });
    await eventually(() => expect(late).toHaveBeenCalledTimes(1));
    expect(late.mock.calls[0]?.[0]).toMatchObject({ result: { content: 'late, but here' } });
    const again = await asking.requestJob(work(pubkey), { idempotencyKey: 'k' });
    expect(again.jobId).toBe(job.jobId);
    expect((await again.result).content).toBe('late, but here');
    expect(await asking.claim(job.jobId)).toMatchObject({ content: 'late, but here' });
  });

  it('is claimed from the relays by a client that comes later (JOB-19)', async () => {
    const wallet: Wallet = { pay: async () => settled, lookup: async () => settled };
    const { at, asking, job, say, payments, pubkey } = await paying(wallet, {
      config: { ...short, lateResultWindowMs: 0 },
    });
    await eventually(() => expect(job.state).toBe('paid'));
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
});
