/** A signal that aborts at a time limit. */
export interface Deadline {
  /** Aborts after the time limit, or when a parent signal does, with the parent's reason. */
  readonly signal: AbortSignal;
  /** True when the time limit was the cause. */
  readonly timedOut: boolean;
  /** Stops the timer and removes the listeners. */
  clear(): void;
}

/**
 * Starts a deadline. Its timer keeps the process alive.
 *
 * @param ms - Time limit in milliseconds.
 * @param parents - Signals that abort the deadline's signal too.
 */
export function startDeadline(ms: number, parents: readonly (AbortSignal | undefined)[] = []): Deadline {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, ms);
  const listeners = new AbortController();
  for (const parent of parents) {
    if (parent?.aborted) controller.abort(parent.reason);
    else
      parent?.addEventListener('abort', () => controller.abort(parent.reason), { signal: listeners.signal });
  }
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    clear() {
      clearTimeout(timer);
      listeners.abort();
    },
  };
}

/**
 * Settles with `promise`, or rejects with the signal's reason when it aborts first. What the promise does afterwards
 * is ignored, so that a task that ignores its signal cannot block its caller.
 */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  if (signal.aborted) throw signal.reason;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
