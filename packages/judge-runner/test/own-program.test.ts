import { describe, expect, it } from 'vitest';
import type { Artifact, Suite } from '../src/index.ts';
import { javascript, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const pytest = (files: Readonly<Record<string, string>>, more: object = {}): Suite => ({
  ...{ id: 'own', language: 'python', mode: 'split', files },
  ...more,
});
const nodeTest = (files: Readonly<Record<string, string>>, more: object = {}): Suite => ({
  ...{ id: 'own', language: 'javascript', mode: 'split', files },
  ...more,
});
const right = {
  python: 'def double(x): return x + x\n',
  javascript: 'export const double = (x) => x + x;\n',
};
const wrong = {
  python: python('def double(x): return x * x\n'),
  javascript: javascript('export const double = (x) => x * x;\n'),
};
const tests = {
  python: (from: string) => `from ${from} import double\ndef test_it(): assert double(3) == 6\n`,
  javascript: (from: string) =>
    `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { double } from '${from}';\ntest('it', () => assert.equal(double(3), 6));\n`,
};

describe('a suite that has the program itself beside its tests', () => {
  // Tests would import the suite's own file, and every artifact would pass.
  it.each<[string, Artifact, Suite, string]>([
    [
      'solution.py',
      wrong.python,
      pytest({ 'test_it.py': tests.python('solution'), 'solution.py': right.python }),
      'test_it.py:1: imports nothing of the artifact',
    ],
    [
      'solution.py of a folder',
      wrong.python,
      pytest({ 'tests/test_it.py': tests.python('solution'), 'tests/solution.py': right.python }),
      'tests/test_it.py:1: imports nothing of the artifact',
    ],
    [
      'a package',
      { files: { 'calc/__init__.py': 'def double(x): return 0\n' } },
      pytest({ 'tests/test_it.py': tests.python('calc'), 'calc/__init__.py': right.python }),
      'tests/test_it.py:1: imports nothing of the artifact',
    ],
    [
      'solution.mjs',
      wrong.javascript,
      nodeTest({ 'it.test.mjs': tests.javascript('./solution.mjs'), 'solution.mjs': right.javascript }),
      'it.test.mjs: imports nothing of the artifact',
    ],
    [
      'a module of a folder',
      { language: 'javascript', files: { 'src/calc.js': 'exports.double = () => 0;\n' } },
      nodeTest({
        'test/it.js': tests.javascript('../src/calc.js'),
        'src/calc.js': 'exports.double = (x) => x + x;\n',
      }),
      'test/it.js: imports nothing of the artifact',
    ],
  ])(
    'is refused by file, with a reference and without: %s (JDG-18, JDG-19)',
    async (_, artifact, suite, place) => {
      const own = suite.language === 'python' ? python(right.python) : javascript(right.javascript);
      for (const each of [suite, { ...suite, reference: own } as Suite])
        await expect(judge.run({ artifact, suite: each })).rejects.toMatchObject({
          code: expect.stringMatching(/^SUITE_(?:UNSUPPORTED|INVALID)$/),
          message: expect.stringContaining(place),
        });
    },
  );

  it('lets no wrong program pass where the author of the suite named the tests (JDG-19)', async () => {
    const suite = nodeTest(
      { 'it.test.mjs': tests.javascript('./solution.mjs'), 'solution.mjs': right.javascript },
      { tests: [{ id: 'it.test.mjs::it', layer: 'correctness' }] },
    );
    const verdict = await judge.run({ artifact: wrong.javascript, suite });
    expect(verdict.outcome).toBe('FAILURE');
    expect(verdict.tests[0]?.reason).toContain('imports nothing of the artifact');
  });

  it.each<[string, Artifact, Suite]>([
    [
      'a helper that imports the artifact',
      python(right.python),
      pytest({
        'tests/test_it.py': 'from helper import check\ndef test_it(): check(3)\n',
        'tests/helper.py': 'from solution import double\ndef check(x): assert double(x) == x + x\n',
      }),
    ],
    [
      'a file of the same name that no import finds',
      python(right.python),
      pytest({ 'test_it.py': tests.python('solution'), 'data/solution.py': 'def double(x): return 0\n' }),
    ],
    [
      'an oracle beside the artifact',
      { files: { 'calc.py': right.python } },
      pytest({
        'test_it.py': 'import calc, solution\ndef test_it(): assert calc.double(3) == solution.double(3)\n',
        'solution.py': right.python,
      }),
    ],
    [
      'a module that is loaded by name',
      python(right.python),
      pytest({
        'test_it.py': 'from helper import load\ndef test_it(): assert load().double(3) == 6\n',
        'helper.py': "import importlib\ndef load(): return importlib.import_module('solution')\n",
      }),
    ],
    [
      'a helper of node:test that imports the artifact',
      javascript(right.javascript),
      nodeTest({
        'it.test.mjs':
          "import { test } from 'node:test';\nimport { check } from './helper.mjs';\ntest('it', () => check(3));\n",
        'helper.mjs':
          "import assert from 'node:assert';\nimport { double } from 'solution';\nexport const check = (x) => assert.equal(double(x), x + x);\n",
      }),
    ],
  ])('is none for %s (JDG-21)', async (_, artifact, suite) => {
    const verdict = await judge.run({ artifact, suite });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
  });
});
