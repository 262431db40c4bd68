// Opens the file that its argument names with better-sqlite3.
import BetterSqlite from 'better-sqlite3';
import { openSqlite } from '../../src/index.ts';

const [path = ''] = process.argv.slice(2);
const db = openSqlite({ path, driver: BetterSqlite });
await db.destroy();
process.stdout.write('opened\n');
