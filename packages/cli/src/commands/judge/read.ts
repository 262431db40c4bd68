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

/** Every file below a folder by its path from there. Hidden files and what interpreters leave behind are not read. */
async function readFolder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (/(?:^|\/)(?:\.|__pycache__\/|node_modules\/)/u.test(name)) continue;
    files[name] = await readFile(path, 'utf8');
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

/** Reads an artifact: a file, or a folder with a `solution.py`, `.js`, `.mjs` or `.cjs`. */
export async function readArtifact(path: string): Promise<Artifact> {
  if (await isFolder(path, 'artifact')) {
    const files = await readFolder(path);
    const main = Object.keys(files).find((name) => /^solution\.(?:py|js|mjs|cjs)$/u.test(name));
    const language = languages[extname(main ?? '')];
    if (language === undefined)
      throw new CliError('USAGE', `The folder ${path} has no solution.py, solution.js, .mjs or .cjs.`);
    return { language, files };
  }
  const language = languages[extname(path)];
  if (language === undefined) throw new CliError('USAGE', `${path} is neither Python nor JavaScript.`);
  return { language, source: await readFile(path, 'utf8') };
}

/** Reads a suite: a JSON file, or a file or folder of pytest or node:test, which then runs in a box of its own. */
export async function readSuite(path: string): Promise<Suite> {
  const folder = await isFolder(path, 'suite');
  const own = languages[extname(path)];
  if (folder || own !== undefined) {
    const files = folder ? await readFolder(path) : { [basename(path)]: await readFile(path, 'utf8') };
    const python = Object.keys(files).some((name) => languages[extname(name)] === 'python');
    const language = own ?? (python ? 'python' : 'javascript');
    return parseSuite({ id: basename(path), language, mode: 'split', files });
  }
  const text = await readFile(path, 'utf8');
  try {
    return parseSuite(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError('USAGE', `${path} is not JSON: ${error.message}`);
    throw error;
  }
}
