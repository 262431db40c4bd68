import { describe, expect, it } from 'vitest';
import { startTestRelay } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';
import { stoppedClock } from './relay-places.ts';

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
