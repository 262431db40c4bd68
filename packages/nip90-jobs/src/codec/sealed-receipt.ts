import type { EventTemplate } from '@bonafide/nostr-transport';
import { readEvent } from './event.ts';
import { RECEIPT_KIND } from './kinds.ts';
import { referencedId } from './result.ts';

/** Prefix of the `d` tag of an encrypted receipt: a later one for the same job replaces it on relays. */
const sealedPrefix = 'bonafide.sealed-receipt:';

/** An encrypted receipt on its way from a customer to a provider. */
export interface SealedReceipt {
  /** Public key of the customer, who signed it. */
  readonly customer: string;
  /** Id of the request that the receipt is about. */
  readonly requestId: string;
  /** The receipt as JSON, encrypted for the provider (NIP-44). */
  readonly ciphertext: string;
}

/** Builds the event that carries an encrypted receipt (NIP-78, kind 30078). `createdAt` is ms since epoch. */
export function buildSealedReceipt(spec: {
  readonly requestId: string;
  readonly provider: string;
  readonly ciphertext: string;
  readonly createdAt: number;
}): EventTemplate {
  const { requestId, provider, ciphertext, createdAt } = spec;
  return {
    kind: RECEIPT_KIND,
    created_at: Math.floor(createdAt / 1000),
    tags: [['d', `${sealedPrefix}${requestId}`], ['p', provider], ['e', requestId], ['encrypted']],
    content: ciphertext,
  };
}

/** Parses the event of {@link buildSealedReceipt}; null for any other event. */
export function parseSealedReceipt(event: unknown): SealedReceipt | null {
  const read = readEvent(event);
  if (!read.ok || read.event.kind !== RECEIPT_KIND) return null;
  const { pubkey: customer, tags, content: ciphertext } = read.event;
  const requestId = referencedId(tags);
  const name = tags.find(([first]) => first === 'd')?.[1];
  return requestId !== null && name === `${sealedPrefix}${requestId}`
    ? { customer, requestId, ciphertext }
    : null;
}
