// Uses Postgres in a project that hasn't installed pg.
import { registerHooks } from 'node:module';
import { sql } from 'kysely';
import { isBonafideError, openPostgres } from '../../src/index.ts';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'pg')
      throw Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
const db = openPostgres({ url: 'postgres://localhost/nowhere' });
try {
  await sql`select 1`.execute(db);
} catch (error) {
  process.stdout.write(`${isBonafideError(error) ? error.code : 'untyped'} ${(error as Error).message}\n`);
}
