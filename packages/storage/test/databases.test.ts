import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { dialectOf, migrate } from '../src/index.ts';
import { testDatabases } from '../src/testing/index.ts';

const migrations = [{ id: '001', statements: () => ['create table t_a (id bigint primary key, b text)'] }];
for (const database of testDatabases()) {
  describe(database.name, () => {
    it('works', async () => {
      const { db, close } = await database.open();
      expect(dialectOf(db)).toBe(database.dialect);
      expect(await migrate(db, { name: 't', migrations })).toEqual({ applied: ['001'] });
      expect(await migrate(db, { name: 't', migrations })).toEqual({ applied: [] });
      await db.insertInto('t_a').values({ id: 1, b: 'x' }).execute();
      expect(await db.selectFrom('t_a').selectAll().execute()).toEqual([{ id: 1, b: 'x' }]);
      await expect(db.insertInto('t_a').values({ id: 1, b: 'x' }).execute()).rejects.toThrow();
      await db.insertInto('t_a').values({ id: 2, b: 'x' }).execute();
      await close();
    });
    it('is empty again', async () => {
      const { db, close } = await database.open();
      expect(await migrate(db, { name: 't', migrations })).toEqual({ applied: ['001'] });
      expect(await sql`select * from t_a`.execute(db)).toMatchObject({ rows: [] });
      await close();
    });
  });
}
