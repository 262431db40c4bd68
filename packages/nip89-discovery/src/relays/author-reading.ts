import type { Filter, RejectedEvent, RelayReadResult, Transport } from '@bonafide/nostr-transport';
import { cardKind } from '../card/assess.ts';
import { deletionKind } from '../card/deletion.ts';
import type { AuthorRelays, RegistryEntry } from '../registry/entry.ts';
import type { EntryWriter } from '../registry/entry-writer.ts';
import type { IntakeQueue } from '../registry/intake-queue.ts';
import type { StatementIntake } from '../registry/statement-intake.ts';
import type { PlatformStatus } from '../registry/status.ts';
import { type DiscoveryStore, evictionClassOf } from '../registry/store.ts';
import { callStore } from '../registry/store-access.ts';
import { isDue, newerRelays, type RelayListLookup } from './relay-lists.ts';
import { chooseAuthors, chooseWriteRelays } from './write-relay-choice.ts';

/** Number of platforms whose authors are read together. */
const batchSize = 100;
/** Number of write relays per author to read. */
const maxRelaysPerAuthor = 3;
/** Number of authors whose cards are requested from one write relay. */
const maxAuthorsPerRelay = 500;
/** Time to wait for other relays after the first has answered, ms. */
const graceMs = 1_000;
/** Number of requests to one cut relay in one reading, and their time, ms. */
const maxCutRequests = 256;
const maxCutReadingMs = 300_000;
/** Number of authors whose cards are requested from cut relays in one reading. */
const maxCutAuthors = 10_000;
/** Number of write relays whose turn is remembered. */
const maxRememberedRelays = 10_000;
/** Number of deletion requests to read per batch of authors. */
const maxDeletions = 1_000;

const living: readonly PlatformStatus[] = [
  'discovered',
  'candidate',
  'evaluating',
  'partner',
  'rejected',
  'quarantined',
];

/** Reads what authors of known and recommended platforms published elsewhere: newer cards and deletions. */
export interface AuthorReading {
  /**
   * Reads the authors of up to `max` platforms, in a rotation over all of them. Requests their cards from their write relays
   * (NIP-65), and their deletion requests by address, by event id and by author.
   *
   * @throws DiscoveryError `STORE_FAILED`
   */
  read(options: {
    readonly max: number;
    /** Relays of this registry that answer. */
    readonly relays: readonly string[];
    /** Those of them that hold more cards than they send: they are asked for the cards of known authors. */
    readonly cutRelays: readonly string[];
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

/** Creates the reading of authors. */
export function createAuthorReading(options: {
  readonly transport: Pick<Transport, 'query'>;
  readonly store: DiscoveryStore;
  readonly writer: EntryWriter;
  readonly intake: IntakeQueue;
  readonly statements: StatementIntake;
  readonly relayLists: RelayListLookup;
  readonly relays: readonly string[];
  readonly timeoutMs: number;
  /** Number of write relays of authors to read, beside those of this registry. */
  readonly maxWriteRelays: number;
  readonly onRefused: (rejected: RejectedEvent) => void;
  readonly clock: () => number;
}): AuthorReading {
  const {
    transport,
    store,
    writer,
    intake,
    statements,
    relayLists,
    relays,
    timeoutMs,
    maxWriteRelays,
    clock,
  } = options;
  /** Position of the rotation over the registry; `null` for the start. */
  let cursor: string | null = null;
  /** Number of the round, and the round in which each write relay was last read. */
  let round = 0;
  const lastRounds = new Map<string, number>();

  const query = (
    from: readonly string[],
    filters: readonly Filter[],
    signal: AbortSignal | undefined,
    onRelayResult: (result: RelayReadResult) => void = () => {},
  ) =>
    transport.query(from, filters, {
      timeoutMs,
      graceMs,
      onRejected: options.onRefused,
      onRelayResult,
      ...(signal === undefined ? {} : { signal }),
    });

  /** Requests deletions of cards from the relays of this registry. Relays index `k` tags, but requests may lack them. */
  async function readDeletions(
    entries: readonly RegistryEntry[],
    answering: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const authors = [...new Set(entries.map(({ pubkey }) => pubkey))];
    const events = await query(
      answering,
      [
        { kinds: [deletionKind], '#a': entries.map(({ pubkey, d }) => `${cardKind}:${pubkey}:${d}`) },
        { kinds: [deletionKind], '#e': entries.map(({ event }) => event.id) },
        { kinds: [deletionKind], authors, limit: maxDeletions },
      ],
      signal,
    );
    for (const event of events) await writer.exclusive(() => statements.takeDeletion(event));
  }

  /** Looks up the relay lists that are due, and stores them. */
  async function refreshRelayLists(
    entries: readonly RegistryEntry[],
    recommended: readonly string[],
    answering: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, AuthorRelays>> {
    const known = new Map<string, AuthorRelays>();
    for (const { pubkey, authorRelays } of entries) {
      if (authorRelays !== null) known.set(pubkey, authorRelays);
    }
    const due = entries
      .filter(({ authorRelays }) => isDue(authorRelays, clock()))
      .map(({ pubkey }) => pubkey);
    const isPartial = answering.length < relays.length;
    const found = await relayLists.lookUp([...due, ...recommended], answering, { signal, isPartial });
    for (const { pubkey, canonicalD } of entries) {
      const list = found.get(pubkey);
      // That an author has no list is remembered by the look-up.
      if (list === undefined || list.createdAt === null) continue;
      await writer.exclusive(() =>
        writer.update<never>(pubkey, canonicalD, (current) =>
          current === null
            ? null
            : {
                entry: {
                  ...current,
                  authorRelays: newerRelays(current.authorRelays, list),
                  revision: current.revision + 1,
                },
                audit: [],
              },
        ),
      );
    }
    return new Map([...known, ...found]);
  }

  /** Requests cards of authors from some of their write relays, all at the same time. */
  async function readWriteRelays(
    authorsOf: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    round += 1;
    const candidates = [...authorsOf].map(([url, authors]) => ({
      url,
      authors,
      lastRound: lastRounds.get(url) ?? 0,
    }));
    const chosen = chooseWriteRelays(candidates, maxWriteRelays);
    for (const { url } of chosen) {
      lastRounds.delete(url);
      lastRounds.set(url, round);
    }
    for (const url of lastRounds.keys()) {
      if (lastRounds.size <= maxRememberedRelays) break;
      lastRounds.delete(url);
    }
    const read = async (relay: string, authors: readonly string[]): Promise<void> => {
      const filters = [
        { kinds: [cardKind], authors },
        { kinds: [deletionKind], authors, limit: maxDeletions },
      ];
      const events = await query([relay], filters, signal);
      for (const event of events.filter(({ kind }) => kind === deletionKind)) {
        await writer.exclusive(() => statements.takeDeletion(event));
      }
      await intake.takeAll(
        events.filter(({ kind }) => kind === cardKind),
        relay,
      );
    };
    await Promise.all(
      chosen.map((relay) => read(relay.url, chooseAuthors(relay, maxAuthorsPerRelay, round))),
    );
  }

  /**
   * Requests the cards of authors, in their order, from relays that hold more cards than they send: of fewer authors at a time after
   * an answer that is cut, too.
   */
  async function readCutRelays(
    authors: readonly string[],
    cutRelays: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const relay of cutRelays) {
      const waiting = [];
      for (let at = 0; at < authors.length; at += batchSize) waiting.push(authors.slice(at, at + batchSize));
      const deadline = clock() + maxCutReadingMs;
      for (let requests = 0; requests < maxCutRequests && clock() < deadline; requests += 1) {
        const some = waiting.shift();
        if (some === undefined) break;
        signal?.throwIfAborted();
        let isCut = false;
        const events = await query([relay], [{ kinds: [cardKind], authors: some }], signal, ({ status }) => {
          isCut = status === 'cut';
        });
        await intake.takeAll(events, relay);
        const half = Math.ceil(some.length / 2);
        if (isCut && some.length > 1) waiting.unshift(some.slice(0, half), some.slice(half));
      }
    }
  }

  return {
    async read({ max, relays: answering, cutRelays, signal }) {
      if (answering.length === 0) return;
      const authorsOf = new Map<string, Map<string, boolean>>();
      const recommended = statements.takeRecommendedAuthors();
      const isKnown = new Map(recommended);
      const ofEntries = new Set<string>();
      if (max === Number.POSITIVE_INFINITY) cursor = null;
      for (let count = 0; count < max; ) {
        signal?.throwIfAborted();
        const from = cursor === null ? {} : { cursor };
        const page = await callStore(() => store.list({ statuses: living, limit: batchSize, ...from }));
        cursor = page.nextCursor;
        count += page.items.length;
        if (page.items.length > 0) await readDeletions(page.items, answering, signal);
        for (const entry of page.items) {
          // Entries that are never evicted, or last, are those of platforms with a reputation.
          const evicted = evictionClassOf(entry);
          if (entry.status !== 'rejected' && (evicted === null || evicted === 3))
            isKnown.set(entry.pubkey, true);
        }
        for (const { pubkey } of page.items) if (ofEntries.size < maxCutAuthors) ofEntries.add(pubkey);
        const isFirst = count === page.items.length;
        const lists = await refreshRelayLists(
          page.items,
          isFirst ? [...recommended.keys()] : [],
          answering,
          signal,
        );
        for (const [author, { writeUrls }] of lists) {
          const others = writeUrls.filter((url) => !relays.includes(url)).slice(0, maxRelaysPerAuthor);
          for (const url of others) {
            const authors = authorsOf.get(url) ?? new Map<string, boolean>();
            authorsOf.set(url, authors.set(author, isKnown.get(author) ?? false));
          }
        }
        if (cursor === null) break;
      }
      const known = [...isKnown].filter(([, is]) => is).map(([author]) => author);
      // Those with a reputation first, since the number of requests is limited.
      const inOrder = new Set([...known, ...recommended.keys(), ...ofEntries]);
      await readCutRelays([...inOrder].slice(0, maxCutAuthors), cutRelays, signal);
      await readWriteRelays(authorsOf, signal);
    },
  };
}
