import type { Logger } from '@bonafide/internal';
import { type AddressGuard, addressForbidden } from './address-guard.ts';
import type { Admission, RejectionReason } from './admission.ts';
import { createAuthenticator } from './auth.ts';
import {
  type BackoffPolicy,
  causeOf,
  type DisconnectCause,
  failuresAfter,
  reconnectDelayMs,
} from './backoff.ts';
import type { Filter, NostrEvent } from './event.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { parseRelayMessage, type RelayMessage, readRefusal } from './messages.ts';
import { createOutbox, type Delivery, type Outbox } from './outbox.ts';
import type { RelayInfo } from './relay-info.ts';
import { createRequestTable, type TableRequest, type WireCommand } from './request-table.ts';
import type { Signer } from './signer.ts';
import type { RelaySocket, SocketFactory } from './socket.ts';
import type { RelayStatus } from './transport.ts';

/** One thing that is asked of one relay, kept running by its connection until it is removed or closed for good. */
export interface ConnectionRequest extends TableRequest {
  /** What to ask; called each time it is sent, since what was read already need not be asked for again. */
  filters(): readonly Filter[];
  wants(event: NostrEvent): boolean;
  /** A verified event that it wants. False when it had come before. */
  onEvent(event: NostrEvent): boolean;
  /** Something came that did not pass. The relay counted it, so paging must. */
  onRejected(): void;
  onEose(): void;
  /** The connection ended; it will be sent again on the next one. */
  onLost(): void;
  /** An attempt to connect failed; the next one follows by itself. */
  onUnreachable?(): void;
  /** For good: it has left the connection. */
  onClosed(reason: string): void;
}

/** The limits that one connection keeps. Times in ms. */
export interface ConnectionLimits {
  /** REQs open at once; the relay may announce or enforce less. Default 8. */
  readonly maxRequests: number;
  /** Filters in one REQ. Default 10. */
  readonly maxFilters: number;
  /** Most events asked for at once; more are paged. Default 500. */
  readonly pageSize: number;
  /** Largest frame taken from a relay, in bytes. Default 1 MiB. */
  readonly maxFrameBytes: number;
  /** Events waiting to be published to one relay. Default 1,000. */
  readonly maxPendingPublishes: number;
  /** For the handshake. Default 10,000. */
  readonly connectTimeoutMs: number;
  /** Silence after which a connection is tested. Default 30,000. */
  readonly pingAfterMs: number;
  /** How long the test may take. Default 10,000. */
  readonly pongWithinMs: number;
  /** A connection that nobody uses is closed after this. Default 30,000. */
  readonly idleMs: number;
  /** For a NIP-42 exchange. Default 10,000. */
  readonly authTimeoutMs: number;
  /** How long after a NOTICE an OK is still waited for. Default 2,000. */
  readonly noticeGraceMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  maxRequests: 8,
  maxFilters: 10,
  pageSize: 500,
  maxFrameBytes: 1_048_576,
  maxPendingPublishes: 1_000,
  connectTimeoutMs: 10_000,
  pingAfterMs: 30_000,
  pongWithinMs: 10_000,
  idleMs: 30_000,
  authTimeoutMs: 10_000,
  noticeGraceMs: 2_000,
};

/** One relay: connects when there is something to do, stays connected while there is, and says how it went. */
export interface Connection {
  readonly relay: string;
  add(request: ConnectionRequest): void;
  remove(request: ConnectionRequest): void;
  publish(
    event: NostrEvent,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Delivery>;
  /** Most events that this relay is asked for at once. */
  pageSize(): number;
  /** The most events this relay ever sent before one EOSE, at least 20: fewer than that is all there is. */
  provenPageSize(): number;
  /** Reports how many came before an EOSE. */
  measurePage(received: number): void;
  status(): RelayStatus;
  /** True when nobody uses it and no socket is open. */
  isDormant(): boolean;
  /** Leaves the relay for good. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** What a connection shares with its siblings. */
export interface ConnectionContext {
  readonly guard: AddressGuard;
  readonly connect: SocketFactory;
  readonly admission: Admission;
  /** The signer to authenticate to this relay with; null when it is not on the allow list. */
  readonly signer: Signer | null;
  readonly info: (relay: string) => Promise<RelayInfo | null>;
  readonly backoff: BackoffPolicy;
  readonly limits: ConnectionLimits;
  readonly clock: () => number;
  readonly random: () => number;
  readonly logger: Logger;
}

type State = RelayStatus['state'];

/** The subscription that tests a connection whose socket cannot ping. */
const probeId = 'ping';

/** A relay that we gave up on may be tried earlier when somebody new asks for it, but not more often than this. */
const nudgeAfterMs = 10_000;
/** How much may wait to be written before the relay counts as stalled, in bytes. */
const maxBuffered = 16_777_216;
/** How long a close handshake may take. */
const closeWithinMs = 1_000;
/** REQs at once while the relay's own limits are not known yet. */
const cautiousRequests = 4;
/** A relay that never sent more than this in one page is not assumed to cut there. */
const smallestCut = 20;

export function createConnection(relay: string, context: ConnectionContext): Connection {
  const { limits, logger, clock, random, backoff } = context;
  let requestCount = 0;
  const table = createRequestTable<ConnectionRequest>(
    { slots: limits.maxRequests, filters: limits.maxFilters },
    () => {
      requestCount += 1;
      return `b${requestCount}`;
    },
  );
  const auth = createAuthenticator({
    relay,
    signer: context.signer,
    send: (message) => void send(message),
    clock,
    timeoutMs: limits.authTimeoutMs,
  });
  const outbox: Outbox = createOutbox({
    send,
    authenticate: () => auth.authenticate(),
    onSettled: rest,
    noticeGraceMs: limits.noticeGraceMs,
    maxPending: limits.maxPendingPublishes,
  });
  const heartbeat = createHeartbeat({
    afterMs: limits.pingAfterMs,
    withinMs: limits.pongWithinMs,
    probe: () => {
      if (socket?.ping !== undefined) socket.ping();
      // Nobody has this id: the relay answers EOSE and sends nothing.
      else send(['REQ', probeId, { ids: ['0'.repeat(64)], limit: 1 }]);
    },
    onDead: () => lost('stalled', 'the relay stopped answering'),
  });

  let state: State = 'closed';
  let socket: RelaySocket | null = null;
  let inbox: Inbox | null = null;
  let failures = 0;
  /** On the monotonic clock of `performance.now()`, as `notBefore`. */
  let attemptedAt = 0;
  let notBefore = 0;
  let openedAt: number | null = null;
  let wasOpenBefore = false;
  let lastError: string | null = null;
  let isClosing = false;
  let attemptTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let measuredSlots = limits.maxRequests;
  let maxMessageLength: number | null = null;
  let largestAccepted = 0;
  let announcedPage: number | null = null;
  let provenPage = smallestCut;

  /** Requests that wait for AUTH (null) or for a pause to end. */
  const parked = new Map<ConnectionRequest, NodeJS.Timeout | null>();
  /** How often a request was refused on this connection. */
  let refusals = new WeakMap<ConnectionRequest, number>();
  let triedAuth = new WeakSet<ConnectionRequest>();

  const counters = { events: 0, duplicates: 0, reconnects: 0, publishes: 0 };
  const rejected: Partial<Record<RejectionReason | 'garbage' | 'unsubscribed', number>> = {};
  const countRejected = (reason: RejectionReason | 'garbage' | 'unsubscribed') => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  };

  const isNeeded = () => table.open + table.waiting + parked.size + outbox.pending > 0;

  // — Connecting —

  /** Somebody needs the relay. */
  function wake(): void {
    clearTimeout(idleTimer);
    if (isClosing || state === 'open' || state === 'connecting') return;
    const inMs = Math.min(notBefore, attemptedAt + nudgeAfterMs) - performance.now();
    if (inMs <= 0) open();
    else retryIn(inMs);
  }

  function retryIn(ms: number): void {
    state = 'waiting';
    clearTimeout(retryTimer);
    retryTimer = setTimeout(open, ms);
  }

  /** Nobody may need it any more. */
  function rest(): void {
    if (isNeeded()) return;
    if (state === 'waiting') {
      clearTimeout(retryTimer);
      state = 'closed';
    } else if (state === 'open') {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => {
        if (!isNeeded()) void disconnect();
      }, limits.idleMs);
    }
  }

  function open(): void {
    clearTimeout(retryTimer);
    attemptedAt = performance.now();
    const assessment = context.guard.assess(relay);
    if (!assessment.ok) {
      refuse(assessment.message);
      return;
    }
    state = 'connecting';
    let attempt: RelaySocket;
    try {
      attempt = context.connect(relay, { lookup: context.guard.lookup, maxPayload: limits.maxFrameBytes });
    } catch (error) {
      lost('network', messageOf(error));
      return;
    }
    socket = attempt;
    listen(attempt);
    attemptTimer = setTimeout(() => lost('timeout', 'no answer to the handshake'), limits.connectTimeoutMs);
  }

  /** The listeners stay for the life of the socket, so that a late error finds one and does not end the process. */
  function listen(attempt: RelaySocket): void {
    let failure: { readonly code?: string | undefined; readonly message: string } | null = null;
    const isCurrent = () => socket === attempt;

    attempt.addEventListener('open', () => {
      if (isCurrent()) opened(attempt);
    });
    attempt.addEventListener('message', ({ data }) => {
      if (!isCurrent()) return;
      heartbeat.alive();
      if (typeof data === 'string') inbox?.push(data);
      else countRejected('garbage');
    });
    attempt.addEventListener('error', (event) => {
      failure = { code: codeOf(event.error), message: messageOf(event.error) || event.message || 'failed' };
      // A close follows by the standard. Where it does not, the failure must not go unnoticed.
      setImmediate(() => {
        if (isCurrent()) ended(failure, undefined, '');
      });
    });
    attempt.addEventListener('close', ({ code, reason }) => {
      if (isCurrent()) ended(failure, code, reason ?? '');
    });
    attempt.on?.('pong', () => {
      if (isCurrent()) heartbeat.alive();
    });
  }

  function ended(
    failure: { readonly code?: string | undefined; readonly message: string } | null,
    closeCode: number | undefined,
    closeReason: string,
  ): void {
    if (failure?.code === addressForbidden) {
      refuse(failure.message);
      return;
    }
    const cause = causeOf({
      wasOpen: state === 'open',
      errorCode: failure?.code,
      message: failure?.message,
      closeCode,
    });
    const words = failure?.message ?? (closeReason || `closed with code ${closeCode}`);
    lost(cause, words);
  }

  function opened(current: RelaySocket): void {
    clearTimeout(attemptTimer);
    state = 'open';
    openedAt = clock();
    if (wasOpenBefore) counters.reconnects += 1;
    wasOpenBefore = true;
    lastError = null;
    inbox = createInbox({
      handle,
      pause: () => current.pause?.(),
      resume: () => current.resume?.(),
      onOverflow: () => lost('protocol', 'the relay sends faster than its events can be checked'),
    });
    heartbeat.start();
    learnLimits();
    outbox.onOpen();
    flush();
    rest();
  }

  /** Ends the present attempt or connection, and plans the next one when there is still something to do. */
  function lost(cause: DisconnectCause, words: string): void {
    const neverOpened = state !== 'open';
    const openForMs = neverOpened ? 0 : performance.now() - attemptedAt;
    forgetSocket();
    if (isClosing) return;
    lastError = `${cause}: ${words}`;
    failures = failuresAfter(failures, openForMs, backoff);
    logger.debug({ relay, cause, failures, err: words }, 'Relay connection ended');
    const delayMs = reconnectDelayMs(cause, failures, random(), backoff);
    notBefore = performance.now() + delayMs;
    // Before anybody is told: who asks again in answer must find that we wait, and not connect at once.
    retryIn(delayMs);
    outbox.onLost(lastError);
    for (const request of restart()) if (neverOpened) request.onUnreachable?.();
    rest();
  }

  /** Puts every request in line again, from the start. Returns them. */
  function restart(): readonly ConnectionRequest[] {
    for (const timer of parked.values()) clearTimeout(timer ?? undefined);
    table.requeue([...parked.keys()]);
    parked.clear();
    refusals = new WeakMap();
    triedAuth = new WeakSet();
    table.reset();
    auth.reset();
    const all = table.all();
    for (const request of all) request.onLost();
    return all;
  }

  function refuse(words: string): void {
    forgetSocket();
    state = 'refused';
    lastError = words;
    logger.warn({ relay, reason: words }, 'Relay address refused');
    outbox.settleAll({ status: 'refused', message: words });
    for (const request of restart()) {
      table.remove(request);
      request.onClosed(`refused: ${words}`);
    }
  }

  /** Lets go of the socket; what it still reports is no longer listened to. */
  function forgetSocket(): void {
    clearTimeout(attemptTimer);
    clearTimeout(idleTimer);
    heartbeat.stop();
    inbox?.close();
    inbox = null;
    const old = socket;
    socket = null;
    openedAt = null;
    state = 'closed';
    if (old === null) return;
    try {
      if (old.terminate !== undefined) old.terminate();
      else old.close();
    } catch {
      // It was closed already, or never got far enough to be.
    }
  }

  /** Says goodbye properly, and waits a moment for the answer. */
  async function disconnect(): Promise<void> {
    const leaving = socket;
    const wasOpen = state === 'open';
    clearTimeout(retryTimer);
    clearTimeout(attemptTimer);
    clearTimeout(idleTimer);
    heartbeat.stop();
    inbox?.close();
    inbox = null;
    socket = null;
    openedAt = null;
    state = 'closed';
    auth.reset();
    table.reset();
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
    // Somebody may have come while we were leaving.
    if (!isClosing && isNeeded() && state === 'closed') open();
  }

  /** The relay's own word on its limits arrives while we work; what was measured stays in force. */
  function learnLimits(): void {
    table.limit({ slots: Math.min(measuredSlots, cautiousRequests) });
    void context.info(relay).then((info) => {
      if (isClosing) return;
      maxMessageLength = info?.maxMessageLength ?? null;
      announcedPage = info?.maxLimit ?? null;
      table.limit({
        slots: Math.min(measuredSlots, info?.maxSubscriptions ?? measuredSlots),
        filters: Math.min(table.limits.filters, info?.maxFilters ?? limits.maxFilters),
      });
      flush();
    });
  }

  // — Speaking —

  function send(message: readonly unknown[]): boolean {
    if (socket === null || state !== 'open') return false;
    try {
      socket.send(JSON.stringify(message));
    } catch (error) {
      lost('dropped', messageOf(error));
      return false;
    }
    if (socket.bufferedAmount > maxBuffered) {
      lost('stalled', 'the relay does not take what is sent to it');
      return false;
    }
    return true;
  }

  function flush(): void {
    if (state !== 'open') return;
    for (const command of table.plan()) send(frameOf(command));
  }

  // — Listening —

  function handle(text: string): void {
    const message = parseRelayMessage(text);
    if (message === null) countRejected('garbage');
    else heard(message);
  }

  function heard(message: RelayMessage): void {
    switch (message.type) {
      case 'EVENT':
        heardEvent(message.subscription, message.event);
        break;
      case 'EOSE':
        for (const request of table.settle(message.subscription)) request.onEose();
        if (message.subscription === probeId) send(['CLOSE', probeId]);
        flush();
        break;
      case 'CLOSED':
        heardClosed(message.subscription, message.reason);
        break;
      case 'OK':
        if (!auth.onOk(message.id, message.accepted, message.message)) {
          outbox.onOk(message.id, message.accepted, message.message);
        }
        break;
      case 'NOTICE':
        heardNotice(message.message);
        break;
      case 'AUTH':
        auth.onChallenge(message.challenge);
        break;
    }
  }

  function heardEvent(subscription: string, value: unknown): void {
    const members = table.members(subscription);
    if (members.length === 0) {
      countRejected('unsubscribed');
      return;
    }
    const admitted = context.admission.admit(value, (event) => members.some((member) => member.wants(event)));
    if (!admitted.ok) {
      countRejected(admitted.reason);
      for (const member of members) member.onRejected();
      return;
    }
    counters.events += 1;
    let isNew = false;
    for (const member of members) {
      if (member.wants(admitted.event)) isNew = member.onEvent(admitted.event) || isNew;
    }
    if (!isNew) counters.duplicates += 1;
  }

  function heardClosed(subscription: string, reason: string): void {
    const members = table.drop(subscription);
    if (members.length === 0) return;
    logger.debug({ relay, reason }, 'Relay closed a subscription');
    refused(members, reason);
    flush();
  }

  function refused(members: readonly ConnectionRequest[], reason: string): void {
    switch (readRefusal(reason)) {
      case 'auth':
        authenticateFor(members, reason);
        break;
      case 'capacity':
        askForLess(members, reason);
        break;
      case 'retry':
        pause(members);
        break;
      case 'final':
        give(members, reason);
        break;
    }
  }

  function give(members: readonly ConnectionRequest[], reason: string): void {
    for (const request of members) request.onClosed(reason);
    rest();
  }

  function authenticateFor(members: readonly ConnectionRequest[], reason: string): void {
    const again = members.filter((request) => triedAuth.has(request));
    if (again.length > 0) give(again, reason);
    const first = members.filter((request) => !triedAuth.has(request));
    if (first.length === 0) return;
    for (const request of first) {
      triedAuth.add(request);
      parked.set(request, null);
    }
    const asked = socket;
    void auth.authenticate().then((result) => {
      if (socket !== asked) return; // A new connection has taken them over.
      const waiting = first.filter((request) => parked.delete(request));
      if (result.ok) table.requeue(waiting);
      else give(waiting, `${reason} (${result.reason})`);
      flush();
    });
  }

  function askForLess(members: readonly ConnectionRequest[], reason: string): void {
    if (!/filter/i.test(reason)) {
      measuredSlots = Math.max(2, table.open);
      table.limit({ slots: measuredSlots });
      pause(members);
    } else if (members.length > 1) {
      const asked = members.reduce((total, request) => total + request.size, 0);
      table.limit({ filters: Math.floor(asked / 2) });
      table.requeue(members);
    } else {
      give(members, reason);
    }
  }

  /** Asks again after a while, longer each time. */
  function pause(members: readonly ConnectionRequest[]): void {
    for (const request of members) {
      const count = (refusals.get(request) ?? 0) + 1;
      refusals.set(request, count);
      const timer = setTimeout(
        () => {
          parked.delete(request);
          table.add(request);
          flush();
        },
        reconnectDelayMs('dropped', count, random(), backoff),
      );
      parked.set(request, timer);
    }
  }

  function heardNotice(words: string): void {
    logger.debug({ relay, notice: words }, 'Relay notice');
    outbox.onNotice(words);
    if (readRefusal(words) !== 'capacity') return;
    // Some relays refuse a REQ in this way only; it must have been the last one.
    const unanswered = table.lastUnsettled();
    if (unanswered === null) return;
    askForLess(table.drop(unanswered), words);
    flush();
  }

  return {
    relay,
    add(request) {
      table.add(request);
      wake();
      flush();
    },
    remove(request) {
      clearTimeout(parked.get(request) ?? undefined);
      parked.delete(request);
      table.remove(request);
      flush();
      rest();
    },
    async publish(event, options) {
      counters.publishes += 1;
      const bytes = Buffer.byteLength(JSON.stringify(event)) + 11;
      if (maxMessageLength !== null && bytes > maxMessageLength && bytes > largestAccepted) {
        const message = `${bytes} bytes exceed the ${maxMessageLength} that the relay announces`;
        return { status: 'rejected', message };
      }
      const delivery = outbox.deliver(event, options);
      wake();
      const { status, message } = await delivery;
      if (status === 'accepted') largestAccepted = Math.max(largestAccepted, bytes);
      return { status, message };
    },
    pageSize: () => Math.min(limits.pageSize, announcedPage ?? limits.pageSize),
    provenPageSize: () => provenPage,
    measurePage(received) {
      provenPage = Math.max(provenPage, received);
    },
    status: () => ({
      relay,
      state,
      connectedAt: openedAt,
      lastError,
      counters: { ...counters, rejected: { ...rejected } },
    }),
    isDormant: () => !isNeeded() && socket === null,
    async close() {
      isClosing = true;
      outbox.settleAll({ status: 'unreachable', message: 'the transport was closed' });
      for (const timer of parked.values()) clearTimeout(timer ?? undefined);
      parked.clear();
      await disconnect();
    },
  };
}

function frameOf(command: WireCommand<ConnectionRequest>): readonly unknown[] {
  if (command.type === 'CLOSE') return ['CLOSE', command.id];
  return ['REQ', command.id, ...command.members.flatMap((request) => request.filters())];
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, errors } = error as Readonly<Record<string, unknown>>;
  if (typeof code === 'string') return code;
  // What happy eyeballs and undici wrap.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return codeOf(cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
