import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@bonafide/internal';
import { openSqlite } from '@bonafide/storage';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type RoutingMatrixOptions,
  type RoutingStore,
} from '../src/index.ts';
import { decodeState, encodeState } from '../src/recovery/codec.ts';
import { createFileSnapshots } from '../src/recovery/file-snapshots.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { runChild } from './support/child.ts';
import {
  counting,
  decisions,
  live,
  memorySnapshots,
  newId,
  taskType,
  temporaryFolder,
  views,
} from './support/recovery.ts';
import { manualClock, platform, start } from './support.ts';

describe('snapshots', () => {
  const clock = manualClock();
  const open = (store: RoutingStore, more: Partial<RoutingMatrixOptions> = {}) =>
    createRoutingMatrix({ store, clock, random: seededRandom(5), newId, ...more });

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
