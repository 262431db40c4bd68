import { byteLength } from '@bonafide/internal';

/**
 * The longest value of a single-letter tag that common relays take is 1,024 bytes; everything here stays
 * below 1,000 (JOB-3).
 */
export const MAX_INDEXED_VALUE_BYTES = 1_000;

/** One input of a job, as read (NIP-90 `i` tag). */
export interface JobInput {
  readonly data: string;
  /** `text`, `url`, `event` or `job` in NIP-90; others, such as `json`, are kept as they were written. */
  readonly type: string;
  /** Where the event or the earlier job is found; null when it was not said. */
  readonly relay: string | null;
  /** What the input is for, in the words of whoever asks. */
  readonly marker: string | null;
}

type Tag = readonly string[];

/** True for something that names a relay: an address with `ws://` or `wss://`, or a bare host with a dot. */
function looksLikeRelay(value: string): boolean {
  return /^wss?:\/\//i.test(value) || /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/i.test(value);
}

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/**
 * Reads an `i` tag in every form that was met: `[i, data]`, `[i, data, type]`, `[i, data, type, marker]`,
 * `[i, data, type, relay]` and NIP-90's own `[i, data, type, relay, marker]`. Null when it holds no data.
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

/** Writes an `i` tag in the form that is read everywhere: three values, or NIP-90's five when there is more. */
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

/** What is asked for the work, as read from `amount` (and the `invoice` tag of some). */
export interface JobAmount {
  /** Millisatoshi; null when the tag holds no whole number. */
  readonly amountMsat: number | null;
  /** A Lightning invoice. Nothing about it was checked. */
  readonly bolt11: string | null;
  /** A Lightning address (`name@host`) that some write in the invoice's place. */
  readonly lightningAddress: string | null;
}

/** A whole number of millisatoshi, tolerating `_` and spaces between digits; null for anything else. */
export function parseMsat(text: string | undefined): number | null {
  const digits = text?.replace(/[_\s]/g, '') ?? '';
  if (!/^\d{1,16}$/.test(digits)) return null;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : null;
}

/** Reads the amount of a result or of feedback; `problems` gets what could not be read. */
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

/** Writes an `amount` tag. */
export function amountTag(amountMsat: number, bolt11?: string | null): string[] {
  return bolt11 ? ['amount', String(amountMsat), bolt11] : ['amount', String(amountMsat)];
}

/** Most relays that are taken from one event. */
const maxRelays = 20;

/**
 * The relays that an event names: all values of every `relays` tag, the first value of `relay`, and the one form of
 * the wild that lost the tag's name. Each once, in order; what is no relay address goes to `problems`.
 */
export function parseRelays(tags: readonly Tag[], problems: string[]): string[] {
  const found = new Set<string>();
  for (const tag of tags) {
    const name = tag[0] ?? '';
    const values =
      name === 'relays' ? tag.slice(1) : name === 'relay' ? tag.slice(1, 2) : isRelayUrl(name) ? tag : [];
    for (const value of values) {
      const url = value.trim();
      if (!isRelayUrl(url)) problems.push('relays names something that is no relay address');
      else if (found.size < maxRelays) found.add(url);
      else problems.push(`more than ${maxRelays} relays`);
    }
  }
  return [...found];
}

/** True for a `ws://` or `wss://` address without credentials. Whether one may connect to it is the transport's decision. */
export function isRelayUrl(text: string): boolean {
  if (!/^wss?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}

const mimeAliases = new Map([
  ['json', 'application/json'],
  ['text', 'text/plain'],
]);

/** What form the answer should have, as read from `output`. */
export interface JobOutput {
  /** A MIME type in lower case; the short forms `json` and `text` are read as their MIME types. */
  readonly mime: string;
  /** What followed the MIME type after `;`, such as `format=url`; '' when nothing did. */
  readonly parameters: string;
  /** The JSON schema that the answer should follow, as it was written; null when there is none. */
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

/** `json` and `text` as MIME types; everything else as it is. */
export function mimeOf(type: string): string {
  return mimeAliases.get(type) ?? type;
}

/** A status as it is compared: lower case, `-` for `_` and spaces. */
export function normalizeStatus(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, '-');
}

/** How a content is encrypted: by NIP-44 version 2, by NIP-04, or in a way that is not known. */
export type Encryption = 'nip44' | 'nip04' | 'unknown';

/** Tells from the `encrypted` tag and the content's form how an event is encrypted; null when it is not. */
export function encryptionOf(tags: readonly Tag[], content: string): Encryption | null {
  if (!tags.some((tag) => tag[0] === 'encrypted')) return null;
  if (content.includes('?iv=')) return 'nip04';
  return isNip44Payload(content) ? 'nip44' : 'unknown';
}

/** True for text in the form of a NIP-44 ciphertext. */
export function isNip44Payload(text: string): boolean {
  // The version byte 2 is the first of the payload, which base64 writes as `A` and a letter from g to v.
  return /^A[g-v][A-Za-z0-9+/]+=*$/.test(text);
}

/** True when `value` may stand in a single-letter tag. */
export function fitsIndexedTag(value: string): boolean {
  return byteLength(value) <= MAX_INDEXED_VALUE_BYTES;
}
