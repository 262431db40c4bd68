import { orAbort } from '@bonafide/internal';
import type { Boxes } from './boxes.ts';
import type { PublicCommitment } from './commitment.ts';
import { conclude, type Observation } from './conclude.ts';
import { JudgeError } from './errors.ts';
import { type ExpectedTests, pytestSettings, testerLimits, testerSpec } from './expected-tests.ts';
import { otherNames } from './imports.ts';
import type { Limits } from './limits.ts';
import { buildProgram, programFiles, runLimits, runProgram } from './program/run-program.ts';
import type { Box, BoxReport, BoxSpec } from './sandbox.ts';
import { sharedFiles } from './shared-files.ts';
import { type LearntRun, runPytest } from './split.ts';
import { analyseArtifact, staticViolations } from './static.ts';
import type { Artifact, CodeArtifact, ProgramSuite, Suite } from './suite.ts';
import { warningsOf } from './suite-warnings.ts';
import { notRun, type TestRun } from './test-run.ts';
import { runVectors } from './vectors.ts';
import type { Verdict } from './verdict.ts';

/** A verdict, and whether a box ended as none should. */
export interface Judged {
  readonly verdict: Verdict;
  readonly abnormal: boolean;
}

/** One judgment: what is judged, and by what. */
export interface Judgment {
  readonly artifact: Artifact;
  readonly suite: Suite;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly commitment?: PublicCommitment | undefined;
  readonly fresh?: Verdict['fresh'];
}

/** The parts of this machine that judgments use. */
export interface Bench {
  readonly boxes: Boxes;
  readonly expected: ExpectedTests;
  /** Ms since epoch. */
  readonly clock: () => number;
}

/**
 * Judges an artifact once, in fresh boxes.
 * @throws JudgeError `INFRA` when a box failed, `SUITE_INVALID`, `SUITE_UNSUPPORTED`, `ENVIRONMENT_MISSING`.
 */
export function judgeOnce(bench: Bench, judgment: Judgment): Promise<Judged> {
  const { artifact, suite } = judgment;
  if (suite.mode === 'program') return judgeProgram(bench, judgment, suite);
  return judgeCode(bench, judgment, suite, { language: suite.language, ...artifact } as CodeArtifact);
}

type Outcome = Pick<Observation, 'run' | 'report' | 'protection'> & Partial<Observation>;

/** Prepares the conclusion of a judgment that begins now. */
async function begin(
  { boxes, clock }: Bench,
  { artifact, suite, commitment, signal, fresh = null }: Judgment,
) {
  const startedAt = clock();
  const begun = performance.now();
  const environment = (await orAbort(boxes.environmentOf(suite), signal))?.identity ?? null;
  return (outcome: Outcome): Verdict =>
    conclude({
      ...{ artifact, suite, commitment, fresh, startedAt, environment },
      ...{ testerReport: null, findings: null, seen: [], warnings: [], build: null, hint: null },
      ...outcome,
      durationMs: performance.now() - begun,
    });
}

async function judgeCode(
  bench: Bench,
  judgment: Judgment,
  suite: Exclude<Suite, ProgramSuite>,
  artifact: CodeArtifact,
): Promise<Judged> {
  const { limits, signal, fresh } = judgment;
  const finish = await begin(bench, judgment);
  const opening: Promise<Box>[] = [];
  const open = (
    spec: Pick<BoxSpec, 'artifact' | 'profile' | 'tests' | 'language' | 'shared'>,
    boxLimits = limits,
  ) => {
    const made = bench.boxes.open(suite, { ...spec, limits: boxLimits, signal });
    opening.push(made);
    return made;
  };
  const { box, tester, run, findings, seen, warnings, hint } = await (async () => {
    try {
      const found = suite.mode === 'vectors' ? null : await bench.expected.of(suite, artifact, signal);
      const expected = suite.mode === 'vectors' ? suite.cases : (found?.tests ?? []);
      const profile = suite.profile ?? 'STRICT';
      const [box, tester] = await Promise.all([
        open(
          suite.mode === 'same-process'
            ? { artifact, profile: profile === 'STRICT' ? 'EXTENDED' : profile, tests: suite.files }
            : {
                artifact,
                profile,
                ...(suite.mode === 'split' ? { shared: sharedFiles(suite, found?.shapes ?? null) } : {}),
              },
        ),
        suite.mode === 'split' ? open(testerSpec(suite), testerLimits(limits)) : null,
      ]);
      const findings = await analyseArtifact(box);
      const seen = staticViolations(findings ?? [], suite.static);
      // What is unmistakable need not be run to be believed.
      const run =
        seen.length > 0
          ? notRun(expected)
          : suite.mode === 'vectors'
            ? await runVectors(box, suite, artifact)
            : await runPytest({
                ...pytestSettings(suite),
                suite,
                tester: tester ?? box,
                artifactBox: tester ? box : null,
                artifact,
                expected,
                wallMs: limits.wallMs,
                seed: fresh?.seed ?? null,
                syntax: found?.syntax ?? null,
                shapes: found?.shapes ?? null,
              });
      const syntax = found?.syntax ?? ('syntax' in run ? (run as LearntRun).syntax : null);
      const warnings = suite.mode === 'vectors' ? [] : warningsOf(suite, syntax);
      const hint = suite.mode === 'vectors' ? null : otherNames(suite, syntax, artifact);
      return { box, tester, run, findings, seen, warnings, hint };
    } finally {
      // One that could not be made must not leave the other behind.
      const opened = await Promise.allSettled(opening);
      await Promise.all(opened.map((made) => (made.status === 'fulfilled' ? made.value.close() : null)));
    }
  })();
  const report = await box.close();
  const testerReport = (await tester?.close()) ?? null;
  signal.throwIfAborted();
  if (testerReport !== null) checkTester(testerReport, run);
  checkBox(report);
  const verdict = finish({
    ...{ run, report, testerReport, findings, seen, warnings, hint },
    protection: box.protection,
  });
  return { verdict, abnormal: verdict.errorKind === 'crash' && run.loadError === null };
}

async function judgeProgram(bench: Bench, judgment: Judgment, suite: ProgramSuite): Promise<Judged> {
  const { artifact, limits, signal } = judgment;
  const finish = await begin(bench, judgment);
  const spec: Omit<BoxSpec, 'limits'> = {
    ...{ artifact: null, profile: 'PROCESSES', signal },
    ...(suite.language === undefined ? {} : { programLanguage: suite.language }),
  };
  let files = programFiles({
    ...artifact,
    ...(suite.language ? { language: suite.language } : {}),
  });
  const done = ({ protection }: Box, report: BoxReport, run: TestRun, build: string | null): Judged => {
    signal.throwIfAborted();
    checkBox(report);
    const verdict = finish({ run, report, build, protection });
    return { verdict, abnormal: verdict.errorKind === 'crash' };
  };
  if (suite.build) {
    const box = await bench.boxes.open(suite, { ...spec, limits, program: 'build' });
    const build = await buildProgram(box, suite, files, limits.diskBytes).finally(() => box.close());
    const report = await box.close();
    if (build.files === null)
      return done(box, report, { ...notRun(suite.cases), protocolError: build.protocolError }, build.error);
    if (report.violations.length + report.exceeded.length > 0)
      return done(box, report, notRun(suite.cases), null);
    files = build.files;
  }
  const box = await bench.boxes.open(suite, { ...spec, limits: runLimits(suite, limits), program: 'run' });
  const run = await runProgram(box, suite, files, limits.outputBytes).finally(() => box.close());
  return done(box, await box.close(), run, null);
}

/** @throws JudgeError `INFRA` when a box itself failed. */
function checkBox(report: BoxReport): void {
  if (report.judgeFailure !== null)
    throw new JudgeError('INFRA', `The judge itself failed: ${report.judgeFailure}`);
}

/**
 * Checks how a tester ended: an unexpected exit is the judge's failure; a limit was exceeded by the artifact's answers.
 * @throws JudgeError `INFRA`.
 */
function checkTester(report: BoxReport, run: TestRun): void {
  const ended = report.exceeded.length === 0 && report.ending !== null && !report.ending.endsWith('code 0');
  const failure =
    report.judgeFailure ??
    report.violations[0]?.evidence ??
    (ended ? `the tester ${report.ending}: ${report.stderr.slice(-500)}` : null);
  if (failure !== null && !run.complete) throw new JudgeError('INFRA', `The judge itself failed: ${failure}`);
}
