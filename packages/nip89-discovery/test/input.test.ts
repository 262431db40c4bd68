import type { Logger } from '@bonafide/internal';
import { silentLogger } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { createMemoryDiscoveryStore, type Discovery, type DiscoveryStore } from '../src/index.ts';
import { registryOver } from './registry-over.ts';
import { main, pubkeyOf } from './set-up.ts';
import { cardOf, signer, start } from './support.ts';

describe('wrong input', () => {
  const calls: readonly (readonly [string, (discovery: Discovery, key: string) => unknown])[] = [
    ...[
      { capability: '' },
      { capability: ' \n' },
      { capability: 5 },
      { kind: '5000' },
      { kind: -1 },
      { kind: 65_536 },
      { kind: 5_000.5 },
      { kind: 5_000, minConfidence: Number.NaN },
      { kind: 5_000, minConfidence: 1.1 },
      { kind: 5_000, statuses: ['prtner'] },
      { kind: 5_000, limit: Number.NaN },
      { kind: 5_000, limit: -1 },
      { kind: 5_000, limt: 5 },
    ].map(
      (query) =>
        [
          `find(${JSON.stringify(query)})`,
          (discovery: Discovery) => discovery.find(query as never).toArray(),
        ] as const,
    ),
    ['entries with an unknown status', (one) => one.entries({ statuses: ['prtner' as never] })],
    ['entries with a limit that is no number', (one) => one.entries({ limit: Number.NaN })],
    ['entries with an unknown field', (one) => one.entries({ status: 'partner' } as never)],
    ['history with a limit that is no number', (one, key) => one.history(key, main, { limit: Number.NaN })],
    ['history of another cursor', (one, key) => one.history(key, main, { cursor: 'x' })],
    ['get without a key', (one) => one.get(undefined as never, main)],
    ['get without an identifier', (one, key) => one.get(key, undefined as never)],
    ['a transition that does not exist', (one, key) => one.transition(key, main, 'prtner' as never)],
    [
      'a negative latency',
      (one, key) => one.recordRelayResult(key, main, 'wss://a.example', { ok: true, latencyMs: -1 }),
    ],
    ['a result without ok', (one, key) => one.recordRelayResult(key, main, 'wss://a.example', {} as never)],
    [
      'a relay that is none',
      (one, key) => one.recordRelayResult(key, main, 'https://a.example', { ok: true }),
    ],
    ['an event that does not exist', (one) => one.on('discoverd' as never, () => {})],
    ['a listener that is no function', (one) => one.on('discovered', null as never)],
  ];

  it.each(calls)('is refused and changes nothing: %s (DIS-14, X-3)', async (_what, call) => {
    const { discovery } = registryOver([await cardOf(1)]);
    await discovery.sync();
    const key = await pubkeyOf(1);
    const before = await discovery.get(key, main);
    await expect((async () => call(discovery, key))()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await discovery.get(key, main)).toEqual(before);
  });

  it('takes the largest and the smallest limit (DIS-14)', async () => {
    const { discovery } = registryOver([await cardOf(1), await cardOf(2)]);
    await discovery.sync();
    const count = async (limit: number) => (await discovery.find({ kind: 5_000, limit }).toArray()).length;
    expect([await count(0), await count(1), await count(Number.POSITIVE_INFINITY)]).toEqual([0, 1, 2]);
    expect((await discovery.entries({ limit: 1_000 })).items).toHaveLength(2);
    expect((await discovery.entries({ limit: 0, cursor: undefined as never })).items).toHaveLength(1);
  });
});

describe('a part that fails', () => {
  const recommendation = async () =>
    signer(7).signEvent({
      kind: 31_989,
      created_at: start / 1_000,
      tags: [
        ['d', '5000'],
        ['a', `31990:${await pubkeyOf(1)}:${main}`],
      ],
      content: '',
    });

  it.each<[string, () => number | null]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['returns NaN', () => Number.NaN],
    ['returns a promise', () => Promise.resolve(1) as never],
  ])(
    'a standing that %s counts as unknown, is logged once and stops nothing (DIS-13, X-5)',
    async (_what, standing) => {
      const errors: unknown[] = [];
      const logger: Logger = { ...silentLogger, error: (...line) => errors.push(line) };
      const events = [await cardOf(1), await recommendation()];
      const { discovery } = registryOver(events, undefined, { standing, logger });
      await discovery.sync();
      await discovery.start();
      const [found] = await discovery.find({ kind: 5_000 }).toArray();
      expect(found?.entry).toMatchObject({ recommendation: 0 });
      expect(await discovery.recommendations(await pubkeyOf(1), main)).toMatchObject({
        recommenders: 1,
        known: 0,
      });
      expect(discovery.rejections().counts).toEqual({});
      expect(errors).toHaveLength(1);
    },
  );

  it('a store that fails at the start is tried again by the next start (DIS-15)', async () => {
    const memory = createMemoryDiscoveryStore();
    let failures = 1;
    const store: DiscoveryStore = {
      ...memory,
      async getState(keys) {
        failures -= 1;
        if (failures >= 0) throw new Error('the disk is away');
        return memory.getState(keys);
      },
    };
    const { discovery } = registryOver([], store);
    await expect(discovery.start()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await discovery.start();
    await discovery.stop();
  });
});
