import { type Kysely, sql } from 'kysely';

/** A table of an SQLite database with its columns that may hold text. */
export interface TextTable {
  readonly table: string;
  /** Not empty. */
  readonly columns: readonly string[];
}

/** Lists the tables of a database that may hold text, by name. */
export async function textTables(db: Kysely<unknown>): Promise<readonly TextTable[]> {
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
