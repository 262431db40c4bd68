import { execFile } from 'node:child_process';
import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { MachineFacts } from './diagnosis.ts';

const run = promisify(execFile);

/** The Python that programs are judged with, and what of the file system it needs. */
export interface PythonHost {
  /** Absolute path with links resolved, so that only this one file need be shown. */
  readonly path: string;
  readonly version: string;
  /** Folders with its library and the shared libraries. */
  readonly folders: readonly string[];
  /** Folders with pytest, colon-separated; null when it is not installed. */
  readonly packages: string | null;
  /** Folders with pylint, bandit, mypy and coverage as far as installed, colon-separated. */
  readonly tools: string;
}

/** The first of these paths that can be executed, or null. */
export async function findExecutable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  return null;
}

/**
 * Returns fixed paths of system programs; PATH is never used, since its value may come from an untrusted
 * caller.
 */
export function systemPaths(name: string): string[] {
  return [`/usr/bin/${name}`, `/bin/${name}`, `/usr/local/bin/${name}`, `/usr/sbin/${name}`];
}

/** Returns the standard output of a program that runs with an empty environment. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(command, args, {
    env: {},
    cwd: '/',
    timeout: 10_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.trim();
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Asks an interpreter about itself. Only one below /usr will do: other places are not shown in the box. */
export async function inspectPython(command: string): Promise<PythonHost> {
  const answer = await output(command, [
    '-I',
    '-S',
    '-c',
    'import sys, sysconfig; p = sysconfig.get_paths(); print(sys.version.split()[0], p["stdlib"], p["platstdlib"], sysconfig.get_config_var("LIBDIR") or "", sep="\\n")',
  ]);
  const [version = '', ...own] = answer.split('\n');
  const path = await realpath(command);
  const wanted = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share/zoneinfo', ...own.filter(Boolean)];
  const found = new Set<string>();
  for (const folder of wanted) {
    const inside = [...found].some((outer) => folder === outer || folder.startsWith(`${outer}/`));
    if (!inside && folder.startsWith('/usr/') && (await isFolder(folder))) found.add(folder);
  }
  const isShown = (folder: string) => [...found].some((outer) => folder.startsWith(`${outer}/`));
  const [pytest = '', tools = ''] = (await output(command, ['-I', '-c', findPackages]).catch(() => '')).split(
    '|',
  );
  const packages = pytest.split(':');
  return {
    path,
    version,
    folders: [...found],
    packages: pytest !== '' && packages.every(isShown) ? pytest : null,
    tools: tools.split(':').filter(isShown).join(':'),
  };
}

/** Prints the folders of pytest with what it needs, then after a bar those of the tools. */
const findPackages = `
import importlib.util as util, os
def folders(*names):
    specs = [util.find_spec(name) for name in names]
    return [spec and os.path.dirname(os.path.dirname(os.path.realpath(spec.origin))) for spec in specs]
pytest = folders('pytest', '_pytest', 'pluggy', 'iniconfig', 'packaging')
print(':'.join(dict.fromkeys(pytest)) if all(pytest) else '', end='|')
print(':'.join(dict.fromkeys(filter(None, folders('pylint', 'bandit', 'mypy', 'coverage')))))
`;

/** True when `version` (`3.11.2`) is at least `wanted` (`[3, 9]`). Pure. */
export function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of wanted.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Folders at the top of the file system that are links into /usr, as on every current distribution. */
export async function topLinks(): Promise<readonly (readonly [target: string, path: string])[]> {
  const links: (readonly [string, string])[] = [];
  for (const name of ['lib', 'lib32', 'lib64']) {
    const path = `/${name}`;
    const real = await realpath(path).catch(() => null);
    if (real?.startsWith('/usr/')) links.push([real.slice(1), path]);
  }
  return links;
}

/** The text of a file, or null when it cannot be read. */
export const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** Collects the facts about this machine that a diagnosis uses. */
export async function machineFacts(): Promise<MachineFacts> {
  const [osRelease, apparmor, clone, maximum, container, docker] = await Promise.all(
    [
      '/etc/os-release',
      '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
      '/proc/sys/kernel/unprivileged_userns_clone',
      '/proc/sys/user/max_user_namespaces',
      '/run/.containerenv',
      '/.dockerenv',
    ].map(readText),
  );
  return {
    platform: process.platform,
    architecture: process.arch,
    osRelease: osRelease ?? null,
    apparmorRestrictsUserns: apparmor ?? null,
    unprivilegedUsernsClone: clone ?? null,
    maxUserNamespaces: maximum ?? null,
    inContainer: (container ?? docker ?? null) !== null,
  };
}
