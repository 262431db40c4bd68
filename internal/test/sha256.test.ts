import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes, sha256Hex, sha256HexPortable } from '../src/sha256.ts';

it('NET-7 native and portable SHA-256 agree with node:crypto on any text and any bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), (data) => {
      const expected = createHash('sha256').update(data).digest('hex');
      expect(sha256Hex(data)).toBe(expected);
      expect(sha256HexPortable(data)).toBe(expected);
    }),
  );
});

it('NET-7 hex digits and bytes convert both ways, and other text is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes);
    }),
  );
  expect(() => hexToBytes('0g')).toThrow();
  expect(() => hexToBytes('abc')).toThrow();
});
