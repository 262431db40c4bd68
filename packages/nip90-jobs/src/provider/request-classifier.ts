import { createRateLimit } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, parseJobRequest } from '../codec/index.ts';

/**
 * Reason why an event got no answer. `too-old`: also an expired request (NIP-40). `rate-limited`: too many of its customer.
 * `receipt`: a receipt that is not valid, or not about a request to this provider.
 */
export type UnansweredReason =
  | 'malformed'
  | 'not-addressed'
  | 'other-kind'
  | 'too-old'
  | 'rate-limited'
  | 'receipt';

/** Result of {@link RequestClassifier.classify}. */
export type RequestClass =
  | { readonly verdict: 'take'; readonly request: JobRequest }
  /** A repetition. */
  | { readonly verdict: 'known' }
  | { readonly verdict: 'ignore'; readonly reason: UnansweredReason };

/** Decides which events are requests to answer. */
export interface RequestClassifier {
  classify(event: NostrEvent, publicKey: string): RequestClass;
  /** Returns true for a request that is too old to start, or expired. */
  isTooOld(request: JobRequest): boolean;
  /** Marks a request as known; returns false when it was already. */
  remember(requestId: string): boolean;
}

/** Maximum number of request ids in memory for detecting repetitions. */
const maxKnown = 10_000;

export function createRequestClassifier(options: {
  readonly kinds: readonly number[];
  readonly broadcast: boolean;
  readonly maxRequestAgeMs: number;
  readonly rateLimit: number;
  readonly ratePerMs: number;
  readonly clock: () => number;
}): RequestClassifier {
  const { kinds, broadcast, maxRequestAgeMs, clock } = options;
  const rateLimit = createRateLimit({ count: options.rateLimit, perMs: options.ratePerMs, clock });
  const known = new Set<string>();

  const ignore = (reason: UnansweredReason): RequestClass => ({ verdict: 'ignore', reason });

  const isTooOld = (request: JobRequest) =>
    request.createdAt < clock() - maxRequestAgeMs ||
    (request.expiresAt !== null && request.expiresAt <= clock());

  const remember = (requestId: string): boolean => {
    if (known.has(requestId)) return false;
    known.add(requestId);
    const [oldest] = known;
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return true;
  };

  return {
    classify(event, publicKey) {
      const read = parseJobRequest(event);
      if (!read.ok) return ignore('malformed');
      const { request } = read;
      const addressed =
        request.providers.includes(publicKey) || (broadcast && request.providers.length === 0);
      if (!addressed) return ignore('not-addressed');
      if (!kinds.includes(request.kind)) return ignore('other-kind');
      if (isTooOld(request)) return ignore('too-old');
      if (known.has(request.id)) return { verdict: 'known' };
      // A rejected request may be sent again later, so that it is not remembered.
      if (!rateLimit.take(request.customer)) return ignore('rate-limited');
      remember(request.id);
      return { verdict: 'take', request };
    },
    isTooOld,
    remember,
  };
}
