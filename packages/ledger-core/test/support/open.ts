/** Opens the ledger at argv[2] and says how it went; as the user argv[3] when one is named. */
import { openSqlite } from '@bonafide/storage';
import { migrateLedger } from '../../src/stores/kysely.ts';

const [, , path = '', uid] = process.argv;
// Here and not by whoever starts it, since that user may not reach this file.
if (uid !== undefined) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
try {
  const db = openSqlite({ path });
  await migrateLedger(db);
  await db.destroy();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(String((error as { readonly code?: unknown }).code));
}
