import { byteLength } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import { readInput } from '../option-schemas.ts';
import { answerFields, requestAuthor } from './answer-schema.ts';
import { isHex64, readEvent, refused, type WireProblem } from './event.ts';
import { isRequestKind, isResultKind, resultKindOf } from './kinds.ts';
import { type ContentReference, parseReference, referenceTag } from './reference.ts';
import { parseJobRequest } from './request.ts';
import {
  amountTag,
  type Encryption,
  encryptionOf,
  type JobAmount,
  type JobInput,
  normalizeStatus,
  parseAmount,
  parseInputTag,
} from './tags.ts';

/** The result repeats the request up to this size, so that it can be read alone. */
const maxRepeatedRequestBytes = 4_096;

/** Input of {@link buildJobResult}. */
export interface JobResultSpec {
  /** The request's event as received. */
  readonly request: NostrEvent;
  readonly content: string;
  /**
   * Reference to the content when it is too large for an event; the event's content is then the address.
   * @default null
   */
  readonly reference?: ContentReference | null;
  /**
   * `partial` when only a part of the work was possible.
   * @default 'success'
   */
  readonly status?: 'success' | 'partial';
  /** Price in millisatoshi; 0 for free work. */
  readonly amountMsat?: number | null;
  /** Lightning invoice over that amount. */
  readonly bolt11?: string | null;
  /**
   * True when `content` is a NIP-44 ciphertext for the customer; the inputs are then not repeated.
   * @default false
   */
  readonly encrypted?: boolean;
  /** Relay on which the request was seen. */
  readonly relayHint?: string | null;
  /** ms since epoch; the wire keeps whole seconds. */
  readonly createdAt: number;
}

const specSchema = z.strictObject({
  ...answerFields,
  request: requestAuthor.extend({ kind: z.int(), tags: z.array(z.array(z.string())) }),
  content: z.string(),
  status: z.enum(['success', 'partial']).optional(),
});

/**
 * Builds a job result (NIP-90): the request's kind + 1000, with the tags request, e, i, p, status and amount.
 * @throws {JobError} `INVALID_INPUT` when `request` is not a job request, or the amount is not a whole number
 */
export function buildJobResult(spec: JobResultSpec): EventTemplate {
  readInput(specSchema, spec, 'result');
  const { request, amountMsat } = spec;
  if (!isRequestKind(request.kind)) {
    throw new JobError(
      'INVALID_INPUT',
      `An event of kind ${request.kind} is not a job request; nothing answers it.`,
    );
  }
  const { id, pubkey, created_at, kind, tags, content, sig } = request;
  const repeated = JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig });
  const result: string[][] = [];
  if (byteLength(repeated) <= maxRepeatedRequestBytes) result.push(['request', repeated]);
  result.push(spec.relayHint ? ['e', id, spec.relayHint] : ['e', id]);
  for (const tag of tags) if (tag[0] === 'i' && !spec.encrypted) result.push([...tag]);
  result.push(['p', pubkey], ['status', spec.status ?? 'success']);
  if (amountMsat != null) result.push(amountTag(amountMsat, spec.bolt11));
  if (spec.encrypted) result.push(['encrypted']);
  if (spec.reference) result.push(referenceTag(spec.reference));
  return {
    kind: resultKindOf(kind),
    created_at: Math.floor(spec.createdAt / 1000),
    tags: result,
    content: spec.reference?.url ?? spec.content,
  };
}

/** A parsed job result. */
export interface ParsedResult extends JobAmount {
  readonly id: string;
  /** Public key of the signer. */
  readonly provider: string;
  readonly kind: number;
  /** Time by the provider's clock, ms since epoch, whole seconds. */
  readonly createdAt: number;
  /** Id of the request; null when the event names no request. */
  readonly requestId: string | null;
  /** Public key of the named customer, or null. */
  readonly customer: string | null;
  /** Lower case; `success` when the event has no status. */
  readonly status: string;
  /** The provider's text beside the status; '' when it has no text. */
  readonly info: string;
  readonly inputs: readonly JobInput[];
  /** The result, or its address when there is a `reference`. */
  readonly content: string;
  /** Reference to the content; null when the event contains it. */
  readonly reference: ContentReference | null;
  readonly encryption: Encryption | null;
  /** Id of the repeated request; null when the event repeats no readable request. Never used as input. */
  readonly repeatedRequestId: string | null;
  readonly problems: readonly string[];
  readonly event: NostrEvent;
}

/** Result of {@link parseJobResult}. */
export type ParsedJobResult =
  | { readonly ok: true; readonly result: ParsedResult }
  | { readonly ok: false; readonly reason: WireProblem; readonly message: string };

/**
 * Parses a job result in every form that occurs on public relays. Never throws; does not check signatures.
 */
export function parseJobResult(event: unknown): ParsedJobResult {
  const read = readEvent(event);
  if (!read.ok) return read;
  const { id, pubkey, kind, created_at, tags, content } = read.event;
  if (!isResultKind(kind)) return refused('wrong-kind', `Kind ${kind} is not a job result (6000–6999)`);

  const problems: string[] = [];
  const requestId = referencedId(tags);
  const repeatedRequestId = repeatedRequest(tags, problems);
  if (requestId !== null && repeatedRequestId !== null && requestId !== repeatedRequestId) {
    problems.push('the repeated request is not the one that e names');
  }
  const status = tags.find((tag) => tag[0] === 'status');
  return {
    ok: true,
    result: {
      id,
      provider: pubkey,
      kind,
      createdAt: created_at * 1000,
      requestId,
      customer: tags.find((tag) => tag[0] === 'p' && isHex64(tag[1]))?.[1] ?? null,
      status: normalizeStatus(status?.[1] ?? '') || 'success',
      info: status?.[2] ?? '',
      inputs: tags.flatMap((tag) => (tag[0] === 'i' ? (parseInputTag(tag) ?? []) : [])),
      content,
      reference: parseReference(tags, content),
      encryption: encryptionOf(tags, content),
      repeatedRequestId,
      problems,
      event: read.event,
      ...parseAmount(tags, problems),
    },
  };
}

/** Returns a result by reference with its downloaded content, as if the event had contained it. */
export function withContent(result: ParsedResult, content: string): ParsedResult {
  return { ...result, content, encryption: encryptionOf(result.event.tags, content) };
}

/** Returns the first event id in an `e` tag, or null. */
export function referencedId(tags: readonly (readonly string[])[]): string | null {
  return tags.find((tag) => tag[0] === 'e' && isHex64(tag[1]))?.[1] ?? null;
}

function repeatedRequest(tags: readonly (readonly string[])[], problems: string[]): string | null {
  const text = tags.find((tag) => tag[0] === 'request')?.[1];
  if (text === undefined) return null;
  try {
    const parsed = parseJobRequest(JSON.parse(text));
    if (parsed.ok) return parsed.request.id;
    problems.push(`the repeated request: ${parsed.message}`);
  } catch {
    problems.push('the repeated request is not JSON');
  }
  return null;
}
