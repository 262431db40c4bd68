import { round } from '../statistics/numbers.ts';
import { type AdjustmentMetrics, type MutationOutcome, rawThreshold, thresholdFloor } from './adjustment.ts';
import { countReversals, dailyAllowance, limitChange, oscillates } from './limits.ts';
import { contradicts, type PastChange, weeklyMean, wrongDirections } from './rollback.ts';

/** A judged job and what came before it. */
export interface ChangeInput {
  /** Current threshold, .1 … .9. */
  readonly current: number;
  readonly outcome: MutationOutcome;
  readonly taskType: string;
  /** Id of the platform that did the work. */
  readonly platform: string;
  readonly metrics: AdjustmentMetrics;
  readonly now: number;
  /** Earlier changes, oldest first. */
  readonly history: readonly PastChange[];
  readonly ema?: number | null | undefined;
  readonly alpha: number;
  readonly consecutiveSuccesses: number;
  readonly baselineMs?: number | null | undefined;
}

/** The new threshold with its reasons. */
export interface ChangeResult {
  readonly to: number;
  /** Reversals of direction among the last ten changes. */
  readonly reversals: number;
  /** True when the raw threshold fell to the floor. */
  readonly suspend: boolean;
  /** True when an earlier value was restored. */
  readonly rolledBack: boolean;
  readonly reasons: readonly string[];
}

/** Computes the threshold after a judged job. Pure; see {@link matrixMutationHook} for the order of the steps. */
export function changeThreshold(input: ChangeInput): ChangeResult {
  const { current, outcome, taskType, platform, metrics, now, history } = input;
  const back = outcome === 'SUCCESS' ? contradicts(history, taskType, now) : null;
  if (back !== null) {
    return restored(back, `Success right after a decrease: ${taskType} returns to ${back}`);
  }
  const mean = wrongDirections(history, taskType) ? weeklyMean(history, taskType, now, current) : null;
  if (mean !== null) {
    return restored(
      mean,
      `Three moves in the wrong direction: ${taskType} returns to its mean of seven days`,
    );
  }
  const raw = rawThreshold(current, outcome, {
    taskType,
    metrics,
    baselineMs: input.baselineMs ?? null,
    consecutiveSuccesses: input.consecutiveSuccesses,
  });
  const suspend = round(raw) <= thresholdFloor;
  const smooth = input.alpha * Math.max(thresholdFloor, raw) + (1 - input.alpha) * (input.ema ?? current);
  const reversals = countReversals(history, taskType, smooth - current);
  const damped = oscillates(reversals) ? current + (smooth - current) / 2 : smooth;
  const to = limitChange(current, damped, dailyAllowance(history, taskType, now));
  const reasons = [`${outcome} of ${platform}: ${taskType} ${current} → ${to}`];
  if (suspend) reasons.push(`The raw threshold of ${taskType} fell to the floor: suspend ${platform}`);
  if (oscillates(reversals)) reasons.push(`${reversals} reversals in ten changes: the change is halved`);
  return { to, reversals, suspend, rolledBack: false, reasons };

  function restored(value: number, reason: string): ChangeResult {
    return {
      to: limitChange(current, value, Number.POSITIVE_INFINITY),
      reversals: countReversals(history, taskType, value - current),
      suspend: false,
      rolledBack: true,
      reasons: [reason],
    };
  }
}
