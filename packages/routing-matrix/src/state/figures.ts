import { configuredThreshold } from '../config.ts';
import { currentThreshold } from '../mutation/thresholds.ts';
import { ownValue } from '../statistics/numbers.ts';
import type { EntryState, MatrixState, PlatformState } from './state.ts';

/** Returns the trust that a platform needs for production work of this type. */
export function thresholdOf(state: MatrixState, taskType: string): number {
  return currentThreshold(state.mutations, taskType, configuredThreshold(state.config, taskType));
}

/** Returns the largest number of open jobs of a platform; `null` without a limit. */
export function parallelismLimit(state: MatrixState, id: string): number | null {
  const limits = state.mutations.variables.PARALLELISM_LIMIT;
  const own = limits?.byPlatform === undefined ? undefined : ownValue(limits.byPlatform, id);
  return own ?? limits?.platform ?? state.config.maxInFlight;
}

/** Number of valued jobs from which the usual value of a task type is known. */
const valuedJobs = 20;

/**
 * Returns the value up to which a platform may be tried that has not earned production work, msat; `null`: any. A
 * strategy that judges candidates also tries them with the jobs that are small for this customer.
 */
export function trialCapMsat(state: MatrixState, taskType: string, judgesCandidates: boolean): number | null {
  const cap = state.config.exposureCapMsat;
  const usual = state.tasks.get(taskType)?.usualValue;
  if (cap === null || !judgesCandidates || usual === undefined || usual.count < valuedJobs) return cap;
  return Math.max(cap, usual.value ?? 0);
}

/** Returns the number of production outcomes that count for or against the platform. */
export function productionOutcomes(entry: EntryState): number {
  const { SUCCESS, PARTIAL, FAILURE, ERROR, SECURITY_VIOLATION } = entry.outcomes;
  return SUCCESS + PARTIAL + FAILURE + ERROR + SECURITY_VIOLATION;
}

/** Returns the number of open jobs of a platform at `now`. */
export function inFlight({ config }: MatrixState, platform: PlatformState | undefined, now: number): number {
  const open = platform?.openJobs;
  if (open === undefined || open.size === 0) return 0;
  // In the order of their start: only the oldest can be too old.
  let old = 0;
  for (const { at } of open.values()) {
    if (at > now - config.inFlightTtlMs) break;
    old += 1;
  }
  return open.size - old;
}

/**
 * Returns the value of the open jobs of an operator for which its services are on trial, msat: all services together, because
 * another one costs an operator nothing.
 */
export function trialExposureMsat(state: MatrixState, pubkey: string, now: number): number {
  let sum = 0;
  for (const id of state.services.get(pubkey) ?? []) {
    for (const { at, taskType, valueMsat } of state.platforms.get(id)?.openJobs.values() ?? []) {
      if (at <= now - state.config.inFlightTtlMs) continue;
      const trust = state.entries.get(taskType)?.get(id)?.trust ?? 0;
      if (trust < thresholdOf(state, taskType)) sum += valueMsat ?? 0;
    }
  }
  return sum;
}
