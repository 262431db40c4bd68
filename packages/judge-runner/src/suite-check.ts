import type { Semaphore } from '@bonafide/internal';
import { JudgeError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { drawFresh, withDrawn } from './fresh/fresh-suite.ts';
import { lackedByReference } from './imports.ts';
import { type Bench, judgeOnce } from './judgment.ts';
import type { Limits } from './limits.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { referenceOf } from './reference.ts';
import type { Artifact, CodeArtifact, ExpectedTest, Suite } from './suite.ts';
import { warningsOf } from './suite-warnings.ts';
import { problems, refuse, type UnsupportedConstruct, unsupportedIn } from './unsupported.ts';
import type { SuiteWarning, TestResult } from './verdict.ts';

/** A test that the reference does not pass. */
export interface FailingTest {
  readonly id: string;
  readonly reason: string;
}

/** The result of checking a suite before it judges. */
export interface SuiteCheck {
  readonly suiteId: string;
  /** SHA-256 of the suite as JSON, in which binary files stand as their SHA-256. Lower-case hex. */
  readonly hash: string;
  /** True when nothing below keeps the suite from judging fairly: no failing, flaky or unsupported part. */
  readonly usable: boolean;
  readonly tests: number;
  /**
   * Modules that an artifact must have: those that the suite's files import and that are neither theirs, the language's, nor of a
   * package that the suite declares. Empty for vectors and programs, and for node:test with a reference.
   */
  readonly imports: readonly string[];
  /**
   * Tests that the reference passes in all three runs. Given to a suite of test files as its `tests`, they let it judge without
   * the others. Empty without a reference.
   */
  readonly passing: readonly ExpectedTest[];
  /** Tests that the reference fails. Empty without a reference. */
  readonly failing: readonly FailingTest[];
  /** Tests that the reference passes in some of three runs. */
  readonly flaky: readonly string[];
  /** Constructs that are refused before anything runs. */
  readonly unsupported: readonly UnsupportedConstruct[];
  /**
   * Places at which a correct program may fail, since only a reference vouches for operators of an artifact's classes.
   * They do not keep a suite from judging. Empty with a reference.
   */
  readonly warnings: readonly SuiteWarning[];
  /** Places at which the reference answered objects that act: `file:function:place:operation`. */
  readonly shapes: readonly string[];
  /** Number of mutants that were judged. */
  readonly mutants: number;
  /** Mutants that pass every test: what the suite does not notice. */
  readonly survivors: readonly Mutant[];
}

/** Progress of a check. */
export interface CheckProgress {
  /** Judged part: the reference, or mutants of it. */
  readonly of: 'reference' | 'mutants';
  /** Runs that have ended, of how many. */
  readonly done: number;
  readonly total: number;
}

/** Options of a check of a suite. */
export interface CheckOptions {
  /** Largest number of mutants of the reference that are judged. Default 20. */
  readonly mutants?: number;
  /** Is called before the first run and after each. A check takes as long as 23 judgments. */
  readonly onProgress?: (progress: CheckProgress) => void;
}

/** Runs of the reference that a test must pass in all. */
const runsOfReference = 3;
/** Longest run of a mutant, in ms: one that never ends is noticed. */
const mutantWallMs = 10_000;

/** Returns the tests that a suite of test files fixes beforehand, or null. Pure. */
const fixedTests = (suite: Suite): readonly ExpectedTest[] | null =>
  (suite.mode === 'split' || suite.mode === 'same-process' ? suite.tests : null) ?? null;

/** Sorts the tests of several runs of the reference into those that always pass, always fail, and sometimes do. */
function compareRuns(suite: Suite, runs: readonly (readonly TestResult[])[]) {
  const found = runs.flatMap((run) => run.map((test) => test.id));
  const passing: ExpectedTest[] = [];
  const failing: FailingTest[] = [];
  const flaky: string[] = [];
  for (const id of new Set(fixedTests(suite)?.map((test) => test.id) ?? found)) {
    const results = runs.map((run) => run.find((test) => test.id === id));
    const failed = results.find((test) => test?.status !== 'passed');
    const [first] = results;
    if (first !== undefined && failed === undefined && results.every((test) => test !== undefined))
      passing.push({ id, layer: first.layer });
    else if (results.some((test) => test?.status === 'passed')) flaky.push(id);
    else failing.push({ id, reason: failed?.reason ?? 'it was not run' });
  }
  return { passing, failing, flaky };
}

/**
 * Checks a suite: runs its reference three times, and mutants of it.
 * @throws JudgeError `SUITE_INVALID`, `INFRA`.
 */
export async function checkSuite(
  bench: Bench,
  given: Suite,
  {
    mutants = 20,
    onProgress = () => {},
    limits,
    random,
    signal,
    permits,
  }: CheckOptions & {
    readonly limits: Limits;
    /** Lets in as many runs at once as the judge does. */
    readonly permits: Semaphore;
    /** Numbers in [0, 1), of which the seed of fresh cases is made. */
    readonly random: () => number;
    readonly signal: AbortSignal;
  },
): Promise<SuiteCheck> {
  const { boxes, expected } = bench;
  // Every run and every mutant is given the same fresh cases.
  const within = <T>(work: () => Promise<T>): Promise<T> => permits.run(work, signal);
  const fresh = await within(() => drawFresh(given, { boxes, wanted: null, limits, random, signal }));
  const suite = withDrawn(given, fresh);
  const reference = referenceOf(suite);
  const runs: (readonly TestResult[])[] = [];
  let unsupported: readonly UnsupportedConstruct[] = [];
  let shapes: readonly string[] = [];
  let warnings: readonly SuiteWarning[] = [];
  let imports: readonly string[] = [];
  let tests = 0;
  /** True when the reference cannot be judged, since it fails a test of its own suite. */
  let learns = false;
  // In the mode `same-process` the reference is judged as an artifact is.
  if (suite.mode === 'program' || suite.mode === 'vectors') tests = suite.cases.length;
  else if (reference === null || suite.mode === 'same-process') {
    const own = reference as CodeArtifact | null;
    const collected = await within(() => expected.collect(suite, own, signal));
    const { syntax, undeclared } = collected;
    tests = collected.tests.length;
    // What else the files do can be told only when their imports work.
    unsupported =
      undeclared.length > 0
        ? undeclared.map(({ file, line, construct }) => ({ file, line, construct }))
        : suite.mode === 'split'
          ? unsupportedIn(suite, syntax, false)
          : [];
    warnings = warningsOf(suite, syntax);
    const refused = new Set(undeclared.map(({ module }) => module));
    imports = (syntax?.imports ?? []).filter(
      (each) => !refused.has(suite.language === 'python' ? (each.split('.')[0] ?? '') : each),
    );
  } else {
    onProgress({ of: 'reference', done: 0, total: runsOfReference });
    const run = await within(() => expected.learn(suite, reference, signal));
    if (run.loadError !== null)
      throw new JudgeError('SUITE_INVALID', `The reference cannot be loaded: ${run.loadError}`);
    if (run.protocolError !== null && run.tests.length === 0)
      throw new JudgeError(
        'SUITE_INVALID',
        `The reference does not pass its own suite: ${run.protocolError}`,
      );
    if (run.tests.length === 0)
      refuse(problems.undeclared, lackedByReference(suite, run.syntax, reference), suite);
    if (run.tests.length === 0)
      throw new JudgeError(
        'SUITE_INVALID',
        run.collectError === null
          ? 'The suite has no test.'
          : `The suite cannot be read:\n${run.collectError}`,
      );
    runs.push(run.tests);
    // Without what single tests and classes have shown.
    shapes = run.shapes.filter(
      (shape) => !/@|:(?:keeps|waits)=|:(?:word|waits|unkept|early|changed part)$/.test(shape),
    );
    const wanted = fixedTests(suite) ?? run.tests;
    tests = wanted.length;
    imports = run.syntax?.imports ?? [];
    const passed = new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
    learns = !run.complete || wanted.some((test) => !passed.has(test.id));
    unsupported = [
      ...(learns ? lackedByReference(suite, run.syntax, reference) : []),
      ...unsupportedIn(suite, run.syntax, true),
    ];
    if (!learns) await expected.keep(suite, reference, run);
  }
  const found = {
    suiteId: suite.id,
    hash: await fingerprint(given),
    tests,
    imports,
    unsupported,
    warnings,
    shapes,
  };
  if (reference === null || unsupported.length > 0)
    return {
      ...found,
      usable: unsupported.length === 0,
      ...{ passing: [], failing: [], flaky: [], mutants: 0, survivors: [] },
    };
  const judged = async (artifact: Artifact, own: Limits) =>
    (await within(() => judgeOnce(bench, { artifact, suite, limits: own, signal }))).verdict;
  while (runs.length < runsOfReference) {
    onProgress({ of: 'reference', done: runs.length, total: runsOfReference });
    runs.push(
      learns && suite.mode === 'split'
        ? (await within(() => expected.learn(suite, reference, signal))).tests
        : (await judged(reference, limits)).tests,
    );
  }
  const compared = compareRuns(suite, runs);
  const usable = compared.failing.length + compared.flaky.length === 0;
  const drawn = usable ? mutantsOf(reference, mutants) : [];
  let done = 0;
  const tell = () => onProgress({ of: 'mutants', done, total: drawn.length });
  if (drawn.length > 0) tell();
  const judgments = await Promise.allSettled(
    drawn.map(async ({ mutant, artifact }) => {
      const verdict = await judged(artifact, { ...limits, wallMs: Math.min(limits.wallMs, mutantWallMs) });
      done += 1;
      tell();
      return verdict.outcome === 'SUCCESS' ? [mutant] : [];
    }),
  );
  const failed = judgments.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  const survivors = judgments.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  return { ...found, ...compared, usable, mutants: drawn.length, survivors };
}
