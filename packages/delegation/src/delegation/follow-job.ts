import { byteLength, isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import type { OrderEvent, Paid } from '../flow/events.ts';
import { replicaKey } from '../flow/next-step.ts';
import type { EndReason, OrderState, Replica } from '../order.ts';
import type { Answer, Jobs, RequestedJob } from '../ports.ts';
import type { DelegationContext } from './context.ts';
import { keepEvidence } from './evidence.ts';

/** Follows the jobs of replicas. Each method returns the fact that it found, or null while there is none. */
export interface JobFollower {
  request(state: OrderState, replica: Replica): Promise<OrderEvent>;
  look(state: OrderState, replica: Replica): Promise<OrderEvent | null>;
  withdraw(state: OrderState, replica: Replica): Promise<OrderEvent | null>;
  /** Pays for an answer that asks for money. */
  pay(replica: Replica): Promise<readonly OrderEvent[]>;
  close(): void;
}

const finalStates: ReadonlySet<string> = new Set(['completed', 'failed', 'timed_out', 'cancelled']);
/** Longest answer that is stored with its order, bytes. */
const maxAnswerBytes = 4_000_000;
/** Codes of requests that cannot be made, however often they are tried. */
const impossible: ReadonlySet<string> = new Set([
  'INVALID_INPUT',
  'INPUT_TOO_LARGE',
  'REQUEST_TOO_LARGE',
  'IDEMPOTENCY_CONFLICT',
]);
/** Codes of answers that are not to be paid, however often it is tried. */
const unpayable: ReadonlySet<string> = new Set(['PAYMENT_DECLINED', 'INVALID_INPUT', 'JOB_NOT_FOUND']);
/** Codes that say nothing about the job: it continues when the process is back. */
const interruptions: ReadonlySet<string> = new Set(['CLOSED', 'NOT_STARTED', 'STORE_FAILED', 'ABORTED']);

/** @param options.wake - wakes the order of a job that has ended */
export function createJobFollower(
  context: DelegationContext,
  options: { readonly jobs: Jobs; readonly wake: (orderId: string) => void },
): JobFollower {
  const { clock, settings, logger } = context;
  const { jobs } = options;
  const watched = new Set<string>();
  let closed = false;

  /** Wakes the order when the job ends. */
  const watch = (key: string, orderId: string, job: RequestedJob) => {
    if (watched.has(key)) return;
    watched.add(key);
    const ended = (error?: unknown) => {
      watched.delete(key);
      const isInterrupted = isBonafideError(error) && interruptions.has(error.code);
      if (!closed && !isInterrupted) options.wake(orderId);
    };
    job.result.then(() => ended(), ended);
  };

  const paidFor = async (jobId: string): Promise<Paid | null> => {
    const payment = (await jobs.payment?.(jobId)) ?? null;
    if (payment === null) return null;
    const { status, amountMsat: invoicedMsat, feesMsat } = payment;
    if (status === 'settled') return { paidMsat: invoicedMsat, feesMsat, heldMsat: 0, invoicedMsat };
    const heldMsat = status === 'failed-after-lookup' ? 0 : invoicedMsat;
    return { paidMsat: 0, feesMsat: 0, heldMsat, invoicedMsat };
  };

  const factOf = async (job: RequestedJob, replica: Replica): Promise<OrderEvent> => {
    const base = { at: clock(), replica: replica.number };
    const ended = async (reason: EndReason, message: string): Promise<OrderEvent> => ({
      type: 'ended',
      ...base,
      reason,
      message: sanitizeRemoteText(message, 1_000),
      paid: await paidFor(job.jobId),
    });
    let answer: Answer;
    try {
      answer = await job.result;
    } catch (error) {
      const reason = endReason(error);
      if (reason === null) throw error;
      return ended(reason, error instanceof Error ? error.message : String(error));
    }
    const { content, latencyMs, recovered, amountMsat, event } = answer;
    if (byteLength(content) > maxAnswerBytes)
      return ended('too-large', `Its answer has more than ${maxAnswerBytes} bytes.`);
    return {
      type: 'answered',
      ...base,
      paid: await paidFor(job.jobId),
      answer: {
        content,
        at: base.at,
        // The latency of a result found after a restart says nothing about the platform.
        latencyMs: recovered || !Number.isFinite(latencyMs) ? null : latencyMs,
        externalId: event.id,
        evidence: keepEvidence(answer),
        invoicedMsat: Number.isSafeInteger(amountMsat) ? amountMsat : null,
        isLate: false,
      },
    };
  };

  /** Returns the end of the job; while it has none, watches it and returns null. */
  const followed = async (
    state: OrderState,
    replica: Replica,
    job: RequestedJob,
  ): Promise<OrderEvent | null> => {
    if (finalStates.has(job.state)) return factOf(job, replica);
    watch(replicaKey(state, replica.number), state.order.id, job);
    return null;
  };

  return {
    async request(state, replica) {
      const { order } = state;
      const base = { at: clock(), replica: replica.number };
      try {
        const job = await jobs.requestJob(
          {
            kind: order.kind,
            provider: replica.platform.pubkey,
            inputs: order.inputs.map(({ data, type, relay, marker }) => ({
              data,
              ...(type && { type }),
              ...(relay && { relay }),
              ...(marker && { marker }),
            })),
            params: order.params,
            ...(order.output === null ? {} : { output: order.output }),
            bidMsat: replica.bidMsat,
          },
          { idempotencyKey: replicaKey(state, replica.number), providerRelays: replica.relays },
        );
        return { type: 'requested', ...base, jobId: job.jobId };
      } catch (error) {
        if (!isBonafideError(error) || !impossible.has(error.code)) throw error;
        return { type: 'ended', ...base, reason: 'not-requested', message: error.message, paid: null };
      }
    },

    async look(state, replica) {
      const isLate = replica.end !== null && clock() >= replica.end.at + settings.lateMs;
      if (isLate && replica.heldMsat === 0)
        return {
          type: 'recorded',
          at: clock(),
          replica: replica.number,
          hasAnswer: replica.answer !== null,
          targets: ['claim'],
        };
      if (replica.answer !== null) {
        const paid = await paidFor(replica.jobId ?? '');
        return paid === null ? null : { type: 'paid', at: clock(), replica: replica.number, paid };
      }
      const job = await jobs.getByKey(replicaKey(state, replica.number));
      if (job === null) {
        const message = 'The store of jobs does not have its request.';
        return {
          type: 'ended',
          at: clock(),
          replica: replica.number,
          reason: 'not-requested',
          message,
          paid: null,
        };
      }
      return followed(state, replica, job);
    },

    async withdraw(state, replica) {
      const reason = replica.withdrawn ?? 'The order is over.';
      const job = await jobs.getByKey(replicaKey(state, replica.number));
      const base = { at: clock(), replica: replica.number };
      if (job === null)
        return { type: 'ended', ...base, reason: 'not-requested', message: reason, paid: null };
      if (replica.stage === 'chosen') return { type: 'requested', ...base, jobId: job.jobId };
      // A platform that was paid may finish: its answer tells about it.
      const paid = await paidFor(job.jobId);
      if (!finalStates.has(job.state) && (paid === null || paid.paidMsat + paid.heldMsat === 0))
        await job.cancel(reason);
      return followed(state, replica, job);
    },

    async pay({ jobId, number }) {
      const job = jobId ?? '';
      try {
        await jobs.pay?.(job);
      } catch (error) {
        if (!isBonafideError(error) || !unpayable.has(error.code)) throw error;
        logger.warn({ err: error, jobId }, 'Answer not paid');
      }
      const base = { at: clock(), replica: number };
      const paid = await paidFor(job);
      const recorded = { type: 'recorded', ...base, hasAnswer: true, targets: ['payment'] } as const;
      return paid === null ? [recorded] : [{ type: 'paid', ...base, paid }, recorded];
    },

    close() {
      closed = true;
      watched.clear();
    },
  };
}

/** Returns why a job ended without an answer; null for an error that is not the end of the job. */
function endReason(error: unknown): EndReason | null {
  if (!isBonafideError(error) || interruptions.has(error.code)) return null;
  switch (error.code) {
    case 'JOB_TIMED_OUT':
      return (error as { timeoutClass?: unknown }).timeoutClass === 'delivery' ? 'undelivered' : 'timeout';
    case 'JOB_CANCELLED':
      return 'withdrawn';
    case 'RESULT_TOO_LARGE':
      return 'too-large';
    default:
      return 'declined';
  }
}
