import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { withAgent } from '../../options.ts';
import { withBlossom, withNostr } from '../job/options.ts';
import { withWallet } from '../job/wallet.ts';
import type { ProviderRunOptions } from './run.ts';

/** Registers `bonafide provider …`. */
export function registerProvider(program: Command, { io, print }: CommandContext): void {
  const provider = program
    .command('provider')
    .description('Do work for others over Nostr (NIP-90).')
    .addHelpText('after', examples('provider run ./provider.ts --relay wss://relay.example'));
  withBlossom(withWallet(withNostr(provider.command('run'))), 'results')
    .description('Answer jobs with the handler of a module, until it is interrupted.')
    .argument(
      '<module>',
      'exports kinds and handler; may export price, invoices, admit, card, broadcast, concurrency',
    )
    .addHelpText(
      'after',
      examples(
        'provider run ./provider.ts --relay wss://relay.example --workspace ./provider --key-file ./key',
      ),
    )
    .action(async (path: string, options: ProviderRunOptions) =>
      (await import('./run.ts')).providerRun(path, options, io, print),
    );
  withAgent(provider.command('receipts'))
    .description('Print the receipts of customers, one JSON document per line, for a trust report.')
    .option('-w, --workspace <dir>', 'folder of the provider')
    .option('--json', 'print one JSON document instead of one a line', false)
    .addHelpText('after', examples('provider receipts --workspace ./provider > receipts.jsonl'))
    .action(async (options) => (await import('./receipts.ts')).providerReceipts(options, print));
}
