import type { EventTemplate, NostrEvent } from '../event/event.ts';

/**
 * Signs and encrypts without ever showing the private key (rule X-7): an in-memory key, a NIP-46 bunker
 * and a hardware device look the same. Public keys are 64 lower-case hex digits.
 */
export interface Signer {
  getPublicKey(): Promise<string>;
  signEvent(template: EventTemplate): Promise<NostrEvent>;
  /** NIP-44 version 2. */
  nip44Encrypt(recipientPubkey: string, plaintext: string): Promise<string>;
  nip44Decrypt(senderPubkey: string, ciphertext: string): Promise<string>;
}
