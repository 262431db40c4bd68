import { describe, expect, it } from 'vitest';
import { closingLine, countTests, failedChecks, failedTests, slowestFiles, summary } from '../summary.mjs';

const report = (over: object) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  testResults: [],
  ...over,
});

describe('what npm test says at its end', () => {
  it('counts tests as the runner reports them', () => {
    expect(countTests(report({}), 0)).toEqual({ passed: 5, failed: 0, skipped: 1 });
    expect(countTests(report({ numFailedTests: 2 }), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
  });

  it('counts a file that could not be loaded, and a run that failed without a failed test', () => {
    const unloaded = { testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(countTests(report(unloaded), 1).failed).toBe(1);
    expect(countTests(report({}), 1).failed).toBe(1);
  });

  it('names each failed test and each file that could not be loaded, with what it says', () => {
    const testResults = [
      {
        ...{ name: '/work/packages/a/test/one.test.ts', status: 'failed', message: '' },
        assertionResults: [
          { fullName: 'a passes', status: 'passed', failureMessages: [] },
          {
            fullName: 'a fails',
            status: 'failed',
            failureMessages: ['AssertionError: 1 is not 2\n    at x'],
          },
        ],
      },
      {
        ...{ name: '/work/b.test.ts', status: 'failed', message: 'SyntaxError: no' },
        assertionResults: [],
      },
    ];
    expect(failedTests(report({ testResults }), '/work').split('\n')).toEqual([
      '',
      'Failed tests:',
      '  packages/a/test/one.test.ts: a fails',
      '      AssertionError: 1 is not 2',
      '  b.test.ts: could not be loaded',
      '      SyntaxError: no',
    ]);
    expect(failedTests(report({}), '/work')).toBe('');
  });

  it('repeats what a failed check says of its failure, else how it ended', () => {
    const check = (name: string, passed: boolean, output: string) => ({ name, passed, seconds: 1, output });
    const consumers =
      'passed 1 s\nFAILED  2 s  stores: exit code 1\n  AssertionError: no\nConsumers: 1 passed';
    const checks = [check('lint', true, 'Error: x'), check('consumers', false, consumers)];
    expect(failedChecks(checks).split('\n')).toEqual([
      '',
      'Failed checks:',
      '  consumers:',
      '      FAILED  2 s  stores: exit code 1',
      '      AssertionError: no',
    ]);
    expect(failedChecks([check('docs', false, 'one\n\ntwo\nthree\n')], 2)).toMatch(/docs:\n +two\n +three$/);
    expect(failedChecks([check('lint', true, '')])).toBe('');
  });

  it('counts each check as one and names the one that failed', () => {
    const checks = [
      { name: 'lint', passed: true, seconds: 1 },
      { name: 'types', passed: false, seconds: 2 },
    ];
    const tests = { passed: 5, failed: 0, skipped: 0, seconds: 61.25 };
    expect(closingLine(checks, tests)).toBe('6 passed, 1 failed');
    const table = summary(checks, tests, 2.5);
    expect(table).toMatch(/FAIL {2}types/);
    expect(table).toMatch(/all checks +2\.5 s/);
    expect(table).toMatch(/tests +61\.3 s {2}5 passed, 0 failed/);
  });

  it('lists what takes the time, by file and by package', () => {
    const file = (name: string, startTime: number, endTime: number) => ({
      name: `/work/${name}`,
      startTime,
      endTime,
    });
    const testResults = [
      file('packages/a/test/one.test.ts', 0, 1_500),
      file('packages/b/test/deep/two.test.ts', 500, 3_500),
      file('packages/a/test/three.test.ts', 0, 2_000),
    ];
    const lines = slowestFiles(report({ testResults }), '/work', 2)
      .split('\n')
      .map((line: string) => line.trim());
    expect(lines).toEqual([
      '',
      'Slowest test files:',
      '3.0 s  packages/b/test/deep/two.test.ts',
      '2.0 s  packages/a/test/three.test.ts',
      '',
      'Tests by package (several run at the same time):',
      '3.5 s  packages/a',
      '3.0 s  packages/b',
    ]);
  });
});
