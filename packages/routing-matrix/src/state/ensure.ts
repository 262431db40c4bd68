import { expectedRate } from '../lifecycle/cusum.ts';
import { afterRemoval, normalLifecycle } from '../lifecycle/stage.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import { RunningQuantile } from '../statistics/running-quantile.ts';
import { SampleWindow } from '../statistics/window.ts';
import { isRemoved } from './directives.ts';
import type { EntryState, MatrixState, PlatformState, TaskState } from './state.ts';
import { condemn } from './status.ts';

const entrySamples = 100;
const taskSamples = 500;

export function ensurePlatform(state: MatrixState, platform: PlatformRef, at: number): PlatformState {
  const id = platformId(platform);
  const known = state.platforms.get(id);
  if (known !== undefined) return known;
  const created: PlatformState = {
    platform: Object.freeze({ pubkey: platform.pubkey, d: platform.d }),
    platformId: id,
    registration: null,
    registrations: 0,
    firstSeenAt: at,
    judged: 0,
    lastPickedAt: 0,
    openJobs: new Map(),
    directives: new Map(),
  };
  state.platforms.set(id, created);
  const services = state.services.get(platform.pubkey);
  if (services === undefined) state.services.set(platform.pubkey, [id]);
  else services.push(id);
  return created;
}

export function ensureTask(state: MatrixState, taskType: string): TaskState {
  const known = state.tasks.get(taskType);
  if (known !== undefined) return known;
  const created: TaskState = {
    decisions: 0,
    recent: [],
    recentCounts: new Map(),
    shortlist: null,
    latency: new SampleWindow(taskSamples),
    execution: new SampleWindow(taskSamples),
    usualDeadline: new SampleWindow(entrySamples),
    timing: { early: 0, near: 0, silent: 0 },
    usualValue: new RunningQuantile(0.6),
    pins: new Map(),
  };
  state.tasks.set(taskType, created);
  return created;
}

export function ensureEntry(state: MatrixState, ref: PlatformRef, taskType: string, at: number): EntryState {
  const { platform, platformId: id } = ensurePlatform(state, ref, at);
  const byPlatform = state.entries.get(taskType) ?? new Map<string, EntryState>();
  state.entries.set(taskType, byPlatform);
  const known = byPlatform.get(id);
  if (known !== undefined) return known;
  const created: EntryState = {
    platform,
    platformId: id,
    taskType,
    status: 'EVALUATING',
    statusReason: 'discovered',
    lifecycle: normalLifecycle(at),
    cusum: 0,
    usual: expectedRate(),
    timeoutRun: 0,
    trust: null,
    score: null,
    attempts: [],
    failedEvaluations: 0,
    cooldownUntilAt: null,
    rejectedAt: null,
    rejectedVersion: null,
    straightFailures: false,
    readmitted: false,
    benchmarkRun: 0,
    benchmarks: 0,
    lastBenchmarkAt: null,
    outcomes: { SUCCESS: 0, PARTIAL: 0, FAILURE: 0, ERROR: 0, SECURITY_VIOLATION: 0, INFRA: 0 },
    lastVerifiedAt: null,
    good: 0,
    bad: 0,
    evidenceAt: 0,
    days: new Map(),
    latency: new SampleWindow(entrySamples),
    cost: new SampleWindow(entrySamples),
    memory: new SampleWindow(entrySamples),
    coverage: new SampleWindow(entrySamples),
  };
  if (isRemoved(state.platforms.get(id), taskType)) {
    created.lifecycle = afterRemoval(created.lifecycle, at, 'removed by a directive');
  }
  // A new service of a blacklisted operator is blacklisted too.
  if (state.blacklist.has(platform.pubkey)) condemn(created);
  byPlatform.set(id, created);
  const types = state.taskTypesOf.get(id) ?? new Set<string>();
  state.taskTypesOf.set(id, types.add(taskType));
  return created;
}
