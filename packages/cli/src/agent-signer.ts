import type { Signer } from '@bonafide/nostr-transport';
import type { CliIo } from './io.ts';

/** Environment variable with the secret key. */
export const keyVariable = 'BONAFIDE_SECRET_KEY';

/** Options that name the key of the agent. */
export interface KeyOptions {
  readonly keyFile?: string;
}

/** Returns true when the options or the environment name a key. */
export function hasKey(options: KeyOptions, io: CliIo): boolean {
  return options.keyFile !== undefined || (io.env[keyVariable] ?? '') !== '';
}

/** Creates the signer of the agent from its key file or the environment. */
export async function agentSigner({ keyFile }: KeyOptions, io: CliIo): Promise<Signer> {
  const { loadSecretKey } = await import('@bonafide/nostr-transport');
  const secretKey = await loadSecretKey({
    env: keyVariable,
    ...(keyFile === undefined ? {} : { file: keyFile }),
    // A copy: the loader removes the key from it.
    environment: { ...io.env },
  });
  return fastestSigner(secretKey);
}

/** Creates a signer with a key of its own, for commands that need no identity. */
export function throwawaySigner(): Promise<Signer> {
  return fastestSigner(globalThis.crypto.getRandomValues(new Uint8Array(32)));
}

/** libsecp256k1 signs some ten times as fast as JavaScript. */
async function fastestSigner(
  secretKey: Parameters<typeof import('@bonafide/nostr-transport').createKeySigner>[0],
): Promise<Signer> {
  const { createKeySigner } = await import('@bonafide/nostr-transport');
  try {
    return createKeySigner(secretKey, { library: await import('tiny-secp256k1') });
  } catch {
    // WebAssembly does not run here. A wrong key throws again.
    return createKeySigner(secretKey);
  }
}
