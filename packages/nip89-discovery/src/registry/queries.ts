import type { Page } from '@bonafide/internal';
import * as z from 'zod';
import type { Synonyms } from '../card/match.ts';
import type { Recommendation, RecommendationSignal } from '../card/recommendation.ts';
import { callable, readInput } from '../valid.ts';
import type { AuditRow, RegistryEntry } from './entry.ts';
import { type FindQuery, type FindResult, type Found, findPlatforms } from './find.ts';
import { parseIdentifier, parsePubkey } from './platform-key.ts';
import { readRecommendations, type Standing } from './recommendations.ts';
import { platformStatuses } from './status.ts';
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

const pageSchema = z.strictObject({ limit: z.int().default(50), cursor: z.string().exactOptional() });
const entriesSchema = pageSchema.extend({
  statuses: z.array(z.enum(platformStatuses)).exactOptional(),
  pubkey: z.string().exactOptional(),
});

const recommendationsSchema = z.strictObject({ standing: callable.optional() });

/** Reads a query. A field that is undefined counts as absent. @throws DiscoveryError `INVALID_INPUT` */
function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown = {}): z.output<Schema> {
  return readInput(z.preprocess(withoutUndefined, schema), query, 'query') as z.output<Schema>;
}

function withoutUndefined(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return query;
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

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
      return getEntry(store, parsePubkey(pubkey), parseIdentifier(d));
    },

    async entries(query) {
      assertOpen();
      const { limit, pubkey, ...rest } = parseQuery(entriesSchema, query);
      const author = pubkey === undefined ? {} : { pubkey: parsePubkey(pubkey) };
      return callStore(() => store.list({ ...rest, ...author, limit: clampLimit(limit) }));
    },

    async history(pubkey, d, page) {
      assertOpen();
      const key = parsePubkey(pubkey);
      const { limit, ...from } = parseQuery(pageSchema, page);
      return callStore(() => store.history(key, parseIdentifier(d), { ...from, limit: clampLimit(limit) }));
    },

    async recommendations(pubkey, d, given = {}) {
      assertOpen();
      readInput(recommendationsSchema, given);
      const { standing } = given;
      return readRecommendations(
        store,
        parsePubkey(pubkey),
        parseIdentifier(d),
        standing ?? options.standing ?? undefined,
      );
    },
  };
}
