/**
 * Passed and failed tests from vitest's JSON report. A file that could not even be loaded has no tests
 * of its own and counts as one failure, and so does a run that failed without saying which test did.
 */
export function countTests(report, status) {
  const unloaded = report.testResults.filter(
    ({ status: result, assertionResults }) =>
      result === 'failed' && assertionResults.every(({ status }) => status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + unloaded;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** A line per check, then one for the tests. */
export function summary(checks, tests) {
  const lines = checks.map(
    ({ name, passed, seconds }) =>
      `  ${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`,
  );
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
  return [
    '',
    ...lines,
    `  ${tests.failed === 0 ? 'ok  ' : 'FAIL'}  tests            ${tests.passed} passed, ${tests.failed} failed${skipped}`,
    '',
  ].join('\n');
}

/** The line that ends a run: every check and every test counts as one. */
export function closingLine(checks, tests) {
  const failed = checks.filter(({ passed }) => !passed).length;
  return `${tests.passed + checks.length - failed} passed, ${tests.failed + failed} failed`;
}
