import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobRequest } from '../codec/index.ts';

/** What a provider tells its listeners. */
export interface ProviderEvents {
  /** A request was taken; it is stored already. */
  readonly request: { readonly request: JobRequest };
  /** The answer is fixed: a result, or feedback that says error. */
  readonly answered: { readonly requestId: string; readonly customer: string; readonly answer: NostrEvent };
  /** A relay has the answer. */
  readonly published: { readonly requestId: string; readonly answer: NostrEvent };
  /** The customer has paid; it is stored already. */
  readonly paid: { readonly requestId: string; readonly amountMsat: number };
  /** The customer took the request back. */
  readonly cancelled: { readonly requestId: string };
}
