import { constants } from 'node:fs';
import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import { loadProfileCommand } from '../assets.ts';
import type { ProtectionLayer } from '../verdict.ts';
import type { MeterSource } from './meter.ts';
import { parseStatus } from './processes.ts';

/** Device 1:3, as the kernel packs it. */
const nullDevice = (1 << 8) | 3;

const namespaces = ['user', 'pid', 'net', 'ipc', 'uts', 'cgroup', 'mnt'] as const;

/** Mount points of a mountinfo text that can be written to. Pure. */
export function writableMounts(mountinfo: string): string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, , , , point, options] = line.split(' ');
    return point !== undefined && options?.split(',').includes('rw') ? [point] : [];
  });
}

/** Writable mounts of a box; the devices are the few that bubblewrap creates. */
const meantToBeWritable = (point: string): boolean =>
  point === '/box' || point === '/proc' || point === '/dev/shm' || point.startsWith('/dev/');

/** In-memory folders that an engine creates and fills with mounts and devices only. */
const filledByTheEngine: ReadonlySet<string> = new Set(['/dev', '/sys/fs/cgroup']);

/**
 * Returns true when a box's user can write to a mount that is not read-only, or when that cannot be
 * determined.
 */
async function canWrite(pid: number, point: string, ids: readonly (readonly string[])[]): Promise<boolean> {
  const masked = point.startsWith('/proc/');
  if (!masked && !filledByTheEngine.has(point)) return true;
  try {
    const { mode, uid, gid, rdev } = await stat(`/proc/${pid}/root${point}`);
    // A file of the kernel's that the null device was laid over.
    if (masked) return (mode & constants.S_IFMT) !== constants.S_IFCHR || rdev !== nullDevice;
    const [users = [], groups = []] = ids;
    const [mine, ours] = [users.includes(`${uid}`), groups.includes(`${gid}`)];
    return mine || (ours && (mode & 0o020) !== 0) || (mode & 0o002) !== 0;
  } catch {
    return true;
  }
}

/** Describes the restrictions of a Landlock version; network rules exist since version 4. Pure. */
export function landlockLayer(version: number): ProtectionLayer {
  const kept = `writing only to /box, /dev/shm and devices${version >= 4 ? ', no TCP' : ''}`;
  return {
    name: 'landlock',
    inForce: version > 0,
    detail: version > 0 ? `version ${version}: ${kept}` : 'this kernel does not support it',
  };
}

/** The wall of AppArmor, given what the kernel says a process is confined by; null where it has no AppArmor. Pure. */
export function apparmorLayer(label: string | null): ProtectionLayer[] {
  if (label === null) return [];
  const confined = label.includes('bonafide-judge-artifact') && /\(enforce\)/.test(label);
  return [
    {
      name: 'apparmor',
      inForce: confined,
      detail: confined
        ? `confined by ${label.trim()}`
        : `the profile is not loaded (${loadProfileCommand('bonafide-judge-artifact')})`,
    },
  ];
}

/** Says if a program can write to more than its work folders. Pure. */
export const readOnlyLayer = (writable: readonly string[]): ProtectionLayer => ({
  name: 'read-only-root',
  inForce: writable.length === 0,
  detail:
    writable.length === 0 ? 'only /box and /dev/shm can be written to' : `writable: ${writable.join(', ')}`,
});

/**
 * Says if a process has capabilities, by the sets that its status must show. Pure.
 * @param status - Lines of /proc/PID/status. A set that it lacks counts as held.
 */
export function capabilitiesLayer(
  status: ReadonlyMap<string, string>,
  sets: readonly string[],
): ProtectionLayer {
  const held = sets.filter((name) => BigInt(`0x${status.get(name) || 'f'}`) !== 0n);
  return {
    name: 'capabilities',
    inForce: held.length === 0,
    detail: held.length === 0 ? 'none' : `not empty: ${held.join(', ')}`,
  };
}

/** Says if setuid files could give a process more privileges. Pure. */
export const privilegesLayer = (areFixed: boolean): ProtectionLayer => ({
  name: 'no-new-privileges',
  inForce: areFixed,
  detail: 'setuid files have no effect',
});

/** The limits of a box as a whole. Pure. */
export const cgroupLayer = ({ kind, detail }: MeterSource): ProtectionLayer => ({
  name: 'cgroup',
  inForce: kind !== 'none',
  detail,
});

/** Says if a full disk is noticed. Pure. */
export const diskLayer = (isWatched: boolean): ProtectionLayer => ({
  name: 'disk-watch',
  inForce: isWatched,
  detail: isWatched
    ? 'a full /box or /dev/shm is seen from outside'
    : 'the box cannot be looked into from outside; its size is limited all the same',
});

/** Says if forbidden calls are named. Pure. */
const supervisorLayer = (isSupervised: boolean): ProtectionLayer => ({
  name: 'syscall-supervisor',
  inForce: isSupervised,
  detail: isSupervised
    ? 'forbidden calls are named, in child processes too; paths that are opened are looked at'
    : 'this kernel cannot: a forbidden system call is seen, its name is not',
});

/** What this machine shows of a box's first process. */
async function lookAt(pid: number) {
  const [apparmor, status, mountinfo, open, links] = await Promise.all([
    // Only where the kernel has it.
    readFile(`/proc/${pid}/attr/apparmor/current`, 'utf8').catch(() => null),
    readFile(`/proc/${pid}/status`, 'utf8').then(parseStatus),
    readFile(`/proc/${pid}/mountinfo`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
    Promise.all(
      namespaces.map(async (name) => {
        const [own, inside] = await Promise.all([
          readlink(`/proc/self/ns/${name}`),
          readlink(`/proc/${pid}/ns/${name}`),
        ]);
        return { name, apart: own !== inside };
      }),
    ),
  ]);
  const uid = status.get('Uid')?.split(/\s+/) ?? [];
  const groups = `${status.get('Gid')} ${status.get('Groups')}`.split(/\s+/);
  const candidates = writableMounts(mountinfo).filter((point) => !meantToBeWritable(point));
  const written = await Promise.all(candidates.map((point) => canWrite(pid, point, [uid, groups])));
  return {
    apparmor,
    status,
    uid,
    shared: links.filter((link) => !link.apart).map((link) => link.name),
    writable: candidates.filter((_, index) => written[index]),
    extra: open.filter((descriptor) => Number(descriptor) > 4),
  };
}

/**
 * Looks at a box from outside, before the artifact is loaded, and says what stands around it. Nothing
 * here is taken from what was asked for.
 */
export async function measureProtection(
  pid: number,
  options: {
    readonly meters: MeterSource;
    readonly watchesDisk: boolean;
    readonly rootOutside: boolean;
    /** Landlock version that the launcher applied before the artifact ran; 0 when not available. */
    readonly landlock: number;
    readonly supervised: boolean;
  },
): Promise<ProtectionLayer[]> {
  const { apparmor, status, uid, shared, writable, extra } = await lookAt(pid);
  const filters = Number(status.get('Seccomp_filters') ?? Number.NaN);
  const filtered = status.get('Seccomp') === '2';
  return [
    {
      name: 'namespaces',
      inForce: shared.length === 0,
      detail:
        shared.length === 0 ? `own ${namespaces.join(', ')}` : `shared with the host: ${shared.join(', ')}`,
    },
    {
      name: 'uid',
      inForce: uid.length > 0 && !uid.includes('0'),
      detail: options.rootOutside
        ? `runs as ${uid[0]} outside`
        : `runs as our own user ${uid[0]} outside, kept apart by its namespaces`,
    },
    readOnlyLayer(writable),
    capabilitiesLayer(status, ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']),
    {
      name: 'descriptors',
      inForce: extra.length === 0,
      detail: extra.length === 0 ? 'stdio, questions and answers only' : `also open: ${extra.join(', ')}`,
    },
    privilegesLayer(status.get('NoNewPrivs') === '1'),
    {
      name: 'seccomp-launch',
      inForce: filtered,
      detail: filtered ? 'loaded before the launcher' : `seccomp mode ${status.get('Seccomp') ?? 'unknown'}`,
    },
    {
      name: 'seccomp-profile',
      // Kernels before 5.9 do not count filters; there the launcher's word stands, given before the artifact.
      inForce: filtered && (Number.isNaN(filters) || filters >= 2),
      detail: Number.isNaN(filters) ? 'loaded; this kernel does not count' : `${filters} filters stacked`,
    },
    cgroupLayer(options.meters),
    { name: 'rlimits', inForce: true, detail: 'cpu, file size, open files, locked memory, no core files' },
    diskLayer(options.watchesDisk),
    landlockLayer(options.landlock),
    ...apparmorLayer(apparmor),
    supervisorLayer(options.supervised),
  ];
}

/** Layers without which nothing is run. */
const indispensable: ReadonlySet<string> = new Set([
  'own-kernel',
  'namespaces',
  'uid',
  'read-only-root',
  'capabilities',
  'descriptors',
  'no-new-privileges',
  'seccomp-launch',
  'seccomp-profile',
  'rlimits',
]);

/** Lists required protection that a box lacks, one text each. Pure. */
export function missingProtection(layers: readonly ProtectionLayer[]): string[] {
  return layers
    .filter((layer) => indispensable.has(layer.name) && !layer.inForce)
    .map((layer) => `${layer.name}: ${layer.detail}`);
}

/** True when a file system inside the box is full; null when the box cannot be looked into. */
export async function isFull(pid: number, path: string): Promise<boolean | null> {
  try {
    const { bfree, ffree, files } = await statfs(`/proc/${pid}/root${path}`);
    return bfree === 0 || (files > 0 && ffree === 0);
  } catch {
    return null;
  }
}
