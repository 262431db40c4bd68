import { byteLength, canonicalJson } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import { readInput } from '../option-schemas.ts';
import {
  isHex64,
  MAX_EVENT_BYTES,
  readEvent,
  refused,
  signedBytes,
  tagsSchema,
  type WireProblem,
} from './event.ts';
import { isRequestKind } from './kinds.ts';
import { publicKeySchema } from './public-key.ts';
import {
  type Encryption,
  encryptionOf,
  fitsIndexedTag,
  inputTag,
  isRelayUrl,
  type JobInput,
  type JobOutput,
  MAX_INDEXED_VALUE_BYTES,
  mimeOf,
  parseInputTag,
  parseMsat,
  parseOutput,
  parseRelays,
} from './tags.ts';

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Input of a job that is to be built. */
export interface JobInputSpec {
  /** Text, an address, an event id, or the id of an earlier request; not empty. */
  readonly data: string;
  /**
   * Input type. `json` and `base64` are written as `text`, the nearest type of NIP-90.
   * @default 'text'
   */
  readonly type?: 'text' | 'url' | 'event' | 'job' | 'json' | 'base64';
  /** Relay that has the event or the earlier job. */
  readonly relay?: string | null;
  /** Purpose of the input. */
  readonly marker?: string | null;
}

/** Specification of a job; {@link buildJobRequest} turns it into an event. */
export interface JobRequestSpec {
  /** 5000–5999. */
  readonly kind: number;
  /** Public key of the provider: 64 hex digits or an npub. Without it every provider may answer. */
  readonly provider?: string | null;
  /** Identifier chosen by the customer, written as `d`; never used as an address. */
  readonly d?: string | null;
  readonly inputs?: readonly JobInputSpec[];
  /** Parameters; a list of values is written as several tags of the same key. */
  readonly params?: Readonly<Record<string, string | number | readonly string[]>>;
  /** Wanted MIME type; `json` and `text` are accepted short forms. */
  readonly output?: string | null;
  /** JSON schema for the answer; requires `output`. */
  readonly outputSchema?: Json;
  /** Maximum price in millisatoshi. */
  readonly bidMsat?: number | null;
  /** Relays on which the customer reads answers. */
  readonly relays?: readonly string[];
  /** Topics, written as `t`. */
  readonly topics?: readonly string[];
  /** Text beside the inputs. Must be empty when a large text input travels in the content. */
  readonly content?: string;
  /** Creation time, ms since epoch; the wire keeps whole seconds. */
  readonly createdAt: number;
}

const indexed = z.string().min(1).refine(fitsIndexedTag, `must be at most ${MAX_INDEXED_VALUE_BYTES} bytes`);
const relayUrl = z.string().refine(isRelayUrl, 'must be a ws:// or wss:// address without credentials');

const jobSpecSchema = z.strictObject({
  encrypted: z.boolean().optional(),
  kind: z.int().refine(isRequestKind, 'must be between 5000 and 5999'),
  provider: publicKeySchema.nullish(),
  d: indexed.nullish(),
  inputs: z
    .array(
      z.strictObject({
        data: z.string().min(1),
        type: z.enum(['text', 'url', 'event', 'job', 'json', 'base64']).optional(),
        relay: relayUrl.nullish(),
        marker: z.string().min(1).max(200).nullish(),
      }),
    )
    .max(100)
    .optional(),
  // As pairs, because a record of zod leaves out the key `__proto__`.
  params: z.array(
    z.tuple([
      z.string().min(1).max(200),
      z.union([z.string(), z.number(), z.array(z.string()).min(1).max(100)]),
    ]),
  ),
  output: z.string().trim().min(1).max(200).nullish(),
  outputSchema: z.json().optional(),
  bidMsat: z.int().nonnegative().nullish(),
  relays: z.array(relayUrl).max(20).optional(),
  topics: z.array(indexed).max(20).optional(),
  content: z.string().optional(),
  createdAt: z.number().nonnegative(),
});

/**
 * Builds the event of a job request. Pure: equal specifications give equal bytes. Tag order: p, d, i, param
 * (by key), output, bid, relays, t.
 *
 * Relays reject values over 1,000 bytes in an `i` tag. One longer text input travels in the content, marked
 * by a tag `["content", type, marker]` among the inputs.
 *
 * @throws {JobError} `INVALID_INPUT`, `INPUT_TOO_LARGE`, `REQUEST_TOO_LARGE`
 */
export function buildJobRequest(spec: JobRequestSpec): EventTemplate {
  const job = readSpec(spec);
  let content = job.content ?? '';
  const inputs = (job.inputs ?? []).map((input) => {
    const { tag, type } = writeInput(input);
    if (fitsIndexedTag(input.data)) return tag;
    if (type !== 'text' || content !== '') {
      throw new JobError(
        'INPUT_TOO_LARGE',
        `An input of ${byteLength(input.data)} bytes fits no tag (${MAX_INDEXED_VALUE_BYTES} bytes), and the content ` +
          'can carry only one text. Publish it and pass its address as an input of type url or event, or encrypt the job.',
      );
    }
    content = input.data;
    return input.marker ? ['content', type, input.marker] : ['content', type];
  });
  return checkSize({
    kind: job.kind,
    created_at: Math.floor(job.createdAt / 1000),
    tags: [...addressTags(job), ...inputs, ...paramTags(job), ...termTags(job)],
    content,
  });
}

/**
 * A request whose inputs and parameters are readable by its provider only: the plaintext to encrypt, and the
 * function that completes the event.
 */
export interface EncryptedJobRequest {
  /** The provider's public key, 64 hex digits. */
  readonly provider: string;
  /** Plaintext to encrypt for the provider with NIP-44: a JSON array of the `i` and `param` tags (NIP-90). */
  readonly plaintext: string;
  /**
   * Builds the event around the ciphertext.
   * @throws {JobError} `REQUEST_TOO_LARGE`
   */
  seal(ciphertext: string): EventTemplate;
}

/**
 * Builds an encrypted job request. Kind, provider, output, bid, relays and topics stay unencrypted, since
 * relays route by them. The inputs together may fill the event.
 *
 * @throws {JobError} `INVALID_INPUT`, also without a provider or with text beside the inputs
 */
export function buildEncryptedJobRequest(spec: JobRequestSpec): EncryptedJobRequest {
  const job = readSpec(spec);
  if (!job.provider)
    throw new JobError('INVALID_INPUT', 'An encrypted job needs the provider that shall read it.');
  if (job.content)
    throw new JobError(
      'INVALID_INPUT',
      'The content of an encrypted job is taken: give the text as an input.',
    );
  const hidden = [...(job.inputs ?? []).map((input) => writeInput(input).tag), ...paramTags(job)];
  return {
    provider: job.provider,
    plaintext: JSON.stringify(hidden),
    seal: (ciphertext) =>
      checkSize({
        kind: job.kind,
        created_at: Math.floor(job.createdAt / 1000),
        tags: [...addressTags(job), ...termTags(job), ['encrypted']],
        content: readInput(ciphertextSchema, ciphertext, 'ciphertext'),
      }),
  };
}

const ciphertextSchema = z.string();

type CheckedSpec = z.infer<typeof jobSpecSchema>;

const paramsSchema = z.custom<object>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  'must be an object',
);
/** The parameters become a list, because a name such as `__proto__` is none of an object's in zod. */
const specSchema = z
  .looseObject({ params: paramsSchema.optional() })
  .transform(({ params = {}, ...rest }) => ({ ...rest, params: Object.entries(params) }))
  .pipe(jobSpecSchema);

function readSpec(spec: JobRequestSpec): CheckedSpec {
  return readInput(specSchema, spec, 'job');
}

function writeInput(input: NonNullable<CheckedSpec['inputs']>[number]): {
  readonly type: string;
  readonly tag: string[];
} {
  const type = input.type === 'json' || input.type === 'base64' ? 'text' : (input.type ?? 'text');
  const { data, relay = null, marker = null } = input;
  return { type, tag: inputTag({ data, type, relay, marker }) };
}

function addressTags(job: CheckedSpec): string[][] {
  return [...(job.provider ? [['p', job.provider]] : []), ...(job.d ? [['d', job.d]] : [])];
}

function paramTags(job: CheckedSpec): string[][] {
  return job.params
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .flatMap(([key, value]) =>
      (typeof value === 'object' ? value : [String(value)]).map((one) => ['param', key, one]),
    );
}

/** Returns the tags output, bid, relays and t. */
function termTags(job: CheckedSpec): string[][] {
  const tags: string[][] = [];
  if (job.output) {
    const output = ['output', mimeOf(job.output)];
    tags.push(job.outputSchema === undefined ? output : [...output, canonicalJson(job.outputSchema)]);
  }
  if (job.bidMsat != null) tags.push(['bid', String(job.bidMsat)]);
  // One tag with every address: the common readers take the first tag only.
  if (job.relays && job.relays.length > 0) tags.push(['relays', ...job.relays]);
  for (const topic of job.topics ?? []) tags.push(['t', topic]);
  return tags;
}

function checkSize(template: EventTemplate): EventTemplate {
  const size = signedBytes(template);
  if (size > MAX_EVENT_BYTES) {
    throw new JobError(
      'REQUEST_TOO_LARGE',
      `The request takes ${size} bytes, relays take ${MAX_EVENT_BYTES}. Publish the input and pass its address.`,
    );
  }
  return template;
}

/** A parsed job request. */
export interface JobRequest {
  /** Id of the event; every answer names it. */
  readonly id: string;
  /** Public key of the customer. */
  readonly customer: string;
  readonly kind: number;
  /** Time by the customer's clock, ms since epoch, whole seconds. */
  readonly createdAt: number;
  /** Addressed providers; empty when every provider may answer. */
  readonly providers: readonly string[];
  readonly d: string | null;
  readonly inputs: readonly JobInput[];
  /** All values of every parameter, in order of first occurrence. */
  readonly params: Readonly<Record<string, readonly string[]>>;
  readonly output: JobOutput | null;
  readonly bidMsat: number | null;
  /** Relays on which the customer reads answers. Untrusted: the transport decides whether to connect. */
  readonly relays: readonly string[];
  readonly topics: readonly string[];
  /** Content of the event; '' when it was an input. */
  readonly content: string;
  /** Encryption of inputs and parameters; null when they are plain. */
  readonly encryption: Encryption | null;
  /** Expiry of the request (NIP-40), ms since epoch; null without expiry. */
  readonly expiresAt: number | null;
  /** Deviations that were tolerated or dropped, for a log. */
  readonly problems: readonly string[];
  /** The event with all its tags. */
  readonly event: NostrEvent;
}

/** Reason why an event is not a job request. */
export type JobRequestRejection = WireProblem;

/** Result of {@link parseJobRequest}. */
export type ParsedJobRequest =
  | { readonly ok: true; readonly request: JobRequest }
  | { readonly ok: false; readonly reason: JobRequestRejection; readonly message: string };

/**
 * Parses a job request in every form that occurs on public relays. Never throws. Does not check the
 * signature: the transport delivers verified events only.
 */
export function parseJobRequest(event: unknown): ParsedJobRequest {
  const read = readEvent(event);
  return read.ok ? readRequest(read.event, read.event.tags, read.event.content) : read;
}

/** Returns true when a request is encrypted, so that its answers must be encrypted as well. */
export function isEncryptedRequest(event: Pick<NostrEvent, 'tags'>): boolean {
  return event.tags.some(([name]) => name === 'encrypted');
}

/** Parses the tags inside an encrypted request; null when the plaintext is not a list of tags (NIP-90). */
function hiddenTags(plaintext: string): string[][] | null {
  try {
    const parsed = tagsSchema.safeParse(JSON.parse(plaintext));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const parsedSchema = z.looseObject({ event: z.looseObject({ tags: z.array(z.array(z.string())) }) });

/**
 * Merges the decrypted tags of an encrypted request into it. Some clients encrypt output, relays and bid as
 * well; unencrypted values take precedence. Returns null when the plaintext is not a list of tags.
 * `encryption` is kept, since answers depend on it.
 */
export function decryptJobRequest(request: JobRequest, plaintext: string): JobRequest | null {
  readInput(parsedSchema, request, 'request');
  const hidden = hiddenTags(plaintext);
  if (hidden === null) return null;
  const opened = readRequest(request.event, [...request.event.tags, ...hidden], '');
  return opened.ok ? { ...opened.request, encryption: request.encryption } : null;
}

function readRequest(
  event: NostrEvent,
  tags: readonly (readonly string[])[],
  content: string,
): ParsedJobRequest {
  const { id, pubkey, kind, created_at } = event;
  if (!isRequestKind(kind)) return refused('wrong-kind', `Kind ${kind} is not a job request (5000–5999)`);

  const problems: string[] = [];
  const inputs: JobInput[] = [];
  const params = new Map<string, string[]>();
  let contentIsInput = false;
  for (const tag of tags) {
    if (tag[0] === 'i') {
      const input = parseInputTag(tag);
      if (input) inputs.push(input);
      else problems.push('an input without data');
    } else if (tag[0] === 'content' && !contentIsInput && content !== '') {
      contentIsInput = true;
      inputs.push({ data: content, type: tag[1] || 'text', relay: null, marker: tag[2] || null });
    } else if (tag[0] === 'param') {
      const [, key, value] = tag;
      if (!key || value === undefined) problems.push('a parameter without a key or a value');
      else params.set(key, [...(params.get(key) ?? []), value]);
    }
  }

  const first = (name: string) => tags.find((tag) => tag[0] === name)?.[1];
  const bid = first('bid');
  const bidMsat = parseMsat(bid);
  if (bid !== undefined && bidMsat === null) problems.push('bid is not a whole number of millisatoshi');
  const named = tags.filter((tag) => tag[0] === 'p').map((tag) => tag[1]);
  const providers = [...new Set(named.filter(isHex64))];
  if (named.length > 0 && providers.length === 0) problems.push('p names no public key');

  return {
    ok: true,
    request: {
      id,
      customer: pubkey,
      kind,
      createdAt: created_at * 1000,
      providers,
      d: first('d') || null,
      inputs,
      params: Object.fromEntries(params),
      output: parseOutput(tags.find((tag) => tag[0] === 'output')),
      bidMsat,
      relays: parseRelays(tags, problems),
      topics: tags.flatMap((tag) => (tag[0] === 't' && tag[1] ? [tag[1]] : [])),
      content: contentIsInput ? '' : content,
      encryption: encryptionOf(tags, content),
      expiresAt: readExpiration(first('expiration')),
      problems: [...new Set(problems)],
      event,
    },
  };
}

function readExpiration(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : null;
}

const withParams = z.looseObject({
  params: z.custom<object>((given) => typeof given === 'object' && given !== null, 'must be an object'),
});

/**
 * Returns the first value of a parameter, or null.
 *
 * @throws {JobError} `INVALID_INPUT` when `request` is not a parsed one
 */
export function jobParam(request: JobRequest, key: string): string | null {
  readInput(withParams, request, 'request');
  return Object.hasOwn(request.params, key) ? (request.params[key]?.[0] ?? null) : null;
}
