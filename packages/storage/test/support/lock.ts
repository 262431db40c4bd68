// Holds a write lock on the file that its argument names for so many ms.
import { DatabaseSync } from 'node:sqlite';

const [path = '', ms = '0'] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec('begin immediate');
process.stdout.write('locked\n');
setTimeout(() => database.exec('rollback'), Number(ms));
