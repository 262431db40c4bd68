/** Limits how many tasks run at the same time. Waiting tasks get permits in the order in which they asked. */
export interface Semaphore {
  /**
   * Waits for a permit and returns the function that releases it. Releasing twice has no effect.
   *
   * @throws The signal's reason when it aborts first.
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Runs `task` under a permit and releases it when the task settles. */
  run<Value>(task: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

/** Creates a semaphore with `permits` permits (≥ 1). */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const queue: (() => void)[] = [];
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  const releaseOnce = () => {
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  };
  const acquire = (signal?: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return resolve(releaseOnce());
      }
      const onAbort = () => {
        queue.splice(queue.indexOf(grant), 1);
        reject(signal?.reason);
      };
      const grant = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(releaseOnce());
      };
      queue.push(grant);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  return {
    acquire,
    async run(task, signal) {
      const done = await acquire(signal);
      try {
        return await task();
      } finally {
        done();
      }
    },
  };
}
