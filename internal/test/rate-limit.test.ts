import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../src/index.ts';

describe('createRateLimit', () => {
  it('JOB-21 and REP-7: counts each key in windows of its own', () => {
    let now = 0;
    const limit = createRateLimit({ count: 2, perMs: 1_000, clock: () => now });
    expect(['a', 'a', 'a', 'b'].map((key) => limit.take(key))).toEqual([true, true, false, true]);
    now = 999;
    expect(limit.take('a')).toBe(false);
    now = 1_000;
    expect(limit.take('a')).toBe(true);
  });
});
