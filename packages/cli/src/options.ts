import { type Command, InvalidArgumentError, Option } from 'commander';

/** Options of every command that reads the ledger. */
export interface LedgerCommandOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly json: boolean;
}

/**
 * Creates the parser of a whole number within a range, of an argument or an option. It throws commander's usage error.
 */
export const wholeNumber =
  (from: number, to: number) =>
  (text: string): number => {
    const value = /^[+-]?\d+$/u.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
  };

/** Parses a number of rows, 1 to 1000. Throws commander's usage error. */
export const rowCount = wholeNumber(1, 1_000);

/** Parses a number of cases, 0 to 1000. Throws commander's usage error. */
export const caseCount = wholeNumber(0, 1_000);

/** Parses a trust score, -10 to 10. Throws commander's usage error. */
export const trustScore = wholeNumber(-10, 10);

/** Parses an ISO 8601 day or time, in UTC unless it names an offset, to ms since epoch. Throws commander's usage error. */
export function pointInTime(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(at) && at >= 0) return at;
  throw new InvalidArgumentError('Give a day such as 2026-01-31, or a time such as 2026-01-31T12:00Z.');
}

/** Adds the options for the ledger's location. */
export function withWorkspace(command: Command): Command {
  return command
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its ledger is <dir>/ledger.db (default: ~/.bonafide)",
    )
    .option('--db <file or url>', "the ledger's database: a file, or postgres://…");
}

/** Adds the option for the agent, in a database of several. */
export function withAgent(command: Command): Command {
  return command.option(
    '--agent <id>',
    'id of the agent, in a database that several agents share',
    'default',
  );
}

/** Adds the options of every command that reads the ledger. */
export function withLedger(command: Command): Command {
  return withAgent(withWorkspace(command)).option('--json', 'print one JSON document', false);
}

/**
 * Adds `--relay`, which may be given several times.
 *
 * @param otherwise - default relays, for `--help`
 */
export function withRelays(command: Command, what: string, otherwise = 'none'): Command {
  const option = new Option('--relay <url>', `${what}; may be given several times`);
  return command.addOption(option.argParser(addRelay).default([], otherwise));
}

function addRelay(url: string, before: readonly string[]): readonly string[] {
  if (/^wss?:\/\/./u.test(url)) return [...before, url];
  throw new InvalidArgumentError('Give a relay as wss://host or ws://host:port.');
}
