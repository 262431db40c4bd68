/** Schedules callbacks; tests and simulations pass their own. */
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
