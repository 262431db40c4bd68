import type { PythonHost } from '../isolation/machine.ts';
import type { MeterSource } from '../isolation/meter.ts';
import type { Supervisor } from '../isolation/supervisor.ts';
import type { Architecture } from '../seccomp/syscalls.ts';

/** What a box is built from on this machine. */
export interface Host {
  readonly architecture: Architecture;
  readonly bwrap: string;
  readonly prlimit: string;
  readonly python: PythonHost;
  readonly meters: MeterSource;
  /** The user that boxes run as outside: another one when we are root, else null, our own. */
  readonly uid: number | null;
  /** What names forbidden calls; null where the kernel cannot. */
  readonly supervisor: Supervisor | null;
}
