import { type Candidate, choose } from './choose.ts';
import { type CandidateFigures, type CandidateScore, scoreCandidates } from './criteria.ts';
import { eligibilityOf } from './eligibility.ts';
import { expectedCost, inFlight, pinnedFor, productionOutcomes } from './entry.ts';
import type { DecisionCandidate, DecisionRecord, ExclusionReason } from './records.ts';
import type { EntryState, MatrixState } from './state.ts';
import { baselineOf } from './state.ts';
import type { SelectionStrategy } from './strategy.ts';
import { tierOf } from './tiers.ts';

/** A request for a decision. */
export interface DecisionQuery {
  readonly id: string;
  readonly taskType: string;
  readonly jobId: string | null;
  /** Value of the job, msat. */
  readonly valueMsat: number | null;
  /** Number of platforms, each of a different operator. */
  readonly n: number;
  /** Ids of excluded platforms. */
  readonly exclude: ReadonlySet<string>;
  readonly strategy: SelectionStrategy;
  readonly now: number;
  readonly random: () => number;
}

interface Scored extends Candidate {
  readonly entry: EntryState;
  readonly explanation: CandidateScore;
}

/** Decides a query from the state without changing it. Pure except for `random`. */
export function decide(state: MatrixState, query: DecisionQuery): DecisionRecord {
  const { taskType, now } = query;
  const pinned = pinnedFor(state, taskType);
  const excluded: { platformId: string; reason: ExclusionReason }[] = [];
  const eligible: { entry: EntryState; explorationOnly: boolean }[] = [];
  for (const entry of state.entries.get(taskType)?.values() ?? []) {
    const verdict = eligibilityOf(state, entry, { ...query, pinned });
    if (verdict.eligible) eligible.push({ entry, explorationOnly: verdict.explorationOnly });
    else excluded.push({ platformId: entry.platformId, reason: verdict.reason });
  }

  const candidates = score(state, eligible, now);
  const chosen = choose({
    taskType,
    candidates,
    n: query.n,
    strategy: query.strategy,
    share: {
      maxShare: state.config.maxShare,
      fromDecision: state.config.shareFromDecision,
      recent: recentShares(state, taskType, now),
    },
    experience: state.tasks.get(taskType)?.decisions ?? 0,
    pinned,
    random: query.random,
  });
  for (const platformId of chosen.overShare) excluded.push({ platformId, reason: 'over-share' });

  const byId = new Map(candidates.map((candidate) => [candidate.platformId, candidate]));
  const picks = chosen.choices.flatMap(({ platformId, probability, reason }) => {
    const candidate = byId.get(platformId);
    if (candidate === undefined) return [];
    const name = state.platforms.get(platformId)?.registration?.name ?? null;
    const { tier, trust, entry } = candidate;
    return [{ platform: entry.platform, platformId, name, tier, trust, probability, reason }];
  });

  const limit = Math.max(state.config.loggedCandidates, picks.length);
  return {
    kind: 'decision',
    id: query.id,
    at: now,
    taskType,
    jobId: query.jobId,
    valueMsat: query.valueMsat,
    strategy: query.strategy.name,
    wanted: query.n,
    picks,
    candidates: likeliest(candidates, chosen.probabilities, new Set(byIds(picks)), limit),
    candidateCount: candidates.length,
    excluded: excluded.slice(0, limit),
    excludedCount: excluded.length,
  };
}

function score(
  state: MatrixState,
  eligible: readonly { readonly entry: EntryState; readonly explorationOnly: boolean }[],
  now: number,
): Scored[] {
  const figures = eligible.map(({ entry }): CandidateFigures => {
    const usual = baselineOf(state, entry.taskType).latencyMs;
    return {
      trust: entry.trust ?? 0,
      costMsat: expectedCost(state, entry),
      latencyMs: entry.latency.quantile(0.5) ?? usual,
      inFlight: inFlight(state, entry.platformId, now),
      observations: entry.benchmarks + productionOutcomes(entry),
    };
  });
  const explanations = scoreCandidates(figures, state.config.weights);
  return eligible.flatMap(({ entry, explorationOnly }, index) => {
    const explanation = explanations[index];
    const figure = figures[index];
    // A pinned platform below every tier is ranked with the lowest.
    const tier = tierOf(entry.trust, productionOutcomes(entry));
    if (explanation === undefined || figure === undefined) return [];
    return [
      {
        platformId: entry.platformId,
        operator: entry.platform.pubkey,
        tier: tier === 'none' ? 'tertiary' : tier,
        trust: figure.trust,
        score: explanation.score,
        inFlight: figure.inFlight,
        observations: figure.observations,
        explorationOnly,
        entry,
        explanation,
      },
    ];
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
  candidates: readonly Scored[],
  probabilities: ReadonlyMap<string, number>,
  chosen: ReadonlySet<string>,
  limit: number,
): DecisionCandidate[] {
  const rank = ({ platformId }: Scored) =>
    (chosen.has(platformId) ? 1 : 0) + (probabilities.get(platformId) ?? 0);
  return [...candidates]
    .sort((a, b) => rank(b) - rank(a) || (a.platformId < b.platformId ? -1 : 1))
    .slice(0, limit)
    .map(({ platformId, tier, trust, score: total, explanation }) => ({
      platformId,
      tier,
      trust,
      score: total,
      probability: Math.min(1, probabilities.get(platformId) ?? 0),
      criteria: explanation.criteria,
    }));
}
