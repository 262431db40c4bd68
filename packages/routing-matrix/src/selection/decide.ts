import { availableFor } from '../budget/book.ts';
import type { PlatformRef } from '../platform.ts';
import type {
  DecisionCandidate,
  DecisionPick,
  DecisionRecord,
  ExclusionReason,
  TaskFeatures,
} from '../records.ts';
import { type CandidateFigures, createScorer, type Scorer, scaleOf } from '../scoring/criteria.ts';
import { tierOf } from '../scoring/tiers.ts';
import { baselineOf } from '../state/baseline.ts';
import { pinnedFor } from '../state/directives.ts';
import { inFlight, productionOutcomes, thresholdOf, trialCapMsat } from '../state/figures.ts';
import { sessionPlatformOf } from '../state/sessions.ts';
import type { MatrixState } from '../state/state.ts';
import { type CandidateSimilarity, choose } from './choose.ts';
import { type EligibilityQuery, eligibilityOf } from './eligibility.ts';
import { expectedCost } from './expected-cost.ts';
import { type Member, membersOf } from './members.ts';
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
  readonly session: string | null;
  readonly task: TaskFeatures;
  /** Number of platforms, each of a different operator. */
  readonly n: number;
  /** Ids of excluded platforms. */
  readonly exclude: ReadonlySet<string>;
  /** Similarity of the answers of two platforms, 0..1; `null` when it is unknown. */
  readonly similarity: ((a: PlatformRef, b: PlatformRef) => number) | null;
  /** Platforms that were asked for this job before. @default none */
  readonly besides?: readonly PlatformRef[];
  readonly strategy: StrategyRunner;
  readonly now: number;
  readonly random: () => number;
}

/** A member that may get the job. */
interface Eligible {
  readonly member: Member;
  readonly explorationOnly: boolean;
  readonly allocation: number;
}

/** Candidates, each with its member and its figures at the same index. */
interface Scored {
  /** The views that the strategy gets. */
  readonly candidates: readonly StrategyCandidate[];
  readonly members: readonly Member[];
  readonly figures: readonly CandidateFigures[];
  readonly scorer: Scorer;
}

type Excluded = { platformId: string; reason: ExclusionReason }[];

/** Members by their eligibility. */
interface Considered {
  readonly eligible: readonly Eligible[];
  readonly excluded: Excluded;
  readonly suspended: readonly { readonly member: Member; readonly returnsAt: number }[];
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
  const threshold = thresholdOf(state, taskType);
  const capMsat = trialCapMsat(state, taskType, strategy.judgesCandidates);
  const rules: EligibilityQuery = {
    now,
    valueMsat: task.valueMsat,
    threshold,
    trialCapMsat: capMsat,
    exclude: query.exclude,
    pinned,
    judgesCandidates: strategy.judgesCandidates,
  };
  const session =
    query.session === null ? null : sessionPlatformOf(state, { taskType, session: query.session, now });
  let shortlist = shortlistFor(state, taskType, [pinned, session?.platformId ?? null]);
  let considered = consider(state, membersOf(state, taskType, shortlist), rules);
  if (shortlist !== null && considered.eligible.length < query.n) {
    shortlist = null;
    considered = consider(state, membersOf(state, taskType, null), rules);
  }
  const { excluded, suspended } = considered;
  const lastResort = considered.eligible.length === 0 && !worksElsewhere(state, taskType, rules);
  const eligible = lastResort ? firstToReturn(state, suspended, rules) : considered.eligible;

  const scored = score(state, eligible, task, now, excluded);
  const { candidates, members } = scored;
  const { choices, probabilities, overShare } = choose({
    task: Object.freeze({
      ...task,
      experience: state.tasks.get(taskType)?.decisions ?? 0,
      threshold,
      exposureCapMsat: capMsat,
    }),
    candidates,
    n: query.n,
    strategy,
    share: {
      maxShare: state.config.maxShare,
      fromDecision: state.config.shareFromDecision,
      recent: recentJobs(state, taskType, now),
    },
    now,
    pinned,
    session,
    similarity: similarityOf(query, candidates, members),
    random: query.random,
  });
  // First, so that a long list is not cut off before them: they were candidates.
  if (overShare.length > 0)
    excluded.unshift(...overShare.map(({ platformId }) => ({ platformId, reason: 'over-share' as const })));

  const picks = choices.map(({ index, probability, reason }): DecisionPick => {
    const { entry, platform } = members[index] as Member;
    const { platformId, tier, trust } = candidates[index] as StrategyCandidate;
    return {
      platform: entry.platform,
      platformId,
      name: platform.registration?.name ?? null,
      tier,
      trust,
      probability,
      reason: lastResort ? `${lastResortReason}; ${reason}` : reason,
    };
  });
  // Chosen ones first.
  const ranks = probabilities.slice();
  for (const { index } of choices) ranks[index] = 1 + (ranks[index] ?? 0);

  const limit = Math.max(state.config.loggedCandidates, picks.length);
  return {
    kind: 'decision',
    id: query.id,
    at: now,
    jobId: query.jobId,
    session: query.session,
    taskType,
    valueMsat: task.valueMsat,
    size: task.size,
    deadlineMs: task.deadlineMs,
    difficulty: task.difficulty,
    strategy: strategy.name,
    strategyVersion: strategy.version,
    degraded: lastResort ? picks.length > 0 : choices.some(({ degraded }) => degraded),
    wanted: query.n,
    picks,
    candidates: highest(members, ranks, limit).map((index) =>
      logged(scored, index, probabilities[index] ?? 0),
    ),
    candidateCount: candidates.length,
    scale: scored.scorer.scale,
    shortlisted: shortlist?.length ?? null,
    excluded: excluded.slice(0, limit),
    excludedCount: excluded.length,
  };
}

/**
 * Returns the shortlist of a task type with the platforms that must not be missing. It is kept in the state, from which it
 * follows.
 */
function shortlistFor(
  state: MatrixState,
  taskType: string,
  needed: readonly (string | null)[],
): readonly string[] | null {
  const task = state.tasks.get(taskType);
  const known = task?.shortlist ?? shortlistOf(state, taskType);
  if (task !== undefined) task.shortlist = known;
  if (known === null) return null;
  const missing = needed.filter((id): id is string => id !== null && !known.includes(id));
  return missing.length === 0 ? known : [...known, ...new Set(missing)];
}

/** Returns the similarity of candidates from that of their platforms. */
function similarityOf(
  { similarity, besides = [] }: DecisionQuery,
  candidates: readonly StrategyCandidate[],
  members: readonly Member[],
): CandidateSimilarity | null {
  if (similarity === null) return null;
  const platforms = new Map(
    candidates.map(({ platformId }, index) => [platformId, (members[index] as Member).entry.platform]),
  );
  const of = ({ platformId }: StrategyCandidate) => platforms.get(platformId) as PlatformRef;
  return {
    between: (a, b) => similarity(of(a), of(b)),
    toEarlier: (candidate) =>
      besides.reduce((most, earlier) => Math.max(most, similarity(of(candidate), earlier)), 0),
    hasEarlier: besides.length > 0,
  };
}

function consider(state: MatrixState, members: readonly Member[], rules: EligibilityQuery): Considered {
  const eligible: Eligible[] = [];
  const excluded: Excluded = [];
  const suspended: { member: Member; returnsAt: number }[] = [];
  for (const member of members) {
    const verdict = eligibilityOf(state, member, rules);
    if (verdict.eligible) {
      const { explorationOnly, allocation } = verdict;
      eligible.push({ member, explorationOnly, allocation });
      continue;
    }
    excluded.push({ platformId: member.entry.platformId, reason: verdict.reason });
    if (verdict.returnsAt !== undefined) suspended.push({ member, returnsAt: verdict.returnsAt });
  }
  return { eligible, excluded, suspended };
}

/** Reasons for which a platform that works cannot have this job. */
const passing: ReadonlySet<ExclusionReason> = new Set(['at-capacity', 'over-exposure']);

/**
 * Tells whether a platform works that cannot have this job now: because the caller excludes it, or it has enough to do. As long as
 * one does, no suspended platform is needed.
 */
function worksElsewhere(state: MatrixState, taskType: string, rules: EligibilityQuery): boolean {
  const anyone = { ...rules, exclude: nobody };
  return membersOf(state, taskType, null).some((member) => {
    const verdict = eligibilityOf(state, member, anyone);
    return verdict.eligible || passing.has(verdict.reason);
  });
}

const nobody: ReadonlySet<string> = new Set();

/** Returns the platforms that return first, when every platform is suspended. */
function firstToReturn(
  state: MatrixState,
  suspended: Considered['suspended'],
  rules: EligibilityQuery,
): Eligible[] {
  let first = Number.POSITIVE_INFINITY;
  let eligible: Eligible[] = [];
  for (const { member, returnsAt } of suspended) {
    if (returnsAt > first || returnsAt === Number.POSITIVE_INFINITY) continue;
    const verdict = eligibilityOf(state, member, { ...rules, ignoreSuspensions: true });
    if (!verdict.eligible) continue;
    if (returnsAt < first) eligible = [];
    first = returnsAt;
    eligible.push({ member, explorationOnly: verdict.explorationOnly, allocation: 1 });
  }
  return eligible;
}

/** Scores the eligible members relative to each other. Members with an expected price above the budgets are excluded. */
function score(
  state: MatrixState,
  eligible: readonly Eligible[],
  task: TaskFeatures,
  now: number,
  excluded: Excluded,
): Scored {
  const usual = baselineOf(state, task.taskType).latencyMs;
  const size = task.size ?? 1;
  const all: CandidateFigures[] = [];
  for (const { member } of eligible) {
    const { entry, platform } = member;
    const unitPrice = expectedCost(entry, platform);
    all.push({
      trust: entry.trust ?? 0,
      costMsat: unitPrice === null ? null : unitPrice * size,
      latencyMs: entry.latency.quantile(0.5) ?? usual,
      inFlight: inFlight(state, platform, now),
      observations: entry.benchmarks + productionOutcomes(entry),
    });
  }
  const scorer = createScorer(scaleOf(all, state.config.weights));
  const affordableMsat = availableFor(state.budgets, task.taskType, now);
  const candidates: StrategyCandidate[] = [];
  const members: Member[] = [];
  const figures: CandidateFigures[] = [];
  for (let index = 0; index < eligible.length; index += 1) {
    const { member, explorationOnly, allocation } = eligible[index] as Eligible;
    const { entry, platform } = member;
    const own = all[index] as CandidateFigures;
    if ((own.costMsat ?? 0) > affordableMsat) {
      excluded.push({ platformId: entry.platformId, reason: 'over-budget' });
      continue;
    }
    // A platform below every tier, pinned or judged by the strategy, is ranked with the lowest.
    const tier = tierOf(entry.trust, productionOutcomes(entry));
    const candidate: StrategyCandidate = {
      platformId: entry.platformId,
      operator: entry.platform.pubkey,
      tier: tier === 'none' ? 'tertiary' : tier,
      trust: own.trust,
      score: scorer.score(own),
      priceMsat: own.costMsat,
      latencyMs: own.latencyMs,
      inFlight: own.inFlight,
      observations: own.observations,
      ageMs: Math.max(0, now - platform.firstSeenAt),
      explorationOnly,
      allocation,
    };
    candidates.push(Object.freeze(candidate));
    members.push(member);
    figures.push(own);
  }
  return { candidates, members, figures, scorer };
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
    of(operator) {
      let count = recentCounts.get(operator) ?? 0;
      for (let at = 0; at < left && count > 0; at += 1) if (recent[at]?.operator === operator) count -= 1;
      return count;
    },
  };
}

/** Returns the indexes of the highest ranks ≥ 0, highest first; equal ones in the order of their ids. */
function highest(members: readonly Member[], ranks: readonly number[], limit: number): number[] {
  const inOrder: (number | undefined)[] = [];
  for (let index = 0; index < members.length; index += 1) inOrder[(members[index] as Member).place] = index;
  // Most have no probability at all: only the others have to be sorted.
  const ranked: number[] = [];
  const rest: number[] = [];
  for (const index of inOrder) {
    if (index !== undefined) (ranks[index] === 0 ? rest : ranked).push(index);
  }
  if (ranked.length > 1) ranked.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0));
  for (let next = 0; next < rest.length && ranked.length < limit; next += 1)
    ranked.push(rest[next] as number);
  return ranked.length > limit ? ranked.slice(0, limit) : ranked;
}

/** Returns a candidate as it is logged. */
function logged(
  { candidates, members, figures, scorer }: Scored,
  index: number,
  probability: number,
): DecisionCandidate {
  const candidate = candidates[index] as StrategyCandidate;
  return {
    platformId: candidate.platformId,
    tier: candidate.tier,
    trust: candidate.trust,
    score: candidate.score,
    priceMsat: candidate.priceMsat,
    latencyMs: candidate.latencyMs,
    inFlight: candidate.inFlight,
    ageMs: candidate.ageMs,
    probability: Math.min(1, probability),
    criteria: scorer.explain(figures[index] as CandidateFigures, (members[index] as Member).known),
  };
}
