import { bytesToHex } from '@bonafide/internal';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';

/** 5-bit words of the signature at the end of an invoice: 64 bytes and the recovery id. */
const signatureWords = 104;
const timestampWords = 7;
/** The field `n` and its length in words. */
const [payeeField, payeeWords] = [19, 53];

/**
 * Returns the public key of the node that signed a BOLT 11 invoice, 66 hex digits; null when the signature is not valid.
 * The signature covers everything in the invoice, so that no wallet pays an invoice without a valid one.
 */
export function invoicePayee(bolt11: string): string | null {
  const decoded = bech32.decodeUnsafe(bolt11, false);
  if (!decoded || decoded.words.length <= signatureWords) return null;
  const { prefix, words } = decoded;
  const signature = bech32.fromWordsUnsafe(words.slice(-signatureWords));
  const recoveryId = signature?.at(-1);
  if (!signature || recoveryId === undefined || recoveryId > 3) return null;
  try {
    const signed = new Uint8Array([
      ...new TextEncoder().encode(prefix),
      ...paddedBytes(words.slice(0, -signatureWords)),
    ]);
    const compact = signature.slice(0, 64);
    const recovered = new Uint8Array([recoveryId, ...compact]);
    const payee = bytesToHex(secp256k1.recoverPublicKey(recovered, signed));
    const named = namedPayee(words.slice(timestampWords, -signatureWords));
    return named === null || named === payee ? payee : null;
  } catch {
    // Not a signature of any key.
    return null;
  }
}

/** Returns the public key in the field `n`, or null. */
function namedPayee(fields: readonly number[]): string | null {
  for (let at = 0; at + 3 <= fields.length; ) {
    const [code = 0, high = 0, low = 0] = fields.slice(at, at + 3);
    const length = high * 32 + low;
    const data = fields.slice(at + 3, at + 3 + length);
    if (code === payeeField && length === payeeWords) return bytesToHex(bech32.fromWords([...data]));
    at += 3 + length;
  }
  return null;
}

/** Joins 5-bit words to bytes, the last one filled up with zeros (BOLT 11). */
function paddedBytes(words: readonly number[]): number[] {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const word of words) {
    value = ((value << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  if (bits > 0) bytes.push((value << (8 - bits)) & 0xff);
  return bytes;
}
