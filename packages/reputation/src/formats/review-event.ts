import { canonicalJson } from '@bonafide/internal';
import {
  checkEventShape,
  createPureVerifier,
  type EventTemplate,
  eventId,
  type NostrEvent,
  type Verifier,
} from '@bonafide/nostr-transport';
import * as z from 'zod';
import { parseInput } from '../errors.ts';
import { verifierSchema } from '../ports.ts';
import { completeReview, type ReviewInput, type ReviewStatement } from '../review.ts';
import { type FormatCodec, isRejected, type NativeReview, type ReviewFormat } from './format.ts';
import { reviewCodec, reviewSetCodec } from './kind-2020.ts';
import { attestationCodec } from './kind-30085.ts';
import { jobReviewCodec } from './kind-31117.ts';
import { defaultNamespace, labelCodec } from './nip32-label.ts';
import { type RejectedReview, reject } from './rejection.ts';

/** Event kinds of the formats. The kinds of `review` and `review-set` were proposed and never assigned. */
export type ReviewKinds = Readonly<Record<ReviewFormat, number>>;

/** Default event kinds of the formats. */
export const defaultKinds: ReviewKinds = {
  review: 2020,
  'review-set': 32_020,
  'job-review': 31_117,
  label: 1985,
  attestation: 30_085,
};

/** Numbers and names of the formats. */
export interface FormatOptions {
  /** Event kinds that differ from {@link defaultKinds}. */
  readonly kinds?: Partial<ReviewKinds>;
  /** Namespace of labels. @default 'bonafide.trust' */
  readonly namespace?: string;
}

const codecs: Readonly<Record<ReviewFormat, FormatCodec>> = {
  review: reviewCodec,
  'review-set': reviewSetCodec,
  'job-review': jobReviewCodec,
  label: labelCodec,
  attestation: attestationCodec,
};

/** Options of {@link buildReview}. */
export interface BuildReviewOptions extends FormatOptions {
  /** @default 'review' */
  readonly format?: ReviewFormat;
  /** Date of the event, ms since epoch. @default the clock */
  readonly createdAt?: number;
}

const names = z.enum(['review', 'review-set', 'job-review', 'label', 'attestation']);
const formatFields = {
  kinds: z.partialRecord(names, z.int().min(0).max(65_535)).optional(),
  namespace: z.string().min(1).max(100).default(defaultNamespace),
};
const buildSchema = z.strictObject({
  ...formatFields,
  format: names.default('review'),
  createdAt: z.number().min(0).max(9_999_999_999_999).optional(),
});
const parseSchema = z.strictObject({
  ...formatFields,
  now: z.number().optional(),
  verifier: verifierSchema,
});

/**
 * Builds the unsigned event of a review in one format. Every format holds the whole statement, so that
 * {@link parseReview} returns what was given.
 *
 * @throws ReputationError `INVALID_INPUT` when a member is missing or invalid, when a score has no reason, or when the
 *   format needs a member that is missing: a job review `jobId`, a label `assessment`.
 */
export function buildReview(input: ReviewInput, options: BuildReviewOptions = {}): EventTemplate {
  const { format, namespace, kinds, ...given } = parseInput(buildSchema, 'options', options);
  const createdAt = given.createdAt ?? Date.now();
  const { tags, content } = codecs[format].build(completeReview(input), { createdAt, namespace });
  return {
    kind: { ...defaultKinds, ...kinds }[format],
    created_at: Math.floor(createdAt / 1_000),
    tags,
    content,
  };
}

/** A verified review of another agent. All texts in it are remote text. */
export interface Review extends ReviewStatement {
  readonly format: ReviewFormat;
  readonly eventId: string;
  /** Public key that signed, 64 lower-case hex digits. */
  readonly reviewer: string;
  /** Date of the signature, ms since epoch. */
  readonly createdAt: number;
  /** `kind:pubkey:d` of a replaceable event; null for formats in which every event stays. */
  readonly address: string | null;
  /** True when the event states a word and the score stands for it. */
  readonly isEstimate: boolean;
  /** Members of the JSON document that this package does not know. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The signed event. */
  readonly event: NostrEvent;
}

/** Options of {@link parseReview}. */
export interface ParseReviewOptions extends FormatOptions {
  /** Current time, ms since epoch. With it, expired reviews and those dated more than 10 minutes ahead are rejected. */
  readonly now?: number;
  /** Checks the signature; `null` if the event is verified already. @default pure JavaScript */
  readonly verifier?: Verifier | null;
}

/** The result of {@link parseReview}. */
export type ParsedReview = { readonly ok: true; readonly review: Review } | RejectedReview;

const caps = { maxEventChars: 131_072, maxTags: 200 };
const maxFutureMs = 600_000;
let pure: Verifier | undefined;

/** Checks the form of an event. A getter or a proxy in it may throw. */
function readShape(value: unknown): ReturnType<typeof checkEventShape> {
  try {
    return checkEventShape(value, caps);
  } catch {
    return { ok: false, fault: 'malformed' };
  }
}

/** Checks form, size, id and signature of an event. Returns it rebuilt from its seven fields. */
export function verifyReviewEvent(
  value: unknown,
  verifier: Verifier | null | undefined,
): NostrEvent | RejectedReview {
  const shape = readShape(value);
  if (!shape.ok)
    return shape.fault === 'too-large'
      ? reject(
          'too-large',
          `The event has more than ${caps.maxEventChars} characters or ${caps.maxTags} tags.`,
        )
      : reject('malformed', 'This is not a Nostr event: a field is missing or invalid (NIP-01).');
  const { event } = shape;
  if (verifier === null) return event;
  if (eventId(event) !== event.id) return reject('wrong-id', 'The id is not the hash of the event.');
  pure ??= createPureVerifier();
  return (verifier ?? pure).verify(event)
    ? event
    : reject('wrong-signature', 'The signature does not match the public key.');
}

/**
 * Verifies and parses a review of any format. What is no such review is rejected with a reason.
 *
 * @throws ReputationError `INVALID_INPUT` for wrong options only
 */
export function parseReview(value: unknown, options: ParseReviewOptions = {}): ParsedReview {
  const { now, namespace, kinds: numbers, verifier } = parseInput(parseSchema, 'options', options);
  const event = verifyReviewEvent(value, verifier);
  if (isRejected(event)) return event;
  const kinds = Object.entries({ ...defaultKinds, ...numbers }) as [ReviewFormat, number][];
  const format = kinds.find(([, kind]) => kind === event.kind)?.[0];
  if (format === undefined) return reject('unknown-kind', `Kind ${event.kind} is not a kind of review.`);
  if (now !== undefined && event.created_at * 1_000 > now + maxFutureMs)
    return reject('from-future', 'The review is dated more than 10 minutes ahead.');
  const expiration = event.tags.find(([name]) => name === 'expiration')?.[1];
  if (
    now !== undefined &&
    expiration !== undefined &&
    /^\d{1,12}$/u.test(expiration) &&
    Number(expiration) * 1_000 <= now
  )
    return reject('expired', 'The review is expired (NIP-40).');
  const native = codecs[format].parse(event, { namespace });
  if (isRejected(native)) return native;
  const statement = merge(native);
  if (isRejected(statement)) return statement;
  // The document may end earlier than the event says.
  if (now !== undefined && statement.expiresAt !== null && statement.expiresAt <= now)
    return reject('expired', 'The review is expired, as its document says.');
  return {
    ok: true,
    review: {
      ...statement,
      format,
      eventId: event.id,
      reviewer: event.pubkey,
      createdAt: event.created_at * 1_000,
      address: addressOf(event),
      isEstimate: native.isEstimate ?? false,
      extra: native.document?.extra ?? {},
      event,
    },
  };
}

/** Returns `kind:pubkey:d` of an addressable event (NIP-01), else null. */
export function addressOf(event: Pick<NostrEvent, 'kind' | 'pubkey' | 'tags'>): string | null {
  if (event.kind < 30_000 || event.kind >= 40_000) return null;
  return `${event.kind}:${event.pubkey}:${event.tags.find(([name]) => name === 'd')?.[1] ?? ''}`;
}

/**
 * Joins the fields of a format with its document. The document may be more exact than the fields, but never say something
 * else: people and other software read the fields.
 */
function merge({
  document,
  resolution,
  isEstimate,
  ...native
}: NativeReview): ReviewStatement | RejectedReview {
  const part = document?.part ?? {};
  const { trustScore: exact = native.trustScore } = part;
  // The tolerance covers scores that lie exactly between two written digits.
  if (Math.abs(exact - native.trustScore) > resolution + 1e-9)
    return reject('contradictory', 'The document states another score than the tags.');
  for (const name of ['task', 'service', 'jobId', 'jobKind', 'role'] as const) {
    const [stated, detailed] = [native[name], part[name]];
    if (stated != null && detailed !== undefined && stated !== detailed)
      return reject('contradictory', `The document states another ${name} than the tags.`);
  }
  if (
    native.assessment &&
    part.assessment &&
    canonicalJson(native.assessment) !== canonicalJson(part.assessment)
  )
    return reject('contradictory', 'The document states another assessment than the tags.');
  return {
    task: null,
    service: null,
    summary: '',
    strengths: [],
    weaknesses: [],
    metrics: {},
    recommendation: null,
    evidence: null,
    assessment: null,
    receipts: [],
    jobId: null,
    jobKind: null,
    role: 'customer',
    confidence: null,
    expiresAt: null,
    alert: null,
    ...native,
    ...part,
    trustScore: exact,
  } as ReviewStatement;
}
