import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { type Artifact, type Language, parseSuite, type Suite } from '@bonafide/judge-runner';
import { CliError } from '../../errors.ts';

const languages: Readonly<Record<string, Language>> = {
  '.py': 'python',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

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

async function isFolder(path: string, what: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    throw new CliError('USAGE', `There is no ${what} at ${path}.`);
  }
}

/** Returns true if a file of tests imports the module that the file `name` is. */
function isImported(suite: Suite, name: string): boolean {
  const module = basename(name, extname(name));
  if (!('files' in suite) || !/^[\w-]+$/u.test(module)) return false;
  const imports = new RegExp(
    `^\\s*(?:from\\s+${module}[.\\s]|import\\s+(?:[\\w., ]+,\\s*)?${module}\\b)|['"](?:[^'"]*/)?${module}(?:\\.[cm]?js)?['"]`,
    'mu',
  );
  return Object.values(suite.files).some((text) => imports.test(text));
}

/**
 * Reads an artifact: a file, a package or the folder of a program. The suite says what its language is. Tests import a single file
 * as `solution`, or by its own name.
 */
export async function readArtifact(path: string, suite: Suite): Promise<Artifact> {
  if (await isFolder(path, 'artifact')) {
    const files = await readFolder(path);
    if (Object.keys(files).length === 0) throw new CliError('USAGE', `The folder ${path} is empty.`);
    return { files };
  }
  const language = languages[extname(path)];
  const source = await readFile(path, 'utf8');
  const content = isImported(suite, path) ? { files: { [basename(path)]: source } } : { source };
  return language === undefined ? content : { language, ...content };
}

/** Returns the files that are text. */
const textsOf = (files: Readonly<Record<string, string | Uint8Array>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, content]) =>
      typeof content === 'string' ? [[name, content]] : [],
    ),
  );

/** File of a folder of tests that holds further fields of the suite: `python`, `node`, `objects`, `profile`, `limits`, … */
const settingsFile = 'judge.json';

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(
      'USAGE',
      `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Reads a suite: a JSON file, or a file or folder of pytest or node:test, which runs in a separate box. */
export async function readSuite(path: string): Promise<Suite> {
  const folder = await isFolder(path, 'suite');
  const own = languages[extname(path)];
  if (folder || own !== undefined) {
    const { [settingsFile]: settings, ...files } = folder
      ? textsOf(await readFolder(path))
      : { [basename(path)]: await readFile(path, 'utf8') };
    if (Object.keys(files).length === 0)
      throw new CliError('USAGE', `The folder ${path} has no tests, such as test_a.py or a.test.mjs.`);
    const python = Object.keys(files).some((name) => languages[extname(name)] === 'python');
    const language = own ?? (python ? 'python' : 'javascript');
    const more = settings === undefined ? {} : Object(parseJson(settings, join(path, settingsFile)));
    return parseSuite({ id: basename(path), language, mode: 'split', ...more, files });
  }
  return parseSuite(parseJson(await readFile(path, 'utf8'), path));
}
