import type { EnvironmentIdentity } from './environment/store.ts';
import type { StaticRule } from './static-rules.ts';
import type { Layer, VectorCase } from './suite.ts';

/** The result of a judgment. */
export type Outcome = 'SUCCESS' | 'PARTIAL' | 'FAILURE' | 'ERROR' | 'SECURITY_VIOLATION';

/** Reason why an artifact could not complete. */
export type ErrorKind =
  | 'disk'
  | 'oom'
  | 'output'
  | 'pids'
  | 'cpu'
  | 'timeout'
  | 'protocol'
  | 'build'
  | 'crash';

/** Limits whose excess the box itself observes from outside. */
export type LimitKind = 'disk' | 'oom' | 'output' | 'pids' | 'cpu' | 'timeout';

/** An attempt to do what a judged program has no business to do. */
export interface Violation {
  /**
   * `syscall`: a system call that the profile forbids. `path`: a file that no judged program has any business to
   * open. `static`: something unmistakable in its text, which was then not run.
   */
  readonly kind: 'syscall' | 'path' | 'static';
  /** Observation from outside the box, in one sentence. */
  readonly evidence: string;
}

/** A finding of static analysis in an artifact's text. A warning, unless a violation repeats it. */
export interface StaticFinding {
  readonly rule: StaticRule;
  readonly file: string;
  /** From 1; 0 for a whole file. */
  readonly line: number;
  /** Short description. Quotes untrusted text: data, never instructions. */
  readonly detail: string;
}

/** Ratings of an artifact by quality tools. They never decide the outcome; unmeasured values are null. */
export interface Quality {
  /** Mean of what was measured of pylint, bandit and mypy, in [0, 10]. */
  readonly score: number | null;
  /** In [0, 10]. */
  readonly pylint: number | null;
  /** In [0, 10]: 10 without findings. */
  readonly bandit: number | null;
  /** In [0, 10]: 10 without errors. */
  readonly mypy: number | null;
  /** Comments that would have silenced a tool; they had no effect. */
  readonly suppressions: number | null;
  /** Share of the statements that ran, in [0, 1]. Counted in the artifact's own process: it can be forged. */
  readonly coverage: number | null;
}

/** The result of one test. `not-run`: an earlier layer failed or the box ended first. */
export type TestStatus = 'passed' | 'failed' | 'not-run';

/**
 * A place in a suite's files at which a test leans on an operator of the artifact's own classes: `==`, `<`, arithmetic,
 * hashing or conversion. Without a reference nothing vouches for these, so a correct program may fail there.
 */
export interface SuiteWarning {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Id of the test, without its parameters. A function that several tests call is named for each. */
  readonly test: string;
  /** The use, as in "compares an object of Money by its own ==". */
  readonly construct: string;
}

/** One test of the suite. Every expected id has exactly one result. */
export interface TestResult {
  readonly id: string;
  readonly layer: Layer;
  readonly status: TestStatus;
  /** Real time of the call as seen from outside, in ms; null when it was not run or never answered. */
  readonly durationMs: number | null;
  /**
   * Reason why it did not pass, for a person; null when it passed. Contains expected values: not for the
   * artifact's author.
   */
  readonly reason: string | null;
  /**
   * Places at which a correct program may fail this test, since its suite has no reference: its failure proves nothing by
   * itself. Known from the suite before the run, whatever the artifact does; only for tests that failed.
   */
  readonly warnings?: readonly SuiteWarning[];
  /**
   * True where the judge ended the test, as it does not take the word of the artifact's objects at that place, or where it gave
   * the test an object as the value that this contains. The reason says what allows it. Only for tests that failed.
   */
  readonly refused?: true;
}

/** One layer of the suite. */
export interface LayerResult {
  readonly layer: Layer;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** passed / total, in [0, 1]. */
  readonly passRate: number;
}

/** Cost of the run. Unmeasured values are null, never 0. */
export interface Metrics {
  /** Real time from the moment the artifact was allowed to run, in ms. */
  readonly wallMs: number;
  readonly cpuMs: number | null;
  readonly cpuUserMs: number | null;
  readonly cpuSystemMs: number | null;
  readonly memoryPeakBytes: number | null;
  /** Bytes on stdout and stderr. */
  readonly outputBytes: number;
  /** Soft limits that were exceeded; they never change the outcome. */
  readonly softLimits: { readonly cpu: boolean; readonly memory: boolean };
  /** True where there is no cgroup and peaks come from polling. */
  readonly approximate: boolean;
}

/** Names of the layers of protection, outermost first. */
export type ProtectionName =
  | 'own-kernel'
  | 'namespaces'
  | 'uid'
  | 'read-only-root'
  | 'capabilities'
  | 'descriptors'
  | 'no-new-privileges'
  | 'seccomp-launch'
  | 'seccomp-profile'
  | 'cgroup'
  | 'rlimits'
  | 'disk-watch'
  | 'landlock'
  | 'apparmor'
  | 'syscall-supervisor';

/** One layer of protection as it was measured around a running box, not as it was asked for. */
export interface ProtectionLayer {
  readonly name: ProtectionName;
  readonly inForce: boolean;
  /** The measurement, or the reason why the layer is not active. */
  readonly detail: string;
  /**
   * `inside`: measured by the launcher in the box, before the artifact was loaded, since a box with its own kernel does not
   * show this layer outside. Absent: measured from outside.
   */
  readonly measured?: 'inside';
}

/** One call and what came back. */
export interface TranscriptEntry {
  readonly id: string;
  /** The call in Python notation, cut to 500 characters. */
  readonly call: string;
  /** The answer in Python notation, or what was raised; null when none came. Cut to 500 characters. */
  readonly answer: string | null;
}

/** The judge's result for an artifact. Plain data: it survives `JSON.stringify`. */
export interface Verdict {
  readonly suiteId: string;
  readonly outcome: Outcome;
  /** Set exactly when `outcome` is `ERROR`. */
  readonly errorKind: ErrorKind | null;
  /** One sentence for a person. Says nothing about expected values. */
  readonly summary: string;
  /** passed / expected over all tests, in [0, 1]. */
  readonly passRate: number;
  /** (correctness + ½ edge) weighted by count, for the composite score; null when the suite has neither. */
  readonly compositePassRate: number | null;
  /** 1 (best) to 3 by the share of performance tests that passed; null when the suite has none. */
  readonly performanceTier: 1 | 2 | 3 | null;
  readonly layers: readonly LayerResult[];
  readonly tests: readonly TestResult[];
  readonly metrics: Metrics;
  /** Null unless it was asked for, and for JavaScript. */
  readonly quality: Quality | null;
  readonly violations: readonly Violation[];
  /** Findings of static analysis before the run; null when it could not read the text. */
  readonly findings: readonly StaticFinding[] | null;
  /** Protection between the artifact and this machine during this run. */
  readonly protection: readonly ProtectionLayer[];
  /**
   * `separate`: artifact and oracle never shared a process, a file system or a writable descriptor.
   * `same-process`: they did, since the suite asked for it; an artifact that sets out to can forge such a verdict.
   */
  readonly isolation: 'separate' | 'same-process';
  /** The packages that the suite declares, as they were in force; null when it declares none. */
  readonly environment: EnvironmentIdentity | null;
  /** The published commitment that the suite was checked against, when one was given. */
  readonly commitment: { readonly root: string; readonly count: number } | null;
  /**
   * Inputs drawn for this run: the seed allows repeating it, and the published generators allow drawing the
   * cases again. For a pytest suite only the seed, which its tests receive as the fixture `judge_seed`. Null
   * when nothing was drawn.
   */
  readonly fresh: { readonly seed: string; readonly cases: readonly VectorCase[] } | null;
  readonly transcript: readonly TranscriptEntry[];
  /** First 4 KiB of what the artifact printed. Written by a stranger: data, never instructions. */
  readonly stdout: string;
  readonly stderr: string;
  /** Ms since epoch. */
  readonly startedAt: number;
  /** Ms, the making and destroying of the box included. */
  readonly durationMs: number;
}
