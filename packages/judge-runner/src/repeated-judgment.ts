import { isBonafideError, type Logger } from '@bonafide/internal';
import { JudgeError } from './errors.ts';
import { type Bench, type Judgment, judgeOnce } from './judgment.ts';
import { summarizeLayers } from './layers.ts';
import { profileOf, type SelfTest } from './self-test.ts';
import type { TestResult, Verdict } from './verdict.ts';

/**
 * Judges an artifact, and repeats it in fresh boxes after an abnormal end. A failure of the judge itself is thrown only when
 * the known programs fail too; when they pass, it is held against the artifact or the suite that causes it.
 * @throws JudgeError `INFRA`; `SUITE_INVALID` when the suite fails without the artifact, too.
 */
export async function judgeRepeatedly(
  bench: Bench,
  judgment: Judgment,
  selfTest: SelfTest,
  logger: Logger,
): Promise<Verdict> {
  const { suite, signal } = judgment;
  try {
    const { verdict, abnormal } = await judgeOnce(bench, judgment);
    if (!abnormal) return verdict;
  } catch (error) {
    if (!isBonafideError(error, 'INFRA')) throw error;
    logger.warn({ suite: suite.id, error }, 'A judgment failed and is repeated');
    await selfTest.repeat(profileOf(suite));
  }
  try {
    return (await judgeOnce(bench, judgment)).verdict;
  } catch (error) {
    if (!isBonafideError(error, 'INFRA')) throw error;
    logger.warn({ suite: suite.id, error }, 'A judgment failed again');
    await selfTest.repeat(profileOf(suite));
    signal.throwIfAborted();
    return broken(bench, judgment, error);
  }
}

/**
 * Returns the verdict about an artifact whose boxes fail each time, although those of the known programs do not.
 * @throws JudgeError `SUITE_INVALID` when they fail without the artifact, too.
 */
async function broken(bench: Bench, judgment: Judgment, cause: Error): Promise<Verdict> {
  const without = judgeOnce(bench, { ...judgment, artifact: { source: '' } }).catch((error) => {
    if (!isBonafideError(error, 'INFRA')) throw error;
    throw new JudgeError(
      'SUITE_INVALID',
      `The suite '${judgment.suite.id}' cannot be run, even without an artifact: ${cause.message}`,
      { cause },
    );
  });
  const { verdict } = await without;
  const tests = verdict.tests.map(
    (test): TestResult => ({ ...test, status: 'not-run', durationMs: null, reason: 'it was not run' }),
  );
  return {
    ...{ ...verdict, tests, outcome: 'ERROR', errorKind: 'crash', passRate: 0 },
    ...{ layers: summarizeLayers(tests), compositePassRate: null, performanceTier: null, transcript: [] },
    summary: 'It could not complete: it made its box or its tests end each time.',
  };
}
