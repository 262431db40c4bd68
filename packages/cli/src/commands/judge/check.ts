import { sanitizeRemoteText } from '@bonafide/internal';
import { createJudge, parseSuite, type SuiteCheck } from '@bonafide/judge-runner';
import type { Printer } from '../../print.ts';
import { type BackendOptions, openSandbox } from './backend.ts';
import { readArtifact, readSuite } from './read.ts';

/** Prints what a check found, for a person. */
function printCheck(check: SuiteCheck, withReference: boolean, print: Printer): void {
  const { paint } = print;
  print.line(
    check.usable
      ? paint('green', `Usable: ${check.tests} tests.`)
      : paint('red', `Not usable as it is: ${check.tests} tests.`),
  );
  const list = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return;
    print.line();
    print.line(paint('bold', title));
    for (const line of lines.slice(0, 50)) print.line(`  ${sanitizeRemoteText(line, 300)}`);
    if (lines.length > 50) print.line(`  … and ${lines.length - 50} more`);
  };
  list(
    'Unsupported in two boxes',
    check.unsupported.map(({ file, line, construct }) => `${file}:${line} ${construct}`),
  );
  list(
    'May fail a correct program, as nothing vouches for operators of its own classes: add a reference',
    check.warnings.map(({ file, line, test, construct }) => `${file}:${line} ${construct} (${test})`),
  );
  list(
    'Failed by the reference',
    check.failing.map(({ id, reason }) => `${id}: ${reason}`),
  );
  list('Flaky', check.flaky);
  list(
    `Changes of the reference that no test notices (${check.survivors.length} of ${check.mutants})`,
    check.survivors.map(({ file, line, change }) => `${file}:${line} ${change}`),
  );
  print.line();
  print.line(
    withReference
      ? `Objects that act are accepted at ${check.shapes.length} places.`
      : 'Without a reference, tests that fail or are flaky and changes that go unnoticed are not known: --reference <path>.',
  );
  print.line(`Suite ${check.hash}`);
}

/**
 * Runs `bonafide judge check`.
 * @returns Whether the suite is usable.
 */
export async function judgeCheck(
  suitePath: string,
  options: {
    readonly reference?: string;
    readonly environments?: string;
    readonly mutants: number;
    readonly json: boolean;
  } & BackendOptions,
  print: Printer,
): Promise<boolean> {
  const suite = await readSuite(suitePath);
  const reference =
    options.reference === undefined ? undefined : await readArtifact(options.reference, suite);
  const checked = parseSuite(reference === undefined ? suite : { ...suite, reference });
  const sandbox = await openSandbox(options);
  const { environments } = options;
  const judge = createJudge({ sandbox, ...(environments === undefined ? {} : { environments }) });
  try {
    const check = await judge.checkSuite(checked, { mutants: options.mutants });
    if (options.json) print.json(check);
    else printCheck(check, reference !== undefined, print);
    return check.usable;
  } finally {
    await judge.close();
    await sandbox.close();
  }
}
