import { readRefusal } from './messages.ts';
import type { Authenticator } from './nip42-auth.ts';
import type { ReconnectingSocket } from './reconnecting-socket.ts';
import type { RequestTable, TableRequest } from './request-table.ts';

/** A request that can be refused. */
export interface RefusableRequest extends TableRequest {
  /** Called when the request was closed and removed. */
  onClosed(reason: string): void;
}

/**
 * Handles requests that a relay refuses: retries them after authentication, with fewer requests, or later, or
 * closes them.
 */
export interface RefusalHandler<Request extends RefusableRequest> {
  /** The number of requests that wait for authentication or a delay. */
  readonly waiting: number;
  /** The number of REQs at once that the relay has accepted. */
  readonly measuredSlots: number;
  /** Handles a refusal with the text of the relay; the requests have left the table. */
  handle(members: readonly Request[], reason: string): void;
  /** Removes a request. */
  remove(request: Request): void;
  /** Queues waiting requests again after the connection was lost, and resets the attempts. */
  reset(): void;
  /** Stops all delays. */
  close(): void;
}

/** The smallest number of REQs at once that is assumed. */
const fewestSlots = 2;

export function createRefusalHandler<Request extends RefusableRequest>(options: {
  readonly table: RequestTable<Request>;
  readonly auth: Authenticator;
  readonly socket: Pick<ReconnectingSocket, 'epoch' | 'state' | 'rest'>;
  /** The initial number of REQs at once. */
  readonly slots: number;
  /** Returns the delay before the `count`-th retry. */
  readonly delayMs: (count: number) => number;
  /** Sends the requests that can be sent now. */
  readonly flush: () => void;
}): RefusalHandler<Request> {
  const { table, auth, socket, delayMs, flush } = options;
  let measuredSlots = options.slots;
  /** Requests that wait for authentication (null) or a delay. */
  const delayed = new Map<Request, NodeJS.Timeout | null>();
  /** Retries per request on the current connection. */
  let pauses = new WeakMap<Request, number>();
  let triedAuth = new WeakSet<Request>();

  function closeRequests(members: readonly Request[], reason: string): void {
    for (const request of members) request.onClosed(reason);
    socket.rest();
  }

  function authenticateFor(members: readonly Request[], reason: string): void {
    closeRequests(
      members.filter((request) => triedAuth.has(request)),
      reason,
    );
    const untried = members.filter((request) => !triedAuth.has(request));
    for (const request of untried) {
      triedAuth.add(request);
      delayed.set(request, null);
    }
    const { epoch } = socket;
    void auth.authenticate().then((result) => {
      if (socket.epoch !== epoch || socket.state !== 'open') return; // The next connection takes them over.
      const waiting = untried.filter((request) => delayed.delete(request));
      if (result.ok) table.requeue(waiting);
      else closeRequests(waiting, `${reason} (${result.reason})`);
      flush();
    });
  }

  function shrinkTo(slots: number): void {
    measuredSlots = Math.max(fewestSlots, Math.min(measuredSlots, slots));
    table.limit({ slots: Math.min(measuredSlots, table.limits.slots) });
  }

  function askForLess(members: readonly Request[], reason: string): void {
    if (!/filter/i.test(reason)) {
      shrinkTo(table.open);
      pause(members);
    } else if (members.length > 1) {
      const asked = members.reduce((total, request) => total + request.size, 0);
      table.limit({ filters: Math.floor(asked / 2) });
      table.requeue(members);
    } else {
      closeRequests(members, reason);
    }
  }

  /**
   * Retries after a delay that grows with each refusal. A relay that refuses a request twice while it serves
   * others may have a limit on requests that its text does not name.
   */
  function pause(members: readonly Request[]): void {
    for (const request of members) {
      const count = (pauses.get(request) ?? 0) + 1;
      pauses.set(request, count);
      if (count === 2 && table.open > 0) shrinkTo(table.open);
      const again = () => {
        delayed.delete(request);
        table.add(request);
        flush();
      };
      delayed.set(request, setTimeout(again, delayMs(count)));
    }
  }

  function stopWaiting(): Request[] {
    for (const timer of delayed.values()) clearTimeout(timer ?? undefined);
    const waiting = [...delayed.keys()];
    delayed.clear();
    return waiting;
  }

  return {
    get waiting() {
      return delayed.size;
    },
    get measuredSlots() {
      return measuredSlots;
    },
    handle(members, reason) {
      switch (readRefusal(reason)) {
        case 'auth':
          return authenticateFor(members, reason);
        case 'restricted':
          return auth.isUntried ? authenticateFor(members, reason) : closeRequests(members, reason);
        case 'capacity':
          return askForLess(members, reason);
        case 'retry':
          return pause(members);
        case 'final':
          return closeRequests(members, reason);
      }
    },
    remove(request) {
      clearTimeout(delayed.get(request) ?? undefined);
      delayed.delete(request);
    },
    reset() {
      table.requeue(stopWaiting());
      pauses = new WeakMap();
      triedAuth = new WeakSet();
    },
    close: () => void stopWaiting(),
  };
}
