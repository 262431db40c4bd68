import { createHash } from 'node:crypto';
import { schnorr } from '@noble/curves/secp256k1.js';
import type { EventSigner } from '../src/index.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Creates a signer (NIP-01) on a key that follows from `seed`. */
export function signerOf(seed: string): EventSigner & { readonly publicKey: string } {
  const secret = createHash('sha256').update(seed).digest();
  const publicKey = hex(schnorr.getPublicKey(secret));
  return {
    publicKey,
    getPublicKey: async () => publicKey,
    async signEvent({ kind, created_at, tags, content }) {
      const id = createHash('sha256')
        .update(JSON.stringify([0, publicKey, created_at, kind, tags, content]))
        .digest('hex');
      return { id, pubkey: publicKey, sig: hex(schnorr.sign(Buffer.from(id, 'hex'), secret)) };
    },
  };
}
