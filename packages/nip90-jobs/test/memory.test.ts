import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const bench = fileURLToPath(new URL('../bench/open-jobs.bench.ts', import.meta.url));
const size = process.env.BONAFIDE_PROOF === 'full' ? 10_000 : 1_000;
/** What a client takes without any job, with what its process compiles and caches while it works. */
const baseMb = 12;
/** Less than the 100 MB that are required, so that a change which takes more is seen before it is too much. */
const limitMb = 85;

describe('the memory of open jobs at default settings', () => {
  it('stays under 100 MB for ten thousand, with one subscription of one filter (JOB-28, JOB-17)', () => {
    // A process of its own, so that nothing else is counted.
    const printed = execFileSync(
      process.execPath,
      [...process.execArgv, '--expose-gc', bench, String(size)],
      {
        encoding: 'utf8',
      },
    );
    const [, megabytes, subscriptions, filters, requestBytes] = (printed.trim().split('\n').at(-1) ?? '')
      .split('|')
      .slice(1)
      .map(Number);
    // The same share for fewer.
    expect(megabytes).toBeLessThan(baseMb + ((limitMb - baseMb) * size) / 10_000);
    expect([subscriptions, filters]).toEqual([1, 1]);
    expect(requestBytes).toBeLessThan(1_000);
  });
});
