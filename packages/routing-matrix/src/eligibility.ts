import { isDenied, isSuspended, thresholdOf } from './entry.ts';
import type { ExclusionReason } from './records.ts';
import type { EntryState, MatrixState } from './state.ts';
import { minimumTrust } from './tiers.ts';

/** Whether a platform may be given a job, and how. */
export type Eligibility =
  | { readonly eligible: true; readonly explorationOnly: boolean }
  | { readonly eligible: false; readonly reason: ExclusionReason };

/** What a job asks of a platform. */
export interface EligibilityQuery {
  readonly now: number;
  /** What the job is worth, msat; `null` when the caller did not say. */
  readonly valueMsat: number | null;
  /** Platforms that the caller does not want. */
  readonly exclude: ReadonlySet<string>;
  /** The pinned platform: the operator's word stands above the threshold, not above the other rules. */
  readonly pinned: string | null;
}

const out = (reason: ExclusionReason): Eligibility => ({ eligible: false, reason });

/** May this platform be given this job (RTM-6, RTM-8)? The first reason against it is the one that is named. */
export function eligibilityOf(state: MatrixState, entry: EntryState, query: EligibilityQuery): Eligibility {
  if (query.exclude.has(entry.platformId)) return out('excluded');
  if (entry.status === 'BLACKLISTED') return out('blacklisted');
  if (isDenied(state, entry)) return out('denied');
  if (isSuspended(state, entry, query.now)) return out('suspended');
  if (entry.status === 'REJECTED') {
    return out((entry.cooldownUntilAt ?? 0) > query.now ? 'cooling' : 'rejected');
  }
  if (entry.trust === null) return out('unqualified');
  if (entry.trust < minimumTrust) return out('below-minimum');
  if (entry.trust >= thresholdOf(state, entry.taskType) || query.pinned === entry.platformId) {
    return { eligible: true, explorationOnly: false };
  }
  const cap = state.config.exposureCapMsat;
  const exposed = cap !== null && (query.valueMsat === null || query.valueMsat > cap);
  return exposed ? out('below-threshold') : { eligible: true, explorationOnly: true };
}
