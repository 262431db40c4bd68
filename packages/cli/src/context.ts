import type { Command } from 'commander';
import type { Printer } from './print.ts';
import type { CommandIo } from './progress.ts';

/** Arguments that every command receives. */
export interface CommandContext {
  readonly io: CommandIo;
  readonly print: Printer;
  /** Sets exit code 1, for a command that completes but found a failure or nothing. */
  readonly onFailed: () => void;
}

/**
 * Adds a command with its subcommands to the program. Each folder of `commands/` exports one from its `register.ts`,
 * and `program.ts` lists them.
 */
export type RegisterCommand = (program: Command, context: CommandContext) => void;
