import { availableFor } from './budget/book.ts';
import { choose } from './choose.ts';
import { type CandidateFigures, type CandidateScore, scoreCandidates } from './criteria.ts';
import { type EligibilityQuery, eligibilityOf } from './eligibility.ts';
import { expectedCost, inFlight, pinnedFor, productionOutcomes, thresholdOf, trialCapMsat } from './entry.ts';
import type { PlatformRef } from './platform.ts';
import type { DecisionCandidate, DecisionRecord, ExclusionReason } from './records.ts';
import { baselineOf, type EntryState, type MatrixState } from './state.ts';
import type { StrategyCandidate, TaskFeatures } from './strategy.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import { tierOf } from './tiers.ts';

/** Reason for the choice of a suspended platform. */
export const lastResortReason = 'every platform is suspended, and it returns first';

/** A request for a decision. */
export interface DecisionQuery {
  readonly id: string;
  readonly jobId: string | null;
  readonly task: TaskFeatures;
  /** Number of platforms, each of a different operator. */
  readonly n: number;
  /** Ids of excluded platforms. */
  readonly exclude: ReadonlySet<string>;
  readonly strategy: StrategyRunner;
  readonly now: number;
  readonly random: () => number;
}

/** An entry that may get the job. */
interface Eligible {
  readonly entry: EntryState;
  readonly explorationOnly: boolean;
  readonly allocation: number;
}

interface Scored {
  /** The view that the strategy gets. */
  readonly candidate: StrategyCandidate;
  readonly platform: PlatformRef;
  readonly explanation: CandidateScore;
}

/**
 * Decides a query from the state without changing it. Pure except for `random`.
 *
 * @throws RoutingError `STRATEGY_FAILED`
 */
export function decide(state: MatrixState, query: DecisionQuery): DecisionRecord {
  const { task, now, strategy } = query;
  const { taskType } = task;
  const pinned = pinnedFor(state, taskType);
  const rules: EligibilityQuery = {
    now,
    valueMsat: task.valueMsat,
    exclude: query.exclude,
    pinned,
    judgesCandidates: strategy.judgesCandidates,
  };
  const excluded: { platformId: string; reason: ExclusionReason }[] = [];
  let eligible: Eligible[] = [];
  const suspended: { entry: EntryState; returnsAt: number }[] = [];
  for (const entry of state.entries.get(taskType)?.values() ?? []) {
    const verdict = eligibilityOf(state, entry, rules);
    if (verdict.eligible) eligible.push({ entry, ...verdict });
    else excluded.push({ platformId: entry.platformId, reason: verdict.reason });
    if (!verdict.eligible && verdict.returnsAt !== undefined) {
      suspended.push({ entry, returnsAt: verdict.returnsAt });
    }
  }
  const lastResort = eligible.length === 0;
  if (lastResort) eligible = firstToReturn(state, suspended, rules);

  const scored = affordable(state, score(state, eligible, task, now), task.taskType, now, excluded);
  const chosen = choose({
    task: {
      ...task,
      experience: state.tasks.get(taskType)?.decisions ?? 0,
      threshold: thresholdOf(state, taskType),
      exposureCapMsat: trialCapMsat(state, taskType, strategy.judgesCandidates),
    },
    candidates: scored.map(({ candidate }) => candidate),
    n: query.n,
    strategy,
    share: {
      maxShare: state.config.maxShare,
      fromDecision: state.config.shareFromDecision,
      recent: recentShares(state, taskType, now),
    },
    now,
    pinned,
    random: query.random,
  });
  for (const platformId of chosen.overShare) excluded.push({ platformId, reason: 'over-share' });

  const byId = new Map(scored.map((each) => [each.candidate.platformId, each]));
  const picks = chosen.choices.flatMap(({ platformId, probability, reason }) => {
    const found = byId.get(platformId);
    if (found === undefined) return [];
    const name = state.platforms.get(platformId)?.registration?.name ?? null;
    const { tier, trust } = found.candidate;
    const why = lastResort ? `${lastResortReason}; ${reason}` : reason;
    return [{ platform: found.platform, platformId, name, tier, trust, probability, reason: why }];
  });

  const limit = Math.max(state.config.loggedCandidates, picks.length);
  return {
    kind: 'decision',
    id: query.id,
    at: now,
    jobId: query.jobId,
    ...task,
    strategy: strategy.name,
    strategyVersion: strategy.version,
    degraded: lastResort ? picks.length > 0 : chosen.choices.some(({ degraded }) => degraded),
    wanted: query.n,
    picks,
    candidates: likeliest(scored, chosen.probabilities, new Set(byIds(picks)), limit),
    candidateCount: scored.length,
    excluded: excluded.slice(0, limit),
    excludedCount: excluded.length,
  };
}

/** Returns the platforms that return first, when every platform is suspended. */
function firstToReturn(
  state: MatrixState,
  suspended: readonly { readonly entry: EntryState; readonly returnsAt: number }[],
  rules: EligibilityQuery,
): Eligible[] {
  let first = Number.POSITIVE_INFINITY;
  let eligible: Eligible[] = [];
  for (const { entry, returnsAt } of suspended) {
    if (returnsAt > first || returnsAt === Number.POSITIVE_INFINITY) continue;
    const verdict = eligibilityOf(state, entry, { ...rules, ignoreSuspensions: true });
    if (!verdict.eligible) continue;
    if (returnsAt < first) eligible = [];
    first = returnsAt;
    eligible.push({ entry, ...verdict, allocation: 1 });
  }
  return eligible;
}

/** Removes candidates whose expected price the budgets do not allow. */
function affordable(
  state: MatrixState,
  scored: readonly Scored[],
  taskType: string,
  now: number,
  excluded: { platformId: string; reason: ExclusionReason }[],
): readonly Scored[] {
  const limit = availableFor(state.budgets, taskType, now);
  if (limit === Number.POSITIVE_INFINITY) return scored;
  return scored.filter(({ candidate: { platformId, priceMsat } }) => {
    const fits = (priceMsat ?? 0) <= limit;
    if (!fits) excluded.push({ platformId, reason: 'over-budget' });
    return fits;
  });
}

function score(state: MatrixState, eligible: readonly Eligible[], task: TaskFeatures, now: number): Scored[] {
  const figures = eligible.map(({ entry }): CandidateFigures => {
    const usual = baselineOf(state, entry.taskType).latencyMs;
    const unitPrice = expectedCost(state, entry);
    return {
      trust: entry.trust ?? 0,
      costMsat: unitPrice === null ? null : unitPrice * (task.size ?? 1),
      latencyMs: entry.latency.quantile(0.5) ?? usual,
      inFlight: inFlight(state, entry.platformId, now),
      observations: entry.benchmarks + productionOutcomes(entry),
    };
  });
  const explanations = scoreCandidates(figures, state.config.weights);
  return eligible.flatMap(({ entry, explorationOnly, allocation }, index) => {
    const explanation = explanations[index];
    const figure = figures[index];
    // A platform below every tier, pinned or judged by the strategy, is ranked with the lowest.
    const tier = tierOf(entry.trust, productionOutcomes(entry));
    if (explanation === undefined || figure === undefined) return [];
    const candidate: StrategyCandidate = Object.freeze({
      platformId: entry.platformId,
      operator: entry.platform.pubkey,
      tier: tier === 'none' ? 'tertiary' : tier,
      trust: figure.trust,
      score: explanation.score,
      priceMsat: figure.costMsat,
      latencyMs: figure.latencyMs,
      inFlight: figure.inFlight,
      observations: figure.observations,
      ageMs: Math.max(0, now - (state.platforms.get(entry.platformId)?.firstSeenAt ?? now)),
      explorationOnly,
      allocation,
    });
    return [{ candidate, platform: entry.platform, explanation }];
  });
}

function recentShares(state: MatrixState, taskType: string, now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { at, platformId } of state.tasks.get(taskType)?.recent ?? []) {
    if (at > now - state.config.shareWindowMs) counts.set(platformId, (counts.get(platformId) ?? 0) + 1);
  }
  return counts;
}

const byIds = (picks: readonly { readonly platformId: string }[]) =>
  picks.map(({ platformId }) => platformId);

function likeliest(
  scored: readonly Scored[],
  probabilities: ReadonlyMap<string, number>,
  chosen: ReadonlySet<string>,
  limit: number,
): DecisionCandidate[] {
  const rank = ({ candidate: { platformId } }: Scored) =>
    (chosen.has(platformId) ? 1 : 0) + (probabilities.get(platformId) ?? 0);
  return [...scored]
    .sort((a, b) => rank(b) - rank(a) || (a.candidate.platformId < b.candidate.platformId ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate, explanation }) => {
      const { platformId, tier, trust, priceMsat, latencyMs, inFlight: load, ageMs } = candidate;
      return {
        platformId,
        tier,
        trust,
        score: explanation.score,
        priceMsat,
        latencyMs,
        inFlight: load,
        ageMs,
        probability: Math.min(1, probabilities.get(platformId) ?? 0),
        criteria: explanation.criteria,
      };
    });
}
