// Opens what its argument names, waits for a line, and migrates it.
import { once } from 'node:events';
import { migrate, openPostgres, openSqlite } from '../../src/index.ts';

const [target = ''] = process.argv.slice(2);
const migrations = [
  {
    id: '001',
    statements: () => ['create table race_a (id bigint primary key)', 'insert into race_a values (1)'],
  },
  { id: '002', statements: () => ['create table race_b (id bigint)', 'insert into race_a values (2)'] },
];

process.stdout.write('ready\n');
await once(process.stdin, 'data');
// Opening is part of the race: the file doesn't exist yet.
const db = target.startsWith('postgres:') ? openPostgres({ url: target }) : openSqlite({ path: target });
const { applied } = await migrate(db, { name: 'race', migrations });
process.stdout.write(`applied ${applied.length}\n`);
await db.destroy();
process.stdin.destroy();
