import { describe, expect, it, vi } from 'vitest';
import type { Invoices } from '../src/index.ts';
import { mayStayUnpaid } from '../src/provider/invoicing.ts';
import { createPaymentWatcher } from '../src/provider/payment-watcher.ts';
import { quickly, shop, tick, till } from './shop.ts';
import { eventually, manualTime } from './world.ts';

/** As patient as the defaults: a flood fills the queue to the relay. */
const publishRetryDelaysMs = [20, 50, 500, 5_000, 20_000, 60_000];
const secretKey = (number: number) => (number + 1_000).toString(16).padStart(64, '0');

describe('a paid provider under a flood', () => {
  it('of 1,000 keys serves a customer who has paid before (JOB-21)', async () => {
    const { invoices, pay } = till();
    const { open, ask, demand, results, said } = await shop({
      invoices,
      config: { ...quickly, maxUnpaid: 100, rateLimit: 10_000, publishRetryDelaysMs },
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
  });

  it.each([2, 200])(
    'of 1,000 unpaid requests from %i keys serves a customer who pays (JOB-21)',
    async (flooders) => {
      const { invoices, pay } = till();
      const { open, ask, demand, results } = await shop({
        invoices,
        config: { ...quickly, paymentPollMs: 30, rateLimit: 10_000, publishRetryDelaysMs },
        concurrency: 4,
      });
      await open();
      for (let number = 0; number < 1_000; number += 1) await ask(secretKey(number % flooders));
      const request = await ask();
      pay(await demand(request.id));
      await eventually(() => expect(results(request.id)).toHaveLength(1));
      expect(invoices.create.mock.calls.length).toBeLessThanOrEqual(flooders === 2 ? 11 : 701);
    },
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
      clock: time.clock,
      timers: time.timers,
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
      clock: time.clock,
      timers: time.timers,
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
