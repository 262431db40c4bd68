import type { ExtendedMutations } from './extended.ts';

/** Recommended handling of a proposal. */
export type RecommendedAction = 'AUTO_MERGE' | 'REVIEW' | 'ALERT';

/** Logical time of a proposal: a counter per agent. */
export type VectorClock = Readonly<Record<string, number>>;

/** Proposed configuration. Frozen. */
export interface MutationProposal {
  /** All thresholds, with the new one. */
  readonly newThresholds: Readonly<Record<string, number>>;
  readonly extendedMutations: ExtendedMutations;
  /** Posterior probability that the success rate lies on the side of the move, 0..1. */
  readonly confidence: number;
  /** Human-readable reasons, one a line, sorted. */
  readonly rationale: string;
  readonly recommendedAction: RecommendedAction;
  /** Task types whose raw threshold fell to the floor: suspend the platform there. */
  readonly suspend: readonly string[];
  readonly clock: VectorClock;
}
