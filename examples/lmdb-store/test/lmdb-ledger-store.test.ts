import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLedger } from '@bonafide/ledger-core';
import { testLedgerStore } from '@bonafide/ledger-core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { type LmdbLedgerStore, openLmdbLedgerStore } from '../src/lmdb-ledger-store.ts';

testLedgerStore('LMDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-lmdb-'));
  const opened: LmdbLedgerStore[] = [];
  const openStore = (agentId?: string) => {
    const store = openLmdbLedgerStore({ path: join(folder, 'ledger.mdb'), ...(agentId && { agentId }) });
    opened.push(store);
    return store;
  };
  return {
    store: openStore(),
    forAgent: openStore,
    reopen: () => openStore(),
    close: async () => {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

it('LED-34 X-20 two processes record each message once, count right, and show the same handles', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-lmdb-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.mdb');
  const script = fileURLToPath(new URL('./support/write-beside.ts', import.meta.url));
  const writer = async (name: string) => {
    const child = spawn(process.execPath, ['--conditions=@bonafide/source', script, path, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    return Number(out);
  };
  const news = await Promise.all([writer('one'), writer('two')]);
  expect((news[0] ?? 0) + (news[1] ?? 0)).toBe(40);
  const store = openLmdbLedgerStore({ path });
  const ledger = createLedger({ store });
  expect(await ledger.getSummary()).toMatchObject({ peers: 4, interactions: 40, assessments: 8 });
  const { items } = await ledger.listPeers();
  expect(items.map((peer) => [peer.interactionCount, peer.successCount])).toEqual(Array(4).fill([10, 10]));
  expect(new Set(items.map(({ handle }) => handle)).size).toBe(4);
  await store.close();
});
