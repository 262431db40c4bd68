import type { EventNames } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobRequest } from '../codec/index.ts';
import type { Obligation } from './obligations.ts';

/** Events of a provider, each emitted after the change was stored. */
export interface ProviderEvents {
  /** A request was accepted. */
  readonly request: { readonly request: JobRequest };
  /** The answer is fixed: a result, or `error` feedback. */
  readonly answered: { readonly requestId: string; readonly customer: string; readonly answer: NostrEvent };
  /** A relay accepted the answer. */
  readonly published: { readonly requestId: string; readonly answer: NostrEvent };
  /** The customer's payment was confirmed. */
  readonly paid: { readonly requestId: string; readonly amountMsat: number };
  /** A customer's receipt was verified and stored. */
  readonly receipt: { readonly requestId: string; readonly customer: string; readonly receipt: NostrEvent };
  /** The customer cancelled the request. */
  readonly cancelled: { readonly requestId: string };
  /** A payment for work that was not delivered could not be refunded. */
  readonly obligation: Obligation;
  /**
   * Requests of a relay may have been missed: more came in one of `seconds` (since epoch) than it sends at once, or it has more than
   * is read. Emitted after each reading of stored requests that left something out.
   */
  readonly cut: { readonly relay: string; readonly seconds: readonly number[] };
  /** A payment for work that was not delivered was refunded. */
  readonly refunded: Obligation;
}

/** Names of the events. */
export const providerEventNames: EventNames<ProviderEvents> = {
  request: true,
  answered: true,
  published: true,
  paid: true,
  receipt: true,
  cancelled: true,
  obligation: true,
  cut: true,
  refunded: true,
};
