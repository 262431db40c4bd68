/** Limits how many tasks run at the same time. Free permits go to the key that holds the fewest, then to the one served longest ago. */
export interface FairSemaphore {
  /** Runs `task` under a permit. Rejects with the signal's reason when it aborts before the task starts. */
  run<Value>(key: string, task: () => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

/** Creates a semaphore with `permits` permits (≥ 1), shared fairly among keys. */
export function createFairSemaphore(permits: number): FairSemaphore {
  let free = permits;
  let turn = 0;
  const waiting = new Map<string, (() => void)[]>();
  const held = new Map<string, number>();
  /** Latest turn of each key that waits or holds a permit. */
  const served = new Map<string, number>();

  const isBefore = (a: string, b: string) => {
    const [heldByA, heldByB] = [held.get(a) ?? 0, held.get(b) ?? 0];
    return heldByA < heldByB || (heldByA === heldByB && (served.get(a) ?? 0) < (served.get(b) ?? 0));
  };

  const forget = (key: string) => {
    if (!waiting.has(key) && !held.has(key)) served.delete(key);
  };

  const next = () => {
    let best: string | null = null;
    for (const key of waiting.keys()) if (best === null || isBefore(key, best)) best = key;
    const queue = best === null ? undefined : waiting.get(best);
    const grant = queue?.shift();
    if (best === null || queue === undefined || grant === undefined) return;
    if (queue.length === 0) waiting.delete(best);
    free -= 1;
    turn += 1;
    held.set(best, (held.get(best) ?? 0) + 1);
    served.set(best, turn);
    grant();
  };

  const release = (key: string) => {
    free += 1;
    const left = (held.get(key) ?? 1) - 1;
    if (left > 0) held.set(key, left);
    else held.delete(key);
    next();
    forget(key);
  };

  const acquire = (key: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        const others = (waiting.get(key) ?? []).filter((one) => one !== grant);
        if (others.length > 0) waiting.set(key, others);
        else waiting.delete(key);
        forget(key);
        reject(signal.reason);
      };
      const grant = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.set(key, [...(waiting.get(key) ?? []), grant]);
      if (free > 0) next();
    });

  return {
    async run(key, task, signal) {
      await acquire(key, signal);
      try {
        return await task();
      } finally {
        release(key);
      }
    },
  };
}
