import { readRefusal } from './messages.ts';
import type { Authenticator } from './nip42-auth.ts';
import type { Link } from './reconnecting-socket.ts';
import type { RequestTable, TableRequest } from './request-table.ts';

/** A request that can be refused. */
export interface RefusableRequest extends TableRequest {
  /** For good: it has left the connection. */
  onClosed(reason: string): void;
}

/** What becomes of requests that a relay refuses: asked again after AUTH, with less, or later; or given up. */
export interface Refusals<Request extends RefusableRequest> {
  /** How many wait for AUTH or for a pause to end. */
  readonly waiting: number;
  /** REQs at once that the relay has been seen to stand. */
  readonly measuredSlots: number;
  /** A relay refused requests, in its own words; they have left the table. */
  take(members: readonly Request[], reason: string): void;
  /** Nobody wants the answer any more. */
  forget(request: Request): void;
  /** The connection is gone: those that wait are in line again, and what was tried may be tried anew. */
  reset(): void;
  /** Nothing is asked any more. */
  close(): void;
}

/** Below this a relay that has too much of us is not believed. */
const fewestSlots = 2;

export function createRefusals<Request extends RefusableRequest>(options: {
  readonly table: RequestTable<Request>;
  readonly auth: Authenticator;
  readonly link: Pick<Link, 'epoch' | 'state' | 'rest'>;
  /** REQs at once to begin with. */
  readonly slots: number;
  /** How long to wait before the `count`-th repetition. */
  readonly delayMs: (count: number) => number;
  /** Sends what can be sent now. */
  readonly flush: () => void;
}): Refusals<Request> {
  const { table, auth, link, delayMs, flush } = options;
  let measuredSlots = options.slots;
  /** Requests that wait for AUTH (null) or for a pause to end. */
  const parked = new Map<Request, NodeJS.Timeout | null>();
  /** What happened to requests on the present connection. */
  let pauses = new WeakMap<Request, number>();
  let triedAuth = new WeakSet<Request>();

  function giveUp(members: readonly Request[], reason: string): void {
    for (const request of members) request.onClosed(reason);
    link.rest();
  }

  function authenticateFor(members: readonly Request[], reason: string): void {
    giveUp(
      members.filter((request) => triedAuth.has(request)),
      reason,
    );
    const untried = members.filter((request) => !triedAuth.has(request));
    for (const request of untried) {
      triedAuth.add(request);
      parked.set(request, null);
    }
    const { epoch } = link;
    void auth.authenticate().then((result) => {
      if (link.epoch !== epoch || link.state !== 'open') return; // The next connection takes them over.
      const waiting = untried.filter((request) => parked.delete(request));
      if (result.ok) table.requeue(waiting);
      else giveUp(waiting, `${reason} (${result.reason})`);
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
      giveUp(members, reason);
    }
  }

  /**
   * Asks again after a while, longer each time. A relay that refuses the same thing twice while it serves others may have
   * too much of us, in words we don't know.
   */
  function pause(members: readonly Request[]): void {
    for (const request of members) {
      const count = (pauses.get(request) ?? 0) + 1;
      pauses.set(request, count);
      if (count === 2 && table.open > 0) shrinkTo(table.open);
      const again = () => {
        parked.delete(request);
        table.add(request);
        flush();
      };
      parked.set(request, setTimeout(again, delayMs(count)));
    }
  }

  function stopWaiting(): Request[] {
    for (const timer of parked.values()) clearTimeout(timer ?? undefined);
    const waiting = [...parked.keys()];
    parked.clear();
    return waiting;
  }

  return {
    get waiting() {
      return parked.size;
    },
    get measuredSlots() {
      return measuredSlots;
    },
    take(members, reason) {
      switch (readRefusal(reason)) {
        case 'auth':
          return authenticateFor(members, reason);
        case 'restricted':
          return auth.isUntried ? authenticateFor(members, reason) : giveUp(members, reason);
        case 'capacity':
          return askForLess(members, reason);
        case 'retry':
          return pause(members);
        case 'final':
          return giveUp(members, reason);
      }
    },
    forget(request) {
      clearTimeout(parked.get(request) ?? undefined);
      parked.delete(request);
    },
    reset() {
      table.requeue(stopWaiting());
      pauses = new WeakMap();
      triedAuth = new WeakSet();
    },
    close: () => void stopWaiting(),
  };
}
