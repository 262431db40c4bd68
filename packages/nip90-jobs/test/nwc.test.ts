import { patienceMs } from '@bonafide/internal/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryPaymentStore, type Timers, type Wallet } from '../src/index.ts';
import { createNwcWallet } from '../src/nwc/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { answer, connectionSecret, refusal, walletService, walletUrl } from './wallet-service.ts';
import { client, eventually, keys, person, provider, relay } from './world.ts';

function wallet(url: string, timeoutMs = patienceMs) {
  const created = createNwcWallet({ url: walletUrl(url), timeoutMs });
  onTestFinished(() => created.close());
  return created;
}

const signal = new AbortController().signal;
const bolt11 = invoice({ amountMsat: 4_000 });
const { preimage, paymentHash } = secretOf('invoice');
const transaction = {
  type: 'outgoing',
  state: 'settled',
  invoice: bolt11,
  description: '',
  description_hash: '',
  preimage,
  payment_hash: paymentHash,
  amount: 4_000,
  fees_paid: 9,
  settled_at: 1_700_000_000,
  created_at: 1_700_000_000,
  expires_at: 1_700_003_600,
} as const;
const pay = (one: Wallet) => one.pay(bolt11, { maxMsat: 4_000, signal });

describe('a wallet over Nostr Wallet Connect', () => {
  it('JOB-11 pays, in NIP-44', async () => {
    const at = await relay();
    const payInvoice = vi.fn(async () => answer({ preimage, fees_paid: 9 }));
    await walletService(at.url, { payInvoice });
    expect(await pay(wallet(at.url))).toEqual({ status: 'settled', preimage, feesMsat: 9 });
    expect(payInvoice.mock.calls).toEqual([[{ invoice: bolt11 }]]);
    const request = at.received
      .map(({ message }) => message as [string, { kind: number; tags: string[][] }])
      .find(([type, event]) => type === 'EVENT' && event.kind === 23194);
    expect(request?.[1].tags).toContainEqual(['encryption', 'nip44_v2']);
  });

  it('JOB-11 is not even asked for more than it may pay', async () => {
    const at = await relay();
    const payInvoice = vi.fn(async () => answer({ preimage, fees_paid: 0 }));
    await walletService(at.url, { payInvoice });
    expect(await wallet(at.url).pay(bolt11, { maxMsat: 3_999, signal })).toMatchObject({ status: 'failed' });
    expect(payInvoice).not.toHaveBeenCalled();
  });

  for (const [code, status] of [
    ['INSUFFICIENT_BALANCE', 'failed'],
    ['QUOTA_EXCEEDED', 'failed'],
    ['PAYMENT_FAILED', 'failed'],
    ['NOT_IMPLEMENTED', 'failed'],
    ['INTERNAL', 'in-flight'],
    ['RATE_LIMITED', 'in-flight'],
    ['OTHER', 'in-flight'],
  ] as const) {
    it(`JOB-11 says ${code}: the payment is ${status}`, async () => {
      const at = await relay();
      await walletService(at.url, { payInvoice: async () => refusal(code) as never });
      expect(await pay(wallet(at.url))).toMatchObject({ status });
    });
  }

  it('JOB-11 is silent, unreachable or talks nonsense: the payment is in flight', async () => {
    const at = await relay();
    await walletService(at.url, { payInvoice: () => new Promise(() => {}) });
    expect(await pay(wallet(at.url, 300))).toEqual({ status: 'in-flight' });
    expect(await pay(wallet('ws://127.0.0.1:9', 300))).toEqual({ status: 'in-flight' });
    const odd = await relay();
    await walletService(odd.url, { payInvoice: async () => answer({ strange: true }) as never });
    expect(await pay(wallet(odd.url, 1_000))).toEqual({ status: 'in-flight' });
  });

  it('JOB-11 X-8 stops waiting when it is told to', async () => {
    const at = await relay();
    await walletService(at.url, { payInvoice: () => new Promise(() => {}) });
    const stop = new AbortController();
    const paying = wallet(at.url, 60_000).pay(bolt11, { maxMsat: 4_000, signal: stop.signal });
    stop.abort();
    expect(await paying).toEqual({ status: 'in-flight' });
  });

  it('JOB-11 tells by the payment hash what became of a payment', async () => {
    const at = await relay();
    let found: object = answer(transaction);
    const lookupInvoice = vi.fn(async () => found as never);
    await walletService(at.url, { lookupInvoice });
    const asked = wallet(at.url);
    const lookup = () => asked.lookup(paymentHash, { signal });
    expect(await lookup()).toEqual({ status: 'settled', preimage, feesMsat: 9 });
    expect(lookupInvoice.mock.calls[0]).toEqual([{ payment_hash: paymentHash }]);
    found = answer({ ...transaction, state: 'pending', settled_at: 0 });
    expect(await lookup()).toEqual({ status: 'in-flight' });
    found = answer({ ...transaction, state: 'failed' });
    expect(await lookup()).toMatchObject({ status: 'failed' });
    found = answer({ ...transaction, type: 'incoming' });
    expect(await lookup()).toEqual({ status: 'unknown' });
    found = refusal('NOT_FOUND');
    expect(await lookup()).toEqual({ status: 'unknown' });
    found = refusal('INTERNAL');
    await expect(lookup()).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('JOB-15 makes invoices and knows when they are paid', async () => {
    const at = await relay();
    let state = 'pending';
    const made = { ...transaction, type: 'incoming' } as const;
    const makeInvoice = vi.fn(async () => answer(made as never));
    await walletService(at.url, {
      makeInvoice,
      lookupInvoice: async () => answer({ ...made, state, settled_at: 0 }) as never,
    });
    const ours = wallet(at.url);
    expect(await ours.create({ amountMsat: 4_000, description: 'd', expiryMs: 60_000 }, { signal })).toEqual({
      bolt11,
      paymentHash,
    });
    expect(makeInvoice.mock.calls).toEqual([[{ amount: 4_000, description: 'd', expiry: 60 }]]);
    await expect(
      ours.create({ amountMsat: 4_001, description: 'd', expiryMs: 60_000 }, { signal }),
    ).rejects.toMatchObject({ code: 'WALLET_FAILED' });
    expect(await ours.isPaid(paymentHash, { signal })).toBe(false);
    state = 'settled';
    expect(await ours.isPaid(paymentHash, { signal })).toBe(true);
  });

  it.each([
    ['page by page', true, 120, 3],
    ['the same page again and again', false, 50, 2],
  ])('lists what was paid %s (JOB-21)', async (_, hasPages, count, questions) => {
    const at = await relay();
    const paid = Array.from({ length: count }, (_, number) => ({
      ...transaction,
      type: 'incoming' as const,
      payment_hash: number.toString(16).padStart(64, '0'),
    }));
    const listTransactions = vi.fn(async ({ offset = 0, limit = 50 }) => {
      const from = hasPages ? offset : 0;
      return answer({ transactions: paid.slice(from, from + limit), total_count: count }) as never;
    });
    await walletService(at.url, { listTransactions });
    const hashes = await wallet(at.url, 60_000).listPaid({ since: 0, signal });
    expect([...hashes].sort()).toEqual(paid.map(({ payment_hash }) => payment_hash));
    expect(listTransactions).toHaveBeenCalledTimes(questions);
  });

  it('JOB-11 X-7 has an address that nobody sees in an error', () => {
    const bad = `nostr+walletconnect://nobody?relay=wss://r.example&secret=${connectionSecret}`;
    for (const url of [bad, connectionSecret, '']) {
      const attempt = () => createNwcWallet({ url });
      expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
      expect(attempt).not.toThrow(connectionSecret);
    }
  });

  it('JOB-11 JOB-15 pays for a job from one wallet to the other, both on the same relay', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    let isPaid = false;
    await walletService(at.url, {
      makeInvoice: async () => answer({ ...transaction, type: 'incoming' }) as never,
      payInvoice: async () => {
        isPaid = true;
        return answer({ preimage, fees_paid: 9 });
      },
      lookupInvoice: async () =>
        answer({
          ...transaction,
          type: 'incoming',
          state: isPaid ? 'settled' : 'pending',
          settled_at: 0,
        }) as never,
    });
    await provider([at.url], () => 'worth it', {
      price: () => 4_000,
      invoices: wallet(at.url),
      config: { paymentPollMs: 50 },
    });
    const payments = { wallet: wallet(at.url), store: createMemoryPaymentStore() };
    const asking = await client([at.url], { payments });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 4_000 });
    expect(await job.result).toMatchObject({ content: 'worth it' });
    expect(await payments.store.get(job.jobId)).toMatchObject({ status: 'settled', preimage, feesMsat: 9 });
  });

  it('JOB-11 settles a payment after a wallet that came back late', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    let isBack = false;
    const payInvoice = vi.fn(() => new Promise<never>(() => {}));
    await walletService(at.url, {
      payInvoice,
      lookupInvoice: async () => answer(isBack ? transaction : { ...transaction, state: 'pending' }) as never,
    });
    await provider([at.url], () => 'worth the wait', {
      price: () => 4_000,
      invoices: { create: async () => ({ bolt11, paymentHash }), isPaid: async () => isBack },
      config: { paymentPollMs: 50 },
    });
    const payments = { wallet: wallet(at.url), store: createMemoryPaymentStore() };
    // A wallet is asked again after seconds, at most a minute; here after less. It keeps its two minutes for an answer.
    const timers: Timers = {
      after(delayMs, callback) {
        const timer = setTimeout(callback, delayMs > 60_000 ? delayMs : Math.min(delayMs, 100));
        return () => clearTimeout(timer);
      },
    };
    const asking = await client([at.url], { payments, timers });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 4_000 });
    await eventually(() => expect(payInvoice).toHaveBeenCalledTimes(1));
    isBack = true;
    expect(await job.result).toMatchObject({ content: 'worth the wait' });
    await eventually(async () =>
      expect(await payments.store.get(job.jobId)).toMatchObject({ status: 'settled', feesMsat: 9 }),
    );
    expect(payInvoice).toHaveBeenCalledTimes(1);
  });
});
