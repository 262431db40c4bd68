import type { JobInput, JobRequest } from '../codec/index.ts';

/** Answer of a handler: the content of the result, or the content with further fields. */
export type JobAnswer =
  | string
  | {
      readonly content: string;
      /** @default 'success' */
      readonly status?: 'success' | 'partial';
      /** Price in millisatoshi, to be paid after the work. */
      readonly amountMsat?: number;
      readonly bolt11?: string;
    };

/** Context of a handler call. */
export interface JobContext {
  /** Aborts when the customer cancels the request or the provider closes. */
  readonly signal: AbortSignal;
  /** Publishes `processing` feedback, which extends the customer's deadline. */
  progress(info?: string): Promise<void>;
  /**
   * Returns the bytes of an input: its text, the file at its address, the event or file that it names, or the result of the
   * job that it names. Addresses are guarded, sizes limited and hashes verified; a violation rejects with a {@link JobError}
   * whose message is sent to the customer.
   */
  read(input: JobInput): Promise<Uint8Array>;
  /**
   * Publishes a part of the result (`partial`); by reference when it exceeds what relays accept and the provider has `blobs`, else
   * it rejects with `RESULT_TOO_LARGE`. A payment
   * for work of which a part was delivered is not refunded automatically; `isDelivery: false` marks a text that is of no use alone,
   * such as a report of progress.
   */
  partial(content: string, info?: string, options?: { readonly isDelivery?: boolean }): Promise<void>;
}

/**
 * Does the work. An exception becomes `error` feedback: the customer gets the message of a {@link JobError}; other errors stay in
 * the log. May run again for the same request when the process died before the answer was stored; the customer gets
 * one answer in any case.
 */
export type JobHandler = (request: JobRequest, context: JobContext) => Promise<JobAnswer> | JobAnswer;
