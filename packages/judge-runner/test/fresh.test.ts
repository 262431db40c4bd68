import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawValue } from '../src/fresh/draw.ts';
import { createStream } from '../src/fresh/stream.ts';
import {
  type Artifact,
  type CaseGenerator,
  createJudge,
  decodeValue,
  encodeValue,
  type PytestSuite,
  parseSuite,
  type Value,
  type ValueSpec,
  type VectorSuite,
} from '../src/index.ts';
import { anySpec, meetsSpec } from './specs.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const python = (source: string): Artifact => ({ language: 'python', source });
const lists: CaseGenerator = {
  id: 'lists',
  layer: 'correctness',
  args: [{ list: { int: [-100, 100] }, length: [0, 8] }],
  count: 5,
};
const suite = (more: Partial<VectorSuite> = {}): VectorSuite => ({
  id: 'sorting',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: [{ id: 'known', layer: 'smoke', args: [[2, 1]], expect: [1, 2] }],
  generators: [lists],
  oracle: python('def solve(xs): return sorted(xs)'),
  ...more,
});
const right = python('def solve(xs):\n    out = list(xs)\n    out.sort()\n    return out');

describe('values', () => {
  it('JDG-6 every value that is drawn is what its spec says, and can be written', () => {
    fc.assert(
      fc.property(anySpec, fc.string(), fc.nat(), (spec, seed, index) => {
        const value = drawValue(spec, createStream(seed, 'g', index));
        expect(meetsSpec(value, spec)).toBe(true);
        expect(decodeValue(JSON.parse(JSON.stringify(encodeValue(value))))).toEqual(value);
      }),
    );
  });

  it('JDG-6 the same seed, generator and number draw the same, another one does not', () => {
    const spec: ValueSpec = { list: { int: [0, '1000000000000000000000'] }, length: 4 };
    const draw = (seed: string, generator: string, index: number) =>
      JSON.stringify(encodeValue(drawValue(spec, createStream(seed, generator, index))));
    expect(draw('s', 'g', 0)).toBe(draw('s', 'g', 0));
    expect(
      new Set([draw('s', 'g', 0), draw('t', 'g', 0), draw('s', 'h', 0), draw('s', 'g', 1), draw('sg', '', 0)])
        .size,
    ).toBe(5);
  });

  it('JDG-6 draws are even, and reach both ends', () => {
    const counts = new Map<Value, number>();
    for (let index = 0; index < 6000; index += 1) {
      const value = drawValue({ int: [-1, 1] }, createStream('even', 'g', index));
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((a, b) => Number(a) - Number(b))).toEqual([-1n, 0n, 1n]);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  it('JDG-6 what cannot be drawn is refused', () => {
    expect(() =>
      drawValue({ list: { int: [0, 1] }, length: 3, unique: true }, createStream('s', 'g', 0)),
    ).toThrow('no 3 unlike values');
    expect(drawValue({ set: { bool: true }, length: [0, 50] }, createStream('s', 'g', 1))).toMatchObject({
      type: 'set',
    });
  });
});

describe('fresh cases', () => {
  it('JDG-6 an honest program passes every run, one that knows the answers by heart passes none', async () => {
    const byHeart = python('def solve(xs): return {(2, 1): [1, 2]}.get(tuple(xs))');
    const verdicts = await Promise.all([
      judge.run({ artifact: right, suite: suite() }),
      judge.run({ artifact: right, suite: suite() }),
      judge.run({ artifact: byHeart, suite: suite() }),
    ]);
    expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['SUCCESS', 'SUCCESS', 'FAILURE']);
    const [first, second] = verdicts;
    expect(first?.tests.map((test) => test.id)).toEqual([
      'known',
      ...[0, 1, 2, 3, 4].map((index) => `lists#${index}`),
    ]);
    expect(first?.fresh?.seed).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.fresh?.seed).not.toBe(second?.fresh?.seed);
    expect(first?.fresh?.cases.map((test) => test.args)).not.toEqual(
      second?.fresh?.cases.map((test) => test.args),
    );
    expect(first?.fresh?.cases[0]).toMatchObject({ id: 'lists#0', layer: 'correctness' });
  });

  it('JDG-6 a run is repeated with its seed, and an injected random gives the seed', async () => {
    const first = await judge.run({ artifact: right, suite: suite(), fresh: { count: 3 } });
    const again = await judge.run({
      artifact: right,
      suite: suite(),
      fresh: { count: 3, seed: first.fresh?.seed ?? '' },
    });
    expect(first.fresh?.cases).toHaveLength(3);
    expect(again.fresh).toEqual(first.fresh);
    const seeded = createJudge({ sandbox: judge.sandbox, random: () => 0.5 });
    const verdict = await seeded.run({ artifact: right, suite: suite() });
    expect(verdict.fresh?.seed).toBe('80000000'.repeat(4));
    await seeded.close();
    const none = await judge.run({ artifact: right, suite: suite(), fresh: { count: 0 } });
    expect([none.fresh, none.tests.length]).toEqual([null, 1]);
  });

  it('JDG-6 inputs from the oracle, exceptions and conversions', async () => {
    const oracle = python(`
import random
def inputs(number):
    draw = random.Random(number)
    return [draw.randint(-3, 3), draw.randint(0, 1)]
def solve(a, b): return a // b
def chars(text): return set(text)
def wrong(x): return [x]
`);
    const generators: CaseGenerator[] = [
      { id: 'division', layer: 'edge', args: { from: 'inputs' }, raises: true, count: 12 },
      {
        ...{ id: 'letters', layer: 'correctness', fn: 'chars', as: 'sorted', count: 2 },
        args: [{ string: 'abc', length: [1, 5] }],
      },
    ];
    const asked = suite({ cases: [], generators, oracle });
    const good = await judge.run({ artifact: oracle, suite: asked, fresh: { seed: 'division' } });
    expect(good.outcome, JSON.stringify(good.tests)).toBe('SUCCESS');
    expect(good.fresh?.cases.some((test) => test.raises === 'ZeroDivisionError')).toBe(true);
    expect(good.fresh?.cases.some((test) => test.expect !== undefined)).toBe(true);
    const zero = python('def solve(a, b): return a // b if b else 0\ndef chars(t): return list(t)');
    const bad = await judge.run({ artifact: zero, suite: asked, fresh: { seed: 'division' } });
    expect(bad.outcome).toBe('FAILURE');
    const strict = suite({
      cases: [],
      oracle,
      generators: [{ id: 'division', layer: 'edge', args: { from: 'inputs' } }],
    });
    await expect(
      judge.run({ artifact: oracle, suite: strict, fresh: { seed: 'division', count: 50 } }),
    ).rejects.toMatchObject({ code: 'SUITE_INVALID' });
  });

  it('JDG-6 an oracle may be of the other language, or a function of this process', async () => {
    const javascript = suite({
      language: 'javascript',
      cases: [],
      oracle: python('def solve(xs): return sorted(xs)'),
    });
    const sort = {
      language: 'javascript',
      source: 'export const solve = (xs) => xs.toSorted((a, b) => a - b);',
    } as const;
    const text = { language: 'javascript', source: 'export const solve = (xs) => xs.toSorted();' } as const;
    const many = { seed: 'many', count: 20 };
    expect((await judge.run({ artifact: sort, suite: javascript, fresh: many })).outcome).toBe('SUCCESS');
    expect((await judge.run({ artifact: text, suite: javascript, fresh: many })).outcome).toBe('FAILURE');
    const { oracle: _oracle, ...without } = suite({ cases: [] });
    const local = await judge.run({
      artifact: python('def solve(xs): return len(xs)'),
      suite: without,
      fresh: {
        oracle: ({ args: [xs] }) =>
          BigInt(typeof xs === 'object' && xs?.type === 'list' ? xs.items.length : -1),
      },
    });
    expect(local.outcome).toBe('SUCCESS');
    await expect(judge.run({ artifact: right, suite: without })).rejects.toMatchObject({
      code: 'SUITE_INVALID',
    });
  });

  it('JDG-4 the oracle never shares a box with the artifact, and what is wrong with it is the suite’s fault', async () => {
    const spy = python(
      'import os\ndef solve(xs):\n    return [os.getuid(), sorted(os.listdir("/artifact")), open("/artifact/solution.py").read().count("or" + "acle")]',
    );
    const verdict = await judge.run({
      artifact: spy,
      suite: suite({ cases: [], oracle: python('# oracle\ndef solve(xs): return sorted(xs)') }),
    });
    expect(verdict.outcome).toBe('FAILURE');
    for (const entry of verdict.transcript) expect(entry.answer).toBe('[65534, ["solution.py"], 0]');
    const broken: [string, RegExp][] = [
      ['def solve(xs): raise ValueError(1)', /oracle raised ValueError/],
      ['import nothing', /cannot be loaded/],
      ['def other(xs): return 1', /has no solve/],
      ['def solve(xs): return object()', /not a plain value/],
      ['import os\ndef solve(xs): os._exit(0)', /ended/],
    ];
    for (const [source, reason] of broken)
      await expect(
        judge.run({ artifact: right, suite: suite({ oracle: python(source) }) }),
        source,
      ).rejects.toMatchObject({ code: 'SUITE_INVALID', message: expect.stringMatching(reason) });
  });

  it('JDG-6 a suite of pytest draws from the seed that the verdict names', async () => {
    const split: PytestSuite = {
      ...{ id: 'split', language: 'python', mode: 'split' },
      files: {
        'test_it.py':
          'import random, solution\ndef test_it(judge_seed):\n    draw = random.Random(judge_seed)\n    xs = [draw.random() for _ in range(9)]\n    print(judge_seed)\n    assert solution.solve(xs) == sorted(xs)',
      },
    };
    const [first, second, still] = await Promise.all([
      judge.run({ artifact: right, suite: split, fresh: {} }),
      judge.run({ artifact: right, suite: split, fresh: {} }),
      judge.run({ artifact: right, suite: split }),
    ]);
    expect([first?.outcome, second?.outcome, still?.outcome]).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect(first?.fresh?.cases).toEqual([]);
    expect(first?.transcript).not.toEqual(second?.transcript);
    expect(still?.fresh).toBeNull();
  });

  it('JDG-6 a suite says it in plain JSON, and what is no spec is refused', () => {
    expect(parseSuite(JSON.parse(JSON.stringify(suite())))).toEqual(suite());
    const refused: unknown[] = [
      { int: [2, 1] },
      { int: [0.5, 1] },
      { string: '', length: 1 },
      { list: { bool: true }, length: [0, 3], sorted: true },
      { list: { int: [0, 1] }, length: [3, 1] },
      { choice: [] },
      { number: [0, 1] },
      { const: { $int: 'x' } },
    ];
    for (const spec of refused)
      expect(
        () => parseSuite({ ...suite(), generators: [{ ...lists, args: [spec] }] }),
        JSON.stringify(spec),
      ).toThrow(expect.objectContaining({ code: 'SUITE_INVALID' }));
    const { oracle: _oracle, ...without } = suite();
    const wrong: unknown[] = [
      { ...without, generators: [{ ...lists, args: { from: 'inputs' } }] },
      { ...suite(), generators: [lists, lists] },
      suite({ cases: [{ id: 'lists#3', layer: 'edge', args: [], expect: 1 }] }),
      { ...without, cases: [], generators: [] },
    ];
    for (const input of wrong)
      expect(() => parseSuite(input), JSON.stringify(input)).toThrow(
        expect.objectContaining({ code: 'SUITE_INVALID' }),
      );
  });
});
