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
import { createOutbox, type Delivery, type Outbox } from './publish-queue.ts';
import { createLink, defaultLinkLimits, type LinkLimits, probeId } from './reconnecting-socket.ts';
import { createRefusals } from './relay-refusals.ts';
import { createRequestTable, type TableRequest, type WireCommand } from './request-table.ts';

/** One thing that is asked of one relay, kept running by its connection until it is removed or closed for good. */
export interface ConnectionRequest extends TableRequest {
  /** What to ask; called each time it is sent, since what was read already need not be asked for again. */
  filters(): readonly Filter[];
  wants(event: NostrEvent): boolean;
  /** A verified event that it wants. False when it had come before. */
  onEvent(event: NostrEvent): boolean;
  /** Something came that did not pass, here as it came. The relay counted it, so paging must. */
  onRejected(reason: RejectionReason, value: unknown): void;
  /** `received` counts what came under the subscription before EOSE, for this request or for others that share it. */
  onEose(received: number): void;
  /** The connection ended; it will be sent again on the next one. */
  onLost(): void;
  /** An attempt to connect failed; the next one follows by itself. */
  onUnreachable?(): void;
  /** For good: it has left the connection. */
  onClosed(reason: string): void;
}

/** The limits that one connection keeps. Times in ms. */
export interface ConnectionLimits extends LinkLimits {
  /** REQs open at once; the relay may announce or enforce less. Default 8. */
  readonly maxRequests: number;
  /** Filters in one REQ. Default 10. */
  readonly maxFilters: number;
  /** Most events asked for at once; more are paged. Default 500. */
  readonly pageSize: number;
  /** Events waiting to be published to one relay. Default 1,000. */
  readonly maxPendingPublishes: number;
  /** For a NIP-42 exchange, signing included. Default 10,000. */
  readonly authTimeoutMs: number;
  /** How long after a NOTICE an OK is still waited for. Default 2,000. */
  readonly noticeGraceMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  ...defaultLinkLimits,
  maxRequests: 8,
  maxFilters: 10,
  pageSize: 500,
  maxPendingPublishes: 1_000,
  authTimeoutMs: 10_000,
  noticeGraceMs: 2_000,
};

/** One relay and all that is asked of it. */
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
  /** The largest number of events that this relay has sent for one filter before an EOSE, at least 5. */
  provenPageSize(): number;
  /** The `max_limit` of the relay's NIP-11 document; null when unknown. */
  announcedPageSize(): number | null;
  /** Reports how many events came for one filter before an EOSE. */
  measurePage(received: number): void;
  status(): RelayStatus;
  /** True when nobody uses it and no socket is open. */
  isDormant(): boolean;
  /** Leaves the relay for good. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** What a connection shares with its siblings. */
export interface ConnectionContext extends Omit<Parameters<typeof createLink>[1], 'limits'> {
  readonly admission: Admission;
  readonly meter: TransportMeter;
  /** The signer to authenticate to this relay with; null when it is not on the allow list. */
  readonly signer: Signer | null;
  readonly info: (relay: string) => Promise<RelayInfo | null>;
  readonly backoff: BackoffPolicy;
  readonly limits: ConnectionLimits;
}

/** REQs at once while the relay's own limits are not known yet. */
const cautiousRequests = 4;

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
  const link = createLink(relay, context, {
    isNeeded: () => isNeeded(),
    onOpen() {
      learnLimits();
      outbox.onOpen();
      flush();
    },
    onText: (text) => {
      const message = parseRelayMessage(text);
      if (message === null) countRejected('garbage');
      else heard(message);
    },
    onGarbage: () => countRejected('garbage'),
    onLost(reason, wasOpen) {
      if (wasOpen) meter.lost();
      outbox.onLost(reason);
      for (const request of restart()) if (!wasOpen) request.onUnreachable?.();
    },
    onRefused(reason) {
      outbox.settleAll({ status: 'refused', message: reason });
      for (const request of restart()) {
        table.remove(request);
        request.onClosed(`refused: ${reason}`);
      }
    },
  });
  const auth = createAuthenticator({
    relay,
    signer: context.signer,
    send: (message) => void link.send(message),
    clock,
    timeoutMs: limits.authTimeoutMs,
  });
  const outbox: Outbox = createOutbox({
    send: link.send,
    mayHelpToAuthenticate: (reason) => {
      const refusal = readRefusal(reason);
      return refusal === 'auth' || (refusal === 'restricted' && auth.isUntried);
    },
    authenticate: auth.authenticate,
    onSettled: link.rest,
    noticeGraceMs: limits.noticeGraceMs,
    maxPending: limits.maxPendingPublishes,
  });

  const refusals = createRefusals<ConnectionRequest>({
    table,
    auth,
    link,
    slots: limits.maxRequests,
    delayMs: (count) => reconnectDelayMs('dropped', count, random(), backoff),
    flush: () => flush(),
  });

  let provenPage = smallestCut;
  let largestAccepted = 0;
  /** Events that came under a subscription since its REQ, until its EOSE. */
  const receivedBy = new Map<string, number>();
  let maxMessageLength: number | null = null;
  let announcedPage: number | null = null;

  const counters = { events: 0, duplicates: 0, publishes: 0 };
  const rejected: Partial<Record<Rejection, number>> = {};
  const countRejected = (reason: Rejection) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
    meter.received(reason);
  };

  const isNeeded = () => table.open + table.waiting + refusals.waiting + outbox.pending > 0;

  /** The connection is gone: puts every request in line again, from the start. Returns them. */
  function restart(): readonly ConnectionRequest[] {
    refusals.reset();
    table.reset();
    receivedBy.clear();
    auth.reset();
    const all = table.all();
    for (const request of all) request.onLost();
    return all;
  }

  /** The relay's own word on its limits arrives while we work; until then we ask for little at once. */
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
    if (link.state !== 'open') return;
    for (const command of table.plan()) {
      if (command.type === 'REQ') receivedBy.set(command.id, 0);
      else receivedBy.delete(command.id);
      link.send(frameOf(command));
    }
  }

  function heard(message: RelayMessage): void {
    switch (message.type) {
      case 'EVENT':
        heardEvent(message.subscription, message.event);
        break;
      case 'EOSE':
        heardEose(message.subscription);
        if (message.subscription === probeId) link.send(['CLOSE', probeId]);
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

  function heardEose(subscription: string): void {
    const received = receivedBy.get(subscription) ?? 0;
    receivedBy.delete(subscription);
    for (const request of table.settle(subscription)) request.onEose(received);
  }

  function heardEvent(subscription: string, value: unknown): void {
    const members = table.members(subscription);
    if (members.length === 0) {
      countRejected('unsubscribed');
      return;
    }
    const counted = receivedBy.get(subscription);
    if (counted !== undefined) receivedBy.set(subscription, counted + 1);
    const admitted = admission.admit(value, (event) => members.some((member) => member.wants(event)));
    if (!admitted.ok) {
      countRejected(admitted.reason);
      for (const member of members) member.onRejected(admitted.reason, value);
      return;
    }
    counters.events += 1;
    let isNew = false;
    for (const member of members) {
      if (member.wants(admitted.event)) isNew = member.onEvent(admitted.event) || isNew;
    }
    if (!isNew) counters.duplicates += 1;
    meter.received(isNew ? 'accepted' : 'duplicate');
  }

  function heardClosed(subscription: string, reason: string): void {
    const members = table.drop(subscription);
    receivedBy.delete(subscription);
    if (members.length === 0) return;
    logger.debug({ relay, reason }, 'Relay closed a subscription');
    refusals.take(members, reason);
    flush();
  }

  /** Some relays refuse a REQ by a NOTICE alone; then it was the last one sent. */
  function heardNotice(words: string): void {
    logger.debug({ relay, notice: words }, 'Relay notice');
    outbox.onNotice(words);
    if (readRefusal(words) !== 'capacity') return;
    const unanswered = table.lastUnsettled();
    if (unanswered === null) return;
    refusals.take(table.drop(unanswered), words);
    flush();
  }

  return {
    relay,
    add(request) {
      table.add(request);
      link.wake();
      flush();
    },
    remove(request) {
      refusals.forget(request);
      table.remove(request);
      flush();
      link.rest();
    },
    async publish(event, options) {
      counters.publishes += 1;
      const bytes = byteLength(JSON.stringify(['EVENT', event]));
      if (maxMessageLength !== null && bytes > maxMessageLength && bytes > largestAccepted) {
        const message = `${bytes} bytes exceed the ${maxMessageLength} that the relay announces`;
        return { status: 'rejected', message };
      }
      const delivery = outbox.deliver(event, options);
      if (outbox.pending > 0) link.wake();
      const { status, message } = await delivery;
      if (status === 'accepted') largestAccepted = Math.max(largestAccepted, bytes);
      return { status, message };
    },
    pageSize: () => Math.min(limits.pageSize, announcedPage ?? limits.pageSize),
    provenPageSize: () => provenPage,
    announcedPageSize: () => announcedPage,
    measurePage(received) {
      provenPage = Math.max(provenPage, received);
    },
    status: () => ({
      relay,
      state: link.state,
      connectedAt: link.connectedAt,
      lastError: link.lastError,
      counters: { ...counters, reconnects: link.reconnects, rejected: { ...rejected } },
    }),
    isDormant: () => !isNeeded() && link.state !== 'open' && link.state !== 'connecting',
    async close() {
      outbox.settleAll({ status: 'unreachable', message: 'the transport was closed' });
      refusals.close();
      auth.reset();
      await link.close();
    },
  };
}

function frameOf(command: WireCommand<ConnectionRequest>): readonly unknown[] {
  if (command.type === 'CLOSE') return ['CLOSE', command.id];
  return ['REQ', command.id, ...command.members.flatMap((request) => request.filters())];
}
