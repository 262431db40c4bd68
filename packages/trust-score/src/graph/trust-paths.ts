import { finite, listOf, map, notNegative, optional, optionsOf, reading, record, text } from '../input.ts';
import type { Edge } from './edge-table.ts';

/** Ratings by who gave them: the last of each pair, in the unit in which they were given. */
export interface RatingIndex {
  /** Rater → rated → rating. */
  readonly given: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Rated → its raters. */
  readonly raters: ReadonlyMap<string, ReadonlySet<string>>;
}

const statedRating = record({ source: text, target: text });
const rated = listOf(record({ source: text, target: text, weight: finite }));
const ratingIndex = record({ given: map, raters: map });
const refusalOptions = optionsOf({ founder: text, scale: optional(notNegative) });

/** Returns ratings as a list, read and checked. */
function listed(ratings: Iterable<Edge>): readonly Edge[] {
  const list = reading('ratings', () =>
    typeof ratings === 'object' && ratings !== null && Symbol.iterator in ratings ? [...ratings] : ratings,
  );
  rated('ratings', list);
  return list as readonly Edge[];
}

/** Trust in a target by the source's own rating, and by the ratings of intermediaries that the source rated. */
export interface TrustPaths {
  /** The source's own rating of the target; 0 with `connections` 0 when there is none. */
  readonly level1: { readonly rating: number; readonly connections: 0 | 1 };
  /**
   * Sum over all intermediaries, and their number. The sum grows with the number: show both. An intermediary
   * that the source distrusts counts as a connection that adds 0.
   */
  readonly level2: { readonly sum: number; readonly connections: number };
  /** The intermediaries, with the source's rating of each, its rating of the target, and its contribution. */
  readonly paths: readonly {
    readonly via: string;
    readonly first: number;
    readonly second: number;
    readonly adds: number;
  }[];
}

/**
 * Builds an index for {@link getTrust}. The last of several ratings of one pair counts. Ratings of oneself
 * and ratings of 0 are left out.
 *
 * @throws `OUT_OF_RANGE` when a weight is not a finite number.
 */
export function indexRatings(ratings: Iterable<Edge>): RatingIndex {
  const given = new Map<string, Map<string, number>>();
  const raters = new Map<string, Set<string>>();
  for (const { source, target, weight } of listed(ratings)) {
    if (source === target || weight === 0) continue;
    const own = given.get(source) ?? new Map<string, number>();
    given.set(source, own.set(target, weight));
    raters.set(target, (raters.get(target) ?? new Set()).add(source));
  }
  return { given, raters };
}

/**
 * Computes the contribution of a path: the second rating, limited to the first; 0 when the first is negative.
 */
function pathAdds(first: number, second: number): number {
  if (first < 0) return 0;
  return second > 0 ? Math.min(first, second) : -Math.min(first, -second);
}

/**
 * Computes `gettrust` of the Bitcoin-OTC web of trust: the source's own rating of the target (level 1), and
 * for each intermediary the smaller of its two ratings with the sign of the second (level 2).
 */
export function getTrust(index: RatingIndex, source: string, target: string): TrustPaths {
  ratingIndex('index', index);
  text('source', source);
  text('target', target);
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

/** Reason for which a rating is refused. */
export type RatingRefusal =
  | 'SELF_RATING'
  | 'ZERO_RATING'
  | 'OUT_OF_RANGE'
  | 'RATER_UNRATED'
  | 'RATER_DISTRUSTED';

/**
 * Checks a rating by the rules of Bitcoin-OTC: from −`scale` to `scale` and not 0, not of oneself, by a rater
 * who was rated, and is not distrusted by the founder (levels 1 and 2 sum to 0 or more). Returns null when
 * the rating is accepted.
 */
export function refuseRating(
  index: RatingIndex,
  rating: Edge,
  options: { readonly founder: string; readonly scale?: number },
): RatingRefusal | null {
  refusalOptions('options', options);
  ratingIndex('index', index);
  statedRating('rating', rating);
  const { founder, scale = 1 } = options;
  const { source, target, weight } = rating;
  if (source === target) return 'SELF_RATING';
  if (weight === 0) return 'ZERO_RATING';
  if (typeof weight !== 'number' || !(Math.abs(weight) <= scale)) return 'OUT_OF_RANGE';
  if (source === founder) return null;
  if ((index.raters.get(source)?.size ?? 0) === 0) return 'RATER_UNRATED';
  const { level1, level2 } = getTrust(index, founder, source);
  return level1.rating + level2.sum < 0 ? 'RATER_DISTRUSTED' : null;
}
