const MIB = 1024 * 1024;

/** Resource limits of one box. Soft limits are only reported; the others end the run as an `ERROR`. */
export interface Limits {
  /** Real time for everything that the artifact does, in ms. Default 120 000. Beyond it: `timeout`. */
  readonly wallMs: number;
  /** CPU time that is reported as exceeded and nothing more, in ms. Default 30 000. */
  readonly cpuSoftMs: number;
  /** CPU time at which the box is killed, in ms. Default 60 000. Beyond it: `cpu`. */
  readonly cpuHardMs: number;
  /** Memory peak that is reported as exceeded and nothing more, in bytes. Default 512 MiB. */
  readonly memorySoftBytes: number;
  /** Memory of the whole box, swap included, in bytes. Default 4 GiB. Beyond it: `oom`. */
  readonly memoryHardBytes: number;
  /** Processes and threads together. Default 100. Beyond it: `pids`. */
  readonly pids: number;
  /** Cores that the box may keep busy at once. Default 2. Enforced only with cgroups. */
  readonly cpus: number;
  /** Bytes on stdout and stderr together. Default 10 MiB. Beyond it: `output`. */
  readonly outputBytes: number;
  /** Size of the work directory `/box`, in bytes. Default 100 MiB. When it is full: `disk`. */
  readonly diskBytes: number;
  /** Size of one answer on the wire, in bytes. Default 16 MiB. Beyond it: `protocol`. */
  readonly answerBytes: number;
}

/** Default limits. */
export const defaultLimits: Limits = {
  wallMs: 120_000,
  cpuSoftMs: 30_000,
  cpuHardMs: 60_000,
  memorySoftBytes: 512 * MIB,
  memoryHardBytes: 4096 * MIB,
  pids: 100,
  cpus: 2,
  outputBytes: 10 * MIB,
  diskBytes: 100 * MIB,
  answerBytes: 16 * MIB,
};

/** The limits of a run: the defaults, then the judge's, then the suite's own. */
export function mergeLimits(...overrides: readonly (Partial<Limits> | undefined)[]): Limits {
  return Object.assign({}, defaultLimits, ...overrides);
}
