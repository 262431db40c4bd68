import { clampClaimedTime } from '../claimed-time.ts';
import { LedgerError } from '../errors.ts';
import { outcomeResult } from '../outcome.ts';
import { parse } from '../parse.ts';
import type { Evidence, Metrics, Outcome, OutcomeEvent } from '../records.ts';
import { outcomeOptionsSchema, outcomeSchema } from '../schemas.ts';
import { storedEvidence, storedMetrics } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requireNamedPeer } from './find-peer.ts';

/** Options of `recordOutcome`. */
export interface OutcomeOptions {
  /** The peer; required when several peers share the correlationId. */
  readonly peerId?: string | undefined;
  readonly metrics?: Metrics | undefined;
  /** The outcome's id outside. Recording the same outcome of the same work under it again does nothing. */
  readonly externalId?: string | undefined;
  /** Proof of the outcome, for example the report of an attack. */
  readonly evidence?: Evidence | undefined;
  /**
   * Time of the outcome, ms since epoch; now by default. Clamped to between one hour before and five minutes after now,
   * unless `backfill` is set. Which outcome is the last one depends on the order of receipt and not on this time.
   */
  readonly at?: number | undefined;
  /**
   * Takes `at` as it is: for a host that imports outcomes. Never set it for a time that only the peer vouches for.
   * @default false
   */
  readonly backfill?: boolean | undefined;
}

/** Appends an outcome. Throws `CORRELATION_NOT_FOUND`, `CORRELATION_AMBIGUOUS`, `PEER_NOT_FOUND`. */
export async function recordOutcome(
  context: LedgerDependencies,
  correlationId: string,
  outcome: Outcome,
  options: OutcomeOptions,
): Promise<OutcomeEvent> {
  const { store, now, newId, emit, ensureOpen } = context;
  ensureOpen();
  const input = {
    ...parse(outcomeOptionsSchema, options, 'options'),
    ...parse(outcomeSchema, { correlationId, outcome }, 'outcome'),
  };
  const named = input.peerId ? await requireNamedPeer(context, input.peerId) : null;
  const receivedAt = now();
  const claimedAt = input.at ?? receivedAt;
  const createdAt = input.backfill ? claimedAt : clampClaimedTime(claimedAt, receivedAt);
  const { metrics, redacted: metricsRedacted } = storedMetrics(input.metrics);
  const { evidence, redacted: evidenceRedacted } = storedEvidence(input.evidence);
  const written = await store.recordOutcome({
    outcomeId: newId(),
    peerId: named?.peer.peerId ?? null,
    correlationId: input.correlationId,
    outcome: input.outcome,
    result: outcomeResult(input.outcome),
    metrics,
    externalId: input.externalId ?? null,
    evidence,
    redacted: metricsRedacted || evidenceRedacted,
    createdAt,
    receivedAt,
  });
  if (written.kind === 'recorded' && createdAt !== claimedAt) {
    const { peerId, outcomeId } = written.event;
    emit('afterClamp', { peerId, interactionId: null, outcomeId, claimedAt, createdAt });
  }
  switch (written.kind) {
    case 'unknown':
      throw new LedgerError(
        'CORRELATION_NOT_FOUND',
        `No recorded interaction has the correlationId '${correlationId}'. Record the request first, or name the peer.`,
      );
    case 'ambiguous':
      throw new LedgerError(
        'CORRELATION_AMBIGUOUS',
        `${written.peerIds.length} peers worked under the correlationId '${correlationId}'. Pass { peerId }.`,
      );
    default:
      return written.event;
  }
}
