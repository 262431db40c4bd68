import { silentLogger } from '@bonafide/internal';
import { applyRecord } from '../../src/fold/apply-record.ts';
import { type RoutingConfigInput, resolveConfig } from '../../src/index.ts';
import type { RoutingRecord, StoredMeasurements } from '../../src/records.ts';
import { decide } from '../../src/selection/decide.ts';
import type { SelectionStrategy } from '../../src/selection/strategy.ts';
import { runStrategy } from '../../src/selection/strategy-runner.ts';
import { featuresOf } from '../../src/state/job-features.ts';
import { emptyState } from '../../src/state/state.ts';
import { unmeasured } from '../../test/support.ts';
import type { Policy } from './policy.ts';
import { typeShares } from './tasks.ts';

/** Values and prices of the simulation are in units of a mean task's value: 1,000 sat. */
const msatPerUnit = 1_000_000;
const usualLatencyMs = 60_000;

/** Judged attempts that qualify a platform with the trust that the simulation gives to every policy. */
const qualifying: Readonly<Record<string, StoredMeasurements>> = {
  '0.75': { ...unmeasured, passRate: 1, latencyMs: usualLatencyMs / 3 },
  '0.6': { ...unmeasured, passRate: 1 },
  '0.45': { ...unmeasured, passRate: 1, latencyMs: usualLatencyMs * 2, softLimitExceeded: true, quality: 5 },
};

/** The matrix with a strategy: its whole decision and its whole fold, without a store. */
export function matrixPolicy(
  strategy: SelectionStrategy,
  name = strategy.name,
  settings: RoutingConfigInput = {},
): Policy {
  const types = typeShares.map((_, type) => `type-${type}`);
  const config = resolveConfig({
    baselines: Object.fromEntries(types.map((type) => [type, { latencyMs: usualLatencyMs }])),
    // The simulation applies the share rule to every policy and hands over what it allows.
    maxShare: 1,
    ...settings,
  });
  const state = emptyState(config);
  const runner = runStrategy(strategy, { logger: silentLogger, alert: () => {} });
  runner.start();

  const apply = (record: RoutingRecord) => {
    const features = featuresOf(state, record);
    state.seq += 1;
    applyRecord(state, record);
    runner.observe(record, state.seq, features);
  };
  const platformOf = (id: string) => ({ pubkey: id, d: 'x' });

  function qualify(id: string, taskType: string, trust: number, unitPrice: number, at: number): void {
    const platform = platformOf(id);
    const common = { at, platform } as const;
    if (!state.platforms.has(`${id}:x`)) {
      apply({
        kind: 'platform',
        id: `p ${id}`,
        taskType: null,
        name: null,
        taskTypes: types,
        priceMsat: Math.round(unitPrice),
        version: null,
        ...common,
      });
    }
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const attemptId = `${id} ${taskType} ${attempt}`;
      const measurements = qualifying[String(trust)] ?? unmeasured;
      apply({
        kind: 'benchmark',
        id: `b ${attemptId}`,
        taskType,
        attemptId,
        outcome: 'SUCCESS',
        smokeFailed: false,
        measurements,
        ...common,
      });
    }
  }

  return {
    name,
    choose(task, offers, random) {
      const taskType = types[task.type] ?? '';
      const now = Math.round(task.atHours * 3_600_000);
      for (const { id, initialTrust, price } of offers) {
        if (state.entries.get(taskType)?.get(`${id}:x`)?.trust == null) {
          qualify(id, taskType, initialTrust, (price / task.size) * msatPerUnit, now);
        }
      }
      const wanted = new Set(offers.map(({ id }) => `${id}:x`));
      const absent = [...(state.entries.get(taskType)?.keys() ?? [])].filter((id) => !wanted.has(id));
      const decision = decide(state, {
        id: `d ${task.index}`,
        jobId: `j${task.index}`,
        session: null,
        similarity: null,
        task: {
          taskType,
          valueMsat: Math.round(task.value * msatPerUnit),
          size: task.size,
          deadlineMs: task.deadlineSeconds * 1_000,
          difficulty: task.difficulty,
        },
        n: 1,
        exclude: new Set(absent),
        strategy: runner,
        now,
        random,
      });
      apply(decision);
      const [pick] = decision.picks;
      // Nobody is eligible: the simulated customer still needs one.
      if (pick === undefined) return Math.floor(random() * offers.length);
      return offers.findIndex(({ id }) => `${id}:x` === pick.platformId);
    },
    learn({ task, id, accepted, latencySeconds, atHours }) {
      const platform = platformOf(id);
      const late = latencySeconds > task.deadlineSeconds;
      apply({
        kind: 'outcome',
        id: `o ${task.index}`,
        at: Math.round(atHours * 3_600_000),
        taskType: types[task.type] ?? '',
        platform,
        jobId: `j${task.index}`,
        outcome: late ? 'ERROR' : accepted ? 'SUCCESS' : 'FAILURE',
        valueMsat: null,
        measurements: { ...unmeasured, latencyMs: latencySeconds * 1_000 },
      });
    },
  };
}
