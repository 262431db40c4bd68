import { readFile, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { ProtectionLayer } from '../verdict.ts';
import type { MeterSource } from './meter.ts';
import { isOver, parseStatus, processTree } from './processes.ts';
import {
  capabilitiesLayer,
  cgroupLayer,
  diskLayer,
  landlockLayer,
  privilegesLayer,
  readOnlyLayer,
  writableMounts,
} from './protection.ts';

/** A box's kernel that is a program of this machine, such as gVisor's. */
export interface OwnKernel {
  /** For a person. */
  readonly name: string;
  /** Absolute path of the runtime's program, without symbolic links. */
  readonly program: string;
}

/** A kernel that reports about the threads of its boxes. */
export interface WatchedKernel extends OwnKernel {
  readonly threads: ThreadWatch;
}

/** Callbacks for a kernel's reports about the threads of one box. */
export interface Watched {
  /** A thread was killed for a forbidden call. */
  onForbidden(): void;
  /** The highest number of threads in the box at one time has grown to this, counted over all processes. */
  onThreads(count: number): void;
  /** Reports were lost: nothing about the box can be relied on. */
  onGone(): void;
}

/** Reports of kernels about the threads of their boxes. */
export interface ThreadWatch {
  /**
   * Follows a box's threads.
   * @param container - The kernel's name of the box.
   * @returns Resolves when the last report has been passed on.
   */
  follow(container: string, watched: Watched): Promise<void>;
  close(): Promise<void>;
}

/** Returns true for the runtime's program, and for those in the folder that newer releases of gVisor bring beside it. Pure. */
const isOwnProgram = (path: string, { program }: OwnKernel): boolean =>
  path === program || path.startsWith(`${dirname(program)}/gvisor-bin/`);

/** SIGSYS: the end of a program that made a forbidden call. */
const killedBySeccomp = 31;
/** Namespaces that the kernel's processes must not share with this machine. Those of processes and cgroups are its own business. */
const apart = ['user', 'net', 'mnt', 'ipc', 'uts'] as const;
/** Folders of a box where a program must not be able to write. */
export const lockedFolders = [
  '/',
  '/dev',
  '/etc',
  '/usr',
  '/usr/lib',
  '/run',
  '/tmp',
  '/sys',
  '/judge',
] as const;
/** Variables that engines set without being asked. */
const engineVariables = ['HOME', 'HOSTNAME', 'PATH', 'TERM', 'container'] as const;

const outcome = z.union([z.enum(['done', 'refused']), z.int()]);

/** Facts that the launcher found in the box, before anything that is judged. */
export const insideFacts = z.object({
  status: z.string(),
  mounts: z.string(),
  interfaces: z.array(z.string()),
  processes: z.array(z.int()),
  descriptors: z.array(z.int()),
  environment: z.array(z.string()),
  noNewPrivileges: z.int(),
  limits: z.record(z.string(), z.number()),
  /** Locked folders that could be written to. */
  written: z.array(z.string()),
  /** Attempts: `done`, `refused` with an error, or the number of the signal that ended the child process that tried. */
  network: outcome,
  namespace: outcome,
  /** A call that the launcher's filter allows and the profile's forbids. */
  forbidden: outcome,
});
/** Facts that the launcher found in the box, before anything that is judged. */
export type InsideFacts = z.infer<typeof insideFacts>;

/** Facts about one process of a kernel that is a program, from this machine's /proc. */
export interface OutsideFacts {
  readonly pid: number;
  readonly program: string;
  readonly users: readonly string[];
  /** Namespaces that it shares with the judge. */
  readonly shared: readonly string[];
  readonly seccomp: boolean;
  readonly noNewPrivileges: boolean;
  /** Mounts of the kernel that can be written to. Who serves its files sees the box's folders, and no others. */
  readonly writable: readonly string[];
  readonly interfaces: readonly string[];
}

/** Returns the process that started `pid`, or null when it is gone. */
async function parentOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(parseStatus(status).get('PPid')) || null;
}

const programOf = (pid: number): Promise<string> => readlink(`/proc/${pid}/exe`).catch(() => '');

/**
 * Returns the processes that a box with its own kernel consists of: the kernel, the server of its files beside it, and the
 * processes that it runs programs in.
 */
export async function kernelProcesses(pid: number, kernel: OwnKernel): Promise<number[]> {
  const parent = await parentOf(pid);
  // Both are children of the engine's keeper of this one container.
  const [, ...around] = parent === null || parent === 1 ? [] : await processTree(parent);
  const own = await processTree(pid);
  const beside = around.filter((each) => !own.includes(each));
  const programs = await Promise.all(beside.map(programOf));
  return [...own, ...beside.filter((_, index) => isOwnProgram(programs[index] ?? '', kernel))];
}

/** Returns the kernel's name of the box whose first process this is: the last argument that it was started with. */
export async function containerName(pid: number): Promise<string> {
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter(Boolean);
  return args.at(-1) ?? '';
}

/** Interfaces of a /proc/net/dev text. Pure. */
const interfacesOf = (text: string): string[] =>
  text
    .split('\n')
    .slice(2)
    .map((line) => line.split(':')[0]?.trim() ?? '')
    .filter(Boolean);

async function lookAt(pid: number, servesFiles: boolean): Promise<OutsideFacts> {
  const [program, status, mountinfo, devices, shared] = await Promise.all([
    readlink(`/proc/${pid}/exe`),
    readFile(`/proc/${pid}/status`, 'utf8').then(parseStatus),
    readFile(`/proc/${pid}/mountinfo`, 'utf8'),
    readFile(`/proc/${pid}/net/dev`, 'utf8'),
    Promise.all(
      apart.map(async (name) => {
        const [own, theirs] = await Promise.all(
          ['self', pid].map((each) => readlink(`/proc/${each}/ns/${name}`)),
        );
        return own === theirs ? [name] : [];
      }),
    ),
  ]);
  return {
    pid,
    program,
    users: status.get('Uid')?.split(/\s+/) ?? [],
    shared: shared.flat(),
    seccomp: status.get('Seccomp') === '2',
    noNewPrivileges: status.get('NoNewPrivs') === '1',
    writable: servesFiles ? [] : writableMounts(mountinfo),
    interfaces: interfacesOf(devices),
  };
}

/** Looks from outside at the processes that a box with its own kernel consists of. */
async function lookAtKernel(pid: number, kernel: OwnKernel): Promise<OutsideFacts[]> {
  const [all, own] = await Promise.all([kernelProcesses(pid, kernel), processTree(pid)]);
  const found = await Promise.all(
    all.map((each) =>
      lookAt(each, !own.includes(each)).catch((error) => {
        // A kernel ends processes that it no longer needs.
        if (isOver(each)) return null;
        throw error;
      }),
    ),
  );
  return found.filter((one) => one !== null);
}

const list = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join('; ');

/** The wall that only such a box has: what stands between its kernel and this machine. Pure. */
export function kernelLayer(
  kernel: OwnKernel,
  processes: readonly OutsideFacts[],
  rootOutside: boolean,
): ProtectionLayer {
  const wrong = processes.map((each) =>
    list([
      !isOwnProgram(each.program, kernel) && `is ${each.program}`,
      rootOutside && each.users.includes('0') && 'is root',
      each.users.length === 0 && 'has an unknown user',
      each.shared.length > 0 && `shares with the host: ${each.shared.join(', ')}`,
      !each.seccomp && 'has no filter of system calls',
      !each.noNewPrivileges && 'may gain privileges',
      each.writable.length > 0 && `can write to ${each.writable.join(', ')}`,
      each.interfaces.some((one) => one !== 'lo') && `has the interfaces ${each.interfaces.join(', ')}`,
    ]),
  );
  const faults = wrong.flatMap((text, index) =>
    text === '' ? [] : [`process ${processes[index]?.pid} ${text}`],
  );
  const found = processes.length > 0;
  return {
    name: 'own-kernel',
    inForce: found && faults.length === 0,
    detail: !found
      ? `no process of ${kernel.program}`
      : faults.length > 0
        ? faults.join('; ')
        : `${kernel.name}: ${processes.length} processes with a filter of system calls, own ${apart.join(', ')}, no network and no mount to write to`,
  };
}

/** Mounts of a box that can be written to and should not be, among those that are not tried. Pure. */
const strayMounts = (mounts: string): string[] =>
  writableMounts(mounts).filter((point) => !/^\/(?:box|proc|dev|dev\/.+)$/.test(point));

const isFatal = (what: InsideFacts['network']): boolean => what === killedBySeccomp;
const describe = (what: InsideFacts['network']): string =>
  typeof what === 'number' ? `ended by signal ${what}` : what;

/** The walls that the launcher measured in its box. Pure. */
export function insideLayers(facts: InsideFacts, environment: readonly string[]): ProtectionLayer[] {
  const status = parseStatus(facts.status);
  const users = status.get('Uid')?.split(/\s+/) ?? [];
  const expected = new Set<string>([...environment, ...engineVariables]);
  const interfaces = facts.interfaces.filter((name) => name !== 'lo');
  const alone = facts.processes.length === 1 && facts.processes[0] === 1;
  const writable = [...new Set([...facts.written, ...strayMounts(facts.mounts)])];
  const extra = facts.descriptors.filter((descriptor) => descriptor > 4);
  const variables = facts.environment.filter((name) => !expected.has(name));
  const filtered = status.get('Seccomp') === '2';
  const { CORE, CPU = -1, FSIZE = -1, NOFILE = -1 } = facts.limits;
  const layers: Omit<ProtectionLayer, 'measured'>[] = [
    {
      name: 'namespaces',
      inForce: alone && interfaces.length === 0 && facts.namespace !== 'done',
      detail: `processes: ${facts.processes.join(', ')}; interfaces: ${facts.interfaces.join(', ') || 'none'}; another namespace: ${describe(facts.namespace)}`,
    },
    {
      name: 'uid',
      inForce: users.length > 0 && !users.includes('0'),
      detail: `runs as ${users[0] ?? 'an unknown user'} inside`,
    },
    readOnlyLayer(writable),
    // gVisor does not show the ambient set, which is never larger than the permitted one.
    capabilitiesLayer(status, ['CapInh', 'CapPrm', 'CapEff', 'CapBnd']),
    {
      name: 'descriptors',
      inForce: extra.length === 0 && variables.length === 0,
      detail:
        list([
          extra.length > 0 && `also open: ${extra.join(', ')}`,
          variables.length > 0 && `also set: ${variables.join(', ')}`,
        ]) || 'stdio, questions and answers only; no variable but those of the box',
    },
    privilegesLayer(facts.noNewPrivileges === 1),
    {
      name: 'seccomp-launch',
      inForce: filtered && facts.namespace !== 'done',
      detail: `seccomp mode ${status.get('Seccomp') ?? 'unknown'}; another namespace: ${describe(facts.namespace)}`,
    },
    {
      name: 'seccomp-profile',
      inForce: filtered && isFatal(facts.forbidden) && facts.network !== 'done',
      detail: `tried in child processes: a forbidden call ${describe(facts.forbidden)}, a network socket ${describe(facts.network)}`,
    },
    {
      name: 'rlimits',
      inForce: CORE === 0 && [CPU, FSIZE, NOFILE].every((value) => value > 0),
      detail: `cpu ${CPU} s, file size ${FSIZE}, open files ${NOFILE}, core files ${CORE ?? 'unknown'}`,
    },
  ];
  return layers.map((layer) => ({ ...layer, measured: 'inside' }));
}

/** Made only when the kernel has reported the forbidden call that the launcher tried. */
const threadsLayer: ProtectionLayer = {
  name: 'syscall-supervisor',
  inForce: true,
  detail: 'forbidden calls are reported by the kernel of the box, in child processes too, but not named',
};

/** Returns how many of the launcher's attempts ended by a filter, each of which the kernel reports. Pure. */
export const fatalAttempts = ({ network, namespace, forbidden }: InsideFacts): number =>
  [network, namespace, forbidden].filter(isFatal).length;

/** Walls of a box with its own kernel, partly measured outside of it and partly inside. */
export async function measureOwnKernel(
  pid: number,
  options: {
    readonly kernel: OwnKernel;
    readonly inside: InsideFacts;
    /** Names of the variables that the box was given. */
    readonly environment: readonly string[];
    readonly meters: MeterSource;
    readonly watchesDisk: boolean;
    readonly rootOutside: boolean;
    readonly landlock: number;
  },
): Promise<ProtectionLayer[]> {
  return [
    kernelLayer(options.kernel, await lookAtKernel(pid, options.kernel), options.rootOutside),
    ...insideLayers(options.inside, options.environment),
    cgroupLayer(options.meters),
    diskLayer(options.watchesDisk),
    landlockLayer(options.landlock),
    threadsLayer,
  ];
}
