import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createSemaphore, isBonafideError, type Logger, silentLogger } from '@bonafide/internal';
import { detectSandbox } from './bubblewrap/sandbox.ts';
import { checkCommitment, type OracleCommitment } from './commitment.ts';
import { conclude } from './conclude.ts';
import { JudgeError } from './errors.ts';
import {
  boxedReference,
  drawCases,
  type FreshRequest,
  localReference,
  newSeed,
} from './fresh/fresh-cases.ts';
import { mainFile } from './languages/main-file.ts';
import { type Limits, mergeLimits } from './limits.ts';
import { createRunMeter } from './metrics.ts';
import { buildProgram, programFiles, runProgram } from './program/run-program.ts';
import { beginCoverage, endCoverage, measureQuality } from './quality.ts';
import type { Box, BoxReport, BoxSpec, Sandbox } from './sandbox.ts';
import { parseArtifact, parseFresh, parseLimits, parseSuite } from './schemas.ts';
import { knownBad, knownGood, selfTestProblem, selfTestSuite } from './self-test.ts';
import { type Collected, collectTests, mainOf, modulesOf, runPytest } from './split.ts';
import { analyseArtifact, staticViolations } from './static.ts';
import type {
  Artifact,
  CodeArtifact,
  NodeTestSuite,
  Profile,
  ProgramSuite,
  PytestSuite,
  Suite,
} from './suite.ts';
import {
  type Mutant,
  mutantsOf,
  referenceOf,
  type SuiteCheck,
  type UnsupportedConstruct,
} from './suite-check.ts';
import { notRun, type TestRun } from './test-run.ts';
import { runVectors } from './vectors.ts';
import type { Quality, TestResult, Verdict } from './verdict.ts';

/** A request to judge one artifact. */
export interface JudgeRequest {
  /** The untrusted code. Any input is accepted and validated. */
  readonly artifact: Artifact;
  /** The hidden tests. */
  readonly suite: Suite;
  /** Overrides of the judge's and the suite's limits for this run. */
  readonly limits?: Partial<Limits>;
  /** Commitment to check the suite against before the run; the verdict names its root. */
  readonly commitment?: OracleCommitment;
  /**
   * Request to the suite's generators: number of cases, seed and oracle. For a pytest suite it gives the
   * fixture `judge_seed` another value in every run. Default: each generator's own settings.
   */
  readonly fresh?: FreshRequest;
  /** Also measures code quality, which takes some seconds. Default false. */
  readonly quality?: boolean;
  /** Kills everything within 200 ms and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of a judge. */
export interface JudgeOptions {
  /** Sandbox in which artifacts run. Default: {@link detectSandbox}, at the first run. */
  readonly sandbox?: Sandbox;
  /** Overrides of {@link defaultLimits}; a suite may override again. */
  readonly limits?: Partial<Limits>;
  /** Number of artifacts that run at once; further runs wait. Default: one per core. */
  readonly concurrency?: number;
  readonly logger?: Logger;
  /** Ms since epoch. */
  readonly clock?: () => number;
  /** Draws the seeds of runs that give none: numbers in [0, 1). Default: from the system's generator. */
  readonly random?: () => number;
}

/** Options of a check of a suite. */
export interface CheckOptions {
  /** Largest number of mutants of the reference that are judged. Default 20. */
  readonly mutants?: number;
}

/** Judges artifacts in a sandbox. */
export interface Judge extends AsyncDisposable {
  /**
   * Runs the artifact against the suite in a fresh box and returns a verdict. Nothing that the artifact does is
   * thrown. Waits while `concurrency` runs are active.
   *
   * Before the first verdict of a profile the judge runs a self-test with two known programs, and works only when
   * both get the right verdict.
   * @throws JudgeError `INVALID_INPUT`, `SUITE_INVALID`, `ARTIFACT_INVALID`, `COMMITMENT_MISMATCH`, `CLOSED`;
   * `SANDBOX_UNAVAILABLE` with a remedy; `INFRA` when the judge itself failed: try again, and never hold it
   * against the artifact. The signal's reason when it is aborted.
   */
  run(request: JudgeRequest): Promise<Verdict>;
  /**
   * Checks a suite before it judges: with its reference, tests that fail or are flaky, constructs that do
   * not work across two boxes, and mutants of the reference that no test notices.
   * @throws JudgeError `SUITE_INVALID`, `CLOSED`, `SANDBOX_UNAVAILABLE`, `INFRA`.
   */
  checkSuite(suite: Suite, options?: CheckOptions): Promise<SuiteCheck>;
  /** Ends all runs, which reject with `CLOSED`, and waits until nothing of them is left. Idempotent. */
  close(): Promise<void>;
}

/**
 * Makes a judge. Cheap: the sandbox is looked for at the first run.
 * @throws JudgeError `INVALID_CONFIG` when `limits` are out of range.
 */
export function createJudge(options: JudgeOptions = {}): Judge {
  const { logger = silentLogger, clock = Date.now, random = secureRandom } = options;
  const ownLimits = parseLimits(options.limits, 'INVALID_CONFIG');
  const measure = createRunMeter();
  const permits = createSemaphore(Math.max(1, options.concurrency ?? availableParallelism()));
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const tested = new Map<Profile, Promise<void>>();
  let found: Promise<Sandbox> | undefined;

  const sandbox = (): Promise<Sandbox> => {
    if (options.sandbox) return Promise.resolve(options.sandbox);
    found ??= detectSandbox().catch((error) => {
      // Whoever follows the remedy need not start again.
      found = undefined;
      throw error;
    });
    return found;
  };

  /** A verdict, and whether a box ended as none should. */
  interface Judged {
    readonly verdict: Verdict;
    readonly abnormal: boolean;
  }
  interface Circumstances {
    readonly commitment?: OracleCommitment | undefined;
    readonly fresh?: Verdict['fresh'];
  }

  async function judgeCode(
    artifact: CodeArtifact,
    suite: Exclude<Suite, ProgramSuite>,
    limits: Limits,
    signal: AbortSignal,
    { commitment, fresh = null }: Circumstances = {},
  ): Promise<Judged> {
    const startedAt = clock();
    const begun = performance.now();
    const opening: Promise<Box>[] = [];
    const open = (spec: Pick<BoxSpec, 'artifact' | 'profile' | 'tests' | 'language'>, boxLimits = limits) => {
      const made = sandbox().then((place) => place.open({ ...spec, limits: boxLimits, signal }));
      opening.push(made);
      return made;
    };
    const { box, tester, run, findings, seen } = await (async () => {
      try {
        const found = suite.mode === 'vectors' ? null : await expectedOf(suite, artifact, signal);
        const expected = suite.mode === 'vectors' ? suite.cases : (found?.tests ?? []);
        const profile = suite.profile ?? 'STRICT';
        const [box, tester] = await Promise.all([
          open(
            suite.mode === 'same-process'
              ? { artifact, profile: profile === 'STRICT' ? 'EXTENDED' : profile, tests: suite.files }
              : { artifact, profile },
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
                  tester: tester ?? box,
                  artifactBox: tester ? box : null,
                  artifact,
                  expected,
                  seed: fresh?.seed ?? null,
                  syntax: found?.syntax ?? null,
                  shapes: found?.shapes ?? null,
                });
        return { box, tester, run, findings, seen };
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
    const verdict = conclude({
      ...{ suite, run, report, testerReport, findings, seen, commitment, fresh, startedAt, build: null },
      protection: box.protection,
      durationMs: performance.now() - begun,
    });
    return { verdict, abnormal: verdict.errorKind === 'crash' && run.loadError === null };
  }

  async function judgeProgram(
    artifact: Artifact,
    suite: ProgramSuite,
    limits: Limits,
    signal: AbortSignal,
    { commitment, fresh = null }: Circumstances = {},
  ): Promise<Judged> {
    const startedAt = clock();
    const begun = performance.now();
    const spec: Omit<BoxSpec, 'limits'> = {
      ...{ artifact: null, profile: 'PROCESSES', signal },
      ...(suite.language === undefined ? {} : { programLanguage: suite.language }),
    };
    let files = programFiles({ ...artifact, ...(suite.language ? { language: suite.language } : {}) });
    const done = (box: Box, report: BoxReport, run: TestRun, build: string | null): Judged => {
      signal.throwIfAborted();
      checkBox(report);
      const verdict = conclude({
        ...{
          suite,
          run,
          report,
          testerReport: null,
          findings: null,
          seen: [],
          commitment,
          fresh,
          startedAt,
          build,
        },
        protection: box.protection,
        durationMs: performance.now() - begun,
      });
      return { verdict, abnormal: verdict.errorKind === 'crash' };
    };
    if (suite.build) {
      // What was built comes out in one answer.
      const buildLimits = { ...limits, answerBytes: Math.max(limits.answerBytes, 2 * limits.diskBytes) };
      const box = await (await sandbox()).open({ ...spec, limits: buildLimits, program: 'build' });
      const build = await buildProgram(box, suite, files).finally(() => box.close());
      if (build.files === null) {
        const run = { ...notRun(suite.cases), protocolError: build.protocolError };
        return done(box, await box.close(), run, build.error);
      }
      const report = await box.close();
      if (report.violations.length + report.exceeded.length > 0)
        return done(box, report, notRun(suite.cases), null);
      files = [...build.files];
    }
    const box = await (await sandbox()).open({ ...spec, limits, program: 'run' });
    const run = await runProgram(box, suite, files, limits.outputBytes).finally(() => box.close());
    return done(box, await box.close(), run, null);
  }

  const judgeOnce = (
    artifact: Artifact,
    suite: Suite,
    limits: Limits,
    signal: AbortSignal,
    circumstances?: Circumstances,
  ): Promise<Judged> =>
    suite.mode === 'program'
      ? judgeProgram(artifact, suite, limits, signal, circumstances)
      : judgeCode(
          { language: suite.language, ...artifact } as CodeArtifact,
          suite,
          limits,
          signal,
          circumstances,
        );

  /**
   * Judges an artifact, and repeats it in fresh boxes after an abnormal end. A failure of the judge itself is
   * thrown only when the known programs fail too, or the same suite fails without any artifact.
   */
  async function judge(
    artifact: Artifact,
    suite: Suite,
    limits: Limits,
    signal: AbortSignal,
    circumstances?: Circumstances,
  ): Promise<Verdict> {
    const once = () => judgeOnce(artifact, suite, limits, signal, circumstances);
    try {
      const { verdict, abnormal } = await once();
      return abnormal ? (await once()).verdict : verdict;
    } catch (first) {
      if (!isBonafideError(first, 'INFRA')) throw first;
      logger.warn({ suite: suite.id, error: first }, 'A judgment failed and is repeated');
      await runSelfTest(suite.mode === 'program' ? 'STRICT' : (suite.profile ?? 'STRICT'));
      try {
        return (await once()).verdict;
      } catch (second) {
        if (!isBonafideError(second, 'INFRA') || suite.mode === 'program') throw second;
        // Without an artifact nothing can fail on its account.
        const { verdict } = await judgeOnce({ source: '' }, suite, limits, signal, circumstances);
        const tests = verdict.tests.map(
          (test): TestResult => ({ ...test, status: 'not-run', reason: 'it was not run' }),
        );
        const summary = 'It ended before it had answered everything. It made the tests end each time.';
        return { ...verdict, tests, outcome: 'ERROR', errorKind: 'crash', summary, passRate: 0 };
      }
    }
  }

  /** Runs `use` in a fresh box. */
  async function inBox<T>(spec: BoxSpec, use: (box: Box) => Promise<T>): Promise<T> {
    const box = await (await sandbox()).open(spec);
    try {
      return await use(box);
    } finally {
      await box.close();
    }
  }

  /**
   * Runs quality tools and coverage, each in a separate box, so that their cost does not appear in the
   * artifact's metrics.
   */
  async function qualityOf(
    artifact: CodeArtifact,
    suite: Suite,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<Quality> {
    const tools = { artifact, tools: true, profile: 'PROCESSES', limits: mergeLimits(), signal } as const;
    const rated = await inBox(tools, measureQuality);
    const profile = suite.mode === 'program' ? 'STRICT' : (suite.profile ?? 'STRICT');
    const spec = { artifact, profile, limits, signal } as const;
    const coverage =
      suite.mode === 'vectors'
        ? await inBox(spec, async (box) => {
            if (!(await beginCoverage(box))) return null;
            const run = await runVectors(box, suite, artifact);
            return run.complete ? endCoverage(box) : null;
          })
        : null;
    signal.throwIfAborted();
    const unrated = { score: null, pylint: null, bandit: null, mypy: null, suppressions: null };
    return { ...(rated ?? unrated), coverage };
  }

  /** Draws the fresh cases of this run; null when nothing is drawn. */
  async function drawFresh(
    suite: Suite,
    wanted: FreshRequest | null,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<Verdict['fresh']> {
    const seed = wanted?.seed ?? newSeed(random);
    if (suite.mode !== 'vectors') return wanted === null ? null : { seed, cases: [] };
    if (!suite.generators || wanted?.count === 0) return null;
    const draw = { seed, ...(wanted?.count === undefined ? {} : { count: wanted.count }) };
    if (wanted?.oracle) return { seed, cases: await drawCases(suite, localReference(wanted.oracle), draw) };
    if (!suite.oracle)
      throw new JudgeError('SUITE_INVALID', `The suite '${suite.id}' has generators and no oracle`);
    const spec: BoxSpec = {
      artifact: { language: suite.language, ...suite.oracle } as CodeArtifact,
      oracle: true,
      profile: 'PROCESSES',
      limits: testerLimits(limits),
      signal,
    };
    const cases = await inBox(spec, async (box) => drawCases(suite, await boxedReference(box), draw));
    return { seed, cases };
  }

  /** The tests of a suite, and where its reference answered objects. */
  interface Expected extends Collected {
    readonly shapes: readonly string[] | null;
  }

  const collected = new Map<string, Promise<Expected>>();
  /**
   * Returns the tests of a suite, which are the same for every artifact that has the modules that its files name.
   * @throws JudgeError `SUITE_UNSUPPORTED` naming what does not work across two boxes, by file and line;
   * `SUITE_INVALID` when the reference fails a test.
   */
  const expectedOf = async (
    suite: TestFiles,
    artifact: CodeArtifact,
    signal: AbortSignal,
  ): Promise<Expected> => {
    const reference = suite.mode === 'split' ? referenceOf(suite) : null;
    if (suite.tests && suite.language === 'javascript' && reference === null)
      return { tests: suite.tests, syntax: null, shapes: null };
    const modules = [...modulesOf(reference ?? artifact), 'solution'];
    const key = createHash('sha256')
      .update(
        JSON.stringify([
          suite.language,
          suite.mode,
          suite.files,
          modules,
          mainOf(artifact),
          reference,
          suite.objects,
          suite.tests,
        ]),
      )
      .digest('hex');
    const find = async (): Promise<Expected> => {
      const known = collected.get(key);
      if (known !== undefined) {
        try {
          return await known;
        } catch (error) {
          // Another run that was aborted must not end this one.
          signal.throwIfAborted();
          if (isBonafideError(error)) throw error;
          return find();
        }
      }
      const running = reference === null ? collect(suite, artifact, signal) : learn(suite, reference, signal);
      if (collected.size > 100) collected.clear();
      collected.set(key, running);
      running.catch(() => collected.delete(key));
      return running;
    };
    const found = await find();
    signal.throwIfAborted();
    if (suite.mode === 'split') refuseUnsupported(suite, found);
    return suite.tests ? { ...found, tests: suite.tests } : found;
  };

  async function collect(
    suite: TestFiles,
    artifact: CodeArtifact | null,
    signal: AbortSignal,
  ): Promise<Expected> {
    const modules = [...(artifact === null ? [] : modulesOf(artifact)), 'solution'];
    const main = artifact === null ? null : mainOf(artifact);
    const spec = { ...testerSpec(suite), limits: testerLimits(mergeLimits()), signal };
    return { ...(await inBox(spec, (box) => collectTests(box, modules, main))), shapes: null };
  }

  /** Runs the reference in the artifact's place, accepts every answer, and notes where it answered objects that act. */
  async function learnOnce(suite: TestFiles, reference: CodeArtifact, signal: AbortSignal) {
    const limits = mergeLimits(ownLimits, suite.limits);
    const profile = suite.profile ?? 'STRICT';
    const place = await sandbox();
    const opened = await Promise.allSettled([
      place.open({ artifact: reference, profile, limits, signal }),
      place.open({ ...testerSpec(suite), limits: testerLimits(limits), signal }),
    ]);
    const close = () =>
      Promise.all(opened.map((made) => (made.status === 'fulfilled' ? made.value.close() : null)));
    try {
      const [box, tester] = opened.map((made) => {
        if (made.status === 'rejected') throw made.reason;
        return made.value;
      });
      if (box === undefined || tester === undefined) throw new JudgeError('INFRA', 'A box is missing');
      await analyseArtifact(box);
      return await runPytest({
        ...pytestSettings(suite),
        ...{ tester, artifactBox: box, artifact: reference, expected: null, seed: null, syntax: null },
        ...{ shapes: null, learn: true },
      });
    } finally {
      await close();
    }
  }

  async function learn(suite: TestFiles, reference: CodeArtifact, signal: AbortSignal): Promise<Expected> {
    const run = await learnOnce(suite, reference, signal);
    const wanted = suite.tests && new Set(suite.tests.map((test) => test.id));
    const failing = run.tests.filter((test) => test.status !== 'passed' && (wanted?.has(test.id) ?? true));
    if (!run.complete || run.loadError !== null || run.tests.length === 0 || failing.length > 0)
      throw new JudgeError(
        'SUITE_INVALID',
        `The reference does not pass its own suite: ${
          run.loadError ??
          run.protocolError ??
          (failing.map(({ id, reason }) => `\n${id}: ${reason}`).join('') || 'it has no test')
        }`,
      );
    return {
      tests: run.tests.map(({ id, layer }) => ({ id, layer })),
      syntax: run.syntax,
      shapes: run.shapes,
    };
  }

  async function runSelfTest(profile: Profile): Promise<void> {
    const suite = selfTestSuite(profile);
    const [good, bad] = await Promise.all(
      [knownGood, knownBad].map(
        async (artifact) => (await judgeOnce(artifact, suite, mergeLimits(), closing.signal)).verdict,
      ),
    );
    const problem = good && bad ? selfTestProblem(good, bad) : 'it gave no verdict';
    if (problem !== null) throw new JudgeError('INFRA', `The judge's self-test failed: ${problem}`);
    logger.debug({ profile }, 'The judge passed its self-test');
  }

  const selfTest = (profile: Profile): Promise<void> => {
    const running = tested.get(profile);
    if (running !== undefined) return running;
    const started = runSelfTest(profile);
    tested.set(profile, started);
    started.catch(() => tested.delete(profile));
    return started;
  };

  async function checkSuite(input: Suite, { mutants = 20 }: CheckOptions = {}): Promise<SuiteCheck> {
    if (closing.signal.aborted) throw closing.signal.reason;
    const suite = parseSuite(input);
    const { signal } = closing;
    const release = await permits.acquire(signal);
    try {
      await selfTest('STRICT');
      return await check(suite, mutants, signal);
    } finally {
      release();
    }
  }

  async function check(suite: Suite, mutants: number, signal: AbortSignal): Promise<SuiteCheck> {
    const hash = createHash('sha256').update(JSON.stringify(suite)).digest('hex');
    const reference = referenceOf(suite);
    const found = {
      suiteId: suite.id,
      hash,
      failing: [],
      flaky: [],
      unsupported: [],
      shapes: [],
      survivors: [],
    };
    if (suite.mode === 'program') return { ...found, usable: true, tests: suite.cases.length, mutants: 0 };
    let unsupported: readonly UnsupportedConstruct[] = [];
    let tests = suite.mode === 'vectors' ? suite.cases.length : 0;
    let shapes: readonly string[] = [];
    const runs: (readonly TestResult[])[] = [];
    if (suite.mode !== 'vectors') {
      if (reference === null) {
        const { tests: named, syntax } = await collect(suite, null, signal);
        tests = named.length;
        unsupported = unsupportedIn(suite, syntax, false);
      } else {
        const run = await learnOnce(suite, reference, signal);
        if (run.loadError !== null)
          throw new JudgeError('SUITE_INVALID', `The reference cannot be loaded: ${run.loadError}`);
        runs.push(run.tests);
        ({ shapes } = run);
        tests = run.tests.length;
        unsupported = unsupportedIn(suite, run.syntax, true);
      }
    }
    const limits = mergeLimits(ownLimits, suite.limits);
    const failing = new Map<string, string>();
    const flaky = new Set<string>();
    const survivors: Mutant[] = [];
    const drawn = reference === null ? [] : mutantsOf(reference, mutants);
    const ready = unsupported.length === 0 && reference !== null;
    if (ready) {
      const passedFirst = runs[0]?.every((test) => test.status === 'passed') ?? true;
      for (let count = runs.length; count < 3; count += 1)
        runs.push(
          passedFirst
            ? (await judgeOnce(reference, suite, limits, signal)).verdict.tests
            : suite.mode === 'vectors'
              ? (await judgeOnce(reference, suite, limits, signal)).verdict.tests
              : (await learnOnce(suite, reference, signal)).tests,
        );
    }
    const ids = new Set(runs.flatMap((run) => run.map((test) => test.id)));
    for (const id of ids) {
      const results = runs.map((run) => run.find((test) => test.id === id));
      const failed = results.find((test) => test?.status !== 'passed');
      if (failed === undefined && results.length > 0 && results.every((test) => test !== undefined)) continue;
      if (results.some((test) => test?.status === 'passed')) flaky.add(id);
      else failing.set(id, failed?.reason ?? 'it was not run');
    }
    if (ready && failing.size === 0 && flaky.size === 0)
      for (const { mutant, artifact } of drawn) {
        const { verdict } = await judgeOnce(
          artifact,
          suite,
          { ...limits, wallMs: Math.min(limits.wallMs, 10_000) },
          signal,
        );
        if (verdict.outcome === 'SUCCESS') survivors.push(mutant);
      }
    return {
      ...{ suiteId: suite.id, hash, tests, unsupported, shapes, survivors },
      usable: failing.size === 0 && flaky.size === 0 && unsupported.length === 0,
      failing: [...failing].map(([id, reason]) => ({ id, reason })),
      flaky: [...flaky],
      mutants: ready && failing.size === 0 && flaky.size === 0 ? drawn.length : 0,
    };
  }

  async function runRequest(request: JudgeRequest): Promise<Verdict> {
    if (closing.signal.aborted) throw closing.signal.reason;
    const suite = parseSuite(request.suite);
    const artifact = parseArtifact(request.artifact);
    if (
      artifact.language !== undefined &&
      suite.language !== undefined &&
      artifact.language !== suite.language
    )
      throw new JudgeError(
        'ARTIFACT_INVALID',
        `The suite is for ${suite.language}, the artifact is ${artifact.language}`,
      );
    if (
      suite.mode === 'vectors' &&
      'files' in artifact &&
      artifact.entry === undefined &&
      mainFile(suite.language, artifact.files) === null
    )
      throw new JudgeError('ARTIFACT_INVALID', 'The artifact must contain a solution.py, .js, .mjs or .cjs');
    const runLimits = parseLimits(request.limits, 'INVALID_INPUT');
    const freshWanted = request.fresh === undefined ? null : parseFresh(request.fresh);
    if (request.commitment) checkCommitment(request.commitment, suite);
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    const release = await permits.acquire(signal);
    try {
      await selfTest(suite.mode === 'program' ? 'STRICT' : (suite.profile ?? 'STRICT'));
      signal.throwIfAborted();
      const limits = mergeLimits(ownLimits, suite.limits, runLimits);
      const fresh = await drawFresh(suite, freshWanted, limits, signal);
      const asked = withDrawn(suite, fresh);
      const judged = await judge(artifact, asked, limits, signal, {
        ...(request.commitment ? { commitment: request.commitment } : {}),
        fresh,
      });
      const wanted = request.quality === true && suite.mode !== 'program' && suite.language === 'python';
      const verdict = wanted
        ? { ...judged, quality: await qualityOf({ ...artifact, language: 'python' }, asked, limits, signal) }
        : judged;
      logger.info(
        {
          suite: suite.id,
          outcome: verdict.outcome,
          errorKind: verdict.errorKind,
          durationMs: verdict.durationMs,
        },
        'An artifact was judged',
      );
      measure.judged(verdict, suite);
      return verdict;
    } finally {
      release();
    }
  }

  async function close(): Promise<void> {
    closing.abort(new JudgeError('CLOSED', 'The judge was closed'));
    await Promise.allSettled(underWay);
    await Promise.allSettled(tested.values());
    await (await found?.catch(() => undefined))?.close();
  }

  return {
    run(request) {
      const verdict = runRequest(request);
      underWay.add(verdict);
      const forget = () => underWay.delete(verdict);
      verdict.then(forget, (error) => {
        forget();
        measure.failed(error);
      });
      return verdict;
    },
    checkSuite(suite, options) {
      const checked = checkSuite(suite, options);
      underWay.add(checked);
      const forget = () => underWay.delete(checked);
      checked.then(forget, forget);
      return checked;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const secureRandom = (): number => randomInt(2 ** 47) / 2 ** 47;

/**
 * The suite with the cases that were drawn.
 * @throws JudgeError `SUITE_INVALID` when there is nothing to ask.
 */
function withDrawn(suite: Suite, fresh: Verdict['fresh']): Suite {
  if (suite.mode !== 'vectors') return suite;
  const cases = [...suite.cases, ...(fresh?.cases ?? [])];
  if (cases.length === 0)
    throw new JudgeError('SUITE_INVALID', `The suite '${suite.id}' has no case, and none was drawn`);
  return { ...suite, cases };
}

/** A suite whose tests run in a box. */
type TestFiles = PytestSuite | NodeTestSuite;

/** Constructs of a suite that do not work across two boxes, given what its author vouches for. */
function unsupportedIn(
  suite: TestFiles,
  syntax: Collected['syntax'],
  withReference: boolean,
): readonly UnsupportedConstruct[] {
  return (syntax?.unsupported ?? [])
    .filter((each) => each.class === null || !(withReference || (suite.objects ?? []).includes(each.class)))
    .map(({ file, line, construct }) => ({ file, line, construct }));
}

/**
 * Refuses a suite that asks for what does not work across two boxes, before anything runs.
 * @throws JudgeError `SUITE_UNSUPPORTED`.
 */
function refuseUnsupported(suite: TestFiles, { syntax }: Collected): void {
  const found = unsupportedIn(suite, syntax, suite.reference !== undefined);
  if (found.length === 0) return;
  const places = found.slice(0, 20).map(({ file, line, construct }) => `${file}:${line}: ${construct}`);
  throw new JudgeError('SUITE_UNSUPPORTED', `The suite cannot be run in two boxes:\n${places.join('\n')}`, {
    remedy: 'Name the class in `objects`, add a reference solution, or use the mode same-process',
  });
}

/** Fields of a run of test files that come from the suite. */
const pytestSettings = (suite: TestFiles) => ({
  remoteEq: suite.language === 'python' && suite.remoteEq === true,
  objects: suite.objects ?? [],
  learn: false,
});

/** @throws JudgeError `INFRA` when a box itself failed. */
function checkBox(report: BoxReport): void {
  if (report.judgeFailure !== null)
    throw new JudgeError('INFRA', `The judge itself failed: ${report.judgeFailure}`);
}

/** A tester holds nothing that is judged: it may do what test runners do, and starts processes where a test does. */
const testerSpec = ({ files, language }: TestFiles) =>
  ({ artifact: null, profile: 'PROCESSES', tests: files, language }) as const;

/** A tester waits for the artifact, so the artifact's time is up first. */
const testerLimits = (limits: Limits): Limits =>
  mergeLimits({ wallMs: limits.wallMs + 10_000, answerBytes: limits.answerBytes });

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
