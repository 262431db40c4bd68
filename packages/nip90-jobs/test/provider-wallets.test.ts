import { describe, expect, it, vi } from 'vitest';
import { decodeInvoice } from '../src/index.ts';
import { createPaymentWatcher } from '../src/provider/payment-watcher.ts';
import { invoice, secretOf } from './invoice.ts';
import { shop, tick } from './shop.ts';
import { eventually, manualTime } from './world.ts';

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
      clock: time.clock,
      timers: time.timers,
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
  ])('makes an invoice %s does not pass it on (JOB-20, JOB-21)', async (_, { amountMsat, hash }) => {
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
