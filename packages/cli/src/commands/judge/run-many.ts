import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import type { Verdict } from '@bonafide/judge-runner';
import type { CommandContext } from '../../context.ts';
import { counted } from '../../format.ts';
import { colours, isDoubtful, type RunOptions, requestOf } from './run.ts';
import { readProgram, readSuiteWithReference, withJudge } from './session.ts';

/** One artifact of several, with its verdict, or with the error that kept it from being judged. */
interface Judged {
  readonly artifact: string;
  readonly verdict: Verdict | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Codes of errors that concern one artifact; any other ends the command. */
const ofOneArtifact = ['ARTIFACT_INVALID', 'INFRA'] as const;

/** The part of a verdict that helps its author most: the reason of the first failure that proves a fault, of any other, or the summary. */
function mainReason({ tests, summary, outcome }: Verdict): string {
  const all = tests.filter(({ status, reason }) => status === 'failed' && reason !== null);
  const failed = all.find((test) => !isDoubtful(test)) ?? all[0];
  if (outcome === 'SUCCESS') return '';
  return failed === undefined || outcome === 'SECURITY_VIOLATION'
    ? summary
    : `${failed.id}: ${failed.reason}`;
}

/** Number of tests that an artifact failed, and that a correct one may fail as well. */
const doubtfulOf = (verdict: Verdict): number => verdict.tests.filter(isDoubtful).length;

function printJudged(
  all: readonly Judged[],
  hasReference: boolean,
  { line, table, paint }: CommandContext['print'],
): void {
  const doubtful = all.filter(({ verdict }) => verdict !== null && doubtfulOf(verdict) > 0).length;
  const isDoubted = doubtful > 0;
  table(
    [
      { title: 'Artifact', width: 40 },
      { title: 'Outcome' },
      { title: 'Passed', align: 'right' },
      ...(isDoubted ? [{ title: 'Doubtful', align: 'right' } as const] : []),
      { title: 'CPU, ms', align: 'right', yields: 1 },
      { title: 'First failure', atLeast: 30 },
    ],
    all.map(({ artifact, verdict, error }) => {
      const name = sanitizeRemoteText(artifact, 200);
      if (verdict === null)
        return [
          name,
          paint('yellow', error?.code ?? ''),
          '',
          ...(isDoubted ? [''] : []),
          '',
          sanitizeRemoteText(error?.message ?? '', 300),
        ];
      const passed = verdict.tests.filter(({ status }) => status === 'passed').length;
      const { cpuMs } = verdict.metrics;
      return [
        name,
        paint(colours[verdict.outcome], verdict.outcome),
        `${passed}/${verdict.tests.length}`,
        ...(isDoubted ? [String(doubtfulOf(verdict) || '')] : []),
        cpuMs === null ? '' : String(Math.round(cpuMs)),
        sanitizeRemoteText(mainReason(verdict), 300),
      ];
    }),
  );
  const successes = all.filter(({ verdict }) => verdict?.outcome === 'SUCCESS').length;
  line();
  line(`${successes} of ${counted(all.length, 'artifact')} passed. Give one alone for its whole verdict.`);
  if (!isDoubted) return;
  const settles = hasReference ? '' : ' Judge again with a correct program: --reference <path>.';
  line(
    `Doubtful: failures of ${counted(doubtful, 'artifact')} that do not prove a fault, as a correct program may fail these tests.${settles}`,
  );
}

/**
 * Runs `bonafide judge run` with several artifacts: judges as many at once as there are cores, and prints a line for each.
 * @returns Whether each verdict is SUCCESS.
 * @throws The error of the suite or the sandbox, which concerns all artifacts.
 */
export async function judgeMany(
  paths: readonly string[],
  options: RunOptions,
  { print, io }: Pick<CommandContext, 'print' | 'io'>,
): Promise<boolean> {
  const suite = await readSuiteWithReference(options.suite, options, print, paths);
  const request = requestOf(options, suite);
  // Misspelt paths are said before anything is judged.
  const artifacts = await Promise.all(
    paths.map(async (path) => ({ path, artifact: await readProgram(path, suite, options.suite, print) })),
  );
  let done = 0;
  const tell = () => io.progress.say(`Judged ${done} of ${counted(artifacts.length, 'artifact')}`);
  tell();
  const all = await withJudge(options.suite, options, (judge) =>
    Promise.all(
      artifacts.map(async ({ path, artifact }): Promise<Judged> => {
        try {
          return { artifact: path, verdict: await judge.run({ artifact, ...request }), error: null };
        } catch (error) {
          const code = ofOneArtifact.find((each) => isBonafideError(error, each));
          if (code === undefined || !(error instanceof Error)) throw error;
          return { artifact: path, verdict: null, error: { code, message: error.message } };
        } finally {
          done += 1;
          tell();
        }
      }),
    ),
  );
  io.progress.clear();
  if (options.json) print.json(all);
  else printJudged(all, suite.reference !== undefined, print);
  return all.every(({ verdict }) => verdict?.outcome === 'SUCCESS');
}
