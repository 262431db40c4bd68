import type { Layer } from './suite.ts';
import type { ErrorKind, LimitKind, Outcome, Violation } from './verdict.ts';

/** Everything that a verdict is decided on, and nothing that the artifact could write itself. */
export interface RunRecord {
  /** Every test that the suite has, fixed before the run. */
  readonly expected: readonly { readonly id: string; readonly layer: Layer }[];
  /** Ids of the tests whose answer was right. Ids that are not expected count for nothing. */
  readonly passed: readonly string[];
  readonly violations: readonly Violation[];
  /** Limits that were exceeded, in any order. */
  readonly exceeded: readonly LimitKind[];
  /** Reason why bytes from the box were not valid answers, or null. */
  readonly protocolError: string | null;
  /** Description of the artifact's early end, or null when it answered everything. */
  readonly crash: string | null;
  /** Output of a build that failed, or null. */
  readonly build?: string | null;
}

/** Limits in the order in which they explain a failure. */
const limitOrder: readonly LimitKind[] = ['disk', 'oom', 'output', 'pids', 'cpu', 'timeout'];

/** Returns what decided an outcome other than the pass rate: `security`, an error kind, or null. */
export function causeOf(record: RunRecord): 'security' | ErrorKind | null {
  if (record.violations.length > 0) return 'security';
  const limit = limitOrder.find((kind) => record.exceeded.includes(kind));
  if (limit !== undefined) return limit;
  if (record.protocolError !== null) return 'protocol';
  if (typeof record.build === 'string') return 'build';
  return record.crash === null ? null : 'crash';
}

/** Expected tests that passed, as a share in [0, 1]. */
export function passRateOf(record: RunRecord): number {
  const passed = new Set(record.passed);
  const right = record.expected.filter((test) => passed.has(test.id)).length;
  return record.expected.length === 0 ? 0 : right / record.expected.length;
}

/**
 * The outcome of a run: security > disk > oom > output > pids > cpu > timeout > protocol > crash >
 * pass rate. SUCCESS is every expected test, PARTIAL at least 80 %, and a failed smoke test rejects at once.
 * Pure.
 */
export function classify(record: RunRecord): Outcome {
  const cause = causeOf(record);
  if (cause === 'security') return 'SECURITY_VIOLATION';
  if (cause !== null) return 'ERROR';
  const passed = new Set(record.passed);
  if (record.expected.some((test) => test.layer === 'smoke' && !passed.has(test.id))) return 'FAILURE';
  const rate = passRateOf(record);
  if (rate === 1) return 'SUCCESS';
  return rate >= 0.8 ? 'PARTIAL' : 'FAILURE';
}
