import type { LedgerInteraction } from '../ledger-port.ts';

/** Counts of the work that this agent and a peer had together. One work is one correlationId. */
export interface WorkFacts {
  /** Works that this agent requested from the peer. */
  readonly requested: number;
  /** Requested works that the peer answered. */
  readonly delivered: number;
  /** Works that were verified or paid. */
  readonly verified: number;
  readonly rejected: number;
  readonly disputed: number;
  readonly timedOut: number;
  /** Works that the peer requested from this agent. */
  readonly askedOfUs: number;
  /** Counts over the whole history when the ledger provides them, else within the window. */
  readonly successes: number;
  readonly failures: number;
  /** Median time to an answer in ms; null without a measurement. */
  readonly medianLatencyMs: number | null;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

const answered = new Set(['delivered', 'paid', 'verified', 'rejected', 'disputed', 'violation']);

/**
 * Counts a peer's works from its interactions, oldest first. `final` has the final outcomes by correlationId: a late
 * delivery does not take one back. Pure.
 */
export function workFacts(
  interactions: readonly LedgerInteraction[],
  final: ReadonlyMap<string, { readonly outcome: string }>,
  totals: { readonly successes: number; readonly failures: number } | null,
): WorkFacts {
  const pieces = new Map<string, LedgerInteraction[]>();
  for (const interaction of interactions) {
    if (interaction.correlationId === null) continue;
    const piece = pieces.get(interaction.correlationId) ?? [];
    pieces.set(interaction.correlationId, [...piece, interaction]);
  }
  const counts = {
    requested: 0,
    delivered: 0,
    verified: 0,
    rejected: 0,
    disputed: 0,
    timedOut: 0,
    askedOfUs: 0,
  };
  const latencies: number[] = [];
  for (const [correlationId, piece] of pieces) {
    const shown = piece.findLast((interaction) => interaction.outcome !== null)?.outcome;
    const outcome = final.get(correlationId)?.outcome ?? shown ?? '';
    if (piece[0]?.direction === 'out') {
      counts.requested += 1;
      if (answered.has(outcome)) counts.delivered += 1;
    } else counts.askedOfUs += 1;
    if (outcome === 'verified' || outcome === 'paid') counts.verified += 1;
    else if (outcome === 'rejected' || outcome === 'violation') counts.rejected += 1;
    else if (outcome === 'disputed') counts.disputed += 1;
    else if (outcome === 'timeout') counts.timedOut += 1;
    const latency = piece.findLast((interaction) => typeof interaction.metrics?.latencyMs === 'number');
    const latencyMs = latency?.metrics?.latencyMs;
    if (typeof latencyMs === 'number') latencies.push(latencyMs);
  }
  return {
    ...counts,
    successes: totals?.successes ?? counts.verified,
    failures: totals?.failures ?? counts.rejected + counts.disputed + counts.timedOut,
    medianLatencyMs: median(latencies),
  };
}
