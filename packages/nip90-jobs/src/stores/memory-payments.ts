import { memoryStoreOptions, readConfig } from '../option-schemas.ts';
import { freshPayment, type Payment, type PaymentStore } from '../payment/payment-store.ts';
import { createMemoryLeases, type MemoryStoreOptions } from './memory.ts';

/** Creates a payment store in memory, for tests. A restart forgets payments in flight, so do not use it with real money. */
export function createMemoryPaymentStore(options: MemoryStoreOptions = {}): PaymentStore {
  const { maxEnded } = readConfig(memoryStoreOptions, options);
  const byHash = new Map<string, Payment>();
  /** Payment hashes by job, in order. */
  const byJob = new Map<string, readonly string[]>();
  const ended = new Set<string>();

  const spent = (since: number) =>
    [...byHash.values()].reduce((sum, { status, amountMsat, feesMsat, feeReserveMsat, endedAt }) => {
      if (status === 'failed-after-lookup') return sum;
      if (status === 'settled') return (endedAt ?? 0) >= since ? sum + amountMsat + feesMsat : sum;
      return sum + amountMsat + feeReserveMsat;
    }, 0);

  const of = (jobId: string): Payment | null => {
    const payments = (byJob.get(jobId) ?? []).flatMap((hash) => byHash.get(hash) ?? []);
    return payments.find(({ status }) => status !== 'failed-after-lookup') ?? payments.at(-1) ?? null;
  };

  const remove = ({ paymentHash, jobId }: Payment) => {
    byHash.delete(paymentHash);
    ended.delete(paymentHash);
    const others = (byJob.get(jobId) ?? []).filter((hash) => hash !== paymentHash);
    if (others.length > 0) byJob.set(jobId, others);
    else byJob.delete(jobId);
  };

  return {
    ...createMemoryLeases(),
    async hold(asked, limit) {
      const existing = of(asked.jobId);
      if (existing && existing.status !== 'failed-after-lookup')
        return { outcome: 'exists', payment: existing };
      if (byHash.has(asked.paymentHash)) return { outcome: 'invoice-used' };
      if (limit) {
        const leftMsat = Math.max(0, limit.limitMsat - spent(limit.since));
        if (asked.amountMsat + asked.feeReserveMsat > leftMsat) return { outcome: 'over-budget', leftMsat };
      }
      const payment: Payment = { ...asked, ...freshPayment };
      byHash.set(payment.paymentHash, payment);
      byJob.set(payment.jobId, [...(byJob.get(payment.jobId) ?? []), payment.paymentHash]);
      return { outcome: 'held', payment };
    },
    async update(payment) {
      if (byHash.get(payment.paymentHash)?.revision !== payment.revision - 1) return false;
      byHash.set(payment.paymentHash, payment);
      if (payment.endedAt !== null) {
        ended.add(payment.paymentHash);
        const [first = ''] = ended;
        const oldest = byHash.get(first);
        if (ended.size > maxEnded && oldest) remove(oldest);
      }
      return true;
    },
    async get(jobId) {
      return of(jobId);
    },
    async listOpen() {
      return [...byHash.values()]
        .filter(({ status }) => status === 'held' || status === 'in-flight')
        .sort((a, b) => a.heldAt - b.heldAt || (a.paymentHash < b.paymentHash ? -1 : 1));
    },
    async spentMsat(since) {
      return spent(since);
    },
  };
}
