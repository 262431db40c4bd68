import type { RoutingAlert } from '../events.ts';
import { thresholdCeiling, thresholdFloor } from '../mutation/adjustment.ts';
import { oscillates } from '../mutation/limits.ts';
import { changesAnHour, confidenceIn } from '../mutation/thresholds.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import { statusOf } from '../state/status.ts';

/** A condition and its alert; `null` while it does not hold. */
export interface Condition {
  readonly key: string;
  readonly alert: RoutingAlert | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Number of changes from which a median says something. */
const changesForMedian = 5;

/** Returns the conditions of the thresholds at `now`. */
export function thresholdConditions(state: MatrixState, now: number): Condition[] {
  const { thresholds, recent, lastChangeAt, lastJudgedAt } = state.mutations;
  const conditions: Condition[] = [];
  const add = (key: string, holds: boolean, alert: () => RoutingAlert) =>
    conditions.push({ key, alert: holds ? alert() : null });

  const anHourAgo = recent.filter((at) => at > now - hourMs).length;
  add('mutation-rate', anHourAgo > changesAnHour, () => ({ type: 'mutation-rate', limit: changesAnHour }));

  let [moved, atBound] = [0, 0];
  for (const [taskType, { value, history }] of thresholds) {
    const last = history.at(-1);
    const key = `oscillation:${taskType}`;
    const reversals = last?.reversals ?? 0;
    // It ends when the threshold moves in one direction, so that one oscillation is not reported in pieces.
    const holds = oscillates(reversals) || (reversals > 0 && state.alerts.get(key)?.raised === true);
    add(key, holds, () => ({ type: 'oscillation', taskType }));
    if (last === undefined) continue;
    moved += 1;
    if (value <= thresholdFloor || value >= thresholdCeiling) atBound += 1;
  }
  add('thresholds-at-bound', moved > 0 && atBound > moved / 2, () => ({
    type: 'thresholds-at-bound',
    atBound,
    thresholds: moved,
  }));

  const stalled = lastChangeAt !== null && lastChangeAt <= now - weekMs && (lastJudgedAt ?? 0) > now - weekMs;
  add('mutations-stalled', stalled, () => ({ type: 'mutations-stalled', lastChangeAt: lastChangeAt ?? 0 }));
  return conditions;
}

/** Returns the condition of the confidence of the last day's changes, which takes longer to compute. */
export function confidenceCondition(state: MatrixState, now: number): Condition {
  const confidences: number[] = [];
  for (const { history } of state.mutations.thresholds.values()) {
    for (const change of history) if (change.at > now - dayMs) confidences.push(confidenceIn(change));
  }
  confidences.sort((a, b) => a - b);
  const middle = confidences.length / 2;
  const median = ((confidences[Math.ceil(middle) - 1] ?? 1) + (confidences[Math.floor(middle)] ?? 1)) / 2;
  const holds = confidences.length >= changesForMedian && median < 0.5;
  return { key: 'low-confidence', alert: holds ? { type: 'low-confidence', median } : null };
}

/** Returns the condition of one entry that gets less work, or none; each stage is a separate condition. */
export function entryCondition(state: MatrixState, entry: EntryState, now: number): Condition | null {
  const { status, reason } = statusOf(state, entry, now);
  const { platform, platformId, taskType } = entry;
  if (status === 'BLACKLISTED') {
    const recordId = state.blacklist.get(platform.pubkey)?.recordId ?? '';
    return {
      key: `blacklisted:${taskType}:${platformId}`,
      alert: { type: 'blacklisted', platform, taskType, recordId },
    };
  }
  if (status !== 'REDUCED' && status !== 'SUSPENDED' && status !== 'REMOVED') return null;
  const { sinceAt } = entry.lifecycle;
  return {
    key: `degraded:${status}:${sinceAt}:${taskType}:${platformId}`,
    alert: { type: 'degraded', platform, taskType, status, reason },
  };
}

/** Returns the conditions of every entry at `now`. */
export function entryConditions(state: MatrixState, now: number): Condition[] {
  const conditions: Condition[] = [];
  for (const byPlatform of state.entries.values()) {
    for (const entry of byPlatform.values()) {
      if (entry.status !== 'BLACKLISTED' && entry.lifecycle.stage === 'normal') continue;
      const condition = entryCondition(state, entry, now);
      if (condition !== null) conditions.push(condition);
    }
  }
  return conditions;
}
