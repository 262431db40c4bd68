import { BonafideError } from '@bonafide/internal';

/**
 * What a command fails with on purpose. Codes are stable; errors of the packages below come through with theirs.
 *
 * - `USAGE`: the command line is wrong. Exit code 2.
 * - `DATABASE_NOT_FOUND`: there is no ledger where it was looked for.
 * - `DATABASE_NOT_MIGRATED`: the ledger was made by another version.
 * - `PEER_NOT_FOUND`: the ledger knows nobody of that name.
 * - `NO_RELAY`: none of the relays answered.
 */
export type CliErrorCode =
  | 'USAGE'
  | 'DATABASE_NOT_FOUND'
  | 'DATABASE_NOT_MIGRATED'
  | 'PEER_NOT_FOUND'
  | 'NO_RELAY';

/** Thrown by a command; `runCli` turns it into a message and an exit code. */
export class CliError extends BonafideError<CliErrorCode> {}

/** What the exit codes mean, for `--help` and the README. */
export const exitCodes = {
  ok: 0,
  /** The command failed, found nobody, or `doctor` found something that keeps Bonafide from working. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
} as const;
