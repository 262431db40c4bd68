import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { RelayClient, signed } from './relay-client.ts';
import { clientIn, places } from './relay-places.ts';

const now = () => Math.floor(Date.now() / 1000);

describe.each(places)('the relay %s', (place) => {
  const withClient = clientIn(place);

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
});
