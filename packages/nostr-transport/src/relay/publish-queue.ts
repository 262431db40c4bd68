import type { NostrEvent } from '../event/event.ts';
import type { PublishOutcome } from '../transport.ts';
import type { AuthResult } from './nip42-auth.ts';

/** The result of publishing to one relay; the transport adds the other fields of a {@link PublishOutcome}. */
export type Delivery = Pick<PublishOutcome, 'status' | 'message'>;

/** The queue of events to publish to one relay. */
export interface PublishQueue {
  /** Resolves when the relay has answered, after `timeoutMs`, or on abort; never rejects. */
  deliver(
    event: NostrEvent,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Delivery>;
  /** Sends queued events and repeats unanswered ones after a connection was opened. */
  onOpen(): void;
  /**
   * Marks events as unsent after the connection was lost; `reason` becomes the message of an unreachable
   * relay.
   */
  onLost(reason: string): void;
  /** Handles an OK; returns true if it belongs to a queued event. */
  onOk(id: string, accepted: boolean, message: string): boolean;
  onNotice(message: string): void;
  /** Settles all events with this result. */
  settleAll(delivery: Delivery): void;
  readonly pending: number;
}

interface QueuedEvent {
  readonly event: NostrEvent;
  readonly waiters: Set<Waiter>;
  /** True if sent on the current connection. */
  isSent: boolean;
  wasEverSent: boolean;
  triedAuth: boolean;
  notice: string | null;
}

interface Waiter {
  settle(delivery: Delivery): void;
  shortenWait(): void;
}

/**
 * Creates a publish queue.
 *
 * @param options.noticeGraceMs - The time to wait for an OK after a NOTICE: some relays refuse with a NOTICE
 *   only, but a NOTICE can be about something else.
 */
export function createPublishQueue(options: {
  /** Sends a message; returns false if that is not possible now. */
  readonly send: (message: readonly unknown[]) => boolean;
  /** Returns true if authentication may turn this refusal into an acceptance. */
  readonly shouldAuthenticate: (reason: string) => boolean;
  readonly authenticate: () => Promise<AuthResult>;
  /** Called when an event has left the queue. */
  readonly onSettled: () => void;
  readonly noticeGraceMs: number;
  readonly maxPending: number;
}): PublishQueue {
  const queue = new Map<string, QueuedEvent>();
  let lastFailure = 'no connection yet';

  function transmit(queued: QueuedEvent): void {
    if (queued.isSent || !options.send(['EVENT', queued.event])) return;
    queued.isSent = true;
    queued.wasEverSent = true;
  }

  function settle(queued: QueuedEvent, delivery: Delivery): void {
    for (const waiter of [...queued.waiters]) waiter.settle(delivery);
  }

  function outcomeSoFar(queued: QueuedEvent, why: string): Delivery {
    if (queued.notice !== null) return { status: 'notice', message: queued.notice };
    if (queued.wasEverSent) return { status: 'silent', message: why };
    return { status: 'unreachable', message: lastFailure };
  }

  async function retryAuthenticated(queued: QueuedEvent, refusal: string): Promise<void> {
    queued.triedAuth = true;
    const result = await options.authenticate();
    if (!queue.has(queued.event.id)) return;
    if (!result.ok) {
      settle(queued, { status: 'rejected', message: `${refusal} (${result.reason})` });
      return;
    }
    queued.isSent = false;
    transmit(queued);
  }

  return {
    deliver(event, { timeoutMs, signal }) {
      const known = queue.get(event.id);
      if (known === undefined && queue.size >= options.maxPending) {
        return Promise.resolve({
          status: 'refused',
          message: `the publish queue of this relay is full (${queue.size} events)`,
        });
      }
      const queued: QueuedEvent = known ?? {
        event,
        waiters: new Set(),
        isSent: false,
        wasEverSent: false,
        triedAuth: false,
        notice: null,
      };
      queue.set(event.id, queued);

      return new Promise<Delivery>((resolve) => {
        const onTimeout = () => waiter.settle(outcomeSoFar(queued, 'no answer in time'));
        const onAbort = () => waiter.settle(outcomeSoFar(queued, 'aborted'));
        let timer = setTimeout(onTimeout, timeoutMs);
        const deadline = performance.now() + timeoutMs;
        const waiter: Waiter = {
          settle(delivery) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', onAbort);
            queued.waiters.delete(waiter);
            if (queued.waiters.size === 0) queue.delete(event.id);
            resolve(delivery);
            options.onSettled();
          },
          shortenWait() {
            clearTimeout(timer);
            timer = setTimeout(onTimeout, Math.min(options.noticeGraceMs, deadline - performance.now()));
          },
        };
        queued.waiters.add(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted) onAbort();
        else transmit(queued);
      });
    },
    onOpen() {
      for (const queued of queue.values()) transmit(queued);
    },
    onLost(reason) {
      lastFailure = reason;
      for (const queued of queue.values()) {
        queued.isSent = false;
        queued.triedAuth = false;
      }
    },
    onOk(id, accepted, message) {
      const queued = queue.get(id);
      if (queued === undefined) return false;
      if (accepted) settle(queued, { status: 'accepted', message });
      else if (!queued.triedAuth && options.shouldAuthenticate(message))
        void retryAuthenticated(queued, message);
      else settle(queued, { status: 'rejected', message });
      return true;
    },
    onNotice(message) {
      for (const queued of queue.values()) {
        if (!queued.isSent || queued.notice !== null) continue;
        queued.notice = message;
        for (const waiter of queued.waiters) waiter.shortenWait();
      }
    },
    settleAll(delivery) {
      for (const queued of [...queue.values()]) settle(queued, delivery);
    },
    get pending() {
      return queue.size;
    },
  };
}
