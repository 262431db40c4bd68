import { type Logger, nodeBuiltin } from '@bonafide/internal';
import { JobError } from './errors.ts';
import { randomHex } from './random-hex.ts';
import type { LeaseStore } from './store.ts';
import type { Timers } from './timers.ts';

/** The lease of one client or provider. Others take over its jobs when the lease ends. */
export interface Lease {
  /** Id of this client or provider. */
  readonly holder: string;
  /** Takes the lease and renews it until `close()`. Rejects when the store fails. */
  start(): Promise<void>;
  /** Renews the lease now and reads which others are alive. Rejects when the store fails, and with `CLOSED` after `close()`. */
  renew(): Promise<void>;
  /** Returns true while the lease lasts. It ends when it is not renewed, for example on a machine that was asleep. */
  isLive(): boolean;
  /**
   * Returns true when jobs of `holder` may be taken over as far as known: it is this one, or released, or was not alive at
   * the latest renewal. Before taking over, use {@link Lease.isFreeNow}.
   */
  isFree(holder: string | null): boolean;
  /**
   * The same by the store: renews the lease first, since `holder` may have started after the latest renewal. Rejects when the
   * store fails.
   */
  isFreeNow(holder: string | null): Promise<boolean>;
  /** Ends the lease. */
  close(): Promise<void>;
}

/**
 * Timers that renew leases: always the platform's, since a lease tells other processes that this one is alive. They do not
 * keep a process running.
 */
export const leaseTimers: Timers = {
  after(delayMs, callback) {
    const timer: { unref?(): unknown } | number = setTimeout(callback, delayMs);
    if (typeof timer === 'object') timer.unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** Holders in this thread, over all copies of this package. One that is missing has been closed. */
const registry = Symbol.for('bonafide.jobs.holders');
const shared = globalThis as { [registry]?: Set<string> };
const localHolders: Set<string> = shared[registry] ?? new Set();
shared[registry] = localHolders;

const thread = nodeBuiltin<typeof import('node:worker_threads')>('node:worker_threads')?.threadId ?? 0;
const processId = `${globalThis.process?.pid ?? 0}.${thread}`;

/**
 * Creates a lease of `leaseMs`, renewed three times in that time. A holder on the same machine whose process has ended is
 * recognized at once; others when their lease ends.
 */
export function createLease(options: {
  readonly store: LeaseStore;
  readonly leaseMs: number;
  readonly clock: () => number;
  readonly random: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Called after each renewal, to look for jobs without a holder. */
  readonly onRenewed: () => void;
}): Lease {
  const { store, leaseMs, clock, random, timers, logger, onRenewed } = options;
  const holder = `${machine}/${processId}/${randomHex(random, 16)}`;
  let alive: ReadonlySet<string> = new Set();
  let cancel = () => {};
  let closed = false;
  let liveUntil = Number.NEGATIVE_INFINITY;

  const renew = async () => {
    // A lease that came back would keep the others from what this holder does not do any more.
    if (closed) throw new JobError('CLOSED', 'The lease has ended.');
    const now = clock();
    try {
      alive = new Set(await store.lease(holder, { now, until: now + leaseMs }));
      liveUntil = now + leaseMs;
      if (!closed) localHolders.add(holder);
    } catch (error) {
      // It cannot keep its jobs; a client of this process that can write may take them.
      localHolders.delete(holder);
      throw error;
    }
  };

  const schedule = () => {
    cancel = timers.after(leaseMs / 3, () => {
      renew()
        .then(onRenewed)
        .catch((error) => logger.warn({ err: error }, 'Lease not renewed: the store failed'))
        .finally(() => {
          if (!closed) schedule();
        });
    });
  };

  /** One renewal for all that ask before it begins. */
  let [running, queued]: [Promise<unknown>, Promise<void> | null] = [Promise.resolve(), null];
  const renewForAll = (): Promise<void> => {
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = null;
        const renewal = renew();
        running = renewal;
        return renewal;
      });
    return queued;
  };

  const isFree = (other: string | null) =>
    other === null || other === holder || !alive.has(other) || hasEnded(other);

  return {
    holder,
    async start() {
      await renew();
      schedule();
    },
    renew,
    isLive: () => !closed && clock() < liveUntil,
    isFree,
    async isFreeNow(other) {
      if (other === null || other === holder || hasEnded(other)) return true;
      if (!isFree(other)) return false;
      await renewForAll();
      return isFree(other);
    },
    async close() {
      if (closed) return;
      closed = true;
      cancel();
      localHolders.delete(holder);
      const now = clock();
      await store
        .lease(holder, { now, until: now })
        .catch((error) => logger.warn({ err: error }, 'Lease not ended: the store failed'));
    },
  };
}

/** Identifies the set of process ids that this process belongs to; '' where it cannot be read. */
const machine = readMachine();

function readMachine(): string {
  const fs = nodeBuiltin<typeof import('node:fs')>('node:fs');
  try {
    const namespace = fs?.readlinkSync('/proc/self/ns/pid');
    const boot = fs?.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return namespace && boot ? `${boot}:${namespace.replace(/\D/g, '')}` : '';
  } catch {
    return '';
  }
}

/** Returns true for a holder of this machine whose process has ended, or that was closed in this process. */
function hasEnded(holder: string): boolean {
  const [where = '', id = ''] = holder.split('/');
  if (where === '' || where !== machine) return false;
  if (id === processId) return !localHolders.has(holder);
  try {
    globalThis.process?.kill(Number.parseInt(id, 10), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
