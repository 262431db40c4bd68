import { BonafideError, type SharedErrorCode } from '@bonafide/internal';

/**
 * Stable codes of the errors of this package. The codes of `SharedErrorCode` mean the same in every package:
 * `INVALID_INPUT` (a job specification, a bid, a cursor), `INVALID_CONFIG` (an option of a `create…` function),
 * `NOT_STARTED`, `CLOSED`, `ABORTED`, `TIMEOUT` and `STORE_FAILED` (also for a row that cannot be read).
 */
export type JobErrorCode =
  | SharedErrorCode
  /** An input exceeds the 1,000 bytes of an `i` tag and cannot travel in the content. */
  | 'INPUT_TOO_LARGE'
  /** The request exceeds the 64 KiB that relays accept. */
  | 'REQUEST_TOO_LARGE'
  /** The result exceeds what relays accept, or what the client reads. */
  | 'RESULT_TOO_LARGE'
  /** No job has this id. */
  | 'JOB_NOT_FOUND'
  /** The idempotency key was used for a different specification. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The provider reported an error. */
  | 'JOB_FAILED'
  /** A payment was refused or failed; the message has the reason. */
  | 'PAYMENT_DECLINED'
  /** No relay accepted the request, or no answer arrived in time; `timeoutClass` says which. */
  | 'JOB_TIMED_OUT'
  /** The caller cancelled the job. */
  | 'JOB_CANCELLED'
  /** The address of an input or a result must not be fetched: it is internal, or has no TLS. */
  | 'REFERENCE_FORBIDDEN'
  /** The referenced file is larger than the limit. */
  | 'REFERENCE_TOO_LARGE'
  /** The referenced file has a different hash, size or type than announced. */
  | 'REFERENCE_INVALID'
  /** The referenced file could not be fetched. */
  | 'REFERENCE_UNAVAILABLE'
  /** Too few answers of a replicated job agree. */
  | 'NO_CONSENSUS'
  /** The wallet answered with something other than what was requested. */
  | 'WALLET_FAILED';

/** An error of this package. */
export class JobError extends BonafideError<JobErrorCode> {}
