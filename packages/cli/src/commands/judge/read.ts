import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { isBonafideError } from '@bonafide/internal';
import {
  type Artifact,
  JudgeError,
  type Language,
  parseSuite,
  type Suite,
  type SuiteFile,
  type SuiteFiles,
} from '@bonafide/judge-runner';
import { CliError } from '../../errors.ts';

const languages: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

/** Languages of programs, which no test file imports. */
const languagesOfPrograms: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cpp': 'cpp',
  '.go': 'go',
  '.java': 'java',
  '.rs': 'rust',
  '.sh': 'shell',
};

/** Names of files by which pytest and node:test find tests. */
const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$|\.[cm]?js$/u;

/** Names of files in TypeScript. */
const typescriptFile = /\.[cm]?tsx?$/u;
const noTypescript = 'Tests in TypeScript are not taken: build them first, and give the JavaScript.';

/** Reads every file below a folder, by its path from there: text as text, anything else as bytes. Skips hidden files. */
async function readFolder(folder: string): Promise<Record<string, string | Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string | Uint8Array> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (/(?:^|\/)(?:\.|__pycache__\/|node_modules\/)/u.test(name)) continue;
    const content = await readFile(path);
    files[name] = isUtf8(content) ? content.toString('utf8') : content;
  }
  return files;
}

/** Kinds of paths on the command line, with the values that each takes. */
const forms = {
  artifact: 'Give a file, or the folder of a package or program.',
  reference: 'Give a correct program: a file or a folder.',
  suite: 'Give a file or folder of pytest or node:test, or a suite in JSON.',
} as const;

async function isFolder(path: string, what: keyof typeof forms): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' || code === 'ENOTDIR' ? 'There is no' : `${code} prevents reading the`;
    throw new CliError('USAGE', `${problem} ${what} at ${path}. ${forms[what]}`);
  }
}

/** Returns how files of tests name a module: in a statement that imports it, and as a text. */
function mentionsOf(
  { files }: { readonly files: SuiteFiles },
  module: string,
): { readonly inStatement: boolean; readonly byText: boolean } {
  const statement = `^\\s*(?:from\\s+${module}[.\\s]|import\\s+(?:[\\w., ]+,\\s*)?${module}\\b)`;
  const text = `['"](?:[^'"]*/)?${module}(?:\\.[cm]?js)?['"]`;
  const isIn = (pattern: string) =>
    Object.values(files).some((file) => typeof file === 'string' && new RegExp(pattern, 'mu').test(file));
  return {
    inStatement: isIn(`${statement}|(?:\\bfrom|\\bimport|\\brequire)\\s*\\(?\\s*${text}`),
    byText: isIn(text),
  };
}

/** Returns true if tests import the file `name` by its own name, and not as `solution`. */
function isImported(suite: Suite, name: string): boolean {
  const module = basename(name, extname(name));
  if (!('files' in suite) || !/^[\w-]+$/u.test(module)) return false;
  const own = mentionsOf(suite, module);
  return own.inStatement || (own.byText && !mentionsOf(suite, 'solution').inStatement);
}

/** Returns true if a folder is a package of Python that the tests import by the folder's name. */
function isPackage(suite: Suite, folder: string, files: Readonly<Record<string, unknown>>): boolean {
  const name = basename(resolve(folder));
  if (!('files' in suite) || files['__init__.py'] === undefined || !/^\w+$/u.test(name)) return false;
  const isWithin = [`${name}.py`, `${name}/__init__.py`].some((each) => files[each] !== undefined);
  return !isWithin && mentionsOf(suite, name).inStatement;
}

/** Returns files as they are named from the folder above theirs. */
const below = <Content>(folder: string, files: Readonly<Record<string, Content>>): Record<string, Content> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

/**
 * Makes sure that a file is of the suite's language, as far as its name tells.
 * @throws CliError `USAGE`.
 */
function requireLanguage(path: string, suite: Suite, what: 'artifact' | 'reference'): void {
  const extension = extname(path);
  const language = languages[extension] ?? languagesOfPrograms[extension];
  if (language === undefined || suite.language === undefined || suite.language === language) return;
  // A program's file may be one that its interpreter or compiler takes under any name.
  if (suite.mode === 'program' && what === 'artifact' && languages[extension] === undefined) return;
  throw new CliError(
    'USAGE',
    `The suite is for ${suite.language}, and the ${what} ${path} is ${language}. Give one in ${suite.language}.`,
  );
}

/** Returns true for a path that is another one, or lies in it. */
const isIn = (path: string, other: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(other)}${sep}`);

/** Returns true for a folder of a program that holds the suite by which it is judged, as repositories do. */
export const holdsSuite = (path: string, suitePath: string): boolean =>
  isIn(suitePath, path) && !isIn(path, suitePath);

/**
 * Reads an artifact: a file, a package or the folder of a program. The suite says what its language is. Tests import a single file
 * as `solution`, or by its own name.
 *
 * @param suitePath - Path of the suite. Its files are left out of a folder that holds it: an artifact that has the tests could read what they expect.
 */
export async function readArtifact(
  path: string,
  suite: Suite,
  suitePath: string,
  what: 'artifact' | 'reference' = 'artifact',
): Promise<Artifact> {
  if (await isFolder(path, what)) {
    const isOfSuite = (name: string) => holdsSuite(path, suitePath) && isIn(join(path, name), suitePath);
    const files = Object.fromEntries(
      Object.entries(await readFolder(path)).filter(([name]) => !isOfSuite(name)),
    );
    if (Object.keys(files).length === 0)
      throw new CliError('USAGE', `The folder ${path} is empty. ${forms[what]}`);
    return { files: isPackage(suite, path, files) ? below(basename(resolve(path)), files) : files };
  }
  const extension = extname(path);
  const language =
    languages[extension] ?? (suite.mode === 'program' ? languagesOfPrograms[extension] : undefined);
  if (typescriptFile.test(path) && suite.mode !== 'program')
    throw new JudgeError(
      'ARTIFACT_INVALID',
      `TypeScript is not taken: the ${what} is ${path}. Build it first, and give the JavaScript.`,
    );
  requireLanguage(path, suite, what);
  const source = await readFile(path, 'utf8');
  const content = isImported(suite, path) ? { files: { [basename(path)]: source } } : { source };
  return language === undefined ? content : { language, ...content };
}

/** Returns files as a suite holds them, which is plain JSON. */
const suiteFilesOf = (files: Readonly<Record<string, string | Uint8Array>>): Record<string, SuiteFile> =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : { base64: Buffer.from(content).toString('base64') },
    ]),
  );

/** File of a folder of tests that holds further fields of the suite: `python`, `node`, `objects`, `profile`, `limits`, … */
const settingsFile = 'judge.json';

function parseJson(text: string, path: string, hint = ''): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(
      'USAGE',
      `${path} is not JSON: ${error instanceof Error ? error.message : error}.${hint}`,
    );
  }
}

/** Reads the settings of a folder of tests. */
function parseSettings(file: SuiteFile, path: string): object {
  if (typeof file !== 'string')
    throw new CliError('USAGE', `${path} is no text. It has fields of the suite in JSON, such as "python".`);
  const settings = parseJson(file, path);
  if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings;
  throw new CliError(
    'USAGE',
    `${path} is not an object. It has fields of the suite, such as "python" or "limits".`,
  );
}

/** Parses a suite; the error names the file. */
function parseSuiteOf(path: string, suite: unknown): Suite {
  try {
    return parseSuite(suite);
  } catch (error) {
    if (!isBonafideError(error, 'SUITE_INVALID')) throw error;
    throw new JudgeError('SUITE_INVALID', `${path}: ${error.message}`, { cause: error });
  }
}

/** A suite, and which of the given paths were left out of its folder. */
export interface SuiteRead {
  readonly suite: Suite;
  readonly leftOut: readonly string[];
}

/**
 * Reads a suite: a JSON file, or a file or folder of pytest or node:test, which runs in a separate box.
 *
 * @param programs - Paths of the artifact and the reference. They are left out of a folder of tests, which would
 *   import them in place of the artifact.
 */
export async function readSuite(path: string, programs: readonly string[] = []): Promise<SuiteRead> {
  const folder = await isFolder(path, 'suite');
  const own = languages[extname(path)];
  if (!folder && typescriptFile.test(path)) throw new CliError('USAGE', `${path}: ${noTypescript}`);
  if (!folder && own === undefined) {
    const hint = extname(path) === '.json' ? '' : ` ${forms.suite}`;
    return { suite: parseSuiteOf(path, parseJson(await readFile(path, 'utf8'), path, hint)), leftOut: [] };
  }
  const read: Readonly<Record<string, SuiteFile>> = folder
    ? suiteFilesOf(await readFolder(path))
    : { [basename(path)]: await readFile(path, 'utf8') };
  const { [settingsFile]: settings, ...all } = read;
  const inside = programs.filter((each) => folder && !isIn(path, each));
  const leftOut = inside.filter((each) => Object.keys(all).some((name) => isIn(join(path, name), each)));
  const files = Object.fromEntries(
    Object.entries(all).filter(([name]) => !leftOut.some((each) => isIn(join(path, name), each))),
  );
  if (folder && !Object.keys(files).some((name) => testFile.test(name)))
    throw new CliError(
      'USAGE',
      Object.keys(files).some((name) => typescriptFile.test(name))
        ? `The folder ${path} has no tests in JavaScript or Python. ${noTypescript}`
        : `The folder ${path} has no tests, such as test_a.py or a.test.mjs.`,
    );
  const python = Object.keys(files).some((name) => languages[extname(name)] === 'python');
  const language = own ?? (python ? 'python' : 'javascript');
  const settingsPath = join(path, settingsFile);
  const more = settings === undefined ? {} : parseSettings(settings, settingsPath);
  const suite = { id: basename(resolve(path)), language, mode: 'split', ...more, files };
  return { suite: parseSuiteOf(settings === undefined ? path : settingsPath, suite), leftOut };
}
