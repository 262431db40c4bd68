import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attackRow, runReviewAttacks } from './review-attacks.ts';

const guide = readFileSync(new URL('../../../docs/guides/web-of-trust.md', import.meta.url), 'utf8');

describe('attacks on reviews', () => {
  it.each(runReviewAttacks().map((one) => [one.attack, one] as const))(
    'REP-6 %s: own experience outranks it, and the result is the one in the guide',
    (_, one) => {
      for (const { own, before, after } of one.results) {
        if (own === null) continue;
        const [trust, infoScore] = own;
        const mine = (trust + 10) / 20;
        // Hearsay moves own experience by 30 % of the difference at most, less with more experience.
        const most = 0.3 * (1 - infoScore / 10);
        for (const score of [before, after]) expect(Math.abs(score - mine)).toBeLessThanOrEqual(most + 1e-9);
        expect(Math.sign(after - 0.5)).toBe(Math.sign(mine - 0.5));
      }
      expect(guide).toContain(attackRow(one));
    },
  );
});
