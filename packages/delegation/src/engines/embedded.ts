import { type Logger, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import type { DelegationEngine, WakeHandler } from '../engine.ts';
import { clockSchema, loggerSchema, parseConfig, port, randomSchema, timersSchema } from '../host-options.ts';
import type { ClaimedWake, WakeResult, WakeStore } from '../store.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { backoffMs, errorText } from './failure.ts';

/** Options of {@link createEmbeddedEngine}. */
export interface EmbeddedEngineOptions {
  /** Storage of the wakes: the `wakes` of a delegation store. */
  readonly store: WakeStore;
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** 0 ≤ x < 1. @default Math.random */
  readonly random?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly config?: {
    /** Longest interval at which the store is asked for wakes of other processes, ms. @default 1000 */
    readonly pollMs?: number;
    /**
     * True for the only process that works on this store: what an earlier process was handling is handled again at once, and not
     * when its lease has ended. @default true
     */
    readonly exclusive?: boolean;
    /** Time after which others take over the wakes of a process that ended, ms. @default 30000 */
    readonly leaseMs?: number;
  };
}

const optionsSchema = z.strictObject({
  store: port<WakeStore>('put', 'claim', 'release', 'renew', 'finish', 'list'),
  clock: clockSchema,
  random: randomSchema,
  timers: timersSchema,
  logger: loggerSchema,
  config: z
    .strictObject({
      pollMs: z.number().positive().max(2_147_483_647).default(1_000),
      exclusive: z.boolean().default(true),
      leaseMs: z.number().min(30).max(2_147_483_647).default(30_000),
    })
    .prefault({}),
});

/**
 * Creates the engine of a single process: wakes are rows of the order store, and what a crashed process was handling is handled again
 * after its restart. Several processes may share the store with `exclusive: false`; their clocks have to agree within a few
 * seconds.
 *
 * @throws DelegationError `INVALID_CONFIG`
 */
export function createEmbeddedEngine(options: EmbeddedEngineOptions): DelegationEngine {
  const {
    store,
    config,
    clock = Date.now,
    random = Math.random,
    timers = systemTimers,
    logger = silentLogger,
  } = parseConfig(optionsSchema, options, 'options');
  /** Functions that look for due wakes at a time, by queue. */
  const workers = new Map<string, Set<(at: number) => void>>();

  const newToken = () => Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');

  function startWorker(queue: string, concurrency: number, handler: WakeHandler): AsyncDisposable {
    const closing = new AbortController();
    const token = newToken();
    const running = new Map<string, Promise<void>>();
    let cancelTimer = () => {};
    let timerAt = Number.POSITIVE_INFINITY;
    let looking: Promise<void> | null = null;
    let isLookAgain = false;
    let cancelRenewal = () => {};

    const lookAt = (at: number) => {
      if (closing.signal.aborted || at >= timerAt) return;
      cancelTimer();
      timerAt = at;
      cancelTimer = timers.after(Math.max(0, at - clock()), () => {
        timerAt = Number.POSITIVE_INFINITY;
        look();
      });
    };

    const look = (): void => {
      if (looking !== null) isLookAgain = true;
      else
        looking = claimDue().finally(() => {
          looking = null;
          if (isLookAgain) look();
        });
    };

    const claimDue = async (): Promise<void> => {
      try {
        do {
          isLookAgain = false;
          const limit = concurrency - running.size;
          // The next handler to finish looks again.
          if (limit <= 0 || closing.signal.aborted) return;
          const now = clock();
          const { claimed, nextDueAt } = await store.claim({
            queue,
            now,
            limit,
            token,
            heldUntil: now + config.leaseMs,
          });
          for (const wake of claimed) start(wake);
          if (claimed.length === limit) isLookAgain = true;
          lookAt(Math.min(nextDueAt ?? Number.POSITIVE_INFINITY, clock() + config.pollMs));
        } while (isLookAgain);
      } catch (error) {
        logger.warn({ err: error, queue }, 'Wakes not read: the store failed');
        lookAt(clock() + config.pollMs);
      }
    };

    const start = (wake: ClaimedWake) => {
      // Claimed again by this process: its lease ended while the handler was still running.
      if (running.has(wake.id)) return;
      const done = handle(wake).finally(() => {
        running.delete(wake.id);
        look();
      });
      running.set(wake.id, done);
    };

    const handle = async ({ id, failures }: ClaimedWake): Promise<void> => {
      let dueAt: number | null = clock();
      let failed = failures;
      let lastError = '';
      try {
        // Claimed while the work ended: it stays due.
        if (!closing.signal.aborted) {
          const handled = await handler(id, closing.signal);
          dueAt = handled === null ? null : handled.again.getTime();
          failed = 0;
        }
      } catch (error) {
        lastError = errorText(error);
        // An interrupted handler runs again when the process is back.
        failed = closing.signal.aborted ? failures : failures + 1;
        dueAt = closing.signal.aborted ? clock() : clock() + backoffMs(failed);
        if (!closing.signal.aborted)
          logger.warn({ err: error, queue, id, failures: failed }, 'Handler failed; it runs again later');
      }
      await finish({ queue, id, token, dueAt, failures: failed, lastError });
    };

    /** Ends a claim; repeats it while the store fails, since the claims of a process at work are renewed all together. */
    const finish = async (result: WakeResult): Promise<void> => {
      for (;;) {
        try {
          await store.finish(result);
          if (result.dueAt !== null) lookAt(result.dueAt);
          return;
        } catch (error) {
          logger.warn({ err: error, queue, id: result.id }, 'Wake not finished: the store failed');
        }
        // After the end of the work it is handled again when its lease ends, or after a restart.
        if (closing.signal.aborted) return;
        await pause(config.pollMs);
      }
    };

    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const done = () => {
          cancel();
          closing.signal.removeEventListener('abort', done);
          resolve();
        };
        const cancel = timers.after(ms, done);
        closing.signal.addEventListener('abort', done, { once: true });
      });

    const renew = () => {
      cancelRenewal = timers.after(config.leaseMs / 3, () => {
        const renewed = running.size === 0 ? Promise.resolve() : store.renew(token, clock() + config.leaseMs);
        renewed
          .catch((error) => logger.warn({ err: error, queue }, 'Lease not renewed: the store failed'))
          .finally(() => {
            if (!closing.signal.aborted) renew();
          });
      });
    };

    const known = workers.get(queue) ?? new Set();
    workers.set(queue, known.add(lookAt));
    renew();
    look();
    return {
      async [Symbol.asyncDispose]() {
        workers.get(queue)?.delete(lookAt);
        closing.abort();
        cancelTimer();
        await looking;
        await Promise.all(running.values());
        cancelRenewal();
      },
    };
  }

  return {
    async wake(queue, id, { at, priority = 0 } = {}) {
      const dueAt = Math.min(at?.getTime() ?? clock(), Number.MAX_SAFE_INTEGER);
      await store.put({ queue, id, dueAt, priority });
      for (const lookAt of workers.get(queue) ?? []) lookAt(dueAt);
    },
    async work(queue, { concurrency }, handler) {
      if (config.exclusive && !workers.get(queue)?.size) await store.release(queue);
      return startWorker(queue, concurrency, handler);
    },
    inspect: (query = {}) => store.list(query),
  };
}
