import { afterReadmission, afterRemoval } from '../lifecycle/stage.ts';
import type { DirectiveRecord } from '../records.ts';
import { ensureDirectives, everyTaskType, isRemoved, lift } from '../state/directives.ts';
import { ensurePlatform, ensureTask } from '../state/ensure.ts';
import type { EntryState, MatrixState, PlatformState } from '../state/state.ts';
import { type Change, changesSince, setStatus, standing } from '../state/status.ts';

/** Applies a directive to what its source ordered before. */
export function applyDirective(state: MatrixState, record: DirectiveRecord): Change[] {
  const { taskType, source } = record;
  const platform = ensurePlatform(state, record.platform, record.at);
  const own = ensureDirectives(platform, source);
  const scope = taskType ?? everyTaskType;
  switch (record.action) {
    case 'pin':
      (taskType === null ? state.pinsForAll : ensureTask(state, taskType).pins).set(
        source,
        platform.platformId,
      );
      break;
    case 'unpin':
      unpin(state, platform, record);
      break;
    case 'deny':
      own.denied.add(scope);
      break;
    case 'refuse':
      own.refused.set(scope, { trial: source === 'policy' && !record.violation });
      break;
    case 'allow':
      lift(own.denied, taskType);
      lift(own.refused, taskType);
      break;
    case 'suspend': {
      // A second suspension never ends before the first would have.
      const untilAt = record.untilAt ?? Number.POSITIVE_INFINITY;
      own.suspendedUntil.set(scope, Math.max(own.suspendedUntil.get(scope) ?? 0, untilAt));
      break;
    }
    case 'resume':
      lift(own.suspendedUntil, taskType);
      break;
    case 'quarantine':
      own.quarantined = true;
      break;
    case 'remove':
      own.removed.add(scope);
      return changeStages(state, platform, record, (entry) => {
        entry.lifecycle = afterRemoval(entry.lifecycle, record.at, record.reason);
      });
    case 'readmit':
      return readmit(state, platform, record);
  }
  return [];
}

/**
 * Lets a platform return from what the same source ordered. An operator's readmission also ends what the matrix decided
 * itself: a suspension, a removal, a rejection.
 */
function readmit(state: MatrixState, platform: PlatformState, record: DirectiveRecord): Change[] {
  const { source, taskType, at } = record;
  const own = ensureDirectives(platform, source);
  own.quarantined = false;
  const hadRemoved = new Set(own.removed);
  lift(own.removed, taskType);
  return changeStages(state, platform, record, (entry) => {
    if (isRemoved(platform, entry.taskType)) return;
    const ordered = hadRemoved.has(everyTaskType) || hadRemoved.has(entry.taskType);
    if (source !== 'operator' && !ordered) return;
    if (entry.lifecycle.stage === 'removed' && entry.status !== 'BLACKLISTED') {
      entry.trust = null;
      entry.attempts = [];
      setStatus(entry, 'EVALUATING', 'discovered anew');
    }
    if (source === 'operator') entry.readmitted = entry.status === 'REJECTED';
    entry.lifecycle = afterReadmission(entry.lifecycle, at);
  });
}

/** Changes the entries of a platform that a directive is about. */
function changeStages(
  state: MatrixState,
  platform: PlatformState,
  record: DirectiveRecord,
  change: (entry: EntryState) => void,
): Change[] {
  const changed: Change[] = [];
  for (const taskType of state.taskTypesOf.get(platform.platformId) ?? []) {
    const entry = state.entries.get(taskType)?.get(platform.platformId);
    if (entry === undefined || (record.taskType !== null && record.taskType !== taskType)) continue;
    const before = standing(state, entry, record.at);
    change(entry);
    changed.push(...changesSince(state, entry, before, record));
  }
  return changed;
}

function unpin(state: MatrixState, { platformId }: PlatformState, record: DirectiveRecord): void {
  const { taskType, source } = record;
  const all = [...state.tasks.values()].map(({ pins }) => pins);
  for (const pins of taskType === null ? [state.pinsForAll, ...all] : [ensureTask(state, taskType).pins]) {
    if (pins.get(source) === platformId) pins.delete(source);
  }
}
