import { clampClaimedTime } from '../claimed-time.ts';
import { outcomeResult } from '../outcome.ts';
import { parse } from '../parse.ts';
import { toPeerId } from '../peer-id.ts';
import type { Direction, Evidence, Metrics, Outcome } from '../records.ts';
import { recordSchema } from '../schemas.ts';
import type { InteractionWrite } from '../store.ts';
import { storedAlias, storedContent, storedEvidence, storedMetrics } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { isExcluded } from './excluded-senders.ts';

/**
 * A message to record. Fields with other names are ignored: hosts may pass their own message object, as long as it has these
 * fields.
 */
export interface RecordInput {
  /** The peer's id as its channel writes it: a Nostr public key (hex or npub), a user id, an agent's name. */
  readonly peerId: string;
  /** Channel of the message: `nostr`, `telegram`, … One word without a colon. */
  readonly channel: string;
  readonly content: string;
  /** The name that the peer gives itself. The first 256 characters are kept. */
  readonly alias?: string | null | undefined;
  /** Ties request, delivery, payment and outcome of one piece of work together. */
  readonly correlationId?: string | null | undefined;
  /**
   * The message's id outside (an event id). Recording a message of the same peer and direction under it again does
   * nothing, except that an outcome `violation` is still recorded.
   */
  readonly externalId?: string | null | undefined;
  /** The signed event as it was received. */
  readonly evidence?: Evidence | null | undefined;
  /**
   * An outcome that comes with the message. Without `correlationId` the message becomes a separate piece of
   * work.
   */
  readonly outcome?: Outcome | null | undefined;
  readonly metrics?: Metrics | null | undefined;
  /**
   * Time of the message as its sender claims it, ms since epoch; now by default. Clamped to between one hour before and
   * five minutes after now, unless `backfill` is set.
   */
  readonly at?: number | null | undefined;
  /**
   * Takes `at` as it is: for a host that imports messages which it has received earlier. Never set it for a time that
   * only the sender vouches for.
   * @default false
   */
  readonly backfill?: boolean | undefined;
}

/** Result of recording a message. */
export interface RecordResult {
  readonly interactionId: string;
  /** The ledger's id of the peer. */
  readonly peerId: string;
  /** True when the same `externalId` was recorded before; `interactionId` is the earlier one then. */
  readonly duplicate: boolean;
  /** True when the claimed time was out of range and was clamped. */
  readonly clamped?: boolean;
}

/** Records a message and the outcome that it brings, if any; null for excluded senders and recipients. */
export async function recordMessage(
  { store, config, now, newId, handles, emit, ensureOpen }: LedgerDependencies,
  direction: Direction,
  input: RecordInput,
): Promise<RecordResult | null> {
  ensureOpen();
  const message = parse(recordSchema, input, 'message');
  const { channel, outcome = null, externalId = null } = message;
  if (isExcluded(config, channel, message.peerId)) return null;

  const peerId = toPeerId(channel, message.peerId);
  const nativeId = peerId.startsWith(`${channel}:`) ? message.peerId : peerId;
  const { evidence, redacted: evidenceRedacted } = storedEvidence(message.evidence);
  const { metrics, redacted: metricsRedacted } = storedMetrics(message.metrics);
  const { content, redacted } = storedContent(message.content, config.maxMessageLength);
  const interactionId = newId();
  const receivedAt = now();
  const claimedAt = message.at ?? receivedAt;
  const createdAt = message.backfill ? claimedAt : clampClaimedTime(claimedAt, receivedAt);
  const correlationId = message.correlationId ?? (outcome ? interactionId : null);

  const write: InteractionWrite = {
    peer: { peerId, nativeId, handle: await handles.of(peerId), channel, alias: storedAlias(message.alias) },
    interaction: {
      interactionId,
      direction,
      content,
      contentLength: message.content.length,
      redacted: redacted || evidenceRedacted || metricsRedacted,
      correlationId,
      externalId,
      evidence,
      metrics,
      createdAt,
      receivedAt,
    },
    outcome:
      outcome && correlationId !== null
        ? {
            outcomeId: newId(),
            correlationId,
            outcome,
            result: outcomeResult(outcome),
            metrics,
            externalId,
            // The message has it.
            evidence: null,
            redacted: metricsRedacted,
            createdAt,
            receivedAt,
          }
        : null,
  };
  const written = await store.recordInteraction(write).catch((error: unknown) => {
    // Another process may have given the handle to another new peer meanwhile.
    handles.drop(peerId);
    throw error;
  });
  if (written.recorded) emit('afterRecord', { peerId, direction, interactionId });
  else if (write.outcome?.outcome === 'violation') {
    // Recognized only when it was delivered again. Recorded once, like every outcome of one externalId.
    const work = message.correlationId ?? written.interactionId;
    await store.recordOutcome({ ...write.outcome, peerId, correlationId: work, evidence });
  }
  const clamped = written.recorded && createdAt !== claimedAt;
  if (clamped) emit('afterClamp', { peerId, interactionId, claimedAt, createdAt });
  const result = { interactionId: written.interactionId, peerId, duplicate: !written.recorded };
  return clamped ? { ...result, clamped } : result;
}
