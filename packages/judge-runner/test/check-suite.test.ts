import { describe, expect, it } from 'vitest';
import type { CheckProgress, PytestSuite, VectorSuite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const reference = {
  language: 'python',
  source: `
class Vector:
    def __init__(self, x): self.x = x
    def __add__(self, o): return Vector(self.x + (o.x if isinstance(o, Vector) else o))
    def __eq__(self, o): return isinstance(o, Vector) and self.x == o.x
    def __abs__(self): return abs(self.x)
    def __lt__(self, o): return self.x < o.x
def double(v): return v + v
def near(x): return x / 3
def clamp(x): return 10 if x > 10 else x
`,
} as const;
const suite = (tests: string, more: Partial<PytestSuite> = {}): PytestSuite => ({
  ...{ id: 'checked', language: 'python', mode: 'split', files: { 'test_it.py': tests } },
  ...more,
});
const arithmetic = `
from solution import Vector, clamp, double, near
def test_add(): assert Vector(1) + 2 == Vector(3)
def test_double(): assert abs(double(Vector(2))) == 4 and Vector(1) < Vector(2)
def test_near(): assert abs(near(1) - 0.333333) < 1e-5
def test_clamp(): assert clamp(5) == 5 and clamp(99) == 10 and clamp(10) == 10
`;

describe('a suite with a reference', () => {
  it('relays arithmetic, comparison and conversion where the reference used them (JDG-17, JDG-18)', async () => {
    const own = suite(arithmetic, { reference });
    const right = await judge.run({ artifact: reference, suite: own });
    expect(right.outcome, JSON.stringify(right.tests)).toBe('SUCCESS');
    // The same object where the reference answered a number.
    const lying = `${reference.source}
class Y(Vector):
    def __init__(self): self.x = 0
    def __sub__(self, o): return 0.0
    def __abs__(self): return 0.0
def near(x): return Y()
`;
    const wrong = await judge.run({ artifact: { source: lying }, suite: own });
    expect(wrong.tests.find((test) => test.id.endsWith('test_near'))?.reason).toContain('answered an object');
    expect(wrong.outcome).toBe('FAILURE');
  });

  it('names the lines that need it in the same suite without one, before anything runs (JDG-17, JDG-21)', async () => {
    const without = suite(arithmetic);
    const { warnings } = await judge.checkSuite(without);
    const { tests } = await judge.run({ artifact: reference, suite: without });
    const failed = tests.filter(({ status }) => status !== 'passed').map(({ id }) => id);
    expect(failed).toEqual(['test_it.py::test_double']);
    expect(warnings.map(({ line }) => line)).toEqual(expect.arrayContaining([3, 4]));
    const named = suite(arithmetic, { objects: ['Vector'], remoteEq: true });
    const verdict = await judge.run({ artifact: reference, suite: named });
    expect(verdict.tests.filter((test) => test.status === 'passed').length).toBeGreaterThanOrEqual(3);
  });

  it('is checked: shapes, mutants that survive, and a suite that is usable (JDG-18)', async () => {
    const told: CheckProgress[] = [];
    const checked = await judge.checkSuite(suite(arithmetic, { reference }), {
      mutants: 12,
      onProgress: (progress) => told.push(progress),
    });
    expect(told.slice(0, 3)).toEqual([0, 1, 2].map((done) => ({ of: 'reference', done, total: 3 })));
    expect(told.slice(3)).toEqual(
      Array.from({ length: checked.mutants + 1 }, (_, done) => ({
        of: 'mutants',
        done,
        total: checked.mutants,
      })),
    );
    expect(checked).toMatchObject({ usable: true, tests: 4, failing: [], flaky: [], unsupported: [] });
    expect(checked.mutants).toBeGreaterThan(5);
    expect(checked.shapes.some((place) => place.endsWith(':arithmetic'))).toBe(true);
    const weak = suite('from solution import near\ndef test_it(): near(1)\n', { reference });
    const survivors = (await judge.checkSuite(weak, { mutants: 4 })).survivors;
    expect(survivors.length).toBeGreaterThan(0);
    expect(survivors[0]).toMatchObject({ file: 'solution.py', change: expect.stringContaining('becomes') });
  });

  it('names tests that the reference fails, flaky ones and unsupported constructs (JDG-18)', async () => {
    const bad = suite(
      'import random\nfrom solution import near\ndef test_wrong(): assert near(3) == 2\ndef test_right(): assert near(3) == 1\n',
      { reference },
    );
    const failing = await judge.checkSuite(bad);
    expect([failing.usable, failing.failing.map((test) => test.id)]).toEqual([
      false,
      ['test_it.py::test_wrong'],
    ]);
    await expect(judge.run({ artifact: reference, suite: bad })).rejects.toMatchObject({
      code: 'SUITE_INVALID',
      remedy: expect.stringContaining('`passing`'),
    });
    // The others can be judged by naming them.
    expect(failing.passing).toEqual([{ id: 'test_it.py::test_right', layer: 'correctness' }]);
    const others = { ...bad, tests: failing.passing };
    expect(await judge.checkSuite(others, { mutants: 0 })).toMatchObject({
      ...{ usable: true, tests: 1, passing: failing.passing, failing: [], flaky: [] },
    });
    expect((await judge.run({ artifact: reference, suite: others })).outcome).toBe('SUCCESS');
    const wrong = { source: reference.source.replace('x / 3', 'x / 4') };
    expect((await judge.run({ artifact: wrong, suite: others })).outcome).toBe('FAILURE');
    const missing = { ...bad, tests: [{ id: 'test_it.py::test_none', layer: 'correctness' as const }] };
    expect(await judge.checkSuite(missing, { mutants: 0 })).toMatchObject({
      ...{ usable: false, failing: [{ id: 'test_it.py::test_none', reason: 'it was not run' }] },
    });
    const flaky = suite(
      'import os, pathlib\nfrom solution import near\ndef test_it(): assert os.urandom(1)[0] % 2 == 0 or near(3) == 0\n',
      { reference },
    );
    let seen = false;
    for (let round = 0; round < 6 && !seen; round += 1) {
      const found = await judge.checkSuite(flaky, { mutants: 0 });
      seen = found.flaky.length === 1 || found.failing.length === 1;
    }
    expect(seen).toBe(true);
    const unsupported = suite(
      'import inspect\nfrom solution import Vector, near\nclass TestMine(Vector): pass\ndef test_it(): assert near(3) == 1\ndef test_source(): assert inspect.getsource(near)\n',
    );
    const checked = await judge.checkSuite(unsupported);
    expect(checked.usable).toBe(false);
    expect(checked.unsupported.map(({ line, construct }) => [line, construct])).toEqual([
      [3, 'derives a class of tests from Vector of the artifact'],
      [5, 'asks for the source or signature of the artifact by getsource()'],
    ]);
  });

  it('is refused with the remedy that helps for each construct (JDG-17, JDG-18)', async () => {
    const refused = (tests: string) => judge.run({ artifact: reference, suite: suite(tests) });
    await expect(
      refused(
        'import subprocess, sys\nfrom solution import near\ndef test_it(): subprocess.run([sys.executable, near(1)])\n',
      ),
    ).rejects.toMatchObject({
      code: 'SUITE_UNSUPPORTED',
      remedy:
        'Call the functions of the artifact instead of starting it, or judge it by a suite of the mode program',
    });
    await expect(
      refused('from solution import near\ndef test_it(): assert near(1).show() == 1\n'),
    ).rejects.toMatchObject({
      ...{
        code: 'SUITE_UNSUPPORTED',
        remedy: expect.stringMatching(/^Name the function in `objects`, or add a reference/u),
      },
    });
    // A module that a function imports is the artifact's as well.
    await expect(
      refused('def test_it():\n    import inspect, solution as s\n    assert inspect.getsource(s)\n'),
    ).rejects.toMatchObject({
      ...{ code: 'SUITE_UNSUPPORTED', message: expect.stringContaining('test_it.py:3: asks for the source') },
      remedy: expect.stringContaining('same-process'),
    });
    await expect(
      refused(
        'import tracemalloc\nfrom solution import near\ndef test_it():\n    tracemalloc.start()\n    assert near(1)\n',
      ),
    ).rejects.toMatchObject({
      code: 'SUITE_UNSUPPORTED',
      message: expect.stringContaining('test_it.py:4: measures by tracemalloc.start()'),
      remedy: expect.stringMatching(/^Set the artifact's `limits`/u),
    });
    const pickled =
      'import pickle\nfrom solution import near\ndef test_it(): assert pickle.loads(pickle.dumps(near(3))) == 1\n';
    expect((await refused(pickled)).outcome).toBe('SUCCESS');
  });

  it('says that a reference did not end, not that the suite has no test (JDG-18)', async () => {
    for (const body of ['while True: pass', 'import os; os._exit(0)', 'import socket; socket.socket()']) {
      const checked = judge.checkSuite({
        ...{ id: 'ends', language: 'python', mode: 'split', limits: { wallMs: 240_000, cpuHardMs: 1000 } },
        files: { 'test_it.py': 'from solution import solve\ndef test_it(): assert solve() == 1\n' },
        reference: { language: 'python', source: `def solve():\n    ${body}\n` },
      });
      await expect(checked, body).rejects.toMatchObject({
        ...{ code: 'SUITE_INVALID', message: expect.stringContaining('did not end') },
      });
    }
  });
});

describe('what a check says about a suite', () => {
  it('draws the cases of generators for the reference and its mutants (JDG-6, JDG-18)', async () => {
    const source = 'def f(x): return 1 if x > 3 else 0';
    const own: VectorSuite = {
      ...{ id: 'drawn', language: 'python', mode: 'vectors', entryPoint: 'f', cases: [] },
      // Each of the ten is drawn: that one is not has a chance of 10⁻¹⁰.
      generators: [{ id: 'x', layer: 'correctness', args: [{ int: [0, 9] }], count: 250 }],
      ...{ oracle: { source }, reference: { source } },
    };
    const check = await judge.checkSuite(own);
    expect(check).toMatchObject({ usable: true, tests: 250, survivors: [] });
    expect(check.mutants).toBeGreaterThan(0);
  });

  it('says that a conftest.py cannot be loaded, and what the artifact raised there (JDG-17, X-4)', async () => {
    const tests = 'from shop import add\ndef test_add(): assert add(1, 2) == 3\n';
    const files = { 'test_it.py': tests, 'conftest.py': 'from shop import add\n' };
    const own = suite('', { files, reference: { files: { 'shop.py': 'def add(a, b): return a + b' } } });
    const broken = await judge.run({
      artifact: { files: { 'shop.py': 'raise ValueError("no")' } },
      suite: own,
    });
    expect(broken.outcome).toBe('FAILURE');
    expect(broken.tests[0]?.reason).toContain('a conftest.py could not be loaded: ValueError: no');
    const wrong = suite('', { files: { ...files, 'conftest.py': '1 / 0\n' } });
    await expect(judge.checkSuite(wrong)).rejects.toThrow('a conftest.py could not be loaded');
    await expect(judge.checkSuite(suite('from solution import f\n'))).rejects.toThrow(
      'A test is a function test_',
    );
  });

  it('names the profile where a program cannot be loaded for a refused call (JDG-11)', async () => {
    const alarm = 'import signal\nsignal.setitimer(signal.ITIMER_REAL, 100)\ndef f(): return 1\n';
    const { summary } = await judge.run({
      artifact: { language: 'python', source: alarm },
      suite: {
        ...{ id: 'alarm', language: 'python', mode: 'vectors', entryPoint: 'f' },
        cases: [{ id: 'a', layer: 'smoke', args: [], expect: 1 }],
      },
    });
    expect(summary).toContain('EXTENDED (timers, links) or PROCESSES permits more');
  });
});
