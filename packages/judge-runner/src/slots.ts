/** Lets a number of holders in at once; the others wait in line. */
export interface Slots {
  /**
   * Waits for a slot and returns the function that gives it back.
   * @throws The signal's reason, having left the line.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** `count` slots, handed out first come, first served. */
export function createSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  const giveBack = () => {
    const next = line.shift();
    if (next) next();
    else free += 1;
  };
  const once = () => {
    let held = true;
    return () => {
      if (held) giveBack();
      held = false;
    };
  };
  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (free > 0) {
          free -= 1;
          return resolve(once());
        }
        const onAbort = () => {
          line.splice(line.indexOf(enter), 1);
          reject(signal.reason);
        };
        const enter = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(once());
        };
        line.push(enter);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
