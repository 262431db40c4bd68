import { describe, expect, it } from 'vitest';
import type { Artifact, NodeTestSuite, PytestSuite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const python = (tests: string, more: Partial<PytestSuite> = {}): PytestSuite => ({
  ...{ id: 'imports', language: 'python', mode: 'split', files: { 'test_it.py': tests } },
  ...more,
});
const node = (tests: string): NodeTestSuite => ({
  ...{ id: 'imports', language: 'javascript', mode: 'split', files: { 'a.test.mjs': tests } },
});
const double: Artifact = { language: 'python', source: 'def double(x): return x + x\n' };
const isRight = 'from solution import double\ndef test_it(): assert double(2) == 4\n';

describe('a package that a suite imports and does not declare', () => {
  it.each([
    ['numpy', 'numpy', `import numpy\n${isRight}`],
    ['hypothesis', 'hypothesis', `from hypothesis import given, strategies\n${isRight}`],
    ['yaml', 'pyyaml', `import yaml.nodes as n\n${isRight}`],
  ])('refuses the suite before anybody is judged: %s (JDG-18, JDG-22)', async (module, named, tests) => {
    for (const mode of ['split', 'same-process'] as const)
      await expect(judge.run({ artifact: double, suite: python(tests, { mode }) })).rejects.toMatchObject({
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringMatching(
          new RegExp(
            `^The suite needs [^\n]*\ntest_it.py:1: imports ${module},.* add ${named} to \`python.packages\`$`,
            'u',
          ),
        ),
      });
    expect(await judge.checkSuite(python(tests))).toMatchObject({
      ...{ usable: false, imports: ['solution'] },
      unsupported: [{ file: 'test_it.py', line: 1, construct: expect.stringContaining(`imports ${module}`) }],
    });
  });

  it('refuses suites of node:test, and names test tools that are not taken (JDG-18, JDG-22)', async () => {
    const artifact = { source: 'export const double = (x) => 2 * x;' };
    const own =
      "import { test } from 'node:test';\nimport { double } from 'solution';\ntest('a', () => double(1));\n";
    await expect(
      judge.run({ artifact, suite: node(`import { add } from 'lodash/fp';\n${own}`) }),
    ).rejects.toMatchObject({
      ...{
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining('a.test.mjs:1: imports lodash/fp, which'),
      },
    });
    const vitest = node(own.replace('{ test }', '{ test, expect }').replace('node:test', 'vitest'));
    await expect(judge.run({ artifact, suite: vitest })).rejects.toMatchObject({
      ...{
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining("import test and describe from 'node:test'"),
      },
    });
    await expect(judge.run({ artifact, suite: node("import 'solution';") })).rejects.toMatchObject({
      ...{
        code: 'SUITE_INVALID',
        message: expect.stringContaining("a call of test() or it() of 'node:test'"),
      },
    });
  });

  it('is the artifact where it has a module of that name, or where the tests can do without (JDG-21, JDG-22)', async () => {
    const files = { 'solution.py': 'def double(x): return x + x\n', 'numpy.py': 'ONE = 1\n' };
    const both = python(`from numpy import ONE\n${isRight}`);
    expect((await judge.run({ artifact: { files }, suite: both })).outcome).toBe('SUCCESS');
    const without = python(`try:\n    import numpy\nexcept ImportError:\n    numpy = None\n${isRight}`);
    expect((await judge.run({ artifact: double, suite: without })).outcome).toBe('SUCCESS');
    // A suite of the package itself.
    const itself = python('import requests\ndef test_it(): assert requests.get() == 1\n');
    const fork = { files: { 'requests.py': 'def get(): return 1\n' } };
    expect((await judge.run({ artifact: fork, suite: itself })).outcome).toBe('SUCCESS');
    expect((await judge.run({ artifact: double, suite: itself })).outcome).toBe('FAILURE');
  });

  // Several, of which a machine has some beside its pytest.
  it.each(['attr', 'more_itertools', 'yaml'])(
    'is never the %s of this machine in the place of the artifact (JDG-17, JDG-19)',
    async (name) => {
      const program = (content: string): Artifact => ({
        ...{ language: 'python', files: { [`${name}/__init__.py`]: content } },
      });
      const right = program("def parse(text): return text.split(',')\n");
      const suite = python(`import ${name}\ndef test_it(): assert ${name}.parse('a,b') == ['a', 'b']\n`);
      for (const each of [suite, { ...suite, reference: right } as PytestSuite]) {
        expect(await judge.run({ artifact: right, suite: each })).toMatchObject({ outcome: 'SUCCESS' });
        expect(await judge.run({ artifact: program(''), suite: each })).toMatchObject({ passRate: 0 });
      }
      // Where nothing but the package's own names are used, every artifact would pass.
      const importing = python(`import ${name}\ndef test_it(): assert ${name}.__name__ == '${name}'\n`);
      expect(
        await judge.run({ artifact: double, suite: importing }).catch(({ code }) => code),
      ).not.toMatchObject({ outcome: 'SUCCESS' });
    },
  );

  it('fails an artifact that lacks what the reference has, and refuses what the reference lacks as well (JDG-18)', async () => {
    const files = { 'solution.py': 'def double(x): return x + x\n', 'numpy.py': 'ONE = 1\n' };
    const tests = `from numpy import ONE\n${isRight}`;
    const suite = python(tests, { reference: { files } });
    expect((await judge.run({ artifact: double, suite })).outcome).toBe('FAILURE');
    const lacking = python(tests.replace('numpy', 'acme'), { reference: double });
    const refusal = {
      ...{
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining('test_it.py:1: imports acme, which the reference does not have'),
      },
    };
    await expect(judge.run({ artifact: double, suite: lacking })).rejects.toMatchObject(refusal);
    await expect(judge.checkSuite(lacking)).rejects.toMatchObject(refusal);
  });

  it('says both where nothing tells a module of the artifact from a package (JDG-18, JDG-21)', async () => {
    const { outcome, summary, tests } = await judge.run({
      artifact: double,
      suite: python(`import acme\n${isRight}`),
    });
    expect([outcome, summary]).toEqual(['FAILURE', '0 of 1 tests passed.']);
    expect(tests[0]?.reason).toMatch(
      /has no module acme; if the suite means a package, .* `python\.packages`\)$/u,
    );
  });
});

describe('tests that stand within the package that they test', () => {
  const files = {
    'acme/tests/__init__.py': '',
    'acme/tests/helpers.py': 'def is_four(x): return x == 4\n',
    'acme/checks.py': 'def is_four(x): return x == 4\n',
    'acme/tests/test_it.py': `import acme, acme.checks
from acme import checks, double
from acme.tests import helpers
from .helpers import is_four
from ..core import half
from .. import checks as own
def test_package(): assert acme.double(3) == 6 and half(8) == 4
def test_helpers(): assert helpers.is_four(double(2)) and is_four(double(2))
def test_folder(): assert checks.is_four(double(2)) and own.is_four(double(2)) and acme.checks.is_four(double(2))
`,
  };
  const suite: PytestSuite = { id: 'inner', language: 'python', mode: 'split', files };
  const right: Artifact = {
    files: {
      'acme/__init__.py': 'from .core import half\ndef double(x): return 2 * x\n',
      'acme/core.py': 'def half(x): return x // 2\n',
    },
  };
  const yes = 'def is_four(x): return True\n';
  const wrong: Artifact = {
    files: {
      'acme/__init__.py': 'from . import checks\nfrom .core import half\ndef double(x): return 5\n',
      'acme/core.py': 'def half(x): return 4\n',
      ...{ 'acme/checks.py': yes, 'acme/tests/__init__.py': '', 'acme/tests/helpers.py': yes },
    },
  };

  it('find the package, and their own files before those of the artifact (JDG-19, JDG-21)', async () => {
    for (const each of [suite, { ...suite, reference: right }]) {
      expect(await judge.run({ artifact: right, suite: each })).toMatchObject({ outcome: 'SUCCESS' });
      expect(await judge.run({ artifact: wrong, suite: each })).toMatchObject({ passRate: 0 });
    }
  });

  it('are not those of a folder whose name an artifact has taken (JDG-17, JDG-19)', async () => {
    const tests = {
      'tests/helpers.py': 'def is_four(x): return x == 4\n',
      'tests/test_it.py':
        'from tests import helpers\nfrom solution import double\ndef test_it(): assert helpers.is_four(double(2))\n',
    };
    const taken: Artifact = {
      files: {
        'solution.py': 'def double(x): return 5\n',
        'tests/__init__.py': 'class helpers:\n    is_four = staticmethod(lambda x: True)\n',
      },
    };
    const own: PytestSuite = { ...suite, files: tests };
    expect(await judge.run({ artifact: double, suite: own })).toMatchObject({ outcome: 'SUCCESS' });
    expect(await judge.run({ artifact: taken, suite: own })).toMatchObject({ passRate: 0 });
  });
});

describe('a plugin of pytest that a suite uses and does not declare', () => {
  const tests = `import pytest
from solution import double
@pytest.mark.asyncio
async def test_later(): assert double(2) == 4
def test_mock(mocker): assert double(mocker.two()) == 4
@pytest.mark.parametrize('x', [2])
def test_plain(x, tmp_path): assert double(x) == 4
@pytest.mark.skip(reason='no time')
def test_skipped(): pass
`;

  it('refuses the suite by test, unless the suite names other tests (JDG-18, JDG-22)', async () => {
    await expect(judge.run({ artifact: double, suite: python(tests) })).rejects.toMatchObject({
      ...{
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining('add pytest-asyncio to `python.packages`'),
      },
    });
    const checked = await judge.checkSuite(python(tests));
    expect(checked.unsupported.map(({ line, construct }) => [line, construct])).toEqual([
      [3, expect.stringMatching(/^is an async test, which no plugin runs: /u)],
      [5, expect.stringMatching(/^asks for the fixture mocker, .* add pytest-mock to /u)],
    ]);
    const plain = { id: 'test_it.py::test_plain[2]', layer: 'correctness' } as const;
    const verdict = await judge.run({ artifact: double, suite: python(tests, { tests: [plain] }) });
    expect(verdict.outcome).toBe('SUCCESS');
  });

  it('is named in the reason of a test that the reference fails, as is why a test was skipped (JDG-18)', async () => {
    const { failing } = await judge.checkSuite(python(tests, { reference: double }));
    expect(failing.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^it is an async test, .*pytest-asyncio/u),
      expect.stringMatching(/^it asks for the fixture mocker, .*pytest-mock/u),
      'it was skipped, which is no pass: no time',
    ]);
  });

  it('may be one of the suite (JDG-21)', async () => {
    const conftest = `import asyncio
def pytest_pyfunc_call(pyfuncitem):
    if asyncio.iscoroutinefunction(pyfuncitem.obj):
        asyncio.run(pyfuncitem.obj())
        return True
`;
    const files = {
      'conftest.py': conftest,
      'test_it.py': 'from solution import double\nasync def test_it(): assert double(2) == 4\n',
    };
    expect(await judge.run({ artifact: double, suite: python('', { files }) })).toMatchObject({
      outcome: 'SUCCESS',
    });
  });
});

describe('an artifact with other names than a suite imports', () => {
  it('is told so in one sentence (JDG-21, X-4)', async () => {
    const suite = python(
      'from board import f\ndef test_a(): assert f() == 1\ndef test_b(): assert f() == 1\n',
    );
    const { outcome, summary } = await judge.run({ artifact: double, suite });
    expect([outcome, summary]).toEqual([
      'FAILURE',
      '0 of 2 tests passed. The suite imports board, and the artifact is solution.py: rename it, or give a folder.',
    ]);
    const queue = node(
      "import { test } from 'node:test';\nimport { f } from './queue.js';\ntest('a', () => f());\n",
    );
    const artifact = { files: { 'list.js': 'export const f = () => 1;' } };
    expect((await judge.run({ artifact, suite: queue })).summary).toBe(
      '0 of 1 tests passed. The suite imports ./queue.js, and the artifact is list.js: rename it, or give a folder.',
    );
    const renamed = { files: { 'queue.js': artifact.files['list.js'] } };
    expect((await judge.run({ artifact: renamed, suite: queue })).summary).toBe('1 of 1 tests passed.');
  });
});
