import type { Emitter, Logger, Page } from '@bonafide/internal';
import {
  type EventTemplate,
  eventId,
  type NostrEvent,
  type Signer,
  type Transport,
} from '@bonafide/nostr-transport';
import * as z from 'zod';
import { reasonSchema, reviewKeySchema } from '../call-options.ts';
import type { ResolvedConfig } from '../config.ts';
import { parseInput, ReputationError } from '../errors.ts';
import type { ReputationEvents } from '../events.ts';
import { identifierOf } from '../formats/kind-2020.ts';
import { addressOf, buildReview } from '../formats/review-event.ts';
import { completeReview, type ReviewInput } from '../review.ts';
import type { QueuedReview, ReviewStore } from '../store.ts';
import { decidePublication, type PublicationDecision, type PublicationEvent } from './decide-publication.ts';

/** A review that an agent offers for publication. */
export interface ReviewOffer {
  /** Idempotency key: the same key again is the same review. 1 to 200 characters. */
  readonly key: string;
  readonly event: PublicationEvent;
  /** Time of the event, ms since epoch. */
  readonly completedAt: number;
  readonly review: ReviewInput;
}

/** A preview of exactly the events that would be signed and sent. */
export interface ReviewPreview {
  readonly key: string;
  readonly state: QueuedReview['state'];
  readonly decision: PublicationDecision;
  /** True when the review needs no further consent. */
  readonly approved: boolean;
  readonly relays: readonly string[];
  /** Events without signature. The id is final. */
  readonly events: readonly (EventTemplate & { readonly id: string; readonly pubkey: string })[];
}

/** Dependencies of the queue. */
export interface QueueContext {
  readonly transport: Pick<Transport, 'publish'>;
  readonly signer: Signer;
  readonly store: ReviewStore;
  readonly relays: readonly string[];
  readonly config: ResolvedConfig;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly events: Emitter<ReputationEvents>;
}

/** A decision with the facts that it rests on. */
interface Decided {
  readonly decision: PublicationDecision;
  /** The last published review of the same opinion. */
  readonly last: QueuedReview | null;
  /** Earliest date of the events, in seconds. */
  readonly after: number;
}

/** Reviews per look into the store. */
const batch = 50;

const offerSchema = z.object({
  key: reviewKeySchema,
  event: z.enum(['benchmark', 'score_change', 'security']),
  completedAt: z.int().min(0).max(9_999_999_999_000),
  // `completeReview` checks the members.
  review: z.looseObject({}),
});

/** The queue between an opinion and its publication. */
export interface ReviewQueue {
  offer(offer: ReviewOffer): Promise<QueuedReview>;
  preview(key: string): Promise<ReviewPreview>;
  approve(key: string, signal?: AbortSignal): Promise<QueuedReview>;
  withdraw(key: string, reason: string, signal?: AbortSignal): Promise<QueuedReview>;
  publishDue(signal?: AbortSignal): Promise<number>;
}

/** Creates the queue of reviews to publish. */
export function createReviewQueue(context: QueueContext): ReviewQueue {
  const { transport, signer, store, relays, config, clock, logger, events } = context;
  const { coolingOffMs, minimumChange } = config;

  async function require(key: string): Promise<QueuedReview> {
    const review = await store.get(parseInput(reviewKeySchema, 'key', key));
    if (review === null)
      throw new ReputationError('UNKNOWN_REVIEW', `There is no review with the key '${key}'.`);
    return review;
  }

  /** Decides about a queued review on the facts of this moment. */
  async function decide(review: QueuedReview): Promise<Decided> {
    const last = await store.lastPublished(review.opinion);
    const { items: disputes } = await store.list({ state: 'disputed', opinion: review.opinion, limit: 1 });
    const input = {
      event: review.event,
      completedAt: review.completedAt,
      previousPublished: last?.review.trustScore ?? null,
      current: review.review.trustScore,
      disputed: disputes.length > 0,
      now: clock(),
    };
    return {
      decision: decidePublication(input, { coolingOffMs, minimumChange }),
      last,
      after: await earliestDate(review, last),
    };
  }

  /** Returns reviews of one opinion in a state. */
  async function ofOpinion(opinion: string, state: QueuedReview['state']): Promise<readonly QueuedReview[]> {
    const found: QueuedReview[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<QueuedReview> = await store.list({
        opinion,
        state,
        limit: 200,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }

  /**
   * Returns the earliest date of a review, in seconds: later than that of the last published opinion, which relays would keep
   * otherwise, and than every deletion of the same address, which would hide it.
   */
  async function earliestDate({ opinion, key }: QueuedReview, last: QueuedReview | null): Promise<number> {
    const withdrawn = (await ofOpinion(opinion, 'withdrawn')).filter((each) => each.events.length > 0);
    const deleted = await Promise.all(
      withdrawn.filter((each) => each.key !== key).map(async (each) => (await signDeletion(each)).deletion),
    );
    const events = [...(last?.events ?? []), ...deleted.flatMap((deletion) => deletion ?? [])];
    return events.reduce((latest, { created_at }) => Math.max(latest, created_at + 1), 0);
  }

  /**
   * Builds the events of a review. Their date depends on stored facts only, so that every process and every attempt builds the
   * same ids.
   */
  function templatesOf(review: QueuedReview, { decision, after }: Decided): readonly EventTemplate[] {
    const dated = Math.floor((decision.publishAt ?? review.completedAt) / 1_000);
    return review.formats.map((format) =>
      buildReview(review.review, {
        format,
        createdAt: Math.max(dated, after) * 1_000,
        kinds: config.kinds,
        namespace: config.namespace,
      }),
    );
  }

  /** Writes the next revision. Returns null when another process was faster. */
  async function write(review: QueuedReview, change: Partial<QueuedReview>): Promise<QueuedReview | null> {
    const next = { ...review, ...change, revision: review.revision + 1 };
    return (await store.update(next)) ? next : null;
  }

  /** Changes a review that another process may be changing too. */
  async function change(
    key: string,
    to: (review: QueuedReview) => Partial<QueuedReview> | null,
  ): Promise<QueuedReview> {
    for (;;) {
      const review = await require(key);
      const wanted = to(review);
      const written = wanted === null ? review : await write(review, wanted);
      if (written !== null) return written;
    }
  }

  /** Returns the delay after a number of failed attempts, in ms. */
  const delayAfter = (attempts: number) =>
    Math.min(config.maxRetryMs, config.retryMs * 2 ** Math.min(20, attempts - 1));

  const hasConsent = ({ approvedAt }: QueuedReview) => config.consent === 'all' || approvedAt !== null;

  async function advanceQueued(review: QueuedReview): Promise<QueuedReview | null> {
    const decided = await decide(review);
    const { action, reason, alert } = decided.decision;
    const { last } = decided;
    if (last !== null && last.completedAt > review.completedAt && review.event !== 'security')
      return write(review, { state: 'superseded', dueAt: null, reason: 'A later opinion was published.' });
    if (action === 'skip') return write(review, { state: 'skipped', dueAt: null, reason });
    if (action === 'hold') {
      if (review.reason !== reason)
        events.emit('held', { key: review.key, subject: review.review.subject, reason });
      return write(review, { dueAt: clock() + config.holdMs, reason });
    }
    if (action === 'wait') return write(review, { dueAt: decided.decision.publishAt, reason });
    if (alert && review.reason !== reason)
      events.emit('alert', { key: review.key, subject: review.review.subject, reason });
    // Without consent it waits for a call, however long.
    if (!hasConsent(review))
      return write(review, { dueAt: null, reason: alert ? reason : 'Waits for approval.' });

    const signed: NostrEvent[] = [];
    const pubkey = await signer.getPublicKey();
    for (const template of templatesOf(review, decided)) {
      const event = await signer.signEvent(template);
      if (event.id !== eventId({ ...template, pubkey }))
        throw new ReputationError('INVALID_INPUT', 'The signer signed something other than it was given.');
      signed.push(event);
    }
    return write(review, { state: 'signed', events: signed, dueAt: clock(), reason });
  }

  async function advanceSigned(review: QueuedReview, signal?: AbortSignal): Promise<QueuedReview | null> {
    // The attempt is stored first: no other process sends meanwhile, and a crash is followed by another attempt.
    const claimed = await write(review, { attempts: review.attempts + 1, dueAt: clock() + config.attemptMs });
    if (claimed === null) return null;
    const outcomes: QueuedReview['outcomes'][number][] = [];
    for (const event of claimed.events) {
      const sent = await transport.publish(event, relays, signal === undefined ? {} : { signal });
      outcomes.push(...sent.map((outcome) => ({ ...outcome, eventId: event.id })));
    }
    const isStored = claimed.events.every(({ id }) =>
      outcomes.some((outcome) => outcome.eventId === id && outcome.status === 'accepted'),
    );
    if (isStored) {
      const done = await write(claimed, {
        state: 'published',
        outcomes,
        publishedAt: clock(),
        dueAt: null,
        reason: 'Published.',
      });
      if (done !== null)
        events.emit('published', {
          key: done.key,
          subject: done.review.subject,
          eventIds: done.events.map(({ id }) => id),
        });
      return done;
    }
    logger.warn(
      { key: review.key, attempts: claimed.attempts },
      'Review not published: no relay accepted it. It is sent again.',
    );
    const dueAt = clock() + delayAfter(claimed.attempts);
    return write(claimed, { outcomes, dueAt, reason: 'No relay accepted it yet.' });
  }

  /** Moves a review as far as it can move now. Returns true when it was published. */
  async function advance(review: QueuedReview, signal?: AbortSignal): Promise<boolean> {
    let current: QueuedReview | null = review;
    if (current.state === 'withdrawn') await deletePublished(current, signal);
    if (current.state === 'queued') current = await advanceQueued(current);
    if (current?.state === 'signed') current = await advanceSigned(current, signal);
    return current?.state === 'published';
  }

  return {
    async offer(offer) {
      const { key, event, completedAt, review: stated } = parseInput(offerSchema, 'offer', offer);
      const given = stated as unknown as ReviewInput;
      const alert = event === 'security' ? ('security' as const) : (given.alert ?? null);
      const review = completeReview({ ...given, alert });
      if (review.subject === (await signer.getPublicKey()))
        throw new ReputationError('INVALID_INPUT', 'An agent does not review its own key.');
      // A format that lacks a member fails here, not at the time of publication.
      for (const format of config.formats) buildReview(review, { format, createdAt: completedAt });
      const now = clock();
      const queued: QueuedReview = {
        key,
        revision: 1,
        state: 'queued',
        event,
        completedAt,
        opinion: identifierOf(review),
        review,
        formats: config.formats,
        approvedAt: null,
        dueAt: now,
        reason: 'Offered.',
        events: [],
        attempts: 0,
        outcomes: [],
        publishedAt: null,
        objections: [],
        dispute: null,
        deletion: null,
        createdAt: now,
      };
      await store.insert(queued);
      return require(key);
    },

    async preview(key) {
      const review = await require(key);
      const decided = await decide(review);
      const pubkey = await signer.getPublicKey();
      const templates =
        review.events.length > 0
          ? review.events.map(({ kind, created_at, tags, content }) => ({ kind, created_at, tags, content }))
          : templatesOf(review, decided);
      return {
        key,
        state: review.state,
        decision: decided.decision,
        approved: hasConsent(review),
        relays,
        events: templates.map((template) => ({ ...template, pubkey, id: eventId({ ...template, pubkey }) })),
      };
    },

    async approve(key, signal) {
      const approved = await change(key, ({ state, approvedAt }) => {
        if (state === 'published' || state === 'signed' || approvedAt !== null) return null;
        if (state !== 'queued')
          throw new ReputationError(
            'NOT_ALLOWED',
            `The review is ${state}: only a queued one can be published.`,
          );
        return { approvedAt: clock(), dueAt: clock() };
      });
      if (approved.dueAt !== null && approved.dueAt <= clock()) await advance(approved, signal);
      return require(key);
    },

    async withdraw(key, given, signal) {
      const reason = parseInput(reasonSchema, 'reason', given);
      const withdrawn = await change(key, ({ state }) => {
        if (state === 'withdrawn') return null;
        if (state === 'queued') return { state: 'withdrawn', dueAt: null, reason };
        // Due until a relay has accepted the deletion: the queue repeats it, and the review is kept as long.
        if (state === 'published' || state === 'disputed' || state === 'signed')
          return { state: 'withdrawn', dueAt: clock() + config.attemptMs, attempts: 0, reason };
        throw new ReputationError('NOT_ALLOWED', `The review is ${state}: there is nothing to withdraw.`);
      });
      if (withdrawn.events.length === 0) return withdrawn;
      return deletePublished(withdrawn, signal);
    },

    async publishDue(signal) {
      let published = 0;
      const tried = new Set<string>();
      for (;;) {
        const due = (await store.due(clock(), batch)).filter(({ key }) => !tried.has(key));
        if (due.length === 0) return published;
        for (const review of due) {
          signal?.throwIfAborted();
          tried.add(review.key);
          try {
            if (await advance(review, signal)) published += 1;
          } catch (error) {
            if (signal?.aborted) throw error;
            logger.error(
              { err: error, key: review.key },
              'Review not published: an error. It is tried again.',
            );
            await write(review, { dueAt: clock() + config.retryMs }).catch(() => null);
          }
        }
      }
    },
  };

  /** Signs the deletion of a withdrawn review once, and stores it. Sends nothing. */
  async function signDeletion(review: QueuedReview): Promise<QueuedReview> {
    if (review.deletion !== null) return review;
    // Deleting an address deletes every version of it, so a later opinion keeps its address, also one that is not sent yet.
    const last = await store.lastPublished(review.opinion);
    const signed = await ofOpinion(review.opinion, 'signed');
    const isReplaced = [...signed, ...(last === null ? [] : [last])].some(
      ({ key, completedAt }) => key !== review.key && completedAt >= review.completedAt,
    );
    const addresses = isReplaced ? [] : review.events.flatMap((event) => addressOf(event) ?? []);
    const deletion = await signer.signEvent({
      kind: 5,
      created_at: Math.floor(clock() / 1_000),
      tags: [
        ...review.events.map(({ id }) => ['e', id]),
        ...addresses.map((address) => ['a', address]),
        ...[...new Set(review.events.map(({ kind }) => String(kind)))].map((kind) => ['k', kind]),
      ],
      content: review.reason,
    });
    return (await write(review, { deletion })) ?? require(review.key);
  }

  /** Sends the deletion of a withdrawn review. A repeated call sends the same event again. */
  async function deletePublished(review: QueuedReview, signal?: AbortSignal): Promise<QueuedReview> {
    const current = await signDeletion(review);
    if (current.deletion === null) return current;
    const outcomes = await transport.publish(
      current.deletion,
      relays,
      signal === undefined ? {} : { signal },
    );
    const attempts = current.attempts + 1;
    if (!outcomes.some(({ status }) => status === 'accepted')) {
      await write(current, { attempts, dueAt: clock() + delayAfter(attempts) });
      throw new ReputationError(
        'NOT_PUBLISHED',
        'No relay accepted the deletion. It is sent again; withdraw the review again to send it at once.',
      );
    }
    return (await write(current, { attempts, dueAt: null })) ?? require(current.key);
  }
}
