import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import type { VectorSuite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge({ concurrency: 8 });

const suite = (expect: VectorSuite['cases'][number]['expect'], tolerance?: number): VectorSuite => ({
  ...{ id: 'large', language: 'python', mode: 'vectors', entryPoint: 'solve' },
  cases: [
    {
      ...{ id: 'a', layer: 'correctness', args: [], expect: expect ?? null },
      ...(tolerance === undefined ? {} : { tolerance }),
    },
  ],
});
const hostile = [
  'def solve(): return {str(i): float(i) for i in range(240_000)}',
  'def solve(): return frozenset("x" * 900 + str(i) for i in range(9_000))',
  'def solve(): return [[1.5] * 1000] * 600',
  'def solve(): return "x" * 10_000_000',
];

describe('large answers', () => {
  it('are compared as small ones are, right and wrong ones (JDG-25)', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => index);
    const source = 'def solve(): return list(range(50_000))';
    const right = await judge.run({ artifact: { source }, suite: suite(many) });
    expect(right.outcome, right.summary).toBe('SUCCESS');
    const wrong = await judge.run({ artifact: { source }, suite: suite([...many.slice(1), 0]) });
    expect([wrong.outcome, wrong.errorKind]).toEqual(['FAILURE', null]);
  });

  it('that are hostile leave the event loop free, beside each other (JDG-25)', async () => {
    await judge.run({ artifact: { source: 'def solve(): return 1' }, suite: suite(1) });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const verdicts = await Promise.all(
      [...hostile, ...hostile].map((source) =>
        judge.run({ artifact: { source }, suite: suite({ a: 1.5 }, 0.1) }),
      ),
    );
    delay.disable();
    for (const verdict of verdicts) expect(verdict.outcome, verdict.summary).toMatch(/FAILURE|ERROR/);
    // The figure itself is printed by the bench of the release gate, on a quiet machine.
    expect(delay.percentile(50)).toBeGreaterThan(0);
  });
});
