import { createReceipt, type Receipt, verifyReceipt } from '@bonafide/trust-score';
import { describe, expect, it } from 'vitest';
import { createReceiptChecker } from '../src/receipts.ts';
import { day, keyOf, signer, start } from './support.ts';

const now = start + day;

async function world() {
  const [reviewer, subject] = [await keyOf(3), await keyOf(2)];
  const verified: string[] = [];
  const checker = createReceiptChecker((receipt) => {
    verified.push(receipt.content);
    return verifyReceipt(receipt, { now: Number.MAX_SAFE_INTEGER });
  });
  const receipt = (jobId: string, n = 3, completedAt = start) =>
    createReceipt({ jobId, provider: subject, outcome: 'success', completedAt }, signer(n));
  const shown = (each: Receipt) => ({ receipt: each, reviewer, subject });
  return { subject, verified, checker, receipt, shown };
}

describe('the check of receipts', () => {
  it('REP-6 verifies a receipt once, also over several readings (TRU-29)', async () => {
    const { checker, verified, receipt, shown } = await world();
    const receipts = [shown(await receipt('a')), shown(await receipt('b'))];
    for (let again = 0; again < 3; again += 1)
      expect((await checker.check(receipts, { now })).map((outcome) => outcome?.jobId)).toEqual(['a', 'b']);
    expect(verified).toHaveLength(2);
  });

  it('REP-6 a forged copy does not displace the genuine receipt of the same id', async () => {
    const { checker, receipt, shown } = await world();
    const genuine = await receipt('a');
    const forged = [
      { ...genuine, sig: 'f'.repeat(128) },
      { ...genuine, content: '{}' },
    ];
    expect(await checker.check(forged.map(shown), { now })).toEqual([null, null]);
    expect(await checker.check([shown(genuine)], { now })).toMatchObject([{ jobId: 'a' }]);
    // Nor does the genuine one vouch for a copy.
    expect(await checker.check(forged.map(shown), { now })).toEqual([null, null]);
  });

  it('REP-6 verifies no signature of another customer, nor of one dated ahead', async () => {
    const { checker, verified, receipt, shown } = await world();
    const foreign = shown(await receipt('a', 4));
    const future = shown(await receipt('b', 3, now + 700_000));
    expect(await checker.check([foreign, future], { now })).toEqual([null, null]);
    expect(verified).toEqual([]);
    expect(await checker.check([future], { now: now + 700_000 })).toMatchObject([{ jobId: 'b' }]);
  });

  it('REP-6 lets other work run between two signatures, and stops by its signal', async () => {
    const { checker, verified, receipt, shown } = await world();
    const receipts = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => shown(await receipt(`${n}`))),
    );
    const seen: number[] = [];
    const controller = new AbortController();
    const watch = () => {
      seen.push(verified.length);
      if (verified.length === 5) controller.abort(new Error('stop'));
      else setImmediate(watch);
    };
    setImmediate(watch);
    await expect(checker.check(receipts, { now, signal: controller.signal })).rejects.toThrow('stop');
    expect(verified.length).toBeLessThanOrEqual(6);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
