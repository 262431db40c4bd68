import { byteLength } from '@bonafide/internal';
import type { Admission, RejectionReason } from '../event/admission.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import type { Signer } from '../signers/signer.ts';
import type { RelayStatus } from '../transport.ts';
import { type BackoffPolicy, reconnectDelayMs } from './backoff.ts';
import { parseRelayMessage, type RelayMessage, readRefusal } from './messages.ts';
import type { TransportMeter } from './metrics.ts';
import type { RelayInfo } from './nip11-info.ts';
import { createAuthenticator } from './nip42-auth.ts';
import { createNegentropyClient, type KnownEvent, type Reconciliation } from './nip77-negentropy.ts';
import { createPublishQueue, type Delivery, type PublishQueue } from './publish-queue.ts';
import {
  createReconnectingSocket,
  defaultSocketLimits,
  probeId,
  type SocketLimits,
} from './reconnecting-socket.ts';
import { createRefusalHandler } from './refusal-handler.ts';
import { createRequestTable, type TableRequest, type WireCommand } from './request-table.ts';

/** One request to one relay. The connection repeats it after a reconnect until it is removed or closed. */
export interface ConnectionRequest extends TableRequest {
  /**
   * Returns the filters to send; called for each REQ, because events that were read need not be requested
   * again.
   */
  filters(): readonly Filter[];
  matches(event: NostrEvent): boolean;
  /** Called for a verified event that matches; returns false for a duplicate. */
  onEvent(event: NostrEvent): boolean;
  /** Called for a rejected event, unchanged. Paging counts it. */
  onRejected(reason: RejectionReason, value: unknown): void;
  /**
   * Called at EOSE. `received` is the number of events under the subscription, including those for requests
   * that share it.
   */
  onEose(received: number): void;
  /** Called when the connection was lost; the request is sent again on the next one. */
  onLost(): void;
  /** Called when a connection attempt failed; the next one follows. */
  onUnreachable?(): void;
  /** Called when the request was closed and removed. */
  onClosed(reason: string): void;
}

/** Limits of one connection. Times in ms. */
export interface ConnectionLimits extends SocketLimits {
  /** Open REQs at the same time; the relay may announce or enforce fewer. Default 8. */
  readonly maxRequests: number;
  /** Filters in one REQ. Default 10. */
  readonly maxFilters: number;
  /** Events requested at once; more are read in pages. Default 500. */
  readonly pageSize: number;
  /** Queued events to publish to one relay; more are `refused`. Default 1,000. */
  readonly maxPendingPublishes: number;
  /** The time limit of a NIP-42 exchange, including the signature. Default 10,000. */
  readonly authTimeoutMs: number;
  /** The time to wait for an OK after a NOTICE. Default 2,000. */
  readonly noticeGraceMs: number;
  /** The time limit of each answer in a reconciliation (NIP-77). Default 5,000. */
  readonly reconcileAnswerMs: number;
  /** Events that a relay may list in one reconciliation. A relay that lists more is read page by page. Default 100,000. */
  readonly maxReconciled: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  ...defaultSocketLimits,
  maxRequests: 8,
  maxFilters: 10,
  pageSize: 500,
  maxPendingPublishes: 1_000,
  authTimeoutMs: 10_000,
  noticeGraceMs: 2_000,
  reconcileAnswerMs: 5_000,
  maxReconciled: 100_000,
};

/** The connection to one relay with all its requests. */
export interface Connection {
  readonly relay: string;
  add(request: ConnectionRequest): void;
  remove(request: ConnectionRequest): void;
  publish(
    event: NostrEvent,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Delivery>;
  /**
   * Compares known events with those of the relay (NIP-77). Fails if the relay does not announce NIP-77. Never rejects.
   */
  reconcile(filter: Filter, known: readonly KnownEvent[], signal: AbortSignal): Promise<Reconciliation>;
  /** The number of events to request at once. */
  pageSize(): number;
  /** The largest number of events that this relay has sent for one filter before an EOSE, at least 5. */
  provenPageSize(): number;
  /** The `max_limit` of the relay's NIP-11 document; null when unknown. */
  announcedPageSize(): number | null;
  /** Reports how many events came for one filter before an EOSE. */
  measurePage(received: number): void;
  status(): RelayStatus;
  /** Returns true if there is no request and no open socket. */
  isDormant(): boolean;
  /** Closes permanently. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** The dependencies that all connections share. */
export interface ConnectionContext extends Omit<Parameters<typeof createReconnectingSocket>[1], 'limits'> {
  readonly admission: Admission;
  readonly meter: TransportMeter;
  /** The signer to authenticate to this relay with; null when it is not on the allow list. */
  readonly signer: Signer | null;
  readonly info: (relay: string) => Promise<RelayInfo | null>;
  readonly backoff: BackoffPolicy;
  readonly limits: ConnectionLimits;
}

/** Open REQs while the limits of the relay are unknown: one for live requests, which they share, and one for queries. */
const cautiousRequests = 2;

/** No relay is assumed to cut its answers below this number of events. */
const smallestCut = 5;

type Rejection = RejectionReason | 'garbage' | 'unsubscribed';

export function createConnection(relay: string, context: ConnectionContext): Connection {
  const { limits, logger, clock, random, backoff, admission, meter } = context;
  let requestCount = 0;
  const table = createRequestTable<ConnectionRequest>(
    { slots: limits.maxRequests, filters: limits.maxFilters },
    () => {
      requestCount += 1;
      return `b${requestCount}`;
    },
  );
  const socket = createReconnectingSocket(relay, context, {
    isNeeded: () => isNeeded(),
    onOpen() {
      learnLimits();
      publishQueue.onOpen();
      negentropy.onOpen();
      flush();
    },
    onText: (text) => {
      const message = parseRelayMessage(text);
      if (message === null) countRejected('garbage');
      else handleMessage(message);
    },
    prepare: admission.prepare,
    onGarbage: () => countRejected('garbage'),
    onLost(reason, wasOpen) {
      if (wasOpen) meter.lost();
      publishQueue.onLost(reason);
      negentropy.onLost(reason);
      for (const request of restart()) if (!wasOpen) request.onUnreachable?.();
    },
    onRefused(reason) {
      publishQueue.settleAll({ status: 'refused', message: reason });
      negentropy.onLost(reason);
      for (const request of restart()) {
        table.remove(request);
        request.onClosed(`refused: ${reason}`);
      }
    },
  });
  const auth = createAuthenticator({
    relay,
    signer: context.signer,
    send: (message) => void socket.send(message),
    clock,
    timeoutMs: limits.authTimeoutMs,
  });
  const publishQueue: PublishQueue = createPublishQueue({
    send: socket.send,
    shouldAuthenticate: (reason) => {
      const refusal = readRefusal(reason);
      return refusal === 'auth' || (refusal === 'restricted' && auth.isUntried);
    },
    authenticate: auth.authenticate,
    onSettled: socket.rest,
    noticeGraceMs: limits.noticeGraceMs,
    maxPending: limits.maxPendingPublishes,
  });

  const negentropy = createNegentropyClient({
    send: socket.send,
    isOpen: () => socket.state === 'open',
    onSettled: socket.rest,
    answerWithinMs: limits.reconcileAnswerMs,
    maxMissing: limits.maxReconciled,
  });
  const refusals = createRefusalHandler<ConnectionRequest>({
    table,
    auth,
    socket,
    slots: limits.maxRequests,
    delayMs: (count) => reconnectDelayMs('dropped', count, random(), backoff),
    flush: () => flush(),
  });

  let provenPage = smallestCut;
  let largestAccepted = 0;
  /** The number of events per subscription since its REQ, until its EOSE. */
  const receivedBy = new Map<string, number>();
  let maxMessageLength: number | null = null;
  let announcedPage: number | null = null;

  const counters = { events: 0, duplicates: 0, publishes: 0 };
  const rejected: Partial<Record<Rejection, number>> = {};
  const countRejected = (reason: Rejection) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
    meter.received(reason);
  };

  const isNeeded = () =>
    table.open + table.waiting + refusals.waiting + publishQueue.pending + negentropy.pending > 0;

  /** Queues every request again after the connection was lost, and returns them. */
  function restart(): readonly ConnectionRequest[] {
    refusals.reset();
    table.reset();
    receivedBy.clear();
    auth.reset();
    const all = table.all();
    for (const request of all) request.onLost();
    return all;
  }

  /** Fetches the relay's limits; until they arrive, few requests are sent at once. */
  function learnLimits(): void {
    // Measured truth wins over what the relay announces (NIP-11).
    table.limit({ slots: Math.min(refusals.measuredSlots, cautiousRequests) });
    void context.info(relay).then((info) => {
      maxMessageLength = info?.maxMessageLength ?? null;
      announcedPage = info?.maxLimit ?? null;
      table.limit({
        slots: Math.min(refusals.measuredSlots, info?.maxSubscriptions ?? limits.maxRequests),
        filters: Math.min(table.limits.filters, info?.maxFilters ?? limits.maxFilters),
      });
      flush();
    });
  }

  function flush(): void {
    if (socket.state !== 'open') return;
    for (const command of table.plan()) {
      if (command.type === 'REQ') receivedBy.set(command.id, 0);
      else receivedBy.delete(command.id);
      socket.send(frameOf(command));
    }
  }

  function handleMessage(message: RelayMessage): void {
    switch (message.type) {
      case 'EVENT':
        handleEvent(message.subscription, message.event);
        break;
      case 'EOSE':
        handleEose(message.subscription);
        if (message.subscription === probeId) socket.send(['CLOSE', probeId]);
        flush();
        break;
      case 'CLOSED':
        handleClosed(message.subscription, message.reason);
        break;
      case 'OK':
        if (!auth.onOk(message.id, message.accepted, message.message)) {
          publishQueue.onOk(message.id, message.accepted, message.message);
        }
        break;
      case 'NOTICE':
        handleNotice(message.message);
        break;
      case 'AUTH':
        auth.onChallenge(message.challenge);
        break;
      case 'NEG-MSG':
        negentropy.onMessage(message.subscription, message.message);
        break;
      case 'NEG-ERR':
        negentropy.onError(message.subscription, message.reason);
        break;
    }
  }

  function handleEose(subscription: string): void {
    const received = receivedBy.get(subscription) ?? 0;
    receivedBy.delete(subscription);
    for (const request of table.settle(subscription)) request.onEose(received);
  }

  function handleEvent(subscription: string, value: unknown): void {
    const members = table.members(subscription);
    if (members.length === 0) {
      countRejected('unsubscribed');
      return;
    }
    const counted = receivedBy.get(subscription);
    if (counted !== undefined) receivedBy.set(subscription, counted + 1);
    const admitted = admission.admit(value, (event) => members.some((member) => member.matches(event)));
    if (!admitted.ok) {
      countRejected(admitted.reason);
      for (const member of members) member.onRejected(admitted.reason, value);
      return;
    }
    counters.events += 1;
    let isNew = false;
    for (const member of members) {
      if (member.matches(admitted.event)) isNew = member.onEvent(admitted.event) || isNew;
    }
    if (!isNew) counters.duplicates += 1;
    meter.received(isNew ? 'accepted' : 'duplicate');
  }

  function handleClosed(subscription: string, reason: string): void {
    const members = table.drop(subscription);
    receivedBy.delete(subscription);
    if (members.length === 0) return;
    logger.debug({ relay, reason }, 'Relay closed a subscription');
    refusals.handle(members, reason);
    flush();
  }

  /** Handles a NOTICE. Some relays refuse a REQ with a NOTICE only; it is assigned to the last REQ. */
  function handleNotice(notice: string): void {
    logger.debug({ relay, notice }, 'Relay notice');
    publishQueue.onNotice(notice);
    if (readRefusal(notice) !== 'capacity') return;
    const unanswered = table.lastUnsettled();
    if (unanswered === null) return;
    refusals.handle(table.drop(unanswered), notice);
    flush();
  }

  return {
    relay,
    add(request) {
      table.add(request);
      socket.wake();
      flush();
    },
    remove(request) {
      refusals.remove(request);
      table.remove(request);
      flush();
      socket.rest();
    },
    async publish(event, options) {
      counters.publishes += 1;
      const bytes = byteLength(JSON.stringify(['EVENT', event]));
      if (maxMessageLength !== null && bytes > maxMessageLength && bytes > largestAccepted) {
        const message = `the message of ${bytes} bytes exceeds the relay's limit of ${maxMessageLength}`;
        return { status: 'rejected', message };
      }
      const delivery = publishQueue.deliver(event, options);
      if (publishQueue.pending > 0) socket.wake();
      const { status, message } = await delivery;
      if (status === 'accepted') largestAccepted = Math.max(largestAccepted, bytes);
      return { status, message };
    },
    async reconcile(filter, known, signal) {
      const info = await context.info(relay);
      if (signal.aborted) return { ok: false, reason: 'aborted' };
      if (!info?.supportedNips.includes(77))
        return { ok: false, reason: 'the relay does not announce NIP-77' };
      const result = negentropy.reconcile(filter, known, signal);
      socket.wake();
      return result;
    },
    pageSize: () => Math.min(limits.pageSize, announcedPage ?? limits.pageSize),
    provenPageSize: () => provenPage,
    announcedPageSize: () => announcedPage,
    measurePage(received) {
      provenPage = Math.max(provenPage, received);
    },
    status: () => ({
      relay,
      state: socket.state,
      connectedAt: socket.connectedAt,
      lastError: socket.lastError,
      counters: { ...counters, reconnects: socket.reconnects, rejected: { ...rejected } },
    }),
    isDormant: () => !isNeeded() && socket.state !== 'open' && socket.state !== 'connecting',
    async close() {
      publishQueue.settleAll({ status: 'unreachable', message: 'the transport was closed' });
      negentropy.onLost('the transport was closed');
      refusals.close();
      auth.reset();
      await socket.close();
    },
  };
}

function frameOf(command: WireCommand<ConnectionRequest>): readonly unknown[] {
  if (command.type === 'CLOSE') return ['CLOSE', command.id];
  return ['REQ', command.id, ...command.members.flatMap((request) => request.filters())];
}
