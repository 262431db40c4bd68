import { TrustScoreError } from '../errors.ts';
import { count, finite, flag, listOf, notNegative, optional, optionsOf, within } from '../input.ts';

/** Options of {@link cusum}. */
export interface CusumOptions {
  /** Mean of the values before any change. @default of the first `baseline` values */
  readonly mean?: number;
  /** Standard deviation before any change, more than 0. @default of the first `baseline` values */
  readonly sigma?: number;
  /**
   * Number of values that mean and σ are estimated from; they are not tested.
   * @default 5
   */
  readonly baseline?: number;
  /** The least σ that is believed, since few values may be alike by chance. @default 0 */
  readonly sigmaFloor?: number;
  /** Slack in σ: half of the shift that is to be found. @default 0.5 */
  readonly k?: number;
  /** Threshold in σ. See `averageRunLength` for how often it gives a false alarm. @default 4 */
  readonly h?: number;
  /**
   * Limit of a standardized value in σ, so that a single outlier never raises an alarm.
   * @default none
   */
  readonly clip?: number;
  /** Begin again at 0 after an alarm. @default false */
  readonly restart?: boolean;
}

const positive = within(Number.MIN_VALUE);
/** A list of finite numbers. */
export const numbers = listOf(finite);
const cusumOptions = optionsOf({
  mean: optional(finite),
  sigma: optional(notNegative),
  baseline: optional(count),
  sigmaFloor: optional(notNegative),
  k: optional(notNegative),
  h: optional(positive),
  // `Infinity` is none.
  clip: optional(within(0, Number.POSITIVE_INFINITY)),
  restart: optional(flag),
});

/** The sum went over the threshold: the mean has moved. */
export interface CusumAlarm {
  /** Of the value that raised it. */
  readonly index: number;
  readonly side: 'up' | 'down';
  /** Estimated start of the change: the first index after the sum was last 0. */
  readonly changeIndex: number;
  /** The sum over the threshold, more than 1. */
  readonly severity: number;
}

/** Both sums after every value, and where they went over. */
export interface CusumResult {
  readonly mean: number;
  readonly sigma: number;
  /** Of the first value that was tested. */
  readonly from: number;
  /** Σ of what is above mean + kσ, one per value, in σ. */
  readonly upper: readonly number[];
  /** Σ of what is below mean − kσ, one per value, in σ. */
  readonly lower: readonly number[];
  /** The first alarm of each crossing. */
  readonly alarms: readonly CusumAlarm[];
}

/** Mean and standard deviation (n − 1) of some values. */
export function meanAndSigma(values: readonly number[]): { readonly mean: number; readonly sigma: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sigma: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)) };
}

/** One running sum with its own alarms. */
function createSide(side: 'up' | 'down', h: number, restart: boolean) {
  let sum = 0;
  let changeIndex = 0;
  let over = false;
  return (index: number, step: number): { readonly sum: number; readonly alarm: CusumAlarm | null } => {
    if (sum === 0) changeIndex = index;
    sum = Math.max(0, sum + step);
    const isOver = sum > h;
    const alarm = isOver && !over ? { index, side, changeIndex, severity: sum / h } : null;
    over = isOver && !restart;
    const reached = sum;
    if (isOver && restart) sum = 0;
    return { sum: reached, alarm };
  };
}

/**
 * Computes the cumulative sums above and below a mean: the quickest test for a small lasting shift. With k =
 * 0.5 and h = 4 in both directions there is a false alarm every 168 values, and a shift of one σ is found
 * after 8.4, of two σ after 3.3; `averageRunLength` gives these for any k and h. With mean and σ estimated
 * from few values there are many more false alarms: in 20 values after a baseline of 5, in every second
 * series.
 *
 * @see Page: Continuous Inspection Schemes. Biometrika 41, 1954. NIST/SEMATECH e-Handbook, 6.3.2.3.
 * @throws `OUT_OF_RANGE` when a value is not finite or an option out of range; `INVALID_INPUT` when there are
 *   fewer values than the baseline needs, or they are all equal and no `sigmaFloor` is given.
 */
export function cusum(values: readonly number[], options: CusumOptions = {}): CusumResult {
  cusumOptions('options', options);
  const { baseline = 5, sigmaFloor = 0, k = 0.5, h = 4, restart = false } = options;
  const { clip = Number.POSITIVE_INFINITY } = options;
  numbers('values', values);
  const given = options.mean !== undefined && options.sigma !== undefined;
  if (!given && (baseline < 2 || values.length < baseline)) {
    throw new TrustScoreError(
      'INVALID_INPUT',
      `Give mean and sigma, or at least ${Math.max(2, baseline)} values`,
    );
  }
  const estimated = given ? { mean: 0, sigma: 0 } : meanAndSigma(values.slice(0, baseline));
  const mean = options.mean ?? estimated.mean;
  const sigma = Math.max(options.sigma ?? estimated.sigma, sigmaFloor);
  if (!(sigma > 0))
    throw new TrustScoreError('INVALID_INPUT', 'The baseline does not vary: give a sigma or a sigmaFloor');
  const from = given ? 0 : baseline;
  const up = createSide('up', h, restart);
  const down = createSide('down', h, restart);
  const upper: number[] = [];
  const lower: number[] = [];
  const alarms: CusumAlarm[] = [];
  for (const [index, value] of values.entries()) {
    if (index < from) {
      upper.push(0);
      lower.push(0);
      continue;
    }
    const z = Math.min(clip, Math.max(-clip, (value - mean) / sigma));
    const [above, below] = [up(index, z - k), down(index, -z - k)];
    upper.push(above.sum);
    lower.push(below.sum);
    for (const { alarm } of [above, below]) if (alarm !== null) alarms.push(alarm);
  }
  return { mean, sigma, from, upper, lower, alarms };
}

/** Options of {@link bernoulliCusum}. */
export interface BernoulliCusumOptions {
  /** Share of failures that is expected, between 0 and 1. @default 0.05 */
  readonly p0?: number;
  /** Share of failures that is to be found, between 0 and 1, not p0. @default 0.25 */
  readonly p1?: number;
  /** Threshold, in units of the log likelihood ratio. @default 3.5 */
  readonly h?: number;
}

const possible = within(Number.EPSILON, 1 - Number.EPSILON);
const bernoulliOptions = optionsOf({ p0: optional(possible), p1: optional(possible), h: optional(positive) });
const flags = listOf(flag);

/** The sum after every outcome, and where it first went over. */
export interface BernoulliCusumResult {
  readonly sums: readonly number[];
  /** Step of a failure. */
  readonly failureStep: number;
  /** Step of a success. */
  readonly successStep: number;
  /** Null when the sum never went over the threshold. */
  readonly alarm: { readonly index: number; readonly changeIndex: number; readonly severity: number } | null;
}

/**
 * Computes a CUSUM of binary outcomes: sums the log likelihood ratio of p1 against p0, from 0 up.
 *
 * @param failed True for each failed outcome, in order of time.
 * @see Reynolds, Stoumbos: A CUSUM Chart for Monitoring a Proportion. 1999.
 * @throws `OUT_OF_RANGE` when an option is out of range.
 */
export function bernoulliCusum(
  failed: readonly boolean[],
  options: BernoulliCusumOptions = {},
): BernoulliCusumResult {
  bernoulliOptions('options', options);
  flags('failed', failed);
  const { p0 = 0.05, p1 = 0.25, h = 3.5 } = options;
  const failureStep = Math.log(p1 / p0);
  const successStep = Math.log((1 - p1) / (1 - p0));
  const step = createSide('up', h, false);
  const taken = failed.map((isFailure, index) => step(index, isFailure ? failureStep : successStep));
  const alarm = taken.find((one) => one.alarm !== null)?.alarm ?? null;
  return {
    sums: taken.map(({ sum }) => sum),
    failureStep,
    successStep,
    alarm:
      alarm === null
        ? null
        : { index: alarm.index, changeIndex: alarm.changeIndex, severity: alarm.severity },
  };
}
