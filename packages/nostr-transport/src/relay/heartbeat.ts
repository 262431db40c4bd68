/** Detects half-open connections, whose peer has disappeared without closing. */
export interface Heartbeat {
  start(): void;
  /** Reports that a message arrived. */
  alive(): void;
  stop(): void;
}

/**
 * Creates a heartbeat that calls `probe` after `afterMs` without messages, and `onDead` after `withinMs`
 * more.
 */
export function createHeartbeat(options: {
  readonly afterMs: number;
  readonly withinMs: number;
  readonly probe: () => void;
  readonly onDead: () => void;
}): Heartbeat {
  let timer: NodeJS.Timeout | undefined;
  let heardAt = 0;

  function watch(inMs: number): void {
    timer = setTimeout(check, inMs);
  }

  function check(): void {
    const silentMs = performance.now() - heardAt;
    // Timers fire up to a millisecond early.
    if (silentMs < options.afterMs - 1) {
      watch(options.afterMs - silentMs);
      return;
    }
    const probedAt = performance.now();
    timer = setTimeout(() => {
      if (heardAt < probedAt) options.onDead();
      else watch(options.afterMs);
    }, options.withinMs);
    options.probe();
  }

  return {
    start() {
      clearTimeout(timer);
      heardAt = performance.now();
      watch(options.afterMs);
    },
    alive() {
      heardAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
