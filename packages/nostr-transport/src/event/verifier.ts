import { type Check, hexToBytes, isPort } from '@bonafide/internal';
import { verifyEvent } from 'nostr-tools/pure';
import { requireConfig } from '../valid.ts';
import type { NostrEvent } from './event.ts';
import { checkEventShape, eventId } from './event-check.ts';

/** Libraries that can verify a signature, by package name. */
export type VerifierName = 'nostr-tools' | 'nostr-wasm' | 'tiny-secp256k1';

/**
 * Verifies events. All implementations accept and reject the same events and differ in speed only. `verify`
 * never throws and keeps no state: it reads the seven fields each time, so a modified copy of a verified
 * event is rejected.
 */
export interface Verifier {
  readonly name: VerifierName | (string & {});
  /**
   * Returns true if the form follows NIP-01, the id is the hash of the fields, and the signature is the
   * author's.
   */
  verify(event: unknown): boolean;
  /**
   * Verifies the events of messages that a relay sent (`["EVENT", …]`) in another thread. Returns whether the signature is valid, by
   * id and signature (`id + sig`) of those events whose id is the hash of their fields. Events that are absent are verified when they are handled.
   * Never rejects.
   */
  verifyAhead?(messages: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
}

/**
 * Verifies one signature over one id. The caller has checked that all three are lower-case hex of the right
 * length.
 */
type SignatureCheck = (event: NostrEvent) => boolean;

/**
 * Signature checks of our verifiers, keyed by object, so that a wrapper around one of them is not bypassed.
 */
const bareChecks = new WeakMap<Verifier, SignatureCheck>();

/**
 * Verifies the signature of an event that {@link checkEventShape} has rebuilt and whose id the caller has
 * just recomputed. Neither check is repeated for verifiers of this package.
 */
export function signatureIsValid(verifier: Verifier, event: NostrEvent): boolean {
  const check = bareChecks.get(verifier);
  if (check === undefined) return verifier.verify(event);
  try {
    return check(event);
  } catch {
    return false; // The libraries throw on a point that is not on the curve.
  }
}

/** Lets `wrapper` use the signature check of `verifier`, of which it is a copy with more methods. */
export function shareSignatureCheck(verifier: Verifier, wrapper: Verifier): void {
  const check = bareChecks.get(verifier);
  if (check !== undefined) bareChecks.set(wrapper, check);
}

// The form and the id are checked here, once for all, so that the implementations cannot differ in them.
function verifierFrom(name: VerifierName, check: SignatureCheck): Verifier {
  const verifier: Verifier = {
    name,
    verify(value) {
      const checked = checkEventShape(value, noCaps);
      if (!checked.ok || eventId(checked.event) !== checked.event.id) return false;
      return signatureIsValid(verifier, checked.event);
    },
  };
  bareChecks.set(verifier, check);
  return verifier;
}

const noCaps = { maxEventChars: Number.POSITIVE_INFINITY, maxTags: Number.POSITIVE_INFINITY };

/**
 * Creates a verifier over nostr-tools in pure JavaScript: no extra dependency, about 600 events per second on
 * one core. This is the default.
 */
export function createPureVerifier(): Verifier {
  // The event was rebuilt from its fields, so it carries none of nostr-tools' marks; the copy keeps ours frozen.
  return verifierFrom('nostr-tools', (event) => verifyEvent({ ...event, tags: event.tags as string[][] }));
}

/** The part of the package `nostr-wasm` that is used. */
export interface NostrWasmLibrary {
  initNostrWasm(): Promise<{ verifyEvent(event: NostrWasmEvent): void }>;
}

/** An event in the mutable form that `nostr-wasm` requires. */
export interface NostrWasmEvent {
  id: string;
  pubkey: string;
  created_at: number;
  kind: number;
  tags: string[][];
  content: string;
  sig: string;
}

/** The part of the package `tiny-secp256k1` that is used. */
export interface TinySecpLibrary {
  verifySchnorr(message: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * Creates a verifier over libsecp256k1 compiled to WebAssembly by `nostr-wasm`: about five times as fast as
 * {@link createPureVerifier}.
 *
 * @example
 * const verifier = await createNostrWasmVerifier(await import('nostr-wasm'));
 */
export async function createNostrWasmVerifier(library: NostrWasmLibrary): Promise<Verifier> {
  requireConfig(library, isPort('initNostrWasm'), 'library');
  const wasm = await library.initNostrWasm();
  return verifierFrom('nostr-wasm', (event) => {
    wasm.verifyEvent({ ...event, tags: event.tags as string[][] });
    return true;
  });
}

/**
 * Creates a verifier over libsecp256k1 compiled to WebAssembly by `tiny-secp256k1`: about seven times as fast as
 * {@link createPureVerifier}.
 *
 * @example
 * const verifier = createTinySecpVerifier(await import('tiny-secp256k1'));
 */
export function createTinySecpVerifier(library: TinySecpLibrary): Verifier {
  const { verifySchnorr } = requireConfig(library, isPort('verifySchnorr'), 'library');
  return verifierFrom('tiny-secp256k1', ({ id, pubkey, sig }) =>
    verifySchnorr(hexToBytes(id), hexToBytes(pubkey), hexToBytes(sig)),
  );
}

const isCandidates: Check = (value, path) =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
    ? []
    : [`${path}: must be a list of functions`];

/**
 * Returns the first candidate that can be created here and passes a self-test, for `createTransport({ verifier })`;
 * {@link createPureVerifier} when none does. The libraries are imported by the caller, so that bundlers see only those
 * that are used.
 *
 * @param candidates - Functions that create a verifier, in the order of preference. One that throws is passed over: its
 *   library is not installed, or WebAssembly does not run on this machine.
 * @example
 * const verifier = await selectVerifier([
 *   async () => createTinySecpVerifier(await import('tiny-secp256k1')),
 *   async () => createNostrWasmVerifier(await import('nostr-wasm')),
 * ]);
 */
export async function selectVerifier(
  candidates: Iterable<() => Verifier | Promise<Verifier>>,
): Promise<Verifier> {
  requireConfig(candidates, isCandidates, 'candidates');
  for (const create of candidates) {
    try {
      const verifier = await create();
      if (passesSelfTest(verifier)) return verifier;
    } catch {
      // The next one.
    }
  }
  return createPureVerifier();
}

/** Returns true if `verifier` accepts a genuine event and rejects the same event with a changed signature. */
export function passesSelfTest(verifier: Verifier): boolean {
  const forged = { ...genuine, sig: `${genuine.sig.slice(0, -1)}${genuine.sig.endsWith('0') ? '1' : '0'}` };
  return verifier.verify(genuine) && !verifier.verify(forged);
}

const genuine: NostrEvent = {
  id: '837b081f0a60a45874a3a27944d3cfe1050dc38a352f8e0c7944c0b87689b1f1',
  pubkey: '989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6f',
  created_at: 1_700_000_000,
  kind: 1,
  tags: [],
  content: 'bonafide',
  sig: '2513ec0cc6bd3a1d6109951384a3cba167a6c1f15c15220112bd478ad89749083f1a504cc6dde81f2df7eaf478bed2b65b29756830dac4e5811f7bb3b73d0d5b',
};
