/**
 * The operator's command line: `bonafide doctor`, `bonafide ledger list`, `bonafide ledger show` and others.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export type { Check } from './checks/check.ts';
export { CliError, type CliErrorCode, exitCodes } from './errors.ts';
export type { CliIo, Output } from './io.ts';
export { runCli } from './run.ts';
