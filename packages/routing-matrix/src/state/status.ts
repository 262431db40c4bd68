import { lifecycleAt } from '../lifecycle/stage.ts';
import type { PlatformRef } from '../platform.ts';
import type { RoutingRecord } from '../records.ts';
import type { EntryState, MatrixState, QualificationStatus } from './state.ts';

/**
 * Status of a platform in a task type: its {@link QualificationStatus}, or the {@link Stage} of a qualified one that
 * degraded. `SUSPECTED_DEGRADED`: full allocation, watched more closely. `REDUCED`: half of it. `SUSPENDED`: none.
 * `HALF_OPEN`: a growing share after a suspension. `REMOVED`: none, until it is discovered again.
 */
export type EntryStatus =
  | QualificationStatus
  | 'SUSPECTED_DEGRADED'
  | 'REDUCED'
  | 'SUSPENDED'
  | 'HALF_OPEN'
  | 'REMOVED';

/** A change caused by a record, for listeners. */
export type Change =
  | {
      readonly type: 'trust';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly before: number | null;
      readonly after: number | null;
      /** Id of the record that caused it. */
      readonly recordId: string;
    }
  | {
      readonly type: 'status';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly before: EntryStatus;
      readonly after: EntryStatus;
      readonly reason: string;
      readonly recordId: string;
    }
  | {
      /** The success rate of a platform fell so clearly that the threshold of its task type should be looked at. */
      readonly type: 'success-fell';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly recordId: string;
    };

const stageStatus = {
  warning: 'SUSPECTED_DEGRADED',
  reduced: 'REDUCED',
  suspended: 'SUSPENDED',
  'half-open': 'HALF_OPEN',
  removed: 'REMOVED',
} as const;

/** Returns the status of an entry at `now` with its reason. */
export function statusOf(
  state: MatrixState,
  entry: EntryState,
  now: number,
): { readonly status: EntryStatus; readonly reason: string } {
  const own = { status: entry.status, reason: entry.statusReason };
  if (entry.status === 'BLACKLISTED' || entry.lifecycle.stage === 'normal') return own;
  const { stage, reason } = lifecycleAt(entry.lifecycle, now, state.config.lifecycle);
  if (stage === 'normal' || (stage !== 'removed' && entry.trust === null)) return own;
  return { status: stageStatus[stage], reason };
}

export const standing = (state: MatrixState, entry: EntryState, at: number) => ({
  trust: entry.trust,
  status: statusOf(state, entry, at).status,
});

export function setStatus(entry: EntryState, status: QualificationStatus, reason: string): void {
  entry.status = status;
  entry.statusReason = reason;
}

export function condemn(entry: EntryState): void {
  entry.trust = 0;
  entry.attempts = [];
  setStatus(entry, 'BLACKLISTED', 'SECURITY_VIOLATION: its work attacked the judge');
}

export function changesSince(
  state: MatrixState,
  entry: EntryState,
  before: { readonly trust: number | null; readonly status: EntryStatus },
  { id: recordId, at }: RoutingRecord,
): Change[] {
  const { platform, taskType } = entry;
  const changed: Change[] = [];
  const { status, reason } = statusOf(state, entry, at);
  if (before.status !== status) {
    changed.push({
      type: 'status',
      platform,
      taskType,
      before: before.status,
      after: status,
      reason,
      recordId,
    });
  }
  if (before.trust !== entry.trust) {
    changed.push({ type: 'trust', platform, taskType, before: before.trust, after: entry.trust, recordId });
  }
  return changed;
}
