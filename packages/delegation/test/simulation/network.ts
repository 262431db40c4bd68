import {
  type EventTemplate,
  eventId,
  type Filter,
  matchesFilter,
  type NostrEvent,
  type PublishOutcome,
  type Signer,
  type Transport,
} from '@bonafide/nostr-transport';
import type { Life } from './life.ts';
import type { Scheduler } from './scheduler.ts';

/** A signer without cryptography: the simulated relay does not verify. */
export function simulatedSigner(pubkey: string): Signer {
  const unused = async () => {
    throw new Error('not simulated');
  };
  return {
    getPublicKey: async () => pubkey,
    async signEvent(template: EventTemplate) {
      const unsigned = { ...template, pubkey };
      return { ...unsigned, id: eventId(unsigned), sig: '0'.repeat(128) };
    },
    nip44Encrypt: unused,
    nip44Decrypt: unused,
  };
}

/** A relay and the network around it, with loss, duplication, reordering and partitions. */
export interface Network {
  /** Every event that the relay has, in order of arrival. */
  readonly events: ReadonlyMap<string, NostrEvent>;
  /** Ms since epoch until which the relay cannot be reached. */
  partitionedUntil: number;
  /** The transport of a process. */
  transport(life: Life): Transport;
  /** Delivers events to somebody who is always there. */
  listen(listener: (event: NostrEvent) => void): void;
  /** Publishes as somebody whose connection is good. */
  post(event: NostrEvent): void;
}

const cardKind = 31_990;
const cardsPerPage = 6;

interface Listener {
  readonly life: Life | null;
  readonly filters: readonly Filter[] | null;
  readonly onEvent: (event: NostrEvent) => void;
}

export function createNetwork(scheduler: Scheduler, random: () => number, loss: () => number): Network {
  const events = new Map<string, NostrEvent>();
  const listeners = new Set<Listener>();
  const isPartitioned = () => scheduler.now() < network.partitionedUntil;
  const latency = () => (random() < 0.1 ? 2_000 * random() : 5 + 100 * random());
  const matches = (filters: readonly Filter[] | null, event: NostrEvent) =>
    filters === null || filters.some((filter) => matchesFilter(filter, event));

  const deliver = (listener: Listener, event: NostrEvent) => {
    const times = random() < 0.05 ? 2 : 1;
    for (let n = 0; n < times; n += 1) {
      // A real connection resumes, so that an event is late rather than lost.
      const delay = latency() + (random() < loss() ? 5_000 + 20_000 * random() : 0);
      const fire = () => {
        if (!listeners.has(listener)) return;
        if (listener.life !== null && isPartitioned())
          scheduler.after(network.partitionedUntil - scheduler.now() + latency(), fire);
        else listener.onEvent(event);
      };
      if (listener.life === null) scheduler.after(delay, fire);
      else listener.life.after(delay, fire);
    }
  };

  const store = (event: NostrEvent) => {
    if (events.has(event.id)) return;
    events.set(event.id, event);
    for (const listener of listeners) if (matches(listener.filters, event)) deliver(listener, event);
  };

  const publishTo = (life: Life, event: NostrEvent, relay: string, timeoutMs: number) =>
    new Promise<PublishOutcome>((resolve) => {
      const answer = (status: PublishOutcome['status'], ms: number) =>
        life.after(ms, () => resolve({ relay, status, message: '', latencyMs: ms }));
      if (isPartitioned()) return void answer('unreachable', timeoutMs);
      const draw = random();
      if (draw < loss() / 2) return void answer('silent', timeoutMs);
      const ms = latency();
      scheduler.after(ms / 2, () => store(event));
      answer(draw < loss() ? 'silent' : 'accepted', draw < loss() ? timeoutMs : ms);
    });

  /**
   * Returns what the relay sends for filters, newest first. Cards come in pages, with the versions that were replaced or deleted; in
   * troubled times it hides some of them and says that these are all.
   */
  const pageOf = (filters: readonly Filter[]) => {
    const found = [...events.values()]
      .filter((event) => matches(filters, event))
      .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
    if (!filters.some(({ kinds }) => kinds?.includes(cardKind))) return { events: found, more: null };
    const shown = random() < loss() ? found.filter(() => random() < 0.6) : found;
    const last = shown[cardsPerPage - 1];
    if (last === undefined || shown.length === cardsPerPage) return { events: shown, more: null };
    // All cards of one second are on one page.
    const page = shown.filter(({ created_at }) => created_at >= last.created_at);
    return { events: page, more: page.length === shown.length ? null : last.created_at };
  };

  const network: Network = {
    events,
    partitionedUntil: 0,
    listen: (onEvent) => void listeners.add({ life: null, filters: null, onEvent }),
    post: store,
    transport: (life) => ({
      subscribe(_relays, filters, { onEvent }) {
        const listener: Listener = { life, filters, onEvent: (event) => onEvent(event, 'wss://relay') };
        listeners.add(listener);
        for (const event of events.values()) if (matches(filters, event)) deliver(listener, event);
        return { close: () => listeners.delete(listener) };
      },
      publish: (event, relays, { timeoutMs = 5_000 } = {}) =>
        Promise.all(relays.map((relay) => publishTo(life, event, relay, timeoutMs))),
      query: (_relays, filters, { timeoutMs = 5_000, signal, onRelayResult } = {}) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          const fails = isPartitioned() || random() < loss();
          life.after(fails ? timeoutMs : latency(), () => {
            const page = fails ? { events: [], more: null } : pageOf(filters);
            const { length } = page.events;
            onRelayResult?.({
              ...{ relay: 'wss://relay', received: length, taken: length, message: '' },
              status: fails ? 'timed-out' : page.more === null ? 'complete' : 'cut',
              ...(page.more === null ? {} : { resumeUntil: page.more }),
            });
            resolve(page.events);
          });
        }),
      reconcile: async () => null,
      status: () => [],
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  return network;
}
