/** Who wrote an assessment. */
export type AssessmentSource = 'agent' | 'cortex' | 'operator';

/** A peer as the ledger knows it. Times are ms since epoch. */
export interface LedgerPeer {
  readonly peerId: string;
  readonly alias: string | null;
  readonly channel: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly interactionCount: number;
}

/** One message to or from a peer, with what became of the work it belongs to. */
export interface LedgerInteraction {
  readonly interactionId: string;
  readonly direction: 'in' | 'out';
  readonly content: string;
  /** Length of the original text. */
  readonly contentLength: number;
  /** Ties request, delivery and outcome of one piece of work together. */
  readonly correlationId: string | null;
  /** `requested`, `delivered`, `verified`, `rejected` …; null when nothing was recorded. */
  readonly outcome: string | null;
  readonly metrics: { readonly [name: string]: unknown } | null;
  readonly createdAt: number;
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
  /** 0…10, computed by the ledger for this moment. */
  readonly infoScoreNow: number;
  readonly counts: {
    readonly interactions: number;
    /** Pieces of work that ended well: verified or paid. */
    readonly successes: number;
    /** Pieces of work that ended badly: rejected, disputed or timed out. */
    readonly failures: number;
  };
}

/** One report of what became of a piece of work. */
export interface LedgerOutcome {
  readonly outcome: string;
  readonly createdAt: number;
}

/** One page of a list. */
export interface LedgerPage<Item> {
  readonly items: readonly Item[];
  /** Pass it back to get the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * What the cortex needs of a ledger (CTX-15), and nothing more. It is structural: the `Ledger` of
 * `@bonafide/ledger-core` is one without knowing it, and so is anything else of this shape.
 *
 * The cortex writes through `recordAssessment` alone; `infoScore` is the ledger's business.
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
  /** The newest `limit`, oldest first. */
  getAssessments(peerId: string, query: { readonly limit: number }): Promise<readonly LedgerAssessment[]>;
  /** Newest first. Without it, an outcome that comes after an assessment is new only once a message follows. */
  getOutcomes?(peerId: string, query: { readonly limit: number }): Promise<LedgerPage<LedgerOutcome>>;
  getPeerAssessmentSummary(peerId: string): Promise<LedgerPeerSummary | null>;
  recordAssessment(
    peerId: string,
    trust: number,
    rationale: string,
    options: { readonly source: 'cortex'; readonly assessor?: string },
  ): Promise<LedgerAssessment>;
  /** Takes inline assessment away from the agent while a cortex is attached (LED-18). */
  setAssessor?(assessor: 'agent' | 'cortex'): unknown;
}
