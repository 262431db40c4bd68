import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { withAgent, withRelays, withWorkspace } from '../../options.ts';
import { withBackend } from '../judge/backend.ts';

/** Registers `bonafide doctor`. */
export function registerDoctor(program: Command, { io, print, onFailed }: CommandContext): void {
  withBackend(withRelays(withAgent(withWorkspace(program.command('doctor'))), 'a relay that should answer'))
    .description('Say what is missing on this machine, and the command that mends it.')
    .option('--no-sandbox', "don't look at the sandbox, for an agent that judges no code")
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples(
        'doctor',
        'doctor --backend container',
        'doctor --relay wss://relay.damus.io',
        'doctor --workspace ./agent --json',
      ),
    )
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts');
      if (!(await doctor(options, io, print))) onFailed();
    });
}
