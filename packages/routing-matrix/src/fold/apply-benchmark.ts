import { type Baseline, compositeScore } from '../evidence/composite.ts';
import { afterBenchmarkSuccess, conditionalScore, initialTrust } from '../evidence/initial-trust.ts';
import { moveTrust, type Outcome } from '../evidence/outcome.ts';
import { cooldownMs, qualify } from '../evidence/qualification.ts';
import { normalLifecycle } from '../lifecycle/stage.ts';
import type { BenchmarkRecord, StoredMeasurements } from '../records.ts';
import { baselineOf } from '../state/baseline.ts';
import { ensureEntry } from '../state/ensure.ts';
import { mayBeEvaluated } from '../state/re-engagement.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import { type Change, changesSince, setStatus, standing } from '../state/status.ts';
import { blacklist } from './blacklist.ts';
import { moveLifecycle } from './degradation.ts';
import { observe } from './observe.ts';

export function applyBenchmark(state: MatrixState, record: BenchmarkRecord): Change[] {
  const entry = ensureEntry(state, record.platform, record.taskType, record.at);
  if (record.outcome === 'INFRA') return [];
  const before = standing(state, entry, record.at);
  const { outcome, measurements } = record;
  const baseline = baselineOf(state, record.taskType);
  const passRate = measurements.passRate ?? 0;
  const score = compositeScore(
    { ...measurements, outcome, passRate, smokeFailed: record.smokeFailed },
    baseline,
  );
  entry.benchmarks += 1;
  entry.lastBenchmarkAt = Math.max(entry.lastBenchmarkAt ?? 0, record.at);
  observe(state, entry, outcome, measurements, record.at);

  if (outcome === 'SECURITY_VIOLATION') return blacklist(state, entry, record);
  if (entry.status === 'BLACKLISTED') return [];
  if (entry.trust !== null) moveLifecycle(state, entry, record, baseline);
  if (entry.status === 'ACTIVE') {
    keepVerified(entry, outcome, measurements, baseline);
  } else if (entry.status !== 'REJECTED' || mayBeEvaluated(entry, platformStateOf(state, entry), record.at)) {
    entry.attempts.push({ outcome, score, latencyMs: measurements.latencyMs });
    if (entry.status === 'REJECTED') setStatus(entry, 'EVALUATING', 'evaluated again');
    decideEvaluation(state, entry, baseline, record.at);
  }
  return changesSince(state, entry, before, record);
}

/**
 * Applies a benchmark of a qualified platform: a success adds the next {@link successGain}, any other outcome costs
 * as much as in production.
 */
function keepVerified(
  entry: EntryState,
  outcome: Outcome,
  measurements: StoredMeasurements,
  baseline: Baseline,
): void {
  const trust = entry.trust ?? 0;
  if (outcome === 'SUCCESS') {
    entry.trust = afterBenchmarkSuccess(trust, entry.benchmarkRun);
    entry.benchmarkRun += 1;
  } else {
    entry.trust = moveTrust(trust, outcome, measurements, baseline.latencyMs);
    entry.benchmarkRun = 0;
  }
}

function decideEvaluation(state: MatrixState, entry: EntryState, baseline: Baseline, at: number): void {
  const decision = qualify(entry.attempts, state.config);
  if (decision.verdict === 'CONTINUE' || decision.score === null) return;
  const latencies = entry.attempts.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
  const sorted = latencies.sort((a, b) => a - b);
  const latencyMs = sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? null;
  entry.score = decision.score;
  entry.attempts = [];
  if (decision.verdict === 'REJECTED') {
    entry.failedEvaluations += 1;
    // A second cooldown never shortens the first.
    entry.cooldownUntilAt = Math.max(
      entry.cooldownUntilAt ?? 0,
      at + cooldownMs(entry.failedEvaluations, decision.straightFailures),
    );
    entry.rejectedAt = at;
    entry.rejectedVersion = platformStateOf(state, entry)?.registration?.version ?? null;
    entry.straightFailures = decision.straightFailures;
    entry.readmitted = false;
    entry.trust = null;
    setStatus(entry, 'REJECTED', decision.reason);
    return;
  }
  // Three consecutive successes qualify regardless of the other dimensions, at the lowest step or above.
  const start = initialTrust({
    score: Math.max(decision.score, conditionalScore),
    latencyMs,
    baselineMs: baseline.latencyMs,
  });
  if (entry.trust === null) {
    entry.lifecycle = { ...normalLifecycle(at), suspensions: entry.lifecycle.suspensions };
  }
  entry.trust = Math.max(entry.trust ?? 0, start ?? 0);
  entry.benchmarkRun = 0;
  setStatus(entry, decision.verdict === 'ACTIVE' ? 'ACTIVE' : 'CONDITIONAL', decision.reason);
}

const platformStateOf = (state: MatrixState, entry: EntryState) => state.platforms.get(entry.platformId);
