import { type AddressPolicy, assessRelayUrl, type NostrEvent } from '@bonafide/nostr-transport';
import { cardKind, isIdentifier } from './assess.ts';
import { canonicalIdentifier } from './identity.ts';

/** The kind of a recommendation (NIP-89). */
export const recommendationKind = 31_989;

/** More platforms than these in one recommendation are not read. */
const maxHandlers = 32;

/** A platform that somebody recommends. */
export interface RecommendedHandler {
  readonly pubkey: string;
  readonly canonicalD: string;
  /** A relay where its card is said to be; `null` when none is named, or none that may be connected to. */
  readonly relayHint: string | null;
}

/** Whom somebody recommends for a kind of event (NIP-89, kind 31989): an opinion, signed. */
export interface Recommendation {
  /** Who recommends: 64 lower-case hex digits. */
  readonly recommender: string;
  /** For which kind of event, 0..65535. */
  readonly kind: number;
  /** Nobody: what was recommended before is taken back. */
  readonly handlers: readonly RecommendedHandler[];
  readonly eventId: string;
  /** Ms since epoch. A later one of the same recommender and kind replaces it. */
  readonly createdAt: number;
}

/** Reads a **verified** recommendation; `null` when it is none. Pure, and never throws. */
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
 * What a verified deletion request (NIP-09) takes back: for each kind, a recommendation of nobody. Pure.
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

/** Whether `candidate` replaces `current`: later, or of the same moment with the lower id (NIP-01). */
export function replacesRecommendation(
  candidate: Pick<Recommendation, 'createdAt' | 'eventId'>,
  current: Pick<Recommendation, 'createdAt' | 'eventId'>,
): boolean {
  if (candidate.createdAt !== current.createdAt) return candidate.createdAt > current.createdAt;
  return candidate.eventId < current.eventId;
}

/** What recommendations of a platform come to (DIS-13): a signal to weigh with others, never the truth. */
export interface RecommendationSignal {
  /** Different recommenders, the platform itself left out. */
  readonly recommenders: number;
  /** Those of whom the caller knows a standing. */
  readonly known: number;
  /** The sum of standings; strangers together add at most {@link strangersWeight}. */
  readonly weight: number;
  /** 0..1, `weight / (weight + 1)`: the first recommenders count most, and certainty is never reached. */
  readonly signal: number;
}

/**
 * What all recommenders of whom nothing is known come to together: keys cost nothing, so a thousand of them say
 * little more than one.
 */
export const unknownRecommendersWeight = 0.25;

/**
 * Weighs who recommends a platform (DIS-13). `standing` gives a recommender's standing, 0..1, or `null` for a
 * stranger; a standing of 0 takes away a voice. A platform's word for itself does not count. Pure.
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
