import type { ThreadWatch } from '../isolation/own-kernel.ts';
import type { Architecture } from '../seccomp/syscalls.ts';
import type { Engine } from './engine.ts';
import { type Keeper, startKeeper } from './keeper.ts';
import { startTraceSink } from './trace-sink.ts';

/** Processes of ours that run beside the containers of one sandbox. */
export interface Beside {
  readonly keeper: Keeper;
  /** With gVisor: receives the reports of its kernels. */
  readonly threads: ThreadWatch | null;
}

/**
 * Starts the processes that run beside containers: all of them or none.
 * @param reports - The architecture of gVisor's reports and the file that asks for them; null for other runtimes.
 * @throws Error when one cannot be started; those that were are ended then.
 */
export async function startBeside(
  engine: Engine,
  python: string,
  reports: { readonly architecture: Architecture; readonly configFile: string } | null,
): Promise<Beside> {
  const keeper = await startKeeper(engine, python);
  try {
    return { keeper, threads: reports && (await startTraceSink({ python, ...reports })) };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}
