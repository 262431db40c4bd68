import { type Command, InvalidArgumentError } from 'commander';
import { keyVariable } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import { withAgent, withRelays } from '../../options.ts';

/** Options of the commands that sign and talk to relays. */
export interface NostrOptions {
  readonly relay: readonly string[];
  readonly keyFile?: string;
  readonly workspace?: string;
  /** Owner of the stored jobs. */
  readonly agent: string;
  readonly json: boolean;
}

/** Parses a number of seconds. Throws commander's usage error. */
export function seconds(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value > 0 && value <= 1_000_000) return value;
  throw new InvalidArgumentError('Give a number of seconds.');
}

/** Parses an amount. Throws commander's usage error. */
export function wholeMsat(text: string): number {
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('Give a whole number of millisatoshi.');
}

/** Adds the options of every command that signs and talks to relays. */
export function withNostr(command: Command): Command {
  return withAgent(withRelays(command, 'a relay to publish to and to listen on'))
    .option('--key-file <file>', `the secret key, in a file of mode 0600 (default: ${keyVariable})`)
    .option('-w, --workspace <dir>', 'the folder with the stored jobs, so that a later call resumes them')
    .option('--json', 'print JSON', false);
}

/** Options of the commands that send texts which are too large for an event. */
export interface BlossomOptions {
  /** Addresses of Blossom servers, in order of preference. */
  readonly blossom: readonly string[];
}

/** Adds the option of commands that send texts which are too large for an event. */
export function withBlossom(command: Command, what: string): Command {
  return command.option(
    '--blossom <url>',
    `a Blossom server for ${what} that no event can hold; may be given several times`,
    addServer,
    [],
  );
}

function addServer(url: string, before: readonly string[]): readonly string[] {
  if (/^https?:$/u.test(URL.parse(url)?.protocol ?? '')) return [...before, url];
  throw new InvalidArgumentError('Give the address of a Blossom server, such as https://blossom.example.');
}

/** Returns the relays; throws `USAGE` without one. */
export function requireRelays(options: NostrOptions): readonly string[] {
  if (options.relay.length > 0) return options.relay;
  throw new CliError('USAGE', 'Name at least one relay: --relay wss://…');
}

/** Runs `work` with a signal that aborts on SIGINT and SIGTERM. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort(new Error('Interrupted.'));
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    return await work(ending.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}
