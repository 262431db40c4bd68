// Starts a test server, says where it is, and waits to be ended.
import { sql } from 'kysely';
import { openPostgres } from '../../src/index.ts';
import { startPostgres } from '../../src/testing/index.ts';

const { url } = await startPostgres();
const db = openPostgres({ url });
const { rows } = await sql<{ version: string; pid: number }>`
  select current_setting('server_version') as version, pg_backend_pid() as pid`.execute(db);
process.stdout.write(`${JSON.stringify({ url, ...rows[0] })}\n`);
setInterval(() => {}, 1000);
