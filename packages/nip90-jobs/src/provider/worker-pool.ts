import { isBonafideError } from '@bonafide/internal';
import type { FeedbackStatus, JobRequest } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { ReadInput } from '../references/read-input.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import type { JobHandler } from './handler.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Replies } from './replies.ts';

/** Runs handlers, so many at a time, and lets the other requests wait their turn. */
export interface WorkerPool {
  /** False when there is no room for it. */
  enqueue(request: JobRequest, options?: { readonly regardless: boolean }): boolean;
  /** Forgets a request that waits, and stops the handler that works on it. */
  cancel(requestId: string): void;
  load(): { readonly waiting: number; readonly running: number };
  /** Aborts every handler; resolves when all are done, or after a while. */
  close(): Promise<void>;
}

export function createWorkerPool(
  context: ProviderContext,
  options: {
    readonly handler: JobHandler;
    readonly concurrency: number;
    readonly readInput: ReadInput;
    readonly replies: Replies;
    readonly answerPublisher: AnswerPublisher;
  },
): WorkerPool {
  const { store, signer, timers, logger, config, stop } = context;
  const { handler, concurrency, readInput, replies, answerPublisher } = options;
  const waiting: JobRequest[] = [];
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();

  const tell = (request: JobRequest, status: FeedbackStatus, info: string, content = '') =>
    replies
      .sendFeedback(request, status, { info, content })
      .catch((error) =>
        logger.warn({ err: error, requestId: request.id }, 'Feedback could not be published'),
      );

  /** Says `processing` again and again; the function returned ends it. */
  const startHeartbeat = (request: JobRequest): (() => void) => {
    if (config.heartbeatMs === 0) return () => {};
    let cancel = () => {};
    const next = () => {
      cancel = timers.after(config.heartbeatMs, () => {
        context.background(tell(request, 'processing', ''), 'Feedback could not be published', request.id);
        next();
      });
    };
    next();
    return () => cancel();
  };

  const runHandler = async (request: JobRequest, { signal }: AbortController): Promise<void> => {
    context.background(tell(request, 'processing', ''), 'Feedback could not be published', request.id);
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
        partial: (content, info = '') => tell(request, 'partial', info, content),
      });
      if (!signal.aborted) await answerPublisher.settle(request, await replies.result(request, given));
    } finally {
      stopHeartbeat();
    }
  };

  const work = async (request: JobRequest, abort: AbortController): Promise<void> => {
    try {
      if (await answerPublisher.adopt(request)) return;
      if ((await store.begin(request.id)) > config.maxAttempts) {
        logger.error(
          { requestId: request.id },
          'A request was begun too often and never ended; it is given up',
        );
        return await answerPublisher.refuse(request, 'The job failed.');
      }
      await runHandler(request, abort);
    } catch (error) {
      // Closing leaves the request for the next start; a cancelled one wants no answer.
      if (abort.signal.aborted) return;
      const told = isBonafideError(error) && error instanceof JobError ? error.message : 'The job failed.';
      logger.warn({ err: error, requestId: request.id }, 'A handler failed');
      await answerPublisher.refuse(request, told);
    }
  };

  const fill = () => {
    while (running.size < concurrency && !stop.aborted) {
      const request = waiting.shift();
      if (request === undefined) return;
      const abort = new AbortController();
      const done = work(request, abort)
        .catch((error) =>
          logger.error({ err: error, requestId: request.id }, 'A request could not be answered'),
        )
        .finally(() => {
          running.delete(request.id);
          fill();
        });
      running.set(request.id, { abort, done });
    }
  };

  return {
    enqueue(request, { regardless } = { regardless: false }) {
      if (waiting.length >= config.queueLimit && !regardless) return false;
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
      const left = [...running.values()];
      for (const { abort } of left) abort.abort();
      const enough = Promise.withResolvers<void>();
      const cancel = timers.after(config.closeTimeoutMs, enough.resolve);
      await Promise.race([Promise.all(left.map(({ done }) => done)), enough.promise]);
      cancel();
    },
  };
}
