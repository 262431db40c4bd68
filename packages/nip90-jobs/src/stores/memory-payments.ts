import type { Payment, PaymentStore } from '../payment/payment-store.ts';

/**
 * Creates a payment store in memory, for tests. A restart forgets payments in flight, so do not use it with
 * real money.
 */
export function createMemoryPaymentStore(): PaymentStore {
  const byHash = new Map<string, Payment>();
  const byJob = new Map<string, string>();
  const spent = (since: number) =>
    [...byHash.values()].reduce(
      (sum, { status, amountMsat, feesMsat, endedAt }) =>
        status === 'in-flight' || (status === 'settled' && (endedAt ?? 0) >= since)
          ? sum + amountMsat + feesMsat
          : sum,
      0,
    );
  const of = (jobId: string) => byHash.get(byJob.get(jobId) ?? '');

  return {
    async hold(asked, limit) {
      const existing = of(asked.jobId);
      if (existing) return { outcome: 'exists', payment: existing };
      if (byHash.has(asked.paymentHash)) return { outcome: 'invoice-used' };
      if (limit) {
        const leftMsat = Math.max(0, limit.limitMsat - spent(limit.since));
        if (asked.amountMsat > leftMsat) return { outcome: 'over-budget', leftMsat };
      }
      const payment: Payment = {
        ...asked,
        feesMsat: 0,
        status: 'in-flight',
        endedAt: null,
        preimage: null,
        message: '',
      };
      byHash.set(payment.paymentHash, payment);
      byJob.set(payment.jobId, payment.paymentHash);
      return { outcome: 'held', payment };
    },
    async end(paymentHash, { status, endedAt, feesMsat = 0, preimage = null, message = '' }) {
      const payment = byHash.get(paymentHash);
      if (payment?.status !== 'in-flight') return false;
      byHash.set(paymentHash, { ...payment, status, endedAt, feesMsat, preimage, message });
      return true;
    },
    async get(jobId) {
      return of(jobId) ?? null;
    },
    async listInFlight() {
      return [...byHash.values()]
        .filter(({ status }) => status === 'in-flight')
        .sort((a, b) => a.heldAt - b.heldAt || (a.paymentHash < b.paymentHash ? -1 : 1));
    },
    async spentMsat(since) {
      return spent(since);
    },
  };
}
