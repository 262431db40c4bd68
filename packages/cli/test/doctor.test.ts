import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedgerHooks, type HookFailures } from '@bonafide/ledger-core';
import { migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkHooks, checkTrustStep } from '../src/checks/journal.ts';
import { checkNode, checkNodeSqlite } from '../src/checks/node.ts';
import { checkRelay } from '../src/checks/relay.ts';
import { checkSandbox } from '../src/checks/sandbox.ts';
import { checkToolchains } from '../src/checks/toolchains.ts';
import { createWorld, run } from './world.ts';

type Found = {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly remedy: string | null;
};
const parse = (out: string): { ok: boolean; checks: readonly Found[] } => JSON.parse(out);
const named = (checks: readonly Found[], name: string) => checks.find((check) => check.name === name);

/** Returns whether a process of this machine may hide files from its children. */
function hidesFiles(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '--bind', '/dev/null', '/usr/bin/bwrap'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('bonafide doctor', () => {
  it('CLI-2 names everything that it looks at, and is content with a ledger in order', async () => {
    await using world = await createWorld();
    const { code, out, err } = await run(['doctor', '--no-sandbox', '--workspace', world.workspace]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^✓ Node: version 2\d/mu);
    expect(out).toMatch(/^✓ SQLite: node:sqlite with SQLite 3\./mu);
    expect(out).toContain(
      `✓ Ledger: ${world.path}\n✓ File modes: only you can read the agent's databases\n✓ Schema: up to date`,
    );
    expect(out.trimEnd().split('\n').at(-1)).toBe('All is well.');
  });

  it('CLI-2 LED-22 finds files that others can read, and its command mends them', async () => {
    await using world = await createWorld();
    await world.ledger.recordIncoming({ peerId: '1', channel: 'telegram', content: 'x' });
    const files = ['', '-wal', '-shm']
      .map((companion) => world.path + companion)
      .filter((file) => existsSync(file));
    expect(files).toHaveLength(3);
    for (const file of files) chmodSync(file, 0o644);
    const before = await run(['doctor', '--no-sandbox', '--db', world.path, '--json']);
    expect(before.code).toBe(1);
    expect(parse(before.out).ok).toBe(false);
    const modes = named(parse(before.out).checks, 'File modes');
    expect(modes).toMatchObject({ status: 'fail', remedy: `chmod 600 ${files.join(' ')}` });
    expect(modes?.detail).toContain('has mode 0644');
    for (const file of modes?.remedy?.split(' ').slice(2) ?? []) chmodSync(file, 0o600);
    expect((await run(['doctor', '--no-sandbox', '--db', world.path])).code).toBe(0);
  });

  it('CLI-2 warns where no ledger is, and says what to do', async () => {
    const { code, out } = await run(['doctor', '--no-sandbox', '--json'], { env: { HOME: '/nowhere' } });
    expect(code).toBe(0);
    expect(named(parse(out).checks, 'Ledger')).toMatchObject({
      status: 'warn',
      detail: 'there is none at /nowhere/.bonafide/ledger.db',
      remedy: 'Start the agent, or name its folder: bonafide doctor --workspace <dir>',
    });
  });

  it('CLI-2 LED-25 tells a schema that is newer, and one that is behind', async () => {
    await using world = await createWorld();
    const db = openSqlite({ path: world.path });
    await sql`insert into ledger_migrations (id, position, checksum, applied_at) values ('9999-later', 99, 'x', 0)`.execute(
      db,
    );
    const newer = await run(['doctor', '--no-sandbox', '--db', world.path, '--json']);
    expect(newer.code).toBe(1);
    expect(named(parse(newer.out).checks, 'Schema')).toMatchObject({
      status: 'fail',
      remedy: 'npm install --global @bonafide/cli@latest',
    });
    expect(await run(['ledger', 'list', '--db', world.path])).toMatchObject({
      code: 1,
      err: expect.stringContaining('(SCHEMA_NEWER)'),
    });
    await sql`delete from ledger_migrations`.execute(db);
    await db.destroy();
    const behind = await run(['doctor', '--no-sandbox', '--db', world.path, '--json']);
    expect(named(parse(behind.out).checks, 'Schema')).toMatchObject({
      status: 'warn',
      remedy: 'Start the agent once',
    });
  });

  it('CLI-2 looks at every database of the workspace, and only there', async () => {
    await using world = await createWorld();
    const { workspace } = world;
    const agent = join(workspace, 'agent.db');
    const db = openSqlite({ path: agent });
    await migrateJobs(db);
    const checks = async (...args: readonly string[]) =>
      parse((await run(['doctor', '--no-sandbox', '--json', ...args])).out).checks;
    expect(named(await checks('--workspace', workspace), 'Schema of agent.db')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('jobs'),
    });
    expect(named(await checks('--db', world.path), 'Schema of agent.db')).toBeUndefined();

    await sql`insert into jobs_migrations (id, position, checksum, applied_at) values ('9999-later', 99, 'x', 0)`.execute(
      db,
    );
    await db.destroy();
    chmodSync(agent, 0o640);
    const found = await checks('--workspace', workspace);
    expect(named(found, 'Schema of agent.db')).toMatchObject({
      status: 'fail',
      remedy: 'npm install --global @bonafide/cli@latest',
    });
    expect(named(found, 'File modes')).toMatchObject({
      status: 'fail',
      remedy: expect.stringContaining(`chmod 600 ${agent}`),
    });
    execFileSync('sh', ['-c', named(found, 'File modes')?.remedy ?? '']);
    expect(named(await checks('--workspace', workspace), 'File modes')).toMatchObject({ status: 'ok' });

    writeFileSync(join(workspace, 'reviews.db'), 'no database at all', { mode: 0o600 });
    expect(named(await checks('--workspace', workspace), 'Schema of reviews.db')).toMatchObject({
      status: 'fail',
      remedy: `bonafide restore <backup> --db ${join(workspace, 'reviews.db')} --yes`,
    });
  });

  it('CLI-2 LED-14 LED-17 tells of hooks that failed and of trust that one assessment moved far', async () => {
    await using world = await createWorld();
    const checks = async (...args: readonly string[]) => {
      const { code, out } = await run(['doctor', '--no-sandbox', '--db', world.path, '--json', ...args]);
      expect(code).toBe(0);
      return parse(out).checks;
    };
    expect(named(await checks(), 'Hooks')).toMatchObject({ status: 'ok', detail: 'none ever failed' });
    expect(named(await checks(), 'Inline assessment')).toMatchObject({
      status: 'ok',
      detail: 'the agent itself assessed no peer in the last 30 days',
    });

    world.now = Date.now();
    const today = new Date(world.now).toISOString().slice(0, 10);
    await world.ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
    const assess = world.ledger.tools().find(({ name }) => name === 'assess_peer');
    await assess?.execute({ peer_id: 'irc:bob', trust: 3, rationale: 'Paid.' });
    expect(named(await checks(), 'Inline assessment')).toMatchObject({ status: 'ok', remedy: null });
    await assess?.execute({ peer_id: 'irc:bob', trust: -9, rationale: 'Took the money and left.' });
    const hooks = createLedgerHooks(world.ledger);
    for (let n = 0; n < 2; n++) await hooks.onMessage({ peerId: 'bob', channel: 'a:b', content: 'hi' });
    await expect.poll(() => world.ledger.getHookFailures()).toMatchObject([{ count: 2 }]);

    const found = await checks();
    expect(named(found, 'Hooks')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(
        new RegExp(`^2 failures so far, last ${today} ..:..Z in onMessage \\(INVALID_INPUT\\)$`, 'u'),
      ),
      remedy: expect.stringContaining('"The ledger hook"'),
    });
    expect(named(found, 'Inline assessment')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining(
        'moved trust by at most 12 in the last 30 days (from +3 to -9, irc:bob,',
      ),
      remedy: expect.stringContaining('maxTrustStep'),
    });
    expect(named(await checks('--agent', 'another'), 'Hooks')).toMatchObject({ status: 'ok' });
  });

  it('CLI-2 asks the relays that it is given: one that answers, one that is not there', async () => {
    const relay = await startTestRelay();
    const { url } = relay;
    try {
      const there = await run(['doctor', '--no-sandbox', '--relay', url, '--json']);
      expect(there.code).toBe(0);
      expect(named(parse(there.out).checks, `Relay ${url}`)).toMatchObject({
        status: 'ok',
        detail: expect.stringMatching(/^answered in \d+ ms$/u),
      });
    } finally {
      await relay.close();
    }
    const gone = await checkRelay(url, 300);
    expect(gone).toMatchObject({
      status: 'fail',
      remedy: expect.stringContaining('curl -I http://127.0.0.1:'),
    });
  });

  it('CLI-2 a relay that is no web socket address is wrong usage', async () => {
    expect(await run(['doctor', '--relay', 'https://relay.example'])).toMatchObject({ code: 2, out: '' });
  });

  it('CLI-2 shows progress on a terminal only, and takes it away again', async () => {
    const quiet = await run(['doctor', '--no-sandbox'], { env: { HOME: '/nowhere' } });
    expect(quiet.err).toBe('');
    const seen = await run(['doctor', '--no-sandbox'], { env: { HOME: '/nowhere' }, terminal: true });
    expect(seen.err).toContain('Looking at the databases…\r');
  });
});

describe('the checks', () => {
  it('CLI-2 LED-14 failures of hooks stop being a warning after a month', () => {
    const failed: HookFailures = { hook: 'afterSend', count: 1, lastAt: 0, lastCode: 'STORAGE_FULL' };
    const later: HookFailures = { hook: 'onMessage', count: 2, lastAt: 60_000, lastCode: 'X' };
    const monthMs = 30 * 86_400_000;
    expect(checkHooks([failed], monthMs)).toMatchObject({
      status: 'warn',
      detail: '1 failure so far, last 1970-01-01 00:00Z in afterSend (STORAGE_FULL)',
    });
    expect(checkHooks([failed], monthMs + 1)).toMatchObject({ status: 'ok', remedy: null });
    expect(checkHooks([later, failed], monthMs + 1)).toMatchObject({
      status: 'warn',
      detail: '3 failures so far, last 1970-01-01 00:01Z in onMessage (X)',
    });
  });

  it('CLI-2 LED-17 a step of six is worth a look, one of five is not', () => {
    const step = { peerId: 'irc:bob', assessmentId: 'a', from: 0, at: 0 };
    expect(checkTrustStep({ ...step, to: -5 }).status).toBe('ok');
    expect(checkTrustStep({ ...step, to: -6 }).status).toBe('warn');
  });

  it('CLI-2 Node below 22.13 fails with what to install', () => {
    expect(checkNode('22.12.0')).toMatchObject({
      status: 'fail',
      remedy: expect.stringContaining('nvm install 24'),
    });
    expect(checkNode('20.19.0').status).toBe('fail');
    expect(checkNode('22.13.0').status).toBe('ok');
    expect(checkNode('24.0.0').status).toBe('ok');
  });

  it('CLI-2 a Node without node:sqlite fails, and so does one whose SQLite does not work', () => {
    expect(checkNodeSqlite(() => undefined)).toMatchObject({
      status: 'fail',
      detail: 'this Node has no node:sqlite',
    });
    const broken = checkNodeSqlite(() => ({}) as never);
    expect(broken).toMatchObject({ status: 'fail', detail: expect.stringContaining('cannot be used') });
  });

  it("CLI-2 JDG-8 the sandbox is what the judge's own probe of this machine says", async () => {
    const checks = await checkSandbox({ backend: 'bubblewrap' });
    expect(checks.length).toBeGreaterThan(0);
    for (const check of checks) {
      expect(['ok', 'warn', 'fail']).toContain(check.status);
      if (check.status === 'fail') expect(check.remedy).not.toBeNull();
    }
    const missing = await checkSandbox({ backend: 'bubblewrap' }, async () => ({
      backend: 'bubblewrap',
      usable: false,
      checks: [
        {
          name: 'bubblewrap',
          status: 'failed',
          detail: 'not installed',
          remedy: 'apt-get install -y bubblewrap',
        },
      ],
      layers: [],
    }));
    expect(missing).toEqual([
      {
        name: 'bubblewrap',
        status: 'fail',
        detail: 'not installed',
        remedy: 'apt-get install -y bubblewrap',
      },
    ]);
  });

  it.skipIf(!hidesFiles())(
    'CLI-2 JDG-8 on a machine without bubblewrap and Python, names both and the commands that install them',
    async () => {
      const main = new URL('../src/main.ts', import.meta.url).pathname;
      const checks = await new Promise<readonly Found[]>((resolve) => {
        const hide =
          'for file in /usr/bin/bwrap /usr/bin/python3; do mount --bind /dev/null $(readlink -f $file); done';
        const command = `${hide}; exec "${process.execPath}" "${main}" doctor --json --workspace /nowhere`;
        execFile('unshare', ['-rm', 'sh', '-c', command], (error, out) => {
          expect(error?.code).toBe(1);
          resolve(parse(out).checks);
        });
      });
      expect(checks.filter(({ status }) => status === 'fail')).toMatchObject([
        { name: 'bubblewrap', remedy: 'sudo apt-get install -y bubblewrap' },
        { name: 'Python', remedy: 'sudo apt-get install -y python3' },
      ]);
    },
  );

  it('CLI-2 lists the languages whose programs can be judged, and what installs the others (JDG-23)', async () => {
    const [installed] = await checkToolchains();
    expect(installed).toMatchObject({ status: 'ok', name: 'Languages of programs' });
    expect(installed?.detail).toMatch(/javascript \d+\.\d+/u);
    expect(installed?.detail).toMatch(/python 3\.\d+/u);
    const checks = await checkToolchains(async () => [
      { language: 'c', version: '12.2', remedy: null },
      { language: 'go', version: null, remedy: 'sudo apt-get install -y golang-go' },
    ]);
    expect(checks).toMatchObject([
      { detail: 'c 12.2' },
      { status: 'ok', name: 'Language go', remedy: 'sudo apt-get install -y golang-go' },
    ]);
  });

  it('CLI-2 JDG-8 the sandbox of containers says what it lacks, and how to mend it', async () => {
    const { code, out } = await run([
      ...['doctor', '--backend', 'container', '--runtime', 'no-such-runtime', '--json'],
      ...['--db', join(tmpdir(), 'no-such-folder', 'ledger.db')],
    ]);
    expect(code).toBe(1);
    const { checks } = JSON.parse(out) as { checks: { name: string; status: string; remedy: string }[] };
    const failed = checks.filter((check) => check.status === 'fail');
    expect(failed.map((check) => check.name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Container (?:engine|runtime)$/u)]),
    );
    expect(failed.every((check) => check.remedy.length > 0)).toBe(true);
    const confused = await run(['doctor', '--engine', 'podman', '--json']);
    expect(confused).toMatchObject({ code: 2 });
  });
});
