import type { Emitter } from '@bonafide/internal';
import type { AddressPolicy, NostrEvent, Verifier } from '@bonafide/nostr-transport';
import { cardKind, maxFutureMs } from '../card/assess.ts';
import { readDeletion } from '../card/deletion.ts';
import {
  type Recommendation,
  readRecommendation,
  readRecommendationDeletions,
} from '../card/recommendation.ts';
import { identifierTarget } from './card-intake.ts';
import type { RegistryEntry } from './entry.ts';
import { changeStatus } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryEvents } from './events.ts';
import type { RecommendationSignals } from './recommendations.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore, iterateEntries } from './store-access.ts';

/** Stores recommendations and deletion requests. Call it within `EntryWriter.exclusive`. */
export interface StatementIntake {
  /** Returns true if the recommendation was new. @throws DiscoveryError `STORE_FAILED` */
  takeRecommendation(event: NostrEvent): Promise<boolean>;
  /** Archives the deleted platforms. @throws DiscoveryError `STORE_FAILED` */
  takeDeletion(event: NostrEvent): Promise<void>;
  /**
   * Returns the authors that were recommended since the last call, at most 1,000, by whether a known recommender named them, and
   * forgets them.
   */
  takeRecommendedAuthors(): ReadonlyMap<string, boolean>;
}

/** Largest number of recommended authors to remember. */
const maxRecommendedAuthors = 1_000;

export function createStatementIntake(options: {
  readonly store: DiscoveryStore;
  readonly writer: EntryWriter;
  readonly emitter: Emitter<DiscoveryEvents>;
  readonly signals: RecommendationSignals;
  readonly addresses: AddressPolicy;
  readonly verifier: Verifier | null;
  readonly clock: () => number;
}): StatementIntake {
  const { store, writer, emitter, signals, addresses, verifier, clock } = options;

  /** By whether the recommender is known, so that strangers do not displace the others. */
  let recommendedAuthors = { known: new Set<string>(), unknown: new Set<string>() };

  const isTrustworthy = (event: NostrEvent) =>
    event.created_at * 1_000 <= clock() + maxFutureMs && (verifier === null || verifier.verify(event));

  async function put(recommendation: Recommendation): Promise<boolean> {
    const isKnown = signals.isKnown(recommendation.recommender);
    const isNew = await callStore(() => store.putRecommendation(recommendation, { isKnown }));
    // Its recommender may have become known since it was stored.
    if (isKnown) {
      for (const { pubkey, canonicalD } of recommendation.handlers) await signals.refresh(pubkey, canonicalD);
    }
    if (!isNew) return false;
    const authors = isKnown ? recommendedAuthors.known : recommendedAuthors.unknown;
    for (const { pubkey } of recommendation.handlers) {
      if (authors.size < maxRecommendedAuthors) authors.add(pubkey);
    }
    emitter.emit('recommended', { recommendation });
    return true;
  }

  /** Returns the ids that may be cards. Without a `k` tag, an id may be any event: only ids of known cards are kept. */
  async function cardIdsOf(event: NostrEvent, ids: readonly string[]): Promise<readonly string[]> {
    const isAboutCards = event.tags.some(([name, value]) => name === 'k' && value === String(cardKind));
    if (isAboutCards || ids.length === 0) return ids;
    const known = new Set<string>();
    for await (const { card } of iterateEntries(store, { pubkey: event.pubkey })) known.add(card.eventId);
    return ids.filter((id) => known.has(id));
  }

  return {
    takeRecommendedAuthors() {
      const { known, unknown } = recommendedAuthors;
      recommendedAuthors = { known: new Set(), unknown: new Set() };
      const authors = new Map([...known].map((author) => [author, true]));
      for (const author of unknown) {
        if (authors.size < maxRecommendedAuthors && !authors.has(author)) authors.set(author, false);
      }
      return authors;
    },

    async takeRecommendation(event) {
      const recommendation = readRecommendation(event, addresses);
      return recommendation !== null && isTrustworthy(event) && put(recommendation);
    },

    async takeDeletion(event) {
      if (!isTrustworthy(event)) return;
      for (const nobody of readRecommendationDeletions(event)) await put(nobody);
      const deletion = readDeletion(event);
      if (deletion === null) return;
      const { pubkey, at, identifiers } = deletion;
      const eventIds = await cardIdsOf(event, deletion.eventIds);
      if (identifiers.length + eventIds.length === 0) return;
      const now = clock();
      await callStore(() => store.addDeletions(pubkey, identifiers.map(identifierTarget), at));
      // An event id is deleted whatever the dates, so that the order of arrival does not matter.
      await callStore(() => store.addDeletions(pubkey, eventIds, Math.max(at, now + maxFutureMs)));
      const archive = (canonicalD: string, upTo: (current: RegistryEntry) => number | null) =>
        writer.update<{ readonly refused: string }>(pubkey, canonicalD, (current) => {
          const deletedAt = current === null ? null : upTo(current);
          if (current === null || deletedAt === null) return null;
          return changeStatus(current, { type: 'deleted' }, { now, eventId: event.id, deletedAt });
        });
      for (const canonicalD of identifiers) {
        await archive(canonicalD, ({ card }) => (card.createdAt <= at ? at : null));
      }
      if (eventIds.length === 0) return;
      for await (const { canonicalD } of iterateEntries(store, { pubkey })) {
        // This deletes one event, not the platform: its next card is accepted.
        await archive(canonicalD, ({ card }) => (eventIds.includes(card.eventId) ? card.createdAt : null));
      }
    },
  };
}
