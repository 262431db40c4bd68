import { availableFor } from '../budget/book.ts';
import type { PlatformRef } from '../platform.ts';
import type { DecisionCandidate, DecisionRecord, ExclusionReason, TaskFeatures } from '../records.ts';
import { type CandidateFigures, type CandidateScore, createScorer } from '../scoring/criteria.ts';
import { tierOf } from '../scoring/tiers.ts';
import { baselineOf } from '../state/baseline.ts';
import { pinnedFor } from '../state/directives.ts';
import { inFlight, productionOutcomes, thresholdOf, trialCapMsat } from '../state/figures.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import { choose } from './choose.ts';
import { type EligibilityQuery, eligibilityOf } from './eligibility.ts';
import { expectedCost } from './expected-cost.ts';
import type { RecentJobs } from './share-rule.ts';
import { shortlistOf } from './shortlist.ts';
import type { StrategyCandidate } from './strategy.ts';
import type { StrategyRunner } from './strategy-runner.ts';

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
  readonly explain: () => CandidateScore['criteria'];
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
  const all = state.entries.get(taskType);
  const consider = (entries: Iterable<EntryState>) => {
    for (const entry of entries) {
      const verdict = eligibilityOf(state, entry, rules);
      if (verdict.eligible) {
        const { explorationOnly, allocation } = verdict;
        eligible.push({ entry, explorationOnly, allocation });
        continue;
      }
      excluded.push({ platformId: entry.platformId, reason: verdict.reason });
      if (verdict.returnsAt !== undefined) suspended.push({ entry, returnsAt: verdict.returnsAt });
    }
  };
  let shortlist = shortlistFor(state, taskType, pinned);
  if (shortlist !== null) consider(shortlist.flatMap((id) => all?.get(id) ?? []));
  if (shortlist === null || eligible.length < query.n) {
    [eligible, excluded.length, suspended.length, shortlist] = [[], 0, 0, null];
    consider(all?.values() ?? []);
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
      recent: recentJobs(state, taskType, now),
    },
    now,
    pinned,
    random: query.random,
  });
  for (const platformId of chosen.overShare) excluded.push({ platformId, reason: 'over-share' });

  const picks = chosen.choices.flatMap(({ platformId, probability, reason }) => {
    const found = scored.find(({ candidate }) => candidate.platformId === platformId);
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
    shortlisted: shortlist?.length ?? null,
    excluded: excluded.slice(0, limit),
    excludedCount: excluded.length,
  };
}

/** Returns the shortlist of a task type with the pinned platform. It is kept in the state, from which it follows. */
function shortlistFor(state: MatrixState, taskType: string, pinned: string | null): readonly string[] | null {
  const task = state.tasks.get(taskType);
  const known = task?.shortlist ?? shortlistOf(state, taskType);
  if (task !== undefined) task.shortlist = known;
  if (known === null || pinned === null || known.includes(pinned)) return known;
  return [...known, pinned];
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
  const usual = baselineOf(state, task.taskType).latencyMs;
  const figures = eligible.map(({ entry }): CandidateFigures => {
    const unitPrice = expectedCost(state, entry);
    return {
      trust: entry.trust ?? 0,
      costMsat: unitPrice === null ? null : unitPrice * (task.size ?? 1),
      latencyMs: entry.latency.quantile(0.5) ?? usual,
      inFlight: inFlight(state, entry.platformId, now),
      observations: entry.benchmarks + productionOutcomes(entry),
    };
  });
  const scorer = createScorer(figures, state.config.weights);
  return eligible.flatMap(({ entry, explorationOnly, allocation }, index) => {
    const figure = figures[index];
    // A platform below every tier, pinned or judged by the strategy, is ranked with the lowest.
    const tier = tierOf(entry.trust, productionOutcomes(entry));
    if (figure === undefined) return [];
    const candidate: StrategyCandidate = Object.freeze({
      platformId: entry.platformId,
      operator: entry.platform.pubkey,
      tier: tier === 'none' ? 'tertiary' : tier,
      trust: figure.trust,
      score: scorer.score(figure),
      priceMsat: figure.costMsat,
      latencyMs: figure.latencyMs,
      inFlight: figure.inFlight,
      observations: figure.observations,
      ageMs: Math.max(0, now - (state.platforms.get(entry.platformId)?.firstSeenAt ?? now)),
      explorationOnly,
      allocation,
    });
    return [{ candidate, platform: entry.platform, explain: () => scorer.explain(figure) }];
  });
}

/** Returns the jobs of a task type in the window of the share rule. Those that left it since the last decision are few. */
function recentJobs(state: MatrixState, taskType: string, now: number): RecentJobs {
  const task = state.tasks.get(taskType);
  if (task === undefined) return { total: 0, of: () => 0 };
  const { recent, recentCounts } = task;
  const windowStart = now - state.config.shareWindowMs;
  let left = 0;
  while (left < recent.length && (recent[left]?.at ?? 0) <= windowStart) left += 1;
  return {
    total: recent.length - left,
    of(id) {
      let count = recentCounts.get(id) ?? 0;
      for (let at = 0; at < left && count > 0; at += 1) if (recent[at]?.platformId === id) count -= 1;
      return count;
    },
  };
}

const byIds = (picks: readonly { readonly platformId: string }[]) =>
  picks.map(({ platformId }) => platformId);

function likeliest(
  scored: readonly Scored[],
  probabilities: ReadonlyMap<string, number>,
  chosen: ReadonlySet<string>,
  limit: number,
): DecisionCandidate[] {
  const ranked = scored.map((each) => {
    const { platformId } = each.candidate;
    return { each, rank: (chosen.has(platformId) ? 1 : 0) + (probabilities.get(platformId) ?? 0) };
  });
  return ranked
    .sort((a, b) => b.rank - a.rank || (a.each.candidate.platformId < b.each.candidate.platformId ? -1 : 1))
    .slice(0, limit)
    .map(({ each: { candidate, explain } }) => {
      const {
        platformId,
        tier,
        trust,
        score: total,
        priceMsat,
        latencyMs,
        inFlight: load,
        ageMs,
      } = candidate;
      return {
        platformId,
        tier,
        trust,
        score: total,
        priceMsat,
        latencyMs,
        inFlight: load,
        ageMs,
        probability: Math.min(1, probabilities.get(platformId) ?? 0),
        criteria: explain(),
      };
    });
}
