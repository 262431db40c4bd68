import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SimulationReport } from './simulate.ts';

/** Runs worlds on all processors of this machine. */
export interface WorldThreads extends AsyncDisposable {
  /** Runs a world per seed. The reports come in the order in which the worlds end. */
  run(seeds: Iterable<number>): AsyncGenerator<SimulationReport>;
}

/** Starts a thread per processor. */
export function startWorldThreads(count = availableParallelism()): WorldThreads {
  const execArgv = ['--conditions=@bonafide/source', '--disable-warning=ExperimentalWarning'];
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('./world-thread.ts', import.meta.url), { execArgv }),
  );

  return {
    async *run(seeds) {
      const left = seeds[Symbol.iterator]();
      const running = new Map<Worker, Promise<readonly [Worker, SimulationReport]>>();
      const give = (thread: Worker) => {
        const { done, value: seed } = left.next();
        running.delete(thread);
        if (done === true) return;
        thread.postMessage(seed);
        running.set(
          thread,
          once(thread, 'message').then(([report]) => [thread, report]),
        );
      };
      for (const thread of threads) give(thread);
      while (running.size > 0) {
        const [thread, report] = await Promise.race(running.values());
        give(thread);
        yield report;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}
