import type { ValueWrite } from '../store.ts';

/** An erasure. A list stores keyed hashes of the ids, not the ids. */
export interface Erasure {
  /** Scope of the store in a shared database; null when the store is not shared by design. */
  readonly agentId: string | null;
  readonly peerId: string;
  /** The ids outside of the erased messages and outcomes. */
  readonly externalIds: readonly string[];
  /** What was recorded until this time is erased, ms since epoch. */
  readonly at: number;
  /** Calls of `keepValue` to repeat on a restored store, in order: they keep or remove the verdict about the peer. */
  readonly keptValues: readonly { readonly name: string; readonly write: ValueWrite }[];
}

/** A list of erasures outside of the database, so that they can be repeated in a restored backup. */
export interface ErasureLog {
  /** Adds an erasure durably. Called before it happens; when this fails, nothing is erased. */
  add(erasure: Erasure): Promise<void> | void;
}
