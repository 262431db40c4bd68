import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@bonafide/internal';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createCortex,
  createFileState,
  createMemoryState,
  createRuleReflector,
  type StatePort,
} from '../src/index.ts';
import { createDocument } from '../src/state/document.ts';
import { createKyselyCortexState, migrateCortex } from '../src/stores/kysely.ts';
import { testStatePort } from '../src/testing/index.ts';

testStatePort('memory', () => ({ store: createMemoryState() }));

testStatePort('file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bonafide-state-'));
  return {
    store: createFileState(directory),
    reopen: () => createFileState(directory),
    close: () => rmSync(directory, { recursive: true }),
  };
});

for (const database of testDatabases()) {
  testStatePort(
    `kysely on ${database.name}`,
    async () => {
      const { db, connect, close } = await database.open();
      await migrateCortex(db);
      return {
        store: createKyselyCortexState(db),
        reopen: () => createKyselyCortexState(connect?.() ?? db),
        forAgent: (agentId) => createKyselyCortexState(db, { agentId }),
        close,
      };
    },
    { timeoutMs: 240_000 },
  );
}

describe.each(testDatabases())('a database without tables on $name', ({ open }) => {
  it('X-14 CTX-21 start() names the migration, and succeeds after it', async () => {
    const { db, close } = await open();
    try {
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      const reflector = createRuleReflector();
      const cortex = createCortex({ ledger, reflector, state: createKyselyCortexState(db) });
      const failure = (message: string) => ({
        code: 'NOT_MIGRATED',
        message: expect.stringContaining(message),
      });
      await expect(cortex.start()).rejects.toMatchObject(failure('migrateCortex(db)'));
      await migrateCortex(db);
      await expect(cortex.start()).rejects.toMatchObject(failure('migrateLedger(db)'));
      await migrateLedger(db);
      await cortex.start();
      await cortex.close();
    } finally {
      await close();
    }
  });
});

describe('a state that fails', () => {
  it('CTX-1 CTX-21 keeps every change, and reading costs the same however many there are', async () => {
    const memory = createMemoryState();
    let isDown = true;
    const guarded = <Result>(call: () => Promise<Result>) =>
      isDown ? Promise.reject(new Error('down')) : call();
    const state: StatePort = {
      store: (key, text) => guarded(() => memory.store(key, text)),
      retrieve: (key) => guarded(() => memory.retrieve(key)),
      shared: {
        ...memory.shared,
        read: (key) => guarded(() => memory.shared.read(key)),
        swap: (key, text, revision) => guarded(() => memory.shared.swap(key, text, revision)),
      },
    };
    let failures = 0;
    const document = createDocument({
      state,
      key: 'numbers',
      schema: z.object({ numbers: z.array(z.number()) }),
      empty: { numbers: [] },
      logger: silentLogger,
      onFailure: () => {
        failures += 1;
      },
    });
    let applied = 0;
    const append = (number: number) => (stored: { numbers: number[] }) => {
      applied += 1;
      return { numbers: [...stored.numbers, number] };
    };
    for (let n = 0; n < 20; n += 1) await document.update(append(n));
    const all = Array.from({ length: 20 }, (_, n) => n);
    const before = applied;
    for (let n = 0; n < 1_000; n += 1) expect(document.value.numbers).toEqual(all);
    expect(applied).toBe(before);
    expect(failures).toBe(20);

    // Another process wrote meanwhile: its change stays.
    await memory.store('numbers', '{"numbers":[-1]}');
    isDown = false;
    await document.refresh();
    expect(document.value.numbers).toEqual([-1, ...all]);
    expect(JSON.parse((await memory.retrieve('numbers')) ?? '')).toMatchObject({ numbers: [-1, ...all] });
  });
});

describe('createFileState', () => {
  const inside = async (use: (directory: string) => Promise<void>) => {
    const parent = mkdtempSync(join(tmpdir(), 'bonafide-state-'));
    try {
      await use(join(parent, 'state'));
    } finally {
      rmSync(parent, { recursive: true });
    }
  };

  it('CTX-21 only the owner can read it, also over a draft that somebody left with other rights', () =>
    inside(async (directory) => {
      const state = createFileState(directory);
      await state.store('cortex-beliefs', '1');
      writeFileSync(join(directory, `cortex-trusts.json.${process.pid}.tmp`), 'half a fi');
      chmodSync(join(directory, `cortex-trusts.json.${process.pid}.tmp`), 0o644);
      await state.store('cortex-trusts', '2');
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      for (const file of readdirSync(directory))
        expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
      expect(readdirSync(directory).toSorted()).toEqual(['cortex-beliefs.json', 'cortex-trusts.json']);
    }));

  it('CTX-21 refuses a key that would leave the directory', () =>
    inside(async (directory) => {
      const state = createFileState(directory);
      for (const key of ['../x', 'a/b', '', 'A', 'x.json']) {
        await expect(state.store(key, '')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
        await expect(state.retrieve(key)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    }));

  it('CTX-21 says when it cannot write, and keeps what was there', () =>
    inside(async (directory) => {
      const state = createFileState(directory);
      await state.store('cortex-beliefs', 'old');
      await createFileState(join(directory, 'cortex-beliefs.json'))
        .store('x', 'y')
        .then(
          () => expect.fail('stored below a file'),
          (error) => expect(['ENOTDIR', 'EEXIST']).toContain(error.code),
        );
      expect(await state.retrieve('cortex-beliefs')).toBe('old');
    }));
});
