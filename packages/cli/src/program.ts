import { readFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { registerBackup } from './commands/backup/register.ts';
import { registerComplete } from './commands/complete/register.ts';
import { registerCortex } from './commands/cortex/register.ts';
import { registerDiscover } from './commands/discover/register.ts';
import { registerDoctor } from './commands/doctor/register.ts';
import { registerFailures } from './commands/failures/register.ts';
import { registerJob } from './commands/job/register.ts';
import { registerJudge } from './commands/judge/register.ts';
import { registerLedger } from './commands/ledger/register.ts';
import { registerProvider } from './commands/provider/register.ts';
import { registerReport } from './commands/report/register.ts';
import { registerReviews } from './commands/reviews/register.ts';
import { registerRoutes } from './commands/routes/register.ts';
import { registerSla } from './commands/sla/register.ts';
import { registerThresholds } from './commands/thresholds/register.ts';
import { registerTrust } from './commands/trust/register.ts';
import { registerWork } from './commands/work/register.ts';
import type { CommandContext, RegisterCommand } from './context.ts';
import { exitCodes } from './errors.ts';
import { examples } from './help.ts';
import { createPrinter } from './print.ts';
import type { CommandIo } from './progress.ts';

/** Every command, in the order of `--help`. */
const commands: readonly RegisterCommand[] = [
  registerDoctor,
  registerReport,
  registerDiscover,
  registerJob,
  registerProvider,
  registerWork,
  registerFailures,
  registerLedger,
  registerCortex,
  registerBackup,
  registerJudge,
  registerTrust,
  registerReviews,
  registerRoutes,
  registerThresholds,
  registerSla,
  registerComplete,
];

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const parsed: { readonly version?: string } = JSON.parse(text);
  return parsed.version ?? 'unknown';
}

/** The methods of commander by which a command ends with a usage error. They are not in its types. */
interface UsageErrors {
  unknownOption(flag: string): void;
  missingMandatoryOptionValue(option: Option): void;
}

/** A command that names a misspelt option before the required option that is missing because of it. */
class CarefulCommand extends Command {
  override createCommand(name?: string): Command {
    return new CarefulCommand(name);
  }

  missingMandatoryOptionValue(option: Option): void {
    const unknown = this.args.find((each) => /^-{1,2}[a-z]/iu.test(each));
    if (unknown !== undefined) (this as unknown as UsageErrors).unknownOption(unknown);
    (Command.prototype as unknown as UsageErrors).missingMandatoryOptionValue.call(this, option);
  }
}

/**
 * Creates the program with all commands.
 *
 * @param onExit - receives the exit code of a command that completes with another code than 0
 */
export function buildProgram(io: CommandIo, onExit: (code: number) => void): Command {
  const program = new CarefulCommand('bonafide')
    .description("Shows an agent's ledger, finds and hires platforms, judges code, and checks this machine.")
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .configureHelp({ ...(io.stdout.columns === undefined ? {} : { helpWidth: io.stdout.columns }) })
    .showHelpAfterError('(see --help)')
    .addHelpText(
      'after',
      examples('doctor', 'report --workspace ./agent', 'ledger list', 'ledger show npub1… --all'),
    );

  const context: CommandContext = {
    io,
    print: createPrinter(io),
    onFailed: () => onExit(exitCodes.failed),
  };
  for (const register of commands) register(program, context);
  return program;
}
