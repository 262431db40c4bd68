import type { CardRejection } from './assess.ts';
import type { RelayStanding, RelayTier } from './relay-tier.ts';

/** One rejected event, as far as it is worth remembering. */
export interface RejectedCard {
  readonly reason: CardRejection;
  readonly message: string;
  /** What the event claims to be; unverified. */
  readonly eventId: string;
  readonly pubkey: string;
  readonly relay: string;
  readonly at: number;
}

/** What one relay gave us since the start. */
export interface RelayStats {
  readonly relay: string;
  /** Cards and deletion requests that came. */
  readonly received: number;
  /** Cards that were new or newer. */
  readonly taken: number;
  readonly rejected: Readonly<Partial<Record<CardRejection, number>>>;
  /** Events that came faster than they could be taken in. */
  readonly dropped: number;
  readonly lastEventAt: number | null;
  /** How it is read. */
  readonly tier: RelayTier | null;
  /** How good it has been lately, 0..1; `null` before that is known. */
  readonly score: number | null;
}

interface Counters {
  received: number;
  taken: number;
  dropped: number;
  rejected: Partial<Record<CardRejection, number>>;
  lastEventAt: number | null;
}

/** Counts what relays send, in bounded memory. */
export interface Tally {
  of(relay: string): Counters;
  reject(rejected: RejectedCard): void;
  /** `standing` says how a relay is read. */
  relays(standing: (relay: string) => RelayStanding | undefined): RelayStats[];
  rejections(): {
    readonly counts: Readonly<Partial<Record<CardRejection, number>>>;
    readonly recent: readonly RejectedCard[];
  };
}

export function createTally(remembered: number): Tally {
  const relays = new Map<string, Counters>();
  const recent: RejectedCard[] = [];

  function of(relay: string): Counters {
    const known = relays.get(relay);
    if (known !== undefined) return known;
    const created: Counters = { received: 0, taken: 0, dropped: 0, rejected: {}, lastEventAt: null };
    relays.set(relay, created);
    return created;
  }

  return {
    of,
    reject(rejected) {
      const { rejected: counts } = of(rejected.relay);
      counts[rejected.reason] = (counts[rejected.reason] ?? 0) + 1;
      // That a relay still has an older version is everyday life, not evidence.
      if (rejected.reason === 'superseded' || remembered === 0) return;
      recent.push(rejected);
      if (recent.length > remembered) recent.shift();
    },
    relays: (standing) =>
      [...relays].map(([relay, counters]) => {
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
  };
}
