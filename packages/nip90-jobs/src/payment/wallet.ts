import type { Unsubscribe } from '@bonafide/internal';

/**
 * Outcome of a payment. `settled`: it was received; the preimage proves it. `failed`: nothing was paid, and nothing will be.
 * `in-flight`: the wallet does not know yet.
 */
export type PaymentOutcome =
  | {
      readonly status: 'settled';
      /** 64 hex digits, or null when the wallet does not reveal it. A look-up confirms a payment without a preimage. */
      readonly preimage: string | null;
      /** Routing fees beside the amount, in millisatoshi. */
      readonly feesMsat: number;
    }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'in-flight' };

/** Pays Lightning invoices. `@bonafide/nip90-jobs/nwc` has one over Nostr Wallet Connect. */
export interface Wallet {
  /**
   * Pays an invoice of at most `maxMsat` without fees. A wallet that can limit fees keeps them within `maxFeeMsat`. An error or
   * a failure is verified by `lookup`. Paying one invoice twice must not move money twice, which Lightning guarantees.
   */
  pay(
    bolt11: string,
    options: { readonly maxMsat: number; readonly maxFeeMsat?: number; readonly signal: AbortSignal },
  ): Promise<PaymentOutcome>;
  /** Returns the outcome of an outgoing payment; `unknown` when the wallet has no such payment. Rejects when it is unreachable. */
  lookup(
    paymentHash: string,
    options: { readonly signal: AbortSignal },
  ): Promise<PaymentOutcome | { readonly status: 'unknown' }>;
}

/** Creates invoices for a provider and reports their payment. */
export interface Invoices {
  create(
    asked: { readonly amountMsat: number; readonly description: string; readonly expiryMs: number },
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly bolt11: string; readonly paymentHash: string }>;
  /** Returns true when the invoice is paid. Rejects when the wallet is unreachable. */
  isPaid(paymentHash: string, options: { readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Returns the payment hashes of all invoices that were paid since `since` (ms since epoch). With it, one question per
   * second covers all unpaid invoices. Optional.
   */
  listPaid?(options: { readonly since: number; readonly signal: AbortSignal }): Promise<readonly string[]>;
  /** Calls `listener` with the payment hash of each paid invoice (NIP-47 notifications). Optional. */
  onPaid?(listener: (paymentHash: string) => void): Unsubscribe | Promise<Unsubscribe>;
}
