import { isBonafideError } from '@bonafide/internal';
import type { Command } from 'commander';
import { keyVariable } from '../../agent-signer.ts';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { examples } from '../../help.ts';
import { withRelays } from '../../options.ts';
import { factors } from './factors.ts';

/** Registers `bonafide trust …`. */
export function registerTrust(program: Command, { io, print, onFailed }: CommandContext): void {
  const check = async (done: Promise<boolean>) => {
    if (!(await done)) onFailed();
  };
  const json = (command: Command) => command.option('--json', 'print one JSON document', false);
  const policy = (command: Command) =>
    json(command)
      .option('--policy <file>', 'rules that differ from the strict default, as JSON')
      .option('--customers <file>', 'public keys of customers that you know, as JSON');
  const trust = program
    .command('trust')
    .description('Create, read and verify trust reports. A file may be - for standard input.')
    .addHelpText('after', examples('trust report report.json', 'trust audit report.json'));

  withRelays(policy(trust.command('report')), 'with --publish: a relay to publish to')
    .description('Print a trust report as text; create and sign it first when the file is evidence.')
    .argument('<file>', 'a report, or evidence: { agentId, version, evidence, tierEvidence, receipts }')
    .option('--key-file <file>', `the agent's key, in a file of mode 0600 (default: $${keyVariable})`)
    .option('--publish', 'publish the report as the event that was signed, unless it is not valid', false)
    .addHelpText(
      'after',
      examples(
        'trust report report.json',
        'trust report evidence.json --json > report.json',
        'trust report report.json --publish --relay wss://nos.lol',
      ),
    )
    .action(async (file, given) => check((await import('./report.ts')).report(file, given, io, print)));

  policy(trust.command('verify'))
    .description(
      'Verify signature, signer, subject, dates and terms of a report, name changed values, and compare its score with its evidence.',
    )
    .argument('<file>', 'a report')
    .option('--signer <key>', 'public key that must have signed it, as npub or hex')
    .option('--subject <agent>', 'agent that it must be about: its id, npub or hex key')
    .addHelpText(
      'after',
      examples('trust verify report.json --signer npub1…', 'trust verify report.json --json'),
    )
    .action(async (file, given) => check((await import('./report.ts')).verify(file, given, print)));

  policy(trust.command('audit'))
    .description(
      'Recompute a report on your terms, list disagreements, and say what is proved and what only claimed.',
    )
    .argument('<file>', 'a report')
    .addHelpText('after', examples('trust audit report.json', 'trust audit report.json --json'))
    .action(async (file, given) =>
      check(
        (await import('./report.ts')).audit(file, given, print).catch((error: unknown) => {
          throw isBonafideError(error, 'INVALID_INPUT')
            ? new CliError('USAGE', error.message, { cause: error })
            : error;
        }),
      ),
    );

  policy(trust.command('verify-factor'))
    .description('Show one factor with its evidence, and recompute it.')
    .argument('<file>', 'a report')
    .argument('<factor>', factors.join(', '))
    .addHelpText('after', examples('trust verify-factor report.json test_coverage'))
    .action(async (file, factor, given) =>
      check((await import('./report.ts')).verifyFactor(file, factor, given, print)),
    );
}
