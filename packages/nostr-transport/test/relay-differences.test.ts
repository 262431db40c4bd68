import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import type { TestRelay } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';
import { places, stoppedClock, withRelay } from './relay-places.ts';

const now = () => Math.floor(Date.now() / 1000);
const minutes = 60;
const hex = (digit: string) => digit.repeat(64);
const refused = (prefix: string) => ({
  accepted: false,
  message: expect.stringMatching(new RegExp(`^${prefix}: `)),
});
const accepted = { accepted: true, message: '' };

let signedOnce: NostrEvent[] | undefined;
/** A thousand events, signed once for all places, since that takes its time. */
function thousand(): NostrEvent[] {
  const key = generateSecretKey();
  signedOnce ??= Array.from({ length: 1000 }, (_, n) => signed({ content: `${n}` }, key));
  return signedOnce;
}

interface Scene {
  readonly client: RelayClient;
  readonly relay: TestRelay;
  readonly time: { now: number };
}

async function openSubscription({ client }: Scene, filter: object): Promise<() => Promise<NostrEvent[]>> {
  client.say('REQ', 'live', filter);
  await client.message('EOSE', 'live');
  return async () => {
    await client.settle();
    return client.eventsOf('live');
  };
}

/**
 * Where strfry, nostream, @nostr-relay and nostrmini were seen to differ from each other: what this relay
 * does, and the proof. A client that copes with this relay and with its faults copes with all of them.
 */
const differences: readonly (readonly [
  check: string,
  ours: string,
  proof: (scene: Scene) => Promise<void>,
])[] = [
  [
    'publish to live',
    'at once, without batching',
    async (scene) => {
      const live = await openSubscription(scene, { kinds: [1] });
      const event = signed();
      expect(await scene.client.publish(event)).toEqual(accepted);
      expect(await live()).toEqual([event]);
    },
  ],
  [
    'bad signature, bad id',
    'rejects both',
    async ({ client }) => {
      const event = signed();
      expect(await client.publish({ ...event, sig: signed().sig })).toEqual(refused('invalid'));
      expect(await client.publish({ ...event, content: 'x' })).toEqual(refused('invalid'));
    },
  ],
  [
    'forged first, then the genuine event of the same id',
    'the genuine one is accepted',
    async ({ client }) => {
      const event = signed();
      await client.publish({ ...event, sig: signed().sig });
      expect(await client.publish(event)).toEqual(accepted);
    },
  ],
  [
    'a live subscription honours #e and #p',
    'yes, and every other tag of one letter',
    async (scene) => {
      const live = await openSubscription(scene, { '#e': [hex('1')], '#p': [hex('2')] });
      const hit = signed({
        tags: [
          ['e', hex('1')],
          ['p', hex('2')],
        ],
      });
      for (const event of [signed({ tags: [['e', hex('1')]] }), signed({ tags: [['p', hex('2')]] }), hit]) {
        await scene.client.publish(event);
      }
      expect(await live()).toEqual([hit]);
    },
  ],
  [
    'three tag filters at once',
    'all must hold',
    async ({ client }) => {
      const tags = [
        ['t', 'x'],
        ['e', hex('1')],
        ['p', hex('2')],
      ];
      const hit = signed({ tags });
      await client.publish(hit);
      await client.publish(signed({ tags: tags.slice(0, 2) }));
      expect((await client.fetch({ '#t': ['x'], '#e': [hex('1')], '#p': [hex('2')] })).ids).toEqual([hit.id]);
    },
  ],
  [
    'read your write',
    'as soon as the OK is there, the same query before it notwithstanding',
    async ({ client }) => {
      const event = signed();
      for (const expected of [[], [event.id]]) {
        expect((await client.fetch({ kinds: [1] })).ids).toEqual(expected);
        await client.publish(event);
      }
    },
  ],
  [
    'replaceable, ties by lowest id, addressable',
    'all three',
    async ({ client }) => {
      const key = generateSecretKey();
      for (const kind of [10_002, 30_000]) {
        const created_at = now();
        const versions = [1, 2, 3].map((n) => signed({ kind, created_at, content: `${n}` }, key));
        for (const event of versions) await client.publish(event);
        const lowest = versions.map(({ id }) => id).sort()[0];
        expect((await client.fetch({ kinds: [kind] })).ids).toEqual([lowest]);
      }
    },
  ],
  [
    'ephemeral stored',
    'never',
    async ({ client, relay }) => {
      await client.publish(signed({ kind: 20_000 }));
      expect(relay.events()).toEqual([]);
    },
  ],
  [
    'expired on arrival; expired later',
    'rejected; hidden at once',
    async ({ client, time }) => {
      const seconds = Math.floor(time.now / 1000);
      const expires = (at: number) => signed({ tags: [['expiration', String(at)]], content: `${at}` });
      expect(await client.publish(expires(seconds - 1))).toEqual(refused('invalid'));
      expect(await client.publish(expires(seconds + 5))).toEqual(accepted);
      time.now += 5_000;
      expect((await client.fetch({})).ids).toEqual([]);
    },
  ],
  [
    'kind 5',
    'hides own, keeps others’, is queryable and broadcast, blocks republishing',
    async (scene) => {
      const { client } = scene;
      const key = generateSecretKey();
      const [own, other] = [signed({}, key), signed()];
      const deletion = signed(
        {
          kind: 5,
          tags: [
            ['e', own.id],
            ['e', other.id],
          ],
        },
        key,
      );
      const live = await openSubscription(scene, { kinds: [5] });
      for (const event of [own, other, deletion]) await client.publish(event);
      expect((await client.fetch({ kinds: [1] })).ids).toEqual([other.id]);
      expect((await client.fetch({ kinds: [5] })).ids).toEqual([deletion.id]);
      expect(await live()).toEqual([deletion]);
      expect(await client.publish(own)).toEqual(refused('blocked'));
    },
  ],
  [
    'delete by a',
    'hides, and blocks what is not newer than the deletion',
    async ({ client }) => {
      const key = generateSecretKey();
      const version = (at: number) => signed({ kind: 30_000, created_at: at, tags: [['d', 'x']] }, key);
      const at = now() - 100;
      await client.publish(version(at));
      await client.publish(
        signed({ kind: 5, created_at: at + 10, tags: [['a', `30000:${getPublicKey(key)}:x`]] }, key),
      );
      expect((await client.fetch({ kinds: [30_000] })).ids).toEqual([]);
      expect(await client.publish(version(at + 10))).toEqual(refused('blocked'));
      expect(await client.publish(version(at + 11))).toEqual(accepted);
    },
  ],
  [
    'kind 1059 without AUTH',
    'CLOSED auth-required',
    async ({ client }) => {
      expect((await client.fetch({ kinds: [1059] })).closed).toMatch(/^auth-required: /);
    },
  ],
  [
    'NIP-42',
    'full: a challenge for each connection, asked for or not',
    async ({ client }) => {
      expect(await client.challenge()).toMatch(/^[0-9a-f]{32}$/);
      expect((await client.authenticate(generateSecretKey())).accepted).toBe(true);
    },
  ],
  [
    'COUNT / negentropy',
    'yes / no, which it says',
    async ({ client }) => {
      await client.publish(signed());
      client.say('COUNT', 'c', {});
      expect(await client.message('COUNT', 'c')).toEqual(['COUNT', 'c', { count: 1 }]);
      client.say('NEG-OPEN', 'n', {}, '');
      expect(await client.message('NOTICE')).toEqual(['NOTICE', 'invalid: unknown message type']);
    },
  ],
  [
    'default / greatest limit',
    '500 / 500',
    async ({ client, relay }) => {
      const event = signed();
      for (let n = 0; n < 510; n += 1) relay.publish({ ...event, id: n.toString(16).padStart(64, '0') });
      expect((await client.fetch({})).ids).toHaveLength(500);
      expect((await client.fetch({ limit: 1000 })).ids).toHaveLength(500);
    },
  ],
  [
    'content of 200 KB',
    'OK false, not a NOTICE',
    async ({ client }) => {
      expect(await client.publish(signed({ content: 'x'.repeat(200_000) }))).toEqual(refused('invalid'));
      expect(await client.publish(signed({ content: 'x'.repeat(70_000) }))).toEqual(refused('invalid'));
      expect(await client.publish(signed({ content: 'x'.repeat(60_000) }))).toEqual(accepted);
    },
  ],
  [
    'a single-letter tag of more than 1,024 bytes',
    'OK false',
    async ({ client }) => {
      expect(await client.publish(signed({ tags: [['i', 'x'.repeat(1024)]] }))).toEqual(accepted);
      expect(await client.publish(signed({ tags: [['i', 'x'.repeat(1025)]] }))).toEqual(refused('invalid'));
    },
  ],
  [
    'a request tag of 40 KB',
    'accepted',
    async ({ client }) => {
      expect(await client.publish(signed({ kind: 6000, tags: [['request', 'x'.repeat(40_000)]] }))).toEqual(
        accepted,
      );
    },
  ],
  [
    'e or p that is not 64 hex digits',
    'OK false',
    async ({ client }) => {
      expect(await client.publish(signed({ tags: [['e', 'abc']] }))).toEqual(refused('invalid'));
      expect(await client.publish(signed({ tags: [['p', hex('A')]] }))).toEqual(refused('invalid'));
    },
  ],
  [
    'more than 15 minutes ahead / older than 3 years',
    'rejected / accepted',
    async ({ client }) => {
      expect(await client.publish(signed({ created_at: now() + 20 * minutes }))).toEqual(refused('invalid'));
      expect(await client.publish(signed({ created_at: now() + 14 * minutes }))).toEqual(accepted);
      expect(await client.publish(signed({ created_at: now() - 4 * 365 * 86_400 }))).toEqual(accepted);
    },
  ],
  [
    'an ephemeral event of two minutes ago',
    'rejected',
    async ({ client }) => {
      expect(await client.publish(signed({ kind: 20_000, created_at: now() - 2 * minutes }))).toEqual(
        refused('invalid'),
      );
      expect(await client.publish(signed({ kind: 20_000, created_at: now() - 30 }))).toEqual(accepted);
    },
  ],
  [
    '25 subscriptions on one connection',
    '20 open, 5 get CLOSED rate-limited, none is evicted in silence',
    async ({ client, relay }) => {
      for (let n = 0; n < 25; n += 1) client.say('REQ', `s${n}`, { kinds: [n] });
      await client.message('CLOSED', 's24');
      const closed = client.heard.filter(([type]) => type === 'CLOSED');
      expect(closed.map(([, id]) => id)).toEqual(['s20', 's21', 's22', 's23', 's24']);
      for (const [, , reason] of closed) expect(reason).toMatch(/^rate-limited: /);
      expect(relay.connections[0]?.subscriptions).toHaveLength(20);
    },
  ],
  [
    'a thousand EVENTs sent at once',
    'every one gets its OK, in order',
    async ({ client }) => {
      const events = thousand();
      for (const event of events) client.say('EVENT', event);
      await client.message('OK', events.at(-1)?.id);
      const oks = client.heard.filter(([type]) => type === 'OK');
      expect(oks).toEqual(events.map(({ id }) => ['OK', id, true, '']));
    },
  ],
];

describe.each(places)('where relays differ, this one %s', (place) => {
  it.each(differences)('NET-3 %s: %s', async (_check, _ours, proof) => {
    const time = stoppedClock();
    await withRelay(place, { clock: time.clock }, async (relay) => {
      const client = await RelayClient.connect(relay.url);
      await proof({ client, relay, time });
      client.end();
    });
  });
});
