import { sanitizeRemoteText } from '@bonafide/internal';
import type { FreshRequest, Outcome, Suite, Verdict } from '@bonafide/judge-runner';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import type { Style } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { readArtifact } from './read.ts';
import { type JudgeOptions, readSuiteWithReference, withJudge } from './session.ts';

const colours: Readonly<Record<Outcome, Style>> = {
  SUCCESS: 'green',
  PARTIAL: 'yellow',
  FAILURE: 'red',
  ERROR: 'red',
  SECURITY_VIOLATION: 'red',
};

const ms = (value: number | null): string => (value === null ? 'not measured' : `${Math.round(value)} ms`);
const mebibytes = (value: number | null): string =>
  value === null ? 'not measured' : `${(value / 2 ** 20).toFixed(1)} MiB`;

/** Prints a verdict. Text of the artifact and its author is sanitized first. */
function printVerdict(verdict: Verdict, print: Printer): void {
  const { paint } = print;
  print.line(
    `${paint(colours[verdict.outcome], verdict.outcome)}: ${sanitizeRemoteText(verdict.summary, 300)}`,
  );
  if (verdict.isolation === 'same-process')
    print.line(paint('yellow', 'Tests and artifact shared a process: an artifact can forge such a verdict.'));
  if (verdict.violations.length > 0) {
    print.line();
    print.line(paint('bold', 'Evidence'));
    for (const { evidence } of verdict.violations) print.line(`  ${sanitizeRemoteText(evidence, 500)}`);
  }
  print.line();
  print.table(
    [
      { title: 'Layer' },
      { title: 'Passed', align: 'right' },
      { title: 'Failed', align: 'right' },
      { title: 'Not run', align: 'right' },
    ],
    verdict.layers.map(({ layer, passed, total, failed, notRun }) => [
      layer,
      `${passed}/${total}`,
      String(failed),
      String(notRun),
    ]),
  );
  if (verdict.environment !== null) {
    print.line();
    print.line(
      `Environment ${verdict.environment.hash} (${counted(verdict.environment.packages.length, 'package')})`,
    );
  }
  const failed = verdict.tests.filter((test) => test.status === 'failed');
  if (failed.length > 0) {
    print.line();
    print.line(paint('bold', 'Failed'));
    for (const test of failed.slice(0, 20))
      print.line(`  ${sanitizeRemoteText(test.id, 120)}: ${sanitizeRemoteText(test.reason ?? '', 1_000)}`);
    if (failed.length > 20) print.line(`  … and ${failed.length - 20} more`);
    if (failed.some(({ warnings = [] }) => warnings.length > 0))
      print.line('Judge again with a correct program, which settles the doubtful ones: --reference <path>');
  }
  if (verdict.fresh) {
    print.line();
    print.line(paint('bold', 'Fresh'));
    const { cases, seed } = verdict.fresh;
    print.line(
      cases.length === 0
        ? `  the tests were given the seed ${seed}; --seed gives it again`
        : `  ${counted(cases.length, 'case')} drawn; --seed ${seed} draws them again`,
    );
  }
  const { metrics } = verdict;
  print.line();
  print.line(paint('bold', 'Cost'));
  const about = metrics.approximate ? ' (approximate: there is no cgroup)' : '';
  print.line(`  time ${ms(metrics.wallMs)}, CPU ${ms(metrics.cpuMs)}${about}`);
  print.line(`  memory peak ${mebibytes(metrics.memoryPeakBytes)}, printed ${metrics.outputBytes} bytes`);
  if (verdict.quality) {
    const { score, pylint, bandit, mypy, coverage } = verdict.quality;
    const of10 = (value: number | null) => (value === null ? 'not measured' : `${value}/10`);
    const share = coverage === null ? 'not measured' : `${Math.round(coverage * 100)} %`;
    print.line(
      `  quality ${of10(score)}: pylint ${of10(pylint)}, bandit ${of10(bandit)}, mypy ${of10(mypy)}`,
    );
    print.line(`  coverage ${share}`);
  }
  if (verdict.findings && verdict.findings.length > 0) {
    print.line();
    print.line(paint('bold', 'Seen in its text'));
    for (const { file, line, detail } of verdict.findings.slice(0, 20))
      print.line(`  ${sanitizeRemoteText(file, 80)}:${line} ${sanitizeRemoteText(detail, 200)}`);
  }
  print.line();
  print.line(paint('bold', 'Protection'));
  for (const { name, inForce, detail, measured } of verdict.protection) {
    const where = measured === 'inside' ? ' (measured inside)' : '';
    print.line(`  ${inForce ? paint('green', '✓') : paint('yellow', '–')} ${name}${where}: ${detail}`);
  }
}

/**
 * `bonafide judge run`: judges an artifact against a suite and prints the verdict.
 * @returns Whether it is SUCCESS.
 */
export async function judgeRun(
  artifactPath: string,
  options: {
    readonly suite: string;
    readonly json: boolean;
    readonly quality: boolean;
    readonly fresh?: number;
    readonly seed?: string;
  } & JudgeOptions,
  print: Printer,
): Promise<boolean> {
  const { fresh: count, seed } = options;
  const suite = await readSuiteWithReference(options.suite, options, print, [artifactPath]);
  const artifact = await readArtifact(artifactPath, suite);
  const asked = count !== undefined || seed !== undefined;
  if (asked) requireDraws(suite);
  const fresh: FreshRequest = {
    ...(count === undefined ? {} : { count }),
    ...(seed === undefined ? {} : { seed }),
  };
  const verdict = await withJudge(options.suite, options, (judge) =>
    judge.run({ artifact, suite, quality: options.quality, ...(asked ? { fresh } : {}) }),
  );
  if (options.json) print.json(verdict);
  else printVerdict(verdict, print);
  return verdict.outcome === 'SUCCESS';
}

/** @throws CliError `USAGE` for a suite that draws nothing */
function requireDraws(suite: Suite): void {
  const draws = suite.mode === 'vectors' ? suite.generators !== undefined : suite.mode !== 'program';
  if (draws) return;
  throw new CliError(
    'USAGE',
    `The suite ${sanitizeRemoteText(suite.id, 100)} has no generators, so that --fresh and --seed have nothing to draw.`,
  );
}
