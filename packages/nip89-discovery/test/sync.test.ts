import { eventually } from '@bonafide/internal/testing';
import type { Filter, NostrEvent, Transport } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { createMemoryDiscoveryStore, platformName } from '../src/index.ts';
import { type Page, readPages } from '../src/relays/paging.ts';
import { deletionOf, main, pubkeyOf, received, setUp, whenKnown } from './set-up.ts';
import { cardOf, signer, start, unsigned } from './support.ts';

/** A relay that answers with at most `size` events, newest first, and remembers what it was asked. */
function pagedRelay(events: readonly NostrEvent[], size: number) {
  const asked: Filter[] = [];
  const transport: Pick<Transport, 'subscribe' | 'query' | 'publish'> = {
    subscribe: () => ({ close() {} }),
    publish: async () => [],
    async query(_relays, [filter = {}]) {
      asked.push(filter);
      return events
        .filter(({ kind }) => filter.kinds?.includes(kind))
        .filter(({ created_at }) => created_at <= (filter.until ?? Number.POSITIVE_INFINITY))
        .sort((a, b) => b.created_at - a.created_at)
        .slice(0, Math.min(size, filter.limit ?? size));
    },
  };
  return { transport, asked };
}
const numbered = (n: number, seconds: number) => ({
  ...unsigned({ created_at: start / 1_000 - seconds }, n.toString(16).padStart(64, '0')),
  id: (n + 1_000_000).toString(16).padStart(64, '0'),
});

describe('a full sync', () => {
  it('DIS-2 pages with until, through more cards than any relay gives at once, several of one second', async () => {
    // Three a second: every page ends in the middle of one.
    const cards = Array.from({ length: 2_500 }, (_, n) => numbered(n + 1, Math.floor(n / 3)));
    const { transport, asked } = pagedRelay(cards, 500);
    const { discovery } = await setUp({ transport, relays: ['wss://relay.example.com'] });
    expect(await discovery.sync()).toMatchObject({ received: 2_500, taken: 2_500 });
    const untils = asked.filter(({ kinds }) => kinds?.includes(31_990)).map(({ until }) => until);
    expect(untils[0]).toBeUndefined();
    expect(untils.length).toBeLessThanOrEqual(7);
  });

  it('DIS-2 gets over a second that has more than a page, and over a relay that gives the same for ever', async () => {
    const crowd = Array.from({ length: 1_200 }, (_, n) => numbered(n + 1, 10));
    const older = numbered(5_000, 20);
    const { transport, asked } = pagedRelay([...crowd, older], 1_000);
    const { discovery } = await setUp({ transport, relays: ['wss://relay.example.com'] });
    // What one second has beyond a page cannot be asked for; what is older is not lost with it.
    expect(await discovery.sync()).toMatchObject({ received: 1_001, taken: 1_001 });
    const pages = asked.filter(({ kinds, authors }) => kinds?.includes(31_990) && authors === undefined);
    expect(pages.length).toBeLessThan(10);
    const stuck: typeof transport = { ...transport, query: async () => crowd.slice(0, 1_000) };
    const { discovery: patient } = await setUp({ transport: stuck, relays: ['wss://relay.example.com'] });
    expect((await patient.sync()).received).toBeLessThanOrEqual(3_000);
  });
});

describe('a full page with one event of 1970', () => {
  it('NET-5 is continued from where the transport read to, not from that event', async () => {
    const stored = Array.from({ length: 2_500 }, (_, n) => ({
      ...unsigned({ created_at: start / 1_000 - n }),
      id: n.toString(16).padStart(64, '0'),
    }));
    const stray = { ...unsigned({ created_at: 1 }), id: 'e'.repeat(64) };
    const request = async ({ limit = 0, until = Number.POSITIVE_INFINITY }: Filter): Promise<Page> => {
      const left = stored.filter(({ created_at }) => created_at <= until);
      const events = left.slice(0, limit - 1);
      const isLast = left.length < limit;
      return isLast
        ? { events: left, isLast }
        : { events: [...events, stray], isLast, readUntil: events.at(-1)?.created_at ?? 0 };
    };
    const got = new Set<string>();
    const place = { until: undefined };
    for await (const page of readPages(request, { kinds: [31_990] }, place, () => {})) {
      for (const { id } of page) got.add(id);
    }
    expect(stored.filter(({ id }) => !got.has(id))).toEqual([]);
  });
});

describe('deletions', () => {
  it('DIS-11 DIS-15 remembers over a restart what was deleted before its card came', async () => {
    const { discovery, relays, store, open } = await setUp({ relayCount: 2 });
    const card = await cardOf(1);
    const single = await cardOf(2);
    relays[0]?.publish(await deletionOf(1, [['a', `31990:${card.pubkey}:${main}`]]));
    relays[0]?.publish(await deletionOf(2, [['e', single.id]]));
    await discovery.start();
    await received(discovery, 2);
    await discovery.close();
    expect(
      await store.lookUp([{ pubkey: card.pubkey, canonicalD: main, targets: [`d:${main}`] }]),
    ).toMatchObject([{ deletedAt: start }]);
    const { discovery: again, events } = open();
    // A relay that did not hear of it.
    for (const each of [card, single]) relays[1]?.publish(each);
    await again.start();
    await eventually(() => expect(again.rejections().counts).toEqual({ deleted: 2 }));
    relays[1]?.publish(await cardOf(1, { createdAt: start + 1_000 }));
    await whenKnown(again, 1);
    expect(events.filter((event) => !event.startsWith('rejected'))).toEqual(['discovered P1 discovered']);
  });

  it('DIS-3 DIS-11 does not choke on a deletion of what no database keeps', async () => {
    const { discovery, relay } = await setUp();
    const pubkey = await pubkeyOf(1);
    relay.publish(
      await deletionOf(1, [
        ['a', `31990:${pubkey}:\0`],
        ['a', `31990:${pubkey}:${'x'.repeat(5_000)}`],
      ]),
    );
    relay.publish(await cardOf(2));
    await discovery.start();
    await whenKnown(discovery, 1);
  });
});

describe('a card that says nothing', () => {
  const empty = async (n: number) =>
    signer(n).signEvent({
      kind: 31_990,
      created_at: start / 1_000,
      tags: [
        ['d', main],
        ['k', '5000'],
      ],
      content: '',
    });
  const profile = async (n: number, content: string, at = start) =>
    signer(n).signEvent({ kind: 0, created_at: at / 1_000, tags: [], content });

  it('DIS-6 has the profile of its key speak for it', async () => {
    const { discovery, relay } = await setUp();
    relay.publish(await profile(1, '{"name":"Ada","about":"computes","lud16":"ada@example.com","nip05":7}'));
    relay.publish(await profile(3, 'no JSON {'));
    for (const n of [1, 2, 3]) relay.publish(await empty(n));
    relay.publish(await cardOf(4));
    await discovery.sync();
    const entry = async (n: number) => discovery.get(await pubkeyOf(n), main);
    const names = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const one = await entry(n);
        return one === null ? null : platformName(one);
      }),
    );
    expect(names).toEqual(['Ada', main, main, 'P4']);
    expect((await entry(1))?.profile).toMatchObject({
      about: 'computes',
      lud16: 'ada@example.com',
      picture: null,
    });
    // It was looked for, and there is none: not asked again.
    expect((await entry(2))?.profile).toMatchObject({ name: null, eventId: null });
    expect((await entry(4))?.profile).toBeNull();
    const asked = relay.received.filter(({ text }) => text.includes('"kinds":[0]'));
    expect(asked).toHaveLength(1);
    await discovery.sync();
    expect(relay.received.filter(({ text }) => text.includes('"kinds":[0]'))).toHaveLength(1);
  });

  it('DIS-6 looks profiles up while it reads live, too', async () => {
    const { discovery, relay } = await setUp({ config: { tickMs: 5 }, store: createMemoryDiscoveryStore() });
    relay.publish(await profile(1, '{"name":"Ada"}'));
    await discovery.start();
    relay.publish(await empty(1));
    await eventually(async () => {
      const one = await discovery.get(await pubkeyOf(1), main);
      expect(one?.profile?.name).toBe('Ada');
    });
  });
});
