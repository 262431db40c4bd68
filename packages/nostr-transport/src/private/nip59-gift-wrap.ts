import { isBonafideError } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '../event/event.ts';
import { checkEventShape, eventId, isHex64 } from '../event/event-check.ts';
import type { Verifier } from '../event/verifier.ts';
import { createKeySigner } from '../signers/key-signer.ts';
import type { Signer } from '../signers/signer.ts';

/** Kinds of events of NIP-59. */
const sealKind = 13;
export const giftWrapKind = 1_059;

/** Seals and gift wraps are dated back by up to two days (NIP-59), in seconds. */
const maxBackdating = 2 * 24 * 60 * 60;

/** An unsigned event inside a seal (NIP-59). Its author is the author of the seal. */
export interface Rumor extends EventTemplate {
  readonly id: string;
  readonly pubkey: string;
}

/** Creates the unsigned event of NIP-59, with its id. */
export function createRumor(template: EventTemplate, pubkey: string): Rumor {
  const { kind, created_at, tags, content } = template;
  const fields = { pubkey, created_at, kind, tags, content };
  return { ...fields, id: eventId(fields) };
}

/**
 * Seals a rumor for one recipient and wraps the seal with a throwaway key (NIP-59), so that neither author nor date are visible.
 *
 * @param options.nowSeconds - The current time; seal and wrap are dated back from it at random.
 * @param options.random - Returns numbers in [0, 1).
 */
export async function wrapRumor(
  rumor: Rumor,
  recipient: string,
  options: { readonly signer: Signer; readonly nowSeconds: number; readonly random: () => number },
): Promise<NostrEvent> {
  const { signer, nowSeconds, random } = options;
  const backdated = () => nowSeconds - Math.floor(random() * maxBackdating);
  const seal = await signer.signEvent({
    kind: sealKind,
    created_at: backdated(),
    tags: [],
    content: await signer.nip44Encrypt(recipient, JSON.stringify(rumor)),
  });
  const throwaway = createKeySigner(crypto.getRandomValues(new Uint8Array(32)));
  return throwaway.signEvent({
    kind: giftWrapKind,
    created_at: backdated(),
    tags: [['p', recipient]],
    content: await throwaway.nip44Encrypt(recipient, JSON.stringify(seal)),
  });
}

/**
 * Reasons for rejecting a gift wrap.
 *
 * - `undecryptable`: the wrap or the seal is not encrypted for our key.
 * - `seal-invalid`: the wrap holds no correctly signed seal.
 * - `author-mismatch`: the rumor names another author than the seal.
 * - `rumor-invalid`: the seal holds no well-formed event, or one with a wrong id.
 * - `misaddressed`: the rumor names recipients, and our key is not among them.
 */
export type GiftWrapFault =
  | 'undecryptable'
  | 'seal-invalid'
  | 'author-mismatch'
  | 'rumor-invalid'
  | 'misaddressed';

/** The result of opening a gift wrap. */
export type Unwrapped =
  | { readonly ok: true; readonly rumor: Rumor }
  | { readonly ok: false; readonly fault: GiftWrapFault };

/**
 * Opens a gift wrap and checks the seal: its signature, and that its author is the author of the rumor. The wrap's own signature
 * must have been verified before. Rejects only if a remote signer does not answer.
 */
export async function unwrapRumor(
  wrap: NostrEvent,
  options: { readonly signer: Signer; readonly verifier: Verifier },
): Promise<Unwrapped> {
  const { signer, verifier } = options;
  const sealText = await decrypt(signer, wrap.pubkey, wrap.content);
  if (sealText === null) return { ok: false, fault: 'undecryptable' };
  const seal = checkEventShape(parseJson(sealText));
  if (!seal.ok || seal.event.kind !== sealKind || !verifier.verify(seal.event)) {
    return { ok: false, fault: 'seal-invalid' };
  }
  const rumorText = await decrypt(signer, seal.event.pubkey, seal.event.content);
  if (rumorText === null) return { ok: false, fault: 'undecryptable' };
  const rumor = readRumor(parseJson(rumorText));
  if (rumor === null) return { ok: false, fault: 'rumor-invalid' };
  if (rumor.pubkey !== seal.event.pubkey) return { ok: false, fault: 'author-mismatch' };
  const me = await signer.getPublicKey();
  const recipients = recipientsOf(rumor);
  if (recipients.length > 0 && !recipients.includes(me) && rumor.pubkey !== me) {
    return { ok: false, fault: 'misaddressed' };
  }
  return { ok: true, rumor };
}

/** Returns the keys in the `p` tags of an event. */
export function recipientsOf(event: Pick<EventTemplate, 'tags'>): readonly string[] {
  return event.tags.flatMap(([name, value]) => (name === 'p' && isHex64(value) ? [value] : []));
}

/** A rumor has the form of an event without a signature; a signature that is there is ignored. */
function readRumor(value: unknown): Rumor | null {
  if (typeof value !== 'object' || value === null) return null;
  const checked = checkEventShape({ ...value, sig: '0'.repeat(128) });
  if (!checked.ok) return null;
  const { id, pubkey, kind, created_at, tags, content } = checked.event;
  const rumor = { id, pubkey, kind, created_at, tags, content };
  return eventId(rumor) === id ? rumor : null;
}

/** Returns null for text that is not encrypted for our key. Rejects if a remote signer does not answer. */
async function decrypt(signer: Signer, sender: string, ciphertext: string): Promise<string | null> {
  try {
    return await signer.nip44Decrypt(sender, ciphertext);
  } catch (error) {
    if (isBonafideError(error, 'TIMEOUT') || isBonafideError(error, 'CLOSED')) throw error;
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
