/** What the hooks keep of one event: metadata, never text (CTX-1). */
export type ObservedEvent =
  | {
      readonly kind: 'message';
      readonly direction: 'in' | 'out';
      readonly peerId: string;
      readonly channel: string | null;
      readonly size: number;
      readonly at: number;
    }
  | { readonly kind: 'llm'; readonly inputTokens: number; readonly outputTokens: number; readonly at: number }
  | { readonly kind: 'tool'; readonly name: string; readonly peerId: string | null; readonly at: number };

/** A bounded queue of events: when it is full, the oldest goes and is counted. */
export interface EventBuffer {
  push(event: ObservedEvent): void;
  /** Takes everything out, for a cycle; events that come later stay. */
  snapshot(): readonly ObservedEvent[];
  /** Puts a failed cycle's events back in front, as far as there is room. */
  giveBack(events: readonly ObservedEvent[]): void;
  readonly size: number;
  /** Messages in it. */
  readonly interactions: number;
  /** How many were dropped since the start. */
  readonly dropped: number;
}

/** A ring of `capacity` events: adding one is constant time, also when it is full. */
export function createEventBuffer(capacity: number): EventBuffer {
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
  return {
    push,
    snapshot,
    giveBack(events) {
      const later = snapshot();
      for (const event of [...events, ...later]) push(event);
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
