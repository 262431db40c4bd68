import type { BoxFile, Runtime } from '../languages/python.ts';
import type { Limits } from '../limits.ts';
import type { Host } from './host.ts';

/** File descriptors in the box's command: 3 and 4 stay open for the launcher, bubblewrap uses up the others. */
export const descriptors = {
  requests: 3,
  answers: 4,
  status: 5,
  gate: 6,
  seccomp: 7,
  arguments: 8,
  /** The first of the files' contents. */
  files: 9,
} as const;

/** Size of /dev/shm: enough for a lock, not for a store. */
const sharedMemoryBytes = 16 * 1024 * 1024;
const pageBytes = 4096;

/**
 * Resource limits of a single process: a second limit below the cgroup's, and the only one without a cgroup.
 */
function resourceLimits(limits: Limits, withAddressSpace: boolean): string[] {
  const cpuSeconds = Math.ceil(limits.cpuHardMs / 1000) + 2;
  return [
    '--core=0',
    '--nofile=256',
    `--cpu=${cpuSeconds}`,
    '--memlock=65536',
    '--msgqueue=0',
    // A page more than the disk holds, so that a full disk shows as one.
    `--fsize=${limits.diskBytes + pageBytes}`,
    // Above the hard limit, so that looking sees it exceeded before allocation fails.
    ...(withAddressSpace ? [`--as=${limits.memoryHardBytes + 512 * 1024 * 1024}`] : []),
  ];
}

/** bubblewrap's options, which travel on a descriptor so that /proc/1/cmdline shows none of them. Pure. */
export function bubblewrapOptions(options: {
  readonly host: Pick<Host, 'python'>;
  readonly links: readonly (readonly [target: string, path: string])[];
  readonly runtime: Runtime;
  readonly limits: Limits;
  readonly user: number;
  /** Files that are passed through descriptors. */
  readonly files: readonly BoxFile[];
  /** Folders of the judge's own making: host path → path in the box. */
  readonly folders: Readonly<Record<string, string>>;
}): string[] {
  const { host, links, limits, user } = options;
  const { environment, programs = {}, optional = {} } = options.runtime;
  const { files, folders } = options;
  return [
    '--unshare-all',
    '--unshare-user',
    // Else the artifact could make a namespace of its own and be root in it.
    '--disable-userns',
    ...['--uid', `${user}`, '--gid', `${user}`, '--hostname', 'sandbox'],
    ...host.python.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', host.python.path, host.python.path],
    ...Object.entries(programs).flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...Object.entries(optional).flatMap(([from, to]) => ['--ro-bind-try', from, to]),
    ...Object.entries(folders).flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...[...links, ...(options.runtime.links ?? [])].flatMap(([target, path]) => ['--symlink', target, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', `${limits.diskBytes}`, '--tmpfs', '/box'],
    ...['--size', `${sharedMemoryBytes}`, '--tmpfs', '/dev/shm'],
    ...files.flatMap((file, index) => [
      '--perms',
      '0644',
      '--ro-bind-data',
      `${descriptors.files + index}`,
      file.path,
    ]),
    // bubblewrap's own / and /dev are tmpfs of half the memory until they are made read-only.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    // The program is the first process of the box, so that everything in it dies with it.
    '--as-pid-1',
    '--die-with-parent',
    '--new-session',
    ...['--cap-drop', 'ALL', '--chdir', '/box'],
    ...['--json-status-fd', `${descriptors.status}`, '--block-fd', `${descriptors.gate}`],
    ...['--seccomp', `${descriptors.seccomp}`],
  ];
}

/** The whole command: resource limits, then bubblewrap, then the launcher. */
export function boxCommand(host: Host, limits: Limits, runtime: Runtime): [command: string, args: string[]] {
  return [
    host.prlimit,
    [
      ...resourceLimits(limits, host.meters.kind === 'none' && runtime.reservesMemory !== true),
      '--',
      host.bwrap,
      '--args',
      `${descriptors.arguments}`,
      '--',
      ...runtime.command(host.python.path),
    ],
  ];
}
