/**
 * Counts passed and failed tests of vitest's JSON report. A file that could not be loaded has no tests
 * and counts as one failure, and so does a run that failed without saying which test did.
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

/** Each failed test with the first line of what it says, once more at the end, where a long run is read. */
export function failedTests(report, root) {
  const lines = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${root}/`, '');
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]);
    const all = status === 'failed' && failed.length === 0 ? [['could not be loaded', message]] : failed;
    return all.map(([test, why = '']) => {
      const [first = ''] = why.split('\n');
      return `  ${file}: ${test}\n      ${first.slice(0, 300)}`;
    });
  });
  return lines.length === 0 ? '' : ['', 'Failed tests:', ...lines].join('\n');
}

const decisive = /\bFAIL|\berror\b|Error:|✗|×|✖/i;

/** What each failed check says of its failure, once more at the end: the lines that name it, else its last ones. */
export function failedChecks(checks, most = 8) {
  const lines = checks
    .filter(({ passed }) => !passed)
    .flatMap(({ name, output }) => {
      const said = output.split('\n').filter((line) => line.trim() !== '');
      const named = said.filter((line) => decisive.test(line));
      const shown = named.length > 0 ? named.slice(0, most) : said.slice(-most);
      return [`  ${name}:`, ...shown.map((line) => `      ${line.trim().slice(0, 200)}`)];
    });
  return lines.length === 0 ? '' : ['', 'Failed checks:', ...lines].join('\n');
}

/** The test files that took longest, and the seconds that each package's tests took in all. */
export function slowestFiles(report, root, most = 12) {
  const files = report.testResults
    .map(({ name, startTime, endTime }) => ({
      file: name.replace(`${root}/`, ''),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds);
  const packages = new Map();
  for (const { file, seconds } of files) {
    const owner = file.split('/test/')[0] ?? file;
    packages.set(owner, (packages.get(owner) ?? 0) + seconds);
  }
  const line = ([name, seconds]) => `  ${seconds.toFixed(1).padStart(7)} s  ${name}`;
  return [
    '',
    'Slowest test files:',
    ...files.slice(0, most).map(({ file, seconds }) => line([file, seconds])),
    '',
    'Tests by package (several run at the same time):',
    ...[...packages].sort(([, a], [, b]) => b - a).map(line),
  ].join('\n');
}

/**
 * A line per check, then one for the tests.
 * @param checks Results of the checks; several run at the same time.
 * @param tests Result of the tests.
 * @param seconds Time that all checks took.
 */
export function summary(checks, tests, seconds) {
  const lines = checks.map(
    ({ name, passed, seconds }) =>
      `  ${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`,
  );
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
  const time = `${'tests'.padEnd(16)} ${tests.seconds.toFixed(1).padStart(6)} s`;
  const all = `${'all checks'.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`;
  return [
    '',
    ...lines,
    `        ${all}  several at the same time`,
    `  ${tests.failed === 0 ? 'ok  ' : 'FAIL'}  ${time}  ${tests.passed} passed, ${tests.failed} failed${skipped}`,
    '',
  ].join('\n');
}

/** The line that ends a run: every check and every test counts as one. */
export function closingLine(checks, tests) {
  const failed = checks.filter(({ passed }) => !passed).length;
  return `${tests.passed + checks.length - failed} passed, ${tests.failed + failed} failed`;
}
