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
  /** Incomplete messages at once; the oldest is dropped. Default 32. */
  readonly maxIncomplete: number;
  /** Incomplete messages of one sender; the oldest is dropped. Default 4. */
  readonly maxIncompletePerSender: number;
}

export const defaultAssemblyLimits: AssemblyLimits = {
  maxParts: 64,
  maxIncomplete: 32,
  maxIncompletePerSender: 4,
};

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
  readonly sender: string;
  readonly parts: Map<number, string>;
}

/** Creates an assembly with bounded memory. The joined message must have the id that its parts name. */
export function createMessageAssembly(limits: Partial<AssemblyLimits> = {}): MessageAssembly {
  const { maxParts, maxIncomplete, maxIncompletePerSender } = { ...defaultAssemblyLimits, ...limits };
  const waiting = new Map<string, Incomplete>();

  function evict(sender: string): void {
    const ofSender = [...waiting].filter(([, message]) => message.sender === sender);
    if (ofSender.length >= maxIncompletePerSender) waiting.delete(ofSender[0]?.[0] ?? '');
    for (const [oldest] of waiting) {
      if (waiting.size < maxIncomplete) break;
      waiting.delete(oldest);
    }
  }

  return {
    add(rumor) {
      const tag = rumor.tags.find(([name]) => name === partTag);
      if (tag === undefined) return { type: 'whole', message: rumor };
      const part = readPartTag(tag, maxParts);
      if (part === null) return { type: 'invalid' };
      const { messageId, index, count } = part;
      const sender = rumor.pubkey;
      const key = `${sender} ${messageId} ${count}`;
      let incomplete = waiting.get(key);
      if (incomplete === undefined) {
        evict(sender);
        incomplete = { sender, parts: new Map() };
        waiting.set(key, incomplete);
      }
      const { parts } = incomplete;
      if (!parts.has(index)) parts.set(index, rumor.content);
      if (parts.size < count) return { type: 'incomplete' };
      waiting.delete(key);
      const content = Array.from({ length: count }, (_, at) => parts.get(at) ?? '').join('');
      const tags = rumor.tags.filter(([name]) => name !== partTag);
      const message = createRumor({ ...rumor, tags, content }, sender);
      return message.id === messageId ? { type: 'whole', message } : { type: 'invalid' };
    },
  };
}

function readPartTag(tag: readonly string[], maxParts: number) {
  const [, messageId = '', index = '', count = ''] = tag;
  if (!isHex64(messageId) || !/^\d{1,4}$/.test(index) || !/^\d{1,4}$/.test(count)) return null;
  const part = { messageId, index: Number(index), count: Number(count) };
  return part.count >= 2 && part.count <= maxParts && part.index < part.count ? part : null;
}
