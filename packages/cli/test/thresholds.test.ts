import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { createLocalGitForge } from '@bonafide/self-correction';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './world.ts';

const source = 'API_KEY = "sk-secret-123456"\nTRUST_THRESHOLD_CODE: float = 0.60  # token s3cret\n';

/** A bare repository with thresholds, and an agent whose jobs of one type all succeeded. */
async function world(jobs = 40) {
  const workspace = mkdtempSync(join(tmpdir(), 'bonafide-cli-thresholds-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const bare = join(workspace, 'config.git');
  const work = join(workspace, 'work');
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=O', '-c', 'user.email=o@localhost', ...args], {
      encoding: 'utf8',
    });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare]);
  execFileSync('git', ['init', '-q', '-b', 'main', work]);
  writeFileSync(join(work, 'orchestrator.py'), source);
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'First');
  git(work, 'push', '-q', bare, 'main');
  const db = openSqlite<unknown>({ path: join(workspace, 'agent.db') });
  await migrateRouting(db);
  const store = createKyselyRoutingStore(db);
  let now = Date.UTC(2026, 0, 5);
  const clock = () => now;
  const matrix = createRoutingMatrix({ store, clock });
  const platform = { pubkey: '1'.repeat(64), d: 'python' };
  await matrix.register({ platform, name: 'One', taskTypes: ['code'], priceMsat: 100 });
  const add = async (count: number, outcome: 'SUCCESS' | 'FAILURE' | 'INFRA', label: string) => {
    for (let n = 0; n < count; n += 1) {
      now += 60_000;
      await matrix.recordOutcome({ jobId: `${label}-${n}`, platform, taskType: 'code', outcome });
    }
  };
  await add(jobs, 'SUCCESS', 'job');
  await add(3, 'INFRA', 'own fault');
  onTestFinished(async () => {
    await matrix.close();
    await db.destroy();
  });
  const where = ['--workspace', workspace, '--repository', bare];
  const command = (...argv: readonly string[]) => run(['thresholds', ...argv, ...where]);
  const forge = createLocalGitForge({ repository: bare });
  return { workspace, bare, command, add, forge, git: (...args: string[]) => git(bare, ...args) };
}

describe('bonafide thresholds', () => {
  it('CLI-1 SEL-8 shows in a dry run what the outcomes suggest, and changes nothing', async () => {
    const { command, git, forge } = await world();
    const dry = await command('propose', 'code', '--dry-run');
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('dry run');
    expect(dry.out).toContain('-TRUST_THRESHOLD_CODE: float = 0.60…');
    expect(dry.out).toContain('+TRUST_THRESHOLD_CODE: float = 0.75… # Auto-adjusted: success, +0.15');
    expect(dry.out).toContain('## Automated threshold adjustment');
    expect(dry.out).not.toMatch(/s3cret|sk-secret/);
    expect(git('branch', '--list').trim()).toBe('* main');
    expect(await forge.listProposals('')).toEqual([]);
    const json = JSON.parse((await command('propose', 'code', '--dry-run', '--json')).out);
    expect(json).toMatchObject({ action: 'dry run', pull: null });
    expect(json.body).toContain('- Sample size: 40,');
  });

  it('CLI-1 SEL-4 proposes a real commit, shows it in the history, and proposes the way back', async () => {
    const { command, git, forge, add } = await world();
    expect(await command('history', 'code')).toMatchObject({ code: 1, out: expect.stringContaining('0.60') });
    const proposed = await command('propose', 'code');
    expect(proposed).toMatchObject({ code: 0, err: '', out: expect.stringContaining('proposed') });
    const [pull] = await forge.listProposals('auto-threshold-');
    expect(git('show', `${pull?.branch}:orchestrator.py`)).toContain('float = 0.75');
    expect(await command('propose', 'code')).toMatchObject({ out: expect.stringContaining('unchanged') });
    await forge.merge(pull?.id ?? '', pull?.head ?? '');
    const history = JSON.parse((await command('history', 'CODE', '--json')).out);
    expect(history).toMatchObject({ threshold: 0.75, changes: [{ delta: 0.15 }] });
    expect(history.log.map(({ action }: { action: string }) => action)).toEqual(['proposed']);
    // What has counted does not count again.
    const again = await command('propose', 'code');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('No pattern in 40 outcomes') });
    await add(31, 'FAILURE', 'later');
    expect(await command('propose', 'code')).toMatchObject({
      code: 0,
      out: expect.stringContaining('-0.10'),
    });
    expect(await command('withdraw', 'code', '--because', 'Broken tests.')).toMatchObject({ code: 0 });
    const back = await command('rollback', 'code', '--because', 'More failures since.');
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining('A person merges it.') });
    const table = await command('history', 'code');
    expect(table.out).toMatch(/1\s+merged\s+0\.60\s+0\.75/);
    expect(table.out).toMatch(/3\s+open\s+0\.75\s+0\.60\s+1/);
  });

  it('CLI-1 SEL-5 merges only when asked and every condition holds', async () => {
    const { command, git } = await world();
    const result = JSON.parse((await command('propose', 'code', '--auto-merge', '--json')).out);
    // A local repository has no checks, which is not green; and a move of 0.15 needs a person.
    expect(result.action).toBe('proposed');
    const failing = result.conditions.filter(({ holds }: { holds: boolean }) => !holds);
    expect(failing.map(({ name }: { name: string }) => name)).toEqual(['magnitude', 'ci']);
    expect(git('show', 'main:orchestrator.py')).toBe(source);
  });

  it('CLI-1 SEL-1 takes outcomes from a file, and says when there is no pattern', async () => {
    const { command, workspace } = await world(0);
    expect(await command('propose', 'code')).toMatchObject({
      code: 1,
      err: expect.stringContaining('0 outcomes'),
    });
    const file = join(workspace, 'outcomes.json');
    const outcomes = Array.from({ length: 35 }, (_, n) => ({
      ...{ id: `job-${n}`, platform: 'npub1x', outcome: 'FAILURE', at: n },
    }));
    writeFileSync(file, JSON.stringify(outcomes));
    const failing = await command('propose', 'code', '--dry-run', '--outcomes', file);
    expect(failing).toMatchObject({
      code: 0,
      out: expect.stringContaining('+TRUST_THRESHOLD_CODE: float = 0.50…'),
    });
    writeFileSync(file, '[{"id": 1}]');
    expect(await command('propose', 'code', '--outcomes', file)).toMatchObject({ code: 2 });
  });

  it('CLI-1 SEL-6 names what is missing: a repository, a language, a token', async () => {
    const { command, workspace } = await world(0);
    const usage = async (...argv: readonly string[]) => {
      const { code, err } = await run(['thresholds', 'history', 'code', '--workspace', workspace, ...argv]);
      expect(code).toBe(2);
      return err;
    };
    expect(await usage()).toContain('--repository');
    expect(await usage('--repository', join(workspace, 'nowhere'))).toContain('does not exist');
    expect(await usage('--github', 'you/config')).toContain('GITHUB_TOKEN');
    expect(await usage('--github', 'config')).toContain('owner/repo');
    expect(await usage('--repository', workspace, '--file', 'x.toml')).toContain('--language');
    expect(await command('rollback', 'code', '--because', 'x')).toMatchObject({ code: 2 });
    expect(await command('history', 'prose')).toMatchObject({
      code: 1,
      err: expect.stringContaining('TRUST_THRESHOLD_PROSE'),
    });
  });

  it('CLI-1 SEL-6 asks GitHub with the token, and shows no token when it fails', async () => {
    const { workspace } = await world(0);
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.headers.authorization} ${request.url}`);
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Bad credentials"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const GITHUB_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { GITHUB_TOKEN: 'github_pat_SECRET', GITHUB_API_URL };
    const argv = ['thresholds', 'history', 'code', '--workspace', workspace, '--github', 'you/config'];
    const { code, out, err } = await run(argv, { env });
    expect(code).toBe(1);
    expect(seen[0]).toMatch(/^token github_pat_SECRET \/repos\/you\/config\//u);
    expect(out + err).not.toContain('SECRET');
  });
});
