/**
 * What became of a payment. `settled`: it arrived; the preimage proves it. `failed`: it did not and will not.
 * `in-flight`: nobody knows yet, so it must not be taken for failed. `unknown`: the wallet has never heard of it.
 */
export type PaymentOutcome =
  | {
      readonly status: 'settled';
      /** 64 hex digits; null when the wallet keeps it to itself. */
      readonly preimage: string | null;
      /** What the way cost beside the amount. */
      readonly feesMsat: number;
    }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'in-flight' };

/** Pays Lightning invoices (JOB-11). `@bonafide/nip90-jobs/nwc` has one over Nostr Wallet Connect. */
export interface Wallet {
  /**
   * Pays an invoice; never more than `maxMsat`, fees aside. Says `failed` only when it is certain that nothing was and
   * will be paid; throwing counts as `in-flight`. Paying the same invoice twice must not move money twice, which
   * Lightning itself guarantees.
   */
  pay(
    bolt11: string,
    options: { readonly maxMsat: number; readonly signal: AbortSignal },
  ): Promise<PaymentOutcome>;
  /** What became of an outgoing payment. Throwing means that it could not be found out. */
  lookup(
    paymentHash: string,
    options: { readonly signal: AbortSignal },
  ): Promise<PaymentOutcome | { readonly status: 'unknown' }>;
}

/** Makes invoices and tells when they are paid: what a provider needs that wants to be paid first. */
export interface Invoices {
  create(
    asked: { readonly amountMsat: number; readonly description: string; readonly expiryMs: number },
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly bolt11: string; readonly paymentHash: string }>;
  isPaid(paymentHash: string, options: { readonly signal: AbortSignal }): Promise<boolean>;
}
