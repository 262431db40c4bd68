import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../../src/index.ts';

/**
 * Returns the names of the tables of a database, in Postgres of its current schema. Kysely's introspection reads all
 * schemas, and fails when another test drops its schema at that moment.
 */
// biome-ignore lint/suspicious/noExplicitAny: the tables do not matter.
export async function tableNames(db: Kysely<any>): Promise<readonly string[]> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await query.execute(db);
  return rows.map(({ name }) => name);
}
