import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { isStale } from '../card/assess.ts';
import {
  type CapabilityMatch,
  declaredConfidence,
  defaultMinConfidence,
  matchCard,
  type SearchStep,
  type Synonyms,
  searchSteps,
} from '../card/match.ts';
import { DiscoveryError } from '../errors.ts';
import { type RegistryEntry, searchableCard } from './entry.ts';
import { rankOf } from './rank.ts';
import { type PlatformStatus, platformStatuses } from './status.ts';
import type { DiscoveryStore } from './store.ts';
import { iteratePages, pageSize } from './store-access.ts';

/** A query for platforms: by capability, by kind, or by both. */
export interface FindQuery {
  /** A label such as `translation`, or a few words such as `translate to Spanish`. */
  readonly capability?: string;
  /** A job kind such as 5000. */
  readonly kind?: number;
  /** Lowest confidence, 0..1. @default 0.55, which excludes guesses from the generic job kind alone */
  readonly minConfidence?: number;
  /** Statuses to include. @default discovered, candidate, evaluating, partner */
  readonly statuses?: readonly PlatformStatus[];
  /** False excludes platforms whose card is older than 30 days. @default true: they come last */
  readonly includeStale?: boolean;
  /** Largest number of results. @default no limit */
  readonly limit?: number;
}

/** A platform that matches a query. */
export interface Found {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch;
  /** True if its card is older than 30 days. */
  readonly stale: boolean;
}

/**
 * Results ordered by confidence, then by recommendations of known recommenders, liveness and trust; stale cards come last. A
 * confidence of .8, a kind or synonym that the card declares, counts as 1: a card does not come first for the word that it
 * chose. Iterating reads page by page; `toArray` reads all.
 */
export interface FindResult extends AsyncIterable<Found> {
  toArray(): Promise<Found[]>;
}

/** Default statuses: platforms that can be given work. */
const open: readonly PlatformStatus[] = ['discovered', 'candidate', 'evaluating', 'partner'];

const querySchema = z.strictObject({
  capability: z
    .string()
    .refine((text) => text.trim() !== '', 'Must not be blank')
    .optional(),
  kind: z.int().min(0).max(65_535).optional(),
  minConfidence: z.number().min(0).max(1).default(defaultMinConfidence),
  statuses: z.array(z.enum(platformStatuses)).default([...open]),
  includeStale: z.boolean().default(true),
  limit: z
    .custom<number>(
      (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
    )
    .default(Number.POSITIVE_INFINITY),
});

/** Number of cards that may turn stale between sweeps and still be returned last. */
const maxNewlyStale = 1_000;

/**
 * Finds platforms step by step, from exact to inferred matches, and by rank within a step: first fresh cards, then stale ones.
 *
 * @throws DiscoveryError `INVALID_INPUT`, `STORE_FAILED`
 */
export async function* findPlatforms(
  query: FindQuery,
  context: { readonly store: DiscoveryStore; readonly synonyms: Synonyms; readonly now: number },
): AsyncGenerator<Found> {
  const { capability, kind, includeStale, limit, minConfidence, statuses } = parseOrThrow(
    querySchema,
    query ?? {},
    'query',
    (message, cause) => new DiscoveryError('INVALID_INPUT', message, cause),
  );
  const { store, synonyms, now } = context;
  const wants = [capability, kind].filter((want) => want !== undefined);
  if (wants.length === 0)
    throw new DiscoveryError('INVALID_INPUT', 'find needs a capability or a kind: find({ capability }).');
  const [rarest = ''] = wants;
  const steps = searchSteps(rarest, synonyms).filter(({ confidence }) => confidence >= minConfidence);
  const newlyStale: Found[] = [];
  let left = limit;

  /** Returns the matches of one step, by rank. */
  async function* matchesOf({ confidence, terms }: SearchStep, isStaleInIndex: boolean) {
    const pages = iteratePages((cursor) =>
      store.find({ terms, statuses, stale: isStaleInIndex, limit: Math.min(left, pageSize), ...cursor }),
    );
    for await (const entry of pages) {
      const { card } = entry;
      if (card.expiresAt !== null && card.expiresAt <= now) continue;
      const named = new Set(entry.terms);
      const all = wants.map((want) => matchCard(searchableCard(entry), want, synonyms, named));
      const [first] = all;
      const weakest = all.reduce((least, match) => (match.confidence < least.confidence ? match : least));
      // An earlier step returned better matches.
      if (first?.confidence !== confidence || weakest.confidence < minConfidence || weakest.match === 'none')
        continue;
      yield { entry, match: weakest, stale: isStaleInIndex || isStale(card.createdAt, now) };
    }
  }

  async function* matches(isStaleInIndex: boolean): AsyncGenerator<Found> {
    // A label and a kind that stands for it are both declared by the card itself: reputation decides between them.
    const declared = steps.filter(({ confidence }) => confidence >= declaredConfidence);
    const streams = declared.map((step) => matchesOf(step, isStaleInIndex));
    yield* mergeByRank(streams, ({ entry }) => rankOf(entry));
    for (const step of steps.slice(declared.length)) yield* matchesOf(step, isStaleInIndex);
  }

  for await (const found of matches(false)) {
    if (left <= 0) return;
    // A card may become stale between sweeps.
    if (found.stale) {
      if (newlyStale.length < maxNewlyStale) newlyStale.push(found);
      continue;
    }
    yield found;
    left -= 1;
  }
  if (!includeStale) return;
  for (const found of newlyStale) {
    if (left <= 0) return;
    yield found;
    left -= 1;
  }
  if (left <= 0) return;
  for await (const found of matches(true)) {
    yield found;
    left -= 1;
    if (left <= 0) return;
  }
}

/** Merges streams that are sorted by rank; of equal ranks, earlier streams come first. */
async function* mergeByRank<Item>(
  streams: readonly AsyncGenerator<Item>[],
  rank: (item: Item) => number,
): AsyncGenerator<Item> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, head: await stream.next() })));
  for (;;) {
    let best: (typeof heads)[number] | null = null;
    for (const each of heads) {
      if (each.head.done === true) continue;
      if (best === null || best.head.done === true || rank(each.head.value) < rank(best.head.value))
        best = each;
    }
    if (best === null || best.head.done === true) return;
    yield best.head.value;
    best.head = await best.stream.next();
  }
}
