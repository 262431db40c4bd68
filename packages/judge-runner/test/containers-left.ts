import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ContainerOptions } from '../src/index.ts';

/** A program that has a judge and a sandbox of containers. */
export const childScript = (options: ContainerOptions, body: string): string => `
  const { createJudge, createContainerSandbox } = await import(${JSON.stringify(resolve(import.meta.dirname, '../src/index.ts'))});
  const sandbox = await createContainerSandbox(${JSON.stringify(options)});
  const judge = createJudge({ sandbox });
  ${body}
  await sandbox.close();
`;

export const inChild = (options: ContainerOptions, body: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', childScript(options, body)]);

const cache =
  process.getuid?.() === 0 ? '/var/cache' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cache, 'bonafide-judge');
const boxes = join(folder, 'boxes');

export function groupsNamed(pattern: string): string[] {
  // Groups of other judges come and go meanwhile.
  const search = ['/sys/fs/cgroup', '-ignore_readdir_race', '-name', pattern];
  const found = execFileSync('/usr/bin/find', search, { encoding: 'utf8' });
  return found.split('\n').filter(Boolean);
}

/** Everything on this machine that is of a box of the judge with this process id. */
export function left(pid: number): string[] {
  const names = new RegExp(`bonafide-judge-${pid}-|/boxes/${pid}-`);
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => names.test(textOf(`/proc/${name}/cmdline`)));
  const folders = existsSync(boxes) ? readdirSync(boxes).filter((name) => name.startsWith(`${pid}-`)) : [];
  const sinks = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(`threads-${pid}-`))
    : [];
  const mounts = textOf('/proc/mounts')
    .split('\n')
    .filter((line) => names.test(line));
  return [
    ...processes.map((name) => `process ${name} ${textOf(`/proc/${name}/cmdline`).slice(0, 200)}`),
    ...groupsNamed(`bonafide-judge-${pid}-*`).map((path) => `cgroup ${path}`),
    ...mounts,
    ...[...folders, ...sinks].map((name) => `folder ${name}`),
  ];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
