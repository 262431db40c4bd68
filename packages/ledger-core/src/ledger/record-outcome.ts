import { LedgerError } from '../errors.ts';
import { outcomeResult } from '../outcome.ts';
import { parse } from '../parse.ts';
import type { Evidence, Metrics, Outcome, OutcomeEvent } from '../records.ts';
import { outcomeSchema } from '../schemas.ts';
import { storedEvidence, storedMetrics } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requirePeer } from './find-peer.ts';

/** Options of `recordOutcome`. */
export interface OutcomeOptions {
  /** The peer; required when several peers share the correlationId. */
  readonly peerId?: string | undefined;
  readonly metrics?: Metrics | undefined;
  /** The outcome's id outside. Recording the same one again for the peer does nothing. */
  readonly externalId?: string | undefined;
  /** Proof of the outcome, for example the report of an attack. */
  readonly evidence?: Evidence | undefined;
  /** Time of the outcome, ms since epoch; now by default. */
  readonly at?: number | undefined;
}

/** Appends an outcome. Throws `CORRELATION_NOT_FOUND`, `CORRELATION_AMBIGUOUS`, `PEER_NOT_FOUND`. */
export async function recordOutcome(
  context: LedgerDependencies,
  correlationId: string,
  outcome: Outcome,
  options: OutcomeOptions,
): Promise<OutcomeEvent> {
  const { store, now, newId, ensureOpen } = context;
  ensureOpen();
  const input = parse(outcomeSchema, { ...options, correlationId, outcome }, 'outcome');
  const named = input.peerId ? await requirePeer(context, input.peerId) : null;
  const written = await store.recordOutcome({
    outcomeId: newId(),
    peerId: named?.peer.peerId ?? null,
    correlationId: input.correlationId,
    outcome: input.outcome,
    result: outcomeResult(input.outcome),
    metrics: storedMetrics(input.metrics).metrics,
    externalId: input.externalId ?? null,
    evidence: storedEvidence(input.evidence).evidence,
    createdAt: input.at ?? now(),
  });
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
