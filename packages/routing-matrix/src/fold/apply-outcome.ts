import { configuredThreshold } from '../config.ts';
import { moveTrust, type Outcome } from '../evidence/outcome.ts';
import { applyJudgedJob } from '../mutation/thresholds.ts';
import type { OutcomeRecord } from '../records.ts';
import { baselineOf } from '../state/baseline.ts';
import { ensureEntry, ensureTask } from '../state/ensure.ts';
import { forgetSession } from '../state/sessions.ts';
import type { MatrixState, PlatformState } from '../state/state.ts';
import { type Change, changesSince, standing } from '../state/status.ts';
import { blacklist } from './blacklist.ts';
import { moveLifecycle } from './degradation.ts';
import { observe } from './observe.ts';

export function applyOutcome(state: MatrixState, record: OutcomeRecord): Change[] {
  const entry = ensureEntry(state, record.platform, record.taskType, record.at);
  const platform = state.platforms.get(entry.platformId) as PlatformState;
  const session = platform.openJobs.get(record.jobId)?.session ?? null;
  if (session !== null && !isGood(record.outcome))
    forgetSession(state, record.taskType, session, entry.platformId);
  platform.openJobs.delete(record.jobId);
  entry.outcomes[record.outcome] += 1;
  if (record.outcome === 'INFRA') return [];
  platform.judged += 1;
  const before = standing(state, entry, record.at);
  const baseline = baselineOf(state, record.taskType);
  const size = state.jobs.get(record.jobId)?.size ?? 1;
  observe(state, entry, record.outcome, record.measurements, record.at, size);
  countAgainstDeadline(state, record);
  const suspend = applyJudgedJob(state.mutations, record, {
    configured: configuredThreshold(state.config, record.taskType),
    baselineMs: baseline.latencyMs,
    platform: entry.platformId,
    moves: state.config.adaptiveThresholds,
  });
  if (record.outcome === 'SECURITY_VIOLATION') return blacklist(state, entry, record);
  if (entry.trust !== null && entry.status !== 'BLACKLISTED') {
    entry.trust = moveTrust(entry.trust, record.outcome, record.measurements, baseline.latencyMs);
    const proposed = moveLifecycle(state, entry, record, baseline, suspend);
    return [...changesSince(state, entry, before, record), ...proposed];
  }
  return changesSince(state, entry, before, record);
}

/** Tells whether an outcome speaks for staying with the platform, or says nothing about it. */
const isGood = (outcome: Outcome) => outcome === 'SUCCESS' || outcome === 'PARTIAL' || outcome === 'INFRA';

/** Counts how a job stood to its deadline, for the proposal of another timeout. */
function countAgainstDeadline(
  state: MatrixState,
  { taskType, jobId, outcome, measurements }: OutcomeRecord,
): void {
  const deadlineMs = state.jobs.get(jobId)?.deadlineMs ?? null;
  if (deadlineMs === null) return;
  const { timing } = ensureTask(state, taskType);
  const { latencyMs, errorKind } = measurements;
  if (latencyMs === null) {
    if (outcome === 'ERROR' && errorKind === 'timeout') timing.silent += 1;
    return;
  }
  const share = latencyMs / deadlineMs;
  if (share < 0.5) timing.early += 1;
  else if (share >= 0.8 && share <= 1) timing.near += 1;
}
