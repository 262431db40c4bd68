import { isDenied, isSuspended, platformOutcomes, thresholdOf, trialCapMsat } from './entry.ts';
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
  /** The strategy judges platforms by its own evidence once there is enough of it. */
  readonly judgesCandidates: boolean;
}

/** Number of production outcomes from which a strategy may judge a platform by its own evidence. */
const ownEvidence = 10;
const trialIntervalMs = 86_400_000;

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
  const threshold = thresholdOf(state, entry.taskType);
  if (query.judgesCandidates && platformOutcomes(state, entry.platformId) >= ownEvidence) {
    return { eligible: true, explorationOnly: entry.trust < threshold };
  }
  if (entry.trust >= threshold || query.pinned === entry.platformId) {
    if (entry.trust < minimumTrust) return out('below-minimum');
    return { eligible: true, explorationOnly: false };
  }
  const cap = trialCapMsat(state, entry.taskType, query.judgesCandidates);
  const exposed = cap !== null && (query.valueMsat === null || query.valueMsat > cap);
  if (entry.trust < minimumTrust) {
    // A few early failures do not exclude a platform for ever: it keeps one small trial a day.
    const restedAt = lastJobAt(state, entry) + trialIntervalMs;
    const trial = query.judgesCandidates && !exposed && query.now >= restedAt;
    return trial ? { eligible: true, explorationOnly: true } : out('below-minimum');
  }
  return exposed ? out('below-threshold') : { eligible: true, explorationOnly: true };
}

const lastJobAt = (state: MatrixState, entry: EntryState) =>
  Math.max(entry.lastVerifiedAt ?? 0, state.platforms.get(entry.platformId)?.lastPickedAt ?? 0);
