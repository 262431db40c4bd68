import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCgroupMounts } from '../isolation/cgroup.ts';

const prefix = 'bonafide-containers-';

/** The name of the cgroup below which an engine puts one sandbox's containers. Pure. */
export const parentGroup = (owner: number, token: string): string => `${prefix}${owner}-${token}`;

/** Returns the process id in the name of such a cgroup, or null. Pure. */
export function ownerOf(name: string): number | null {
  const found = /^bonafide-containers-(\d+)-/.exec(name)?.[1];
  return found === undefined ? null : Number(found);
}

/** Groups below first: one that has members or others below it stays. */
async function removeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  await rmdir(folder).catch(() => {});
}

/** An engine makes these groups in every hierarchy, and leaves them there. */
export async function removeParentGroups(isOver: (name: string) => boolean): Promise<void> {
  const mounts = parseCgroupMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
  for (const { point } of mounts) {
    const names = await readdir(point).catch(() => []);
    for (const name of names)
      if (name.startsWith(prefix) && isOver(name)) await removeTree(join(point, name));
  }
}
