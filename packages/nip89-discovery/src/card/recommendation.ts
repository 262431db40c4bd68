import { type AddressPolicy, assessRelayUrl, type NostrEvent } from '@bonafide/nostr-transport';
import { cardKind, isIdentifier } from './assess.ts';
import { canonicalIdentifier } from './identity.ts';

/** The kind of a recommendation (NIP-89). */
export const recommendationKind = 31_989;

/** Largest number of platforms in one recommendation. The rest is ignored. */
const maxHandlers = 32;

/** A recommended platform. */
export interface RecommendedHandler {
  readonly pubkey: string;
  readonly canonicalD: string;
  /** Relay that has its card; `null` if none is named or the address is refused. */
  readonly relayHint: string | null;
}

/** A signed recommendation of platforms for a kind of event (NIP-89, kind 31989). */
export interface Recommendation {
  /** Public key of the recommender, 64 lower-case hex digits. */
  readonly recommender: string;
  /** Kind of event for which it recommends, 0..65535. */
  readonly kind: number;
  /** Recommended platforms. Empty revokes earlier recommendations. */
  readonly handlers: readonly RecommendedHandler[];
  readonly eventId: string;
  /** Ms since epoch. A later one of the same recommender and kind replaces it. */
  readonly createdAt: number;
}

/** Parses a **verified** recommendation. Returns `null` if it is invalid. Pure, never throws. */
export function readRecommendation(event: NostrEvent, policy: AddressPolicy = {}): Recommendation | null {
  if (event.kind !== recommendationKind) return null;
  const kind = readKind(event.tags.find(([name]) => name === 'd')?.[1]);
  if (kind === null) return null;
  const handlers = new Map<string, RecommendedHandler>();
  for (const [name, address = '', hint = ''] of event.tags) {
    if (name !== 'a' || handlers.size === maxHandlers) continue;
    const [, handlerKind, pubkey = '', d = ''] = /^(\d+):([0-9a-f]{64}):(.*)$/su.exec(address) ?? [];
    if (handlerKind !== String(cardKind) || !isIdentifier(d)) continue;
    const canonicalD = canonicalIdentifier(d);
    const relay = assessRelayUrl(hint, policy);
    const key = `${pubkey}${canonicalD}`;
    const relayHint = handlers.get(key)?.relayHint ?? (relay.ok ? relay.url : null);
    handlers.set(key, { pubkey, canonicalD, relayHint });
  }
  return {
    recommender: event.pubkey,
    kind,
    handlers: [...handlers.values()],
    eventId: event.id,
    createdAt: event.created_at * 1_000,
  };
}

/**
 * Returns the recommendations that a verified deletion request (NIP-09) revokes, as recommendations without
 * platforms. Pure.
 */
export function readRecommendationDeletions(event: NostrEvent): readonly Recommendation[] {
  const prefix = `${recommendationKind}:${event.pubkey}:`;
  const kinds = new Set<number>();
  for (const [name, address = ''] of event.tags.slice(0, 100)) {
    if (name !== 'a' || !address.startsWith(prefix)) continue;
    const kind = readKind(address.slice(prefix.length));
    if (kind !== null) kinds.add(kind);
  }
  const rest = { recommender: event.pubkey, eventId: event.id, createdAt: event.created_at * 1_000 };
  return [...kinds].map((kind) => ({ ...rest, kind, handlers: [] }));
}

function readKind(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,5}$/u.test(text)) return null;
  const kind = Number(text);
  return kind <= 65_535 ? kind : null;
}

/** Returns true if `candidate` replaces `current`: later, or the lower id at the same time (NIP-01). */
export function replacesRecommendation(
  candidate: Pick<Recommendation, 'createdAt' | 'eventId'>,
  current: Pick<Recommendation, 'createdAt' | 'eventId'>,
): boolean {
  if (candidate.createdAt !== current.createdAt) return candidate.createdAt > current.createdAt;
  return candidate.eventId < current.eventId;
}

/** The weight of the recommendations of a platform: a signal to combine with others, not proof. */
export interface RecommendationSignal {
  /** Number of different recommenders, without the platform itself. */
  readonly recommenders: number;
  /** Number of recommenders with a known standing. */
  readonly known: number;
  /** Sum of standings. Unknown recommenders add at most {@link unknownRecommendersWeight} in total. */
  readonly weight: number;
  /** Signal 0..1, `weight / (weight + 1)`. The first recommenders count most. */
  readonly signal: number;
}

/**
 * Total weight of all unknown recommenders. Keys cost nothing, so a thousand of them say little more than
 * one.
 */
export const unknownRecommendersWeight = 0.25;

/**
 * Weighs the recommendations of a platform. `standing` returns the standing of a recommender, 0..1, or `null`
 * if it is unknown; recommenders with standing 0 do not count. Nor does the platform itself. Pure.
 */
export function weighRecommendations(
  recommendations: readonly Pick<Recommendation, 'recommender'>[],
  platform: string,
  standing: (recommender: string) => number | null = () => null,
): RecommendationSignal {
  const recommenders = new Set(recommendations.map(({ recommender }) => recommender));
  recommenders.delete(platform);
  const standings = [...recommenders].map(standing);
  const known = standings.filter((each) => each !== null && Number.isFinite(each)) as number[];
  const strangers = standings.length - known.length;
  const weight =
    known.reduce((sum, each) => sum + Math.min(1, Math.max(0, each)), 0) +
    unknownRecommendersWeight * (1 - 1 / (1 + strangers));
  return { recommenders: recommenders.size, known: known.length, weight, signal: weight / (weight + 1) };
}
