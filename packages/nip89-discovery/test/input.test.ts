import type { Logger } from '@bonafide/internal';
import { silentLogger } from '@bonafide/internal';
import {
  noBooleans,
  noCounts,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import * as nip89 from '../src/index.ts';
import { createMemoryDiscoveryStore, type Discovery, type DiscoveryStore } from '../src/index.ts';
import { createKyselyDiscoveryStore } from '../src/stores/kysely.ts';
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

const noLists = [null, 5, 'x', {}, true];
const noTextLists = [...noLists, ...noTexts.map((text) => [text])];
const noAmounts = [null, '5', 10n, {}, Number.NaN, -1];
const noFunctions = [...noObjects, {}];
const noPorts = [undefined, ...noObjects, {}];
const noSignals = { signal: [...noObjects, {}] };
const key = 'a'.repeat(64);
const spec = { d: main, kinds: [5_000], createdAt: start };
const wrongSpec = {
  d: noTexts,
  kinds: [...noLists, ['5'], [0.5]],
  capabilities: [...noTextLists, ['']],
  name: [5, {}],
  picture: [5, 'x'],
  relays: noTextLists,
  pricing: [5, { misspelt: 1 }, { amountMsat: 0.5 }],
  topics: noTextLists,
  more: [...noObjects, { x: 10n }],
};
const event = { id: key, pubkey: key, kind: 1, created_at: 1, tags: [], content: '', sig: '' };
const noEvents = [
  undefined,
  ...spoilRecord(event, {
    tags: [...noLists, [null], [[5]]],
    kind: noTexts.filter((value) => typeof value !== 'number'),
  }),
];
const noTagged = [undefined, ...noObjects, {}, { tags: [null] }];
const noPlatforms = [
  ['key', [undefined, ...noTexts, 'x'], (given: never) => [given, main]],
  ['identifier', [undefined, ...noTexts], (given: never) => [key, given]],
] as const;

it('X-3 X-4 a registry refuses wrong input with a code', async () => {
  const { discovery } = registryOver([]);
  const transport = { query: async () => [], subscribe: () => ({ close() {} }), publish: async () => [] };
  const relays = ['wss://a.example'];
  const calls: readonly WrongCall[] = [
    [
      'createDiscovery',
      [
        undefined,
        ...spoil(
          { transport, store: createMemoryDiscoveryStore(), relays },
          {
            transport: noPorts,
            store: noPorts,
            relays: [undefined, ...noTextLists, [''], ['http://x']],
            verifier: noPorts.slice(2),
            clock: noFunctions,
            random: noFunctions,
            standing: noFunctions,
            config: spoil({}, { maxPending: noAmounts, allowHosts: noTextLists, allowLoopback: noBooleans }),
            logger: noFunctions,
          },
        ),
      ],
      (given) => nip89.createDiscovery(given),
    ],
    ['sync', spoil({}, { ...noSignals, timeoutMs: noAmounts }), (given) => discovery.sync(given)],
    [
      'the spec of publishCard',
      [undefined, ...spoil(spec, wrongSpec)],
      (given) => discovery.publishCard(given, signer(1)),
    ],
    ['the signer of publishCard', noPorts, (given) => discovery.publishCard(spec, given)],
    [
      'the options of publishCard',
      spoil({}, noSignals),
      (given) => discovery.publishCard(spec, signer(1), given),
    ],
    ...noPlatforms.flatMap(([what, values, named]) =>
      (['get', 'history', 'recommendations', 'relaysFor', 'probe'] as const).map(
        (name): WrongCall => [
          `the ${what} of ${name}`,
          values,
          (given) =>
            (discovery[name] as (...platform: readonly unknown[]) => unknown)(...named(given as never)),
        ],
      ),
    ),
    ['the options of relaysFor', spoil({}, noSignals), (given) => discovery.relaysFor(key, main, given)],
    [
      'the options of recommendations',
      spoil({}, { standing: noFunctions }),
      (given) => discovery.recommendations(key, main, given),
    ],
    ['the options of probe', spoil({}, noSignals), (given) => discovery.probe(key, main, given)],
    [
      'find',
      [undefined, ...spoil({ kind: 5_000 }, { kind: noTexts.filter((kind) => kind !== 5) })],
      (given) => discovery.find(given).toArray(),
    ],
    [
      'entries',
      spoil({}, { limit: noCounts.filter((count) => count !== -1), statuses: noLists }),
      (given) => discovery.entries(given),
    ],
    [
      'the status of transition',
      [undefined, ...noTexts, 'x', '__proto__'],
      (given) => discovery.transition(key, main, given),
    ],
    [
      'the trust of setTrust',
      [undefined, ...noTexts.filter((trust) => trust !== null), 2],
      (given) => discovery.setTrust(key, main, given),
    ],
    [
      'the evidence of setTrust',
      [10n, () => 5, Symbol('x')],
      (given) => discovery.setTrust(key, main, 1, given),
    ],
    [
      'the relay of recordRelayResult',
      [undefined, ...noTexts, ''],
      (given) => discovery.recordRelayResult(key, main, given, { ok: true }),
    ],
    [
      'the result of recordRelayResult',
      [undefined, ...spoilRecord({ ok: true }, { ok: noBooleans, latencyMs: ['5', -1] })],
      (given) => discovery.recordRelayResult(key, main, 'wss://a.example', given),
    ],
    ['on', [undefined, ...noTexts, 'x', '__proto__'], (given) => discovery.on(given, () => {})],
    [
      'createMemoryDiscoveryStore',
      spoil({}, { maxRemembered: noCounts, maxHistory: noCounts }),
      (given) => createMemoryDiscoveryStore(given),
    ],
    ['the database of createKyselyDiscoveryStore', noPorts, (given) => createKyselyDiscoveryStore(given)],
    [
      'the options of createKyselyDiscoveryStore',
      spoil({}, { agentId: [...noTexts, '', 'x'.repeat(300)], maxHistory: noCounts }),
      (given) => createKyselyDiscoveryStore(databaseOfNobody(), given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'INVALID_CONFIG')).toEqual([]);
});

function databaseOfNobody() {
  const method = () => {};
  return { selectFrom: method, insertInto: method, transaction: method } as never;
}

it('X-3 X-4 pure functions refuse wrong input with a code', async () => {
  const card = { kinds: [], labels: [], patterns: [], performance: null };
  const noCards = [
    undefined,
    ...spoilRecord(card, { kinds: [...noLists, ['5']], labels: noTextLists, name: [5] }),
  ];
  const observation = { at: 1, ok: true, latencyMs: 1, interruptions: 0, fresh: 0, delivered: 0, wasted: 0 };
  const noObservations = [
    undefined,
    ...spoilRecord(observation, { ok: noBooleans, fresh: noAmounts, latencyMs: ['5'] }),
  ];
  const standing = { tier: 'polled', score: null, changedAt: 1 } as const;
  const noStandings = [undefined, ...spoilRecord(standing, { tier: [...noTexts, 'x'], score: ['1'] })];
  const noPolicies = spoil(nip89.defaultTierPolicy, { promoteAt: ['1', undefined], smoothing: [2, '1'] });
  const options = { now: noAmounts, verifier: noPorts.slice(2) };
  const calls: readonly WrongCall[] = [
    [
      'buildCapabilityCard',
      [undefined, ...spoil(spec, wrongSpec)],
      (given) => nip89.buildCapabilityCard(given),
    ],
    [
      'the options of buildCapabilityCard',
      spoil({}, { addresses: noObjects }),
      (given) => nip89.buildCapabilityCard(spec, given),
    ],
    [
      'the options of parseCapabilityCard',
      spoil({}, { ...options, addresses: noObjects }),
      (given) => nip89.parseCapabilityCard(event, given),
    ],
    [
      'the options of assessCardEvent',
      spoil({}, { ...options, current: [5, {}] }),
      (given) => nip89.assessCardEvent(event, given),
    ],
    [
      'the target of publishCard',
      [undefined, ...noObjects, {}],
      (given) => nip89.publishCard(spec, signer(1), given),
    ],
    ['matchCapability', noCards, (given) => nip89.matchCapability(given, 'x')],
    [
      'the capability of matchCapability',
      [undefined, ...noTexts.filter((text) => text !== 5)],
      (given) => nip89.matchCapability(card, given),
    ],
    [
      'the synonyms of matchCapability',
      [...noObjects, { x: 5 }],
      (given) => nip89.matchCapability(card, 'x', given),
    ],
    ['kindName', [undefined, ...noTexts.filter((kind) => kind !== 5)], (given) => nip89.kindName(given)],
    ['diffCards', noCards, (given) => nip89.diffCards(given, card as never)],
    ['readDeletion', noEvents, (given) => nip89.readDeletion(given)],
    ['readRecommendation', noEvents, (given) => nip89.readRecommendation(given)],
    ['the policy of readRecommendation', noObjects, (given) => nip89.readRecommendation(event, given)],
    [
      'weighRecommendations',
      [undefined, ...noLists, [null], [{}]],
      (given) => nip89.weighRecommendations(given, key),
    ],
    [
      'the standing of weighRecommendations',
      noFunctions,
      (given) => nip89.weighRecommendations([], key, given),
    ],
    ['readRelayHints', noTagged, (given) => nip89.readRelayHints(given)],
    ['readRelayList', noTagged, (given) => nip89.readRelayList(given)],
    ['readWriteRelays', noTagged, (given) => nip89.readWriteRelays(given)],
    ['canonicalIdentifier', [undefined, ...noTexts], (given) => nip89.canonicalIdentifier(given)],
    [
      'platformLabels',
      [undefined, ...noLists, [null], [{ pubkey: 'x', d: '' }], [{ pubkey: key }]],
      (given) => nip89.platformLabels(given),
    ],
    ['platformName', noPorts, (given) => nip89.platformName(given)],
    ['searchableCard', noPorts, (given) => nip89.searchableCard(given)],
    ['firstStatus', [undefined, ...noBooleans], (given) => nip89.firstStatus(given)],
    [
      'the status of nextStatus',
      [undefined, ...noObjects, {}],
      (given) => nip89.nextStatus(given, { type: 'expired' }, 1),
    ],
    [
      'the cause of nextStatus',
      [undefined, ...noObjects, {}, { type: 'x' }, { type: 'card' }],
      (given) => nip89.nextStatus(nip89.firstStatus(true), given, 1),
    ],
    [
      'the time of nextStatus',
      [undefined, null, '5', Number.NaN],
      (given) => nip89.nextStatus(nip89.firstStatus(true), { type: 'expired' }, given),
    ],
    ['rateObservation', noObservations, (given) => nip89.rateObservation(given)],
    ['the observation of nextStanding', noObservations, (given) => nip89.nextStanding(standing, given)],
    ['the standing of nextStanding', noStandings, (given) => nip89.nextStanding(given, observation)],
    ['the policy of nextStanding', noPolicies, (given) => nip89.nextStanding(standing, observation, given)],
    ['fitTiers', [undefined, ...noLists, new Map([[key, 5]])], (given) => nip89.fitTiers(given, 1)],
    ['rankOf', noPorts, (given) => nip89.rankOf(given)],
    ['evictionClassOf', noPorts, (given) => nip89.evictionClassOf(given)],
    ['rankRelays', noPorts, (given) => nip89.rankRelays(given, [])],
    ['resolveConfig', spoil({}, { maxPending: noAmounts }), (given) => nip89.resolveConfig(given)],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'INVALID_CONFIG')).toEqual([]);
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
