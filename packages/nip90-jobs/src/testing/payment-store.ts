import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { Payment, PaymentStore } from '../payment/payment-store.ts';
import type { JobStore } from '../store.ts';
import { sampleId, sampleJob } from './samples.ts';

/** A payment store, and the job store that its payments refer to. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly jobs: Pick<JobStore, 'create'>;
}

const at = 1_700_000_000_000;

/** Creates job `number` and holds a payment for it. */
async function hold(
  { payments, jobs }: PaymentStores,
  number: number,
  options: {
    amountMsat?: number;
    invoice?: number;
    feeReserveMsat?: number;
    limitMsat?: number;
    since?: number;
    heldAt?: number;
  } = {},
) {
  const {
    amountMsat = 100,
    invoice = number,
    feeReserveMsat = 0,
    limitMsat,
    since = 0,
    heldAt = at,
  } = options;
  await jobs.create(sampleJob(number));
  return payments.hold(
    {
      paymentHash: sampleId(1_000 + invoice),
      jobId: sampleId(number),
      provider: sampleId(2),
      method: 'bolt11',
      bolt11: 'lnbc1',
      amountMsat,
      feeReserveMsat,
      holder: 'a',
      heldAt,
      expiresAt: at + 60_000,
    },
    limitMsat === undefined ? null : { limitMsat, since },
  );
}

/** Writes changes to the payment of job `number`. */
async function change({ payments }: PaymentStores, number: number, changes: Partial<Payment>) {
  const payment = await payments.get(sampleId(number));
  if (payment === null) throw new Error(`Job ${number} has no payment.`);
  return payments.update({ ...payment, ...changes, revision: payment.revision + 1 });
}

const groups = {
  holding: {
    'sets money aside once per job and once per invoice': async (stores) => {
      const held = await hold(stores, 10);
      expect(held).toMatchObject({
        outcome: 'held',
        payment: { status: 'held', feesMsat: 0, endedAt: null, revision: 1 },
      });
      if (held.outcome !== 'held') return;
      expect(await hold(stores, 10)).toEqual({ outcome: 'exists', payment: held.payment });
      expect(await hold(stores, 10, { invoice: 99 })).toEqual({ outcome: 'exists', payment: held.payment });
      expect(await hold(stores, 11, { invoice: 10 })).toEqual({ outcome: 'invoice-used' });
      expect(await stores.payments.get(sampleId(10))).toEqual(held.payment);
      expect(await stores.payments.get(sampleId(11))).toBeNull();
    },
    'lets one of many at the same time pay': async (stores, { reopen }) => {
      const other = (await reopen?.()) ?? stores;
      await stores.jobs.create(sampleJob(10));
      const holds = await Promise.all(
        Array.from({ length: 8 }, (_, invoice) => hold(invoice % 2 ? stores : other, 10, { invoice })),
      );
      expect(holds.filter(({ outcome }) => outcome === 'held')).toHaveLength(1);
      expect(holds.filter(({ outcome }) => outcome === 'exists')).toHaveLength(7);
    },
    'never holds more than the limit, not even for many at the same time': async (stores, { reopen }) => {
      const other = (await reopen?.()) ?? stores;
      const holds = await Promise.all(
        Array.from({ length: 8 }, (_, number) =>
          hold(number % 2 ? stores : other, 10 + number, { limitMsat: 350 }),
        ),
      );
      expect(holds.filter(({ outcome }) => outcome === 'held')).toHaveLength(3);
      expect(holds.filter(({ outcome }) => outcome === 'over-budget')).toHaveLength(5);
      expect(await hold(stores, 30, { limitMsat: 350 })).toEqual({ outcome: 'over-budget', leftMsat: 50 });
      expect(await hold(stores, 30, { limitMsat: 350, amountMsat: 50 })).toMatchObject({ outcome: 'held' });
      expect(await stores.payments.spentMsat(0)).toBe(350);
    },
    'counts payments in flight without a time limit, and settled ones during the period of the limit': async (
      stores,
    ) => {
      await hold(stores, 10, { heldAt: 1 });
      await hold(stores, 11, { heldAt: 2 });
      await change(stores, 10, { status: 'settled', endedAt: at, feesMsat: 5 });
      expect(await stores.payments.spentMsat(at)).toBe(205);
      expect(await stores.payments.spentMsat(at + 1)).toBe(100);
      expect(await hold(stores, 12, { limitMsat: 200, since: at + 1 })).toMatchObject({ outcome: 'held' });
      expect(await hold(stores, 13, { limitMsat: 200, since: at + 1 })).toEqual({
        outcome: 'over-budget',
        leftMsat: 0,
      });
    },
    'reserves fees until a payment settles': async (stores) => {
      await hold(stores, 10, { feeReserveMsat: 7 });
      expect(await stores.payments.spentMsat(0)).toBe(107);
      expect(await hold(stores, 11, { limitMsat: 210, feeReserveMsat: 4 })).toEqual({
        outcome: 'over-budget',
        leftMsat: 103,
      });
      await change(stores, 10, { status: 'settled', endedAt: at, feesMsat: 2 });
      expect(await stores.payments.spentMsat(0)).toBe(102);
    },
  },
  agents: {
    'keeps the payments and budgets of agents that share a database apart': async (stores, opened, skip) => {
      if (opened.forAgent === undefined) return skip('agents cannot share this store');
      const other = await opened.forAgent('another-agent');
      await hold(stores, 10);
      expect(await other.payments.get(sampleId(10))).toBeNull();
      expect(await other.payments.listOpen()).toEqual([]);
      expect(await other.payments.spentMsat(0)).toBe(0);
      expect(await hold(other, 20, { limitMsat: 100 })).toMatchObject({ outcome: 'held' });
      expect(await stores.payments.spentMsat(0)).toBe(100);
      const payment = await stores.payments.get(sampleId(10));
      if (payment === null) throw new Error('no payment');
      const next = { ...payment, status: 'in-flight', revision: 2 } as const;
      expect(await other.payments.update(next)).toBe(false);
      // One of them has presented it, so that the other one would pay for nothing.
      expect(await hold(other, 21, { invoice: 10 })).toEqual({ outcome: 'invoice-used' });
    },
  },
  ending: {
    'writes a payment once per revision': async (stores) => {
      await hold(stores, 10);
      const payment = await stores.payments.get(sampleId(10));
      if (payment === null) throw new Error('no payment');
      const next = { ...payment, status: 'in-flight', revision: 2 } as const;
      const writes = await Promise.all([
        stores.payments.update(next),
        stores.payments.update({ ...next, holder: 'b' }),
      ]);
      expect(writes.filter(Boolean)).toHaveLength(1);
      const end = { status: 'settled', endedAt: at + 1, feesMsat: 5, preimage: sampleId(7) } as const;
      expect(await change(stores, 10, end)).toBe(true);
      expect(await stores.payments.get(sampleId(10))).toMatchObject({ ...end, revision: 3 });
      expect(await stores.payments.update({ ...next, paymentHash: sampleId(5) })).toBe(false);
    },
    'frees the money of a payment that failed, and allows another one for the job': async (stores) => {
      await hold(stores, 10);
      await change(stores, 10, { status: 'failed-after-lookup', endedAt: at, message: 'no route' });
      expect(await stores.payments.spentMsat(0)).toBe(0);
      const failed = { status: 'failed-after-lookup', message: 'no route', preimage: null };
      expect(await stores.payments.get(sampleId(10))).toMatchObject(failed);
      expect(await hold(stores, 10)).toEqual({ outcome: 'invoice-used' });
      expect(await hold(stores, 10, { invoice: 99, heldAt: at + 1 })).toMatchObject({ outcome: 'held' });
      expect(await stores.payments.get(sampleId(10))).toMatchObject({ paymentHash: sampleId(1_099) });
    },
    'lists what is held or in flight, oldest first': async (stores) => {
      await hold(stores, 10, { heldAt: 30 });
      await hold(stores, 11, { heldAt: 10 });
      await hold(stores, 12, { heldAt: 20 });
      await change(stores, 11, { status: 'in-flight' });
      await change(stores, 12, { status: 'settled', endedAt: at });
      const open = await stores.payments.listOpen();
      expect(open.map(({ jobId }) => jobId)).toEqual([sampleId(11), sampleId(10)]);
    },
    'finds everything again after a restart': async (stores, opened, skip) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await hold(stores, 10);
      const again = await opened.reopen();
      expect(await again.payments.listOpen()).toHaveLength(1);
      expect(await hold(again, 10)).toMatchObject({ outcome: 'exists' });
    },
  },
} satisfies StoreGroups<PaymentStores>;

/** Runs the conformance suite of {@link PaymentStore} against an adapter. */
export function testPaymentStore(
  name: string,
  open: OpenStore<PaymentStores>,
  options?: DescribeStoreOptions<keyof typeof groups>,
): void {
  describeStore(name, open, groups, options);
}
