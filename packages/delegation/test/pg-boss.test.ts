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
