import { LRUCache } from 'lru-cache';
import type { NostrEvent } from './event.ts';
import { checkEventShape, defaultEventCaps, type EventCaps, eventId, isExpired } from './event-check.ts';
import { signatureIsValid, type Verifier } from './verifier.ts';

/** Reasons for rejecting an event. */
export type RejectionReason =
  | 'malformed'
  | 'too-large'
  /** The event matches no filter of the subscription; some relays ignore tag filters. */
  | 'unmatched'
  /** The NIP-40 expiration has passed; some relays still send such events. */
  | 'expired'
  /** The id is not the hash of the fields. */
  | 'bad-id'
  | 'bad-signature';

/** The result of checking one event. */
export type Admitted =
  | { readonly ok: true; readonly event: NostrEvent }
  | { readonly ok: false; readonly reason: RejectionReason };

/** Checks events in the order of cost and remembers results of signature checks. */
export interface Admission {
  /**
   * Checks an event as it was received; `wanted` returns true if a subscription asked for it. An accepted
   * event is frozen.
   */
  admit(value: unknown, wanted: (event: NostrEvent) => boolean): Admitted;
  /** Checks the signatures of messages of a relay in another thread, for {@link Admission.admit}; absent without one. Never rejects. */
  readonly prepare?: (messages: readonly string[]) => Promise<void>;
}

/**
 * Creates an {@link Admission} that checks form, filter, expiry, id and then the signature. Results of
 * signature checks are cached by (id, sig) **after** the id was recomputed from the fields, so that a forged
 * copy under a genuine id neither passes nor suppresses the genuine event, and a copy from a second relay
 * costs one hash. The cache holds `remembered` results and evicts the least recently used one.
 */
export function createAdmission(options: {
  readonly verifier: Verifier;
  readonly clock: () => number;
  readonly remembered?: number;
  readonly caps?: EventCaps;
}): Admission {
  const { verifier, clock, caps = defaultEventCaps } = options;
  const verdicts = new LRUCache<string, boolean>({ max: options.remembered ?? 20_000 });

  function isSigned(event: NostrEvent): boolean {
    const key = event.id + event.sig;
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = signatureIsValid(verifier, event);
    verdicts.set(key, verdict);
    return verdict;
  }

  const verifyAhead = verifier.verifyAhead?.bind(verifier);

  return {
    ...(verifyAhead === undefined
      ? {}
      : {
          async prepare(messages) {
            for (const [key, verdict] of await verifyAhead(messages)) verdicts.set(key, verdict);
          },
        }),
    admit(value, wanted) {
      const checked = checkEventShape(value, caps);
      if (!checked.ok) return { ok: false, reason: checked.fault };
      const { event } = checked;
      if (!wanted(event)) return { ok: false, reason: 'unmatched' };
      if (isExpired(event, clock())) return { ok: false, reason: 'expired' };
      if (eventId(event) !== event.id) return { ok: false, reason: 'bad-id' };
      if (!isSigned(event)) return { ok: false, reason: 'bad-signature' };
      return { ok: true, event };
    },
  };
}
