/** Schedules callbacks; tests pass their own. */
export interface Timers {
  /** Calls `callback` once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Maximum delay of the platform; longer delays would fire at once. */
const longestMs = 2_147_483_647;

/** Timers of the platform. */
export const systemTimers: Timers = {
  after(delayMs, callback) {
    const handle = setTimeout(callback, Math.min(delayMs, longestMs));
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
