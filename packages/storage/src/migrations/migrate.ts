import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Dialect, dialectOf } from '../dialect.ts';
import { asStorageError } from '../driver-errors.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { inTransaction } from '../queries/transaction.ts';
import { type AppliedMigration, type Migration, migrationChecksum, planMigrations } from './plan.ts';

// biome-ignore lint/suspicious/noExplicitAny: migrations run on whatever schema the caller has.
type AnyKysely = Kysely<any>;

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /**
   * Table prefix of the package; the history is kept in `<name>_migrations`. Lower-case letters, digits and
   * `_`, at most 40.
   */
  readonly name: string;
  readonly migrations: readonly Migration[];
}

/** Result of {@link migrationStatus}. */
export interface MigrationStatus {
  readonly name: string;
  readonly applied: readonly { readonly id: string; readonly appliedAt: number }[];
  readonly pending: readonly string[];
  /** Error that {@link migrate} would throw, or null. */
  readonly problem: StorageError | null;
}

function historyTable(name: string): string {
  if (/^[a-z][a-z0-9_]{0,39}$/.test(name)) return `${name}_migrations`;
  throw new StorageError(
    'INVALID_INPUT',
    `'${name}' cannot name a history of migrations: use up to 40 of a-z, 0-9 and _.`,
  );
}

async function exclusively<T>(
  db: AnyKysely,
  dialect: Dialect,
  table: string,
  work: (db: AnyKysely) => Promise<T>,
): Promise<T> {
  if (dialect === 'postgres') {
    return inTransaction(db, async (transaction) => {
      // One key per history, so that packages don't wait for each other. Released with the transaction.
      const key = createHash('sha256').update(`bonafide:${table}`).digest().readBigInt64BE();
      await sql`select pg_advisory_xact_lock(${sql.lit(key)})`.execute(transaction);
      return work(transaction);
    });
  }
  // Not db.transaction(): on a Kysely instance that is not ours it would begin deferred, and two migrators would clash.
  return db.connection().execute(async (connection) => {
    await begin(connection);
    try {
      const result = await work(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      // SQLite has already rolled back after some errors (a full disk); a second rollback fails.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

async function begin(connection: AnyKysely): Promise<void> {
  try {
    await sql`begin immediate`.execute(connection);
  } catch (error) {
    if (!refusesTransactions.test((error as Error).message)) throw error;
    throw new StorageError(
      'DIALECT_UNSUPPORTED',
      'This database has no interactive transactions, and a message and its consequences are one transaction. Cloudflare D1 is not supported: use Postgres, or SQLite in a file.',
      { cause: error },
    );
  }
}

/** Errors of Cloudflare D1 and of Kysely dialects for it. */
const refusesTransactions = /D1_ERROR|state\.storage\.transaction|transactions are not supported/i;

async function readHistory(
  db: AnyKysely,
  table: string,
): Promise<(AppliedMigration & { readonly appliedAt: number })[]> {
  const { rows } = await sql<{ id: string; checksum: string; applied_at: number | string }>`
    select id, checksum, applied_at from ${sql.table(table)} order by position`.execute(db);
  return rows.map((row) => ({ id: row.id, checksum: row.checksum, appliedAt: Number(row.applied_at) }));
}

/**
 * Brings the schema of one package up to date: runs the migrations that are not in the history, in one
 * transaction, so that a failure or a crash leaves the schema unchanged. Safe to call at every start and from
 * several processes: one migrates, the others wait.
 *
 * @returns the ids of the applied migrations, in order
 * @throws {StorageError} `SCHEMA_NEWER`, `MIGRATION_CHANGED`, `MIGRATION_FAILED`, `INVALID_INPUT`, or the
 *   database's failure; nothing was changed then
 */
export async function migrate(db: AnyKysely, options: MigrateOptions): Promise<{ applied: string[] }> {
  const table = historyTable(options.name);
  if (db.isTransaction) {
    throw new StorageError('INVALID_INPUT', 'migrate() makes its own transaction: pass the database itself.');
  }
  const dialect = dialectOf(db);
  try {
    return await exclusively(db, dialect, table, async (connection) => {
      await sql`create table if not exists ${sql.table(table)} (
        id text primary key, position integer not null unique, checksum text not null, applied_at bigint not null)`.execute(
        connection,
      );
      const history = await readHistory(connection, table);
      const pending = planMigrations(options.name, options.migrations, history, dialect);
      for (const [index, migration] of pending.entries()) {
        await apply(connection, options.name, migration, dialect);
        await sql`insert into ${sql.table(table)} (id, position, checksum, applied_at)
          values (${migration.id}, ${history.length + index + 1}, ${migrationChecksum(migration, dialect)}, ${Date.now()})`.execute(
          connection,
        );
      }
      return { applied: pending.map((migration) => migration.id) };
    });
  } catch (error) {
    throw asStorageError(error) ?? error;
  }
}

async function apply(db: AnyKysely, name: string, migration: Migration, dialect: Dialect): Promise<void> {
  for (const statement of migration.statements(dialect)) {
    try {
      await sql.raw(statement).execute(db);
    } catch (error) {
      const translated = asStorageError(error);
      // A full disk or a lost connection is not the migration's fault.
      if (
        translated !== null &&
        !/^STORAGE_(NOT_UNIQUE|NO_PARENT|CHECK_FAILED|IS_NULL|CONSTRAINT)$|^INVALID_INPUT$|^NOT_MIGRATED$/.test(
          translated.code,
        )
      )
        throw translated;
      throw new StorageError(
        'MIGRATION_FAILED',
        `Migration '${migration.id}' of '${name}' failed and nothing of it was kept: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }
}

/**
 * Reports what {@link migrate} would do, without changing anything: for a doctor command or a health check.
 *
 * @throws {StorageError} the database's failure
 */
export async function migrationStatus(db: AnyKysely, options: MigrateOptions): Promise<MigrationStatus> {
  const table = historyTable(options.name);
  const dialect = dialectOf(db);
  try {
    const exists =
      dialect === 'sqlite'
        ? await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(db)
        : await sql`select 1 where to_regclass(${table}) is not null`.execute(db);
    const history = exists.rows.length === 0 ? [] : await readHistory(db, table);
    const applied = history.map(({ id, appliedAt }) => ({ id, appliedAt }));
    try {
      const pending = planMigrations(options.name, options.migrations, history, dialect).map(
        (migration) => migration.id,
      );
      return { name: options.name, applied, pending, problem: null };
    } catch (error) {
      if (!isStorageError(error)) throw error;
      return { name: options.name, applied, pending: [], problem: error };
    }
  } catch (error) {
    throw asStorageError(error) ?? error;
  }
}
