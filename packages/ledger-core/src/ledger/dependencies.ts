import type { Emitter } from '@bonafide/internal';
import type { LedgerEvents } from '../events.ts';
import type { LedgerStore } from '../store.ts';
import type { ResolvedConfig } from './config.ts';
import type { ErasureLog } from './erasure-log.ts';
import type { Handles } from './handles.ts';

/** Dependencies of the ledger's operations. */
export interface LedgerDependencies {
  readonly store: LedgerStore;
  readonly config: ResolvedConfig;
  /** Returns the current time in whole ms since epoch, ≥ 0. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly handles: Handles;
  readonly erasures: ErasureLog | null;
  readonly emit: Emitter<LedgerEvents>['emit'];
  /** Throws `CLOSED` after `close()`. */
  readonly ensureOpen: () => void;
}
