import { BonafideError } from './errors.ts';

/** One observation of a peer: a trust score, the size of a request, or both. */
export interface TrajectoryPoint {
  /** ms since epoch. */
  readonly at: number;
  /** A trust score, −10…10 with the default options. */
  readonly trust?: number;
  /** The size of a request, ≥ 0, in one unit for the whole series, for example millisatoshi. */
  readonly size?: number;
}

/** Options of {@link detectBuildThenExploit}. */
export interface TrajectoryOptions {
  /** CUSUM slack in σ. @default 0.5 */
  readonly k?: number;
  /** CUSUM threshold in σ. @default 4 */
  readonly h?: number;
  /** Limit of one standardized value in σ, so that a single low score never raises an alarm. @default 3 */
  readonly clip?: number;
  /** Lower limit of σ: 2 on −10…10, 0.1 on 0…1. @default 2 */
  readonly sigmaFloor?: number;
  /** Number of first scores that mean and σ are estimated from, ≥ 5. @default 5 */
  readonly baseline?: number;
  /** Number of scores required after the change. @default 2 */
  readonly minAfter?: number;
  /** Factor over the median of at least 5 earlier sizes that makes a request suspicious. @default 8 */
  readonly sizeJump?: number;
  /** Drop after at least 4 positive scores that is suspicious. @default 6 */
  readonly sharpFall?: number;
}

/** A reason to suspect that trust was built in order to be exploited. */
export interface TrajectoryAlarm<Point> {
  /**
   * - `size-jump`: a request of at least `sizeJump` times the median of at least 5 earlier ones.
   * - `sharp-fall`: a drop of at least `sharpFall` after at least 4 positive scores.
   * - `drift`: the lower CUSUM of the scores exceeded its threshold.
   */
  readonly kind: 'size-jump' | 'sharp-fall' | 'drift';
  /** Time of the observation that raised it, ms since epoch. */
  readonly at: number;
  /** Human-readable comparison with its numbers. */
  readonly finding: string;
  /** The observations that were compared, oldest first; the last one raised the alarm. */
  readonly evidence: readonly Point[];
}

/** A score with its CUSUM values. */
export interface TrajectoryRow<Point> {
  readonly point: Point;
  /** Position among the scores of the sorted series. */
  readonly index: number;
  readonly at: number;
  readonly trust: number;
  /** (trust − mean) / σ, clipped. */
  readonly z: number;
  /** The lower cumulative sum in σ. */
  readonly sum: number;
}

/** The result of {@link detectBuildThenExploit}. */
export interface TrajectoryResult<Point> {
  /**
   * - `insufficient`: fewer scores than the CUSUM needs (8 by default) and no alarm.
   * - `none`: enough scores and no alarm.
   * - `suspected`: a single observation raised an alarm.
   * - `confirmed`: the CUSUM over enough scores raised an alarm.
   */
  readonly verdict: 'insufficient' | 'none' | 'suspected' | 'confirmed';
  /** Oldest first. */
  readonly alarms: readonly TrajectoryAlarm<Point>[];
  /** Largest lower sum divided by the threshold; above 1 is an alarm. 0 when the CUSUM did not run. */
  readonly severity: number;
  /** Position of the first score after the change, among the scores; null without a drift alarm. */
  readonly changeIndex: number | null;
  /** Time of the first score after the change, ms since epoch. */
  readonly changeAt: number | null;
  /** Position of the score that raised the drift alarm. */
  readonly alarmIndex: number | null;
  /** Mean and σ that the scores were compared with; null when the CUSUM did not run. */
  readonly baseline: { readonly mean: number; readonly sigma: number; readonly points: number } | null;
  /** The scores from the change to the drift alarm. */
  readonly evidence: readonly TrajectoryRow<Point>[];
}

const minEarlierSizes = 5;
const minPositives = 4;
/** Scores that the CUSUM needs beyond its baseline. */
const minBeyondBaseline = 3;

/**
 * Detects "build, then exploit": trust that was earned with small, good work and spent on a large or a bad one. A single
 * observation (a jump in size, a sharp fall) gives `suspected`; a downward CUSUM of the scores against their baseline
 * gives `confirmed`, from `baseline` + 3 scores on. A baseline with a mean ≤ 0 has nothing to exploit.
 *
 * The CUSUM shows that the scores fell, not why. With σ estimated from five scores, about one in three steady peers is
 * flagged at some time in a long series. Show the evidence with the verdict.
 *
 * @param series - Observations in any order; they are sorted by time, ties in the given order.
 * @throws BonafideError `OUT_OF_RANGE` when a number is not finite or an option is out of range.
 * @see Page: Continuous Inspection Schemes. Biometrika 41, 1954.
 */
export function detectBuildThenExploit<Point extends TrajectoryPoint>(
  series: readonly Point[],
  options: TrajectoryOptions = {},
): TrajectoryResult<Point> {
  const settings = readInput(series, options);
  const points = series.toSorted((left, right) => left.at - right.at);
  const scores = points.flatMap((point) => {
    const { at, trust } = point;
    return trust === undefined ? [] : [{ point, at, trust }];
  });
  const drift = detectDrift(scores, settings);
  const alarms = [
    ...sizeJumps(points, settings.sizeJump),
    ...sharpFalls(scores, settings.sharpFall),
    ...drift.alarms,
  ].sort((left, right) => left.at - right.at);
  const { alarms: drifts, ...statistics } = drift;
  const enough = scores.length >= settings.baseline + minBeyondBaseline;
  if (drifts.length > 0) return { verdict: 'confirmed', alarms, ...statistics };
  if (alarms.length > 0) return { verdict: 'suspected', alarms, ...statistics };
  return { verdict: enough ? 'none' : 'insufficient', alarms, ...statistics };
}

interface Score<Point> {
  readonly point: Point;
  readonly at: number;
  readonly trust: number;
}

function sizeJumps<Point extends TrajectoryPoint>(
  points: readonly Point[],
  factor: number,
): readonly TrajectoryAlarm<Point>[] {
  const sized = points.filter(({ size }) => size !== undefined);
  return sized.flatMap((point, index) => {
    const { at, size = 0 } = point;
    if (index < minEarlierSizes) return [];
    const median = medianOf(sized.slice(0, index).map((earlier) => earlier.size ?? 0));
    if (median <= 0 || size < factor * median) return [];
    const finding = `A request of ${size}, ${round(size / median)} times the median of ${index} before`;
    return [{ kind: 'size-jump', at, finding, evidence: sized.slice(0, index + 1) } as const];
  });
}

function sharpFalls<Point>(scores: readonly Score<Point>[], fall: number): readonly TrajectoryAlarm<Point>[] {
  let positives = 0;
  return scores.flatMap(({ at, trust }, index) => {
    const before = scores[index - 1]?.trust ?? trust;
    const earlier = positives;
    if (trust > 0) positives += 1;
    if (earlier < minPositives || before - trust < fall) return [];
    const finding = `Trust fell from ${before} to ${trust} after ${earlier} positive scores`;
    return [{ kind: 'sharp-fall', at, finding, evidence: pointsOf(scores.slice(0, index + 1)) } as const];
  });
}

type Statistics<Point> = Omit<TrajectoryResult<Point>, 'verdict'>;

/** Runs the lower CUSUM. Reports at most one alarm: the first sum over the threshold with enough scores behind the change. */
function detectDrift<Point>(scores: readonly Score<Point>[], settings: Settings): Statistics<Point> {
  const { k, h, clip, sigmaFloor, baseline: size, minAfter } = settings;
  const quiet = {
    alarms: [],
    severity: 0,
    changeIndex: null,
    changeAt: null,
    alarmIndex: null,
    evidence: [],
  };
  if (scores.length < size + minBeyondBaseline) return { ...quiet, baseline: null };
  const first = scores.slice(0, size).map(({ trust }) => trust);
  const mean = first.reduce((sum, trust) => sum + trust, 0) / size;
  const variance = first.reduce((sum, trust) => sum + (trust - mean) ** 2, 0) / (size - 1);
  const baseline = { mean, sigma: Math.max(sigmaFloor, Math.sqrt(variance)), points: size };
  if (mean <= 0) return { ...quiet, baseline };

  let sum = 0;
  let changeIndex = size;
  const rows = scores.slice(size).map(({ point, at, trust }, offset) => {
    const index = size + offset;
    if (sum === 0) changeIndex = index;
    const z = Math.min(clip, Math.max(-clip, (trust - mean) / baseline.sigma));
    sum = Math.max(0, sum - z - k);
    return { row: { point, index, at, trust, z, sum }, changeIndex };
  });
  const severity = Math.max(...rows.map(({ row }) => row.sum)) / h;
  const alarm = rows.find(({ row, changeIndex: from }) => row.sum > h && row.index - from + 1 >= minAfter);
  if (alarm === undefined) return { ...quiet, severity, baseline };
  const evidence = rows.slice(alarm.changeIndex - size, alarm.row.index - size + 1).map(({ row }) => row);
  const finding =
    `Trust stays below the mean ${round(mean)} of its first ${size} scores ` +
    `(CUSUM ${round(alarm.row.sum)}, threshold ${h})`;
  return {
    alarms: [
      { kind: 'drift', at: alarm.row.at, finding, evidence: pointsOf(scores.slice(0, alarm.row.index + 1)) },
    ],
    severity,
    changeIndex: alarm.changeIndex,
    changeAt: evidence[0]?.at ?? null,
    alarmIndex: alarm.row.index,
    baseline,
    evidence,
  };
}

type Settings = Required<TrajectoryOptions>;

/** Returns the options with their defaults. Throws for a series or options that cannot be read or are out of range. */
function readInput(series: readonly TrajectoryPoint[], options: TrajectoryOptions): Settings {
  try {
    if (!Array.isArray(series)) throw wrongInput('series must be a list.');
    for (const point of series) {
      if (typeof point !== 'object' || point === null) throw wrongInput('series must be a list of objects.');
      const { at, trust = 0, size = 0 } = point;
      requireFinite('at', at);
      requireFinite('trust', trust);
      requireFinite('size', size, 0);
    }
    return readOptions(options);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    // A getter or a proxy of the caller.
    throw wrongInput('The series or the options cannot be read.', error);
  }
}

const wrongInput = (message: string, cause?: unknown) =>
  new BonafideError('INVALID_INPUT', message, { cause });

function readOptions(options: TrajectoryOptions): Settings {
  if (typeof options !== 'object' || options === null) throw wrongInput('options must be an object.');
  const { k = 0.5, h = 4, clip = 3, sigmaFloor = 2, baseline = 5, minAfter = 2, ...more } = options;
  const { sizeJump = 8, sharpFall = 6, ...others } = more;
  const [unknown] = Reflect.ownKeys(others);
  if (unknown !== undefined) throw wrongInput(`options has no option ${String(unknown)}.`);
  const settings = { k, h, clip, sigmaFloor, baseline, minAfter, sizeJump, sharpFall };
  requireFinite('k', settings.k, 0);
  for (const name of ['h', 'clip', 'sigmaFloor', 'sizeJump', 'sharpFall'] as const) {
    requireFinite(name, settings[name], Number.MIN_VALUE);
  }
  requireFinite('baseline', settings.baseline, 5);
  requireFinite('minAfter', settings.minAfter, 0);
  for (const name of ['baseline', 'minAfter'] as const) {
    if (Number.isInteger(settings[name])) continue;
    throw new BonafideError('OUT_OF_RANGE', `${name} must be an integer, not ${settings[name]}.`);
  }
  return settings;
}

function requireFinite(name: string, value: number, min = -Number.MAX_VALUE): void {
  if (Number.isFinite(value) && value >= min) return;
  const range = min === -Number.MAX_VALUE ? 'finite' : `a number of at least ${min}`;
  const given = typeof value === 'number' ? `, not ${value}` : '';
  throw new BonafideError('OUT_OF_RANGE', `${name} must be ${range}${given}.`);
}

const pointsOf = <Point>(scores: readonly Score<Point>[]): readonly Point[] =>
  scores.map(({ point }) => point);

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

const round = (value: number): number => Math.round(value * 10) / 10;
