import { describe, expect, it } from 'vitest';
import {
  type BoxSpec,
  createJudge,
  JudgeError,
  type NodeTestSuite,
  type PytestSuite,
  type Sandbox,
  type Suite,
  type VectorSuite,
  type Verdict,
} from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const used = useJudge();
const suite: VectorSuite = {
  ...{ id: 'repeated', language: 'python', mode: 'vectors', entryPoint: 'solve' },
  cases: [{ id: 'a', layer: 'correctness', args: [2], expect: 4 }],
};
const split: PytestSuite = {
  ...{ id: 'split', language: 'python', mode: 'split' },
  files: { 'test_it.py': 'from solution import solve\ndef test_it(): assert solve(2) == 4\n' },
};
const right = 'def solve(x): return x + x  # judged\n';
const wrong = 'def solve(x): return x  # judged\n';
const crashing = 'import os\ndef solve(x): os.abort()  # judged\n';

const isJudged = ({ artifact }: BoxSpec): boolean =>
  artifact !== null && 'source' in artifact && artifact.source.includes('# judged');
const isKnown = ({ artifact }: BoxSpec): boolean => artifact !== null && !isJudged({ artifact } as BoxSpec);

/**
 * Judges with real boxes of which some fail.
 * @param fault - Says for the nth box of its kind what is opened in its place, or throws.
 */
async function judged(
  artifact: string,
  own: Suite,
  fault: (
    spec: BoxSpec,
    count: { readonly judged: number; readonly known: number; readonly tester: number },
  ) => BoxSpec,
) {
  const count = { judged: 0, known: 0, tester: 0 };
  const sandbox: Sandbox = {
    name: 'faulty',
    async open(spec) {
      count[isJudged(spec) ? 'judged' : isKnown(spec) ? 'known' : 'tester'] += 1;
      return used.sandbox.open(fault(spec, count));
    },
    close: async () => {},
  };
  const judge = createJudge({ sandbox });
  try {
    const verdict = await judge.run({ artifact: { language: 'python', source: artifact }, suite: own });
    return { verdict, count };
  } catch (error) {
    return { error, count };
  } finally {
    await judge.close();
  }
}
const outcomes = ({ verdict }: { verdict?: Verdict }) => [verdict?.outcome, verdict?.errorKind];
const asCrashing = (spec: BoxSpec): BoxSpec => ({
  ...spec,
  artifact: { language: 'python', source: crashing },
});
const infra = () => new JudgeError('INFRA', 'A mount is missing');

describe.each([
  ['vectors', suite],
  ['split', split],
] as const)('an abnormal end of a box, %s', (_mode, own) => {
  it('is repeated once in a fresh box before it counts (JDG-20)', async () => {
    const once = await judged(right, own, (spec, { judged: n }) =>
      isJudged(spec) && n === 1 ? asCrashing(spec) : spec,
    );
    expect(outcomes(once)).toEqual(['SUCCESS', null]);
    expect(once.count.judged).toBe(2);
    const each = await judged(crashing, own, (spec) => spec);
    expect(outcomes(each)).toEqual(['ERROR', 'crash']);
    expect(each.count.judged).toBe(2);
    const failing = await judged(wrong, own, (spec) => spec);
    expect(outcomes(failing)).toEqual(['FAILURE', null]);
    expect(failing.count.judged).toBe(1);
  });

  it('that is the judge’s own is repeated after the known programs, whose boxes are made again (JDG-20)', async () => {
    const once = await judged(right, own, (spec, { judged: n }) => {
      if (isJudged(spec) && n === 1) throw infra();
      return spec;
    });
    expect(outcomes(once)).toEqual(['SUCCESS', null]);
    expect(once.count).toMatchObject({ judged: 2, known: 4 });
  });

  it('that comes with one artifact only ends in a verdict (JDG-20)', async () => {
    const each = await judged(right, own, (spec) => {
      if (isJudged(spec)) throw infra();
      return spec;
    });
    expect(outcomes(each)).toEqual(['ERROR', 'crash']);
    expect(each.verdict?.tests.map(({ status }) => status)).toEqual(['not-run']);
    expect(each.verdict?.layers).toMatchObject([{ passed: 0, notRun: 1 }]);
    expect(each.verdict?.passRate).toBe(0);
  });

  it('that the known programs share is thrown as INFRA (JDG-20)', async () => {
    const broken = await judged(right, own, (spec, { judged: n }) => {
      if (n > 0 && (isJudged(spec) || isKnown(spec))) throw infra();
      return spec;
    });
    expect(broken.error).toMatchObject({ code: 'INFRA' });
  });
});

describe('what an artifact lacks', () => {
  it('is its failure, in Python (JDG-20)', async () => {
    const missing: PytestSuite = {
      ...split,
      files: {
        'test_a.py':
          'from mypkg.core import f\nimport mypkg.other as other\ndef test_a(): assert f(1) == other.g(1)\n',
        'test_b.py': 'def test_b(): assert True\n',
      },
    };
    for (const artifact of [
      { language: 'python', source: right },
      { language: 'python', files: { 'other.py': '' } },
      { language: 'python', files: { 'mypkg/__init__.py': '' } },
      { language: 'python', files: { 'mypkg.py': 'def f(x): return x\n' } },
    ] as const) {
      const verdict = await used.run({ artifact, suite: missing });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('FAILURE');
      expect(verdict.tests.find(({ id }) => id === 'test_a.py::test_a')?.reason).toMatch(
        /mypkg|cannot import/,
      );
    }
    const files = { 'mypkg/__init__.py': '', 'mypkg/core.py': 'f = abs\n', 'mypkg/other.py': 'g = abs\n' };
    const complete = await used.run({ artifact: { language: 'python', files }, suite: missing });
    expect(complete.outcome, JSON.stringify(complete.tests)).toBe('SUCCESS');
  });

  it('is its failure, in JavaScript (JDG-20)', async () => {
    const missing: NodeTestSuite = {
      ...{ id: 'missing', language: 'javascript', mode: 'split' },
      files: {
        'test/it.test.mjs':
          "import test from 'node:test';\nimport assert from 'node:assert';\nimport { f } from '../lib/core.js';\nimport g from 'mypkg';\ntest('it', () => assert.equal(f(1), g(1)));\n",
      },
    };
    for (const files of [
      { 'solution.js': 'export const f = 1;' },
      { 'lib/core.js': 'export const f = (x) => x;' },
      { 'package.json': '{"name":"mypkg"}', 'index.js': 'export default (x) => x;' },
    ]) {
      const verdict = await used.run({ artifact: { language: 'javascript', files }, suite: missing });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('FAILURE');
    }
    const files = {
      'package.json': '{"name":"mypkg","type":"module"}',
      'index.js': 'export default (x) => x;',
      'lib/core.js': 'export const f = (x) => x;',
    };
    const complete = await used.run({ artifact: { language: 'javascript', files }, suite: missing });
    expect(complete.outcome, JSON.stringify(complete.tests)).toBe('SUCCESS');
  });

  it.each([
    ['a file where another has its folder', { 'solution.py': '', 'solution.py/x.py': '' }],
    ['a name that no file system can hold', { [`${'ü'.repeat(150)}.py`]: '' }],
    ['half a character', { 'a\ud800.py': '' }],
  ])('%s is refused before anything runs (JDG-20)', async (_name, files) => {
    await expect(used.run({ artifact: { language: 'python', files }, suite: split })).rejects.toMatchObject({
      code: 'ARTIFACT_INVALID',
    });
  });
});
