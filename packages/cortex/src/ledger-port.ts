/** Author of an assessment. */
export type AssessmentSource = 'agent' | 'cortex' | 'operator';

/** A peer of the ledger. Times are in ms since epoch. */
export interface LedgerPeer {
  readonly peerId: string;
  /** Short name under which the ledger shows the peer, and which it resolves. Default: `peerId`. */
  readonly handle?: string;
  readonly alias: string | null;
  readonly channel: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly interactionCount: number;
  /** Works that ended well and badly, where the ledger counts them: whether the peer is known before the first cycle. */
  readonly successCount?: number;
  readonly failureCount?: number;
}

/** One message to or from a peer, with the outcome of its work. */
export interface LedgerInteraction {
  readonly interactionId: string;
  readonly direction: 'in' | 'out';
  readonly content: string;
  /** Length of the original text. */
  readonly contentLength: number;
  /** Links request, delivery and outcome of one piece of work. */
  readonly correlationId: string | null;
  /** `requested`, `delivered`, `verified`, `rejected` …; null without a recorded outcome. */
  readonly outcome: string | null;
  readonly metrics: { readonly [name: string]: unknown } | null;
  readonly createdAt: number;
  /** Set when the operator voided the row, which then counts nowhere. */
  readonly voided?: object | null;
}

/** One judgment about one peer. `trust` −10…+10, `infoScore` 0…10. */
export interface LedgerAssessment {
  readonly assessmentId: string;
  readonly peerId: string;
  readonly infoScore: number;
  readonly trust: number;
  readonly rationale: string;
  readonly source: AssessmentSource;
  readonly createdAt: number;
}

/** The part of the ledger's summary of a peer that a reflection needs. */
export interface LedgerPeerSummary {
  /** Current infoScore of the ledger, 0…10. */
  readonly infoScoreNow: number;
  readonly counts: {
    readonly interactions: number;
    /** Number of works that were verified or paid. */
    readonly successes: number;
    /** Number of works that were rejected, disputed or timed out. */
    readonly failures: number;
  };
  /** The latest attack; `lifted` once the operator has assessed the peer above −3 since then. Null without one. */
  readonly violation?: { readonly at: number; readonly lifted: boolean } | null;
}

/** One recorded outcome of a piece of work. */
export interface LedgerOutcome {
  /** Names the piece of work. Its last outcome counts. */
  readonly correlationId: string;
  readonly outcome: string;
  readonly createdAt: number;
  /** Position in the order of receipt, which decides which outcome is the last one. Default: order of time. */
  readonly sequence?: number;
}

/** A reason to suspect that a peer built trust in order to exploit it. */
export interface LedgerAlarm {
  /** Only `size-jump` is used: other kinds rest on trust scores, which a manipulated model may have written. */
  readonly kind: string;
  /** Time of the observation that raised it, ms since epoch. */
  readonly at: number;
  /** Human-readable comparison with its numbers. */
  readonly finding: string;
}

/** One page of a list. */
export interface LedgerPage<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * The part of a ledger that the cortex uses. The interface is structural: `Ledger` of `@bonafide/ledger-core`
 * satisfies it.
 *
 * The cortex writes through `recordAssessment` only; the ledger computes `infoScore`.
 */
export interface LedgerPort {
  getPeer(peerId: string): Promise<LedgerPeer | null>;
  /** Most recently seen first. */
  listPeers(query: {
    readonly limit: number;
    readonly cursor?: string;
    readonly orderBy: 'lastSeenAt';
  }): Promise<LedgerPage<LedgerPeer>>;
  /** Newest first. */
  getInteractions(
    peerId: string,
    query: { readonly limit: number; readonly cursor?: string },
  ): Promise<LedgerPage<LedgerInteraction>>;
  /** The newest `limit`, oldest first; with `source` only those of this author. */
  getAssessments(
    peerId: string,
    query: { readonly limit: number; readonly source?: AssessmentSource },
  ): Promise<readonly LedgerAssessment[]>;
  /**
   * Returns outcomes, newest first. With `only: 'finished'` these are successes and failures of works that the operator has
   * not voided. Without this method the cortex reads the outcomes from the messages, and an outcome after an assessment
   * counts as new with the next message.
   */
  getOutcomes?(
    peerId: string,
    query: { readonly limit: number; readonly cursor?: string; readonly only?: 'finished' },
  ): Promise<LedgerPage<LedgerOutcome>>;
  /** Detects suspicious jumps in the size of a peer's requests. Without this method no alarm is ever raised. */
  getTrajectory?(peerId: string): Promise<{ readonly alarms: readonly LedgerAlarm[] } | null>;
  getPeerAssessmentSummary(peerId: string): Promise<LedgerPeerSummary | null>;
  recordAssessment(
    peerId: string,
    trust: number,
    rationale: string,
    options: { readonly source: 'cortex' | 'operator'; readonly assessor?: string },
  ): Promise<LedgerAssessment>;
  /** Disables inline assessment by the agent while a cortex is attached. */
  setAssessor?(assessor: 'agent' | 'cortex'): unknown;
}
