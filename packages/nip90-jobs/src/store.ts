import type { Page, PeerEraser } from '@bonafide/internal';
import type { Job, JobState, JobTransition, StoredFeedback } from './job.ts';

/** Filter of {@link JobStore.list}. */
export interface JobQuery {
  /** True: open jobs only; false: ended jobs only. */
  readonly open?: boolean;
  readonly state?: JobState;
  readonly provider?: string;
  /** True: only jobs that were paid and ended without a result. */
  readonly claimable?: boolean;
  /** Excludes the jobs that this client holds. */
  readonly notHeldBy?: string;
  /**
   * Page size, 1–500.
   * @default 100
   */
  readonly limit?: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string;
}

/** An atomic write to a job. */
export interface JobUpdate {
  /** The new job; its `revision` is one more than that of the stored one. */
  readonly job: Job;
  readonly transition: Omit<JobTransition, 'sequence'> | null;
  readonly feedback: StoredFeedback | null;
}

/** The stored history of a job, each list in order of arrival. */
export interface JobHistory {
  readonly transitions: readonly JobTransition[];
  readonly feedback: readonly StoredFeedback[];
}

/** A store that records which clients are alive, so that several processes share its jobs. */
export interface LeaseStore {
  /**
   * Renews the lease of `holder` until `until` (ms since epoch), or ends it when `until` is not after `now`. Removes
   * expired leases, and returns the holders of all others.
   */
  lease(holder: string, times: { readonly now: number; readonly until: number }): Promise<readonly string[]>;
}

/**
 * Store of a customer's jobs. Each method is atomic and durable. The conformance suite in
 * `@bonafide/nip90-jobs/testing` states the contract as tests. `erasePeer` is optional: it erases ended jobs that a provider
 * answered, with their history, its feedback on other ended jobs, and its name and invoices in payments.
 */
export interface JobStore extends LeaseStore, Partial<PeerEraser> {
  /**
   * Stores a new job. When a job with the same `jobId` or `idempotencyKey` exists, returns that one instead. Of concurrent
   * callers exactly one gets `created: true`.
   */
  create(job: Job): Promise<{ readonly job: Job; readonly created: boolean }>;
  get(jobId: string): Promise<Job | null>;
  getByKey(idempotencyKey: string): Promise<Job | null>;
  /** Returns a page ordered by `builtAt` and `jobId`, newest first. */
  list(query?: JobQuery): Promise<Page<Job>>;
  /**
   * Writes the job, its transition and its feedback. Returns false, and writes nothing, when the stored revision is not the
   * preceding one, or when the feedback is stored already.
   */
  update(update: JobUpdate): Promise<boolean>;
  /** Returns the transitions and the feedback of a job, in order. */
  history(jobId: string): Promise<JobHistory>;
  /**
   * Deletes jobs that ended before `before` (ms since epoch), with their history and payments. Keeps open jobs, claimable
   * jobs and jobs whose payment is held or in flight. Returns the number of deleted jobs.
   */
  prune(options: { readonly before: number }): Promise<number>;
}
