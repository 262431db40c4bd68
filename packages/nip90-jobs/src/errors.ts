import { BonafideError } from '@bonafide/internal';

/** What can go wrong with a job, as a stable word to switch on. */
export type JobErrorCode =
  /** The job's description is not one that can be put on the wire; the message names the field. */
  | 'INVALID_REQUEST'
  /** An input is longer than relays take in an `i` tag and the content is not free to carry it (JOB-3). */
  | 'INPUT_TOO_LARGE'
  /** The whole request is longer than relays take (64 KiB). */
  | 'REQUEST_TOO_LARGE'
  /** An option of the client, the provider or the bid is out of range. */
  | 'INVALID_OPTIONS'
  /** `start()` was not called. */
  | 'NOT_STARTED'
  /** The client was closed. Its open jobs go on when a client is started on the same store. */
  | 'CLOSED'
  /** No job has this id. */
  | 'JOB_NOT_FOUND'
  /** The idempotency key belongs to another piece of work. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The provider reported an error. */
  | 'JOB_FAILED'
  /** The provider asked for a payment that was not made. */
  | 'PAYMENT_DECLINED'
  /** No relay took the request, or nothing came back in time; `timeoutClass` says which. */
  | 'JOB_TIMED_OUT'
  /** The caller cancelled the job. */
  | 'JOB_CANCELLED'
  /** What an input points to may not be asked for: an internal address, or one without TLS. */
  | 'REFERENCE_FORBIDDEN'
  /** What an input points to is larger than is taken. */
  | 'REFERENCE_TOO_LARGE'
  /** What an input points to is not what it should be, by its hash or its kind. */
  | 'REFERENCE_INVALID'
  /** What an input points to is not there. */
  | 'REFERENCE_UNAVAILABLE'
  /** Too few answers to a replicated job agree. */
  | 'NO_CONSENSUS'
  /** A wallet did something else than it was asked for. */
  | 'WALLET_FAILED'
  /** A row of the store is not what this version writes. */
  | 'STORE_CORRUPT';

/** An error of this package (rule X-4). */
export class JobError extends BonafideError<JobErrorCode> {}
