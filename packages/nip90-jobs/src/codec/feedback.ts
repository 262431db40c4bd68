import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { readInput } from '../option-schemas.ts';
import { answerFields, requestAuthor } from './answer-schema.ts';
import { isHex64, readEvent, refused, type WireProblem } from './event.ts';
import { FEEDBACK_KIND } from './kinds.ts';
import { type ContentReference, parseReference, referenceTag } from './reference.ts';
import { referencedId } from './result.ts';
import {
  amountTag,
  type Encryption,
  encryptionOf,
  type JobAmount,
  normalizeStatus,
  parseAmount,
} from './tags.ts';

/** The statuses of NIP-90. */
export const FEEDBACK_STATUSES = ['payment-required', 'processing', 'error', 'success', 'partial'] as const;

/** A status of NIP-90. */
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/** Input of {@link buildFeedback}: a provider's status report about a job. */
export interface FeedbackSpec {
  /** The request's event, or its id and its author. */
  readonly request: { readonly id: string; readonly pubkey: string };
  readonly status: FeedbackStatus;
  /** Human-readable text beside the status. */
  readonly info?: string;
  /** Requested amount in millisatoshi. */
  readonly amountMsat?: number | null;
  readonly bolt11?: string | null;
  /** A part of the result, for status `partial`. */
  readonly content?: string;
  /**
   * Reference to the content when it is too large for an event; the event's content is then the address.
   * @default null
   */
  readonly reference?: ContentReference | null;
  /** True when `content` is a ciphertext (NIP-44) for the customer. @default false */
  readonly encrypted?: boolean;
  readonly relayHint?: string | null;
  /** ms since epoch; the wire keeps whole seconds. */
  readonly createdAt: number;
}

const specSchema = z.strictObject({
  ...answerFields,
  request: requestAuthor,
  status: z.enum(FEEDBACK_STATUSES),
  info: z.string().optional(),
  content: z.string().optional(),
});

/**
 * Builds a feedback event (NIP-90, kind 7000) with the tags status, amount, e and p.
 * @throws {JobError} `INVALID_INPUT` for a status that NIP-90 does not have, or an amount that is not a whole
 *   number
 */
export function buildFeedback(spec: FeedbackSpec): EventTemplate {
  readInput(specSchema, spec, 'feedback');
  const { id, pubkey } = spec.request;
  const tags: string[][] = [spec.info ? ['status', spec.status, spec.info] : ['status', spec.status]];
  if (spec.amountMsat != null) tags.push(amountTag(spec.amountMsat, spec.bolt11));
  tags.push(spec.relayHint ? ['e', id, spec.relayHint] : ['e', id], ['p', pubkey]);
  if (spec.encrypted) tags.push(['encrypted']);
  if (spec.reference) tags.push(referenceTag(spec.reference));
  return {
    kind: FEEDBACK_KIND,
    created_at: Math.floor(spec.createdAt / 1000),
    tags,
    content: spec.reference?.url ?? spec.content ?? '',
  };
}

/** A parsed feedback event. */
export interface JobFeedback extends JobAmount {
  readonly id: string;
  /** Public key of the signer. */
  readonly provider: string;
  /** Time by the provider's clock, ms since epoch, whole seconds. */
  readonly createdAt: number;
  /** Id of the request; null when the event names no request. */
  readonly requestId: string | null;
  readonly customer: string | null;
  /** Lower case, with `-` for `_`. Statuses that NIP-90 does not know are kept. '' when it is encrypted. */
  readonly status: string;
  /** The provider's text beside the status; '' when it has no text. */
  readonly info: string;
  /** A part of the result, or text; the address of it when there is a `reference`. */
  readonly content: string;
  /**
   * Reference to a content that is too large for an event; null when the event contains it. It is not downloaded:
   * `createReferenceFetcher` does that, guarded. That of an encrypted job is a ciphertext (NIP-44).
   */
  readonly reference: ContentReference | null;
  readonly encryption: Encryption | null;
  readonly problems: readonly string[];
  readonly event: NostrEvent;
}

/** Reason why an event is not feedback. */
export type FeedbackRejection = WireProblem | 'no-status';

/** Result of {@link parseFeedback}. */
export type ParsedFeedback =
  | { readonly ok: true; readonly feedback: JobFeedback }
  | { readonly ok: false; readonly reason: FeedbackRejection; readonly message: string };

/** Parses feedback in every form that occurs on public relays. Never throws; does not check signatures. */
export function parseFeedback(event: unknown): ParsedFeedback {
  const read = readEvent(event);
  if (!read.ok) return read;
  const { id, pubkey, kind, created_at, tags, content } = read.event;
  if (kind !== FEEDBACK_KIND)
    return refused('wrong-kind', `Kind ${kind} is not job feedback (${FEEDBACK_KIND})`);
  const encryption = encryptionOf(tags, content);
  const written = tags.find((tag) => tag[0] === 'status');
  const status = normalizeStatus(written?.[1] ?? '');
  if (status === '' && encryption === null) return refused('no-status', 'The feedback says no status');

  const problems: string[] = [];
  return {
    ok: true,
    feedback: {
      id,
      provider: pubkey,
      createdAt: created_at * 1000,
      requestId: referencedId(tags),
      customer: tags.find((tag) => tag[0] === 'p' && isHex64(tag[1]))?.[1] ?? null,
      status,
      info: written?.[2] ?? '',
      content,
      reference: parseReference(tags, content),
      encryption,
      problems,
      event: read.event,
      ...parseAmount(tags, problems),
    },
  };
}
