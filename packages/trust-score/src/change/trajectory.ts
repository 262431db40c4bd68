import { requireCount, requireRange } from '../errors.ts';
import { cusum, meanAndSigma } from './cusum.ts';

/** One judgement of a partner. */
export interface TrustPoint {
  /** ms since epoch. */
  readonly at: number;
  /** On any scale of which the options know: −10…10 by default. */
  readonly trust: number;
  /** What was at stake, in any unit, e.g. millisatoshi. */
  readonly size?: number;
}

/** Options of {@link detectBuildThenExploit}. */
export interface TrajectoryOptions {
  /** Slack in σ. @default 0.5 */
  readonly k?: number;
  /** Threshold in σ. @default 4 */
  readonly h?: number;
  /** One bad judgement counts at most so many σ, so that it alone is no alarm. @default 3 */
  readonly clip?: number;
  /** The least σ that is believed: 2 on −10…10, 0.1 on 0…1. @default 2 */
  readonly sigmaFloor?: number;
  /** First points, from which mean and σ are taken; at least 5. @default 5 */
  readonly baseline?: number;
  /** Points after the change that it takes. @default 2 */
  readonly minAfter?: number;
  /** A stake so many times the median of at least 5 before it is suspicious at once. @default 8 */
  readonly sizeJump?: number;
  /** A fall so deep after at least 4 points above 0 is suspicious at once. @default 6 */
  readonly sharpFall?: number;
}

/** One point with what the test made of it. */
export interface TrajectoryRow extends TrustPoint {
  readonly index: number;
  /** (trust − mean) / σ, cut off. */
  readonly z: number;
  /** The running sum, in σ. */
  readonly sum: number;
}

/** What one observation alone gives reason to suspect. It is no proof: the verdict is the test's. */
export interface Suspicion {
  readonly kind: 'size_jump' | 'sharp_fall';
  readonly index: number;
  readonly at: number;
  /** In words. */
  readonly evidence: string;
}

/** Whether somebody built up trust and then used it up. */
export interface TrajectoryResult {
  /**
   * `insufficient`: too few points to say; `not_built`: the first ones were not good, so that there was nothing to
   * exploit; `steady`: no lasting fall; `build_then_exploit`: a lasting fall after a good beginning.
   */
  readonly verdict: 'insufficient' | 'not_built' | 'steady' | 'build_then_exploit';
  /** The largest sum over the threshold: more than 1 is an alarm. 0 when there was no test. */
  readonly severity: number;
  /** Of the first point after the change; null without an alarm. */
  readonly changeIndex: number | null;
  /** ms since epoch. */
  readonly changeAt: number | null;
  /** Of the point that gave the alarm. */
  readonly alarmIndex: number | null;
  readonly baseline: { readonly mean: number; readonly sigma: number; readonly points: number } | null;
  /** From the change to the alarm, or nothing. */
  readonly evidence: readonly TrajectoryRow[];
  /** What single observations show, also where there are too few points for a verdict. */
  readonly suspicions: readonly Suspicion[];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function suspicionsIn(
  points: readonly TrustPoint[],
  sizeJump: number,
  sharpFall: number,
): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const sizes: number[] = [];
  let positives = 0;
  for (const [index, { at, trust, size }] of points.entries()) {
    const before = points[index - 1]?.trust ?? trust;
    if (positives >= 4 && before - trust >= sharpFall) {
      const evidence = `fell from ${before} to ${trust} after ${positives} points above 0`;
      found.push({ kind: 'sharp_fall', index, at, evidence });
    }
    if (trust > 0) positives += 1;
    if (size === undefined) continue;
    const usual = median(sizes);
    if (sizes.length >= 5 && usual > 0 && size >= sizeJump * usual) {
      const evidence = `${size} at stake, ${(size / usual).toFixed(1)} times the median of ${sizes.length} before`;
      found.push({ kind: 'size_jump', index, at, evidence });
    }
    sizes.push(size);
  }
  return found;
}

/**
 * Looks for 'build, then exploit' in judgements of one partner (TRU-25): good ones at first, and then a lasting fall. It
 * is a CUSUM downwards from the first points: k 0.5, h 4, values cut off at ±3 σ, σ at least 2 on the scale of −10…10. Below
 * baseline + 3 points, 8 by default, the verdict is `insufficient`.
 *
 * It can only say that things got worse, not why: in a long series, about every third steady partner is flagged some
 * day when its σ was estimated from five points. Show the evidence with the verdict.
 *
 * @param series In any order; it is sorted by time, points of the same time as they are given.
 * @throws `OUT_OF_RANGE` when a value is not finite or an option is out of range.
 */
export function detectBuildThenExploit(
  series: readonly TrustPoint[],
  options: TrajectoryOptions = {},
): TrajectoryResult {
  const { k = 0.5, h = 4, clip = 3, sigmaFloor = 2, baseline = 5, minAfter = 2 } = options;
  const { sizeJump = 8, sharpFall = 6 } = options;
  requireCount('baseline', baseline);
  requireRange('baseline', baseline, 5);
  requireCount('minAfter', minAfter);
  requireRange('clip', clip, Number.MIN_VALUE);
  requireRange('sigmaFloor', sigmaFloor, Number.MIN_VALUE);
  for (const { at, trust, size = 0 } of series) {
    requireRange('at', at, -Number.MAX_VALUE);
    requireRange('trust', trust, -Number.MAX_VALUE);
    requireRange('size', size, 0);
  }
  const points = series.toSorted((left, right) => left.at - right.at);
  const suspicions = suspicionsIn(points, sizeJump, sharpFall);
  const nothing = {
    severity: 0,
    changeIndex: null,
    changeAt: null,
    alarmIndex: null,
    evidence: [],
    suspicions,
  };
  if (points.length < baseline + 3) return { ...nothing, verdict: 'insufficient', baseline: null };
  const values = points.map(({ trust }) => trust);
  const first = meanAndSigma(values.slice(0, baseline));
  const sigma = Math.max(first.sigma, sigmaFloor);
  const known = { mean: first.mean, sigma, points: baseline };
  if (first.mean <= 0) return { ...nothing, verdict: 'not_built', baseline: known };

  const later = values.slice(baseline);
  const { lower, alarms } = cusum(later, { mean: first.mean, sigma, k, h, clip });
  const severity = Math.max(...lower) / h;
  // An alarm counts from the point on at which enough of them lie behind the change.
  const found = lower
    .map((sum, index) => ({ sum, index, changeIndex: lastZero(lower, index) + 1 }))
    .find(({ sum, index, changeIndex }) => sum > h && index - changeIndex + 1 >= minAfter);
  if (found === undefined || alarms.every(({ side }) => side === 'up')) {
    return { ...nothing, verdict: 'steady', severity, baseline: known };
  }
  const changeIndex = baseline + found.changeIndex;
  const alarmIndex = baseline + found.index;
  const evidence = points.slice(changeIndex, alarmIndex + 1).map((point, offset) => {
    const z = Math.min(clip, Math.max(-clip, (point.trust - first.mean) / sigma));
    return { ...point, index: changeIndex + offset, z, sum: lower[changeIndex + offset - baseline] ?? 0 };
  });
  return {
    verdict: 'build_then_exploit',
    severity,
    changeIndex,
    changeAt: points[changeIndex]?.at ?? null,
    alarmIndex,
    baseline: known,
    evidence,
    suspicions,
  };
}

/** Index of the last 0 before `index`, −1 when there is none. */
const lastZero = (sums: readonly number[], index: number): number => sums.lastIndexOf(0, index);
