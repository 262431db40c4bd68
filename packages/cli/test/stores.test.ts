import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCortex, createRuleReflector } from '@bonafide/cortex';
import { silentLogger } from '@bonafide/internal';
import { createLedger } from '@bonafide/ledger-core';
import { openPostgres } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
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
  'CLI-1 X-20 prints a warning for each transaction that is repeated, and gives it to the logger of an agent',
  async () => {
    const opened = await postgres?.open();
    onTestFinished(async () => opened?.close());
    const database = opened?.url ?? '';
    const warn = vi.fn();
    const logger = { ...silentLogger, warn };
    const stores = await startAgent({ workspace: newFolder(), database, logger });
    onTestFinished(() => stores[Symbol.asyncDispose]());
    expect(warn).not.toHaveBeenCalled();
    // Every other assessment is ended as one that cannot be serialized. Sequences are not rolled back.
    await sql`create sequence tries`.execute(stores.db);
    await sql`create function end_first() returns trigger language plpgsql as $$ begin
      if nextval('tries') % 2 = 1 then raise exception 'others' using errcode = '40001'; end if;
      return new;
    end $$`.execute(stores.db);
    await sql`create trigger busy before insert on ledger_assessments for each row execute function end_first()`.execute(
      stores.db,
    );
    const repeating = 'Repeating a transaction that Postgres ended because others were in its way';
    const assess = ['ledger', 'assess', peerId, '--trust', '1', '--because', 'Late.', '--db', database];
    expect(await run(assess)).toMatchObject({ code: 0, err: `warning: ${repeating}\n` });
    const inJson = await run([...assess, '--json']);
    expect(inJson.code).toBe(0);
    expect(JSON.parse(inJson.err)).toMatchObject({
      warning: { message: repeating, sqlState: '40001', repeat: 1 },
    });
    const ledger = createLedger({ store: stores.ledger });
    await ledger.recordAssessment(peerId, 2, 'Delivered again.', { source: 'operator' });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ sqlState: '40001' }), repeating);
  },
);

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

const hasClient = spawnSync('pg_dump', ['--version']).status === 0;

it.skipIf(postgres === undefined || !hasClient)(
  'CLI-1 LED-33 a Postgres database that pg_dump brings back is erased again, in the ledger and in every store',
  async () => {
    const opened = await postgres?.open();
    const url = opened?.url ?? '';
    const db = openPostgres<unknown>({ url });
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
    const schema = rows[0]?.schema ?? '';
    onTestFinished(async () => {
      await sql`drop schema if exists ${sql.id(`${schema}_erasures`)} cascade`.execute(db);
      await db.destroy();
      await opened?.close();
    });
    const stores = await startAgent({ workspace: newFolder(), database: url });
    const key = 'ab'.repeat(32);
    await stores.discovery.addDeletions?.(key, ['x'], 1);
    const ledger = createLedger({ store: stores.ledger });
    const cortex = createCortex({ ledger, reflector: createRuleReflector(), state: stores.cortex });
    for (let n = 0; n < 4; n += 1) {
      const work = { peerId: '4711', channel: 'telegram', correlationId: `w${n}`, content: 'Hi' };
      await ledger.recordIncoming({ ...work, outcome: 'rejected' });
    }
    await cortex.reflectNow('look');
    await cortex.close();
    await stores[Symbol.asyncDispose]();

    // libpq takes a plus for a plus.
    const libpqUrl = url.replaceAll('+', '%20');
    const dump = spawnSync('pg_dump', ['--schema', schema, '--clean', '--no-owner', '-d', libpqUrl], {
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    });
    expect(dump.status, dump.stderr).toBe(0);
    expect(dump.stdout).toContain(peerId);
    const where = ['--db', url];
    for (const who of [peerId, key])
      expect(
        await run(['ledger', 'forget', who, '--because', 'Asked for it.', '--yes', ...where]),
      ).toMatchObject({
        code: 0,
      });
    const back = spawnSync('psql', ['--quiet', '-v', 'ON_ERROR_STOP=1', '-d', libpqUrl], {
      encoding: 'utf8',
      input: dump.stdout,
    });
    expect(back.status, back.stderr).toBe(0);
    expect((await run(['ledger', 'show', peerId, ...where])).code).toBe(0);

    const again = await run(['ledger', 'erase-again', '--yes', '--json', ...where]);
    expect(again).toMatchObject({ code: 0, err: '' });
    const erased = JSON.parse(again.out);
    expect(erased).toMatchObject({ listed: 2, erased: 1 });
    const packages = erased.stores.map((store: { readonly package: string }) => store.package);
    expect(packages.toSorted()).toEqual(['cortex', 'discovery']);
    expect((await run(['ledger', 'show', peerId, ...where])).err).toContain('(PEER_NOT_FOUND)');
    const after = spawnSync('pg_dump', ['--schema', schema, '--data-only', '-d', libpqUrl], {
      encoding: 'utf8',
    });
    expect(after.stdout).not.toContain(peerId);
    expect(after.stdout).not.toContain(key);
  },
);

it('CLI-1 reports only the parts that an agent has, and names a missing ledger', async () => {
  const missing = await run(['report', '--workspace', newFolder()]);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('(DATABASE_NOT_FOUND)') });
});
