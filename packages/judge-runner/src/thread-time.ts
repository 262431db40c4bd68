import { readFileSync, readlinkSync } from 'node:fs';

/** Length of a tick in /proc, in ms: the same on every Linux. */
const tickMs = 10;

/** The id of the running thread for {@link cpuOfThread}; null where the system has none. */
export function ownThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1) ?? null;
  } catch {
    return null;
  }
}

/** CPU time that a thread of this process has used, in ms; null where the system does not tell, or the thread has ended. */
export function cpuOfThread(thread: string): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name before may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}
