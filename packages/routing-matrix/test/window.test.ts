import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SampleWindow } from '../src/statistics/window.ts';

it('RTM-1 keeps the last samples and their nearest-rank quantiles', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (samples, size, q) => {
        const window = new SampleWindow(size);
        for (const sample of samples) window.push(sample);
        const sorted = samples.slice(-size).sort((a, b) => a - b);
        expect(window.count).toBe(sorted.length);
        // -0 and 0 are equal in order.
        const expected = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
        expect(window.quantile(q) === expected).toBe(true);
      },
    ),
  );
});
