import type { Page } from '@bonafide/internal';
import { canonicalIdentifier } from '../card/identity.ts';
import type { Synonyms } from '../card/match.ts';
import type { Recommendation, RecommendationSignal } from '../card/recommendation.ts';
import type { AuditRow, RegistryEntry } from './entry.ts';
import { type FindQuery, type FindResult, type Found, findPlatforms } from './find.ts';
import { parsePubkey } from './platform-key.ts';
import { readRecommendations, type Standing } from './recommendations.ts';
import type { DiscoveryStore, EntryQuery } from './store.ts';
import { callStore, getEntry, pageSize } from './store-access.ts';

/** The recommendations of a platform and their weight. */
export interface Recommended extends RecommendationSignal {
  /** At most 200: those by recommenders with the highest standing first, and at most five of each. */
  readonly recommendations: readonly Recommendation[];
}

/** The read methods of a registry. */
export interface RegistryQueries {
  /** Finds platforms by what they offer, with the confidence of each match. */
  find(query: FindQuery): FindResult;
  /** Returns one entry, or `null` if the registry has no card of this key and identifier. */
  get(pubkey: string, d: string): Promise<RegistryEntry | null>;
  /** Returns entries of any status, in pages of at most 200. */
  entries(query?: Partial<EntryQuery>): Promise<Page<RegistryEntry>>;
  /** Returns the history of a platform, newest first, in pages of at most 200. */
  history(
    pubkey: string,
    d: string,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /**
   * Returns the recommendations of a platform and their weight. `standing` returns the standing of a recommender, 0..1, or
   * `null` if it is unknown; the default is that of the registry's options. A recommendation is evidence, not proof.
   */
  recommendations(
    pubkey: string,
    d: string,
    options?: { readonly standing?: Standing },
  ): Promise<Recommended>;
}

const clampLimit = (limit: number) => Math.min(Math.max(1, limit), pageSize);

/** Creates the read methods. @param options.assertOpen - throws `CLOSED` after the registry was closed */
export function createRegistryQueries(options: {
  readonly store: DiscoveryStore;
  readonly synonyms: Synonyms;
  readonly standing: Standing | null;
  readonly clock: () => number;
  readonly assertOpen: () => void;
}): RegistryQueries {
  const { store, synonyms, clock, assertOpen } = options;

  async function* found(query: FindQuery): AsyncGenerator<Found> {
    assertOpen();
    yield* findPlatforms(query, { store, synonyms, now: clock() });
  }

  return {
    find: (query) => ({
      [Symbol.asyncIterator]: () => found(query),
      async toArray() {
        const list: Found[] = [];
        for await (const one of found(query)) list.push(one);
        return list;
      },
    }),

    async get(pubkey, d) {
      assertOpen();
      return getEntry(store, parsePubkey(pubkey), canonicalIdentifier(d));
    },

    async entries({ limit = 50, ...query } = {}) {
      assertOpen();
      const { pubkey, ...rest } = query;
      const author = pubkey === undefined ? {} : { pubkey: parsePubkey(pubkey) };
      return callStore(() => store.list({ ...rest, ...author, limit: clampLimit(limit) }));
    },

    async history(pubkey, d, { limit = 50, cursor } = {}) {
      assertOpen();
      const key = parsePubkey(pubkey);
      const page = { limit: clampLimit(limit), ...(cursor === undefined ? {} : { cursor }) };
      return callStore(() => store.history(key, canonicalIdentifier(d), page));
    },

    async recommendations(pubkey, d, { standing } = {}) {
      assertOpen();
      return readRecommendations(
        store,
        parsePubkey(pubkey),
        canonicalIdentifier(d),
        standing ?? options.standing ?? undefined,
      );
    },
  };
}
