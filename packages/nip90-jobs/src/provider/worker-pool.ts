import { isBlank, isBonafideError } from '@bonafide/internal';
import type { FeedbackStatus, JobRequest } from '../codec/index.ts';
import type { JobErrorCode } from '../errors.ts';
import type { ReadInput } from '../references/read-input.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import type { JobHandler } from './handler.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Replies } from './replies.ts';

/** Runs handlers with limited concurrency; further requests wait in a queue. */
export interface WorkerPool {
  /** Adds a request. Returns false when the queue is full, unless `force` is set. */
  enqueue(request: JobRequest, options?: { readonly force: boolean }): boolean;
  /** Removes a request from the queue, or aborts its handler. */
  cancel(requestId: string): void;
  load(): { readonly waiting: number; readonly running: number };
  /**
   * Aborts every handler; resolves when all have ended, or after a time limit. An interrupted request does not count as an
   * attempt.
   */
  close(): Promise<void>;
}

/** Codes whose message is sent to the customer; the message of any other error stays in the log. */
const forCustomers: ReadonlySet<string> = new Set<JobErrorCode>([
  'JOB_FAILED',
  'INVALID_INPUT',
  'INPUT_TOO_LARGE',
  'REQUEST_TOO_LARGE',
  'RESULT_TOO_LARGE',
  'REFERENCE_FORBIDDEN',
  'REFERENCE_INVALID',
  'REFERENCE_TOO_LARGE',
  'REFERENCE_UNAVAILABLE',
]);

export function createWorkerPool(
  context: ProviderContext,
  options: {
    readonly handler: JobHandler;
    readonly concurrency: number;
    readonly readInput: ReadInput;
    readonly replies: Replies;
    readonly answers: AnswerPublisher;
  },
): WorkerPool {
  const { jobs, signer, clock, timers, logger, config, stop } = context;
  const { handler, concurrency, readInput, replies, answers } = options;
  const waiting: JobRequest[] = [];
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();

  const tell = (request: JobRequest, status: FeedbackStatus, info: string) =>
    replies
      .sendFeedback(request, status, { info })
      .catch((error) => logger.warn({ err: error, requestId: request.id }, 'Feedback not published'));

  /** Publishes a part of the result. That it was delivered is stored first. */
  const publishPart = async (request: JobRequest, content: string, info: string, isDelivery: boolean) => {
    if (isDelivery && !isBlank(content)) await jobs.insist(request.id, { type: 'partial', at: clock() });
    try {
      await replies.sendFeedback(request, 'partial', { info, content });
    } catch (error) {
      if (isBonafideError(error, 'RESULT_TOO_LARGE')) throw error;
      logger.warn({ err: error, requestId: request.id }, 'Feedback not published');
    }
  };

  /** Publishes `processing` at intervals until the returned function is called. */
  const startHeartbeat = (request: JobRequest): (() => void) => {
    if (config.heartbeatMs === 0) return () => {};
    let cancel = () => {};
    const next = () => {
      cancel = timers.after(config.heartbeatMs, () => {
        context.background(tell(request, 'processing', ''), 'Feedback not published', request.id);
        next();
      });
    };
    next();
    return () => cancel();
  };

  const runHandler = async (request: JobRequest, { signal }: AbortController): Promise<void> => {
    context.background(tell(request, 'processing', ''), 'Feedback not published', request.id);
    const stopHeartbeat = startHeartbeat(request);
    const decrypt =
      request.encryption === 'nip44'
        ? (ciphertext: string) => signer.nip44Decrypt(request.customer, ciphertext)
        : null;
    try {
      const given = await handler(request, {
        signal,
        read: (input) => readInput(input, { signal, decrypt }),
        progress: (info = '') => tell(request, 'processing', info),
        partial: (content, info = '', { isDelivery = true } = {}) =>
          publishPart(request, content, info, isDelivery),
      });
      if (!signal.aborted) await answers.settle(request, await replies.result(request, given));
    } finally {
      stopHeartbeat();
    }
  };

  const work = async (request: JobRequest, abort: AbortController): Promise<void> => {
    try {
      if (await answers.adopt(request)) return;
      const { attempts } = await jobs.insist(request.id, { type: 'begun' });
      if (attempts > config.maxAttempts) {
        logger.error({ requestId: request.id, attempts }, 'Request abandoned: its handler ended the process');
        return await answers.refuse(request, 'The job failed.');
      }
      await runHandler(request, abort);
    } catch (error) {
      // Closing leaves the request to the next start; a cancelled one needs no answer.
      if (abort.signal.aborted) return;
      const told = isBonafideError(error) && forCustomers.has(error.code) ? error.message : 'The job failed.';
      logger.warn({ err: error, requestId: request.id }, 'Handler failed');
      await answers.refuse(request, told);
    }
  };

  const release = async (requestId: string) => {
    try {
      const provided = await jobs.get(requestId);
      if (provided?.answer === null) await jobs.apply(requestId, { type: 'released' });
    } catch (error) {
      logger.warn({ err: error, requestId }, 'Request not released: the store failed');
    }
  };

  const fill = () => {
    while (running.size < concurrency && !stop.aborted) {
      const request = waiting.shift();
      if (request === undefined) return;
      const abort = new AbortController();
      const done = work(request, abort)
        .catch((error) => logger.error({ err: error, requestId: request.id }, 'Request not answered'))
        .finally(() => {
          running.delete(request.id);
          fill();
        });
      running.set(request.id, { abort, done });
    }
  };

  return {
    enqueue(request, { force } = { force: false }) {
      if (waiting.length >= config.queueLimit && !force) return false;
      waiting.push(request);
      fill();
      return true;
    },
    cancel(requestId) {
      const at = waiting.findIndex((request) => request.id === requestId);
      if (at >= 0) waiting.splice(at, 1);
      running.get(requestId)?.abort.abort();
    },
    load: () => ({ waiting: waiting.length, running: running.size }),
    async close() {
      waiting.length = 0;
      const left = [...running];
      for (const [, { abort }] of left) abort.abort();
      const enough = Promise.withResolvers<void>();
      const cancel = timers.after(config.closeTimeoutMs, enough.resolve);
      await Promise.race([Promise.all(left.map(([, { done }]) => done)), enough.promise]);
      cancel();
      for (const [requestId] of left) await release(requestId);
    },
  };
}
