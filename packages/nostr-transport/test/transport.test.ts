import { expect, it } from 'vitest';
import type { NostrEvent } from '../src/event.ts';
import { makeEvent, missigned, nowSeconds, tampered } from './support/events.ts';
import { makeRelay, makeTransport, until } from './support/transports.ts';

/** A minimal honest relay: gives `stored` to every REQ, takes every EVENT. */
function serving(stored: readonly NostrEvent[]) {
  return {
    onMessage(message: readonly [string, ...unknown[]], client: { send(m: readonly unknown[]): void }) {
      const [type, first] = message;
      if (type === 'REQ') {
        for (const event of stored) client.send(['EVENT', first, event]);
        client.send(['EOSE', first]);
      }
      if (type === 'EVENT') client.send(['OK', (first as NostrEvent).id, true, '']);
    },
  };
}

it('NET-1 gives each event once although two relays sent it, and one EOSE per relay', async () => {
  const event = await makeEvent();
  const one = await makeRelay(serving([event]));
  const two = await makeRelay(serving([event]));
  const transport = makeTransport();
  const events: NostrEvent[] = [];
  const eose: string[] = [];
  transport.subscribe([one.url, two.url, `${one.url}/`], [{ kinds: [1] }], {
    onEvent: (received) => events.push(received),
    onEose: (relay) => eose.push(relay),
  });
  await until(() => eose.length === 2);
  expect(events).toEqual([event]);
  expect(eose.toSorted()).toEqual([one.url, two.url].toSorted());
  const counters = transport.status().map((status) => status.counters);
  expect(counters.map((each) => each.duplicates).toSorted()).toEqual([0, 1]);
});

it('NET-1 answers a query newest first', async () => {
  const old = await makeEvent({ created_at: nowSeconds() - 100 });
  const recent = await makeEvent();
  const one = await makeRelay(serving([old, recent, tampered(old), missigned(recent)]));
  const two = await makeRelay(serving([recent]));
  const transport = makeTransport();
  expect(await transport.query([one.url, two.url], [{ kinds: [1] }])).toEqual([recent, old]);
  expect(transport.status()[0]?.counters.rejected).toEqual({ 'bad-id': 1, 'bad-signature': 1 });
});

it('NET-1 publishes with an outcome per relay in the order given', async () => {
  const event = await makeEvent();
  const yes = await makeRelay(serving([]));
  const no = await makeRelay({
    onMessage: ([type, first], client) => {
      if (type === 'EVENT') client.send(['OK', (first as NostrEvent).id, false, 'blocked: not you']);
    },
  });
  const transport = makeTransport();
  const outcomes = await transport.publish(event, [
    no.url,
    'ws://10.0.0.1',
    yes.url,
    no.url,
    'nonsense relay',
  ]);
  expect(outcomes.map(({ relay, status }) => [relay, status])).toEqual([
    [no.url, 'rejected'],
    ['ws://10.0.0.1', 'refused'],
    [yes.url, 'accepted'],
    [no.url, 'rejected'],
    ['nonsense relay', 'refused'],
  ]);
  expect(outcomes[0]?.message).toBe('blocked: not you');
  expect(no.received.filter(({ message }) => message[0] === 'EVENT')).toHaveLength(1);
});
