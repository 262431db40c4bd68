import { sanitizeRemoteText } from '@bonafide/internal';
import type { FreshRequest, JudgeRequest, Outcome, Suite, TestResult, Verdict } from '@bonafide/judge-runner';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import type { Style } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { type JudgeOptions, readProgram, readSuiteWithReference, withJudge } from './session.ts';

/** Color of each outcome. */
export const colours: Readonly<Record<Outcome, Style>> = {
  SUCCESS: 'green',
  PARTIAL: 'yellow',
  FAILURE: 'red',
  ERROR: 'red',
  SECURITY_VIOLATION: 'red',
};

const ms = (value: number | null): string => (value === null ? 'not measured' : `${Math.round(value)} ms`);
const mebibytes = (value: number | null): string =>
  value === null ? 'not measured' : `${(value / 2 ** 20).toFixed(1)} MiB`;

/** Prints a heading and the lines below it, at most 20, indented. Nothing where there are none. */
function printList({ line, paint }: Printer, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  line();
  line(paint('bold', title));
  for (const each of lines.slice(0, 20)) line(`  ${each}`);
  if (lines.length > 20) line(`  … and ${lines.length - 20} more`);
}

function printLayers({ layers, environment }: Verdict, print: Printer): void {
  print.line();
  print.table(
    [
      { title: 'Layer' },
      { title: 'Passed', align: 'right' },
      { title: 'Failed', align: 'right' },
      { title: 'Not run', align: 'right' },
    ],
    layers.map(({ layer, passed, total, failed, notRun }) => [
      layer,
      `${passed}/${total}`,
      String(failed),
      String(notRun),
    ]),
  );
  if (environment === null) return;
  print.line();
  print.line(`Environment ${environment.hash} (${counted(environment.packages.length, 'package')})`);
}

/** Returns true for a test that a correct program may fail as well. */
export const isDoubtful = ({ status, warnings = [], refused }: TestResult): boolean =>
  status === 'failed' && (warnings.length > 0 || refused === true);

/** Most tests that are named with one reason. */
const maxNamed = 5;

function printFailed({ tests }: Verdict, print: Printer): void {
  const failed = tests.filter((test) => test.status === 'failed');
  // Where a module cannot be imported, all tests fail for the same reason.
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of failed) {
    const same = reasons.get(reason ?? '') ?? [];
    same.push(sanitizeRemoteText(id, 120));
    reasons.set(reason ?? '', same);
  }
  printList(
    print,
    'Failed',
    [...reasons].map(([reason, ids]) => {
      const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
      return `${ids.slice(0, maxNamed).join(', ')}${more}: ${sanitizeRemoteText(reason, 1_000)}`;
    }),
  );
  if (failed.some(({ warnings = [] }) => warnings.length > 0))
    print.line('Judge again with a correct program, which settles the doubtful ones: --reference <path>');
}

/** Says what was drawn for a run, and how it is drawn again: another count would draw other cases. */
function freshLine({ cases, seed }: NonNullable<Verdict['fresh']>, count: number | undefined): string {
  return cases.length === 0
    ? `the tests were given the seed ${seed}; --seed gives it again`
    : `${counted(cases.length, 'case')} drawn; ${count === undefined ? '' : `--fresh ${count} `}--seed ${seed} draws them again`;
}

function costLines({ metrics, quality }: Verdict): string[] {
  const about = metrics.approximate ? ' (approximate: there is no cgroup)' : '';
  const lines = [
    `time ${ms(metrics.wallMs)}, CPU ${ms(metrics.cpuMs)}${about}`,
    `memory peak ${mebibytes(metrics.memoryPeakBytes)}, printed ${metrics.outputBytes} bytes`,
  ];
  if (quality === null) return lines;
  const { score, pylint, bandit, mypy, coverage } = quality;
  const of10 = (value: number | null) => (value === null ? 'not measured' : `${value}/10`);
  const share = coverage === null ? 'not measured' : `${Math.round(coverage * 100)} %`;
  return [
    ...lines,
    `quality ${of10(score)}: pylint ${of10(pylint)}, bandit ${of10(bandit)}, mypy ${of10(mypy)}`,
    `coverage ${share}`,
  ];
}

/** Prints the layers of protection that were active in one line, or each with what was measured. */
function printProtection({ protection }: Verdict, verbose: boolean, print: Printer): void {
  const { paint } = print;
  if (verbose) {
    printList(
      print,
      'Protection',
      protection.map(({ name, inForce, detail, measured }) => {
        const where = measured === 'inside' ? ' (measured inside)' : '';
        return `${inForce ? paint('green', '✓') : paint('yellow', '–')} ${name}${where}: ${detail}`;
      }),
    );
    return;
  }
  const absent = protection.filter(({ inForce }) => !inForce).map(({ name }) => name);
  const without = absent.length === 0 ? '' : ` (without ${absent.join(', ')})`;
  const active = protection.length - absent.length;
  print.line();
  print.line(
    `Protection: ${active} of ${counted(protection.length, 'layer')} active${without}; --verbose lists them.`,
  );
}

/** Prints a verdict. Text of the artifact and its author is sanitized first. */
function printVerdict(verdict: Verdict, count: number | undefined, verbose: boolean, print: Printer): void {
  const { paint } = print;
  print.line(
    `${paint(colours[verdict.outcome], verdict.outcome)}: ${sanitizeRemoteText(verdict.summary, 300)}`,
  );
  if (verdict.isolation === 'same-process')
    print.line(paint('yellow', 'Tests and artifact shared a process: an artifact can forge such a verdict.'));
  printList(
    print,
    'Evidence',
    verdict.violations.map(({ evidence }) => sanitizeRemoteText(evidence, 500)),
  );
  printLayers(verdict, print);
  printFailed(verdict, print);
  printList(print, 'Fresh', verdict.fresh ? [freshLine(verdict.fresh, count)] : []);
  printList(print, 'Cost', costLines(verdict));
  printList(
    print,
    'Seen in its text',
    (verdict.findings ?? []).map(
      ({ file, line, detail }) =>
        `${sanitizeRemoteText(file, 80)}:${line} ${sanitizeRemoteText(detail, 200)}`,
    ),
  );
  printProtection(verdict, verbose, print);
}

/** Options of `bonafide judge run`. */
export interface RunOptions extends JudgeOptions {
  readonly suite: string;
  readonly json: boolean;
  readonly quality: boolean;
  readonly verbose: boolean;
  readonly fresh?: number;
  readonly seed?: string;
}

/**
 * Returns what every artifact is judged by.
 * @throws CliError `USAGE` for draws of a suite that draws nothing.
 */
export function requestOf(
  { fresh: count, seed, quality }: RunOptions,
  suite: Suite,
): Omit<JudgeRequest, 'artifact'> {
  const asked = count !== undefined || seed !== undefined;
  if (asked) requireDraws(suite);
  const fresh: FreshRequest = {
    ...(count === undefined ? {} : { count }),
    ...(seed === undefined ? {} : { seed }),
  };
  return { suite, quality, ...(asked ? { fresh } : {}) };
}

/**
 * `bonafide judge run`: judges an artifact against a suite and prints the verdict.
 * @returns Whether it is SUCCESS.
 */
export async function judgeRun(artifactPath: string, options: RunOptions, print: Printer): Promise<boolean> {
  const suite = await readSuiteWithReference(options.suite, options, print, [artifactPath]);
  const artifact = await readProgram(artifactPath, suite, options.suite, print);
  const request = requestOf(options, suite);
  const verdict = await withJudge(options.suite, options, (judge) => judge.run({ artifact, ...request }));
  if (options.json) print.json(verdict);
  else printVerdict(verdict, options.fresh, options.verbose, print);
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
