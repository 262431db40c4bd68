import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../limits.ts';
import { isDelegated } from './delegation.ts';
import type { Meter, MeterSource, Usage } from './meter.ts';
import { isAlive, readKernelFile as read } from './processes.ts';

const prefix = 'bonafide-judge-';
const leader = 'leader';
const removalTimeoutMs = 20_000;

/** One line of /proc/self/mountinfo, as far as it matters here. */
interface CgroupMount {
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** The cgroup file systems of a mountinfo text. Pure. */
export function parseCgroupMounts(mountinfo: string): CgroupMount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = left.split(' ');
    const [type = '', , options = ''] = right.split(' ');
    return type === 'cgroup' || type === 'cgroup2'
      ? [{ root, point, type, options: options.split(',') }]
      : [];
  });
}

/** Controller → path of a /proc/self/cgroup text; version 2 has the name ''. Pure. */
export function parseOwnCgroups(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, controllers, ...path] = line.split(':');
      if (controllers === undefined) return [];
      return controllers.split(',').map((controller) => [controller, path.join(':')] as const);
    }),
  );
}

/** The value of `key` in a flat keyed file such as memory.events, or 0. Pure. */
export function keyedValue(text: string, key: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${key} `));
  return line === undefined ? 0 : Number(line.slice(key.length + 1));
}

const ignoreFailure = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => {},
    () => {},
  );

/** The only proof that groups can be made is to make one and take it away again: not the uid, not the mount. */
async function canMakeGroups(folder: string): Promise<boolean> {
  const probe = join(folder, `${prefix}probe-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(probe);
    await rmdir(probe);
    return true;
  } catch {
    return false;
  }
}

async function removeGroup(folder: string): Promise<void> {
  const deadline = Date.now() + removalTimeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 200)) {
    try {
      return await rmdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      if (Date.now() > deadline) throw error;
      await sleep(waitMs);
    }
  }
}

/** Takes away groups of judges that were killed before they could. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (Number.isInteger(owner) && !isAlive(owner)) await ignoreFailure(rmdir(join(folder, name)));
  }
}

let made = 0;
const newName = (): string => {
  made += 1;
  return `${prefix}${process.pid}-${made}-${randomBytes(3).toString('hex')}`;
};

/** Sends SIGKILL to everything in a version 1 group, until nothing is left to send it to. */
async function killMembers(folder: string): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    // A process of a foreign namespace reads as 0, and a signal to 0 would hit ourselves.
    const pids = read(join(folder, 'cgroup.procs'))
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    await sleep(2);
  }
}

/** Weight of a box among processes of ordinary priority: the event loop of the judge comes first when cores are busy. */
const boxWeight = 0.5;

const v1Controllers = ['memory', 'pids', 'cpu', 'cpuacct'] as const;

async function createV1(folders: ReadonlyMap<string, string>, limits: Limits): Promise<Meter> {
  const name = newName();
  const at = (controller: (typeof v1Controllers)[number]) => join(folders.get(controller) ?? '', name);
  // cpu and cpuacct are often one mount.
  const own = [...new Set(v1Controllers.map(at))];
  await Promise.all(own.map((folder) => mkdir(folder)));
  const set = (controller: (typeof v1Controllers)[number], file: string, value: number) =>
    writeFile(join(at(controller), file), String(value));
  await Promise.all([
    (async () => {
      await set('memory', 'memory.limit_in_bytes', limits.memoryHardBytes);
      // Absent where the kernel does not account for swap.
      await ignoreFailure(set('memory', 'memory.memsw.limit_in_bytes', limits.memoryHardBytes));
      await ignoreFailure(set('memory', 'memory.swappiness', 0));
    })(),
    set('pids', 'pids.max', limits.pids),
    (async () => {
      await set('cpu', 'cpu.cfs_period_us', 100_000);
      await set('cpu', 'cpu.cfs_quota_us', Math.round(limits.cpus * 100_000));
      await ignoreFailure(set('cpu', 'cpu.shares', Math.round(1024 * boxWeight)));
    })(),
  ]);

  return {
    async enter(pid) {
      await Promise.all(own.map((folder) => writeFile(join(folder, 'cgroup.procs'), String(pid))));
    },
    async sample() {
      const peak = read(join(at('memory'), 'memory.max_usage_in_bytes'));
      return {
        cpuUserMs: Number(read(join(at('cpuacct'), 'cpuacct.usage_user'))) / 1e6,
        cpuSystemMs: Number(read(join(at('cpuacct'), 'cpuacct.usage_sys'))) / 1e6,
        memoryPeakBytes: peak === '' ? null : Number(peak),
        oomKills: keyedValue(read(join(at('memory'), 'memory.oom_control')), 'oom_kill'),
        pidsRefused: keyedValue(read(join(at('pids'), 'pids.events')), 'max'),
      };
    },
    kill: () => killMembers(at('pids')),
    remove: async () => {
      await Promise.all(own.map(removeGroup));
    },
  };
}

async function createV2(parent: string, limits: Limits): Promise<Meter> {
  const own = join(parent, newName());
  await mkdir(own);
  const set = (file: string, value: string | number) => writeFile(join(own, file), String(value));
  await Promise.all([
    // Never memory.high: a program that reaches it is throttled to a crawl and ends as a timeout.
    set('memory.max', limits.memoryHardBytes),
    ignoreFailure(set('memory.swap.max', 0)),
    ignoreFailure(set('memory.oom.group', 1)),
    set('pids.max', limits.pids),
    // The cpu controller is not always delegated.
    ignoreFailure(set('cpu.max', `${Math.round(limits.cpus * 100_000)} 100000`)),
    ignoreFailure(set('cpu.weight', Math.round(100 * boxWeight))),
  ]);
  return {
    enter: (pid) => set('cgroup.procs', pid),
    async sample(): Promise<Usage> {
      const [cpu, peak] = [read(join(own, 'cpu.stat')), read(join(own, 'memory.peak'))];
      return {
        cpuUserMs: keyedValue(cpu, 'user_usec') / 1e3,
        cpuSystemMs: keyedValue(cpu, 'system_usec') / 1e3,
        memoryPeakBytes: peak === '' ? null : Number(peak),
        oomKills: keyedValue(read(join(own, 'memory.events')), 'oom_kill'),
        pidsRefused: keyedValue(read(join(own, 'pids.events')), 'max'),
      };
    },
    async kill() {
      try {
        await set('cgroup.kill', 1);
      } catch {
        await killMembers(own);
      }
    },
    remove: () => removeGroup(own),
  };
}

/**
 * Path of this process's group in a mounted hierarchy, and the top of the mount, which a container may have
 * instead.
 */
function candidates(mount: CgroupMount, ownPath: string): string[] {
  const inside = relative(mount.root, ownPath);
  const own = inside.startsWith('..') ? mount.point : join(mount.point, inside);
  return [...new Set([own, mount.point])];
}

async function detectV1(
  mounts: readonly CgroupMount[],
  own: ReadonlyMap<string, string>,
): Promise<MeterSource | null> {
  const folders = new Map<string, string>();
  for (const controller of v1Controllers) {
    const mount = mounts.find(
      (candidate) => candidate.type === 'cgroup' && candidate.options.includes(controller),
    );
    if (!mount) return null;
    for (const folder of candidates(mount, own.get(controller) ?? '/')) {
      if (await canMakeGroups(folder)) {
        folders.set(controller, folder);
        break;
      }
    }
    if (!folders.has(controller)) return null;
  }
  for (const folder of new Set(folders.values())) await sweep(folder);
  return {
    kind: 'cgroup-v1',
    detail: `version 1: ${[...folders.values()].join(', ')}`,
    intervalMs: 50,
    create: (limits) => createV1(folders, limits),
  };
}

/** The controllers that groups below `folder` get. */
async function handedDown(folder: string): Promise<ReadonlySet<string>> {
  return new Set(read(join(folder, 'cgroup.subtree_control')).trim().split(' '));
}

const membersOf = async (folder: string): Promise<string[]> =>
  read(join(folder, 'cgroup.procs')).split('\n').filter(Boolean);

/** Moves all processes of one group into another, repeatedly, since each may just have started a child. */
async function moveAll(from: string, to: string): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    const members = await membersOf(from);
    if (members.length === 0) return;
    for (const member of members) {
      await writeFile(join(to, 'cgroup.procs'), member).catch((error: NodeJS.ErrnoException) => {
        // It has ended in the meantime.
        if (error.code !== 'ESRCH') throw error;
      });
    }
  }
}

/**
 * Moves this process into a child group, since a group with processes cannot delegate controllers. Applies to a delegated
 * group (`systemd-run --user --scope -p Delegate=yes`); another group is rearranged only when this process is alone in it.
 */
async function stepAside(folder: string): Promise<void> {
  const members = await membersOf(folder);
  // Processes of a foreign namespace read as 0.
  if (!members.includes(String(process.pid)) || members.includes('0')) return;
  if (members.length > 1 && !(await isDelegated(folder))) return;
  const aside = join(folder, leader);
  try {
    await mkdir(aside).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await moveAll(folder, aside);
    await writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids');
    await ignoreFailure(writeFile(join(folder, 'cgroup.subtree_control'), '+cpu'));
  } catch {
    await ignoreFailure(moveAll(aside, folder));
    await ignoreFailure(rmdir(aside));
  }
}

/**
 * Returns true when these controllers suffice for a box. The cpu controller is optional: time is measured
 * without it.
 */
const isEnough = (controllers: ReadonlySet<string>): boolean =>
  controllers.has('memory') && controllers.has('pids');

async function detectV2(
  mounts: readonly CgroupMount[],
  own: ReadonlyMap<string, string>,
): Promise<MeterSource | null> {
  const mount = mounts.find((candidate) => candidate.type === 'cgroup2');
  if (!mount) return null;
  const [home = mount.point] = candidates(mount, own.get('') ?? '/');
  // Where we have stepped aside already, the delegated group is the one above.
  const delegated = basename(home) === leader ? dirname(home) : home;
  for (const folder of new Set([delegated, mount.point])) {
    if (!(await canMakeGroups(folder))) continue;
    if (folder === home && !isEnough(await handedDown(folder))) await stepAside(folder);
    const controllers = await handedDown(folder);
    if (!isEnough(controllers)) continue;
    await sweep(folder);
    return {
      kind: 'cgroup-v2',
      detail: `version 2${controllers.has('cpu') ? '' : ' without a limit of cores'}: ${folder}`,
      intervalMs: 50,
      create: (limits) => createV2(folder, limits),
    };
  }
  return null;
}

/**
 * Finds the cgroups that this process may use, by making and removing one.
 * @param wanted - `auto` prefers version 2 where it has the controllers.
 */
export async function detectCgroups(wanted: 'auto' | 'v1' | 'v2'): Promise<MeterSource | null> {
  const mounts = parseCgroupMounts(read('/proc/self/mountinfo'));
  const own = parseOwnCgroups(read('/proc/self/cgroup'));
  if (wanted !== 'v1') {
    const found = await detectV2(mounts, own);
    if (found) return found;
  }
  return wanted === 'v2' ? null : detectV1(mounts, own);
}
