import { BonafideError, type SharedErrorCode } from '@bonafide/internal';

/**
 * Stable codes of {@link DelegationError}. The codes of `SharedErrorCode` mean the same in every package: `TIMEOUT` is an
 * order whose deadline passed, `ABORTED` a call whose signal aborted.
 */
export type DelegationErrorCode =
  | SharedErrorCode
  /** The id belongs to an order with another content. */
  | 'ORDER_CONFLICT'
  /** No order has this id. */
  | 'ORDER_NOT_FOUND'
  /** The order was cancelled. */
  | 'ORDER_CANCELLED'
  /** No platform is left that may be asked; `exclusions` names each with its reason. */
  | 'NO_PLATFORM'
  /** The answers of the replicas do not agree. */
  | 'NO_CONSENSUS'
  /** There is no benchmark task that the platform has not seen. */
  | 'NO_BENCHMARK';

/** An error of this package. Switch on `code`. */
export class DelegationError extends BonafideError<DelegationErrorCode> {}
