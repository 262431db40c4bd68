import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@bonafide/internal';
import { openSqlite } from '@bonafide/storage';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createBackup,
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  type Outcome,
  type RoutingMatrix,
  type RoutingMatrixOptions,
  type RoutingStore,
  replay,
  resolveConfig,
  restoreBackup,
  type SnapshotStore,
} from '../src/index.ts';
import { decodeState, encodeState } from '../src/recovery/codec.ts';
import { createFileSnapshots } from '../src/recovery/file-snapshots.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { runChild } from './support/child.ts';
import { good, manualClock, platform, start } from './support.ts';

const taskType = 'code';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-routing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Snapshots in memory, newest first. */
function memorySnapshots() {
  const stored: string[] = [];
  const snapshots: SnapshotStore = {
    async write(snapshot) {
      stored.unshift(snapshot);
    },
    async *read() {
      yield* stored;
    },
  };
  return { stored, snapshots };
}

/** Counts the records that are read. */
function counting(store: RoutingStore) {
  const counter = { read: 0 };
  const counted: RoutingStore = {
    ...store,
    async readAfter(after, limit) {
      const page = await store.readAfter(after, limit);
      counter.read += page.length;
      return page;
    },
  };
  return { counter, counted };
}

let ids = 0;
/** Fills a matrix with records of every kind. */
async function live(matrix: RoutingMatrix, jobs = 30, from = 0): Promise<void> {
  for (const n of [1, 2, 3, 4]) {
    await matrix.register({
      platform: platform(n),
      taskTypes: [taskType],
      priceMsat: n * 100,
      version: `${from}.0`,
    });
    for (let i = 0; i < 3; i += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${from} ${i}`,
        verdict: good({ latencyMs: 100 * n }),
      });
  }
  await matrix.direct({ platform: platform(4), action: 'suspend', reason: 'SLA' });
  await matrix.direct({ platform: platform(3), action: 'refuse', source: 'policy', reason: 'Unpaid' });
  await matrix.budgets.set({ taskType, dailyMsat: 100_000, rollover: 0.5 });
  const outcomes: Outcome[] = ['SUCCESS', 'SUCCESS', 'FAILURE', 'PARTIAL', 'ERROR'];
  for (let job = from; job < from + jobs; job += 1) {
    const jobId = `job-${job}`;
    await matrix.select({ taskType, jobId, valueMsat: 1_000 * (job + 1), deadlineMs: 500, difficulty: 0.3 });
    await matrix.budgets.reserve({ reservationId: jobId, taskType, amountMsat: 100 });
    if (job % 4 !== 0) {
      await matrix.recordOutcome({
        jobId,
        platform: platform(1 + (job % 3)),
        taskType,
        outcome: outcomes[job % outcomes.length] as Outcome,
        measurements: { latencyMs: 100 + job, costMsat: 90 },
      });
      await matrix.budgets.settle(jobId, 90);
    }
  }
  await matrix.applyMutation({ newThresholds: { prose: 0.7 }, clock: { me: 1 } });
  await matrix.maintain();
}

const views = async (matrix: RoutingMatrix) => ({
  entries: await matrix.entries(),
  budgets: await matrix.budgets.list(),
  held: await matrix.budgets.held(),
  thresholds: await matrix.thresholds(),
  mutations: await matrix.mutations(),
  probes: await matrix.dueProbes(),
});

/** The next decisions of a matrix, with their probabilities. */
async function decisions(matrix: RoutingMatrix) {
  const made = [];
  for (const valueMsat of [1, 1_000, 50_000]) {
    const { picks, candidates } = await matrix.select({
      taskType,
      valueMsat,
      deadlineMs: 400,
      difficulty: 0.9,
    });
    made.push([picks, candidates]);
  }
  return made;
}

describe('snapshots', () => {
  const clock = manualClock();
  const open = (store: RoutingStore, more: Partial<RoutingMatrixOptions> = {}) =>
    createRoutingMatrix({ store, clock, random: seededRandom(5), newId: () => `id-${++ids}`, ...more });

  it.each(['learned', 'tiered'] as const)(
    'RTM-20 RTM-24 equal the replay of the whole log (%s)',
    async (strategy) => {
      const store = createMemoryRoutingStore();
      const { stored, snapshots } = memorySnapshots();
      const first = open(store, { snapshots, strategy });
      await live(first);
      await first.snapshot();
      await first.snapshot();
      expect(stored).toHaveLength(1);
      await live(first, 10, 30);
      const expected = await views(first);

      const { counter, counted } = counting(store);
      const heir = open(counted, { snapshots, strategy });
      expect(await views(heir)).toEqual(expected);
      const total = (await store.readAfter(0, 10_000)).length;
      expect(counter.read).toBeLessThan(total / 2);

      // One store each from here on, because decisions are records.
      const copy = createMemoryRoutingStore();
      await copy.append(await store.readAfter(0, 10_000));
      expect(await decisions(open(copy, { strategy }))).toEqual(await decisions(heir));
    },
  );

  it.each<[string, Partial<RoutingMatrixOptions>]>([
    ['another configuration', { config: { minActivePlatforms: 2 } }],
    ['another strategy', { strategy: 'tiered' }],
    [
      'a strategy that learns and has no snapshots',
      {
        strategy: {
          name: 'learned',
          version: '1',
          observe() {},
          distribution: (_, all) => all.map(() => 1 / all.length),
        },
      },
    ],
  ])('RTM-20 RTM-24 are not used for %s', async (_, more) => {
    const store = createMemoryRoutingStore();
    const { snapshots } = memorySnapshots();
    const first = open(store, { snapshots });
    await live(first);
    await first.snapshot();
    const { counter, counted } = counting(store);
    const heir = open(counted, { snapshots, ...more });
    const entries = await heir.entries();
    expect(counter.read).toBeGreaterThanOrEqual((await store.readAfter(0, 10_000)).length);
    expect(entries).toEqual(await open(store, more).entries());
  });

  it('RTM-20 of another log are not used', async () => {
    const { snapshots } = memorySnapshots();
    const first = open(createMemoryRoutingStore(), { snapshots });
    await live(first);
    await first.snapshot();
    const other = open(createMemoryRoutingStore(), { snapshots });
    expect(await other.entries()).toEqual([]);
    // A log that was restored from an older copy is shorter than the snapshot.
    const short = createMemoryRoutingStore();
    await open(short).register({ platform: platform(9), taskTypes: [taskType] });
    expect(await open(short, { snapshots }).entries()).toHaveLength(1);
  });

  it('RTM-20 are written on closing and every five minutes', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { stored, snapshots } = memorySnapshots();
    const matrix = open(createMemoryRoutingStore(), { snapshots });
    matrix.start();
    matrix.start();
    await matrix.register({ platform: platform(1), taskTypes: [taskType] });
    await vi.advanceTimersByTimeAsync(299_999);
    expect(stored).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(stored).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(stored).toHaveLength(1);
    await matrix.register({ platform: platform(2), taskTypes: [taskType] });
    await matrix.close();
    expect(stored).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(stored).toHaveLength(2);
  });

  it('RTM-20 hand out nothing mutable after a recovery', async () => {
    const store = createMemoryRoutingStore();
    const { snapshots } = memorySnapshots();
    const first = open(store, { snapshots });
    await live(first, 3);
    await first.snapshot();
    const [entry] = await open(store, { snapshots }).entries();
    expect(Object.isFrozen(entry?.platform)).toBe(true);
  });

  it('RTM-20 keep every value, whatever it is called', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double({ noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('$map', '$set', '__proto__', '$object', '$frozen')),
          tie('any'),
        ),
        fc.array(fc.tuple(fc.string(), tie('any'))).map((pairs) => new Map(pairs)),
        fc.array(fc.string()).map((list) => new Set(list)),
      ),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeState(JSON.parse(JSON.stringify(encodeState(given))))).toEqual(given);
      }),
    );
  });
});

describe('snapshots in files', () => {
  async function written() {
    const folder = temporaryFolder();
    const clock = manualClock();
    const store = createMemoryRoutingStore();
    const snapshots = createFileSnapshots({ folder, clock });
    const open = () => createRoutingMatrix({ store, clock, random: seededRandom(5), snapshots });
    const matrix = open();
    for (let round = 0; round < 5; round += 1) {
      await matrix.recordOutcome({ jobId: `${round}`, platform: platform(1), taskType, outcome: 'SUCCESS' });
      await matrix.snapshot();
    }
    const names = () => readdirSync(folder).sort().reverse();
    return { folder, store, open, expected: await matrix.entries(), names, snapshots };
  }

  it('RTM-20 keep the last three', async () => {
    const { names } = await written();
    expect(names()).toHaveLength(3);
  });

  it('RTM-20 fall back to the one before when one is torn at any place or changed in any byte', async () => {
    const { folder, open, expected, names } = await written();
    const [newest = ''] = names();
    const path = join(folder, newest);
    const whole = readFileSync(path);
    const cuts = [
      0,
      1,
      50,
      whole.length - 1,
      ...Array.from({ length: 25 }, (_, i) => Math.floor((whole.length * i) / 25)),
    ];
    for (const length of cuts) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      expect(await open().entries()).toEqual(expected);
    }
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(path, changed);
      expect(await open().entries()).toEqual(expected);
    }
    // Without any readable snapshot the log has everything.
    for (const name of names()) writeFileSync(join(folder, name), 'x');
    expect(await open().entries()).toEqual(expected);
  });

  it('RTM-20 ignore what writers left that were killed', async () => {
    const { folder, open, expected, snapshots } = await written();
    writeFileSync(join(folder, 'snapshot-9999999999999999-00000000.json.tmp'), '{');
    writeFileSync(join(folder, 'snapshot-0000000000000001-00000000.json.tmp'), '{');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(await open().entries()).toEqual(expected);
    await snapshots.write('x\nx');
    expect(readdirSync(folder)).toContain('notes.txt');
    expect(readdirSync(folder)).not.toContain('snapshot-0000000000000001-00000000.json.tmp');
  });
});

describe('crashes', () => {
  it('RTM-20 lose nothing that was acknowledged, killed at any point of log and snapshot', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'routing.db');
    const snapshotFolder = join(folder, 'snapshots');
    const setup = openSqlite({ path });
    await migrateRouting(setup);
    await setup.destroy();
    let next = 0;
    for (let round = 0; round < 6; round += 1) {
      const child = runChild('keep-writing.ts', path, snapshotFolder, String(next));
      await child.sees(`\n${next + 2 + round}\n`);
      child.process.kill('SIGKILL');
      expect(await child.ended).toBe('SIGKILL');
      const acknowledged = Number(child.output().trimEnd().split('\n').at(-1));

      const db = openSqlite({ path });
      const store = createKyselyRoutingStore(db);
      const snapshots = createFileSnapshots({ folder: snapshotFolder });
      const matrix = createRoutingMatrix({ store, snapshots, clock: () => start });
      const plain = createRoutingMatrix({ store, clock: () => start });
      const entries = await matrix.entries();
      expect(await plain.entries()).toEqual(entries);
      expect(await plain.thresholds()).toEqual(await matrix.thresholds());
      const judged = entries.reduce((sum, { outcomes }) => sum + outcomes.SUCCESS + outcomes.FAILURE, 0);
      const reserved = (await matrix.budgets.held()).length;
      // The last outcome may have become durable just before it could be acknowledged.
      expect([acknowledged + 1, acknowledged + 2]).toContain(judged);
      expect([acknowledged + 1, acknowledged + 2]).toContain(reserved);
      // Killed between the two writes: both are repeated, and an outcome counts once.
      next = Math.min(judged, reserved);
      await db.destroy();
    }
  });

  it('RTM-20 lose nothing that was acknowledged when the disk is full', async ({ skip }) => {
    const folder = temporaryFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', folder], {
      stdio: 'ignore',
    });
    if (mounted.status !== 0) skip('This user may not mount a file system.');
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
    const clock = manualClock();
    const db = openSqlite({ path: join(folder, 'routing.db') });
    onTestFinished(() => db.destroy());
    await migrateRouting(db);
    const store = createKyselyRoutingStore(db);
    const snapshots = createFileSnapshots({ folder: join(folder, 'snapshots') });
    const matrix = createRoutingMatrix({ store, snapshots, clock });
    let acknowledged = 0;
    let code = '';
    for (let n = 0; n < 10_000 && code === ''; n += 1) {
      const work = { jobId: `${n}`, platform: platform(n % 3), taskType, outcome: 'SUCCESS' } as const;
      await matrix.recordOutcome(work).then(
        () => {
          acknowledged += 1;
        },
        (error: { code: string }) => {
          code = error.code;
        },
      );
      if (n % 50 === 0) await matrix.snapshot().catch(() => {});
    }
    expect(code).toBe('STORE_FAILED');
    writeFileSync(join(folder, 'full'), '');
    const count = (entries: Awaited<ReturnType<typeof matrix.entries>>) =>
      entries.reduce((sum, { outcomes }) => sum + outcomes.SUCCESS, 0);
    expect(count(await matrix.entries())).toBe(acknowledged);
    const heir = createRoutingMatrix({ store, snapshots, clock });
    expect(await heir.entries()).toEqual(await matrix.entries());
    // A snapshot that does not fit fails on its own, and closing goes on without it.
    await expect(heir.snapshot()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await heir.close();
  });

  it('RTM-20 recovery quarantines what the registry does not list, until it registers again', async () => {
    const store = createMemoryRoutingStore();
    const matrix = createRoutingMatrix({ store, clock: () => start, random: seededRandom(1) });
    await live(matrix, 0);
    expect(await matrix.reconcile([platform(1), platform(3), platform(4)])).toEqual([platform(2)]);
    expect(await matrix.reconcile([platform(1), platform(3), platform(4)])).toEqual([]);
    const { excluded } = await matrix.select({ taskType, valueMsat: 1 });
    expect(excluded).toContainEqual({ platformId: `${platform(2).pubkey}:main`, reason: 'quarantined' });
    // The same description as before counts, because it is there again.
    await matrix.register({ platform: platform(2), taskTypes: [taskType], priceMsat: 200, version: '0.0' });
    expect((await matrix.entry(taskType, platform(2)))?.quarantined).toBe(false);
  });
});

describe('backups', () => {
  function setUp() {
    const clock = manualClock();
    const store = createMemoryRoutingStore();
    const matrix = createRoutingMatrix({ store, clock, random: seededRandom(5), newId: () => `id-${++ids}` });
    const messages: string[] = [];
    const sink = {
      failing: false,
      async send(message: string) {
        if (sink.failing) throw new Error('no relay');
        messages.push(message);
      },
    };
    const backup = createBackup({ matrix, store, sink, clock, recordsPerBase: 100 });
    return { clock, store, matrix, messages, sink, backup };
  }

  /** Views without what only decisions know: open jobs. */
  const durable = async (matrix: RoutingMatrix) => {
    const { entries, ...rest } = await views(matrix);
    return { ...rest, entries: entries.map(({ queueDepth: _, ...entry }) => entry) };
  };

  it('RTM-20 restore everything on a fresh machine, in any order and with repetitions', async () => {
    const { clock, matrix, messages, backup } = setUp();
    await live(matrix, 20);
    await backup.flush();
    await live(matrix, 10, 20);
    await backup.flush();
    await backup.close();
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(24_000);

    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }),
        async (order) => {
          const store = createMemoryRoutingStore();
          const result = await restoreBackup([...order, 'hello', '{"type":"other"}'], store, { clock });
          expect(result).toMatchObject({ gap: false, incomplete: 0, foreign: 2 });
          const restored = createRoutingMatrix({ store, clock, random: seededRandom(5) });
          expect(await durable(restored)).toEqual(await durable(matrix));
          expect(await restored.quarantined()).toEqual([]);
          // It goes on from there, and its log replays.
          await live(restored, 5, 40);
          const log = (await store.readAfter(0, 10_000)).map(decodeRecord);
          expect(replay(log, resolveConfig()).entries.size).toBe(1);
          expect(await createRoutingMatrix({ store, clock }).entries()).toEqual(await restored.entries());
        },
      ),
      { numRuns: 5 },
    );
  });

  it('RTM-20 restore what was done since an earlier restoration, whose log counts from the beginning', async () => {
    const { clock, matrix, messages, backup } = setUp();
    await live(matrix, 60);
    await backup.flush();
    await backup.close();
    clock.advance(3_600_000);
    // The second machine backs up to the same place, and its clock is behind that of the first.
    clock.advance(-3_600_000 - 5_000);
    const second = createMemoryRoutingStore();
    await restoreBackup(messages, second, { clock });
    const heir = createRoutingMatrix({ store: second, clock, random: seededRandom(6) });
    await live(heir, 5, 100);
    const sink = { send: async (message: string) => void messages.push(message) };
    const its = createBackup({ matrix: heir, store: second, sink, clock });
    await its.flush();
    await live(heir, 5, 200);
    await its.flush();
    await its.close();
    const third = createMemoryRoutingStore();
    expect(await restoreBackup(messages, third, { clock })).toMatchObject({ gap: false, incomplete: 0 });
    expect(await durable(createRoutingMatrix({ store: third, clock }))).toEqual(await durable(heir));

    // Without the base of the second machine its evidence is missing, and the result says so.
    const isLate = (message: string) => JSON.parse(message).log !== JSON.parse(messages[0] ?? '').log;
    const cut = messages.filter((message) => !(isLate(message) && message.includes('"kind":"base"')));
    expect(cut.length).toBeLessThan(messages.length);
    const fourth = createMemoryRoutingStore();
    expect(await restoreBackup(cut, fourth, { clock })).toMatchObject({ gap: true });
  });

  it('RTM-20 evidence that the base contains counts once, also when it is recorded again after restorations', async () => {
    const { clock, matrix, messages, backup } = setUp();
    await live(matrix, 30);
    await backup.flush();
    await backup.close();
    const repeat = async (restored: RoutingMatrix) => [
      await restored.recordOutcome({
        jobId: 'job-1',
        platform: platform(2),
        taskType,
        outcome: 'SUCCESS',
      }),
      await restored.recordBenchmark({
        platform: platform(1),
        taskType,
        attemptId: '1 0 0',
        verdict: good({ latencyMs: 100 }),
      }),
    ];
    const expectOnce = async (store: RoutingStore, snapshots: SnapshotStore) => {
      const restored = createRoutingMatrix({ store, clock, snapshots });
      const before = await durable(restored);
      const log = await store.readAfter(0, 1_000);
      expect((await repeat(restored)).map(({ recorded }) => recorded)).toEqual([false, false]);
      expect(await durable(restored)).toEqual(before);
      expect(await store.readAfter(0, 1_000)).toEqual(log);
      await restored.close();
    };
    let from = messages;
    for (let machine = 0; machine < 3; machine += 1) {
      const store = createMemoryRoutingStore();
      await restoreBackup(from, store, { clock });
      const { snapshots } = memorySnapshots();
      await expectOnce(store, snapshots);
      // From a snapshot of its own it knows them, too.
      await expectOnce(store, snapshots);

      const restored = createRoutingMatrix({ store, clock });
      const fresh = { jobId: `new-${machine}`, platform: platform(2), taskType, outcome: 'FAILURE' } as const;
      expect((await restored.recordOutcome(fresh)).recorded).toBe(true);
      expect((await restored.recordOutcome(fresh)).recorded).toBe(false);
      expect(
        (await restored.recordOutcome({ ...fresh, jobId: 'job-1', platform: platform(1) })).recorded,
      ).toBe(machine === 0);
      const sent: string[] = [];
      const its = createBackup({
        matrix: restored,
        store,
        clock,
        sink: { send: async (message) => void sent.push(message) },
      });
      await its.flush();
      await its.close();
      from = sent;
    }
  });

  it('RTM-20 are sent at once for what is significant, and after a failure with the next change', async () => {
    const { matrix, messages, backup, sink, store, clock } = setUp();
    await live(matrix, 0);
    await backup.flush();
    const before = messages.length;
    await matrix.recordOutcome({ jobId: 'small', platform: platform(1), taskType, outcome: 'PARTIAL' });
    await backup.close();
    expect(messages).toHaveLength(before);

    const again = createBackup({ matrix, store, sink, clock });
    await again.flush();
    sink.failing = true;
    await matrix.recordOutcome({ jobId: 'lost', platform: platform(1), taskType, outcome: 'FAILURE' });
    await expect(again.flush()).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    sink.failing = false;
    const count = messages.length;
    await matrix.recordOutcome({ jobId: 'next', platform: platform(1), taskType, outcome: 'FAILURE' });
    await again.close();
    expect(messages.length).toBeGreaterThan(count);
    const fresh = createMemoryRoutingStore();
    await restoreBackup(messages, fresh, { clock });
    expect(await fresh.get(`outcome:lost@${platform(1).pubkey}:main`)).not.toBeNull();
  });

  it('RTM-20 fall back to an older snapshot when messages are missing or changed, and say so', async () => {
    const { clock, matrix, messages, backup } = setUp();
    await live(matrix, 60);
    await backup.flush();
    const first = messages.length;
    const earlier = await durable(matrix);
    await live(matrix, 60, 60);
    await backup.flush();
    await backup.close();
    const bases = messages.filter((message) => message.includes('"kind":"base"'));
    expect(bases.length).toBeGreaterThan(1);
    const cut = messages.filter((message) => message !== bases.at(-1));
    const store = createMemoryRoutingStore();
    expect(await restoreBackup(cut, store, { clock })).toMatchObject({ gap: false });
    expect(await durable(createRoutingMatrix({ store, clock }))).toEqual(await durable(matrix));

    const changed = messages.slice(0, first).concat((bases.at(-1) ?? '').replace(/"data":"./u, '"data":"!'));
    const older = createMemoryRoutingStore();
    expect(await restoreBackup(changed, older, { clock })).toMatchObject({ incomplete: 1 });
    expect(await durable(createRoutingMatrix({ store: older, clock }))).toEqual(earlier);
  });

  it('RTM-20 report no gap where only decisions were made, which are not sent', async () => {
    const { matrix, messages, backup, clock } = setUp();
    await live(matrix, 3);
    await backup.flush();
    for (let i = 0; i < 3; i += 1) await matrix.select({ taskType, jobId: `only ${i}`, valueMsat: 1_000 });
    await backup.flush();
    await matrix.recordOutcome({ jobId: 'only 0', platform: platform(1), taskType, outcome: 'FAILURE' });
    await backup.flush();
    await backup.close();
    const store = createMemoryRoutingStore();
    expect(await restoreBackup(messages, store, { clock })).toMatchObject({ gap: false, incomplete: 0 });
    // Without the last but one message there is one.
    const { messages: more, backup: other, matrix: busy } = setUp();
    await live(busy, 0);
    await other.flush();
    for (const jobId of ['a', 'b']) {
      await busy.recordOutcome({ jobId, platform: platform(1), taskType, outcome: 'PARTIAL' });
      await other.flush();
    }
    await other.close();
    const cut = more.filter((_, index) => index !== more.length - 2);
    expect(await restoreBackup(cut, createMemoryRoutingStore(), { clock })).toMatchObject({ gap: true });
  });

  it('RTM-20 send a snapshot instead of the records after a long failure of the sink', async () => {
    const { matrix, messages, backup, sink, clock } = setUp();
    await live(matrix, 0);
    await backup.flush();
    sink.failing = true;
    await Promise.all(
      Array.from({ length: 10_100 }, (_, i) =>
        matrix.recordOutcome({
          jobId: `lost ${i}`,
          platform: platform(1 + (i % 3)),
          taskType,
          outcome: 'PARTIAL',
        }),
      ),
    );
    await expect(backup.flush()).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    sink.failing = false;
    const before = messages.length;
    await backup.flush();
    await backup.close();
    const kinds = messages.slice(before).map((message) => JSON.parse(message).kind);
    expect(new Set(kinds)).toEqual(new Set(['base']));
    const store = createMemoryRoutingStore();
    expect(await restoreBackup(messages, store, { clock })).toMatchObject({ gap: false, records: 0 });
    expect(await durable(createRoutingMatrix({ store, clock }))).toEqual(await durable(matrix));
  });

  it('RTM-20 are not restored over a log, nor without a whole snapshot', async () => {
    const { matrix, messages, backup, store, clock } = setUp();
    await live(matrix, 3);
    await backup.flush();
    await backup.close();
    await expect(restoreBackup(messages, store, { clock })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(restoreBackup([], createMemoryRoutingStore())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const broken = { ...createMemoryRoutingStore(), append: () => Promise.reject(new Error('full')) };
    await expect(restoreBackup(messages, broken)).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });
});
