import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** One client of a {@link ScriptedRelay}. */
export interface Client {
  /** Counts from 1 over the life of the relay. */
  readonly number: number;
  send(message: readonly unknown[]): void;
  sendText(text: string): void;
  /** Cuts the line without a word, as a lost network does. */
  drop(): void;
  close(code?: number): void;
}

/** A message as a client sent it, for scripts that look only at some. */
export type Message = readonly [type: string, ...rest: unknown[]];

/** A relay that says exactly what a test tells it to, for behaviour that no honest relay shows. */
export interface ScriptedRelay {
  readonly url: string;
  readonly port: number;
  /** All messages of all clients, in order. */
  readonly received: { readonly client: number; readonly message: Message }[];
  /** Resolves with the first message, past or future, that `wanted` likes; `after` skips that many. */
  next(wanted: (message: Message, client: number) => boolean, after?: number): Promise<Message>;
  readonly clients: readonly Client[];
  close(): Promise<void>;
}

export async function startScriptedRelay(
  script: {
    readonly onOpen?: (client: Client) => void;
    readonly onMessage?: (message: Message, client: Client) => void;
    /** Answers plain HTTP requests, such as NIP-11's. */
    readonly onHttp?: Parameters<typeof createServer>[1];
    readonly port?: number;
  } = {},
): Promise<ScriptedRelay> {
  const received: { client: number; message: Message }[] = [];
  const waiting = new Set<() => void>();
  const clients: Client[] = [];
  const lines = new Set<NetSocket>();
  const http: Server = createServer(
    {},
    script.onHttp ?? ((_, response) => void response.writeHead(404).end()),
  );
  http.on('connection', (line) => {
    lines.add(line);
    line.on('close', () => lines.delete(line));
    line.on('error', () => {});
  });
  const server = new WebSocketServer({ server: http });
  let count = 0;
  server.on('connection', (socket: WebSocket, request) => {
    count += 1;
    socket.on('error', () => {});
    const client: Client = {
      number: count,
      send: (message) => socket.send(JSON.stringify(message)),
      sendText: (text) => socket.send(text),
      drop: () => request.socket.destroy(),
      close: (code = 1000) => socket.close(code),
    };
    clients.push(client);
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      received.push({ client: client.number, message });
      script.onMessage?.(message, client);
      for (const check of [...waiting]) check();
    });
    script.onOpen?.(client);
  });
  await new Promise<void>((resolve) => http.listen(script.port ?? 0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  return {
    url: `ws://127.0.0.1:${port}`,
    port,
    received,
    clients,
    next(wanted, after = 0) {
      return new Promise((resolve) => {
        const check = () => {
          const found = received.filter((entry) => wanted(entry.message, entry.client))[after];
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found.message);
        };
        waiting.add(check);
        check();
      });
    },
    async close() {
      for (const line of lines) line.destroy();
      server.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
