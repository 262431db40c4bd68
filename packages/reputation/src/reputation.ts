import {
  createEmitter,
  isNotMigrated,
  type Logger,
  type Page,
  readPublicKey,
  relayList,
  requireOptions,
  requirePublicKey,
  silentLogger,
  type Unsubscribe,
  unrefTimer,
} from '@bonafide/internal';
import type { NostrEvent, Signer, Subscription, Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import {
  decisionSchema,
  handlersSchema,
  objectSchema,
  readReviewEvent,
  readReviewQuery,
  readSchema,
  reviewKeySchema,
  standingSchema,
  waitSchema,
  watchSchema,
} from './call-options.ts';
import { type ReputationConfig, resolveConfig } from './config.ts';
import { parseConfig, parseInput, ReputationError } from './errors.ts';
import { type ReputationEvents, reputationEventNames } from './events.ts';
import type { Review } from './formats/review-event.ts';
import { buildObjection } from './objections/objection-event.ts';
import { createObjections, type DisputeDecision, type ObjectionsRead } from './objections/objections.ts';
import { clockSchema, loggerSchema, port, relaysSchema, signerSchema } from './ports.ts';
import { createReviewQueue, type ReviewOffer, type ReviewPreview } from './publication/review-queue.ts';
import {
  createReviewReader,
  type ReadOptions,
  type ReviewsRead,
  type WatchHandlers,
} from './reading/review-reader.ts';
import { createReceiptChecker } from './receipts.ts';
import { type OwnAssessment, type Standing, weighReviewsInTurns } from './standing/weigh-reviews.ts';
import type { QueuedReview, ReviewQuery, ReviewStore } from './store.ts';

/** The agent's own ledger, as far as this package needs it. It is read and never written. */
export interface LedgerPort {
  /** Returns the latest judgment of every peer whose id is a public key. */
  assessments(): Promise<readonly OwnAssessment[]>;
}

/** Options of {@link createReputation}. */
export interface ReputationOptions {
  readonly transport: Transport;
  readonly signer: Signer;
  /** Storage of the queue. The caller closes it. */
  readonly store: ReviewStore;
  /** Relays to publish on and to read from. */
  readonly relays: readonly string[];
  /** The own ledger, which outranks what others say. Without it, nothing leads from the agent to any rater. */
  readonly ledger?: LedgerPort;
  readonly config?: ReputationConfig;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/** Publishes reviews with consent, and reads and weighs those of others. */
export interface Reputation {
  /**
   * Stores a review that may be published later; sends nothing. The same key again changes nothing.
   *
   * @throws ReputationError `INVALID_INPUT`, `STORE_FAILED`
   */
  offer(offer: ReviewOffer): Promise<QueuedReview>;
  /** Returns exactly the events that would be signed and sent. @throws ReputationError `UNKNOWN_REVIEW` */
  preview(key: string): Promise<ReviewPreview>;
  /**
   * Approves a review, and publishes it if its time has come; otherwise it leaves when it has.
   *
   * @throws ReputationError `UNKNOWN_REVIEW`, `NOT_ALLOWED`
   */
  publish(key: string, options?: { readonly signal?: AbortSignal }): Promise<QueuedReview>;
  /**
   * Gives a review up; a published one is deleted (NIP-09). Call it again when no relay accepted the deletion.
   *
   * @throws ReputationError `UNKNOWN_REVIEW`, `NOT_ALLOWED`, `NOT_PUBLISHED`
   */
  withdraw(key: string, reason: string, options?: { readonly signal?: AbortSignal }): Promise<QueuedReview>;
  /** Publishes every approved review whose time has come, and ends disputes. Returns how many were published. */
  publishDue(options?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Returns a review of the queue, or null. */
  get(key: string): Promise<QueuedReview | null>;
  /** Returns a page of the queue, newest first. */
  list(query?: Partial<ReviewQuery>): Promise<Page<QueuedReview>>;
  /** Reads reviews about a subject, by its public key as hex or npub. */
  about(subject: string, options?: ReadOptions): Promise<ReviewsRead>;
  /** Reads reviews by a reviewer, by its public key as hex or npub. */
  by(reviewer: string, options?: ReadOptions): Promise<ReviewsRead>;
  /** Streams stored and new reviews until closed. */
  watch(
    about: { readonly subject?: string; readonly reviewer?: string },
    handlers: WatchHandlers,
  ): Subscription;
  /**
   * Reads what others say about a subject, and weighs it beside the own ledger. `heard` adds assessments that peers gave in
   * private.
   */
  standing(
    subject: string,
    options?: ReadOptions & { readonly task?: string; readonly heard?: readonly Review[] },
  ): Promise<Standing & { readonly read: ReviewsRead }>;
  /** Reads replies of subjects to published reviews; each opens a dispute. */
  readObjections(options?: { readonly signal?: AbortSignal }): Promise<ObjectionsRead>;
  /** Decides a dispute: `upheld` keeps the review, `excused` deletes it. @throws ReputationError `NOT_ALLOWED` */
  decideDispute(
    key: string,
    decision: DisputeDecision,
    options?: { readonly signal?: AbortSignal },
  ): Promise<QueuedReview>;
  /**
   * Objects to a review about this agent. Returns the published event.
   *
   * @throws ReputationError `INVALID_INPUT` when the review is about another agent, `NOT_PUBLISHED`
   */
  object(
    review: NostrEvent,
    claim: string,
    options?: { readonly evidence?: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<NostrEvent>;
  /** Registers a listener. An error that it throws is logged. */
  on<Name extends keyof ReputationEvents & string>(
    name: Name,
    listener: (event: ReputationEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Publishes what is due and reads objections every `pollMs`, until closed. */
  start(): void;
  /** Stops; waits for what is being sent. Closes neither the store nor the transport. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const optionsSchema = z.strictObject({
  transport: port<Transport>('publish', 'query', 'subscribe'),
  signer: signerSchema,
  store: port<ReviewStore>('insert', 'get', 'update', 'due', 'lastPublished', 'findByEvent', 'list'),
  relays: relaysSchema,
  ledger: port<LedgerPort>('assessments').optional(),
  config: z.unknown().optional(),
  clock: clockSchema,
  logger: loggerSchema,
});

/**
 * Creates the public word of an agent. Nothing leaves without consent: each review needs a call of `publish`, unless
 * `config.consent` is `'all'`.
 *
 * @throws ReputationError `INVALID_CONFIG`
 */
export function createReputation(options: ReputationOptions): Reputation {
  requireOptions(
    options,
    {
      transport: { methods: ['publish'], example: 'createTransport() of @bonafide/nostr-transport' },
      signer: { methods: ['signEvent'], example: 'createKeySigner(secret) of @bonafide/nostr-transport' },
      store: { methods: ['insert'], example: 'createMemoryReviewStore()' },
      relays: relayList,
    },
    (message) => new ReputationError('INVALID_CONFIG', message),
  );
  const {
    transport,
    signer,
    store: given,
    relays,
    ledger,
    clock = Date.now,
    logger = silentLogger,
    config: settings,
  } = parseConfig(optionsSchema, 'options', options);
  const config = resolveConfig(settings as ReputationConfig | undefined);
  const store = guarded(given);
  const events = createEmitter<ReputationEvents>({
    logger,
    names: reputationEventNames,
    fail: (message) => new ReputationError('INVALID_INPUT', message),
  });
  const context = { transport, signer, store, relays, config, clock, logger, events };
  const queue = createReviewQueue(context);
  const reader = createReviewReader(context);
  const objections = createObjections({ ...context, ownKey: () => signer.getPublicKey() });
  const receipts = createReceiptChecker();
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<unknown> = Promise.resolve();

  function requireOpen(): void {
    if (closing.signal.aborted)
      throw new ReputationError('CLOSED', 'The reputation was closed. Create a new one.');
  }

  function keyOf(text: string): string {
    return requirePublicKey(text, (message) => new ReputationError('INVALID_INPUT', message));
  }

  const signalOf = (options: unknown) => parseInput(waitSchema, 'options', options).signal;

  const until = (signal?: AbortSignal) =>
    signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);

  async function publishDue(options?: { readonly signal?: AbortSignal }): Promise<number> {
    requireOpen();
    const signal = signalOf(options);
    for (const review of await store.due(clock(), 200))
      if (review.state === 'disputed') await objections.lapse(review);
    return queue.publishDue(until(signal));
  }

  async function tick(): Promise<void> {
    try {
      await publishDue();
      await objections.read({ signal: closing.signal });
    } catch (error) {
      if (!closing.signal.aborted)
        logger.error({ err: error }, 'Reviews not published: an error. They are tried again.');
    }
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      working = tick().finally(() => {
        if (!closing.signal.aborted) schedule(config.pollMs);
      });
    }, delayMs);
    unrefTimer(timer);
  }

  async function close(): Promise<void> {
    closing.abort();
    clearTimeout(timer);
    await working.catch(() => {});
    events.clear();
  }

  return {
    async offer(offer) {
      requireOpen();
      return queue.offer(offer);
    },
    preview: (key) => queue.preview(key),
    async publish(key, options) {
      requireOpen();
      return queue.approve(key, until(signalOf(options)));
    },
    async withdraw(key, reason, options) {
      requireOpen();
      return queue.withdraw(key, reason, until(signalOf(options)));
    },
    publishDue,
    get: async (key) => store.get(parseInput(reviewKeySchema, 'key', key)),
    list: async (query = {}) => store.list(readReviewQuery(query)),
    about: async (subject, options) =>
      reader.about(keyOf(subject), parseInput(readSchema, 'options', options) as ReadOptions),
    by: async (reviewer, options) =>
      reader.by([keyOf(reviewer)], parseInput(readSchema, 'options', options) as ReadOptions),
    watch(about, handlers) {
      requireOpen();
      const { subject, reviewer } = parseInput(watchSchema, 'about', about);
      const told = parseInput(handlersSchema, 'handlers', handlers) as WatchHandlers;
      return reader.watch(
        { ...(subject === undefined ? {} : { subject }), ...(reviewer === undefined ? {} : { reviewer }) },
        { ...told, signal: until(told.signal) },
      );
    },
    async standing(subject, options) {
      const key = keyOf(subject);
      const { task, heard, ...waiting } = parseInput(standingSchema, 'options', options);
      const reading = waiting as ReadOptions;
      const observer = await signer.getPublicKey();
      const own = (await ledger?.assessments()) ?? [];
      const read = await reader.about(key, reading);
      const peers = own.flatMap(({ peer }) => readPublicKey(peer) ?? []);
      const known = new Set([key, ...peers]);
      const strangers = new Set(
        [...read.reviews, ...heard].map(({ reviewer }) => reviewer).filter((rater) => !known.has(rater)),
      );
      // How its raters rate others, and what the subject and the agent's peers say, decide how much each counts. Any number of
      // strangers may rate the subject: the other reviews of a few of them are read.
      const authors = new Set([...known, ...[...strangers].slice(0, config.maxRaters)]);
      authors.delete(observer);
      const others = authors.size === 0 ? [] : (await reader.by([...authors], reading)).reviews;
      const reviews = [
        ...new Map([...read.reviews, ...others, ...heard].map((review) => [review.eventId, review])).values(),
      ];
      const input = { observer, subject: key, reviews, own, now: clock() };
      const wanted = task === undefined ? input : { ...input, task };
      return { ...(await weighReviewsInTurns(wanted, receipts, reading.signal)), read };
    },
    async readObjections(options) {
      requireOpen();
      const signal = signalOf(options);
      return objections.read(signal === undefined ? {} : { signal });
    },
    async decideDispute(key, given, options) {
      requireOpen();
      const signal = signalOf(options);
      const decision = parseInput(decisionSchema, 'decision', given);
      const decided = await objections.decide(parseInput(reviewKeySchema, 'key', key), decision);
      return decision.outcome === 'upheld' ? decided : queue.withdraw(key, decided.reason, until(signal));
    },
    async object(given, claim, options) {
      requireOpen();
      const { evidence, signal } = parseInput(objectSchema, 'options', options);
      const review = readReviewEvent(given);
      const own = await signer.getPublicKey();
      if (!review.tags.some(([name, value]) => (name === 'p' || name === 'subject') && value === own))
        throw new ReputationError('INVALID_INPUT', 'The review is about another agent.');
      const event = await signer.signEvent(buildObjection({ review, claim, evidence, createdAt: clock() }));
      const outcomes = await transport.publish(event, relays, { signal: until(signal) });
      if (!outcomes.some(({ status }) => status === 'accepted'))
        throw new ReputationError('NOT_PUBLISHED', 'No relay accepted the objection. Try again.');
      return event;
    },
    on: (name, listener) => events.on(name, listener),
    start() {
      requireOpen();
      if (timer === undefined) schedule(0);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Wraps a store so that its failures are typed. Errors of this package pass through. */
function guarded(store: ReviewStore): ReviewStore {
  const guard =
    <Arguments extends readonly unknown[], Result>(call: (...values: Arguments) => Promise<Result>) =>
    async (...values: Arguments): Promise<Result> => {
      try {
        return await call(...values);
      } catch (error) {
        if (error instanceof ReputationError) throw error;
        if (isNotMigrated(error)) {
          throw new ReputationError(
            'NOT_MIGRATED',
            'The database has no reviews, or those of an older version. Call migrateReputation(db) first.',
            { cause: error },
          );
        }
        throw new ReputationError(
          'STORE_FAILED',
          'The review store failed. Nothing was sent because of it.',
          { cause: error },
        );
      }
    };
  return {
    insert: guard((review: QueuedReview) => store.insert(review)),
    get: guard((key: string) => store.get(key)),
    update: guard((review: QueuedReview) => store.update(review)),
    due: guard((now: number, limit: number) => store.due(now, limit)),
    lastPublished: guard((opinion: string) => store.lastPublished(opinion)),
    findByEvent: guard((eventId: string) => store.findByEvent(eventId)),
    list: guard((query: ReviewQuery) => store.list(query)),
  };
}
