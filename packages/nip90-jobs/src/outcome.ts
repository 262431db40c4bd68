import type { NostrEvent } from '@bonafide/nostr-transport';
import { parseJobResult } from './codec/index.ts';
import { JobError, type JobErrorCode } from './errors.ts';
import type { FailureReason, Job, MatchedBy, TimeoutClass } from './job.ts';

/** The result of a completed job. */
export interface JobResult {
  readonly jobId: string;
  /** Public key of the signer, 64 hex digits. */
  readonly provider: string;
  /** Status from the provider: `success`, `partial`, or one that NIP-90 does not know. */
  readonly status: string;
  /** Text from the provider; untrusted. */
  readonly content: string;
  /** Milliseconds from the first relay's OK to the arrival of the result. */
  readonly latencyMs: number;
  /** Evidence that matched the event to this job. */
  readonly matchedBy: MatchedBy;
  /**
   * True when the result was found by a query instead of the subscription; `latencyMs` is then meaningless.
   */
  readonly recovered: boolean;
  /** Price that the result names, in millisatoshi; null without a price. */
  readonly amountMsat: number | null;
  readonly event: NostrEvent;
}

/** Decides whether a result ends an open job. */
export type AcceptResult = (result: JobResult) => Promise<boolean> | boolean;

/**
 * A job ended without a result. Codes: `JOB_FAILED`, `RESULT_TOO_LARGE`, `PAYMENT_DECLINED`, `JOB_TIMED_OUT`,
 * `JOB_CANCELLED`.
 */
export class JobEndedError extends JobError {
  readonly jobId: string;
  readonly provider: string | null;
  /** Set for `JOB_TIMED_OUT`, else null. */
  readonly timeoutClass: TimeoutClass | null;
  /** True when the provider sent nothing at all. It should not be asked again for a day. */
  readonly unresponsive: boolean;

  constructor(code: JobErrorCode, message: string, job: Job) {
    super(code, message);
    this.jobId = job.jobId;
    this.provider = job.provider;
    this.timeoutClass = job.timeoutClass;
    this.unresponsive = job.timeoutClass === 'silence';
  }
}

/** Returns the result of a job, or the error that its `result` promise rejects with; null for an open job. */
export function outcomeOf(job: Job): JobResult | JobEndedError | null {
  switch (job.state) {
    case 'completed':
      return resultOf(job);
    case 'failed': {
      const code = job.failureReason === null ? 'JOB_FAILED' : failureCodes[job.failureReason];
      return new JobEndedError(code, job.message || 'The provider reported an error without a reason.', job);
    }
    case 'timed_out':
      return new JobEndedError('JOB_TIMED_OUT', job.message, job);
    case 'cancelled':
      return new JobEndedError('JOB_CANCELLED', job.message || 'The job was cancelled.', job);
    default:
      return null;
  }
}

const failureCodes: Readonly<Record<FailureReason, JobErrorCode>> = {
  'provider-error': 'JOB_FAILED',
  'payment-declined': 'PAYMENT_DECLINED',
  'result-too-large': 'RESULT_TOO_LARGE',
};

function resultOf(job: Job): JobResult {
  const parsed = parseJobResult(job.resultEvent);
  if (!parsed.ok)
    throw new JobError(
      'STORE_FAILED',
      `Job ${job.jobId} is completed without a readable result: ${parsed.message}`,
    );
  const { provider, status, amountMsat, event } = parsed.result;
  const content = job.resultContent ?? parsed.result.content;
  return {
    jobId: job.jobId,
    provider,
    status,
    content,
    latencyMs: Math.max(0, (job.endedAt ?? job.builtAt) - (job.deliveredAt ?? job.builtAt)),
    matchedBy: job.matchedBy ?? 'request-id',
    recovered: job.recovered,
    amountMsat,
    event,
  };
}
