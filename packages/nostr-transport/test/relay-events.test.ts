import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { signed } from './relay-client.ts';
import { clientIn, places, stoppedClock } from './relay-places.ts';

const now = () => Math.floor(Date.now() / 1000);
const hex = (digit: string) => digit.repeat(64);
const ids = (events: readonly NostrEvent[]) => events.map(({ id }) => id);
const byId = (events: readonly NostrEvent[]) => [...events].sort((a, b) => (a.id < b.id ? -1 : 1));

describe.each(places)('the relay %s', (place) => {
  const withClient = clientIn(place);

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
});
