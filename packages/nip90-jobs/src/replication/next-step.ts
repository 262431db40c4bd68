import { type Consensus, consensus, type Equivalence, type ReplicationPlan, type Vote } from './consensus.ts';

/**
 * Whether another provider can be asked. `later`: when those who hold the money end without taking it. `never`: nobody is left,
 * or no time, or no money.
 */
export type ReplicaAvailability = 'now' | 'later' | 'never';

/** What to do next about replicated work. */
export type ReplicationStep =
  | { readonly step: 'accept'; readonly agreement: Extract<Consensus, { outcome: 'agreed' }> }
  /** Somebody failed: another provider may take the place. */
  | { readonly step: 'ask' }
  | { readonly step: 'wait' }
  /** Whatever still comes, too few will agree. */
  | { readonly step: 'give-up' };

/**
 * Decides how replicated work goes on (JOB-13). A provider that gave no answer leaves a place free, which is filled as long
 * as that can help; one that answered something else than the others keeps its place, since asking until enough agree
 * would let liars outlast the plan's f. So there are never more votes and open requests than the plan has replicas. Pure.
 */
export function nextReplicationStep(state: {
  readonly plan: ReplicationPlan;
  readonly votes: readonly Vote[];
  /** How many have been asked and not answered. */
  readonly running: number;
  /** How many were told to stop: their places stay empty. */
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
