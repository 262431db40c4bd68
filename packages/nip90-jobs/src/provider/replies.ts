import { truncate } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import {
  buildFeedback,
  buildJobResult,
  type FeedbackStatus,
  type JobRequest,
  MAX_EVENT_BYTES,
  signedBytes,
} from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { publishToAny } from '../publish.ts';
import type { BlobStore } from '../references/blob-store.ts';
import { putText } from '../references/put-text.ts';
import { pause } from '../timers.ts';
import type { JobAnswer } from './handler.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Charge } from './provider-store.ts';

/** Maximum number of a request's relays that get an answer. */
const maxReplyRelays = 5;

/** Maximum size of the text beside a status; a longer one is truncated. */
const maxInfoBytes = 4_000;

const plainText = 'text/plain;charset=utf-8';

/** Returns the requested MIME type when it is text, else plain text. */
const mimeOfResult = ({ output }: JobRequest) =>
  output !== null && /^(text\/|application\/json$)/.test(output.mime) ? output.mime : plainText;

const fitsRelay = (template: EventTemplate) => signedBytes(template) <= MAX_EVENT_BYTES;

/** Content of a feedback event beside its status. */
export interface FeedbackContent {
  readonly info?: string;
  readonly content?: string;
  readonly charge?: Charge;
}

/** Builds and publishes answers. For an encrypted request everything except the status is encrypted. */
export interface Replies {
  /** Returns the relays that the request names, or the provider's. */
  customerRelays(request: JobRequest): readonly string[];
  /** Returns the relays of the request and of the provider. */
  allRelays(request: JobRequest): readonly string[];
  /** Publishes; resolves to true when one relay has accepted the event. */
  send(event: NostrEvent, relays: readonly string[]): Promise<boolean>;
  /** Publishes again while no relay has accepted the event, until `isOver`. Resolves to false when none has. */
  insist(event: NostrEvent, relays: readonly string[], isOver?: () => boolean): Promise<boolean>;
  /**
   * Builds a feedback event. A long `info` is truncated; content that no relay takes goes by reference.
   * @throws {JobError} `RESULT_TOO_LARGE` without a blob store, `REFERENCE_UNAVAILABLE`
   */
  feedback(request: JobRequest, status: FeedbackStatus, said: FeedbackContent): Promise<EventTemplate>;
  sendFeedback(request: JobRequest, status: FeedbackStatus, said: FeedbackContent): Promise<void>;
  /**
   * Builds the event of a result; by reference when it is too large for a relay and there is a blob store.
   * @throws {JobError} `RESULT_TOO_LARGE`, `REFERENCE_UNAVAILABLE`
   */
  result(request: JobRequest, answer: JobAnswer): Promise<EventTemplate>;
}

export function createReplies(context: ProviderContext, blobs: BlobStore | null): Replies {
  const { transport, signer, relays, clock, timers, logger, config, stop } = context;

  const allRelays = (request: JobRequest) => [
    ...new Set([...request.relays.slice(0, maxReplyRelays), ...relays]),
  ];

  const send = (event: NostrEvent, to: readonly string[]) =>
    publishToAny(transport, event, to, {
      timeoutMs: config.publishTimeoutMs,
      signal: stop,
      onOutcome: (relay, { status, message }) => {
        if (status !== 'accepted')
          logger.debug({ relay, status, message, eventId: event.id }, 'Relay did not accept an event');
      },
      onError: (error) => logger.error({ err: error, eventId: event.id }, 'Event not published'),
    });

  const feedback = async (
    request: JobRequest,
    status: FeedbackStatus,
    { info = '', content = '', charge }: FeedbackContent,
  ): Promise<EventTemplate> => {
    const about = {
      request: { id: request.id, pubkey: request.customer },
      status,
      createdAt: clock(),
      ...(charge ? { amountMsat: charge.amountMsat, bolt11: charge.bolt11 } : {}),
    };
    const short = truncate(info, maxInfoBytes);
    const secret = content || short;
    const template =
      request.encryption === null || secret === ''
        ? buildFeedback({ ...about, info: short, content })
        : buildFeedback({
            ...about,
            content: await signer.nip44Encrypt(request.customer, secret),
            encrypted: true,
          });
    if (fitsRelay(template)) return template;
    if (blobs === null)
      throw new JobError('RESULT_TOO_LARGE', 'A part of the result is too large for a relay.');
    const isSecret = request.encryption !== null;
    return buildFeedback({
      ...about,
      ...(isSecret ? { encrypted: true } : { info: short }),
      reference: await store(
        blobs,
        template.content,
        isSecret ? plainText : mimeOfResult(request),
        request.id,
      ),
    });
  };

  /** Stores a large result; retries as often as publishing an answer, since the work is done. */
  const store = async (blobs: BlobStore, text: string, mime: string, requestId: string) => {
    for (const delayMs of [...config.publishRetryDelaysMs, null]) {
      try {
        return await putText(blobs, text, { mime, signal: stop });
      } catch (error) {
        stop.throwIfAborted();
        logger.warn({ err: error, requestId }, 'Result not stored');
        if (delayMs === null || !(await pause(timers, delayMs, stop))) break;
      }
    }
    throw new JobError(
      'REFERENCE_UNAVAILABLE',
      'The result is too large for a relay, and could not be stored elsewhere.',
    );
  };

  const insist = async (event: NostrEvent, to: readonly string[], isOver = () => false) => {
    for (const delayMs of [...config.publishRetryDelaysMs, null]) {
      if (await send(event, to)) return true;
      if (delayMs === null || !(await pause(timers, delayMs, stop)) || isOver()) break;
    }
    return false;
  };

  return {
    customerRelays: (request) =>
      request.relays.length > 0 ? request.relays.slice(0, maxReplyRelays) : relays,
    allRelays,
    send,
    insist,
    feedback,
    async sendFeedback(request, status, said) {
      const template = await feedback(request, status, said);
      await send(await signer.signEvent(template), allRelays(request));
    },
    async result(request, given) {
      const answer = typeof given === 'string' ? { content: given } : given;
      const encrypted = request.encryption !== null;
      // NIP-44 has no ciphertext of nothing.
      const content = encrypted
        ? await signer.nip44Encrypt(request.customer, answer.content || ' ')
        : answer.content;
      const about = { request: request.event, createdAt: clock(), ...answer, content, encrypted };
      const inline = buildJobResult(about);
      if (fitsRelay(inline)) return inline;
      if (blobs === null) throw new JobError('RESULT_TOO_LARGE', 'The result is too large for a relay.');
      // A ciphertext has no other type.
      const mime = encrypted ? plainText : mimeOfResult(request);
      return buildJobResult({ ...about, reference: await store(blobs, content, mime, request.id) });
    },
  };
}
