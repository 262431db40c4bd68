import { byteLength } from '@bonafide/internal';
import * as z from 'zod';
import { parseFields } from '../card/content.ts';
import type { RecommendedHandler } from '../card/recommendation.ts';
import { DiscoveryError } from '../errors.ts';
import type { AuditRow, RegistryEntry } from './entry.ts';
import type { RelayRecord } from './relay-record.ts';
import { platformStatuses } from './status.ts';

/*
 * What a database gives back was written by us, but it lay on a disk that others can write to. It is read with as
 * little trust as anything else: of the right form and within the bounds that we keep ourselves, or not at all.
 */

const hex = z.string().regex(/^[0-9a-f]{64}$/u);
const moment = z.int().min(0);
const count = z.int().min(0);
const text = z.string().max(65_536);
const texts = z.array(text).max(1_000);
const optional = text.nullable();
const json = z.unknown();
const status = z.enum(platformStatuses);
const statusBefore = z.enum(['discovered', 'candidate', 'evaluating', 'partner', 'rejected']);
const trustScore = z.number().min(0).max(1).nullable();

const cardSchema = z.object({
  pubkey: hex,
  d: text,
  canonicalD: text,
  eventId: hex,
  createdAt: moment,
  name: optional,
  about: optional,
  picture: optional,
  website: optional,
  version: optional,
  lud16: optional,
  pricing: z.object({ model: optional, amountMsat: z.number().min(0).nullable() }).nullable(),
  performance: z.object({ typicalLatencyMs: z.number().min(0).nullable() }).nullable(),
  encryptionSupported: z.boolean().nullable(),
  nip90Params: z
    .record(z.string(), z.object({ required: z.boolean(), values: texts, description: optional }))
    .nullable(),
  unreadable: texts,
  fields: z.record(z.string(), json).nullish(),
  contentPlain: z.boolean(),
  kinds: z.array(z.int().min(0).max(65_535)).max(1_000),
  labels: texts,
  patterns: texts,
  raw: z.array(z.string()).max(1_000),
  confirmed: texts,
  discrepancies: z.object({ tagsOnly: texts, contentOnly: texts }),
  relayHints: texts,
  refusedHints: z.array(z.object({ url: text, fault: text })).max(100),
  topics: texts,
  contentMalformed: z.boolean().default(false),
  isListingOnly: z.boolean().default(false),
  expiresAt: moment.nullable().default(null),
});

const entrySchema = z.object({
  pubkey: hex,
  d: text,
  canonicalD: text,
  discoveredAt: moment,
  lastSeenAt: moment,
  supportedKinds: z.array(z.int()).max(1_000),
  relayHints: texts,
  trustScore,
  card: cardSchema,
  event: z.object({
    id: hex,
    pubkey: hex,
    kind: z.int(),
    created_at: count,
    tags: z.array(z.array(z.string())).max(1_000),
    content: z.string(),
    sig: z.string(),
  }),
  profile: z
    .object({
      name: optional,
      about: optional,
      picture: optional,
      website: optional,
      lud16: optional,
      eventId: hex.nullable(),
      createdAt: moment,
    })
    .nullable(),
  sightings: z.array(z.object({ relay: text, firstSeenAt: moment, lastSeenAt: moment })).max(100),
  experience: z
    .array(
      z.object({
        relay: text,
        successes: count,
        failures: count,
        latencyMs: z.number().min(0).nullable(),
      }),
    )
    .max(100),
  authorRelays: z
    .object({
      urls: texts,
      writeUrls: texts.default([]),
      createdAt: moment.nullable(),
      checkedAt: moment.default(0),
    })
    .nullable(),
  stale: z.boolean().default(false),
  recommendation: z.number().min(0).max(1).default(0),
  ordinal: z.int().min(1).default(1),
  terms: z.array(z.string().max(1_000)).max(2_000).default([]),
  deletedAt: moment.nullable(),
  revision: z.int().min(1),
  status,
  statusBefore: statusBefore.nullable(),
  quarantinedUntilAt: moment.nullable(),
  statusReason: text,
});

const listDiff = z.object({ added: z.array(json), removed: z.array(json) }).optional();
const auditSchema = z.object({
  at: moment,
  what: z.enum(['discovered', 'updated', 'status', 'trust', 'stale']),
  eventId: optional,
  status: z.object({ before: status.nullable(), after: status }).nullable(),
  trust: z.object({ before: trustScore, after: trustScore }).nullable(),
  diff: z
    .object({
      kinds: listDiff,
      labels: listDiff,
      patterns: listDiff,
      relayHints: listDiff,
      fields: z.record(z.string(), z.object({ before: json, after: json })).optional(),
    })
    .nullable(),
  reason: text,
  evidence: json,
});

const handlersSchema = z.array(z.object({ pubkey: hex, canonicalD: text, relayHint: optional })).max(1_000);

const relaySchema = z.object({
  relay: text,
  tier: z.enum(['persistent', 'polled', 'sampled']),
  score: z.number().min(0).max(1).nullable(),
  changedAt: moment,
  received: count,
  taken: count,
  dropped: count,
  rejected: z.record(z.string(), count),
  lastEventAt: moment.nullable(),
});

/** Largest stored text, bytes. A card of 64 KiB with its event is several times as long in JSON. */
const maxStoredBytes = 4 * 1_024 * 1_024;

/** Parses a stored entry. `what` is its name in errors. @throws DiscoveryError `STORE_FAILED` */
export function readEntry(stored: string, what: string): RegistryEntry {
  // The schema is looser than the interface: its lists are mutable and its JSON is unknown.
  const entry = read(entrySchema, stored, what) as unknown as RegistryEntry;
  if (entry.card.eventId !== entry.event.id || entry.card.pubkey !== entry.pubkey)
    throw damaged(what, 'card and event do not match');
  if (entry.card.fields !== undefined) return entry;
  return { ...entry, card: { ...entry.card, fields: parseFields(entry.event.content) } };
}

/** Returns the stored form of an entry. The fields of its content are left out if the event has the same text. */
export function writeEntry(entry: RegistryEntry): string {
  const { fields, ...card } = entry.card;
  const isRepeated = fields !== null && JSON.stringify(fields) === entry.event.content;
  return JSON.stringify(isRepeated ? { ...entry, card } : entry);
}

/** Parses a stored audit row. @throws DiscoveryError `STORE_FAILED` */
export function readAuditRow(stored: string, what: string): AuditRow {
  return read(auditSchema, stored, what) as unknown as AuditRow;
}

/** Parses stored recommendations. @throws DiscoveryError `STORE_FAILED` */
export function readHandlers(stored: string, what: string): readonly RecommendedHandler[] {
  return read(handlersSchema, stored, what);
}

/** Parses a stored relay record. @throws DiscoveryError `STORE_FAILED` */
export function readRelayRecord(stored: string, relay: string): RelayRecord {
  return read(relaySchema, stored, relay);
}

function read<Schema extends z.ZodType>(schema: Schema, stored: string, what: string): z.output<Schema> {
  if (byteLength(stored) > maxStoredBytes) throw damaged(what, 'it is too long');
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch (cause) {
    throw damaged(what, 'invalid JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damaged(what, z.prettifyError(parsed.error), parsed.error);
}

function damaged(what: string, why: string, cause?: unknown): DiscoveryError {
  return new DiscoveryError(
    'STORE_FAILED',
    `Stored data of ${what} is invalid: ${why}. Restore a backup or delete the row.`,
    { cause },
  );
}
