import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Outcome, RoutingMatrix, RoutingStore, SnapshotStore } from '../../src/index.ts';
import { good, platform } from '../support.ts';

export const taskType = 'code';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-routing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Snapshots in memory, newest first. */
export function memorySnapshots() {
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
export function counting(store: RoutingStore) {
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
/** Returns ids that repeat in no matrix of a test. */
export const newId = (): string => `id-${++ids}`;

/** Fills a matrix with records of every kind. */
export async function live(matrix: RoutingMatrix, jobs = 30, from = 0): Promise<void> {
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

export const views = async (matrix: RoutingMatrix) => ({
  entries: await matrix.entries(),
  budgets: await matrix.budgets.list(),
  held: await matrix.budgets.held(),
  thresholds: await matrix.thresholds(),
  mutations: await matrix.mutations(),
  probes: await matrix.dueProbes(),
});

/** The next decisions of a matrix, with their probabilities. */
export async function decisions(matrix: RoutingMatrix) {
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
