import { dialectOf } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';

/** A table of a database with its columns that may hold text. */
export interface TextTable {
  readonly table: string;
  /** Not empty. */
  readonly columns: readonly string[];
}

/** Lists the tables of an SQLite database, or of the current schema of a Postgres database, that may hold text, by name. */
export async function textTables(db: Kysely<unknown>): Promise<readonly TextTable[]> {
  return dialectOf(db) === 'postgres' ? await textTablesOfPostgres(db) : await textTablesOfSqlite(db);
}

async function textTablesOfPostgres(db: Kysely<unknown>): Promise<readonly TextTable[]> {
  const { rows } = await sql<{ readonly table: string; readonly column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and data_type in ('text', 'character varying', 'json', 'jsonb')
    order by table_name, ordinal_position`.execute(db);
  return [...Map.groupBy(rows, (row) => row.table)].map(([table, columns]) => ({
    table,
    columns: columns.map(({ column }) => column),
  }));
}

async function textTablesOfSqlite(db: Kysely<unknown>): Promise<readonly TextTable[]> {
  const { rows } = await sql<{ readonly name: string }>`select name from sqlite_schema
    where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`.execute(db);
  const tables: TextTable[] = [];
  for (const { name: table } of rows) {
    const columns = await textColumns(db, table);
    if (columns.length > 0) tables.push({ table, columns });
  }
  return tables;
}

async function textColumns(db: Kysely<unknown>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string; readonly type: string }>`
    select name, type from pragma_table_info(${table})`.execute(db);
  return rows.filter(({ type }) => /^(?:text|any|)$/iu.test(type)).map(({ name }) => name);
}
