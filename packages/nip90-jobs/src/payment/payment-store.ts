import type { LeaseStore } from '../store.ts';

/**
 * Status of a payment. `held`: its budget is reserved, the wallet was not called. `in-flight`: the wallet was called, or is
 * about to be. `settled`: paid. `failed-after-lookup`: the wallet confirmed on a look-up that nothing was paid.
 */
export const PAYMENT_STATUSES = ['held', 'in-flight', 'settled', 'failed-after-lookup'] as const;

/** Status of a payment. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A stored payment. Times are ms since epoch. */
export interface Payment {
  /** Identifies the payment: for Lightning the payment hash, 64 hex digits. */
  readonly paymentHash: string;
  /** The job that it pays for. A job has at most one payment that has not failed. */
  readonly jobId: string;
  readonly provider: string;
  /** Name of the payment method, such as `bolt11`. */
  readonly method: string;
  /** The instructions that the method pays: for Lightning the invoice. */
  readonly bolt11: string;
  readonly amountMsat: number;
  /** Budget that is reserved for fees until the payment settles. */
  readonly feeReserveMsat: number;
  /** Fees of a settled payment, else 0. */
  readonly feesMsat: number;
  readonly status: PaymentStatus;
  /** Increases with every write. */
  readonly revision: number;
  /** Id of the client that may call the wallet while its lease lasts. */
  readonly holder: string;
  /** Time at which the budget was reserved, before the wallet was called. */
  readonly heldAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  /** Proof of payment, 64 hex digits, or null. */
  readonly preimage: string | null;
  /** Reason of a failure, or ''. */
  readonly message: string;
}

/** A budget: an amount per period. */
export interface PaymentLimit {
  readonly limitMsat: number;
  /** Start of the period, ms since epoch. Payments that settled since then count, and all that are held or in flight. */
  readonly since: number;
}

/** A payment to hold. */
export type NewPayment = Omit<
  Payment,
  'feesMsat' | 'status' | 'revision' | 'endedAt' | 'preimage' | 'message'
>;

/** Initial values of a payment. */
export const freshPayment = {
  feesMsat: 0,
  status: 'held',
  revision: 1,
  endedAt: null,
  preimage: null,
  message: '',
} as const satisfies Partial<Payment>;

/**
 * Result of {@link PaymentStore.hold}. `held`: the budget is reserved for this caller. `exists`: the job has a payment
 * that has not failed. `invoice-used`: another payment has the same payment hash. `over-budget`: only `leftMsat` is left.
 */
export type PaymentHold =
  | { readonly outcome: 'held'; readonly payment: Payment }
  | { readonly outcome: 'exists'; readonly payment: Payment }
  | { readonly outcome: 'invoice-used' }
  | { readonly outcome: 'over-budget'; readonly leftMsat: number };

/** Store of payments, which prevents double payments. Each method is atomic and durable. */
export interface PaymentStore extends LeaseStore {
  /** Reserves budget for a new payment. Concurrent callers never exceed the limit together. */
  hold(payment: NewPayment, limit: PaymentLimit | null): Promise<PaymentHold>;
  /** Writes a payment. Returns false when the stored revision is not the preceding one. */
  update(payment: Payment): Promise<boolean>;
  /** Returns the payment of a job: the one that has not failed, else the latest one; null without a payment. */
  get(jobId: string): Promise<Payment | null>;
  /** Returns all payments that are held or in flight, oldest first. */
  listOpen(): Promise<readonly Payment[]>;
  /** Returns the amount that counts against a budget: settled since then with fees, and held or in flight with reserves. */
  spentMsat(since: number): Promise<number>;
}
