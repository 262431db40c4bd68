import { bytesToHex, decodeBech32 } from '@bonafide/internal';

const nostrKey = /^[0-9a-f]{64}$/i;

/**
 * The Nostr public key that a text stands for, as 64 lower-case hex digits: hex in any case or an `npub1…`. Null when
 * it is neither.
 */
export function parseNostrKey(text: string): string | null {
  if (nostrKey.test(text)) return text.toLowerCase();
  if (!/^npub1/i.test(text)) return null;
  const decoded = decodeBech32(text);
  return decoded?.prefix === 'npub' && decoded.bytes.length === 32 ? bytesToHex(decoded.bytes) : null;
}

/**
 * Returns the ledger's id of a peer: on channel `nostr` the public key in hex, on every other channel
 * `channel:id`, so that no peer can take over the history of another channel by choosing a name. `nativeId`
 * is the id as the channel writes it; a colon in it is never read as a channel prefix.
 *
 * @example
 * toPeerId('nostr', 'npub180cvv07t…') // '3bf0c63fcb93…' toPeerId('telegram', '4711')        //
 * 'telegram:4711'
 */
export function toPeerId(channel: string, nativeId: string): string {
  return (channel === 'nostr' && parseNostrKey(nativeId)) || `${channel}:${nativeId}`;
}

/** Whether a text is a short id as it is shown in prompts and tables: eight characters, '…', four. */
export function parseShortId(text: string): { readonly prefix: string; readonly suffix: string } | null {
  const [, prefix, suffix] = /^(.{8})(?:…|\.\.\.)(.{4})$/u.exec(text) ?? [];
  return prefix !== undefined && suffix !== undefined ? { prefix, suffix } : null;
}
