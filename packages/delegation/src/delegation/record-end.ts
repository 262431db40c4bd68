import { composeId, isBonafideError, isStorableId, sanitizeRemoteText } from '@bonafide/internal';
import { describeWork } from '../finished-work.ts';
import { dueMsat } from '../flow/accounts.ts';
import { type Finished, finishedWork } from '../flow/finished.ts';
import { replicaKey } from '../flow/next-step.ts';
import type { OrderState, RecordTarget, Replica } from '../order.ts';
import type { DelegationContext } from './context.ts';
import { evidenceOf } from './evidence.ts';
import { followPolicy } from './follow-policy.ts';
import { followServiceLevel } from './follow-service-level.ts';
import { rememberWrongAnswer } from './wrong-answers.ts';

/** Records the end of a replica in one place. Repeating it has no further effect there. */
export async function recordEnd(
  context: DelegationContext,
  state: OrderState,
  replica: Replica,
  target: RecordTarget,
): Promise<void> {
  if (target === 'request') return recordRequest(context, state, replica);
  const finished = finishedWork(state, replica);
  if (finished === null) return;
  switch (target) {
    case 'journal':
      return recordInJournal(context, state, replica, finished);
    case 'matrix':
      return recordInMatrix(context, state, replica, finished);
    case 'reflection':
      context.reflection?.hooks.onMessage(messageOf(context, replica, replica.answer?.content ?? ''));
      return;
    case 'review':
      await context.publicWord?.offerReview(describeWork(state, replica, finished));
      return;
    case 'receipt':
      await context.receipts?.send(describeWork(state, replica, finished));
      return;
  }
}

const messageOf = ({ settings }: DelegationContext, { platform }: Replica, content: string) => ({
  peerId: platform.pubkey,
  channel: settings.channel,
  content,
});

/** Names the piece of work in the journal. */
const threadOf = (context: DelegationContext, replica: Replica, content: string) => ({
  ...messageOf(context, replica, content),
  alias: replica.name === null ? null : sanitizeRemoteText(replica.name, 128),
  correlationId: replica.jobId ?? '',
});

async function recordRequest(
  context: DelegationContext,
  { order }: OrderState,
  replica: Replica,
): Promise<void> {
  const content = order.inputs.map(({ data }) => data).join('\n');
  await context.journal.recordOutgoing({
    ...threadOf(context, replica, content),
    externalId: replica.jobId ?? '',
    outcome: 'requested',
  });
  context.reflection?.hooks.afterSend(messageOf(context, replica, content));
}

async function recordInJournal(
  context: DelegationContext,
  state: OrderState,
  replica: Replica,
  finished: Finished,
): Promise<void> {
  const { journal, logger } = context;
  const { answer, check } = replica;
  const jobId = replica.jobId ?? '';
  if (answer !== null) {
    const evidence = evidenceOf(answer);
    await journal.recordIncoming({
      ...threadOf(context, replica, answer.content ?? ''),
      externalId: isStorableId(answer.externalId)
        ? answer.externalId
        : composeId('answer', answer.externalId),
      outcome: 'delivered',
      ...(evidence === null ? {} : { evidence }),
    });
  }
  if (finished.journal !== null && finished.journal !== 'delivered') {
    try {
      await journal.recordOutcome(jobId, finished.journal, {
        externalId: composeId(answer === null ? 'end' : 'verdict', jobId),
        ...(finished.journal === 'violation' ? { evidence: { violations: check?.violations ?? [] } } : {}),
        metrics: {
          ...(answer?.latencyMs == null ? {} : { latencyMs: Math.max(0, answer.latencyMs) }),
          costMsat: replica.paidMsat + replica.feesMsat,
          ...(check?.passRate == null ? {} : { score: check.passRate }),
        },
      });
    } catch (error) {
      // The journal does not record this peer.
      if (!isBonafideError(error, 'CORRELATION_NOT_FOUND')) throw error;
      logger.debug(
        { orderId: state.order.id, jobId },
        'Outcome not recorded: the journal excludes this peer',
      );
    }
  }
  await followPolicy(context, replica.platform, state.order.taskType);
}

async function recordInMatrix(
  context: DelegationContext,
  state: OrderState,
  replica: Replica,
  finished: Finished,
): Promise<void> {
  const { matrix } = context;
  const { order } = state;
  const { platform, answer, check } = replica;
  const about = { platform, taskType: order.taskType };
  const measurements = {
    passRate: check?.passRate ?? null,
    latencyMs: answer?.isLate === false && answer.latencyMs !== null ? Math.max(0, answer.latencyMs) : null,
    executionMs: check?.executionMs ?? null,
    softLimitExceeded: check?.softLimitExceeded ?? null,
    errorKind: finished.errorKind === null ? null : sanitizeRemoteText(finished.errorKind, 64),
    costMsat: dueMsat(state, replica),
  };
  if (order.trial !== null) {
    const verdict = { ...measurements, outcome: finished.outcome, passRate: measurements.passRate ?? 0 };
    await matrix.recordBenchmark({ ...about, attemptId: order.id, verdict });
  } else {
    const jobId = replica.decisionId ?? replicaKey(state, replica.number);
    const { valueMsat } = order;
    await matrix.recordOutcome({ ...about, jobId, outcome: finished.outcome, measurements, valueMsat });
  }
  const work = describeWork(state, replica, finished);
  await rememberWrongAnswer(context, state, replica, work);
  await followServiceLevel(context, work);
  context.emitter.emit('finished', work);
}
