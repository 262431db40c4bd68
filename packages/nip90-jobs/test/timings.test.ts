import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMINGS, deadline, deliveryRound, retryDelayMs } from '../src/timings.ts';

const theirs = ['wss://their-1', 'wss://their-2', 'wss://their-3'];
const ours = ['wss://our-1', 'wss://our-2'];

describe('a round of delivery', () => {
  it("JOB-7 goes to the provider's first relay for 10 s, its next for 15 s, our own for 20 s", () => {
    expect(deliveryRound({ provider: theirs, own: ours }, DEFAULT_TIMINGS)).toEqual([
      { relays: ['wss://their-1'], timeoutMs: 10_000 },
      { relays: ['wss://their-2'], timeoutMs: 15_000 },
      { relays: ours, timeoutMs: 20_000 },
    ]);
  });

  it('JOB-7 takes our closest when the provider names one relay only, and all of ours when it names none', () => {
    expect(
      deliveryRound({ provider: ['wss://our-1'], own: ours }, DEFAULT_TIMINGS).map(({ relays }) => relays),
    ).toEqual([['wss://our-1'], ['wss://our-2'], ours]);
    expect(deliveryRound({ provider: [], own: ours }, DEFAULT_TIMINGS)).toEqual([
      { relays: ours, timeoutMs: 20_000 },
    ]);
  });

  it('JOB-7 is reordered by measured success', () => {
    const experience = new Map([
      ['wss://their-1', { accepted: 1, failed: 3 }],
      ['wss://their-2', { accepted: 0, failed: 1 }],
      ['wss://our-2', { accepted: 9, failed: 0 }],
      ['wss://our-1', { accepted: 9, failed: 9 }],
    ]);
    expect(
      deliveryRound({ provider: theirs, own: ours }, DEFAULT_TIMINGS, experience).map(({ relays }) => relays),
    ).toEqual([
      ['wss://their-3'],
      // One failure out of one weighs as much as one of two: (0 + 1) / 2 against (1 + 1) / 5.
      ['wss://their-2'],
      ['wss://our-2', 'wss://our-1'],
    ]);
  });

  it('JOB-7 names no relay twice in a stage and takes 45 s at most', () => {
    const relays = fc.array(fc.constantFrom(...theirs, ...ours), { maxLength: 6 });
    fc.assert(
      fc.property(relays, relays, (provider, own) => {
        const stages = deliveryRound({ provider, own }, DEFAULT_TIMINGS);
        for (const stage of stages) expect(new Set(stage.relays).size).toBe(stage.relays.length);
        expect(stages.length === 0).toBe(provider.length + own.length === 0);
        expect(stages.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0)).toBeLessThanOrEqual(45_000);
      }),
    );
  });
});

describe('repetitions', () => {
  it('JOB-8 come three times, after 5, 10 and 20 s, each ±20 %', () => {
    expect([1, 2, 3, 4].map((retry) => retryDelayMs(retry, DEFAULT_TIMINGS, () => 0.5))).toEqual([
      5_000,
      10_000,
      20_000,
      null,
    ]);
    expect(retryDelayMs(1, DEFAULT_TIMINGS, () => 0)).toBe(4_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retry, random) => {
          const base = 5_000 * 2 ** (retry - 1);
          const delayMs = retryDelayMs(retry, DEFAULT_TIMINGS, () => random) ?? 0;
          expect(Math.abs(delayMs - base)).toBeLessThanOrEqual(base * 0.2);
        },
      ),
    );
  });
});

describe('a deadline', () => {
  const job = { deliveredAt: 1_000, paidAt: null, heardAt: null, extensions: 0, successAt: null };

  it('JOB-8 is 300 s after delivery, and ends in silence when nothing was heard', () => {
    expect(deadline(job, DEFAULT_TIMINGS)).toEqual({ at: 301_000, timeoutClass: 'silence' });
    expect(deadline({ ...job, heardAt: 2_000 }, DEFAULT_TIMINGS)).toEqual({
      at: 301_000,
      timeoutClass: 'processing',
    });
    expect(deadline({ ...job, deliveredAt: null }, DEFAULT_TIMINGS)).toBeNull();
  });

  it('JOB-8 counts from the first word when a relay never confirmed delivery', () => {
    expect(deadline({ ...job, deliveredAt: null, heardAt: 2_000 }, DEFAULT_TIMINGS)?.at).toBe(302_000);
  });

  it('JOB-8 JOB-16 moves by 60 s for each sign of work, but not for ever', () => {
    expect(deadline({ ...job, heardAt: 2_000, extensions: 3 }, DEFAULT_TIMINGS)?.at).toBe(481_000);
    fc.assert(
      fc.property(fc.nat(), (extensions) => {
        const due = deadline({ ...job, heardAt: 2_000, extensions }, DEFAULT_TIMINGS);
        expect(due?.at).toBeLessThanOrEqual(1_000 + 300_000 + 10 * 60_000);
      }),
    );
  });

  it('JOB-8 is 60 s after success was announced', () => {
    const announced = { ...job, heardAt: 2_000, extensions: 5, successAt: 10_000 };
    expect(deadline(announced, DEFAULT_TIMINGS)).toEqual({ at: 70_000, timeoutClass: 'result' });
  });
});
