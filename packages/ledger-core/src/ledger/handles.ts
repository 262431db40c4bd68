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
}

const cachedPeers = 10_000;

/** Creates the handles of one store, with caches of 10,000 peers. */
export function createHandles(store: LedgerStore): Handles {
  const cache = new Map<string, string>();
  const hashes = new Map<string, string>();
  let key: Promise<string> | undefined;

  function keyOfStore(): Promise<string> {
    if (key !== undefined) return key;
    const candidate = createHandleKey();
    key = store.keepValue(handleKeyName, { first: candidate }).then(
      (kept) => kept ?? candidate,
      (error: unknown) => {
        key = undefined;
        throw error;
      },
    );
    return key;
  }

  const remember = (peerId: string, handle: string) => cacheIn(cache, peerId, handle);

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
      const secret = await keyOfStore();
      return hashes.get(text) ?? cacheIn(hashes, text, hmacBase32(secret, text));
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
