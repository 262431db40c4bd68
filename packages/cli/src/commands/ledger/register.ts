import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { pointInTime, rowCount, trustScore, withLedger } from '../../options.ts';

/** Registers `bonafide ledger …`. */
export function registerLedger(program: Command, { io, print }: CommandContext): void {
  const ledger = program
    .command('ledger')
    .description(
      "The agent's journal of peers. Only assess, prune, void, forget and erase-again change anything.",
    )
    .addHelpText('after', examples('ledger list', 'ledger show p-k3x7q2ma', 'ledger summary'));

  withLedger(ledger.command('list'))
    .description('List the peers that the agent knows, most recently seen first.')
    .option('-n, --limit <count>', 'how many', rowCount, 50)
    .option('--cursor <cursor>', 'where to continue, from the previous page')
    .option('--why', 'also the reason of the latest assessment', false)
    .addHelpText(
      'after',
      examples('ledger list', 'ledger list --why --workspace ./agent', 'ledger list --limit 10 --json'),
    )
    .action(async (options) => (await import('./list.ts')).ledgerList(options, io, print));

  withLedger(ledger.command('show'))
    .description('Show one peer: its last 20 interactions and every assessment with its reason.')
    .argument('<peer>', 'handle as other commands show it, full id or npub')
    .option('--all', 'all interactions', false)
    .addHelpText(
      'after',
      examples('ledger show p-k3x7q2ma', 'ledger show telegram:4711 --all', 'ledger show npub1… --json'),
    )
    .action(async (peer, options) => (await import('./show.ts')).ledgerShow(peer, options, io, print));

  withLedger(ledger.command('summary'))
    .description("The whole ledger in a few numbers, or one peer's work and what looks odd about it.")
    .argument('[peer]', 'as for show')
    .addHelpText('after', examples('ledger summary', 'ledger summary p-k3x7q2ma', 'ledger summary --json'))
    .action(async (peer, options) => (await import('./summary.ts')).ledgerSummary(peer, options, io, print));

  withLedger(ledger.command('assess'))
    .description("Record the operator's own judgment of a peer. At -3 and below, the agent refuses the peer.")
    .argument('<peer>', 'as for show')
    .requiredOption('--trust <score>', 'from -10 (proven bad actor) to 10 (always delivers)', trustScore)
    .requiredOption('--because <rationale>', 'why; an assessment without a reason is not recorded')
    .addHelpText(
      'after',
      examples("ledger assess p-k3x7q2ma --trust -6 --because 'Disputed a correct delivery.'"),
    )
    .action(async (peer, options) => (await import('./assess.ts')).ledgerAssess(peer, options, io, print));

  withLedger(ledger.command('export'))
    .description('Print every assessment with both scores and its reason, one JSON document a line.')
    .option('--peer <peer>', 'only of this peer; as for show')
    .option('--since <day>', 'only from this day or moment on', pointInTime)
    .option(
      '--source <name>',
      "what the agent is called in the records; its npub, for one (default: the agent's id)",
    )
    .option(
      '--evidence',
      "instead: the signed events that the peer's infoScore rests on; needs --peer",
      false,
    )
    .addHelpText(
      'after',
      examples(
        'ledger export > assessments.jsonl',
        'ledger export --since 2026-01-01 --json',
        'ledger export --peer npub1… --evidence',
      ),
    )
    .action(async (options, command) => {
      if (options.evidence && options.peer === undefined)
        command.error('error: --evidence needs --peer <peer>');
      const { ledgerExport } = await import('./export.ts');
      await ledgerExport(options, io, print);
    });

  withLedger(ledger.command('prune'))
    .description(
      'Remove the text of earlier messages permanently. Counts, outcomes and assessments stay; no score moves.',
    )
    .requiredOption('--before <day>', 'messages before this day or moment', pointInTime)
    .option('--yes', 'do it', false)
    .addHelpText('after', examples('ledger prune --before 2026-01-01 --yes'))
    .action(async (options) => (await import('./prune.ts')).ledgerPrune(options, io, print));

  withLedger(ledger.command('search'))
    .description('Search messages that contain every word, newest first.')
    .argument('<words...>', 'words, compared without case')
    .option('--peer <peer>', 'only of this peer; as for show')
    .option('-n, --limit <count>', 'how many', rowCount, 20)
    .option('--cursor <cursor>', 'where to continue, from the previous page')
    .addHelpText(
      'after',
      examples('ledger search invoice', 'ledger search late delivery --peer telegram:4711'),
    )
    .action(async (words, options) => (await import('./search.ts')).ledgerSearch(words, options, io, print));

  withLedger(ledger.command('void'))
    .description(
      'Take an interaction that was recorded by mistake out of counts, times and rates. The row stays.',
    )
    .argument('<interaction>', 'interactionId, as show --json prints it')
    .requiredOption('--because <reason>', 'why; stored with the row')
    .option('--yes', 'do it', false)
    .addHelpText('after', examples("ledger void 018bcfe5-… --because 'Was meant for another peer.' --yes"))
    .action(async (interaction, options) =>
      (await import('./void.ts')).ledgerVoid(interaction, options, io, print),
    );

  withLedger(ledger.command('forget'))
    .description(
      'Erase a peer from the ledger and from the stores of jobs, discovery, routing and reviews. An anonymous peer keeps the counts.',
    )
    .argument('<peer>', 'as for show')
    .requiredOption('--because <reason>', 'why')
    .option('--keep-verdict', 'if the peer is refused now, refuse it when it returns', false)
    .option('--yes', 'do it', false)
    .addHelpText('after', examples("ledger forget telegram:4711 --because 'Asked for it.' --yes"))
    .action(async (peer, options) => (await import('./forget.ts')).ledgerForget(peer, options, io, print));

  withLedger(ledger.command('erase-again'))
    .description(
      'Repeat every erasure after the database was restored by other means than `bonafide restore`, such as pg_restore.',
    )
    .option('--made-at <time>', 'when the backup was begun (default: unknown)', pointInTime)
    .option('--yes', 'do it', false)
    .addHelpText('after', examples('ledger erase-again --db postgres://… --made-at 2026-01-31T12:00Z --yes'))
    .action(async (options) => (await import('./erase-again.ts')).ledgerEraseAgain(options, io, print));
}
