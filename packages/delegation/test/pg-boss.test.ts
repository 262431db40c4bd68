import { randomUUID } from 'node:crypto';
import { openPostgres } from '@bonafide/storage';
import { startPostgres, testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPgBossEngine } from '../src/engines/pg-boss.ts';
import { testDelegationEngine } from '../src/testing/index.ts';

const hasPostgres = testDatabases().some(({ name }) => name === 'Postgres');

describe.skipIf(!hasPostgres)('pg-boss', () => {
  testDelegationEngine('pg-boss', async () => {
    const { url } = await startPostgres();
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    const opened: ReturnType<typeof createPgBossEngine>[] = [];
    const another = () => {
      const engine = createPgBossEngine({
        connectionString: url,
        schema,
        config: { pollMs: 100, maxConnections: 4 },
      });
      opened.push(engine);
      return engine;
    };
    return {
      engine: another(),
      another,
      close: async () => {
        for (const engine of opened) await engine.close();
      },
    };
  });

  it('keeps agents apart whose names differ only in special characters (DLG-8)', async () => {
    const { url } = await startPostgres();
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    const names = ['a b', 'a_b', 'a', 'a.b', 'é'.repeat(200)];
    const engines = names.map((agentId) => createPgBossEngine({ connectionString: url, schema, agentId }));
    for (const [index, engine] of engines.entries())
      await engine.wake('b.orders', `of ${names[index]?.slice(0, 5)}`, {
        at: new Date(Date.now() + 3_600_000),
      });
    await engines[2]?.wake('orders', 'plain', { at: new Date(Date.now() + 3_600_000) });
    for (const [index, engine] of engines.entries()) {
      const mine = await engine.inspect({ queue: 'b.orders' });
      expect(mine.map(({ id }) => id)).toEqual([`of ${names[index]?.slice(0, 5)}`]);
      expect(await engine.inspect()).toHaveLength(index === 2 ? 2 : 1);
      await engine.close();
    }
  });

  it('keeps agents apart that have their orders in different schemas of a database (DLG-8, DLG-9)', async () => {
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    const postgres = testDatabases().find(({ name }) => name === 'Postgres');
    const openEngine = async () => {
      const opened = await postgres?.open();
      if (opened?.url == null) throw new Error('Postgres is missing');
      const config = { pollMs: 50, maxConnections: 4 };
      const engine = createPgBossEngine({ connectionString: opened.url, schema, config });
      onTestFinished(async () => {
        await engine.close();
        await opened.close();
      });
      return engine;
    };
    const [one, other] = [await openEngine(), await openEngine()];
    const handled: string[] = [];
    await other.wake('orders', 'of the other');
    await using _work = await one.work('orders', { concurrency: 5 }, async (id) => {
      handled.push(id);
      return null;
    });
    await one.wake('orders', 'its own');
    await expect.poll(() => handled).toContain('its own');
    expect(handled).toEqual(['its own']);
    expect((await other.inspect()).map(({ id }) => id)).toEqual(['of the other']);
    expect(await one.inspect({ queue: 'orders' })).toEqual([]);
  });

  it('keeps the failures of an id that is woken meanwhile, and survives edited rows (DLG-8)', async () => {
    const { url } = await startPostgres();
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    await using engine = createPgBossEngine({ connectionString: url, schema, config: { pollMs: 50 } });
    let isBroken = true;
    await using _work = await engine.work('q', { concurrency: 1 }, async () => {
      if (isBroken) throw new Error('the cellar is flooded');
      return null;
    });
    const failures = async () => (await engine.inspect({ queue: 'q' }))[0]?.failures ?? 0;
    for (let expected = 1; expected <= 5; expected += 1) {
      await engine.wake('q', 'a');
      await expect.poll(failures).toBeGreaterThanOrEqual(expected);
    }
    const db = openPostgres({ url });
    onTestFinished(() => db.destroy());
    for (const data of ['null', '{"failures":"many"}', '[1]']) {
      isBroken = true;
      await sql`update ${sql.id(schema, 'job')} set data = ${data}::jsonb, start_after = now()`.execute(db);
      await expect.poll(failures).toBe(1);
    }
    isBroken = false;
    await engine.wake('q', 'a');
    await expect.poll(() => engine.inspect({ queue: 'q' })).toEqual([]);
  });

  it('leaves a wake to the worker that has taken over its id (DLG-8, DLG-10)', async () => {
    const { url } = await startPostgres();
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    await using engine = createPgBossEngine({ connectionString: url, schema, config: { pollMs: 50 } });
    await engine.wake('q', 'a');
    await engine.wake('q', 'a', { at: new Date(Date.now() + 3_600_000) });
    const db = openPostgres({ url });
    onTestFinished(() => db.destroy());
    // Another worker takes over right after the first one has claimed the id, as when its heartbeat was late.
    await sql`create function ${sql.id(schema, 'take_over')}() returns trigger language plpgsql as ${sql.lit(
      `begin
         update ${schema}.job_common set retry_count = new.retry_count + 1, heartbeat_on = now() + interval '1 hour'
         where id = new.id;
         return null;
       end`,
    )}`.execute(db);
    await sql`create trigger take_over after update on ${sql.id(schema, 'job_common')} for each row
      when (new.state = 'active' and new.retry_count = 0)
      execute function ${sql.id(schema, 'take_over')}()`.execute(db);
    const handled: string[] = [];
    const work = await engine.work('q', { concurrency: 1 }, async (id) => {
      handled.push(id);
      return null;
    });
    await expect.poll(() => handled).toEqual(['a']);
    await work[Symbol.asyncDispose]();
    const { rows } = await sql<{ state: string; retry_count: number }>`
      select state::text, retry_count from ${sql.id(schema, 'job')} where singleton_key = 'a' order by start_after
    `.execute(db);
    expect(rows).toEqual([
      { state: 'active', retry_count: 1 },
      { state: 'created', retry_count: 0 },
    ]);
  });

  it('gathers statistics of a new table when more waits than it takes at once, at most once a minute (DLG-8, DLG-11)', async () => {
    const { url } = await startPostgres();
    const schema = `boss_${randomUUID().replaceAll('-', '')}`;
    let now = Date.now();
    await using engine = createPgBossEngine({
      connectionString: url,
      schema,
      clock: () => now,
      config: { pollMs: 50 },
    });
    const db = openPostgres({ url });
    onTestFinished(() => db.destroy());
    const gathered = async () => {
      const { rows } = await sql<{ times: number }>`
        select analyze_count::int as times from pg_stat_all_tables
        where schemaname = ${schema} and relname = 'job_common'
      `.execute(db);
      return rows[0]?.times;
    };
    const wakeSome = async () => {
      const ids = Array.from({ length: 6 }, (_, index) => `a${index}`);
      await Promise.all(ids.map((id) => engine.wake('q', id)));
    };
    await engine.wake('q', 'alone');
    const handled: string[] = [];
    const work = await engine.work('q', { concurrency: 2 }, async (id) => {
      handled.push(id);
      return null;
    });
    await expect.poll(() => handled).toHaveLength(1);
    expect(await gathered()).toBe(0);
    await wakeSome();
    await expect.poll(() => handled).toHaveLength(7);
    await expect.poll(gathered).toBe(1);
    now += 59_000;
    await wakeSome();
    await expect.poll(() => handled).toHaveLength(13);
    now += 1_000;
    await wakeSome();
    await expect.poll(() => handled).toHaveLength(19);
    await expect.poll(gathered).toBe(2);
    await work[Symbol.asyncDispose]();
  });

  it('rejects invalid settings (DLG-8)', () => {
    const create =
      (config: object, schema = 'pgboss') =>
      () =>
        createPgBossEngine({ connectionString: 'postgres://localhost/x', schema, config });
    expect(create({ pollMs: 1 })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(create({}, 'a; drop table b')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  it('says CLOSED after it was closed (DLG-8)', async () => {
    const engine = createPgBossEngine({ connectionString: 'postgres://localhost/x' });
    await engine.close();
    await expect(engine.wake('q', 'a')).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
