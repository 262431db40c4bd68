import { testDatabases } from '@bonafide/storage/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createEmbeddedEngine, createMemoryDelegationStore, type WakeStore } from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { testDelegationEngine } from '../src/testing/index.ts';

const config = { pollMs: 50, exclusive: false };

testDelegationEngine('embedded in memory', () => {
  const store = createMemoryDelegationStore().wakes;
  const another = () => createEmbeddedEngine({ store, config });
  return { engine: another(), another };
});

for (const database of testDatabases().filter(({ name }) => name === 'node:sqlite' || name === 'Postgres')) {
  testDelegationEngine(`embedded on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    await migrateDelegation(db);
    const over = (each: typeof db) =>
      createEmbeddedEngine({ store: createKyselyDelegationStore(each).wakes, config });
    return { engine: over(db), another: () => over(connect?.() ?? db), close };
  });
}

it('handles at once after a restart what an earlier process was handling (DLG-8)', async () => {
  const { wakes } = createMemoryDelegationStore();
  await wakes.put({ queue: 'q', id: 'a', dueAt: 0, priority: 0 });
  const now = Date.now();
  await wakes.claim({ queue: 'q', now, limit: 1, token: 'dead', heldUntil: now + 3_600_000 });
  const handled: string[] = [];
  const engine = createEmbeddedEngine({ store: wakes });
  await using _work = await engine.work('q', { concurrency: 1 }, async (id) => {
    handled.push(id);
    return null;
  });
  await expect.poll(() => handled).toEqual(['a']);
});

it('ends a claim when the store works again, also while other ids are being handled (DLG-8)', async () => {
  const { wakes } = createMemoryDelegationStore();
  let failures = 2;
  const store: WakeStore = {
    ...wakes,
    finish: async (result) => {
      if (result.id === 'a' && failures > 0) {
        failures -= 1;
        throw new Error('The database is locked.');
      }
      return wakes.finish(result);
    },
  };
  // Renewed every 20 ms.
  const engine = createEmbeddedEngine({ store, config: { pollMs: 20, leaseMs: 60 } });
  const long = Promise.withResolvers<null>();
  const handled: string[] = [];
  const work = await engine.work('q', { concurrency: 5 }, async (id) => {
    handled.push(id);
    return id === 'long' ? long.promise : null;
  });
  onTestFinished(async () => {
    long.resolve(null);
    await work[Symbol.asyncDispose]();
  });
  await engine.wake('q', 'long');
  await engine.wake('q', 'a');
  await expect.poll(() => failures).toBe(0);
  await expect.poll(async () => (await engine.inspect()).map(({ id }) => id)).toEqual(['long']);
  await engine.wake('q', 'a');
  await expect.poll(() => handled.filter((id) => id === 'a')).toHaveLength(2);
});

it('rejects invalid settings (DLG-8)', () => {
  const store = createMemoryDelegationStore().wakes;
  expect(() => createEmbeddedEngine({ store, config: { pollMs: -1 } })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  );
});
