import type { EventNames } from '@bonafide/internal';
import type { ReviewRejection } from './formats/rejection.ts';

/** Events of a reputation object. Each is emitted once its cause is durable. */
export interface ReputationEvents {
  /** A relay accepted each event of the review. */
  published: { readonly key: string; readonly subject: string; readonly eventIds: readonly string[] };
  /** The subject attacked: the operator should know at once. */
  alert: { readonly key: string; readonly subject: string; readonly reason: string };
  /** A review is not published while its subject disputes the opinion. */
  held: { readonly key: string; readonly subject: string; readonly reason: string };
  /** The subject objects to a published review. */
  disputed: { readonly key: string; readonly subject: string; readonly claim: string };
  /** An event of another agent was rejected. */
  rejected: { readonly reason: ReviewRejection; readonly eventId: string | null };
}

/** Names of the events. */
export const reputationEventNames: EventNames<ReputationEvents> = {
  published: true,
  alert: true,
  held: true,
  disputed: true,
  rejected: true,
};
