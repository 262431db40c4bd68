import { requireRange, requireTime } from '../errors.ts';
import {
  type Check,
  flag,
  listOf,
  notNegative,
  nullable,
  oneOf,
  optional,
  record,
  share,
  text,
  time,
  within,
} from '../input.ts';
import type { SlaPenalty } from './sla.ts';

const dayMs = 86_400_000;

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

const byType: Readonly<Record<SlaPenalty['type'], Check>> = {
  trust_score_reduction: record({
    amount: share,
    recovery: record({ recoveryPeriodDays: within(Number.MIN_VALUE) }),
  }),
  temporary_suspension: record({ duration: notNegative, notice: notNegative }),
  financial: record({ amount: notNegative, currency: text }),
  badge_revocation: record({ revoke: listOf(text), reinstatement: record({ manualReview: flag }) }),
};

/** Throws unless a value is the penalty of a parsed agreement. */
export const knownPenalty: Check = (name, value) => {
  record({ type: oneOf(...Object.keys(byType)) })(name, value);
  byType[(value as SlaPenalty).type](name, value);
};

/** Throws unless a value is a penalty that was applied. */
export const appliedPenalty = record({
  breachId: text,
  metric: text,
  penalty: knownPenalty,
  appliedAt: time,
  days: optional(listOf(record({ at: time, aboveTarget: flag }))),
  reviewedAt: nullable(time),
  affectedDelegators: optional(listOf(text)),
});
const appliedPenalties = listOf(appliedPenalty);

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

/** Returns the state of each full day after a penalty began, by its number; a bad record of a day outweighs a good one. */
function daysOf({ days = [], appliedAt }: AppliedPenalty, now: number): ReadonlyMap<number, boolean> {
  const byDay = new Map<number, boolean>();
  for (const { at, aboveTarget } of days) {
    // Records carry the end of their day: the first full day ends a day after the penalty began.
    const day = Math.floor((at - appliedAt) / dayMs);
    if (day < 1 || at > now) continue;
    byDay.set(day, (byDay.get(day) ?? true) && aboveTarget);
  }
  return new Map([...byDay].toSorted(([left], [right]) => left - right));
}

/** Counts days above target up to the newest, without a bad or missing one between. */
function unbrokenDays(applied: AppliedPenalty, now: number): number {
  const days = daysOf(applied, now);
  const newest = [...days.keys()].at(-1) ?? 0;
  let count = 0;
  while (days.get(newest - count) === true) count += 1;
  return count;
}

/** Size of a penalty for comparing two records of one breach. */
function severity({ penalty }: AppliedPenalty): number {
  if (penalty.type === 'trust_score_reduction' || penalty.type === 'financial') return penalty.amount;
  return penalty.type === 'temporary_suspension' ? penalty.duration : penalty.revoke.length;
}

/** Keeps one record for each breach and kind of penalty: the most severe, with the days of all. */
function distinct(penalties: readonly AppliedPenalty[]): readonly AppliedPenalty[] {
  const byBreach = new Map<string, AppliedPenalty>();
  for (const one of penalties) {
    const key = JSON.stringify([one.breachId, one.penalty.type]);
    const before = byBreach.get(key);
    if (before === undefined) {
      byBreach.set(key, one);
      continue;
    }
    const kept = severity(one) > severity(before) ? one : before;
    byBreach.set(key, { ...kept, days: [...(before.days ?? []), ...(one.days ?? [])] });
  }
  return [...byBreach.values()];
}

function reduction(applied: AppliedPenalty, now: number): ReductionEffect | null {
  const { penalty, breachId } = applied;
  if (penalty.type !== 'trust_score_reduction') return null;
  const daysNeeded = penalty.recovery.recoveryPeriodDays;
  const days = [...daysOf(applied, now).values()];
  const daysRecovered = Math.min(daysNeeded, days.filter(Boolean).length);
  return {
    breachId,
    // In a straight line back: (original − reduced) ÷ 30 a day.
    factor: 1 - penalty.amount * (1 - daysRecovered / daysNeeded),
    daysRecovered,
    daysNeeded,
    paused: daysRecovered < daysNeeded && days.at(-1) === false,
  };
}

/**
 * Applies penalties to a score. Reductions multiply: .94 with 10 % and 5 % is .8037; each is restored
 * linearly over 30 days above target, and pauses on days below. A suspension is announced 24 hours ahead and
 * concerns new delegations only. Each breach counts once and each day once; records of days
 * before the penalty are ignored. A badge returns after 30 good days in a row and, if so agreed, a manual
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
  requireTime('now', now);
  appliedPenalties('penalties', penalties);
  const inForce = distinct(penalties).filter(({ appliedAt }) => appliedAt <= now);
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
