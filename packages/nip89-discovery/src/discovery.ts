import { createEmitter, type Logger, silentLogger, type Unsubscribe } from '@bonafide/internal';
import {
  type AddressPolicy,
  type Filter,
  filterKey,
  type NostrEvent,
  normalizeRelayUrl,
  type Signer,
  type Subscription,
  type Transport,
  type Verifier,
  type Watermarks,
} from '@bonafide/nostr-transport';
import { decode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { assessCardEvent, cardKind, identifierOf, isStale, maxFutureMs } from './assess.ts';
import { type CardSpec, type PublishedCard, publishCard } from './build.ts';
import { readCard } from './card.ts';
import { type DiscoveryConfig, type DiscoveryConfigInput, resolveConfig } from './config.ts';
import type { JsonValue } from './content.ts';
import { deletionKind, readDeletion } from './deletion.ts';
import { type AuditRow, type RegistryEntry, withExperience } from './entry.ts';
import { DiscoveryError } from './errors.ts';
import { canonicalIdentifier } from './identity.ts';
import { type CapabilityMatch, matchCapability, termsFor } from './match.ts';
import { type RankedRelay, rankRelays } from './rank-relays.ts';
import { arrive, type EntryChange, moveEntry, seenAgain, trustEntry, withdrawnBy } from './registry.ts';
import { createTally, type RejectedCard, type RelayStats, type Tally } from './rejections.ts';
import { readRelayList } from './relay-hints.ts';
import type { PlatformStatus, StatusCause } from './status.ts';
import type { DiscoveryStore, EntryQuery, Page } from './store.ts';

/** What a registry is made of. */
export interface DiscoveryOptions {
  /** Delivers **verified** events, as nostr-transport does. It is not closed by the registry. */
  readonly transport: Pick<Transport, 'subscribe' | 'query' | 'publish'>;
  /** Where entries are kept. It is not closed by the registry. */
  readonly store: DiscoveryStore;
  /** The relays to read. */
  readonly relays: readonly string[];
  /** Verifies every event once more, for a transport that is not to be relied on. @default null */
  readonly verifier?: Verifier | null;
  /** Now, in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  readonly config?: DiscoveryConfigInput;
  readonly logger?: Logger;
}

/** What to look for: a capability, a kind, or both. */
export interface FindQuery {
  /** A label such as `benchmark-task`. */
  readonly capability?: string;
  /** A job kind such as 5000. */
  readonly kind?: number;
  /** Least confidence, 0..1. @default 0.5, which takes in what is inferred */
  readonly minConfidence?: number;
  /** @default those that may be worked with: discovered, candidate, evaluating, partner */
  readonly statuses?: readonly PlatformStatus[];
}

/** A platform that offers what was asked for. */
export interface Found {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch;
}

/** Iterate over it, or take it whole. */
export interface FindResult extends AsyncIterable<Found> {
  /** All of them: the surest match first, then the most trusted. */
  toArray(): Promise<Found[]>;
}

/** What came of a `sync`. */
export interface SyncResult {
  /** Events that the relays had. */
  readonly received: number;
  /** Platforms that were new or had a newer card. */
  readonly taken: number;
}

/** What a registry emits, once the change is durable. */
export interface DiscoveryEvents {
  discovered: { readonly entry: RegistryEntry };
  updated: { readonly entry: RegistryEntry; readonly before: RegistryEntry };
  status: { readonly entry: RegistryEntry; readonly before: PlatformStatus };
  stale: { readonly entry: RegistryEntry };
  archived: { readonly entry: RegistryEntry };
  rejected: RejectedCard;
}

/**
 * Finds platforms by their capability cards and keeps a registry of them (DIS-11, DIS-14). Keys are accepted as hex or npub, and
 * identifiers in any spelling. Methods reject with `STORE_FAILED` when the store does, with `CLOSED` after `close()`.
 */
export interface Discovery {
  /** Reads cards, live and from where it stopped, until `stop()`. Calling it twice does nothing. */
  start(): Promise<void>;
  /** Stops reading and finishes what was begun; `start()` goes on from there. */
  stop(): Promise<void>;
  /** Reads all cards that the relays have, however old (DIS-2). */
  sync(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<SyncResult>;
  /** Platforms that offer something, each with how well it matches (DIS-10). */
  find(query: FindQuery): FindResult;
  get(pubkey: string, d: string): Promise<RegistryEntry | null>;
  /** Entries of any status, page by page (at most 200). */
  entries(query?: Partial<Omit<EntryQuery, 'terms'>>): Promise<Page<RegistryEntry>>;
  /** What happened to a platform, newest first (DIS-12). */
  history(
    pubkey: string,
    d: string,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /** Moves a platform along its life cycle. @throws DiscoveryError `UNKNOWN_PLATFORM`, `TRANSITION_REFUSED` */
  transition(
    pubkey: string,
    d: string,
    to: 'evaluating' | 'partner' | 'rejected' | 'unresponsive',
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
  /** Sets the display copy of the matrix's trust, 0..1; `null` removes it. @throws DiscoveryError `UNKNOWN_PLATFORM` */
  setTrust(
    pubkey: string,
    d: string,
    trustScore: number | null,
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
  /** The relays over which to reach a platform, best first; looks up the author's relay list once (DIS-9). Connect to few of them at once. */
  relaysFor(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly RankedRelay[]>;
  /** Notes how reaching a platform over a relay went, for `relaysFor`. */
  recordRelayResult(
    pubkey: string,
    d: string,
    relay: string,
    result: { readonly ok: boolean; readonly latencyMs?: number | null },
  ): Promise<void>;
  /** Publishes a card to this registry's relays: for platforms. */
  publishCard(
    spec: CardSpec,
    signer: Signer,
    options?: { readonly signal?: AbortSignal },
  ): Promise<PublishedCard>;
  /** What each relay gave us since this object was made. */
  relayStats(): RelayStats[];
  /** What was not taken and why; the last of them in detail. */
  rejections(): ReturnType<Tally['rejections']>;
  on<Name extends keyof DiscoveryEvents & string>(
    name: Name,
    listener: (event: DiscoveryEvents[Name]) => unknown,
  ): Unsubscribe;
  readonly config: DiscoveryConfig;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const open: readonly PlatformStatus[] = ['discovered', 'candidate', 'evaluating', 'partner'];
const living: readonly PlatformStatus[] = [...open, 'rejected', 'quarantined'];
const pageSize = 200;
const maxTombstones = 10_000;
const relayListKind = 10_002;
/** How often a change is tried again when another process was quicker. */
const maxConflicts = 50;

/**
 * A registry over a transport and a store.
 *
 * @throws DiscoveryError `INVALID_CONFIG`
 */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { transport, store, clock = Date.now, logger = silentLogger, verifier = null } = options;
  const config = resolveConfig(options.config);
  const relays = options.relays.map(asRelay);
  const { wanted, synonyms, allowLoopback, allowHosts } = config;
  const addresses: AddressPolicy = { allowLoopback, allowHosts };
  const emitter = createEmitter<DiscoveryEvents>({ logger });
  const tally = createTally(config.rememberedRejections);
  /** Withdrawn before we saw the card: relays send what is newest first. */
  const tombstones = new Map<string, number>();
  /** Relays from which something was lost: how far they were read is no longer known. */
  const gaps = new Set<string>();

  const filters: readonly Filter[] = [
    { kinds: [cardKind], limit: 1_000 },
    { kinds: [deletionKind], '#k': [String(cardKind)], limit: 1_000 },
  ];

  let subscriptions: Subscription[] = [];
  let running: { readonly started: Promise<void>; readonly stopping: AbortController } | null = null;
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;
  let tail: Promise<unknown> = Promise.resolve();
  let pending = 0;

  const assertOpen = () => {
    if (isClosed) throw new DiscoveryError('CLOSED', 'This registry was closed');
  };

  /** One change at a time, in the order in which they came. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = tail.then(work);
    tail = turn.catch(() => {});
    return turn;
  }

  async function asking<Result>(question: () => Promise<Result>): Promise<Result> {
    try {
      return await question();
    } catch (cause) {
      throw new DiscoveryError('STORE_FAILED', 'The discovery store failed', { cause });
    }
  }

  /** Reads, changes and writes one entry; again, when another process wrote in between. */
  async function change<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
  ): Promise<{ readonly before: RegistryEntry | null; readonly after: RegistryEntry | null } | Refusal> {
    for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
      const before = await asking(() => store.get(pubkey, canonicalD));
      const changed = step(before);
      if (changed === null) return { before, after: before };
      if (!('entry' in changed)) return changed;
      if (await asking(() => store.put(changed.entry, changed.audit))) {
        announce(before, changed.entry);
        return { before, after: changed.entry };
      }
    }
    throw new DiscoveryError('STORE_FAILED', 'The entry is changed by others all the time');
  }

  function announce(before: RegistryEntry | null, entry: RegistryEntry): void {
    if (before === null) emitter.emit('discovered', { entry });
    else if (before.event.id !== entry.event.id) emitter.emit('updated', { entry, before });
    if (before !== null && before.status !== entry.status) {
      emitter.emit('status', { entry, before: before.status });
    }
    if (entry.status === before?.status) return;
    if (entry.status === 'archived') emitter.emit('archived', { entry });
    else if (entry.status === 'quarantined' && entry.quarantinedUntilAt === null)
      emitter.emit('stale', { entry });
  }

  function turnAway(rejected: Omit<RejectedCard, 'at'>): void {
    const full = { ...rejected, at: clock() };
    tally.reject(full);
    logger.debug(full, 'Card rejected');
    emitter.emit('rejected', full);
  }

  async function takeCard(event: NostrEvent, relay: string): Promise<boolean> {
    const now = clock();
    const { id: eventId, pubkey } = event;
    const d = identifierOf(event);
    const canonicalD = canonicalIdentifier(d ?? '');
    type Refused = { readonly refused: Pick<RejectedCard, 'reason' | 'message'> };
    const result = await change<Refused>(pubkey, canonicalD, (current) => {
      if (current?.event.id === eventId) return seenAgain(current, relay, now);
      const assessed = assessCardEvent(event, { now, current: current?.event ?? null, verifier });
      if (!assessed.ok) return { refused: assessed };
      const read = readCard(assessed.event, addresses);
      if (!read.ok) return { refused: read };
      const buried = [`${pubkey}${canonicalD}`, eventId].map((key) => tombstones.get(key) ?? 0);
      const reason = withdrawnBy(current, Math.max(...buried), read.card.createdAt);
      if (reason !== null) return { refused: { reason, message: 'The platform withdrew this card.' } };
      const context = { relay, now, stale: assessed.stale, wanted, synonyms, addresses };
      return arrive(current, read.card, assessed.event, context);
    });
    if ('refused' in result) {
      const { reason, message } = result.refused;
      turnAway({ reason, message, eventId, pubkey, relay });
      return false;
    }
    return result.after !== null && result.after.event.id !== result.before?.event.id;
  }

  async function takeDeletion(event: NostrEvent): Promise<void> {
    const deletion = readDeletion(event);
    const now = clock();
    if (deletion === null || deletion.at > now + maxFutureMs) return;
    if (verifier !== null && !verifier.verify(event)) return;
    const { pubkey, at } = deletion;
    const archive = (canonicalD: string, upTo: (current: RegistryEntry) => number | null) =>
      change<{ readonly refused: string }>(pubkey, canonicalD, (current) => {
        const deletedAt = current === null ? null : upTo(current);
        if (current === null || deletedAt === null) return null;
        return moveEntry(current, { type: 'deleted' }, { now, eventId: event.id, deletedAt });
      });
    for (const canonicalD of deletion.identifiers) {
      bury(`${pubkey}${canonicalD}`, at);
      await archive(canonicalD, ({ card }) => (card.createdAt <= at ? at : null));
    }
    if (deletion.eventIds.length === 0) return;
    for (const eventId of deletion.eventIds) bury(eventId, at);
    for await (const { canonicalD } of all({ pubkey })) {
      // A single event is withdrawn, not the platform: its next card is welcome.
      await archive(canonicalD, ({ card }) =>
        deletion.eventIds.includes(card.eventId) ? card.createdAt : null,
      );
    }
  }

  function bury(key: string, at: number): void {
    const before = tombstones.get(key) ?? 0;
    tombstones.delete(key);
    tombstones.set(key, Math.max(before, at));
    const [oldest] = tombstones.keys();
    if (tombstones.size > maxTombstones && oldest !== undefined) tombstones.delete(oldest);
  }

  async function take(event: NostrEvent, relay: string): Promise<boolean> {
    const counters = tally.of(relay);
    counters.received += 1;
    counters.lastEventAt = clock();
    if (event.kind === deletionKind) {
      await takeDeletion(event);
      return false;
    }
    const taken = await takeCard(event, relay);
    if (taken) counters.taken += 1;
    return taken;
  }

  /** What a subscription delivers: there is nobody to tell of a failure but the log. */
  function receive(event: NostrEvent, relay: string): void {
    if (pending >= config.maxPending) {
      if (!gaps.has(relay)) logger.warn({ relay }, 'Events come faster than they can be taken in');
      gaps.add(relay);
      tally.of(relay).dropped += 1;
      return;
    }
    pending += 1;
    void inTurn(() => take(event, relay))
      .catch((error) => {
        gaps.add(relay);
        logger.error({ err: error, relay, eventId: event.id }, 'An event could not be taken in');
      })
      .finally(() => {
        pending -= 1;
      });
  }

  /** Relays and filters that are read for the first time, which is bounded. */
  const firstLooks = new Set<string>();

  const watermarks: Watermarks = {
    async get(relay, key) {
      if (firstLooks.has(`${relay} ${key}`)) return undefined;
      return (await store.getWatermark(relay, key)) ?? undefined;
    },
    // Behind the events that came before it: what was read counts once it is kept.
    set: (relay, key, seconds) =>
      inTurn(async () => {
        if (!gaps.has(relay)) await store.setWatermark(relay, key, seconds);
      }),
  };

  /** Bounds a first look, and remembers where it began: if it is cut short, the next start goes on from there. */
  async function bound(relay: string, filter: Filter): Promise<Filter> {
    const key = filterKey(filter);
    if ((await asking(() => store.getWatermark(relay, key))) !== null) {
      firstLooks.delete(`${relay} ${key}`);
      // However long ago: what happened meanwhile is all to be read.
      return filter;
    }
    const since = Math.max(0, Math.floor((clock() - config.lookbackMs) / 1_000));
    await asking(() => store.setWatermark(relay, key, since));
    firstLooks.add(`${relay} ${key}`);
    return { ...filter, since };
  }

  async function subscribe(relay: string): Promise<Subscription> {
    const bounded = await Promise.all(filters.map((filter) => bound(relay, filter)));
    return transport.subscribe([relay], bounded, {
      onEvent: receive,
      onClosed: (closed, reason) => logger.warn({ relay: closed, reason }, 'A relay ended the subscription'),
      watermarks,
    });
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const now = clock();
    for await (const { pubkey, canonicalD } of all({ statuses: living })) {
      if (signal.aborted) return;
      await inTurn(() =>
        change<{ readonly refused: string }>(pubkey, canonicalD, (current) => {
          if (current === null) return null;
          const cause: StatusCause = isStale(current.card.createdAt, now)
            ? { type: 'stale' }
            : { type: 'rested' };
          return moveEntry(current, cause, { now });
        }),
      );
    }
  }

  async function* all(query: Partial<EntryQuery>): AsyncGenerator<RegistryEntry> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const next = cursor;
      const page = await asking(() =>
        store.find({ limit: pageSize, ...query, ...(next === undefined ? {} : { cursor: next }) }),
      );
      yield* page.items;
      cursor = page.nextCursor;
    }
  }

  async function begin(signal: AbortSignal): Promise<void> {
    await sweep(signal);
    subscriptions = await Promise.all(relays.map(subscribe));
    const timer = setInterval(() => {
      sweeping = sweep(signal).catch((error) =>
        logger.error({ err: error }, 'Stale cards could not be looked for'),
      );
    }, config.sweepMs);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  async function stop(): Promise<void> {
    const begun = running;
    running = null;
    // What failed to start has told whoever started it.
    await begun?.started.catch(() => {});
    begun?.stopping.abort();
    for (const subscription of subscriptions) subscription.close();
    subscriptions = [];
    await sweeping;
    await tail;
  }

  async function changeKnown(
    pubkey: string,
    d: string,
    step: (current: RegistryEntry) => ReturnType<typeof moveEntry>,
  ): Promise<RegistryEntry> {
    assertOpen();
    const key = asPubkey(pubkey);
    const result = await inTurn(() =>
      change<{ readonly refused: string } | { readonly unknown: true }>(
        key,
        canonicalIdentifier(d),
        (current) => (current === null ? { unknown: true as const } : step(current)),
      ),
    );
    if ('refused' in result) throw new DiscoveryError('TRANSITION_REFUSED', `${result.refused}.`);
    if ('unknown' in result || result.after === null) {
      throw new DiscoveryError(
        'UNKNOWN_PLATFORM',
        `There is no card '${d}' of ${key}: find or sync it first.`,
      );
    }
    return result.after;
  }

  async function* found({
    capability,
    kind,
    minConfidence = 0.5,
    statuses = open,
  }: FindQuery): AsyncGenerator<Found> {
    assertOpen();
    const wants = [capability, kind].filter((want) => want !== undefined);
    if (wants.length === 0) throw new DiscoveryError('INVALID_INPUT', 'find: name a capability or a kind');
    const [rarest = ''] = wants;
    for await (const entry of all({ terms: termsFor(rarest, synonyms), statuses })) {
      // Between two sweeps a card may have become stale.
      if (statuses === open && isStale(entry.card.createdAt, clock())) continue;
      const matches = wants.map((want) => matchCapability(entry.card, want, synonyms));
      const weakest = matches.reduce((least, match) => (match.confidence < least.confidence ? match : least));
      if (weakest.match !== 'none' && weakest.confidence >= minConfidence) yield { entry, match: weakest };
    }
  }

  const trustSchema = z.number().min(0).max(1).nullable();
  const evidenceSchema = z.json();

  function evidenceOf(evidence: unknown): JsonValue {
    const parsed = evidenceSchema.safeParse(evidence ?? null);
    if (parsed.success) return parsed.data;
    throw new DiscoveryError('INVALID_INPUT', 'Evidence must be JSON', { cause: parsed.error });
  }

  async function close(): Promise<void> {
    isClosed = true;
    await stop();
    emitter.clear();
  }

  return {
    config,

    async start() {
      assertOpen();
      if (running === null) {
        const stopping = new AbortController();
        running = { started: begin(stopping.signal), stopping };
      }
      await running.started;
    },

    stop,

    async sync({ signal, timeoutMs = config.queryTimeoutMs } = {}) {
      assertOpen();
      // One relay after the other, so that every sighting is known and one answer at a time is held.
      let received = 0;
      let taken = 0;
      for (const relay of relays) {
        const events = await transport.query([relay], filters.map(withoutLimit), {
          timeoutMs,
          ...(signal === undefined ? {} : { signal }),
        });
        received += events.length;
        for (const event of events) if (await inTurn(() => take(event, relay))) taken += 1;
      }
      return { received, taken };
    },

    find(query) {
      return {
        [Symbol.asyncIterator]: () => found(query),
        async toArray() {
          const list: Found[] = [];
          for await (const one of found(query)) list.push(one);
          return list.sort(
            (a, b) =>
              b.match.confidence - a.match.confidence ||
              (b.entry.trustScore ?? 0) - (a.entry.trustScore ?? 0),
          );
        },
      };
    },

    async get(pubkey, d) {
      assertOpen();
      const key = asPubkey(pubkey);
      return asking(() => store.get(key, canonicalIdentifier(d)));
    },

    async entries({ limit = 50, ...query } = {}) {
      assertOpen();
      const { pubkey, ...rest } = query;
      const whose = pubkey === undefined ? {} : { pubkey: asPubkey(pubkey) };
      return asking(() => store.find({ ...rest, ...whose, limit: Math.min(Math.max(1, limit), pageSize) }));
    },

    async history(pubkey, d, { limit = 50, cursor } = {}) {
      assertOpen();
      const key = asPubkey(pubkey);
      const page = {
        limit: Math.min(Math.max(1, limit), pageSize),
        ...(cursor === undefined ? {} : { cursor }),
      };
      return asking(() => store.history(key, canonicalIdentifier(d), page));
    },

    async transition(pubkey, d, to, evidence) {
      const given = evidenceOf(evidence);
      return changeKnown(pubkey, d, (current) =>
        moveEntry(current, { type: to }, { now: clock(), evidence: given }),
      );
    },

    async setTrust(pubkey, d, trustScore, evidence) {
      if (!trustSchema.safeParse(trustScore).success) {
        throw new DiscoveryError('INVALID_INPUT', `A trustScore is 0 to 1 or null, not ${trustScore}`);
      }
      const given = evidenceOf(evidence);
      return changeKnown(pubkey, d, (current) =>
        trustEntry(current, trustScore, { now: clock(), evidence: given }),
      );
    },

    async relaysFor(pubkey, d, { signal } = {}) {
      const entry = await changeKnown(pubkey, d, () => null);
      if (entry.authorRelays !== null) return rankRelays(entry, relays);
      const asked = [...new Set([...relays, ...entry.sightings.map(({ relay }) => relay)])];
      const [list] = await transport.query(
        asked,
        [{ kinds: [relayListKind], authors: [entry.pubkey], limit: 1 }],
        {
          timeoutMs: config.queryTimeoutMs,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      const authorRelays = {
        urls: list === undefined ? [] : readRelayList(list, addresses).accepted,
        createdAt: list === undefined ? null : list.created_at * 1_000,
      };
      const updated = await changeKnown(pubkey, d, (current) => ({
        entry: { ...current, authorRelays, revision: current.revision + 1 },
        audit: [],
      }));
      return rankRelays(updated, relays);
    },

    async recordRelayResult(pubkey, d, relay, result) {
      const url = asRelay(relay);
      await changeKnown(pubkey, d, (current) => ({
        entry: {
          ...current,
          experience: withExperience(current.experience, url, result),
          revision: current.revision + 1,
        },
        audit: [],
      }));
    },

    publishCard(spec, signer, { signal } = {}) {
      return publishCard(spec, signer, { transport, relays, ...(signal === undefined ? {} : { signal }) });
    },

    relayStats: tally.relays,
    rejections: tally.rejections,
    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withoutLimit({ limit: _, ...filter }: Filter): Filter {
  return filter;
}

function asRelay(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch (cause) {
    throw new DiscoveryError('INVALID_CONFIG', `'${relay}' is not the address of a relay`, { cause });
  }
}

/** A key as a person or a program writes it. @throws DiscoveryError `INVALID_INPUT` */
function asPubkey(text: string): string {
  const key = text.trim();
  if (/^[0-9a-f]{64}$/i.test(key)) return key.toLowerCase();
  try {
    const decoded = decode(key);
    if (decoded.type === 'npub') return decoded.data;
    if (decoded.type === 'nprofile') return decoded.data.pubkey;
  } catch {
    // Neither: said below. The text is not repeated, since it may be a secret key that was pasted by mistake.
  }
  throw new DiscoveryError(
    'INVALID_INPUT',
    'A platform is named by its public key, as 64 hex digits or as npub…',
  );
}
