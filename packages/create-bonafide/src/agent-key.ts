import { encodeBech32 } from '@bonafide/internal';
import { schnorr } from '@noble/curves/secp256k1.js';

/** A key pair of Nostr, as NIP-19 writes it. */
export interface AgentKey {
  readonly nsec: string;
  readonly npub: string;
}

/** Returns the key pair of a secret key of 32 bytes. */
export const agentKey = (secretKey: Uint8Array): AgentKey => ({
  nsec: encodeBech32('nsec', secretKey),
  npub: encodeBech32('npub', schnorr.getPublicKey(secretKey)),
});
