import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, resultKindOf } from '../codec/index.ts';
import { pause } from '../timers.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Replies } from './replies.ts';

/** Sees to it that a request is answered once, and that its customer gets the answer (JOB-15). */
export interface AnswerPublisher {
  /** Fixes the one answer to a request and publishes it. An earlier one wins. */
  settle(request: JobRequest, template: EventTemplate): Promise<void>;
  /** Settles a request with feedback that says `error`. */
  refuse(request: JobRequest, info: string): Promise<void>;
  /** Publishes an answer that is stored, until a relay where the customer listens has it. */
  publish(request: JobRequest, answer: NostrEvent): Promise<void>;
  /** Takes over what an earlier life, whose store was lost, has answered: the relays remember. False when there is nothing. */
  adopt(request: JobRequest): Promise<boolean>;
}

export function createAnswerPublisher(
  context: ProviderContext,
  options: {
    readonly replies: Replies;
    readonly publicKey: () => string;
    readonly startedAt: () => number;
    readonly onAnswered: (request: JobRequest, answer: NostrEvent) => void;
    readonly onPublished: (request: JobRequest, answer: NostrEvent) => void;
  },
): AnswerPublisher {
  const { transport, signer, store, relays, clock, timers, logger, config, stop } = context;
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
          'No relay took the answer; it is tried again at the next start',
        );
      }
      logger.warn(
        { requestId: request.id, attempt },
        'No relay of the customer took the answer; trying again',
      );
      if (!(await pause(timers, delayMs, stop))) return;
    }
    await store.published(request.id, clock());
    onPublished(request, answer);
  };

  const settle = async (request: JobRequest, template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    const answer = await store.answer(request.id, signed, clock());
    if (answer === null) return;
    onAnswered(request, answer);
    context.background(publish(request, answer), 'An answer could not be published', request.id);
  };

  /** Only a request from before this start can have been answered before. */
  const earlierAnswer = async (request: JobRequest): Promise<NostrEvent | null> => {
    if (request.createdAt >= startedAt() - 2_000) return null;
    const filter = { kinds: [resultKindOf(request.kind)], authors: [publicKey()], '#e': [request.id] };
    try {
      const [answer] = await transport.query(replies.allRelays(request), [filter], { signal: stop });
      return answer ?? null;
    } catch (error) {
      logger.warn({ err: error, requestId: request.id }, 'Earlier answers could not be looked for');
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
      await store.answer(request.id, earlier, clock());
      await store.published(request.id, clock());
      return true;
    },
  };
}
