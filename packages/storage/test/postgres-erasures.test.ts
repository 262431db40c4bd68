import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openPostgresErasures } from '../src/index.ts';
import { testDatabases } from '../src/testing/index.ts';
import { failureOf } from './support/failure.ts';

const erasure = {
  agentId: 'default',
  peerId: 'telegram:bob',
  externalIds: ['event-1', 'event-2'],
  at: 1_000,
  keptValues: [{ name: 'verdict:x', write: { replace: 'refuse' } }],
};

const databases = testDatabases().filter(({ dialect }) => dialect === 'postgres');

describe.each(databases)('the list of erasures in $name', ({ open }) => {
  const within = async (
    work: (opened: Awaited<ReturnType<typeof open>>, schema: string) => Promise<void>,
  ): Promise<void> => {
    const opened = await open();
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(opened.db);
    const schema = `${rows[0]?.schema}_erasures`;
    try {
      await work(opened, schema);
    } finally {
      await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(opened.db);
      await opened.close();
    }
  };

  it('LED-33 keeps keyed hashes, times and verdicts, and no id', () =>
    within(async ({ db }, schema) => {
      const list = openPostgresErasures(db);
      expect(await list.read()).toMatchObject({ erasures: [], backups: [] });
      await list.add(erasure);
      await openPostgresErasures(db).add({ ...erasure, peerId: 'irc:eve', externalIds: [], keptValues: [] });
      const { erasures, hash } = await list.read();
      expect(erasures).toEqual([
        {
          agentId: 'default',
          peer: hash('telegram:bob'),
          externalIds: [hash('event-1'), hash('event-2')],
          at: 1_000,
          keptValues: erasure.keptValues,
        },
        { agentId: 'default', peer: hash('irc:eve'), externalIds: [], at: 1_000, keptValues: [] },
      ]);
      const { rows } = await sql<{ entry: string }>`select entry from ${sql.table(`${schema}.list`)}`.execute(
        db,
      );
      expect(rows).toHaveLength(3);
      expect(JSON.stringify(rows)).not.toMatch(/bob|eve|event-1/u);
    }));

  it('LED-33 stays when the tables of the current schema are dropped and restored', () =>
    within(async ({ db }, schema) => {
      const list = openPostgresErasures(db);
      await list.add(erasure);
      const current = schema.replace(/_erasures$/u, '');
      await sql`drop schema ${sql.id(current)} cascade`.execute(db);
      await sql`create schema ${sql.id(current)}`.execute(db);
      const { erasures, hash } = await list.read();
      expect(erasures.map(({ peer }) => peer)).toEqual([hash('telegram:bob')]);
    }));

  it('LED-33 X-20 keeps every erasure of connections that begin it at the same time', () =>
    within(async ({ db, connect }) => {
      const lists = Array.from({ length: 4 }, () => openPostgresErasures(connect?.() ?? db));
      const peers = lists.flatMap((list, n) =>
        [0, 1, 2].map((each) => ({ list, peerId: `irc:${n}-${each}` })),
      );
      await Promise.all(peers.map(({ list, peerId }) => list.add({ ...erasure, peerId })));
      const { erasures, hash } = await openPostgresErasures(db).read();
      const hashes = peers.map(({ peerId }) => hash(peerId));
      expect(erasures.map(({ peer }) => peer).toSorted()).toEqual(hashes.toSorted());
    }));

  it('LED-33 refuses a damaged list, and adds nothing to it', () =>
    within(async ({ db }, schema) => {
      const list = openPostgresErasures(db);
      await list.add(erasure);
      const table = sql.table(`${schema}.list`);
      for (const entry of ['{', '{}', '{"erased":{"peer":"x"}}']) {
        await sql`insert into ${table} (entry) values (${entry})`.execute(db);
        for (const act of [() => list.read(), () => list.add(erasure)])
          expect((await failureOf(act)).code).toBe('ERASURES_DAMAGED');
        await sql`delete from ${table} where entry = ${entry}`.execute(db);
      }
      expect((await list.read()).erasures).toHaveLength(1);
    }));
});

it.skipIf(!databases.some(({ name }) => name === 'Postgres'))(
  'LED-33 LED-25 says what to do when the user may not create its schema',
  async () => {
    const opened = await databases.find(({ name }) => name === 'Postgres')?.open();
    if (opened === undefined) return;
    const role = `reader_${Date.now()}`;
    try {
      await sql`create role ${sql.id(role)}`.execute(opened.db);
      const refused = opened.db.connection().execute(async (db) => {
        await sql`set role ${sql.id(role)}`.execute(db);
        try {
          await openPostgresErasures(db).add(erasure);
        } finally {
          await sql`reset role`.execute(db);
        }
      });
      const { code, message } = await failureOf(() => refused);
      expect({ code, message }).toMatchObject({
        code: 'STORAGE_PERMISSION',
        message: expect.stringContaining('create schemas'),
      });
      await sql`drop role ${sql.id(role)}`.execute(opened.db);
    } finally {
      await opened.close();
    }
  },
);
