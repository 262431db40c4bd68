import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import {
  type Artifact,
  createJudge,
  type Judge,
  JudgeError,
  parseSuite,
  type Suite,
} from '@bonafide/judge-runner';
import type { Printer } from '../../print.ts';
import { type BackendOptions, openSandbox } from './backend.ts';
import { holdsSuite, readArtifact, readSuite } from './read.ts';

/** Options of every command that judges. */
export interface JudgeOptions extends BackendOptions {
  readonly reference?: string;
  readonly environments?: string;
  /** Time for all that the artifact does, in ms. */
  readonly timeoutMs?: number;
}

/**
 * Reads a suite with the reference and the limit of time that the command line gives it, and says which programs were left out
 * of its folder.
 *
 * @param artifact - Path of the artifact, if any.
 */
export async function readSuiteWithReference(
  path: string,
  { reference, timeoutMs }: Pick<JudgeOptions, 'reference' | 'timeoutMs'>,
  print: Printer,
  artifact: readonly string[] = [],
): Promise<Suite> {
  const given = reference === undefined ? [] : [reference];
  const { suite, leftOut } = await readSuite(path, [...artifact, ...given]);
  for (const each of new Set(leftOut))
    print.message(
      `${sanitizeRemoteText(each, 300)} was left out of the suite, although it is in its folder.`,
    );
  if (reference === undefined && timeoutMs === undefined) return suite;
  return parseSuite({
    ...suite,
    ...(timeoutMs === undefined ? {} : { limits: { ...suite.limits, wallMs: timeoutMs } }),
    ...(reference === undefined
      ? {}
      : { reference: await readProgram(reference, suite, path, print, 'reference') }),
  });
}

/** Reads an artifact or a reference, and says so where the suite was left out of its folder. */
export async function readProgram(
  path: string,
  suite: Suite,
  suitePath: string,
  print: Printer,
  what: 'artifact' | 'reference' = 'artifact',
): Promise<Artifact> {
  const found = await readArtifact(path, suite, suitePath, what);
  if (holdsSuite(path, suitePath))
    print.message(
      `${sanitizeRemoteText(suitePath, 300)} was left out of the ${what}, which could read there what is expected.`,
    );
  return found;
}

/** Creates a judge for a piece of work and closes it afterwards. */
export async function withJudge<T>(
  suitePath: string,
  options: JudgeOptions,
  work: (judge: Judge) => Promise<T>,
): Promise<T> {
  const { environments } = options;
  const sandbox = await openSandbox(options);
  const judge = createJudge({ sandbox, ...(environments === undefined ? {} : { environments }) });
  try {
    return await work(judge);
  } catch (error) {
    if (!isBonafideError(error, 'ENVIRONMENT_MISSING')) throw error;
    const place = environments === undefined ? '' : ` --environments ${environments}`;
    const remedy = `bonafide judge env build ${suitePath}${place}`;
    const [problem] = error.message.split(' Remedy: ');
    throw new JudgeError(error.code, `${problem} Remedy: ${remedy}`, { cause: error, remedy });
  } finally {
    await judge.close();
    await sandbox.close();
  }
}
