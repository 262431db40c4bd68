import type { Transport, Verifier } from '@bonafide/nostr-transport';
import type { AuthorProfile, RegistryEntry } from './entry.ts';
import { withProfile } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import { profileKind, readProfile } from './profile.ts';

/** Looks up the profiles of keys whose cards have no content (NIP-89). */
export interface ProfileLookup {
  /** Queues a look-up if the card of a platform has no content. */
  request(entry: RegistryEntry): void;
  readonly hasRequests: boolean;
  /** Requests the profiles of the next 50 queued keys in one query. */
  fetch(signal?: AbortSignal): Promise<void>;
}

/** Number of authors per query, and capacity of the queue. */
const profilesAtOnce = 50;
const maxRequests = 1_000;

const nothing = { name: null, about: null, picture: null, website: null, lud16: null };

export function createProfileLookup(options: {
  readonly transport: Pick<Transport, 'query'>;
  readonly relays: readonly string[];
  readonly writer: EntryWriter;
  readonly verifier: Verifier | null;
  readonly timeoutMs: number;
  readonly clock: () => number;
}): ProfileLookup {
  const { transport, relays, writer, verifier, timeoutMs, clock } = options;
  /** Canonical identifiers by key. */
  const requested = new Map<string, Set<string>>();

  return {
    get hasRequests() {
      return requested.size > 0;
    },

    request({ pubkey, canonicalD, card, profile }) {
      if (card.fields !== null || card.contentPlain || profile !== null) return;
      if (!requested.has(pubkey) && requested.size >= maxRequests) return;
      requested.set(pubkey, (requested.get(pubkey) ?? new Set()).add(canonicalD));
    },

    async fetch(signal) {
      const now = [...requested].slice(0, profilesAtOnce);
      if (now.length === 0) return;
      const authors = now.map(([pubkey]) => pubkey);
      const events = await transport.query(
        relays,
        [{ kinds: [profileKind], authors, limit: authors.length * 4 }],
        { timeoutMs, ...(signal === undefined ? {} : { signal }) },
      );
      for (const [pubkey, identifiers] of now) {
        requested.delete(pubkey);
        const [newest] = events
          .filter((event) => event.pubkey === pubkey && (verifier === null || verifier.verify(event)))
          .sort((a, b) => b.created_at - a.created_at);
        const none: AuthorProfile = { ...nothing, eventId: null, createdAt: clock() };
        const profile = newest === undefined ? none : readProfile(newest);
        for (const canonicalD of identifiers) {
          await writer.exclusive(() =>
            writer.update<never>(pubkey, canonicalD, (current) =>
              current === null ? null : withProfile(current, profile),
            ),
          );
        }
      }
    },
  };
}
