import type { Filter, NostrEvent } from './event.ts';

/** How far a subscription has read, so that it resumes after a restart without gap or repetition (NET-1). */
export interface Watermarks {
  /** `created_at` in seconds up to which `relay` was read for the filters of `key`; undefined when never. */
  get(relay: string, key: string): Promise<number | undefined> | number | undefined;
  set(relay: string, key: string, seconds: number): Promise<void> | void;
}

/** What a subscription calls. Everything that arrives here was matched and verified. */
export interface SubscribeHandlers {
  /** Once per event, however many relays sent it. The event is frozen. */
  readonly onEvent: (event: NostrEvent, relay: string) => void;
  /** `relay` has sent what it stored. */
  readonly onEose?: (relay: string) => void;
  /** `relay` will send no more for this subscription, and trying again won't help. `reason` is the relay's or ours. */
  readonly onClosed?: (relay: string, reason: string) => void;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /** Where to keep how far was read; in memory for the life of the transport by default. */
  readonly watermarks?: Watermarks;
}

export interface Subscription {
  close(): void;
}

/** What became of one event at one relay. */
export interface PublishOutcome {
  readonly relay: string;
  /**
   * `accepted`: OK true. `rejected`: OK false. `notice`: the relay sent a NOTICE instead of an OK.
   * `silent`: neither came in time. `unreachable`: no connection. `refused`: our own guard forbade the address.
   */
  readonly status: 'accepted' | 'rejected' | 'notice' | 'silent' | 'unreachable' | 'refused';
  /** The relay's or our words; '' when there are none. */
  readonly message: string;
  readonly latencyMs: number;
}

/** A relay as this transport has experienced it. */
export interface RelayStatus {
  readonly relay: string;
  readonly state: 'connecting' | 'open' | 'waiting' | 'closed' | 'refused';
  readonly connectedAt: number | null;
  readonly lastError: string | null;
  readonly counters: {
    readonly events: number;
    readonly duplicates: number;
    /** Dropped before they reached anybody, by reason. */
    readonly rejected: Readonly<Record<string, number>>;
    readonly reconnects: number;
    readonly publishes: number;
  };
}

/** The one way in which every package talks to relays (NET-1). */
export interface Transport {
  /** Live until closed: it reconnects and resumes by itself. */
  subscribe(relays: readonly string[], filters: readonly Filter[], handlers: SubscribeHandlers): Subscription;
  /** One outcome per relay, in the order given; never throws because of a relay. */
  publish(
    event: NostrEvent,
    relays: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<PublishOutcome[]>;
  /** What the relays have stored, newest first, each event once. Relays that stay silent are waited for up to `timeoutMs` (default 5,000). */
  query(
    relays: readonly string[],
    filters: readonly Filter[],
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<NostrEvent[]>;
  status(): RelayStatus[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
