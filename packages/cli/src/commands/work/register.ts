import { type Command, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { wholeNumber, withAgent } from '../../options.ts';

const withDatabase = (command: Command): Command =>
  withAgent(
    command
      .option(
        '-w, --workspace <dir>',
        "the agent's folder; its orders are in <dir>/agent.db (default: ~/.bonafide)",
      )
      .option('--db <file or url>', 'the database: a file, or postgres://…'),
  ).option('--json', 'print one JSON document', false);

/** Registers `bonafide work …`. The delegation is loaded by the command that needs it. */
export function registerWork(program: Command, { io, print, onFailed }: CommandContext): void {
  const work = program
    .command('work')
    .description("The agent's orders: what was delegated to which platform, why, and the result.")
    .addHelpText('after', examples('work list --open', 'work show order-7'));

  withDatabase(work.command('list'))
    .description('List orders, newest first.')
    .option('--open', 'only orders with something left to do', false)
    .addOption(
      new Option('--status <status>', 'only orders in this status').choices([
        'open',
        'delivered',
        'failed',
        'cancelled',
      ]),
    )
    .option('--trials', 'only trials of platforms', false)
    .option('-n, --limit <count>', 'how many, up to 500', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'where to continue, as the page before said')
    .addHelpText(
      'after',
      examples('work list', 'work list --status failed --json', 'work list --db postgres://localhost/agent'),
    )
    .action(async (options) => (await import('./work.ts')).workList(options, io, print));

  withDatabase(work.command('show'))
    .description('Show one order: each platform that was asked, why, its money and its outcome.')
    .argument('<order>', 'id of the order')
    .addHelpText('after', examples('work show order-7', 'work show order-7 --json'))
    .action(async (id, options) => (await import('./work.ts')).workShow(id, options, io, print));

  withDatabase(work.command('cancel'))
    .description('Cancel an order. Open requests are taken back; what was paid stays paid.')
    .argument('<order>', 'id of the order')
    .option('--because <reason>', 'why; stored with the order', 'The operator cancelled the order.')
    .addHelpText('after', examples("work cancel order-7 --because 'Not needed any more.'"))
    .action(async (id, options) => {
      const { workCancel } = await import('./work.ts');
      if (!(await workCancel(id, options, io, print))) onFailed();
    });
}
