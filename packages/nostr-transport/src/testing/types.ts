import type { Logger, Unsubscribe } from '@bonafide/internal';
import type { Filter, NostrEvent } from '../event/event.ts';
import type { Verifier } from '../event/verifier.ts';
import type { Cut, FaultSwitches, RelayFaults } from './faults.ts';
import type { RelayLimits } from './limits.ts';
import type { RelayMessage } from './messages.ts';

/** How to start a test relay. */
export interface TestRelayOptions {
  /** The loopback port; 0, the default, takes a free one. */
  readonly port?: number;
  /** A SQLite file that outlives the process, made when it is not there. In memory by default. */
  readonly path?: string;
  /** What goes wrong from the start. Default nothing. */
  readonly faults?: RelayFaults;
  /** The relay's name in its NIP-11 document. Default 'Bonafide test relay'. */
  readonly name?: string;
  /** What it will take, where that is not {@link defaultLimits}. */
  readonly limits?: Partial<RelayLimits>;
  /** Time in ms since epoch, for expiration, `created_at` and AUTH. Default `Date.now`. */
  readonly clock?: () => number;
  /** Numbers from 0 up to but not including 1 for all that is random about faults. Default: the same sequence each time. */
  readonly random?: () => number;
  /** Checks signatures. Default: the fastest that is installed (NET-1b). */
  readonly verifier?: Verifier;
  /** Default: says nothing. */
  readonly logger?: Logger;
  /** How many messages `received` remembers. Default 10,000. */
  readonly historySize?: number;
}

/** A message that a client sent. */
export interface ReceivedMessage {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly at: number;
  /** As it came; '' for a binary message. */
  readonly text: string;
  /** Parsed; undefined when it was no JSON. */
  readonly message: unknown;
}

/** A message that the relay sent. */
export interface SentMessage {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly at: number;
  readonly message: RelayMessage;
}

/** One client, as it was when you asked. */
export interface ConnectionInfo {
  readonly connectionId: number;
  /** The relay's time in ms since epoch. */
  readonly openedAt: number;
  /** Authenticated keys (NIP-42). */
  readonly pubkeys: readonly string[];
  readonly subscriptions: readonly { readonly id: string; readonly filters: readonly Filter[] }[];
}

/** What one can listen to. */
export interface TestRelayEvents {
  /** A client sent something. */
  readonly message: ReceivedMessage;
  /** The relay sent something; garbage is not reported. */
  readonly sent: SentMessage;
  /** An event was taken in, stored or, when ephemeral, just passed on. */
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
  /** What clients sent, oldest first, up to `historySize`. */
  readonly received: readonly ReceivedMessage[];
  /** What goes wrong, changeable at any time. */
  readonly faults: FaultSwitches;
  /** What is stored and not expired, newest first, gift wraps included; with filters, what matches one of them. */
  events(...filters: readonly Filter[]): NostrEvent[];
  /**
   * Puts an event in, as though it had come from elsewhere: it is stored, replaced, refused and delivered by
   * the rules of its kind, but signature, limits and authentication are not asked for.
   */
  publish(event: NostrEvent): { readonly accepted: boolean; readonly message: string };
  /** Cuts every connection; by a TCP reset, if you don't say how. */
  dropAll(cut?: Cut): void;
  /** Cuts every connection (by default with close code 1012), is away for `downMs` and comes back on the same port with the same events. */
  restart(options?: { readonly cut?: Cut; readonly downMs?: number }): Promise<void>;
  /** Resolves with the first message, past or future, for which `wanted` holds; rejects with `TIMEOUT` (default 5,000 ms) or when aborted. */
  waitFor(
    wanted: (received: ReceivedMessage) => boolean,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<ReceivedMessage>;
  /** Calls `listener` from now on, until the returned function is called or the relay is closed. */
  on<Name extends keyof TestRelayEvents & string>(
    name: Name,
    listener: (event: TestRelayEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Frees the port, the file and every connection. Calling it twice does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
