import { sha256Hex } from '@bonafide/internal';
import * as z from 'zod';

/** Largest message of a backup, bytes. */
const largestMessage = 24_000;
/** Characters of data in one message; the rest is its envelope. */
const dataSize = 23_000;

const messageSchema = z.object({
  type: z.literal('bonafide-routing-backup'),
  version: z.literal(1),
  /** SHA-256 of the whole data. */
  sha256: z.string().length(64),
  kind: z.enum(['base', 'records']),
  /** Names the log that it was made of: a log that was restored is another one, and counts from the beginning. */
  log: z.string().max(64).default(''),
  /** Time at which it was made, ms since epoch. */
  writtenAt: z.number().min(0).default(0),
  /** Sequence numbers that it covers: of a base, everything up to `to`. */
  from: z.int().min(0),
  to: z.int().min(0),
  index: z.int().min(0),
  count: z.int().min(1).max(10_000),
  data: z.string().max(largestMessage),
});

type BackupMessage = z.output<typeof messageSchema>;

/** One part of a backup: a snapshot, or records after it. */
export interface BackupPart {
  readonly kind: 'base' | 'records';
  /** Names the log that it was made of. */
  readonly log: string;
  /** Time at which it was made, ms since epoch. */
  readonly writtenAt: number;
  /** First sequence number that it covers. */
  readonly from: number;
  /** Last sequence number that it covers. */
  readonly to: number;
  readonly text: string;
}

/** Splits a part into messages of at most 24,000 bytes, each with its place and the hash of the whole. */
export async function writeMessages(part: BackupPart): Promise<string[]> {
  const data = toBase64(
    await throughStream(new TextEncoder().encode(part.text), new CompressionStream('gzip')),
  );
  const sha256 = sha256Hex(data);
  const count = Math.max(1, Math.ceil(data.length / dataSize));
  const { kind, log, writtenAt, from, to } = part;
  return Array.from({ length: count }, (_, index) => {
    const message: BackupMessage = {
      type: 'bonafide-routing-backup',
      version: 1,
      sha256,
      kind,
      log,
      writtenAt,
      from,
      to,
      index,
      count,
      data: data.slice(index * dataSize, (index + 1) * dataSize),
    };
    return JSON.stringify(message);
  });
}

/** Parts that were read, and what could not be. */
export interface ReadParts {
  readonly parts: readonly BackupPart[];
  /** Number of messages that do not belong to a backup. */
  readonly foreign: number;
  /** Number of parts of which messages are missing or changed. */
  readonly incomplete: number;
}

/** Joins messages, in any order and with repetitions, to parts. */
export async function readMessages(messages: Iterable<string>): Promise<ReadParts> {
  const byHash = new Map<string, Map<number, BackupMessage>>();
  let foreign = 0;
  for (const text of messages) {
    const message = parse(text);
    if (message === null) {
      foreign += 1;
      continue;
    }
    const { kind, log, writtenAt, from, to, count, index } = message;
    const key = JSON.stringify([message.sha256, kind, log, writtenAt, from, to, count]);
    const known = byHash.get(key) ?? new Map<number, BackupMessage>();
    byHash.set(key, known.set(index, message));
  }
  const parts: BackupPart[] = [];
  let incomplete = 0;
  for (const known of byHash.values()) {
    const part = await join(known);
    if (part === null) incomplete += 1;
    else parts.push(part);
  }
  return { parts, foreign, incomplete };
}

function parse(text: string): BackupMessage | null {
  try {
    const parsed = messageSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Largest part after decompression, so that a small message cannot fill the memory. */
const largestPart = 256 * 1024 * 1024;

async function join(messages: ReadonlyMap<number, BackupMessage>): Promise<BackupPart | null> {
  const [first] = messages.values();
  if (first === undefined || messages.size !== first.count) return null;
  let data = '';
  for (let index = 0; index < first.count; index += 1) data += messages.get(index)?.data ?? '';
  if (sha256Hex(data) !== first.sha256) return null;
  try {
    const bytes = await throughStream(fromBase64(data), new DecompressionStream('gzip'));
    const { kind, log, writtenAt, from, to } = first;
    return { kind, log, writtenAt, from, to, text: new TextDecoder().decode(bytes) };
  } catch {
    return null;
  }
}

async function throughStream(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > largestPart) throw new RangeError('The part of the backup is too large.');
    chunks.push(value);
  }
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
