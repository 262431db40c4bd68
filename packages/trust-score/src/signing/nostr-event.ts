import * as z from 'zod';
import { TrustScoreError } from '../errors.ts';
import { sha256, verifySchnorr } from './schnorr.ts';

/** An unsigned Nostr event (NIP-01). */
export interface EventTemplate {
  readonly kind: number;
  /** Seconds since epoch. */
  readonly created_at: number;
  readonly tags: string[][];
  readonly content: string;
}

/** A signed Nostr event (NIP-01). */
export interface SignedEvent extends EventTemplate {
  /** 64 lower-case hex digits. */
  readonly id: string;
  /** 64 lower-case hex digits. */
  readonly pubkey: string;
  /** 128 lower-case hex digits. */
  readonly sig: string;
}

/** A signer of Nostr events. Every Nostr signer satisfies it, a remote one too; none has to reveal its key. */
export interface EventSigner {
  /** Returns 64 lower-case hex digits. */
  getPublicKey(): Promise<string>;
  signEvent(
    template: EventTemplate,
  ): Promise<{ readonly id: string; readonly pubkey: string; readonly sig: string }>;
}

/** Application-specific data (NIP-78). Addressable: a newer event with the same `d` tag replaces an older one. */
export const applicationDataKind = 30_078;

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`, 'u'));

/** The shape of a signed event. Further members are kept, so that a report's digests cover them. */
export const signedEventSchema = z.looseObject({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int().min(0),
  kind: z.int().min(0),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: hex(128),
});

/** Computes the id of an event (NIP-01), which is what is signed. */
export const eventId = (event: EventTemplate, publicKey: string): string =>
  sha256(JSON.stringify([0, publicKey, event.created_at, event.kind, event.tags, event.content]));

/** Signs a template. Throws `INVALID_INPUT` when the signer signed something other than the template. */
export async function signTemplate(
  template: EventTemplate,
  signer: EventSigner,
  signedBy: string,
): Promise<SignedEvent> {
  const { id, pubkey, sig } = await signer.signEvent(template);
  if (pubkey !== signedBy || id !== eventId(template, signedBy) || !verifySchnorr(sig, id, pubkey)) {
    throw new TrustScoreError('INVALID_INPUT', 'The signer signed something other than it was given.');
  }
  const { kind, created_at, tags, content } = template;
  return { id, pubkey, created_at, kind, tags, content, sig };
}
