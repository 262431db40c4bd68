import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTables } from '../src/databases.ts';
import { openAgentStores } from '../src/stores.ts';
import { run } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-folders-'));
const provider = join(folder, 'provider.mjs');
writeFileSync(provider, 'export const kinds = [5050]; export const handler = () => "done";\n');
const key = { env: { BONAFIDE_SECRET_KEY: '1'.repeat(64) } };
const relay = ['--relay', 'ws://127.0.0.1:9'];

describe.skipIf(process.platform !== 'linux')('a folder in which no folder can be created', () => {
  it.each([
    ['job request', ['job', 'request', 'text', ...relay]],
    ['provider run', ['provider', 'run', provider, ...relay]],
  ])('CLI-1 is refused with a message instead of an endless search: %s', async (_, command) => {
    const { code, err } = await run([...command, '--workspace', '/proc/agent/data'], key);
    expect(err).toMatch(
      /\/proc\/agent\/data cannot be created: no folder can be created there\. Give another/u,
    );
    expect(err).toContain('(STORE_FAILED)');
    expect(code).toBe(1);
  });

  it('AGT-3 is refused by the stores of an agent, and by every command that creates tables', async () => {
    await expect(createTables('/proc/agent/data/agent.db', async () => {})).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    await expect(openAgentStores({ workspace: '/proc/agent/data' })).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
  });

  it('CLI-1 is refused by a backup', async () => {
    const workspace = join(folder, 'agent');
    await (await openAgentStores({ workspace }))[Symbol.asyncDispose]();
    expect(statSync(workspace).mode & 0o077).toBe(0);
    const { code, err } = await run(['backup', '/proc/agent/copy.db', '--workspace', workspace]);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('/proc/agent/copy.db') });
  });
});
