import { until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import type { RelayFaults } from '../src/testing/index.ts';
import { makeEvent, nowSeconds } from './support/events.ts';
import { makeTestRelay, makeTransport } from './support/transports.ts';

/** A sequence that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const everyFault: readonly (readonly [string, RelayFaults])[] = [
  ['drops connections', { drop: { how: 'reset', afterMessages: 16 } }],
  ['closes connections', { drop: { how: 'close', code: 1012, afterMessages: 18 } }],
  ['delays and reorders', { delayMs: [0, 15], reorder: 4 }],
  ['repeats everything', { duplicate: 3 }],
  ['forges signatures first', { forge: { alter: 'signature' } }],
  ['forges contents first', { forge: { alter: 'content' } }],
  ['forges dates in the far future first', { forge: { alter: 'created_at' } }],
  ['forges authors first', { forge: { alter: 'pubkey' } }],
  ['talks garbage', { garbage: { probability: 0.5 } }],
  ['says EOSE too early', { eose: 'early' }],
  ['never says EOSE', { eose: 'never' }],
  ['says EOSE late', { eose: { lateMs: 50 } }],
  ['ignores filters', { ignoreFilters: 'all' }],
  ['has a wrong clock', { clockSkewMs: -3_600_000 }],
  ['sends a flood', { flood: { perSecond: 300, events: 'invalid' } }],
  [
    'does much of it at once',
    {
      drop: { how: 'reset', probability: 0.01 },
      delayMs: [0, 5],
      duplicate: 1,
      reorder: 3,
      forge: { alter: 'created_at', probability: 0.5 },
      garbage: { probability: 0.2 },
    },
  ],
];

describe('NET-1 with a relay that misbehaves', () => {
  it.each(everyFault)(
    'NET-1 every genuine event arrives exactly once from one that %s',
    async (_, faults) => {
      const relay = await makeTestRelay({ faults, random: randomFrom(7) });
      const start = nowSeconds() - 100;
      const stored = await Promise.all(
        Array.from({ length: 12 }, (_each, at) => makeEvent({ created_at: start + at })),
      );
      for (const event of stored) relay.publish(event);
      const seen: NostrEvent[] = [];
      const transport = makeTransport({ random: randomFrom(11) });
      transport.subscribe([relay.url], [{ kinds: [1] }], { onEvent: (event) => seen.push(event) });
      await until(() => seen.length >= 4);
      const live = await Promise.all(Array.from({ length: 12 }, () => makeEvent()));
      for (const event of live) {
        relay.publish(event);
        relay.publish(await makeEvent({ kind: 2 }));
      }
      await until(() => seen.length >= 24);
      const byId = (a: NostrEvent, b: NostrEvent) => (a.id < b.id ? -1 : 1);
      expect(seen.toSorted(byId)).toEqual([...stored, ...live].sort(byId));
    },
  );

  it('NET-1 one bad relay among good ones changes nothing for the others', async () => {
    const good = await makeTestRelay();
    const bad = await makeTestRelay({
      faults: { forge: { alter: 'content', withhold: true }, garbage: { probability: 0.5 }, eose: 'never' },
    });
    const event = await makeEvent();
    for (const relay of [bad, good]) relay.publish(event);
    const transport = makeTransport();
    const told: string[] = [];
    transport.subscribe([bad.url, good.url], [{ kinds: [1] }], {
      onEvent: ({ id }, relay) => told.push(`${id} ${relay}`),
      onEose: (relay) => told.push(`eose ${relay}`),
    });
    await until(() => told.length === 2);
    expect(told).toEqual([`${event.id} ${good.url}`, `eose ${good.url}`]);
    const counters = transport.status().find(({ relay }) => relay === bad.url)?.counters;
    expect(counters?.rejected['bad-id']).toBe(1);
  });
});
