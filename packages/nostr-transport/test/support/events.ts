import type { EventTemplate, NostrEvent } from '../../src/event/event.ts';
import { createKeySigner } from '../../src/signers/key-signer.ts';

/** Seconds since epoch, as on the wire. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A signer whose key is made of one repeated byte, 1 to 254: the same in every run. */
export function signerOf(byte: number) {
  return createKeySigner(new Uint8Array(32).fill(byte));
}

let serial = 0;

/** A genuine event that differs from all others of this process. */
export async function makeEvent(fields: Partial<EventTemplate> = {}, byte = 7): Promise<NostrEvent> {
  serial += 1;
  return signerOf(byte).signEvent({
    kind: 1,
    created_at: nowSeconds(),
    tags: [],
    content: `event ${serial}`,
    ...fields,
  });
}

/** Under a genuine id: other words, same signature. */
export function tampered(event: NostrEvent): NostrEvent {
  return { ...event, content: `${event.content}, forged` };
}

/** The fields of a genuine event under a signature that is not the author's. */
export function missigned(event: NostrEvent): NostrEvent {
  return { ...event, sig: `${event.sig.slice(0, -1)}${event.sig.endsWith('0') ? '1' : '0'}` };
}
