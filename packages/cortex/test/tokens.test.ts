import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundTokens, cheapWords } from '../src/tokens.ts';
import { countTokens, hostileText } from './world/tokenizers.ts';

describe('boundTokens', () => {
  it('CTX-17 counts a frequent word as one token, and every one of them is', () => {
    const more = [...cheapWords].filter((word) => countTokens(`x ${word}`) !== countTokens('x') + 1);
    expect(more).toEqual([]);
  });

  it('CTX-9 CTX-17 is never below two real tokenizers on text of some length', () => {
    const long = fc.array(hostileText, { minLength: 5, maxLength: 10 }).map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(long, (text) => {
        expect(boundTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
      }),
      { numRuns: 200 },
    );
  });

  it('CTX-17 is at most twice the true number on ordinary English', () => {
    const text =
      'Four of five pieces of work ended well; check every result, and keep the stakes small until more is known.';
    expect(boundTokens(text)).toBeLessThanOrEqual(2 * countTokens(text));
  });
});
