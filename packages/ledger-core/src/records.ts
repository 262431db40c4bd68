import type { OverAssessed } from './over-assessment.ts';

/** Which way a message went: `in` from the peer to this agent, `out` from this agent to the peer. */
export type Direction = 'in' | 'out';

/**
 * What became of one piece of work (LED-2). `paid` and `verified` count as success; `rejected`, `timeout` and
 * `disputed` as failure; the others are steps on the way.
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
  | 'timeout';

/** How an outcome counts in a peer's success rate; `open` is work whose last word is still to come. */
export type OutcomeResult = 'success' | 'failure' | 'open';

/** Who gave a trust score: the agent itself in its loop, the cortex in its reflection, or the human operator. */
export type AssessmentSource = 'agent' | 'cortex' | 'operator';

/** What was measured about a message or an outcome. Further keys are kept. */
export interface Metrics {
  /** Milliseconds from asking to answer, ≥ 0. */
  readonly latencyMs?: number | undefined;
  /** What it cost, in millisatoshi, an integer ≥ 0. */
  readonly costMsat?: number | undefined;
  /** A score of the result, in whatever range the judge of it uses. */
  readonly score?: number | undefined;
  readonly [key: string]: number | string | boolean | null | undefined;
}

/** Someone this agent has dealt with (LED-1). Everything here is this agent's own observation. */
export interface Peer {
  /**
   * The ledger's id of the peer: a Nostr public key as 64 lower-case hex digits, and `channel:id` on every other
   * channel, so that nobody takes over another channel's history by choosing a name.
   */
  readonly peerId: string;
  /** The peer's id as its channel writes it. On Nostr the same as `peerId`. */
  readonly nativeId: string;
  readonly channel: string;
  /** What the peer calls itself. Written by the peer: neutralise it before you show it. */
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
}

/** A peer with what the agent makes of it at this moment. */
export interface PeerOverview extends Peer {
  /** The infoScore now, 0…10; `latest.infoScore` is the one of when the assessment was made. */
  readonly infoScoreNow: number;
  readonly latest: Assessment | null;
  /** Successes among finished pieces of work, 0…1; null when none is finished. */
  readonly successRate: number | null;
}

/** One message to or from a peer (LED-2). */
export interface Interaction {
  readonly interactionId: string;
  readonly peerId: string;
  readonly direction: Direction;
  readonly channel: string;
  /** The text as stored: private keys redacted, cut to `maxMessageLength`. Written by the peer when `direction` is `in`. */
  readonly content: string;
  /** Length of the text as it came, before redaction and cap, in UTF-16 units (`String.length`). */
  readonly contentLength: number;
  /** True when a private key was taken out of the text (LED-13). */
  readonly redacted: boolean;
  /** True when the operator removed text and evidence after their time (LED-27). Everything else of the row stays. */
  readonly pruned: boolean;
  /** Ties request, delivery, payment and outcome of one piece of work together. */
  readonly correlationId: string | null;
  /** The id that the message has outside (an event id). Unique per peer. */
  readonly externalId: string | null;
  /** The signed event as it was received, for a third party to check. */
  readonly evidence: Evidence | null;
  /** The last outcome so far of the piece of work (`correlationId`) that this message belongs to. */
  readonly outcome: Outcome | null;
  /** The message's own metrics, else those of that last outcome. */
  readonly metrics: Metrics | null;
  /** When it happened, ms since epoch. */
  readonly createdAt: number;
}

/** A signed event, kept as it came. */
export type Evidence = { readonly [key: string]: unknown };

/** One outcome, as it was reported (LED-2, LED-9). Outcomes are appended; the last one of a piece of work counts. */
export interface OutcomeEvent {
  readonly outcomeId: string;
  readonly peerId: string;
  readonly correlationId: string;
  readonly outcome: Outcome;
  /** How `outcome` counts; derived, stored so that a store can count without knowing why. */
  readonly result: OutcomeResult;
  readonly metrics: Metrics | null;
  readonly externalId: string | null;
  readonly createdAt: number;
}

/** This agent's judgment of a peer at one moment (LED-3). Rows are never changed and never removed. */
export interface Assessment {
  readonly assessmentId: string;
  readonly peerId: string;
  /** How much the agent knew about the peer then, 0…10. Computed, never given. */
  readonly infoScore: number;
  /** How the peer behaved in this agent's eyes, an integer −10…+10. */
  readonly trust: number;
  /** Why. The primary signal; the numbers are its summary. */
  readonly rationale: string;
  readonly source: AssessmentSource;
  /** Which model and prompt judged, e.g. `gpt-5/prompt-3`. */
  readonly assessor: string | null;
  readonly createdAt: number;
}

/** Where a peer's work is going: whether the newer half of it went better or worse than the older. */
export type Trend = 'improving' | 'declining' | 'steady' | 'unknown';

/** What the policy and the prompt need to know about a peer (LED-9). */
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
  };
  /** successes / (successes + failures), 0…1; null when no piece of work is finished. */
  readonly successRate: number | null;
  /** Where the success rate is going, over the last ten finished pieces of work; `unknown` below four. */
  readonly trend?: Trend;
  /** When this summary was taken, ms since epoch. Without it no rule about age applies. */
  readonly asOf?: number;
}

/** The whole ledger in a few numbers (LED-9). */
export interface LedgerSummary {
  readonly peers: number;
  readonly interactions: number;
  readonly assessments: number;
  /** Assessments, not peers, with trust above 0. */
  readonly positiveAssessments: number;
  /** Peers with at least one assessment. */
  readonly assessedPeers: number;
  /** How many assessed peers have which latest trust, lowest first; only values that occur. */
  readonly trustDistribution: readonly { readonly trust: number; readonly peers: number }[];
  /** Peers whose latest trust is negative, most recently seen first, at most 100; `flaggedCount` counts them all. */
  readonly flagged: readonly PeerOverview[];
  readonly flaggedCount: number;
  /** Peers assessed more often than there was something to judge in the last 30 days; the operator's are not counted. */
  readonly overAssessed: readonly OverAssessed[];
}

/** By what peers can be ordered, always highest or newest first. */
export type PeerOrder = 'lastSeenAt' | 'firstSeenAt' | 'interactionCount';
