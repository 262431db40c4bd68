import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePublication, type PublicationInput } from '../src/index.ts';
import { day, hour, start } from './support.ts';

type Row = [
  string,
  Partial<PublicationInput>,
  { action: string; publishAt?: number | null; alert?: boolean },
];

const rows: Row[] = [
  ['a benchmark just completed', {}, { action: 'wait', publishAt: start + day }],
  [
    'a benchmark a millisecond before its time',
    { now: start + day - 1 },
    { action: 'wait', publishAt: start + day },
  ],
  ['a benchmark of 24 hours ago', { now: start + day }, { action: 'publish', publishAt: start + day }],
  ['a benchmark with a large change', { previousPublished: 0.1, now: start + hour }, { action: 'wait' }],
  ['a clock that went backwards', { now: start - day }, { action: 'wait', publishAt: start + day }],
  [
    'a rise of more than .2',
    { event: 'score_change', previousPublished: 0.5, current: 0.71 },
    { action: 'publish', publishAt: start },
  ],
  [
    'a fall of more than .2',
    { event: 'score_change', previousPublished: 0.5, current: 0.29 },
    { action: 'publish' },
  ],
  [
    'a change of exactly .2',
    { event: 'score_change', previousPublished: 0.5, current: 0.7 },
    { action: 'skip', publishAt: null },
  ],
  // In floating point this difference is a little more than .2.
  [
    'a change of exactly .2, which is no exact number',
    { event: 'score_change', previousPublished: 0.7, current: 0.9 },
    { action: 'skip' },
  ],
  [
    'a change of exactly .2 downwards',
    { event: 'score_change', previousPublished: 0.9, current: 0.7 },
    { action: 'skip' },
  ],
  ['no change', { event: 'score_change', previousPublished: 0.8, now: start + 9 * day }, { action: 'skip' }],
  [
    'a first opinion',
    { event: 'score_change', previousPublished: null },
    { action: 'wait', publishAt: start + day },
  ],
  ['an attack', { event: 'security' }, { action: 'publish', publishAt: start, alert: true }],
  [
    'an attack without change',
    { event: 'security', previousPublished: 0.8 },
    { action: 'publish', alert: true },
  ],
  ['an attack during a dispute', { event: 'security', disputed: true }, { action: 'publish', alert: true }],
  [
    'a benchmark during a dispute',
    { disputed: true, now: start + 9 * day },
    { action: 'hold', publishAt: null },
  ],
  [
    'a change during a dispute',
    { event: 'score_change', disputed: true, previousPublished: 0, current: 1 },
    { action: 'hold' },
  ],
];

const base: PublicationInput = {
  event: 'benchmark',
  completedAt: start,
  previousPublished: null,
  current: 0.8,
  disputed: false,
  now: start,
};

describe('decidePublication', () => {
  it.each(rows)('REP-2 decides about %s', (_, given, expected) => {
    expect(decidePublication({ ...base, ...given })).toMatchObject({ alert: false, ...expected });
  });

  it('REP-2 takes other rules', () => {
    expect(decidePublication(base, { coolingOffMs: 0 })).toMatchObject({ action: 'publish' });
    const change = { ...base, event: 'score_change' as const, previousPublished: 0.6 };
    expect(decidePublication(change, { minimumChange: 0.1 })).toMatchObject({ action: 'publish' });
  });

  it.each([
    ['current', 1.1],
    ['current', Number.NaN],
    ['previousPublished', -0.1],
    ['completedAt', Number.NaN],
    ['now', undefined],
    ['event', 'gossip'],
  ])('REP-2 refuses %s of %s', (name, value) => {
    expect(() => decidePublication({ ...base, [name]: value })).toThrow(name);
  });

  it('REP-2 holds everything that is disputed but attacks, and alerts of nothing else', () => {
    const input = fc.record({
      event: fc.constantFrom('benchmark' as const, 'score_change' as const, 'security' as const),
      completedAt: fc.integer({ min: 0, max: start }),
      previousPublished: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
      current: fc.double({ min: 0, max: 1, noNaN: true }),
      disputed: fc.boolean(),
      now: fc.integer({ min: 0, max: 2 * start }),
    });
    fc.assert(
      fc.property(input, (given) => {
        const { action, alert, publishAt } = decidePublication(given);
        const isAttack = given.event === 'security';
        expect(alert).toBe(isAttack);
        expect(action === 'hold').toBe(given.disputed && !isAttack);
        if (action === 'publish')
          expect(publishAt).toBeLessThanOrEqual(
            isAttack ? given.completedAt : Math.max(given.now, given.completedAt),
          );
        if (given.event === 'benchmark' && action === 'publish')
          expect(given.now - given.completedAt).toBeGreaterThanOrEqual(day);
      }),
    );
  });
});
