export { type Consensus, canonicalContent, consensus, type Equivalence, type Vote } from '@bonafide/internal';

/** Importance of a piece of work; selects a {@link ReplicationPlan}. */
export type Criticality = 'low' | 'medium' | 'high' | 'critical';

/** Number of replicas, and number of them that must agree. */
export interface ReplicationPlan {
  readonly replicas: number;
  readonly needed: number;
}

/**
 * The plan per criticality. low: one replica; medium: two, the first success counts; high: three with a
 * majority; critical: 2f + 1 = 5 with f = 2, so that three must agree and two may collude.
 */
export const REPLICATION_PLANS: Readonly<Record<Criticality, ReplicationPlan>> = {
  low: { replicas: 1, needed: 1 },
  medium: { replicas: 2, needed: 1 },
  high: { replicas: 3, needed: 2 },
  critical: { replicas: 5, needed: 3 },
};
