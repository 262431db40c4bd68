/** A payment as it is stored, from before the wallet hears of it. Times are ms since epoch. */
export interface Payment {
  /** 64 hex digits. */
  readonly paymentHash: string;
  /** The job that it is for: one job has at most one payment, ever. */
  readonly jobId: string;
  readonly provider: string;
  readonly bolt11: string;
  readonly amountMsat: number;
  /** What the way cost; 0 until it is settled. */
  readonly feesMsat: number;
  readonly status: 'in-flight' | 'settled' | 'failed';
  /** When the money was set aside, before the wallet was asked. */
  readonly heldAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  /** The proof of payment, 64 hex digits; null when there is none. */
  readonly preimage: string | null;
  /** Why it failed; '' otherwise. */
  readonly message: string;
}

/** How much may be spent in a time. */
export interface PaymentLimit {
  readonly limitMsat: number;
  /** Settled payments from then on count, and whatever is in flight. ms since epoch. */
  readonly since: number;
}

/**
 * What {@link PaymentStore.hold} gives. `held`: the money is set aside, and this caller is the one to pay. `exists`: the
 * job has a payment already. `invoice-used`: the invoice was given for another job. `over-budget`: `leftMsat` is less.
 */
export type PaymentHold =
  | { readonly outcome: 'held'; readonly payment: Payment }
  | { readonly outcome: 'exists'; readonly payment: Payment }
  | { readonly outcome: 'invoice-used' }
  | { readonly outcome: 'over-budget'; readonly leftMsat: number };

/** Where payments are remembered, so that none is made twice. Each method is atomic and survives a crash as a whole. */
export interface PaymentStore {
  /** Sets money aside for a new payment in flight. Of callers at the same time no two exceed the limit together. */
  hold(
    payment: Pick<
      Payment,
      'paymentHash' | 'jobId' | 'provider' | 'bolt11' | 'amountMsat' | 'heldAt' | 'expiresAt'
    >,
    limit: PaymentLimit | null,
  ): Promise<PaymentHold>;
  /** Ends a payment that is in flight, and frees what was held when it failed. False when it was over already. */
  end(
    paymentHash: string,
    end: {
      readonly status: 'settled' | 'failed';
      readonly endedAt: number;
      readonly feesMsat?: number;
      readonly preimage?: string | null;
      readonly message?: string;
    },
  ): Promise<boolean>;
  /** The payment of a job; null when there is none. */
  get(jobId: string): Promise<Payment | null>;
  /** Every payment in flight, oldest first. */
  listInFlight(): Promise<readonly Payment[]>;
  /** What counts against a limit: settled since then with fees, and all that is in flight. */
  spentMsat(since: number): Promise<number>;
}
