import { testDatabases } from '@bonafide/storage/testing';
import { expect, it } from 'vitest';
import { createMemoryDiscoveryStore } from '../src/index.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../src/stores/kysely.ts';
import { testDiscoveryStore } from '../src/testing/index.ts';

testDiscoveryStore('memory', () => ({ store: createMemoryDiscoveryStore() }));

for (const database of testDatabases()) {
  testDiscoveryStore(
    `kysely on ${database.name}`,
    async () => {
      const { db, connect, close } = await database.open();
      await migrateDiscovery(db);
      const reopen = () => createKyselyDiscoveryStore(connect?.() ?? db);
      return { store: createKyselyDiscoveryStore(db), reopen, close };
    },
    { timeoutMs: 60_000 },
  );

  it(`X-2 keeps the registries of two agents apart on ${database.name}`, { timeout: 60_000 }, async () => {
    const { db, close } = await database.open();
    try {
      await migrateDiscovery(db);
      await migrateDiscovery(db);
      const mine = createKyselyDiscoveryStore(db, { agentId: 'me' });
      const yours = createKyselyDiscoveryStore(db, { agentId: 'you' });
      await mine.setWatermark('wss://a.example', 'k', 5);
      expect(await yours.getWatermark('wss://a.example', 'k')).toBeNull();
    } finally {
      await close();
    }
  });
}
