import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import { migrateLedger } from '../src/stores/kysely.ts';

/** SQLite behind D1's refusals, in its words. */
function d1(): Kysely<unknown> {
  const database = new DatabaseSync(':memory:');
  return new Kysely({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(sql) {
          if (/^\s*(?:begin|savepoint)/iu.test(sql)) {
            throw new Error(
              'D1_ERROR: To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements.',
            );
          }
          const statement = database.prepare(sql);
          return {
            reader: /^\s*(?:select|with|pragma)/iu.test(sql),
            all: (parameters) => statement.all(...(parameters as string[])),
            run: (parameters) => statement.run(...(parameters as string[])),
            iterate: (parameters) => statement.iterate(...(parameters as string[])),
          };
        },
      },
    }),
  });
}

it('STO-3 Cloudflare D1 is refused with a typed error that says what to use', async () => {
  const db = d1();
  await expect(migrateLedger(db)).rejects.toMatchObject({
    code: 'DIALECT_UNSUPPORTED',
    message: expect.stringContaining('use Postgres'),
  });
  await db.destroy();
});
