import {
  type Check,
  count,
  finite,
  flag,
  listOf,
  nullable,
  oneOf,
  optional,
  optionsOf,
  record,
  share,
  time,
  within,
} from './input.ts';
import type { TrustEvidence } from './schemas.ts';

const hourMs = 3_600_000;

/** Effect of each outcome of a judgment on the success rate. */
const effects = {
  SUCCESS: 'success',
  PARTIAL: 'success',
  FAILURE: 'failure',
  ERROR: 'failure',
  SECURITY_VIOLATION: 'failure',
  INFRA: 'none',
} as const;

/**
 * Outcome of a judgment, as `@bonafide/judge-runner`, `@bonafide/routing-matrix` and `@bonafide/delegation` name it. `INFRA`: the
 * customer's own judge or network failed, so that nothing can be said about the work.
 */
export type CheckOutcome = keyof typeof effects;

/** One judged piece of work, as an agent records it. `FinishedWork` of `@bonafide/delegation` satisfies it. */
export interface JudgedTask {
  /**
   * `SUCCESS` and `PARTIAL` count as successes; `FAILURE`, `ERROR` and `SECURITY_VIOLATION` as failures; `INFRA` as neither. Any other
   * word is refused.
   */
  readonly outcome: CheckOutcome;
  /** Number of passed tests; null without tests. */
  readonly passed: number | null;
  /** Number of tests; null without tests. */
  readonly tests: number | null;
  /** Time of the answer, or of the end without one, ms since epoch. */
  readonly at: number;
  /** True for a trial: its tests count, its outcome does not. @default false */
  readonly isTrial?: boolean;
}

/** Options of {@link evidenceFromWork}. */
export interface WorkEvidenceOptions {
  /** Time of the first contact, ms since epoch. */
  readonly since: number;
  /** Current time, ms since epoch. */
  readonly now: number;
  /** Observed uptime, for example of `uptimeReport`. @default the time since the first contact, without downtime */
  readonly uptime?: TrustEvidence['uptime'];
}

const judgedTasks: Check = listOf(
  record({
    outcome: oneOf(...Object.keys(effects)),
    passed: nullable(count),
    tests: nullable(count),
    at: time,
    isTrial: optional(flag),
  }),
);
const workOptions: Check = optionsOf({
  since: time,
  now: time,
  // What `uptimeReport` gives has other members too.
  uptime: optional(
    record({ periodHours: within(Number.MIN_VALUE), downtimeHours: finite, coverage: optional(share) }),
  ),
});

/**
 * Returns the evidence of a trust score that one agent's own work with another gives. It has no endorsements: those come from
 * others. Pure.
 *
 * @throws `INVALID_INPUT`, also for an unknown outcome, which the message names beside the known ones; `OUT_OF_RANGE` for a count or a
 * time.
 */
export function evidenceFromWork(work: readonly JudgedTask[], options: WorkEvidenceOptions): TrustEvidence {
  judgedTasks('work', work);
  workOptions('options', options);
  const { since, now, uptime } = options;
  const sum = (numberOf: (task: JudgedTask) => number | null) =>
    work.reduce((total, task) => total + (numberOf(task) ?? 0), 0);
  const jobs = work.filter(({ isTrial = false }) => !isTrial);
  const countOf = (effect: 'success' | 'failure') =>
    jobs.filter(({ outcome }) => effects[outcome] === effect).length;
  const lastAt = work.reduce((last, { at }) => Math.max(last, at), since);
  return {
    testCoverage: { passing: sum(({ passed }) => passed), total: sum(({ tests }) => tests) },
    uptime: uptime ?? { periodHours: Math.max(1, now - since) / hourMs, downtimeHours: 0 },
    successRate: { successful: countOf('success'), failed: countOf('failure') },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: (now - lastAt) / hourMs },
  };
}
