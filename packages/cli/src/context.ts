import type { CliIo } from './io.ts';
import type { Printer } from './print.ts';

/** What every command is given. */
export interface CommandContext {
  readonly io: CliIo;
  readonly print: Printer;
  /** For a command that ends well, but failed or found nothing: exit code 1. */
  readonly onFailed: () => void;
}
