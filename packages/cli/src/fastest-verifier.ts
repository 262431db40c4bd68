import type { Verifier } from '@bonafide/nostr-transport';

/** Returns the fastest verifier of signatures that runs on this machine. */
export async function fastestVerifier(): Promise<Verifier> {
  const { createTinySecpVerifier, selectVerifier } = await import('@bonafide/nostr-transport');
  return await selectVerifier([async () => createTinySecpVerifier(await import('tiny-secp256k1'))]);
}
