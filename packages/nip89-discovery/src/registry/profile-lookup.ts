import type { Transport, Verifier } from '@bonafide/nostr-transport';
import type { AuthorProfile, RegistryEntry } from './entry.ts';
import type { EntryWriter } from './entry-writer.ts';
import { profileKind, readProfile } from './profile.ts';

/** Looks up the profiles of keys whose cards say nothing (NIP-89). */
export interface ProfileLookup {
  /** Notes that a platform is spoken for by the profile of its key, if it is. */
  want(entry: RegistryEntry): void;
  readonly isWanting: boolean;
  /** Asks for some that are wanted: of many keys in one question. */
  fill(signal?: AbortSignal): Promise<void>;
}

/** Authors whose profiles are asked for at once, and how many may wait. */
const profilesAtOnce = 50;
const maxProfilesWanted = 1_000;

const nothing = { name: null, about: null, picture: null, website: null, lud16: null };

export function createProfileLookup(options: {
  readonly transport: Pick<Transport, 'query'>;
  readonly relays: readonly string[];
  readonly register: EntryWriter;
  readonly verifier: Verifier | null;
  readonly timeoutMs: number;
  readonly clock: () => number;
}): ProfileLookup {
  const { transport, relays, register, verifier, timeoutMs, clock } = options;
  /** Canonical identifiers by key. */
  const wanted = new Map<string, Set<string>>();

  return {
    get isWanting() {
      return wanted.size > 0;
    },

    want({ pubkey, canonicalD, card, profile }) {
      if (card.fields !== null || card.contentPlain || profile !== null) return;
      if (!wanted.has(pubkey) && wanted.size >= maxProfilesWanted) return;
      wanted.set(pubkey, (wanted.get(pubkey) ?? new Set()).add(canonicalD));
    },

    async fill(signal) {
      const now = [...wanted].slice(0, profilesAtOnce);
      if (now.length === 0) return;
      const authors = now.map(([pubkey]) => pubkey);
      const events = await transport.query(
        relays,
        [{ kinds: [profileKind], authors, limit: authors.length * 4 }],
        { timeoutMs, ...(signal === undefined ? {} : { signal }) },
      );
      for (const [pubkey, identifiers] of now) {
        wanted.delete(pubkey);
        const [newest] = events
          .filter((event) => event.pubkey === pubkey && (verifier === null || verifier.verify(event)))
          .sort((a, b) => b.created_at - a.created_at);
        const none: AuthorProfile = { ...nothing, eventId: null, createdAt: clock() };
        const profile = newest === undefined ? none : readProfile(newest);
        for (const canonicalD of identifiers) {
          await register.inTurn(() =>
            register.change<never>(pubkey, canonicalD, (current) =>
              current === null
                ? null
                : { entry: { ...current, profile, revision: current.revision + 1 }, audit: [] },
            ),
          );
        }
      }
    },
  };
}
