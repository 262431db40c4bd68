import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const script = join(import.meta.dirname, 'support/write-beside.ts');

/** Runs a process that records the same forty messages, and returns how many were new to the ledger. */
async function writer(url: string, name: string): Promise<number> {
  const child = spawn(process.execPath, ['--conditions=@bonafide/source', script, url, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return Number(out);
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('two processes of one agent on $name', ({ open }) => {
  it('X-20 record each message once, count right, and show the same handles', async () => {
    const { db, url, close } = await open();
    try {
      await migrateLedger(db);
      const news = await Promise.all([writer(url ?? '', 'one'), writer(url ?? '', 'two')]);
      expect((news[0] ?? 0) + (news[1] ?? 0)).toBe(40);
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      expect(await ledger.getSummary()).toMatchObject({ peers: 4, interactions: 40, assessments: 8 });
      const { items } = await ledger.listPeers();
      expect(items.map((peer) => [peer.interactionCount, peer.successCount])).toEqual(
        Array(4).fill([10, 10]),
      );
      expect(new Set(items.map(({ handle }) => handle)).size).toBe(4);
      for (const { handle, peerId } of items) expect((await ledger.resolvePeer(handle))?.peerId).toBe(peerId);
    } finally {
      await close();
    }
  });
});
