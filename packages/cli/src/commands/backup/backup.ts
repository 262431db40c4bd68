import { dirname, join, resolve } from 'node:path';
import { backupSqlite } from '@bonafide/storage';
import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { type LedgerCommandOptions, withLedger } from '../../options.ts';
import { whileSaying } from '../../progress.ts';
import { databasePath, requireLedgerFile } from '../../workspace.ts';
import { contentsInWords, contentsOf } from './contents.ts';

/** `<folder of the ledger>/backups/ledger-<time>.db` */
function defaultTarget(path: string, now: number): string {
  return join(dirname(path), 'backups', `ledger-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
}

/** `bonafide backup [file]`: the ledger's file as it is now, beside a running agent, as one file (CLI-1, LED-27). */
async function backup(
  file: string | undefined,
  options: LedgerCommandOptions,
  { io, print }: CommandContext,
): Promise<void> {
  const path = databasePath(options, io.env);
  requireLedgerFile(path);
  const to = file === undefined ? defaultTarget(path, Date.now()) : resolve(file);
  const made = await whileSaying(io, 'Copying and checking', () => backupSqlite({ path, to }));
  const contents = await contentsOf(made.path, options.agent);
  if (options.json) print.json({ ...made, contents });
  else print.line(`${made.path}: ${contentsInWords(contents)}.`);
}

/** Adds `bonafide backup`. */
export function addBackup(program: Command, context: CommandContext): void {
  withLedger(program.command('backup'))
    .description('Copy the ledger, as it is now, into one file. The agent may go on.')
    .argument('[file]', 'where; there must be nothing yet (default: backups/ beside the ledger)')
    .addHelpText('after', examples('backup', 'backup /mnt/safe/ledger.db --workspace ./agent'))
    .action(async (file: string | undefined, options: LedgerCommandOptions) =>
      backup(file, options, context),
    );
}
