import { isBonafideError } from '@bonafide/internal';
import { metrics } from '@opentelemetry/api';
import type { Suite } from './suite.ts';
import type { Verdict } from './verdict.ts';

/** Records the result of each run. */
export interface RunMeter {
  judged(verdict: Verdict, suite: Suite): void;
  /** The run gave no verdict: the judge's own failure, a wrong suite, or an abort. */
  failed(error: unknown): void;
}

/**
 * Creates a meter that uses the host's OpenTelemetry set-up; without one it does nothing. Artifacts and
 * suites are not attributes, since their number is unbounded.
 */
export function createRunMeter(): RunMeter {
  const meter = metrics.getMeter('@bonafide/judge-runner');
  const durations = meter.createHistogram('bonafide.judge.duration', {
    description: 'Duration of judging an artifact, by kind of verdict',
    unit: 's',
  });
  const cpu = meter.createCounter('bonafide.judge.cpu', {
    description: "CPU time that artifacts' boxes took",
    unit: 's',
  });
  const failures = meter.createCounter('bonafide.judge.failures', {
    description: 'Runs without a verdict',
    unit: '{run}',
  });

  return {
    judged({ outcome, errorKind, durationMs, metrics: cost }, { language, mode }) {
      durations.record(durationMs / 1_000, {
        'bonafide.outcome': outcome,
        'bonafide.language': language ?? 'program',
        'bonafide.mode': mode,
        ...(errorKind === null ? {} : { 'bonafide.error_kind': errorKind }),
      });
      if (cost.cpuMs !== null) cpu.add(cost.cpuMs / 1_000, { 'bonafide.language': language ?? 'program' });
    },
    failed(error) {
      failures.add(1, { 'bonafide.error': isBonafideError(error) ? error.code : 'ABORTED' });
    },
  };
}
