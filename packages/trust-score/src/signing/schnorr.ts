import { hexToBytes, sha256Hex } from '@bonafide/internal';
import { schnorr } from '@noble/curves/secp256k1.js';

/** Returns the SHA-256 of a text as 64 hex digits. */
export const sha256 = (text: string): string => sha256Hex(text);

/** Verifies a BIP-340 signature of a 32-byte message; all in lower-case hex. Returns false for malformed values. */
export function verifySchnorr(signature: string, message: string, publicKey: string): boolean {
  if (!/^[0-9a-f]{128}$/u.test(signature) || !/^[0-9a-f]{64}$/u.test(message)) return false;
  if (!/^[0-9a-f]{64}$/u.test(publicKey)) return false;
  return schnorr.verify(hexToBytes(signature), hexToBytes(message), hexToBytes(publicKey));
}
