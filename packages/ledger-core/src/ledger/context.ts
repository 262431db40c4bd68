import type { Emitter } from '@bonafide/internal';
import type { AssessmentSource, Direction } from '../records.ts';
import type { LedgerStore } from '../store.ts';
import type { ResolvedConfig } from './config.ts';

/** What the parts of a ledger work with. */
export interface LedgerContext {
  readonly store: LedgerStore;
  readonly config: ResolvedConfig;
  /** Time now, in whole ms since epoch, never negative. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: Emitter<LedgerEvents>['emit'];
  /** Throws `LEDGER_CLOSED` after `close()`. */
  readonly ensureOpen: () => void;
}

/** Who gives assessments in the agent's own loop (LED-18): the agent itself, or the cortex attached to it. */
export type Assessor = 'agent' | 'cortex';

/** What a ledger tells its listeners (LED-10). */
export interface LedgerEvents {
  /** A message was recorded. A repeated one is not announced. */
  readonly afterRecord: {
    readonly peerId: string;
    readonly direction: Direction;
    readonly interactionId: string;
  };
  /** An assessment was recorded, whoever made it. */
  readonly afterAssess: {
    readonly peerId: string;
    readonly infoScore: number;
    readonly trust: number;
    readonly rationale: string;
    readonly assessmentId: string;
    readonly source: AssessmentSource;
  };
  /** The tools on offer have changed, because somebody else assesses now. */
  readonly afterAssessorChange: { readonly assessor: Assessor };
}
