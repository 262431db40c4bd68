import type { NostrEvent } from '../event/event.ts';
import type { PublishOutcome } from '../transport.ts';
import type { AuthResult } from './nip42-auth.ts';

/** What became of one event here; the rest of a {@link PublishOutcome} is the transport's. */
export type Delivery = Pick<PublishOutcome, 'status' | 'message'>;

/** Events on their way to one relay. */
export interface Outbox {
  /** Settles when the relay has answered, or `timeoutMs` have passed, or `signal` fires; never rejects. */
  deliver(
    event: NostrEvent,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Delivery>;
  /** The connection is open: send what waits, and again what was never answered. */
  onOpen(): void;
  /** The connection is gone; `reason` is what an unreachable relay's outcome will say. */
  onLost(reason: string): void;
  /** True when the OK was for one of ours. */
  onOk(id: string, accepted: boolean, message: string): boolean;
  onNotice(message: string): void;
  /** Settles everything, with this. */
  settleAll(delivery: Delivery): void;
  readonly pending: number;
}

interface Parcel {
  readonly event: NostrEvent;
  readonly waiters: Set<Waiter>;
  /** On the present connection. */
  isSent: boolean;
  wasEverSent: boolean;
  triedAuth: boolean;
  notice: string | null;
}

interface Waiter {
  settle(delivery: Delivery): void;
  hurry(): void;
}

/**
 * @param options.noticeGraceMs how long after a NOTICE an OK is still waited for: some relays refuse with a NOTICE only,
 *   but a NOTICE need not be about us
 */
export function createOutbox(options: {
  /** False when it could not be sent now. */
  readonly send: (message: readonly unknown[]) => boolean;
  /** Whether a refusal in these words may turn into an acceptance. */
  readonly mayHelpToAuthenticate: (reason: string) => boolean;
  readonly authenticate: () => Promise<AuthResult>;
  /** Called when the number of pending events fell. */
  readonly onSettled: () => void;
  readonly noticeGraceMs: number;
  readonly maxPending: number;
}): Outbox {
  const parcels = new Map<string, Parcel>();
  let lastFailure = 'no connection yet';

  function transmit(parcel: Parcel): void {
    if (parcel.isSent || !options.send(['EVENT', parcel.event])) return;
    parcel.isSent = true;
    parcel.wasEverSent = true;
  }

  function settle(parcel: Parcel, delivery: Delivery): void {
    for (const waiter of [...parcel.waiters]) waiter.settle(delivery);
  }

  function whatIsKnown(parcel: Parcel, why: string): Delivery {
    if (parcel.notice !== null) return { status: 'notice', message: parcel.notice };
    if (parcel.wasEverSent) return { status: 'silent', message: why };
    return { status: 'unreachable', message: lastFailure };
  }

  async function retryAuthenticated(parcel: Parcel, refusal: string): Promise<void> {
    parcel.triedAuth = true;
    const result = await options.authenticate();
    if (!parcels.has(parcel.event.id)) return;
    if (!result.ok) {
      settle(parcel, { status: 'rejected', message: `${refusal} (${result.reason})` });
      return;
    }
    parcel.isSent = false;
    transmit(parcel);
  }

  return {
    deliver(event, { timeoutMs, signal }) {
      const known = parcels.get(event.id);
      if (known === undefined && parcels.size >= options.maxPending) {
        return Promise.resolve({
          status: 'unreachable',
          message: `${parcels.size} events are waiting already`,
        });
      }
      const parcel: Parcel = known ?? {
        event,
        waiters: new Set(),
        isSent: false,
        wasEverSent: false,
        triedAuth: false,
        notice: null,
      };
      parcels.set(event.id, parcel);

      return new Promise<Delivery>((resolve) => {
        const onTimeout = () => waiter.settle(whatIsKnown(parcel, 'no answer in time'));
        const onAbort = () => waiter.settle(whatIsKnown(parcel, 'aborted'));
        let timer = setTimeout(onTimeout, timeoutMs);
        const deadline = performance.now() + timeoutMs;
        const waiter: Waiter = {
          settle(delivery) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', onAbort);
            parcel.waiters.delete(waiter);
            if (parcel.waiters.size === 0) parcels.delete(event.id);
            resolve(delivery);
            options.onSettled();
          },
          hurry() {
            clearTimeout(timer);
            timer = setTimeout(onTimeout, Math.min(options.noticeGraceMs, deadline - performance.now()));
          },
        };
        parcel.waiters.add(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted) onAbort();
        else transmit(parcel);
      });
    },
    onOpen() {
      for (const parcel of parcels.values()) transmit(parcel);
    },
    onLost(reason) {
      lastFailure = reason;
      for (const parcel of parcels.values()) {
        parcel.isSent = false;
        parcel.triedAuth = false;
      }
    },
    onOk(id, accepted, message) {
      const parcel = parcels.get(id);
      if (parcel === undefined) return false;
      if (accepted) settle(parcel, { status: 'accepted', message });
      else if (!parcel.triedAuth && options.mayHelpToAuthenticate(message))
        void retryAuthenticated(parcel, message);
      else settle(parcel, { status: 'rejected', message });
      return true;
    },
    onNotice(message) {
      for (const parcel of parcels.values()) {
        if (!parcel.isSent || parcel.notice !== null) continue;
        parcel.notice = message;
        for (const waiter of parcel.waiters) waiter.hurry();
      }
    },
    settleAll(delivery) {
      for (const parcel of [...parcels.values()]) settle(parcel, delivery);
    },
    get pending() {
      return parcels.size;
    },
  };
}
