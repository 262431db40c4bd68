import { sha256Hex } from '@bonafide/internal';
import { type Kysely, sql } from 'kysely';
import { asStorageError, throwTranslated } from '../driver-errors.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { inTransaction } from '../queries/transaction.ts';
import {
  type ErasureInput,
  type ErasureLine,
  type ErasureListContent,
  erasedLine,
  type KeyedContent,
  listContent,
  newKeyLine,
  parseErasureLine,
} from './erasure-lines.ts';

// biome-ignore lint/suspicious/noExplicitAny: the list has a schema of its own beside whatever the caller has.
type AnyKysely = Kysely<any>;

/** The list of erasures in a Postgres database. */
export interface PostgresErasureList {
  /**
   * Adds an erasure durably. Creates the schema of the list the first time.
   *
   * @throws {StorageError} `STORAGE_PERMISSION` when the user may not create it, `ERASURES_DAMAGED`, or the database's failure
   */
  add(erasure: ErasureInput): Promise<void>;
  /**
   * Reads the list; an empty one when there is none.
   *
   * @throws {StorageError} `ERASURES_DAMAGED`, or the database's failure
   */
  read(): Promise<ErasureListContent>;
}

/** Longest name of a schema, bytes. */
const longestName = 63;

/**
 * Opens the list of erasures of the current schema of a Postgres database. The list is the table `list` of the schema
 * `<current schema>_erasures`. It is outside of the current schema, so that `pg_restore --schema` and a restore of that schema's tables
 * leave it as it is: a restored schema can be erased again. A dump of the whole database contains the list of its time:
 * leave the schema out with `pg_dump --exclude-schema='*_erasures'`, and back it up by itself. It keeps keyed hashes of ids, like the
 * list beside a file.
 *
 * @example
 * const ledger = createLedger({ store, erasures: openPostgresErasures(db) });
 */
export function openPostgresErasures(db: AnyKysely): PostgresErasureList {
  const place = async (reader: AnyKysely) => {
    const { rows } = await sql<{ readonly name: string | null }>`select current_schema() as name`.execute(
      reader,
    );
    const current = rows[0]?.name ?? 'public';
    const name = `${current}_erasures`;
    const schema =
      new TextEncoder().encode(name).length <= longestName
        ? name
        : `erasures_${sha256Hex(name).slice(0, 32)}`;
    return { schema, table: sql`${sql.id(schema)}.list` };
  };

  async function readIn(reader: AnyKysely): Promise<KeyedContent> {
    const { schema, table } = await place(reader);
    const { rows: found } = await sql`select 1 from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = ${schema} and relname = 'list'`.execute(reader);
    const { rows } =
      found.length === 0
        ? { rows: [] }
        : await sql<{ readonly position: number | string; readonly entry: string }>`
            select position, entry from ${table} order by position`.execute(reader);
    const lines = rows.map(({ position, entry }): ErasureLine => {
      const parsed = parseErasureLine(entry);
      if (parsed === 'unfinished' || parsed === null) throw damaged(schema, position);
      return parsed;
    });
    return listContent(lines, (index) => damaged(schema, rows[index]?.position ?? 0));
  }

  /** Creates what is missing of the list. One process at a time: two that create a schema fail otherwise. */
  async function prepare(transaction: AnyKysely): Promise<KeyedContent> {
    const { schema, table } = await place(transaction);
    await sql`select pg_advisory_xact_lock(hashtext('bonafide:erasures'), hashtext(${schema}))`.execute(
      transaction,
    );
    const known = await readIn(transaction);
    if (known.key !== null) return known;
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(transaction);
    if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(transaction);
    await sql`create table if not exists ${table} (
      position bigint generated always as identity primary key, entry text not null)`.execute(transaction);
    await append(transaction, newKeyLine());
    return await readIn(transaction);
  }

  async function append(transaction: AnyKysely, line: ErasureLine): Promise<void> {
    const { table } = await place(transaction);
    await sql`insert into ${table} (entry) values (${JSON.stringify(line)})`.execute(transaction);
  }

  return {
    async add(erasure) {
      try {
        await inTransaction(db, async (transaction) => {
          // Also where the server acknowledges other commits before they are on disk.
          await sql`set local synchronous_commit to on`.execute(transaction);
          await append(transaction, erasedLine(erasure, await prepare(transaction)));
        });
      } catch (error) {
        const failure = asStorageError(error);
        if (!isStorageError(failure, 'STORAGE_PERMISSION')) throw failure ?? error;
        throw new StorageError(
          'STORAGE_PERMISSION',
          'The list of erasures cannot be written, and nothing was erased. It is the table "list" of a schema of its own, named like the current one with "_erasures" at its end: let this user create schemas in the database, or create that schema for it.',
          { cause: error },
        );
      }
    },
    async read() {
      const { erasures, backups, hash } = await readIn(db).catch((error: unknown) => throwTranslated(error));
      return { erasures, backups, hash };
    },
  };
}

function damaged(schema: string, position: number | string): StorageError {
  return new StorageError(
    'ERASURES_DAMAGED',
    `Row ${position} of ${schema}.list is damaged: it is not known what was erased. Nothing was changed. Restore the table from a copy, or delete the row if you accept that its peer comes back.`,
  );
}
