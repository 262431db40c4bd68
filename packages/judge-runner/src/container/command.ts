import type { Runtime } from '../languages/python.ts';
import type { Limits } from '../limits.ts';
import type { EngineName } from './engine.ts';

/** Size of /dev/shm: enough for a lock, not for a store. */
export const sharedMemoryBytes = 16 * 1024 * 1024;
const pageBytes = 4096;
/** Number of user ids a box has, counted from `firstUser`; only one of them is used. */
const userCount = 65_536;
/** Seconds after the box's own time limit at which the engine kills an abandoned box. */
const forgottenSeconds = 60;
/** Processes of a box beyond its limit before its own kernel refuses more. */
const spareProcesses = 16;
/** The label of all our containers; its value is the process id of the judge that made it. */
export const label = 'bonafide.judge';

/** Everything that defines one container. */
export interface ContainerOptions {
  readonly engine: EngineName;
  /** The OCI runtime, for engines that take it per container; null for the engine's default. */
  readonly runtime: string | null;
  readonly name: string;
  /** Process id of the judge. */
  readonly owner: number;
  readonly image: string;
  /** Path in the box of the interpreter. */
  readonly interpreter: string;
  readonly program: Runtime;
  readonly limits: Limits;
  /** The user inside. */
  readonly user: number;
  /** The user outside that the box's user 0 is, or null where the box is to be the judge's own user outside. */
  readonly firstUser: number | null;
  /** True when the engine can set cgroup limits: a second limit below the judge's own. */
  readonly limited: boolean;
  /** Name of the cgroup that the engine is to put it below; null where that is the engine's business. */
  readonly parentGroup: string | null;
  /** True when only per-process limits are available. */
  readonly withDataLimit: boolean;
  /** Files on this machine: the seccomp filter, and where the engine writes the first process's number. */
  readonly seccomp: string;
  readonly pidFile: string;
  readonly conmonFile: string;
  /** Folders and files that are shown, read-only: path on this machine → path in the box. */
  readonly mounts: Readonly<Record<string, string>>;
  /** True when the runtime brings its own kernel, which makes a writable /tmp and passes no descriptors on. */
  readonly ownKernel?: boolean;
  /**
   * File systems of this machine that are the box's work folders, so that a full one is seen: path on this machine →
   * path in the box. Default: the engine makes them.
   */
  readonly disks?: Readonly<Record<string, string>>;
}

/** As `ulimit` values. All are given: defaults may be higher than what we ourselves may have. Pure. */
function resourceLimits({ limits, program, withDataLimit, ownKernel }: ContainerOptions): string[] {
  const cpuSeconds = Math.ceil(limits.cpuHardMs / 1000) + 2;
  const values: Record<string, number> = {
    core: 0,
    cpu: cpuSeconds,
    // A page more than the disk holds, so that a full disk shows as one.
    fsize: limits.diskBytes + pageBytes,
    memlock: 65_536,
    msgqueue: 0,
    nofile: 256,
    // Counts all boxes of one user; what one box may have, its cgroup says. A kernel of its own counts the box alone, and
    // reports one too many before it refuses more.
    nproc: ownKernel ? limits.pids + spareProcesses : Math.max(1000, 8 * limits.pids),
    // Engines know no limit of address space; this one counts what could be written to. It is above the hard limit,
    // so that looking sees that exceeded before allocation fails.
    ...(withDataLimit && program.reservesMemory !== true
      ? { data: limits.memoryHardBytes + 512 * 1024 * 1024 }
      : {}),
  };
  return Object.entries(values).map(([name, value]) => `--ulimit=${name}=${value}:${value}`);
}

/** Returns the mount option that says if programs below /box may be started. Pure. */
export const runs = ({ executesOwnFiles }: Runtime): 'exec' | 'noexec' =>
  executesOwnFiles ? 'exec' : 'noexec';

const memoryFolder = (path: string, size: number, execution: 'exec' | 'noexec'): string =>
  `--tmpfs=${path}:rw,mode=1777,size=${size},nosuid,nodev,${execution}`;

/** Folders that an engine shows by default and that judged programs do not need. */
const hidden = ['/sys', '/sys/fs/cgroup', '/dev/mqueue'] as const;

/** Options that both engines spell alike. */
function hardening(options: ContainerOptions): string[] {
  const { limits, user } = options;
  return [
    ...['--rm', '--pull=never', `--name=${options.name}`, `--label=${label}=${options.owner}`],
    ...['--network=none', '--ipc=private', '--cgroupns=private', '--hostname=sandbox'],
    ...['--read-only', '--cap-drop=all', `--security-opt=seccomp=${options.seccomp}`],
    ...(options.disks
      ? []
      : [
          memoryFolder('/box', limits.diskBytes, runs(options.program)),
          memoryFolder('/dev/shm', sharedMemoryBytes, 'noexec'),
        ]),
    ...[...hidden, ...(options.ownKernel ? ['/tmp'] : [])].map((path) => `--tmpfs=${path}:ro,size=4096`),
    ...[`--user=${user}:${user}`, '--workdir=/box', '--log-driver=none', '--no-healthcheck'],
    ...(options.limited
      ? [
          `--memory=${limits.memoryHardBytes}`,
          `--memory-swap=${limits.memoryHardBytes}`,
          // The engine itself is a process of the box for a moment.
          `--pids-limit=${limits.pids + 16}`,
          `--cpus=${limits.cpus}`,
        ]
      : []),
    ...resourceLimits(options),
    ...Object.entries(options.program.environment).map(([name, value]) => `--env=${name}=${value}`),
  ];
}

function podmanArguments(options: ContainerOptions): string[] {
  const { firstUser, user } = options;
  const map = `0:${firstUser}:${userCount}`;
  return [
    ...['--security-opt=no-new-privileges', '--read-only-tmpfs=false', '--uts=private'],
    // An ordinary user can look into a box from outside only when the box's user is that user there.
    ...(firstUser === null
      ? [`--userns=keep-id:uid=${user},gid=${user}`]
      : [`--uidmap=${map}`, `--gidmap=${map}`]),
    ...(options.parentGroup === null ? [] : [`--cgroup-parent=/${options.parentGroup}`]),
    // Nothing of the machine's or the engine's own is shown.
    ...['--unsetenv-all', '--no-hosts', '--passwd=false', '--http-proxy=false', '--image-volume=ignore'],
    ...['--systemd=false', '--sdnotify=ignore', '--sig-proxy=false'],
    `--timeout=${Math.ceil(options.limits.wallMs / 1000) + forgottenSeconds}`,
    // Questions and answers are the descriptors 3 and 4, and these are pipes to us.
    usesStandardStreams(options) ? '--interactive' : '--preserve-fds=2',
    ...[`--pidfile=${options.pidFile}`, `--conmon-pidfile=${options.conmonFile}`],
    ...Object.entries(options.mounts).map(([from, to]) => `--volume=${from}:${to}:ro,nosuid,nodev`),
    ...Object.entries(options.disks ?? {}).map(
      ([from, to]) =>
        `--volume=${from}:${to}:rw,nosuid,nodev,${to === '/box' ? runs(options.program) : 'noexec'}`,
    ),
  ];
}

function dockerArguments(options: ContainerOptions): string[] {
  return [
    ...['--interactive', '--security-opt=no-new-privileges:true', `--cidfile=${options.pidFile}`],
    ...(options.runtime === null ? [] : [`--runtime=${options.runtime}`]),
    ...Object.entries(options.mounts).map(([from, to]) => `--mount=type=bind,src=${from},dst=${to},readonly`),
    ...Object.entries(options.disks ?? {}).map(([from, to]) => `--mount=type=bind,src=${from},dst=${to}`),
  ];
}

/**
 * True when no descriptors are passed on, as by docker and by gVisor: there, the first program in the box makes 3 and 4 of
 * stdin and stdout. Pure.
 */
export const usesStandardStreams = ({
  engine,
  ownKernel,
}: Pick<ContainerOptions, 'engine' | 'ownKernel'>): boolean => engine === 'docker' || ownKernel === true;

/** The engine's `run` command for one box, hardened as far as the engine can. Pure. */
export function containerArguments(options: ContainerOptions): string[] {
  const command = options.program.command(options.interpreter);
  const [interpreter = '', ...rest] = command;
  return [
    'run',
    ...hardening(options),
    ...(options.engine === 'podman' ? podmanArguments(options) : dockerArguments(options)),
    options.image,
    ...(usesStandardStreams(options)
      ? [interpreter, '-s', '-S', '-B', '/judge/enter.py', interpreter, ...rest]
      : [interpreter, ...rest]),
  ];
}
