import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { seconds, wholeMsat, withNostr } from './options.ts';
import { type JobRequestOptions, jobRequest, walletVariable } from './request.ts';

const kindNumber = (text: string): number => {
  const kind = Number(text);
  if (Number.isInteger(kind) && kind >= 5_000 && kind <= 5_999) return kind;
  throw new InvalidArgumentError('Give the kind of job, a whole number from 5000 to 5999.');
};

const keyValue = (text: string, before: readonly (readonly [string, string])[]) => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give a parameter as key=value.');
  return [...before, [text.slice(0, at), text.slice(at + 1)] as const];
};

/** Registers `bonafide job …`. */
export function registerJob(program: Command, { io, print, onFailed }: CommandContext): void {
  const job = program
    .command('job')
    .description('Have work done by others over Nostr (NIP-90).')
    .addHelpText('after', examples('job request "6 × 7" --kind 5050 --relay wss://relay.example'));
  withNostr(job.command('request'))
    .description('Ask for one piece of work, follow it and print the result.')
    .argument('[text]', 'what to work on')
    .option('-k, --kind <number>', 'the kind of job', kindNumber, 5_050)
    .option('-p, --provider <npub>', 'whose work is wanted (default: anybody, the first result counts)')
    .option('--param <key=value>', 'a parameter; may be given several times', keyValue, [])
    .option('--output <mime>', 'the form wanted, such as json')
    .option('--bid <msat>', 'the most to pay', wholeMsat)
    .option('--encrypt', 'let nobody but the provider read it', false)
    .option('--id <name>', 'a name of your own: asked again with it, the job is gone on with, not made anew')
    .option('--wallet-file <file>', `a Nostr Wallet Connect address to pay with (default: ${walletVariable})`)
    .option('--timeout <seconds>', 'patience with the provider', seconds, 300)
    .addHelpText(
      'after',
      examples(
        'job request "6 × 7" --provider npub1… --relay wss://relay.example',
        'job request "secret" --provider npub1… --encrypt --relay wss://relay.example --json',
        'job request "a poem" --bid 5000 --id poem --workspace ./agent --relay wss://relay.example',
      ),
    )
    .action(async (text: string | undefined, options: JobRequestOptions) => {
      if (!(await jobRequest(text, options, io, print))) onFailed();
    });
}
