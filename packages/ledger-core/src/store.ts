import type { HookFailures } from './hook-failures.ts';
import type { OverAssessed } from './over-assessment.ts';
import type { Assessment, AssessmentSource, Interaction, OutcomeEvent, Peer, PeerOrder } from './records.ts';

/**
 * Storage of one agent's journal. Each write is atomic, and repeating a write with the same `externalId` has no effect.
 * The ledger has validated, redacted and time-stamped everything before it calls a verb: a store only stores. Implement
 * it over any database and run `testLedgerStore` on it.
 *
 * A server that several agents share gives each agent a store with a separate scope: no verb of one ever returns, counts
 * or changes a row of another.
 *
 * - **Uniqueness.** interactionId, outcomeId, assessmentId and handle are each unique in the store; a write with a taken one
 *   rejects and changes nothing. The externalId of an interaction is unique per peer and direction, that of an outcome per
 *   peer, correlationId and outcome: a peer cannot reserve an id that this agent uses later.
 * - **Comparison.** Ids compare exactly, byte by byte: case, accents and trailing spaces count. Lists order text by its
 *   UTF-8 bytes.
 * - **Lengths.** A peerId has at most 577 bytes, every other id at most 512. Texts have no limit; a store that needs one
 *   rejects longer texts and never truncates.
 * - **Pages.** A list returns exactly as many rows as match, up to `limit`, which is at most 1,001. `after` is a position and
 *   need not be that of a row.
 * - **Durability.** A write that was acknowledged is there after a crash.
 * - **Times** are whole ms since epoch, from 0 to the end of the year 9999.
 */
export interface LedgerStore {
  /** The scope within a shared database; null when the store is not shared by design. */
  readonly agentId: string | null;

  /**
   * Appends a message together with what follows from it, in one transaction: creates the peer on first contact or
   * widens its first and last seen, adds one to its interactionCount, sets its alias when the write brings one and is
   * not older than what is known, and appends the outcome when one comes along. When the peer already has an
   * interaction of the same direction and `externalId` nothing changes, and the earlier id comes back with
   * `recorded: false`.
   */
  recordInteraction(write: InteractionWrite): Promise<RecordedInteraction>;

  /**
   * Appends an outcome with the next `sequence` of its peer, and moves the peer's success, failure and open counts, in one
   * transaction: of one piece of work (peer and correlationId) only the outcome that was appended last counts, whatever
   * times outcomes have. Changes no other count. With `peerId: null` the peer is the one that has interactions of that
   * correlationId.
   */
  recordOutcome(write: OutcomeWrite): Promise<RecordedOutcome>;

  /**
   * Appends an assessment: within one transaction reads the peer, asks `assess` for the row, and inserts it. An
   * operator's assessment becomes the peer's `operatorTrust` until the next violation is appended. Returns the row, or
   * null when the peer is unknown; `assess` is not called then. A store that repeats the transaction calls `assess` again,
   * and inserts the last row. What `assess` throws comes out, and nothing is written.
   */
  recordAssessment(
    peerId: string,
    assess: (peer: Peer, latest: Assessment | null) => Assessment,
  ): Promise<Assessment | null>;

  /**
   * Voids an interaction, in one transaction: marks the row, and computes the peer's counts and times again from the rows
   * that are not voided. An outcome counts unless its work has interactions and all of them are voided. While every
   * interaction of a peer is voided, its first and last seen are the time of the newest one. The result does not depend on
   * the order of writes. Voiding a voided row changes nothing; rows of an erased peer are unknown.
   */
  voidInteraction(write: VoidWrite): Promise<VoidedInteraction>;

  /**
   * Erases a peer, in one transaction: its rows move to a new peer `tombstone` on channel `erased`, without alias, text,
   * evidence, metrics and externalIds; correlationIds become ids of the store, so that counts stay as they are, and
   * rationales and reasons of voided rows become `[erased]`. Times and scores stay. With `until`, only rows that were recorded until then move
   * (`receivedAt`, and `createdAt` of assessments), and the counts of both peers are computed again; the peer keeps its
   * alias when it keeps interactions. Returns the number of interactions that moved, or null for an unknown peer; when no
   * row moves, nothing changes.
   */
  forgetPeer(write: ForgetWrite): Promise<number | null>;

  /**
   * Says where erased and pruned text stays, and how the operator removes it. Optional: absent or null when nothing stays in the
   * files of the store.
   */
  readonly erasedTextStays?: string | null;

  /** One peer with its latest assessment (by time, then by id), or null. */
  getPeer(peerId: string): Promise<StoredPeer | null>;

  /** Peers that match every given condition, highest `orderBy` first and then by peerId descending. */
  listPeers(query: PeerQuery): Promise<readonly StoredPeer[]>;

  /** A peer's interactions by time and then by id, each with the last outcome of its piece of work. */
  listInteractions(query: HistoryQuery): Promise<readonly Interaction[]>;

  /**
   * Lists messages that contain every word, newest first by time and then by id, without voided ones. Words are compared
   * without case. Optional: without it, the ledger refuses searches.
   */
  searchInteractions?(query: SearchQuery): Promise<readonly Interaction[]>;

  /** A peer's outcome events by time and then by id: all of them, or those that `only` names. */
  listOutcomes(query: OutcomeQuery): Promise<readonly OutcomeEvent[]>;

  /** Assessments by time and then by id: of one peer, or of all when `peerId` is null; of one source, or of all. */
  listAssessments(query: AssessmentQuery): Promise<readonly Assessment[]>;

  /**
   * Reads a small named value of the ledger, and writes it with `write`: replaces it, removes it (null), or keeps the first
   * one. Atomic, so that two processes that offer a first value at the same time get the same one. Returns the value that
   * is stored afterwards, or null.
   */
  keepValue(name: string, write?: ValueWrite): Promise<string | null>;

  /** Counts over the whole journal. */
  getTotals(): Promise<LedgerTotals>;

  /**
   * Lists peers that agent and cortex have assessed more often than new facts justify since `since`, most assessments
   * first, then by peerId. Optional: the ledger reads the rows and decides itself without it, which takes a query per
   * peer.
   */
  listOverAssessed?(since: number): Promise<readonly OverAssessed[]>;

  /**
   * Permanently removes text and evidence of every interaction before `before` (ms since epoch) and marks it as pruned.
   * Changes nothing else, and repeating it has no effect. May work in several transactions. Returns the number of
   * interactions whose text this call removed.
   */
  prune(before: number): Promise<number>;

  /**
   * Adds failures to the counts of each hook; the later of two is the last failure. Optional together with
   * `listHookFailures`: without them, failures are forgotten when the process ends.
   */
  addHookFailures?(failures: readonly HookFailures[]): Promise<void>;

  /** Lists the failures of every hook, ordered by name. */
  listHookFailures?(): Promise<readonly HookFailures[]>;
}

/** A peer and its newest assessment. */
export interface StoredPeer {
  readonly peer: Peer;
  readonly latest: Assessment | null;
}

/** A message to append. */
export interface InteractionWrite {
  /** The handle is used for a new peer only; that of a known peer never changes. */
  readonly peer: Pick<Peer, 'peerId' | 'nativeId' | 'handle' | 'channel' | 'alias'>;
  readonly interaction: Omit<Interaction, 'peerId' | 'channel' | 'outcome' | 'pruned' | 'voided'>;
  /** An outcome that the message itself brings. */
  readonly outcome: Omit<OutcomeEvent, 'peerId' | 'sequence'> | null;
}

/** Result of `recordInteraction`. */
export interface RecordedInteraction {
  readonly interactionId: string;
  /** False when the same `externalId` was there before. */
  readonly recorded: boolean;
}

/** An interaction to void. */
export interface VoidWrite {
  readonly interactionId: string;
  readonly reason: string;
  /** Time of the correction, ms since epoch. */
  readonly at: number;
}

/** A peer to erase. */
export interface ForgetWrite {
  readonly peerId: string;
  /** The anonymous peer that gets the rows. */
  readonly tombstone: Pick<Peer, 'peerId' | 'handle'>;
  /** Only what was recorded until this time, ms since epoch; null: everything. */
  readonly until: number | null;
}

/** A named value to write. */
export type ValueWrite =
  /** Stored unless there is a value of this name. */
  | { readonly first: string }
  /** Stored in any case; null removes the value. */
  | { readonly replace: string | null };

/** Result of `voidInteraction`. */
export type VoidedInteraction =
  | { readonly kind: 'voided' | 'repeated'; readonly peerId: string }
  | { readonly kind: 'unknown' };

/** An outcome to append. */
export interface OutcomeWrite extends Omit<OutcomeEvent, 'peerId' | 'sequence'> {
  /** Null: the peer that has interactions of this correlationId. */
  readonly peerId: string | null;
}

/** Result of `recordOutcome`. */
export type RecordedOutcome =
  | { readonly kind: 'recorded'; readonly event: OutcomeEvent }
  /** The peer had this outcome of the same work and `externalId`; this is that one, and nothing changed. */
  | { readonly kind: 'repeated'; readonly event: OutcomeEvent }
  /** No peer has interactions of this correlationId, or the named peer is unknown. */
  | { readonly kind: 'unknown' }
  /** Several peers have interactions of this correlationId: name one. */
  | { readonly kind: 'ambiguous'; readonly peerIds: readonly string[] };

/** A place in a list: the ordering value of the last item seen, and its id. */
export interface Position {
  readonly value: number;
  readonly id: string;
}

/** Conditions and order of `listPeers`. */
export interface PeerQuery {
  readonly orderBy: PeerOrder;
  /** Maximum number of rows, ≥ 1. */
  readonly limit: number;
  /** Only peers that come strictly after this place in the order. */
  readonly after?: Position | undefined;
  /** Only the peer with this handle, exactly. */
  readonly handle?: string | undefined;
  /** Only peers whose peerId begins so, exactly. */
  readonly peerIdPrefix?: string | undefined;
  /** Only peers whose latest trust is below this. */
  readonly trustBelow?: number | undefined;
}

/** Order and position of a peer's rows. */
export interface HistoryQuery {
  readonly peerId: string;
  /** `newest` first or `oldest` first. */
  readonly order: 'newest' | 'oldest';
  /** Maximum number of rows, ≥ 1. */
  readonly limit: number;
  /** Only rows that come strictly after this place in the given order; `value` is createdAt. */
  readonly after?: Position | undefined;
}

/** Words and position of a search. */
export interface SearchQuery {
  /** At least one word. */
  readonly words: readonly string[];
  /** Null: messages of every peer. */
  readonly peerId: string | null;
  /** Maximum number of rows, ≥ 1. */
  readonly limit: number;
  /** Only rows strictly after this position; `value` is createdAt. */
  readonly after?: Position | undefined;
}

/** Order and position of assessments. */
export interface AssessmentQuery extends Omit<HistoryQuery, 'peerId'> {
  /** Null: those of every peer. */
  readonly peerId: string | null;
  /** Only assessments of this source. */
  readonly source?: AssessmentSource | undefined;
}

/** Order and position of outcomes. */
export interface OutcomeQuery extends HistoryQuery {
  /**
   * `counted`: only outcomes that count: those of a work that has interactions, all of them voided, do not. `finished`: of
   * these, only successes and failures.
   */
  readonly only?: 'counted' | 'finished' | undefined;
}

/** Counts over a whole journal. */
export interface LedgerTotals {
  readonly peers: number;
  readonly interactions: number;
  readonly assessments: number;
  /** Those of them with trust above 0. */
  readonly positiveAssessments: number;
  /** Number of peers per latest trust, lowest first; only values that occur. */
  readonly trustDistribution: readonly { readonly trust: number; readonly peers: number }[];
}
