import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { addDiscover } from './commands/discover.ts';
import { doctor, relayOption } from './commands/doctor.ts';
import { addJob } from './commands/job/request.ts';
import { judgeRun } from './commands/judge/run.ts';
import { ledgerAssess } from './commands/ledger-assess.ts';
import { ledgerExport } from './commands/ledger-export.ts';
import { ledgerList } from './commands/ledger-list.ts';
import { ledgerPrune } from './commands/ledger-prune.ts';
import { ledgerShow } from './commands/ledger-show.ts';
import { ledgerSummary } from './commands/ledger-summary.ts';
import { addProvider } from './commands/provider/run.ts';
import { addSla } from './commands/sla/sla.ts';
import { addTrust } from './commands/trust/trust.ts';
import { CliError, exitCodes } from './errors.ts';
import type { CliIo } from './io.ts';
import { pointInTime, rowCount, trustScore, withLedger, withWorkspace } from './options.ts';
import { createPrinter } from './print.ts';

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const parsed: { readonly version?: string } = JSON.parse(text);
  return parsed.version ?? 'unknown';
}

const exits = `
Exit codes:
  0  done, nothing wrong
  1  failed, found nobody, or doctor found something to mend
  2  the command line is wrong`;

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ bonafide ${line}`).join('\n')}\n${exits}`;
}

/** All commands, on `io`. `onExit` is told the exit code of a command that ends well but not with 0. */
export function buildProgram(io: CliIo, onExit: (code: number) => void): Command {
  const print = createPrinter(io);
  const program = new Command('bonafide')
    .description('Whom the agent knows, what it makes of them, and whether this machine has what it needs.')
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', examples('doctor', 'ledger list', 'ledger show npub1… --all'));

  withWorkspace(program.command('doctor'))
    .description('Say what is missing on this machine, and the command that mends it.')
    .option(
      '--relay <url>',
      'a relay that should answer; may be given several times',
      (url, before: readonly string[]) => {
        try {
          return relayOption(url, before);
        } catch (error) {
          throw error instanceof CliError ? new InvalidArgumentError(error.message) : error;
        }
      },
      [] as readonly string[],
    )
    .option('--no-sandbox', "don't look at the sandbox, for an agent that judges no code")
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples('doctor', 'doctor --relay wss://relay.damus.io', 'doctor --workspace ./agent --json'),
    )
    .action(async (options) => {
      if (!(await doctor(options, io, print))) onExit(exitCodes.failed);
    });

  addDiscover(program, io, print, {
    examples: examples(
      'discover',
      'discover --capability code-generation',
      'discover --relay wss://relay.damus.io --kind 5050 --watch --json',
    ),
    onNobody: () => onExit(exitCodes.failed),
  });

  addJob(program, io, print, { examples, onFailed: () => onExit(exitCodes.failed) });
  addProvider(program, io, print, { examples });

  const ledger = program
    .command('ledger')
    .description("The agent's journal of peers. Only assess and prune change anything.")
    .addHelpText('after', examples('ledger list', "ledger show '3bf0c63f…459d'", 'ledger summary'));

  withLedger(ledger.command('list'))
    .description('List the peers that the agent knows, most recently seen first.')
    .option('-n, --limit <count>', 'how many', rowCount, 50)
    .option('--cursor <cursor>', 'where to go on, as the page before said')
    .addHelpText(
      'after',
      examples('ledger list', 'ledger list --limit 10 --json', 'ledger list --workspace ./agent'),
    )
    .action(async (options) => ledgerList(options, io, print));

  withLedger(ledger.command('show'))
    .description('Show one peer: its last 20 interactions and every assessment with its reason.')
    .argument('<peer>', "id, npub, the name it has on its channel, or a short id such as '3bf0c63f…459d'")
    .option('--all', 'all interactions', false)
    .addHelpText(
      'after',
      examples("ledger show '3bf0c63f…459d'", 'ledger show telegram:4711 --all', 'ledger show npub1… --json'),
    )
    .action(async (peer, options) => ledgerShow(peer, options, io, print));

  withLedger(ledger.command('summary'))
    .description("The whole ledger in a few numbers, or one peer's work and what looks odd about it.")
    .argument('[peer]', 'as for show')
    .addHelpText(
      'after',
      examples('ledger summary', "ledger summary '3bf0c63f…459d'", 'ledger summary --json'),
    )
    .action(async (peer, options) => ledgerSummary(peer, options, io, print));

  withLedger(ledger.command('assess'))
    .description("Record the operator's own judgment of a peer. At -3 and below, the agent refuses the peer.")
    .argument('<peer>', 'as for show')
    .requiredOption('--trust <score>', 'from -10 (proven bad actor) to 10 (always delivers)', trustScore)
    .requiredOption('--because <rationale>', 'why; an assessment without a reason is not recorded')
    .addHelpText(
      'after',
      examples("ledger assess '3bf0c63f…459d' --trust -6 --because 'Disputed a correct delivery.'"),
    )
    .action(async (peer, options) => ledgerAssess(peer, options, io, print));

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
      await ledgerExport(options, io, print);
    });

  withLedger(ledger.command('prune'))
    .description(
      'Remove the text of old messages for good. Counts, outcomes and assessments stay; no score moves.',
    )
    .requiredOption('--before <day>', 'messages before this day or moment', pointInTime)
    .option('--yes', 'do it', false)
    .addHelpText('after', examples('ledger prune --before 2026-01-01 --yes'))
    .action(async (options) => ledgerPrune(options, io, print));

  const judge = program
    .command('judge')
    .description("Run a stranger's code against hidden tests, in a sandbox.")
    .addHelpText('after', examples('judge run solution.py --suite suite.json'));

  judge
    .command('run')
    .description('Judge one artifact and print the verdict, what it cost, and the evidence.')
    .argument('<artifact>', 'a file of Python or JavaScript, or a folder with a solution.py or solution.js')
    .requiredOption('--suite <suite>', 'a suite in JSON, or a file or folder of pytest')
    .option(
      '--quality',
      'also measure coverage, pylint, bandit and mypy, as far as they are installed',
      false,
    )
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples(
        'judge run solution.py --suite suite.json --quality',
        'judge run ./returned --suite ./tests --json',
        'doctor',
      ),
    )
    .action(async (artifact, options) => {
      if (!(await judgeRun(artifact, options, print))) onExit(exitCodes.failed);
    });

  const checks = { examples, onFailed: () => onExit(exitCodes.failed) };
  addTrust(program, io, print, checks);
  addSla(program, print, checks);

  return program;
}
