import type { Page, PeerEraser } from '@bonafide/internal';
import type { NostrEvent, PublishOutcome } from '@bonafide/nostr-transport';
import type { Breach } from '@bonafide/trust-score';
import type { ReviewFormat } from './formats/format.ts';
import type { PublicationEvent } from './publication/decide-publication.ts';
import type { ReviewStatement } from './review.ts';

/**
 * State of a review in the queue.
 *
 * - `queued`: waits for its time, for consent or for the end of a dispute; nothing was sent.
 * - `signed`: its events are fixed and are being sent.
 * - `published`: at least one relay accepted each of its events.
 * - `disputed`: published, and the subject objects.
 * - `skipped`: not published, because it says nothing new.
 * - `superseded`: not published, because a later opinion was.
 * - `withdrawn`: given up by the operator, or deleted after a dispute.
 */
export type QueueState =
  | 'queued'
  | 'signed'
  | 'published'
  | 'disputed'
  | 'skipped'
  | 'superseded'
  | 'withdrawn';

/** An objection of the subject to a published review. */
export interface Objection {
  readonly eventId: string;
  /** ms since epoch. */
  readonly at: number;
  /** Text of the subject: remote text. */
  readonly claim: string;
}

/** A review in the queue. */
export interface QueuedReview {
  /** Idempotency key of the caller, unique per agent. */
  readonly key: string;
  /** Increases by 1 with every write. */
  readonly revision: number;
  readonly state: QueueState;
  readonly event: PublicationEvent;
  /** Time of the event, ms since epoch. */
  readonly completedAt: number;
  /** Identifies subject, service and task: a later opinion replaces an earlier one with the same value. */
  readonly opinion: string;
  readonly review: ReviewStatement;
  readonly formats: readonly ReviewFormat[];
  /** Time at which the operator approved it, ms since epoch; null without consent. */
  readonly approvedAt: number | null;
  /** Time at which the queue looks at it again, ms since epoch; null when only a call moves it. */
  readonly dueAt: number | null;
  /** Human-readable reason of the state. */
  readonly reason: string;
  /** Signed events, from `signed` on; the same at every attempt. */
  readonly events: readonly NostrEvent[];
  /** Attempts to send the events. */
  readonly attempts: number;
  /** Results of the last attempt, per event and relay. */
  readonly outcomes: readonly (PublishOutcome & { readonly eventId: string })[];
  /** ms since epoch. */
  readonly publishedAt: number | null;
  /** Objections of the subject, oldest first. */
  readonly objections: readonly Objection[];
  /** Dispute about the review, from the first objection on. */
  readonly dispute: Breach | null;
  /** Signed deletion (NIP-09), when the review was withdrawn after its publication. */
  readonly deletion: NostrEvent | null;
  /** ms since epoch. */
  readonly createdAt: number;
}

/** Query of {@link ReviewStore.list}. */
export interface ReviewQuery {
  readonly state?: QueueState;
  /** 64 lower-case hex digits. */
  readonly subject?: string;
  /** Identity of subject, service and task. */
  readonly opinion?: string;
  /** 1…500. */
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Storage of the queue. Several processes of one agent may use it at the same time: every write names the revision that it
 * changes, and only one of several writers wins. `erasePeer` is optional: it erases the reviews of a subject that {@link isErasable}
 * permits; a published review is withdrawn first, since its deletion needs its events.
 */
export interface ReviewStore extends Partial<PeerEraser> {
  /** Stores a new review with revision 1, durably. Returns false and changes nothing when the key exists. */
  insert(review: QueuedReview): Promise<boolean>;
  /** Returns the review with this key, or null. */
  get(key: string): Promise<QueuedReview | null>;
  /**
   * Replaces a review, durably, when the stored revision is `review.revision - 1`. Returns false and changes nothing
   * otherwise.
   */
  update(review: QueuedReview): Promise<boolean>;
  /** Returns at most `limit` reviews with `dueAt` up to `now`, the longest due first, then by key. */
  due(now: number, limit: number): Promise<readonly QueuedReview[]>;
  /** Returns the review with this opinion in `published` or `disputed` and the latest `completedAt`, or null. */
  lastPublished(opinion: string): Promise<QueuedReview | null>;
  /** Returns the review that has this event among its signed events, or null. */
  findByEvent(eventId: string): Promise<QueuedReview | null>;
  /** Returns a page of reviews, latest `createdAt` first, then by key downwards. */
  list(query: ReviewQuery): Promise<Page<QueuedReview>>;
}

/** States of reviews of which nothing was sent, or is to be sent. */
export const unsentStates: readonly QueueState[] = ['queued', 'skipped', 'superseded'];

/** Returns true for a review that can be erased: unsent, or withdrawn with its deletion sent. */
export function isErasable({ state, dueAt }: Pick<QueuedReview, 'state' | 'dueAt'>): boolean {
  return unsentStates.includes(state) || (state === 'withdrawn' && dueAt === null);
}
