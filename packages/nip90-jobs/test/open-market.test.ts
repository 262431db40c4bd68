import { describe, expect, it, vi } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import { createMemoryJobStore, createMemoryPaymentStore, type JobHandle, type Wallet } from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, person, quick, relay } from './world.ts';

const openJob = { kind: 5000, inputs: [{ data: 'x' }], bidMsat: 5_000 };
const secretKey = (number: number) => (number + 1_000).toString(16).padStart(64, '0');

/** A wallet that pays every invoice except those named. */
function walletRefusing(...names: string[]) {
  const refused = new Set(names.map((name) => secretOf(name).paymentHash));
  const paid = new Map<string, string>();
  for (const name of ['honest', 'cheap', 'dear', 'refused'])
    paid.set(secretOf(name).paymentHash, secretOf(name).preimage);
  const hashes: string[] = [];
  const wallet: Wallet = {
    async pay(bolt11) {
      const { decodeInvoice } = await import('../src/index.ts');
      const paymentHash = decodeInvoice(bolt11)?.paymentHash ?? '';
      hashes.push(paymentHash);
      if (refused.has(paymentHash)) return { status: 'failed', reason: 'no route' };
      return { status: 'settled', preimage: paid.get(paymentHash) ?? null, feesMsat: 0 };
    },
    lookup: async () => ({ status: 'unknown' }),
  };
  return { wallet, hashes };
}

async function market(wallet: Wallet, options: object = {}) {
  const at = await relay();
  const payments = { wallet, store: createMemoryPaymentStore() };
  const asking = await client([at.url], { payments, config: { ...quick, offerWindowMs: 300 }, ...options });
  const offer = async (job: JobHandle, secret: string, bolt11: string, amountMsat: number) => {
    const { signer } = await person(secret);
    const { request } = job.job;
    const about = { request, status: 'payment-required', amountMsat, bolt11, createdAt: Date.now() } as const;
    at.publish(await signer.signEvent(buildFeedback(about)));
  };
  const answer = async (job: JobHandle, secret: string, content: string) => {
    const { signer } = await person(secret);
    const { request } = job.job;
    at.publish(await signer.signEvent(buildJobResult({ request, content, createdAt: Date.now() })));
  };
  return { at, asking, payments, offer, answer };
}

describe('offers for an open job', () => {
  const bad: [string, string, number][] = [
    ['junk', 'lnbc1junk', 1],
    ['expired', invoice({ name: 'cheap', amountMsat: 1, createdAt: Date.now() - 7_200_000 }), 1],
    ['on another network', invoice({ name: 'cheap', amountMsat: 1, prefix: 'tb' }), 1],
    ['over more than it names', invoice({ name: 'cheap', amountMsat: 4_000 }), 1],
    ['refused by the wallet', invoice({ name: 'refused', amountMsat: 1 }), 1],
  ];
  it.each(bad)(
    'do not end it when one is %s: the honest one is paid (JOB-22)',
    async (_, bolt11, amountMsat) => {
      const { wallet } = walletRefusing('refused');
      const { asking, offer, answer } = await market(wallet);
      const job = await asking.requestJob(openJob);
      await offer(job, keys.rival, bolt11, amountMsat);
      await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
      await eventually(() => expect(job.job.paidAt).not.toBeNull());
      const { pubkey } = await person(keys.provider);
      expect(job.job.provider).toBe(pubkey);
      await answer(job, keys.rival, 'spam');
      await answer(job, keys.provider, 'honest');
      expect(await job.result).toMatchObject({ content: 'honest', provider: pubkey });
    },
  );

  it('end it at its time limit when every one was declined (JOB-22)', async () => {
    const { wallet } = walletRefusing('refused');
    const { asking, offer } = await market(wallet, {
      config: { ...quick, offerWindowMs: 50, processingTimeoutMs: 2_000, resultTimeoutMs: 100 },
    });
    const job = await asking.requestJob(openJob);
    await offer(job, keys.rival, invoice({ name: 'refused', amountMsat: 1 }), 1);
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/no route/),
    });
    expect(job.job.provider).toBeNull();
  });

  it('of a thousand strangers leave room for an honest one (JOB-22)', async () => {
    const { wallet, hashes } = walletRefusing();
    const store = createMemoryJobStore();
    const { asking, offer, answer } = await market(wallet, {
      store,
      config: { ...quick, offerWindowMs: 5_000, processingTimeoutMs: 120_000 },
    });
    const job = await asking.requestJob(openJob);
    for (let number = 0; number < 1_000; number += 1)
      await offer(
        job,
        secretKey(number),
        number % 2 ? 'lnbc1junk' : invoice({ amountMsat: 5_000 }),
        1 + (number % 2),
      );
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await eventually(() => expect(job.job.paidAt).not.toBeNull());
    expect(hashes).toEqual([secretOf('honest').paymentHash]);
    // Nothing of what cannot be paid is stored.
    expect((await store.history(job.jobId)).feedback.length).toBe(1);
    await answer(job, keys.provider, 'honest');
    expect(await job.result).toMatchObject({ content: 'honest' });
  }, 120_000);
});

describe('results of strangers for an open job', () => {
  it('end it only when the caller accepts them (JOB-22)', async () => {
    const { asking, answer } = await market(walletRefusing().wallet);
    const accept = vi.fn(async ({ content }: { content: string }) => content === 'good');
    const job = await asking.requestJob(openJob, { accept });
    for (let number = 0; number < 50; number += 1) await answer(job, secretKey(number), `spam ${number}`);
    await answer(job, keys.provider, 'good');
    expect(await job.result).toMatchObject({ content: 'good' });
    expect(accept.mock.calls.length).toBeLessThanOrEqual(51);
    expect(asking.ignored().unaccepted).toBeGreaterThanOrEqual(1);
  });

  it('are considered a few times per provider, and blank ones never (JOB-22)', async () => {
    const { asking, answer } = await market(walletRefusing().wallet, { accept: () => false });
    const job = await asking.requestJob(openJob);
    for (let number = 0; number < 10; number += 1) await answer(job, keys.rival, `spam ${number}`);
    await eventually(() => expect(asking.ignored().unaccepted).toBe(3));
    const { asking: plain, answer: say } = await market(walletRefusing().wallet);
    const second = await plain.requestJob(openJob);
    await say(second, keys.rival, ' \u200b ');
    await eventually(() => expect(plain.ignored().unaccepted).toBe(1));
    await say(second, keys.provider, 'words');
    expect(await second.result).toMatchObject({ content: 'words' });
    await job.cancel();
  });
});
