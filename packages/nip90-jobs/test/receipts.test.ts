import type { NostrEvent } from '@bonafide/nostr-transport';
import { verifyEvent } from 'nostr-tools/pure';
import { describe, expect, it, vi } from 'vitest';
import { buildSealedReceipt } from '../src/codec/sealed-receipt.ts';
import {
  type CreateReceipt,
  createMemoryProviderStore,
  type ReceiptOutcome,
  type VerifyReceipt,
} from '../src/index.ts';
import { client, eventually, keys, person, provider, quick, relay, sentTo } from './world.ts';

/** A format of receipts; the command line's tests use the one of trust-score. */
const createReceipt: CreateReceipt = (outcome, signer) =>
  signer.signEvent({
    kind: 30_078,
    created_at: Math.floor(outcome.completedAt / 1_000),
    tags: [['d', `receipt:${outcome.jobId}`]],
    content: JSON.stringify(outcome),
  });
const verifyReceipt: VerifyReceipt = (receipt, expected) => {
  const event = receipt as NostrEvent;
  const outcome = JSON.parse(event.content) as ReceiptOutcome;
  const isValid =
    verifyEvent({ ...event, tags: event.tags.map((tag) => [...tag]) }) &&
    event.pubkey === expected.customer &&
    outcome.provider === expected.provider;
  return { status: isValid ? 'valid' : 'tampered', outcome, message: '' };
};

async function world() {
  const at = await relay();
  const store = createMemoryProviderStore();
  const { signer, pubkey } = await person(keys.provider);
  const open = () => provider([at.url], () => 'done', { store, verifyReceipt, broadcast: true });
  const asking = await client([at.url], { createReceipt });
  return { at, open, asking, signer, pubkey };
}

async function all(receipts: AsyncIterable<NostrEvent>): Promise<NostrEvent[]> {
  const list: NostrEvent[] = [];
  for await (const receipt of receipts) list.push(receipt);
  return list;
}

const outcomeIn = (receipt: NostrEvent | undefined) =>
  JSON.parse(receipt?.content ?? '{}') as Partial<ReceiptOutcome>;

describe('a receipt', () => {
  it('reaches the provider encrypted, is verified, stored and exported (JOB-29)', async () => {
    const { at, open, asking, pubkey } = await world();
    const providing = await open();
    const received = vi.fn();
    providing.on('receipt', received);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await job.result;
    const judgment = { outcome: 'success', difficulty: 2, evidence: 'verdict 7' } as const;
    const { receipt, deliveredTo } = await asking.sendReceipt(job.jobId, judgment);
    expect(deliveredTo).toHaveLength(1);
    await eventually(() => expect(received).toHaveBeenCalledTimes(1));
    expect(outcomeIn(receipt)).toMatchObject({
      ...judgment,
      jobId: job.jobId,
      provider: pubkey,
      capability: '5000',
    });
    expect(await all(providing.receipts())).toEqual([receipt]);
    // Relays learn the job and the two keys, which are public, and nothing of the outcome.
    expect(JSON.stringify(at.events({ kinds: [30_078] }))).not.toMatch(/success|verdict 7/);
    await providing.close();
    expect(await all((await open()).receipts())).toEqual([receipt]);
  });

  it('is found by a provider that was down, and for an open job (JOB-29)', async () => {
    const { open, asking } = await world();
    const first = await open();
    const job = await asking.requestJob({ kind: 5000 });
    await job.result;
    await first.close();
    const { receipt } = await asking.sendReceipt(job.jobId, { outcome: 'partial' });
    const second = await open();
    await eventually(async () => expect(await all(second.receipts())).toEqual([receipt]));
  });

  it('is replaced by a later one of the same customer (JOB-29)', async () => {
    const { at, open, pubkey } = await world();
    let shift = 0;
    const asking = await client([at.url], { createReceipt, clock: () => Date.now() + shift });
    const providing = await open();
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await job.result;
    await asking.sendReceipt(job.jobId, { outcome: 'success' });
    await eventually(async () => expect(await all(providing.receipts())).toHaveLength(1));
    shift = 5_000;
    const { receipt } = await asking.sendReceipt(job.jobId, { outcome: 'failure' });
    await eventually(async () => expect(await all(providing.receipts())).toEqual([receipt]));
  });

  it('counts only from the customer of the job, signed, and about this provider (JOB-29)', async () => {
    const { at, open, asking, pubkey } = await world();
    const providing = await open();
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await job.result;
    const rival = await person(keys.rival);
    const customer = await person(keys.customer);
    const at0 = Date.now();
    const outcome = { jobId: job.jobId, provider: pubkey, outcome: 'success', completedAt: at0 } as const;
    let sent = 0;
    const send = async (from: typeof rival, content: string, requestId = job.jobId) => {
      const ciphertext = await from.signer.nip44Encrypt(pubkey, content);
      // A relay keeps the latest one of a customer for a job.
      sent += 1;
      const createdAt = at0 + sent * 1_000;
      const sealed = buildSealedReceipt({ requestId, provider: pubkey, ciphertext, createdAt });
      at.publish(await from.signer.signEvent(sealed));
    };
    const ofRival = await createReceipt(outcome, rival.signer);
    const ofCustomer = await createReceipt(outcome, customer.signer);
    await send(rival, JSON.stringify(ofRival));
    await send(rival, JSON.stringify(ofCustomer));
    await send(customer, JSON.stringify(ofRival));
    await send(customer, JSON.stringify({ ...ofCustomer, content: '{}' }));
    const elsewhere = await createReceipt({ ...outcome, provider: rival.pubkey }, customer.signer);
    await send(customer, JSON.stringify(elsewhere));
    const ofOther = await createReceipt({ ...outcome, jobId: 'f'.repeat(64) }, customer.signer);
    await send(customer, JSON.stringify(ofOther));
    await send(customer, JSON.stringify(ofCustomer), 'f'.repeat(64));
    await send(customer, 'no event');
    await eventually(() => expect(providing.unanswered().receipt).toBe(8));
    expect(await all(providing.receipts())).toEqual([]);
  });

  it('needs an ended job with a provider, and a function that signs (JOB-29)', async () => {
    const { at, asking, pubkey } = await world();
    const open = await asking.requestJob({ kind: 5000, provider: pubkey });
    const judgment = { outcome: 'success' } as const;
    await expect(asking.sendReceipt(open.jobId, judgment)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(asking.sendReceipt('f'.repeat(64), judgment)).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    await open.cancel();
    const plain = await client([at.url], { config: quick });
    const silent = await plain.requestJob({ kind: 5000, provider: pubkey });
    await silent.cancel();
    await expect(plain.sendReceipt(silent.jobId, judgment)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect(sentTo(at, 30_078)).toEqual([]);
  });
});
