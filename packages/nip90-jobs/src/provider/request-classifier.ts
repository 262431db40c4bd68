import type { NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, parseJobRequest } from '../codec/index.ts';
import { createRateLimit } from './rate-limit.ts';

/**
 * Why an event was given no answer at all. `too-old`: also a request that has expired (NIP-40). `rate-limited`: its customer
 * asks too often.
 */
export type UnansweredReason = 'malformed' | 'not-addressed' | 'other-kind' | 'too-old' | 'rate-limited';

/** What {@link RequestClassifier.judge} makes of an event. */
export type RequestClass =
  | { readonly verdict: 'take'; readonly request: JobRequest }
  /** It came before. */
  | { readonly verdict: 'known' }
  | { readonly verdict: 'ignore'; readonly reason: UnansweredReason };

/** Decides which events are requests to be answered. */
export interface RequestClassifier {
  judge(event: NostrEvent, publicKey: string): RequestClass;
  /** Too old to be begun, or expired. */
  isTooOld(request: JobRequest): boolean;
  /** Notes that a request is known; false when it was before. */
  remember(requestId: string): boolean;
}

/** Requests whose ids are kept in memory to know repetitions at once. */
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
    judge(event, publicKey) {
      const read = parseJobRequest(event);
      if (!read.ok) return ignore('malformed');
      const { request } = read;
      const addressed =
        request.providers.includes(publicKey) || (broadcast && request.providers.length === 0);
      if (!addressed) return ignore('not-addressed');
      if (!kinds.includes(request.kind)) return ignore('other-kind');
      if (isTooOld(request)) return ignore('too-old');
      if (known.has(request.id)) return { verdict: 'known' };
      // A request that is not taken may be sent again later, so that it is not remembered.
      if (!rateLimit.take(request.customer)) return ignore('rate-limited');
      remember(request.id);
      return { verdict: 'take', request };
    },
    isTooOld,
    remember,
  };
}
