import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobState } from '../job.ts';
import type { JobResult } from '../outcome.ts';

/** A job that was asked for. */
export interface JobHandle {
  /** The id of the request's event. */
  readonly jobId: string;
  /** Current state. */
  readonly state: JobState;
  /** All that is known of it now. */
  readonly job: Job;
  /**
   * The result. Rejects with a {@link JobEndedError} when there will be none, and with `CLOSED` when the client is closed
   * before. It may be left unobserved.
   */
  readonly result: Promise<JobResult>;
  /**
   * All feedback of the provider, from the first event to the end of the job. Each iteration starts at the
   * first event.
   */
  readonly feedback: AsyncIterable<JobFeedback>;
  /** Takes the request back (NIP-09). Does nothing when the job is over. */
  cancel(reason?: string): Promise<void>;
}
