import type {
  AddressPolicy,
  NostrEvent,
  RelayReadResult,
  Transport,
  Verifier,
} from '@bonafide/nostr-transport';
import { maxFutureMs } from '../card/assess.ts';
import { readRelayList, readWriteRelays } from '../card/relay-hints.ts';
import type { AuthorRelays } from '../registry/entry.ts';

/** The kind of a relay list (NIP-65). */
const relayListKind = 10_002;
/** Age from which a relay list is looked up again, ms. */
const relayListMaxAgeMs = 6 * 3_600_000;
/** A failure of reaching a platform makes its relay list due again, at most once in this time, ms. */
const failureRefreshMs = 300_000;
/** Delay after a failed look-up, ms; doubles up to {@link relayListMaxAgeMs}. */
const firstRetryMs = 30_000;
const maxRemembered = 10_000;

/** Returns true if a relay list has to be looked up. Pure. */
export function isDue(authorRelays: AuthorRelays | null, now: number): boolean {
  return authorRelays === null || now - authorRelays.checkedAt >= relayListMaxAgeMs;
}

/** Returns the relays of an author after reaching one of them failed: due again, but not at every failure. Pure. */
export function afterFailure(authorRelays: AuthorRelays | null, now: number): AuthorRelays | null {
  if (authorRelays === null || now - authorRelays.checkedAt < failureRefreshMs) return authorRelays;
  return { ...authorRelays, checkedAt: 0 };
}

/** Looks up relay lists (NIP-65). */
export interface RelayListLookup {
  /**
   * Requests the relay lists of authors from relays. Authors whose look-up failed are absent from the result, and are
   * requested again after a growing delay. "No list" is a result only if every relay answered completely, since any relay may
   * hold back what it has. Never rejects because of a relay.
   *
   * @param options.isPartial - True if there are more relays, which do not answer at present.
   */
  lookUp(
    authors: readonly string[],
    relays: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined; readonly isPartial?: boolean },
  ): Promise<ReadonlyMap<string, AuthorRelays>>;
}

/** Creates a look-up with its memory of failures. */
export function createRelayListLookup(options: {
  readonly transport: Pick<Transport, 'query'>;
  readonly addresses: AddressPolicy;
  readonly verifier: Verifier | null;
  readonly timeoutMs: number;
  readonly clock: () => number;
}): RelayListLookup {
  const { transport, addresses, verifier, timeoutMs, clock } = options;
  const failures = new Map<string, { readonly count: number; readonly retryAt: number }>();

  /** Authors without a relay list, by the time of the look-up. */
  const without = new Map<string, number>();

  function noteNone(author: string, now: number): void {
    without.delete(author);
    without.set(author, now);
    const [oldest] = without.keys();
    if (without.size > maxRemembered && oldest !== undefined) without.delete(oldest);
  }

  function noteFailure(author: string): void {
    const count = (failures.get(author)?.count ?? 0) + 1;
    const delay = Math.min(relayListMaxAgeMs, firstRetryMs * 2 ** (count - 1));
    failures.delete(author);
    failures.set(author, { count, retryAt: clock() + delay });
    const [oldest] = failures.keys();
    if (failures.size > maxRemembered && oldest !== undefined) failures.delete(oldest);
  }

  return {
    async lookUp(authors, relays, { signal, isPartial = false } = {}) {
      const now = clock();
      const found = new Map<string, AuthorRelays>();
      for (const author of authors) {
        const checkedAt = without.get(author);
        if (checkedAt === undefined || now - checkedAt >= relayListMaxAgeMs) continue;
        found.set(author, { urls: [], writeUrls: [], createdAt: null, checkedAt });
      }
      const wanted = [...new Set(authors)].filter(
        (author) => !found.has(author) && (failures.get(author)?.retryAt ?? 0) <= now,
      );
      if (wanted.length === 0 || relays.length === 0) return found;
      const results: RelayReadResult[] = [];
      const events = await transport.query(
        relays,
        [{ kinds: [relayListKind], authors: wanted, limit: wanted.length * 4 }],
        {
          timeoutMs,
          graceMs: 1_000,
          onRelayResult: (result) => results.push(result),
          ...(signal === undefined ? {} : { signal }),
        },
      );
      // A transport that reports no results is taken to answer completely.
      const hasAnswer = !isPartial && results.every(({ status }) => status === 'complete');
      for (const author of wanted) {
        const list = newestOf(events, author, verifier, now + maxFutureMs);
        if (list === null && !hasAnswer) {
          noteFailure(author);
          continue;
        }
        failures.delete(author);
        if (list === null) noteNone(author, now);
        else without.delete(author);
        found.set(author, {
          urls: list === null ? [] : readRelayList(list, addresses).accepted,
          writeUrls: list === null ? [] : readWriteRelays(list, addresses).accepted,
          createdAt: list === null ? null : list.created_at * 1_000,
          checkedAt: now,
        });
      }
      return found;
    },
  };
}

function newestOf(
  events: readonly NostrEvent[],
  author: string,
  verifier: Verifier | null,
  latest: number,
): NostrEvent | null {
  return (
    events
      .filter(({ kind, pubkey }) => kind === relayListKind && pubkey === author)
      // A list from the future would win for ever.
      .filter((event) => event.created_at * 1_000 <= latest)
      .filter((event) => verifier === null || verifier.verify(event))
      .reduce<NostrEvent | null>(
        (newest, event) => (newest === null || event.created_at > newest.created_at ? event : newest),
        null,
      )
  );
}

/** Returns the newer of two states of an author's relays. A relay may still have an older list. Pure. */
export function newerRelays(stored: AuthorRelays | null, found: AuthorRelays): AuthorRelays {
  if (stored?.createdAt == null || (found.createdAt ?? 0) >= stored.createdAt) return found;
  return { ...stored, checkedAt: found.checkedAt };
}
