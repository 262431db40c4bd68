import type { Logger } from '@bonafide/internal';
import { type AddressGuard, addressForbidden } from '../address/address-guard.ts';
import type { RelayStatus } from '../transport.ts';
import {
  type BackoffPolicy,
  causeOf,
  type DisconnectCause,
  failuresAfter,
  reconnectDelayMs,
} from './backoff.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { RelaySocket, SocketFactory } from './socket.ts';

/** The limits that one link keeps. Times in ms. */
export interface LinkLimits {
  /** Largest frame taken from a relay, in bytes. Default 1 MiB. */
  readonly maxFrameBytes: number;
  /** For the handshake. Default 10,000. */
  readonly connectTimeoutMs: number;
  /** Silence after which a connection is tested. Default 30,000. */
  readonly pingAfterMs: number;
  /** How long the test may take. Default 10,000. */
  readonly pongWithinMs: number;
  /** A connection that nobody uses is closed after this. Default 30,000. */
  readonly idleMs: number;
}

export const defaultLinkLimits: LinkLimits = {
  maxFrameBytes: 1_048_576,
  connectTimeoutMs: 10_000,
  pingAfterMs: 30_000,
  pongWithinMs: 10_000,
  idleMs: 30_000,
};

/** What a link tells. */
export interface LinkEvents {
  /** Whether there is anything to be connected for. */
  isNeeded(): boolean;
  onOpen(): void;
  onText(text: string): void;
  /** Something came that is no text. */
  onGarbage(): void;
  /** An attempt failed (`wasOpen` false) or a connection ended; if it is still needed, the next attempt is planned. */
  onLost(reason: string, wasOpen: boolean): void;
  /** The guard forbids the address. It is tried again only when somebody asks for it anew. */
  onRefused(reason: string): void;
}

/** The line to one relay: a socket that is opened when needed, opened again when lost, tested when silent and closed when idle. */
export interface Link {
  readonly state: RelayStatus['state'];
  /** Ms since epoch by the clock; null when there is no connection. */
  readonly connectedAt: number | null;
  readonly lastError: string | null;
  readonly reconnects: number;
  /** Differs for every connection; to notice that one has been replaced. */
  readonly epoch: number;
  /** Somebody needs the relay. */
  wake(): void;
  /** Somebody needs it no more. */
  rest(): void;
  /** False when it could not be sent now. */
  send(message: readonly unknown[]): boolean;
  /** Leaves for good. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** A relay that is waited for may be tried earlier when somebody new asks for it, but not more often than this. */
const nudgeAfterMs = 10_000;
/** How much may wait to be written before the relay counts as stalled, in bytes. */
const maxBuffered = 16_777_216;
/** How long a close handshake may take. */
const closeWithinMs = 1_000;
/** The subscription that tests a connection whose socket cannot ping. */
export const probeId = 'ping';

export function createLink(
  relay: string,
  options: {
    readonly guard: AddressGuard;
    readonly connect: SocketFactory;
    readonly backoff: BackoffPolicy;
    readonly limits: LinkLimits;
    readonly clock: () => number;
    readonly random: () => number;
    readonly logger: Logger;
  },
  events: LinkEvents,
): Link {
  const { guard, backoff, limits, clock, random, logger } = options;
  let state: RelayStatus['state'] = 'closed';
  let socket: RelaySocket | null = null;
  let inbox: Inbox | null = null;
  let failures = 0;
  /** On the monotonic clock of `performance.now()`, as `openedAt` and `notBefore`. */
  let attemptedAt = 0;
  let openedAt = 0;
  let notBefore = 0;
  let connectedAt: number | null = null;
  let lastError: string | null = null;
  let epoch = 0;
  let isClosing = false;
  let attemptTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const heartbeat = createHeartbeat({
    afterMs: limits.pingAfterMs,
    withinMs: limits.pongWithinMs,
    probe() {
      if (socket?.ping !== undefined) socket.ping();
      // Nobody has this id: the relay answers EOSE and sends nothing.
      else send(['REQ', probeId, { ids: ['0'.repeat(64)], limit: 1 }]);
    },
    onDead: () => lost('stalled', 'the relay stopped answering'),
  });

  function wake(): void {
    clearTimeout(idleTimer);
    if (isClosing || state === 'open' || state === 'connecting') return;
    const inMs = Math.min(notBefore, attemptedAt + nudgeAfterMs) - performance.now();
    if (inMs <= 0) open();
    else retryIn(inMs);
  }

  function rest(): void {
    if (events.isNeeded()) return;
    if (state === 'waiting') {
      clearTimeout(retryTimer);
      state = 'closed';
    } else if (state === 'open') {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => {
        if (!events.isNeeded()) void disconnect();
      }, limits.idleMs);
    }
  }

  function retryIn(ms: number): void {
    state = 'waiting';
    clearTimeout(retryTimer);
    retryTimer = setTimeout(open, ms);
  }

  function open(): void {
    clearTimeout(retryTimer);
    attemptedAt = performance.now();
    const assessment = guard.assess(relay);
    if (!assessment.ok) {
      refuse(assessment.message);
      return;
    }
    state = 'connecting';
    let attempt: RelaySocket;
    try {
      attempt = options.connect(relay, { lookup: guard.lookup, maxPayload: limits.maxFrameBytes });
    } catch (error) {
      lost('network', messageOf(error) || 'the socket could not be made');
      return;
    }
    socket = attempt;
    listen(attempt);
    attemptTimer = setTimeout(() => lost('timeout', 'no answer to the handshake'), limits.connectTimeoutMs);
  }

  /** The listeners stay for the life of the socket, so that a late error finds one and does not end the process. */
  function listen(attempt: RelaySocket): void {
    let failure: Failure | null = null;
    const isCurrent = () => socket === attempt;

    attempt.addEventListener('open', () => {
      if (isCurrent()) opened(attempt);
    });
    attempt.addEventListener('message', ({ data }) => {
      if (!isCurrent()) return;
      heartbeat.alive();
      if (typeof data === 'string') inbox?.push(data);
      else events.onGarbage();
    });
    attempt.addEventListener('error', ({ error, message }) => {
      failure = { code: codeOf(error), message: messageOf(error) || message || 'failed' };
      // A close follows by the standard. Where it does not, the failure must not go unnoticed.
      setImmediate(() => {
        if (isCurrent() && inbox === null) ended(failure, undefined, '');
      });
    });
    attempt.addEventListener('close', ({ code, reason }) => {
      // A relay's last words may still wait for their turn.
      const end = () => {
        if (isCurrent()) ended(failure, code, reason ?? '');
      };
      if (isCurrent() && inbox !== null) inbox.whenEmpty(end);
      else end();
    });
    attempt.on?.('pong', () => {
      if (isCurrent()) heartbeat.alive();
    });
  }

  function ended(failure: Failure | null, closeCode: number | undefined, closeReason: string): void {
    if (failure?.code === addressForbidden) {
      refuse(failure.message);
      return;
    }
    const wasOpen = state === 'open';
    const cause = causeOf({ wasOpen, errorCode: failure?.code, message: failure?.message, closeCode });
    lost(cause, failure?.message ?? (closeReason || `closed with code ${closeCode}`));
  }

  function opened(current: RelaySocket): void {
    clearTimeout(attemptTimer);
    state = 'open';
    epoch += 1;
    openedAt = performance.now();
    connectedAt = clock();
    lastError = null;
    inbox = createInbox({
      handle: events.onText,
      pause: () => current.pause?.(),
      resume: () => current.resume?.(),
      onOverflow: () => lost('protocol', 'the relay sends faster than its events can be checked'),
    });
    heartbeat.start();
    events.onOpen();
    rest();
  }

  /** Ends the present attempt or connection, and plans the next one when there is still something to do. */
  function lost(cause: DisconnectCause, words: string): void {
    const wasOpen = state === 'open';
    letGo();
    lastError = `${cause}: ${words}`;
    failures = failuresAfter(failures, wasOpen ? performance.now() - openedAt : 0, backoff);
    logger.debug({ relay, cause, failures, reason: words }, 'Relay connection ended');
    const delayMs = reconnectDelayMs(cause, failures, random(), backoff);
    notBefore = performance.now() + delayMs;
    // Before anybody is told: who asks again in answer must find that we wait, and not connect at once.
    retryIn(delayMs);
    events.onLost(lastError, wasOpen);
    rest();
  }

  function refuse(words: string): void {
    letGo();
    state = 'refused';
    lastError = words;
    logger.warn({ relay, reason: words }, 'Relay address refused');
    events.onRefused(words);
  }

  /** Parts with the socket without ceremony; what it still reports is no longer listened to. */
  function letGo(): void {
    const old = detach();
    if (old === null) return;
    try {
      if (old.terminate !== undefined) old.terminate();
      else old.close();
    } catch {
      // It was closed already, or never got far enough to be.
    }
  }

  function detach(): RelaySocket | null {
    clearTimeout(attemptTimer);
    clearTimeout(retryTimer);
    clearTimeout(idleTimer);
    heartbeat.stop();
    inbox?.close();
    inbox = null;
    const old = socket;
    socket = null;
    connectedAt = null;
    state = 'closed';
    return old;
  }

  /** Says goodbye properly, and waits a moment for the answer. */
  async function disconnect(): Promise<void> {
    const wasOpen = state === 'open';
    const leaving = detach();
    if (leaving === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    leaving.addEventListener('close', () => resolve());
    const timer = setTimeout(() => {
      leaving.terminate?.();
      resolve();
    }, closeWithinMs);
    try {
      if (wasOpen || leaving.terminate === undefined) leaving.close(1000);
      else leaving.terminate();
      await promise;
    } catch {
      // Closing what never opened fails in some implementations; there is nothing left to close then.
    }
    clearTimeout(timer);
  }

  function send(message: readonly unknown[]): boolean {
    if (socket === null || state !== 'open') return false;
    try {
      socket.send(JSON.stringify(message));
    } catch (error) {
      lost('dropped', messageOf(error) || 'sending failed');
      return false;
    }
    if (socket.bufferedAmount > maxBuffered) {
      lost('stalled', 'the relay does not take what is sent to it');
      return false;
    }
    return true;
  }

  return {
    get state() {
      return state;
    },
    get connectedAt() {
      return connectedAt;
    },
    get lastError() {
      return lastError;
    },
    get reconnects() {
      return Math.max(0, epoch - 1);
    },
    get epoch() {
      return epoch;
    },
    wake,
    rest,
    send,
    async close() {
      isClosing = true;
      await disconnect();
    },
  };
}

interface Failure {
  readonly code: string | undefined;
  readonly message: string;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as Readonly<Record<string, unknown>>;
  if (typeof code === 'string') return code;
  // An attempt at several addresses wraps one error for each, and Node's own WebSocket wraps once more.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return codeOf(cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
