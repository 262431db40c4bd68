import { count, flag, listOf, optional, optionsOf, record, recordOf, text } from '../input.ts';

/** Facts about one test. */
export interface TestRecord {
  readonly name: string;
  /** Number of assertions. */
  readonly assertions: number;
  /**
   * True when it has no body.
   * @default false
   */
  readonly empty?: boolean;
  /**
   * True when it declares that it uses randomness.
   * @default false
   */
  readonly usesRandomness?: boolean;
  /**
   * True when its randomness is seeded, so that it can be repeated.
   * @default false
   */
  readonly seeded?: boolean;
}

/** One run of all tests on unchanged code: which passed. */
export interface TestRun {
  readonly passed: Readonly<Record<string, boolean>>;
}

/** Records of a test suite. */
export interface TestSuiteRecord {
  readonly tests: readonly TestRecord[];
  /** At least three of the same code. */
  readonly runs: readonly TestRun[];
  /** True when an independent tool measured the coverage. */
  readonly coverageToolVerified: boolean;
}

/** Something that is wrong with tests. */
export interface TestFinding {
  readonly kind: 'flaky' | 'unseeded_randomness' | 'empty' | 'no_assertions';
  readonly tests: readonly string[];
  /** Human-readable evidence. */
  readonly evidence: string;
}

const gamingOptions = optionsOf({ minRuns: optional(count), minAssertions: optional(count) });
const suiteRecord = record({
  tests: listOf(
    record({
      name: text,
      assertions: count,
      empty: optional(flag),
      usesRandomness: optional(flag),
      seeded: optional(flag),
    }),
  ),
  runs: listOf(record({ passed: recordOf(flag) })),
  coverageToolVerified: flag,
});

/** The result of {@link detectTestGaming}. */
export interface TestGamingResult {
  /** `insufficient`: fewer than three runs, which is too few to see flaky tests. */
  readonly verdict: 'clean' | 'gamed' | 'insufficient';
  readonly findings: readonly TestFinding[];
  readonly runs: number;
  readonly coverageToolVerified: boolean;
  /** Tests that pass in every run and about which there is no finding: what counts as passing. */
  readonly crediblePassing: number;
  readonly total: number;
}

/**
 * Detects tests that inflate a pass rate: results that differ between runs of the same code, randomness
 * without a seed, tests without a body or without an assertion. Pass `crediblePassing` to
 * `testCoverageScore`.
 *
 * @throws `OUT_OF_RANGE` when a number of assertions is negative or not whole.
 */
export function detectTestGaming(
  suite: TestSuiteRecord,
  options: { readonly minRuns?: number; readonly minAssertions?: number } = {},
): TestGamingResult {
  gamingOptions('options', options);
  suiteRecord('suite', suite);
  const { minRuns = 3, minAssertions = 1 } = options;
  const { tests, runs, coverageToolVerified } = suite;
  const results = (name: string) =>
    runs.map(({ passed }) => Object.hasOwn(passed, name) && passed[name] === true);
  const named = (is: (test: TestRecord) => boolean) => tests.filter(is).map(({ name }) => name);
  const groups: readonly (readonly [TestFinding['kind'], readonly string[], string])[] = [
    [
      'flaky',
      named(({ name }) => new Set(results(name)).size > 1),
      `differ between ${runs.length} runs of the same code`,
    ],
    [
      'unseeded_randomness',
      named((test) => test.usesRandomness === true && test.seeded !== true),
      'use randomness without a seed',
    ],
    ['empty', named((test) => test.empty === true), 'have no body'],
    [
      'no_assertions',
      named((test) => test.empty !== true && test.assertions < minAssertions),
      `assert fewer than ${minAssertions} ${minAssertions === 1 ? 'thing' : 'things'}`,
    ],
  ];
  const findings = groups
    .filter(([, found]) => found.length > 0)
    .map(([kind, found, what]) => ({
      kind,
      tests: found,
      evidence: `${found.length} of ${tests.length} ${what}`,
    }));
  const doubtful = new Set(findings.flatMap((finding) => finding.tests));
  const credible = tests.filter(
    ({ name }) => !doubtful.has(name) && runs.length > 0 && results(name).every(Boolean),
  );
  const enough = runs.length >= minRuns;
  return {
    verdict: findings.length > 0 ? 'gamed' : enough ? 'clean' : 'insufficient',
    findings,
    runs: runs.length,
    coverageToolVerified,
    crediblePassing: credible.length,
    total: tests.length,
  };
}
