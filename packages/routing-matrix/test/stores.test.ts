import { seededRandom } from '@bonafide/internal';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix } from '../src/index.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { testRoutingStore } from '../src/testing/index.ts';
import { good, platform, start } from './support.ts';

testRoutingStore('memory', () => ({ store: createMemoryRoutingStore() }));

for (const database of testDatabases()) {
  testRoutingStore(
    `kysely on ${database.name}`,
    async () => {
      const { db, connect, close } = await database.open();
      await migrateRouting(db);
      const reopen = () => createKyselyRoutingStore(connect?.() ?? db);
      return { store: createKyselyRoutingStore(db), reopen, close };
    },
    { timeoutMs: 240_000 },
  );

  it(`RTM-21 keeps the logs of two agents apart on ${database.name}`, async () => {
    const { db, close } = await database.open();
    try {
      await migrateRouting(db);
      await migrateRouting(db);
      const record = { id: 'a', kind: 'outcome', at: 1, taskType: null, data: {} };
      const [mine, yours] = ['me', 'you'].map((agentId) => createKyselyRoutingStore(db, { agentId }));
      expect(await mine?.append([record])).toEqual([{ seq: 1, appended: true }]);
      expect(await yours?.readAfter(0, 10)).toEqual([]);
      expect(await yours?.append([{ ...record, at: 2 }])).toEqual([{ seq: 1, appended: true }]);
      expect((await mine?.get('a'))?.at).toBe(1);
    } finally {
      await close();
    }
  });

  it(`RTM-24 quarantines a record whose data is no JSON, and reads the others, on ${database.name}`, async () => {
    const { db, close } = await database.open();
    try {
      await migrateRouting(db);
      const store = createKyselyRoutingStore(db);
      const matrix = createRoutingMatrix({ store, clock: () => start });
      for (const n of [1, 2, 3])
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: 'code',
          attemptId: `${n}`,
          verdict: good(),
        });
      for (const [seq, data] of [
        [2, '{"platform":'],
        [3, 'null'],
      ] as const)
        await sql`UPDATE routing_log SET data = ${data} WHERE seq = ${seq}`.execute(db);
      const reopened = createRoutingMatrix({ store, clock: () => start });
      expect((await reopened.entries()).map((entry) => entry.platform)).toEqual([platform(1)]);
      expect(await reopened.quarantined()).toMatchObject([{ seq: 2 }, { seq: 3 }]);
      await reopened.recordBenchmark({
        platform: platform(4),
        taskType: 'code',
        attemptId: '4',
        verdict: good(),
      });
      expect(await reopened.entries()).toHaveLength(2);
    } finally {
      await close();
    }
  });

  it(`X-14 names the migration that is missing on ${database.name}`, async () => {
    const { db, close } = await database.open();
    try {
      await using matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
      await expect(matrix.entries()).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
    } finally {
      await close();
    }
  });

  it(`RTM-21 folds one log in several matrices at once on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    try {
      await migrateRouting(db);
      const matrices = [1, 2, 3].map((n) =>
        createRoutingMatrix({
          store: createKyselyRoutingStore(connect?.() ?? db),
          clock: () => start,
          random: seededRandom(n),
        }),
      );
      const work = matrices.flatMap((matrix, m) =>
        Array.from({ length: 12 }, async (_, i) => {
          // Every attempt is handed in by two of them, and counts once.
          const attemptId = `${(m + (i % 2)) % 3}-${i - (i % 2)}`;
          await matrix.recordBenchmark({
            platform: platform((i >> 1) % 3),
            taskType: 'code',
            attemptId,
            verdict: good(),
          });
          await matrix.select({ taskType: 'code', jobId: `job-${i}` });
        }),
      );
      await Promise.all(work);
      const views = await Promise.all(
        matrices.map(async (matrix) => {
          await matrix.refresh();
          return { entries: await matrix.entries(), decisions: await matrix.decisions() };
        }),
      );
      expect(views[0]?.decisions.items).toHaveLength(12);
      expect(views[1]).toEqual(views[0]);
      expect(views[2]).toEqual(views[0]);
    } finally {
      await close();
    }
  });
}
