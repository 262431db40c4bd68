import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIds, parseNostrKey, toPeerId } from '../src/index.ts';

const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
const hex = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';

describe('toPeerId', () => {
  it('X-10 keeps Nostr keys as lower-case hex, however they are written', () => {
    for (const written of [hex, hex.toUpperCase(), npub, npub.toUpperCase()]) {
      expect(toPeerId('nostr', written)).toBe(hex);
      expect(parseNostrKey(written)).toBe(hex);
    }
    expect(parseNostrKey(npub.slice(0, -1))).toBeNull();
    expect(parseNostrKey('nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5')).toBeNull();
  });

  it('LED-1 never gives two senders one id, whatever names they choose', () => {
    const channel = fc.constantFrom('nostr', 'telegram', 'file', 'a');
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom(hex, npub, `telegram:${hex}`, 'nostr:bob', 'bob', 'file:bob', 'a:a:b', 'a:b', 'b'),
    );
    fc.assert(
      fc.property(channel, name, channel, name, (channel1, name1, channel2, name2) => {
        const sameSender =
          channel1 === channel2 &&
          (name1 === name2 ||
            (channel1 === 'nostr' &&
              parseNostrKey(name1) !== null &&
              parseNostrKey(name1) === parseNostrKey(name2)));
        expect(toPeerId(channel1, name1) === toPeerId(channel2, name2)).toBe(sameSender);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('createIds', () => {
  it('LED-2 makes ids that grow, also within a millisecond and when the clock goes back', () => {
    let now = 1_700_000_000_000;
    const ids = createIds({ clock: () => now, random: () => 0.5 });
    const made: string[] = [];
    for (let n = 0; n < 10_000; n++) {
      made.push(ids());
      if (n === 3000) now += 1;
      if (n === 6000) now -= 5000;
    }
    expect(made).toEqual([...new Set(made)].sort());
    expect(made[0]).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('LED-2 makes the same ids from the same clock and random numbers', () => {
    const from = () => createIds({ clock: () => 1000, random: () => 0.25 });
    expect(from()()).toBe(from()());
  });
});
