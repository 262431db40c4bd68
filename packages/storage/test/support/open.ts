// Opens the file that its argument names and says how that went; as another user when one is named.
import { isBonafideError, openSqlite } from '../../src/index.ts';

const [path = '', uid] = process.argv.slice(2);
// Here and not by whoever starts it, since that user may not reach this file.
if (uid !== undefined) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
try {
  const db = openSqlite({ path });
  await db.destroy();
  process.stdout.write('opened\n');
} catch (error) {
  process.stdout.write(`${isBonafideError(error) ? error.code : 'untyped'} ${(error as Error).message}\n`);
}
