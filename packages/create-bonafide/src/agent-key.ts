import { createECDH } from 'node:crypto';
import { encodeBech32 } from '@bonafide/internal';

/** A key pair of Nostr, as NIP-19 writes it. */
export interface AgentKey {
  readonly nsec: string;
  readonly npub: string;
}

/** Returns the key pair of a secret key of 32 bytes. */
export function agentKey(secretKey: Uint8Array): AgentKey {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(secretKey);
  // A public key of Nostr is the x coordinate alone (BIP-340).
  const publicKey = curve.getPublicKey(null, 'compressed').subarray(1);
  return { nsec: encodeBech32('nsec', secretKey), npub: encodeBech32('npub', publicKey) };
}
