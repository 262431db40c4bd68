const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** A decoded bech32 string: what stands before the last `1`, and the bytes after it. */
export interface Bech32 {
  readonly prefix: string;
  readonly bytes: Uint8Array;
}

/**
 * Decodes bech32 (BIP-173, without its limit of 90 characters, as NIP-19 uses it), or returns null when the text is
 * none: a wrong character or checksum, mixed case, bits left over.
 */
export function decodeBech32(text: string): Bech32 | null {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return null;
  const separator = lower.lastIndexOf('1');
  if (separator < 1 || lower.length - separator < 7) return null;

  const prefix = lower.slice(0, separator);
  const values = [...lower.slice(separator + 1)].map((character) => alphabet.indexOf(character));
  if (values.includes(-1) || checksum(prefix, values) !== 1) return null;

  const bytes = toBytes(values.slice(0, -6));
  return bytes && { prefix, bytes };
}

function checksum(prefix: string, values: readonly number[]): number {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  let check = 1;
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) check ^= generator;
  }
  return check;
}

/** Regroups five-bit values into bytes; null when the bits that fill up the last group are not zero. */
function toBytes(values: readonly number[]): Uint8Array | null {
  const bytes: number[] = [];
  let pending = 0;
  let bits = 0;
  for (const value of values) {
    pending = (pending << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(pending >> bits);
      pending &= (1 << bits) - 1;
    }
  }
  return bits < 5 && pending === 0 ? Uint8Array.from(bytes) : null;
}
