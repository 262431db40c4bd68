import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { wholeNumber } from '../../options.ts';
import type { JobListOptions, JobPayOptions, JobReceiptOptions } from './manage.ts';
import { type NostrOptions, seconds, wholeMsat, withBlossom, withNostr } from './options.ts';
import type { JobRequestOptions } from './request.ts';
import { type WalletOptions, withWallet } from './wallet.ts';

const fullId = (text: string): string => {
  if (/^[0-9a-f]{64}$/u.test(text)) return text;
  throw new InvalidArgumentError('Give the whole id of the job, 64 hex digits; `job list` shows it.');
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
  withBlossom(withWallet(withNostr(job.command('request'))), 'inputs')
    .description('Request one piece of work, follow it and print the result.')
    .argument('[text]', 'what to work on')
    .option('-k, --kind <number>', 'the kind of job, 5000 to 5999', wholeNumber(5_000, 5_999), 5_050)
    .option('-p, --provider <npub>', 'the provider to hire (default: the first one that answers)')
    .option('--param <key=value>', 'a parameter; may be given several times', keyValue, [])
    .option('--output <mime>', 'the form wanted, such as json')
    .option('--bid <msat>', 'the highest price for this job', wholeMsat)
    .option('--budget <msat>', 'the highest spending of all jobs per day, fees included', wholeMsat)
    .option('--encrypt', 'encrypt the request for the provider', false)
    .option('--id <name>', 'idempotency key: a repeated call with it resumes the job')
    .option('--timeout <seconds>', 'time limit for the provider', seconds, 300)
    .addHelpText(
      'after',
      examples(
        'job request "6 × 7" --provider npub1… --relay wss://relay.example',
        'job request "secret" --provider npub1… --encrypt --relay wss://relay.example --json',
        'job request "a poem" --bid 5000 --id poem --workspace ./agent --relay wss://relay.example',
      ),
    )
    .action(async (text: string | undefined, options: JobRequestOptions) => {
      const { jobRequest } = await import('./request.ts');
      if (!(await jobRequest(text, options, io, print))) onFailed();
    });
  withWallet(withNostr(job.command('pay')))
    .description('Pay for a result that asks for a payment.')
    .argument('<job>', 'the id of the job', fullId)
    .option('--max <msat>', "the highest amount (default: the job's bid)", wholeMsat)
    .option('--budget <msat>', 'the highest spending of all jobs per day, fees included', wholeMsat)
    .addHelpText('after', examples('job pay 3f… --max 5000 --workspace ./agent --relay wss://relay.example'))
    .action(async (id: string, options: JobPayOptions) =>
      (await import('./manage.ts')).jobPay(id, options, io, print),
    );
  withWallet(withNostr(job.command('claim')))
    .description('Print the result of a job that was paid and ended without one.')
    .argument('<job>', 'the id of the job', fullId)
    .addHelpText('after', examples('job claim 3f… --workspace ./agent --relay wss://relay.example'))
    .action(async (id: string, options: NostrOptions & WalletOptions) => {
      const { jobClaim } = await import('./manage.ts');
      if (!(await jobClaim(id, options, io, print))) onFailed();
    });
  withNostr(job.command('receipt'))
    .description('Sign the outcome of a job and send it to its provider, encrypted.')
    .argument('<job>', 'the id of the job', fullId)
    .addOption(
      new Option('--outcome <outcome>', 'what the judgment was')
        .choices(['success', 'partial', 'failure', 'timeout', 'violation'])
        .makeOptionMandatory(),
    )
    .option('--evidence <text>', 'digest or address of what supports it')
    .addHelpText(
      'after',
      examples('job receipt 3f… --outcome success --workspace ./agent --relay wss://relay.example'),
    )
    .action(async (id: string, options: JobReceiptOptions) => {
      const { jobReceipt } = await import('./manage.ts');
      if (!(await jobReceipt(id, options, io, print))) onFailed();
    });
  withNostr(job.command('list'))
    .description('List the jobs of a workspace, newest first.')
    .option('--open', 'running jobs only', false)
    .option('--claimable', 'paid jobs without a result only', false)
    .option('--limit <number>', 'the number of jobs, up to 500', wholeNumber(1, 500), 50)
    .addHelpText('after', examples('job list --workspace ./agent --claimable'))
    .action(async (options: JobListOptions) => (await import('./manage.ts')).jobList(options, print));
}
