import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { terminalJson } from '@bonafide/internal';
import * as z from 'zod';
import { readAsset } from '../assets.ts';
import { JudgeError } from '../errors.ts';
import type { BuiltPackage } from './store.ts';

const execute = promisify(execFile);

/** An archive of a package. Nothing in it has been run. */
export interface Archive extends BuiltPackage {
  /** Path on this machine. */
  readonly file: string;
  readonly kind: 'tar' | 'wheel' | 'deb';
  readonly layer: 'python' | 'node';
  /** Folder below the layer. */
  readonly to: string;
}

/** A folder for archives, and the signal that ends their download. */
export interface Download {
  /** An empty folder. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

const failure = (what: string, error: unknown): JudgeError => {
  const { stderr = '', message = String(error) } = error as { stderr?: string; message?: string };
  const told = stderr.trim().split('\n').slice(-5).join('\n') || message;
  return new JudgeError('ENVIRONMENT_FAILED', `${what}: ${told.slice(0, 1000)}`, { cause: error });
};

/** Runs a package manager of this machine and returns what it prints. */
async function run(command: string, args: readonly string[], { folder, signal }: Download): Promise<string> {
  const { stdout } = await execute(command, [...args], {
    cwd: folder,
    ...(signal ? { signal } : {}),
    timeout: 600_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const lockEntry = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});
const lockSchema = z.looseObject({ packages: z.record(z.string(), lockEntry) });
const packedSchema = z.array(
  z.looseObject({ name: z.string(), version: z.string(), filename: z.string(), integrity: z.string() }),
);
/** Where a package is stored below the folder of all: its name, or that of a package that is alone there. */
const packageFolder = /^(?:@[\w.~-]+\/)?(?!\.)[\w.~-]+(?:\/node_modules\/(?:@[\w.~-]+\/)?(?!\.)[\w.~-]+)*$/;
/** Packages of one call of npm. */
const batch = 40;

/** Keeps npm from running anything: scripts, and the git of a dependency that does not come from the registry. */
const runsNothing = ['--ignore-scripts', '--allow-git=none', '--git=/bin/false'];
/** Has npm refuse dependencies on files of this machine. Archives from elsewhere are not those of the registry, and are refused then. */
const noFiles = ['--allow-file=none', '--allow-directory=none'];

const runsHere = (wanted: readonly string[] | undefined, own: string): boolean =>
  wanted === undefined ||
  (!wanted.includes(`!${own}`) && (wanted.every((each) => each.startsWith('!')) || wanted.includes(own)));

/**
 * Downloads packages of npm and what they depend on, as npm resolves it. No script of a package is run.
 * @throws JudgeError `ENVIRONMENT_FAILED`.
 */
export async function downloadNode(
  packages: Readonly<Record<string, string>>,
  download: Download,
): Promise<Archive[]> {
  const { folder } = download;
  const quiet = [...runsNothing, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'environment', version: '0.0.0', private: true, dependencies: packages }),
  );
  await run('npm', ['install', '--package-lock-only', ...noFiles, ...quiet], download).catch((error) => {
    throw failure('npm cannot resolve the packages', error);
  });
  const lock = lockSchema.parse(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')));
  const wanted = Object.entries(lock.packages)
    // What is bundled lies in the archive of the package that bundles it.
    .filter(([path, { link, inBundle }]) => path !== '' && link !== true && inBundle !== true)
    .filter(([, { os, cpu }]) => runsHere(os, process.platform) && runsHere(cpu, process.arch))
    .map(([path, { name, version = '', integrity }]) => ({
      to: path.replace(/^node_modules\//, ''),
      spec: `${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      integrity,
    }));
  const specs = [...new Set(wanted.map((each) => each.spec))];
  const archives = new Map<
    string,
    { readonly file: string; readonly integrity: string; readonly sha256: string }
  >();
  for (let start = 0; start < specs.length; start += batch) {
    const text = await run(
      'npm',
      ['pack', '--json', '--pack-destination', folder, ...quiet, '--', ...specs.slice(start, start + batch)],
      download,
    ).catch((error) => {
      throw failure('npm cannot download the packages', error);
    });
    for (const { name, version, filename, integrity } of packedSchema.parse(JSON.parse(text))) {
      const file = join(folder, basename(filename));
      archives.set(`${name}@${version}`, { file, integrity, sha256: await digest(file) });
    }
  }
  return wanted.map(({ to, spec, integrity }) => {
    if (!packageFolder.test(to))
      throw new JudgeError('ENVIRONMENT_FAILED', `${spec} would be stored in ${terminalJson(to)}`);
    const archive = archives.get(spec);
    if (archive === undefined || (integrity !== undefined && archive.integrity !== integrity))
      throw new JudgeError('ENVIRONMENT_FAILED', `The archive of ${spec} is not the one that was resolved`);
    const at = spec.lastIndexOf('@');
    return {
      ...{ name: spec.slice(0, at), version: spec.slice(at + 1), source: 'npm', sha256: archive.sha256 },
      ...{ file: archive.file, kind: 'tar', layer: 'node', to },
    };
  });
}

const requirement = /^(?<name>[A-Za-z0-9][\w.-]*)(?:\[[\w,.-]+\])?(?<version>.*)$/;

/** Downloads a wheel and what it depends on, by pip. */
async function downloadWheels(requirements: readonly string[], download: Download): Promise<Archive[]> {
  const { folder } = download;
  const options = [
    '--only-binary=:all:',
    '--no-input',
    '--disable-pip-version-check',
    '--retries=1',
    '--timeout=15',
  ];
  await run(
    '/usr/bin/python3',
    ['-c', await readAsset('download.py'), 'download', ...options, '--dest', folder, '--', ...requirements],
    download,
  );
  const files = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  return Promise.all(files.sort().map((name) => wheel(join(folder, name), 'pip')));
}

async function wheel(file: string, source: 'pip' | 'file'): Promise<Archive> {
  const [name = '', version = ''] = basename(file).split('-');
  return { name, version, source, sha256: await digest(file), file, kind: 'wheel', layer: 'python', to: '' };
}

/** Names of the packages that a package of Debian needs, each with the first of its alternatives. */
function dependenciesIn(shown: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const block of shown.split(/\n\n+/)) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
    const name = field('Package');
    if (name === '' || found.has(name)) continue;
    const needed = [field('Pre-Depends'), field('Depends')]
      .flatMap((line) => line.split(','))
      .map(
        (each) =>
          each
            .split('|')[0]
            ?.replace(/\(.*|\[.*|:.*/g, '')
            .trim() ?? '',
      )
      .filter((each) => each !== '');
    found.set(name, needed);
  }
  return found;
}

async function closure(
  names: readonly string[],
  without: ReadonlySet<string>,
  download: Download,
): Promise<Set<string>> {
  const all = new Set(names);
  for (let next = names; next.length > 0; ) {
    const shown = await run('apt-cache', ['show', '--no-all-versions', '--', ...next], download);
    const known = dependenciesIn(shown);
    next = [...new Set([...known.values()].flat())].filter(
      (name) => /^(?:python3-|lib)/.test(name) && !all.has(name) && !without.has(name),
    );
    // A virtual package has no record of its own.
    const real =
      next.length === 0
        ? ''
        : await run('apt-cache', ['show', '--no-all-versions', '--', ...next], download).catch(() => '');
    next = next.filter((name) => real.includes(`Package: ${name}\n`));
    for (const name of next) all.add(name);
  }
  return all;
}

/** Downloads packages of the distribution and the libraries that they need beside those of Python itself. */
async function downloadDebian(names: readonly string[], download: Download): Promise<Archive[]> {
  const { folder } = download;
  const own = await closure(['python3'], new Set(), download);
  const base = new Set([...own, 'libc6', 'libgcc-s1', 'libstdc++6', 'python3']);
  const wanted = await closure(names, base, download);
  await run('apt-get', ['download', '--', ...wanted], download);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.deb')).sort();
  return Promise.all(
    files.map(async (name): Promise<Archive> => {
      const [packageName = '', version = ''] = name.replace(/\.deb$/, '').split('_');
      const file = join(folder, name);
      return {
        ...{ name: packageName, version: decodeURIComponent(version), source: 'apt' },
        ...{ sha256: await digest(file), file, kind: 'deb', layer: 'python', to: '' },
      };
    }),
  );
}

/** Version of a package of Debian without epoch and revision. */
const upstreamVersion = (version: string): string =>
  version
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[+~](?:dfsg|ds).*$/, '');

/**
 * Downloads packages of Python: wheels by pip, packages of Debian (`debian:python3-numpy`) by apt, and wheels that are files.
 * Where pip has no access to an index, apt's package of the same name and version is taken. No code of a package is run.
 * @throws JudgeError `ENVIRONMENT_FAILED`.
 */
export async function downloadPython(packages: readonly string[], download: Download): Promise<Archive[]> {
  const files = packages.filter((each) => each.endsWith('.whl'));
  const debian = packages
    .filter((each) => /^(?:debian:|python3-)/.test(each))
    .map((each) => each.replace('debian:', ''));
  const required = packages.filter((each) => !files.includes(each) && !/^(?:debian:|python3-)/.test(each));
  const found: Archive[] = await Promise.all(files.map((each) => wheel(resolve(each), 'file')));
  let fromDebian = debian;
  let refused: unknown = null;
  if (required.length > 0)
    try {
      found.push(...(await downloadWheels(required, download)));
    } catch (error) {
      download.signal?.throwIfAborted();
      refused = error;
      fromDebian = [...debian, ...required.map(debianName)];
    }
  if (fromDebian.length === 0) return found;
  const archives = await downloadDebian(fromDebian, download).catch((error) => {
    download.signal?.throwIfAborted();
    const cause = refused ?? error;
    throw failure(
      refused === null
        ? `apt cannot download ${fromDebian.join(', ')}. \`apt-cache policy ${fromDebian[0]}\` shows what apt knows, and \`sudo apt-get update\` reads its lists again`
        : `Neither pip nor apt has ${required.join(', ')}`,
      cause,
    );
  });
  if (refused !== null)
    for (const each of required) {
      const { version = '' } = requirement.exec(each)?.groups ?? {};
      const got = archives.find(({ name }) => name === debianName(each))?.version ?? '';
      if (version.trim() !== '' && version.replace(/\s/g, '') !== `==${upstreamVersion(got)}`)
        throw failure(`pip cannot download ${each}, and apt has version ${upstreamVersion(got)}`, refused);
    }
  return [...found, ...archives];
}

/** Name by which Debian knows a package of Python. */
const debianName = (wanted: string): string => {
  const { name = '' } = requirement.exec(wanted)?.groups ?? {};
  return `python3-${name
    .toLowerCase()
    .replace(/[_.]+/g, '-')
    .replace(/^python-/, '')}`;
};
