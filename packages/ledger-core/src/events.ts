import type { EventNames } from '@bonafide/internal';
import type { AssessmentSource, Direction } from './records.ts';

/** Gives assessments in the agent's loop: the agent itself, or the cortex that is attached to it. */
export type Assessor = 'agent' | 'cortex';

/** Events of a ledger by name. */
export interface LedgerEvents {
  /** A message was recorded. A duplicate emits no event. */
  readonly afterRecord: {
    readonly peerId: string;
    readonly direction: Direction;
    readonly interactionId: string;
  };
  /** The claimed time of a message or an outcome was out of range. Times in ms since epoch. */
  readonly afterClamp: {
    readonly peerId: string;
    /** Null when it was the time of an outcome. */
    readonly interactionId: string | null;
    /** Set when it was the time of an outcome. */
    readonly outcomeId?: string;
    readonly claimedAt: number;
    /** The time that was recorded. */
    readonly createdAt: number;
  };
  /** A peer was erased. The id is passed so that the host can erase what it keeps elsewhere; do not store it. */
  readonly afterForget: { readonly peerId: string; readonly tombstoneId: string };
  /** An assessment was recorded, by any source. */
  readonly afterAssess: {
    readonly peerId: string;
    readonly infoScore: number;
    readonly trust: number;
    readonly rationale: string;
    readonly assessmentId: string;
    readonly source: AssessmentSource;
  };
  /** The list of available tools changed because the assessor changed. */
  readonly afterAssessorChange: { readonly assessor: Assessor };
}

/** Names of the events. */
export const ledgerEventNames: EventNames<LedgerEvents> = {
  afterRecord: true,
  afterClamp: true,
  afterForget: true,
  afterAssess: true,
  afterAssessorChange: true,
};
