/*
 * Time of a decision without its append (RTM-23, RTM-26), with 16 and with 10,000 platforms; of appending it; of recording
 * outcomes; of loading 1,000 entries (RTM-20); and of opening a long log, of outcomes or with decisions. Prints a markdown table.
 * `node --conditions=@bonafide/source speed.bench.ts [--records 1000000]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLogger } from '@bonafide/internal';
import { openSqlite } from '@bonafide/storage';
import { applyRecord } from '../src/fold/apply-record.ts';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  learnedStrategy,
  resolveConfig,
  type SelectionStrategy,
  tieredStrategy,
} from '../src/index.ts';
import { encodeRecord } from '../src/log/record-codec.ts';
import type { RoutingRecord, StoredMeasurements } from '../src/records.ts';
import { createFileSnapshots } from '../src/recovery/file-snapshots.ts';
import type { SnapshotStore } from '../src/recovery/snapshot.ts';
import { decide } from '../src/selection/decide.ts';
import { runStrategy } from '../src/selection/strategy-runner.ts';
import { featuresOf } from '../src/state/job-features.ts';
import { emptyState } from '../src/state/state.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { unmeasured } from '../test/support.ts';
import { createRandomStream } from './simulation/random.ts';

const { values: flags } = parseArgs({ options: { records: { type: 'string', default: '1000000' } } });

const taskType = 'code';
const at0 = 1_767_225_600_000;
const measurements: StoredMeasurements = { ...unmeasured, passRate: 1, latencyMs: 800, costMsat: 100 };
const platform = (n: number) => ({ pubkey: n.toString(16).padStart(64, '0'), d: 'main' });
const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;

/** Times decisions over a state with `count` qualified platforms. Decisions and outcomes between them are not timed. */
function timeDecisions(strategy: SelectionStrategy, count: number, decisions: number): number[] {
  const random = createRandomStream(7, 'speed').uniform;
  const config = resolveConfig();
  const state = emptyState(config);
  const runner = runStrategy(strategy, { logger: silentLogger, alert: () => {} });
  runner.start();
  let seq = 0;
  const apply = (record: RoutingRecord) => {
    seq += 1;
    const features = featuresOf(state, record);
    applyRecord(state, record);
    runner.observe(record, seq, features);
    state.seq = seq;
  };
  for (let n = 0; n < count; n += 1) {
    const common = { at: at0, platform: platform(n) };
    apply({
      kind: 'platform',
      id: `p${n}`,
      taskType: null,
      name: null,
      taskTypes: [taskType],
      priceMsat: 100 + (n % 50),
      version: null,
      ...common,
    });
    for (let i = 0; i < 3; i += 1) {
      apply({
        kind: 'benchmark',
        id: `b${n} ${i}`,
        taskType,
        attemptId: `${n} ${i}`,
        outcome: 'SUCCESS',
        smokeFailed: false,
        measurements: { ...measurements, latencyMs: 500 + (n % 700) },
        ...common,
      });
    }
  }
  const times: number[] = [];
  for (let i = 0; i < decisions; i += 1) {
    const now = at0 + 60_000 * (i + 1);
    const task = {
      taskType,
      valueMsat: 2_000 + 50 * (i % 100),
      size: 1,
      deadlineMs: 60_000,
      difficulty: 0.5,
    };
    const query = {
      id: `d${i}`,
      jobId: `j${i}`,
      session: null,
      similarity: null,
      task,
      n: 1,
      exclude: new Set<string>(),
      strategy: runner,
      now,
      random,
    };
    const before = process.hrtime.bigint();
    const decision = decide(state, query);
    times.push(Number(process.hrtime.bigint() - before) / 1_000);
    apply(decision);
    for (const { platform: picked } of decision.picks) {
      apply({
        kind: 'outcome',
        id: `o${i}`,
        at: now + 1_000,
        taskType,
        platform: picked,
        jobId: `j${i}`,
        outcome: random() < 0.9 ? 'SUCCESS' : 'FAILURE',
        valueMsat: null,
        measurements,
      });
    }
  }
  // The first half warms up.
  return times.slice(times.length / 2).sort((a, b) => a - b);
}

console.log('| | median µs | 95th percentile µs |\n| --- | ---: | ---: |');
for (const [name, strategy] of [
  ['learned', learnedStrategy],
  ['tiered', tieredStrategy],
] as const) {
  for (const [count, decisions] of [
    [16, 20_000],
    [10_000, 4_000],
  ] as const) {
    const times = timeDecisions(strategy(), count, decisions);
    console.log(
      `| decision, ${name}, ${count} platforms | ${quantile(times, 0.5).toFixed(1)} | ${quantile(times, 0.95).toFixed(1)} |`,
    );
  }
}

/** Times opening a log of platforms with one qualified entry each, and validating it against the registry, in this process. */
async function openEntries(count: number, snapshots: SnapshotStore): Promise<void> {
  const log = createMemoryRoutingStore();
  const filled = createRoutingMatrix({ store: log });
  const listed = Array.from({ length: count }, (_, n) => platform(n));
  for (const [n, each] of listed.entries()) {
    await filled.register({ platform: each, taskTypes: [taskType], priceMsat: 100 + n });
    await Promise.all(
      [1, 2, 3].map((i) =>
        filled.recordBenchmark({
          platform: each,
          taskType,
          attemptId: `${n} ${i}`,
          verdict: { outcome: 'SUCCESS', passRate: 1, latencyMs: 500 + n },
        }),
      ),
    );
  }
  await filled.close();
  const time = async (from: SnapshotStore | null) => {
    const before = process.hrtime.bigint();
    const matrix = createRoutingMatrix({ store: log, ...(from === null ? {} : { snapshots: from }) });
    await matrix.reconcile(listed);
    const micros = Number(process.hrtime.bigint() - before) / 1e3;
    await matrix.close();
    return micros;
  };
  await time(snapshots);
  for (const [name, from] of [
    ['whole log', null],
    ['from a snapshot', snapshots],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) times.push(await time(from));
    times.sort((a, b) => a - b);
    console.log(
      `| load and validate ${count} entries, ${name} | ${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.95).toFixed(0)} |`,
    );
  }
}

/** Times opening a log of which one half are decisions among 16 platforms, and the other half their outcomes. */
async function openMixed(records: number): Promise<void> {
  const log = createMemoryRoutingStore();
  const random = createRandomStream(9, 'mixed').uniform;
  const filled = createRoutingMatrix({ store: log, random });
  for (let n = 0; n < 16; n += 1) {
    await filled.register({ platform: platform(n), taskTypes: [taskType], priceMsat: 100 + n });
    for (let i = 0; i < 3; i += 1)
      await filled.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: { outcome: 'SUCCESS', passRate: 1, latencyMs: 500 + n },
      });
  }
  for (let i = 0; i < records / 2; i += 1) {
    const jobId = `j${i}`;
    const { picks } = await filled.select({ taskType, jobId, valueMsat: 2_000 + 50 * (i % 100) });
    for (const { platform: picked } of picks)
      await filled.recordOutcome({
        jobId,
        platform: picked,
        taskType,
        outcome: random() < 0.9 ? 'SUCCESS' : 'FAILURE',
        measurements: { latencyMs: 800 },
      });
  }
  await filled.close();
  const before = process.hrtime.bigint();
  const opened = createRoutingMatrix({ store: log });
  await opened.entries();
  const micros = Number(process.hrtime.bigint() - before) / 1e3 / records;
  console.log(`| a record of a log with decisions, without a snapshot | ${micros.toFixed(1)} | |`);
  await opened.close();
}

const folder = mkdtempSync(join(tmpdir(), 'routing-bench-'));
try {
  const db = openSqlite({ path: join(folder, 'routing.db') });
  await migrateRouting(db);
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db), random: () => 0.5 });
  for (let n = 0; n < 16; n += 1) {
    for (let i = 0; i < 3; i += 1) {
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `${n} ${i}`,
        verdict: { outcome: 'SUCCESS', passRate: 1 },
      });
    }
  }
  const each = async (count: number, work: (i: number) => Promise<unknown>, batch = 1) => {
    const times: number[] = [];
    for (let i = 0; i < count; i += batch) {
      const before = process.hrtime.bigint();
      await Promise.all(Array.from({ length: batch }, (_, j) => work(i + j)));
      times.push(Number(process.hrtime.bigint() - before) / 1_000 / batch);
    }
    return times.slice(times.length / 2).sort((a, b) => a - b);
  };
  const show = (name: string, times: number[]) =>
    console.log(`| ${name} | ${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.95).toFixed(0)} |`);
  const outcome = (i: number, prefix: string) =>
    matrix.recordOutcome({
      jobId: `${prefix}${i}`,
      platform: platform(i % 16),
      taskType,
      outcome: 'SUCCESS',
      measurements: { latencyMs: 500 },
    });
  show(
    'select with its append, SQLite on disk',
    await each(1_000, (i) => matrix.select({ taskType, jobId: `s${i}`, valueMsat: 5_000 })),
  );
  show('outcome with its append', await each(1_000, (i) => outcome(i, 'one ')));
  show('outcome, 100 at once', await each(10_000, (i) => outcome(i, 'many '), 100));
  await matrix.close();
  await db.destroy();

  await openEntries(1_000, createFileSnapshots({ folder: join(folder, 'entries') }));

  const total = Number(flags.records);
  const log = createMemoryRoutingStore();
  const records: RoutingRecord[] = Array.from({ length: 50_000 }, (_, i) => ({
    kind: 'outcome',
    id: '',
    at: at0 + i * 1_000,
    taskType: `type-${i % 4}`,
    platform: platform(i % 16),
    jobId: '',
    outcome: i % 10 === 0 ? 'FAILURE' : 'SUCCESS',
    valueMsat: null,
    measurements,
  }));
  for (let from = 0; from < total; from += records.length) {
    await log.append(
      records.map((record, i) =>
        encodeRecord({ ...record, id: `o${from + i}`, jobId: `j${from + i}` } as RoutingRecord),
      ),
    );
  }
  const snapshots = createFileSnapshots({ folder: join(folder, 'snapshots') });
  const open = async (name: string) => {
    const before = process.hrtime.bigint();
    const opened = createRoutingMatrix({ store: log, snapshots });
    await opened.entries();
    console.log(
      `| open ${total} records, ${name} | ${(Number(process.hrtime.bigint() - before) / 1e3).toFixed(0)} | |`,
    );
    await opened.close();
  };
  await open('whole log');
  await open('from a snapshot');
  await openMixed(total / 10);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
