import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeInfoScore, explainInfoScore } from '../src/index.ts';

interface Vectors {
  readonly examples: readonly {
    readonly label: string;
    readonly interactions: number;
    readonly days: number;
    readonly assessments: number;
    readonly score: number;
    readonly depth: number;
    readonly volume: number | null;
    readonly span: number | null;
    readonly bonus: number | null;
    readonly limit: 'volume' | 'span' | 'none';
  }[];
  readonly grid: readonly (readonly [
    interactions: number,
    days: number,
    assessments: number,
    score: number,
  ])[];
}

const path = new URL('../../../fixtures/info-score/info_score_vectors.json', import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(path, 'utf8'));
const dayMs = 86_400_000;

const inputs = fc.record({
  interactionCount: fc.oneof(fc.nat(120), fc.nat(1_000_000)),
  timeSpanMs: fc.oneof(fc.nat(400 * dayMs), fc.integer({ min: -dayMs, max: 40_000 * dayMs })),
  assessmentCount: fc.oneof(fc.nat(20), fc.nat(100_000)),
});

describe('computeInfoScore', () => {
  it.each(vectors.examples)('LED-6 agrees with the golden example: $label', (example) => {
    const explained = explainInfoScore({
      interactionCount: example.interactions,
      timeSpanMs: example.days * dayMs,
      assessmentCount: example.assessments,
    });
    expect(explained.score).toBe(example.score);
    expect(explained.depth).toBeCloseTo(example.depth, 6);
    expect(explained.volume).toBeCloseTo(example.volume ?? 0, 6);
    expect(explained.span).toBeCloseTo(example.span ?? 0, 6);
    expect(explained.bonus).toBeCloseTo(example.bonus ?? 0, 6);
    expect(explained.limitedBy).toBe(example.limit);
  });

  it('LED-6 agrees with every point of the golden grid', () => {
    expect(vectors.grid).toHaveLength(1512);
    const computed = vectors.grid.map(([interactionCount, days, assessmentCount]) => [
      interactionCount,
      days,
      assessmentCount,
      computeInfoScore({ interactionCount, timeSpanMs: days * dayMs, assessmentCount }),
    ]);
    expect(computed).toEqual(vectors.grid);
  });

  it('LED-6 is an integer from 0 to 10, and 0 only for strangers', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { score, depth, bonus } = explainInfoScore(input);
        expect(Number.isInteger(score)).toBe(true);
        expect(score).toBeGreaterThanOrEqual(input.interactionCount > 0 ? 1 : 0);
        expect(score).toBeLessThanOrEqual(input.interactionCount > 0 ? 10 : 0);
        expect(score).toBe(computeInfoScore(input));
        expect(depth).toBeLessThanOrEqual(10);
        expect(bonus).toBeLessThanOrEqual(0.75);
      }),
      { numRuns: 2000 },
    );
  });

  it('LED-6 never falls when an argument rises', () => {
    fc.assert(
      fc.property(
        inputs,
        fc.constantFrom('interactionCount', 'timeSpanMs', 'assessmentCount'),
        fc.oneof(fc.nat(3), fc.nat(100 * dayMs)),
        (input, argument, more) => {
          const grown = { ...input, [argument]: input[argument] + more };
          expect(computeInfoScore(grown)).toBeGreaterThanOrEqual(computeInfoScore(input));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('LED-6 gives little to volume without time and to time without volume', () => {
    for (const interactionCount of [100, 10_000, 1_000_000]) {
      expect(
        computeInfoScore({ interactionCount, timeSpanMs: 3_600_000, assessmentCount: 1000 }),
      ).toBeLessThanOrEqual(2);
    }
    expect(
      computeInfoScore({ interactionCount: 2, timeSpanMs: 180 * dayMs, assessmentCount: 2 }),
    ).toBeLessThanOrEqual(1);
  });

  it('LED-6 takes negative counts for none, and rounds down; NaN is refused', () => {
    const score = (interactionCount: number, timeSpanMs: number, assessmentCount: number) =>
      computeInfoScore({ interactionCount, timeSpanMs, assessmentCount });
    expect(() => score(Number.NaN, dayMs, 0)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(score(-5, dayMs, 3)).toBe(0);
    expect(score(5, -1, -1)).toBe(score(5, 0, 0));
    expect(score(2.9, dayMs, 0)).toBe(score(2, dayMs, 0));
    expect(score(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0)).toBe(10);
  });
});
