import type { NostrEvent } from '@bonafide/nostr-transport';

/** States of a job. */
export const JOB_STATES = [
  /** Signed and stored, not published yet. */
  'built',
  /** Being published. */
  'delivering',
  /** At least one relay accepted the request. */
  'delivered',
  /** The provider requires a payment before it continues. */
  'payment-required',
  /** The payment has settled. */
  'paid',
  /** The provider is working. */
  'processing',
  /** A part of the result has arrived. */
  'partial',
  /** The result has arrived. */
  'completed',
  /** The provider reported an error, or its payment was declined. */
  'failed',
  /** A time limit passed. */
  'timed_out',
  /** The customer cancelled the request. */
  'cancelled',
] as const;

/** State of a job. */
export type JobState = (typeof JOB_STATES)[number];

/** Final states. A job leaves them only for `completed`, when the result of a paid job arrives late. */
export type FinalJobState = Extract<JobState, 'completed' | 'failed' | 'timed_out' | 'cancelled'>;

/** Returns true for a final state. */
export function isFinal(state: JobState): state is FinalJobState {
  return state === 'completed' || state === 'failed' || state === 'timed_out' || state === 'cancelled';
}

/**
 * The time limit that passed. `delivery`: no relay accepted the request, or none could be read for an answer, which says
 * nothing about the provider.
 * `silence`: the provider sent nothing; it is unresponsive. `processing`: the provider started and did not finish.
 * `result`: the provider announced a result that did not arrive.
 */
export type TimeoutClass = 'delivery' | 'silence' | 'processing' | 'result';

/**
 * Reason of a failure. `provider-error`: the provider reported an error, or its result cannot be read.
 * `result-too-large`: the result exceeds what relays deliver or the client reads.
 */
export type FailureReason = 'provider-error' | 'payment-declined' | 'result-too-large';

/**
 * Evidence that matched an answer to its job. `request-id`: it names the request. `content`: it repeats the
 * request, or its inputs. `window`: it names the customer, and the provider had only this job of that kind at
 * the time.
 */
export type MatchedBy = 'request-id' | 'content' | 'window';

/** A stored job. Times are ms since epoch by the customer's clock. */
export interface Job {
  /** Id of the request's event: 64 hex digits. */
  readonly jobId: string;
  /** The caller's idempotency key, or null. */
  readonly idempotencyKey: string | null;
  /** Hash over kind, provider, inputs, parameters, output and content; equal for requests of the same work. */
  readonly fingerprint: string;
  readonly kind: number;
  /** The provider whose answer counts; null while every provider may answer. An open job gets one when an offer is chosen. */
  readonly provider: string | null;
  /** The signed request. Retries publish the same event. */
  readonly request: NostrEvent;
  /** Relays on which answers are read. */
  readonly relays: readonly string[];
  /** Relays of the provider, in order of preference. */
  readonly providerRelays: readonly string[];
  readonly state: JobState;
  /** Increases with every write. */
  readonly revision: number;
  /** Id of the client that drives the job, see {@link JobStore.lease}; null when it was released. */
  readonly holder: string | null;
  /** Number of delivery rounds. */
  readonly attempts: number;
  /** Relays that accepted the request, in order. */
  readonly deliveredTo: readonly string[];
  readonly builtAt: number;
  readonly deliveredAt: number | null;
  /** Time at which the payment settled; null without a settled payment. */
  readonly paidAt: number | null;
  /** Time of the first answer. */
  readonly heardAt: number | null;
  /** Number of stored feedback events. */
  readonly feedbackCount: number;
  /** Number of them that extend the deadline, up to a limit. */
  readonly extensions: number;
  /** Time at which the provider announced success. */
  readonly successAt: number | null;
  readonly endedAt: number | null;
  /** The event with the result, or null. */
  readonly resultEvent: NostrEvent | null;
  /** Decrypted or downloaded content of the result; null when the event contains it. */
  readonly resultContent: string | null;
  /** Evidence that matched the result, or null. */
  readonly matchedBy: MatchedBy | null;
  /** True when the result was found by a query instead of the subscription, or arrived after the job had ended. */
  readonly recovered: boolean;
  readonly failureReason: FailureReason | null;
  readonly timeoutClass: TimeoutClass | null;
  /** Reason why the job ended without a result, or ''. May contain text from the provider, sanitized. */
  readonly message: string;
}

/** One state change of a job. */
export interface JobTransition {
  readonly jobId: string;
  /** 1, 2, 3 … per job. */
  readonly sequence: number;
  readonly from: JobState;
  readonly to: JobState;
  readonly at: number;
  /** Id of the event that caused it; null for a time limit or an action of the customer. */
  readonly eventId: string | null;
}

/** A stored feedback event of a job. */
export interface StoredFeedback {
  readonly jobId: string;
  readonly eventId: string;
  /** Time of arrival. */
  readonly receivedAt: number;
  readonly event: NostrEvent;
}

/** Initial values of a job. */
export const freshJob = {
  state: 'built',
  revision: 1,
  holder: null,
  attempts: 0,
  deliveredTo: [],
  deliveredAt: null,
  paidAt: null,
  heardAt: null,
  feedbackCount: 0,
  extensions: 0,
  successAt: null,
  endedAt: null,
  resultEvent: null,
  resultContent: null,
  matchedBy: null,
  recovered: false,
  failureReason: null,
  timeoutClass: null,
  message: '',
} as const satisfies Partial<Job>;

/** Returns true for a job that ended without a result although its provider was paid: the result may still be claimed. */
export function isClaimable(job: Pick<Job, 'state' | 'paidAt'>): boolean {
  return isFinal(job.state) && job.state !== 'completed' && job.paidAt !== null;
}
