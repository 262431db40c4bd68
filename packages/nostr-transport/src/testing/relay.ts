import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createEmitter, type Logger, silentLogger, type Unsubscribe } from '@bonafide/internal';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Filter, NostrEvent } from '../event.ts';
import { checkShape } from './check-event.ts';
import { TestRelayError } from './errors.ts';
import { newestFirst } from './event-index.ts';
import { type Admission, EventStore } from './event-store.ts';
import { compileFilter } from './filter.ts';
import { relayInformation } from './information.ts';
import { type RelayLimits, resolveLimits } from './limits.ts';
import type { Outgoing, RelayMessage } from './messages.ts';
import { type EventRecord, toRecord } from './record.ts';
import { Session, type SessionHost } from './session.ts';

/** How to start a test relay. */
export interface TestRelayOptions {
  /** The loopback port; 0, the default, takes a free one. */
  readonly port?: number;
  /** The relay's name in its NIP-11 document. Default 'bonafide test relay'. */
  readonly name?: string;
  /** What it will take, where that is not {@link defaultLimits}. */
  readonly limits?: Partial<RelayLimits>;
  /** Time in ms since epoch, for expiration, `created_at` and AUTH. Default `Date.now`. */
  readonly clock?: () => number;
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
  /** As it came. */
  readonly text: string;
  /** Parsed; undefined when it was no JSON. */
  readonly message: unknown;
}

/** A message that the relay sent. */
export interface SentMessage {
  readonly connectionId: number;
  readonly at: number;
  readonly message: RelayMessage;
}

/** One client, as it was when you asked. */
export interface ConnectionInfo {
  readonly connectionId: number;
  readonly openedAt: number;
  /** Authenticated keys (NIP-42). */
  readonly pubkeys: readonly string[];
  readonly subscriptions: readonly { readonly id: string; readonly filters: readonly Filter[] }[];
}

/** How connections are cut: a TCP reset, or a WebSocket close with a code and a reason. */
export type Cut =
  | { readonly how: 'reset' }
  | { readonly how: 'close'; readonly code?: number; readonly reason?: string };

/** What one can listen to. */
export interface TestRelayEvents {
  readonly message: ReceivedMessage;
  readonly sent: SentMessage;
  readonly accepted: NostrEvent;
  readonly connected: { readonly connectionId: number };
  readonly disconnected: { readonly connectionId: number };
}

/** A running test relay. Not for production. */
export interface TestRelay {
  /** `ws://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** The clients that are connected now. */
  readonly connections: readonly ConnectionInfo[];
  /** What clients sent, oldest first, up to `historySize`. */
  readonly received: readonly ReceivedMessage[];
  /** What is stored and not expired, newest first, gift wraps included; with filters, what matches one of them. */
  events(...filters: readonly Filter[]): NostrEvent[];
  /**
   * Puts an event in, as though it had come from elsewhere: it is stored, replaced, refused and delivered by
   * the rules of its kind, but signature, limits and authentication are not asked for.
   */
  publish(event: NostrEvent): { readonly accepted: boolean; readonly message: string };
  /** Cuts every connection; default is a TCP reset. */
  dropAll(cut?: Cut): void;
  on<Name extends keyof TestRelayEvents & string>(
    name: Name,
    listener: (event: TestRelayEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Frees the port and every connection. Calling it twice does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const host = '127.0.0.1';

interface Connection {
  readonly id: number;
  readonly openedAt: number;
  readonly socket: WebSocket;
  readonly tcp: Socket;
  readonly session: Session;
}

/**
 * Starts a relay in this process that keeps NIP-01, 09, 11, 40, 42 and 45 strictly, for tests,
 * demonstrations and development (NET-3). Not for production: it listens on loopback only and keeps
 * everything in memory. Rejects with `PORT_IN_USE` or `INVALID_OPTIONS`.
 */
export async function startTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const limits = resolveLimits(options.limits);
  const clock = options.clock ?? Date.now;
  const logger = options.logger ?? silentLogger;
  const historySize = options.historySize ?? 10_000;
  const emitter = createEmitter<TestRelayEvents>({ logger });
  const connections = new Map<number, Connection>();
  const received: ReceivedMessage[] = [];
  const store = new EventStore(null);
  let nextConnectionId = 1;
  let closing: Promise<void> | null = null;

  const nowSeconds = () => Math.floor(clock() / 1000);
  const authPolicy = () => ({ toRead: false, toWrite: false });

  const announce = (record: EventRecord) => {
    emitter.emit('accepted', record.event);
    for (const { session } of connections.values()) session.offer(record);
  };
  const admit = (record: EventRecord): Admission => store.admit(record, nowSeconds());

  const http = createServer((request, response) => {
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET, OPTIONS',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end();
    } else if (request.headers.accept?.includes('application/nostr+json')) {
      const document = relayInformation(options.name ?? 'bonafide test relay', limits, authPolicy());
      response
        .writeHead(200, { ...cors, 'content-type': 'application/nostr+json' })
        .end(JSON.stringify(document));
    } else {
      response
        .writeHead(426, { ...cors, 'content-type': 'text/plain' })
        .end('Connect with a Nostr client.\n');
    }
  });
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // Longer messages are answered with a reason; far longer ones end the connection (close code 1009).
    maxPayload: limits.maxMessageBytes * 16,
  });
  http.on('upgrade', (request: IncomingMessage, tcp: Socket, head: Buffer) => {
    sockets.handleUpgrade(request, tcp, head, (socket) => accept(socket, tcp));
  });

  await listen(http, options.port ?? 0);
  const { port } = http.address() as AddressInfo;
  const url = `ws://${host}:${port}`;
  const sessionHost: SessionHost = {
    limits,
    store,
    urls: [url, `ws://localhost:${port}`],
    now: clock,
    authPolicy,
    admit,
    announce,
  };

  function accept(socket: WebSocket, tcp: Socket): void {
    const id = nextConnectionId;
    nextConnectionId += 1;
    const send = (out: Outgoing) => {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(out.text);
      emitter.emit('sent', { connectionId: id, at: clock(), message: out.message });
    };
    const session = new Session(sessionHost, randomBytes(16).toString('hex'), send);
    connections.set(id, { id, openedAt: clock(), socket, tcp, session });
    socket.on('error', (error) => logger.debug({ err: error, connectionId: id }, 'A connection failed'));
    socket.on('close', () => {
      connections.delete(id);
      emitter.emit('disconnected', { connectionId: id });
    });
    socket.on('message', (data: RawData, isBinary: boolean) => {
      const text = isBinary ? '' : data.toString();
      remember(id, text);
      session.receive(text);
    });
    emitter.emit('connected', { connectionId: id });
    session.open();
  }

  function remember(connectionId: number, text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = undefined;
    }
    const entry: ReceivedMessage = { connectionId, at: clock(), text, message };
    received.push(entry);
    if (received.length > historySize) received.shift();
    emitter.emit('message', entry);
  }

  function cut(connection: Connection, how: Cut): void {
    if (how.how === 'reset') connection.tcp.resetAndDestroy();
    else connection.socket.close(how.code ?? 1001, how.reason ?? '');
  }

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    for (const { socket } of connections.values()) socket.close(1001, 'the relay is closing');
    const impatience = setTimeout(() => {
      for (const { socket } of connections.values()) socket.terminate();
    }, 250);
    http.closeAllConnections();
    await closed;
    clearTimeout(impatience);
    sockets.close();
    emitter.clear();
  }

  const relay: TestRelay = {
    url,
    port,
    get connections() {
      return [...connections.values()].map(({ id, openedAt, session }) => ({
        connectionId: id,
        openedAt,
        pubkeys: session.pubkeys,
        subscriptions: session.subscriptions,
      }));
    },
    get received() {
      return [...received];
    },
    events(...filters) {
      const found = new Set<EventRecord>();
      for (const filter of filters.length === 0 ? [{}] : filters) {
        const limit = filter.limit ?? Number.POSITIVE_INFINITY;
        for (const record of store.query(compileFilter(filter), limit, nowSeconds())) found.add(record);
      }
      return [...found].sort(newestFirst).map(({ event }) => event);
    },
    publish(event) {
      if (closing !== null)
        throw new TestRelayError('RELAY_CLOSED', 'The relay is closed: start another one');
      const checked = checkShape(event);
      if (!checked.ok) return { accepted: false, message: checked.reason };
      const record = toRecord(checked.event);
      const { accepted, fresh, message } = admit(record);
      if (fresh) announce(record);
      return { accepted, message };
    },
    dropAll(how = { how: 'reset' }) {
      for (const connection of connections.values()) cut(connection, how);
    },
    on: emitter.on,
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => relay.close(),
  };
  return relay;
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new TestRelayError('PORT_IN_USE', `Port ${port} is taken: choose another one, or 0 for any`, {
      cause: error,
    });
  });
}
