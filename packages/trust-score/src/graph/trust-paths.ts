import { requireRange } from '../errors.ts';
import type { Edge } from './edge-table.ts';

/** Ratings by who gave them: the last of each pair, in the unit in which they were given. */
export interface RatingIndex {
  /** Rater → rated → rating. */
  readonly given: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Rated → its raters. */
  readonly raters: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What one knows about somebody, first hand and by those whom one rated. */
export interface TrustPaths {
  /** The source's own rating of the target; 0 with `connections` 0 when there is none. */
  readonly level1: { readonly rating: number; readonly connections: 0 | 1 };
  /**
   * Sum over everybody between, and how many there are. It grows with their number: never show it without. Somebody whom
   * the source distrusts counts as a connection that says nothing.
   */
  readonly level2: { readonly sum: number; readonly connections: number };
  /** Who is between, what the source thinks of them, what they think of the target, and what that adds. */
  readonly paths: readonly {
    readonly via: string;
    readonly first: number;
    readonly second: number;
    readonly adds: number;
  }[];
}

/**
 * Puts ratings into an index for {@link getTrust}. Of several of one pair the last counts. What rates itself, and
 * ratings of 0, are left out: neither exists in a web of trust.
 *
 * @throws `OUT_OF_RANGE` when a weight is no finite number.
 */
export function indexRatings(ratings: Iterable<Edge>): RatingIndex {
  const given = new Map<string, Map<string, number>>();
  const raters = new Map<string, Set<string>>();
  for (const { source, target, weight } of ratings) {
    requireRange('weight', weight, -Number.MAX_VALUE);
    if (source === target || weight === 0) continue;
    const own = given.get(source) ?? new Map<string, number>();
    given.set(source, own.set(target, weight));
    raters.set(target, (raters.get(target) ?? new Set()).add(source));
  }
  return { given, raters };
}

/** What a path adds: trust in the one between carries its opinion no further than that trust; distrust carries nothing. */
function pathAdds(first: number, second: number): number {
  if (first < 0) return 0;
  return second > 0 ? Math.min(first, second) : -Math.min(first, -second);
}

/**
 * `gettrust` of the Bitcoin-OTC web of trust (TRU-23): the source's own rating of the target (level 1), and over
 * everybody whom the source rated and who rated the target, the smaller of the two ratings with the sign of the second
 * (level 2).
 */
export function getTrust(index: RatingIndex, source: string, target: string): TrustPaths {
  const own = index.given.get(source);
  const rating = own?.get(target);
  const paths = [...(own ?? [])].flatMap(([via, first]) => {
    const second = index.given.get(via)?.get(target);
    return second === undefined ? [] : [{ via, first, second, adds: pathAdds(first, second) }];
  });
  return {
    level1: { rating: rating ?? 0, connections: rating === undefined ? 0 : 1 },
    level2: { sum: paths.reduce((sum, { adds }) => sum + adds, 0), connections: paths.length },
    paths,
  };
}

/** Why a rating is not let in. */
export type RatingRefusal =
  | 'SELF_RATING'
  | 'ZERO_RATING'
  | 'OUT_OF_RANGE'
  | 'RATER_UNRATED'
  | 'RATER_DISTRUSTED';

/**
 * Whether a web of trust lets a rating in, by the rules of Bitcoin-OTC (TRU-23): from −`scale` to `scale` and not 0,
 * not of oneself, by somebody who was rated, and whom the founder does not distrust (levels 1 and 2 sum to 0 or more).
 * Null when it does.
 */
export function refuseRating(
  index: RatingIndex,
  rating: Edge,
  options: { readonly founder: string; readonly scale?: number },
): RatingRefusal | null {
  const { founder, scale = 1 } = options;
  const { source, target, weight } = rating;
  if (source === target) return 'SELF_RATING';
  if (weight === 0) return 'ZERO_RATING';
  if (!(Math.abs(weight) <= scale)) return 'OUT_OF_RANGE';
  if (source === founder) return null;
  if ((index.raters.get(source)?.size ?? 0) === 0) return 'RATER_UNRATED';
  const { level1, level2 } = getTrust(index, founder, source);
  return level1.rating + level2.sum < 0 ? 'RATER_DISTRUSTED' : null;
}
