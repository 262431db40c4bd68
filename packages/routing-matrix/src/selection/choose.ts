import { applyShareRule, type ShareRule } from './share-rule.ts';
import { drawIndex, type StrategyCandidate, type StrategyShare, type StrategyTask } from './strategy.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** One chosen platform. */
export interface Choice {
  readonly platformId: string;
  /** Probability of drawing this candidate given the earlier picks; 0 < p ≤ 1. */
  readonly probability: number;
  readonly reason: string;
  readonly degraded: boolean;
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
  readonly random: () => number;
}

export interface ChooseResult {
  /** Up to `n` choices of different operators. */
  readonly choices: readonly Choice[];
  /** Probabilities of the first draw by platform; empty without candidates. */
  readonly probabilities: ReadonlyMap<string, number>;
  /** Platforms that the share limit excluded from the first draw. */
  readonly overShare: readonly string[];
}

/**
 * Chooses up to `n` platforms of different operators: one job never goes to the same operator twice. Pure except for
 * `random`.
 *
 * @throws RoutingError `STRATEGY_FAILED`
 */
export function choose(input: ChooseInput): ChooseResult {
  const { task, n, strategy, share, now, pinned, random } = input;
  let left = input.candidates;
  const choices: Choice[] = [];
  let first: Pick<ChooseResult, 'probabilities' | 'overShare'> | null = null;

  while (choices.length < n && left.length > 0) {
    const { allowed, over } = applyShareRule(task, left, withChosen(share, choices));
    const forced = left.find(({ platformId }) => platformId === pinned);
    const distribution: readonly StrategyShare[] = forced
      ? [{ probability: 1, reason: 'pinned by the operator' }]
      : allocated(allowed, strategy.distribution(task, allowed, { now, random }), (rest) =>
          strategy.distribution(task, rest, { now, random }),
        );
    const drawnFrom = forced ? [forced] : allowed;
    const index = drawIndex(distribution, random());
    const chosen = drawnFrom[index];
    const why = distribution[index];
    if (chosen === undefined || why === undefined) break;
    first ??= {
      probabilities: new Map(
        drawnFrom.map(({ platformId }, at) => [platformId, distribution[at]?.probability ?? 0]),
      ),
      overShare: forced ? [] : over.map(({ platformId }) => platformId),
    };
    const { probability, reason, degraded = false } = why;
    choices.push({ platformId: chosen.platformId, probability, reason, degraded });
    if (choices.length === n) break;
    left = left.filter(({ operator }) => operator !== chosen.operator);
  }
  return { choices, probabilities: first?.probabilities ?? new Map(), overShare: first?.overShare ?? [] };
}

/** Returns the rule with the choices of this decision among the recent jobs. */
function withChosen(rule: ShareRule, choices: readonly Choice[]): ShareRule {
  if (choices.length === 0) return rule;
  const { recent } = rule;
  const of = (id: string) => recent.of(id) + choices.filter(({ platformId }) => platformId === id).length;
  return { ...rule, recent: { total: recent.total + choices.length, of } };
}

/**
 * Gives candidates with a reduced allocation their share of their probability; the rest is distributed as if they were
 * absent. Without other candidates they keep it.
 */
function allocated(
  candidates: readonly StrategyCandidate[],
  shares: readonly StrategyShare[],
  distribute: (rest: readonly StrategyCandidate[]) => readonly StrategyShare[],
): readonly StrategyShare[] {
  let freed = 0;
  for (const [index, { allocation }] of candidates.entries()) {
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
