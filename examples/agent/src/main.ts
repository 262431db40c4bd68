// The command line of the demo. The agent's packages are loaded after it is parsed: help and usage errors come at once.
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a positive whole number.');
}

function relayUrl(text: string, before: readonly string[] = []): readonly string[] {
  if (/^wss?:$/.test(URL.parse(text)?.protocol ?? '')) return [...before, text];
  throw new InvalidArgumentError('Give a relay as wss://host or ws://host:port.');
}

const defaultWorkspace = resolve(import.meta.dirname, '../../../.bonafide/demo');

const program = new Command('npm run demo --')
  .description('Finds platforms, gives them trials, judges their code in a sandbox, and hires the good ones.')
  .option('--seed <n>', 'decides tasks, their order and the mistakes of the providers', count, 1)
  .option('--jobs <n>', 'number of jobs after the trials', count, 30)
  .option('--compare', 'repeat the jobs with an agent that remembers nothing, and print what each wasted')
  .addOption(
    new Option('--engine <engine>', 'one process over files, or three over Postgres')
      .choices(['embedded', 'postgres'])
      .default('embedded'),
  )
  .option('--json', 'print one JSON document instead of tables')
  .option('--workspace <folder>', 'folder of the run, which resumes after a kill', defaultWorkspace)
  .option('--fresh', 'start a new run, even when one can be resumed')
  .option('--relay <url...>', 'use real relays and their platforms instead of the embedded ones', relayUrl)
  .option('--key <file>', "the agent's secret key, nsec or hex, in a file of mode 0600")
  .configureOutput({ outputError: (text, write) => write(`${text.trimEnd()} (see --help)\n`) })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

/** Options of the demo. */
export type DemoOptions = ReturnType<typeof program.opts>;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    process.stderr.write('\nStopping …\n');
    stop.abort(new Error('Stopped. The same command resumes the run.'));
  });
}

try {
  const { runDemo } = await import('./demo.ts');
  const isDefault = (name: 'seed' | 'jobs' | 'workspace') => program.getOptionValueSource(name) === 'default';
  await runDemo(program.opts(), isDefault, stop.signal);
} catch (error) {
  // Everything that fails after the signal does so because of it.
  const { message } = (stop.signal.aborted ? stop.signal.reason : error) as Error;
  process.stderr.write(`\n${message}\n`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
}
