/** What arrived on one connection and waits for its turn. */
export interface Inbox {
  push(text: string): void;
  /** Calls `then` when all that came before has been handled; at once when nothing waits. */
  whenEmpty(then: () => void): void;
  /** Forgets what waits and stops. */
  close(): void;
}

/** How much one connection may take of this process at a time. */
export interface InboxLimits {
  /** How long messages are handled before others get a turn, in ms. */
  readonly sliceMs: number;
  /** Characters that may wait before the socket is paused. */
  readonly pauseAt: number;
  /** Characters that may wait at all, on a socket that cannot be paused. */
  readonly overflowAt: number;
}

const defaultInboxLimits: InboxLimits = {
  sliceMs: 10,
  pauseAt: 4_194_304,
  overflowAt: 33_554_432,
};

/**
 * Handles messages in order and in slices, since verification takes a millisecond per event: a flood from one
 * relay must not starve timers and the other relays, nor fill the memory.
 */
export function createInbox(options: {
  readonly handle: (text: string) => void;
  /** Stop and resume reading, where the socket can. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly onOverflow: () => void;
  readonly limits?: InboxLimits;
}): Inbox {
  const { handle, limits = defaultInboxLimits } = options;
  let waiting: string[] = [];
  let next = 0;
  let chars = 0;
  let turn: NodeJS.Immediate | null = null;
  let paused = false;
  let closed = false;
  let atEnd: (() => void) | null = null;

  function work(): void {
    turn = null;
    const until = performance.now() + limits.sliceMs;
    while (!closed && next < waiting.length) {
      const text = waiting[next] ?? '';
      next += 1;
      chars -= text.length;
      handle(text);
      if (performance.now() >= until) break;
    }
    if (closed) return;
    if (next >= waiting.length) {
      waiting = [];
      next = 0;
      atEnd?.();
    } else {
      if (next > 1_024) {
        waiting = waiting.slice(next);
        next = 0;
      }
      turn = setImmediate(work);
    }
    if (paused && chars < limits.pauseAt / 4) {
      paused = false;
      options.resume();
    }
  }

  return {
    push(text) {
      if (closed) return;
      waiting.push(text);
      chars += text.length;
      if (chars > limits.overflowAt) {
        options.onOverflow();
        return;
      }
      if (!paused && chars > limits.pauseAt) {
        paused = true;
        options.pause();
      }
      turn ??= setImmediate(work);
    },
    whenEmpty(then) {
      if (turn === null && next >= waiting.length) then();
      else atEnd = then;
    },
    close() {
      closed = true;
      atEnd = null;
      waiting = [];
      if (turn !== null) clearImmediate(turn);
      turn = null;
    },
  };
}
