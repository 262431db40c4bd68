/** The properties of a request that the table uses. */
export interface TableRequest {
  /** True if the request stays open after EOSE. */
  readonly live: boolean;
  /** The number of filters. */
  readonly size: number;
  /** The length of its filters in JSON. */
  readonly chars: number;
}

/** The length limit of one REQ in characters, below the message limit of the strictest relays. */
export const maxRequestChars = 32_768;

/** A message to send. A `REQ` with a known id replaces its filters (NIP-01). */
export type WireCommand<Request> =
  | { readonly type: 'REQ'; readonly id: string; readonly members: readonly Request[] }
  | { readonly type: 'CLOSE'; readonly id: string };

/** Limits of one connection. */
export interface TableLimits {
  /** Open REQs at the same time, at least 2. */
  readonly slots: number;
  /** Filters in one REQ. */
  readonly filters: number;
}

/**
 * Assigns requests to subscription ids: at most `slots` are open, the others wait. Pure bookkeeping; {@link
 * RequestTable.plan} returns the messages to send.
 *
 * Live requests hold their slot until they are removed. To keep one slot free for queries they may hold all
 * slots except one, and share slots beyond that: a REQ can carry the filters of several requests.
 */
export interface RequestTable<Request extends TableRequest> {
  add(request: Request): void;
  remove(request: Request): void;
  /** Returns the requests of a subscription id; empty if there are none. */
  members(id: string): readonly Request[];
  /** Marks a subscription as read to EOSE and returns the requests that waited for it. */
  settle(id: string): readonly Request[];
  /** Removes a subscription that the relay closed and returns its requests. */
  drop(id: string): readonly Request[];
  /** Queues removed requests again. */
  requeue(requests: readonly Request[]): void;
  /** Queues all requests again after the connection was lost. */
  reset(): void;
  /** Changes the limits; open requests beyond them are merged at the next {@link RequestTable.plan}. */
  limit(limits: Partial<TableLimits>): void;
  readonly limits: TableLimits;
  /** Returns the messages to send now, in order. */
  plan(): WireCommand<Request>[];
  /** Returns all requests, open or queued. */
  all(): readonly Request[];
  /** Returns the id of the last REQ without an answer; null if all are answered. */
  lastUnsettled(): string | null;
  readonly open: number;
  readonly waiting: number;
}

interface Slot<Request> {
  readonly id: string;
  readonly members: Set<Request>;
  settled: boolean;
}

export function createRequestTable<Request extends TableRequest>(
  initial: TableLimits,
  nextId: () => string,
): RequestTable<Request> {
  let limits = initial;
  const slots = new Map<string, Slot<Request>>();
  let queue = new Set<Request>();
  const closing: string[] = [];

  const filtersIn = (slot: Slot<Request>) => sum(slot.members, 'size');
  /** Returns true if further requests fit into the REQ of a slot. */
  const fits = (slot: Slot<Request>, more: Iterable<Request>) =>
    filtersIn(slot) + sum(more, 'size') <= limits.filters &&
    sum(slot.members, 'chars') + sum(more, 'chars') <= maxRequestChars;
  const bySize = (a: Slot<Request>, b: Slot<Request>) =>
    filtersIn(a) - filtersIn(b) || sum(a.members, 'chars') - sum(b.members, 'chars');
  const isLive = (slot: Slot<Request>) => [...slot.members].every((member) => member.live);
  const shareable = () => [...slots.values()].filter((slot) => slot.settled && isLive(slot));

  function ask(slot: Slot<Request>): WireCommand<Request> {
    slot.settled = false;
    return { type: 'REQ', id: slot.id, members: [...slot.members] };
  }

  /** Frees a slot by merging the two smallest shareable REQs. */
  function merge(): WireCommand<Request>[] {
    const [into, from] = shareable().sort(bySize);
    if (into === undefined || from === undefined) return [];
    if (!fits(into, from.members)) return [];
    for (const member of from.members) into.members.add(member);
    slots.delete(from.id);
    return [ask(into), { type: 'CLOSE', id: from.id }];
  }

  function place(request: Request): WireCommand<Request>[] {
    const free = slots.size < limits.slots;
    const live = [...slots.values()].filter(isLive).length;
    if (free && (!request.live || live < limits.slots - 1)) {
      const slot: Slot<Request> = { id: nextId(), members: new Set([request]), settled: false };
      slots.set(slot.id, slot);
      return [ask(slot)];
    }
    if (request.live) {
      const [host] = shareable()
        .filter((slot) => fits(slot, [request]))
        .sort(bySize);
      if (host === undefined) return [];
      host.members.add(request);
      return [ask(host)];
    }
    const freed = merge();
    return freed.length === 0 ? [] : [...freed, ...place(request)];
  }

  function leave(slot: Slot<Request>, request: Request): void {
    slot.members.delete(request);
    if (slot.members.size > 0) return; // The others listen on; the relay may send a little too much.
    slots.delete(slot.id);
    closing.push(slot.id);
  }

  return {
    add: (request) => void queue.add(request),
    remove(request) {
      queue.delete(request);
      for (const slot of slots.values()) if (slot.members.has(request)) leave(slot, request);
    },
    members: (id) => [...(slots.get(id)?.members ?? [])],
    settle(id) {
      const slot = slots.get(id);
      if (slot === undefined || slot.settled) return [];
      slot.settled = true;
      return [...slot.members];
    },
    drop(id) {
      const members = [...(slots.get(id)?.members ?? [])];
      slots.delete(id);
      return members;
    },
    requeue(requests) {
      queue = new Set([...requests, ...queue]);
    },
    reset() {
      queue = new Set([...[...slots.values()].flatMap((slot) => [...slot.members]), ...queue]);
      slots.clear();
      closing.length = 0;
    },
    limit(changed) {
      const slotCount = Math.max(2, changed.slots ?? limits.slots);
      limits = { slots: slotCount, filters: Math.max(1, changed.filters ?? limits.filters) };
    },
    get limits() {
      return limits;
    },
    plan() {
      const commands: WireCommand<Request>[] = closing.splice(0).map((id) => ({ type: 'CLOSE', id }));
      while (slots.size > limits.slots) {
        const merged = merge();
        if (merged.length === 0) break;
        commands.push(...merged);
      }
      for (const request of [...queue]) {
        const placed = place(request);
        if (placed.length === 0) continue;
        queue.delete(request);
        commands.push(...placed);
      }
      return commands;
    },
    all: () => [...[...slots.values()].flatMap((slot) => [...slot.members]), ...queue],
    lastUnsettled: () => [...slots.values()].findLast((slot) => !slot.settled)?.id ?? null,
    get open() {
      return slots.size;
    },
    get waiting() {
      return queue.size;
    },
  };
}

function sum(members: Iterable<TableRequest>, what: 'size' | 'chars'): number {
  let total = 0;
  for (const member of members) total += member[what];
  return total;
}
