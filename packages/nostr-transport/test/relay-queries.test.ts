import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { RelayClient, signed } from './relay-client.ts';
import { clientIn, places } from './relay-places.ts';

const hex = (digit: string) => digit.repeat(64);
const ids = (events: readonly NostrEvent[]) => events.map(({ id }) => id);
const byId = (events: readonly NostrEvent[]) => [...events].sort((a, b) => (a.id < b.id ? -1 : 1));

describe.each(places)('the relay %s', (place) => {
  const withClient = clientIn(place);

  describe('NIP-01: filters', () => {
    it('NET-3 answers each element of a filter, inclusive of since and until', () =>
      withClient(async (client, relay) => {
        const [alice, bob] = [generateSecretKey(), generateSecretKey()];
        const a = signed(
          {
            kind: 1,
            created_at: 100,
            tags: [
              ['t', 'x'],
              ['e', hex('1')],
            ],
          },
          alice,
        );
        const b = signed(
          {
            kind: 1,
            created_at: 200,
            tags: [
              ['t', 'y'],
              ['t', 'z'],
            ],
          },
          alice,
        );
        const c = signed(
          {
            kind: 7,
            created_at: 300,
            tags: [
              ['t', 'x', 'y'],
              ['long', 'x'],
            ],
          },
          bob,
        );
        for (const event of [a, b, c]) expect((await client.publish(event)).accepted).toBe(true);

        const cases = [
          [{}, [c, b, a]],
          [{ ids: [a.id, c.id] }, [c, a]],
          [{ authors: [getPublicKey(alice)] }, [b, a]],
          [{ kinds: [7, 40] }, [c]],
          [{ since: 200 }, [c, b]],
          [{ until: 200 }, [b, a]],
          [{ since: 200, until: 200 }, [b]],
          [{ since: 201, until: 199 }, []],
          [{ '#t': ['x'] }, [c, a]],
          [{ '#t': ['z'] }, [b]],
          // The second value of a tag is not indexed, nor are tags of several letters.
          [{ '#t': ['y'] }, [b]],
          [{ '#t': ['x', 'y'] }, [c, b, a]],
          [{ '#t': ['x'], '#e': [hex('1')] }, [a]],
          [{ '#t': ['y'], '#e': [hex('1')] }, []],
          [{ '#t': ['y', 'x'], kinds: [1], authors: [getPublicKey(alice)] }, [b, a]],
          [{ ids: [] }, []],
          [{ kinds: [] }, []],
          [{ '#t': [] }, []],
          [{ limit: 1 }, [c]],
          [{ limit: 0 }, []],
          [{ authors: [getPublicKey(alice), getPublicKey(bob)], limit: 2 }, [c, b]],
        ] as const;
        for (const [filter, expected] of cases) {
          expect((await client.fetch(filter)).ids, JSON.stringify(filter)).toEqual(ids(expected));
          expect(ids(relay.events(filter)), JSON.stringify(filter)).toEqual(ids(expected));
        }
      }));

    it('NET-3 joins several filters by or, each with its own limit, newest first and each event once', () =>
      withClient(async (client) => {
        const events = [1, 2, 3, 4].map((at) => signed({ kind: at % 2 === 0 ? 1 : 7, created_at: at * 100 }));
        for (const event of events) await client.publish(event);
        const found = await client.fetch(
          { kinds: [1], limit: 1 },
          { until: 400, limit: 2 },
          { kinds: [7], limit: 9 },
        );
        expect(found.events.map((event) => event.created_at)).toEqual([400, 300, 100]);
      }));

    it('NET-3 gives the newest within limit, of one second the lowest id', () =>
      withClient(async (client) => {
        const events = Array.from({ length: 6 }, (_, index) =>
          signed({ created_at: 500, content: `${index}` }),
        );
        for (const event of events) await client.publish(event);
        expect((await client.fetch({ limit: 4 })).ids).toEqual(ids(byId(events)).slice(0, 4));
      }));

    it('NET-3 clamps limit to what NIP-11 promises', () =>
      withClient(
        async (client) => {
          for (let at = 1; at <= 8; at += 1) await client.publish(signed({ created_at: at }));
          expect((await client.fetch({})).ids).toHaveLength(3);
          expect((await client.fetch({ limit: 4 })).ids).toHaveLength(4);
          expect((await client.fetch({ limit: 50 })).ids).toHaveLength(5);
        },
        { limits: { maxLimit: 5, defaultLimit: 3 } },
      ));

    it.each([
      ['an unknown element', { search: 'x' }, 'unsupported: '],
      ['a tag of several letters', { '#long': ['x'] }, 'unsupported: '],
      ['an id that is not whole', { ids: ['abcd'] }, 'invalid: '],
      ['an upper-case author', { authors: [hex('A')] }, 'invalid: '],
      ['an #e that is no id', { '#e': ['x'] }, 'invalid: '],
      ['a #p that is no key', { '#p': ['npub1'] }, 'invalid: '],
      ['a kind out of range', { kinds: [65_536] }, 'invalid: '],
      ['a kind that is text', { kinds: ['1'] }, 'invalid: '],
      ['a fraction of a second', { since: 1.5 }, 'invalid: '],
      ['a negative limit', { limit: -1 }, 'invalid: '],
      ['a list that is none', { kinds: 1 }, 'invalid: '],
      ['null for a list', { authors: null }, 'invalid: '],
    ])('NET-3 refuses a filter with %s by CLOSED', (_, filter, prefix) =>
      withClient(async (client) => {
        client.say('REQ', 'bad', filter);
        const closed = await client.message('CLOSED', 'bad');
        expect(closed[2]).toMatch(new RegExp(`^${prefix}`));
      }),
    );

    it('NET-3 refuses too long or empty subscription ids, no filter and too many', () =>
      withClient(async (client, relay) => {
        client.say('REQ', 'x'.repeat(65), {});
        client.say('REQ', '', {});
        client.say('REQ', 'none');
        client.say('REQ', 'many', ...Array.from({ length: 11 }, () => ({})));
        client.say('REQ', 7, {});
        client.say('REQ', 'y'.repeat(64), {});
        await client.message('EOSE', 'y'.repeat(64));
        const answers = client.heard.filter(([type]) => type !== 'AUTH').map(([type, id]) => [type, id]);
        expect(answers).toEqual([
          ['CLOSED', 'x'.repeat(65)],
          ['CLOSED', ''],
          ['CLOSED', 'none'],
          ['CLOSED', 'many'],
          ['NOTICE', 'invalid: a subscription id is a string'],
          ['EOSE', 'y'.repeat(64)],
        ]);
        expect(relay.connections[0]?.subscriptions).toHaveLength(1);
      }));
  });

  describe('NIP-01: subscriptions', () => {
    it('NET-3 delivers live by every part of the filter, and not after CLOSE', () =>
      withClient(async (client, relay) => {
        const publisher = await RelayClient.connect(relay.url);
        const wanted = { kinds: [1], '#t': ['x', 'y'], '#e': [hex('1')] };
        client.say('REQ', 'live', wanted, { kinds: [7] });
        await client.message('EOSE', 'live');
        const tags = [
          ['t', 'y'],
          ['e', hex('1')],
        ];
        const hit = signed({ tags });
        const others = [
          signed({ kind: 2, tags }),
          signed({ tags: [['t', 'y']] }),
          signed({
            tags: [
              ['t', 'z', 'y'],
              ['e', hex('1')],
            ],
          }),
          signed({
            tags: [
              ['t', 'y'],
              ['e', hex('2')],
            ],
          }),
        ];
        const second = signed({ kind: 7 });
        for (const event of [hit, ...others, second])
          expect((await publisher.publish(event)).accepted).toBe(true);
        await client.settle();
        expect(client.eventsOf('live')).toEqual([hit, second]);

        client.say('CLOSE', 'live');
        await client.settle();
        await publisher.publish(signed({ tags, content: 'later' }));
        await client.settle();
        expect(client.eventsOf('live')).toHaveLength(2);
        publisher.end();
      }));

    it('NET-3 replaces a subscription that comes again under its id', () =>
      withClient(async (client, relay) => {
        client.say('REQ', 'one', { kinds: [1] });
        client.say('REQ', 'one', { kinds: [7] });
        await client.settle();
        const [one, seven] = [signed({ kind: 1 }), signed({ kind: 7 })];
        relay.publish(one);
        relay.publish(seven);
        await client.settle();
        expect(client.eventsOf('one')).toEqual([seven]);
        const open = relay.connections[0]?.subscriptions.filter(({ id }) => id === 'one');
        expect(open).toEqual([{ id: 'one', filters: [{ kinds: [7] }] }]);
      }));

    it('NET-3 lets limit bind the stored events only', () =>
      withClient(async (client, relay) => {
        client.say('REQ', 'live', { kinds: [1], limit: 1 });
        await client.message('EOSE', 'live');
        for (let at = 1; at <= 3; at += 1) relay.publish(signed({ created_at: at }));
        await client.settle();
        expect(client.eventsOf('live')).toHaveLength(3);
      }));

    it('NET-3 delivers a back-dated event live', () =>
      withClient(async (client, relay) => {
        client.say('REQ', 'live', { kinds: [1] });
        await client.message('EOSE', 'live');
        const old = signed({ created_at: 1_600_000_000 });
        relay.publish(old);
        await client.settle();
        expect(client.eventsOf('live')).toEqual([old]);
      }));
  });

  describe('NIP-45: COUNT', () => {
    it('NET-3 counts what matches any filter, once, beyond every limit', () =>
      withClient(
        async (client) => {
          for (let at = 1; at <= 7; at += 1) await client.publish(signed({ kind: at % 2, created_at: at }));
          client.say('COUNT', 'a', { kinds: [1] });
          expect(await client.message('COUNT', 'a')).toEqual(['COUNT', 'a', { count: 4 }]);
          client.say('COUNT', 'b', { kinds: [1], limit: 1 }, { since: 6 });
          expect(await client.message('COUNT', 'b')).toEqual(['COUNT', 'b', { count: 5 }]);
          client.say('COUNT', 'c', { ids: ['x'] });
          expect((await client.message('CLOSED', 'c'))[2]).toMatch(/^invalid: /);
        },
        { limits: { maxLimit: 2, defaultLimit: 2 } },
      ));
  });
});
