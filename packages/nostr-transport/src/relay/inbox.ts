import { runSoon } from '@bonafide/internal';

/** The queue of received messages of one connection. */
export interface Inbox {
  push(text: string): void;
  /** Calls `then` after all queued messages were handled; at once if the queue is empty. */
  whenEmpty(then: () => void): void;
  /** Clears the queue and stops. */
  close(): void;
}

/** Limits of one inbox. */
export interface InboxLimits {
  /** The longest time for handling messages before yielding to the event loop, in ms. */
  readonly sliceMs: number;
  /** Queued characters at which the socket is paused. */
  readonly pauseAt: number;
  /** Queued characters at which the connection is closed, for sockets that cannot be paused. */
  readonly overflowAt: number;
}

const defaultInboxLimits: InboxLimits = {
  sliceMs: 10,
  pauseAt: 4_194_304,
  overflowAt: 33_554_432,
};

/**
 * Creates an inbox that handles messages in order and in time slices. Verification takes about a millisecond
 * per event, so a flood from one relay must not block timers and other relays, nor fill the memory.
 */
export function createInbox(options: {
  readonly handle: (text: string) => void;
  /** Pauses and resumes reading, for sockets that can. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly onOverflow: () => void;
  readonly limits?: InboxLimits;
}): Inbox {
  const { handle, limits = defaultInboxLimits } = options;
  let waiting: string[] = [];
  let next = 0;
  let chars = 0;
  /** Cancels the next time slice; null when none is scheduled. */
  let turn: (() => void) | null = null;
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
      turn = runSoon(work);
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
      turn ??= runSoon(work);
    },
    whenEmpty(then) {
      if (turn === null && next >= waiting.length) then();
      else atEnd = then;
    },
    close() {
      closed = true;
      atEnd = null;
      waiting = [];
      turn?.();
      turn = null;
    },
  };
}
