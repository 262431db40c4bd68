import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { sanitizeRemoteText } from '@bonafide/internal';
import type { CheckProgress, Suite, SuiteCheck } from '@bonafide/judge-runner';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import type { Printer } from '../../print.ts';
import { type JudgeOptions, readSuiteWithReference, withJudge } from './session.ts';

/** Returns true for a suite that has a correct program, which was given to it or which is its oracle. */
const hasReference = (suite: Suite): boolean =>
  suite.reference !== undefined || (suite.mode === 'vectors' && suite.oracle !== undefined);

/** Prints the modules that an artifact must have. Without a reference, all but the artifact's own name may be of packages. */
function printImports({ imports }: SuiteCheck, suite: Suite, print: Printer): void {
  const shown = (module: string) => sanitizeRemoteText(module, 100);
  const topOf = (module: string) => (suite.language === 'python' ? (module.split('.')[0] ?? '') : module);
  const tops = new Set(imports.map(topOf));
  const isOwn = (module: string) =>
    hasReference(suite) || tops.size === 1 || topOf(module) === 'solution' || module.startsWith('.');
  const own = imports.filter(isOwn);
  if (own.length > 0) print.line(`An artifact must have: ${own.map(shown).join(', ')}.`);
  const field = suite.language === 'python' ? '`python.packages`' : '`node.packages`';
  for (const each of [...tops].filter((top) => !isOwn(top)))
    print.line(`${shown(each)}: an artifact must have it, unless you declare it in ${field}.`);
}

/** Returns how files of the reference are named: a single one is `solution` for the tests, and has its own name for its author. */
function nameOf(reference: string | undefined): (file: string) => string {
  const isFile = reference !== undefined && extname(reference) !== '';
  return (file) => (isFile && /^solution\.\w+$/u.test(file) ? basename(reference) : file);
}

/** Prints what a check found, for a person. */
function printCheck(check: SuiteCheck, suite: Suite, named: (file: string) => string, print: Printer): void {
  const { paint } = print;
  const tests = counted(check.tests, 'test');
  print.line(
    check.usable ? paint('green', `Usable: ${tests}.`) : paint('red', `Not usable as it is: ${tests}.`),
  );
  printImports(check, suite, print);
  const list = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return;
    print.line();
    print.line(paint('bold', title));
    for (const line of lines.slice(0, 50)) print.line(`  ${sanitizeRemoteText(line, 500)}`);
    if (lines.length > 50) print.line(`  … and ${lines.length - 50} more`);
  };
  list(
    'Unsupported',
    check.unsupported.map(({ file, line, construct }) => `${file}:${line} ${construct}`),
  );
  list(
    'May fail a correct program, since methods and operators of its own objects are trusted only with a reference',
    check.warnings.map(({ file, line, test, construct }) => `${file}:${line} ${construct} (${test})`),
  );
  if (check.warnings.length > 0)
    print.line('Add a correct program, --reference <path>, or compare plain values, such as `.amount == 8`.');
  list(
    'Failed by the reference',
    check.failing.map(({ id, reason }) => `${id}: ${reason}`),
  );
  list('Flaky', check.flaky);
  list(
    `Changes of the reference that no test notices (${check.survivors.length} of ${check.mutants})`,
    check.survivors.map(({ file, line, column, change }) => `${named(file)}:${line}:${column} ${change}`),
  );
  print.line();
  if (!hasReference(suite))
    print.line(
      'Without a reference, tests that fail or are flaky and changes that go unnoticed are not known: --reference <path>.',
    );
  else if (check.mutants > 0 && check.survivors.length === 0)
    print.line(`The tests notice every change of the reference that was tried (${check.mutants}).`);
  if (check.shapes.length > 0)
    print.line(
      `The reference answered objects at ${counted(check.shapes.length, 'place')}, where an artifact may as well.`,
    );
  print.line(`Suite ${check.hash}`);
}

/** Writes a suite of test files as JSON, without its reference and with only the tests that the reference passes. */
async function writePassing(path: string, check: SuiteCheck, suite: Suite, print: Printer): Promise<void> {
  if (check.passing.length === 0) {
    print.message(`${sanitizeRemoteText(path, 300)} was not written: the reference passes no test.`);
    return;
  }
  const { reference: _, ...own } = suite;
  await writeFile(path, `${JSON.stringify({ ...own, tests: check.passing }, null, 2)}\n`);
  print.message(
    `${sanitizeRemoteText(path, 300)} is the suite of ${counted(check.passing.length, 'test')} that the reference passes.`,
  );
}

/**
 * Makes sure that a file can be written, before a check that takes minutes.
 * @throws CliError `USAGE` when its folder does not exist.
 */
async function requireFolderOf(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  const named = sanitizeRemoteText(folder, 300);
  throw new CliError('USAGE', `There is no folder ${named} for --out. Create it: mkdir -p ${named}`);
}

/**
 * Runs `bonafide judge check`.
 * @returns Whether the suite is usable.
 */
export async function judgeCheck(
  suitePath: string,
  options: { readonly mutants: number; readonly json: boolean; readonly out?: string } & JudgeOptions,
  { print, io }: Pick<CommandContext, 'print' | 'io'>,
): Promise<boolean> {
  const suite = await readSuiteWithReference(suitePath, options, print);
  if (options.out !== undefined && !('files' in suite && hasReference(suite)))
    throw new CliError(
      'USAGE',
      '--out needs a suite of test files and a correct program: --reference <path>.',
    );
  if (options.out !== undefined) await requireFolderOf(options.out);
  const onProgress = ({ of, done, total }: CheckProgress) =>
    io.progress.say(
      of === 'reference'
        ? `Running the reference, ${done + 1} of ${counted(total, 'time')}`
        : `Judging changes of the reference, ${done} of ${total}`,
    );
  const check = await withJudge(suitePath, options, (judge) =>
    judge.checkSuite(suite, { mutants: options.mutants, onProgress }),
  );
  io.progress.clear();
  if (options.json) print.json(check);
  else printCheck(check, suite, nameOf(options.reference), print);
  if (options.out !== undefined) await writePassing(options.out, check, suite, print);
  return check.usable;
}
