import type { DecisionRecord } from '../records.ts';
import { shortlistDecisions, shortlistOf } from '../selection/shortlist.ts';
import { ensurePlatform, ensureTask } from '../state/ensure.ts';
import { featuresOf } from '../state/job-features.ts';
import { rememberSession } from '../state/sessions.ts';
import type { MatrixState, TaskState } from '../state/state.ts';
import type { Change } from '../state/status.ts';

/** Number of jobs whose features are remembered for their outcomes. */
const rememberedJobs = 10_000;

export function applyDecision(state: MatrixState, record: DecisionRecord): Change[] {
  const task = ensureTask(state, record.taskType);
  // Made from the state before the decision, as the process that decided did.
  task.shortlist ??= shortlistOf(state, record.taskType);
  task.decisions += 1;
  if (task.decisions % shortlistDecisions === 0) task.shortlist = null;
  if (record.valueMsat !== null) task.usualValue.add(record.valueMsat);
  if (record.deadlineMs !== null) task.usualDeadline.push(record.deadlineMs);
  const features = featuresOf(state, record);
  if (record.jobId !== null && features !== null) {
    state.jobs.set(record.jobId, features);
    const oldest = state.jobs.keys().next();
    if (state.jobs.size > rememberedJobs && !oldest.done) state.jobs.delete(oldest.value);
  }
  forgetShares(task, record.at - state.config.shareWindowMs);
  const [first] = record.picks;
  if (record.session !== null && first !== undefined) {
    const { platformId } = first;
    const price = record.candidates.find((each) => each.platformId === platformId)?.priceMsat ?? null;
    const priceMsat = price === null ? null : price / (record.size ?? 1);
    rememberSession(state, record.taskType, record.session, { platformId, priceMsat });
  }
  for (const { platform } of record.picks) {
    const picked = ensurePlatform(state, platform, record.at);
    const operator = picked.platform.pubkey;
    task.recent.push({ at: record.at, operator });
    task.recentCounts.set(operator, (task.recentCounts.get(operator) ?? 0) + 1);
    picked.lastPickedAt = Math.max(picked.lastPickedAt, record.at);
    if (record.jobId === null) continue;
    for (const [jobId, { at }] of picked.openJobs) {
      if (at > record.at - state.config.inFlightTtlMs) break;
      picked.openJobs.delete(jobId);
    }
    const { at, taskType, valueMsat, session } = record;
    picked.openJobs.set(record.jobId, { at, taskType, valueMsat, session });
  }
  return [];
}

/** Drops picks that left the window of the share rule. */
function forgetShares(task: TaskState, windowStart: number): void {
  let old = 0;
  for (const { at, operator } of task.recent) {
    if (at > windowStart) break;
    old += 1;
    const left = (task.recentCounts.get(operator) ?? 1) - 1;
    if (left === 0) task.recentCounts.delete(operator);
    else task.recentCounts.set(operator, left);
  }
  if (old > 0) task.recent.splice(0, old);
}
