import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { type LedgerCommandOptions, withLedger } from '../../options.ts';
import type { RestoreOptions } from './restore.ts';

function backupCommand(program: Command, context: CommandContext): void {
  withLedger(program.command('backup'))
    .description('Copy the current ledger into one file. The agent may keep running.')
    .argument('[file]', 'where; there must be nothing yet (default: backups/ beside the ledger)')
    .addHelpText('after', examples('backup', 'backup /mnt/safe/ledger.db --workspace ./agent'))
    .action(async (file: string | undefined, options: LedgerCommandOptions) =>
      (await import('./backup.ts')).backup(file, options, context),
    );
}

function restoreCommand(program: Command, context: CommandContext): void {
  withLedger(program.command('restore'))
    .description('Put a backup in the place of the ledger, as a whole. Stop the agent first.')
    .argument('<file>', 'what `bonafide backup` made')
    .option('--dry-run', 'check everything, change nothing', false)
    .option('--yes', 'do it', false)
    .addHelpText(
      'after',
      examples('restore backups/ledger.db --dry-run', 'restore backups/ledger.db --workspace ./agent --yes'),
    )
    .action(async (file: string, options: RestoreOptions) =>
      (await import('./restore.ts')).restore(file, options, context),
    );
}

/** Registers `bonafide backup` and `bonafide restore`. */
export function registerBackup(program: Command, context: CommandContext): void {
  backupCommand(program, context);
  restoreCommand(program, context);
}
