import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createBackup,
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  type RoutingMatrix,
  type RoutingStore,
  replay,
  resolveConfig,
  restoreBackup,
  type SnapshotStore,
} from '../src/index.ts';
import { live, memorySnapshots, newId, taskType, views } from './support/recovery.ts';
import { good, manualClock, platform } from './support.ts';

describe('backups', () => {
  function setUp() {
    const clock = manualClock();
    const store = createMemoryRoutingStore();
    const matrix = createRoutingMatrix({ store, clock, random: seededRandom(5), newId });
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
