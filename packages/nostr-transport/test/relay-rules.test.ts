import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { startTestRelay } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';
import { places, stoppedClock, withRelay } from './relay-places.ts';

const now = () => Math.floor(Date.now() / 1000);
const hex = (digit: string) => digit.repeat(64);
const ids = (events: readonly NostrEvent[]) => events.map(({ id }) => id);
const byId = (events: readonly NostrEvent[]) => [...events].sort((a, b) => (a.id < b.id ? -1 : 1));

describe.each(places)('the relay %s', (place) => {
  const withClient = (
    use: (client: RelayClient, relay: Awaited<ReturnType<typeof startTestRelay>>) => Promise<void>,
    options = {},
  ) =>
    withRelay(place, options, async (relay) => {
      const client = await RelayClient.connect(relay.url);
      await use(client, relay);
      client.end();
    });

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

  describe('NIP-01: events', () => {
    it.each([
      ['a field that is missing', { content: undefined }],
      ['an upper-case id', { id: hex('A') }],
      ['a short key', { pubkey: 'ab' }],
      ['a signature with other letters', { sig: 'g'.repeat(128) }],
      ['a kind of −1', { kind: -1 }],
      ['a kind of 1.5', { kind: 1.5 }],
      ['a kind of 65536', { kind: 65_536 }],
      ['a created_at that is text', { created_at: '1' }],
      ['a negative created_at', { created_at: -5 }],
      ['tags that are no list', { tags: {} }],
      ['an empty tag', { tags: [[]] }],
      ['a tag with a number', { tags: [['t', 1]] }],
      ['half a surrogate pair', { content: '\ud800' }],
      ['content that is an object', { content: {} }],
    ])('NET-3 refuses %s', (_, change) =>
      withClient(async (client, relay) => {
        const event = { ...signed(), ...change } as NostrEvent;
        expect(await client.publish(event)).toEqual({
          accepted: false,
          message: expect.stringMatching(/^invalid: /),
        });
        expect(relay.events()).toEqual([]);
      }),
    );

    it('NET-3 X-5b refuses an id that does not match and a signature that is not the author’s', () =>
      withClient(async (client, relay) => {
        const event = signed({ content: 'genuine' });
        const bySigner = 'invalid: bad signature';
        const byId = 'invalid: id does not match the event';
        const forgeries = [
          [{ ...event, content: 'forged' }, byId],
          [{ ...event, created_at: event.created_at + 1 }, byId],
          [{ ...event, id: hex('1') }, byId],
          [{ ...event, pubkey: getPublicKey(generateSecretKey()) }, byId],
          [{ ...event, sig: signed().sig }, bySigner],
        ] as const;
        for (const [forgery, message] of forgeries) {
          expect(await client.publish(forgery)).toEqual({ accepted: false, message });
        }
        expect(relay.events()).toEqual([]);
        expect((await client.publish(event)).accepted).toBe(true);
        // A forgery of what is stored is no duplicate.
        expect((await client.publish({ ...event, sig: signed().sig })).accepted).toBe(false);
      }));

    it('NET-3 stores the seven fields and nothing that came beside them', () =>
      withClient(async (client, relay) => {
        const event = signed();
        client.say('EVENT', { ...event, seenOn: ['elsewhere'] });
        await client.message('OK', event.id, true);
        expect(relay.events()).toEqual([event]);
        expect((await client.fetch({})).events).toEqual([event]);
      }));

    it('NET-3 says duplicate to what it has', () =>
      withClient(async (client) => {
        const event = signed();
        expect(await client.publish(event)).toEqual({ accepted: true, message: '' });
        expect(await client.publish(event)).toEqual({
          accepted: true,
          message: 'duplicate: already have this event',
        });
        expect((await client.fetch({})).ids).toEqual([event.id]);
      }));

    it('NET-3 answers nonsense by NOTICE and lives on', () =>
      withClient(async (client) => {
        client.socket.send('{');
        client.socket.send(Buffer.from([1, 2, 3]));
        client.say('FROB', 1);
        client.socket.send('"EVENT"');
        client.say('EVENT');
        client.say('EVENT', null);
        client.say('EVENT', { id: 7 });
        client.say('CLOSE', 7);
        client.say('AUTH', 'x');
        await client.settle();
        const notices = client.heard.filter(([type]) => type === 'NOTICE').map(([, text]) => text);
        expect(notices).toHaveLength(9);
        for (const notice of notices) expect(notice).toMatch(/^invalid: /);
        expect((await client.publish(signed())).accepted).toBe(true);
      }));
  });

  describe('NIP-01: replaceable, addressable and ephemeral kinds', () => {
    it.each([0, 3, 10_002])(
      'NET-3 keeps the newest of replaceable kind %i, of equal age the lowest id',
      (kind) =>
        withClient(async (client) => {
          const key = generateSecretKey();
          const at = now() - 50;
          const [low, high] = byId([1, 2].map((n) => signed({ kind, created_at: at, content: `${n}` }, key)));
          const older = signed({ kind, created_at: at - 1 }, key);
          const newer = signed({ kind, created_at: at + 1 }, key);
          if (low === undefined || high === undefined) throw new Error('two events were signed');
          expect((await client.publish(high)).accepted).toBe(true);
          expect(await client.publish(older)).toEqual({
            accepted: false,
            message: 'duplicate: a newer version is stored',
          });
          expect((await client.publish(low)).accepted).toBe(true);
          expect((await client.publish(high)).accepted).toBe(false);
          expect((await client.fetch({ kinds: [kind] })).ids).toEqual([low.id]);
          expect((await client.publish(newer)).accepted).toBe(true);
          const stranger = signed({ kind, created_at: at });
          expect((await client.publish(stranger)).accepted).toBe(true);
          expect((await client.fetch({ kinds: [kind] })).ids).toEqual([newer.id, stranger.id]);
        }),
    );

    it('NET-3 keeps one addressable event for each d', () =>
      withClient(async (client) => {
        const key = generateSecretKey();
        const at = now() - 50;
        const make = (d: string | null, created_at: number, content = '') =>
          signed(
            {
              kind: 31_990,
              created_at,
              content,
              tags:
                d === null
                  ? []
                  : [
                      ['d', d],
                      ['d', 'second'],
                    ],
            },
            key,
          );
        const [low, high] = byId([make('a', at, '1'), make('a', at, '2')]);
        const b = make('b', at + 1);
        const [bare, empty] = [make(null, at + 2), make('', at + 3)];
        if (low === undefined || high === undefined) throw new Error('two events were signed');
        for (const event of [low, b, bare, empty]) expect((await client.publish(event)).accepted).toBe(true);
        expect((await client.publish(high)).accepted).toBe(false);
        expect((await client.fetch({ kinds: [31_990] })).ids).toEqual([empty.id, b.id, low.id]);
      }));

    it('NET-3 passes ephemeral events on and never stores them', () =>
      withClient(async (client, relay) => {
        client.say('REQ', 'live', { kinds: [20_000, 29_999] });
        await client.message('EOSE', 'live');
        const events = [signed({ kind: 20_000 }), signed({ kind: 29_999 })];
        for (const event of events) expect((await client.publish(event)).accepted).toBe(true);
        await client.settle();
        expect(client.eventsOf('live')).toEqual(events);
        expect((await client.fetch({})).events).toEqual([]);
        expect(relay.events()).toEqual([]);
      }));
  });

  describe('NIP-09: deletions', () => {
    const key = generateSecretKey();
    const pubkey = getPublicKey(key);

    it('NET-3 removes the author’s own by e, keeps others’, and blocks what was deleted', () =>
      withClient(async (client, relay) => {
        const [own, other] = [signed({}, key), signed()];
        await client.publish(own);
        await client.publish(other);
        const deletion = signed(
          {
            kind: 5,
            tags: [
              ['e', own.id],
              ['e', other.id],
              ['k', '1'],
            ],
          },
          key,
        );
        expect((await client.publish(deletion)).accepted).toBe(true);
        expect(byId(relay.events())).toEqual(byId([other, deletion]));
        expect((await client.fetch({ kinds: [5], '#e': [own.id] })).ids).toEqual([deletion.id]);
        expect(await client.publish(own)).toEqual({
          accepted: false,
          message: 'blocked: this event was deleted',
        });
        expect((await client.publish(other)).message).toMatch(/^duplicate/);
      }));

    it('NET-3 honours a deletion that comes before its event', () =>
      withClient(async (client, relay) => {
        const [own, other] = [signed({}, key), signed()];
        await client.publish(
          signed(
            {
              kind: 5,
              tags: [
                ['e', own.id],
                ['e', other.id],
              ],
            },
            key,
          ),
        );
        expect((await client.publish(own)).message).toMatch(/^blocked: /);
        expect((await client.publish(other)).accepted).toBe(true);
        expect(ids(relay.events({ kinds: [1] }))).toEqual([other.id]);
      }));

    it('NET-3 deletes versions of an address up to the deletion’s date, and only its owner’s', () =>
      withClient(async (client, relay) => {
        const at = now() - 100;
        const address = `31990:${pubkey}:a`;
        const version = (created_at: number, secretKey = key) =>
          signed({ kind: 31_990, created_at, tags: [['d', 'a']] }, secretKey);
        await client.publish(version(at));
        const stranger = generateSecretKey();
        await client.publish(signed({ kind: 5, created_at: at + 50, tags: [['a', address]] }, stranger));
        expect(relay.events({ kinds: [31_990] })).toHaveLength(1);

        await client.publish(signed({ kind: 5, created_at: at + 10, tags: [['a', address]] }, key));
        expect(relay.events({ kinds: [31_990] })).toEqual([]);
        expect((await client.publish(version(at + 9))).message).toMatch(/^blocked: /);
        expect((await client.publish(version(at + 10))).message).toMatch(/^blocked: /);
        const newer = version(at + 11);
        expect((await client.publish(newer)).accepted).toBe(true);
        const same = signed({ kind: 5, created_at: at + 11, tags: [['a', address]] }, key);
        expect((await client.publish(same)).accepted).toBe(true);
        expect(relay.events({ kinds: [31_990] })).toEqual([]);
        const newest = version(at + 12);
        expect((await client.publish(newest)).accepted).toBe(true);
        // An older deletion that comes late changes nothing.
        await client.publish(signed({ kind: 5, created_at: at + 5, tags: [['a', address]] }, key));
        expect(relay.events({ kinds: [31_990] })).toEqual([newest]);
        expect((await client.publish(version(at + 8))).message).toMatch(/^blocked: /);
      }));

    it('NET-3 deletes replaceable events by their address too', () =>
      withClient(async (client, relay) => {
        const list = signed({ kind: 10_002, created_at: now() - 5 }, key);
        await client.publish(list);
        await client.publish(signed({ kind: 5, tags: [['a', `10002:${pubkey}:`]] }, key));
        expect(relay.events({ kinds: [10_002] })).toEqual([]);
        expect((await client.publish(list)).message).toMatch(/^blocked: /);
      }));

    it('NET-3 does not let a deletion be deleted', () =>
      withClient(async (client, relay) => {
        const own = signed({}, key);
        const first = signed({ kind: 5, tags: [['e', own.id]] }, key);
        const second = signed({ kind: 5, tags: [['e', first.id]] }, key);
        for (const event of [own, first, second]) await client.publish(event);
        expect(byId(relay.events())).toEqual(byId([first, second]));
        expect((await client.publish(own)).message).toMatch(/^blocked: /);
      }));

    it('NET-3 lets the recipient of a gift wrap delete it (NIP-59)', () =>
      withClient(async (client, relay) => {
        const wrap = signed({ kind: 1059, tags: [['p', pubkey]] });
        const note = signed({ kind: 1, tags: [['p', pubkey]] });
        await client.publish(wrap);
        await client.publish(note);
        await client.publish(
          signed(
            {
              kind: 5,
              tags: [
                ['e', wrap.id],
                ['e', note.id],
              ],
            },
            key,
          ),
        );
        expect(ids(relay.events({ kinds: [1, 1059] }))).toEqual([note.id]);
        expect((await client.publish(wrap)).message).toMatch(/^blocked: /);
      }));

    it('NET-3 tells live subscribers about a deletion', () =>
      withClient(async (client) => {
        client.say('REQ', 'live', { kinds: [5] });
        await client.message('EOSE', 'live');
        const deletion = signed({ kind: 5, tags: [['e', hex('1')]] }, key);
        await client.publish(deletion);
        await client.settle();
        expect(client.eventsOf('live')).toEqual([deletion]);
      }));
  });

  describe('NIP-40: expiration', () => {
    it('NET-3 refuses what has expired and hides what expires later', async () => {
      const time = stoppedClock();
      const seconds = () => Math.floor(time.now / 1000);
      await withClient(
        async (client, relay) => {
          const expiring = (inSeconds: number, kind = 1) =>
            signed({ kind, created_at: seconds(), tags: [['expiration', String(seconds() + inSeconds)]] });
          const stale = expiring(0);
          const fresh = expiring(10);
          client.say('REQ', 'live', {});
          await client.message('EOSE', 'live');
          expect(await client.publish(stale)).toEqual({
            accepted: false,
            message: 'invalid: event has expired',
          });
          expect((await client.publish(expiring(-1, 20_001))).accepted).toBe(false);
          expect((await client.publish(fresh)).accepted).toBe(true);
          await client.settle();
          expect(client.eventsOf('live')).toEqual([fresh]);
          time.now += 9_000;
          expect((await client.fetch({})).ids).toEqual([fresh.id]);
          time.now += 1_000;
          expect((await client.fetch({})).ids).toEqual([]);
          expect((await client.fetch({ ids: [fresh.id] })).ids).toEqual([]);
          expect(relay.events()).toEqual([]);
          client.say('COUNT', 'count', {});
          expect(await client.message('COUNT', 'count')).toEqual(['COUNT', 'count', { count: 0 }]);
          time.now += 120_000;
          expect((await client.publish(fresh)).accepted).toBe(false);
        },
        { clock: time.clock },
      );
    });

    it('NET-3 does not deliver what expired on the way', async () => {
      const time = stoppedClock();
      await withClient(
        async (client, relay) => {
          client.say('REQ', 'live', {});
          await client.message('EOSE', 'live');
          await relay.faults.set({ delayMs: 60 });
          const seconds = Math.floor(time.now / 1000);
          const expiring = signed({ created_at: seconds, tags: [['expiration', String(seconds + 5)]] });
          const lasting = signed({ created_at: seconds });
          relay.publish(expiring);
          relay.publish(lasting);
          time.now += 6_000;
          await client.message('EVENT', 'live');
          await client.settle();
          expect(client.eventsOf('live')).toEqual([lasting]);
        },
        { clock: time.clock },
      );
    });
  });

  describe('NIP-42 and NIP-59: authentication', () => {
    it('NET-3 accepts a proper AUTH and refuses every other', () =>
      withClient(async (client, relay) => {
        const key = generateSecretKey();
        const elsewhere = await RelayClient.connect(relay.url);
        const wrong = [
          { challenge: 'guess' },
          { challenge: await elsewhere.challenge() },
          { relay: 'wss://elsewhere.example' },
          { relay: 'no address' },
          { relay: `http://127.0.0.1:${relay.port}` },
          { created_at: now() - 605 },
          { created_at: now() + 605 },
          { kind: 1 },
        ];
        for (const changes of wrong) {
          const answer = await client.authenticate(key, changes);
          expect(answer, JSON.stringify(changes)).toMatchObject({
            accepted: false,
            message: expect.stringMatching(/^invalid: /),
          });
        }
        expect(relay.connections[0]?.pubkeys).toEqual([]);
        const forged = signed({
          kind: 22_242,
          tags: [
            ['relay', relay.url],
            ['challenge', await client.challenge()],
          ],
        });
        expect((await client.sendAuth({ ...forged, sig: signed().sig })).accepted).toBe(false);

        expect((await client.authenticate(key)).accepted).toBe(true);
        expect(relay.connections[0]?.pubkeys).toEqual([getPublicKey(key)]);
        elsewhere.end();
      }));

    it('NET-3 takes the relay by any of its names and within ten minutes', () =>
      withClient(async (client, relay) => {
        const urls = [
          `ws://127.0.0.1:${relay.port}/`,
          `ws://localhost:${relay.port}`,
          `wss://LOCALHOST:${relay.port}/x`,
        ];
        for (const url of urls) {
          const answer = await client.authenticate(generateSecretKey(), {
            relay: url,
            created_at: now() - 590,
          });
          expect(answer.accepted, url).toBe(true);
        }
      }));

    it('NET-3 takes an answer to a challenge once for each key, and several keys', () =>
      withClient(async (client, relay) => {
        const [alice, bob] = [generateSecretKey(), generateSecretKey()];
        const first = await client.authenticate(alice);
        expect(first.accepted).toBe(true);
        expect(await client.sendAuth(first.event)).toEqual({
          accepted: false,
          message: 'invalid: this key has used the challenge already',
        });
        expect((await client.authenticate(bob)).accepted).toBe(true);
        expect(relay.connections[0]?.pubkeys).toEqual([getPublicKey(alice), getPublicKey(bob)]);
        const elsewhere = await RelayClient.connect(relay.url);
        expect((await elsewhere.sendAuth(first.event)).accepted).toBe(false);
        elsewhere.end();
      }));

    it('NET-3 keeps AUTH events out of the store', () =>
      withClient(async (client, relay) => {
        const { event } = await client.authenticate(generateSecretKey());
        expect((await client.publish(event)).message).toMatch(/^invalid: kind 22242/);
        expect(relay.events()).toEqual([]);
      }));

    it('NET-3 shows gift wraps to their recipient only', () =>
      withClient(async (client, relay) => {
        const recipient = generateSecretKey();
        const pubkey = getPublicKey(recipient);
        const wrap = (kind = 1059) => signed({ kind, tags: [['p', pubkey]] });
        const [stored, note] = [wrap(), signed({ tags: [['p', pubkey]] })];
        for (const event of [stored, note]) expect((await client.publish(event)).accepted).toBe(true);

        const eavesdropper = await RelayClient.connect(relay.url);
        for (const filter of [{ kinds: [1059] }, { kinds: [1, 1059], '#p': [pubkey] }, { kinds: [21_059] }]) {
          expect((await client.fetch(filter)).closed).toMatch(/^auth-required: /);
        }
        expect((await client.fetch({ '#p': [pubkey] })).ids).toEqual([note.id]);
        expect((await client.fetch({ ids: [stored.id] })).ids).toEqual([]);
        client.say('COUNT', 'count', { kinds: [1059] });
        expect((await client.message('CLOSED', 'count'))[2]).toMatch(/^auth-required: /);
        client.say('COUNT', 'all', {});
        expect(await client.message('COUNT', 'all')).toEqual(['COUNT', 'all', { count: 1 }]);

        eavesdropper.say('REQ', 'before', {});
        await eavesdropper.message('EOSE', 'before');
        await eavesdropper.authenticate(generateSecretKey());
        expect((await eavesdropper.fetch({ kinds: [1059], '#p': [pubkey] })).closed).toMatch(/^restricted: /);
        expect((await eavesdropper.fetch({ kinds: [1059] })).ids).toEqual([]);

        await client.authenticate(recipient);
        client.say('REQ', 'mine', { kinds: [1059, 21_059], '#p': [pubkey] });
        await client.message('EOSE', 'mine');
        const live = [wrap(), wrap(21_059)];
        for (const event of live) await eavesdropper.publish(event);
        await client.settle();
        await eavesdropper.settle();
        expect(client.eventsOf('mine')).toEqual([stored, ...live]);
        expect(eavesdropper.eventsOf('before')).toEqual([note]);
        eavesdropper.end();
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

describe('NIP-11', () => {
  it('NET-3 tells its limits to who asks for them, and nothing to a browser', async () => {
    await using relay = await startTestRelay({
      name: 'mine',
      limits: { maxSubscriptions: 7, maxPastMs: 5_000 },
    });
    const address = relay.url.replace('ws', 'http');
    const answer = await fetch(address, { headers: { accept: 'application/nostr+json' } });
    expect(answer.headers.get('content-type')).toBe('application/nostr+json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({
      name: 'mine',
      supported_nips: expect.arrayContaining([1, 9, 11, 40, 42, 45]),
      limitation: {
        max_subscriptions: 7,
        max_message_length: 131_072,
        max_limit: 500,
        max_subid_length: 64,
        max_event_tags: 2000,
        max_content_length: 65_536,
        created_at_lower_limit: 5,
        created_at_upper_limit: 900,
        auth_required: false,
      },
    });
    const options = await fetch(address, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, OPTIONS',
    ]);
    expect((await fetch(address)).status).toBe(426);
  });

  it('NET-3 keeps exactly the limits that it tells', async () => {
    const limits = {
      maxMessageBytes: 4_000,
      maxEventBytes: 3_000,
      maxContentLength: 1_000,
      maxEventTags: 3,
      maxTagValueBytes: 10,
      maxSubscriptions: 2,
      maxFutureMs: 10_000,
      maxPastMs: 10_000,
    };
    const time = stoppedClock();
    const seconds = Math.floor(time.now / 1000);
    await using relay = await startTestRelay({ limits, clock: time.clock });
    const client = await RelayClient.connect(relay.url);
    const accepted = async (template: Parameters<typeof signed>[0]) =>
      (await client.publish(signed({ created_at: seconds, ...template }))).accepted;
    const pairs = [
      [{ content: 'é'.repeat(1_000) }, { content: 'é'.repeat(1_001) }],
      // Characters, not code units.
      [{ content: '🙂'.repeat(600) }, { content: '🙂'.repeat(1_001) }],
      [
        { tags: Array.from({ length: 3 }, () => ['t', 'x']) },
        { tags: Array.from({ length: 4 }, () => ['t', 'x']) },
      ],
      [{ tags: [['t', 'é'.repeat(5)]] }, { tags: [['t', 'é'.repeat(6)]] }],
      [{ tags: [['long', 'x'.repeat(2_000)]] }, { tags: [['long', 'x'.repeat(2_900)]] }],
      [{ created_at: seconds + 10 }, { created_at: seconds + 11 }],
      [{ created_at: seconds - 9 }, { created_at: seconds - 11 }],
    ] as const;
    for (const [within, beyond] of pairs) {
      expect(await accepted(within), JSON.stringify(within).slice(0, 60)).toBe(true);
      expect(await accepted(beyond), JSON.stringify(beyond).slice(0, 60)).toBe(false);
    }
    expect((await client.publish(signed({ content: 'x'.repeat(5_000) }))).message).toBe(
      'invalid: message is longer than 4000 bytes',
    );
    client.say('REQ', 'long', { '#t': ['x'.repeat(5_000)] });
    expect((await client.message('CLOSED', 'long'))[2]).toMatch(/^invalid: message/);
    for (const id of ['1', '2', '3']) client.say('REQ', id, {});
    expect((await client.message('CLOSED', '3'))[2]).toMatch(/^rate-limited: /);
    client.say('REQ', '2', { kinds: [1] });
    client.say('CLOSE', '1');
    client.say('REQ', '4', {});
    await client.message('EOSE', '4');
    client.socket.send('x'.repeat(4_000 * 16 + 1));
    expect(await client.closed()).toBe(1009);
  });
});
