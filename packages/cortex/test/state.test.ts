import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { createFileState, createMemoryState } from '../src/index.ts';
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
    { timeoutMs: 60_000 },
  );
}

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
