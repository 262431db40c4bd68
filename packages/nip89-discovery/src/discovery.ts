import { createEmitter, type Logger, silentLogger, type Unsubscribe } from '@bonafide/internal';
import {
  type AddressPolicy,
  type Filter,
  filterKey,
  type NostrEvent,
  normalizeRelayUrl,
  type Signer,
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
import { type AuditRow, type AuthorProfile, type RegistryEntry, withExperience } from './entry.ts';
import { DiscoveryError } from './errors.ts';
import { canonicalIdentifier } from './identity.ts';
import { type CapabilityMatch, matchCapability, searchSteps } from './match.ts';
import { profileKind, readProfile } from './profile.ts';
import { type RankedRelay, rankRelays } from './rank-relays.ts';
import {
  type Recommendation,
  type RecommendationSignal,
  readRecommendation,
  recommendationKind,
  weighRecommendations,
  withdrawnRecommendations,
} from './recommendation.ts';
import { arrive, type EntryChange, moveEntry, seenAgain, trustEntry, withdrawnBy } from './registry.ts';
import { createTally, type RejectedCard, type RelayStats, type Tally } from './rejections.ts';
import { maxRelayHints, readRelayList } from './relay-hints.ts';
import { type ProbedRelay, probeRelay } from './relay-probe.ts';
import {
  createRelaySchedule,
  type ReadingEvents,
  type RelayReading,
  type RelayTotals,
} from './relay-schedule.ts';
import type { RelayTier } from './relay-tier.ts';
import type { PlatformStatus, StatusCause } from './status.ts';
import type { DiscoveryStore, EntryQuery, Page } from './store.ts';

/** What a registry is made of. */
export interface DiscoveryOptions {
  /** Delivers **verified** events, as nostr-transport does. It is not closed by the registry. */
  readonly transport: Pick<Transport, 'subscribe' | 'query' | 'publish'> & Partial<Pick<Transport, 'status'>>;
  /** Where entries are kept. It is not closed by the registry. */
  readonly store: DiscoveryStore;
  /** The relays to read. */
  readonly relays: readonly string[];
  /** Verifies every event once more, for a transport that is not to be relied on. @default null */
  readonly verifier?: Verifier | null;
  /** Now, in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Numbers of [0, 1), for the times at which relays are sampled. @default Math.random */
  readonly random?: () => number;
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
  /** No more than so many. @default all */
  readonly limit?: number;
}

/** A platform that offers what was asked for. */
export interface Found {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch;
}

/** The surest match first, then the most trusted. Iterate over it, which reads page by page, or take it whole. */
export interface FindResult extends AsyncIterable<Found> {
  toArray(): Promise<Found[]>;
}

/** What came of a `sync`. */
export interface SyncResult {
  /** Events that the relays had. */
  readonly received: number;
  /** Platforms that were new or had a newer card. */
  readonly taken: number;
}

/** Who recommends a platform, and what that comes to. */
export interface Recommended extends RecommendationSignal {
  /** At most 200. */
  readonly recommendations: readonly Recommendation[];
}

/** What a registry emits, once the change is durable. */
export interface DiscoveryEvents {
  discovered: { readonly entry: RegistryEntry };
  updated: { readonly entry: RegistryEntry; readonly before: RegistryEntry };
  status: { readonly entry: RegistryEntry; readonly before: PlatformStatus };
  stale: { readonly entry: RegistryEntry };
  archived: { readonly entry: RegistryEntry };
  rejected: RejectedCard;
  /** Somebody recommends other platforms for a kind than before (DIS-13). */
  recommended: { readonly recommendation: Recommendation };
  /** A relay was promoted or demoted (DIS-1). */
  tier: {
    readonly relay: string;
    readonly before: RelayTier;
    readonly after: RelayTier;
    readonly score: number | null;
  };
}

/**
 * Finds platforms by their capability cards and keeps a registry of them (DIS-11, DIS-14). Keys are accepted as hex or npub, and
 * identifiers in any spelling. Methods reject with `STORE_FAILED` when the store does, with `CLOSED` after `close()`.
 */
export interface Discovery {
  /**
   * Reads cards from where it stopped, until `stop()`: of the best relays live, of others now and then (DIS-1). Calling it
   * twice does nothing.
   */
  start(): Promise<void>;
  /** Stops reading and finishes what was begun; `start()` goes on from there. */
  stop(): Promise<void>;
  /** Reads all cards that the relays have, however old, page by page (DIS-2). */
  sync(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<SyncResult>;
  /** Platforms that offer something, each with how well it matches (DIS-10). */
  find(query: FindQuery): FindResult;
  get(pubkey: string, d: string): Promise<RegistryEntry | null>;
  /** Entries of any status, page by page (at most 200). */
  entries(query?: Partial<EntryQuery>): Promise<Page<RegistryEntry>>;
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
  /**
   * Who recommends a platform (DIS-13), weighed by `standing`: a recommender's standing, 0..1, or `null` for a
   * stranger. One signal among others, never the truth.
   */
  recommendations(
    pubkey: string,
    d: string,
    options?: { readonly standing?: (recommender: string) => number | null },
  ): Promise<Recommended>;
  /**
   * Tries whether a platform's relays answer, three at a time, and notes it as `recordRelayResult` does (DIS-9). The
   * transport's guard holds: it connects to public addresses only.
   */
  probe(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly ProbedRelay[]>;
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
const relayListKind = 10_002;
/** For so long after a relay said that it was done, an old card is a sign that it was not, ms. */
const lieMs = 30_000;
/** What the transport reads again anyway. */
const overlapSeconds = 60;
/** Events that are remembered as dealt with: about 5 MB. */
const maxSettled = 20_000;
/** Events of one page of a sync, and how many pages of one relay are followed. */
const syncPage = 1_000;
const maxSyncPages = 1_100;
/** Relays that are read at once in a sync. */
const relaysAtOnce = 4;
/** Relays of one platform that are connected at once (DIS-9). */
const maxProbes = 3;
/** Authors whose profiles are asked for at once, and how many may wait. */
const profilesAtOnce = 50;
const maxProfilesWanted = 1_000;
/** How often a change is tried again when another process was quicker. */
const maxConflicts = 50;

/**
 * A registry over a transport and a store.
 *
 * @throws DiscoveryError `INVALID_CONFIG`
 */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { transport, store, clock = Date.now, logger = silentLogger, verifier = null } = options;
  const { random = Math.random } = options;
  const config = resolveConfig(options.config);
  const relays = options.relays.map(asRelay);
  const { wanted, synonyms, allowLoopback, allowHosts } = config;
  const addresses: AddressPolicy = { allowLoopback, allowHosts };
  const emitter = createEmitter<DiscoveryEvents>({ logger });
  const tally = createTally(config.rememberedRejections);
  /** Events that were dealt with lately, by relay. */
  const settled = new Set<string>();
  /** Platforms whose card says nothing, by their key (NIP-89). */
  const profilesWanted = new Map<string, Set<string>>();

  const filters: readonly Filter[] = [
    // Without a limit of their own: the transport asks page by page, and a first look is bounded by its date.
    { kinds: [cardKind] },
    { kinds: [recommendationKind] },
    { kinds: [deletionKind], '#k': [String(cardKind), String(recommendationKind)] },
  ];

  let running: { readonly started: Promise<void>; readonly stopping: AbortController } | null = null;
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;
  let tail: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let pendingBytes = 0;
  let fillingProfiles: Promise<void> = Promise.resolve();

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

  /** Reads, changes and writes one entry; again, when another process wrote in between. `known`: read just now. */
  async function change<Refusal extends object>(
    pubkey: string,
    canonicalD: string,
    step: (current: RegistryEntry | null) => EntryChange | Refusal | null,
    known?: RegistryEntry | null,
  ): Promise<{ readonly before: RegistryEntry | null; readonly after: RegistryEntry | null } | Refusal> {
    for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
      const isRead = attempt === 0 && known !== undefined;
      const before = isRead ? known : await asking(() => store.get(pubkey, canonicalD));
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
    const known = await asking(() => store.get(pubkey, canonicalD));
    // Relays send what is newest first, so that a withdrawal is often there before its card.
    const buried =
      known?.event.id === eventId
        ? null
        : await asking(() => store.withdrawnAt(pubkey, [identifierTarget(canonicalD), eventId]));
    type Refused = { readonly refused: Pick<RejectedCard, 'reason' | 'message'> };
    const result = await change<Refused>(
      pubkey,
      canonicalD,
      (current) => {
        if (current?.event.id === eventId) return seenAgain(current, relay, now);
        const assessed = assessCardEvent(event, { now, current: current?.event ?? null, verifier });
        if (!assessed.ok) return { refused: assessed };
        const read = readCard(assessed.event, addresses);
        if (!read.ok) return { refused: read };
        const reason = withdrawnBy(current, buried ?? 0, read.card.createdAt);
        if (reason !== null) return { refused: { reason, message: 'The platform withdrew this card.' } };
        const context = { relay, now, stale: assessed.stale, wanted, synonyms, addresses };
        return arrive(current, read.card, assessed.event, context);
      },
      known,
    );
    if ('refused' in result) {
      const { reason, message } = result.refused;
      turnAway({ reason, message, eventId, pubkey, relay });
      return false;
    }
    const isTaken = result.after !== null && result.after.event.id !== result.before?.event.id;
    if (isTaken && result.after !== null) wantProfile(result.after);
    return isTaken;
  }

  async function takeRecommendation(event: NostrEvent): Promise<boolean> {
    const recommendation = readRecommendation(event, addresses);
    if (recommendation === null || recommendation.createdAt > clock() + maxFutureMs) return false;
    if (verifier !== null && !verifier.verify(event)) return false;
    const isNew = await asking(() => store.putRecommendation(recommendation));
    if (isNew) emitter.emit('recommended', { recommendation });
    return isNew;
  }

  function wantProfile({ pubkey, canonicalD, card, profile }: RegistryEntry): void {
    // Empty content: NIP-89 has the profile of the key speak for it.
    if (card.fields !== null || card.contentPlain || profile !== null) return;
    if (!profilesWanted.has(pubkey) && profilesWanted.size >= maxProfilesWanted) return;
    profilesWanted.set(pubkey, (profilesWanted.get(pubkey) ?? new Set()).add(canonicalD));
  }

  /** Asks for the profiles that are wanted: of many keys in one question. */
  async function fillProfiles(signal?: AbortSignal): Promise<void> {
    const wantedNow = [...profilesWanted].slice(0, profilesAtOnce);
    if (wantedNow.length === 0) return;
    const authors = wantedNow.map(([pubkey]) => pubkey);
    const events = await transport.query(
      relays,
      [{ kinds: [profileKind], authors, limit: authors.length * 4 }],
      {
        timeoutMs: config.queryTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      },
    );
    for (const [pubkey, identifiers] of wantedNow) {
      profilesWanted.delete(pubkey);
      const [newest] = events
        .filter((event) => event.pubkey === pubkey && (verifier === null || verifier.verify(event)))
        .sort((a, b) => b.created_at - a.created_at);
      const none: AuthorProfile = { ...nothing, eventId: null, createdAt: clock() };
      const profile = newest === undefined ? none : readProfile(newest);
      for (const canonicalD of identifiers) {
        await inTurn(() =>
          change<never>(pubkey, canonicalD, (current) =>
            current === null
              ? null
              : { entry: { ...current, profile, revision: current.revision + 1 }, audit: [] },
          ),
        );
      }
    }
  }

  async function takeDeletion(event: NostrEvent): Promise<void> {
    const now = clock();
    if (event.created_at * 1_000 > now + maxFutureMs) return;
    if (verifier !== null && !verifier.verify(event)) return;
    for (const nobody of withdrawnRecommendations(event)) {
      if (await asking(() => store.putRecommendation(nobody)))
        emitter.emit('recommended', { recommendation: nobody });
    }
    const deletion = readDeletion(event);
    if (deletion === null) return;
    const { pubkey, at } = deletion;
    const targets = [...deletion.identifiers.map(identifierTarget), ...deletion.eventIds];
    await asking(() => store.addWithdrawals(pubkey, targets, at));
    const archive = (canonicalD: string, upTo: (current: RegistryEntry) => number | null) =>
      change<{ readonly refused: string }>(pubkey, canonicalD, (current) => {
        const deletedAt = current === null ? null : upTo(current);
        if (current === null || deletedAt === null) return null;
        return moveEntry(current, { type: 'deleted' }, { now, eventId: event.id, deletedAt });
      });
    for (const canonicalD of deletion.identifiers) {
      await archive(canonicalD, ({ card }) => (card.createdAt <= at ? at : null));
    }
    if (deletion.eventIds.length === 0) return;
    for await (const { canonicalD } of all({ pubkey })) {
      // A single event is withdrawn, not the platform: its next card is welcome.
      await archive(canonicalD, ({ card }) =>
        deletion.eventIds.includes(card.eventId) ? card.createdAt : null,
      );
    }
  }

  async function take(event: NostrEvent, relay: string): Promise<boolean> {
    const counters = tally.of(relay);
    counters.received += 1;
    counters.lastEventAt = clock();
    if (event.kind === deletionKind) {
      await takeDeletion(event);
      return false;
    }
    const isRecommendation = event.kind === recommendationKind;
    const taken = isRecommendation ? await takeRecommendation(event) : await takeCard(event, relay);
    if (taken) counters.taken += 1;
    return taken && !isRecommendation;
  }

  function settle(which: string, event: NostrEvent): void {
    // What comes too early may come again.
    if (event.created_at * 1_000 > clock() + maxFutureMs) return;
    settled.add(which);
    const [oldest] = settled;
    if (settled.size > maxSettled && oldest !== undefined) settled.delete(oldest);
  }

  /** What a subscription delivers: there is nobody to tell of a failure but the log. */
  function receive(event: NostrEvent, relay: string, reading: { isBroken: boolean }): void {
    const which = `${relay} ${event.id}`;
    // Read again, or replayed: that must not keep out what is new.
    if (settled.delete(which)) {
      settled.add(which);
      return;
    }
    const bytes = weightOf(event);
    if (pending >= config.maxPending || pendingBytes + bytes > config.maxPendingBytes) {
      if (!reading.isBroken) logger.warn({ relay }, 'Events come faster than they can be taken in');
      reading.isBroken = true;
      tally.of(relay).dropped += 1;
      return;
    }
    pending += 1;
    pendingBytes += bytes;
    void inTurn(() => take(event, relay))
      .then(() => settle(which, event))
      .catch((error) => {
        reading.isBroken = true;
        logger.error({ err: error, relay, eventId: event.id }, 'An event could not be taken in');
      })
      .finally(() => {
        pending -= 1;
        pendingBytes -= bytes;
      });
  }

  /**
   * Bounds a first look, and remembers where it began: if it is cut short, the next one goes on from there. Null: it is
   * not the first.
   */
  async function firstLookSince(relay: string, key: string): Promise<number | null> {
    if ((await asking(() => store.getWatermark(relay, key))) !== null) return null;
    const since = Math.max(0, Math.floor((clock() - config.lookbackMs) / 1_000));
    await asking(() => store.setWatermark(relay, key, since));
    return since;
  }

  /** Reads a relay from where it was safe to say that everything had been taken in. */
  async function read(relay: string, { onAnswered, onClosed }: ReadingEvents): Promise<RelayReading> {
    // What came before is taken in first, or it would be read again.
    await tail;
    const progress = { isBroken: false };
    const firstLooks = new Set<string>();
    const bounded: Filter[] = [];
    for (const filter of filters) {
      const key = filterKey(filter);
      const since = await firstLookSince(relay, key);
      if (since !== null) firstLooks.add(key);
      // Not the first look: however long ago that was, what happened meanwhile is all to be read.
      bounded.push(since === null ? filter : { ...filter, since });
    }
    /** Behind the events that came before it: what was read counts once it is kept. */
    const keepMark = (key: string, seconds: number) =>
      inTurn(async () => {
        // After something was lost, how far was read is no longer known.
        if (!progress.isBroken) await store.setWatermark(relay, key, seconds);
      });
    // Some relays say that they are done before they are: for a moment, marks are only noted.
    const resting = new Map<string, number>();
    let answeredAt: number | null = null;
    let isRested = false;
    let timer: NodeJS.Timeout | undefined;
    const hasRested = () => isRested || (answeredAt !== null && clock() - answeredAt >= config.lingerMs);
    function rest(): void {
      isRested = true;
      for (const [key, seconds] of resting) {
        keepMark(key, seconds).catch((error) =>
          logger.error({ err: error, relay }, 'How far a relay was read could not be kept'),
        );
      }
      resting.clear();
    }
    const watermarks: Watermarks = {
      async get(from, key) {
        return firstLooks.has(key) ? undefined : ((await store.getWatermark(from, key)) ?? undefined);
      },
      async set(_relay, key, seconds) {
        if (hasRested()) await keepMark(key, seconds);
        else resting.set(key, seconds);
      },
    };
    let newest = 0;
    /** What is stored comes before the end of what is stored: a relay that has it otherwise may yet have anything. */
    function noticeLie({ created_at: createdAt, kind }: NostrEvent): void {
      const isEarly = answeredAt !== null && clock() - answeredAt < lieMs;
      if (kind !== cardKind || !isEarly || progress.isBroken || createdAt >= newest - overlapSeconds) return;
      logger.warn({ relay }, 'A relay said that it was done before it was');
      progress.isBroken = true;
    }
    const subscription = transport.subscribe([relay], bounded, {
      onEvent(event, from) {
        noticeLie(event);
        if (event.kind === cardKind) newest = Math.max(newest, event.created_at);
        receive(event, from, progress);
      },
      onEose() {
        answeredAt = clock();
        timer = setTimeout(rest, config.lingerMs);
        timer.unref();
        onAnswered();
      },
      onClosed(from, reason) {
        logger.warn({ relay: from, reason }, 'A relay ended the subscription');
        onClosed();
      },
      watermarks,
    });
    return {
      close() {
        clearTimeout(timer);
        if (hasRested()) rest();
        subscription.close();
      },
      get isBroken() {
        return progress.isBroken;
      },
    };
  }

  function totalsOf(relay: string): RelayTotals {
    const { received, taken, dropped, rejected } = tally.of(relay);
    const { superseded = 0, ...bad } = rejected;
    const refused = Object.values(bad).reduce((sum, count) => sum + count, 0);
    const status = transport.status?.().find((each) => each.relay === relay);
    const forged = Object.values(status?.counters.rejected ?? {}).reduce((sum, count) => sum + count, 0);
    return {
      fresh: taken,
      delivered: Math.max(0, received - refused),
      wasted: refused + dropped + forged,
      interruptions: status?.counters.reconnects ?? 0,
      isConnected: status === undefined ? null : status.state === 'open',
    };
  }

  const schedule = createRelaySchedule({
    relays,
    policy: config.tiers,
    pollMs: config.pollMs,
    sampleMs: config.sampleMs,
    readingMs: config.queryTimeoutMs,
    lingerMs: config.lingerMs,
    open: read,
    totals: totalsOf,
    onTier: (change) => emitter.emit('tier', change),
    clock,
    random,
    logger,
  });

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
        store.list({ limit: pageSize, ...query, ...(next === undefined ? {} : { cursor: next }) }),
      );
      yield* page.items;
      cursor = page.nextCursor;
    }
  }

  async function begin(signal: AbortSignal): Promise<void> {
    await sweep(signal);
    await schedule.tick();
    const timers = [
      every(config.sweepMs, 'Stale cards could not be looked for', () => {
        sweeping = sweep(signal);
        return sweeping;
      }),
      every(config.tickMs, 'Relays could not be read', () => schedule.tick()),
      every(config.tickMs, 'Profiles could not be looked up', () => {
        fillingProfiles = fillingProfiles.catch(() => {}).then(() => fillProfiles(signal));
        return fillingProfiles;
      }),
    ];
    const clear = () => {
      for (const timer of timers) clearInterval(timer);
    };
    if (signal.aborted) clear();
    signal.addEventListener('abort', clear);
  }

  /** Does something now and again; not while it is still being done. */
  function every(ms: number, whenItFails: string, work: () => Promise<void>): NodeJS.Timeout {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      work()
        .catch((error) => logger.error({ err: error }, whenItFails))
        .finally(() => {
          isBusy = false;
        });
    }, ms);
    timer.unref();
    return timer;
  }

  async function stop(): Promise<void> {
    const begun = running;
    running = null;
    // What failed to start has told whoever started it.
    await begun?.started.catch(() => {});
    begun?.stopping.abort();
    await schedule.stop();
    await Promise.allSettled([sweeping, fillingProfiles]);
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
    limit = Number.POSITIVE_INFINITY,
  }: FindQuery): AsyncGenerator<Found> {
    assertOpen();
    const wants = [capability, kind].filter((want) => want !== undefined);
    if (wants.length === 0) throw new DiscoveryError('INVALID_INPUT', 'find: name a capability or a kind');
    const [rarest = ''] = wants;
    let left = limit;
    for (const { confidence, terms } of searchSteps(rarest, synonyms)) {
      if (confidence < minConfidence || left <= 0) return;
      for await (const entry of foundUnder(terms, statuses, Math.min(left, pageSize))) {
        // Between two sweeps a card may have become stale.
        if (statuses === open && isStale(entry.card.createdAt, clock())) continue;
        const matches = wants.map((want) => matchCapability(entry.card, want, synonyms));
        const [first] = matches;
        const weakest = matches.reduce((least, match) =>
          match.confidence < least.confidence ? match : least,
        );
        // A surer match has been given in the step before.
        if (first?.confidence !== confidence || weakest.match === 'none') continue;
        yield { entry, match: weakest };
        left -= 1;
        if (left <= 0) return;
      }
    }
  }

  async function* foundUnder(
    terms: readonly string[],
    statuses: readonly PlatformStatus[],
    limit: number,
  ): AsyncGenerator<RegistryEntry> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const next = cursor === undefined ? {} : { cursor };
      const page: Page<RegistryEntry> = await asking(() => store.find({ terms, statuses, limit, ...next }));
      yield* page.items;
      cursor = page.nextCursor;
    }
  }

  const trustSchema = z.number().min(0).max(1).nullable();
  const evidenceSchema = z.json();

  function evidenceOf(evidence: unknown): JsonValue {
    const parsed = evidenceSchema.safeParse(evidence ?? null);
    if (parsed.success) return parsed.data;
    throw new DiscoveryError('INVALID_INPUT', 'Evidence must be JSON', { cause: parsed.error });
  }

  function recommendationsOf(
    platform: Pick<RegistryEntry, 'pubkey' | 'canonicalD'>,
  ): Promise<readonly Recommendation[]> {
    return asking(() => store.recommendationsOf(platform.pubkey, platform.canonicalD, pageSize));
  }

  async function noteResult(
    pubkey: string,
    d: string,
    relay: string,
    result: { readonly ok: boolean; readonly latencyMs?: number | null },
  ): Promise<void> {
    await changeKnown(pubkey, d, (current) => ({
      entry: {
        ...current,
        experience: withExperience(current.experience, relay, result),
        revision: current.revision + 1,
      },
      audit: [],
    }));
  }

  /** All that a relay has stored for a filter, newest first, each event once; one page at a time. */
  async function* pagesOf(
    relay: string,
    filter: Filter,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<NostrEvent> {
    let until: number | undefined;
    let before: ReadonlySet<string> = new Set();
    for (let pages = 0; pages < maxSyncPages; pages += 1) {
      const page = await transport.query(
        [relay],
        [{ ...filter, limit: syncPage, ...(until === undefined ? {} : { until }) }],
        { timeoutMs, ...(signal === undefined ? {} : { signal }) },
      );
      // The second where two pages meet is in both.
      const fresh = page.filter(({ id }) => !before.has(id));
      yield* fresh;
      const oldest = page.reduce(
        (least, { created_at }) => Math.min(least, created_at),
        Number.POSITIVE_INFINITY,
      );
      if (fresh.length === 0) {
        // One second that is longer than a page: what it has more is not reached, what is older is.
        if (page.length < syncPage || oldest <= 0) return;
        logger.warn({ relay, second: oldest }, 'A relay has more of one second than a page holds');
        until = oldest - 1;
      } else until = oldest;
      before = new Set(page.map(({ id }) => id));
    }
    logger.warn({ relay }, 'A sync was cut after very many pages');
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
      let received = 0;
      let taken = 0;
      const there = new Set(relays);
      // Withdrawals of all relays come first, so that nobody is found only to be archived.
      for (const filter of [...filters].reverse()) {
        const waiting = [...there];
        // Each relay by itself, so that every sighting is known; a few at a time, one page of each.
        const readSome = async () => {
          for (let relay = waiting.shift(); relay !== undefined; relay = waiting.shift()) {
            const from = relay;
            for await (const event of pagesOf(from, filter, timeoutMs, signal)) {
              received += 1;
              if (await inTurn(() => take(event, from))) taken += 1;
            }
            // Who is not there for the first question is not there for the others.
            if (totalsOf(from).isConnected === false) there.delete(from);
          }
        };
        await Promise.all(Array.from({ length: relaysAtOnce }, readSome));
      }
      while (profilesWanted.size > 0) await fillProfiles(signal);
      return { received, taken };
    },

    find(query) {
      return {
        [Symbol.asyncIterator]: () => found(query),
        async toArray() {
          const list: Found[] = [];
          for await (const one of found(query)) list.push(one);
          return list;
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
      return asking(() => store.list({ ...rest, ...whose, limit: Math.min(Math.max(1, limit), pageSize) }));
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
      const recommended = await recommendationsOf(entry);
      const hints = recommended.flatMap(({ handlers }) =>
        handlers.flatMap(({ pubkey: key, canonicalD, relayHint }) =>
          key === entry.pubkey && canonicalD === entry.canonicalD && relayHint !== null ? [relayHint] : [],
        ),
      );
      // A stranger's hint costs us a connection: of a thousand recommenders, a few are heard.
      const heard = [...new Set(hints)].slice(0, maxRelayHints);
      if (entry.authorRelays !== null) return rankRelays(entry, relays, heard);
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
      return rankRelays(updated, relays, heard);
    },

    async recommendations(pubkey, d, { standing } = {}) {
      assertOpen();
      const key = asPubkey(pubkey);
      const recommendations = await recommendationsOf({ pubkey: key, canonicalD: canonicalIdentifier(d) });
      return { ...weighRecommendations(recommendations, key, standing), recommendations };
    },

    async probe(pubkey, d, { signal } = {}) {
      const entry = await changeKnown(pubkey, d, () => null);
      const tried = rankRelays(entry, []).map(({ relay }) => relay);
      const probed: ProbedRelay[] = [];
      for (let at = 0; at < tried.length; at += maxProbes) {
        const some = tried.slice(at, at + maxProbes).map((relay) =>
          probeRelay(transport, relay, entry.pubkey, {
            timeoutMs: config.queryTimeoutMs,
            ...(signal === undefined ? {} : { signal }),
          }),
        );
        for (const result of await Promise.all(some)) {
          probed.push(result);
          await noteResult(pubkey, d, result.relay, result);
        }
      }
      return probed;
    },

    recordRelayResult: (pubkey, d, relay, result) => noteResult(pubkey, d, asRelay(relay), result),

    publishCard(spec, signer, { signal } = {}) {
      return publishCard(spec, signer, { transport, relays, ...(signal === undefined ? {} : { signal }) });
    },

    relayStats: () => tally.relays(schedule.standing),
    rejections: tally.rejections,
    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An identifier among the things that a key may withdraw; ids of events have no sign before them. */
const identifierTarget = (canonicalD: string) => `d:${canonicalD}`;

const nothing = { name: null, about: null, picture: null, website: null, lud16: null };

/** About how many bytes an event holds in memory. */
function weightOf({ content, tags }: NostrEvent): number {
  const inTags = tags.reduce((sum, tag) => sum + tag.reduce((bytes, value) => bytes + value.length, 32), 0);
  return 512 + content.length + inTags;
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
