/** Metadata of one observed event, without text. */
export type ObservedEvent =
  | {
      readonly kind: 'message';
      readonly direction: 'in' | 'out';
      readonly peerId: string;
      readonly channel: string | null;
      /** Size of the request in the host's unit, else length of the text. */
      readonly size: number;
      readonly correlationId: string | null;
      readonly at: number;
    }
  | { readonly kind: 'llm'; readonly inputTokens: number; readonly outputTokens: number; readonly at: number }
  | { readonly kind: 'tool'; readonly name: string; readonly peerId: string | null; readonly at: number };

/** A bounded queue of events. When it is full, the oldest event is dropped and counted. */
export interface EventBuffer {
  push(event: ObservedEvent): void;
  /** Removes and returns all events for a cycle. */
  snapshot(): readonly ObservedEvent[];
  /** Changes the capacity. The oldest events that exceed it are dropped and counted. */
  resize(capacity: number): void;
  /** Puts the events of a failed cycle back in front, as far as capacity allows. */
  giveBack(events: readonly ObservedEvent[]): void;
  readonly size: number;
  /** Number of messages in the buffer. */
  readonly interactions: number;
  /** Number of events dropped since the start. */
  readonly dropped: number;
}

/** Creates a ring buffer with constant-time insertion. */
export function createEventBuffer(initialCapacity: number): EventBuffer {
  let capacity = initialCapacity;
  let ring: (ObservedEvent | undefined)[] = [];
  let first = 0;
  let size = 0;
  let interactions = 0;
  let dropped = 0;

  const push = (event: ObservedEvent) => {
    if (size === capacity) {
      if (ring[first]?.kind === 'message') interactions -= 1;
      first = (first + 1) % capacity;
      size -= 1;
      dropped += 1;
    }
    ring[(first + size) % capacity] = event;
    size += 1;
    if (event.kind === 'message') interactions += 1;
  };
  const snapshot = () => {
    const events: ObservedEvent[] = [];
    for (let offset = 0; offset < size; offset += 1) {
      const event = ring[(first + offset) % capacity];
      if (event !== undefined) events.push(event);
    }
    ring = [];
    first = 0;
    size = 0;
    interactions = 0;
    return events;
  };
  const giveBack = (events: readonly ObservedEvent[]) => {
    const later = snapshot();
    for (const event of events) push(event);
    for (const event of later) push(event);
  };
  return {
    push,
    snapshot,
    giveBack,
    resize(to) {
      const events = snapshot();
      capacity = to;
      giveBack(events);
    },
    get size() {
      return size;
    },
    get interactions() {
      return interactions;
    },
    get dropped() {
      return dropped;
    },
  };
}
