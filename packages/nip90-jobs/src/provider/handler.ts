import type { JobInput, JobRequest } from '../codec/index.ts';

/** What a handler gives back: the result's content, or the content with what goes beside it. */
export type JobAnswer =
  | string
  | {
      readonly content: string;
      /** @default 'success' */
      readonly status?: 'success' | 'partial';
      /** What the work costs, in millisatoshi. */
      readonly amountMsat?: number;
      readonly bolt11?: string;
    };

/** What a handler has beside the request. */
export interface JobContext {
  /** Fires when the customer takes the request back or the provider closes: stop working. */
  readonly signal: AbortSignal;
  /** Tells the customer how it goes (`processing`). Gives the job more time. */
  progress(info?: string): Promise<void>;
  /**
   * The bytes that an input stands for (JOB-3): its text, what is at its address, the event or file that it names, the
   * result of the job that it names. Addresses of strangers are guarded, sizes limited, hashes checked; what is wrong
   * rejects with a {@link JobError} that tells the customer.
   */
  read(input: JobInput): Promise<Uint8Array>;
  /** Hands over a part of the result before the rest is done (`partial`). */
  partial(content: string, info?: string): Promise<void>;
}

/**
 * Does the work. What it throws becomes an `error` feedback: the message of a {@link JobError} is told to the customer,
 * any other error stays in the log. It may run again for the same request when the process died before the answer was
 * stored; the customer sees one answer in any case.
 */
export type JobHandler = (request: JobRequest, context: JobContext) => Promise<JobAnswer> | JobAnswer;
