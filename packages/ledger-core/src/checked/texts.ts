import * as z from 'zod';
import * as ids from '../ids.ts';
import { checked, parseConfig } from '../parse.ts';
import * as context from '../peer-context.ts';
import * as peerIds from '../peer-id.ts';
import * as policies from '../policy.ts';
import * as redaction from '../redaction.ts';
import * as words from '../stores/message-words.ts';
import { finite, text, time } from './rows.ts';

/**
 * Returns the Nostr public key of a text as 64 lower-case hex digits. Accepts hex in any case and `npub1…`. Null for
 * every other text.
 *
 * @throws LedgerError `INVALID_INPUT` for a value that is no text
 */
export const parseNostrKey = checked(peerIds.parseNostrKey, 'parseNostrKey', { text });

/**
 * Returns the ledger's id of a peer: on channel `nostr` the public key in hex, on every other channel `channel:id`, so
 * that no peer can take over the history of another channel by choosing a name. `nativeId` is the id as the channel
 * writes it; a colon in it is never read as a channel prefix.
 *
 * @throws LedgerError `INVALID_INPUT` for a value that is no text
 *
 * @example
 * toPeerId('nostr', 'npub180cvv07t…') // '3bf0c63fcb93…'
 * toPeerId('telegram', '4711')        // 'telegram:4711'
 */
export const toPeerId = checked(peerIds.toPeerId, 'toPeerId', { channel: text, nativeId: text });

/**
 * Takes private Nostr keys out of a text: every `nsec1…` with a valid checksum (NIP-19) and every
 * `ncryptsec1…` (NIP-49), wherever they stand and in upper or lower case. Nothing else of the text changes.
 *
 * @throws LedgerError `INVALID_INPUT` for a value that is no text
 */
export const redactKeys = checked(redaction.redactKeys, 'redactKeys', { text });

/**
 * Splits a text into words as searches compare them: runs of letters, digits and marks, in lower case and without
 * diacritics. Every other character separates words, also within addresses and numbers.
 *
 * @throws LedgerError `INVALID_INPUT` for a value that is no text
 */
export const messageWords = checked(words.messageWords, 'messageWords', { text });

const fn = z.custom<() => number>((given) => typeof given === 'function', 'must be a function');

/**
 * Makes ids that sort by the time they were made: version 7 UUIDs (RFC 9562) with a counter in the twelve bits after
 * the time. Ids of one maker always grow, also within a millisecond and when the clock goes back.
 *
 * @throws LedgerError `INVALID_CONFIG`
 */
export const createIds = checked(
  ids.createIds,
  'createIds',
  { options: z.strictObject({ clock: fn, random: fn }) },
  parseConfig,
);

const latest = z.looseObject({
  infoScore: finite,
  trust: finite,
  rationale: text,
  createdAt: finite,
  source: text.optional(),
});
const summary = z.looseObject({
  channel: text,
  infoScoreNow: finite,
  latest: latest.nullable(),
  trajectory: z.array(z.looseObject({ trust: finite })),
  successRate: finite.nullable(),
  trend: text.optional(),
  violation: z.looseObject({ lifted: z.boolean() }).nullish(),
  asOf: finite.optional(),
});
const peer = z.looseObject({
  channel: text,
  alias: text.nullable(),
  interactionCount: finite,
  infoScoreNow: finite,
  successRate: finite.nullable(),
  violationCount: finite,
  lastViolationAt: finite.nullable(),
  firstSeenAt: time,
  lastSeenAt: time,
});
const verdict = z.looseObject({
  verdict: z.enum(['accept', 'prioritise', 'caution', 'refuse']),
  rule: text,
  reason: text,
});

/**
 * Returns the verdict of the first rule that matches, else `accept`. Pure: the same summary and policy always give the
 * same verdict. `null` is a peer that the ledger does not know. A policy is checked once per object.
 *
 * @throws LedgerError `INVALID_INPUT` when the policy has another name than the ready-made ones, or an invalid or unknown member,
 * and when the summary is not one of `getPeerAssessmentSummary`.
 *
 * @example
 * evaluatePolicy(null) // { verdict: 'caution', rule: 'first-contact', reason: 'first contact' }
 */
export const evaluatePolicy = checked(policies.evaluatePolicy, 'evaluatePolicy', {
  summary: summary.nullable(),
});

/**
 * Creates the section about one peer. Pure. Null gives an empty section, for
 * excluded senders. Peer-written text is sanitized: one line, no markup, limited length.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const peerContextSection = checked(context.peerContextSection, 'peerContextSection', {
  input: z
    .object({
      handle: text,
      peer: peer.nullable(),
      summary: summary.nullable(),
      verdict,
      now: finite,
    })
    .nullable(),
});
