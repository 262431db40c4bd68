import { bytesToHex, decodeBech32 } from '@bonafide/internal';

const nostrKey = /^[0-9a-f]{64}$/i;
const controlCharacter = /[\p{Cc}\p{Cs}]/u;

/**
 * Returns the Nostr public key of a text as 64 lower-case hex digits. Accepts hex in any case and `npub1…`. Null for
 * every other text.
 */
export function parseNostrKey(text: string): string | null {
  if (nostrKey.test(text)) return text.toLowerCase();
  if (!/^npub1/i.test(text)) return null;
  const decoded = decodeBech32(text);
  return decoded?.prefix === 'npub' && decoded.bytes.length === 32 ? bytesToHex(decoded.bytes) : null;
}

/**
 * Returns the ledger's id of a peer: on channel `nostr` the public key in hex, on every other channel `channel:id`, so
 * that no peer can take over the history of another channel by choosing a name. `nativeId` is the id as the channel
 * writes it; a colon in it is never read as a channel prefix.
 *
 * @example
 * toPeerId('nostr', 'npub180cvv07t…') // '3bf0c63fcb93…'
 * toPeerId('telegram', '4711')        // 'telegram:4711'
 */
export function toPeerId(channel: string, nativeId: string): string {
  return (channel === 'nostr' && parseNostrKey(nativeId)) || `${channel}:${nativeId}`;
}

/** Returns true for well-formed text without control characters, as every id has to be. */
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !controlCharacter.test(text);
}
