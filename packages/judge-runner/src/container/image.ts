import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { JudgeError } from '../errors.ts';
import { output, type PythonHost, readText, topLinks } from '../isolation/machine.ts';
import { programLinks } from '../languages/program.ts';
import type { Engine } from './engine.ts';

/** Folders of an image that are there to be mounted upon. */
const mountPoints = [
  'artifact',
  'box',
  'dev',
  'etc',
  'judge',
  'proc',
  'run',
  'runtime',
  'suite',
  'sys',
  'usr',
  'usr/bin',
] as const;

/** Changes whenever the same content makes another image. */
const layout = 2;

/** Of a library's folder, what no program that is judged imports: tools to install, to edit and to link with. */
const leftOut = /\/(?:ensurepip|idlelib|lib2to3\/tests|turtledemo|config-[^/]+|pip|EXTERNALLY-MANAGED)$/;

/** The content of an image. */
export interface ImageContent {
  /** Every file, link and folder, absolute, sorted; they keep their places in the image. */
  readonly paths: readonly string[];
  /** Hexadecimal SHA-256 over the names, sizes, modes and times of all of it. */
  readonly digest: string;
}

/** A path with the folders above it resolved, but not the file itself. */
const inRealFolder = (path: string): string =>
  join(realpathSync(dirname(path)), path.slice(dirname(path).length));

/** The shared libraries in what `ldd` printed about one or more files. Pure. */
export function sharedLibraries(printed: string): string[] {
  const found = new Set<string>();
  for (const line of printed.split('\n')) {
    const path = /(?:=>\s*|^\s+)(\/\S+)\s+\(0x/.exec(line)?.[1];
    if (path !== undefined) found.add(path);
  }
  return [...found];
}

/** Collects a path, what is below it, and the folders above it. */
function collect(path: string, into: Map<string, string>): void {
  if (into.has(path) || leftOut.test(path)) return;
  const found = lstatSync(path);
  const target = found.isSymbolicLink() ? readlinkSync(path) : '';
  if (!found.isDirectory() && !found.isFile() && target === '') return;
  const size = found.isDirectory() ? 0 : found.size;
  // A folder's time changes with its caches, a file's only with the file.
  const time = found.isFile() ? Math.floor(found.mtimeMs) : 0;
  into.set(path, `${path}\0${(found.mode & 0o7777).toString(8)}\0${size}\0${time}\0${target}`);
  if (found.isDirectory()) for (const name of readdirSync(path)) collect(join(path, name), into);
}

/**
 * Lists what a Python needs: the interpreter, its library, installed packages, and the shared libraries of
 * all of them.
 * @param programs - Further programs whose shared libraries are needed; they themselves are mounted later.
 * @param folder - Where what takes long to find out is remembered.
 */
export async function imageContent(
  python: PythonHost,
  programs: readonly string[],
  folder: string,
): Promise<ImageContent> {
  const found = new Map<string, string>();
  const packages = [python.packages ?? '', python.tools].flatMap((list) => list.split(':')).filter(Boolean);
  const library = await output(python.path, ['-I', '-S', '-c', findLibrary]);
  for (const folder of [...library.split('\n'), '/usr/share/zoneinfo', ...packages])
    if (folder !== '' && realFolder(folder)) collect(realpathSync(folder), found);
  collect(python.path, found);
  const objects = [...found.keys()].filter((path) => /\.so(?:\.|$)/.test(path) && lstatSync(path).isFile());
  for (const library of await librariesOf([python.path, ...programs, ...objects], folder)) {
    const link = inRealFolder(library);
    if (!link.startsWith('/usr/')) continue;
    collect(link, found);
    collect(realpathSync(library), found);
  }
  const paths = [...found.keys()].sort();
  const digest = createHash('sha256').update(`${layout}\n`);
  for (const path of paths) digest.update(`${found.get(path)}\n`);
  return { paths, digest: digest.digest('hex') };
}

function realFolder(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isDirectory();
  } catch {
    return false;
  }
}

/** ldd fails when a single one of its files has no libraries, having told about the others. */
async function printedByLdd(files: readonly string[]): Promise<string> {
  try {
    return await output('/usr/bin/ldd', files);
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
  }
}

/** The shared libraries that files need. Asking takes a second or two, so the answer is kept until a file changes. */
async function librariesOf(files: readonly string[], folder: string): Promise<readonly string[]> {
  const key = createHash('sha256');
  for (const path of [...files, '/etc/ld.so.cache']) {
    const found = statSync(path, { throwIfNoEntry: false });
    key.update(`${path}\0${found?.size}\0${found?.mtimeMs}\n`);
  }
  const memory = join(folder, `libraries-${key.digest('hex').slice(0, 16)}`);
  const remembered = (await readText(memory))?.split('\n').filter(Boolean);
  if (remembered?.every((path) => statSync(path, { throwIfNoEntry: false }))) return remembered;
  const libraries = sharedLibraries(await printedByLdd(files));
  const unfinished = `${memory}.${process.pid}`;
  writeFileSync(unfinished, `${libraries.join('\n')}\n`);
  renameSync(unfinished, memory);
  return libraries;
}

const findLibrary =
  'import sysconfig; print(sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), sep="\\n")';

/** The image's name: the same content has the same name on the same kind of machine. Pure. */
export const imageTag = (digest: string): string => `localhost/bonafide-judge:${digest.slice(0, 16)}`;

/**
 * Builds the image unless the engine already stores it. Downloads nothing.
 * @param folder - For what is needed for a moment.
 */
export async function ensureImage(
  engine: Engine,
  content: ImageContent,
  folder: string,
): Promise<{ readonly tag: string; readonly made: boolean }> {
  const tag = imageTag(content.digest);
  const known = await engine.run(['image', 'inspect', '--format', '{{.Id}}', tag]).catch(() => null);
  if (known !== null) return { tag, made: false };
  const skeleton = mkdtempSync(join(folder, `${process.pid}-image-`));
  try {
    for (const name of mountPoints) {
      mkdirSync(join(skeleton, name));
      // runc gives what it mounts in a folder's place the folder's mode.
      chmodSync(join(skeleton, name), name === 'box' ? 0o1777 : 0o755);
    }
    chmodSync(skeleton, 0o755);
    for (const [target, path] of [...(await topLinks()), ...programLinks])
      await symlink(target, join(skeleton, path));
    await importTar(engine, tag, skeleton, content);
  } finally {
    rmSync(skeleton, { recursive: true, force: true });
  }
  return { tag, made: true };
}

/** The program that packs, from the skeleton and from this machine, straight into the engine. */
async function importTar(
  engine: Engine,
  tag: string,
  skeleton: string,
  content: ImageContent,
): Promise<void> {
  const args = [
    ...['--create', '--file=-', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner'],
    // Bytes of the image depend on nothing but its content; files keep their times, which compiled modules go by.
    '--no-recursion',
    ...[
      '--directory',
      skeleton,
      '.',
      ...mountPoints,
      ...readdirSync(skeleton).filter((name) => !isMountPoint(name)),
    ],
    ...['--directory', '/', '--ignore-failed-read', '--null', '--verbatim-files-from', '--files-from=-'],
  ];
  const tar = spawn('/bin/tar', args, { env: { LC_ALL: 'C.UTF-8' }, stdio: ['pipe', 'pipe', 'pipe'] });
  const load = engine.spawn(['import', '--message', 'bonafide judge', '-', tag], ['pipe', 'pipe', 'pipe']);
  let said = '';
  for (const stream of [tar.stderr, load.stderr])
    stream?.on('data', (data: Buffer) => {
      if (said.length < 2000) said += data.toString('utf8');
    });
  load.stdout?.resume();
  tar.stdin.on('error', () => {});
  load.stdin?.on('error', () => {});
  tar.stdin.end(content.paths.map((path) => `${relative('/', path)}\0`).join(''));
  if (load.stdin) tar.stdout.pipe(load.stdin);
  const ends = [tar, load].map(
    (child) =>
      new Promise<number | null>((resolve) => {
        child.on('close', resolve);
        child.on('error', (error) => {
          said += error.message;
          resolve(127);
        });
      }),
  );
  // An engine that has ended reads no more, and the packer would wait for it for ever.
  load.on('close', () => tar.kill());
  const codes = await Promise.all(ends);
  if (codes.some((code) => code !== 0))
    throw new JudgeError(
      'INFRA',
      `The image could not be made: ${said.trim().split('\n').slice(-3).join(' | ')}`,
    );
}

const isMountPoint = (name: string): boolean => (mountPoints as readonly string[]).includes(name);
