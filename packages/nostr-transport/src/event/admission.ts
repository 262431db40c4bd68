import { LRUCache } from 'lru-cache';
import type { NostrEvent } from './event.ts';
import { checkEventShape, defaultEventCaps, type EventCaps, eventId, isExpired } from './event-check.ts';
import { signatureIsValid, type Verifier } from './verifier.ts';

/** Why something that a relay sent as an event reached nobody. */
export type RejectionReason =
  | 'malformed'
  | 'too-large'
  /** No subscription asked for it; relays are known to ignore tag filters. */
  | 'unmatched'
  /** Past its NIP-40 expiration; relays are known to serve those. */
  | 'expired'
  /** The id is not the hash of the fields. */
  | 'bad-id'
  | 'bad-signature';

/** What became of one event at the door. */
export type Admitted =
  | { readonly ok: true; readonly event: NostrEvent }
  | { readonly ok: false; readonly reason: RejectionReason };

/** Lets events in: cheapest checks first, the curve last, and never the same curve check twice. */
export interface Admission {
  /** Judges what a relay sent; `wanted` says whether a subscription asked for it. The event comes back frozen. */
  admit(value: unknown, wanted: (event: NostrEvent) => boolean): Admitted;
}

/**
 * Form, filter, expiry, id and only then the signature. The verdict on a signature is remembered by (id, sig)
 * **after** the id was recomputed from the fields, so that a forged copy under a genuine id neither
 * passes nor suppresses the genuine event, and a copy from a second relay costs a hash instead of a curve operation.
 * `remembered` verdicts are kept, the least recently used are forgotten.
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

  return {
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
