import type { RejectionReason } from './event/admission.ts';
import type { Filter, NostrEvent } from './event/event.ts';

/**
 * Storage for reading positions, so that a subscription resumes after a restart. Reading resumes before the watermark by the
 * overlap of the transport's options, so events of that time are delivered again; an event that a relay accepts
 * during the gap with an older date is missed.
 */
export interface Watermarks {
  /**
   * Returns the `created_at` in seconds up to which `relay` was read for the filter with this key, undefined
   * if never. The key does not depend on the filter's `since` and `limit`.
   */
  get(relay: string, key: string): Promise<number | undefined> | number | undefined;
  set(relay: string, key: string, seconds: number): Promise<void> | void;
}

/** An event that a relay sent and the transport rejected. */
export interface RejectedEvent {
  /** The normalized address. */
  readonly relay: string;
  readonly reason: RejectionReason;
  /** The parsed JSON value, unchecked: of any type, up to the size of a frame. */
  readonly event: unknown;
}

/**
 * The completeness of reading the stored events of one relay.
 *
 * - `complete`: the relay sent its last page, or as many events as the filter's `limit` asks for.
 * - `cut`: the relay answered, but events may be missing: one second holds more events than a page of this
 *   relay, or a page or event limit of the transport was reached.
 * - `timed-out`: connected, but not finished in time.
 * - `refused`: the relay closed the request, or the address guard forbids the address.
 * - `unreachable`: no connection was made, or it was lost and not restored in time.
 */
export type RelayReadStatus = 'complete' | 'cut' | 'timed-out' | 'refused' | 'unreachable';

/** The answer of one relay to a query, or to the stored part of a subscription. */
export interface RelayReadResult {
  /** The normalized address. */
  readonly relay: string;
  readonly status: RelayReadStatus;
  /** Events that the relay sent, rejected ones included; repetitions on the border of two pages are not counted. */
  readonly received: number;
  /** Events that passed all checks and that no other relay of the same read had sent before. */
  readonly taken: number;
  /**
   * Events that the relay has and did not send, because the caller knows them; undefined without a reconciliation (NIP-77).
   */
  readonly known?: number;
  /**
   * With status `cut` because a limit of the transport was reached: the second up to which older events may be left. Read on with it
   * as `until`.
   */
  readonly resumeUntil?: number;
  /**
   * With status `complete` for a filter with a `limit` that was reached: the second up to which the relay was read. Events that are
   * older came out of order. Read on with it as `until`, rather than with the date of the oldest event.
   */
  readonly readUntil?: number;
  /**
   * With status `cut` because a second holds more events than a page of this relay: those seconds, at most 16. A relay with NIP-77 was
   * compared; at another one, narrower filters were read. Their events can be requested by other conditions.
   */
  readonly cutSeconds?: readonly number[];
  /** Human-readable cause; '' when the status is `complete`. Text of the relay is sanitized. */
  readonly message: string;
}

/**
 * Callbacks of a subscription. Events were matched and verified; `relay` is the normalized address. An error
 * that a callback throws is logged.
 */
export interface SubscribeHandlers {
  /** Called once per event, even if several relays sent it. The event is frozen. */
  readonly onEvent: (event: NostrEvent, relay: string) => void;
  /**
   * Called for each event that was rejected. The transport keeps no record of it, and nothing in it can be
   * trusted.
   */
  readonly onRejected?: (rejected: RejectedEvent) => void;
  /**
   * Called once per relay, when the relay has sent its last page of stored events. `result.status` is `complete` or `cut`.
   * Never called for a relay that did not finish.
   */
  readonly onEose?: (relay: string, result: RelayReadResult) => void;
  /**
   * Called after each reading of stored events of which some may be missing, also after a lost connection. `seconds` are those that hold
   * more events than the relay sends at once, beyond what NIP-77 and narrower filters found.
   */
  readonly onCut?: (
    relay: string,
    cut: { readonly seconds: readonly number[]; readonly message: string },
  ) => void;
  /**
   * Called when `relay` sends no more events for this subscription and a retry is useless. `reason` is text
   * of the relay, or of the transport.
   */
  readonly onClosed?: (relay: string, reason: string) => void;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /**
   * Storage for reading positions; they advance after the last page of stored events. Without it, a
   * subscription resumes over its reconnects, and a new one starts from the beginning.
   */
  readonly watermarks?: Watermarks;
}

/** A live subscription, until it is closed. */
export interface Subscription {
  close(): void;
}

/** The result of publishing one event to one relay. */
export interface PublishOutcome {
  /** The normalized address; a malformed address is returned unchanged. */
  readonly relay: string;
  /**
   * - `accepted`: the relay answered OK true.
   * - `rejected`: the relay answered OK false, or announces a smaller message limit.
   * - `notice`: the relay sent a NOTICE instead of an OK.
   * - `silent`: the event was sent and not answered in time; the relay may have stored it.
   * - `unreachable`: not sent, because there was no connection.
   * - `refused`: not sent, because the address guard forbids the address or the publish queue of the relay is
   *   full.
   */
  readonly status: 'accepted' | 'rejected' | 'notice' | 'silent' | 'unreachable' | 'refused';
  /** Sanitized text of the relay, or the reason in our words; '' if there is neither. */
  readonly message: string;
  readonly latencyMs: number;
}

/** The state of one relay and its counters. */
export interface RelayStatus {
  readonly relay: string;
  readonly state: 'connecting' | 'open' | 'waiting' | 'closed' | 'refused';
  readonly connectedAt: number | null;
  readonly lastError: string | null;
  readonly counters: {
    readonly events: number;
    readonly duplicates: number;
    /** Rejected messages by reason. */
    readonly rejected: Readonly<Record<string, number>>;
    readonly reconnects: number;
    readonly publishes: number;
  };
}

/** The difference between the caller's events and those of a relay, by id (NIP-77). */
export interface EventComparison {
  /** Events that the relay has and the caller lacks. */
  readonly missing: readonly string[];
  /** Events that both have. */
  readonly shared: readonly string[];
}

/** A connection pool for relays: subscribes, queries and publishes. */
export interface Transport {
  /**
   * Subscribes to stored and new events until closed; reconnects and resumes after a lost connection.
   * Callbacks are not called before this method returns.
   *
   * @throws TransportError `INVALID_INPUT` for a malformed filter, `CLOSED`
   */
  subscribe(relays: readonly string[], filters: readonly Filter[], handlers: SubscribeHandlers): Subscription;
  /**
   * Publishes an event and returns one outcome per relay, in the order given. Never rejects because of a
   * relay. An unreachable relay is retried for `timeoutMs` (default 5,000). An abort resolves at once with
   * what is known; the event may have been sent.
   *
   * @throws TransportError `INVALID_INPUT` for a malformed or unsigned event, `CLOSED`
   */
  publish(
    event: NostrEvent,
    relays: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<PublishOutcome[]>;
  /**
   * Returns the stored events that match: newest first, each event once, at most a filter's `limit`. Waits
   * for relays up to `timeoutMs` (default 5,000), or up to `graceMs` after the first relay has finished.
   * Rejects with the signal's reason on abort. Use `onRelayResult` to learn whether the answer is complete.
   *
   * @throws TransportError `INVALID_INPUT` for a malformed filter, `CLOSED`
   */
  query(
    relays: readonly string[],
    filters: readonly Filter[],
    options?: {
      readonly signal?: AbortSignal;
      readonly timeoutMs?: number;
      readonly graceMs?: number;
      /** Called for each rejected event, like {@link SubscribeHandlers.onRejected}. An error it throws is logged. */
      readonly onRejected?: (rejected: RejectedEvent) => void;
      /**
       * Events that the caller has and that match the filter. A relay that announces NIP-77 sends only the others; any other
       * relay sends all. Used for a query of one filter without a `limit`.
       */
      readonly known?: readonly { readonly id: string; readonly created_at: number }[];
      /**
       * Called once per relay before the query resolves, in no particular order: says whether the answer is complete.
       * An error it throws is logged.
       */
      readonly onRelayResult?: (result: RelayReadResult) => void;
    },
  ): Promise<NostrEvent[]>;
  /**
   * Compares `known` with the events of a relay that match `filter`, without transferring them (NIP-77). Resolves to null
   * if the relay does not offer NIP-77, cannot be reached, or does not finish within `timeoutMs` (default 30,000). Rejects
   * with the signal's reason on abort.
   *
   * @throws TransportError `INVALID_INPUT` for a malformed filter, `CLOSED`
   */
  reconcile(
    relay: string,
    filter: Filter,
    known: readonly { readonly id: string; readonly created_at: number }[],
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<EventComparison | null>;
  /** Returns the state of every relay in use, and of recently used and refused ones. */
  status(): RelayStatus[];
  /** Closes all connections. When the promise resolves, no socket, timer or retry is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
