import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '@bonafide/ledger-core';
import { testDatabases } from '@bonafide/storage/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openAgentStores } from '../src/stores.ts';
import { run } from './world.ts';

const postgres = testDatabases().find(({ name }) => name === 'Postgres');
const peerId = 'telegram:4711';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-stores-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'agent');
}

/** An agent that met one peer. */
async function startAgent(options: Parameters<typeof openAgentStores>[0]) {
  const stores = await openAgentStores(options);
  const ledger = createLedger({ store: stores.ledger });
  await ledger.recordIncoming({ peerId: '4711', channel: 'telegram', alias: 'Bob', content: 'Here it is.' });
  await ledger.recordAssessment(peerId, 2, 'Delivered once.', { source: 'operator' });
  return stores;
}

/** Every command that reads an agent's data finds it. */
async function expectEverything(where: readonly string[]) {
  const report = await run(['report', ...where]);
  expect({ code: report.code, err: report.err }).toMatchObject({ code: 0 });
  expect(report.out).toMatch(/Peers.*\n\n.*\n.*Bob \(telegram:4711\).*Delivered once\./);
  expect(report.out).toMatch(/Beliefs.*\n\nNo active beliefs/);
  expect(report.out).not.toContain('Reviews');
  const json = JSON.parse((await run(['report', '--json', ...where])).out);
  expect(json).toMatchObject({ platforms: [], jobs: [], beliefs: [], reviews: [] });
  expect(json.peers).toMatchObject([{ peerId, interactions: 1, trust: 2, rationale: 'Delivered once.' }]);
  for (const command of [
    ['routes'],
    ['work', 'list'],
    ['cortex', 'history'],
    ['reviews', 'list'],
    ['ledger', 'show', peerId],
  ])
    expect({ command, code: (await run([...command, ...where])).code }).toEqual({ command, code: 0 });
}

it('CLI-1 AGT-3 opens the stores of an agent in files that the commands read, for one process', async () => {
  const workspace = newFolder();
  const stores = await startAgent({ workspace });
  expect(statSync(workspace).mode & 0o077).toBe(0);
  await expect(openAgentStores({ workspace })).rejects.toMatchObject({ code: 'WRITER_ACTIVE' });
  await expectEverything(['--workspace', workspace]);
  await stores[Symbol.asyncDispose]();
  await (await openAgentStores({ workspace }))[Symbol.asyncDispose]();
});

it.skipIf(postgres === undefined)(
  'CLI-1 AGT-3 X-20 opens them in one Postgres database, for several processes and every command',
  async () => {
    const opened = await postgres?.open();
    onTestFinished(async () => opened?.close());
    const database = opened?.url ?? '';
    const workspace = newFolder();
    const [one, two] = [
      await startAgent({ workspace, database }),
      await openAgentStores({ workspace, database }),
    ];
    expect(existsSync(join(workspace, 'ledger.db'))).toBe(false);
    const db = ['--db', database];
    await expectEverything(db);
    expect((await run(['doctor', '--no-sandbox', ...db])).out).toMatch(/Schema.*up to date/);
    expect((await run(['ledger', 'assess', peerId, '--trust', '-4', '--because', 'Late.', ...db])).code).toBe(
      0,
    );
    expect(await run(['backup', ...db])).toMatchObject({ code: 2, err: expect.stringContaining('pg_dump') });

    const forget = ['ledger', 'forget', peerId, '--because', 'Asked for it.', ...db];
    const preview = await run(forget);
    expect(preview).toMatchObject({ code: 2, err: expect.stringContaining('This erases Bob') });
    expect(preview.err).not.toContain('postgres://');
    expect((await run([...forget, '--yes'])).code).toBe(0);
    expect((await run(['ledger', 'show', peerId, ...db])).err).toContain('(PEER_NOT_FOUND)');
    for (const stores of [one, two]) await stores[Symbol.asyncDispose]();
  },
);

it('CLI-1 reports only the parts that an agent has, and names a missing ledger', async () => {
  const missing = await run(['report', '--workspace', newFolder()]);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('(DATABASE_NOT_FOUND)') });
});
