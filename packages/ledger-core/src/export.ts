import { clampClaimedTime } from './claimed-time.ts';
import { computeInfoScore } from './info-score.ts';
import type { Assessment, Evidence } from './records.ts';

/**
 * An assessment as it may leave this agent: both scores, the reason and the time, or nothing. A trust score
 * without its rationale has no type here.
 */
export interface ExportedAssessment {
  /** The assessing agent. */
  readonly source: string;
  /** The assessed peer. */
  readonly target: string;
  /** −10…+10. */
  readonly trust: number;
  /** 0…10, as it was then. */
  readonly infoScore: number;
  readonly rationale: string;
  /** ms since epoch. */
  readonly at: number;
}

/** The one way from a row to a record that may leave. */
export function toExportedAssessment(row: Assessment, source: string): ExportedAssessment {
  const { peerId: target, trust, infoScore, rationale, createdAt: at } = row;
  return { source, target, trust, infoScore, rationale, at };
}

/** The basis of a peer's infoScore, with the signed events that prove it. */
export interface EvidenceBundle {
  readonly target: string;
  /** The inputs of the infoScore and its value, as this agent states them. */
  readonly claimed: {
    readonly interactionCount: number;
    readonly timeSpanMs: number;
    readonly assessmentCount: number;
    readonly infoScore: number;
  };
  /** The signed events of the interactions as they were received, oldest first. */
  readonly events: readonly Evidence[];
  /**
   * Times of receipt of the events, in the same order, ms since epoch. For imported messages (`backfill`) the time that the
   * host vouches for.
   */
  readonly receivedAt?: readonly number[];
  /** Interactions without a signed event: never had one, held a private key, or pruned. */
  readonly unsigned: number;
}

/**
 * Recomputes the infoScore from the events of a bundle, for a third party that has verified their signatures.
 * Events with the same id count once; events without `created_at` (seconds) add nothing. The number of
 * assessments is taken from the bundle. Times of events are clamped to their times of receipt, as in the ledger.
 */
export function infoScoreOfEvidence(bundle: EvidenceBundle): number {
  const times = new Map<unknown, number>();
  for (const [index, event] of bundle.events.entries()) {
    if (typeof event.created_at !== 'number') continue;
    const claimedAt = event.created_at * 1000;
    if (!Number.isFinite(claimedAt)) continue;
    const receivedAt = bundle.receivedAt?.[index];
    const at = receivedAt === undefined ? claimedAt : clampClaimedTime(claimedAt, receivedAt);
    times.set(event.id ?? event, at);
  }
  const sorted = [...times.values()].sort((one, other) => one - other);
  return computeInfoScore({
    interactionCount: sorted.length,
    timeSpanMs: (sorted.at(-1) ?? 0) - (sorted[0] ?? 0),
    assessmentCount: bundle.claimed.assessmentCount,
  });
}
