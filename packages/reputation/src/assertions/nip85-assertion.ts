import type { EventTemplate, NostrEvent, Signer, Transport, Verifier } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { waitSchema } from '../call-options.ts';
import { parseConfig, parseInput, ReputationError } from '../errors.ts';
import { isRejected } from '../formats/format.ts';
import { type RejectedReview, reject } from '../formats/rejection.ts';
import { verifyReviewEvent } from '../formats/review-event.ts';
import { singleTag } from '../formats/tags.ts';
import { clockSchema, port, relaysSchema, signerSchema, verifierSchema } from '../ports.ts';
import { publicKey } from '../review.ts';
import type { Standing } from '../standing/weigh-reviews.ts';

const standingSchema = z.looseObject({
  subject: publicKey,
  trustScore: z.number().min(0).max(1),
  own: z.looseObject({}).nullable(),
  opinions: z.array(z.looseObject({})),
});
const buildSchema = z.strictObject({ createdAt: z.number().min(0).max(9_999_999_999_999).optional() });
const parseSchema = z.strictObject({ verifier: verifierSchema });
const publisherSchema = z.strictObject({
  transport: port<Pick<Transport, 'query' | 'publish'>>('query', 'publish'),
  relays: relaysSchema,
  agent: publicKey,
  services: z.record(z.string(), signerSchema),
  clock: clockSchema,
});

/** Kind of an assertion about a public key (NIP-85). */
const assertionKind = 30_382;

/** A verified assertion of a service about a subject. */
export interface Assertion {
  /** Public key of the service: one per algorithm. */
  readonly service: string;
  /** 64 lower-case hex digits. */
  readonly subject: string;
  /** 0…100. */
  readonly rank: number;
  readonly eventId: string;
  /** ms since epoch. */
  readonly createdAt: number;
}

/**
 * Builds the assertion of an aggregate (NIP-85, kind 30382): `rank` from 0 to 100.
 *
 * @throws ReputationError `INVALID_INPUT` for the view of a single rater, which is an assessment and belongs into a label
 */
export function buildAssertion(
  standing: Pick<Standing, 'subject' | 'trustScore' | 'own' | 'opinions'>,
  options: { readonly createdAt?: number } = {},
): EventTemplate {
  const { subject, trustScore, own, opinions } = parseInput(standingSchema, 'standing', standing);
  const { createdAt } = parseInput(buildSchema, 'options', options);
  const raters = opinions.length + (own === null ? 0 : 1);
  if (raters < 2)
    throw new ReputationError(
      'INVALID_INPUT',
      `An assertion states an aggregate; this one has ${raters} rater.`,
    );
  return {
    kind: assertionKind,
    created_at: Math.floor((createdAt ?? Date.now()) / 1_000),
    tags: [
      ['d', subject],
      ['p', subject],
      ['rank', String(Math.round(trustScore * 100))],
    ],
    content: '',
  };
}

/**
 * Verifies and parses an assertion. What is none is rejected with a reason.
 *
 * @throws ReputationError `INVALID_INPUT` for wrong options only
 */
export function parseAssertion(
  value: unknown,
  options: { readonly verifier?: Verifier | null } = {},
): { readonly ok: true; readonly assertion: Assertion } | RejectedReview {
  const { verifier } = parseInput(parseSchema, 'options', options);
  const event = verifyReviewEvent(value, verifier);
  if (isRejected(event)) return event;
  if (event.kind !== assertionKind)
    return reject('unknown-kind', `Kind ${event.kind} is not ${assertionKind}.`);
  const [d, rank] = [singleTag(event, 'd'), singleTag(event, 'rank')];
  if (isRejected(d)) return d;
  if (isRejected(rank)) return rank;
  if (d === undefined || !/^[0-9a-f]{64}$/u.test(d))
    return reject('no-subject', "The 'd' tag has no public key.");
  if (rank === undefined) return reject('no-rating', "There is no 'rank' tag.");
  if (!/^\d{1,3}$/u.test(rank) || Number(rank) > 100)
    return reject('rating-out-of-range', 'The rank is not an integer from 0 to 100.');
  const { id: eventId, pubkey: service, created_at } = event;
  return {
    ok: true,
    assertion: { service, subject: d, rank: Number(rank), eventId, createdAt: created_at * 1_000 },
  };
}

/** Publishes aggregates under the key of their algorithm. */
export interface AssertionPublisher {
  /**
   * Publishes the assertion of an aggregate. Returns the event, or null when the service published the same rank before.
   *
   * @throws ReputationError `INVALID_INPUT` for an unknown algorithm or a single rater, `NOT_PUBLISHED`
   */
  publish(
    algorithm: string,
    standing: Standing,
    options?: { readonly signal?: AbortSignal },
  ): Promise<NostrEvent | null>;
}

/**
 * Creates a publisher of aggregates (NIP-85). Each algorithm has its key; `weighReviews` is personal, so that its key
 * serves one observer.
 *
 * @throws ReputationError `INVALID_CONFIG` when two algorithms share a key, or one is that of the agent
 */
export async function createAssertionPublisher(options: {
  readonly transport: Pick<Transport, 'query' | 'publish'>;
  readonly relays: readonly string[];
  /** Public key of the agent, which signs first-person statements only. */
  readonly agent: string;
  /** Signer by name of the algorithm. */
  readonly services: Readonly<Record<string, Signer>>;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
}): Promise<AssertionPublisher> {
  const given = parseConfig(publisherSchema, 'options', options);
  const { transport, relays, agent, clock = Date.now } = given;
  const services = new Map(Object.entries(given.services));
  const keys = new Map<string, string>([[agent, 'the agent']]);
  for (const [algorithm, signer] of services) {
    const key = await signer.getPublicKey();
    const other = keys.get(key);
    if (other !== undefined)
      throw new ReputationError(
        'INVALID_CONFIG',
        `services: '${algorithm}' has the key of ${other}. Give each its own.`,
      );
    keys.set(key, `'${algorithm}'`);
  }
  return {
    async publish(algorithm, standing, options) {
      const { signal } = parseInput(waitSchema, 'options', options);
      const signer = services.get(algorithm);
      if (signer === undefined)
        throw new ReputationError('INVALID_INPUT', `There is no service for the algorithm '${algorithm}'.`);
      const waiting = signal === undefined ? {} : { signal };
      const key = await signer.getPublicKey();
      const filter = { kinds: [assertionKind], authors: [key], '#d': [standing.subject], limit: 1 };
      const [known] = await transport.query(relays, [filter], waiting);
      const createdAt = Math.max(clock(), known === undefined ? 0 : (known.created_at + 1) * 1_000);
      const template = buildAssertion(standing, { createdAt });
      const rankOf = ({ tags }: Pick<NostrEvent, 'tags'>) => tags.find(([name]) => name === 'rank')?.[1];
      if (known !== undefined && rankOf(known) === rankOf(template)) return null;
      const event = await signer.signEvent(template);
      const outcomes = await transport.publish(event, relays, waiting);
      if (!outcomes.some(({ status }) => status === 'accepted'))
        throw new ReputationError('NOT_PUBLISHED', 'No relay accepted the assertion. Try again.');
      return event;
    },
  };
}
