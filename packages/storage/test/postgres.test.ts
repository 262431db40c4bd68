import { createServer } from 'node:net';
import { silentLogger } from '@bonafide/internal';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asStorageError, openPostgres } from '../src/index.ts';
import { startPostgres, testDatabases } from '../src/testing/index.ts';
import { failureOf } from './support/failure.ts';

const database = testDatabases().find((each) => each.name === 'Postgres');

async function open() {
  const opened = await database?.open();
  if (opened === undefined || opened.connect === null || opened.url === null) throw new Error('No Postgres');
  onTestFinished(() => opened.close());
  return { db: opened.db, connect: opened.connect, url: opened.url };
}

describe('STO-1 a real Postgres server', () => {
  it('has several connections that work at the same time', async () => {
    const { db } = await open();
    const pids = await Promise.all(
      Array.from({ length: 3 }, () =>
        db.connection().execute(async (one) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.1)`.execute(
            one,
          );
          return rows[0]?.pid;
        }),
      ),
    );
    expect(new Set(pids).size).toBe(3);
  });

  it('gives bigint as a number', async () => {
    const { db } = await open();
    expect(
      (await sql`select 1750000000000::bigint as at, count(*) as n from (values (1), (2)) as v`.execute(db))
        .rows,
    ).toEqual([{ at: 1_750_000_000_000, n: 2 }]);
  });

  it('tells a deadlock as something to try again', async () => {
    const { db } = await open();
    await sql`create table rows (id integer primary key, n integer)`.execute(db);
    await sql`insert into rows values (1, 0), (2, 0)`.execute(db);
    const both = Promise.withResolvers<void>();
    let arrived = 0;
    const cross = (first: number, second: number) =>
      db.transaction().execute(async (trx) => {
        await sql`set local deadlock_timeout = '20ms'`.execute(trx);
        await sql`update rows set n = n + 1 where id = ${first}`.execute(trx);
        arrived += 1;
        if (arrived === 2) both.resolve();
        await both.promise;
        await sql`update rows set n = n + 1 where id = ${second}`.execute(trx);
      });
    const outcomes = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failures.map((failure) => asStorageError(failure.reason)?.code)).toEqual(['STORAGE_LOCKED']);
    expect((await sql`select n from rows order by id`.execute(db)).rows).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('goes on after the server has cut its connections', async () => {
    const { db, connect } = await open();
    await sql`select 1`.execute(db);
    const other: Kysely<unknown> = connect();
    const cut = db.connection().execute(async (one) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other);
      await sql`select 1`.execute(one);
    });
    expect((await failureOf(() => cut)).code).toBe('STORAGE_UNAVAILABLE');
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it('tells when a connection breaks that is held but not in use, instead of ending the process', async () => {
    const warnings: string[] = [];
    const { url, connect } = await open();
    const logger = { ...silentLogger, warn: (_details: object, message = '') => void warnings.push(message) };
    const db = openPostgres({ url, logger });
    onTestFinished(() => db.destroy());
    const held = db.connection().execute(async (one) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(connect());
      await expect.poll(() => warnings.length).toBeGreaterThan(0);
      await sql`select 1`.execute(one);
    });
    expect((await failureOf(() => held)).code).toBe('STORAGE_UNAVAILABLE');
    expect(warnings[0]).toBe('Postgres dropped a connection');
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it('ends the transaction of a process that stopped in it, so that others get its locks (X-20, DLG-8)', async () => {
    const { url } = await open();
    const [frozen, other] = [openPostgres({ url, idleInTransactionMs: 200 }), openPostgres({ url })];
    onTestFinished(async () => {
      await Promise.all([frozen.destroy(), other.destroy()]);
    });
    await sql`create table heads (n int)`.execute(other);
    await sql`insert into heads values (1)`.execute(other);
    const change = (db: Kysely<unknown>) => sql`update heads set n = n + 1 returning n`.execute(db);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopped = frozen.transaction().execute(async (transaction) => {
      await change(transaction);
      held.resolve();
      await released.promise;
      await change(transaction);
    });
    const failed = failureOf(() => stopped);
    await held.promise;
    expect((await change(other)).rows).toEqual([{ n: 2 }]);
    released.resolve();
    expect((await failed).code).toBe('STORAGE_UNAVAILABLE');
    expect((await change(frozen)).rows).toEqual([{ n: 3 }]);
  });

  it('tells text that Postgres cannot hold', async () => {
    const { db } = await open();
    await sql`create table texts (t text)`.execute(db);
    expect((await failureOf(() => sql`insert into texts values (${'a\u0000b'})`.execute(db))).code).toBe(
      'INVALID_INPUT',
    );
  });

  it('tells a wrong database, a refused user and a server that is not there, and never the password', async () => {
    const { url } = await startPostgres();
    const codeOf = async (change: (changed: URL) => void) => {
      const changed = new URL(url);
      changed.password = 's3cret-word';
      change(changed);
      const db = openPostgres({ url: changed.href });
      onTestFinished(() => db.destroy());
      const failure = await failureOf(() => sql`select 1`.execute(db));
      expect(JSON.stringify([failure.message, failure.stack, `${failure.cause}`])).not.toContain('s3cret');
      return failure.code;
    };
    expect(
      await codeOf((changed) => {
        changed.pathname = '/nowhere';
      }),
    ).toBe('STORAGE_CANNOT_OPEN');
    expect(
      await codeOf((changed) => {
        changed.username = 'nobody';
      }),
    ).toBe('STORAGE_PERMISSION');
    expect(
      await codeOf((changed) => {
        changed.searchParams.set('host', '/nowhere');
      }),
    ).toBe('STORAGE_CANNOT_OPEN');
    const port = await closedPort();
    expect(
      await codeOf((changed) => {
        changed.searchParams.delete('host');
        changed.hostname = '127.0.0.1';
        changed.port = `${port}`;
      }),
    ).toBe('STORAGE_UNAVAILABLE');
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
