import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/**
 * Reads a file of /proc or of a cgroup; '' where it is gone. It takes microseconds: the thread pool, and its buffer of 64 kB for a file
 * of unknown size, would cost more, many times a second.
 */
export function readKernelFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns true when a process has ended, even if its parent has not yet read its exit status. */
export function isOver(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before may contain anything.
    return /^[ZXx]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return true;
  }
}

/** Returns true when a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The `Name: value` lines of /proc/PID/status. Pure. */
export function parseStatus(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    }),
  );
}

/**
 * Returns a process and everything below it. In a box nothing can leave this tree: orphans go to its first process.
 */
export async function processTree(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = tasks.map((task) => readKernelFile(`/proc/${pid}/task/${task}/children`));
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(processTree))).flat()];
}
