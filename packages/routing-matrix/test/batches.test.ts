import { openSqlite } from '@bonafide/storage';
import { describe, expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix, type LogRecord } from '../src/index.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { good, manualClock, platform } from './support.ts';

const taskType = 'code';

/** A store that notes the size of every append, and refuses records when told. */
function noted(refuses: (record: LogRecord) => boolean = () => false) {
  const store = createMemoryRoutingStore();
  const sizes: number[] = [];
  return {
    sizes,
    store: {
      ...store,
      async append(records: readonly LogRecord[]) {
        sizes.push(records.length);
        if (records.some(refuses)) throw new Error('Refused');
        return store.append(records);
      },
    },
  };
}

const outcome = (jobId: string, n = 1) =>
  ({ jobId, platform: platform(n), taskType, outcome: 'SUCCESS' }) as const;

describe('group commit', () => {
  it('RTM-23 RTM-26 appends outcomes that are recorded at once in few calls of the store', async () => {
    const { store, sizes } = noted();
    const matrix = createRoutingMatrix({ store, clock: manualClock() });
    const results = await Promise.all(
      Array.from({ length: 1_200 }, (_, i) => matrix.recordOutcome(outcome(`j${i % 1_100}`))),
    );
    expect(sizes).toEqual([500, 500, 200]);
    expect(results.filter(({ recorded }) => recorded)).toHaveLength(1_100);
    expect((await matrix.entry(taskType, platform(1)))?.outcomes.SUCCESS).toBe(1_100);
  });

  it('RTM-24 keeps the order of the calls: a choice sees what was recorded before it, and nothing later', async () => {
    const { store } = noted();
    const clock = manualClock();
    const matrix = createRoutingMatrix({ store, clock });
    const attempts = [0, 1, 2].map((i) =>
      matrix.recordBenchmark({ platform: platform(1), taskType, attemptId: `a${i}`, verdict: good() }),
    );
    const first = matrix.select({ taskType, jobId: 'j', valueMsat: 1 });
    const denied = matrix.direct({ platform: platform(1), action: 'deny', reason: 'r' });
    const second = matrix.select({ taskType, jobId: 'k', valueMsat: 1 });
    await Promise.all([...attempts, denied]);
    expect([(await first).picks.length, (await second).picks.length]).toEqual([1, 0]);
    const kinds = (await store.readAfter(0, 10)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'alert')).toEqual([
      'benchmark',
      'benchmark',
      'benchmark',
      'decision',
      'directive',
      'decision',
    ]);
  });

  it('RTM-20 a record that the store refuses stops no other of its batch', async () => {
    const { store } = noted(({ id }) => id.includes('bad'));
    const matrix = createRoutingMatrix({ store, clock: manualClock() });
    const results = await Promise.allSettled(
      ['a', 'bad', 'b'].map((jobId) => matrix.recordOutcome(outcome(jobId))),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'STORE_FAILED' } });
    expect((await matrix.entry(taskType, platform(1)))?.outcomes.SUCCESS).toBe(2);
  });

  it('RTM-20 records again after a log that could not be read', async () => {
    const { store } = noted();
    let fails = true;
    const matrix = createRoutingMatrix({
      store: {
        ...store,
        readAfter: (...page) => (fails ? Promise.reject(new Error('Gone')) : store.readAfter(...page)),
      },
      clock: manualClock(),
    });
    const failed = await Promise.allSettled(['a', 'b'].map((jobId) => matrix.recordOutcome(outcome(jobId))));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await matrix.recordOutcome(outcome('a'))).toMatchObject({ recorded: true });
  });

  it('RTM-5 ids that were used for something else fail alone', async () => {
    const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), clock: manualClock() });
    const other = { ...outcome('a'), taskType: 'prose' };
    const results = await Promise.allSettled([
      matrix.recordOutcome(outcome('a')),
      matrix.recordOutcome(other),
      matrix.recordOutcome(outcome('a')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ value: { recorded: false } });
  });

  it('RTM-20 RTM-23 two matrices on one database record in batches beside each other, each record once', async () => {
    const db = openSqlite({ path: ':memory:' });
    await migrateRouting(db);
    const store = createKyselyRoutingStore(db);
    const matrices = [1, 2].map(() => createRoutingMatrix({ store, clock: manualClock() }));
    await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        matrices[i % 2]?.recordOutcome(outcome(`j${i % 250}`, 1 + (i % 3))),
      ),
    );
    const [a, b] = await Promise.all(matrices.map((matrix) => matrix.entries()));
    expect(a).toEqual(b);
    // The id is unique together with the platform.
    expect(a?.reduce((sum, { outcomes }) => sum + outcomes.SUCCESS, 0)).toBe(
      (await store.readAfter(0, 1_000)).length,
    );
    await db.destroy();
  });

  it('X-8 a batch that waits is written when the matrix is closed, and none is accepted later', async () => {
    const { store } = noted();
    const matrix = createRoutingMatrix({ store, clock: manualClock() });
    const waiting = Promise.all([matrix.recordOutcome(outcome('a')), matrix.recordOutcome(outcome('b'))]);
    // The input of a call is checked before it joins a batch.
    await Promise.resolve();
    await matrix.close();
    expect(await waiting).toHaveLength(2);
    await expect(matrix.recordOutcome(outcome('c'))).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
