import type { DiscoveryContext } from './context.ts';
import type { Registry } from './registry/create-registry.ts';
import { sweepRegistry } from './registry/sweep.ts';
import type { Ingestion } from './relays/ingestion.ts';
import { repeat } from './relays/interval.ts';

/** Starts and stops the background work of a registry. */
export interface Lifecycle {
  /** Has no effect if it is started already. @throws DiscoveryError `STORE_FAILED` */
  start(): Promise<void>;
  /** Stops reading and finishes the work in progress. */
  stop(): Promise<void>;
}

/** Creates the background work of a registry: reading, profile lookups, sweeps and reconciliation, by timers. */
export function createLifecycle(
  { store, config, clock, logger }: DiscoveryContext,
  { capacity, intake, profiles, signals, writer }: Registry,
  ingestion: Ingestion,
): Lifecycle {
  let running: { readonly started: Promise<void>; readonly stopping: AbortController } | null = null;
  let inProgress: Promise<unknown> = Promise.resolve();

  async function begin(signal: AbortSignal): Promise<void> {
    await ingestion.restore();
    await capacity.enforce();
    await sweepRegistry(store, writer, signals, profiles, clock(), signal);
    await ingestion.tick();
    const schedule = (ms: number, failure: string, work: () => Promise<unknown>) =>
      repeat(ms, logger, failure, async () => {
        const task = work();
        inProgress = Promise.allSettled([inProgress, task]);
        await task;
      });
    const timers = [
      schedule(config.tickMs, 'Reading relays failed', () => ingestion.tick()),
      schedule(config.tickMs, 'Looking up profiles failed', () => profiles.fetch(signal)),
      schedule(config.sweepMs, 'The sweep of the registry failed', async () => {
        await sweepRegistry(store, writer, signals, profiles, clock(), signal);
        await ingestion.persist();
      }),
      schedule(config.reconcileMs, 'Reconciling with relays failed', () => ingestion.reconcile(signal)),
    ];
    const clear = () => {
      for (const timer of timers) clearInterval(timer);
    };
    if (signal.aborted) clear();
    signal.addEventListener('abort', clear);
  }

  return {
    async start() {
      if (running === null) {
        const stopping = new AbortController();
        running = { started: begin(stopping.signal), stopping };
      }
      const mine = running;
      try {
        await mine.started;
      } catch (error) {
        // The next call tries again.
        if (running === mine) running = null;
        throw error;
      }
    },

    async stop() {
      const stopped = running;
      running = null;
      // The caller of start() got the error.
      await stopped?.started.catch(() => {});
      stopped?.stopping.abort();
      await ingestion.stop();
      await inProgress;
      await intake.after(async () => {});
      await writer.idle();
      if (stopped === null) return;
      await ingestion
        .persist()
        .catch((error) => logger.error({ err: error }, 'Storing relay statistics failed'));
    },
  };
}
