import type { RejectedEvent, RejectionReason } from '@bonafide/nostr-transport';
import type { CardRejection } from '../card/assess.ts';
import type { RelayRecord } from './relay-record.ts';
import type { RelayStanding, RelayTier } from './relay-tier.ts';

/** The details of a rejected event. */
export interface RejectedCard {
  readonly reason: CardRejection;
  readonly message: string;
  /** Claimed id of the event, unverified. */
  readonly eventId: string;
  readonly pubkey: string;
  readonly relay: string;
  readonly at: number;
  /**
   * The event as JSON, at most 4,096 characters, as evidence of a wrong id or signature; `null` for other
   * reasons.
   */
  readonly raw: string | null;
}

/** The rejected events by reason. */
export interface Rejections {
  readonly counts: Readonly<Partial<Record<CardRejection, number>>>;
  /** The latest rejections, oldest first, except `superseded`. */
  readonly recent: readonly RejectedCard[];
}

/** Statistics of a relay since it was first read. */
export interface RelayStats {
  readonly relay: string;
  /** Number of cards, recommendations and deletion requests, without those that the transport refused. */
  readonly received: number;
  /** Number of cards that were new or newer. */
  readonly taken: number;
  /** Number of rejections by reason, including those of the transport. */
  readonly rejected: Readonly<Partial<Record<CardRejection, number>>>;
  /** Number of events that were dropped because the intake queue was full. */
  readonly dropped: number;
  readonly lastEventAt: number | null;
  /** Current tier; `null` if it is not read. */
  readonly tier: RelayTier | null;
  /** Moving average of its quality, 0..1; `null` before the first observation. */
  readonly score: number | null;
}

interface Counters {
  received: number;
  taken: number;
  dropped: number;
  /** Number of rejected events that the transport refused. */
  refused: number;
  rejected: Partial<Record<CardRejection, number>>;
  lastEventAt: number | null;
}

/** Counts the events of relays, in bounded memory. */
export interface RelayCounters {
  of(relay: string): Counters;
  reject(rejected: RejectedCard): void;
  /** Returns the statistics of all relays. `standing` returns the tier of a relay. */
  relays(standing: (relay: string) => RelayStanding | undefined): RelayStats[];
  rejections(): Rejections;
  /** Adds the counters of an earlier run. */
  restore(record: RelayRecord): void;
}

/** Creates the counters. @param remembered - number of rejections to keep in detail */
export function createRelayCounters(remembered: number): RelayCounters {
  const relays = new Map<string, Counters>();
  const recent: RejectedCard[] = [];

  function of(relay: string): Counters {
    const known = relays.get(relay);
    if (known !== undefined) return known;
    const created: Counters = {
      received: 0,
      taken: 0,
      dropped: 0,
      refused: 0,
      rejected: {},
      lastEventAt: null,
    };
    relays.set(relay, created);
    return created;
  }

  return {
    of,
    reject(rejected) {
      const { rejected: counts } = of(rejected.relay);
      counts[rejected.reason] = (counts[rejected.reason] ?? 0) + 1;
      // An older version at a relay is ordinary and not worth recording.
      if (rejected.reason === 'superseded' || remembered === 0) return;
      recent.push(rejected);
      if (recent.length > remembered) recent.shift();
    },
    relays: (standing) =>
      [...relays].map(([relay, { refused: _, ...counters }]) => {
        const { tier = null, score = null } = standing(relay) ?? {};
        return { relay, ...counters, rejected: { ...counters.rejected }, tier, score };
      }),
    rejections() {
      const counts: Partial<Record<CardRejection, number>> = {};
      for (const { rejected } of relays.values()) {
        for (const [reason, count] of Object.entries(rejected) as [CardRejection, number][]) {
          counts[reason] = (counts[reason] ?? 0) + count;
        }
      }
      return { counts, recent: [...recent] };
    },
    restore({ relay, received, taken, dropped, rejected, lastEventAt }) {
      const counters = of(relay);
      counters.received += received;
      counters.taken += taken;
      counters.dropped += dropped;
      counters.lastEventAt = Math.max(counters.lastEventAt ?? 0, lastEventAt ?? 0) || null;
      for (const [reason, count] of Object.entries(rejected) as [CardRejection, number][]) {
        counters.rejected[reason] = (counters.rejected[reason] ?? 0) + count;
      }
    },
  };
}

const maxRawChars = 4_096;
const maxRawTags = 32;

/** Reasons and messages for events that the transport refused. */
const refusalReasons: Readonly<Record<RejectionReason, readonly [CardRejection, string]>> = {
  malformed: ['malformed', 'This is not a Nostr event.'],
  'too-large': ['too-large', 'The event is too large.'],
  unmatched: ['wrong-kind', 'The event matches no subscription.'],
  expired: ['expired', 'The event is expired (NIP-40).'],
  'bad-id': ['wrong-id', 'The id is not the hash of the event.'],
  'bad-signature': ['wrong-signature', 'The signature does not match the public key.'],
};

/** Returns the rejection for an event that the transport refused. Accepts any event. Pure. */
export function readRefused({ relay, reason, event }: RejectedEvent, at: number): RejectedCard {
  const [ours, message] = refusalReasons[reason];
  const { id, pubkey } = (typeof event === 'object' && event !== null ? event : {}) as Record<
    string,
    unknown
  >;
  const isEvidence = ours === 'wrong-id' || ours === 'wrong-signature';
  return {
    reason: ours,
    message,
    eventId: hexOf(id),
    pubkey: hexOf(pubkey),
    relay,
    at,
    raw: isEvidence ? rawOf(event) : null,
  };
}

/** Returns the event as JSON, truncated. */
function rawOf(event: unknown): string {
  const { id, pubkey, sig, created_at, kind, content, tags } = event as Readonly<Record<string, unknown>>;
  const text = typeof content === 'string' ? content.slice(0, maxRawChars) : content;
  const some = Array.isArray(tags) ? tags.slice(0, maxRawTags) : tags;
  return JSON.stringify({ id, pubkey, sig, created_at, kind, content: text, tags: some }).slice(
    0,
    maxRawChars,
  );
}

const hexOf = (value: unknown): string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value) ? value : '';
