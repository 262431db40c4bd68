import { type GateEvidence, noEvidence } from './evidence.ts';

/** One assessment of the ledger with the fields that the gate reads. */
export interface GateRow {
  readonly trust: number;
  readonly createdAt: number;
}

/** The part of a peer's assessments that a decision rests on. Small enough to be kept with every decision. */
export interface GateHistory {
  /** The newest trust; null without an assessment. */
  readonly base: number | null;
  /** Time of the last change of trust, ms since epoch; null without one. */
  readonly changedAt: number | null;
  /** Sum of the rises within the last 24 hours. */
  readonly risen: number;
  /** Time of the last rise above the center of the facts; null without one since the operator's last assessment. */
  readonly roseAboveAt: number | null;
  /** Time of the last fall below the center of the facts; null without one since the operator's last assessment. */
  readonly fellBelowAt: number | null;
  /** True when an interaction is newer than the facts of the newest assessment. */
  readonly hasNews: boolean;
  /** True when an assessment since the last interaction raised trust. */
  readonly roseOnSameFacts: boolean;
  /** True when an assessment since the last interaction lowered trust. */
  readonly fellOnSameFacts: boolean;
}

/** Length of the sliding window of the daily budget, in ms. */
const dayMs = 24 * 60 * 60_000;

/** Summarizes a peer's assessments for the gate. Pure. Trust before the first one counts as 0. */
export function gateHistory(input: {
  /** Assessments by any source, oldest first. */
  readonly rows: readonly GateRow[];
  /** True when older assessments exist: the first row then only serves as the base of the second. @default false */
  readonly truncated?: boolean;
  readonly lastInteractionAt: number | null;
  readonly seenThroughAt?: number | null;
  readonly evidence?: GateEvidence;
  readonly now: number;
}): GateHistory {
  const { rows, lastInteractionAt, seenThroughAt, now, truncated = false } = input;
  const { center, settledAt } = input.evidence ?? noEvidence;
  const steps = rows.map(({ trust, createdAt: at }, index) => ({
    change: trust - (rows[index - 1]?.trust ?? (truncated ? trust : 0)),
    trust,
    at,
  }));
  const unsettled = steps.filter((step) => step.at > (settledAt ?? Number.NEGATIVE_INFINITY));
  const sameFacts = steps.filter((step) => step.at >= (lastInteractionAt ?? 0));
  const newest = rows.at(-1);
  const seenAt = Math.min(newest?.createdAt ?? 0, seenThroughAt ?? Number.POSITIVE_INFINITY);
  return {
    base: newest?.trust ?? null,
    changedAt: steps.findLast((step) => step.change !== 0)?.at ?? null,
    risen: steps.reduce((sum, { change, at }) => (change > 0 && now - at < dayMs ? sum + change : sum), 0),
    roseAboveAt: unsettled.findLast((step) => step.change > 0 && step.trust > center)?.at ?? null,
    fellBelowAt: unsettled.findLast((step) => step.change < 0 && step.trust < center)?.at ?? null,
    hasNews: newest === undefined || (lastInteractionAt !== null && lastInteractionAt > seenAt),
    roseOnSameFacts: sameFacts.some((step) => step.change > 0),
    fellOnSameFacts: sameFacts.some((step) => step.change < 0),
  };
}
