import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Frame } from './distort.ts';
import type { Cut, RelayFaults } from './faults.ts';
import type { FloodTarget } from './flood.ts';
import type { RelayMessage } from './messages.ts';
import { isExpired } from './record.ts';
import { SendQueue } from './send-queue.ts';
import { Session, type SessionHost } from './session.ts';

/** Callbacks of a connection. */
export interface ConnectionEvents {
  readonly random: () => number;
  onReceived(text: string): void;
  onSent(message: RelayMessage): void;
  onFailed(error: Error): void;
  onClosed(): void;
}

/** The largest number of bytes buffered for a client that does not read; then its connection is cut. */
const maxBuffered = 64 * 1024 * 1024;

/** One client: its socket, its queue of outgoing messages and its session. */
export class Connection {
  readonly id: number;
  readonly openedAt: number;
  readonly session: Session;
  readonly #socket: WebSocket;
  readonly #tcp: Socket;
  readonly #host: SessionHost;
  readonly #events: ConnectionEvents;
  readonly #sendQueue: SendQueue;
  #sentSinceFault = 0;
  #dropTimer: NodeJS.Timeout | undefined;

  constructor(id: number, socket: WebSocket, tcp: Socket, host: SessionHost, events: ConnectionEvents) {
    this.id = id;
    this.openedAt = host.now();
    this.#socket = socket;
    this.#tcp = tcp;
    this.#host = host;
    this.#events = events;
    this.#sendQueue = new SendQueue({
      faults: host.faults,
      random: events.random,
      write: (frame) => this.#write(frame),
    });
    const challenge = randomBytes(16).toString('hex');
    this.session = new Session(host, challenge, (out, lateMs) => this.#sendQueue.send(out, lateMs));
    socket.on('error', (error) => events.onFailed(error));
    socket.on('close', () => {
      this.#sendQueue.close();
      clearTimeout(this.#dropTimer);
      events.onClosed();
    });
    socket.on('ping', (data) => {
      if (this.#host.faults().stall !== 'everything') socket.pong(data);
    });
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : data.toString();
      events.onReceived(text);
      if (this.#host.faults().stall === undefined) this.session.receive(text);
    });
  }

  /** Sends the first message. */
  open(): void {
    this.faultsChanged(this.#host.faults());
    this.session.open();
  }

  /** Restarts the conditions for dropping this connection. */
  faultsChanged({ drop }: RelayFaults): void {
    this.#sentSinceFault = 0;
    clearTimeout(this.#dropTimer);
    if (drop === undefined) return;
    const unconditional =
      drop.afterMs === undefined && drop.afterMessages === undefined && drop.probability === undefined;
    if (unconditional || drop.afterMessages === 0) this.cut(drop);
    else if (drop.afterMs !== undefined) this.#dropTimer = setTimeout(() => this.cut(drop), drop.afterMs);
  }

  /** Ends the connection. */
  cut(cut: Cut): void {
    this.#sendQueue.close();
    if (cut.how === 'reset') this.#tcp.resetAndDestroy();
    else this.#socket.close(cut.code ?? 1001, cut.reason ?? '');
  }

  /** Ends the connection without a close handshake. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** Returns the subscriptions that a flood may target. */
  floodTargets(): FloodTarget[] {
    if (this.#socket.bufferedAmount > maxBuffered / 8) return [];
    return this.session.subscriptions.map(({ id, filters }) => ({
      filter: filters[0] ?? {},
      send: (record) => this.session.sendUnsolicited(id, record),
    }));
  }

  #write({ data, out }: Frame): void {
    const faults = this.#host.faults();
    if (faults.stall !== undefined || this.#socket.readyState !== this.#socket.OPEN) return;
    // It may have expired on its way (NIP-40).
    const record = out?.record;
    if (record && isExpired(record, Math.floor(this.#host.now() / 1000))) return;
    if (this.#socket.bufferedAmount > maxBuffered) {
      this.terminate();
      return;
    }
    this.#socket.send(data);
    if (out !== null) this.#events.onSent(out.message);
    this.#sentSinceFault += 1;
    const { drop } = faults;
    if (drop === undefined) return;
    const isDue = drop.afterMessages !== undefined && this.#sentSinceFault >= drop.afterMessages;
    const isUnlucky = drop.probability !== undefined && this.#events.random() < drop.probability;
    if (isDue || isUnlucky) this.cut(drop);
  }
}
