import { describe, expect, it } from 'vitest';
import { decodeBech32, encodeBech32 } from '../src/index.ts';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

describe('decodeBech32', () => {
  it('X-10 decodes the keys of NIP-19', () => {
    const npub = decodeBech32('npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6');
    expect(npub?.prefix).toBe('npub');
    expect(hex(npub?.bytes)).toBe('3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d');
    const nsec = decodeBech32('nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5');
    expect(hex(nsec?.bytes)).toBe('67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa');
  });

  it('encodes what it decodes', () => {
    const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
    expect(encodeBech32('npub', decodeBech32(npub)?.bytes ?? new Uint8Array())).toBe(npub);
  });

  it('decodes the valid strings of BIP-173', () => {
    expect(decodeBech32('A12UEL5L')).toEqual({ prefix: 'a', bytes: new Uint8Array() });
    expect(
      decodeBech32(
        'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
      ),
    ).not.toBeNull();
    expect(hex(decodeBech32('abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw')?.bytes)).toBe(
      '00443214c74254b635cf84653a56d7c675be77df',
    );
  });

  it.each([
    ['a changed character', 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w7'],
    ['mixed case', 'Npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6'],
    ['no separator', 'pzry9x0s0muk'],
    ['no prefix', '1pzry9x0s0muk'],
    ['a character outside the alphabet', 'x1b4n0q5v'],
    ['a checksum that is too short', 'li1dgmt3'],
    ['nothing', ''],
  ])('says null for %s', (_, text) => {
    expect(decodeBech32(text)).toBeNull();
  });
});
