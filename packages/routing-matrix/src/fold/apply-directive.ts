import { afterReadmission, afterRemoval } from '../lifecycle/stage.ts';
import type { DirectiveRecord } from '../records.ts';
import { ensurePlatform, ensureTask } from '../state/ensure.ts';
import type { MatrixState, PlatformState } from '../state/state.ts';
import { type Change, changesSince, setStatus, standing } from '../state/status.ts';

export function applyDirective(state: MatrixState, record: DirectiveRecord): Change[] {
  const platform = ensurePlatform(state, record.platform, record.at);
  const scope = record.taskType ?? '';
  switch (record.action) {
    case 'pin':
      setPin(state, record.taskType, platform.platformId);
      break;
    case 'unpin':
      setPin(state, record.taskType, null, platform.platformId);
      break;
    case 'deny':
      platform.denied.add(scope);
      break;
    case 'refuse':
      platform.refused.set(scope, { trial: record.source === 'policy' && !record.violation });
      break;
    case 'allow':
      platform.denied.delete(scope);
      platform.refused.delete(scope);
      break;
    case 'suspend':
      platform.suspendedUntil.set(scope, record.untilAt ?? Number.POSITIVE_INFINITY);
      break;
    case 'resume':
      platform.suspendedUntil.delete(scope);
      break;
    case 'quarantine':
      platform.quarantined = true;
      break;
    case 'readmit':
    case 'remove':
      return changeStages(state, platform, record);
  }
  return [];
}

/** Lets the entries of a platform return, or removes them. */
function changeStages(state: MatrixState, platform: PlatformState, record: DirectiveRecord): Change[] {
  const changed: Change[] = [];
  if (record.action === 'readmit') platform.quarantined = false;
  for (const taskType of state.taskTypesOf.get(platform.platformId) ?? []) {
    const entry = state.entries.get(taskType)?.get(platform.platformId);
    if (entry === undefined || (record.taskType !== null && record.taskType !== taskType)) continue;
    const before = standing(state, entry, record.at);
    if (record.action === 'remove') {
      entry.lifecycle = afterRemoval(entry.lifecycle, record.at, record.reason);
    } else {
      if (entry.lifecycle.stage === 'removed' && entry.status !== 'BLACKLISTED') {
        entry.trust = null;
        entry.attempts = [];
        setStatus(entry, 'EVALUATING', 'discovered anew');
      }
      entry.readmitted = entry.status === 'REJECTED';
      entry.lifecycle = afterReadmission(entry.lifecycle, record.at);
    }
    changed.push(...changesSince(state, entry, before, record));
  }
  return changed;
}

function setPin(state: MatrixState, taskType: string | null, to: string | null, only?: string): void {
  if (taskType === null) {
    if (only === undefined || state.pinnedForAll === only) state.pinnedForAll = to;
    return;
  }
  const task = ensureTask(state, taskType);
  if (only === undefined || task.pinned === only) task.pinned = to;
}
