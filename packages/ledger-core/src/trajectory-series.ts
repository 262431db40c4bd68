import { detectBuildThenExploit, type TrajectoryPoint, type TrajectoryResult } from '@bonafide/internal';
import type { Assessment, Interaction } from './records.ts';

/** A request or an assessment as one observation of {@link detectBuildThenExploit}. */
export interface LedgerTrajectoryPoint extends TrajectoryPoint {
  readonly row: Interaction | Assessment;
}

/**
 * Creates the series of a peer's requests and trust scores. A request is the peer's first message of each
 * correlationId, and every message without one. Its size is the first of `metrics.size`, `metrics.costMsat` and the
 * length of the text that all requests have.
 */
export function trajectorySeries(
  conversation: readonly Interaction[],
  assessments: readonly Assessment[],
): readonly LedgerTrajectoryPoint[] {
  const scores = assessments.map((row) => ({ at: row.createdAt, trust: row.trust, row }));
  return [...sizedRequests(conversation), ...scores];
}

/** Runs {@link detectBuildThenExploit} over ledger rows, so that its evidence consists of rows. */
export function detectInLedger(
  series: readonly LedgerTrajectoryPoint[],
): TrajectoryResult<Interaction | Assessment> {
  const { alarms, evidence, ...result } = detectBuildThenExploit(series);
  return {
    ...result,
    alarms: alarms.map((alarm) => ({ ...alarm, evidence: alarm.evidence.map(({ row }) => row) })),
    evidence: evidence.map((each) => ({ ...each, point: each.point.row })),
  };
}

function sizedRequests(conversation: readonly Interaction[]): readonly LedgerTrajectoryPoint[] {
  const begun = new Set<string>();
  const requests = conversation.filter(({ direction, correlationId }) => {
    if (correlationId === null) return direction === 'in';
    if (begun.has(correlationId)) return false;
    begun.add(correlationId);
    return direction === 'in';
  });
  const sizes: readonly ((row: Interaction) => unknown)[] = [
    (row) => row.metrics?.size,
    (row) => row.metrics?.costMsat,
    (row) => row.contentLength,
  ];
  const sizeOf = sizes.find((size) => requests.every((row) => typeof size(row) === 'number'));
  return requests.flatMap((row) => {
    const size = Number(sizeOf?.(row));
    return size > 0 ? { at: row.createdAt, size, row } : [];
  });
}
