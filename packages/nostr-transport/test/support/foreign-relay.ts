import type { AddressInfo } from 'node:net';
import { type Event, EventRepository, type Filter as ForeignFilter } from '@nostr-relay/common';
import { NostrRelay } from '@nostr-relay/core';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Filter } from '../../src/event/event.ts';
import { matchesFilter, newestFirst } from '../../src/event/filter.ts';

/** Where the foreign relay keeps its events: a list. */
class ListRepository extends EventRepository {
  readonly events: Event[] = [];

  isSearchSupported(): boolean {
    return false;
  }

  upsert(event: Event): { isDuplicate: boolean } {
    if (this.events.some(({ id }) => id === event.id)) return { isDuplicate: true };
    this.events.push(event);
    return { isDuplicate: false };
  }

  find(filter: ForeignFilter): Event[] {
    const { limit = 500, ...rest } = filter;
    const wanted = { ...rest, limit: Math.min(limit, 500) } as Filter;
    return newestFirst(
      this.events.filter((event) => matchesFilter(wanted, event)),
      [wanted],
    ) as unknown as Event[];
  }

  async destroy(): Promise<void> {}
}

/** A relay that somebody else wrote (`@nostr-relay/core`), with its caches off, since they make it forget what it has. */
export async function startForeignRelay() {
  const repository = new ListRepository();
  const relay = new NostrRelay(repository, {
    hostname: '127.0.0.1',
    filterResultCacheTtl: 0,
    eventHandlingResultCacheTtl: 0,
    maxSubscriptionsPerClient: 500,
  });
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    relay.handleConnection(socket, request.socket.remoteAddress);
    socket.on('message', (data) => void relay.handleMessage(socket, JSON.parse(String(data))));
    socket.on('close', () => relay.handleDisconnect(socket));
    socket.on('error', () => {});
  });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
    await relay.destroy();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored: repository.events,
    /** Cuts every line. */
    drop() {
      for (const socket of server.clients) socket.terminate();
    },
  };
}
