import {
  createNostrWasmVerifier,
  createTinySecpVerifier,
  selectVerifier,
  type Verifier,
} from '../event/verifier.ts';

/** Returns the fastest verifier whose library is installed. */
export function fastestVerifier(): Promise<Verifier> {
  return selectVerifier([
    async () => createTinySecpVerifier(await import('tiny-secp256k1')),
    async () => createNostrWasmVerifier(await import('nostr-wasm')),
  ]);
}
