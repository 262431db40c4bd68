import type { ConnectionInfo } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, vi } from 'vitest';
import { createOfferBook } from '../src/client/offers.ts';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import {
  createMemoryJobStore,
  createMemoryPaymentStore,
  decodeInvoice,
  type JobClientOptions,
  type JobHandle,
  type Offer,
  type PaymentOutcome,
  type Wallet,
} from '../src/index.ts';
import { invoicePayee } from '../src/payment/invoice-signature.ts';
import { sampleEvent } from '../src/testing/samples.ts';
import { invoice, secretOf } from './invoice.ts';
import { subscribeMs } from './sayings.ts';
import { client, eventually, keys, manualTime, passTime, person, quick, relay } from './world.ts';

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

/** Returns the requests whose answers a connection has subscribed to. */
const listens = ({ subscriptions }: ConnectionInfo) =>
  subscriptions.flatMap(({ filters }) => filters.flatMap((filter) => filter['#e'] ?? []));

/** A market whose windows and limits pass when a test says so. */
async function slowMarket(
  wallet: Wallet,
  config: JobClientOptions['config'],
  store = createMemoryJobStore(),
) {
  const time = manualTime();
  const found = await market(wallet, { clock: time.clock, timers: time.timers, config, store });
  const ask = async () => {
    const job = await found.asking.requestJob(openJob);
    time.advance(subscribeMs);
    // What a relay stored before, it sends in pages: of one second, no more than a page.
    await eventually(() => expect(found.at.connections.flatMap(listens)).toContain(job.jobId));
    return job;
  };
  /** Waits until `count` offers have come for a job, those included that cannot be paid. */
  const heard = (job: JobHandle, count: number) =>
    eventually(() =>
      expect(job.job.feedbackCount + found.asking.ignored().unpayable).toBeGreaterThanOrEqual(count),
    );
  return { ...found, time, ask, heard };
}

describe('offers for an open job', () => {
  const bad: [string, string, number][] = [
    ['junk', 'lnbc1junk', 1],
    ['expired', invoice({ name: 'cheap', amountMsat: 1, createdAt: Date.now() - 7_200_000 }), 1],
    ['on another network', invoice({ name: 'cheap', amountMsat: 1, prefix: 'tb' }), 1],
    ['over more than it names', invoice({ name: 'cheap', amountMsat: 4_000 }), 1],
    ['signed by nobody', invoice({ name: 'cheap', amountMsat: 1, isSigned: false }), 1],
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
    const { wallet, hashes } = walletRefusing('refused');
    const config = { ...quick, offerWindowMs: 50, processingTimeoutMs: 2_000, resultTimeoutMs: 100 };
    const { offer, time, ask, heard } = await slowMarket(wallet, config);
    const job = await ask();
    await offer(job, keys.rival, invoice({ name: 'refused', amountMsat: 1 }), 1);
    await heard(job, 1);
    time.advance(config.offerWindowMs);
    await eventually(() => expect(hashes).toHaveLength(1));
    await passTime(time, 100, () => expect(job.job.endedAt).not.toBeNull());
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(/no route/),
    });
    expect(job.job.provider).toBeNull();
  });

  it('of a thousand strangers leave room for an honest one (JOB-22)', async () => {
    const { wallet, hashes } = walletRefusing();
    const store = createMemoryJobStore();
    const config = { ...quick, offerWindowMs: 5_000, processingTimeoutMs: 120_000 };
    const { offer, answer, time, ask, heard } = await slowMarket(wallet, config, store);
    const job = await ask();
    for (let number = 0; number < 1_000; number += 1)
      await offer(
        job,
        secretKey(number),
        number % 2 ? 'lnbc1junk' : invoice({ amountMsat: 5_000 }),
        1 + (number % 2),
      );
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await heard(job, 1_001);
    time.advance(config.offerWindowMs);
    await eventually(() => expect(job.job.paidAt).not.toBeNull());
    expect(hashes).toEqual([secretOf('honest').paymentHash]);
    // Nothing of what cannot be paid is stored.
    expect((await store.history(job.jobId)).feedback.length).toBe(1);
    await answer(job, keys.provider, 'honest');
    expect(await job.result).toMatchObject({ content: 'honest' });
  });
});

describe('an invoice that a stranger has copied', () => {
  it('gives the job to neither, whoever came first (JOB-22)', async () => {
    const { wallet, hashes } = walletRefusing();
    const config = { ...quick, offerWindowMs: 3_000, processingTimeoutMs: 120_000 };
    const { asking, offer, answer, time, ask, heard } = await slowMarket(wallet, config);
    const bolt11 = invoice({ name: 'cheap', amountMsat: 1_000 });
    for (const [first, second] of [
      [keys.provider, keys.rival],
      [keys.rival, keys.provider],
    ] as const) {
      const unpayable = asking.ignored().unpayable;
      const job = await ask();
      await offer(job, first, bolt11, 1_000);
      await offer(job, second, bolt11, 1_000);
      await offer(job, secretKey(1), invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
      await heard(job, unpayable + 3);
      time.advance(config.offerWindowMs);
      if (first === keys.provider) await eventually(() => expect(job.job.paidAt).not.toBeNull());
      else await eventually(() => expect(asking.ignored().unpayable).toBeGreaterThanOrEqual(2));
      expect(hashes).toEqual([secretOf('honest').paymentHash]);
      if (first !== keys.provider) continue;
      expect(job.job.provider).toBe((await person(secretKey(1))).pubkey);
      await answer(job, keys.rival, 'spam');
      await answer(job, secretKey(1), 'honest');
      expect(await job.result).toMatchObject({ content: 'honest' });
    }
  });

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])('leaves the other offer of its presenter, in the order %i %i %i (JOB-22)', (...order) => {
    const offerOf = (provider: string, name: string, createdAt: number): Offer => ({
      provider,
      amountMsat: 1_000,
      bolt11: invoice({ name, amountMsat: 1_000 }),
      lightningAddress: null,
      event: { ...sampleEvent(createdAt, { kind: 7000 }), created_at: createdAt },
      eventId: `${createdAt}`,
      info: '',
      payee: null,
    });
    for (const times of [
      [1, 2, 3],
      [5, 5, 5],
    ] as const) {
      const own = offerOf('presenter', 'honest', times[2]);
      const sent = [offerOf('presenter', 'cheap', times[0]), offerOf('stranger', 'cheap', times[1]), own];
      const book = createOfferBook();
      for (const at of order) book.add(sent[at] as Offer);
      expect(book.list()).toEqual([own]);
      book.remove('presenter');
      expect(book.list()).toEqual([]);
    }
  });

  it('leaves the price of other invoices of its presenter (JOB-22)', async () => {
    const config = { ...quick, offerWindowMs: 3_000, processingTimeoutMs: 120_000 };
    const { offer, time, ask, heard } = await slowMarket(walletRefusing().wallet, config);
    const job = await ask();
    const copied = invoice({ name: 'cheap', amountMsat: 1_000 });
    await offer(job, keys.provider, copied, 1_000);
    await offer(job, keys.rival, copied, 1_000);
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await heard(job, 3);
    time.advance(config.offerWindowMs);
    await eventually(() => expect(job.job.paidAt).not.toBeNull());
    expect(job.job.provider).toBe((await person(keys.provider)).pubkey);
  });
});

describe('offers of a hundred keys', () => {
  it('that no wallet can pay leave the honest one, which is dearer and later (JOB-22)', async () => {
    const { wallet } = walletRefusing(...Array.from({ length: 100 }, (_, number) => `spam ${number}`));
    const { asking, offer, answer } = await market(wallet, {
      config: { ...quick, offerWindowMs: 3_000, processingTimeoutMs: 120_000 },
    });
    const job = await asking.requestJob(openJob);
    for (let number = 0; number < 100; number += 1)
      await offer(job, secretKey(number), invoice({ name: `spam ${number}`, amountMsat: 1 }), 1);
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await eventually(() => expect(job.job.paidAt).not.toBeNull());
    await answer(job, keys.provider, 'honest');
    expect(await job.result).toMatchObject({ content: 'honest' });
  });

  it('never displace one of another price (JOB-22)', () => {
    const offerOver = (number: number, amountMsat: number): Offer => ({
      provider: secretKey(number),
      amountMsat,
      bolt11: null,
      lightningAddress: 'a@example.com',
      event: null,
      eventId: `${number}`,
      info: '',
      payee: null,
    });
    const book = createOfferBook();
    for (let number = 0; number < 3_000; number += 1) book.add(offerOver(number, 1 + (number % 2)));
    expect(book.add(offerOver(5_000, 2_000))).toBe(true);
    for (let number = 6_000; number < 9_000; number += 1) book.add(offerOver(number, 4_000));
    expect(book.list().length).toBe(200);
    expect(book.list().some(({ amountMsat }) => amountMsat === 2_000)).toBe(true);
    expect(book.list().some(({ amountMsat }) => amountMsat === 1)).toBe(true);
  });
});

describe('an offer for an open job', () => {
  const slowly = async (says: () => Promise<PaymentOutcome>) => {
    const time = manualTime();
    const honest = secretOf('honest').paymentHash;
    const pay = vi.fn<Wallet['pay']>(async (bolt11) =>
      decodeInvoice(bolt11)?.paymentHash === honest
        ? { status: 'settled', preimage: secretOf('honest').preimage, feesMsat: 0 }
        : says(),
    );
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const made = await market(wallet, {
      clock: time.clock,
      timers: time.timers,
      config: { ...quick, processingTimeoutMs: 300_000 },
    });
    const job = await made.asking.requestJob(openJob);
    return { ...made, time, pay, job };
  };

  it('whose payment no look-up finds is given up, and the next one is paid in time (JOB-22)', async () => {
    const { job, offer, time, pay, payments } = await slowly(async () => ({ status: 'in-flight' }));
    const builtAt = time.clock();
    const tenYears = 315_360_000;
    await offer(job, keys.rival, invoice({ name: 'cheap', amountMsat: 1, expirySeconds: tenYears }), 1);
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await eventually(() => {
      time.advance(500);
      expect(job.job.paidAt).not.toBeNull();
    });
    expect(time.clock() - builtAt).toBeLessThan(120_000);
    expect(pay.mock.calls.length).toBeLessThanOrEqual(3);
    expect(await payments.store.spentMsat(0)).toBe(2_000);
  });

  it('that arrives while another one is being paid is kept (JOB-22)', async () => {
    const answer = Promise.withResolvers<PaymentOutcome>();
    const { job, offer, time, pay } = await slowly(() => answer.promise);
    await offer(job, keys.rival, invoice({ name: 'cheap', amountMsat: 1 }), 1);
    await eventually(() => {
      time.advance(500);
      expect(pay).toHaveBeenCalledTimes(1);
    });
    await offer(job, keys.provider, invoice({ name: 'honest', amountMsat: 2_000 }), 2_000);
    await eventually(() => {
      time.advance(10);
      expect(job.job.feedbackCount).toBe(2);
    });
    answer.resolve({ status: 'failed', reason: 'no route' });
    await eventually(() => {
      time.advance(500);
      expect(job.job.paidAt).not.toBeNull();
    });
    expect(job.job.provider).toBe((await person(keys.provider)).pubkey);
  });
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

describe('the signature of an invoice', () => {
  it('names the node that is paid, as the examples of BOLT 11 do (JOB-22)', () => {
    const example =
      'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25le42c4u4ecky03ylcqca784w';
    expect(invoicePayee(example)).toBe('03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad');
    expect(invoicePayee(invoice({ amountMsat: 1_000 }))).toMatch(/^0[23]/);
    expect(invoicePayee(invoice({ amountMsat: 1_000, isSigned: false }))).toBeNull();
    for (const junk of ['', 'lnbc1', 'lnbc1junk', example.slice(0, -1), 'a'.repeat(5_000)])
      expect(invoicePayee(junk)).toBeNull();
  });
});
