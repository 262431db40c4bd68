import type { Interruption } from './interruption.ts';
import { inLayerOrder } from './layers.ts';
import type { ExpectedTest } from './suite.ts';
import type { LimitKind, TestResult, TranscriptEntry } from './verdict.ts';

/** The result of asking an artifact all its questions. */
export interface TestRun {
  /** One per expected test, in the order of the layers. */
  readonly tests: readonly TestResult[];
  readonly transcript: readonly TranscriptEntry[];
  /** Reason why the artifact could not be loaded, or null. */
  readonly loadError: string | null;
  /** Reason why bytes from the box were not valid answers, or null. */
  readonly protocolError: string | null;
  /** False when the box ended before every question was asked that should have been. */
  readonly complete: boolean;
  /** The point at which a run of test files was ended; null for one that is complete. */
  readonly interruption?: Interruption | null;
  /** Limits that its answers exceeded, beside those that its box measures. */
  readonly exceeded?: readonly LimitKind[];
  /** Places of failed tests, as file and line, that come after the line at which the test failed. By test. */
  readonly unreached?: ReadonlyMap<string, readonly (readonly [file: string, line: number])[]>;
}

/** Result of a test that did not run. */
export function skipped({ id, layer }: ExpectedTest): TestResult {
  return { id, layer, status: 'not-run', durationMs: null, reason: 'it was not run' };
}

/** The run of an artifact that was not even loaded. */
export function notRun(expected: readonly ExpectedTest[], loadError: string | null = null): TestRun {
  return {
    tests: inLayerOrder(expected).map(skipped),
    transcript: [],
    loadError,
    protocolError: null,
    complete: false,
  };
}
