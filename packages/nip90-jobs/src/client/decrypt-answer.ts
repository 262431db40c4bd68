import type { Signer } from '@bonafide/nostr-transport';
import type { Encryption } from '../codec/index.ts';

/** Decrypts an answer; returns null when it cannot be decrypted. */
export type DecryptAnswer = (
  sender: string,
  said: { readonly encryption: Encryption | null; readonly content: string },
) => Promise<string | null>;

/** Creates a function that decrypts answers: NIP-44, and NIP-04 when the caller supplies it. */
export function createAnswerDecrypter(options: {
  readonly signer: Pick<Signer, 'nip44Decrypt'>;
  readonly nip04Decrypt: ((sender: string, ciphertext: string) => Promise<string>) | undefined;
}): DecryptAnswer {
  const { signer, nip04Decrypt } = options;
  return async (sender, { encryption, content }) => {
    // Feedback may say all it has to say in its status.
    if (encryption === null || content === '') return content;
    try {
      if (encryption === 'nip44') return await signer.nip44Decrypt(sender, content);
      if (encryption === 'nip04') return (await nip04Decrypt?.(sender, content)) ?? null;
    } catch {
      // Told by null, as one of the other kinds is.
    }
    return null;
  };
}
