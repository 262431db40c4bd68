import {
  type Check,
  count,
  finite,
  flag,
  listOf,
  nullable,
  optional,
  optionsOf,
  record,
  share,
  text,
  time,
  within,
} from './input.ts';
import type { TrustEvidence } from './schemas.ts';

const hourMs = 3_600_000;

/** One judged piece of work, as an agent records it. */
export interface JudgedTask {
  /** `SUCCESS` and `PARTIAL` count as successes, `INFRA` as neither, any other outcome as a failure. */
  readonly outcome: string;
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
    outcome: text,
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
 * @throws `INVALID_INPUT`, `OUT_OF_RANGE` for a count or a time.
 */
export function evidenceFromWork(work: readonly JudgedTask[], options: WorkEvidenceOptions): TrustEvidence {
  judgedTasks('work', work);
  workOptions('options', options);
  const { since, now, uptime } = options;
  const sum = (numberOf: (task: JudgedTask) => number | null) =>
    work.reduce((total, task) => total + (numberOf(task) ?? 0), 0);
  const isGood = ({ outcome }: JudgedTask) => outcome === 'SUCCESS' || outcome === 'PARTIAL';
  const jobs = work.filter(({ outcome, isTrial = false }) => !isTrial && outcome !== 'INFRA');
  const successful = jobs.filter(isGood).length;
  const lastAt = work.reduce((last, { at }) => Math.max(last, at), since);
  return {
    testCoverage: { passing: sum(({ passed }) => passed), total: sum(({ tests }) => tests) },
    uptime: uptime ?? { periodHours: Math.max(1, now - since) / hourMs, downtimeHours: 0 },
    successRate: { successful, failed: jobs.length - successful },
    endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
    attestationFreshness: { hours: (now - lastAt) / hourMs },
  };
}
