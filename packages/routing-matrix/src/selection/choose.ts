import type { SessionPlatform } from '../state/sessions.ts';
import { applyShareRule, type ShareRule } from './share-rule.ts';
import { drawIndex, type StrategyCandidate, type StrategyShare, type StrategyTask } from './strategy.ts';
import type { StrategyRunner } from './strategy-runner.ts';

const pinnedReason = 'pinned by the operator';
const sessionReason = 'it did the last job of the session';

/** Tells from its reason whether a platform was chosen without a draw. */
export const wasForced = (reason: string): boolean =>
  reason.endsWith(pinnedReason) || reason.endsWith(sessionReason);

/** One chosen platform. */
export interface Choice {
  /** Index of the candidate. */
  readonly index: number;
  /** Probability of drawing this candidate given the earlier picks; 0 < p ≤ 1. */
  readonly probability: number;
  readonly reason: string;
  readonly degraded: boolean;
}

/** How alike the answers of candidates are, 0..1. */
export interface CandidateSimilarity {
  between(a: StrategyCandidate, b: StrategyCandidate): number;
  /** Returns the largest similarity of a candidate to a platform that was asked for the job before. */
  toEarlier(candidate: StrategyCandidate): number;
  /** False when no platform was asked before. */
  readonly hasEarlier: boolean;
}

export interface ChooseInput {
  readonly task: StrategyTask;
  readonly candidates: readonly StrategyCandidate[];
  readonly n: number;
  readonly strategy: StrategyRunner;
  readonly share: ShareRule;
  readonly now: number;
  /** The platform pinned by the operator, chosen first and without a draw; `null` without one. */
  readonly pinned: string | null;
  /** Platform that did the last job of the session; `null` without one. */
  readonly session: SessionPlatform | null;
  /** `null` when it is unknown. */
  readonly similarity: CandidateSimilarity | null;
  readonly random: () => number;
}

export interface ChooseResult {
  /** Up to `n` choices of different operators. */
  readonly choices: readonly Choice[];
  /** Probability of each candidate in the first draw. */
  readonly probabilities: readonly number[];
  /** Candidates that the share limit excluded from the first draw. */
  readonly overShare: readonly StrategyCandidate[];
}

/**
 * Chooses up to `n` platforms of different operators: one job never goes to the same operator twice. Pure except for
 * `random`.
 *
 * @throws RoutingError `STRATEGY_FAILED`
 */
export function choose(input: ChooseInput): ChooseResult {
  const { task, candidates, n, strategy, share, now, pinned, session, similarity, random } = input;
  let left = candidates;
  const choices: Choice[] = [];
  let first: Pick<ChooseResult, 'probabilities' | 'overShare'> | null = null;

  while (choices.length < n && left.length > 0) {
    const { allowed, over } = applyShareRule(task, left, withChosen(share, candidates, choices));
    const isPinned = pinned === null ? undefined : left.find(({ platformId }) => platformId === pinned);
    const distribute = (among: readonly StrategyCandidate[]) =>
      strategy.distribution(task, among, { now, random });
    const forced = isPinned ?? (session === null ? undefined : stays(task, allowed, session, distribute));
    const weighed =
      similarity === null || (choices.length === 0 && !similarity.hasEarlier)
        ? allowed
        : allowed.map((candidate) => lessIfAlike(candidate, candidates, choices, similarity));
    const distribution: readonly StrategyShare[] = forced
      ? [{ probability: 1, reason: isPinned ? pinnedReason : sessionReason }]
      : allocated(weighed, distribute);
    const drawnFrom = forced ? [forced] : allowed;
    const drawn = drawIndex(distribution, random());
    const chosen = drawnFrom[drawn];
    const why = distribution[drawn];
    if (chosen === undefined || why === undefined) break;
    first ??= {
      probabilities: probabilitiesOf(candidates, drawnFrom, distribution),
      overShare: forced ? [] : over,
    };
    const { probability, reason, degraded = false } = why;
    choices.push({ index: candidates.indexOf(chosen), probability, reason, degraded });
    if (choices.length === n) break;
    left = left.filter(({ operator }) => operator !== chosen.operator);
  }
  return {
    choices,
    probabilities: first?.probabilities ?? candidates.map(() => 0),
    overShare: first?.overShare ?? [],
  };
}

/** Reduces the allocation of a candidate by its similarity to the most similar one that was chosen or asked already. */
function lessIfAlike(
  candidate: StrategyCandidate,
  candidates: readonly StrategyCandidate[],
  choices: readonly Choice[],
  similarity: CandidateSimilarity,
): StrategyCandidate {
  let most = similarity.toEarlier(candidate);
  for (const { index } of choices) {
    const chosen = candidates[index];
    if (chosen !== undefined) most = Math.max(most, similarity.between(candidate, chosen));
  }
  if (most === 0) return candidate;
  return Object.freeze({ ...candidate, allocation: candidate.allocation * (1 - most) });
}

/** Rise of its price, as a factor, up to which a platform keeps a session. */
const priceRise = 1.5;

/**
 * Returns the platform of a session while nothing speaks against it: a session is no licence for a job of a value that the
 * platform has not earned, nor for another price.
 */
function stays(
  { size }: StrategyTask,
  allowed: readonly StrategyCandidate[],
  session: SessionPlatform,
  distribute: (among: readonly StrategyCandidate[]) => readonly StrategyShare[],
): StrategyCandidate | undefined {
  const found = allowed.find(({ platformId }) => platformId === session.platformId);
  if (found === undefined || found.explorationOnly || found.allocation !== 1) return undefined;
  const asked = found.priceMsat;
  const agreed = session.priceMsat === null ? null : session.priceMsat * (size ?? 1) * priceRise;
  if (asked !== null && (agreed === null || asked > agreed)) return undefined;
  return distribute([found])[0]?.degraded === true ? undefined : found;
}

/** Returns the probability of every candidate, when some of them are drawn from, in the same order. */
function probabilitiesOf(
  candidates: readonly StrategyCandidate[],
  drawnFrom: readonly StrategyCandidate[],
  distribution: readonly StrategyShare[],
): number[] {
  const probabilities: number[] = [];
  let next = 0;
  for (const candidate of candidates) {
    const isDrawn = candidate === drawnFrom[next];
    probabilities.push(isDrawn ? (distribution[next]?.probability ?? 0) : 0);
    if (isDrawn) next += 1;
  }
  return probabilities;
}

/** Returns the rule with the choices of this decision among the recent jobs. */
function withChosen(
  rule: ShareRule,
  candidates: readonly StrategyCandidate[],
  choices: readonly Choice[],
): ShareRule {
  if (choices.length === 0) return rule;
  const { recent } = rule;
  const chosen = choices.map(({ index }) => candidates[index]?.operator);
  const of = (operator: string) => recent.of(operator) + chosen.filter((each) => each === operator).length;
  return { ...rule, recent: { total: recent.total + choices.length, of } };
}

/**
 * Returns the distribution of a strategy. Gives candidates with a reduced allocation their share of their probability; the rest is distributed as if they were
 * absent. Without other candidates they keep it.
 */
export function allocated(
  candidates: readonly StrategyCandidate[],
  distribute: (among: readonly StrategyCandidate[]) => readonly StrategyShare[],
): readonly StrategyShare[] {
  const shares = distribute(candidates);
  let freed = 0;
  for (let index = 0; index < candidates.length; index += 1) {
    const { allocation } = candidates[index] as StrategyCandidate;
    if (allocation < 1) freed += (shares[index]?.probability ?? 0) * (1 - allocation);
  }
  if (freed === 0) return shares;
  const full = candidates.filter(({ allocation }) => allocation >= 1);
  if (full.length === 0) return shares;
  const others = distribute(full);
  let next = 0;
  return candidates.map(({ allocation }, index) => {
    const share = shares[index] as StrategyShare;
    if (allocation < 1) {
      const reason = `${share.reason}; allocation reduced to ${allocation}`;
      return { ...share, probability: share.probability * allocation, reason };
    }
    const other = others[next++] as StrategyShare;
    const probability = share.probability + freed * other.probability;
    return share.probability > 0 || other.probability === 0
      ? { ...share, probability }
      : { ...other, probability, reason: `${other.reason} among those at full allocation` };
  });
}
