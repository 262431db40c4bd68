import type { Filter, NostrEvent } from '../../src/event/event.ts';
import { matchesFilter } from '../../src/event/filter.ts';
import type { Client, Message } from './scripted-relay.ts';

/** A script that serves `stored` by NIP-01, with a limit of its own; push to `stored` while it runs to add to it. */
export function serving(stored: readonly NostrEvent[], maxLimit = 500) {
  return {
    onMessage([type, first, ...rest]: Message, client: Client): void {
      if (type === 'EVENT') client.send(['OK', (first as NostrEvent).id, true, '']);
      if (type !== 'REQ') return;
      for (const filter of rest as readonly Filter[]) {
        const found = stored
          .filter((event) => matchesFilter(filter, event))
          .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
          .slice(0, Math.min(filter.limit ?? maxLimit, maxLimit));
        for (const event of found) client.send(['EVENT', first, event]);
      }
      client.send(['EOSE', first]);
    },
  };
}

/** The filters of a REQ as it was received. */
export function filtersOf(message: Message): readonly Filter[] {
  return message.slice(2) as unknown as readonly Filter[];
}
