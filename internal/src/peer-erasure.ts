import { bytesToHex } from './sha256.ts';

/** Numbers of rows about one peer, by what they are, such as `jobs`. */
export interface PeerErasure {
  /** Rows that were erased, or would be. */
  readonly erased: Readonly<Record<string, number>>;
  /** Rows that stay, because work or money depends on them: erase again when that has ended. */
  readonly kept: Readonly<Record<string, number>>;
}

/** A store that can erase what it keeps of one peer. */
export interface PeerEraser {
  /**
   * Erases what the store keeps of a peer, all or nothing. With `preview` it only counts. Processes that have read rows before
   * keep them in memory until they are restarted.
   *
   * @param pubkey 64 lower-case hex digits.
   */
  erasePeer(pubkey: string, options?: { readonly preview?: boolean }): Promise<PeerErasure>;
}

/** Returns a random key that no peer has, which takes the place of an erased one: 64 hex digits. */
export const newTombstone = (): string => bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(32)));
