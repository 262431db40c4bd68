import { requireRange } from '../errors.ts';
import type { SlaPenalty } from './sla.ts';

/** A penalty that was applied. */
export interface AppliedPenalty {
  readonly breachId: string;
  readonly metric: string;
  readonly penalty: SlaPenalty;
  /** ms since epoch. */
  readonly appliedAt: number;
  /**
   * Days since then, each at its end, and whether performance was above its target. Only such days recover anything.
   * @default none: nothing recovers without evidence
   */
  readonly days?: readonly { readonly at: number; readonly aboveTarget: boolean }[];
  /** Time of the manual review that reinstated the badge, ms since epoch. */
  readonly reviewedAt?: number | null;
  /** Delegators that receive a refund. */
  readonly affectedDelegators?: readonly string[];
}

/** Current effect of one reduction of the score. */
export interface ReductionEffect {
  readonly breachId: string;
  /** Current multiplier of the score, 0…1. */
  readonly factor: number;
  readonly daysRecovered: number;
  readonly daysNeeded: number;
  /** True when the newest day was below target: then nothing recovers until the next good day. */
  readonly paused: boolean;
}

/** A score and a standing after penalties. */
export interface PenaltyEffect {
  /** 0…1. */
  readonly score: number;
  readonly reductions: readonly ReductionEffect[];
  /** False during a suspension. Running delegations continue. */
  readonly acceptsNewDelegations: boolean;
  /** Announced and running suspensions, ms since epoch. */
  readonly suspensions: readonly {
    readonly breachId: string;
    readonly from: number;
    readonly until: number;
  }[];
  readonly revokedBadges: readonly string[];
  /** Refunds in equal parts. */
  readonly refunds: readonly {
    readonly breachId: string;
    readonly delegator: string;
    readonly amount: number;
    readonly currency: string;
  }[];
}

const goodDays = ({ days = [] }: AppliedPenalty, now: number) =>
  days.filter(({ at, aboveTarget }) => aboveTarget && at <= now);

/** Days above target without a bad one between, up to the newest. */
function unbrokenDays({ days = [] }: AppliedPenalty, now: number): number {
  const seen = days.filter(({ at }) => at <= now).toSorted((left, right) => left.at - right.at);
  return seen.length - 1 - seen.findLastIndex(({ aboveTarget }) => !aboveTarget);
}

function reduction(applied: AppliedPenalty, now: number): ReductionEffect | null {
  const { penalty, breachId, days = [] } = applied;
  if (penalty.type !== 'trust_score_reduction') return null;
  const daysNeeded = penalty.recovery.recoveryPeriodDays;
  const daysRecovered = Math.min(daysNeeded, goodDays(applied, now).length);
  const newest = days.filter(({ at }) => at <= now).toSorted((left, right) => right.at - left.at)[0];
  return {
    breachId,
    // In a straight line back: (original − reduced) ÷ 30 a day.
    factor: 1 - penalty.amount * (1 - daysRecovered / daysNeeded),
    daysRecovered,
    daysNeeded,
    paused: daysRecovered < daysNeeded && newest?.aboveTarget === false,
  };
}

/**
 * Applies penalties to a score. Reductions multiply: .94 with 10 % and 5 % is .8037; each is restored
 * linearly over 30 days above target, and pauses on days below. A suspension is announced 24 hours ahead and
 * concerns new delegations only. A badge returns after 30 good days in a row and, if so agreed, a manual
 * review.
 *
 * @param score 0…1.
 * @param now ms since epoch. Penalties applied later have no effect yet.
 * @throws `OUT_OF_RANGE` when the score or a time is out of range.
 */
export function applyPenalties(
  score: number,
  penalties: readonly AppliedPenalty[],
  now: number,
): PenaltyEffect {
  requireRange('score', score, 0, 1);
  requireRange('now', now, -Number.MAX_VALUE);
  const inForce = penalties.filter(({ appliedAt }) => appliedAt <= now);
  const reductions = inForce.map((one) => reduction(one, now)).filter((one) => one !== null);
  const suspensions = inForce.flatMap(({ breachId, penalty, appliedAt }) => {
    if (penalty.type !== 'temporary_suspension') return [];
    const from = appliedAt + penalty.notice;
    const until = from + penalty.duration;
    return now < until ? [{ breachId, from, until }] : [];
  });
  const revoked = inForce.flatMap((applied) => {
    const { penalty, reviewedAt = null } = applied;
    if (penalty.type !== 'badge_revocation') return [];
    const reviewed = !penalty.reinstatement.manualReview || (reviewedAt !== null && reviewedAt <= now);
    return reviewed && unbrokenDays(applied, now) >= 30 ? [] : penalty.revoke;
  });
  return {
    score: reductions.reduce((left, { factor }) => left * factor, score),
    reductions,
    acceptsNewDelegations: suspensions.every(({ from }) => now < from),
    suspensions,
    revokedBadges: [...new Set(revoked)],
    refunds: inForce.flatMap(({ breachId, penalty, affectedDelegators = [] }) => {
      if (penalty.type !== 'financial') return [];
      const amount = penalty.amount / affectedDelegators.length;
      return affectedDelegators.map((delegator) => ({
        breachId,
        delegator,
        amount,
        currency: penalty.currency,
      }));
    }),
  };
}

/**
 * Returns true when a reduction is restored entirely, and a suspension and a revocation are over. A refund is
 * served at once.
 */
export function isServed(applied: AppliedPenalty, now: number): boolean {
  const effect = applyPenalties(1, [applied], now);
  const untouched = effect.reductions.every(({ factor }) => factor === 1);
  return (
    applied.appliedAt <= now && untouched && effect.suspensions.length + effect.revokedBadges.length === 0
  );
}
