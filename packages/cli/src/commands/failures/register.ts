import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { pointInTime, rowCount } from '../../options.ts';
import { withRoutes } from '../routes/options.ts';

/** Registers `bonafide failures`. */
export function registerFailures(program: Command, { io, print }: CommandContext): void {
  withRoutes(program.command('failures'))
    .description('List trials and jobs that did not succeed, newest first, of all platforms or of one.')
    .argument('[platform]', '<key>:<identifier>; the key as npub or hex')
    .option('--since <day>', 'only of this day or time and later, in UTC', pointInTime)
    .option('--task <task>', 'only of this task type')
    .option('-n, --limit <count>', 'how many', rowCount, 50)
    .addHelpText(
      'after',
      examples('failures', 'failures --since 2026-01-31', 'failures npub1… --task code --json'),
    )
    .action(async (who, options) => (await import('./failures.ts')).failures(who, options, io, print));
}
