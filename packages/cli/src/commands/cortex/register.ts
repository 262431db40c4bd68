import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { rowCount, withLedger } from '../../options.ts';
import { wholeMsat } from '../job/options.ts';

function cycleNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the number of a cycle, as history shows it.');
}

const withCortex = (command: Command) =>
  withLedger(command).option('--state <file>', "the cortex's state (default: agent.db beside the ledger)");

/** Registers `bonafide cortex …`. */
export function registerCortex(program: Command, { io, print, onFailed }: CommandContext): void {
  const cortex = program
    .command('cortex')
    .description("The agent's reflecting loop. Only pin, veto and revert change anything.")
    .addHelpText('after', examples('cortex beliefs', 'cortex history', 'cortex replay 12'));

  withCortex(cortex.command('beliefs'))
    .description('List what the cortex believes now, and its source: facts, a model or the operator.')
    .addHelpText('after', examples('cortex beliefs', 'cortex beliefs --workspace ./agent --json'))
    .action(async (options) => (await import('./show.ts')).cortexBeliefs(options, io, print));

  withCortex(cortex.command('history'))
    .description('List the last cycles: trigger, result, limited and dropped items, cost.')
    .option('-n, --limit <count>', 'how many', rowCount, 20)
    .addHelpText('after', examples('cortex history', 'cortex history --limit 5 --json'))
    .action(async (options) => (await import('./show.ts')).cortexHistory(options, io, print));

  withCortex(cortex.command('replay'))
    .description('Compute the decisions of a cycle again from its record. Exit code 1 when they differ.')
    .argument('<cycle>', 'its number', cycleNumber)
    .addHelpText('after', examples('cortex replay 12'))
    .action(async (cycle, options) => {
      const { cortexReplay } = await import('./show.ts');
      if (!(await cortexReplay(cycle, options, io, print))) onFailed();
    });

  withCortex(cortex.command('revert'))
    .description('Undo a cycle: its beliefs go, and corrections by the operator are appended.')
    .argument('<cycle>', 'its number', cycleNumber)
    .addHelpText('after', examples('cortex revert 12'))
    .action(async (cycle, options) => (await import('./change.ts')).cortexRevert(cycle, options, io, print));

  withCortex(cortex.command('pin'))
    .description("Keep a belief from expiring, or write one in the operator's words with --text.")
    .argument('<key>', 'key of the belief')
    .option('--peer <peer>', 'the peer that it is about: handle, full id or npub')
    .option('--text <words>', 'what to believe')
    .option('--undo', 'let it expire again', false)
    .addHelpText(
      'after',
      examples('cortex pin work-record --peer p-k3x7q2ma', "cortex pin tone --text 'Stay polite.'"),
    )
    .action(async (key, options) => (await import('./change.ts')).cortexPin(key, options, io, print));

  withCortex(cortex.command('veto'))
    .description('Remove a belief and keep it from coming back.')
    .argument('<key>', 'key of the belief')
    .option('--peer <peer>', 'the peer that it is about: handle, full id or npub')
    .option('--undo', 'let it be formed again', false)
    .addHelpText('after', examples('cortex veto work-record --peer p-k3x7q2ma'))
    .action(async (key, options) => (await import('./change.ts')).cortexVeto(key, options, io, print));

  withCortex(cortex.command('consult'))
    .description("What the record says about a peer's request: approve, deny or conditional. Asks no model.")
    .argument('<peer>', 'handle, full id or npub')
    .argument('<request>', 'what the peer asks for')
    .option('--amount <msat>', 'what is at stake', wholeMsat)
    .addHelpText('after', examples("cortex consult p-k3x7q2ma 'Please pay in advance.' --amount 50000"))
    .action(async (peer, request, options) =>
      (await import('./show.ts')).cortexConsult({ peer, request }, options, io, print),
    );
}
