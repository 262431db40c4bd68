import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BonafideError, isBonafideError } from '@bonafide/internal';
import { type MigrateOptions, migrationStatus } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { openAny } from '../databases.ts';
import { ledgerSchema } from '../open-ledger.ts';
import { isPostgres } from '../workspace.ts';
import { type Check, fail, ok, quoted, warn } from './check.ts';
import { checkJournal } from './journal.ts';

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.mode & 0o777;
}

/** Checks that only the owner can read the databases and their companions. */
function checkFileModes(paths: readonly string[]): readonly Check[] {
  if (process.platform === 'win32') return [];
  const open = paths
    .flatMap((path) => ['', '-wal', '-shm'].map((companion) => path + companion))
    .map((file) => ({ file, mode: modeOf(file) }))
    .filter(({ mode }) => mode !== null && (mode & 0o077) !== 0);
  if (open.length === 0) return [ok('File modes', "only you can read the agent's databases")];
  const found = open.map(({ file, mode }) => `${file} has mode 0${mode?.toString(8)}`).join(', ');
  const command = `chmod 600 ${open.map(({ file }) => quoted(file)).join(' ')}`;
  return [fail('File modes', `${found}: others can read them`, command)];
}

/** Returns the command that mends what a database was refused for; null when the message says all. */
function remedyFor({ code }: BonafideError, path: string): string | null {
  const server = isPostgres(path) ? URL.parse(path) : null;
  const remedies: Readonly<Record<string, string>> = {
    SCHEMA_NEWER: 'npm install --global @bonafide/cli@latest',
    DRIVER_MISSING: 'npm install --global pg',
    ...(server === null
      ? {
          STORAGE_PERMISSION: `sudo chown "$(whoami)" ${quoted(path)}`,
          STORAGE_CORRUPT: `bonafide restore <backup> --db ${quoted(path)} --yes`,
          STORAGE_NOT_A_DATABASE: `bonafide restore <backup> --db ${quoted(path)} --yes`,
          MIGRATION_CHANGED: `bonafide restore <backup> --db ${quoted(path)} --yes`,
        }
      : { STORAGE_UNAVAILABLE: `pg_isready -h ${quoted(server.hostname)} -p ${server.port || '5432'}` }),
  };
  return remedies[code] ?? null;
}

/** Checks the tables of packages in a database. Opens it for reading only. */
async function checkSchemas(
  name: string,
  path: string,
  schemasOf: (db: Kysely<unknown>) => Promise<readonly MigrateOptions[]>,
): Promise<Check> {
  try {
    await using db = openAny(path, { readonly: true });
    const pending: string[] = [];
    const current: string[] = [];
    for (const schema of await schemasOf(db)) {
      const status = await migrationStatus(db, schema);
      if (status.problem !== null) throw status.problem;
      pending.push(...status.pending);
      current.push(`${schema.name} ${status.applied.at(-1)?.id ?? 'empty'}`);
    }
    if (pending.length === 0) return ok(name, `up to date (${current.join(', ') || 'no tables'})`);
    return warn(name, `${pending.length} migrations to come: ${pending.join(', ')}`, 'Start the agent once');
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return fail(name, error.message, remedyFor(error, path));
  }
}

/** Lists the databases beside the ledger, which its list of erasures tells from backups. */
async function databasesBeside(
  path: string,
): Promise<{ readonly beside: readonly string[]; readonly problems: readonly Check[] }> {
  const { databasesOf } = await import('../peer-stores.ts');
  try {
    return { beside: (await databasesOf(path)).filter((file) => file !== path), problems: [] };
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return { beside: [], problems: [fail('Erasures', error.message, null)] };
  }
}

/**
 * Checks the agent's databases: that they exist, are private, readable and of this version, and what the journal in the ledger tells.
 * With `workspace`, all databases beside the ledger are checked.
 */
export async function checkDatabases(
  path: string,
  agentId: string,
  { workspace }: { readonly workspace: boolean },
): Promise<readonly Check[]> {
  const isFile = !isPostgres(path);
  const { packagesIn } = await import('../peer-stores.ts');
  const { beside, problems } =
    isFile && workspace ? await databasesBeside(path) : { beside: [], problems: [] };
  const schemas = beside.map((file) => checkSchemas(`Schema of ${basename(file)}`, file, packagesIn));
  const others = [...(await Promise.all(schemas)), ...problems];
  if (isFile && modeOf(path) === null) {
    const remedy = 'Start the agent, or name its folder: bonafide doctor --workspace <dir>';
    const modes = beside.length === 0 ? [] : checkFileModes(beside);
    return [warn('Ledger', `there is none at ${path}`, remedy), ...modes, ...others];
  }
  const schema = await checkSchemas('Schema', path, async () => [ledgerSchema]);
  const journal = schema.status === 'ok' ? await checkJournal(path, agentId) : [];
  const place = isFile
    ? [ok('Ledger', path), ...checkFileModes([path, ...beside])]
    : [ok('Ledger', 'the database of --db')];
  return [...place, schema, ...others, ...journal];
}
