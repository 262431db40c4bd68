import { causeOf, classify, passRateOf, type RunRecord } from './classify.ts';
import type { PublicCommitment } from './commitment.ts';
import { withInterruption } from './interruption.ts';
import { compositePassRate, performanceTier, summarizeLayers } from './layers.ts';
import { hasMarkdownFence } from './markdown-fence.ts';
import type { BoxReport } from './sandbox.ts';
import type { Artifact, Profile, Suite } from './suite.ts';
import { withWarnings } from './suite-warnings.ts';
import { summarize } from './summary.ts';
import type { TestRun } from './test-run.ts';
import type {
  ErrorKind,
  ProtectionLayer,
  StaticFinding,
  SuiteWarning,
  Verdict,
  Violation,
} from './verdict.ts';

/** Everything that was observed of one judgment. */
export interface Observation {
  readonly artifact: Artifact;
  readonly suite: Suite;
  readonly run: TestRun;
  /** Report of the artifact's box, or of the last one. */
  readonly report: BoxReport;
  /** Report of the tester's box, where there was one. */
  readonly testerReport: BoxReport | null;
  readonly protection: readonly ProtectionLayer[];
  readonly findings: readonly StaticFinding[] | null;
  /** Violations found in the text. */
  readonly seen: readonly Violation[];
  /** Places of the suite at which a correct program may fail. */
  readonly warnings: readonly SuiteWarning[];
  /** A sentence for the artifact's author where no test passed, or null. */
  readonly hint: string | null;
  /** Output of a build that failed. */
  readonly build: string | null;
  readonly commitment: PublicCommitment | undefined;
  readonly fresh: Verdict['fresh'];
  readonly environment: Verdict['environment'];
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Decides the verdict of a judgment. Pure. */
export function conclude(observed: Observation): Verdict {
  const { suite, run, report, testerReport, commitment } = observed;
  const profile = suite.mode === 'program' ? 'PROCESSES' : (suite.profile ?? 'STRICT');
  const crash =
    run.loadError === null
      ? `The program ${report.ending ?? 'was ended'}.`
      : `It could not be loaded: ${withProfile(run.loadError, profile)}.`;
  const record: RunRecord = {
    expected: run.tests.map(({ id, layer }) => ({ id, layer })),
    passed: run.tests.filter((test) => test.status === 'passed').map((test) => test.id),
    violations: [...observed.seen, ...report.violations],
    // An endless stream of answers would exhaust the reader.
    exceeded: [
      ...report.exceeded,
      ...(run.exceeded ?? []),
      ...(run.complete ? [] : (testerReport?.exceeded ?? [])),
    ],
    protocolError: report.protocolError ?? run.protocolError,
    build: observed.build,
    crash: run.complete ? null : crash,
  };
  const outcome = classify(record);
  const cause = causeOf(record);
  const errorKind = cause === 'security' ? null : cause;
  const ended = { ...run, tests: withInterruption(run.tests, run.interruption ?? null, cause) };
  const layers = summarizeLayers(ended.tests);
  const tests = withWarnings(ended, observed.warnings);
  return {
    suiteId: suite.id,
    outcome,
    errorKind,
    summary: summarize({
      outcome,
      errorKind,
      detail: detailOf(errorKind, record),
      passed: record.passed.length,
      total: record.expected.length,
      isFenced:
        outcome !== 'SUCCESS' &&
        hasMarkdownFence(observed.artifact, run.loadError === null && observed.build === null),
      doubtful: tests.filter(({ warnings, refused }) => warnings !== undefined || refused === true).length,
      isReferred: 'reference' in suite && suite.reference !== undefined,
      hint: observed.hint,
    }),
    passRate: passRateOf(record),
    compositePassRate: compositePassRate(layers),
    performanceTier: performanceTier(layers),
    layers,
    tests: tests.map((test) =>
      test.status === 'failed' && test.reason !== null
        ? { ...test, reason: withProfile(test.reason, profile) }
        : test,
    ),
    metrics: report.metrics,
    quality: null,
    violations: record.violations.map((each) => permitted(each, profile)),
    findings: observed.findings,
    protection: observed.protection,
    isolation: suite.mode === 'same-process' ? 'same-process' : 'separate',
    environment: observed.environment,
    commitment: commitment ? { root: commitment.root, count: commitment.count } : null,
    fresh: observed.fresh,
    transcript: run.transcript,
    stdout: report.stdout,
    stderr: report.stderr,
    startedAt: observed.startedAt,
    durationMs: observed.durationMs,
  };
}

/** Errors that programs get for a call that their profile answers with an errno. */
const refusedCall =
  /Errno (?:1|30|38|95|97)\b|Operation not permitted|Read-only file system|Function not implemented|Address family not supported|\b(?:EPERM|EROFS|ENOSYS)\b/;

/** Names the profile in the reason of a failure that may be due to it. Pure. */
function withProfile(reason: string, profile: Profile): string {
  if (profile === 'PROCESSES' || !refusedCall.test(reason)) return reason;
  const more = profile === 'STRICT' ? 'EXTENDED (timers, links) or PROCESSES' : 'PROCESSES';
  return `${reason} (the profile ${profile} may have refused this; ${more} permits more)`;
}

/** Names the profile that permits a call, where one does. */
function permitted(violation: Violation, profile: Profile): Violation {
  const call = violation.kind === 'syscall' && profile !== 'PROCESSES';
  if (!call || !/\b(?:clone|clone3|fork|vfork|execve)\(/.test(violation.evidence)) return violation;
  return { ...violation, evidence: `${violation.evidence} The profile PROCESSES permits it.` };
}

/** Returns the detail of the kinds of error that have one. */
function detailOf(errorKind: ErrorKind | null, record: RunRecord): string | null {
  if (errorKind === 'crash') return record.crash;
  if (errorKind === 'build') return record.build ?? null;
  return errorKind === 'protocol' && record.protocolError !== null
    ? `There was ${record.protocolError}.`
    : null;
}
