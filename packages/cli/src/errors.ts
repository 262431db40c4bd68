import { BonafideError } from '@bonafide/internal';

/**
 * Codes of the command line's errors. Errors of other packages keep their own codes.
 *
 * - `USAGE`: the command line is wrong. Exit code 2.
 * - `DATABASE_NOT_FOUND`: there is no ledger at the path.
 * - `NOT_MIGRATED`: the ledger has no tables, or those of an older version.
 * - `PEER_NOT_FOUND`: the ledger has no peer with that id or name.
 * - `ORDER_NOT_FOUND`: there is no order with that id.
 * - `NO_RELAY`: no relay answered.
 * - `STORE_FAILED`: a folder for the agent's data cannot be created; `cause` has the error.
 */
export type CliErrorCode =
  | 'USAGE'
  | 'DATABASE_NOT_FOUND'
  | 'NOT_MIGRATED'
  | 'PEER_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'NO_RELAY'
  | 'STORE_FAILED';

/** Thrown by a command; `runCli` turns it into a message and an exit code. */
export class CliError extends BonafideError<CliErrorCode> {}

/** Exit codes of every command. */
export const exitCodes = {
  ok: 0,
  /** The command failed, found nothing, or `doctor` found a problem. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
} as const;
