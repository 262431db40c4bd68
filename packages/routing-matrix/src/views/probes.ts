import { lifecycleAt } from '../lifecycle/stage.ts';
import type { PlatformRef } from '../platform.ts';
import { isQuarantined } from '../state/directives.ts';
import { mayBeEvaluated } from '../state/re-engagement.ts';
import type { EntryState, MatrixState } from '../state/state.ts';

/**
 * Reason for a benchmark. `evaluation`: not qualified yet; `retry`: rejected, and its cooldown ended; `silence`: no judged
 * work for a day; `heartbeat`: no benchmark for a week; `degraded`: a success brings its allocation back; `return`: its
 * suspension ended.
 */
export type ProbeReason = 'evaluation' | 'retry' | 'silence' | 'heartbeat' | 'degraded' | 'return';

/** A benchmark that is due. */
export interface DueProbe {
  readonly platform: PlatformRef;
  readonly platformId: string;
  readonly taskType: string;
  readonly reason: ProbeReason;
}

/** Returns the benchmarks that are due, by task type and platform. */
export function dueProbes(state: MatrixState, now: number): DueProbe[] {
  const due: DueProbe[] = [];
  for (const byPlatform of state.entries.values()) {
    for (const entry of byPlatform.values()) {
      const reason = reasonFor(state, entry, now);
      const { platform, platformId, taskType } = entry;
      if (reason !== null) due.push({ platform, platformId, taskType, reason });
    }
  }
  const text = ({ taskType, platformId }: DueProbe) => `${taskType}\n${platformId}`;
  return due.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function reasonFor(state: MatrixState, entry: EntryState, now: number): ProbeReason | null {
  const platform = state.platforms.get(entry.platformId);
  if (entry.status === 'BLACKLISTED' || isQuarantined(platform)) return null;
  const { lifecycle: config } = state.config;
  const life = lifecycleAt(entry.lifecycle, now, config);
  if (life.stage === 'removed') return null;
  if (entry.status === 'EVALUATING') return 'evaluation';
  if (entry.status === 'REJECTED') return mayBeEvaluated(entry, platform, now) ? 'retry' : null;
  const sinceBenchmark = now - (entry.lastBenchmarkAt ?? 0);
  const rate = life.stage === 'normal' ? 1 : 2;
  if (life.stage === 'suspended') return null;
  const unproved = (entry.lastBenchmarkAt ?? 0) <= life.sinceAt;
  if (life.stage === 'half-open' && unproved) return 'return';
  if (life.stage === 'reduced' && unproved) return 'degraded';
  if (now - (entry.lastVerifiedAt ?? 0) >= config.silenceMs / rate) return 'silence';
  return sinceBenchmark >= config.heartbeatMs / rate ? 'heartbeat' : null;
}
