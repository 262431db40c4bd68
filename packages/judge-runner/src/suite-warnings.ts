import type { TestFiles } from './expected-tests.ts';
import type { SuiteSyntax } from './split-lines.ts';
import type { TestRun } from './test-run.ts';
import type { SuiteWarning, TestResult } from './verdict.ts';

/** A reason of a test that was not collected, as its file uses an object that nothing vouches for. */
const unbelieved = /^it could not be collected: .*nothing vouches for/s;
/** Places that a reason names. */
const maxNamed = 3;

/**
 * Returns the places at which tests lean on operators of the artifact's own classes that nothing vouches for: none with a
 * reference, and none of classes that the suite's author trusts. Decided from the suite alone. Pure.
 */
export function warningsOf(suite: TestFiles, syntax: SuiteSyntax | null): readonly SuiteWarning[] {
  if (suite.mode !== 'split' || suite.reference !== undefined) return [];
  if (suite.language === 'python' && suite.remoteEq === true) return [];
  const trusted = new Set(suite.objects ?? []);
  return (syntax?.places ?? [])
    .filter((each) => each.isNamed !== false && (each.class === null || !trusted.has(each.class)))
    .map(({ file, line, test, construct }) => ({ file, line, test, construct }));
}

/**
 * Adds to each test that ran and failed the places at which a correct program may have failed it: not those that come after the line
 * at which it failed. A test that passed needs none, and its status never changes. Pure.
 */
export function withWarnings(
  { tests, unreached }: Pick<TestRun, 'tests' | 'unreached'>,
  warnings: readonly SuiteWarning[],
): readonly TestResult[] {
  if (warnings.length === 0) return tests;
  const byTest = Map.groupBy(warnings, (each) => each.test);
  return tests.map((test) => {
    // One that did not begin proves what it proves, as a missing import does, but not where an object outside of tests was not believed.
    const isDoubtful = test.durationMs !== null || unbelieved.test(test.reason ?? '');
    const after = unreached?.get(test.id) ?? [];
    const named =
      test.status === 'failed' && isDoubtful
        ? (byTest.get(test.id) ?? byTest.get(withoutParameters(test.id)))
        : null;
    const own = (named ?? []).filter(
      (place) => !after.some(([file, line]) => file === place.file && line === place.line),
    );
    if (own.length === 0) return test;
    const places = own.slice(0, maxNamed).map(({ file, line, construct }) => `${file}:${line} ${construct}`);
    const more = own.length > maxNamed ? `; and ${own.length - maxNamed} more` : '';
    return {
      ...test,
      reason: `${test.reason} (without a reference a correct program may fail here as well: ${places.join('; ')}${more})`,
      warnings: own,
    };
  });
}

/** `test_a.py::test_b` of `test_a.py::test_b[1-2]`. */
const withoutParameters = (id: string): string => id.replace(/\[.*$/s, '');
