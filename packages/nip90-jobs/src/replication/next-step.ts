import { type Consensus, consensus, type Equivalence, type ReplicationPlan, type Vote } from './consensus.ts';

/**
 * Availability of another provider. `later`: when open jobs release their budget. `never`: no candidate, time
 * or budget is left.
 */
export type ReplicaAvailability = 'now' | 'later' | 'never';

/** The next step of replicated work. */
export type ReplicationStep =
  | { readonly step: 'accept'; readonly agreement: Extract<Consensus, { outcome: 'agreed' }> }
  /** A replica failed: ask another provider. */
  | { readonly step: 'ask' }
  | { readonly step: 'wait' }
  /** Pending answers cannot reach the quorum. */
  | { readonly step: 'give-up' };

/**
 * Decides the next step of replicated work. A provider without an answer frees its slot, which is refilled
 * while that can help. A provider that dissents keeps its slot, since asking until enough agree would let
 * liars exceed the plan's f. Votes and open requests never exceed the plan's replicas. Pure.
 */
export function nextReplicationStep(state: {
  readonly plan: ReplicationPlan;
  readonly votes: readonly Vote[];
  /** Number of replicas without an answer. */
  readonly running: number;
  /** Number of cancelled replicas; their slots stay empty. */
  readonly cancelled: number;
  readonly availability: ReplicaAvailability;
  readonly isEquivalent?: Equivalence | undefined;
}): ReplicationStep {
  const { plan, votes, running, cancelled, availability, isEquivalent } = state;
  const among = (pending: number): Consensus =>
    consensus(votes, { needed: plan.needed, pending, ...(isEquivalent ? { isEquivalent } : {}) });

  const free = Math.max(0, plan.replicas - votes.length - running - cancelled);
  const best = among(running + free);
  if (best.outcome === 'agreed') return { step: 'accept', agreement: best };
  if (best.outcome === 'impossible') return { step: 'give-up' };
  if (free > 0 && availability === 'now') return { step: 'ask' };
  const isOpen = availability === 'later' || among(running).outcome === 'open';
  return { step: running > 0 && isOpen ? 'wait' : 'give-up' };
}
