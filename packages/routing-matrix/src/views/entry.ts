import type { Outcome } from '../evidence/outcome.ts';
import { type Annotation, annotate, type PerformanceTier, performanceTier } from '../evidence/performance.ts';
import { allocationOf, lifecycleAt, type Signal } from '../lifecycle/stage.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import { type Tier, tierOf } from '../scoring/tiers.ts';
import { baselineOf } from '../state/baseline.ts';
import {
  type ActiveDirective,
  activeDirectives,
  isDenied,
  isQuarantined,
  pinnedFor,
  suspendedUntil,
} from '../state/directives.ts';
import { inFlight, productionOutcomes, thresholdOf } from '../state/figures.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import { type EntryStatus, statusOf } from '../state/status.ts';

const dayMs = 86_400_000;

/** One platform in one task type at a given time. */
export interface MatrixEntry {
  readonly platform: PlatformRef;
  /** `pubkey:d`. */
  readonly platformId: string;
  /** Name from its registration, written by the platform; `null` without one. */
  readonly name: string | null;
  readonly taskType: string;
  readonly status: EntryStatus;
  /** Reason for the status. */
  readonly statusReason: string;
  /**
   * The matrix's own trust in this platform for this task type (routeTrust), 0..0.9, moved in steps by evidence.
   * `null` before qualification and after rejection, 0 when blacklisted.
   */
  readonly trustScore: number | null;
  /** Mean of Beta(1 + good, 1 + bad) with fading counts, 0..1; another estimate from the same evidence. */
  readonly posteriorMean: number;
  readonly tier: Tier;
  /** Threshold of the task type. */
  readonly threshold: number;
  readonly performanceTier: PerformanceTier | null;
  readonly annotations: readonly Annotation[];
  /** Mean composite of the last decided evaluation, 0..1. */
  readonly score: number | null;
  /** Time of the last judged work, ms since epoch. */
  readonly lastVerifiedAt: number | null;
  /** Success rate of the work judged in the last 30 days (by day), 0..1. */
  readonly successRate30d: number | null;
  /** Latency of its last hundred works. */
  readonly latency: {
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly samples: number;
  };
  readonly cost: { readonly medianMsat: number | null; readonly listedMsat: number | null };
  /** Number of its open jobs over all task types. */
  readonly queueDepth: number;
  /** Number of attempts of the current evaluation. */
  readonly attempts: number;
  readonly benchmarks: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly failedEvaluations: number;
  /** Time before which it is not evaluated again, ms since epoch; `null` without a cooldown. */
  readonly cooldownUntilAt: number | null;
  readonly pinned: boolean;
  readonly denied: boolean;
  readonly suspended: boolean;
  /** True while the registry does not list it, or an operator quarantined it. */
  readonly quarantined: boolean;
  /** Directives that hold, those of the operator first. Only its source lifts one. */
  readonly directives: readonly ActiveDirective[];
  /** Share of its normal work that it gets, 0..1: less than 1 while it is degraded or returns. */
  readonly allocation: number;
  /** End of a suspension for degradation, ms since epoch. */
  readonly suspendedUntilAt: number | null;
  /** Signs of degradation. */
  readonly signals: readonly Signal[];
}

/** Returns one entry at `now`, or `null` for a platform that is not registered for the task type. */
export function entryView(
  state: MatrixState,
  taskType: string,
  platform: PlatformRef,
  now: number,
): MatrixEntry | null {
  const entry = state.entries.get(taskType)?.get(platformId(platform));
  return entry === undefined ? null : view(state, entry, now);
}

/** Returns every entry at `now`, by task type and then by trust, highest first. */
export function entryViews(state: MatrixState, now: number): MatrixEntry[] {
  return [...state.entries.keys()]
    .sort()
    .flatMap((taskType) =>
      [...(state.entries.get(taskType)?.values() ?? [])]
        .sort((a, b) => (b.trust ?? -1) - (a.trust ?? -1) || (a.platformId < b.platformId ? -1 : 1))
        .map((entry) => view(state, entry, now)),
    );
}

function view(state: MatrixState, entry: EntryState, now: number): MatrixEntry {
  const { platform, platformId: id, taskType, trust } = entry;
  const owner = state.platforms.get(id);
  const registration = owner?.registration ?? null;
  const baseline = baselineOf(state, taskType);
  const life = lifecycleAt(entry.lifecycle, now, state.config.lifecycle);
  const { status, reason } = statusOf(state, entry, now);
  const p50Ms = entry.latency.quantile(0.5);
  const p95Ms = entry.latency.quantile(0.95);
  const cooling = entry.status === 'REJECTED' && (entry.cooldownUntilAt ?? 0) > now;
  return {
    platform,
    platformId: id,
    name: registration?.name ?? null,
    taskType,
    status,
    statusReason: reason,
    trustScore: trust,
    posteriorMean: posteriorMean(state, entry, now),
    tier:
      status === 'BLACKLISTED' || status === 'REMOVED' ? 'none' : tierOf(trust, productionOutcomes(entry)),
    threshold: thresholdOf(state, taskType),
    performanceTier: performanceTier(p50Ms, baseline.latencyMs),
    annotations: annotate({
      p50Ms,
      p95Ms,
      baselineP50Ms: baseline.latencyMs,
      baselineP95Ms: baseline.latencyP95Ms,
      memoryShare: entry.memory.quantile(1),
      coverage: entry.coverage.quantile(0.5),
    }),
    score: entry.score,
    lastVerifiedAt: entry.lastVerifiedAt,
    successRate30d: successRate(entry, now),
    latency: { p50Ms, p95Ms, samples: entry.latency.count },
    cost: { medianMsat: entry.cost.quantile(0.5), listedMsat: registration?.priceMsat ?? null },
    queueDepth: inFlight(state, owner, now),
    attempts: entry.attempts.length,
    benchmarks: entry.benchmarks,
    outcomes: { ...entry.outcomes },
    failedEvaluations: entry.failedEvaluations,
    cooldownUntilAt: cooling ? entry.cooldownUntilAt : null,
    pinned: pinnedFor(state, taskType) === id,
    denied: isDenied(owner, taskType),
    suspended: suspendedUntil(owner, taskType) > now || life.stage === 'suspended',
    quarantined: isQuarantined(owner),
    directives: activeDirectives(state, entry, now),
    allocation: status === 'BLACKLISTED' ? 0 : allocationOf(life),
    suspendedUntilAt: life.stage === 'suspended' ? life.untilAt : null,
    signals: [...life.signals],
  };
}

function posteriorMean(state: MatrixState, entry: EntryState, now: number): number {
  const fade = 0.5 ** (Math.max(0, now - entry.evidenceAt) / state.config.evidenceHalfLifeMs);
  return (1 + entry.good * fade) / (2 + (entry.good + entry.bad) * fade);
}

function successRate(entry: EntryState, now: number): number | null {
  const today = Math.floor(now / dayMs);
  let successes = 0;
  let total = 0;
  for (const [day, seen] of entry.days) {
    if (day <= today - 30 || day > today) continue;
    successes += seen.successes;
    total += seen.total;
  }
  return total === 0 ? null : successes / total;
}
