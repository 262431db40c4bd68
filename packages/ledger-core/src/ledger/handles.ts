import { hmacBase32 } from '@bonafide/internal';
import { createHandleKey, derivedHandles, handleKeyName, plainHandle } from '../handle.ts';
import type { LedgerStore } from '../store.ts';

/** Finds the handle under which a peer is shown. */
export interface Handles {
  /** Returns the handle of a known peer, or the one that a new peer will get. */
  of(peerId: string): Promise<string>;
  /** Removes a cached handle, after the store refused it. */
  drop(peerId: string): void;
  /** Returns the key of the ledger: 64 hex digits, secret. */
  key(): Promise<string>;
  /** Hashes a text with the key of the ledger: 52 base32 characters. */
  hash(text: string): Promise<string>;
  /** Hashes a text as `hash` does, and writes nothing: null while the ledger has no key. */
  hashIfKeyed(text: string): Promise<string | null>;
}

const cachedPeers = 10_000;

/** Creates the handles of one store, with caches of 10,000 peers. */
export function createHandles(store: LedgerStore): Handles {
  const cache = new Map<string, string>();
  const hashes = new Map<string, string>();
  let key: Promise<string> | undefined;

  /** Reads the key before it writes one: a store that can only be read has the key of its peers. */
  async function keptKey(): Promise<string> {
    const kept = await store.keepValue(handleKeyName);
    if (kept !== null) return kept;
    const candidate = createHandleKey();
    return (await store.keepValue(handleKeyName, { first: candidate })) ?? candidate;
  }

  function keyOfStore(): Promise<string> {
    key ??= keptKey().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  }

  const remember = (peerId: string, handle: string) => cacheIn(cache, peerId, handle);

  const hashWith = (secret: string, text: string) =>
    hashes.get(text) ?? cacheIn(hashes, text, hmacBase32(secret, text));

  return {
    async of(peerId) {
      const known = plainHandle(peerId) ?? cache.get(peerId);
      if (known !== undefined) return known;
      const stored = await store.getPeer(peerId);
      if (stored) return remember(peerId, stored.peer.handle);
      for (const handle of derivedHandles(await keyOfStore(), peerId)) {
        const [owner] = await store.listPeers({ orderBy: 'lastSeenAt', limit: 1, handle });
        if (!owner) return remember(peerId, handle);
      }
      throw new Error('Every handle of this peer is taken.');
    },
    drop: (peerId) => void cache.delete(peerId),
    key: keyOfStore,
    async hash(text) {
      return hashWith(await keyOfStore(), text);
    },
    async hashIfKeyed(text) {
      const kept = await (key ?? store.keepValue(handleKeyName));
      if (kept === null) return null;
      key ??= Promise.resolve(kept);
      return hashWith(kept, text);
    },
  };
}

/** Adds a value to a cache, in place of the oldest when it is full. */
function cacheIn(cache: Map<string, string>, name: string, value: string): string {
  const [oldest] = cache.keys();
  if (cache.size >= cachedPeers && oldest !== undefined) cache.delete(oldest);
  cache.set(name, value);
  return value;
}
