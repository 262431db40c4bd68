import type { Limits } from '../limits.ts';

/** Resources that a box has used so far. Counters only grow. */
export interface Usage {
  readonly cpuUserMs: number;
  readonly cpuSystemMs: number;
  /** The highest memory use so far, in bytes; null where the kernel does not say. */
  readonly memoryPeakBytes: number | null;
  /** Number of kills for lack of memory, done or due. */
  readonly oomKills: number;
  /** Number of processes or threads that were refused or exceed the limit. */
  readonly pidsRefused: number;
}

/** Limits and measures one box from outside it. */
export interface Meter {
  /** Puts a process, and all that it will start, under the limits. */
  enter(pid: number): Promise<void>;
  /** After the end of the box: the last that could be measured. */
  sample(): Promise<Usage>;
  /** Kills everything left inside. */
  kill(): Promise<void>;
  /** Takes every trace away, trying again while processes are still dying. */
  remove(): Promise<void>;
}

/** Mechanism that limits and measures boxes on this machine. */
export interface MeterSource {
  readonly kind: 'cgroup-v1' | 'cgroup-v2' | 'none';
  /** For a person: where the groups are made, or why there are none. */
  readonly detail: string;
  /** Interval between samples, in ms. */
  readonly intervalMs: number;
  create(limits: Limits): Promise<Meter>;
}

/** Usage of a box that has not run. */
export const noUsage: Usage = {
  cpuUserMs: 0,
  cpuSystemMs: 0,
  memoryPeakBytes: null,
  oomKills: 0,
  pidsRefused: 0,
};
