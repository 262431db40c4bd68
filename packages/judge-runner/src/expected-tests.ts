import { isBonafideError, orAbort } from '@bonafide/internal';
import { mainOf, modulesOf } from './artifact-modules.ts';
import type { Boxes } from './boxes.ts';
import { JudgeError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { lackedByReference } from './imports.ts';
import { describeRunning, type Interruption } from './interruption.ts';
import { type Limits, mergeLimits } from './limits.ts';
import { referenceOf } from './reference.ts';
import type { Box, BoxReport } from './sandbox.ts';
import { sharedFiles } from './shared-files.ts';
import { type Collected, collectTests, type LearntRun, runPytest } from './split.ts';
import { analyseArtifact } from './static.ts';
import type { CodeArtifact, NodeTestSuite, PytestSuite } from './suite.ts';
import { problems, refuse, unsupportedIn } from './unsupported.ts';

/** A suite whose tests run in a box. */
export type TestFiles = PytestSuite | NodeTestSuite;

/** The tests of a suite, and where its reference answered objects. */
export interface Expected extends Collected {
  /** Null without a reference. */
  readonly shapes: readonly string[] | null;
}

/** Finds the tests of suites, each once. */
export interface ExpectedTests {
  /**
   * Returns the tests of a suite. An artifact never changes them.
   * @throws JudgeError `SUITE_UNSUPPORTED` naming what does not work across two boxes, by file and line;
   * `SUITE_INVALID` when it cannot be read, or when the reference fails a test.
   */
  of(suite: TestFiles, artifact: CodeArtifact, signal: AbortSignal): Promise<Expected>;
  /** Finds the tests without a reference and without keeping them. */
  collect(suite: TestFiles, artifact: CodeArtifact | null, signal: AbortSignal): Promise<Expected>;
  /** Runs the reference in the artifact's place, accepts every answer, and notes where it answered objects that act. */
  learn(suite: TestFiles, reference: CodeArtifact, signal: AbortSignal): Promise<LearntRun>;
  /** Keeps the run of a reference that passed every test, so that {@link of} need not repeat it. */
  keep(suite: TestFiles, reference: CodeArtifact, run: LearntRun): Promise<void>;
}

/** A search for the tests of a suite, and the signal of the run that began it; null for one that is over. */
interface Finding {
  readonly running: Promise<Expected>;
  readonly signal: AbortSignal | null;
}

/** Returns why the run of a reference has no results, by what its box and that of its tests report, and where it was ended. Pure. */
function notEnded(reports: readonly (BoxReport | null)[], interruption: Interruption | null): string {
  const told = reports.flatMap((report, index) => {
    if (report === null) return [];
    const { violations, exceeded, judgeFailure } = report;
    const why = [
      ...violations.map(({ evidence }) => evidence.replace(/\.$/, '')),
      ...exceeded.map((limit) => `the limit ${limit} was exceeded`),
      ...(judgeFailure === null ? [] : [judgeFailure]),
    ];
    return why.length === 0 ? [] : [`${index === 0 ? 'the reference' : 'the tests'}: ${why[0]}`];
  });
  const why = told.length > 0 ? ` (${told.join('; ')})` : ': it crashed, or ended its process';
  const test = interruption?.tests[0];
  const where = interruption && test !== undefined ? `, ${describeRunning(interruption, test)}` : '';
  return `it did not end${why}${where}`;
}

/** Closes boxes, which may be closed already. */
const closeAll = (opened: readonly PromiseSettledResult<Box>[]): Promise<(BoxReport | null)[]> =>
  Promise.all(opened.map((made) => (made.status === 'fulfilled' ? made.value.close() : null)));

const expectedBy = ({ tests, syntax, shapes }: LearntRun): Expected => ({
  tests: tests.map(({ id, layer }) => ({ id, layer })),
  ...{ syntax, shapes, undeclared: [] },
});

/** @param ownLimits - Limits of the judge that differ from the default. */
export function createExpectedTests(boxes: Boxes, ownLimits: Partial<Limits>): ExpectedTests {
  const known = new Map<string, Finding>();

  function keyOf(suite: TestFiles, artifact: CodeArtifact, reference: CodeArtifact | null): Promise<string> {
    const { language, mode, files, objects, tests } = { objects: undefined, ...suite };
    const modules = [...modulesOf(reference ?? artifact), 'solution'];
    const packages = 'python' in suite ? suite.python : 'node' in suite ? suite.node : undefined;
    return fingerprint([
      language,
      mode,
      files,
      modules,
      mainOf(reference ?? artifact),
      reference,
      objects,
      tests,
      packages,
    ]);
  }

  function store(key: string, running: Promise<Expected>, signal: AbortSignal | null): void {
    if (known.size > 100) known.clear();
    known.set(key, { running, signal });
    running.catch(() => known.delete(key));
  }

  const collect: ExpectedTests['collect'] = async (suite, artifact, signal) => {
    const spec = { ...testerSpec(suite), limits: testerLimits(mergeLimits()), signal };
    const find = (anyModule: boolean) =>
      boxes.use(suite, spec, (box) => collectTests(box, suite, artifact, anyModule, declaresPytest(suite)));
    try {
      return { ...(await find(false)), shapes: null };
    } catch (error) {
      if (!isBonafideError(error, 'SUITE_INVALID')) throw error;
      // An artifact that lacks a module must not make its suite look wrong: each module that only it could have is assumed.
      return { ...(await find(true)), shapes: null };
    }
  };

  const learn: ExpectedTests['learn'] = async (suite, reference, signal) => {
    const limits = mergeLimits(ownLimits, suite.limits);
    const profile = suite.profile ?? 'STRICT';
    const opened = await Promise.allSettled([
      boxes.open(suite, {
        ...{ artifact: reference, profile, limits, signal },
        shared: sharedFiles(suite, null, true),
      }),
      boxes.open(suite, { ...testerSpec(suite), limits: testerLimits(limits), signal }),
    ]);
    try {
      const [box, tester] = opened.map((made) => {
        if (made.status === 'rejected') throw made.reason;
        return made.value;
      });
      if (box === undefined || tester === undefined) throw new JudgeError('INFRA', 'A box is missing');
      await analyseArtifact(box);
      const run = await runPytest({
        ...pytestSettings(suite),
        ...{ suite, tester, artifactBox: box, artifact: reference, expected: null, seed: null, syntax: null },
        ...{ shapes: null, wallMs: limits.wallMs, learn: true },
      });
      if (run.complete || run.protocolError !== null) return run;
      return { ...run, protocolError: notEnded(await closeAll(opened), run.interruption ?? null) };
    } finally {
      await closeAll(opened);
    }
  };

  async function learnt(suite: TestFiles, reference: CodeArtifact, signal: AbortSignal): Promise<Expected> {
    const run = await learn(suite, reference, signal);
    signal.throwIfAborted();
    const wanted = suite.tests && new Set(suite.tests.map((test) => test.id));
    const failing = run.tests.filter((test) => test.status !== 'passed' && (wanted?.has(test.id) ?? true));
    if (run.loadError === null && (failing.length > 0 || run.tests.length === 0))
      refuse(problems.undeclared, lackedByReference(suite, run.syntax, reference), suite);
    if (!run.complete || run.loadError !== null || run.tests.length === 0 || failing.length > 0)
      throw new JudgeError(
        'SUITE_INVALID',
        `The reference does not pass its own suite: ${
          run.loadError ??
          run.protocolError ??
          (failing.map(({ id, reason }) => `\n${id}: ${reason}`).join('') ||
            run.collectError ||
            'it has no test')
        }`,
        {
          remedy:
            failing.length > 0 && failing.length < run.tests.length
              ? 'Mend the reference or these tests, or leave them out: `bonafide judge check <suite> --reference <file> --out <new suite>` writes a suite of the tests that pass (its `tests` are the `passing` of `checkSuite`)'
              : null,
        },
      );
    return expectedBy(run);
  }

  return {
    collect,
    learn,
    async keep(suite, reference, run) {
      store(await keyOf(suite, reference, reference), Promise.resolve(expectedBy(run)), null);
    },
    async of(suite, artifact, signal) {
      const reference = suite.mode === 'split' ? referenceOf(suite) : null;
      if (suite.tests && suite.language === 'javascript' && reference === null)
        return { tests: suite.tests, syntax: null, shapes: null, undeclared: [] };
      const key = await keyOf(suite, artifact, reference);
      const find = async (): Promise<Expected> => {
        const finding = known.get(key);
        if (finding === undefined) {
          const started =
            reference === null ? collect(suite, artifact, signal) : learnt(suite, reference, signal);
          store(key, started, signal);
          return started;
        }
        try {
          return await orAbort(finding.running, signal);
        } catch (error) {
          // Another run that was aborted must not end this one, whatever the reason.
          signal.throwIfAborted();
          if (isBonafideError(error) && finding.signal?.aborted !== true) throw error;
          return find();
        }
      };
      const found = await find();
      signal.throwIfAborted();
      refuse(problems.undeclared, found.undeclared, suite);
      if (suite.mode === 'split')
        refuse(
          problems.unsupported,
          unsupportedIn(suite, found.syntax, suite.reference !== undefined),
          suite,
        );
      return suite.tests ? { ...found, tests: suite.tests } : found;
    },
  };
}

/** True when a suite declares pytest, or a plugin of it, which needs one. No other package may bring the tests' tools. Pure. */
const declaresPytest = (suite: TestFiles): boolean =>
  suite.language === 'python' &&
  (suite.python?.packages ?? []).some((each) =>
    /^(?:(?:debian:)?python3-)?pytest(?![A-Za-z0-9])/i.test(each.slice(each.lastIndexOf('/') + 1)),
  );

/** Fields of a run of test files that come from the suite. */
export const pytestSettings = (suite: TestFiles) => ({
  ownPytest: declaresPytest(suite),
  remoteEq: suite.language === 'python' && suite.remoteEq === true,
  objects: suite.objects ?? [],
  learn: false,
});

/** A tester holds nothing that is judged: it may do what test runners do, and starts processes where a test does. */
export const testerSpec = ({ files, language }: TestFiles) =>
  ({ artifact: null, profile: 'PROCESSES', tests: files, language }) as const;

/** A tester waits for the artifact, so the artifact's time is up first. */
export const testerLimits = (limits: Limits): Limits =>
  mergeLimits({ wallMs: limits.wallMs + 10_000, answerBytes: limits.answerBytes });
