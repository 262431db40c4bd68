import type { Belief } from '../beliefs/beliefs.ts';
import type { ActivityFacts, PeerFacts } from '../facts/facts.ts';

/** All facts of one cycle. */
export interface CycleFacts {
  readonly cycle: number;
  readonly now: number;
  readonly agentName: string;
  readonly triggers: readonly string[];
  readonly activity: ActivityFacts;
  readonly peers: readonly PeerFacts[];
  readonly beliefs: readonly Belief[];
  readonly soul: string | null;
  readonly previousSummary: string | null;
  /** The newest lessons of earlier cycles. Words of a model: data. */
  readonly lessons: readonly string[];
}
