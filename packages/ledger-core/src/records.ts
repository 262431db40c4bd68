import type { OverAssessed } from './over-assessment.ts';

/** Direction of a message: `in` from the peer to this agent, `out` from this agent to the peer. */
export type Direction = 'in' | 'out';

/**
 * Outcome of one piece of work. `paid` and `verified` count as success; `rejected`, `timeout`, `disputed` and `violation`
 * (an attack) as failure; the others are intermediate steps.
 */
export type Outcome =
  | 'requested'
  | 'accepted'
  | 'declined'
  | 'delivered'
  | 'paid'
  | 'verified'
  | 'rejected'
  | 'disputed'
  | 'timeout'
  | 'violation';

/** Effect of an outcome on the peer's success rate; `open` means that the final outcome is still missing. */
export type OutcomeResult = 'success' | 'failure' | 'open';

/**
 * The author of a trust score: the agent in its loop, the cortex in its reflection, or the human operator.
 */
export type AssessmentSource = 'agent' | 'cortex' | 'operator';

/** Measurements of a message or an outcome. Further keys are kept. */
export interface Metrics {
  /** Milliseconds from asking to answer, ≥ 0. */
  readonly latencyMs?: number | undefined;
  /** Cost in millisatoshi, an integer ≥ 0. */
  readonly costMsat?: number | undefined;
  /** A score of the result, in the range that its judge uses. */
  readonly score?: number | undefined;
  readonly [key: string]: number | string | boolean | null | undefined;
}

/** A peer that this agent has interacted with. All fields are this agent's own observations. */
export interface Peer {
  /**
   * The ledger's id of the peer: a Nostr public key as 64 lower-case hex digits, and `channel:id` on every
   * other channel, so that no peer can take over the history of another channel by choosing a name.
   */
  readonly peerId: string;
  /** The peer's id as its channel writes it. On Nostr the same as `peerId`. */
  readonly nativeId: string;
  readonly channel: string;
  /**
   * The short name under which prompts, tools and the CLI show the peer. Unique in the ledger and constant. Either the
   * `peerId`, where that is short and free of markup, or `p-` and at least 8 base32 characters of a keyed hash.
   */
  readonly handle: string;
  /** The name that the peer gives itself. Written by the peer: sanitize it before display. */
  readonly alias: string | null;
  /** Time of the earliest interaction, ms since epoch. */
  readonly firstSeenAt: number;
  /** Time of the latest interaction, ms since epoch. */
  readonly lastSeenAt: number;
  /** Messages in both directions. */
  readonly interactionCount: number;
  readonly assessmentCount: number;
  /** Pieces of work whose last outcome is a success. */
  readonly successCount: number;
  /** Pieces of work whose last outcome is a failure. */
  readonly failureCount: number;
  /** Pieces of work whose last outcome is neither yet. */
  readonly openCount: number;
  /** Number of outcomes `violation`. Later outcomes of the same piece of work do not reduce it. */
  readonly violationCount: number;
  /** Time of the latest violation, ms since epoch; null without one. */
  readonly lastViolationAt: number | null;
  /**
   * Trust that the operator's last assessment gave, if it was recorded after the last violation in order of receipt.
   * Null without such an assessment.
   */
  readonly operatorTrust: number | null;
}

/** A peer with what the agent makes of it at this moment. */
export interface PeerOverview extends Peer {
  /** The infoScore now, 0…10; `latest.infoScore` is the one of when the assessment was made. */
  readonly infoScoreNow: number;
  readonly latest: Assessment | null;
  /** Successes among finished pieces of work, 0…1; null when none is finished. */
  readonly successRate: number | null;
}

/** One message to or from a peer. */
export interface Interaction {
  readonly interactionId: string;
  readonly peerId: string;
  readonly direction: Direction;
  readonly channel: string;
  /** The text as stored: private keys redacted, cut to `maxMessageLength`. Written by the peer when `direction` is `in`. */
  readonly content: string;
  /** Length of the original text before redaction and truncation, in UTF-16 units (`String.length`). */
  readonly contentLength: number;
  /** True when a private key was removed from the text. */
  readonly redacted: boolean;
  /** True when the operator removed text and evidence. All other fields are kept. */
  readonly pruned: boolean;
  /** Set when the operator voided the row. A voided row is not counted anywhere; its externalId stays taken. */
  readonly voided: { readonly at: number; readonly reason: string } | null;
  /** Ties request, delivery, payment and outcome of one piece of work together. */
  readonly correlationId: string | null;
  /** The id that the message has outside (an event id). Unique per peer and direction. */
  readonly externalId: string | null;
  /** The signed event as it was received, for a third party to check. */
  readonly evidence: Evidence | null;
  /** The last outcome so far of the piece of work (`correlationId`) that this message belongs to. */
  readonly outcome: Outcome | null;
  /** The message's own metrics, else those of that last outcome. */
  readonly metrics: Metrics | null;
  /** Time of the message, ms since epoch: the claimed time, clamped to the time of receipt. */
  readonly createdAt: number;
  /** Time at which this agent recorded the message, ms since epoch. */
  readonly receivedAt: number;
}

/** A signed event, unchanged. */
export type Evidence = { readonly [key: string]: unknown };

/** One outcome. Outcomes are appended; of a piece of work the one that was received last counts. */
export interface OutcomeEvent {
  readonly outcomeId: string;
  readonly peerId: string;
  readonly correlationId: string;
  readonly outcome: Outcome;
  /** Effect of `outcome` on the success rate; stored so that stores need no rules. */
  readonly result: OutcomeResult;
  readonly metrics: Metrics | null;
  /** The id that the outcome has outside. Recording the same outcome of the same work under it again has no effect. */
  readonly externalId: string | null;
  /** Proof of the outcome, for example the report of an attack. */
  readonly evidence: Evidence | null;
  /** True when a private key was removed from metrics or with the evidence. */
  readonly redacted: boolean;
  /** Time of the outcome, ms since epoch: the claimed time, clamped to the time of receipt. */
  readonly createdAt: number;
  /** Time at which this agent recorded the outcome, ms since epoch. */
  readonly receivedAt: number;
  /**
   * Position of the outcome in the order of receipt, ≥ 1. Grows with every outcome and assessment of the peer, whatever
   * times they claim and whatever a clock says. The store assigns it.
   */
  readonly sequence: number;
}

/** This agent's judgment of a peer at one moment. Rows are never changed and never removed. */
export interface Assessment {
  readonly assessmentId: string;
  readonly peerId: string;
  /** Knowledge about the peer at that time, 0…10. Always computed. */
  readonly infoScore: number;
  /** The peer's behavior as this agent judges it, an integer −10…+10. */
  readonly trust: number;
  /** The reason. The primary signal; the numbers are its summary. */
  readonly rationale: string;
  readonly source: AssessmentSource;
  /** Model and prompt of the assessor, for example `gpt-5/prompt-3`. */
  readonly assessor: string | null;
  readonly createdAt: number;
}

/** Direction of a peer's work: the newer half compared with the older half. */
export type Trend = 'improving' | 'declining' | 'steady' | 'unknown';

/** Input of policy and prompt about a peer. */
export interface PeerAssessmentSummary {
  readonly channel: string;
  /** The infoScore at `asOf`, 0…10. */
  readonly infoScoreNow: number;
  /** The newest assessment; null when the peer was not assessed yet. */
  readonly latest: {
    readonly infoScore: number;
    readonly trust: number;
    readonly rationale: string;
    readonly createdAt: number;
    readonly source?: AssessmentSource;
  } | null;
  /** The newest trust scores, oldest first, at most ten. */
  readonly trajectory: readonly { readonly trust: number; readonly at: number }[];
  readonly counts: {
    readonly interactions: number;
    readonly assessments: number;
    readonly successes: number;
    readonly failures: number;
    readonly open: number;
    readonly violations?: number;
  };
  /** successes / (successes + failures), 0…1; null when no piece of work is finished. */
  readonly successRate: number | null;
  /** Trend of the success rate over the last ten finished pieces of work; `unknown` below four. */
  readonly trend?: Trend;
  /**
   * The latest violation; null without one. `lifted`: an operator's assessment above −3 was recorded after it, which lifts
   * the refusal.
   */
  readonly violation?: { readonly at: number; readonly lifted: boolean } | null;
  /** Time of this summary, ms since epoch. Without it, conditions on age never match. */
  readonly asOf?: number;
}

/** Statistics over the whole ledger. */
export interface LedgerSummary {
  readonly peers: number;
  readonly interactions: number;
  readonly assessments: number;
  /** Assessments, not peers, with trust above 0. */
  readonly positiveAssessments: number;
  /** Peers with at least one assessment. */
  readonly assessedPeers: number;
  /** Number of assessed peers per latest trust, lowest first; only values that occur. */
  readonly trustDistribution: readonly { readonly trust: number; readonly peers: number }[];
  /** Peers whose latest trust is negative, most recently seen first, at most 100; `flaggedCount` counts them all. */
  readonly flagged: readonly PeerOverview[];
  readonly flaggedCount: number;
  /** Peers assessed more often than there was something to judge in the last 30 days; the operator's are not counted. */
  readonly overAssessed: readonly OverAssessed[];
}

/** By what peers can be ordered, always highest or newest first. */
export type PeerOrder = 'lastSeenAt' | 'firstSeenAt' | 'interactionCount';
