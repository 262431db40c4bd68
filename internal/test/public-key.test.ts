import { describe, expect, it } from 'vitest';
import { readPublicKey, requirePublicKey } from '../src/index.ts';

const key = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';
const npub = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
const nprofile =
  'nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p';

describe('readPublicKey', () => {
  it.each([
    ['hex', key],
    ['hex in capitals', ` ${key.toUpperCase()}\n`],
    ['npub', npub],
    ['nprofile', nprofile],
  ])('X-10 parses %s', (_, text) => {
    expect(readPublicKey(text)).toBe(key);
  });

  it.each([
    ['nothing', ''],
    ['a name', 'alice'],
    ['hex that is too short', key.slice(1)],
    ['a wrong checksum', `${npub.slice(0, -1)}7`],
    ['a secret key', 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'],
    ['a note', 'note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqc'],
  ])('X-10 returns null for %s', (_, text) => {
    expect(readPublicKey(text)).toBeNull();
  });
});

describe('requirePublicKey', () => {
  const required = (value: unknown) => requirePublicKey(value, (message) => new RangeError(message));

  it('X-14 returns hex, and throws the error of the package with the accepted forms', () => {
    expect(required(npub)).toBe(key);
    for (const value of ['alice', '', undefined, 7, {}])
      expect(() => required(value)).toThrow(/is not a public key\. Pass 64 hex digits or an npub\./u);
    expect(() => required('alice')).toThrow(RangeError);
  });

  it('X-10 repeats no secret key in the message', () => {
    const secret = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
    expect(() => required(` ${secret}`)).toThrow('A secret key is not a public key.');
  });
});
