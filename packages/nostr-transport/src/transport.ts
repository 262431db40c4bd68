import type { RejectionReason } from './event/admission.ts';
import type { Filter, NostrEvent } from './event/event.ts';

/**
 * How far a subscription has read, so that it resumes after a restart (NET-1). A minute before the mark is read
 * again (two days where gift wraps may come), so an event may be given twice over two runs, but none is left out.
 */
export interface Watermarks {
  /**
   * `created_at` in seconds up to which `relay` was read for the filter that `key` stands for; undefined when never.
   * The key does not depend on the filter's `since` and `limit`.
   */
  get(relay: string, key: string): Promise<number | undefined> | number | undefined;
  set(relay: string, key: string, seconds: number): Promise<void> | void;
}

/** What a relay sent and this transport turned away. */
export interface RejectedEvent {
  /** The normalized address. */
  readonly relay: string;
  readonly reason: RejectionReason;
  /** As it came, parsed from JSON: anything, up to the size of a frame. */
  readonly event: unknown;
}

/**
 * How far the stored events of one relay were read.
 *
 * - `complete`: the relay sent the last page, or as many events as the filter's `limit` asks for.
 * - `cut`: the relay answered, but older or same-second events may be missing: one second holds more events than a page
 *   of this relay, or a page or event limit of the transport was reached.
 * - `timed-out`: the relay was reached and did not finish in time.
 * - `refused`: the relay closed the request, or the address guard forbids the address.
 * - `unreachable`: no connection was made, or it was lost and not restored in time.
 */
export type RelayReadStatus = 'complete' | 'cut' | 'timed-out' | 'refused' | 'unreachable';

/** How one relay answered a query, or the stored part of a subscription. */
export interface RelayReadResult {
  /** The normalized address. */
  readonly relay: string;
  readonly status: RelayReadStatus;
  /** Events that the relay sent, rejected ones included; repetitions on the border of two pages are not counted. */
  readonly received: number;
  /** Events that passed all checks and that no other relay of the same read had sent before. */
  readonly taken: number;
  /** Human-readable cause; '' when the status is `complete`. Text of the relay is sanitized. */
  readonly message: string;
}

/**
 * What a subscription calls. Everything that arrives here was matched and verified. `relay` is the normalized address.
 * What a handler throws is logged and goes no further.
 */
export interface SubscribeHandlers {
  /** Once per event, however many relays sent it. The event is frozen. */
  readonly onEvent: (event: NostrEvent, relay: string) => void;
  /**
   * Something that a relay sent as an event reached nobody; called each time, so that the caller can keep a record. Nothing of it is
   * kept here, and nothing in it may be believed.
   */
  readonly onRejected?: (rejected: RejectedEvent) => void;
  /**
   * Called once per relay, when the relay has sent its last page of stored events. `result.status` is `complete` or `cut`.
   * Never called for a relay that did not finish.
   */
  readonly onEose?: (relay: string, result: RelayReadResult) => void;
  /** `relay` will send no more for this subscription, and trying again won't help. `reason` is the relay's or ours. */
  readonly onClosed?: (relay: string, reason: string) => void;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /**
   * Where to keep how far was read, to go on from there the next time; marks move only when everything stored has
   * been read. Without it, a subscription resumes over its own reconnects and begins anew otherwise.
   */
  readonly watermarks?: Watermarks;
}

/** A live subscription, until it is closed. */
export interface Subscription {
  close(): void;
}

/** What became of one event at one relay. */
export interface PublishOutcome {
  /** The normalized address; as it was given when it is none. */
  readonly relay: string;
  /**
   * `accepted`: OK true. `rejected`: OK false, or larger than the relay announces to take. `notice`: the relay sent a
   * NOTICE instead of an OK. `silent`: sent, but neither came in time. `unreachable`: never sent for want of a
   * connection. `refused`: our own guard forbade the address.
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
  /**
   * Live until closed: it reconnects and resumes by itself. Handlers are never called before it returns.
   *
   * @throws TransportError `FILTER_INVALID`, `TRANSPORT_CLOSED`
   */
  subscribe(relays: readonly string[], filters: readonly Filter[], handlers: SubscribeHandlers): Subscription;
  /**
   * One outcome per relay, in the order given; never throws because of a relay. An unreachable relay is tried again
   * for `timeoutMs` (default 5,000). Aborting settles at once with what is known: the event may be out already.
   *
   * @throws TransportError `EVENT_INVALID`, `TRANSPORT_CLOSED`
   */
  publish(
    event: NostrEvent,
    relays: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<PublishOutcome[]>;
  /**
   * What the relays have stored, newest first, each event once, no more than a filter's `limit`. Relays that stay silent
   * are waited for up to `timeoutMs` (default 5,000), or for `graceMs` after the first one has answered. Rejects with the
   * signal's reason when aborted.
   *
   * @throws TransportError `FILTER_INVALID`, `TRANSPORT_CLOSED`
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
       * Called once per relay before the query resolves, in no particular order: says whether the answer is complete.
       * An error it throws is logged.
       */
      readonly onRelayResult?: (result: RelayReadResult) => void;
    },
  ): Promise<NostrEvent[]>;
  /** Every relay that this transport has dealt with lately. */
  status(): RelayStatus[];
  /** Ends everything. When it resolves, no socket, timer or reconnect is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
