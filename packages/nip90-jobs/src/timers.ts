/** How to be called back later; a test hands in its own. */
export interface Timers {
  /** Calls `callback` once in `delayMs`; the function returned prevents it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The longest that the platform can wait; what is longer would go off at once. */
const longestMs = 2_147_483_647;

/** The timers of the platform. */
export const systemTimers: Timers = {
  after(delayMs, callback) {
    const handle = setTimeout(callback, Math.min(delayMs, longestMs));
    return () => clearTimeout(handle);
  },
};

/** Waits; false when `signal` ended the waiting. Leaves no timer behind. */
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
