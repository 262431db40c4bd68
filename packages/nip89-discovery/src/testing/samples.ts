import type { Page } from '@bonafide/internal';
import type { CapabilityCard } from '../card/card.ts';
import type { Recommendation } from '../card/recommendation.ts';
import type { AuditRow, RegistryEntry } from '../registry/entry.ts';
import type { PlatformStatus } from '../registry/status.ts';
import { type DiscoveryStore, termsOf } from '../registry/store.ts';

/** Time of all samples, ms. */
export const at = 1_700_000_000_000;
/** Returns the n-th public key or id. */
export const key = (n: number) => n.toString(16).padStart(64, '0');

/** Returns an entry as the registry creates it. */
export function sampleEntry(
  n: number,
  canonicalD: string,
  rest: Partial<RegistryEntry> = {},
  abilities: Partial<CapabilityCard> = {},
): RegistryEntry {
  const pubkey = key(n);
  const eventId = key(n + 1_000);
  const card: CapabilityCard = {
    pubkey,
    d: canonicalD,
    canonicalD,
    eventId,
    createdAt: at,
    name: 'näïve 🙂',
    about: 'two\nlines \u0000 and a NUL',
    picture: null,
    website: null,
    version: null,
    lud16: null,
    pricing: { model: null, amountMsat: 1_000 },
    performance: null,
    encryptionSupported: null,
    nip90Params: null,
    unreadable: [],
    fields: { deep: [{ yes: true }] },
    contentPlain: false,
    contentMalformed: false,
    isListingOnly: false,
    expiresAt: null,
    kinds: [5_000],
    labels: ['benchmark-task'],
    patterns: [],
    raw: ['5000', 'benchmark-task'],
    confirmed: [],
    discrepancies: { tagsOnly: [], contentOnly: [] },
    relayHints: ['wss://relay.example.com'],
    refusedHints: [],
    topics: [],
    ...abilities,
  };
  return {
    pubkey,
    d: canonicalD,
    canonicalD,
    discoveredAt: at,
    lastSeenAt: at,
    supportedKinds: card.kinds,
    relayHints: card.relayHints,
    trustScore: null,
    card,
    event: {
      id: eventId,
      pubkey,
      kind: 31_990,
      created_at: at / 1_000,
      tags: [['d', canonicalD]],
      content: '',
      sig: '',
    },
    profile: null,
    sightings: [],
    experience: [],
    authorRelays: null,
    stale: false,
    recommendation: 0,
    ordinal: 1,
    terms: termsOf({ card, profile: null }),
    deletedAt: null,
    revision: 1,
    status: 'discovered',
    statusBefore: null,
    quarantinedUntilAt: null,
    statusReason: 'card found',
    ...rest,
  };
}

/** Returns a row of a history. */
export const row = (reason: string): AuditRow => ({
  at,
  what: 'status',
  eventId: null,
  status: { before: 'discovered', after: 'evaluating' },
  trust: null,
  diff: null,
  reason,
  evidence: { note: 'näïve \u0000' },
});

/** All statuses. */
export const everyStatus: readonly PlatformStatus[] = [
  'discovered',
  'candidate',
  'evaluating',
  'partner',
  'rejected',
  'quarantined',
  'archived',
];

/** Returns a recommendation of the ninth key's platforms. */
export const recommendation = (
  recommender: number,
  kind: number,
  identifiers: readonly string[],
  createdAt = at,
): Recommendation => ({
  recommender: key(recommender),
  kind,
  handlers: identifiers.map((canonicalD) => ({ pubkey: key(9), canonicalD, relayHint: null })),
  eventId: key(500 + recommender),
  createdAt,
});

/** Returns all pages, each as names. */
export async function pages(
  page: (cursor: { readonly cursor?: string }) => Promise<Page<RegistryEntry>>,
): Promise<string[][]> {
  const seen: string[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor });
    seen.push(names(items));
    cursor = nextCursor;
  }
  return seen;
}

/** Returns the names of entries in tests: number of the key and identifier. */
export const names = (entries: readonly RegistryEntry[]) =>
  entries.map(({ pubkey, d }) => `${Number(`0x${pubkey}`)}:${d}`);

/** Writes one entry. */
export async function put(
  store: DiscoveryStore,
  entry: RegistryEntry,
  audit: readonly AuditRow[],
): Promise<boolean> {
  const [written = false] = await store.put([{ entry, audit }]);
  return written;
}

/** Reads one entry. */
export async function get(
  store: DiscoveryStore,
  pubkey: string,
  canonicalD: string,
): Promise<RegistryEntry | null> {
  const [record] = await store.lookUp([{ pubkey, canonicalD, targets: [] }]);
  return record?.entry ?? null;
}

/** Reads the latest deletion of any of the targets. */
export async function deletedAt(
  store: DiscoveryStore,
  pubkey: string,
  targets: readonly string[],
): Promise<number | null> {
  const [record] = await store.lookUp([{ pubkey, canonicalD: '', targets }]);
  return record?.deletedAt ?? null;
}

/** Returns a platform to look up. */
export const lookup = (n: number, canonicalD: string, targets: readonly string[] = []) => ({
  pubkey: key(n),
  canonicalD,
  targets,
});
