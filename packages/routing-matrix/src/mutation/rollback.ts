import { round } from '../statistics/numbers.ts';
import type { ThresholdChange } from './limits.ts';

/** An earlier change with what a rollback needs. */
export interface PastChange extends ThresholdChange {
  readonly outcome?: string | undefined;
  /** Threshold before the change. */
  readonly before?: number | undefined;
  /** True for a change that was a rollback. */
  readonly rolledBack?: boolean | undefined;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const wrongMoves = 3;
/** Outcomes whose decrease is never taken back: the work was wrong or hostile. */
const final = new Set(['VALIDATION_FAIL', 'FAILURE', 'SECURITY_VIOLATION']);

/**
 * Returns the value before the last decrease when a success follows at once, to restore it; else `null`. At most once in
 * 24 hours per task type, and never after wrong or hostile work.
 */
export function contradicts(history: readonly PastChange[], taskType: string, now: number): number | null {
  const own = history.filter((change) => change.taskType === taskType);
  const last = own.at(-1);
  if (last === undefined || last.delta >= 0 || last.before === undefined) return null;
  if (last.outcome === undefined || final.has(last.outcome)) return null;
  return own.some(({ rolledBack, at }) => rolledBack === true && at > now - dayMs) ? null : last.before;
}

/** Tells whether the last three changes of a task type were each reversed by the one after it. */
export function wrongDirections(history: readonly PastChange[], taskType: string): boolean {
  const deltas = history
    .filter((change) => change.taskType === taskType && change.delta !== 0)
    .map(({ delta }) => delta);
  const recent = deltas.slice(-(wrongMoves + 1));
  return (
    recent.length > wrongMoves &&
    recent.slice(1).every((delta, index) => {
      const before = recent[index] ?? 0;
      return Math.sign(delta) !== Math.sign(before) && Math.abs(delta) >= Math.abs(before);
    })
  );
}

/** Returns the mean threshold of the last seven days, by number of changes; `null` without any. */
export function weeklyMean(
  history: readonly PastChange[],
  taskType: string,
  now: number,
  current: number,
): number | null {
  const values = history.flatMap(({ at, taskType: type, before }) =>
    type === taskType && at > now - weekMs && before !== undefined ? [before] : [],
  );
  if (values.length === 0) return null;
  return round([...values, current].reduce((sum, value) => sum + value, 0) / (values.length + 1));
}
