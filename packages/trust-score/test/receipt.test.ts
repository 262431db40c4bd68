import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReceipt, type ReceiptOutcome, verifyReceipt } from '../src/index.ts';
import { signerOf } from './signers.ts';

const customer = signerOf('customer');
const provider = signerOf('provider');
const stranger = signerOf('stranger');
const now = Date.UTC(2026, 2, 1, 12);
const outcome: ReceiptOutcome = {
  jobId: 'a'.repeat(64),
  provider: provider.publicKey,
  outcome: 'success',
  completedAt: now - 60_000,
  capability: '5050',
  valueMsat: 21_000,
};
const receipt = await createReceipt(outcome, customer);
const status = (value: unknown, options = {}) => verifyReceipt(value, { now, ...options }).status;

describe('receipts', () => {
  it('carry what the customer signed, and anybody can verify them (TRU-29)', () => {
    expect(verifyReceipt(receipt, { now })).toMatchObject({
      status: 'valid',
      customer: customer.publicKey,
      outcome,
    });
    expect(receipt.tags).toEqual([
      ['d', `bonafide.receipt:${outcome.jobId}`],
      ['p', provider.publicKey],
    ]);
    expect(status(JSON.parse(JSON.stringify(receipt)))).toBe('valid');
    // nostr-tools marks events with a symbol, which must neither count nor disturb.
    const marked = { ...receipt, content: receipt.content, [Symbol('verified')]: true };
    expect(status(marked)).toBe('valid');
    expect(status({ ...marked, content: receipt.content.replace('success', 'failure') })).toBe('tampered');
    expect(status(receipt, { customer: customer.publicKey, provider: provider.publicKey })).toBe('valid');
  });

  it('refuse another customer, another provider, a date in the future and a provider that signs for itself (TRU-29)', async () => {
    expect(status(receipt, { customer: stranger.publicKey })).toBe('wrong_key');
    expect(status(receipt, { provider: stranger.publicKey })).toBe('wrong_provider');
    expect(status(receipt, { now: now - 3_600_000 })).toBe('future');
    await expect(createReceipt(outcome, provider)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    // A provider that builds the event without createReceipt.
    const forged = await createReceipt({ ...outcome, provider: stranger.publicKey }, customer);
    const template = {
      ...forged,
      content: forged.content.replaceAll(stranger.publicKey, provider.publicKey),
      tags: [
        ['d', `bonafide.receipt:${outcome.jobId}`],
        ['p', provider.publicKey],
      ],
    };
    const signed = { ...template, ...(await provider.signEvent(template)) };
    expect(status(signed)).toBe('self_signed');
  });

  it('reveal every change of any field (TRU-29)', () => {
    const changes: readonly object[] = [
      { ...receipt, id: 'b'.repeat(64) },
      { ...receipt, pubkey: stranger.publicKey },
      { ...receipt, created_at: receipt.created_at + 1 },
      { ...receipt, kind: 1 },
      { ...receipt, tags: [] },
      { ...receipt, content: receipt.content.replace('success', 'failure') },
      { ...receipt, sig: '0'.repeat(128) },
    ];
    for (const changed of changes) expect(status(changed)).not.toBe('valid');
  });

  it('have one form only, so that one job is not counted twice in two spellings (TRU-29)', async () => {
    const spelled = { ...receipt, content: ` ${receipt.content}` };
    const signed = { ...spelled, ...(await customer.signEvent(spelled)) };
    expect(status(signed)).toBe('malformed');
    const moved = {
      ...receipt,
      tags: [
        ['d', 'bonafide.receipt:other'],
        ['p', provider.publicKey],
      ],
    };
    expect(status({ ...moved, ...(await customer.signEvent(moved)) })).toBe('malformed');
  });

  it('keep members that are not known here (TRU-29)', async () => {
    const more = await createReceipt({ ...outcome, note: 'fast' }, customer);
    expect(verifyReceipt(more, { now })).toMatchObject({ status: 'valid', outcome: { note: 'fast' } });
  });

  it('are refused with INVALID_INPUT when the outcome is wrong (TRU-29)', async () => {
    const wrong: readonly object[] = [
      { jobId: '' },
      { provider: 'npub1x' },
      { outcome: 'SUCCESS' },
      { completedAt: Number.NaN },
      { valueMsat: -1 },
      { difficulty: 0 },
      { note: 'x'.repeat(20_000) },
    ];
    for (const part of wrong) {
      await expect(createReceipt({ ...outcome, ...part }, customer)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    }
    const liar = { ...customer, signEvent: () => stranger.signEvent({ ...receipt }) };
    await expect(createReceipt(outcome, liar)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('never make verifyReceipt throw (TRU-29, TRU-35)', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    const cyclic: Record<string, unknown> = { ...receipt };
    cyclic.tags = [cyclic];
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw new RangeError('trap');
        },
      },
    );
    const getter = Object.defineProperty({ ...receipt }, 'sig', { enumerable: true, get: () => receipt.sig });
    for (const hostile of [deep, cyclic, trap, getter, null, undefined, 7n, [], '{}', () => receipt]) {
      expect(status(hostile)).toBe('malformed');
    }
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(status(value)).toBe('malformed');
      }),
    );
  });
});
