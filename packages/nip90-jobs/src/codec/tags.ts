import { byteLength } from '@bonafide/internal';

/** Maximum bytes of a single-letter tag value. Common relays accept 1,024. */
export const MAX_INDEXED_VALUE_BYTES = 1_000;

/** A parsed job input (NIP-90 `i` tag). */
export interface JobInput {
  readonly data: string;
  /** `text`, `url`, `event` or `job` in NIP-90; other types, such as `json`, are kept unchanged. */
  readonly type: string;
  /** Relay that has the event or the earlier job, or null. */
  readonly relay: string | null;
  /** Purpose of the input as the customer wrote it, or null. */
  readonly marker: string | null;
}

type Tag = readonly string[];

/** Returns true for a `ws://` or `wss://` address, or a bare host with a dot. */
function looksLikeRelay(value: string): boolean {
  return /^wss?:\/\//i.test(value) || /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/i.test(value);
}

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/**
 * Parses an `i` tag in every form that occurs: `[i, data]`, `[i, data, type]`, `[i, data, type, marker]`,
 * `[i, data, type, relay]` and NIP-90's `[i, data, type, relay, marker]`. Returns null without data.
 */
export function parseInputTag(tag: Tag): JobInput | null {
  const [, data, type, third, fourth] = tag;
  if (data === undefined || data === '') return null;
  const relayThird = tag.length >= 5 || (third !== undefined && looksLikeRelay(third));
  const relay = relayThird ? orNull(third) : null;
  const marker = tag.length >= 5 ? orNull(fourth) : relayThird ? null : orNull(third);
  // Amethyst writes `prompt` for the text that a text generation starts from.
  if (type === 'prompt') return { data, type: 'text', relay, marker: marker ?? 'prompt' };
  return { data, type: orNull(type) ?? 'text', relay, marker };
}

/** Builds an `i` tag in the form that every client reads: three values, or NIP-90's five when needed. */
export function inputTag(input: {
  readonly data: string;
  readonly type: string;
  readonly relay?: string | null;
  readonly marker?: string | null;
}): string[] {
  const { relay, marker } = input;
  if (relay || marker) return ['i', input.data, input.type, relay ?? '', marker ?? ''];
  return ['i', input.data, input.type];
}

/** A requested amount, parsed from `amount` (some clients add an `invoice` tag). */
export interface JobAmount {
  /** Millisatoshi; null when the tag has no whole number. */
  readonly amountMsat: number | null;
  /** A Lightning invoice, unchecked. */
  readonly bolt11: string | null;
  /** A Lightning address (`name@host`, LUD-16) that some write in place of the invoice. */
  readonly lightningAddress: string | null;
}

/**
 * Parses a whole number of millisatoshi, tolerating `_` and spaces between digits. Returns null for other
 * text.
 */
export function parseMsat(text: string | undefined): number | null {
  const digits = text?.replace(/[_\s]/g, '') ?? '';
  if (!/^\d{1,16}$/.test(digits)) return null;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : null;
}

/** Parses the amount of a result or feedback; appends unreadable parts to `problems`. */
export function parseAmount(tags: readonly Tag[], problems: string[]): JobAmount {
  const amount = tags.find((tag) => tag[0] === 'amount');
  const invoice = tags.find((tag) => tag[0] === 'invoice')?.[1];
  let amountMsat = amount ? parseMsat(amount[1]) : null;
  if (amount && amountMsat === null) problems.push('amount is not a whole number of millisatoshi');
  const third = amount?.[2]?.trim() ?? '';
  const lower = third.toLowerCase();
  if (amountMsat !== null && (lower === 'sat' || lower === 'sats')) {
    const msat = amountMsat * 1000;
    amountMsat = Number.isSafeInteger(msat) ? msat : null;
  }
  const isInvoice = (text: string) => /^ln(bc|tb|tbs|bcrt)/i.test(text);
  return {
    amountMsat,
    bolt11: isInvoice(third) ? third : invoice !== undefined && isInvoice(invoice) ? invoice : null,
    lightningAddress: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(third) ? third : null,
  };
}

/** Builds an `amount` tag. */
export function amountTag(amountMsat: number, bolt11?: string | null): string[] {
  return bolt11 ? ['amount', String(amountMsat), bolt11] : ['amount', String(amountMsat)];
}

/** Maximum number of relays taken from one event. */
const maxRelays = 20;

/**
 * Parses the relays of an event: all values of every `relays` tag, the first value of `relay`, and one form
 * in use that lost the tag's name. Each relay once, in order; invalid addresses are appended to `problems`.
 */
export function parseRelays(tags: readonly Tag[], problems: string[]): string[] {
  const found = new Set<string>();
  for (const tag of tags) {
    const name = tag[0] ?? '';
    const values =
      name === 'relays' ? tag.slice(1) : name === 'relay' ? tag.slice(1, 2) : isRelayUrl(name) ? tag : [];
    for (const value of values) {
      const url = value.trim();
      if (!isRelayUrl(url)) problems.push('relays contains a value that is not a relay address');
      else if (found.size < maxRelays) found.add(url);
      else problems.push(`more than ${maxRelays} relays`);
    }
  }
  return [...found];
}

/**
 * Returns true for a `ws://` or `wss://` address without credentials. The transport decides whether to
 * connect.
 */
export function isRelayUrl(text: string): boolean {
  if (!/^wss?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}

const mimeAliases = new Map([
  ['json', 'application/json'],
  ['text', 'text/plain'],
]);

/** Wanted form of the answer, parsed from `output`. */
export interface JobOutput {
  /** A MIME type in lower case; the short forms `json` and `text` are read as their MIME types. */
  readonly mime: string;
  /** Text after the `;` of the MIME type, such as `format=url`, or ''. */
  readonly parameters: string;
  /** JSON schema for the answer as the customer wrote it, or null. */
  readonly schema: string | null;
}

/** Reads an `output` tag; null when it is empty. */
export function parseOutput(tag: Tag | undefined): JobOutput | null {
  const written = tag?.[1]?.trim() ?? '';
  if (written === '') return null;
  const semicolon = written.indexOf(';');
  const type = (semicolon < 0 ? written : written.slice(0, semicolon)).trim().toLowerCase();
  return {
    mime: mimeOf(type),
    parameters: semicolon < 0 ? '' : written.slice(semicolon + 1).trim(),
    schema: orNull(tag?.[2]),
  };
}

/** Expands `json` and `text` to MIME types; returns other text unchanged. */
export function mimeOf(type: string): string {
  return mimeAliases.get(type) ?? type;
}

/** Normalizes a status: lower case, `-` for `_` and spaces. */
export function normalizeStatus(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, '-');
}

/** Encryption of a content: NIP-44 version 2, NIP-04, or an unknown scheme. */
export type Encryption = 'nip44' | 'nip04' | 'unknown';

/**
 * Detects an event's encryption from its `encrypted` tag and the form of its content; null for plain events.
 */
export function encryptionOf(tags: readonly Tag[], content: string): Encryption | null {
  if (!tags.some((tag) => tag[0] === 'encrypted')) return null;
  if (content.includes('?iv=')) return 'nip04';
  return isNip44Payload(content) ? 'nip44' : 'unknown';
}

/** Returns true for text in the form of a NIP-44 ciphertext. */
export function isNip44Payload(text: string): boolean {
  // The version byte 2 is the first of the payload, which base64 writes as `A` and a letter from g to v.
  return /^A[g-v][A-Za-z0-9+/]+=*$/.test(text);
}

/** Returns true when `value` fits into a single-letter tag. */
export function fitsIndexedTag(value: string): boolean {
  return byteLength(value) <= MAX_INDEXED_VALUE_BYTES;
}
