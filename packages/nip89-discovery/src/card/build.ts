import { byteLength, maxIdentifierChars, parseOrThrow } from '@bonafide/internal';
import {
  type AddressPolicy,
  assessRelayUrl,
  type EventTemplate,
  type NostrEvent,
  type PublishOutcome,
  type Signer,
  type Transport,
} from '@bonafide/nostr-transport';
import * as z from 'zod';
import { DiscoveryError } from '../errors.ts';
import { addresses, callable, port, readInput, signal as signalSchema } from '../valid.ts';
import { cardKind, maxContentBytes } from './assess.ts';
import { readTerm } from './capabilities.ts';
import type { JobParameter, JsonValue, Pricing } from './content.ts';
import { maxRelayHints } from './relay-hints.ts';

/** The contents of a card to build. */
export interface CardSpec {
  /** Identifier of the card under its key. */
  readonly d: string;
  /** Accepted job kinds, such as 5000. */
  readonly kinds?: readonly number[];
  /** Capability labels, such as `benchmark-task`. A card needs at least one kind or label. */
  readonly capabilities?: readonly string[];
  readonly name?: string | null;
  readonly about?: string | null;
  readonly picture?: string | null;
  readonly website?: string | null;
  readonly version?: string | null;
  readonly lud16?: string | null;
  /** Relays on which the platform receives requests, at most 10. */
  readonly relays?: readonly string[];
  readonly pricing?: Partial<Pricing> | null;
  readonly performance?: { readonly typicalLatencyMs: number | null } | null;
  readonly encryptionSupported?: boolean | null;
  readonly nip90Params?: Readonly<Record<string, Partial<JobParameter>>> | null;
  /** Values of `t` tags. */
  readonly topics?: readonly string[];
  /** Additional fields of the content. They cannot replace the fields above. */
  readonly more?: Readonly<Record<string, JsonValue>>;
  /**
   * Date of the card, ms since epoch, stored in seconds. A new card must be later than the one that it
   * replaces.
   */
  readonly createdAt: number;
}

/** A {@link CardSpec} whose date may be left out: the current time of the registry. */
export type PublishedCardSpec = Omit<CardSpec, 'createdAt'> & Partial<Pick<CardSpec, 'createdAt'>>;

/** Options of {@link buildCapabilityCard}. */
export interface BuildCardOptions {
  /** Policy for the relays of the card. @default any well-formed address */
  readonly addresses?: AddressPolicy;
}

const wellFormed = (text: string) => text.isWellFormed() && !text.includes('\0');
const word = (max: number) => z.string().trim().max(max).refine(wellFormed, 'Not well-formed text').nullish();
const specSchema = z.strictObject({
  d: z.string().max(maxIdentifierChars).refine(wellFormed, 'Not well-formed text'),
  kinds: z.array(z.int().min(0).max(65_535)).default([]),
  capabilities: z
    .array(z.string().refine((label) => typeof readTerm(label) === 'string', 'Not a capability label'))
    .default([]),
  name: word(128),
  about: word(4_000),
  picture: z.url().max(2_048).nullish(),
  website: z.url().max(2_048).nullish(),
  version: word(64),
  lud16: word(128),
  relays: z.array(z.string()).max(maxRelayHints).default([]),
  pricing: z.strictObject({ model: word(64), amountMsat: z.int().min(0).nullish() }).nullish(),
  performance: z.strictObject({ typicalLatencyMs: z.number().min(0).nullable() }).nullish(),
  encryptionSupported: z.boolean().nullish(),
  nip90Params: z
    .record(
      z.string(),
      z.strictObject({
        required: z.boolean().optional(),
        values: z.array(z.string()).optional(),
        description: z.string().nullish(),
      }),
    )
    .nullish(),
  topics: z.array(z.string().max(64)).default([]),
  more: z.record(z.string(), z.json()).default({}),
  createdAt: z.int().min(0),
});

const buildSchema = z.strictObject({ addresses: addresses.optional() });

/**
 * Builds the unsigned event of a capability card (NIP-89): one `k` tag per kind and per label, because relays
 * index whole values; labels also as `t` tags, for clients that expect numbers in `k`; one `relays` tag per
 * relay. The same spec gives the same bytes.
 *
 * @throws DiscoveryError `INVALID_INPUT`, naming the field, for values that {@link parseCapabilityCard} would
 *   not return.
 */
export function buildCapabilityCard(spec: CardSpec, options: BuildCardOptions = {}): EventTemplate {
  const card = parseOrThrow(specSchema, spec, 'spec', invalid);
  parseOrThrow(buildSchema, options, 'options', invalid);
  const terms = new Set([
    ...[...card.kinds].sort((a, b) => a - b).map(String),
    ...card.capabilities.map((label) => String(readTerm(label))).sort(),
  ]);
  if (terms.size === 0) throw invalid('A card needs at least one kind or capability');
  const labels = [...terms].filter((term) => typeof readTerm(term) === 'string');

  const content = JSON.stringify({
    ...withoutNulls({
      name: card.name,
      about: card.about,
      picture: card.picture,
      website: card.website,
      version: card.version,
      lud16: card.lud16,
      supported_kinds: card.kinds.length === 0 ? null : [...new Set(card.kinds)].sort((a, b) => a - b),
      capabilities: labels.length === 0 ? null : labels,
      pricing: card.pricing == null ? null : withoutNulls(card.pricing),
      performance: card.performance,
      encryptionSupported: card.encryptionSupported,
      nip90Params: card.nip90Params,
    }),
    ...additionalFields(card.more),
  });
  if (byteLength(content) > maxContentBytes)
    throw invalid(`The content has more than ${maxContentBytes} bytes`);

  return {
    kind: cardKind,
    created_at: Math.floor(card.createdAt / 1_000),
    tags: [
      ['d', card.d],
      ...[...terms].map((term) => ['k', term]),
      ...[...new Set([...labels, ...card.topics])].map((topic) => ['t', topic]),
      ...relayTags(card.relays, options.addresses),
    ],
    content,
  };
}

function relayTags(relays: readonly string[], addresses: AddressPolicy | undefined): string[][] {
  const urls = relays.map((relay) => {
    const assessed = assessRelayUrl(relay, addresses);
    if (assessed.ok) return assessed.url;
    // A platform may name a relay of its own network; malformed addresses are errors.
    if (addresses === undefined && ['insecure', 'address', 'host-name', 'port'].includes(assessed.fault)) {
      return relay.trim();
    }
    throw invalid(`relays: ${assessed.message}`);
  });
  return [...new Set(urls)].map((url) => ['relays', url]);
}

const known = new Set([
  'name',
  'about',
  'picture',
  'website',
  'version',
  'lud16',
  'supported_kinds',
  'capabilities',
  'pricing',
  'performance',
  'encryptionSupported',
  'nip90Params',
]);

function additionalFields(more: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  for (const name of Object.keys(more)) {
    if (known.has(name)) throw invalid(`more: '${name}' is a field of CardSpec`);
  }
  return more;
}

function withoutNulls<Value>(
  fields: Readonly<Record<string, Value | null | undefined>>,
): Record<string, Value> {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function invalid(message: string, options: { readonly cause?: unknown } = {}): DiscoveryError {
  return new DiscoveryError('INVALID_INPUT', `Capability card: ${message}`, options);
}

/** The result of publishing a card. */
export interface PublishedCard {
  readonly event: NostrEvent;
  /** One outcome per relay, in the order of the relays. */
  readonly outcomes: readonly PublishOutcome[];
}

const argumentsSchema = z.object({
  // Its fields are checked with the date that it may lack.
  spec: z.looseObject({}),
  signer: port('signEvent'),
  to: z.strictObject({
    transport: port('publish'),
    relays: z.array(z.string()),
    clock: callable,
    signal: signalSchema.optional(),
  }),
});

/**
 * Builds, signs and publishes a card.
 *
 * @throws DiscoveryError `INVALID_INPUT`, or `NOT_PUBLISHED` if no relay accepted it.
 */
export async function publishCard(
  spec: PublishedCardSpec,
  signer: Signer,
  to: {
    readonly transport: Pick<Transport, 'publish'>;
    readonly relays: readonly string[];
    readonly clock: () => number;
    readonly signal?: AbortSignal;
  },
): Promise<PublishedCard> {
  readInput(argumentsSchema, { spec, signer, to }, '');
  const event = await signer.signEvent(buildCapabilityCard({ createdAt: to.clock(), ...spec }));
  const outcomes = await to.transport.publish(
    event,
    to.relays,
    to.signal === undefined ? {} : { signal: to.signal },
  );
  if (outcomes.some(({ status }) => status === 'accepted')) return { event, outcomes };
  const what = outcomes
    .map(({ relay, status, message }) => `${relay} ${status} ${message}`.trim())
    .join('; ');
  throw new DiscoveryError(
    'NOT_PUBLISHED',
    `No relay accepted the card: ${what || 'the list of relays is empty'}.`,
  );
}
