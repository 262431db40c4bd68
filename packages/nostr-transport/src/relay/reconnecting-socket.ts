import { type Logger, runSoon } from '@bonafide/internal';
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

/** Limits of one connection. Times in ms. */
export interface SocketLimits {
  /** The largest frame accepted from a relay, in bytes; a larger one closes the connection. Default 4 MiB. */
  readonly maxFrameBytes: number;
  /** The time limit of the handshake. Default 10,000. */
  readonly connectTimeoutMs: number;
  /** The time without messages after which a ping is sent. Default 30,000. */
  readonly pingAfterMs: number;
  /** The time limit for the answer to a ping. Default 10,000. */
  readonly pongWithinMs: number;
  /** The time after which an unused connection is closed. Default 30,000. */
  readonly idleMs: number;
}

export const defaultSocketLimits: SocketLimits = {
  maxFrameBytes: 4_194_304,
  connectTimeoutMs: 10_000,
  pingAfterMs: 30_000,
  pongWithinMs: 10_000,
  idleMs: 30_000,
};

/** Callbacks of a {@link ReconnectingSocket}. */
export interface ReconnectingSocketEvents {
  /** Returns true if the connection is needed. */
  isNeeded(): boolean;
  onOpen(): void;
  onText(text: string): void;
  /** Does work on many queued messages before `onText` is called for them; see {@link createInbox}. */
  readonly prepare?: ((texts: readonly string[]) => Promise<void>) | undefined;
  /** Called for a binary message. */
  onGarbage(): void;
  /**
   * Called when an attempt failed (`wasOpen` false) or a connection ended. The next attempt is scheduled if
   * it is needed.
   */
  onLost(reason: string, wasOpen: boolean): void;
  /** Called when the guard forbids the address. The next attempt follows the next request. */
  onRefused(reason: string): void;
}

/**
 * A WebSocket to one relay: opened on demand, reopened after a loss, pinged when silent, closed when idle.
 */
export interface ReconnectingSocket {
  readonly state: RelayStatus['state'];
  /** The time of connection in ms since epoch; null without a connection. */
  readonly connectedAt: number | null;
  readonly lastError: string | null;
  readonly reconnects: number;
  /** The number of the connection, to detect a replaced one. */
  readonly epoch: number;
  /** Connects if necessary. */
  wake(): void;
  /** Schedules the idle close if the connection is not needed any more. */
  rest(): void;
  /** Sends a message; returns false if that is not possible now. */
  send(message: readonly unknown[]): boolean;
  /** Closes permanently. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** The shortest time between two attempts for a new request during a backoff, in ms. */
const minRetryMs = 10_000;
/** The number of unsent bytes at which a relay counts as stalled. */
const maxBuffered = 16_777_216;
/** The time limit of a close handshake, in ms. */
const closeTimeoutMs = 1_000;
/** The subscription id that tests a connection whose socket cannot ping. */
export const probeId = 'ping';

export function createReconnectingSocket(
  relay: string,
  options: {
    readonly guard: AddressGuard;
    readonly connect: SocketFactory;
    readonly backoff: BackoffPolicy;
    readonly limits: SocketLimits;
    readonly clock: () => number;
    readonly random: () => number;
    readonly logger: Logger;
  },
  events: ReconnectingSocketEvents,
): ReconnectingSocket {
  const { guard, backoff, limits, clock, random, logger } = options;
  let state: RelayStatus['state'] = 'closed';
  let socket: RelaySocket | null = null;
  let inbox: Inbox | null = null;
  let failures = 0;
  /** In the time of `performance.now()`, like `openedAt` and `notBefore`. */
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
      // No event has this id: the relay answers EOSE and sends nothing.
      else send(['REQ', probeId, { ids: ['0'.repeat(64)], limit: 1 }]);
    },
    onDead: () => lost('stalled', 'the relay did not answer a ping'),
  });

  function wake(): void {
    clearTimeout(idleTimer);
    if (isClosing || state === 'open' || state === 'connecting') return;
    const inMs = Math.min(notBefore, attemptedAt + minRetryMs) - performance.now();
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

  /**
   * Adds the listeners. They stay for the life of the socket, so that a late error is handled and does not
   * end the process.
   */
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
      runSoon(() => {
        if (isCurrent() && inbox === null) ended(failure, undefined, '');
      });
    });
    attempt.addEventListener('close', ({ code, reason }) => {
      // A relay's last reason may still wait for their turn.
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
      prepare: events.prepare,
      pause: () => current.pause?.(),
      resume: () => current.resume?.(),
      onOverflow: () => lost('protocol', 'the relay sends events faster than they can be verified'),
    });
    heartbeat.start();
    events.onOpen();
    rest();
  }

  /** Ends the current attempt or connection, and schedules the next one if it is needed. */
  function lost(cause: DisconnectCause, reason: string): void {
    const wasOpen = state === 'open';
    dropSocket();
    lastError = `${cause}: ${reason}`;
    failures = failuresAfter(failures, wasOpen ? performance.now() - openedAt : 0, backoff);
    logger.debug({ relay, cause, failures, reason }, 'Relay connection ended');
    const delayMs = reconnectDelayMs(cause, failures, random(), backoff);
    notBefore = performance.now() + delayMs;
    // Before anybody is told: who asks again in answer must find that we wait, and not connect at once.
    retryIn(delayMs);
    events.onLost(lastError, wasOpen);
    rest();
  }

  function refuse(reason: string): void {
    dropSocket();
    state = 'refused';
    lastError = reason;
    logger.warn({ relay, reason }, 'Relay address refused');
    events.onRefused(reason);
  }

  /** Drops the socket without a close handshake; later reports of it are ignored. */
  function dropSocket(): void {
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

  /** Closes the socket with a handshake, within a time limit. */
  async function disconnect(): Promise<void> {
    const wasOpen = state === 'open';
    const leaving = detach();
    if (leaving === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    leaving.addEventListener('close', () => resolve());
    const timer = setTimeout(() => {
      leaving.terminate?.();
      resolve();
    }, closeTimeoutMs);
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
      lost('stalled', 'the relay does not read what is sent to it');
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
