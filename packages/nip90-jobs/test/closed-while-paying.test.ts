import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import {
  createMemoryJobStore,
  createMemoryPaymentStore,
  decodeInvoice,
  type PaymentStore,
  type Wallet,
} from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, keys, person, provider, relay } from './world.ts';

it('a client that is closed while it reserves a payment leaves it to the next one (JOB-19, JOB-27, X-20)', async () => {
  const at = await relay();
  const { pubkey } = await person(keys.provider);
  const wallet = {
    pay: vi.fn<Wallet['pay']>(async () => ({
      ...{ status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 },
    })),
    lookup: vi.fn<Wallet['lookup']>(async () => ({ status: 'unknown' })),
  };
  const bolt11 = invoice({ amountMsat: 4_000 });
  await provider([at.url], () => 'done', {
    price: () => 4_000,
    invoices: {
      create: async () => ({ bolt11, paymentHash: decodeInvoice(bolt11)?.paymentHash ?? '' }),
      isPaid: async () => wallet.pay.mock.calls.length > 0,
    },
    config: { paymentPollMs: 20, publishTimeoutMs: 240_000 },
  });
  const store = createMemoryJobStore();
  const memory = createMemoryPaymentStore();
  const [reserving, mayReserve] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let leases = 0;
  const slow: PaymentStore = {
    ...memory,
    async hold(...given) {
      reserving.resolve();
      await mayReserve.promise;
      return memory.hold(...given);
    },
    async lease(...given) {
      await turn();
      leases += 1;
      return memory.lease(...given);
    },
  };

  const first = await client([at.url], { store, payments: { wallet, store: slow } });
  const job = await first.requestJob({
    kind: 5000,
    provider: pubkey,
    inputs: [{ data: 'x' }],
    bidMsat: 5_000,
  });
  job.result.catch(() => {});
  await reserving.promise;
  const closed = first.close();
  await turn();
  mayReserve.resolve();
  await closed;
  const leasesAtEnd = leases;
  for (let count = 0; count < 100; count += 1) await turn();
  expect(await memory.get(job.jobId)).toMatchObject({ status: 'held' });
  expect(wallet.pay).not.toHaveBeenCalled();
  expect(leases).toBe(leasesAtEnd);

  const second = await client([at.url], { store, payments: { wallet, store: memory } });
  const resumed = await second.get(job.jobId);
  expect(await resumed?.result).toMatchObject({ content: 'done' });
  expect(wallet.pay).toHaveBeenCalledTimes(1);
});
