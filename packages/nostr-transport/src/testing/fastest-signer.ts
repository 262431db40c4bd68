import { createKeySigner } from '../signers/key-signer.ts';
import type { SecretKey } from '../signers/secret-key.ts';
import type { Signer } from '../signers/signer.ts';

/** Creates a signer over the fastest library that is installed, for tests and benchmarks that sign much. */
export async function fastestKeySigner(secretKey: SecretKey | Uint8Array | string): Promise<Signer> {
  try {
    return createKeySigner(secretKey, { library: await import('tiny-secp256k1') });
  } catch {
    // Not installed, or WebAssembly does not run here. A wrong key throws again.
    return createKeySigner(secretKey);
  }
}
