import type { EventTemplate, NostrEvent } from '../event/event.ts';

/**
 * Signs and encrypts without exposing the private key: an in-memory key, a NIP-46 remote signer or a hardware
 * device. Public keys are 64 lower-case hex digits.
 */
export interface Signer {
  getPublicKey(): Promise<string>;
  signEvent(template: EventTemplate): Promise<NostrEvent>;
  /** Encrypts with NIP-44 version 2. */
  nip44Encrypt(recipientPubkey: string, plaintext: string): Promise<string>;
  nip44Decrypt(senderPubkey: string, ciphertext: string): Promise<string>;
}
