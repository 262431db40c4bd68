import { mean } from '../statistics/numbers.ts';
import { activeScore, conditionalScore } from './initial-trust.ts';
import type { Outcome } from './outcome.ts';

const dayMs = 86_400_000;

/** One judged attempt of an evaluation. */
export interface Attempt {
  readonly outcome: Outcome;
  /** Composite score, 0..1. */
  readonly score: number;
}

/** Number of attempts of an evaluation. */
export interface QualificationPlan {
  /** Attempts after which a decision is due. @default 3 */
  readonly attempts?: number;
  /** Attempts when the first ones were good but not flawless. @default 5 */
  readonly extendedAttempts?: number;
}

/** State of an evaluation. */
export interface Qualification {
  readonly verdict: 'CONTINUE' | 'ACTIVE' | 'CONDITIONAL' | 'REJECTED' | 'BLACKLISTED';
  /** Number of further attempts; 0 once decided. */
  readonly attemptsLeft: number;
  /** Mean composite of the attempts; `null` before the first. */
  readonly score: number | null;
  /** True when every attempt failed, which causes a cooldown of 30 days. */
  readonly straightFailures: boolean;
  /** Human-readable rule that decided. */
  readonly reason: string;
}

/** Decides an evaluation from its attempts, in order. Arguments are valid. */
export function qualify(attempts: readonly Attempt[], plan: QualificationPlan = {}): Qualification {
  const planned = plan.attempts ?? 3;
  const extended = Math.max(planned, plan.extendedAttempts ?? 5);
  const counted = attempts.filter(({ outcome }) => outcome !== 'INFRA');
  const score = mean(counted.map((attempt) => attempt.score));

  const decide = (verdict: Qualification['verdict'], reason: string, straightFailures = false) => ({
    verdict,
    attemptsLeft: 0,
    score,
    straightFailures,
    reason,
  });
  const goOn = (needed: number, reason: string): Qualification => ({
    verdict: 'CONTINUE',
    attemptsLeft: needed - counted.length,
    score,
    straightFailures: false,
    reason,
  });

  if (counted.some(({ outcome }) => outcome === 'SECURITY_VIOLATION')) {
    return decide('BLACKLISTED', 'SECURITY_VIOLATION: its work attacked the judge');
  }
  if (counted.length < planned || score === null) {
    return goOn(planned, `${counted.length} of ${planned} attempts`);
  }

  const first = tally(counted.slice(0, planned));
  if (first.successes === planned && planned > 1) {
    return decide('ACTIVE', `${planned} straight successes`);
  }
  if (first.failures === planned) return decide('REJECTED', `${planned} straight failures`, true);
  const flawedOnce = planned > 1 && first.partials === 1 && first.successes === planned - 1;
  if (flawedOnce && counted.length < extended) {
    return goOn(extended, `${first.successes} successes and a partial: ${extended} attempts`);
  }
  if (planned > 1 && first.successes === 1 && first.failures === planned - 1) {
    return decide('CONDITIONAL', `1 success of ${planned}`);
  }
  const by = `mean score ${score.toFixed(2)} of ${counted.length}`;
  if (score >= activeScore) return decide('ACTIVE', by);
  if (score >= conditionalScore) return decide('CONDITIONAL', by);
  return decide('REJECTED', by);
}

function tally(attempts: readonly Attempt[]) {
  const count = (...outcomes: readonly Outcome[]) =>
    attempts.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return { successes: count('SUCCESS'), partials: count('PARTIAL'), failures: count('FAILURE', 'ERROR') };
}

const cooldownDays = [1, 3, 7, 30] as const;

/** Returns the cooldown of a rejected platform in ms. Arguments are valid. */
export function cooldownMs(failedEvaluations: number, straightFailures: boolean): number {
  if (straightFailures) return 30 * dayMs;
  const step = Math.min(Math.max(1, failedEvaluations), cooldownDays.length) - 1;
  return (cooldownDays[step] ?? 30) * dayMs;
}
