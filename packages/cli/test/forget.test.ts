import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCortex, createRuleReflector } from '@bonafide/cortex';
import { createKyselyCortexState, migrateCortex } from '@bonafide/cortex/kysely';
import type { OrderState } from '@bonafide/delegation';
import { createKyselyDelegationStore, migrateDelegation } from '@bonafide/delegation/kysely';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import { advance, type Job } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import type { QueuedReview } from '@bonafide/reputation';
import { createKyselyReviewStore, migrateReputation } from '@bonafide/reputation/kysely';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { acquireWriter, openErasureList, openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { readErasures } from '../src/erasure-lists.ts';
import { repeatErasures } from '../src/erasures.ts';
import { createWorld, run } from './world.ts';

/** An open job that a provider was asked to do. */
const jobOf = (number: number, provider: string): Job => ({
  ...{ jobId: String(number).repeat(64), idempotencyKey: null, fingerprint: 'f', kind: 5000, provider },
  request: {
    ...{ id: String(number).repeat(64), pubkey: 'ef'.repeat(32), created_at: 1, kind: 5000 },
    ...{ tags: [['p', provider]], content: '', sig: '0'.repeat(128) },
  },
  ...{ relays: [], providerRelays: [], state: 'built', revision: 1, holder: null, attempts: 0 },
  ...{ deliveredTo: [], builtAt: 1, deliveredAt: null, paidAt: null, heardAt: null, feedbackCount: 0 },
  ...{ extensions: 0, successAt: null, endedAt: null, resultEvent: null, resultContent: null },
  ...{ matchedBy: null, recovered: false, failureReason: null, timeoutClass: null, message: '' },
});

/** A review that waits for consent. */
const reviewOf = (subject: string): QueuedReview => ({
  ...{ key: 'a', revision: 1, state: 'queued', event: 'benchmark', completedAt: 1, opinion: subject },
  review: {
    ...{ subject, relay: null, trustScore: 0.5, task: 'code', service: null, summary: 'Good.' },
    ...{ strengths: [], weaknesses: [], metrics: {}, recommendation: null, evidence: null },
    ...{ assessment: null, receipts: [], jobId: null, jobKind: null, role: 'customer', confidence: null },
    ...{ expiresAt: null, alert: null },
  },
  ...{ formats: ['review-set'], approvedAt: null, dueAt: null, reason: 'Offered.', events: [] },
  ...{ attempts: 0, outcomes: [], publishedAt: null, objections: [], dispute: null, deletion: null },
  createdAt: 1,
});

/** An order that failed, because the only platform was excluded. */
const failedOrder = (id: string, pubkey: string): OrderState => ({
  order: {
    ...{ id, taskType: 'code', kind: 5000, inputs: [], params: {}, output: null, check: 'none', suite: null },
    ...{
      language: 'python',
      accept: null,
      valueMsat: 1,
      maxMsat: 1,
      deadlineAt: null,
      replicas: 1,
      needed: 1,
    },
    ...{ criticality: 'background', attempts: 1, acceptPartial: false, trial: null },
  },
  ...{ status: 'failed', createdAt: 1, decidedAt: 2, rounds: 1, exhausted: true, replicas: [], winners: [] },
  exclusions: [{ platformId: `${pubkey}:x`, reason: 'It was slow.' }],
  verifiedBy: null,
  failure: { code: 'NO_PLATFORM', message: 'No platform may be asked.' },
});

describe('bonafide ledger forget in the stores of other packages', () => {
  const peer = 'ab'.repeat(32);
  const forgetPeer = (path: string, ...more: readonly string[]) =>
    run(['ledger', 'forget', peer, '--because', 'Asked for it.', '--db', path, ...more]);

  /** Fills the databases of a workspace with rows about the peer and about another one. */
  async function busyWorkspace() {
    const world = await createWorld();
    world.now = Date.now();
    const other = 'cd'.repeat(32);
    for (const peerId of [peer, other])
      await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'Hi' });
    const fileOf = (name: string) => join(world.workspace, name);

    const jobs = openSqlite<unknown>({ path: fileOf('jobs.db') });
    await migrateJobs(jobs);
    const jobStore = createKyselyJobStore(jobs);
    for (const [number, provider] of [peer, peer, other].entries())
      await jobStore.create(jobOf(number, provider));
    const over = advance(jobOf(0, peer), { type: 'cancelled', at: 2, message: '' });
    await jobStore.update({ ...over, feedback: null });
    await jobs.destroy();

    const agent = openSqlite<unknown>({ path: fileOf('agent.db') });
    await migrateRouting(agent);
    await migrateReputation(agent);
    await createKyselyRoutingStore(agent).append(
      [peer, other].map((pubkey) => ({
        ...{ id: `platform:${pubkey}`, kind: 'platform', at: 1, taskType: null },
        data: { platform: { pubkey, d: '' }, name: 'Unmistakable Shop' },
      })),
    );
    await createKyselyReviewStore(agent).insert(reviewOf(peer));
    await sql`create table notes (text text)`.execute(agent);
    await sql`insert into notes values (${`about ${peer}`})`.execute(agent);
    await agent.destroy();

    const discovery = openSqlite<unknown>({ path: fileOf('discovery.db') });
    await migrateDiscovery(discovery);
    await createKyselyDiscoveryStore(discovery).addDeletions(peer, ['x'], 1);
    await discovery.destroy();
    return { world, fileOf };
  }

  it('CLI-1 LED-33 shows and erases what every package stores of the peer, and names what stays and why', async () => {
    const { world, fileOf } = await busyWorkspace();
    await using _ = world;
    const preview = await forgetPeer(world.path);
    expect(preview.err).toContain('(USAGE)');
    for (const said of [
      /It also erases .*1 job of jobs \(\S+jobs\.db\)/u,
      /1 record of routing.* \(\S+agent\.db\)/u,
      /1 review of reputation/u,
      /1 deletion of discovery/u,
      /These stay, .*: 1 job of jobs/u,
      /not changed: \S+agent\.db \(notes: 1 row\)/u,
    ])
      expect(preview.err).toMatch(said);
    expect(await world.ledger.getPeer(peer)).not.toBeNull();
    expect(readFileSync(fileOf('agent.db')).includes(peer)).toBe(true);

    const done = await forgetPeer(world.path, '--yes', '--json');
    const printed = JSON.parse(done.out);
    expect(printed).toMatchObject({ interactions: 1 });
    expect(printed.stores).toEqual(
      expect.arrayContaining([
        {
          ...{ file: fileOf('jobs.db'), package: 'jobs', otherVersion: false },
          ...{ erased: { jobs: 1 }, kept: { jobs: 1 } },
        },
      ]),
    );
    expect(printed.mentions).toEqual([{ file: fileOf('agent.db'), table: 'notes', rows: 1 }]);
    expect(await world.ledger.getPeer(peer)).toBeNull();
    expect(readFileSync(fileOf('discovery.db')).includes(peer)).toBe(false);

    // When the job has ended, the key is enough to erase the rest.
    const jobs = openSqlite<unknown>({ path: fileOf('jobs.db') });
    const late = advance(jobOf(1, peer), { type: 'cancelled', at: 2, message: '' });
    expect(await createKyselyJobStore(jobs).update({ ...late, feedback: null })).toBe(true);
    await jobs.destroy();
    const again = await forgetPeer(world.path, '--yes');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Erased 1 job of jobs') });
    expect(readFileSync(fileOf('jobs.db')).includes(peer)).toBe(false);
    expect((await forgetPeer(world.path, '--yes')).err).toContain('(PEER_NOT_FOUND)');
  });

  it('CLI-1 LED-33 erases what the cortex believes about a peer of any channel', async () => {
    await using world = await createWorld();
    world.now = Date.now();
    const file = join(world.workspace, 'agent.db');
    const db = openSqlite<unknown>({ path: file });
    await migrateCortex(db);
    const state = createKyselyCortexState(db);
    const cortex = createCortex({ ledger: world.ledger, reflector: createRuleReflector(), state });
    for (let n = 0; n < 4; n += 1) {
      const work = { peerId: 'bob', channel: 'telegram', correlationId: `w${n}` };
      await world.ledger.recordIncoming({ ...work, content: 'Hi', outcome: 'rejected' });
    }
    await cortex.reflectNow('look');
    expect(cortex.beliefs().map(({ peerId }) => peerId)).toContain('telegram:bob');
    await cortex.close();
    await db.destroy();
    const argv = ['ledger', 'forget', 'telegram:bob', '--because', 'Asked for it.', '--db', world.path];
    const preview = await run(argv);
    expect(preview.err).toMatch(/It also erases .*1 cycle of cortex \(\S+agent\.db\)/u);
    const done = await run([...argv, '--yes']);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('1 cycle of cortex') });
    expect(readFileSync(file).includes('telegram:bob')).toBe(false);
  });

  it('CLI-1 LED-33 erases what the delegation keeps of a peer, and keeps the order', async () => {
    await using world = await createWorld();
    const file = join(world.workspace, 'agent.db');
    const db = openSqlite<unknown>({ path: file });
    await migrateDelegation(db);
    const store = createKyselyDelegationStore(db);
    const times = { revision: 1, createdAt: 1, updatedAt: 2 };
    for (const [id, settled] of [
      ['done', true],
      ['open', false],
    ] as const)
      await store.create({ ...times, id, fingerprint: id, settled, state: failedOrder(id, peer) });
    const preview = await forgetPeer(world.path);
    expect(preview.err).toMatch(/It also erases 1 order of delegation \(\S+agent\.db\)/u);
    expect(preview.err).toMatch(/These stay, .*: 1 order of delegation/u);
    expect((await forgetPeer(world.path, '--yes')).code).toBe(0);
    const done = await store.get('done');
    expect(done?.state).toMatchObject({ status: 'failed', exclusions: [] });
    expect(JSON.stringify(done)).not.toContain(peer);
    expect(JSON.stringify(await store.get('open'))).toContain(peer);
    await db.destroy();
  });

  it('CLI-1 LED-33 a restored backup is erased again in every store that it contains, unless it was made later', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    const [other, stranger] = ['cd'.repeat(32), '12'.repeat(32)];
    for (const peerId of [peer, other])
      await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'Hi' });
    // The stores of all packages in the ledger's file. The ledger does not know the stranger.
    const inFile = async <Result>(use: (db: ReturnType<typeof openSqlite<unknown>>) => Promise<Result>) => {
      await using db = openSqlite<unknown>({ path: world.path });
      return await use(db);
    };
    const addJob = (number: number, provider: string) =>
      inFile(async (db) => {
        const store = createKyselyJobStore(db);
        await store.create(jobOf(number, provider));
        const over = advance(jobOf(number, provider), { type: 'cancelled', at: 2, message: '' });
        await store.update({ ...over, feedback: null });
      });
    await inFile((db) => migrateJobs(db));
    for (const [number, provider] of [peer, other, stranger].entries()) await addJob(number, provider);
    await inFile((db) => createKyselyJobStore(db).create(jobOf(3, stranger)));
    const early = join(world.workspace, 'early.backup');
    expect((await run(['backup', early, '--db', world.path])).code).toBe(0);
    expect((await forgetPeer(world.path, '--yes')).code).toBe(0);
    const argv = ['ledger', 'forget', stranger, '--because', 'Asked for it.', '--db', world.path, '--yes'];
    expect((await run(argv)).code).toBe(0);
    // The peer comes back, and works again.
    await addJob(4, peer);
    const later = join(world.workspace, 'later.backup');
    expect((await run(['backup', later, '--db', world.path])).code).toBe(0);
    await world.close();

    const providers = () =>
      inFile(async (db) => {
        const { items } = await createKyselyJobStore(db).list();
        return items.map(({ jobId, provider }) => [Number(jobId[0]), provider]).toSorted();
      });
    const restored = await run(['restore', early, '--db', world.path, '--yes', '--json']);
    expect(JSON.parse(restored.out)).toMatchObject({
      erased: 1,
      stores: [{ file: world.path, package: 'jobs', erased: { jobs: 2 }, kept: { jobs: 1 } }],
    });
    // The open job stays, as it did when the stranger was erased.
    expect(await providers()).toEqual([
      [1, other],
      [3, stranger],
    ]);
    expect(readFileSync(world.path).includes(peer)).toBe(false);

    const back = await run(['restore', later, '--db', world.path, '--yes']);
    expect(back.out).not.toContain('Erased again');
    expect(await providers()).toEqual([
      [1, other],
      [3, stranger],
      [4, peer],
    ]);
  });

  it("CLI-1 LED-33 a backup of the agent's other database is named, restored, and erased again, on every channel", async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    const file = join(world.workspace, 'agent.db');
    {
      await using db = openSqlite<unknown>({ path: file });
      await migrateCortex(db);
      await migrateJobs(db);
      const state = createKyselyCortexState(db);
      const cortex = createCortex({ ledger: world.ledger, reflector: createRuleReflector(), state });
      for (let n = 0; n < 4; n += 1) {
        const work = { peerId: 'bob', channel: 'telegram', correlationId: `w${n}` };
        await world.ledger.recordIncoming({ ...work, content: 'Hi', outcome: 'rejected' });
      }
      await cortex.reflectNow('look');
      await cortex.close();
      const store = createKyselyJobStore(db);
      await store.create(jobOf(0, peer));
      await store.update({
        ...advance(jobOf(0, peer), { type: 'cancelled', at: 2, message: '' }),
        feedback: null,
      });
    }
    await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: 'Hi' });
    const backup = join(world.workspace, 'agent.backup');
    expect((await run(['backup', backup, '--db', file])).code).toBe(0);
    const forget = (who: string) =>
      run(['ledger', 'forget', who, '--because', 'Asked for it.', '--db', world.path, '--yes']);
    for (const who of ['telegram:bob', peer]) {
      const done = await forget(who);
      expect(done).toMatchObject({
        code: 0,
        err: expect.stringContaining(`still contain the peer: ${backup}`),
      });
    }
    const contains = (path: string) => ['telegram:bob', peer].map((who) => readFileSync(path).includes(who));
    expect(contains(file)).toEqual([false, false]);
    await world.close();

    const restored = await run(['restore', backup, '--db', file, '--yes', '--json']);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(restored.out)).toMatchObject({
      restored: true,
      stores: expect.arrayContaining([
        expect.objectContaining({ package: 'cortex' }),
        expect.objectContaining({ package: 'jobs', erased: { jobs: 1 } }),
      ]),
    });
    expect(contains(file)).toEqual([false, false]);
    expect(contains(backup)).toEqual([true, true]);
    // A database of another kind is not replaced by it.
    const wrong = await run(['restore', backup, '--db', world.path, '--yes']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('(BACKUP_INVALID)') });
  });

  it('CLI-1 LED-33 knows a backup by its content: rotated names hide no erasure', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: 'Hi' });
    const addJob = async (number: number) => {
      await using db = openSqlite<unknown>({ path: world.path });
      await migrateJobs(db);
      const store = createKyselyJobStore(db);
      await store.create(jobOf(number, peer));
      const over = advance(jobOf(number, peer), { type: 'cancelled', at: 2, message: '' });
      await store.update({ ...over, feedback: null });
    };
    const jobs = async () => {
      await using db = openSqlite<unknown>({ path: world.path });
      return (await createKyselyJobStore(db).list()).items.length;
    };
    await addJob(0);
    const [newest, older] = [join(world.workspace, 'newest'), join(world.workspace, 'older')];
    expect((await run(['backup', newest, '--db', world.path])).code).toBe(0);
    renameSync(newest, older);
    expect((await forgetPeer(world.path, '--yes')).code).toBe(0);
    await addJob(1);
    expect((await run(['backup', newest, '--db', world.path])).code).toBe(0);
    await world.close();
    // The later backup, under another name: what came after the erasure stays.
    const copy = join(world.workspace, 'copy');
    renameSync(newest, copy);
    expect((await run(['restore', copy, '--db', world.path, '--yes'])).code).toBe(0);
    expect(await jobs()).toBe(1);
    // The earlier one, under the later one's name: it is erased again.
    renameSync(older, newest);
    expect((await run(['restore', newest, '--db', world.path, '--yes'])).code).toBe(0);
    expect(await jobs()).toBe(0);
    expect(readFileSync(world.path).includes(peer)).toBe(false);
  });

  it('CLI-1 LED-33 leaves the files of a running agent, and says what to run when it is stopped', async () => {
    await using world = await createWorld();
    for (const peerId of [peer, 'cd'.repeat(32)])
      await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'Hi' });
    {
      using _agent = acquireWriter({ path: world.path });
      const done = await forgetPeer(world.path, '--yes');
      expect(done).toMatchObject({
        code: 0,
        err: expect.stringContaining('bonafide ledger erase-again --yes'),
      });
    }
    const other = ['ledger', 'forget', 'cd'.repeat(32), '--because', 'Asked.', '--db', world.path, '--yes'];
    const done = await run([...other, '--json']);
    expect(JSON.parse(done.out)).toMatchObject({ interactions: 1, rewritten: true });
  });

  it('CLI-1 LED-33 names databases that a restore has replaced', async () => {
    await using world = await createWorld();
    world.now = Date.now();
    await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: 'Hi' });
    const backup = join(world.workspace, 'early.backup');
    expect((await run(['backup', backup, '--db', world.path])).code).toBe(0);
    await world.close();
    const restored = await run(['restore', backup, '--db', world.path, '--yes', '--json']);
    const { replaced } = JSON.parse(restored.out);
    const preview = await forgetPeer(world.path);
    expect(preview.err).toContain(`These backups still contain the peer: ${backup}, ${replaced}.`);
  });

  it('CLI-1 LED-33 erases again in files that were restored by other means', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    for (const peerId of [peer, 'cd'.repeat(32)])
      await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'Hi' });
    await world.close();
    const before = readFileSync(world.path);
    expect((await forgetPeer(world.path, '--yes')).code).toBe(0);
    writeFileSync(world.path, before);
    const again = ['ledger', 'erase-again', '--db', world.path];
    expect((await run(again)).err).toContain('1 erasure listed');
    expect(readFileSync(world.path).includes(peer)).toBe(true);
    const done = await run([...again, '--yes']);
    expect(done).toMatchObject({ code: 0, out: 'Erased 1 peer of the ledger again, of 1 erasure listed.\n' });
    expect(readFileSync(world.path).includes(peer)).toBe(false);
    expect((await run(['ledger', 'list', '--db', world.path, '--json'])).out).toContain('cd'.repeat(32));
  });

  it('CLI-1 LED-33 erases platforms again in routes that came back from relays, and nothing else', async () => {
    const { world, fileOf } = await busyWorkspace();
    await using _ = world;
    const path = fileOf('agent.db');
    const other = 'cd'.repeat(32);
    const erasure = { agentId: 'default', externalIds: [], at: Date.now(), keptValues: [] };
    for (const peerId of [peer, '12'.repeat(32)]) openErasureList(world.path).add({ ...erasure, peerId });
    const { peers, stores } = await repeatErasures(path, await readErasures(path), {
      madeAt: null,
      only: 'routing',
    });
    expect({ peers, stores }).toMatchObject({
      peers: 0,
      stores: [{ package: 'routing', erased: { records: 1 } }],
    });
    await using db = openSqlite<unknown>({ path, readonly: true });
    const texts = async (table: string) =>
      JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(db)).rows);
    expect(await texts('routing_log')).not.toContain(peer);
    expect(await texts('routing_log')).toContain(other);
    expect(await texts('reputation_reviews')).toContain(peer);
    expect(await world.ledger.getPeer(peer)).not.toBeNull();
  });

  it('CLI-1 LED-33 changes no tables of another version, and says so', async () => {
    const { world, fileOf } = await busyWorkspace();
    await using _ = world;
    const jobs = openSqlite<unknown>({ path: fileOf('jobs.db') });
    await sql`insert into jobs_migrations values ('999-later', 999, 'x', 1)`.execute(jobs);
    await jobs.destroy();
    const done = await forgetPeer(world.path, '--yes');
    expect(done.code).toBe(0);
    expect(done.out).toMatch(/another version, and are not changed: jobs/u);
    expect(done.err).toContain('jobs.db (jobs_requests: 2 rows)');
  });
});
