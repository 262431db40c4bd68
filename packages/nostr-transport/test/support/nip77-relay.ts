import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Filter, NostrEvent } from '../../src/event/event.ts';
import { matchesFilter } from '../../src/event/filter.ts';

interface ServerSide {
  readonly NegentropyStorageVector: new () => { insert(at: number, id: string): void; seal(): void };
  readonly Negentropy: new (
    storage: object,
    frameSizeLimit: number,
  ) => { reconcile(message: string): Promise<[string | null, string[], string[]]> };
}

// The library does not export its protocol code, which plays both roles; that of nostr-tools plays the client only.
const library = new URL('../../node_modules/applesauce-relay/dist/lib/negentropy.js', import.meta.url);
const { Negentropy, NegentropyStorageVector } = (await import(library.href)) as ServerSide;

/** A relay with NIP-77 by the implementation of applesauce, which counts the bytes of all messages. */
export async function startNip77Relay(
  stored: readonly NostrEvent[],
  options: {
    /** Answers to NEG-OPEN other than the protocol's: an error, silence, or something malformed. */
    readonly negOpen?: 'error' | 'silence' | 'malformed';
    readonly supportedNips?: readonly number[];
    /** Ids that are listed and never sent. */
    readonly withheld?: ReadonlySet<string>;
    /** Sent in place of each event that is withheld. */
    readonly instead?: NostrEvent;
    /** Largest number of events before EOSE. */
    readonly maxLimit?: number;
  } = {},
) {
  const events = [...stored];
  const traffic = { bytes: 0, events: 0, types: [] as string[] };
  const http = createServer((_, response) => {
    response.setHeader('content-type', 'application/nostr+json');
    response.end(JSON.stringify({ supported_nips: options.supportedNips ?? [1, 77] }));
  });
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket) => {
    const sides = new Map<string, InstanceType<ServerSide['Negentropy']>>();
    const send = (message: readonly unknown[]) => {
      const text = JSON.stringify(message);
      traffic.bytes += text.length;
      socket.send(text);
    };
    const answer = async (id: string, text: string) => {
      const [output] = (await sides.get(id)?.reconcile(text)) ?? [];
      send(['NEG-MSG', id, output ?? '61']);
    };
    socket.on('message', async (data) => {
      const text = String(data);
      traffic.bytes += text.length;
      const [type, id, filter, message] = JSON.parse(text) as [string, string, Filter & string, string];
      traffic.types.push(type);
      const find = () =>
        events
          .filter((event) => matchesFilter(filter as Filter, event))
          .sort((a, b) => b.created_at - a.created_at);
      if (type === 'REQ') {
        for (const found of find().slice(0, Math.min(filter.limit ?? 500, options.maxLimit ?? 500))) {
          const event = options.withheld?.has(found.id) ? options.instead : found;
          if (event === undefined) continue;
          traffic.events += 1;
          send(['EVENT', id, event]);
        }
        send(['EOSE', id]);
      } else if (type === 'EVENT') {
        const event = id as unknown as NostrEvent;
        events.push(event);
        send(['OK', event.id, true, '']);
      } else if (type === 'NEG-OPEN' && options.negOpen !== undefined) {
        if (options.negOpen === 'error') send(['NEG-ERR', id, 'blocked: too many query results']);
        if (options.negOpen === 'malformed') send(['NEG-MSG', id, '61ffff']);
      } else if (type === 'NEG-OPEN') {
        const storage = new NegentropyStorageVector();
        for (const event of find()) storage.insert(event.created_at, event.id);
        storage.seal();
        sides.set(id, new Negentropy(storage, 60_000));
        await answer(id, message);
      } else if (type === 'NEG-MSG') await answer(id, filter as string);
      else if (type === 'NEG-CLOSE') sides.delete(id);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, traffic, events, close };
}
