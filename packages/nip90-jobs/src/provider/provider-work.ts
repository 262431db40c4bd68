import type { FetchReference } from '../references/fetch-reference.ts';
import { createReadInput } from '../references/read-input.ts';
import { type AnswerPublisher, createAnswerPublisher } from './answer-publisher.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { ProvidedJob } from './provider-store.ts';
import { createReplies, type Replies } from './replies.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** The work of a provider: its handlers, and the answers that they give. */
export interface ProviderWork {
  readonly replies: Replies;
  readonly answers: AnswerPublisher;
  readonly workers: WorkerPool;
}

/** Creates the work of a provider. `onAnswered` is called once the answer of a request is stored. */
export function createProviderWork(
  context: ProviderContext,
  options: Pick<ProviderOptions, 'handler' | 'blobs'> & {
    readonly concurrency: number;
    readonly fetchReference: FetchReference;
    readonly publicKey: () => string;
    readonly startedAt: () => number;
    readonly onAnswered: (provided: ProvidedJob) => void;
  },
): ProviderWork {
  const { transport, relays, emitter } = context;
  const { handler, blobs, concurrency, fetchReference, publicKey, startedAt, onAnswered } = options;
  const replies = createReplies(context, blobs ?? null);
  const answers = createAnswerPublisher(context, {
    ...{ replies, publicKey, startedAt },
    onAnswered(provided, answer) {
      const { requestId, customer } = provided;
      emitter.emit('answered', { requestId, customer, answer });
      onAnswered(provided);
    },
    onPublished: ({ id: requestId }, answer) => emitter.emit('published', { requestId, answer }),
  });
  const workers = createWorkerPool(context, {
    ...{ handler, concurrency, replies, answers },
    readInput: createReadInput({ transport, relays, fetchReference }),
  });
  return { replies, answers, workers };
}
