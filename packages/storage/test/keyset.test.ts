import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, keyset, migrate, pageOf, prepare } from '../src/index.ts';
import { testDatabases } from '../src/testing/index.ts';

interface Schema {
  notes: { shelf: string; written_at: number; id: string };
}

const notes = {
  id: '001',
  statements: (dialect: 'sqlite' | 'postgres') => {
    const text = dialect === 'sqlite' ? 'TEXT' : 'TEXT COLLATE "C"';
    return [
      `create table notes (shelf ${text} not null, written_at bigint not null, id ${text} not null,
        primary key (shelf, written_at, id))`,
    ];
  },
};

for (const database of testDatabases()) {
  describe(`lists in ${database.name}`, () => {
    let opened: { readonly db: Kysely<Schema>; close(): Promise<void> };
    const db = () => opened.db;
    const write = (shelf: string, id: string, at: number) =>
      db().insertInto('notes').values({ shelf, id, written_at: at }).execute();

    beforeAll(async () => {
      opened = await database.open();
      await migrate(opened.db, { name: 'notes', migrations: [notes] });
    });
    afterAll(() => opened.close());

    async function page(shelf: string, direction: 'asc' | 'desc', limit: number, cursor: string | null) {
      const query = db().selectFrom('notes').selectAll().where('shelf', '=', shelf);
      const by = ['written_at', 'id'] as const;
      const after = cursor === null ? null : decodeCursor('notes', cursor, ['integer', 'string']);
      const rows = await keyset(query, { by, direction, after })
        .limit(limit + 1)
        .execute();
      return pageOf(rows, limit, (row) => encodeCursor('notes', [Number(row.written_at), row.id]));
    }

    it('STO-1 go on where the page before ended, also between rows of one time, whatever comes in', async () => {
      const ids = ['a', 'B', 'ä', 'Z', '🙂', '1', 'b', 'é', '_', 'A'];
      for (const [n, id] of ids.entries()) await write('ties', id, Math.floor(n / 5));
      const byBytes = (some: readonly string[]) =>
        some.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      const ascending = [...byBytes(ids.slice(0, 5)), ...byBytes(ids.slice(5))];

      for (const direction of ['asc', 'desc'] as const) {
        const expected = direction === 'asc' ? ascending : ascending.toReversed();
        for (const limit of [1, 2, 3, 5, 9, 10, 11]) {
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const { items, nextCursor } = await page('ties', direction, limit, cursor);
            expect(items.length).toBeLessThanOrEqual(limit);
            seen.push(...items.map(({ id }) => id));
            cursor = nextCursor;
            // Behind what was read: neither shown twice nor in the way.
            await write('other', `${direction}${limit}`, seen.length);
          } while (cursor !== null);
          expect(seen).toEqual(expected);
        }
      }
    });

    it('STO-1 a prepared query runs with arguments of its own each time, in a transaction too', async () => {
      await write('prepared', 'a', 1);
      await write('prepared', 'b', 2);
      await write('prepared', 'c', 2);
      let built = 0;
      const find = prepare<{ shelf: string; at: number; id: string }, { readonly id: string }>((argument) => {
        built += 1;
        const query = db().selectFrom('notes').select('id').where('shelf', '=', argument('shelf'));
        const after = [argument('at'), argument('id')] as const;
        return keyset(query, { by: ['written_at', 'id'], direction: 'asc', after });
      });
      const found = async (on: Kysely<Schema>, at: number, id: string, shelf = 'prepared') =>
        (await find(on, { shelf, at, id })).rows.map((row) => row.id);
      expect(await found(db(), 0, '')).toEqual(['a', 'b', 'c']);
      expect(await found(db(), 2, 'b')).toEqual(['c']);
      expect(await found(db(), 0, '', 'no such shelf')).toEqual([]);
      await db()
        .transaction()
        .execute(async (transaction) => {
          await transaction
            .insertInto('notes')
            .values({ shelf: 'prepared', written_at: 3, id: 'd' })
            .execute();
          expect(await found(transaction, 2, 'b')).toEqual(['c', 'd']);
        });
      expect(built).toBe(1);
    });
  });
}
