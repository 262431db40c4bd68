import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes as fromHex, bytesToHex as toHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { nodeBuiltin } from './node-builtin.ts';

type Hash = (data: string | Uint8Array) => string;

let hash: Hash | undefined;

/** Native where the runtime supports it, which is about ten times as fast; JavaScript elsewhere. */
function fastestHash(): Hash {
  const native = nodeBuiltin<typeof import('node:crypto')>('node:crypto')?.hash;
  return native === undefined ? sha256HexPortable : (data) => native('sha256', data, 'hex');
}

/** Returns the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hex digits. Works in every runtime. */
export function sha256Hex(data: string | Uint8Array): string {
  hash ??= fastestHash();
  return hash(data);
}

/** {@link sha256Hex} in JavaScript alone. */
export function sha256HexPortable(data: string | Uint8Array): string {
  return toHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));
}

/** Returns the bytes that hex digits of either case stand for. Throws when the text is not hex. */
export const hexToBytes = (hex: string): Uint8Array => fromHex(hex);

/** Returns bytes as lower-case hex digits. */
export const bytesToHex = (bytes: Uint8Array): string => toHex(bytes);
