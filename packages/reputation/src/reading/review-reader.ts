import type { Emitter, Logger } from '@bonafide/internal';
import type {
  Filter,
  NostrEvent,
  RejectionReason,
  RelayReadResult,
  Subscription,
  Transport,
  Watermarks,
} from '@bonafide/nostr-transport';
import type { ResolvedConfig } from '../config.ts';
import type { ReputationEvents } from '../events.ts';
import { wotNamespace } from '../formats/nip32-label.ts';
import { type RejectedReview, type ReviewRejection, reject } from '../formats/rejection.ts';
import { parseReview, type Review } from '../formats/review-event.ts';
import { nextTurn } from '../next-turn.ts';
import { currentReviews, type RejectionCounts, readDeletions, replaces } from './current-reviews.ts';

/** Reviews that were read, with the completeness of the answer. */
export interface ReviewsRead {
  /** Verified reviews that count, newest first. */
  readonly reviews: readonly Review[];
  readonly rejected: RejectionCounts;
  /** Per relay: whether its answer is complete. */
  readonly relays: readonly RelayReadResult[];
}

/** Options of reading. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Time limit of one request, ms. @default 5,000 */
  readonly timeoutMs?: number;
}

/** Handlers of {@link ReviewReader.watch}. */
export interface WatchHandlers {
  /** Called once per review that counts; a newer review of the same address follows the older one. */
  readonly onReview: (review: Review) => void;
  /** Called for every rejected event. */
  readonly onRejected?: (rejected: RejectedReview) => void;
  /** Called once per relay after its last stored event. */
  readonly onEose?: (relay: string, result: RelayReadResult) => void;
  readonly signal?: AbortSignal;
  /** Storage for reading positions. */
  readonly watermarks?: Watermarks;
}

/** Reads reviews of other agents. */
export interface ReviewReader {
  about(subject: string, options?: ReadOptions): Promise<ReviewsRead>;
  by(reviewers: readonly string[], options?: ReadOptions): Promise<ReviewsRead>;
  watch(
    about: { readonly subject?: string; readonly reviewer?: string },
    handlers: WatchHandlers,
  ): Subscription;
}

/** Reasons of the transport for rejecting events, in the words of this package. */
const transportReasons: Readonly<Partial<Record<RejectionReason, ReviewRejection>>> = {
  malformed: 'malformed',
  'too-large': 'too-large',
  expired: 'expired',
  'bad-id': 'wrong-id',
  'bad-signature': 'wrong-signature',
};

/** Values per tag of a filter. */
const valuesPerFilter = 100;
/** Events that are parsed without a pause. */
const eventsPerTurn = 100;
/** Addresses that a subscription remembers. */
const maxAddresses = 10_000;

const chunks = <Value>(values: readonly Value[]): readonly (readonly Value[])[] =>
  Array.from({ length: Math.ceil(values.length / valuesPerFilter) }, (_, index) =>
    values.slice(index * valuesPerFilter, (index + 1) * valuesPerFilter),
  );

/** Creates a reader of reviews. */
export function createReviewReader(context: {
  readonly transport: Pick<Transport, 'query' | 'subscribe'>;
  readonly relays: readonly string[];
  readonly config: ResolvedConfig;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly events: Emitter<ReputationEvents>;
}): ReviewReader {
  const { transport, relays, config, clock, logger, events } = context;
  const { label, ...others } = config.kinds;

  /** Filters of one subject or author. Labels are limited to the namespaces that state opinions. */
  const filtersOf = (about: Filter): readonly Filter[] => [
    { ...about, kinds: Object.values(others) },
    { ...about, kinds: [label], '#L': [config.namespace, wotNamespace] },
  ];

  function parse(event: NostrEvent, subject: string | null) {
    // The transport has verified the signature.
    const { namespace, kinds } = config;
    const parsed = parseReview(event, { now: clock(), namespace, kinds, verifier: null });
    if (parsed.ok && subject !== null && parsed.review.subject !== subject)
      return reject('wrong-subject', 'The review is about another subject.');
    return parsed;
  }

  function report(rejected: RejectedReview, eventId: string | null): void {
    logger.debug({ reason: rejected.reason, eventId }, 'Rejected review');
    events.emit('rejected', { reason: rejected.reason, eventId });
  }

  async function read(
    filters: readonly Filter[],
    subject: string | null,
    options: ReadOptions,
  ): Promise<ReviewsRead> {
    const counts: Partial<Record<ReviewRejection, number>> = {};
    const results: RelayReadResult[] = [];
    const refuse = (rejected: RejectedReview, eventId: string | null) => {
      counts[rejected.reason] = (counts[rejected.reason] ?? 0) + 1;
      report(rejected, eventId);
    };
    const found = await transport.query(relays, filters, {
      ...options,
      onRelayResult: (result) => results.push(result),
      onRejected: ({ reason }) => {
        // A relay may also send what no filter asks for; that says nothing about reviews.
        const known = transportReasons[reason];
        if (known !== undefined) refuse(reject(known, `The transport rejected an event: ${reason}.`), null);
      },
    });
    const reviews: Review[] = [];
    for (const [index, event] of found.entries()) {
      if (index % eventsPerTurn === eventsPerTurn - 1) await nextTurn();
      const parsed = parse(event, subject);
      if (parsed.ok) reviews.push(parsed.review);
      else refuse(parsed, event.id);
    }
    const deletions = readDeletions(await readDeletionEvents(reviews, options));
    const current = currentReviews(reviews, {
      deletions,
      maxPerReviewer: config.maxPerReviewer,
      onRejected: (rejected, { eventId }) => refuse(rejected, eventId),
    });
    return { reviews: current, rejected: counts, relays: results };
  }

  async function readDeletionEvents(
    reviews: readonly Review[],
    options: ReadOptions,
  ): Promise<readonly NostrEvent[]> {
    // Only of the authors: a flood of deletions by others would displace theirs.
    const filters = chunks(reviews).flatMap((some) => {
      const authors = [...new Set(some.map(({ reviewer }) => reviewer))];
      const addresses = some.flatMap(({ address }) => address ?? []);
      return [
        { kinds: [5], authors, '#e': some.map(({ eventId }) => eventId) },
        ...(addresses.length === 0 ? [] : [{ kinds: [5], authors, '#a': addresses }]),
      ];
    });
    return filters.length === 0 ? [] : transport.query(relays, filters, options);
  }

  return {
    about: (subject, options = {}) => read(filtersOf({ '#p': [subject] }), subject, options),
    by: (reviewers, options = {}) =>
      read(
        chunks(reviewers).flatMap((authors) => filtersOf({ authors })),
        null,
        options,
      ),
    watch({ subject, reviewer }, { onReview, onRejected, onEose, signal, watermarks }) {
      const newest = new Map<string, Review>();
      const about = {
        ...(subject === undefined ? {} : { '#p': [subject] }),
        ...(reviewer === undefined ? {} : { authors: [reviewer] }),
      };
      return transport.subscribe(relays, filtersOf(about), {
        onEvent(event) {
          const parsed = parse(event, subject ?? null);
          if (!parsed.ok) {
            report(parsed, event.id);
            onRejected?.(parsed);
            return;
          }
          const { review } = parsed;
          const known = review.address === null ? undefined : newest.get(review.address);
          if (known !== undefined && !replaces(review, known)) {
            const rejected = reject('superseded', 'A newer review of the same address exists.');
            report(rejected, event.id);
            onRejected?.(rejected);
            return;
          }
          if (review.address !== null) {
            newest.delete(review.address);
            newest.set(review.address, review);
            const [oldest] = newest.keys();
            if (newest.size > maxAddresses && oldest !== undefined) newest.delete(oldest);
          }
          onReview(review);
        },
        ...(onEose === undefined ? {} : { onEose }),
        ...(signal === undefined ? {} : { signal }),
        ...(watermarks === undefined ? {} : { watermarks }),
      });
    },
  };
}
