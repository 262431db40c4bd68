import { randomUUID } from 'node:crypto';
import { startPostgres, testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
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
