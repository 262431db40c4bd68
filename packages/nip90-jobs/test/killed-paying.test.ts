import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@bonafide/internal';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeInvoice, type Invoices } from '../src/index.ts';
import { createKyselyJobStore, createKyselyPaymentStore } from '../src/stores/kysely.ts';
import { child, directory } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { answer, refusal, walletService, walletUrl } from './wallet-service.ts';
import { keys, person, provider, relay } from './world.ts';

const full = process.env.BONAFIDE_PROOF === 'full';
const kills = full ? 100 : 10;
const jobsAtOnce = 4;
const amountMsat = 4_000;

/** Where money moves: once per invoice, some time after it was asked for, and whoever has gone away since. */
function lightning(random: () => number) {
  const made = new Map<string, { readonly preimage: string; readonly bolt11: string }>();
  const underWay = new Set<string>();
  const settled = new Map<string, number>();
  return {
    /** How often each invoice was paid. */
    settled,
    create: async (): Promise<Awaited<ReturnType<Invoices['create']>>> => {
      const name = `invoice ${made.size}`;
      const { preimage, paymentHash } = secretOf(name);
      const bolt11 = invoice({ name, amountMsat });
      made.set(paymentHash, { preimage, bolt11 });
      return { bolt11, paymentHash };
    },
    isPaid: async (paymentHash: string) => settled.has(paymentHash),
    async pay(bolt11: string) {
      const paymentHash = decodeInvoice(bolt11)?.paymentHash ?? '';
      const preimage = made.get(paymentHash)?.preimage;
      if (preimage === undefined) return refusal('PAYMENT_FAILED');
      // As wallets do: the invoice is paid already, or about to be.
      if (underWay.has(paymentHash) || settled.has(paymentHash)) return refusal('INTERNAL');
      underWay.add(paymentHash);
      await sleep(random() * 300);
      settled.set(paymentHash, (settled.get(paymentHash) ?? 0) + 1);
      underWay.delete(paymentHash);
      return answer({ preimage, fees_paid: 1 });
    },
    lookup(paymentHash: string) {
      const isSettled = settled.has(paymentHash);
      if (!isSettled && !underWay.has(paymentHash)) return refusal('NOT_FOUND');
      return answer({
        type: 'outgoing',
        state: isSettled ? 'settled' : 'pending',
        invoice: made.get(paymentHash)?.bolt11 ?? '',
        description: '',
        description_hash: '',
        preimage: made.get(paymentHash)?.preimage ?? '',
        payment_hash: paymentHash,
        amount: amountMsat,
        fees_paid: 1,
        settled_at: isSettled ? 1_700_000_000 : 0,
        created_at: 1_700_000_000,
        expires_at: 1_900_000_000,
      });
    },
  };
}

describe('a client that is killed while it pays', () => {
  it(`AGT-4 JOB-6 JOB-11 asks once, pays once and loses no result, killed ${kills} times`, async () => {
    const seed = Number(process.env.BONAFIDE_SEED ?? Date.now() % 1_000_000);
    const random = seededRandom(seed);
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { settled, pay, lookup, create, isPaid } = lightning(random);
    await walletService(at.url, {
      payInvoice: async ({ invoice: bolt11 }) => (await pay(bolt11)) as never,
      lookupInvoice: async ({ payment_hash: hash = '' }) => lookup(hash) as never,
    });
    const work = async ({ inputs }: { readonly inputs: readonly { readonly data: string }[] }) => {
      await sleep(random() * 200);
      return `done ${inputs[0]?.data}`;
    };
    await provider([at.url], work, {
      concurrency: 8,
      price: () => amountMsat,
      invoices: { create, isPaid },
      // The customer asks for up to nine jobs at once, and forgets those that it was killed over.
      config: { paymentPollMs: 20, publishTimeoutMs: 240_000, maxUnpaidPerCustomer: 100 },
    });

    const path = join(directory(), 'jobs.db');
    const requests = () => at.events({ kinds: [5000] }).length;
    const live = (count: number) =>
      child('paying-client', at.url, path, keys.customer, pubkey, walletUrl(at.url), String(count));
    // Every other life has one job more than the one before, so that none finds all of them done.
    let asked = 0;
    for (let left = kills; left > 0; left -= 1) {
      asked += left % 2;
      const count = jobsAtOnce + asked;
      const victim = live(count);
      await victim.line('started');
      await Promise.race([sleep(random() * 400), victim.line('results').catch(() => {})]);
      await victim.kill();
    }

    const count = jobsAtOnce + asked;
    const heir = live(count);
    const results = JSON.parse((await heir.line('results')).slice('results '.length));
    await heir.kill();
    // A payment may be in flight longer than its job: the next start finds out.
    const last = live(count);
    await last.line('settled');
    await last.kill();

    const expected = Array.from({ length: count }, (_, number) => `done ${number}`);
    expect({ seed, results }).toEqual({ seed, results: expected });
    expect(requests()).toBe(count);
    expect(at.events({ kinds: [6000] })).toHaveLength(count);
    expect([...settled.values()]).toEqual(Array(count).fill(1));

    const db = openSqlite<unknown>({ path });
    onTestFinished(() => db.destroy());
    const payments = createKyselyPaymentStore(db);
    expect(await payments.listOpen()).toEqual([]);
    expect(await payments.spentMsat(0)).toBe(count * (amountMsat + 1));
    const { items } = await createKyselyJobStore(db).list({ limit: 500 });
    expect(items).toHaveLength(count);
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['completed']));
  }, 1_200_000);
});
