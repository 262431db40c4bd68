import { byteLength } from '@bonafide/internal';
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
import { cardKind, maxContentBytes, maxIdentifierChars } from './assess.ts';
import { readTerm } from './capabilities.ts';
import type { JobParameter, JsonValue, Pricing } from './content.ts';
import { maxRelayHints } from './relay-hints.ts';

/** What a platform wants to say of itself. */
export interface CardSpec {
  /** Its identifier under its key: one card per identifier. */
  readonly d: string;
  /** Job kinds that it takes, such as 5000. */
  readonly kinds?: readonly number[];
  /** Labels of what it can do, such as `benchmark-task`. With `kinds`, at least one in all. */
  readonly capabilities?: readonly string[];
  readonly name?: string | null;
  readonly about?: string | null;
  readonly picture?: string | null;
  readonly website?: string | null;
  readonly version?: string | null;
  readonly lud16?: string | null;
  /** Relays at which it listens, at most 10. */
  readonly relays?: readonly string[];
  readonly pricing?: Partial<Pricing> | null;
  readonly performance?: { readonly typicalLatencyMs: number | null } | null;
  readonly encryptionSupported?: boolean | null;
  readonly nip90Params?: Readonly<Record<string, Partial<JobParameter>>> | null;
  /** Values of `t` tags. */
  readonly topics?: readonly string[];
  /** More fields of the content; those above go first. */
  readonly more?: Readonly<Record<string, JsonValue>>;
  /** When, ms since epoch; on the wire it becomes seconds. A new card must be later than the one that it replaces. */
  readonly createdAt: number;
}

/** What a card that is built may name. */
export interface BuildCardOptions {
  /** Which relays the card may name. @default whatever is well-formed: a platform knows its own relays */
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

/**
 * The unsigned event of a capability card (NIP-89). One `k` tag per kind and per label, since relays index only whole values;
 * labels also as `t`, which clients that expect numbers in `k` can find; one `relays` tag per relay. The
 * same spec gives the same bytes.
 *
 * @throws DiscoveryError `INVALID_INPUT`, naming the field, for what {@link parseCapabilityCard} would not give back.
 */
export function buildCapabilityCard(spec: CardSpec, options: BuildCardOptions = {}): EventTemplate {
  const parsed = specSchema.safeParse(spec);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const card = parsed.data;
  const terms = new Set([
    ...[...card.kinds].sort((a, b) => a - b).map(String),
    ...card.capabilities.map((label) => String(readTerm(label))).sort(),
  ]);
  if (terms.size === 0) throw invalid('A card needs at least one kind or capability');
  const labels = [...terms].filter((term) => typeof readTerm(term) === 'string');

  const content = JSON.stringify({
    ...present({
      name: card.name,
      about: card.about,
      picture: card.picture,
      website: card.website,
      version: card.version,
      lud16: card.lud16,
      supported_kinds: card.kinds.length === 0 ? null : [...new Set(card.kinds)].sort((a, b) => a - b),
      capabilities: labels.length === 0 ? null : labels,
      pricing: card.pricing == null ? null : present(card.pricing),
      performance: card.performance,
      encryptionSupported: card.encryptionSupported,
      nip90Params: card.nip90Params,
    }),
    ...unclaimed(card.more),
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
    // A platform may well name a relay of its own network; what is no address at all is a mistake.
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

function unclaimed(more: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  for (const name of Object.keys(more)) {
    if (known.has(name)) throw invalid(`more: '${name}' is a field of its own`);
  }
  return more;
}

function present<Value>(fields: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function invalid(message: string): DiscoveryError {
  return new DiscoveryError('INVALID_INPUT', `Capability card: ${message}`);
}

/** How a card got around. */
export interface PublishedCard {
  readonly event: NostrEvent;
  /** One per relay, in the order given. */
  readonly outcomes: readonly PublishOutcome[];
}

/**
 * Builds, signs and publishes a card.
 *
 * @throws DiscoveryError `INVALID_INPUT`, or `NOT_PUBLISHED` when no relay took it.
 */
export async function publishCard(
  spec: CardSpec,
  signer: Signer,
  to: {
    readonly transport: Pick<Transport, 'publish'>;
    readonly relays: readonly string[];
    readonly signal?: AbortSignal;
  },
): Promise<PublishedCard> {
  const event = await signer.signEvent(buildCapabilityCard(spec));
  const outcomes = await to.transport.publish(
    event,
    to.relays,
    to.signal === undefined ? {} : { signal: to.signal },
  );
  if (outcomes.some(({ status }) => status === 'accepted')) return { event, outcomes };
  const what = outcomes
    .map(({ relay, status, message }) => `${relay} ${status} ${message}`.trim())
    .join('; ');
  throw new DiscoveryError('NOT_PUBLISHED', `No relay took the card: ${what || 'there was none to ask'}`);
}
