/** How to be called back later; a test hands in its own. */
export interface Timers {
  /** Calls `callback` once in `delayMs`; the function returned prevents it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The timers of the platform. */
export const systemTimers: Timers = {
  after(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
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
