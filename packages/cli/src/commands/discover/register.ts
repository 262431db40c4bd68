import { publicRelays } from '@bonafide/internal';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { rowCount, wholeNumber, withRelays } from '../../options.ts';
import type { DiscoverOptions } from './discover.ts';

function confidence(text: string): number {
  const value = /^\d*\.?\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new InvalidArgumentError('Give a number from 0 to 1.');
}

/** Registers `bonafide discover`. */
export function registerDiscover(program: Command, { io, print, onFailed }: CommandContext): void {
  withRelays(program.command('discover'), 'where to look', publicRelays.join(', '))
    .description(
      'List the platforms that offer their services at relays, with why each matches. Nothing is kept.',
    )
    .option('-c, --capability <label>', "what it should do, such as 'translation' or 'text to speech'")
    .option('-k, --kind <number>', 'which kind of job it should take, such as 5050', wholeNumber(0, 65_535))
    .option('--min-confidence <number>', 'how sure a match must be, 0 to 1', confidence, 0.55)
    .option('--fresh', 'leave out cards that are older than 30 days', false)
    .option('-n, --limit <count>', 'how many', rowCount, 50)
    .option('--timeout <seconds>', 'patience with a relay', rowCount, 5)
    .option('-w, --watch', 'continue, and report new, changed and deleted cards', false)
    .option('--json', 'print one JSON document; with --watch, one a line', false)
    .addHelpText(
      'after',
      examples(
        'discover',
        'discover --capability translation',
        'discover --relay wss://relay.damus.io --kind 5050 --watch --json',
      ),
    )
    .action(async (options: DiscoverOptions) => {
      const ending = new AbortController();
      const end = () => ending.abort();
      if (options.watch) process.once('SIGINT', end).once('SIGTERM', end);
      try {
        const { discover } = await import('./discover.ts');
        if (!(await discover(options, io, print, ending.signal))) onFailed();
      } finally {
        process.off('SIGINT', end).off('SIGTERM', end);
      }
    });
}
