import * as z from 'zod';
import { readDeletion as deletion } from '../card/deletion.ts';
import { diffCards as diff } from '../card/diff.ts';
import * as identity from '../card/identity.ts';
import * as match from '../card/match.ts';
import * as recommendation from '../card/recommendation.ts';
import * as hints from '../card/relay-hints.ts';
import { addresses, callable, checked } from '../valid.ts';

const text = z.string();
const texts = z.array(text);
const tags = z.array(texts);
const event = z.looseObject({ id: text, pubkey: text, kind: z.number(), created_at: z.number(), tags });
const tagged = z.looseObject({ tags });
const policy = addresses.optional();
const searchable = z.looseObject({
  kinds: z.array(z.number()),
  labels: texts,
  patterns: texts,
  raw: texts.optional(),
  topics: texts.optional(),
  name: text.nullish(),
  about: text.nullish(),
});
const card = searchable.extend({ relayHints: texts });

/**
 * Matches a card against a capability or a kind. A capability is a label such as `translation`, or a few words as people type
 * them. Case, diacritics, hyphens, spaces, underscores and plurals do not matter. Exact: the card names the kind or label.
 * Synonym: it names a synonym, a kind that stands for it, or a pattern (`compute-*`) that covers it. Inferred: its topics, name
 * or description name it; or, for benchmarks, it accepts generic jobs (kind 5000), with (.6) or without (.5) performance
 * figures. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const matchCapability = checked(match.matchCapability, 'matchCapability', {
  card: searchable,
  wanted: z.union([text, z.number()]),
  synonyms: z.record(text, texts).optional(),
});

/**
 * Names of the job kinds in NIP-90's registry.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const kindName = checked(match.kindName, 'kindName', { kind: z.number() });

/**
 * Compares two versions of a card. Returns an empty object if nothing changed. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const diffCards = checked(diff, 'diffCards', { before: card, after: card });

/**
 * Parses a verified deletion request (NIP-09). Returns `null` if it deletes no card. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no event
 */
export const readDeletion = checked(deletion, 'readDeletion', { event });

/**
 * Parses a **verified** recommendation. Returns `null` if it is invalid. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no event
 */
export const readRecommendation = checked(recommendation.readRecommendation, 'readRecommendation', {
  event,
  policy,
});

/**
 * Weighs the recommendations of a platform. `standing` returns the standing of a recommender, 0..1, or `null`
 * if it is unknown; recommenders with standing 0 do not count. Nor does the platform itself. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const weighRecommendations = checked(recommendation.weighRecommendations, 'weighRecommendations', {
  recommendations: z.array(z.looseObject({ recommender: text })),
  platform: text,
  standing: callable.optional(),
});

/**
 * Returns the relay hints of a card: `["relays", u1, u2 …]`, repeated `["relays", u]`, `["relay", u]`, and
 * `["r", u]` if it is a relay address (elsewhere `r` refers to a web page). Checks addresses as written: TLS,
 * public host, no credentials. The transport checks the resolved address when it connects.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no event
 */
export const readRelayHints = checked(hints.readRelayHints, 'readRelayHints', { event: tagged, policy });

/**
 * Returns the relays that the author of a relay list (NIP-65, kind 10002) reads from. Requests to the author
 * go there.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no event
 */
export const readRelayList = checked(hints.readRelayList, 'readRelayList', { event: tagged, policy });

/**
 * Returns the relays that the author of a relay list (NIP-65, kind 10002) writes to. Its events are found there.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no event
 */
export const readWriteRelays = checked(hints.readWriteRelays, 'readWriteRelays', { event: tagged, policy });

/**
 * Returns the canonical form of an identifier: Unicode NFC, case-folded, trimmed, with single spaces; a form of more than 256
 * bytes is cut and ends with its hash. Used as index key; users see the original.
 *
 * @throws DiscoveryError `INVALID_INPUT` for a value that is no text
 */
export const canonicalIdentifier = checked(identity.canonicalIdentifier, 'canonicalIdentifier', { d: text });

/**
 * Returns a unique name for each platform, in the order of the argument: its identifier, followed by the start of its npub where
 * several keys use the same identifier, or identifiers that look alike, and where an identifier contains an npub itself.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const platformLabels = checked(identity.platformLabels, 'platformLabels', {
  platforms: z.array(
    z.looseObject({ pubkey: text.regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'), d: text }),
  ),
});
