import type { NostrEvent, Signer } from '@bonafide/nostr-transport';

/** The outcome of a job, as its customer states it in a receipt. A type rather than an interface, so that formats with further members accept it. */
export type ReceiptOutcome = {
  /** Id of the request's event. */
  readonly jobId: string;
  /** Public key of the provider, 64 hex digits. */
  readonly provider: string;
  /** `partial`: some of it was right. `timeout`: nothing came in time. `violation`: an attack. */
  readonly outcome: 'success' | 'partial' | 'failure' | 'timeout' | 'violation';
  /** Time at which the outcome was known, ms since epoch. */
  readonly completedAt: number;
  /** The kind of the request. */
  readonly capability?: string;
  /** Price that was paid, in millisatoshi. */
  readonly valueMsat?: number;
  /** Difficulty, more than 0; 1 is usual. */
  readonly difficulty?: number;
  /** Digest or address of what supports the outcome, for example of a judge's verdict. */
  readonly evidence?: string;
};

/** Signs the outcome of a job as its customer. `createReceipt` of `@bonafide/trust-score` is one. */
export type CreateReceipt = (
  outcome: ReceiptOutcome,
  signer: Pick<Signer, 'getPublicKey' | 'signEvent'>,
) => Promise<NostrEvent>;

/** Verifies a receipt. `verifyReceipt` of `@bonafide/trust-score` is one. */
export type VerifyReceipt = (
  receipt: unknown,
  expected: { readonly customer: string; readonly provider: string; readonly now: number },
) => {
  /** `valid` when exactly this customer signed it about this provider. */
  readonly status: string;
  readonly outcome: { readonly jobId: string } | null;
  readonly message: string;
};
