import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createSemaphore, type Logger, orAbort, requireRuntime, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { createBoxes } from './boxes.ts';
import { detectSandbox } from './bubblewrap/sandbox.ts';
import { checkCommitment, type OracleCommitment } from './commitment.ts';
import { createEnvironmentStore } from './environment/store.ts';
import { JudgeError } from './errors.ts';
import { createExpectedTests } from './expected-tests.ts';
import type { FreshRequest } from './fresh/fresh-cases.ts';
import { drawFresh, withDrawn } from './fresh/fresh-suite.ts';
import {
  callable,
  clockSchema,
  loggerSchema,
  parseGiven,
  pathSchema,
  sandboxSchema,
  signalSchema,
} from './host-options.ts';
import type { Bench } from './judgment.ts';
import { mainFile, requireJavascript } from './languages/main-file.ts';
import { type Limits, mergeLimits } from './limits.ts';
import { createRunMeter } from './metrics.ts';
import { requireInstalled } from './program/toolchains.ts';
import { qualityOf } from './quality.ts';
import { judgeRepeatedly } from './repeated-judgment.ts';
import type { Sandbox } from './sandbox.ts';
import { parseArtifact, parseFresh, parseLimits, parseSuite } from './schemas.ts';
import { createSelfTest, profileOf } from './self-test.ts';
import type { Artifact, Suite } from './suite.ts';
import { type CheckOptions, checkSuite, type SuiteCheck } from './suite-check.ts';
import type { Verdict } from './verdict.ts';

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
  /**
   * Folder of the packages that suites declare, as `buildEnvironment` writes them. Default: a folder among the
   * system's caches when the judge is root, else among the user's.
   */
  readonly environments?: string;
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
   * @throws JudgeError `INVALID_INPUT`, `SUITE_INVALID`, `ARTIFACT_INVALID`, `COMMITMENT_MISMATCH`, `CLOSED`;
   * `SANDBOX_UNAVAILABLE` and `ENVIRONMENT_MISSING` with a remedy; `INFRA` when the judge itself failed: try
   * again, and never hold it against the artifact. The signal's reason when it is aborted.
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

const optionsSchema = z.strictObject({
  sandbox: sandboxSchema,
  // `parseLimits` checks them.
  limits: z.unknown().optional(),
  concurrency: z.int().min(1).optional(),
  environments: pathSchema.optional(),
  logger: loggerSchema,
  clock: clockSchema,
  random: callable<() => number>().optional(),
});
const checkSchema = z
  .strictObject({
    mutants: z.int().min(0).optional(),
    onProgress: callable<NonNullable<CheckOptions['onProgress']>>().optional(),
  })
  .default({});
const requestSchema = z.strictObject({
  // Each of these is checked by a parser of its own, with a code of its own.
  artifact: z.unknown().optional(),
  suite: z.unknown().optional(),
  limits: z.unknown().optional(),
  fresh: z.unknown().optional(),
  commitment: z.custom<OracleCommitment>(isCommitment, 'Expected what `commitOracle` returned').optional(),
  quality: z.boolean().optional(),
  signal: signalSchema,
});

function isCommitment(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { root, salts } = given as Partial<OracleCommitment>;
  return typeof root === 'string' && Array.isArray(salts) && salts.every((salt) => typeof salt === 'string');
}

/**
 * Makes a judge. Cheap: the sandbox is looked for at the first run.
 * @throws JudgeError `INVALID_CONFIG` when `limits` or `concurrency` are out of range, `RUNTIME_TOO_OLD` before Node 22.13.
 */
export function createJudge(options: JudgeOptions = {}): Judge {
  requireRuntime((message) => new JudgeError('RUNTIME_TOO_OLD', message));
  const given = parseGiven(optionsSchema, options, 'options', 'INVALID_CONFIG');
  const { logger = silentLogger, clock = Date.now, random = secureRandom, environments } = given;
  const ownLimits = parseLimits(given.limits, 'INVALID_CONFIG');
  const measure = createRunMeter();
  const permits = createSemaphore(given.concurrency ?? availableParallelism());
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let found: Promise<Sandbox> | undefined;

  const sandbox = (): Promise<Sandbox> => {
    if (given.sandbox) return Promise.resolve(given.sandbox);
    found ??= detectSandbox().catch((error) => {
      // After the remedy, the same judge works without a restart.
      found = undefined;
      throw error;
    });
    return found;
  };

  const boxes = createBoxes(sandbox, createEnvironmentStore(environments));
  const bench: Bench = { boxes, clock, expected: createExpectedTests(boxes, ownLimits) };
  const selfTest = createSelfTest(bench, closing.signal, logger);

  async function checkRequest(input: Suite, given?: CheckOptions): Promise<SuiteCheck> {
    if (closing.signal.aborted) throw closing.signal.reason;
    const { mutants, onProgress } = parseGiven(checkSchema, given, 'options', 'INVALID_INPUT');
    const suite = parseSuite(input);
    const { signal } = closing;
    await permits.run(() => selfTest.once('STRICT'), signal);
    return await checkSuite(bench, suite, {
      ...(mutants === undefined ? {} : { mutants }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...{ limits: mergeLimits(ownLimits, suite.limits), random, signal, permits },
    });
  }

  async function runRequest(asked: JudgeRequest): Promise<Verdict> {
    if (closing.signal.aborted) throw closing.signal.reason;
    const request = parseGiven(requestSchema, asked, 'run', 'INVALID_INPUT');
    const suite = parseSuite(request.suite);
    const artifact = parseArtifact(request.artifact);
    requireJavascript(artifact, suite);
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
      // Before a box starts, which takes longer. Containers have programs of their own.
      if (suite.mode === 'program' && (await orAbort(sandbox(), signal)).name === 'bubblewrap')
        await requireInstalled(suite);
      await orAbort(selfTest.once(profileOf(suite)), signal);
      const limits = mergeLimits(ownLimits, suite.limits, runLimits);
      const fresh = await drawFresh(suite, { boxes, wanted: freshWanted, limits, random, signal });
      const drawn = withDrawn(suite, fresh);
      const judgment = { artifact, suite: drawn, limits, signal, fresh, commitment: request.commitment };
      const judged = await judgeRepeatedly(bench, judgment, selfTest, logger);
      const verdict =
        request.quality === true && drawn.mode !== 'program'
          ? { ...judged, quality: await qualityOf(boxes, { artifact, suite: drawn, limits, signal }) }
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
    await selfTest.settled();
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
      const checked = checkRequest(suite, options);
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
