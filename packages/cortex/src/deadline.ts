/** A signal that aborts after `ms`, when `parents` do, or on `abort`; `clear` lets go of timer and listeners. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the time that ran out. */
  readonly timedOut: boolean;
  clear(): void;
}

/** Starts a deadline. Its timer keeps the process alive, since somebody is waiting. */
export function startDeadline(ms: number, parents: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, ms);
  const release = new AbortController();
  for (const parent of parents) {
    if (parent?.aborted) controller.abort(parent.reason);
    else parent?.addEventListener('abort', () => controller.abort(parent.reason), { signal: release.signal });
  }
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    clear() {
      clearTimeout(timer);
      release.abort();
    },
  };
}

/**
 * Waits for `promise` or for `signal`, whichever comes first (CTX-12): one that ignores its signal holds nobody
 * up. What it answers or throws later is discarded.
 */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  if (signal.aborted) throw signal.reason;
  const release = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: release.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    release.abort();
  }
}
