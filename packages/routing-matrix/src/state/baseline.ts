import type { Baseline } from '../evidence/composite.ts';
import { ownValue } from '../statistics/numbers.ts';
import type { SampleWindow } from '../statistics/window.ts';
import type { MatrixState } from './state.ts';

/**
 * Returns the baseline of a task type: medians of recorded results; the configured figures until there are enough.
 */
export function baselineOf(state: MatrixState, taskType: string): Baseline {
  const task = state.tasks.get(taskType);
  const configured = ownValue(state.config.baselines, taskType);
  const seen = (window: SampleWindow | undefined, q: number) =>
    window !== undefined && window.count >= state.config.baselineSamples ? window.quantile(q) : null;
  return {
    latencyMs: seen(task?.latency, 0.5) ?? configured?.latencyMs ?? null,
    latencyP95Ms: seen(task?.latency, 0.95) ?? configured?.latencyP95Ms ?? null,
    executionMs: seen(task?.execution, 0.5) ?? configured?.executionMs ?? null,
  };
}
