import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, resultKindOf } from '../codec/index.ts';
import { queryRelays } from '../query-relays.ts';
import { pause } from '../timers.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProvidedJob } from './provider-store.ts';
import type { Replies } from './replies.ts';

/** Repetitions of a query for an earlier answer while no relay can be read. */
const maxBlindReads = 2;

/** Answers each request once and delivers the answer. */
export interface AnswerPublisher {
  /** Stores the answer of a request and publishes it. An earlier answer takes precedence. */
  settle(request: JobRequest, template: EventTemplate): Promise<void>;
  /** Answers a request with `error` feedback. */
  refuse(request: JobRequest, info: string): Promise<void>;
  /** Publishes a stored answer until a relay of the customer has accepted it. */
  publish(request: JobRequest, answer: NostrEvent): Promise<void>;
  /** Restores an answer of this provider from the relays after the store was lost. Returns false when there is none. */
  adopt(request: JobRequest): Promise<boolean>;
}

export function createAnswerPublisher(
  context: ProviderContext,
  options: {
    readonly replies: Replies;
    readonly publicKey: () => string;
    readonly startedAt: () => number;
    readonly onAnswered: (provided: ProvidedJob, answer: NostrEvent) => void;
    readonly onPublished: (request: JobRequest, answer: NostrEvent) => void;
  },
): AnswerPublisher {
  const { transport, signer, jobs, relays, clock, timers, logger, config, stop } = context;
  const { replies, publicKey, startedAt, onAnswered, onPublished } = options;

  const publish = async (request: JobRequest, answer: NostrEvent): Promise<void> => {
    const theirs = replies.customerRelays(request);
    const others = relays.filter((relay) => !theirs.includes(relay));
    let elsewhere = false;
    for (let attempt = 0; ; attempt += 1) {
      const copies = replies.send(answer, others).then((accepted) => {
        elsewhere ||= accepted;
      });
      if (await replies.send(answer, theirs)) break;
      const delayMs = config.publishRetryDelaysMs[attempt];
      if (delayMs === undefined) {
        await copies;
        if (elsewhere) break;
        return logger.error(
          { requestId: request.id },
          'No relay accepted the answer; the next start publishes it again',
        );
      }
      logger.warn(
        { requestId: request.id, attempt },
        'No relay of the customer accepted the answer; retrying',
      );
      if (!(await pause(timers, delayMs, stop))) return;
    }
    await jobs.apply(request.id, { type: 'published', at: clock() });
    onPublished(request, answer);
  };

  const settle = async (request: JobRequest, template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    // The work is done: a store that fails for a moment must not turn it into a refusal.
    const provided = await jobs.insist(request.id, { type: 'answered', answer: signed, at: clock() });
    const { answer } = provided;
    // Cancelled meanwhile.
    if (answer === null) return;
    onAnswered(provided, answer);
    context.background(publish(request, answer), 'Answer not published', request.id);
  };

  /** Queries the relays for an earlier answer; a request from after the start has none. */
  const earlierAnswer = async (request: JobRequest): Promise<NostrEvent | null> => {
    if (request.createdAt >= startedAt() - 2_000) return null;
    const filter = { kinds: [resultKindOf(request.kind)], authors: [publicKey()], '#e': [request.id] };
    try {
      for (const delayMs of [...config.publishRetryDelaysMs.slice(0, maxBlindReads), null]) {
        const read = await queryRelays(transport, replies.allRelays(request), [filter], { signal: stop });
        const [answer] = read.events;
        if (answer || !read.isBlind) return answer ?? null;
        if (delayMs === null || !(await pause(timers, delayMs, stop))) break;
      }
      logger.warn({ requestId: request.id }, 'No relay could be read for an earlier answer');
      return null;
    } catch (error) {
      logger.warn({ err: error, requestId: request.id }, 'Relays not queried for earlier answers');
      return null;
    }
  };

  return {
    settle,
    publish,
    async refuse(request, info) {
      await settle(request, await replies.feedback(request, 'error', { info }));
    },
    async adopt(request) {
      const earlier = await earlierAnswer(request);
      if (earlier === null) return false;
      await jobs.apply(request.id, { type: 'answered', answer: earlier, at: clock() });
      await jobs.apply(request.id, { type: 'published', at: clock() });
      return true;
    },
  };
}
