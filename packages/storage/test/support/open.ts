// Opens the file that its argument names and says how that went.
import { isStorageError, openSqlite } from '../../src/index.ts';

const [path = ''] = process.argv.slice(2);
try {
  const db = openSqlite({ path });
  await db.destroy();
  process.stdout.write('opened\n');
} catch (error) {
  process.stdout.write(`${isStorageError(error) ? error.code : 'untyped'} ${(error as Error).message}\n`);
}
