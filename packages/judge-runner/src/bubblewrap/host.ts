import type { PythonHost } from '../isolation/machine.ts';
import type { MeterSource } from '../isolation/meter.ts';
import type { Supervisor } from '../isolation/supervisor.ts';
import type { Architecture } from '../seccomp/syscalls.ts';
import type { OwnFiles } from './own-files.ts';

/** The parts of this machine that a box is built from. */
export interface Host {
  readonly architecture: Architecture;
  readonly bwrap: string;
  readonly prlimit: string;
  readonly python: PythonHost;
  readonly meters: MeterSource;
  /** The user that boxes run as outside: another one when we are root, else null, our own. */
  readonly uid: number | null;
  /** The supervisor that names forbidden calls; null where the kernel has no user notification. */
  readonly supervisor: Supervisor | null;
  /** The judge's own programs, which boxes show. */
  readonly own: OwnFiles;
}

/** Ends what a host keeps for its boxes. */
export async function closeHost(host: Host): Promise<void> {
  await Promise.all([host.supervisor?.close(), host.own.close()]);
}
