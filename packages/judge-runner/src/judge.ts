import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createSemaphore, type Logger, silentLogger } from '@bonafide/internal';
import { detectSandbox } from './bubblewrap/sandbox.ts';
import { causeOf, classify, passRateOf, type RunRecord } from './classify.ts';
import { checkCommitment, type OracleCommitment } from './commitment.ts';
import { JudgeError } from './errors.ts';
import {
  boxedReference,
  drawCases,
  type FreshRequest,
  localReference,
  newSeed,
} from './fresh/fresh-cases.ts';
import { mainFile } from './languages/main-file.ts';
import { compositePassRate, performanceTier, summarizeLayers } from './layers.ts';
import { type Limits, mergeLimits } from './limits.ts';
import { createRunMeter } from './metrics.ts';
import { beginCoverage, endCoverage, measureQuality } from './quality.ts';
import type { Box, BoxReport, BoxSpec, Sandbox } from './sandbox.ts';
import { parseArtifact, parseFresh, parseLimits, parseSuite } from './schemas.ts';
import { knownBad, knownGood, selfTestProblem, selfTestSuite } from './self-test.ts';
import { type Collected, collectTests, modulesOf, runPytest } from './split.ts';
import { analyseArtifact, staticViolations } from './static.ts';
import type { Artifact, Profile, Suite, VectorSuite } from './suite.ts';
import { summarize } from './summary.ts';
import { notRun, type TestRun } from './test-run.ts';
import { runVectors } from './vectors.ts';
import type { ErrorKind, Quality, Verdict } from './verdict.ts';

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

/** Judges artifacts in a sandbox. */
export interface Judge extends AsyncDisposable {
  /**
   * Runs the artifact against the suite in a fresh box and returns a verdict. Nothing that the artifact does is
   * thrown. Waits while `concurrency` runs are active.
   *
   * Before the first verdict of a profile the judge runs a self-test with two known programs, and works only when
   * both get the right verdict.
   * @throws JudgeError `SUITE_INVALID`, `ARTIFACT_INVALID`, `COMMITMENT_MISMATCH`, `CLOSED`;
   * `SANDBOX_UNAVAILABLE` with a remedy; `INFRA` when the judge itself failed: try again, and never hold it
   * against the artifact. The signal's reason when it is aborted.
   */
  run(request: JudgeRequest): Promise<Verdict>;
  /** Ends all runs, which reject with `CLOSED`, and waits until nothing of them is left. Idempotent. */
  close(): Promise<void>;
}

/**
 * Makes a judge. Cheap: the sandbox is looked for at the first run.
 * @throws JudgeError `SUITE_INVALID` when `limits` are not limits.
 */
export function createJudge(options: JudgeOptions = {}): Judge {
  const { logger = silentLogger, clock = Date.now, random = secureRandom } = options;
  const ownLimits = parseLimits(options.limits);
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

  async function judge(
    artifact: Artifact,
    suite: Suite,
    limits: Limits,
    signal: AbortSignal,
    {
      commitment,
      fresh = null,
    }: Pick<JudgeRequest, 'commitment'> & { readonly fresh?: Verdict['fresh'] } = {},
  ): Promise<Verdict> {
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
              ? await runVectors(box, suite)
              : await runPytest({
                  tester: tester ?? box,
                  artifactBox: tester ? box : null,
                  artifact,
                  expected,
                  seed: fresh?.seed ?? null,
                  syntax: found?.syntax ?? null,
                  remoteEq: suite.language === 'python' && suite.remoteEq === true,
                  objects: suite.objects ?? [],
                  shapes: null,
                  learn: false,
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
    if (report.judgeFailure !== null)
      throw new JudgeError('INFRA', `The judge itself failed: ${report.judgeFailure}`);

    const ended =
      run.loadError === null
        ? `The program ${report.ending ?? 'was ended'}.`
        : `It could not be loaded: ${run.loadError}.`;
    const record: RunRecord = {
      expected: run.tests.map(({ id, layer }) => ({ id, layer })),
      passed: run.tests.filter((test) => test.status === 'passed').map((test) => test.id),
      violations: [...seen, ...report.violations],
      // Answers without end exhaust whoever reads them.
      exceeded: [...report.exceeded, ...(run.complete ? [] : (testerReport?.exceeded ?? []))],
      protocolError: report.protocolError ?? run.protocolError,
      crash: run.complete ? null : ended,
    };
    const outcome = classify(record);
    const cause = causeOf(record);
    const errorKind = cause === 'security' ? null : cause;
    const layers = summarizeLayers(run.tests);
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
      }),
      passRate: passRateOf(record),
      compositePassRate: compositePassRate(layers),
      performanceTier: performanceTier(layers),
      layers,
      tests: run.tests,
      metrics: report.metrics,
      quality: null,
      violations: record.violations,
      findings,
      protection: box.protection,
      isolation: suite.mode === 'same-process' ? 'same-process' : 'separate',
      commitment: commitment ? { root: commitment.root, count: commitment.count } : null,
      fresh,
      transcript: run.transcript,
      stdout: report.stdout,
      stderr: report.stderr,
      startedAt,
      durationMs: performance.now() - begun,
    };
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
    artifact: Artifact,
    suite: Suite,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<Quality> {
    const tools = { artifact, tools: true, profile: 'PROCESSES', limits: mergeLimits(), signal } as const;
    const rated = await inBox(tools, measureQuality);
    const spec = { artifact, profile: suite.profile ?? 'STRICT', limits, signal } as const;
    const coverage =
      suite.mode === 'vectors'
        ? await inBox(spec, async (box) => {
            if (!(await beginCoverage(box))) return null;
            const run = await runVectors(box, suite);
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
      artifact: suite.oracle,
      oracle: true,
      profile: 'PROCESSES',
      limits: testerLimits(limits),
      signal,
    };
    const cases = await inBox(spec, async (box) => drawCases(suite, await boxedReference(box), draw));
    return { seed, cases };
  }

  const collected = new Map<string, Promise<Collected>>();
  /**
   * Returns the tests of a suite, which are the same for every artifact that has the modules that its files name.
   * @throws JudgeError `SUITE_UNSUPPORTED` naming what does not work across two boxes, by file and line.
   */
  const expectedOf = async (
    suite: TestFiles,
    artifact: Artifact,
    signal: AbortSignal,
  ): Promise<Collected> => {
    if (suite.tests && suite.language === 'javascript') return { tests: suite.tests, syntax: null };
    const modules = [...modulesOf(artifact), 'solution'];
    const key = createHash('sha256')
      .update(JSON.stringify([suite.language, suite.files, modules]))
      .digest('hex');
    let running = collected.get(key);
    if (running === undefined) {
      const spec = { ...testerSpec(suite), limits: testerLimits(mergeLimits()), signal };
      running = inBox(spec, (box) => collectTests(box, modules));
      if (collected.size > 100) collected.clear();
      collected.set(key, running);
      running.catch(() => collected.delete(key));
    }
    const found = await running;
    if (suite.mode === 'split') refuseUnsupported(suite, found);
    return suite.tests ? { ...found, tests: suite.tests } : found;
  };

  const selfTest = (profile: Profile): Promise<void> => {
    const running = tested.get(profile);
    if (running !== undefined) return running;
    const started = (async () => {
      const suite = selfTestSuite(profile);
      const [good, bad] = await Promise.all(
        [knownGood, knownBad].map((artifact) => judge(artifact, suite, mergeLimits(), closing.signal)),
      );
      const problem = good && bad ? selfTestProblem(good, bad) : 'it gave no verdict';
      if (problem !== null) throw new JudgeError('INFRA', `The judge's self-test failed: ${problem}`);
      logger.debug({ profile }, 'The judge passed its self-test');
    })();
    tested.set(profile, started);
    started.catch(() => tested.delete(profile));
    return started;
  };

  async function runRequest(request: JudgeRequest): Promise<Verdict> {
    if (closing.signal.aborted) throw closing.signal.reason;
    const suite = parseSuite(request.suite);
    const artifact = parseArtifact(request.artifact);
    if (artifact.language !== suite.language)
      throw new JudgeError(
        'ARTIFACT_INVALID',
        `The suite is for ${suite.language}, the artifact is ${artifact.language}`,
      );
    if (
      suite.mode === 'vectors' &&
      'files' in artifact &&
      mainFile(artifact.language, artifact.files) === null
    )
      throw new JudgeError('ARTIFACT_INVALID', 'The artifact must contain a solution.py, .js, .mjs or .cjs');
    const runLimits = parseLimits(request.limits);
    const freshWanted = request.fresh === undefined ? null : parseFresh(request.fresh);
    if (request.commitment) checkCommitment(request.commitment, suite);
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    const release = await permits.acquire(signal);
    try {
      await selfTest(suite.profile ?? 'STRICT');
      signal.throwIfAborted();
      const limits = mergeLimits(ownLimits, suite.limits, runLimits);
      const fresh = await drawFresh(suite, freshWanted, limits, signal);
      const asked = withDrawn(suite, fresh);
      const judged = await judge(artifact, asked, limits, signal, {
        ...(request.commitment ? { commitment: request.commitment } : {}),
        fresh,
      });
      const wanted = request.quality === true && artifact.language === 'python';
      const verdict = wanted
        ? { ...judged, quality: await qualityOf(artifact, asked, limits, signal) }
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
type TestFiles = Exclude<Suite, VectorSuite>;

/**
 * Refuses a suite that asks for what does not work across two boxes, before anything runs.
 * @throws JudgeError `SUITE_UNSUPPORTED`.
 */
function refuseUnsupported(suite: TestFiles, { syntax }: Collected): void {
  const found = (syntax?.unsupported ?? []).filter(
    (each) => each.class === null || !(suite.objects ?? []).includes(each.class),
  );
  if (found.length === 0) return;
  const places = found.slice(0, 20).map(({ file, line, construct }) => `${file}:${line}: ${construct}`);
  throw new JudgeError('SUITE_UNSUPPORTED', `The suite cannot be run in two boxes:\n${places.join('\n')}`, {
    remedy: 'Name the class in `objects`, add a reference solution, or use the mode same-process',
  });
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

/** Returns the detail of the two kinds of error that have one. */
function detailOf(errorKind: ErrorKind | null, record: RunRecord): string | null {
  if (errorKind === 'crash') return record.crash;
  return errorKind === 'protocol' && record.protocolError !== null
    ? `There was ${record.protocolError}.`
    : null;
}
