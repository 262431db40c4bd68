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

/** Number of queued messages from which they are prepared: fewer are handled at once. */
const prepareFrom = 32;
/** Number of messages in one preparation, and of preparations at a time. */
const preparedTogether = 64;
const maxPreparations = 2;

/**
 * Creates an inbox that handles messages in order and in time slices. Verification takes about a millisecond
 * per event, so a flood from one relay must not block timers and other relays, nor fill the memory.
 *
 * @param options.prepare - Does work on queued messages in advance, in another thread; they are handled when it is done. Never rejects.
 */
export function createInbox(options: {
  readonly handle: (text: string) => void;
  readonly prepare?: ((texts: readonly string[]) => Promise<void>) | undefined;
  /** Pauses and resumes reading, for sockets that can. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly onOverflow: () => void;
  readonly limits?: InboxLimits;
}): Inbox {
  const { handle, prepare, limits = defaultInboxLimits } = options;
  let waiting: string[] = [];
  /** Counts of messages: that left `waiting`, that were handled, that were sent to `prepare`, and that may be handled. */
  let gone = 0;
  let handled = 0;
  let sent = 0;
  let ready = 0;
  let preparations = 0;
  let lastPrepared: Promise<void> = Promise.resolve();
  let chars = 0;
  /** Cancels the next time slice; null when none is scheduled. */
  let turn: (() => void) | null = null;
  let paused = false;
  let closed = false;
  let atEnd: (() => void) | null = null;

  const received = () => gone + waiting.length;

  function schedule(): void {
    turn ??= runSoon(work);
  }

  /** Prepares further messages, or declares them ready where that is not worth it. */
  function prepareMore(): void {
    while (sent < received() && preparations < maxPreparations) {
      const count = Math.min(received() - sent, preparedTogether);
      if (prepare === undefined || (count < prepareFrom && preparations === 0)) {
        sent = ready = received();
        return;
      }
      if (count < prepareFrom) return;
      const texts = waiting.slice(sent - gone, sent - gone + count);
      sent += count;
      preparations += 1;
      const end = sent;
      const prepared = prepare(texts);
      // In order: a later preparation may be done first.
      lastPrepared = lastPrepared
        .then(() => prepared)
        .then(() => {
          preparations -= 1;
          ready = Math.max(ready, end);
          if (!closed) schedule();
        });
    }
  }

  function work(): void {
    turn = null;
    const until = performance.now() + limits.sliceMs;
    prepareMore();
    while (!closed && handled < ready) {
      const text = waiting[handled - gone] ?? '';
      handled += 1;
      chars -= text.length;
      handle(text);
      if (performance.now() >= until) break;
    }
    if (closed) return;
    if (handled - gone > 1_024 || handled === received()) {
      waiting = waiting.slice(handled - gone);
      gone = handled;
    }
    prepareMore();
    if (waiting.length === 0) atEnd?.();
    else if (handled < ready) schedule();
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
      schedule();
    },
    whenEmpty(then) {
      if (turn === null && handled === received()) then();
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
