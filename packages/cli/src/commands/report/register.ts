import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { pointInTime, withLedger } from '../../options.ts';

/** Registers `bonafide report`. */
export function registerReport(program: Command, { io, print }: CommandContext): void {
  withLedger(program.command('report'))
    .description(
      'Show the agent at a glance: platforms, latest work, peers with reasons, beliefs and reviews.',
    )
    .option('--since <day>', 'with --json: only work from this day or moment on', pointInTime)
    .addHelpText('after', examples('report', 'report --workspace ./agent --json'))
    .action(async (options) => (await import('./report.ts')).report(options, io, print));
}
