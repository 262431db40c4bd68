import { describe, expect, it } from 'vitest';
import type { ProgramSuite, PytestSuite, VectorSuite, Verdict } from '../src/index.ts';
import { measured, usualCpuOfTurns } from './turns.ts';
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
const passedOn: PytestSuite = {
  ...{ id: 'passed on', language: 'python', mode: 'split' },
  files: {
    'test_it.py':
      'from solution import solve\ndef test_it():\n    first = solve()\n    assert first == solve(first) == 3\n',
  },
};
const hostile = [
  'def solve(*a): return {str(i): float(i) for i in range(240_000)}',
  'def solve(*a): return frozenset("x" * 900 + str(i) for i in range(9_000))',
  'def solve(*a): return [[1.5] * 1000] * 600',
  'def solve(*a): return "x" * 10_000_000',
];

const program = (
  test: Omit<ProgramSuite['cases'][number], 'id' | 'layer'>,
  build?: string,
): ProgramSuite => ({
  ...{ id: 'program', mode: 'program', language: 'python', run: ['python3', 'solution.py'] },
  ...(build === undefined ? {} : { build: ['python3', '-c', build] }),
  cases: [{ id: 'a', layer: 'correctness', ...test }],
});
/** What programs print, write and leave behind when they are built. */
const hostilePrograms: readonly (readonly [string, ProgramSuite])[] = [
  ['print("1 " * 4_500_000)', program({ match: 'tokens', expect: { stdout: '1' } })],
  ['print("[" + "[]," * 3_000_000 + "1]")', program({ match: 'json', expect: { stdout: '1' } })],
  ['print("1" * 9_000_000 + "x")', program({ match: 'tokens', expect: { stdout: '2' } })],
  ['print("\\n" * 9_000_000)', program({ expect: { stdout: '1' } })],
  ['print("a" * 40)', program({ match: 'pattern', expect: { stdout: '(a|a)*b' } })],
  ['print(1)', program({ expect: { stdout: '2' } }, 'open("big", "wb").write(b"x" * 90_000_000)')],
];

describe('large answers', measured, () => {
  it('are compared as small ones are, right and wrong ones (JDG-25)', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => index);
    const source = 'def solve(): return list(range(50_000))';
    const right = await judge.run({ artifact: { source }, suite: suite(many) });
    expect(right.outcome, right.summary).toBe('SUCCESS');
    const wrong = await judge.run({ artifact: { source }, suite: suite([...many.slice(1), 0]) });
    expect([wrong.outcome, wrong.errorKind]).toEqual(['FAILURE', null]);
  });

  it('that are expected take no long turn for a short answer either (JDG-25)', async () => {
    const expect200k = Array.from({ length: 200_000 }, (_, index) => index);
    const own: VectorSuite = {
      ...suite(1),
      cases: Array.from({ length: 8 }, (_, index) => ({
        ...{ id: `${index}`, layer: 'correctness' as const, args: [], expect: expect200k },
      })),
    };
    const cpu = await usualCpuOfTurns(async () => {
      const { outcome } = await judge.run({ artifact: { source: 'def solve(): return 1' }, suite: own });
      expect(outcome).toBe('FAILURE');
    });
    // Decoded in this thread, each of the eight took 30 to 60 ms.
    expect(cpu(0.99)).toBeLessThan(20);
  });

  it.each([
    ['vectors', suite({ a: 1.5 }, 0.1), [...hostile, ...hostile]],
    ['split', passedOn, hostile],
  ] as const)(
    'that are hostile leave the event loop free, beside each other, %s (JDG-25)',
    async (_mode, own, sources) => {
      await judge.run({ artifact: { source: 'def solve(*a): return 1' }, suite: own });
      const verdicts: Verdict[] = [];
      const cpu = await usualCpuOfTurns(async () => {
        verdicts.push(
          ...(await Promise.all(sources.map((source) => judge.run({ artifact: { source }, suite: own })))),
        );
      });
      for (const verdict of verdicts) expect(verdict.outcome, verdict.summary).toMatch(/FAILURE|ERROR/);
      expect(cpu(0.99)).toBeLessThan(20);
      // Parsed and compared in this thread, some turns took 250 to 400 ms.
      expect(cpu(0.999)).toBeLessThan(100);
    },
  );

  it.each([
    ['the largest texts', suite(1), 8, 'def solve(): return "x" * 15_000_000', 'FAILURE', null],
    ['texts beyond ASCII', suite(1), 8, 'def solve(): return "\\u00e9" * 2_500_000', 'FAILURE', null],
    ['lists that are passed on and back', passedOn, 3, 'def solve(*a): return [1.5] * 1_000_000', '', null],
    ['floods of lines', suite(1), 8, 'import os\nos.write(4, b"1\\n" * 8_000_000)', 'ERROR', 'protocol'],
    [
      ...['drops', suite(1), 8],
      'import os\ndef solve():\n    while True: os.write(4, b"1")',
      ...['ERROR', 'timeout'],
    ],
  ] as const)(
    'that are %s take no long turn of the event loop, beside each other (JDG-25)',
    async (_name, own, count, source, outcome, kind) => {
      await judge.run({ artifact: { source: 'def solve(*a): return 1' }, suite: own });
      const verdicts: Verdict[] = [];
      const limits = { wallMs: kind === 'timeout' ? 3000 : 600_000 };
      const cpu = await usualCpuOfTurns(async () => {
        const runs = Array.from({ length: count }, () =>
          judge.run({ artifact: { source }, suite: own, limits }),
        );
        verdicts.push(...(await Promise.all(runs)));
      });
      for (const verdict of verdicts)
        if (outcome !== '')
          expect([verdict.outcome, verdict.errorKind], verdict.summary).toEqual([outcome, kind]);
      // Joined and decoded in this thread, the longest took 45 to 380 ms.
      expect(cpu(1)).toBeLessThan(40);
    },
  );

  it('of programs and builds leave the event loop free, beside each other (JDG-23, JDG-25)', async () => {
    const verdicts: Verdict[] = [];
    const cpu = await usualCpuOfTurns(async () => {
      const runs = [...hostilePrograms, ...hostilePrograms.slice(0, 2)].map(([source, own]) =>
        judge.run({ artifact: { source }, suite: own }),
      );
      verdicts.push(...(await Promise.all(runs)));
    });
    for (const verdict of verdicts) expect(verdict.outcome, verdict.summary).toMatch(/FAILURE|ERROR/);
    expect(cpu(0.99)).toBeLessThan(20);
    // Parsed and compared in this thread, some turns took seconds.
    expect(cpu(0.999)).toBeLessThan(200);
  });

  it('to the request to load an artifact are read as others are (JDG-25)', async () => {
    const source =
      'import os\nos.write(4, (\'{"id": 0, "value": [\' + ",".join(["[]"] * 3_000_000) + "]}\\n").encode())\nwhile True: pass\n';
    const cpu = await usualCpuOfTurns(async () => {
      const verdict = await judge.run({ artifact: { source }, suite: suite(1), limits: { wallMs: 5000 } });
      expect(verdict.outcome, verdict.summary).toBe('ERROR');
    });
    expect(cpu(0.999)).toBeLessThan(100);
  });
});
