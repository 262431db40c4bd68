import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobState } from '../job.ts';
import type { JobResult } from '../outcome.ts';

/** A job that was asked for. */
export interface JobHandle {
  /** The id of the request's event. */
  readonly jobId: string;
  /** Where it stands now. */
  readonly state: JobState;
  /** All that is known of it now. */
  readonly job: Job;
  /**
   * The result. Rejects with a {@link JobEndedError} when there will be none, and with `CLOSED` when the client is closed
   * before. It may be left unobserved.
   */
  readonly result: Promise<JobResult>;
  /** Everything that the provider says, from the first word, until the job is over. Each loop over it starts anew. */
  readonly feedback: AsyncIterable<JobFeedback>;
  /** Takes the request back (NIP-09). Does nothing when the job is over. */
  cancel(reason?: string): Promise<void>;
}
