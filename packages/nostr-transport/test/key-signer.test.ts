import { inspect } from 'node:util';
import fc from 'fast-check';
import { nsecEncode } from 'nostr-tools/nip19';
import { getPublicKey, verifiedSymbol } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { createPureVerifier, createTinySecpVerifier } from '../src/event/verifier.ts';
import { createKeySigner } from '../src/signers/key-signer.ts';
import { SecretKey } from '../src/signers/secret-key.ts';
import { signerOf } from './support/events.ts';
import { tracesOf } from './support/secrets.ts';

const bytes = new Uint8Array(32).map((_, at) => at * 7 + 1);
const hex = Buffer.from(bytes).toString('hex');
const template = { kind: 1, created_at: 1_700_000_000, tags: [['t', 'x']], content: 'hello' };

describe('NET-2 a signer with its key in memory', () => {
  it('NET-2 takes bytes, hex, nsec and what loadSecretKey gives', async () => {
    const expected = getPublicKey(bytes);
    for (const key of [bytes, hex, hex.toUpperCase(), nsecEncode(bytes), SecretKey.from(hex)]) {
      expect(await createKeySigner(key).getPublicKey()).toBe(expected);
    }
  });

  it('NET-2 X-5b signs a copy, frozen and without a mark of being verified', async () => {
    const given = structuredClone(template);
    const event = await createKeySigner(bytes).signEvent(given);
    expect(given).toEqual(template);
    expect(createPureVerifier().verify(event)).toBe(true);
    expect(Object.isFrozen(event)).toBe(true);
    expect(verifiedSymbol in event).toBe(false);
  });

  it.each(['pure JavaScript', 'tiny-secp256k1'])(
    'NET-2 refuses to sign what is no event, with %s',
    async (name) => {
      const options = name === 'tiny-secp256k1' ? { library: await import('tiny-secp256k1') } : {};
      const broken = createKeySigner(bytes, options).signEvent({ ...template, kind: -1 });
      await expect(broken).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('NET-2 X-5b signs with a faster library what every verifier accepts, and never twice the same', async () => {
    const library = await import('tiny-secp256k1');
    const signer = createKeySigner(bytes, { library });
    expect(await signer.getPublicKey()).toBe(getPublicKey(bytes));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          kind: fc.integer({ min: 0, max: 65_535 }),
          created_at: fc.integer({ min: 0, max: 2 ** 32 }),
          tags: fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 })),
          content: fc.string({ unit: 'grapheme' }),
        }),
        async (given) => {
          const [first, second] = [await signer.signEvent(given), await signer.signEvent(given)];
          const pure = createPureVerifier();
          expect([pure.verify(first), createTinySecpVerifier(library).verify(second)]).toEqual([true, true]);
          expect(first.id).toBe(second.id);
          expect(first.sig).not.toBe(second.sig);
          expect(first).toMatchObject(given);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('NET-2 encrypts for one reader (NIP-44)', async () => {
    const [alice, bob, eve] = [signerOf(1), signerOf(2), signerOf(3)];
    const [a, b] = await Promise.all([alice.getPublicKey(), bob.getPublicKey()]);
    const ciphertext = await alice.nip44Encrypt(b, 'for Bob');
    expect(ciphertext).not.toContain('Bob');
    expect(await bob.nip44Decrypt(a, ciphertext)).toBe('for Bob');
    await expect(eve.nip44Decrypt(a, ciphertext)).rejects.toThrow();
    await expect(alice.nip44Encrypt('nobody', 'x')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('NET-2 X-7 says nothing of a key that is wrong', () => {
    const nearly = `${hex.slice(0, 63)}x`;
    const wrong = [
      nearly,
      `nsec1${hex}`,
      'f'.repeat(64),
      '0'.repeat(64),
      bytes.slice(1),
      '',
      undefined as never,
    ];
    for (const key of wrong) {
      let thrown: unknown;
      try {
        createKeySigner(key);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: 'SECRET_KEY_INVALID' });
      expect(inspect(thrown, { showHidden: true, depth: 9 })).not.toContain(hex.slice(0, 16));
    }
  });

  it('NET-2 X-7 the key is in nothing that can be printed', async () => {
    const secret = SecretKey.from(bytes);
    const signer = createKeySigner(secret);
    await signer.signEvent(template);
    for (const thing of [secret, signer, { config: { secret } }, [signer]]) {
      expect(tracesOf(bytes, thing)).toEqual([]);
    }
    expect(`${secret} ${JSON.stringify({ secret })} ${inspect(secret)}`).toBe(
      '[SecretKey] {"secret":"[SecretKey]"} [SecretKey]',
    );
    expect(secret.reveal()).toEqual(bytes);
    secret.reveal().fill(0);
    expect(secret.reveal()).toEqual(bytes);
    // The test itself would notice.
    expect(tracesOf(bytes, { bytes })).not.toEqual([]);
    expect(tracesOf(bytes, new Error(`bad key ${hex}`))).not.toEqual([]);
  });
});
