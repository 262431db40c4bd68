import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';

/** Options that every command which reads the ledger has. */
export interface LedgerCommandOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly json: boolean;
}

const positive = z.coerce.number().int().min(1).max(1_000);

/** Parses a number of rows. Throws what commander turns into a usage error. */
export function rowCount(text: string): number {
  const parsed = positive.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
}

/** Adds the options that say where the ledger is. */
export function withWorkspace(command: Command): Command {
  return command
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its ledger is <dir>/ledger.db (default: ~/.bonafide)",
    )
    .option('--db <file>', 'the ledger itself');
}

/** Adds the options of every command which reads the ledger. */
export function withLedger(command: Command): Command {
  return withWorkspace(command)
    .option('--agent <id>', 'which agent, in a database that several share', 'default')
    .option('--json', 'print one JSON document', false);
}
