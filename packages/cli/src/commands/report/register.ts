import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { pointInTime, withLedger } from '../../options.ts';

/** Registers `bonafide report`. */
export function registerReport(program: Command, { io, print }: CommandContext): void {
  withLedger(program.command('report'))
    .description(
      'Say what the agent has learnt and what bad work has cost; show platforms, work, peers, beliefs and reviews.',
    )
    .option('--since <day>', 'only work from this day or moment on', pointInTime)
    .addHelpText('after', examples('report', 'report --workspace ./agent --json'))
    .action(async (options) => (await import('./report.ts')).report(options, io, print));
}
