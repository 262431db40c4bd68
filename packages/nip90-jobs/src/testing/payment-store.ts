import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { PaymentStore } from '../payment/payment-store.ts';
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
    limitMsat?: number;
    since?: number;
    heldAt?: number;
  } = {},
) {
  const { amountMsat = 100, invoice = number, limitMsat, since = 0, heldAt = at } = options;
  await jobs.create(sampleJob(number));
  return payments.hold(
    {
      paymentHash: sampleId(1_000 + invoice),
      jobId: sampleId(number),
      provider: sampleId(2),
      bolt11: 'lnbc1',
      amountMsat,
      heldAt,
      expiresAt: at + 60_000,
    },
    limitMsat === undefined ? null : { limitMsat, since },
  );
}

const groups = {
  holding: {
    'sets money aside once per job and once per invoice': async (stores) => {
      const held = await hold(stores, 10);
      expect(held).toMatchObject({
        outcome: 'held',
        payment: { status: 'in-flight', feesMsat: 0, endedAt: null },
      });
      if (held.outcome !== 'held') return;
      expect(await hold(stores, 10)).toEqual({ outcome: 'exists', payment: held.payment });
      expect(await hold(stores, 10, { invoice: 99 })).toEqual({ outcome: 'exists', payment: held.payment });
      expect(await hold(stores, 11, { invoice: 10 })).toEqual({ outcome: 'invoice-used' });
      expect(await stores.payments.get(sampleId(10))).toEqual(held.payment);
      expect(await stores.payments.get(sampleId(11))).toBeNull();
    },
    'lets one of many at the same time pay': async (stores) => {
      await stores.jobs.create(sampleJob(10));
      const holds = await Promise.all(
        Array.from({ length: 8 }, (_, invoice) => hold(stores, 10, { invoice })),
      );
      expect(holds.filter(({ outcome }) => outcome === 'held')).toHaveLength(1);
      expect(holds.filter(({ outcome }) => outcome === 'exists')).toHaveLength(7);
    },
    'never holds more than the limit, not even for many at the same time': async (stores) => {
      const holds = await Promise.all(
        Array.from({ length: 8 }, (_, number) => hold(stores, 10 + number, { limitMsat: 350 })),
      );
      expect(holds.filter(({ outcome }) => outcome === 'held')).toHaveLength(3);
      expect(holds.filter(({ outcome }) => outcome === 'over-budget')).toHaveLength(5);
      expect(await hold(stores, 30, { limitMsat: 350 })).toEqual({ outcome: 'over-budget', leftMsat: 50 });
      expect(await hold(stores, 30, { limitMsat: 350, amountMsat: 50 })).toMatchObject({ outcome: 'held' });
      expect(await stores.payments.spentMsat(0)).toBe(350);
    },
    'counts what is in flight for ever, and what is settled for as long as the limit says': async (
      stores,
    ) => {
      await hold(stores, 10, { heldAt: 1 });
      await hold(stores, 11, { heldAt: 2 });
      await stores.payments.end(sampleId(1_010), { status: 'settled', endedAt: at, feesMsat: 5 });
      expect(await stores.payments.spentMsat(at)).toBe(205);
      expect(await stores.payments.spentMsat(at + 1)).toBe(100);
      expect(await hold(stores, 12, { limitMsat: 200, since: at + 1 })).toMatchObject({ outcome: 'held' });
      expect(await hold(stores, 13, { limitMsat: 200, since: at + 1 })).toEqual({
        outcome: 'over-budget',
        leftMsat: 0,
      });
    },
  },
  ending: {
    'ends a payment once': async ({ payments, jobs }) => {
      await hold({ payments, jobs }, 10);
      const hash = sampleId(1_010);
      const end = { status: 'settled', endedAt: at + 1, feesMsat: 5, preimage: sampleId(7) } as const;
      expect(await payments.end(hash, end)).toBe(true);
      expect(await payments.end(hash, { status: 'failed', endedAt: at + 2 })).toBe(false);
      expect(await payments.get(sampleId(10))).toMatchObject(end);
      expect(await payments.end(sampleId(5), end)).toBe(false);
    },
    'frees the money of a payment that failed': async ({ payments, jobs }) => {
      await hold({ payments, jobs }, 10);
      await payments.end(sampleId(1_010), { status: 'failed', endedAt: at, message: 'no route' });
      expect(await payments.spentMsat(0)).toBe(0);
      expect(await payments.get(sampleId(10))).toMatchObject({
        status: 'failed',
        message: 'no route',
        preimage: null,
      });
    },
    'lists what is in flight, oldest first': async (stores) => {
      await hold(stores, 10, { heldAt: 30 });
      await hold(stores, 11, { heldAt: 10 });
      await hold(stores, 12, { heldAt: 20 });
      await stores.payments.end(sampleId(1_012), { status: 'settled', endedAt: at });
      const inFlight = await stores.payments.listInFlight();
      expect(inFlight.map(({ jobId }) => jobId)).toEqual([sampleId(11), sampleId(10)]);
    },
    'finds everything again after a restart': async (stores, opened, skip) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await hold(stores, 10);
      const again = await opened.reopen();
      expect(await again.payments.listInFlight()).toHaveLength(1);
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
