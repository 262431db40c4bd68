import type { NostrEvent } from '@bonafide/nostr-transport';
import {
  type FailureReason,
  isClaimable,
  isFinal,
  type Job,
  type JobState,
  type JobTransition,
  type MatchedBy,
  type TimeoutClass,
} from './job.ts';

/** An event in the life of a job. `at` is ms since epoch by the customer's clock. */
export type JobEvent =
  | { readonly type: 'sending'; readonly at: number }
  | { readonly type: 'accepted'; readonly at: number; readonly relays: readonly string[] }
  /** `eventId` is the id of the feedback. */
  | {
      readonly type: 'processing' | 'success' | 'partial' | 'other';
      readonly at: number;
      readonly eventId: string;
    }
  | { readonly type: 'payment-required'; readonly at: number; readonly eventId: string }
  | { readonly type: 'paid'; readonly at: number }
  /** The payment settled after the job had ended. */
  | { readonly type: 'late-paid'; readonly at: number }
  /** An offer for an open job was chosen: only its provider's answers count from then on. Null revokes the choice. */
  | { readonly type: 'chosen'; readonly at: number; readonly provider: string | null }
  /** A client took over the job. */
  | { readonly type: 'claimed'; readonly at: number; readonly holder: string }
  | {
      readonly type: 'failed';
      readonly at: number;
      readonly reason: FailureReason;
      readonly message: string;
      readonly eventId: string | null;
    }
  | {
      /** `late-result`: the result of a paid job that had ended without one. */
      readonly type: 'result' | 'late-result';
      readonly at: number;
      readonly event: NostrEvent;
      /** The decrypted or downloaded content; null when the event contains it. */
      readonly content?: string | null;
      readonly matchedBy?: MatchedBy;
      readonly recovered: boolean;
    }
  | {
      readonly type: 'timeout';
      readonly at: number;
      readonly timeoutClass: TimeoutClass;
      readonly message: string;
    }
  | { readonly type: 'cancelled'; readonly at: number; readonly message: string };

/** Progress of each state. Apart from `payment-required`, a job never returns to a lower rank. */
const rank: Readonly<Record<JobState, number>> = {
  built: 0,
  delivering: 1,
  delivered: 2,
  'payment-required': 3,
  paid: 4,
  processing: 5,
  partial: 6,
  completed: 7,
  failed: 7,
  timed_out: 7,
  cancelled: 7,
};

const target: Readonly<Record<JobEvent['type'], JobState | null>> = {
  sending: 'delivering',
  accepted: 'delivered',
  processing: 'processing',
  // Success only announces the result, which may still be on its way.
  success: 'processing',
  partial: 'partial',
  'payment-required': 'payment-required',
  paid: 'paid',
  'late-paid': null,
  chosen: null,
  claimed: null,
  other: null,
  failed: 'failed',
  result: 'completed',
  'late-result': null,
  timeout: 'timed_out',
  cancelled: 'cancelled',
};

/**
 * Returns the state after `event`. Pure and total: an event without meaning in a state leaves it unchanged. Final states
 * are kept, and relays that reorder, repeat or drop events cannot move a job backwards. Feedback and results count before
 * delivery was confirmed, since a relay's OK can be lost. Only `payment-required` may follow a later state: a provider may
 * ask for a payment while it works.
 */
export function transition(state: JobState, event: { readonly type: JobEvent['type'] }): JobState {
  if (isFinal(state)) return state;
  const next = target[event.type];
  if (next === null) return state;
  if (event.type === 'payment-required') return state === 'paid' ? state : next;
  if (event.type === 'paid') return state === 'payment-required' ? next : state;
  return rank[next] > rank[state] ? next : state;
}

/** Feedback that extends the deadline. */
const extending = new Set<JobEvent['type']>(['processing', 'partial']);
const fromProvider = new Set<JobEvent['type']>([
  'processing',
  'success',
  'partial',
  'other',
  'payment-required',
]);

/** A job after an event, and its state change if there was one. */
export interface Advanced {
  readonly job: Job;
  readonly transition: Omit<JobTransition, 'sequence'> | null;
}

/**
 * Returns the job after `event`, and the state change, or null when the state stays. Returns the same object when nothing
 * has to be written. A final job accepts two events only: a payment that settles late, and the late result of a paid job.
 */
export function advance(job: Job, event: JobEvent): Advanced {
  if (isFinal(job.state)) return advanceEnded(job, event);
  if (event.type === 'late-paid') return { job, transition: null };
  if (event.type === 'paid' && job.paidAt !== null) return { job, transition: null };
  const to = transition(job.state, event);
  const changed: Job = {
    ...job,
    ...changes(job, event),
    state: to,
    revision: job.revision + 1,
    endedAt: isFinal(to) ? event.at : job.endedAt,
  };
  return { job: changed, transition: to === job.state ? null : stepOf(job, to, event) };
}

function advanceEnded(job: Job, event: JobEvent): Advanced {
  const revision = job.revision + 1;
  if (event.type === 'late-paid' && job.paidAt === null)
    return { job: { ...job, paidAt: event.at, revision }, transition: null };
  if (event.type === 'late-result' && isClaimable(job)) {
    const completed: Job = {
      ...job,
      ...changes(job, event),
      state: 'completed',
      revision,
      endedAt: event.at,
      recovered: true,
      failureReason: null,
      timeoutClass: null,
      message: '',
    };
    return { job: completed, transition: stepOf(job, 'completed', event) };
  }
  return { job, transition: null };
}

function stepOf(job: Job, to: JobState, event: JobEvent): Omit<JobTransition, 'sequence'> {
  return { jobId: job.jobId, from: job.state, to, at: event.at, eventId: eventIdOf(event) };
}

function changes(job: Job, event: JobEvent): Partial<Job> {
  if (fromProvider.has(event.type)) {
    return {
      heardAt: job.heardAt ?? event.at,
      feedbackCount: job.feedbackCount + 1,
      extensions: job.extensions + (extending.has(event.type) ? 1 : 0),
      successAt: job.successAt ?? (event.type === 'success' ? event.at : null),
    };
  }
  switch (event.type) {
    case 'sending':
      return { attempts: job.attempts + 1 };
    case 'accepted':
      return {
        deliveredAt: job.deliveredAt ?? event.at,
        deliveredTo: [...new Set([...job.deliveredTo, ...event.relays])],
      };
    case 'failed':
      return { failureReason: event.reason, message: event.message, heardAt: job.heardAt ?? event.at };
    case 'result':
    case 'late-result':
      return {
        resultEvent: event.event,
        resultContent: event.content ?? null,
        matchedBy: event.matchedBy ?? 'request-id',
        recovered: event.recovered,
        heardAt: job.heardAt ?? event.at,
      };
    case 'paid':
      return { paidAt: job.paidAt ?? event.at };
    case 'chosen':
      return { provider: event.provider };
    case 'claimed':
      return { holder: event.holder };
    case 'timeout':
      return { timeoutClass: event.timeoutClass, message: event.message };
    case 'cancelled':
      return { message: event.message };
    default:
      return {};
  }
}

function eventIdOf(event: JobEvent): string | null {
  if (event.type === 'result' || event.type === 'late-result') return event.event.id;
  return 'eventId' in event ? event.eventId : null;
}
