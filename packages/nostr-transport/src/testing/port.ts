import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { TestRelayError } from './errors.ts';

/** The interface that the relay listens on. */
export const loopback = '127.0.0.1';

/** Callbacks of a port. */
export interface PortHandlers {
  /** Returns false to reset a new connection. */
  admits(): boolean;
  /** Returns the reaction to a handshake: answer, ignore, or an HTTP status. */
  handshake(): 'answer' | 'ignore' | number;
  /** The body of the NIP-11 document. */
  information(): string;
  onSocket(socket: WebSocket, tcp: Socket): void;
}

/** A listening port. */
export interface ListeningPort {
  readonly port: number;
  /** Stops listening. Open connections stay; the promise resolves when the last one has ended. */
  close(): Promise<void>;
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
};

/**
 * Listens on a loopback port (0: a free one) for WebSockets and NIP-11. Rejects with `PORT_IN_USE`. A message
 * longer than `maxPayload` bytes closes its connection (code 1009).
 */
export async function openPort(
  port: number,
  maxPayload: number,
  handlers: PortHandlers,
): Promise<ListeningPort> {
  const ignored = new Set<Socket>();
  // Pings are answered by the relay, which can also be told not to.
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload,
  });
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end();
    } else if (request.headers.accept?.includes('application/nostr+json')) {
      response
        .writeHead(200, { ...cors, 'content-type': 'application/nostr+json' })
        .end(handlers.information());
    } else {
      response
        .writeHead(426, { ...cors, 'content-type': 'text/plain' })
        .end('Connect with a Nostr client.\n');
    }
  });
  server.on('connection', (tcp: Socket) => {
    if (!handlers.admits()) tcp.resetAndDestroy();
  });
  server.on('upgrade', (request, tcp: Socket, head) => {
    tcp.on('error', () => tcp.destroy());
    const verdict = handlers.handshake();
    if (verdict === 'answer') {
      sockets.handleUpgrade(request, tcp, head, (socket) => handlers.onSocket(socket, tcp));
    } else if (verdict === 'ignore') {
      ignored.add(tcp);
      tcp.on('close', () => ignored.delete(tcp));
    } else {
      tcp.end(`HTTP/1.1 ${verdict} ${STATUS_CODES[verdict] ?? 'Refused'}\r\nConnection: close\r\n\r\n`);
    }
  });
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      for (const tcp of ignored) tcp.destroy();
      return closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw cause;
    throw new TestRelayError('PORT_IN_USE', `Port ${port} is taken: choose another one, or 0 for any`, {
      cause,
    });
  });
}
