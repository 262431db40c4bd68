import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createEmitter,
  type Emitter,
  type Logger,
  seededRandom,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import type { WebSocket } from 'ws';
import type { Filter, NostrEvent } from '../event/event.ts';
import type { Verifier } from '../event/verifier.ts';
import type { Archive } from './archive.ts';
import { checkShape } from './check-event.ts';
import { Connection } from './connection.ts';
import { TestRelayError } from './errors.ts';
import { newestFirst } from './event-index.ts';
import { EventStore } from './event-store.ts';
import { fastestVerifier } from './fastest-verifier.ts';
import { type Cut, type FaultSwitches, mergeFaults, type RelayFaults } from './faults.ts';
import { compileFilter } from './filter.ts';
import { type FloodPorts, startFlood } from './flood.ts';
import { relayInformation } from './information.ts';
import { type RelayLimits, resolveLimits } from './limits.ts';
import { nextMessage } from './next-message.ts';
import { type ListeningPort, loopback, openPort } from './port.ts';
import { type EventRecord, toRecord } from './record.ts';
import { authRequired, type SessionHost } from './session.ts';
import { openSqliteArchive } from './sqlite-archive.ts';
import type {
  ConnectionInfo,
  ReceivedMessage,
  TestRelay,
  TestRelayEvents,
  TestRelayOptions,
} from './types.ts';

/** The time that clients have to answer a close handshake, in ms. */
const closeTimeoutMs = 250;

/**
 * Starts a relay in this process that follows NIP-01, 09, 11, 40, 42, 45 and the reading rule of NIP-59
 * strictly, for tests, demonstrations and development. **Not for production**: it listens on loopback only,
 * keeps all events in memory, also those of a file, and violates the protocol on demand.
 *
 * Rejects with a TestRelayError: `INVALID_CONFIG`, `PORT_IN_USE`, `STORE_IN_USE`, `STORE_INVALID` or
 * `SQLITE_UNAVAILABLE`.
 */
export async function startTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const relay = new Relay(options, options.verifier ?? (await fastestVerifier()));
  await relay.start(options.port ?? 0);
  return relay;
}

class Relay implements TestRelay {
  readonly #path: string | null;
  readonly #name: string;
  readonly #limits: RelayLimits;
  readonly #clock: () => number;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #historySize: number;
  readonly #emitter: Emitter<TestRelayEvents>;
  readonly #connections = new Map<number, Connection>();
  readonly #received: ReceivedMessage[] = [];
  readonly #leaving = new AbortController();
  /** Ports that no longer listen and still have connections. */
  readonly #closingPorts = new Set<Promise<void>>();
  readonly #host: SessionHost;
  #archive: Archive | null;
  #store: EventStore;
  #faults: RelayFaults;
  #stopFlood: () => void = () => {};
  #listening: ListeningPort | null = null;
  #portChange: Promise<void> = Promise.resolve();
  #port = 0;
  #lastConnectionId = 0;
  #away = true;
  #closed: Promise<void> | null = null;

  constructor(options: TestRelayOptions, verifier: Verifier) {
    this.#path = options.path ?? null;
    this.#name = options.name ?? 'Bonafide test relay';
    this.#limits = resolveLimits(options.limits);
    this.#clock = options.clock ?? Date.now;
    this.#random = options.random ?? seededRandom(1);
    this.#logger = options.logger ?? silentLogger;
    this.#historySize = options.historySize ?? 10_000;
    this.#emitter = createEmitter<TestRelayEvents>({
      logger: this.#logger,
      names: { message: true, sent: true, accepted: true, connected: true, disconnected: true },
      fail: (message) => new TestRelayError('INVALID_INPUT', message),
    });
    this.#faults = mergeFaults({}, options.faults ?? {});
    this.#archive = this.#path === null ? null : openSqliteArchive(this.#path);
    this.#store = new EventStore(this.#archive);
    this.#host = this.#makeHost(verifier);
  }

  get url(): string {
    return `ws://${loopback}:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): readonly ConnectionInfo[] {
    return [...this.#connections.values()].map(({ id, openedAt, session }) => ({
      connectionId: id,
      openedAt,
      pubkeys: session.pubkeys,
      subscriptions: session.subscriptions,
    }));
  }

  get received(): readonly ReceivedMessage[] {
    return this.#received.slice(-this.#historySize);
  }

  readonly faults: FaultSwitches = this.#makeSwitches();

  events(...filters: readonly Filter[]): NostrEvent[] {
    const found = new Set<EventRecord>();
    for (const filter of filters.length === 0 ? [{}] : filters) {
      const limit = filter.limit ?? Number.POSITIVE_INFINITY;
      for (const record of this.#store.query(compileFilter(filter), limit, this.#nowSeconds()))
        found.add(record);
    }
    return [...found].sort(newestFirst).map(({ event }) => event);
  }

  publish(event: NostrEvent): { readonly accepted: boolean; readonly message: string } {
    if (this.#away)
      throw new TestRelayError('CLOSED', 'The relay is closed: start it, or wait for restart()');
    const checked = checkShape(event);
    if (!checked.ok) return { accepted: false, message: checked.reason };
    const record = toRecord(checked.event);
    const { accepted, fresh, message } = this.#host.admit(record);
    if (fresh) this.#host.announce(record);
    return { accepted, message };
  }

  dropAll(cut: Cut = { how: 'reset' }): void {
    for (const connection of this.#connections.values()) connection.cut(cut);
  }

  async restart(options: { readonly cut?: Cut; readonly downMs?: number } = {}): Promise<void> {
    if (this.#away) throw new TestRelayError('CLOSED', 'The relay is closed: start another one');
    await this.#stop(options.cut ?? { how: 'close', code: 1012, reason: 'service restart' });
    // close() cuts the pause short.
    await sleep(options.downMs ?? 0, undefined, { signal: this.#leaving.signal }).catch(() => {});
    if (this.#closed !== null) return;
    if (this.#path !== null) {
      this.#archive = openSqliteArchive(this.#path);
      this.#store = new EventStore(this.#archive);
    }
    await this.start(this.#port);
  }

  waitFor(
    wanted: (received: ReceivedMessage) => boolean,
    options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ReceivedMessage> {
    const past = this.received.find(wanted);
    if (past !== undefined) return Promise.resolve(past);
    return nextMessage(this.#emitter, wanted, { ...options, leaving: this.#leaving.signal });
  }

  on<Name extends keyof TestRelayEvents & string>(
    name: Name,
    listener: (event: TestRelayEvents[Name]) => unknown,
  ): Unsubscribe {
    return this.#emitter.on(name, listener);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Listens, unless a fault forbids it. Closes the relay on failure. */
  async start(port: number): Promise<void> {
    this.#port = port;
    try {
      // With port 0 the number is not known before the first listening, so that comes before a refusal.
      if (this.#faults.refuse !== 'port' || port === 0) await this.#listen();
    } catch (error) {
      this.#archive?.close();
      throw error;
    }
    this.#away = false;
    await this.#apply({}, this.#faults);
  }

  async #close(): Promise<void> {
    this.#leaving.abort();
    await this.#stop({ how: 'close', code: 1001, reason: 'the relay is closing' });
    this.#stopFlood();
    this.#emitter.clear();
  }

  /** Closes the port, the connections and the file. */
  async #stop(cut: Cut): Promise<void> {
    this.#away = true;
    this.#stopListening();
    this.dropAll(cut);
    const impatience = setTimeout(() => {
      for (const connection of this.#connections.values()) connection.terminate();
    }, closeTimeoutMs);
    await Promise.all(this.#closingPorts);
    clearTimeout(impatience);
    this.#archive?.close();
    this.#archive = null;
  }

  async #listen(): Promise<void> {
    // Messages that are far too long end the connection; those not so far get an answer that says why.
    this.#listening = await openPort(this.#port, this.#limits.maxMessageBytes * 16, {
      admits: () => this.#faults.refuse !== 'reset',
      handshake: () => this.#handshake(),
      information: () => this.#information(),
      onSocket: (socket, tcp) => this.#accept(socket, tcp),
    });
    this.#port = this.#listening.port;
  }

  #stopListening(): void {
    if (this.#listening === null) return;
    const closing = this.#listening.close().finally(() => this.#closingPorts.delete(closing));
    this.#closingPorts.add(closing);
    this.#listening = null;
  }

  #handshake(): 'answer' | 'ignore' | number {
    const { refuse, stall } = this.#faults;
    if (typeof refuse === 'object') return refuse.status;
    return stall === 'handshake' ? 'ignore' : 'answer';
  }

  #information(): string {
    const { information } = this.#faults;
    if (typeof information === 'string') return information;
    return JSON.stringify({
      ...relayInformation(this.#name, this.#limits, authRequired(this.#faults)),
      ...information,
    });
  }

  #accept(socket: WebSocket, tcp: Socket): void {
    this.#lastConnectionId += 1;
    const connectionId = this.#lastConnectionId;
    const connection = new Connection(connectionId, socket, tcp, this.#host, {
      random: this.#random,
      onReceived: (text) => this.#remember({ connectionId, at: this.#now(), text, message: parseJson(text) }),
      onSent: (message) => this.#emitter.emit('sent', { connectionId, at: this.#now(), message }),
      onFailed: (error) => this.#logger.debug({ err: error, connectionId }, 'Connection failed'),
      onClosed: () => {
        this.#connections.delete(connectionId);
        this.#emitter.emit('disconnected', { connectionId });
      },
    });
    this.#connections.set(connectionId, connection);
    this.#emitter.emit('connected', { connectionId });
    connection.open();
  }

  #remember(entry: ReceivedMessage): void {
    this.#received.push(entry);
    // Cut now and then: doing it for every message would move the whole history each time.
    const excess = this.#received.length - this.#historySize;
    if (excess > this.#historySize) this.#received.splice(0, excess);
    this.#emitter.emit('message', entry);
  }

  #now(): number {
    return this.#clock() + (this.#faults.clockSkewMs ?? 0);
  }

  #nowSeconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  #makeHost(verifier: Verifier): SessionHost {
    const relay = this;
    return {
      limits: this.#limits,
      verifier,
      get store() {
        return relay.#store;
      },
      get urls() {
        return [relay.url, `ws://localhost:${relay.#port}`];
      },
      now: () => this.#now(),
      faults: () => this.#faults,
      admit: (record) => this.#store.admit(record, this.#nowSeconds()),
      announce: (record) => {
        this.#emitter.emit('accepted', record.event);
        for (const { session } of this.#connections.values()) session.offer(record);
      },
    };
  }

  #makeSwitches(): FaultSwitches {
    const relay = this;
    const change = (next: RelayFaults) => {
      const before = this.#faults;
      this.#faults = next;
      return this.#apply(before, next);
    };
    return {
      get current() {
        return relay.#faults;
      },
      set: async (faults) => change(mergeFaults(this.#faults, faults)),
      clear: async () => change({}),
    };
  }

  /** Applies a change of faults that needs an action. */
  async #apply(before: RelayFaults, next: RelayFaults): Promise<void> {
    if (this.#away) return;
    if (before.drop !== next.drop) {
      for (const connection of this.#connections.values()) connection.faultsChanged(next);
    }
    if (before.flood !== next.flood) {
      this.#stopFlood();
      this.#stopFlood = next.flood === undefined ? () => {} : startFlood(next.flood, this.#floodPorts());
    }
    // One change of the port after the other, each by what is wanted when its turn comes.
    this.#portChange = this.#portChange.catch(() => {}).then(() => this.#settlePort());
    await this.#portChange;
  }

  async #settlePort(): Promise<void> {
    if (this.#away) return;
    if (this.#faults.refuse === 'port') this.#stopListening();
    else if (this.#listening === null) await this.#listen();
  }

  #floodPorts(): FloodPorts {
    return {
      random: this.#random,
      now: () => this.#now(),
      targets: () =>
        [...this.#connections.values()]
          .map((connection) => connection.floodTargets())
          .filter((targets) => targets.length > 0),
    };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
