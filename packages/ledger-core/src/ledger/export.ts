import { clampClaimedTime } from '../claimed-time.ts';
import { type EvidenceBundle, type ExportedAssessment, toExportedAssessment } from '../export.ts';
import { computeInfoScore } from '../info-score.ts';
import { parse } from '../parse.ts';
import type { Evidence } from '../records.ts';
import { exportSchema } from '../schemas.ts';
import { allAssessments, allInteractions } from './all-rows.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { findPeer, requirePeer } from './find-peer.ts';
import { infoScoreInput } from './info-scorer.ts';

/** Options of `exportAssessments`. */
export interface ExportOptions {
  /**
   * Name of this agent in the records, for example its npub.
   * @default the store's agentId, else 'self'
   */
  readonly source?: string | undefined;
  /** Only assessments of this peer. */
  readonly peerId?: string | null | undefined;
  /** Only assessments from this time on, ms since epoch. */
  readonly since?: number | undefined;
}

/** Exports complete assessments, oldest first. */
export async function* exportAssessments(
  context: LedgerDependencies,
  options: ExportOptions,
): AsyncGenerator<ExportedAssessment> {
  const { store, ensureOpen } = context;
  ensureOpen();
  const { source, peerId, since } = parse(exportSchema, options, 'options');
  const wanted = peerId ? (await requirePeer(context, peerId)).peer.peerId : null;
  for await (const row of allAssessments(store, wanted, since)) {
    yield toExportedAssessment(row, source ?? store.agentId ?? 'self');
  }
}

/** Exports the basis of a peer's infoScore with the signed events. Null for an unknown peer. */
export async function exportEvidence(
  context: LedgerDependencies,
  peerId: string,
): Promise<EvidenceBundle | null> {
  const found = await findPeer(context, peerId);
  if (!found) return null;
  const { peer } = found;
  const input = infoScoreInput(peer);
  const events: Evidence[] = [];
  const receivedAt: number[] = [];
  for await (const row of allInteractions(context.store, peer.peerId)) {
    if (!row.evidence || row.voided) continue;
    events.push(row.evidence);
    // Only an imported message has a time that would have been clamped.
    const isImported = clampClaimedTime(row.createdAt, row.receivedAt) !== row.createdAt;
    receivedAt.push(isImported ? row.createdAt : row.receivedAt);
  }
  return {
    target: peer.peerId,
    claimed: { ...input, infoScore: computeInfoScore(input) },
    events,
    receivedAt,
    unsigned: peer.interactionCount - events.length,
  };
}
