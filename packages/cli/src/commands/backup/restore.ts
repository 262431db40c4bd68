import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openErasureList, restoreSqlite } from '@bonafide/storage';
import type { CommandContext } from '../../context.ts';
import { requireSqlite } from '../../databases.ts';
import { type RepeatedErasures, repeatErasures } from '../../erasures.ts';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import { ledgerSchema } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { storedIn } from '../../peer-stores.ts';
import { whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import { contentsInWords, contentsOf } from './contents.ts';

export interface RestoreOptions extends LedgerCommandOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/**
 * `bonafide restore <file>`: puts a backup in the place of the ledger's file and keeps what was there.
 * Nothing is merged.
 */
export async function restore(
  file: string,
  options: RestoreOptions,
  { io, print }: CommandContext,
): Promise<void> {
  const path = databasePath(options, io.env);
  requireSqlite(path, 'pg_restore');
  const from = resolve(file);
  if (!options.yes && !options.dryRun) {
    throw new CliError(
      'USAGE',
      `This puts ${from} in the place of ${path}; what is there now is kept under another name, and nothing of it is merged. Say --dry-run to see both first, --yes to do it.`,
    );
  }
  const { dryRun } = options;
  const existed = existsSync(path);
  const before = await contentsOf(path, options.agent);
  // Read first: a list that cannot be read must not bring peers back. Applied to the copy, so that a restore that is killed
  // does not either.
  const erasures = openErasureList(path).read();
  const madeAt = erasures.backups.findLast((made) => resolve(made.path) === from)?.at ?? null;
  let erased: RepeatedErasures = { peers: 0, stores: [] };
  const prepare = async (copy: string) => {
    erased = await repeatErasures(copy, erasures, madeAt);
  };
  const { bytes, replaced } = await whileSaying(io, 'Checking', () =>
    restoreSqlite({ path, from, schemas: [ledgerSchema], dryRun, prepare }),
  );
  const contents = await contentsOf(from, options.agent);
  // The copy has taken the place of the ledger.
  const stores = erased.stores.map((store) => ({ ...store, file: path }));
  if (options.json) {
    const about = { restored: !dryRun, path, from, bytes, replaced, backup: contents, before };
    print.json({ ...about, erased: erased.peers, stores });
    return;
  }
  print.line(`Backup  ${from}: ${contentsInWords(contents)}.`);
  print.line(`Before  ${path}: ${existed ? contentsInWords(before) : 'nothing'}.`);
  if (dryRun) print.line('The backup is sound and can be restored. Nothing was changed.');
  else print.line(`Restored.${replaced === null ? '' : ` What was there is now ${replaced}`}`);
  if (erased.peers > 0)
    print.line(`Erased ${counted(erased.peers, 'peer')} again that the backup had brought back.`);
  if (stores.length > 0) print.line(storedIn(stores, 'Erased again').trim());
}
