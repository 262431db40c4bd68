import { eventually } from '@bonafide/internal/testing';
import type { EventTemplate } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecommendationDeletions } from '../src/card/recommendation.ts';
import { readRecommendation, unknownRecommendersWeight, weighRecommendations } from '../src/index.ts';
import { main, pubkeyOf, setUp, whenKnown } from './set-up.ts';
import { cardOf, signer, start, unsigned } from './support.ts';

const key = (n: number) => n.toString(16).padStart(64, '0');
const recommending = (tags: string[][], rest: Partial<EventTemplate> = {}) =>
  unsigned({ kind: 31_989, content: '', ...rest, tags });

describe('reading a recommendation', () => {
  it('DIS-13 reads who recommends whom for which kind, with hints that may be connected to', () => {
    const event = recommending([
      ['d', '5000'],
      ['a', `31990:${key(1)}:Main `, 'wss://relay.example.com/', 'web'],
      ['a', `31990:${key(1)}:main`, 'wss://other.example.com', 'ios'],
      ['a', `31990:${key(2)}:a:b`, 'wss://127.0.0.1'],
      ['a', `31990:${key(3)}:`],
      ['a', `30023:${key(4)}:x`],
      ['a', '31990:nobody:x'],
      ['a', `31990:${key(5)}:\0`],
      ['a', `31990:${key(6)}:${'x'.repeat(2_000)}`],
      ['a'],
    ]);
    expect(readRecommendation(event)).toEqual({
      recommender: event.pubkey,
      kind: 5_000,
      handlers: [
        { pubkey: key(1), canonicalD: 'main', relayHint: 'wss://relay.example.com' },
        { pubkey: key(2), canonicalD: 'a:b', relayHint: null },
        { pubkey: key(3), canonicalD: '', relayHint: null },
      ],
      eventId: event.id,
      createdAt: start,
    });
  });

  it('DIS-13 takes nothing else for a recommendation, and a bounded number of platforms', () => {
    expect(readRecommendation(unsigned({}))).toBeNull();
    for (const d of [[], [['d']], [['d', 'x']], [['d', '99999']], [['d', '-1']], [['d', '1e3']]]) {
      expect(readRecommendation(recommending(d))).toBeNull();
    }
    const many = Array.from({ length: 500 }, (_, n) => ['a', `31990:${key(n)}:x`]);
    expect(readRecommendation(recommending([['d', '1'], ...many]))?.handlers).toHaveLength(32);
  });

  it('DIS-13 never throws on hostile tags', () => {
    const tags = fc.array(
      fc.array(
        fc.oneof(
          fc.constantFrom('d', 'a', '5000', `31990:${key(1)}:x`, `31989:${'a'.repeat(64)}:5000`),
          fc.string({ unit: 'binary', maxLength: 40 }),
        ),
        { maxLength: 5 },
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(tags, fc.constantFrom(5, 31_989), (hostile, kind) => {
        const event = unsigned({ kind, tags: hostile });
        for (const { handlers } of [readRecommendation(event) ?? { handlers: [] }]) {
          expect(handlers.length).toBeLessThanOrEqual(32);
        }
        for (const { handlers } of readRecommendationDeletions(event)) expect(handlers).toEqual([]);
      }),
    );
  });
});

describe('weighing recommendations', () => {
  const by = (...recommenders: string[]) => recommenders.map((recommender) => ({ recommender }));

  it('DIS-13 weighs by the standing of who recommends, and lets a thousand strangers weigh no more than a quarter of one', () => {
    const standing = (who: string) => ({ trusted: 1, half: 0.5, liar: 0 })[who] ?? null;
    expect(weighRecommendations([], 'p')).toEqual({ recommenders: 0, known: 0, weight: 0, signal: 0 });
    expect(weighRecommendations(by('trusted', 'half', 'liar'), 'p', standing)).toEqual({
      recommenders: 3,
      known: 3,
      weight: 1.5,
      signal: 0.6,
    });
    const strangers = by(...Array.from({ length: 1_000 }, (_, n) => `s${n}`));
    const crowd = weighRecommendations(strangers, 'p', standing);
    expect(crowd.weight).toBeGreaterThan(0.2);
    expect(crowd.weight).toBeLessThanOrEqual(unknownRecommendersWeight);
    expect(crowd.signal).toBeLessThan(weighRecommendations(by('half'), 'p', standing).signal);
  });

  it('DIS-13 hears nobody twice, and nobody about himself', () => {
    expect(weighRecommendations(by('a', 'a', 'p'), 'p', () => 1)).toMatchObject({
      recommenders: 1,
      weight: 1,
    });
  });

  it('DIS-13 stays in its range, and never falls when one more recommends', () => {
    const standings = fc.dictionary(fc.string({ maxLength: 3 }), fc.option(fc.double({ min: -5, max: 5 })));
    fc.assert(
      fc.property(standings, fc.option(fc.double()), (given, one) => {
        const standing = (who: string) => (who === 'one more' ? one : (given[who] ?? null));
        const before = weighRecommendations(by(...Object.keys(given)), 'p', standing);
        const after = weighRecommendations(by(...Object.keys(given), 'one more'), 'p', standing);
        expect(after.signal).toBeGreaterThanOrEqual(before.signal);
        expect(after.signal).toBeGreaterThanOrEqual(0);
        expect(after.signal).toBeLessThan(1);
      }),
    );
  });
});

describe('recommendations in the registry', () => {
  const recommendation = async (n: number, tags: string[][], at = start) =>
    signer(n).signEvent({
      kind: 31_989,
      created_at: at / 1_000,
      tags: [['d', '5000'], ...tags],
      content: '',
    });

  it('DIS-13 finds, replaces and takes back recommendations, and makes nobody a partner for them', async () => {
    const { discovery, relay } = await setUp();
    const card = await cardOf(1);
    const address = `31990:${card.pubkey}:${main}`;
    const seen: number[] = [];
    discovery.on('recommended', ({ recommendation: one }) => seen.push(one.handlers.length));
    relay.publish(await recommendation(2, [['a', address, 'wss://hint.example.com']]));
    relay.publish(card);
    await discovery.start();
    await whenKnown(discovery, 1);
    relay.publish(await recommendation(3, [['a', address]]));
    await eventually(() => expect(seen).toEqual([1, 1]));
    const known = await pubkeyOf(2);
    const standing = (who: string) => (who === known ? 1 : null);
    const recommended = await discovery.recommendations(card.pubkey, ' MAIN', { standing });
    expect(recommended).toMatchObject({ recommenders: 2, known: 1, weight: 1.125 });
    expect(recommended.recommendations.map(({ recommender }) => recommender).sort()).toEqual(
      [known, await pubkeyOf(3)].sort(),
    );
    expect(await discovery.get(card.pubkey, main)).toMatchObject({ status: 'discovered', trustScore: null });

    // One recommends another now; the other takes it back (NIP-09).
    relay.publish(await recommendation(2, [['a', `31990:${key(9)}:x`]], start + 1_000));
    relay.publish(
      await signer(3).signEvent({
        kind: 5,
        created_at: start / 1_000 + 1,
        tags: [
          ['a', `31989:${await pubkeyOf(3)}:5000`],
          ['k', '31989'],
        ],
        content: '',
      }),
    );
    await eventually(() => expect(seen).toEqual([1, 1, 1, 0]));
    expect(await discovery.recommendations(card.pubkey, main)).toMatchObject({ recommenders: 0, signal: 0 });
    expect(await discovery.recommendations(key(9), 'x')).toMatchObject({ recommenders: 1 });
  });

  it('DIS-4b DIS-9 DIS-13 knows the hint of a recommendation as a source of relays, before the own pool', async () => {
    const { discovery, relays } = await setUp({ relayCount: 2 });
    const card = await cardOf(1, { relays: ['wss://card.example.com'] });
    relays[0]?.publish(card);
    const address = `31990:${card.pubkey}:${main}`;
    const hints = [
      'wss://hint.example.com',
      'wss://10.0.0.1',
      'wss://169.254.169.254',
      'wss://user:pw@x.example.com',
    ];
    for (const [n, hint] of hints.entries()) {
      relays[1]?.publish(await recommendation(n + 10, [['a', address, hint]]));
    }
    await discovery.sync();
    const ranked = await discovery.relaysFor(card.pubkey, main);
    expect(ranked.map(({ relay, source }) => `${source} ${relay}`)).toEqual([
      'card wss://card.example.com',
      `seen ${relays[0]?.url}`,
      'recommendation wss://hint.example.com',
      `pool ${relays[1]?.url}`,
    ]);
  });

  it('DIS-13 takes no recommendation from the future', async () => {
    const { discovery, relay } = await setUp();
    const card = await cardOf(1);
    relay.publish(card);
    relay.publish(await recommendation(2, [['a', `31990:${card.pubkey}:${main}`]], start + 2 * 3_600_000));
    await discovery.sync();
    expect(await discovery.recommendations(card.pubkey, main)).toMatchObject({ recommenders: 0 });
  });
});
