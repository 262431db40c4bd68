import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';

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

const none = z.coerce.number().int().min(0).max(1_000);

/** Parses a number of cases. Throws what commander turns into a usage error. */
export function caseCount(text: string): number {
  const parsed = none.safeParse(text.trim() === '' ? 'none' : text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give a whole number from 0 to 1000.');
}

/** Parses a day or a moment, as ISO 8601 in UTC unless it says otherwise. Throws what commander turns into a usage error. */
export function pointInTime(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(at) && at >= 0) return at;
  throw new InvalidArgumentError('Give a day such as 2026-01-31, or a moment such as 2026-01-31T12:00Z.');
}

/** Parses a trust score. Throws what commander turns into a usage error. */
export function trustScore(text: string): number {
  const parsed = z.coerce
    .number()
    .int()
    .min(-10)
    .max(10)
    .safeParse(text.trim() === '' ? 'none' : text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give a whole number from -10 to 10.');
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

/** Adds the option that says whose journal is meant. */
export function withAgent(command: Command): Command {
  return command.option('--agent <id>', 'which agent, in a database that several share', 'default');
}

/** Adds the options of every command which reads the ledger. */
export function withLedger(command: Command): Command {
  return withAgent(withWorkspace(command)).option('--json', 'print one JSON document', false);
}

/**
 * Adds `--relay`, which may be given several times.
 *
 * @param otherwise - where it looks when none is given, for `--help`
 */
export function withRelays(command: Command, what: string, otherwise = 'none'): Command {
  const option = new Option('--relay <url>', `${what}; may be given several times`);
  return command.addOption(option.argParser(addRelay).default([], otherwise));
}

function addRelay(url: string, before: readonly string[]): readonly string[] {
  if (/^wss?:\/\/./u.test(url)) return [...before, url];
  throw new InvalidArgumentError('A relay is given as wss://host or ws://host:port.');
}
