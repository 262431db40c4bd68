import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactKeys } from '../src/index.ts';

// The example keys of NIP-19 and NIP-49.
const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
const ncryptsec =
  'ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p';

describe('redactKeys', () => {
  it.each([
    ['alone', nsec, '[nsec redacted]'],
    ['in a sentence', `my key is ${nsec}, keep it`, 'my key is [nsec redacted], keep it'],
    ['glued to other text', `keep${nsec}safe`, 'keep[nsec redacted]safe'],
    ['as a URI', `nostr:${nsec}`, 'nostr:[nsec redacted]'],
    ['in capitals', nsec.toUpperCase(), '[nsec redacted]'],
    ['in mixed case', nsec.replace('nsec', 'Nsec'), '[nsec redacted]'],
    ['twice', `${nsec}${nsec}`, '[nsec redacted][nsec redacted]'],
    ['after a false start', `nsec1${nsec}`, 'nsec1[nsec redacted]'],
    ['encrypted', `backup: ${ncryptsec}.`, 'backup: [ncryptsec redacted].'],
    ['encrypted and damaged', `${ncryptsec.slice(0, -1)}q`, '[ncryptsec redacted]'],
  ])('LED-13 takes a private key out: %s', (_, text, expected) => {
    expect(redactKeys(text)).toEqual({ text: expected, redacted: true });
  });

  it.each([
    ['a public key', npub],
    ['an nsec with a wrong checksum', nsec.replace(/.$/, '4')],
    ['an nsec that is too short', nsec.slice(0, -1)],
    ['talk about keys', 'An nsec1… or ncryptsec1… is a private key'],
    ['nothing', ''],
  ])('LED-13 leaves %s alone', (_, text) => {
    expect(redactKeys(text)).toEqual({ text, redacted: false });
  });

  it('LED-13 changes nothing else of any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(redactKeys(before)).toEqual({ text: before, redacted: false });
        expect(redactKeys(before + nsec + after)).toEqual({
          text: `${before}[nsec redacted]${after}`,
          redacted: true,
        });
      }),
    );
  });

  it('LED-13 stays quick on a text made to be slow', () => {
    const text = 'nsec1'.repeat(100_000);
    expect(redactKeys(text).redacted).toBe(false);
  });
});
