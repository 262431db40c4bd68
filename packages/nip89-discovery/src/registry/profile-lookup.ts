import type { RelayReadResult, Transport, Verifier } from '@bonafide/nostr-transport';
import { maxFutureMs } from '../card/assess.ts';
import type { AuthorProfile, RegistryEntry } from './entry.ts';
import { withProfile } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import { profileKind, readProfile } from './profile.ts';

/** Looks up the profiles of keys whose cards have no content (NIP-89). */
export interface ProfileLookup {
  /** Queues a look-up if the card of a platform has no content. */
  request(entry: RegistryEntry): void;
  /** True if a look-up is due. */
  readonly hasRequests: boolean;
  /**
   * Requests the profiles of the next 50 keys that are due, in one query. "No profile" is stored only if every relay answered
   * completely; otherwise the look-up is repeated after a growing delay.
   */
  fetch(signal?: AbortSignal): Promise<void>;
}

/** Number of authors per query, and capacity of the queue. */
const profilesAtOnce = 50;
const maxRequests = 1_000;
/** Delay after a failed look-up, ms; doubles up to {@link longestRetryMs}. */
const firstRetryMs = 30_000;
const longestRetryMs = 6 * 3_600_000;

/** A queued look-up of one key. */
interface Request {
  /** Canonical identifiers of its platforms. */
  readonly identifiers: Set<string>;
  failures: number;
  /** Time from which it is due, ms since epoch. */
  dueAt: number;
}

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
  /** Requests by key, the longest waiting first. */
  const requested = new Map<string, Request>();

  /** Makes room by dropping a look-up that failed before, so that those cannot fill the queue. */
  function makeRoom(): boolean {
    if (requested.size < maxRequests) return true;
    for (const [pubkey, { failures }] of requested) if (failures > 0) return requested.delete(pubkey);
    return false;
  }

  function isDue({ dueAt }: Request): boolean {
    return dueAt <= clock();
  }

  function postpone(pubkey: string, request: Request): void {
    request.failures += 1;
    request.dueAt = clock() + Math.min(longestRetryMs, firstRetryMs * 2 ** (request.failures - 1));
    requested.delete(pubkey);
    requested.set(pubkey, request);
  }

  return {
    get hasRequests() {
      return [...requested.values()].some(isDue);
    },

    request({ pubkey, canonicalD, card, profile }) {
      if (card.fields !== null || card.contentPlain || profile !== null) return;
      const known = requested.get(pubkey);
      if (known !== undefined) known.identifiers.add(canonicalD);
      else if (makeRoom())
        requested.set(pubkey, { identifiers: new Set([canonicalD]), failures: 0, dueAt: clock() });
    },

    async fetch(signal) {
      const now = [...requested].filter(([, request]) => isDue(request)).slice(0, profilesAtOnce);
      if (now.length === 0) return;
      const authors = now.map(([pubkey]) => pubkey);
      const results: RelayReadResult[] = [];
      const events = await transport.query(
        relays,
        [{ kinds: [profileKind], authors, limit: authors.length * 4 }],
        {
          timeoutMs,
          onRelayResult: (result) => results.push(result),
          ...(signal === undefined ? {} : { signal }),
        },
      );
      // A transport that reports no results is taken to answer completely.
      const hasAnswer = results.every(({ status }) => status === 'complete');
      for (const [pubkey, request] of now) {
        const [newest] = events
          .filter((event) => event.pubkey === pubkey && event.created_at * 1_000 <= clock() + maxFutureMs)
          .filter((event) => verifier === null || verifier.verify(event))
          .sort((a, b) => b.created_at - a.created_at);
        if (newest === undefined && !hasAnswer) {
          postpone(pubkey, request);
          continue;
        }
        requested.delete(pubkey);
        const none: AuthorProfile = { ...nothing, eventId: null, createdAt: clock() };
        const profile = newest === undefined ? none : readProfile(newest);
        for (const canonicalD of request.identifiers) {
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
