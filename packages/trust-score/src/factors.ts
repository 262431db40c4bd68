import { requireCount, requireRange } from './errors.ts';
import {
  type Check,
  count,
  listOf,
  notNegative,
  oneOf,
  optional,
  optionsOf,
  record,
  share,
  text,
  within,
} from './input.ts';

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * Returns the share of an agent's tests that pass, 0…1. The source calls it test coverage; it is a pass rate
 * and does not say how much code the tests reach. Without tests it is 0.
 *
 * @throws `OUT_OF_RANGE` when a count is negative, not whole, or more tests pass than there are.
 */
export function testCoverageScore(passing: number, total: number): number {
  requireCount('total', total);
  requireCount('passing', passing, total);
  return total === 0 ? 0 : passing / total;
}

/**
 * Returns the share of a period in which an agent was available, 0…1. Downtime is limited to the period.
 *
 * @param periodHours More than 0; 720 is thirty days.
 * @throws `OUT_OF_RANGE` when the period is not positive or a number is not finite.
 */
export function uptimeScore(periodHours: number, downtimeHours: number): number {
  requireRange('periodHours', periodHours, Number.MIN_VALUE);
  requireRange('downtimeHours', downtimeHours, -Number.MAX_VALUE);
  return clamp01((periodHours - downtimeHours) / periodHours);
}

/** Options of {@link successRateScore}. */
export interface SuccessRateOptions {
  /**
   * Tasks that the agent turned down. Taking only the easy ones would raise the rate: each counts as
   * `rejectedWeight` of a failure.
   * @default 0
   */
  readonly rejected?: number;
  /**
   * Weight of a rejected task relative to a failure, 0…1.
   * @default 0.25
   */
  readonly rejectedWeight?: number;
}

const successOptions: Check = optionsOf({
  rejected: optional(count),
  rejectedWeight: optional(share),
});

/**
 * Returns the share of delegations that succeeded, 0…1. Failures are the agent's errors (timeout, internal
 * error, partial result), not its clients' (invalid input, failed authentication).
 *
 * Without delegations it is 0, and {@link scoreFactors} sets `insufficientData`.
 *
 * @throws `OUT_OF_RANGE` when a count is negative or not whole.
 */
export function successRateScore(
  successful: number,
  failed: number,
  options: SuccessRateOptions = {},
): number {
  successOptions('options', options);
  const { rejected = 0, rejectedWeight = 0.25 } = options;
  requireCount('successful', successful);
  requireCount('failed', failed);
  const counted = successful + failed + rejected * rejectedWeight;
  return counted === 0 ? 0 : successful / counted;
}

/** One delegated task and how it ended. */
export interface DelegatedTask {
  /**
   * `client_error` (invalid input, failed authentication) is the client's doing and does not count; `agent_error` is a
   * timeout, an internal error or a partial result; `rejected` was turned down.
   */
  readonly outcome: 'success' | 'agent_error' | 'client_error' | 'rejected';
  /**
   * Difficulty, 1e-6…1e6: a task of difficulty 2 counts twice.
   * @default 1
   */
  readonly difficulty?: number;
  /**
   * Capability that the task asked for. Rates are computed per capability, so that many easy tasks do not
   * hide a hard one.
   */
  readonly capability?: string;
  /** Value of the task in millisatoshi, 0 or more. Tasks without a value count as the median of the others. */
  readonly valueMsat?: number;
}

/** The result of {@link taskSuccessRate}. */
export interface TaskSuccessRate {
  /** 0…1. */
  readonly value: number;
  /** True when no task counted. */
  readonly insufficientData: boolean;
  /** Per capability, '' for tasks without one: the shrunk rate, the plain weighted rate, and the number of counted tasks. */
  readonly byCapability: Readonly<
    Record<string, { readonly value: number; readonly observed: number; readonly tasks: number }>
  >;
}

/** Options of {@link taskSuccessRate}. */
export interface TaskSuccessRateOptions {
  /** Weight of a rejected task relative to a failure, 0…1. @default 0.25 */
  readonly rejectedWeight?: number;
  /** Number of average tasks by which a capability's rate is drawn to the rate of all tasks, 0 or more. @default 5 */
  readonly priorTasks?: number;
}

/** Limits of a task's weight, in medians: a success cannot buy more, a failure is not excused by cheap successes. */
const maxSuccessWeight = 10;
const maxFailureWeight = 100;
/** Limit of difficulties and of ratios to a median, so that no product leaves the range of numbers. */
const ratioLimit = 1e6;
const taskOptions: Check = optionsOf({
  rejectedWeight: optional(share),
  priorTasks: optional(within(0, ratioLimit)),
});
const delegatedTasks: Check = listOf(
  record({
    outcome: oneOf('success', 'agent_error', 'client_error', 'rejected'),
    difficulty: optional(within(1 / ratioLimit, ratioLimit)),
    capability: optional(text),
    valueMsat: optional(notNegative),
  }),
);

/** Returns a positive number relative to a median, within limits. */
const relativeTo = (median: number, value: number): number =>
  value === 0 ? 0 : Math.min(ratioLimit, Math.max(1 / ratioLimit, value / median));

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * Computes the success rate of tasks, Σ w·success / Σ w with w = difficulty × value. Both are relative to their median; a
 * success counts for at most 10 median tasks, a failure for at most 100. The rate of each capability is drawn to the rate of all
 * tasks by `priorTasks`, and capabilities are averaged by how much they rest on, so that single easy tasks of many kinds
 * do not outweigh a bad record.
 *
 * @throws `OUT_OF_RANGE` when a difficulty, a value or an option is out of range; `INVALID_INPUT` for an unknown outcome.
 */
export function taskSuccessRate(
  tasks: readonly DelegatedTask[],
  options: TaskSuccessRateOptions = {},
): TaskSuccessRate {
  taskOptions('options', options);
  delegatedTasks('tasks', tasks);
  const { rejectedWeight = 0.25, priorTasks = 5 } = options;
  const counted = tasks.filter(({ outcome }) => outcome !== 'client_error');
  const values = counted.flatMap(({ valueMsat = 0 }) => (valueMsat > 0 ? [valueMsat] : []));
  const median = values.length === 0 ? 1 : medianOf(values);
  const usualDifficulty =
    counted.length === 0 ? 1 : medianOf(counted.map(({ difficulty = 1 }) => difficulty));

  const groups = new Map<string, { won: number; all: number; tasks: number }>();
  const total = { won: 0, all: 0 };
  for (const { outcome, difficulty = 1, capability = '', valueMsat = median } of counted) {
    const limit = outcome === 'success' ? maxSuccessWeight : maxFailureWeight;
    const size = difficulty * relativeTo(median, valueMsat);
    const weight = Math.min(limit * usualDifficulty, size) * (outcome === 'rejected' ? rejectedWeight : 1);
    const group = groups.get(capability) ?? { won: 0, all: 0, tasks: 0 };
    for (const sums of [group, total]) {
      sums.all += weight;
      sums.won += outcome === 'success' ? weight : 0;
    }
    group.tasks += 1;
    groups.set(capability, group);
  }
  const pooled = total.all === 0 ? 0 : total.won / total.all;
  const prior = counted.length === 0 ? 0 : (priorTasks * total.all) / counted.length;
  const rates = [...groups].map(([name, group]) => ({
    name,
    value: group.all + prior === 0 ? 0 : (group.won + prior * pooled) / (group.all + prior),
    observed: group.all === 0 ? 0 : group.won / group.all,
    tasks: group.tasks,
    reliability: group.tasks / (group.tasks + priorTasks),
  }));
  const reliability = rates.reduce((sum, rate) => sum + rate.reliability, 0);
  return {
    value:
      reliability === 0
        ? 0
        : rates.reduce((sum, rate) => sum + rate.reliability * rate.value, 0) / reliability,
    insufficientData: rates.length === 0,
    byCapability: Object.fromEntries(
      rates.map(({ name, value, observed, tasks: count }) => [name, { value, observed, tasks: count }]),
    ),
  };
}

/** Options of {@link endorsementScore}. */
export interface EndorsementOptions {
  /**
   * Curve from a number of endorsements to a base score. `log`: min(0.9, log10(n + 1) / log10(50)). `table`:
   * 1 → 0.3, 5 → 0.6, 10 → 0.75, 50 → 0.9, linear in log10(n + 1) between; more generous to few endorsements.
   * @default 'log'
   */
  readonly endorsementCurve?: 'log' | 'table';
  /**
   * Meaning of n: all endorsements, or distinct endorsers. With `total`, a hundred endorsements of one
   * endorser whose trust is 0.9 still score 0.569; with `unique` they score 0.112.
   * @default 'total'
   */
  readonly endorsementBase?: 'total' | 'unique';
}

const maxEndorsementBase = 0.9;
const endorsementTable = [
  [0, 0],
  [1, 0.3],
  [5, 0.6],
  [10, 0.75],
  [50, maxEndorsementBase],
] as const;

function tableBase(count: number): number {
  const x = Math.log10(count + 1);
  for (const [index, [knot, value]] of endorsementTable.entries()) {
    if (count > knot) continue;
    const [before, valueBefore] = endorsementTable[index - 1] ?? [knot, value];
    const from = Math.log10(before + 1);
    const width = Math.log10(knot + 1) - from;
    return width === 0 ? value : valueBefore + ((value - valueBefore) * (x - from)) / width;
  }
  return maxEndorsementBase;
}

const logBase = (count: number): number =>
  Math.min(maxEndorsementBase, Math.log10(count + 1) / Math.log10(50));

const endorsementOptions: Check = optionsOf({
  endorsementCurve: optional(oneOf('log', 'table')),
  endorsementBase: optional(oneOf('total', 'unique')),
});

/**
 * Scores endorsements, 0…0.9: base(n) × average trust of the endorsers × (0.7 + 0.3 × unique / total). The
 * base grows with the logarithm and reaches its maximum of 0.9 at 33 endorsements.
 *
 * @param endorserTrustAvg 0…1, from the scores of the previous period, since endorsers' scores depend on
 *   endorsements too.
 * @throws `OUT_OF_RANGE` when there are more endorsers than endorsements, or a number is out of its range.
 */
export function endorsementScore(
  total: number,
  unique: number,
  endorserTrustAvg: number,
  options: EndorsementOptions = {},
): number {
  endorsementOptions('options', options);
  requireCount('total', total);
  requireCount('unique', unique, total);
  requireRange('endorserTrustAvg', endorserTrustAvg, 0, 1);
  if (total === 0) return 0;
  const count = options.endorsementBase === 'unique' ? unique : total;
  const base = options.endorsementCurve === 'table' ? tableBase(count) : logBase(count);
  return base * endorserTrustAvg * (0.7 + 0.3 * (unique / total));
}

/**
 * Scores the freshness of an attestation: 1 for a new one, linear to 0 at the end of its validity. A date in
 * the future counts as new, since clocks differ.
 *
 * @param hours Age; `Infinity` when there is no attestation.
 * @throws `OUT_OF_RANGE` when the validity is not positive or a value is NaN.
 */
export function attestationFreshnessScore(hours: number, validityHours = 24): number {
  requireRange('validityHours', validityHours, Number.MIN_VALUE);
  if (hours !== Number.POSITIVE_INFINITY) requireRange('hours', hours, -Number.MAX_VALUE);
  return clamp01(1 - hours / validityHours);
}
