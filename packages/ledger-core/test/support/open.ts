/** Opens the ledger at argv[2] and says how it went. */
import { openSqlite } from '@bonafide/storage';
import { migrateLedger } from '../../src/stores/kysely.ts';

const [, , path = ''] = process.argv;
try {
  const db = openSqlite({ path });
  await migrateLedger(db);
  await db.destroy();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(String((error as { readonly code?: unknown }).code));
}
