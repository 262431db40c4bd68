import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Limits } from '../limits.ts';
import { type Meter, type MeterSource, noUsage, type Usage } from './meter.ts';
import { processTree, readKernelFile } from './processes.ts';

/** The event loop of the judge comes first when cores are busy. */
const boxNiceness = 3;
const ticksPerSecond = 100;
const AT_PAGESZ = 6n;

/** The size of a memory page in bytes, from /proc/self/auxv: 4096 nearly everywhere, up to 65536 on arm64. Pure. */
export function pageSizeOf(auxv: Buffer): number {
  for (let at = 0; at + 16 <= auxv.length; at += 16)
    if (auxv.readBigUInt64LE(at) === AT_PAGESZ) return Number(auxv.readBigUInt64LE(at + 8));
  return 4096;
}

/** One process, parsed from /proc/PID/stat. */
export interface ProcessStat {
  readonly userMs: number;
  readonly systemMs: number;
  readonly threads: number;
  readonly residentBytes: number;
}

/** Reads a /proc/PID/stat line. The program's name may contain anything, so counting begins behind it. Pure. */
export function parseStat(line: string, pageBytes: number): ProcessStat | null {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 22) return null;
  const at = (field: number) => Number(fields[field - 3]);
  const ms = (ticks: number) => (ticks * 1000) / ticksPerSecond;
  return {
    // Own time and that of children that ended.
    userMs: ms(at(14) + at(16)),
    systemMs: ms(at(15) + at(17)),
    threads: at(20),
    residentBytes: at(24) * pageBytes,
  };
}

/**
 * Peak resident memory of a process in bytes, parsed from /proc/PID/status; 0 when the process is gone. Pure.
 */
export function parsePeak(status: string): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

function createPoller(limits: Limits, pageBytes: number): Meter {
  let root: number | null = null;
  let last: Usage = noUsage;
  return {
    async enter(pid) {
      root = pid;
      try {
        setPriority(pid, boxNiceness);
      } catch {
        // The box belongs to another user.
      }
    },
    async sample() {
      if (root === null) return last;
      const pids = await processTree(root);
      const of = (file: string) => pids.map((pid) => readKernelFile(`/proc/${pid}/${file}`));
      const stats = of('stat')
        .map((line) => parseStat(line, pageBytes))
        .filter((stat) => stat !== null);
      const sum = (part: (stat: ProcessStat) => number) =>
        stats.reduce((total, stat) => total + part(stat), 0);
      // What was used between two looks and given back is in no sum, but each process has a high-water mark.
      const memory = Math.max(
        sum((stat) => stat.residentBytes),
        ...of('status').map(parsePeak),
      );
      last = {
        cpuUserMs: Math.max(
          last.cpuUserMs,
          sum((stat) => stat.userMs),
        ),
        cpuSystemMs: Math.max(
          last.cpuSystemMs,
          sum((stat) => stat.systemMs),
        ),
        memoryPeakBytes: Math.max(last.memoryPeakBytes ?? 0, memory) || null,
        oomKills: last.oomKills + (memory > limits.memoryHardBytes ? 1 : 0),
        pidsRefused: last.pidsRefused + (sum((stat) => stat.threads) > limits.pids ? 1 : 0),
      };
      return last;
    },
    // Without a group there is nothing to kill but the box's first process, which takes all others with it.
    // From here on its number may be someone else's.
    async kill() {
      root = null;
    },
    async remove() {},
  };
}

/** The fall-back where no cgroup can be made: resource limits of the process, and looking every 20 ms. */
export const pollingSource: MeterSource = {
  kind: 'none',
  detail:
    'no cgroup can be made here: limits are kept by rlimits and by looking every 20 ms, peaks are approximate',
  intervalMs: 20,
  async create(limits) {
    // A process that has changed its user cannot read it.
    const auxv = await readFile('/proc/self/auxv').catch(() => Buffer.alloc(0));
    return createPoller(limits, pageSizeOf(auxv));
  },
};
