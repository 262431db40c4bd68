import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortId } from '@bonafide/internal';
import { createKeySigner, createTransport, sendPrivate } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { openSqlite } from '@bonafide/storage';
import { npubEncode } from 'nostr-tools/nip19';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './world.ts';

const secretOf = (n: number) => n.toString(16).padStart(64, '0');
const key = (n: number) => n.toString(16).padStart(64, '0');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-cli-routes-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A workspace whose agent gave jobs to three platforms. */
async function world() {
  const workspace = folder();
  const db = openSqlite<unknown>({ path: join(workspace, 'agent.db') });
  await migrateRouting(db);
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db), random: () => 0.4 });
  for (const n of [1, 2, 3]) {
    const platform = { pubkey: key(n), d: 'python' };
    await matrix.register({
      platform,
      name: `Number ${n}\u001b[31m`,
      taskTypes: ['code'],
      priceMsat: 100 * n,
    });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform,
        taskType: 'code',
        attemptId: `${n} ${i}`,
        verdict: { outcome: 'SUCCESS', passRate: 1 },
      });
  }
  for (let job = 0; job < 12; job += 1) {
    const jobId = `job-${job}`;
    const { picks } = await matrix.select({ taskType: 'code', jobId, valueMsat: 1_000 });
    for (const { platform } of picks)
      await matrix.recordOutcome({
        jobId,
        platform,
        taskType: 'code',
        outcome: job % 5 === 0 ? 'FAILURE' : 'SUCCESS',
      });
  }
  const entries = async () =>
    (await matrix.entries()).map(({ queueDepth: _, posteriorMean: __, ...entry }) => entry);
  const command = (...argv: readonly string[]) => run(['routes', ...argv, '--workspace', workspace]);
  onTestFinished(() => db.destroy());
  return { workspace, matrix, entries, command };
}

describe('bonafide failures', () => {
  it('CLI-1 lists what did not succeed, newest first, by platform, task and time', async () => {
    const { matrix, workspace } = await world();
    await matrix.recordBenchmark({
      platform: { pubkey: key(3), d: 'python' },
      taskType: 'code',
      attemptId: 'late trial',
      verdict: { outcome: 'FAILURE', passRate: 0.25 },
    });
    const command = (...argv: readonly string[]) => run(['failures', ...argv, '--workspace', workspace]);
    const all = JSON.parse((await command('--json')).out).failures;
    expect(all.map(({ id }: { readonly id: string }) => id)).toEqual([
      'late trial',
      'job-10',
      'job-5',
      'job-0',
    ]);
    expect(all[0]).toMatchObject({ work: 'trial', outcome: 'FAILURE', npub: npubEncode(key(3)) });
    const table = await command('--since', '2020-01-01');
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toMatch(/Number 3 .*trial +FAILURE +25 % of the tests passed/u);
    expect(table.out).not.toContain('\u001b[31m');
    const only = JSON.parse((await command(npubEncode(key(3)), '--json')).out).failures;
    for (const { npub } of only) expect(npub).toBe(npubEncode(key(3)));
    expect(JSON.parse((await command('--limit', '1', '--json')).out).failures).toEqual(all.slice(0, 1));
    expect(await command('--since', '2999-01-01')).toMatchObject({
      code: 0,
      out: '',
      err: 'No work has failed.\n',
    });
    expect(JSON.parse((await command('--task', 'other', '--json')).out)).toEqual({ failures: [] });
    expect(await command('nobody')).toMatchObject({ code: 2 });
  });
});

describe('bonafide routes', () => {
  it('RTM-8c explains by its id a job that has no eligible platform yet, and then its choice', async () => {
    const { command, matrix } = await world();
    await matrix.select({ taskType: 'prose', jobId: 'early' });
    expect((await command('explain', 'early')).out).toContain('No platform was eligible.');
    expect((await command('decisions', '--limit', '1')).out).toMatch(/no-platform:early .*none/u);
    const platform = { pubkey: key(1), d: 'python' };
    for (const attemptId of ['p1', 'p2', 'p3']) {
      const verdict = { outcome: 'SUCCESS', passRate: 1 } as const;
      await matrix.recordBenchmark({ platform, taskType: 'prose', attemptId, verdict });
    }
    await matrix.select({ taskType: 'prose', jobId: 'early' });
    expect((await command('explain', 'early')).out).toContain('Chosen: Number 1');
  });

  it('RTM-8c X-10 shows the matrix, and the reasons of a choice, with npubs beside keys', async () => {
    const { command, workspace } = await world();
    const list = await run(['routes', 'code', '--workspace', workspace]);
    expect(list).toMatchObject({ code: 0, err: '' });
    expect(list.out).toContain('Number 2');
    expect(list.out).toContain('ACTIVE');
    expect(list.out).not.toContain('\u001b[31m');
    const json = JSON.parse((await command('list', '--json')).out);
    expect(json.entries).toHaveLength(3);
    for (const { platform, npub } of json.entries) expect(npub).toBe(npubEncode(platform.pubkey));
    expect(json.thresholds.code).toBeGreaterThan(0);

    const why = await command('explain', 'job-3');
    expect(why.out).toContain('Chosen: ');
    expect(why.out).toContain('probability');
    // Every platform is shown by its npub, and the chosen one by the key too.
    const explained = JSON.parse((await command('explain', 'job-3', '--json')).out);
    const [{ platform: chosen, npub }] = explained.picks;
    expect(npub).toBe(npubEncode(chosen.pubkey));
    expect(why.out).toContain(`${npub} (${chosen.pubkey})`);
    expect(explained.candidates).toHaveLength(3);
    for (const candidate of explained.candidates) {
      expect(candidate.npub).toBe(npubEncode(candidate.platformId.split(':')[0]));
      expect(why.out).toContain(`${shortId(candidate.npub)}:python`);
    }
    expect((await command('list', '--explain', 'job-3')).out).toBe(why.out);
    expect(JSON.parse((await command('explain', 'decision:job-3', '--json')).out)).toMatchObject({
      jobId: 'job-3',
    });
    expect(await command('explain', 'nothing')).toMatchObject({ code: 2 });
    const decisions = JSON.parse((await command('decisions', '--limit', '2', '--json')).out);
    expect(decisions.items.map(({ jobId }: { jobId: string }) => jobId)).toEqual(['job-11', 'job-10']);
  });

  it('RTM-8 RTM-12 pins, denies and readmits, and the agent sees it', async () => {
    const { command, matrix } = await world();
    const id = `${npubEncode(key(1))}:python`;
    expect((await command('pin', id, '--because', 'Agreed')).code).toBe(0);
    expect((await matrix.entry('code', { pubkey: key(1), d: 'python' }))?.pinned).toBe(true);
    expect((await command('deny', key(2), '--task', 'code', '--because', 'Rude')).code).toBe(0);
    expect((await matrix.entry('code', { pubkey: key(2), d: 'python' }))?.denied).toBe(true);
    await command('remove', key(3), '--because', 'Gone');
    expect((await matrix.entry('code', { pubkey: key(3), d: 'python' }))?.status).toBe('REMOVED');
    await command('readmit', key(3), '--because', 'Back');
    expect((await matrix.entry('code', { pubkey: key(3), d: 'python' }))?.status).toBe('EVALUATING');
    expect(await command('pin', 'npub1nobody', '--because', 'x')).toMatchObject({ code: 2 });
  });

  it('CLI-1 answers the name of a platform, and what tables show of it, with the id that a command takes', async () => {
    const { command } = await world();
    const id = `${npubEncode(key(2))}:python`;
    for (const who of [
      'number 2[31m',
      `${shortId(npubEncode(key(2)))}:python`,
      shortId(npubEncode(key(2))),
    ]) {
      const { code, err } = await command('pin', who, '--because', 'x');
      expect(code).toBe(2);
      expect(err).toContain(`Did you mean ${id} (Number 2`);
      expect(err).not.toContain('\u001b[31m');
    }
    expect((await command('pin', 'zzz', '--because', 'x')).err).toContain('bonafide routes --json');
  });

  it('RTM-25 lifts a directive of the policy only by name', async () => {
    const { command, matrix } = await world();
    const ref = { pubkey: key(2), d: 'python' };
    await matrix.direct({ platform: ref, action: 'refuse', source: 'policy', reason: 'Unpaid' });
    const allowed = await command('allow', key(2), '--because', 'We talked');
    expect(allowed.err).toContain('Still in force by the policy: refuse. Lift it with --of policy.');
    expect((await matrix.entry('code', ref))?.directives).toHaveLength(1);
    await command('allow', key(2), '--of', 'policy', '--because', 'We talked');
    expect((await matrix.entry('code', ref))?.directives).toEqual([]);
  });

  it('RTM-10 shows and sets budgets', async () => {
    const { command, matrix } = await world();
    expect((await command('budget')).err).toContain('no budget');
    expect((await command('budget', 'code', '--daily', '5000', '--monthly', '90000')).code).toBe(0);
    await matrix.budgets.reserve({ reservationId: 'r', taskType: 'code', amountMsat: 400 });
    const { budgets, held } = JSON.parse((await command('budget', '--json')).out);
    expect(budgets).toMatchObject([
      { taskType: 'code', dailyMsat: 5_000, monthlyMsat: 90_000, availableMsat: 4_600 },
    ]);
    expect(held).toHaveLength(1);
    expect((await command('budget', 'code', '--flexible')).code).toBe(2);
    expect((await command('budget', 'code', '--daily', 'much')).code).toBe(2);
  });

  it('RTM-8c evaluates the strategies on the history', async () => {
    const { command } = await world();
    expect((await command('evaluate')).out).toContain('tiered');
    const { strategies } = JSON.parse((await command('evaluate', '--json')).out);
    expect(strategies.map(({ strategy }: { strategy: string }) => strategy)).toEqual([
      'learned',
      'tiered',
      'thompson',
      'discounted-ucb',
    ]);
    expect(strategies[0].decisions).toBe(12);
  });

  it('X-4 says what is missing', async () => {
    const workspace = folder();
    expect(await run(['routes', '--workspace', workspace])).toMatchObject({ code: 1 });
    const other = join(workspace, 'agent.db');
    await openSqlite({ path: other }).destroy();
    writeFileSync(other, '');
    expect((await run(['routes', '--workspace', workspace])).err).toContain('no routes');
  });

  it('NET-4 RTM-20 backs up over a relay and restores on a fresh machine, from own messages only', async () => {
    const { entries, workspace, matrix } = await world();
    const relay = await startTestRelay();
    onTestFinished(() => relay.close());
    const env = { BONAFIDE_SECRET_KEY: secretOf(7) };
    const command = (...argv: readonly string[]) =>
      run(['routes', ...argv, '--relay', relay.url, '--json'], { env });
    const sent = await command('backup', '--workspace', workspace);
    expect(sent).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(sent.out).relays).toEqual([relay.url]);

    // A stranger sends something that looks like a newer backup.
    await using transport = createTransport({ addresses: { allowLoopback: true } });
    const recipient = await createKeySigner(secretOf(7)).getPublicKey();
    const stolen = {
      type: 'bonafide-routing-backup',
      version: 1,
      sha256: '0'.repeat(64),
      kind: 'base',
      from: 0,
      to: 9e9,
      index: 0,
      count: 1,
      data: '',
    };
    await sendPrivate({
      transport,
      signer: createKeySigner(secretOf(8)),
      recipient,
      content: JSON.stringify(stolen),
      inboxRelays: [relay.url],
    });

    const fresh = folder();
    const restored = await command('restore', '--workspace', fresh);
    expect(restored).toMatchObject({ code: 0 });
    expect(JSON.parse(restored.out)).toMatchObject({ records: 0, gap: false, incomplete: 0 });
    const db = openSqlite<unknown>({ path: join(fresh, 'agent.db') });
    onTestFinished(() => db.destroy());
    const heir = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
    const views = (await heir.entries()).map(({ queueDepth: _, posteriorMean: __, ...entry }) => entry);
    expect(views).toEqual(await entries());
    expect(await heir.thresholds()).toEqual(await matrix.thresholds());
    expect(await command('restore', '--workspace', fresh)).toMatchObject({ code: 1 });
  });
});
