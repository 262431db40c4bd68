import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  type AutoMergeInput,
  type CurrentThreshold,
  checkAutoMerge,
  checkLimits,
  proposeAdjustment,
} from '../src/index.ts';

/** A history from a text: `+` success, `-` failure. */
const of = (text: string) => [...text.replaceAll(' ', '')].map((each) => each === '+');
const mixed = '++-+-++-++-+++-+-++-'.repeat(2);

type Row = [string, boolean[], CurrentThreshold | number, object | null];
const rows: Row[] = [
  [
    '10 straight successes',
    of(`${mixed}-${'+'.repeat(10)}`),
    0.6,
    { pattern: 'sustained success', delta: 0.15, to: 0.75 },
  ],
  [
    '30 straight successes at a high rate',
    of('+'.repeat(30)),
    0.8,
    { pattern: 'sustained success', delta: 0.15 },
  ],
  ['9 straight successes', of('+'.repeat(9)), 0.6, null],
  [
    '10 successes that are expected',
    of(`${'+'.repeat(25)}-${'+'.repeat(10)}`),
    { threshold: 0.6, expectedRate: 0.95 },
    null,
  ],
  [
    '5 straight failures',
    of(`${'+'.repeat(10)}${mixed.replace(/-$/u, '+')}-----`),
    0.6,
    { pattern: 'sustained failure', delta: -0.1, to: 0.5 },
  ],
  ['4 straight failures', of('+-+ ----'), 0.6, null],
  ['5 failures that are expected', of('-----'), { threshold: 0.6, expectedRate: 0.2 }, null],
  [
    'a shift without a run',
    of(`${'+--'.repeat(10)}++++-++++-`),
    0.6,
    { pattern: 'shift', delta: 0.05, conditional: true },
  ],
  [
    'a shift downwards',
    of(`${'+++-'.repeat(8)}--+---+--+`),
    { threshold: 0.6, expectedRate: 0.7 },
    { pattern: 'shift', delta: -0.05, conditional: true },
  ],
  ['no pattern', of(mixed), 0.6, null],
  ['nothing', [], 0.6, null],
];

describe('proposeAdjustment', () => {
  it.each(rows)('SEL-1 finds %s', (_, history, current, expected) => {
    const proposal = proposeAdjustment(history, current);
    if (expected === null) expect(proposal).toBeNull();
    else expect(proposal).toMatchObject({ alert: false, conditional: false, ...expected });
  });

  it('SEL-1 takes the outcomes of the judge in either case, and refuses other words, which would count as failures', () => {
    const outcomes = (success: string) => [
      ...of(mixed).map((each) => ({ outcome: each ? success : 'failure' })),
      ...Array.from({ length: 10 }, () => ({ outcome: success })),
    ];
    const expected = proposeAdjustment(outcomes('SUCCESS'), 0.6);
    expect(expected).toMatchObject({ pattern: 'sustained success' });
    expect(proposeAdjustment(outcomes('success'), 0.6)).toEqual(expected);
    expect(() => proposeAdjustment(outcomes('verified'), 0.6)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('SUCCESS, PARTIAL'),
      }),
    );
    // Work that something else has judged.
    const own = outcomes('verified').map(({ outcome }) => ({ outcome, success: outcome === 'verified' }));
    expect(proposeAdjustment(own, 0.6)).toEqual(expected);
  });

  it('SEL-1 states sample, rates, confidence and justification', () => {
    const proposal = proposeAdjustment(of(`${mixed}-${'+'.repeat(12)}`), 0.6);
    expect(proposal).toMatchObject({ sampleSize: 53, expectedRate: 0.6, from: 0.6, to: 0.75, reversals: 0 });
    expect(proposal?.successRate).toBe(1);
    // 1 − .6^13: the posterior of 12 successes under a uniform prior.
    expect(proposal?.confidence).toBeCloseTo(1 - 0.6 ** 13, 9);
    expect(proposal?.justification).toMatch(/^12 straight successes where 60 % were expected/);
    const failures = proposeAdjustment(of(`${'+'.repeat(30)}------`), 0.6);
    expect(failures?.confidence).toBeCloseTo(1 - 0.4 ** 7, 9);
  });

  it('SEL-1 damps and alerts when the threshold oscillates', () => {
    const history = of('+'.repeat(40));
    const changes = (...deltas: number[]) => ({
      threshold: 0.5,
      changes: deltas.map((delta) => ({ delta })),
    });
    expect(proposeAdjustment(history, changes(0.15, -0.1, 0.15, -0.1))).toMatchObject({
      delta: 0.07,
      to: 0.57,
      alert: true,
      reversals: 3,
    });
    expect(proposeAdjustment(history, changes(0.15, -0.1, 0.15))).toMatchObject({
      delta: 0.15,
      alert: false,
      reversals: 2,
    });
    // Small changes are noise, and only the last ten count.
    expect(proposeAdjustment(history, changes(0.15, -0.01, 0.15, -0.01, 0.15))).toMatchObject({
      reversals: 0,
    });
    expect(proposeAdjustment(history, changes(0.15, -0.1, 0.15, -0.1, ...Array(10).fill(0.1)))).toMatchObject(
      { reversals: 0 },
    );
  });

  it('SEL-1 reads booleans, outcomes and scores alike', () => {
    const expected = proposeAdjustment(of('+'.repeat(30)), 0.6);
    expect(proposeAdjustment(Array(30).fill({ outcome: 'SUCCESS' }), 0.6)).toEqual(expected);
    expect(proposeAdjustment(Array(30).fill({ score: 0.6 }), 0.6)).toEqual(expected);
    expect(proposeAdjustment(Array(30).fill({ outcome: 'PARTIAL' }), 0.6)?.pattern).toBe('sustained failure');
    for (const wrong of [[{}], [{ score: 2 }], ['yes'], 'history'])
      expect(() => proposeAdjustment(wrong as never, 0.6)).toThrow(/history/);
    expect(() => proposeAdjustment([], 1.2)).toThrow(/current/);
  });

  it('SEL-1 raises few false alarms on histories at the expected rate, and misses few real changes', () => {
    const random = seededRandom(7);
    const share = (rate: (index: number) => number, expectedRate: number) => {
      const counts = { sustained: 0, shift: 0 };
      for (let run = 0; run < 2_000; run += 1) {
        const history = Array.from({ length: 60 }, (_, index) => random() < rate(index));
        const pattern = proposeAdjustment(history, { threshold: 0.5, expectedRate })?.pattern;
        if (pattern === 'shift') counts.shift += 1;
        else if (pattern !== undefined) counts.sustained += 1;
      }
      return { sustained: counts.sustained / 2_000, shift: counts.shift / 2_000 };
    };
    for (const rate of [0.5, 0.6, 0.7, 0.8, 0.9]) {
      const { sustained, shift } = share(() => rate, rate);
      expect(sustained).toBeLessThan(0.05);
      // Two sigma of a small sample; conditional on a person.
      expect(shift).toBeLessThan(0.1);
    }
    expect(share((index) => (index < 45 ? 0.6 : 0.99), 0.6).sustained).toBeGreaterThan(0.8);
    expect(share((index) => (index < 50 ? 0.7 : 0.02), 0.7).sustained).toBeGreaterThan(0.8);
  });
});

describe('limits', () => {
  const within = { to: 0.75, delta: 0.15, sampleSize: 30 };
  it.each([
    ['all hold', {}, []],
    ['29 outcomes', { sampleSize: 29 }, ['sample']],
    ['a result of 0.9', { to: 0.9 }, []],
    ['a result of 0.91', { to: 0.91 }, ['range']],
    ['a result of 0.1', { to: 0.1 }, []],
    ['a result of 0.09', { to: 0.09 }, ['range']],
    ['a change of 0.29', { delta: 0.29 }, []],
    // 0.9 − 0.6 is a little more than 0.3 in floating point, 0.4 − 0.1 a little less.
    ['a change of 0.3', { delta: 0.9 - 0.6 }, ['magnitude']],
    ['a change of −0.3', { delta: -(0.4 - 0.1) }, ['magnitude']],
  ])('SEL-3 %s', (_, change, failed) => {
    const conditions = checkLimits({ ...within, ...change });
    expect(conditions.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(failed);
  });
});

describe('automatic merge', () => {
  const good: AutoMergeInput = {
    to: 0.6,
    delta: -0.1,
    sampleSize: 30,
    confidence: 0.81,
    conditional: false,
    ci: 'green',
    changes: Array(10).fill({ rolledBack: false }),
    labels: ['automated'],
  };
  it.each([
    ['every condition holds', {}, []],
    ['a change of 0.14', { delta: 0.14 }, []],
    ['a change of 0.15', { delta: 0.15 }, ['magnitude']],
    ['a change of −0.15', { delta: -0.15 }, ['magnitude']],
    ['29 outcomes', { sampleSize: 29 }, ['sample']],
    ['pending checks', { ci: 'pending' }, ['ci']],
    ['red checks', { ci: 'red' }, ['ci']],
    ['checks that cannot be read', { ci: 'unknown' }, ['ci']],
    ['a confidence of 0.8', { confidence: 0.8 }, ['confidence']],
    [
      'a rollback among the last ten',
      { changes: [{ rolledBack: true }, ...Array(9).fill({ rolledBack: false })] },
      ['rollbacks'],
    ],
    [
      'a rollback before the last ten',
      { changes: [{ rolledBack: true }, ...Array(10).fill({ rolledBack: false })] },
      [],
    ],
    ['the label', { labels: ['manual-review'] }, ['label']],
    ['a shift', { conditional: true }, ['pattern']],
    [
      'nothing holds',
      {
        delta: 0.15,
        sampleSize: 1,
        ci: 'red',
        confidence: 0,
        changes: [{ rolledBack: true }],
        labels: ['manual-review'],
        conditional: true,
      },
      ['magnitude', 'sample', 'ci', 'confidence', 'rollbacks', 'label', 'pattern'],
    ],
  ] satisfies [string, Partial<AutoMergeInput>, string[]][])(
    'SEL-5 reports each condition: %s',
    (_, change, failed) => {
      const { eligible, conditions } = checkAutoMerge({ ...good, ...change });
      expect(conditions.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(failed);
      expect(eligible).toBe(failed.length === 0);
      expect(conditions).toHaveLength(7);
    },
  );
});
