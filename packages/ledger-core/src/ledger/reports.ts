import type { TrajectoryResult } from '@bonafide/internal';
import { computeAggregates, defaultHalfLifeMs, type PeerAggregates } from '../aggregates.ts';
import { type AuditFinding, auditAssessments } from '../assessment-audit.ts';
import { type AssessorReport, reportAssessors } from '../assessor-report.ts';
import { parse } from '../parse.ts';
import { positionOfAssessment } from '../positions.ts';
import type { Assessment, Interaction, OutcomeEvent } from '../records.ts';
import { aggregateSchema } from '../schemas.ts';
import type { LedgerStore } from '../store.ts';
import { detectInLedger, trajectorySeries } from '../trajectory-series.ts';
import { largestTrustStep, type TrustStep, type TrustStepOptions } from '../trust-step.ts';
import { allAssessments, collect, pageLength } from './all-rows.ts';
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
  const [outcomes, interactions] = [await store.listOutcomes(query), await store.listInteractions(query)];
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
  const conversation = (await store.listInteractions(query)).toReversed();
  const assessments = (await store.listAssessments(query)).toReversed();
  return detectInLedger(trajectorySeries(conversation, assessments));
}

/** Finds assessments of one peer, or of all, that an operator should review. */
export async function audit(
  context: LedgerDependencies,
  peerId: string | undefined,
): Promise<readonly AuditFinding[]> {
  const { store } = context;
  const wanted = peerId === undefined ? null : (await requirePeer(context, peerId)).peer.peerId;
  const assessments = await collect(allAssessments(store, wanted));
  const outcomes: OutcomeEvent[] = [];
  for (const id of new Set(assessments.map((row) => row.peerId))) {
    outcomes.push(...(await store.listOutcomes({ peerId: id, order: 'newest', limit: pageLength })));
  }
  return auditAssessments(assessments, outcomes);
}

/** Reports statistics per assessor. */
export async function reportOnAssessors({
  store,
  ensureOpen,
}: LedgerDependencies): Promise<readonly AssessorReport[]> {
  ensureOpen();
  return reportAssessors(await collect(allAssessments(store, null)));
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
  { source, since = 0 }: LargestStepOptions,
): Promise<TrustStep | null> {
  ensureOpen();
  const assessments = await collect(allAssessments(store, null, since));
  return largestTrustStep(assessments, { source, before: await trustBefore(store, assessments) });
}

/** Trust in each peer before the first of its assessments here. */
async function trustBefore(
  store: LedgerStore,
  assessments: readonly Assessment[],
): Promise<ReadonlyMap<string, number>> {
  const before = new Map<string, number>();
  for (const first of assessments) {
    const { peerId } = first;
    if (before.has(peerId)) continue;
    const after = positionOfAssessment(first);
    const [earlier] = await store.listAssessments({ peerId, order: 'newest', limit: 1, after });
    before.set(peerId, earlier?.trust ?? 0);
  }
  return before;
}
