import { dirname, join, resolve } from 'node:path';
import { backupSqlite, openErasureList } from '@bonafide/storage';
import type { CommandContext } from '../../context.ts';
import { requireFile, requireSqlite } from '../../databases.ts';
import { ledgerSchema } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import { contentsInWords, contentsOf } from './contents.ts';

/** `<folder of the ledger>/backups/ledger-<time>.db` */
function defaultTarget(path: string, now: number): string {
  return join(dirname(path), 'backups', `ledger-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
}

/** `bonafide backup [file]`: copies the ledger into one file, also while an agent runs. */
export async function backup(
  file: string | undefined,
  options: LedgerCommandOptions,
  { io, print }: CommandContext,
): Promise<void> {
  const path = databasePath(options, io.env);
  requireSqlite(path, 'pg_dump');
  requireFile(path, ledgerSchema);
  const to = file === undefined ? defaultTarget(path, Date.now()) : resolve(file);
  // Before the copy is begun: what is erased meanwhile may be in it.
  const at = Date.now();
  const made = await whileSaying(io, 'Copying and checking', () => backupSqlite({ path, to }));
  // A later erasure has to name this copy.
  openErasureList(path).addBackup({ path: made.path, at });
  const contents = await contentsOf(made.path, options.agent);
  if (options.json) print.json({ ...made, contents });
  else print.line(`${made.path}: ${contentsInWords(contents)}.`);
}
