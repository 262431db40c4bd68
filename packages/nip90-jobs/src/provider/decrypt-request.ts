import type { Logger } from '@bonafide/internal';
import type { Signer } from '@bonafide/nostr-transport';
import { decryptJobRequest, type JobRequest } from '../codec/index.ts';

/** A decrypted request, or the error message for its customer. */
export type DecryptedRequest =
  | { readonly ok: true; readonly request: JobRequest }
  | { readonly ok: false; readonly message: string };

/** Decrypts a request. */
export type DecryptRequest = (request: JobRequest) => Promise<DecryptedRequest>;

/** Creates a function that decrypts requests: NIP-44, and NIP-04 when the caller supplies it. */
export function createRequestDecrypter(options: {
  readonly signer: Pick<Signer, 'nip44Decrypt'>;
  readonly nip04Decrypt: ((sender: string, ciphertext: string) => Promise<string>) | undefined;
  readonly logger: Logger;
}): DecryptRequest {
  const { signer, nip04Decrypt, logger } = options;

  const plaintextOf = async ({ encryption, customer, event }: JobRequest): Promise<string | null> => {
    if (encryption === 'nip44') return signer.nip44Decrypt(customer, event.content);
    if (encryption === 'nip04' && nip04Decrypt) return nip04Decrypt(customer, event.content);
    return null;
  };

  return async (request) => {
    if (request.encryption === null) return { ok: true, request };
    try {
      const plaintext = await plaintextOf(request);
      const opened = plaintext === null ? null : decryptJobRequest(request, plaintext);
      if (opened) return { ok: true, request: opened };
    } catch (error) {
      logger.debug({ err: error, requestId: request.id }, 'Request not decrypted');
    }
    const how = request.encryption === 'nip44' ? 'It cannot be decrypted.' : 'Encrypt with NIP-44.';
    return { ok: false, message: `The request cannot be read. ${how}` };
  };
}
