import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createPostgresLeadership } from '../src/stores/kysely.ts';

const postgres = testDatabases().find(({ name }) => name === 'Postgres');

it.skipIf(postgres === undefined)(
  'gives the election to another process when the work of the elected one fails, and the connection back as it was (DLG-9)',
  async () => {
    const opened = await postgres?.open();
    if (opened?.connect == null) throw new Error('Postgres is missing');
    onTestFinished(() => opened.close());
    const [one, other] = [opened.connect(), opened.connect()];
    const closing = new AbortController();
    const settings = { config: { intervalMs: 20, silenceMs: 300 } };
    let failures = 0;
    let elections = 0;
    const leading = [
      createPostgresLeadership(one, settings).lead(async () => {
        failures += 1;
        throw new Error('The job client did not start.');
      }, closing.signal),
    ];
    await expect.poll(() => failures).toBeGreaterThan(1);
    leading.push(
      createPostgresLeadership(other, settings).lead(async () => {
        elections += 1;
      }, closing.signal),
    );
    await expect.poll(() => elections).toBeGreaterThan(1);
    closing.abort();
    await Promise.all(leading);
    // The pool has one connection, which the election used.
    const { rows } = await sql<{ idle_session_timeout: string }>`show idle_session_timeout`.execute(one);
    expect(rows).toEqual([{ idle_session_timeout: '0' }]);
    const { rows: locks } = await sql`
      select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(one);
    expect(locks).toEqual([]);
  },
);

it.skipIf(postgres === undefined)(
  'elects one process for each schema of a database, since each has the tables of another agent (DLG-9)',
  async () => {
    const closing = new AbortController();
    const ended: Promise<void>[] = [];
    onTestFinished(async () => {
      closing.abort();
      await Promise.all(ended);
    });
    const elected: string[] = [];
    for (const name of ['one', 'other']) {
      const opened = await postgres?.open();
      if (opened === undefined) throw new Error('Postgres is missing');
      const leadership = createPostgresLeadership(opened.db, { config: { intervalMs: 20 } });
      const leading = leadership.lead(async (signal) => {
        elected.push(name);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }, closing.signal);
      ended.push(leading.then(() => opened.close()));
    }
    await expect.poll(() => elected.toSorted()).toEqual(['one', 'other']);
  },
);
