import type { Timers } from '../timers.ts';

/** Runs tasks at intervals: of those that come too soon, the latest. */
export interface Throttle {
  run(task: () => void): void;
  /** Drops a waiting task. */
  end(): void;
}

/** Creates a throttle that leaves at least `intervalMs` between two tasks. */
export function createThrottle(intervalMs: number, timers: Timers): Throttle {
  let waiting: (() => void) | null = null;
  let cancel: (() => void) | null = null;

  const pause = () => {
    cancel = timers.after(intervalMs, () => {
      cancel = null;
      const task = waiting;
      waiting = null;
      if (task === null) return;
      pause();
      task();
    });
  };

  return {
    run(task) {
      if (cancel !== null) {
        waiting = task;
        return;
      }
      pause();
      task();
    },
    end() {
      cancel?.();
      cancel = null;
      waiting = null;
    },
  };
}
