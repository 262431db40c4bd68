// Writes pairs of rows into the file that its argument names, one transaction each, and says each id when it is stored.
import { writeSync } from 'node:fs';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { openSqlite } from '../../src/index.ts';
import { nodeSqlite } from '../../src/sqlite/node-sqlite.ts';

interface Schema {
  readonly pairs: { readonly id: number; readonly half: number; readonly text: string };
}

const [path = '', name] = process.argv.slice(2);
const driver = name === 'libsql' ? Libsql : name === 'better-sqlite3' ? BetterSqlite : nodeSqlite;
const db = openSqlite<Schema>({ path, driver });
await sql`create table if not exists pairs (id integer not null, half integer not null, text text not null, primary key (id, half))`.execute(
  db,
);
const last = await db.selectFrom('pairs').select('id').orderBy('id', 'desc').executeTakeFirst();
writeSync(1, '\n');
for (let id = (last?.id ?? 0) + 1; ; id += 1) {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('pairs')
      .values({ id, half: 0, text: 'x'.repeat(id % 3000) })
      .execute();
    await trx.insertInto('pairs').values({ id, half: 1, text: 'y' }).execute();
  });
  writeSync(1, `${id}\n`);
}
