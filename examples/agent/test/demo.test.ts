import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ReportedWork, readWork } from '@bonafide/cli/report';
import { createKyselyDelegationStore } from '@bonafide/delegation/kysely';
import { signerFromFile, startStrangers } from '@bonafide/example-strangers';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore } from '@bonafide/ledger-core/kysely';
import { createKyselyProviderStore } from '@bonafide/nip90-jobs/kysely';
import { acquireWriter, openPostgres, openSqlite } from '@bonafide/storage';
import { hasPostgres, startPostgres } from '@bonafide/storage/testing';
import { verifyReceipt } from '@bonafide/trust-score';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Report } from '../src/report.ts';
import { loadRun } from '../src/run-state.ts';
import { killAfter, runDemo, temporaryFolder } from './support/demo.ts';

const jobs = 12;
const isFull = process.env.BONAFIDE_PROOF === 'full';

function platformOf(report: Report, name: string) {
  const found = report.platforms.find((platform) => platform.name === name);
  if (found === undefined) throw new Error(`No platform is called ${name}`);
  return found;
}

/** The orders of a report other than trials; several platforms may have worked on one. */
const ordersOf = ({ jobs: work }: Report) => [
  ...new Set(work.filter(({ kind }) => kind === 'job').map(({ order }) => order)),
];

/** Everything that the ledger holds about a run, in the order of time. */
async function readLedger(db: Kysely<unknown>) {
  const ledger = createLedger({ store: createKyselyLedgerStore(db) });
  const { items: peers } = await ledger.listPeers({ limit: 100 });
  const interactions = (
    await Promise.all(peers.map(({ peerId }) => ledger.getConversation(peerId, { limit: 1_000 })))
  ).flatMap(({ items }) => items);
  const assessments = (await Promise.all(peers.map(({ peerId }) => ledger.getAssessments(peerId)))).flat();
  await db.destroy();
  return { peers, interactions, assessments };
}

const ledgerOf = (folder: string) => openSqlite<unknown>({ path: join(folder, 'ledger.db'), readonly: true });

const receiptOutcomes: Readonly<Record<string, string>> = {
  ...{ SUCCESS: 'success', PARTIAL: 'partial', FAILURE: 'failure', ERROR: 'failure' },
  SECURITY_VIOLATION: 'violation',
};

/** The jobs and outcomes of the valid receipts that a provider of the demo has. */
async function receiptsOf(folder: string, name: string) {
  const db = openSqlite({ path: join(folder, 'strangers', `${name}.db`), readonly: true });
  const { items } = await createKyselyProviderStore(db).list('receipts', { limit: 500 });
  await db.destroy();
  return items
    .map(({ receipt }) => verifyReceipt(receipt))
    .filter(({ status }) => status === 'valid')
    .map(({ outcome }) => [outcome?.jobId, outcome?.outcome])
    .sort();
}

/** A Postgres database of its own, which is gone after the test. */
async function createDatabase() {
  const admin = openPostgres<unknown>({ url: (await startPostgres()).url });
  const name = `demo_${randomUUID().replaceAll('-', '')}`;
  await sql`create database ${sql.id(name)}`.execute(admin);
  const url = new URL((await startPostgres()).url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      await admin.destroy();
    },
  };
}

/** The finished work of the run in a folder. */
async function workIn(folder: string): Promise<readonly ReportedWork[]> {
  const db = openSqlite({ path: join(folder, 'agent.db'), readonly: true });
  const work = await readWork(createKyselyDelegationStore(db), { since: loadRun(folder)?.startedAt });
  await db.destroy();
  return work;
}

/** The processes of a demo, each with its id and its arguments. */
const processesOf = (folder: string) =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder));

describe('the demo', () => {
  it('AGT-1 AGT-2 AGT-3 AGT-5 CTX-29 JOB-29 meets, tries, judges, remembers and decides, in one document', async () => {
    using folder = temporaryFolder();
    const { code, stdout, stderr } = await runDemo([
      '--json',
      '--seed',
      '5',
      '--jobs',
      `${jobs}`,
      '--workspace',
      folder.path,
    ]);
    expect(stderr).toMatch(/meet .*excellent/);
    expect(code).toBe(0);
    const report: Report = JSON.parse(stdout);

    expect(platformOf(report, 'excellent')).toMatchObject({ status: 'ACTIVE' });
    expect(platformOf(report, 'cheater')).toMatchObject({ status: 'BLACKLISTED', tier: 'none', trust: 0 });
    expect(platformOf(report, 'cheater').reason).toMatch(/SECURITY_VIOLATION/);
    expect(platformOf(report, 'excellent').score).toBeGreaterThan(platformOf(report, 'sloppy').score);
    expect(report.platforms).toHaveLength(4);

    const given = report.jobs.filter(({ kind }) => kind === 'job');
    expect(ordersOf(report)).toHaveLength(jobs);
    // The tenth job is vital: several platforms do it.
    expect(given.filter(({ order }) => order.split(':')[2] === '10').length).toBeGreaterThan(1);
    expect(given.filter(({ platform }) => platform === 'cheater')).toEqual([]);
    // Another answer to the vital job may have been enough.
    for (const work of report.jobs.filter(({ platform }) => platform === 'excellent'))
      expect(work.order.includes(':10:') ? ['SUCCESS', 'INFRA'] : ['SUCCESS']).toContain(work.outcome);
    const large = given.filter(({ platform, bidMsat }) => platform === 'farmer' && bidMsat > 5_000);
    for (const work of large) expect(work.outcome).not.toBe('SUCCESS');

    expect(report.peers).toHaveLength(4);
    const cheater = report.peers.find(({ alias }) => alias === 'cheater');
    for (const { trust, rationale } of report.peers) expect(trust === null).toBe(rationale === null);
    // An attack is no sloppiness, and the rationale says which of the two it was.
    expect(cheater?.trust).toBeLessThanOrEqual(-8);
    expect(cheater?.rationale).toMatch(/attack/u);
    const sloppy = report.peers.find(({ alias }) => alias === 'sloppy');
    expect(sloppy?.trust).toBeGreaterThan(-8);
    expect(sloppy?.rationale).toMatch(/rejected/u);
    expect(sloppy?.rationale).not.toMatch(/attack/u);
    expect(report.beliefs.length).toBeGreaterThan(0);
    // In the embedded world reviews need no cooling-off: each platform has one.
    expect(new Set(report.reviews.map(({ subject }) => subject)).size).toBe(4);
    const ratingsOf = (name: string) => {
      const peerId = report.peers.find(({ alias }) => alias === name)?.peerId;
      return report.reviews.filter(({ subject }) => subject === peerId).map(({ rating }) => rating);
    };
    expect(new Set(ratingsOf('cheater'))).toEqual(new Set([1]));
    expect(Math.min(...ratingsOf('excellent'))).toBeGreaterThan(1);
    for (const { from, to, action } of report.thresholds)
      expect({ from, isMoved: from !== to, action }).toEqual({
        from,
        isMoved: true,
        action: expect.any(String),
      });
    expect(report.wasted).toBeNull();
    expect(processesOf(folder.path)).toEqual([]);

    // Each provider has a receipt of each of its judged answers, also of those that it did not read before the end of the run.
    await using _strangers = await startStrangers({ folder: join(folder.path, 'strangers'), seed: 5 });
    for (const name of ['excellent', 'sloppy', 'farmer', 'cheater']) {
      const own = report.jobs.filter(({ platform, outcome }) => platform === name && outcome !== 'INFRA');
      const expected = own.map(({ id, outcome }) => [id, receiptOutcomes[outcome]]).sort();
      await vi.waitFor(async () => expect(await receiptsOf(folder.path, name)).toEqual(expected), 120_000);
    }
    for (const file of ['ledger.db', 'agent.db', 'reviews.db', 'keys/agent']) {
      expect(statSync(join(folder.path, file)).mode & 0o077, file).toBe(0);
    }
  });

  it('AGT-1 AGT-2 AGT-3 works on relays that are named, with a key in a file, prints a table per view, and does without git', async () => {
    using folder = temporaryFolder();
    await using strangers = await startStrangers({ folder: join(folder.path, 'strangers'), seed: 5 });
    const pathOf = (name: string) => join(folder.path, name);
    await signerFromFile(pathOf('agent.nsec'));
    // A git that fails, before the other one.
    mkdirSync(pathOf('bin'));
    writeFileSync(pathOf('bin/git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const workspace = pathOf('agent');
    const args = ['--relay', strangers.relay, '--key', pathOf('agent.nsec'), '--workspace', workspace];
    const { code, stdout, stderr } = await runDemo([...args, '--seed', '5', '--jobs', '10'], {
      PATH: `${pathOf('bin')}:${process.env.PATH}`,
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    // No relay, no provider and no key of its own.
    expect(stderr).not.toContain('starting a relay');
    expect(existsSync(join(workspace, 'strangers'))).toBe(false);
    expect(existsSync(join(workspace, 'keys/agent'))).toBe(false);
    for (const verb of ['meet', 'try', 'decide', 'hire', 'reflect']) expect(stderr).toContain(` ${verb} `);
    expect(stderr.match(/ hire .*10\/10 vital/g)?.length).toBeGreaterThan(1);

    const tables = Object.fromEntries(
      stdout.split(/^(?=\S.* \(bonafide .*\)$)/m).map((table) => [table.split(' ')[0], table]),
    );
    expect(tables.Platforms).toMatch(/excellent .*ACTIVE .*0\.\d\d .*(primary|secondary|tertiary)/);
    expect(tables.Platforms).toMatch(/cheater .*BLACKLISTED/);
    expect(tables.Latest).toMatch(/^\d+ jobs .*delivered .*by excellent .*verified by judge$/m);
    expect(tables['Peers:']).toMatch(/excellent .*\d\/10 +[+–-]/);
    expect(tables.Beliefs).toContain('has attacked');
    // Here the attack is published at once, and other reviews wait for a day.
    expect(tables.Reviews).toMatch(/cheater .* 1\.0 +published/);
    expect(tables.Reviews).toMatch(/excellent .* queued .*cooling-off is not over/);
    // Before the tables and after them, the result in sentences.
    expect(stdout).toMatch(
      /^cheater \(npub1.*\) +Cheats: .* attacked the judge\. Blacklisted, not hired\.$/m,
    );
    expect(stdout).toMatch(/^excellent \(npub1.*\) +Reliable: .*hired \d+ times\.$/m);
    expect(stdout).toMatch(/^Bad work: \d+ of \d+ judged answers/m);
    expect(stdout).toMatch(/^In short: /m);
    expect(stdout).toContain('No threshold was proposed: git could not create the repository.');
    // Output of a pipe has no colors.
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });

  it('AGT-4 resumes after a kill without loss and without doing anything twice', async () => {
    using folder = temporaryFolder();
    const args = ['--json', '--seed', '6', '--jobs', `${jobs}`, '--workspace', folder.path];
    await killAfter(args, / try /, 3);
    const afterTrials = await workIn(folder.path);
    await killAfter(args, / hire /, 4);
    const afterHires = await workIn(folder.path);
    const before = await readLedger(ledgerOf(folder.path));
    expect(afterTrials.length).toBeGreaterThan(0);
    expect(afterHires).toEqual(expect.arrayContaining([...afterTrials]));

    const { code, stdout, stderr } = await runDemo(args);
    expect(stderr).toMatch(/Resuming: seed 6/);
    expect(code).toBe(0);
    const report: Report = JSON.parse(stdout);
    expect(report.jobs).toEqual(expect.arrayContaining([...afterHires]));
    expect(ordersOf(report)).toHaveLength(jobs);
    expect(new Set(report.jobs.map(({ key }) => key)).size).toBe(report.jobs.length);
    expect(new Set(report.jobs.map(({ id }) => id)).size).toBe(report.jobs.length);

    const after = await readLedger(ledgerOf(folder.path));
    const ids = (rows: typeof before.interactions) => rows.map(({ interactionId }) => interactionId);
    expect(ids(after.interactions)).toEqual(expect.arrayContaining(ids(before.interactions)));
    expect(after.assessments).toEqual(expect.arrayContaining([...before.assessments]));
    const events = after.interactions.map(({ externalId }) => externalId);
    expect(new Set(events).size).toBe(events.length);
    // One request and one answer for each piece of work: nothing was asked for twice.
    expect(after.interactions.filter(({ direction }) => direction === 'out')).toHaveLength(
      report.jobs.length,
    );
  });

  it('AGT-4 survives being killed and stopped again and again, wherever it is', async () => {
    using folder = temporaryFolder();
    const args = ['--json', '--seed', '8', '--jobs', `${jobs}`, '--workspace', folder.path];
    // The first six lines of a resumed run are its start: fewer kill it before it works.
    for (const lines of isFull ? [3, 8, 6, 10, 1, 9, 4, 12, 7, 2] : [3, 8, 1, 9]) {
      await killAfter(args, /./, lines, 'SIGKILL');
      await killAfter(args, /./, lines + 1, 'SIGINT');
    }
    const { code, stdout } = await runDemo(args);
    expect(code).toBe(0);
    const report: Report = JSON.parse(stdout);
    expect(ordersOf(report)).toHaveLength(jobs);
    const { interactions } = await readLedger(ledgerOf(folder.path));
    const requests = interactions.filter(({ direction }) => direction === 'out');
    expect(requests.map(({ correlationId }) => correlationId).sort()).toEqual(
      report.jobs.map(({ id }) => id).sort(),
    );
    expect(new Set(interactions.map(({ externalId }) => externalId)).size).toBe(interactions.length);
    expect(processesOf(folder.path)).toEqual([]);
  });

  it('AGT-5 reflects with a model that the environment names', async () => {
    using folder = temporaryFolder();
    const asked: { readonly model: string; readonly path: string | undefined }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push({ model: JSON.parse(body).model, path: request.url });
      const message = { role: 'assistant', content: '{"summary":"The model was asked."}' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'scripted', choices, usage }),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const args = ['--json', '--seed', '5', '--jobs', '1', '--workspace', folder.path];
    const { code, stderr } = await runDemo(args, {
      MODEL: 'scripted',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    server.close();
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]).toEqual({ model: 'scripted', path: '/v1/chat/completions' });
  });

  it.skipIf(!hasPostgres())(
    'AGT-1 AGT-4 DLG-9 hires with three processes over one Postgres, resumes after a kill, and goes on without killed workers',
    async () => {
      using folder = temporaryFolder();
      await using database = await createDatabase();
      const args = ['--json', '--engine', 'postgres', '--seed', '5', '--jobs', `${jobs}`];
      args.push('--workspace', folder.path);
      const env = { DATABASE_URL: database.url };
      await killAfter(args, / hire /, 2, 'SIGKILL', env);
      let isReady = false;
      let hired = 0;
      const { code, stdout, stderr } = await runDemo(args, env, (line) => {
        // Its own orders may go on before the other processes have started.
        isReady ||= line.includes(' reflect ');
        if (!isReady || !line.includes(' hire ')) return;
        hired += 1;
        if (hired !== 2) return;
        for (const each of processesOf(folder.path))
          if (each.includes('worker.ts')) process.kill(Number.parseInt(each, 10), 'SIGKILL');
      });
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(stderr).toMatch(/Resuming: seed 5/);
      const report: Report = JSON.parse(stdout);
      expect(report.platforms).toHaveLength(4);
      expect(platformOf(report, 'cheater')).toMatchObject({ status: 'BLACKLISTED' });
      expect(ordersOf(report)).toHaveLength(jobs);
      expect(new Set(report.jobs.map(({ id }) => id)).size).toBe(report.jobs.length);

      const { peers, interactions } = await readLedger(openPostgres({ url: database.url }));
      expect(peers).toHaveLength(4);
      const requests = interactions.filter(({ direction }) => direction === 'out');
      expect(requests.map(({ correlationId }) => correlationId).sort()).toEqual(
        report.jobs.map(({ id }) => id).sort(),
      );
      expect(new Set(interactions.map(({ externalId }) => externalId)).size).toBe(interactions.length);
      expect(processesOf(folder.path)).toEqual([]);
    },
  );

  it('AGT-7 prints what memory and judgment save', async () => {
    using folder = temporaryFolder();
    const args = ['--json', '--compare', '--seed', '5', '--jobs', '30', '--workspace', folder.path];
    const { code, stdout } = await runDemo(args);
    expect(code).toBe(0);
    const report: Report = JSON.parse(stdout);
    const { wasted } = report;
    expect(ordersOf(report)).toHaveLength(30);
    expect(wasted?.without).toBeGreaterThan(0);
    // Half of it on this seed; where exploration falls differs a little with the latencies.
    expect(wasted?.with).toBeLessThan((wasted?.without ?? 0) * 0.75);
  });

  it('AGT-6 is composition: under 400 lines without comments', () => {
    const source = globSync('../src/**/*.ts', { cwd: import.meta.dirname })
      .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
      .join('\n')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
    expect(source.length).toBeLessThan(400);
  });
});

describe('the command line of the demo', () => {
  it('ends with 2 and an explanation when it is wrong, with 0 after --help (AGT-3)', async () => {
    for (const args of [
      ['--seed', 'x'],
      ['--jobs', '0'],
      ['--relay', 'https://x'],
      ['--nonsense'],
      ['word'],
      ['--engine', 'other'],
    ]) {
      const { code, stderr, stdout } = await runDemo(args);
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: .*--help/);
    }
    const help = await runDemo(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/--workspace <folder>/);
  });

  it('loads no package of the agent before it is parsed, so that --help comes at once', () => {
    const imported = readFileSync(new URL('../src/main.ts', import.meta.url), 'utf8').matchAll(
      /^import .* from '(.*)';$/gm,
    );
    expect([...imported].map(([, name]) => name)).toEqual(['node:path', '@commander-js/extra-typings']);
  });

  it('says that a demo is already running in the workspace, and leaves it alone (AGT-4)', async () => {
    using folder = temporaryFolder();
    using _running = acquireWriter({ path: folder.path });
    const { code, stderr } = await runDemo(['--workspace', folder.path]);
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `A demo is already running in ${folder.path}. Give another folder: npm run demo -- --workspace <folder>`,
    );
    expect(globSync('*', { cwd: folder.path })).toEqual([]);
  });

  it('says that the workspace is not writable', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runDemo(['--workspace', join(file, 'demo')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\nThe demo cannot write to .*file\/demo\. Give another folder/);
  });
});
