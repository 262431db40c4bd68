// Backs the first file up and restores in its place now this backup, now that of the second argument, until it is killed.
import { join } from 'node:path';
import { sql } from 'kysely';
import { backupSqlite, openSqlite, restoreSqlite } from '../../src/index.ts';

const [path = '', small = '', folder = '', run = ''] = process.argv.slice(2);
process.stdout.write('begun\n');
try {
  for (let n = 0; ; n++) {
    // A write-ahead log, as an agent leaves one.
    const db = openSqlite<unknown>({ path });
    await sql`update notes set text = text where id = 1`.execute(db);
    await db.destroy();
    const to = join(folder, `${run}-${n}.db`);
    await backupSqlite({ path, to });
    await restoreSqlite({ path, from: small });
    await restoreSqlite({ path, from: to });
  }
} catch (error) {
  process.stdout.write(String(error));
  throw error;
}
