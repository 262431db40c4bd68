/** Schedules callbacks; tests pass their own. */
export interface Timers {
  /** Calls `callback` once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Maximum delay of the platform; longer delays would fire at once. */
const longestMs = 2_147_483_647;
/**
 * Delays above `coarseFromMs` are rounded up to a multiple of `stepMs`: Node keeps a list per distinct delay, so that thousands
 * of jobs whose deadlines differ by milliseconds would have thousands of lists.
 */
const [coarseFromMs, stepMs] = [2_000, 100];

/** Timers of the platform. */
export const systemTimers: Timers = {
  after(delayMs, callback) {
    const coarse = delayMs < coarseFromMs ? delayMs : Math.ceil(delayMs / stepMs) * stepMs;
    const handle = setTimeout(callback, Math.min(coarse, longestMs));
    return () => clearTimeout(handle);
  },
};

/** Waits. Resolves to false when `signal` aborts first, and then cancels its timer. */
export function pause(timers: Timers, delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const aborted = () => {
      cancel();
      resolve(false);
    };
    const cancel = timers.after(delayMs, () => {
      signal.removeEventListener('abort', aborted);
      resolve(true);
    });
    signal.addEventListener('abort', aborted, { once: true });
  });
}
