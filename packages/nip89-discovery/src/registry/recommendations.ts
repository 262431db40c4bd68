import {
  type Recommendation,
  type RecommendationSignal,
  weighRecommendations,
} from '../card/recommendation.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore, iteratePages, pageSize } from './store-access.ts';

/** Returns the standing of a recommender, 0..1, or `null` if it is unknown. */
export type Standing = (recommender: string) => number | null;

type RecommendationStore = Pick<DiscoveryStore, 'recommendersOf' | 'recommendationsOf'>;

/** Number of keys that are read at a time. Strangers can create any number of them. */
const recommendersAtOnce = 1_000;
/** Number of recommendations of one recommender for one platform that are returned. */
const maxPerRecommender = 5;

/** Reads the keys that recommend a platform. @throws DiscoveryError `STORE_FAILED` */
async function readRecommenders(
  store: RecommendationStore,
  pubkey: string,
  canonicalD: string,
): Promise<string[]> {
  const recommenders: string[] = [];
  const pages = iteratePages((cursor) =>
    store.recommendersOf(pubkey, canonicalD, { limit: recommendersAtOnce, ...cursor }),
  );
  for await (const recommender of pages) recommenders.push(recommender);
  return recommenders;
}

/**
 * Returns the weight of all recommendations of a platform, and at most 200 of them: by recommenders with the highest standing first,
 * and few of each.
 *
 * @throws DiscoveryError `STORE_FAILED`
 */
export async function readRecommendations(
  store: RecommendationStore,
  pubkey: string,
  canonicalD: string,
  standing: Standing = () => null,
): Promise<RecommendationSignal & { readonly recommendations: readonly Recommendation[] }> {
  const recommenders = await readRecommenders(store, pubkey, canonicalD);
  const signal = weighRecommendations(
    recommenders.map((recommender) => ({ recommender })),
    pubkey,
    standing,
  );
  const best = recommenders
    .map((recommender) => ({ recommender, standing: standing(recommender) ?? 0 }))
    .sort((a, b) => b.standing - a.standing)
    .slice(0, pageSize)
    .map(({ recommender }) => recommender);
  const found = await callStore(() => store.recommendationsOf(pubkey, canonicalD, best, maxPerRecommender));
  const place = new Map(best.map((recommender, index) => [recommender, index]));
  const placeOf = ({ recommender }: Recommendation) => place.get(recommender) ?? best.length;
  const recommendations = [...found].sort((a, b) => placeOf(a) - placeOf(b)).slice(0, pageSize);
  return { ...signal, recommendations };
}

/** Keeps the signal of known recommenders on entries, by which `find` orders them. */
export interface RecommendationSignals {
  /** False if no recommender has a standing, so that all signals stay 0. */
  readonly isUsed: boolean;
  /** Returns true if a recommender has a standing above 0. Others do not change the order. */
  isKnown(recommender: string): boolean;
  /** Computes the signal of a platform again. Call it within `EntryWriter.exclusive`. @throws DiscoveryError `STORE_FAILED` */
  refresh(pubkey: string, canonicalD: string): Promise<void>;
}

/** @param options.standing - returns the standing of a recommender, 0..1, or `null` if it is unknown; without it, all signals stay 0 */
export function createRecommendationSignals(options: {
  readonly store: RecommendationStore;
  readonly writer: EntryWriter;
  readonly standing: Standing | null;
}): RecommendationSignals {
  const { store, writer, standing } = options;
  return {
    isUsed: standing !== null,
    isKnown: (recommender) => (standing?.(recommender) ?? 0) > 0,

    async refresh(pubkey, canonicalD) {
      if (standing === null) return;
      const recommenders = await readRecommenders(store, pubkey, canonicalD);
      // Keys cost nothing, so unknown recommenders do not change the order.
      const known = recommenders.filter((recommender) => (standing(recommender) ?? 0) > 0);
      const { signal } = weighRecommendations(
        known.map((recommender) => ({ recommender })),
        pubkey,
        standing,
      );
      await writer.update<never>(pubkey, canonicalD, (current) =>
        current === null || current.recommendation === signal
          ? null
          : { entry: { ...current, recommendation: signal, revision: current.revision + 1 }, audit: [] },
      );
    },
  };
}
