import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchSteps, termsOfCard } from '../src/card/match.ts';
import {
  canonicalIdentifier,
  defaultSynonyms,
  firstStatus,
  matchCapability,
  nextStatus,
  type PlatformStatus,
  platformLabels,
  rankRelays,
  readDeletion,
  type StatusCause,
  type StatusState,
} from '../src/index.ts';
import { withExperience } from '../src/registry/entry.ts';
import { signer, start } from './support.ts';

describe('matching', () => {
  const card = (
    labels: string[],
    kinds: number[] = [],
    patterns: string[] = [],
    performance: { typicalLatencyMs: null } | null = null,
  ) => ({
    labels,
    kinds,
    patterns,
    performance,
  });
  const match = (...args: Parameters<typeof matchCapability>) => {
    const { confidence, match: how, pool } = matchCapability(...args);
    return [confidence, how, pool];
  };

  it('DIS-10 is sure of what is named, by label or by kind', () => {
    expect(match(card(['benchmark-task']), 'Benchmark-Task ')).toEqual([1, 'exact', 'candidate']);
    expect(match(card([], [5_100]), 5_100)).toEqual([1, 'exact', 'candidate']);
    expect(match(card([], [5_100]), '5100')).toEqual([1, 'exact', 'candidate']);
    expect(match(card([], [5_100]), 5_000)).toEqual([0, 'none', 'none']);
  });

  it('DIS-10 takes a synonym for .8, in both directions, and a family', () => {
    for (const word of ['benchmark', 'benchmarking', 'perf-test', 'compute-benchmark']) {
      expect(match(card([word]), 'benchmark-task')).toEqual([0.8, 'synonym', 'candidate']);
      expect(match(card(['benchmark-task']), word)).toEqual([0.8, 'synonym', 'candidate']);
    }
    expect(match(card([], [], ['compute-*']), 'compute-gpu-test')).toEqual([0.8, 'synonym', 'candidate']);
    expect(match(card([], [], ['compute-*']), 'benchmark-task')).toEqual([0.8, 'synonym', 'candidate']);
    expect(match(card([], [], ['compute-*']), 'computer')).toEqual([0, 'none', 'none']);
  });

  it('DIS-10 infers a benchmark from generic jobs: .6 with figures, .5 without; and nothing else', () => {
    expect(match(card([], [5_000], [], { typicalLatencyMs: null }), 'benchmark-task')).toEqual([
      0.6,
      'inferred',
      'secondary',
    ]);
    expect(match(card([], [5_000]), 'benchmark-task')).toEqual([0.5, 'inferred', 'secondary']);
    expect(match(card([], [5_000]), 'perf-test')).toEqual([0.5, 'inferred', 'secondary']);
    expect(match(card([], [5_000]), 'translation')).toEqual([0, 'none', 'none']);
    expect(match(card([], [5_001]), 'benchmark-task')).toEqual([0, 'none', 'none']);
  });

  it('DIS-10 takes other synonyms from the configuration, and always says why', () => {
    const synonyms = { ...defaultSynonyms, 'zen-poem': ['haiku'] };
    expect(match(card(['haiku']), 'zen-poem', synonyms)).toEqual([0.8, 'synonym', 'candidate']);
    expect(match(card(['haiku']), 'zen-poem')).toEqual([0, 'none', 'none']);
    expect(matchCapability(card(['haiku']), 'zen-poem', synonyms).reason).toBe(
      "'haiku' means the same as 'zen-poem'",
    );
    expect(match(card(['x']), '<none>')).toEqual([0, 'none', 'none']);
  });

  it('DIS-14 asks the index for every card that matches, the surest first', () => {
    const word = fc.constantFrom(
      'benchmark-task',
      'benchmark',
      'perf-test',
      'compute-benchmark',
      'compute-gpu',
      'prose',
      '5000',
      '5100',
    );
    const cards = fc.record({
      labels: fc.array(
        word.filter((each) => !/^\d/.test(each)),
        { maxLength: 3 },
      ),
      kinds: fc.array(fc.constantFrom(5_000, 5_100), { maxLength: 2 }),
      patterns: fc.array(fc.constantFrom('compute-*', 'perf-*', 'prose-*'), { maxLength: 2 }),
      performance: fc.constantFrom(null, { typicalLatencyMs: 1 }),
    });
    fc.assert(
      fc.property(cards, word, (offered, wanted) => {
        const found = matchCapability(offered, wanted);
        const carried = termsOfCard(offered);
        const steps = searchSteps(wanted).filter(({ terms }) => terms.some((term) => carried.includes(term)));
        // The step of its confidence finds it. Other steps may too: `find` compares the confidence.
        if (found.confidence > 0) {
          expect(steps.map(({ confidence }) => confidence)).toContain(found.confidence);
        }
        expect(found.reason).not.toBe('');
      }),
    );
  });
});

describe('identity', () => {
  it('DIS-8 has one form for all spellings', () => {
    const spellings = ['Bench  Platform', ' bench platform ', 'BENCH\tPLATFORM', 'bench platform'];
    expect(new Set(spellings.map(canonicalIdentifier))).toEqual(new Set(['bench platform']));
    expect(canonicalIdentifier('Cafe\u0301 STRASSE')).toBe(canonicalIdentifier('café Straße'));
  });

  it('DIS-8 changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (d) => {
        expect(canonicalIdentifier(canonicalIdentifier(d))).toBe(canonicalIdentifier(d));
      }),
      { numRuns: 2_000 },
    );
  });

  it('DIS-8 tells platforms of different keys apart by their npub, and only then', async () => {
    const [a = '', b = ''] = await Promise.all([1, 2].map((n) => signer(n).getPublicKey()));
    expect(
      platformLabels([
        { pubkey: a, d: 'Main' },
        { pubkey: b, d: 'main' },
        { pubkey: b, d: 'other' },
      ]),
    ).toEqual([
      expect.stringMatching(/^Main \(npub1.{8}\)$/),
      expect.stringMatching(/^main \(npub1.{8}\)$/),
      'other',
    ]);
  });

  it('DIS-8 tells identifiers apart that look alike, and an npub in an identifier deceives nobody', async () => {
    const [a = '', b = ''] = await Promise.all([1, 2].map((n) => signer(n).getPublicKey()));
    const labels = (one: string, other: string) =>
      platformLabels([
        { pubkey: a, d: one },
        { pubkey: b, d: other },
      ]);
    const [mine] = labels('translator', 'translator');
    for (const twin of [
      'trаnslator',
      'ТRANSLATOR',
      'trans\u200blator',
      'ｔranslator',
      'transIator',
      'trans1at0r',
      'tránslator',
    ]) {
      const [one, other] = labels('translator', twin);
      expect(one, twin).toBe(mine);
      expect(other, twin).toMatch(/ \(npub1.{8}\)$/u);
    }
    expect(labels('translator', mine ?? '')[1]).not.toBe(mine);
    // Other scripts are as good as Latin.
    expect(labels('переводчик', '翻訳')).toEqual(['переводчик', '翻訳']);
  });
});

describe('life cycle', () => {
  const move = (state: StatusState, cause: StatusCause | StatusCause['type'], now = start): StatusState => {
    const full = typeof cause === 'string' ? ({ type: cause, offers: false } as StatusCause) : cause;
    const step = nextStatus(state, full, now);
    if (!step.ok) throw new Error(step.message);
    return step.next;
  };
  const through = (...causes: readonly (StatusCause | StatusCause['type'])[]) =>
    causes.reduce<StatusState>((state, cause) => move(state, cause), firstStatus(false));
  const card = (offers: boolean): StatusCause => ({ type: 'card', offers });

  it('DIS-11 goes from discovered to candidate, evaluating, and partner or rejected', () => {
    expect(firstStatus(true).status).toBe('candidate');
    expect(through(card(true)).status).toBe('candidate');
    expect(through(card(true), card(false)).status).toBe('discovered');
    expect(through(card(true), 'evaluating', 'partner').status).toBe('partner');
    expect(through('evaluating', 'rejected', 'evaluating', 'partner').status).toBe('partner');
    expect(through('evaluating', card(false)).status).toBe('evaluating');
  });

  it('DIS-11 refuses what the cycle does not have: nobody becomes a partner untried, or moves while archived', () => {
    for (const [state, cause] of [
      [through(), 'partner'],
      [through('evaluating', 'rejected'), 'partner'],
      [through('deleted'), 'evaluating'],
      [through('deleted'), 'rejected'],
      [through('deleted'), 'unresponsive'],
    ] as const) {
      expect(nextStatus(state, { type: cause }, start)).toMatchObject({ ok: false });
    }
  });

  it('DIS-11 quarantines who does not answer for 24 hours, or until a fresh card', () => {
    const away = through('evaluating', 'partner', 'unresponsive');
    expect(away).toMatchObject({
      status: 'quarantined',
      statusBefore: 'partner',
      quarantinedUntilAt: start + 86_400_000,
    });
    expect(move(away, 'quarantine-over', start + 86_399_999)).toBe(away);
    expect(move(away, 'quarantine-over', start + 86_400_000).status).toBe('partner');
    expect(move(away, card(false)).status).toBe('partner');
  });

  it('DIS-17 archives who expired, until a fresh card', () => {
    const gone = through(card(true), 'expired');
    expect(gone).toMatchObject({ status: 'archived', statusReason: 'card expired' });
    expect(move(gone, 'expired')).toBe(gone);
    expect(move(gone, card(true)).status).toBe('candidate');
  });

  it('DIS-11 remembers through quarantine and archive who was rejected, and starts an interrupted evaluation over', () => {
    expect(through('evaluating', 'rejected', 'unresponsive', 'expired', 'deleted', card(true)).status).toBe(
      'rejected',
    );
    expect(through('evaluating', 'deleted', card(true)).status).toBe('candidate');
    expect(through('evaluating', 'unresponsive', card(false)).status).toBe('discovered');
  });

  it('DIS-11 never loses its bearings, whatever comes in whatever order', () => {
    const causes = fc.oneof(
      fc.boolean().map(card),
      fc
        .constantFrom<StatusCause['type']>(
          'expired',
          'deleted',
          'quarantine-over',
          'evaluating',
          'partner',
          'rejected',
          'unresponsive',
        )
        .map((type) => ({ type }) as StatusCause),
    );
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(causes, fc.nat(5 * 86_400_000))), (offers, steps) => {
        let state = firstStatus(offers);
        let now = start;
        let tried = false;
        for (const [cause, wait] of steps) {
          now += wait;
          const step = nextStatus(state, cause, now);
          const before: PlatformStatus = state.status;
          if (!step.ok) continue;
          state = step.next;
          if (cause.type === 'evaluating') tried = true;
          const isAway = state.status === 'quarantined' || state.status === 'archived';
          expect(state.statusBefore === null).toBe(!isAway);
          if (!isAway) expect(state.quarantinedUntilAt).toBeNull();
          if (state.status === 'partner') expect(tried).toBe(true);
          if (before === 'archived' && cause.type !== 'card') expect(state.status).toBe('archived');
          // Said twice changes nothing more.
          const again = nextStatus(state, cause, now);
          if (cause.type !== 'unresponsive') expect(again.ok && again.next).toEqual(state);
        }
      }),
    );
  });
});

describe('deleteing cards', () => {
  it('DIS-11 reads what a key deletes of its own, and nothing of others or of other kinds', async () => {
    const [mine, other] = await Promise.all([1, 2].map((n) => signer(n).getPublicKey()));
    const request = (tags: string[][], kind = 5) =>
      signer(1)
        .signEvent({ kind, created_at: start / 1_000, tags, content: '' })
        .then(readDeletion);
    expect(
      await request([
        ['a', `31990:${mine}: Main `],
        ['e', 'f'.repeat(64)],
        ['k', '31990'],
      ]),
    ).toEqual({
      pubkey: mine,
      identifiers: ['main'],
      eventIds: ['f'.repeat(64)],
      at: start,
    });
    expect(await request([['a', `31990:${other}:main`]])).toBeNull();
    expect(await request([['a', `30023:${mine}:main`]])).toBeNull();
    expect(await request([['e', 'f'.repeat(64)]], 1)).toBeNull();
    const many = Array.from({ length: 300 }, (_, n) => ['a', `31990:${mine}:${n}`]);
    expect((await request(many))?.identifiers).toHaveLength(100);
  });
});

describe('relays of a platform', () => {
  const entry = {
    relayHints: ['wss://hint1', 'wss://hint2'],
    sightings: [
      { relay: 'wss://seen-early', firstSeenAt: 1, lastSeenAt: 1 },
      { relay: 'wss://seen-late', firstSeenAt: 1, lastSeenAt: 2 },
    ],
    authorRelays: { urls: ['wss://author', 'wss://hint1'], writeUrls: [], createdAt: 1, checkedAt: 0 },
    experience: [],
  };
  const order = (experience = entry.experience as Parameters<typeof rankRelays>[0]['experience']) =>
    rankRelays({ ...entry, experience }, ['wss://pool', 'wss://author']).map(({ relay }) => relay.slice(6));

  it('DIS-9 goes by hints of the card, where it was seen, the author\u2019s list, the own pool', () => {
    expect(order()).toEqual(['hint1', 'hint2', 'seen-late', 'seen-early', 'author', 'pool']);
    expect(rankRelays(entry, ['wss://pool']).map(({ source }) => source)).toEqual([
      'card',
      'card',
      'seen',
      'seen',
      'author',
      'pool',
    ]);
  });

  it('DIS-9 lets measured success decide: what worked first, what keeps failing last', () => {
    let experience = withExperience([], 'wss://pool', { ok: true, latencyMs: 100 });
    experience = withExperience(experience, 'wss://hint1', { ok: false });
    expect(order(experience)).toEqual(['pool', 'hint1', 'hint2', 'seen-late', 'seen-early', 'author']);
    experience = withExperience(experience, 'wss://hint1', { ok: false });
    expect(order(experience).at(-1)).toBe('hint1');
    for (let i = 0; i < 3; i += 1)
      experience = withExperience(experience, 'wss://author', { ok: true, latencyMs: 100 });
    expect(order(experience).slice(0, 2)).toEqual(['author', 'pool']);
  });

  it('DIS-9 keeps a moving average of latency and at most 32 relays', () => {
    let experience = withExperience([], 'wss://a', { ok: true, latencyMs: 100 });
    experience = withExperience(experience, 'wss://a', { ok: true, latencyMs: 200 });
    experience = withExperience(experience, 'wss://a', { ok: false, latencyMs: 9_999 });
    expect(experience).toEqual([{ relay: 'wss://a', successes: 2, failures: 1, latencyMs: 130 }]);
    for (let i = 0; i < 40; i += 1) experience = withExperience(experience, `wss://${i}`, { ok: true });
    expect(experience).toHaveLength(32);
  });
});
