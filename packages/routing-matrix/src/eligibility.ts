import { isDenied, isSuspended, thresholdOf } from './entry.ts';
import type { ExclusionReason } from './records.ts';
import type { EntryState, MatrixState } from './state.ts';
import { minimumTrust } from './tiers.ts';

/** Eligibility of a platform for a job, with the reason. */
export type Eligibility =
  | { readonly eligible: true; readonly explorationOnly: boolean }
  | { readonly eligible: false; readonly reason: ExclusionReason };

/** Requirements of a job. */
export interface EligibilityQuery {
  readonly now: number;
  /** Value of the job, msat; `null` when unknown. */
  readonly valueMsat: number | null;
  /** Platforms that the caller excludes. */
  readonly exclude: ReadonlySet<string>;
  /** The pinned platform. A pin overrides the threshold, but no other rule. */
  readonly pinned: string | null;
}

const out = (reason: ExclusionReason): Eligibility => ({ eligible: false, reason });

/** Decides whether a platform is eligible for a job; the result names the first rule that excludes it. */
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
