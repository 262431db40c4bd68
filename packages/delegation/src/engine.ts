import type { Wake } from './store.ts';

/** Result of handling an id: when to handle it again at the latest; null when only a wake can change anything. */
export type Handled = { readonly again: Date } | null;

/** Handles one id. It is called again after a failure, a crash or a wake, so every effect has to be repeatable. */
export type WakeHandler = (id: string, signal: AbortSignal) => Promise<Handled>;

/**
 * Makes sure that every id that was woken is handled. Guarantees: each wake is handled at least once, also after a crash of the
 * process that handled it; one handler runs per id and queue at a time while its process is alive, so a process that was frozen
 * may overlap with its successor; a handler that throws is called again later, with growing delays, and is visible in `inspect`.
 */
export interface DelegationEngine {
  /**
   * Wakes an id at once or at a time. Durable when it resolves. Never postpones an earlier wake. Of the ids that are due, those with the
   * highest `priority` are handled first. @default priority 0
   */
  wake(
    queue: string,
    id: string,
    options?: { readonly at?: Date; readonly priority?: number },
  ): Promise<void>;
  /**
   * Handles the ids of a queue, at most `concurrency` at a time, until the result is disposed. That aborts the signal of the handlers, waits
   * until they have ended, and hands back the ids of those that threw.
   */
  work(
    queue: string,
    options: { readonly concurrency: number },
    handler: WakeHandler,
  ): Promise<AsyncDisposable>;
  /** Returns wakes that are waiting or being handled, of one queue or of all, at most `limit`. */
  inspect(query?: { readonly queue?: string; readonly limit?: number }): Promise<readonly Wake[]>;
}
