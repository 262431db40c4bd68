import { weighRecommendations } from '../card/recommendation.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore, pageSize } from './store-access.ts';

/** Keeps the signal of known recommenders on entries, by which `find` orders them. */
export interface RecommendationSignals {
  /** Computes the signal of a platform again. Call it within `EntryWriter.exclusive`. @throws DiscoveryError `STORE_FAILED` */
  refresh(pubkey: string, canonicalD: string): Promise<void>;
}

/** @param options.standing - returns the standing of a recommender, 0..1, or `null` if it is unknown; without it, all signals stay 0 */
export function createRecommendationSignals(options: {
  readonly store: DiscoveryStore;
  readonly writer: EntryWriter;
  readonly standing: ((recommender: string) => number | null) | null;
}): RecommendationSignals {
  const { store, writer, standing } = options;
  return {
    async refresh(pubkey, canonicalD) {
      if (standing === null) return;
      const all = await callStore(() => store.recommendationsOf(pubkey, canonicalD, pageSize));
      // Keys cost nothing, so unknown recommenders do not change the order.
      const known = all.filter(({ recommender }) => (standing(recommender) ?? 0) > 0);
      const { signal } = weighRecommendations(known, pubkey, standing);
      await writer.update<never>(pubkey, canonicalD, (current) =>
        current === null || current.recommendation === signal
          ? null
          : { entry: { ...current, recommendation: signal, revision: current.revision + 1 }, audit: [] },
      );
    },
  };
}
