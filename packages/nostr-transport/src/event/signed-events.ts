import type { NostrEvent } from './event.ts';

/**
 * Events that a signer of this package has made and verified, by object. They are deeply frozen, so that one cannot change
 * afterwards; a copy is another object and is verified like any event.
 */
const signedHere = new WeakSet<object>();

/** Remembers a deeply frozen event whose signature was verified when it was made. */
export function rememberSigned(event: NostrEvent): void {
  signedHere.add(event);
}

/** Returns true for an object that {@link rememberSigned} was called with. */
export function isSignedHere(event: object): boolean {
  return signedHere.has(event);
}
