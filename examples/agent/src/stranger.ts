import { sanitizeRemoteText } from '@bonafide/cli/terminal';
import type { RegistryEntry } from '@bonafide/nip89-discovery';
import { nip19 } from 'nostr-tools';

/** A platform as its card presents it. */
export type Stranger = ReturnType<typeof introduce>;

/** Reads a registry entry; the name is sanitized for prompts and terminals. */
export const introduce = ({ pubkey, d, card, relayHints }: RegistryEntry) => ({
  platform: { pubkey, d },
  npub: nip19.npubEncode(pubkey),
  name: sanitizeRemoteText(card.name ?? pubkey.slice(0, 8), 24),
  relays: relayHints,
  priceMsat: card.pricing?.amountMsat ?? null,
});
