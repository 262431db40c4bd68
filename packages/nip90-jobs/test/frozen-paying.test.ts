import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabases } from '@bonafide/storage/testing';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeInvoice } from '../src/index.ts';
import { createKyselyPaymentStore, migrateJobs } from '../src/stores/kysely.ts';
import { child } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { answer, refusal, walletService, walletUrl } from './wallet-service.ts';
import { eventually, keys, person, provider, relay } from './world.ts';

const amountMsat = 4_000;
const leaseMs = 2_000;

/** Stops a process while it holds no lock on a SQLite file: a lock would keep the others from writing. */
async function freeze(victim: ReturnType<typeof child>, db: Kysely<unknown>): Promise<void> {
  for (;;) {
    victim.freeze();
    try {
      await db
        .transaction()
        .execute((transaction) => sql`delete from jobs_leases where holder = ''`.execute(transaction));
      return;
    } catch {
      victim.wake();
      await sleep(20);
    }
  }
}

const several = testDatabases().filter(({ name }) => name === 'node:sqlite' || name === 'Postgres');

describe.each(several)('a paying client that is frozen, on $name', ({ open }) => {
  it('and wakes up after another one has taken its job over pays once, and both get the result (JOB-19, JOB-27, X-20)', async () => {
    const { db, url, close } = await open();
    onTestFinished(close);
    await migrateJobs(db);
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const bolt11 = invoice({ amountMsat });
    const { preimage, paymentHash } = secretOf('invoice');
    const [asked, mayPay] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paid: string[] = [];
    let isUnderWay = false;
    await walletService(at.url, {
      payInvoice: async (request) => {
        // As wallets do: the same invoice is under way, or paid already.
        if (isUnderWay) return refusal('INTERNAL') as never;
        isUnderWay = true;
        asked.resolve();
        await mayPay.promise;
        paid.push(decodeInvoice(request.invoice)?.paymentHash ?? '');
        return answer({ preimage, fees_paid: 1 }) as never;
      },
      lookupInvoice: async () => {
        if (!isUnderWay) return refusal('NOT_FOUND') as never;
        return answer({
          ...{ type: 'outgoing', invoice: bolt11, description: '', description_hash: '', preimage },
          ...{ payment_hash: paymentHash, amount: amountMsat, fees_paid: 1, created_at: 1_700_000_000 },
          state: paid.length > 0 ? 'settled' : 'pending',
          settled_at: paid.length > 0 ? 1_700_000_000 : 0,
          expires_at: 1_900_000_000,
        }) as never;
      },
    });
    await provider([at.url], () => 'done', {
      price: () => amountMsat,
      invoices: { create: async () => ({ bolt11, paymentHash }), isPaid: async () => paid.length > 0 },
      config: { paymentPollMs: 20, publishTimeoutMs: 240_000 },
    });
    const live = () =>
      child('paying-client', at.url, url ?? '', keys.customer, pubkey, walletUrl(at.url), '1', `${leaseMs}`);
    const first = live();
    await asked.promise;
    await freeze(first, db);
    const payments = createKyselyPaymentStore(db);
    const holder = (await payments.listOpen())[0]?.holder;
    expect(holder).toBeDefined();
    const second = live();
    await second.line('started');
    await eventually(async () => {
      const [open] = await payments.listOpen();
      expect(open?.holder).not.toBe(holder);
    });
    mayPay.resolve();
    expect(await second.line('results')).toBe('results ["done"]');
    first.wake();
    expect(await first.line('results')).toBe('results ["done"]');
    await Promise.all([first.line('settled'), second.line('settled')]);
    expect(paid).toEqual([paymentHash]);
    expect(new Set(at.events({ kinds: [5000] }).map(({ id }) => id)).size).toBe(1);
    expect(await payments.spentMsat(0)).toBe(amountMsat + 1);
    await Promise.all([first.kill(), second.kill()]);
  });
});
