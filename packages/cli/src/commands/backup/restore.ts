import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isBonafideError } from '@bonafide/internal';
import { type MigrateOptions, migrationStatus, openSqlite, restoreSqlite } from '@bonafide/storage';
import type { CommandContext } from '../../context.ts';
import { requireSqlite } from '../../databases.ts';
import { readErasures, timeOfBackup } from '../../erasure-lists.ts';
import { type RepeatedErasures, repeatErasures } from '../../erasures.ts';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import { ledgerSchema } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { packagesIn, storedIn } from '../../peer-stores.ts';
import { whileSaying } from '../../progress.ts';
import { databasePath, workspaceFiles } from '../../workspace.ts';
import { contentsInWords, contentsOf } from './contents.ts';

export interface RestoreOptions extends LedgerCommandOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Returns the schemas of Bonafide in a file; none when it is missing or cannot be read. */
async function schemasIn(path: string): Promise<readonly MigrateOptions[]> {
  if (!existsSync(path)) return [];
  try {
    await using db = openSqlite<unknown>({ path, readonly: true });
    const ledger = await migrationStatus(db, ledgerSchema);
    return [...(ledger.applied.length > 0 ? [ledgerSchema] : []), ...(await packagesIn(db))];
  } catch (error) {
    if (isBonafideError(error)) return [];
    throw error;
  }
}

/**
 * Returns the schemas that a backup must contain and this version must know: all that it has, and the ledger unless it takes the place
 * of a database without one.
 */
async function requiredSchemas(from: string, path: string): Promise<readonly MigrateOptions[]> {
  const [ofBackup, ofTarget] = [await schemasIn(from), await schemasIn(path)];
  const isLedger = basename(path) === workspaceFiles.ledger || ofTarget.includes(ledgerSchema);
  const isSameKind =
    ofTarget.length === 0 || ofTarget.some(({ name }) => ofBackup.some((schema) => schema.name === name));
  if (ofBackup.length === 0 || isLedger) return [ledgerSchema, ...ofBackup];
  return isSameKind ? ofBackup : ofTarget;
}

/**
 * `bonafide restore <file>`: puts a backup in the place of the ledger's file, or of another database of the agent, and keeps what was
 * there. Nothing is merged.
 */
export async function restore(
  file: string,
  options: RestoreOptions,
  { io, print }: CommandContext,
): Promise<void> {
  const path = databasePath(options, io.env);
  requireSqlite(path, 'pg_restore, and then `bonafide ledger erase-again`');
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
  const lists = await readErasures(path);
  let erased: RepeatedErasures = { peers: 0, stores: [] };
  const prepare = async (copy: string) => {
    erased = await repeatErasures(copy, lists, { madeAt: await timeOfBackup(from, lists) });
  };
  const schemas = await requiredSchemas(from, path);
  const { bytes, replaced } = await whileSaying(io, 'Checking', () =>
    restoreSqlite({ path, from, schemas, dryRun, prepare }),
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
