import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addBackup } from './commands/backup/backup.ts';
import { addRestore } from './commands/backup/restore.ts';
import { addDiscover } from './commands/discover.ts';
import { addDoctor } from './commands/doctor.ts';
import { addJob } from './commands/job/request.ts';
import { addJudge } from './commands/judge/run.ts';
import { addLedger } from './commands/ledger/ledger.ts';
import { addProvider } from './commands/provider/run.ts';
import { addSla } from './commands/sla/sla.ts';
import { addTrust } from './commands/trust/trust.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './errors.ts';
import { examples } from './help.ts';
import type { CliIo } from './io.ts';
import { createPrinter } from './print.ts';

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const parsed: { readonly version?: string } = JSON.parse(text);
  return parsed.version ?? 'unknown';
}

/** All commands, on `io`. `onExit` is told the exit code of a command that ends well but not with 0. */
export function buildProgram(io: CliIo, onExit: (code: number) => void): Command {
  const program = new Command('bonafide')
    .description('Whom the agent knows, what it makes of them, and whether this machine has what it needs.')
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', examples('doctor', 'ledger list', 'ledger show npub1… --all'));

  const context: CommandContext = {
    io,
    print: createPrinter(io),
    onFailed: () => onExit(exitCodes.failed),
  };
  addDoctor(program, context);
  addDiscover(program, context);
  addJob(program, context);
  addProvider(program, context);
  addLedger(program, context);
  addBackup(program, context);
  addRestore(program, context);
  addJudge(program, context);
  addTrust(program, context);
  addSla(program, context);
  return program;
}
