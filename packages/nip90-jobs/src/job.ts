import type { NostrEvent } from '@bonafide/nostr-transport';

/** Where a job stands (JOB-6). */
export const JOB_STATES = [
  /** Signed and stored; nothing was sent yet. */
  'built',
  /** On its way to the relays. */
  'delivering',
  /** At least one relay has taken it. */
  'delivered',
  /** The provider wants to be paid before it goes on. */
  'payment-required',
  /** It was paid. */
  'paid',
  /** The provider works on it. */
  'processing',
  /** A part of the result is there. */
  'partial',
  /** The result is there. */
  'completed',
  /** The provider reported an error, or the payment it wanted was declined. */
  'failed',
  /** Nothing came in time. */
  'timed_out',
  /** The customer took it back. */
  'cancelled',
] as const;

/** Where a job stands (JOB-6). */
export type JobState = (typeof JOB_STATES)[number];

/** The states that a job never leaves. */
export type FinalJobState = Extract<JobState, 'completed' | 'failed' | 'timed_out' | 'cancelled'>;

/** True for a state that a job never leaves. */
export function isFinal(state: JobState): state is FinalJobState {
  return state === 'completed' || state === 'failed' || state === 'timed_out' || state === 'cancelled';
}

/**
 * What was waited for in vain (JOB-8). `delivery`: a relay that takes the request; says nothing about the provider.
 * `silence`: any sign of life; the provider is unresponsive. `processing`: the end, though the provider spoke.
 * `result`: the result that the provider announced.
 */
export type TimeoutClass = 'delivery' | 'silence' | 'processing' | 'result';

/** Why a job failed. `provider-error`: also when its result stands where it cannot be had. */
export type FailureReason = 'provider-error' | 'payment-declined';

/**
 * How an answer was told to be a job's (JOB-9). `request-id`: it names the request. `content`: it repeats the request, or
 * its inputs. `window`: it names the customer, and the provider had only this job of that kind at the time.
 */
export type MatchedBy = 'request-id' | 'content' | 'window';

/** A job as it is stored. Times are ms since epoch by the customer's clock. */
export interface Job {
  /** The id of the request's event: 64 hex digits. */
  readonly jobId: string;
  /** The caller's name for this piece of work; null when it gave none. */
  readonly idempotencyKey: string | null;
  /** Tells whether two requests ask for the same work: a hash over kind, provider, inputs, parameters, output and content. */
  readonly fingerprint: string;
  readonly kind: number;
  /** Whose answer counts; null when everybody's does. An open job has one from when an offer was chosen. */
  readonly provider: string | null;
  /** The signed request. It is published again and again, never signed again. */
  readonly request: NostrEvent;
  /** Where answers are awaited. */
  readonly relays: readonly string[];
  /** Where the provider reads, best first. */
  readonly providerRelays: readonly string[];
  readonly state: JobState;
  /** Goes up with every write. */
  readonly revision: number;
  /** How often the request was sent out, as rounds. */
  readonly attempts: number;
  /** Relays that have taken the request, in the order in which they did. */
  readonly deliveredTo: readonly string[];
  readonly builtAt: number;
  readonly deliveredAt: number | null;
  /** When the provider had its money; null when it asked for none. */
  readonly paidAt: number | null;
  /** When the provider was first heard of. */
  readonly heardAt: number | null;
  /** How many feedback events were taken in. */
  readonly feedbackCount: number;
  /** How many of them said that the work goes on; each gives it more time, up to a limit. */
  readonly extensions: number;
  /** When the provider announced success. */
  readonly successAt: number | null;
  readonly endedAt: number | null;
  /** The event that carried the result; null when there is none. */
  readonly resultEvent: NostrEvent | null;
  /** What the result says, when its event says it encrypted or elsewhere (JOB-3); null otherwise. */
  readonly resultContent: string | null;
  /** How the result was told to be this job's; null when there is none. */
  readonly matchedBy: MatchedBy | null;
  /** True when the result was found by asking the relays, not while listening: its arrival says nothing about speed. */
  readonly recovered: boolean;
  readonly failureReason: FailureReason | null;
  readonly timeoutClass: TimeoutClass | null;
  /** What was said when it ended other than by a result; the provider's words are a stranger's. '' when nothing was. */
  readonly message: string;
}

/** One step of a job. */
export interface JobTransition {
  readonly jobId: string;
  /** 1, 2, 3 … per job. */
  readonly sequence: number;
  readonly from: JobState;
  readonly to: JobState;
  readonly at: number;
  /** The event that caused it; null when time or the customer did. */
  readonly eventId: string | null;
}

/** A feedback event of a job, as it was taken in. */
export interface StoredFeedback {
  readonly jobId: string;
  readonly eventId: string;
  /** When it was taken in. */
  readonly receivedAt: number;
  readonly event: NostrEvent;
}

/** What every job begins with. */
export const freshJob = {
  state: 'built',
  revision: 1,
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
