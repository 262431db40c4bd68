import { createRankTree } from './rank-tree.ts';

const dayMs = 86_400_000;
/** Longest time that a sample stands for on either side, ms: a longer silence is unknown. */
const maxHalfMs = dayMs / 2;

/** A sample of one metric. */
export interface Sample {
  /** ms since epoch. */
  readonly at: number;
  readonly value: number;
  /** Id of the prober; '' for the verifier itself. */
  readonly prober: string;
}

/** A span of time with one value. */
export interface Segment {
  /** ms since epoch. */
  readonly from: number;
  readonly to: number;
  /** Time of the sample that the value is from; the middle of the span when several probers were compared, ms since epoch. */
  readonly at: number;
  readonly value: number;
}

/** Order of the values of a metric. */
export interface Scale {
  /** Returns true when the left value is worse than the right one. */
  readonly isWorse: (left: number, right: number) => boolean;
  /** Returns true for a value in breach. */
  readonly isBad: (value: number) => boolean;
}

/**
 * Share of the usual gap for which a sample in breach stands at least. A larger one overstates the downtime that is sampled at random
 * times: by 3 % with a half, by 30 % with the whole gap.
 */
export const leastShare = 0.5;

/** Returns the gap that half of the observed time lies in: many tiny gaps take little time, so that they do not lower it. */
export function usualGap(unsorted: readonly number[]): number {
  const gaps = unsorted.toSorted((left, right) => left - right);
  const half = gaps.reduce((sum, gap) => sum + gap, 0) / 2;
  let passed = 0;
  for (const gap of gaps) {
    passed += gap;
    if (passed >= half) return gap;
  }
  return 0;
}

interface Cell {
  from: number;
  to: number;
  readonly at: number;
  readonly value: number;
}

/** Joins samples of one moment: the worst when one is in breach, else their mean. */
function moments(
  samples: readonly Sample[],
  { isBad, isWorse }: Scale,
): readonly { readonly at: number; readonly value: number }[] {
  const joined: { at: number; values: number[] }[] = [];
  for (const { at, value } of samples) {
    const last = joined.at(-1);
    if (last?.at === at) last.values.push(value);
    else joined.push({ at, values: [value] });
  }
  return joined.map(({ at, values }) => {
    if (values.length === 1) return { at, value: values[0] ?? 0 };
    const worst = values.reduce((one, other) => (isWorse(other, one) ? other : one));
    return {
      at,
      value: isBad(worst) ? worst : values.reduce((sum, value) => sum + value, 0) / values.length,
    };
  });
}

/**
 * Divides the time among the samples of one prober. A sample stands for the time half way to its neighbors; one in breach stands for
 * half of the prober's usual gap at least, also when others were sampled just before and after it.
 */
function segmentsOfProber(samples: readonly Sample[], scale: Scale): readonly Segment[] {
  const points = moments(samples, scale);
  const half = (from: number, to: number): number | null => {
    const [left, right] = [points[from], points[to]];
    return left === undefined || right === undefined ? null : Math.min(maxHalfMs, (right.at - left.at) / 2);
  };
  const gaps = points.slice(1).map(({ at }, index) => Math.min(dayMs, at - (points[index]?.at ?? at)));
  const leastHalf = (leastShare * usualGap(gaps)) / 2;
  const cells = points.map(({ at, value }, index): Cell => {
    const before = half(index - 1, index);
    const after = half(index, index + 1);
    const least = scale.isBad(value) && points.length > 1 ? leastHalf : 0;
    return {
      ...{ at, value },
      // The ends are as long outwards as inwards.
      from: at - Math.max(least, before ?? after ?? maxHalfMs),
      to: at + Math.max(least, after ?? before ?? maxHalfMs),
    };
  });
  const bad = cells.filter(({ value }) => scale.isBad(value));
  for (const [index, cell] of bad.entries()) {
    const next = bad[index + 1];
    if (next === undefined || next.from >= cell.to) continue;
    const between = (cell.at + next.at) / 2;
    cell.to = between;
    next.from = between;
  }
  const segments: Segment[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  let nextBad = 0;
  for (const cell of cells) {
    const isBad = scale.isBad(cell.value);
    if (isBad) nextBad += 1;
    const from = Math.max(cell.from, reached);
    const to = isBad ? cell.to : Math.min(cell.to, bad[nextBad]?.from ?? Number.POSITIVE_INFINITY);
    if (to <= from) continue;
    segments.push({ from, to, at: cell.at, value: cell.value });
    reached = to;
  }
  return segments;
}

/** Combines probers: at every moment the median of those that observe it counts; of an even number the worse middle one. */
function combine(lists: readonly (readonly Segment[])[], { isWorse }: Scale): readonly Segment[] {
  const all = lists.flat();
  const values = [...new Set(all.map(({ value }) => value))].toSorted((left, right) =>
    isWorse(left, right) ? -1 : 1,
  );
  const ranks = new Map(values.map((value, rank) => [value, rank]));
  const events = all
    .flatMap(({ from, to, value }) => [
      { at: from, rank: ranks.get(value) ?? 0, change: 1 },
      { at: to, rank: ranks.get(value) ?? 0, change: -1 },
    ])
    .toSorted((left, right) => left.at - right.at);
  const tree = createRankTree(values.length);
  const combined: Segment[] = [];
  for (const [index, { at, rank, change }] of events.entries()) {
    tree.add(rank, change);
    const until = events[index + 1]?.at ?? at;
    if (until <= at || tree.total() <= 0) continue;
    const value = values[tree.rankAt(Math.ceil(tree.total() / 2))] ?? 0;
    combined.push({ from: at, to: until, at: (at + until) / 2, value });
  }
  return combined;
}

/** Divides the observed time into segments, oldest first. Samples are sorted by time. */
export function timelineOf(samples: readonly Sample[], scale: Scale): readonly Segment[] {
  const byProber = new Map<string, Sample[]>();
  for (const sample of samples) {
    const own = byProber.get(sample.prober) ?? [];
    own.push(sample);
    byProber.set(sample.prober, own);
  }
  const lists = [...byProber.values()].map((own) => segmentsOfProber(own, scale));
  return lists.length < 2 ? (lists[0] ?? []) : combine(lists, scale);
}
