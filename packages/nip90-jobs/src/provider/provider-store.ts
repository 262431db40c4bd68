import type { Page, PeerEraser } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { LeaseStore } from '../store.ts';

/** A price and its invoice. */
export interface Charge {
  readonly amountMsat: number;
  readonly bolt11: string;
  /** 64 hex digits. */
  readonly paymentHash: string;
  /** Expiry of the invoice, ms since epoch. */
  readonly expiresAt: number;
}

/** A request in the provider's store. Times are ms since epoch. */
export interface ProvidedJob {
  /** Id of the request's event. */
  readonly requestId: string;
  readonly customer: string;
  readonly kind: number;
  readonly request: NostrEvent;
  readonly receivedAt: number;
  /** Increases with every write. */
  readonly revision: number;
  /** Id of the provider process that works on it, see {@link LeaseStore.lease}; null when it was released. */
  readonly holder: string | null;
  /** Number of times that a handler was started, without those that a clean close interrupted. */
  readonly attempts: number;
  /** Price and invoice; null for free work. */
  readonly charge: Charge | null;
  /** Time at which the wallet confirmed the payment. */
  readonly paidAt: number | null;
  /** Time at which the wallet confirmed that the expired invoice was not paid. */
  readonly unpaidAt: number | null;
  /** The signed result or `error` feedback; null before. */
  readonly answer: NostrEvent | null;
  readonly answeredAt: number | null;
  /** Time at which a relay accepted the answer. */
  readonly publishedAt: number | null;
  /** Time at which the customer cancelled the request. */
  readonly droppedAt: number | null;
  /** Time at which a part of the result was first published. */
  readonly partialAt: number | null;
  /** Time at which a payment for undelivered work was returned. */
  readonly refundedAt: number | null;
  /** The customer's latest signed receipt, or null. */
  readonly receipt: NostrEvent | null;
}

/**
 * Filter of {@link ProviderStore.list}. `unfinished`: not published and not dropped, or with an invoice whose payment is
 * undecided. `owed`: paid, not delivered, not refunded. `receipts`: with a receipt.
 */
export type ProvidedQuery = 'unfinished' | 'owed' | 'receipts';

/**
 * Store of a provider's requests and answers. Each method is atomic and durable. `erasePeer` is optional: it erases finished
 * requests of a customer, with answers and receipts.
 */
export interface ProviderStore extends LeaseStore, Partial<PeerEraser> {
  /** Stores a new request. Returns false when it is stored already; of concurrent callers exactly one gets true. */
  take(job: ProvidedJob): Promise<boolean>;
  get(requestId: string): Promise<ProvidedJob | null>;
  /** Returns a page of requests, oldest first. `limit` is 1–500, default 100. */
  list(
    query: ProvidedQuery,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<Page<ProvidedJob>>;
  /** Writes a request. Returns false when the stored revision is not the preceding one. */
  update(job: ProvidedJob): Promise<boolean>;
  /** Returns the `created_at` in seconds up to which `source`, a relay and a filter, was read; null when it was not. */
  watermark(source: string): Promise<number | null>;
  /** Moves a watermark forward; ignores earlier times. */
  setWatermark(source: string, seconds: number): Promise<void>;
  /**
   * Deletes requests that were answered or dropped before `before` (ms since epoch). Keeps unfinished and owed ones.
   * Returns the number of deleted requests.
   */
  prune(options: { readonly before: number }): Promise<number>;
}
