import { expect, it } from 'vitest';
import { startTestRelay } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';

it('NET-3 stores, answers and delivers', async () => {
  await using relay = await startTestRelay();
  const client = await RelayClient.connect(relay.url);
  const event = signed({ tags: [['t', 'x']], content: 'hi' });
  client.say('REQ', 'live', { '#t': ['x'], kinds: [1] });
  await client.message('EOSE', 'live');
  expect(await client.publish(event)).toEqual({ accepted: true, message: '' });
  await client.settle();
  expect(client.eventsOf('live')).toEqual([event]);
  expect((await client.fetch({ ids: [event.id] })).events).toEqual([event]);
  expect(relay.events()).toEqual([event]);
});
