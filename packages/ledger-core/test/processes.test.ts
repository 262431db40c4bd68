import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

interface Changes {
  readonly recorded: number;
  readonly voided: boolean;
  readonly value: string;
  readonly erased: number;
}

const script = join(import.meta.dirname, 'support/write-beside.ts');

/** Runs a process that does the same as the other one, and returns what it has changed. */
async function writer(url: string, name: string): Promise<Changes> {
  const child = spawn(process.execPath, ['--conditions=@bonafide/source', script, url, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return JSON.parse(out) as Changes;
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('two processes of one agent on $name', ({ open }) => {
  it('X-20 record each message once, count right, and show the same handles', async () => {
    const { db, url, close } = await open();
    try {
      await migrateLedger(db);
      const news = await Promise.all([writer(url ?? '', 'one'), writer(url ?? '', 'two')]);
      const [one, other] = news;
      expect((one?.recorded ?? 0) + (other?.recorded ?? 0)).toBe(40);
      expect(news.filter(({ voided }) => voided)).toHaveLength(1);
      expect(one?.value).toBe(other?.value);
      // Erased by one process, or recorded and erased by each, one after the other.
      const erasures = (one?.erased ?? 0) + (other?.erased ?? 0);
      expect([1, 2]).toContain(erasures);
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      const { items: all } = await ledger.listPeers();
      const items = all.filter(({ channel }) => channel === 'nostr');
      const tombstones = all.filter(({ channel }) => channel === 'erased');
      expect(await ledger.getSummary()).toMatchObject({ interactions: 40 + erasures, assessments: 8 });
      expect(tombstones.reduce((sum, { interactionCount }) => sum + interactionCount, 0)).toBe(erasures);
      expect(items.map(({ violationCount }) => violationCount)).toEqual([0, 0, 0, 0]);
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
