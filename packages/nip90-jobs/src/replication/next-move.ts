import { type Consensus, consensus, type Equivalence, type ReplicationPlan, type Vote } from './consensus.ts';

/** What to do next about replicated work. */
export type Move =
  | { readonly move: 'accept'; readonly agreement: Extract<Consensus, { outcome: 'agreed' }> }
  /** Somebody failed: another provider may take the place. */
  | { readonly move: 'ask' }
  | { readonly move: 'wait' }
  /** Whatever still comes, too few will agree. */
  | { readonly move: 'give-up' };

/**
 * Decides how replicated work goes on (JOB-13). A provider that gave no answer leaves a place free, which is filled as long
 * as that can help; one that answered something else than the others keeps its place, since asking until enough agree
 * would let liars outlast the plan's f. So there are never more votes and open requests than the plan has replicas. Pure.
 */
export function nextMove(state: {
  readonly plan: ReplicationPlan;
  readonly votes: readonly Vote[];
  /** How many have been asked and not answered. */
  readonly running: number;
  /** How many were told to stop: their places stay empty. */
  readonly cancelled: number;
  /** Somebody is left to be asked, and there is time and money for it. */
  readonly canAsk: boolean;
  readonly isEquivalent?: Equivalence | undefined;
}): Move {
  const { plan, votes, running, cancelled, canAsk, isEquivalent } = state;
  const among = (pending: number): Consensus =>
    consensus(votes, { needed: plan.needed, pending, ...(isEquivalent ? { isEquivalent } : {}) });

  const free = Math.max(0, plan.replicas - votes.length - running - cancelled);
  const best = among(running + free);
  if (best.outcome === 'agreed') return { move: 'accept', agreement: best };
  if (best.outcome === 'impossible') return { move: 'give-up' };
  if (free > 0 && canAsk) return { move: 'ask' };
  return running > 0 && among(running).outcome === 'open' ? { move: 'wait' } : { move: 'give-up' };
}
