import type { Logger, Unsubscribe } from '@bonafide/internal';
import type { Filter, NostrEvent } from '../event/event.ts';
import type { Verifier } from '../event/verifier.ts';
import type { Cut, FaultSwitches, RelayFaults } from './faults.ts';
import type { RelayLimits } from './limits.ts';
import type { RelayMessage } from './messages.ts';

/** Options of a test relay. */
export interface TestRelayOptions {
  /** The loopback port; 0, the default, takes a free one. */
  readonly port?: number;
  /** The path of a SQLite file, created if it does not exist. Default: in memory. */
  readonly path?: string;
  /** Initial faults. Default: none. */
  readonly faults?: RelayFaults;
  /** The relay's name in its NIP-11 document. Default 'Bonafide test relay'. */
  readonly name?: string;
  /** Limits, merged into {@link defaultLimits}. */
  readonly limits?: Partial<RelayLimits>;
  /** Time in ms since epoch, for expiration, `created_at` and AUTH. Default `Date.now`. */
  readonly clock?: () => number;
  /** A source of numbers in [0, 1) for random faults. Default: the same sequence each time. */
  readonly random?: () => number;
  /** Verifies signatures. Default: the fastest installed one. */
  readonly verifier?: Verifier;
  /** Default: silent. */
  readonly logger?: Logger;
  /** The number of messages kept in `received`. Default 10,000. */
  readonly historySize?: number;
}

/** A message that a client sent. */
export interface ReceivedMessage {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly at: number;
  /** The text; '' for a binary message. */
  readonly text: string;
  /** The parsed JSON; undefined if it is not JSON. */
  readonly message: unknown;
}

/** A message that the relay sent. */
export interface SentMessage {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly at: number;
  readonly message: RelayMessage;
}

/** The state of one client when it was requested. */
export interface ConnectionInfo {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly openedAt: number;
  /** Authenticated keys (NIP-42). */
  readonly pubkeys: readonly string[];
  readonly subscriptions: readonly { readonly id: string; readonly filters: readonly Filter[] }[];
}

/** Events of a test relay, for {@link TestRelay.on}. */
export interface TestRelayEvents {
  /** Emitted when a client has sent a message. */
  readonly message: ReceivedMessage;
  /** Emitted when the relay has sent a message other than garbage. */
  readonly sent: SentMessage;
  /** Emitted when an event was accepted, including ephemeral ones. */
  readonly accepted: NostrEvent;
  readonly connected: { readonly connectionId: number };
  readonly disconnected: { readonly connectionId: number };
}

/** A running test relay. Not for production. */
export interface TestRelay {
  /** `ws://127.0.0.1:<port>`; the NIP-11 document is at the same address with `http`. */
  readonly url: string;
  readonly port: number;
  /** The clients that are connected now, oldest first. */
  readonly connections: readonly ConnectionInfo[];
  /** Messages of clients, oldest first, up to `historySize`. */
  readonly received: readonly ReceivedMessage[];
  /** Faults, changeable at any time. */
  readonly faults: FaultSwitches;
  /**
   * Returns stored events that are not expired, newest first, gift wraps included; with filters, those that
   * match one of them.
   */
  events(...filters: readonly Filter[]): NostrEvent[];
  /**
   * Stores an event as if a client had published it, by the rules of its kind, without checks of signature,
   * limits and authentication.
   */
  publish(event: NostrEvent): { readonly accepted: boolean; readonly message: string };
  /** Cuts every connection, by default with a TCP reset. */
  dropAll(cut?: Cut): void;
  /**
   * Cuts every connection (by default with close code 1012), stops for `downMs`, and restarts on the same
   * port with the same events.
   */
  restart(options?: { readonly cut?: Cut; readonly downMs?: number }): Promise<void>;
  /**
   * Resolves with the first message, past or future, for which `wanted` returns true. Rejects with `TIMEOUT`
   * (default 60,000 ms) or on abort.
   */
  waitFor(
    wanted: (received: ReceivedMessage) => boolean,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<ReceivedMessage>;
  /** Adds a listener; call the returned function to remove it. */
  on<Name extends keyof TestRelayEvents & string>(
    name: Name,
    listener: (event: TestRelayEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Closes the port, the file and every connection. A second call has no effect. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
