import type { TrajectoryResult } from '@bonafide/internal';
import { computeAggregates, defaultHalfLifeMs, type PeerAggregates } from '../aggregates.ts';
import { type AuditFinding, createAssessmentAuditor } from '../assessment-audit.ts';
import { type AssessorReport, createAssessorReports } from '../assessor-report.ts';
import { parse } from '../parse.ts';
import { positionOfAssessment } from '../positions.ts';
import type { Assessment, Interaction, OutcomeEvent } from '../records.ts';
import { aggregateSchema, largestStepSchema } from '../schemas.ts';
import type { LedgerStore } from '../store.ts';
import { detectInLedger, trajectorySeries } from '../trajectory-series.ts';
import { createTrustSteps, type TrustStep, type TrustStepOptions } from '../trust-step.ts';
import { allAssessments, pageLength } from './all-rows.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { findPeer, requirePeer } from './find-peer.ts';

/** Computes success rate, latency and trend of a peer with decay. Null for an unknown peer. */
export async function aggregatesOf(
  context: LedgerDependencies,
  peerId: string,
  options: { readonly halfLifeMs?: number; readonly trendLength?: number },
): Promise<PeerAggregates | null> {
  const { store, now } = context;
  const { halfLifeMs = defaultHalfLifeMs, trendLength } = parse(aggregateSchema, options, 'options');
  const found = await findPeer(context, peerId);
  if (!found) return null;
  const query = { peerId: found.peer.peerId, order: 'newest', limit: pageLength } as const;
  const interactions = (await store.listInteractions(query)).filter((row) => row.voided === null);
  const outcomes = await store.listOutcomes({ ...query, only: 'counted' });
  return computeAggregates({ outcomes, interactions }, { now: now(), halfLifeMs, trendLength });
}

/** Detects trust that may have been built in order to be exploited. Null for an unknown peer. */
export async function trajectoryOf(
  context: LedgerDependencies,
  peerId: string,
): Promise<TrajectoryResult<Interaction | Assessment> | null> {
  const { store } = context;
  const found = await findPeer(context, peerId);
  if (!found) return null;
  const query = { peerId: found.peer.peerId, order: 'newest', limit: pageLength } as const;
  const conversation = (await store.listInteractions(query))
    .filter((row) => row.voided === null)
    .toReversed();
  const assessments = (await store.listAssessments(query)).toReversed();
  return detectInLedger(trajectorySeries(conversation, assessments));
}

/** Peers whose outcomes an audit keeps in memory. */
const auditedPeers = 64;

/** Yields assessments of one peer, or of all, that an operator should review. Memory does not depend on their number. */
export async function* audit(
  context: LedgerDependencies,
  peerId: string | undefined,
): AsyncGenerator<AuditFinding> {
  const { store } = context;
  const wanted = peerId === undefined ? null : (await requirePeer(context, peerId)).peer.peerId;
  const auditor = createAssessmentAuditor();
  const outcomesOf = new Map<string, readonly OutcomeEvent[]>();
  for await (const row of allAssessments(store, wanted)) {
    let outcomes = outcomesOf.get(row.peerId);
    if (!outcomes) {
      const newest = { peerId: row.peerId, order: 'newest', limit: pageLength } as const;
      outcomes = await store.listOutcomes({ ...newest, only: 'counted' });
      const [oldest] = outcomesOf.keys();
      if (outcomesOf.size >= auditedPeers && oldest !== undefined) outcomesOf.delete(oldest);
      outcomesOf.set(row.peerId, outcomes);
    }
    yield* auditor(row, outcomes);
  }
}

/** Reports statistics per assessor. Reads in pages. */
export async function reportOnAssessors({
  store,
  ensureOpen,
}: LedgerDependencies): Promise<readonly AssessorReport[]> {
  ensureOpen();
  const reports = createAssessorReports();
  for await (const row of allAssessments(store, null)) reports.add(row);
  return reports.finish();
}

/** Options of `getLargestTrustStep`. */
export interface LargestStepOptions extends Pick<TrustStepOptions, 'source'> {
  /**
   * Only assessments from this time on, ms since epoch.
   * @default 0
   */
  readonly since?: number | undefined;
}

/** Finds the largest change of trust by one assessment. Reads only what was recorded since `since`. */
export async function largestStep(
  { store, ensureOpen }: LedgerDependencies,
  options: LargestStepOptions,
): Promise<TrustStep | null> {
  ensureOpen();
  const { source, since } = parse(largestStepSchema, options, 'options');
  const steps = createTrustSteps(source);
  for await (const row of allAssessments(store, null, since)) {
    // From the beginning on, nothing is earlier.
    if (since > 0 && !steps.knows(row.peerId)) steps.setBefore(row.peerId, await trustBefore(store, row));
    steps.add(row);
  }
  return steps.largest();
}

/** Returns the trust in a peer before this assessment. */
async function trustBefore(store: LedgerStore, row: Assessment): Promise<number> {
  const { peerId } = row;
  const after = positionOfAssessment(row);
  const [earlier] = await store.listAssessments({ peerId, order: 'newest', limit: 1, after });
  return earlier?.trust ?? 0;
}
