import type { NostrEvent } from '@bonafide/nostr-transport';
import {
  type FailureReason,
  isFinal,
  type Job,
  type JobState,
  type JobTransition,
  type MatchedBy,
  type TimeoutClass,
} from './job.ts';

/** Something that happens to a job. `at` is when, in ms since epoch by the customer's clock. */
export type JobEvent =
  | { readonly type: 'sending'; readonly at: number }
  | { readonly type: 'accepted'; readonly at: number; readonly relays: readonly string[] }
  /** `eventId` names the feedback. */
  | {
      readonly type: 'processing' | 'success' | 'partial' | 'other';
      readonly at: number;
      readonly eventId: string;
    }
  | { readonly type: 'payment-required'; readonly at: number; readonly eventId: string }
  | { readonly type: 'paid'; readonly at: number }
  /** An offer for an open job was taken: from now on only that provider's answers count. */
  | { readonly type: 'chosen'; readonly at: number; readonly provider: string }
  | {
      readonly type: 'failed';
      readonly at: number;
      readonly reason: FailureReason;
      readonly message: string;
      readonly eventId: string | null;
    }
  | {
      readonly type: 'result';
      readonly at: number;
      readonly event: NostrEvent;
      /** What it says, when the event says it encrypted or elsewhere. */
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

/** How far a job is: it never falls back to a lower rank, in whatever order its events arrive. */
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
  chosen: null,
  other: null,
  failed: 'failed',
  result: 'completed',
  timeout: 'timed_out',
  cancelled: 'cancelled',
};

/**
 * The state after `event` (JOB-6). Pure and total: an event that means nothing in a state leaves it as it is. Final
 * states are never left, and relays that reorder, repeat or drop events cannot take a job backwards. Feedback and
 * results count before delivery was confirmed, since a relay's OK can be lost. A payment may be asked for at any time.
 */
export function transition(state: JobState, event: { readonly type: JobEvent['type'] }): JobState {
  if (isFinal(state)) return state;
  const next = target[event.type];
  if (next === null) return state;
  if (event.type === 'payment-required') return state === 'paid' ? state : next;
  if (event.type === 'paid') return state === 'payment-required' ? next : state;
  return rank[next] > rank[state] ? next : state;
}

/** Feedback that gives a working provider more time. */
const extending = new Set<JobEvent['type']>(['processing', 'partial']);
const fromProvider = new Set<JobEvent['type']>([
  'processing',
  'success',
  'partial',
  'other',
  'payment-required',
]);

/**
 * The job after `event` and the step that it made, null when the state stays. A final job is returned as it is: the
 * same object, so that the caller sees that nothing has to be written.
 */
export function advance(
  job: Job,
  event: JobEvent,
): { readonly job: Job; readonly transition: Omit<JobTransition, 'sequence'> | null } {
  if (isFinal(job.state)) return { job, transition: null };
  const to = transition(job.state, event);
  const changed: Job = {
    ...job,
    ...changes(job, event),
    state: to,
    revision: job.revision + 1,
    endedAt: isFinal(to) ? event.at : job.endedAt,
  };
  if (to === job.state) return { job: changed, transition: null };
  return {
    job: changed,
    transition: { jobId: job.jobId, from: job.state, to, at: event.at, eventId: eventIdOf(event) },
  };
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
      return { provider: job.provider ?? event.provider };
    case 'timeout':
      return { timeoutClass: event.timeoutClass, message: event.message };
    case 'cancelled':
      return { message: event.message };
    default:
      return {};
  }
}

function eventIdOf(event: JobEvent): string | null {
  if (event.type === 'result') return event.event.id;
  return 'eventId' in event ? event.eventId : null;
}
