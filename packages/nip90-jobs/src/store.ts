import type { Page } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { Job, JobState, JobTransition, StoredFeedback } from './job.ts';

/** Which jobs {@link JobStore.list} gives. */
export interface JobQuery {
  /** True: only those that are not over; false: only those that are. */
  readonly open?: boolean;
  readonly state?: JobState;
  readonly provider?: string;
  /** 1–500. @default 100 */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** One write about a job. All of it happens or nothing. */
export interface JobUpdate {
  /** The job as it shall be; its `revision` is one more than that of the stored one. */
  readonly job: Job;
  readonly transition: Omit<JobTransition, 'sequence'> | null;
  readonly feedback: StoredFeedback | null;
}

/**
 * Where a customer's jobs live. Each method is atomic and survives a crash as a whole; the conformance suite in
 * `@bonafide/nip90-jobs/testing` says in tests what is expected.
 */
export interface JobStore {
  /**
   * Stores a new job, unless one with the same `jobId` or the same `idempotencyKey` exists, which is then returned.
   * Of two callers at the same time exactly one gets `created: true`.
   */
  create(job: Job): Promise<{ readonly job: Job; readonly created: boolean }>;
  get(jobId: string): Promise<Job | null>;
  getByKey(idempotencyKey: string): Promise<Job | null>;
  /** Newest first, by `builtAt` and then by `jobId`. */
  list(query?: JobQuery): Promise<Page<Job>>;
  /**
   * Writes the job, its step and its feedback. False, and nothing written, when the stored revision is not the one
   * before, when the stored job is over, or when the feedback is already there.
   */
  update(update: JobUpdate): Promise<boolean>;
  /** Every step of a job, first to last. */
  transitions(jobId: string): Promise<readonly JobTransition[]>;
  /** Every feedback of a job, in the order in which it was taken in. */
  feedback(jobId: string): Promise<readonly StoredFeedback[]>;
}

/** What a provider asks for a piece of work before it begins. */
export interface Charge {
  readonly amountMsat: number;
  readonly bolt11: string;
  /** 64 hex digits. */
  readonly paymentHash: string;
  /** When the invoice can no longer be paid, ms since epoch. */
  readonly expiresAt: number;
}

/** A request as a provider has it. Times are ms since epoch. */
export interface ProvidedJob {
  /** The id of the request's event. */
  readonly requestId: string;
  readonly customer: string;
  readonly kind: number;
  readonly request: NostrEvent;
  readonly receivedAt: number;
  /** How often a handler was begun for it. */
  readonly attempts: number;
  /** What was asked for it, and the invoice; null when nothing was. */
  readonly charge: Charge | null;
  /** When it was paid. */
  readonly paidAt: number | null;
  /** The signed result, or the signed feedback that says error; null while there is none. */
  readonly answer: NostrEvent | null;
  readonly answeredAt: number | null;
  /** When a relay took the answer. */
  readonly publishedAt: number | null;
  /** When it was dropped without an answer, because the customer took it back. */
  readonly droppedAt: number | null;
}

/** Where a provider remembers what it was asked and what it answered. */
export interface ProviderStore {
  /** Stores the request unless it is known. True for the first caller only. */
  take(job: ProvidedJob): Promise<boolean>;
  getProvided(requestId: string): Promise<ProvidedJob | null>;
  /** Requests that are neither published nor dropped, oldest first. */
  listUnfinished(): Promise<readonly ProvidedJob[]>;
  /** Counts that a handler is begun and gives the count, from 1. */
  begin(requestId: string): Promise<number>;
  /** Fixes the one invoice. Returns the one that counts: an earlier one wins; null when the request is unknown. */
  charge(requestId: string, charge: Charge): Promise<Charge | null>;
  /** Notes that the customer has paid. */
  paid(requestId: string, paidAt: number): Promise<void>;
  /** Fixes the one answer. Returns the answer that counts: an earlier one wins; null when the request is unknown or dropped. */
  answer(requestId: string, answer: NostrEvent, answeredAt: number): Promise<NostrEvent | null>;
  /** Notes that a relay took the answer. */
  published(requestId: string, publishedAt: number): Promise<void>;
  /** Notes that no answer will be given; has no effect once there is one. */
  drop(requestId: string, droppedAt: number): Promise<void>;
  /** `created_at` in seconds up to which `source`, a relay and a filter, was read; null when never. */
  watermark(source: string): Promise<number | null>;
  /** Moves it forward; never back. */
  setWatermark(source: string, seconds: number): Promise<void>;
}
