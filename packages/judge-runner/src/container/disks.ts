import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, systemPaths } from '../isolation/machine.ts';
import type { Limits } from '../limits.ts';
import { sharedMemoryBytes } from './command.ts';

const execute = promisify(execFile);

/** Programs that mount file systems, which only root may use. */
export interface DiskTools {
  readonly mount: string;
  readonly unmount: string;
}

/** Folders below a box's folder where its disks are mounted. The keeper knows them by the same names. */
const names = ['disk-box', 'disk-shm'] as const;

/** Finds the programs that mount file systems; null where this process may not or cannot. */
export async function findDiskTools(): Promise<DiskTools | null> {
  if (process.getuid?.() !== 0) return null;
  const [mount, unmount] = await Promise.all(
    ['mount', 'umount'].map((name) => findExecutable(systemPaths(name))),
  );
  return mount && unmount ? { mount, unmount } : null;
}

/**
 * Mounts the work folders of a box that has its own kernel: what that kernel keeps itself cannot be looked at, and a full
 * disk would go unseen.
 * @param owner - The user and group outside that programs of the box run as.
 * @returns Path on this machine → path in the box.
 */
export async function mountDisks(
  { mount }: DiskTools,
  folder: string,
  { limits, owner, execution }: { limits: Limits; owner: number; execution: 'exec' | 'noexec' },
): Promise<Record<string, string>> {
  const [box, shm] = names.map((name) => join(folder, name)) as [string, string];
  const make = async (path: string, size: number, how: string) => {
    await mkdir(path);
    const options = `size=${size},mode=0700,uid=${owner},gid=${owner},nosuid,nodev,${how}`;
    await execute(mount, ['-t', 'tmpfs', '-o', options, 'bonafide-judge', path], { env: {}, cwd: '/' });
  };
  await Promise.all([make(box, limits.diskBytes, execution), make(shm, sharedMemoryBytes, 'noexec')]);
  return { [box]: '/box', [shm]: '/dev/shm' };
}

/** Removes a box's folder, and before it the disks that are mounted there. */
export async function removeBoxFolder(folder: string, tools: DiskTools | null): Promise<void> {
  const disks = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  // Detached at once, and freed when the last process that has it open closes it.
  if (tools && disks.length > 0)
    await execute(tools.unmount, ['--lazy', ...disks], { env: {}, cwd: '/' }).catch(() => {});
  await rm(folder, { recursive: true, force: true });
}
