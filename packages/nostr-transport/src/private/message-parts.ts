import { byteLength } from '@bonafide/internal';
import { isHex64 } from '../event/event-check.ts';
import { createRumor, type Rumor } from './nip59-gift-wrap.ts';

/**
 * The tag of one part of a long message: `["part", <id>, <index>, <count>]`. The id is that of the whole message, so it commits to
 * author, time, kind, tags and content. No NIP defines such a tag; other clients show each part as a message.
 */
const partTag = 'part';

/** Bytes of JSON text per part: sealed and wrapped it stays below the 64 KB that the strictest relays accept. */
const maxPartBytes = 24_000;

/** Limits of what a receiver keeps of incomplete messages. */
export interface AssemblyLimits {
  /** Parts of one message. Default 64, about 1.5 MB. */
  readonly maxParts: number;
  /** Memory for parts of incomplete messages, about, in bytes; 8 KB more are counted for each message. Default 32 MiB. */
  readonly maxBytes: number;
  /** Ms after its last part at which an incomplete message is given up. Default one day. */
  readonly maxIdleMs: number;
}

export const defaultAssemblyLimits: AssemblyLimits = {
  maxParts: 64,
  maxBytes: 32 * 1_024 * 1_024,
  maxIdleMs: 86_400_000,
};

/** A message of which some parts arrived, and which was given up. */
export interface LostMessage {
  /** The id of the whole message, as its parts claim. */
  readonly id: string;
  /** The author, 64 lower-case hex digits. */
  readonly sender: string;
  /** Parts that arrived. */
  readonly received: number;
  /** Parts that it has. */
  readonly parts: number;
  /** `no-room`: other incomplete messages took its memory. `expired`: no part came for a day. */
  readonly reason: 'no-room' | 'expired';
}

/** Splits `content` so that each part has at most `maxBytes` as JSON text. Never splits a surrogate pair. */
export function splitContent(content: string, maxBytes: number = maxPartBytes): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const char of content) {
    const size = byteLength(JSON.stringify(char)) - 2;
    if (used + size > maxBytes && part !== '') {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += char;
    used += size;
  }
  parts.push(part);
  return parts;
}

/** Splits a message into rumors with a `part` tag each; a message that fits in one event stays as it is. */
export function splitMessage(whole: Rumor, maxBytes: number = maxPartBytes): readonly Rumor[] {
  const contents = splitContent(whole.content, maxBytes);
  if (contents.length === 1) return [whole];
  return contents.map((content, index) => {
    const tag = [partTag, whole.id, String(index), String(contents.length)];
    return createRumor({ ...whole, tags: [...whole.tags, tag], content }, whole.pubkey);
  });
}

/** The result of adding one message to an assembly. */
export type Assembled =
  /** A message in one piece, or joined because the last missing part arrived. */
  | { readonly type: 'whole'; readonly message: Rumor }
  /** More parts are missing, or the part was there already. */
  | { readonly type: 'incomplete' }
  | { readonly type: 'invalid' };

/** Joins parts of messages. */
export interface MessageAssembly {
  add(rumor: Rumor): Assembled;
}

interface Incomplete {
  readonly id: string;
  readonly sender: string;
  readonly count: number;
  readonly parts: Map<number, string>;
  bytes: number;
  /** Time of its last part, in ms since epoch. */
  touchedAt: number;
}

/** Memory of an incomplete message without its parts, in bytes. Limits the number of messages. */
const messageBytes = 8_192;

/**
 * Creates an assembly with bounded memory. The joined message must have the id that its parts name. When the memory is full, the
 * sender with the most incomplete messages loses one: an unknown sender before a known one, of several the one that was silent longest.
 */
export function createMessageAssembly(
  options: {
    readonly limits?: Partial<AssemblyLimits>;
    readonly isKnownSender?: (sender: string) => boolean;
    readonly onLost?: (lost: LostMessage) => void;
    /** Ms since epoch. Default `Date.now`. */
    readonly clock?: () => number;
  } = {},
): MessageAssembly {
  const { isKnownSender = () => false, onLost = () => {}, clock = Date.now } = options;
  const { maxParts, maxBytes, maxIdleMs } = { ...defaultAssemblyLimits, ...options.limits };
  /** By sender, then by message; each in the order of the last part. */
  const waiting = new Map<string, Map<string, Incomplete>>();
  let bytes = 0;

  function remove({ id, sender, count, bytes: freed }: Incomplete): void {
    const ofSender = waiting.get(sender);
    if (ofSender?.delete(nameOf(id, count))) bytes -= freed;
    if (ofSender?.size === 0) waiting.delete(sender);
  }

  function lose(message: Incomplete, reason: LostMessage['reason']): void {
    remove(message);
    const { id, sender, count, parts } = message;
    onLost({ id, sender, received: parts.size, parts: count, reason });
  }

  function loseIdle(now: number): void {
    // Senders are in the order of their last part, so the first fresh one ends the search.
    for (const ofSender of waiting.values()) {
      const messages = [...ofSender.values()];
      for (const message of messages) if (now - message.touchedAt > maxIdleMs) lose(message, 'expired');
      if (messages.some(({ touchedAt }) => now - touchedAt <= maxIdleMs)) return;
    }
  }

  /** Frees memory; the message that has just got a part stays, unless it is the only one. */
  function makeRoom(newest: Incomplete): void {
    while (bytes > maxBytes) {
      let most: Map<string, Incomplete> | null = null;
      let isMostKnown = true;
      for (const [sender, ofSender] of waiting) {
        const isKnown = isKnownSender(sender);
        const isWorse = isKnown === isMostKnown ? ofSender.size > (most?.size ?? 0) : isMostKnown;
        if (!isWorse) continue;
        most = ofSender;
        isMostKnown = isKnown;
      }
      const oldest = [...(most?.values() ?? [])].find((message) => message !== newest) ?? newest;
      lose(oldest, 'no-room');
    }
  }

  function touch(message: Incomplete, now: number): void {
    const { id, sender, count } = message;
    const ofSender = waiting.get(sender) ?? new Map<string, Incomplete>();
    message.touchedAt = now;
    ofSender.delete(nameOf(id, count));
    ofSender.set(nameOf(id, count), message);
    waiting.delete(sender);
    waiting.set(sender, ofSender);
  }

  return {
    add(rumor) {
      const now = clock();
      loseIdle(now);
      const tag = rumor.tags.find(([name]) => name === partTag);
      if (tag === undefined) return { type: 'whole', message: rumor };
      const part = readPartTag(tag, maxParts);
      if (part === null) return { type: 'invalid' };
      const { messageId: id, index, count } = part;
      const sender = rumor.pubkey;
      const known = waiting.get(sender)?.get(nameOf(id, count));
      const message = known ?? { id, sender, count, parts: new Map(), bytes: messageBytes, touchedAt: now };
      if (known === undefined) bytes += messageBytes;
      const { parts } = message;
      if (!parts.has(index)) {
        parts.set(index, rumor.content);
        const size = byteLength(rumor.content);
        message.bytes += size;
        bytes += size;
      }
      touch(message, now);
      if (parts.size < count) {
        makeRoom(message);
        return { type: 'incomplete' };
      }
      remove(message);
      const content = Array.from({ length: count }, (_, at) => parts.get(at) ?? '').join('');
      const tags = rumor.tags.filter(([name]) => name !== partTag);
      const joined = createRumor({ ...rumor, tags, content }, sender);
      return joined.id === id ? { type: 'whole', message: joined } : { type: 'invalid' };
    },
  };
}

const nameOf = (id: string, count: number) => `${id} ${count}`;

function readPartTag(tag: readonly string[], maxParts: number) {
  const [, messageId = '', index = '', count = ''] = tag;
  if (!isHex64(messageId) || !/^\d{1,4}$/.test(index) || !/^\d{1,4}$/.test(count)) return null;
  const part = { messageId, index: Number(index), count: Number(count) };
  return part.count >= 2 && part.count <= maxParts && part.index < part.count ? part : null;
}
