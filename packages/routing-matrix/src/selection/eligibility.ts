import { allocationOf, lifecycleAt } from '../lifecycle/stage.ts';
import type { ExclusionReason } from '../records.ts';
import { minimumTrust } from '../scoring/tiers.ts';
import { isDenied, isQuarantined, refusalOf, suspendedUntil } from '../state/directives.ts';
import { inFlight, parallelismLimit, trialExposureMsat } from '../state/figures.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import type { Member } from './members.ts';

/** Eligibility of a platform for a job, with the reason. */
export type Eligibility =
  | { readonly eligible: true; readonly explorationOnly: boolean; readonly allocation: number }
  | {
      readonly eligible: false;
      readonly reason: ExclusionReason;
      /** End of a suspension, ms since epoch. */
      readonly returnsAt?: number;
    };

/** Requirements of a job. */
export interface EligibilityQuery {
  readonly now: number;
  /** Value of the job, msat; `null` when unknown. */
  readonly valueMsat: number | null;
  /** Trust that the task type asks for. */
  readonly threshold: number;
  /** Value up to which platforms may be tried that have not earned production work, msat; `null`: any. */
  readonly trialCapMsat: number | null;
  /** Platforms that the caller excludes. */
  readonly exclude: ReadonlySet<string>;
  /** The pinned platform. A pin overrides the threshold, but no other rule. */
  readonly pinned: string | null;
  /** The strategy judges platforms by its own evidence once there is enough of it. */
  readonly judgesCandidates: boolean;
  /** True for the choice among platforms that are all suspended. @default false */
  readonly ignoreSuspensions?: boolean;
}

/** Number of production outcomes from which a strategy may judge a platform by its own evidence. */
const ownEvidence = 10;
/** Time between two trials of a platform that gets no other work. */
const trialIntervalMs = 86_400_000;

const usual: Eligibility = Object.freeze({ eligible: true, explorationOnly: false, allocation: 1 });
const eligible = (explorationOnly: boolean, allocation: number): Eligibility =>
  !explorationOnly && allocation === 1 ? usual : { eligible: true, explorationOnly, allocation };
const out = (reason: ExclusionReason): Eligibility => ({ eligible: false, reason });

/** Decides whether a platform is eligible for a job; the result names the first rule that excludes it. */
export function eligibilityOf(
  state: MatrixState,
  { entry, platform }: Member,
  query: EligibilityQuery,
): Eligibility {
  const { taskType } = entry;
  if (query.exclude.size > 0 && query.exclude.has(entry.platformId)) return out('excluded');
  if (entry.status === 'BLACKLISTED') return out('blacklisted');
  // Most platforms have no directives.
  const directed = platform.directives.size > 0;
  if (directed && isDenied(platform, taskType)) return out('denied');
  if (directed && isQuarantined(platform)) return out('quarantined');
  const ordered = directed ? suspendedUntil(platform, taskType) : 0;
  const { allocation, returnsAt, removed } = allocationFor(state, entry, ordered, query.now);
  if (removed) return out('removed');
  if (returnsAt > query.now && query.ignoreSuspensions !== true) {
    return { eligible: false, reason: 'suspended', returnsAt };
  }
  const refusal = directed ? refusalOf(platform, taskType) : null;
  if (refusal?.trial === false) return out('refused');
  if (entry.status === 'REJECTED') {
    return out((entry.cooldownUntilAt ?? 0) > query.now ? 'cooling' : 'rejected');
  }
  if (entry.trust === null) return out('unqualified');
  const limit = parallelismLimit(state, entry.platformId);
  if (limit !== null && inFlight(state, platform, query.now) >= limit) return out('at-capacity');
  const { threshold, trialCapMsat: cap } = query;
  const small = cap === null || (query.valueMsat !== null && query.valueMsat <= cap);
  if (refusal !== null) {
    return small && hasRested(state, entry, query) ? trial(state, entry, query, allocation) : out('refused');
  }

  if (query.judgesCandidates && platform.judged >= ownEvidence) {
    return eligible(entry.trust < threshold, allocation);
  }
  if (entry.trust < minimumTrust) {
    // A few early failures do not exclude a platform for ever: it keeps one small trial a day.
    return query.judgesCandidates && small && hasRested(state, entry, query)
      ? trial(state, entry, query, allocation)
      : out('below-minimum');
  }
  if (entry.trust >= threshold || query.pinned === entry.platformId) {
    return eligible(false, allocation);
  }
  return small ? trial(state, entry, query, allocation) : out('below-threshold');
}

const hasRested = (state: MatrixState, entry: EntryState, { now }: EligibilityQuery) =>
  now >= lastJobAt(state, entry) + trialIntervalMs;

/** Admits a platform to a trial while the open trials of its operator leave room for it. */
function trial(
  state: MatrixState,
  { platform }: EntryState,
  { trialCapMsat: cap, valueMsat, now }: EligibilityQuery,
  allocation: number,
): Eligibility {
  const fits = cap === null || trialExposureMsat(state, platform.pubkey, now) + (valueMsat ?? 0) <= cap;
  return fits ? eligible(true, allocation) : out('over-exposure');
}

const unrestricted = Object.freeze({ allocation: 1, returnsAt: 0, removed: false });

/** Returns the share of its normal work that a platform gets, and the end of its suspension, also of an ordered one. */
function allocationFor(
  state: MatrixState,
  entry: EntryState,
  ordered: number,
  now: number,
): { readonly allocation: number; readonly returnsAt: number; readonly removed: boolean } {
  if (entry.lifecycle.stage === 'normal') {
    return ordered === 0 ? unrestricted : { allocation: 1, returnsAt: ordered, removed: false };
  }
  const life = lifecycleAt(entry.lifecycle, now, state.config.lifecycle);
  const own = life.stage === 'suspended' ? (life.untilAt ?? Number.POSITIVE_INFINITY) : 0;
  return {
    allocation: allocationOf(life),
    returnsAt: Math.max(ordered, own),
    removed: life.stage === 'removed',
  };
}

/** Returns the time of the last work of a platform, or of the last job that its operator got. */
function lastJobAt(state: MatrixState, { lastVerifiedAt, platform }: EntryState): number {
  let latest = lastVerifiedAt ?? 0;
  for (const id of state.services.get(platform.pubkey) ?? []) {
    latest = Math.max(latest, state.platforms.get(id)?.lastPickedAt ?? 0);
  }
  return latest;
}
