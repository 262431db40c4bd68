import { basename, dirname, join, resolve } from 'node:path';
import { backupSqlite, openErasureList } from '@bonafide/storage';
import type { CommandContext } from '../../context.ts';
import { requireFile, requireSqlite } from '../../databases.ts';
import { sha256OfFile } from '../../erasure-lists.ts';
import { ledgerSchema } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import { contentsInWords, contentsOf } from './contents.ts';

/** `<folder of the ledger>/backups/ledger-<time>.db`, or the name of another database in place of `ledger` */
function defaultTarget(path: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(':', '-');
  return join(dirname(path), 'backups', `${basename(path, '.db')}-${time}.db`);
}

/** `bonafide backup [file]`: copies the ledger, or another database of the agent, into one file, also while an agent runs. */
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
  openErasureList(path).addBackup({ path: made.path, at, sha256: await sha256OfFile(made.path) });
  const contents = await contentsOf(made.path, options.agent);
  if (options.json) print.json({ ...made, contents });
  else print.line(`${made.path}: ${contentsInWords(contents)}.`);
}
