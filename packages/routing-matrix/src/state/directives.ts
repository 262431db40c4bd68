import type { DirectiveAction, DirectiveSource } from '../records.ts';
import type { EntryState, MatrixState, PlatformState } from './state.ts';

/** Task type under which a directive for all task types is kept. */
export const everyTaskType = '';

/**
 * Directives of one source about a platform, by task type. Sources are kept apart: the strictest order holds, and only the
 * source that gave an order lifts it.
 */
export interface SourceDirectives {
  readonly denied: Set<string>;
  /** Refusals, with whether a trial a day is left. */
  readonly refused: Map<string, { readonly trial: boolean }>;
  /** Ends of suspensions, ms since epoch; `Infinity` until `resume`. */
  readonly suspendedUntil: Map<string, number>;
  readonly removed: Set<string>;
  quarantined: boolean;
}

/** A directive that holds. */
export interface ActiveDirective {
  readonly source: DirectiveSource;
  readonly action: Extract<DirectiveAction, 'deny' | 'refuse' | 'suspend' | 'remove' | 'quarantine'>;
  /** End of a suspension, ms since epoch; `null` without one. */
  readonly untilAt: number | null;
}

/** Returns what a source ordered, to be changed. */
export function ensureDirectives(platform: PlatformState, source: DirectiveSource): SourceDirectives {
  const known = platform.directives.get(source);
  if (known !== undefined) return known;
  const created: SourceDirectives = {
    denied: new Set(),
    refused: new Map(),
    suspendedUntil: new Map(),
    removed: new Set(),
    quarantined: false,
  };
  platform.directives.set(source, created);
  return created;
}

/** Lifts an order for one task type; for every task type it lifts each. */
export function lift(
  orders: { delete(taskType: string): unknown; clear(): void },
  taskType: string | null,
): void {
  if (taskType === null) orders.clear();
  else orders.delete(taskType);
}

/** Tells whether a source denied the platform for a task type. */
export function isDenied(platform: PlatformState | undefined, taskType: string): boolean {
  for (const { denied } of platform?.directives.values() ?? []) {
    if (denied.has(everyTaskType) || denied.has(taskType)) return true;
  }
  return false;
}

/** Tells whether a source removed the platform for a task type. */
export function isRemoved(platform: PlatformState | undefined, taskType: string): boolean {
  for (const { removed } of platform?.directives.values() ?? []) {
    if (removed.has(everyTaskType) || removed.has(taskType)) return true;
  }
  return false;
}

/** Tells whether a source quarantined the platform. */
export function isQuarantined(platform: PlatformState | undefined): boolean {
  for (const { quarantined } of platform?.directives.values() ?? []) if (quarantined) return true;
  return false;
}

/** Returns the latest end of the suspensions that directives ordered, ms since epoch; 0 without one. */
export function suspendedUntil(platform: PlatformState | undefined, taskType: string): number {
  let latest = 0;
  for (const { suspendedUntil: until } of platform?.directives.values() ?? []) {
    latest = Math.max(latest, until.get(everyTaskType) ?? 0, until.get(taskType) ?? 0);
  }
  return latest;
}

/** Returns the refusal that holds for a task type; one without a trial outranks the others. `null` without any. */
export function refusalOf(
  platform: PlatformState | undefined,
  taskType: string,
): { readonly trial: boolean } | null {
  let strictest: { readonly trial: boolean } | null = null;
  for (const { refused } of platform?.directives.values() ?? []) {
    for (const refusal of [refused.get(everyTaskType), refused.get(taskType)]) {
      if (refusal !== undefined && strictest?.trial !== false) strictest = refusal;
    }
  }
  return strictest;
}

/** Returns the platform that is pinned for a task type or for all; an operator's pin outranks that of a policy. */
export function pinnedFor(state: MatrixState, taskType: string): string | null {
  const own = state.tasks.get(taskType)?.pins;
  return (
    own?.get('operator') ??
    state.pinsForAll.get('operator') ??
    own?.get('policy') ??
    state.pinsForAll.get('policy') ??
    null
  );
}

/** Returns the directives that hold for an entry at `now`, those of the operator first. */
export function activeDirectives(state: MatrixState, entry: EntryState, now: number): ActiveDirective[] {
  const active: ActiveDirective[] = [];
  const directives = state.platforms.get(entry.platformId)?.directives;
  for (const source of ['operator', 'policy'] as const) {
    const own = directives?.get(source);
    if (own === undefined) continue;
    const { denied, refused, suspendedUntil: until, removed, quarantined } = own;
    const holds = (orders: { has(taskType: string): boolean }) =>
      orders.has(everyTaskType) || orders.has(entry.taskType);
    const add = (action: ActiveDirective['action'], untilAt: number | null = null) =>
      active.push({ source, action, untilAt });
    if (holds(removed)) add('remove');
    if (quarantined) add('quarantine');
    if (holds(denied)) add('deny');
    if (holds(refused)) add('refuse');
    const end = Math.max(until.get(everyTaskType) ?? 0, until.get(entry.taskType) ?? 0);
    if (end > now) add('suspend', Number.isFinite(end) ? end : null);
  }
  return active;
}
