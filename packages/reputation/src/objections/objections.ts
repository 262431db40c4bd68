import { type Emitter, type Logger, readPublicKey } from '@bonafide/internal';
import type { NostrEvent, Transport } from '@bonafide/nostr-transport';
import type { ResolvedConfig } from '../config.ts';
import { ReputationError } from '../errors.ts';
import type { ReputationEvents } from '../events.ts';
import { addressOf } from '../formats/review-event.ts';
import type { QueuedReview, ReviewStore } from '../store.ts';
import { readObjection, replyKinds } from './objection-event.ts';
import { advanceDispute, openDispute } from './review-dispute.ts';

/** A decision about a disputed review. */
export interface DisputeDecision {
  /** `upheld`: the review stands. `excused`: it is withdrawn. */
  readonly outcome: 'upheld' | 'excused';
  readonly reason: string;
  /** Arbitrator: never the subject or the reviewer. */
  readonly arbitrator: string;
}

/** Counts of one look for objections. */
export interface ObjectionsRead {
  /** Reviews that became disputed. */
  readonly disputed: number;
  /** Replies that had no effect: of others than the subject, without text, known, or too late. */
  readonly ignored: number;
}

/** Objections of subjects to published reviews. */
export interface Objections {
  read(options?: { readonly signal?: AbortSignal }): Promise<ObjectionsRead>;
  /** Handles one reply. Returns true when it opened a dispute. */
  handle(event: NostrEvent): Promise<boolean>;
  decide(key: string, decision: DisputeDecision): Promise<QueuedReview>;
  /** Ends a dispute that was not decided in time: the review stands. */
  lapse(review: QueuedReview): Promise<void>;
}

/** Reviews per page of the store. */
const pageLimit = 200;
/** Event ids per filter. */
const idsPerFilter = 100;
/** Events that a reply may name. */
const maxReplyIds = 8;
/** Objections that are kept per review. */
const maxObjections = 20;

/** Creates the handling of objections. */
export function createObjections(context: {
  readonly transport: Pick<Transport, 'query'>;
  readonly store: ReviewStore;
  readonly relays: readonly string[];
  readonly config: ResolvedConfig;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly events: Emitter<ReputationEvents>;
  readonly ownKey: () => Promise<string>;
}): Objections {
  const { transport, store, relays, config, clock, logger, events, ownKey } = context;

  /** Reviews whose filing period is not over. */
  async function open(): Promise<readonly QueuedReview[]> {
    const found: QueuedReview[] = [];
    const since = clock() - config.filingMs;
    for (const state of ['published', 'disputed'] as const) {
      let cursor: string | undefined;
      do {
        const page = await store.list({
          state,
          limit: pageLimit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.items.filter(({ publishedAt }) => (publishedAt ?? 0) >= since));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    }
    return found;
  }

  async function reviewOf(event: NostrEvent): Promise<QueuedReview | null> {
    const ids = event.tags.flatMap(([name, value]) =>
      (name === 'e' || name === 'E') && value !== undefined ? [value.toLowerCase()] : [],
    );
    // A reply names the event and its root: more is a flood of look-ups.
    for (const id of [...new Set(ids)].slice(0, maxReplyIds)) {
      const review = await store.findByEvent(id);
      if (review !== null) return review;
    }
    return null;
  }

  async function handle(event: NostrEvent): Promise<boolean> {
    const ignore = (reason: string) => {
      logger.debug({ eventId: event.id, author: event.pubkey, reason }, 'Ignored reply to a review');
      return false;
    };
    if (!replyKinds.includes(event.kind)) return ignore('kind');
    const objection = readObjection(event);
    if (objection === null) return ignore('no text');
    for (;;) {
      const review = await reviewOf(event);
      if (review === null) return ignore('no review of ours');
      if (event.pubkey !== review.review.subject) return ignore('not the subject');
      if (review.state !== 'published' && review.state !== 'disputed') return ignore(review.state);
      if (review.objections.some(({ eventId }) => eventId === event.id)) return ignore('known');
      if (review.objections.length >= maxObjections) return ignore('too many');
      const now = clock();
      const { claim, evidence } = objection;
      // One dispute per review: what was decided is not decided again.
      const dispute =
        review.dispute ?? openDispute(review, { eventId: event.id, claim, evidence }, { config, now });
      const opens = review.dispute === null && dispute !== null;
      const next: QueuedReview = {
        ...review,
        revision: review.revision + 1,
        objections: [...review.objections, { eventId: event.id, at: now, claim }],
        ...(opens
          ? {
              state: 'disputed',
              dispute,
              dueAt: dispute.dispute?.decideBy ?? null,
              reason: 'The subject objects.',
            }
          : {}),
      };
      if (!(await store.update(next))) continue;
      if (opens) events.emit('disputed', { key: review.key, subject: review.review.subject, claim });
      return opens;
    }
  }

  /** Lets held reviews of the same opinion be decided again. */
  async function wake(opinion: string): Promise<void> {
    const { items } = await store.list({ state: 'queued', opinion, limit: pageLimit });
    for (const held of items) {
      if (held.dueAt !== null) await store.update({ ...held, revision: held.revision + 1, dueAt: clock() });
    }
  }

  return {
    handle,
    async read({ signal } = {}) {
      const reviews = await open();
      const ids = reviews.flatMap((review) => review.events.map(({ id }) => id));
      const addresses = reviews.flatMap((review) => review.events.flatMap((event) => addressOf(event) ?? []));
      const filters = [
        ...slices(ids).map((values) => ({ kinds: replyKinds, '#e': values })),
        ...slices(addresses).map((values) => ({ kinds: replyKinds, '#a': values })),
      ];
      const replies =
        filters.length === 0 ? [] : await transport.query(relays, filters, signal ? { signal } : {});
      let disputed = 0;
      for (const reply of replies) if (await handle(reply)) disputed += 1;
      return { disputed, ignored: replies.length - disputed };
    },

    async decide(key, { outcome, reason, arbitrator }) {
      if ((readPublicKey(arbitrator) ?? arbitrator) === (await ownKey()))
        throw new ReputationError(
          'INVALID_INPUT',
          'The reviewer cannot decide the dispute about its own review.',
        );
      for (;;) {
        const review = await store.get(key);
        if (review === null)
          throw new ReputationError(
            'UNKNOWN_REVIEW',
            `There is no review with the key '${key.slice(0, 200)}'.`,
          );
        const dispute = advanceDispute(review, { type: 'decide', outcome, reason, arbitrator }, clock());
        const next: QueuedReview = {
          ...review,
          revision: review.revision + 1,
          dispute,
          state: 'published',
          dueAt: null,
          reason: outcome === 'upheld' ? `Upheld: ${reason}` : `Excused: ${reason}`,
        };
        if (!(await store.update(next))) continue;
        await wake(review.opinion);
        return next;
      }
    },

    async lapse(review) {
      const now = clock();
      if (now <= (review.dispute?.dispute?.decideBy ?? 0)) return;
      const dispute = advanceDispute(review, { type: 'lapse' }, now);
      const next = {
        ...review,
        revision: review.revision + 1,
        dispute,
        state: 'published' as const,
        dueAt: null,
      };
      if (await store.update({ ...next, reason: 'Not decided in time: the review stands.' }))
        await wake(review.opinion);
    },
  };
}

const slices = (values: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(values.length / idsPerFilter) }, (_, index) =>
    values.slice(index * idsPerFilter, (index + 1) * idsPerFilter),
  );
