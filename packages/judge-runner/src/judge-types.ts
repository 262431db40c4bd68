import type { OracleCommitment } from './commitment.ts';
import type { Artifact, Suite } from './suite.ts';
import type { Verdict } from './verdict.ts';

/** What is to be judged. */
export interface JudgeRequest {
  /** What the stranger returned. Parsed: it may be anything. */
  readonly artifact: Artifact;
  /** The hidden tests. */
  readonly suite: Suite;
  /** When given, the suite is checked against it first and the verdict names its root (JDG-6). */
  readonly commitment?: OracleCommitment;
  /** Kills everything within 200 ms and rejects with the signal's reason (JDG-16). */
  readonly signal?: AbortSignal;
}

/** Judges artifacts in a sandbox. */
export interface Judge extends AsyncDisposable {
  /**
   * Runs the artifact against the suite in a fresh box and says what came of it (JDG-1). Whatever the artifact
   * does ends in a verdict. Waits its turn when as many runs as `concurrency` are under way.
   * @throws JudgeError `SUITE_INVALID`, `SUITE_UNSUPPORTED`, `ARTIFACT_INVALID`, `COMMITMENT_MISMATCH`, `CLOSED`;
   * `SANDBOX_UNAVAILABLE` with a remedy; `INFRA` when the judge itself failed: try again, and never hold it
   * against the artifact. The signal's reason when it is aborted.
   */
  run(request: JudgeRequest): Promise<Verdict>;
  /** Ends all runs, which reject with `CLOSED`, and waits until nothing of them is left. Idempotent. */
  close(): Promise<void>;
}
