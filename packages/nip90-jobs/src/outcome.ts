import type { NostrEvent } from '@bonafide/nostr-transport';
import { parseJobResult } from './codec/index.ts';
import { JobError, type JobErrorCode } from './errors.ts';
import type { Job, MatchedBy, TimeoutClass } from './job.ts';

/** What a completed job brought. */
export interface JobResult {
  readonly jobId: string;
  /** Who signed it: 64 hex digits. */
  readonly provider: string;
  /** The provider's word for it: `success`, `partial`, or one that NIP-90 does not know. */
  readonly status: string;
  /** A stranger's text. */
  readonly content: string;
  /** From the first relay's OK to the result's arrival here. */
  readonly latencyMs: number;
  /** How it was told to be this job's (JOB-9). */
  readonly matchedBy: MatchedBy;
  /** True when it was found by asking relays after the fact; `latencyMs` then says nothing about the provider. */
  readonly recovered: boolean;
  /** What the provider asks for it, in millisatoshi; null when it asks nothing. */
  readonly amountMsat: number | null;
  readonly event: NostrEvent;
}

/** Why a job brought no result. Codes: `JOB_FAILED`, `PAYMENT_DECLINED`, `JOB_TIMED_OUT`, `JOB_CANCELLED`. */
export class JobEndedError extends JobError {
  readonly jobId: string;
  readonly provider: string | null;
  /** Only with `JOB_TIMED_OUT`. */
  readonly timeoutClass: TimeoutClass | null;
  /** True when the provider gave no sign of life in the whole time: not to be asked again for a day (JOB-8). */
  readonly unresponsive: boolean;

  constructor(code: JobErrorCode, message: string, job: Job) {
    super(code, message);
    this.jobId = job.jobId;
    this.provider = job.provider;
    this.timeoutClass = job.timeoutClass;
    this.unresponsive = job.timeoutClass === 'silence';
  }
}

/** What a job came to: its result, or the error that its `result` promise rejects with; null while it is open. */
export function outcomeOf(job: Job): JobResult | JobEndedError | null {
  switch (job.state) {
    case 'completed':
      return resultOf(job);
    case 'failed': {
      const code = job.failureReason === 'payment-declined' ? 'PAYMENT_DECLINED' : 'JOB_FAILED';
      return new JobEndedError(
        code,
        job.message || 'The provider reported an error and did not say which.',
        job,
      );
    }
    case 'timed_out':
      return new JobEndedError('JOB_TIMED_OUT', job.message, job);
    case 'cancelled':
      return new JobEndedError('JOB_CANCELLED', job.message || 'The job was cancelled.', job);
    default:
      return null;
  }
}

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
