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

/**
 * Returns whether the options of `erasePeer` ask for a preview. A misspelt name would erase.
 *
 * @param fail - Creates the error of the package.
 */
export function isPreview(options: unknown, fail: (message: string, cause?: ErrorOptions) => Error): boolean {
  if (options === undefined) return false;
  try {
    const { preview = false, ...others } = options as { readonly preview?: unknown };
    const isOptions = typeof options === 'object' && !Array.isArray(options);
    if (isOptions && typeof preview === 'boolean' && Reflect.ownKeys(others).length === 0) return preview;
  } catch (cause) {
    throw fail('The options of erasePeer cannot be read.', { cause });
  }
  throw fail('erasePeer takes the option `preview`, true or false, and no other.');
}

/** Returns a random key that no peer has, which takes the place of an erased one: 64 hex digits. */
export const newTombstone = (): string => bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(32)));
