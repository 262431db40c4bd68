import { describe, expect, it } from 'vitest';
import type { PytestSuite } from '../src/index.ts';
import { attacks, attackTests } from './fixtures.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const suite = (file: string, more: Partial<PytestSuite> = {}): PytestSuite => ({
  id: 'split',
  language: 'python',
  mode: 'split',
  files: { 'test_it.py': file },
  ...more,
});
const run = (source: string, tests: PytestSuite) =>
  judge.run({ artifact: { language: 'python', source }, suite: tests });

const artifact = `
import dataclasses, decimal, sys

class Empty(ValueError):
    def __init__(self, size):
        super().__init__('nothing in %d' % size)
        self.size = size

class Stack:
    limit = 3
    def __init__(self, items=()): self.items = list(items)
    def push(self, item):
        self.items.append(item)
        return self
    def pop(self):
        if not self.items: raise Empty(0)
        return self.items.pop()
    @classmethod
    def of(cls, *items): return cls(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, index): return self.items[index]
    def __iter__(self): return iter(self.items)
    def __add__(self, other): return Stack(self.items + other.items)
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        self.items.clear()
        return kind is KeyError
    def __repr__(self): return 'Stack(%r)' % self.items

class Small(Stack):
    limit = 1

def apply(function, values, *, times=1):
    for _ in range(times): values = [function(value) for value in values]
    return values

def count(limit):
    n = 0
    while n < limit:
        yield n
        n += 1

def rotate(grid):
    grid[0], grid[1] = grid[1], grid[0]
    grid[0].append('seen')

def total(values): return sum(values)
def hello(name): print('hello', name); print('oops', file=sys.stderr)
def fails(kind): raise kind('bad')
def half(x): return decimal.Decimal(x) / 2
async def later(x): return x + 1
NAMES = {'a': (1, 2.5), 'b': {1, 2}}
`;

const tests = `
import asyncio, decimal, pytest, solution
from solution import *
from solution import Stack, Empty, apply as use

@pytest.fixture
def stack():
    made = Stack([1, 2])
    yield made
    assert isinstance(made, Stack)

@pytest.mark.smoke
def test_plain():
    assert solution.NAMES == {'a': (1, 2.5), 'b': {1, 2}}

def test_fixture(stack, tmp_path):
    (tmp_path / 'x').write_text('y')
    stack.push(3).push(4)
    assert len(stack) == 4 and stack[0] == 1 and list(stack) == [1, 2, 3, 4] and bool(stack)
    assert stack.items == [1, 2, 3, 4] and repr(stack) == 'Stack([1, 2, 3, 4])'
    assert 3 in stack

@pytest.mark.parametrize('values, expected', [([1, 2], [2, 3]), ([], [])], ids=['two', 'none'])
def test_callback(values, expected):
    seen = []
    def plus(x):
        seen.append(x)
        return x + 1
    assert use(plus, values) == expected
    assert seen == values

def test_callback_calls_back():
    assert use(lambda x: total([x, 1]), [1, 2], times=2) == [3, 4]
    assert use(len, ['a', 'bb']) == [1, 2]

def test_callback_raises():
    def bad(x): raise KeyError('mine')
    with pytest.raises(KeyError, match='mine'):
        use(bad, [1])

@pytest.mark.edge
def test_exceptions():
    with pytest.raises(Empty, match='nothing in 0') as caught:
        Stack().pop()
    assert caught.value.size == 0 and isinstance(caught.value, ValueError)
    with pytest.raises(ValueError):
        Stack().pop()
    with pytest.raises(ZeroDivisionError):
        fails(ZeroDivisionError)
    with pytest.raises(TypeError):
        count()
    with pytest.raises(AttributeError):
        solution.missing

def test_generators():
    numbers = count(3)
    assert next(numbers) == 0 and list(numbers) == [1, 2]
    with pytest.raises(StopIteration):
        next(numbers)
    assert total(x * x for x in range(4)) == 14
    assert [a for a, _ in zip(count(10 ** 9), range(3))] == [0, 1, 2]

def test_mutable_arguments():
    inner = [1]
    grid = [inner, [2]]
    rotate(grid)
    assert grid == [[2, 'seen'], [1]]

def test_output(capsys):
    hello('you')
    assert capsys.readouterr() == ('hello you\\n', 'oops\\n')

def test_classes():
    assert issubclass(solution.Small, Stack) and solution.Small.limit == 1
    joined = Stack.of(1) + Stack.of(2)
    assert joined.items == [1, 2]
    joined.extra = 5
    assert joined.extra == 5
    with joined as same:
        assert same is joined
        raise KeyError('swallowed')
    assert len(joined) == 0

def test_values():
    assert half('3') == decimal.Decimal('1.5')
    assert asyncio.run(later(1)) == 2

def test_monkeypatch(monkeypatch):
    monkeypatch.setattr(solution, 'NAMES', {'c': 1})
    assert solution.NAMES == {'c': 1}
`;

describe('split mode', () => {
  it('JDG-5 fixtures, parameters, exceptions, generators, call-backs and mutable arguments work across two boxes', async () => {
    const verdict = await run(artifact, suite(tests, { profile: 'EXTENDED' }));
    expect(
      verdict.tests.filter((test) => test.status !== 'passed'),
      verdict.summary,
    ).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'SUCCESS', isolation: 'separate', stdout: 'hello you\n' });
    expect(verdict.tests.map((test) => test.id)).toContain('test_it.py::test_callback[two]');
    expect(verdict.layers.map(({ layer, total }) => [layer, total])).toEqual([
      ['smoke', 1],
      ['correctness', 11],
      ['edge', 1],
    ]);
    expect(verdict.transcript.some((entry) => entry.call.includes('push'))).toBe(true);
  });

  it('JDG-5 the same file passes unchanged in one process, which the verdict says', async () => {
    const verdict = await run(artifact, suite(tests, { mode: 'same-process', profile: 'EXTENDED' }));
    expect(
      verdict.tests.filter((test) => test.status !== 'passed'),
      verdict.summary,
    ).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'SUCCESS', isolation: 'same-process' });
  });

  it('JDG-5 skip, xfail, a failed fixture and a missing test are no passes', async () => {
    const verdict = await run(
      'def f(): return 1',
      suite(
        `
import pytest, solution
@pytest.fixture
def broken(): assert False
@pytest.mark.skip
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert solution.f() == 2
@pytest.mark.xfail
def test_xpass(): assert solution.f() == 1
def test_fixture(broken): pass
def test_right(): assert solution.f() == 1
`,
        {
          tests: ['skip', 'xfail', 'xpass', 'fixture', 'right', 'gone'].map((name) => ({
            id: `test_it.py::test_${name}`,
            layer: 'correctness' as const,
          })),
        },
      ),
    );
    expect(verdict.tests.map((test) => test.status)).toEqual([
      ...Array.from({ length: 4 }, () => 'failed'),
      'passed',
      'failed',
    ]);
  });

  it('JDG-3 a failed smoke test ends the run', async () => {
    const verdict = await run(
      'def f(): return 1',
      suite(
        'import pytest, solution\ndef test_a(): pass\n@pytest.mark.layer("smoke")\ndef test_b(): assert solution.f() == 2',
      ),
    );
    expect(verdict.outcome).toBe('FAILURE');
    expect(verdict.tests.map((test) => [test.id, test.status])).toEqual([
      ['test_it.py::test_b', 'failed'],
      ['test_it.py::test_a', 'not-run'],
    ]);
  });

  it('JDG-4 nothing that is expected ever reaches the artifact, whose own comparisons are never asked', async () => {
    const source = `
asked = []
class Yes:
    def __eq__(self, other): asked.append(other); return True
    def __ne__(self, other): asked.append(other); return False
    def __lt__(self, other): asked.append(other); return True
    def __contains__(self, other): asked.append(other); return True
    def __iter__(self): return iter([])
    def __hash__(self): return hash('secret')
class List(list):
    __eq__ = Yes.__eq__
def f(): return Yes()
def g(): return List([0])
def told(): return len(asked)
`;
    const verdict = await run(
      source,
      suite(`
import solution
def test_eq(): assert solution.f() == 'secret'
def test_reflected(): assert 'secret' == solution.f()
def test_list(): assert solution.g() == [1]
def test_contains(): assert 'secret' in solution.f()
def test_key(): assert {'secret': 1}[solution.f()] == 1
def test_less(): assert solution.f() < 'secret'
def test_told(): assert solution.told() == 0
`),
    );
    expect(verdict.tests.map((test) => test.status)).toEqual([
      ...Array.from({ length: 6 }, () => 'failed'),
      'passed',
    ]);
  });

  it('JDG-4 JDG-5 two objects of the artifact are compared by it only where the suite says so', async () => {
    const source = `
import functools
asked = []
@functools.total_ordering
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): asked.append(other if isinstance(other, str) else ''); return isinstance(other, Point) and abs(self.x) == abs(other.x)
    def __lt__(self, other): return abs(self.x) < abs(other.x)
    def __hash__(self): return hash(abs(self.x))
def told(): return sorted(set(asked))
`;
    const file = `
from solution import Point, told
def test_equal(): assert Point(1) == Point(-1) and Point(1) != Point(2)
def test_order(): assert Point(1) < Point(2) and max([Point(1), Point(-3), Point(2)]).x == -3
def test_other(): assert Point(1) != 'secret' and not Point(1) == 'secret' and 'secret' not in [Point(1)]
def test_set(): assert len({Point(1)}) == 1
def test_told(): assert 'secret' not in told()
`;
    const [without, withIt] = await Promise.all([
      run(source, suite(file)),
      run(source, suite(file, { remoteEq: true })),
    ]);
    expect(without?.tests.map((test) => test.status)).toEqual([
      ...['failed', 'failed', 'passed', 'passed', 'passed'],
    ]);
    expect(withIt?.outcome, JSON.stringify(withIt?.tests)).toBe('SUCCESS');
    expect(withIt?.transcript.some((entry) => entry.call.startsWith('compare eq'))).toBe(true);
  });

  it('JDG-2 what cannot be loaded, ends early or lies about the protocol is an error of its own kind', async () => {
    const one = suite('import solution\ndef test_a(): assert solution.f() == 1\ndef test_b(): pass');
    const cases: [string, string, string | null][] = [
      ['import nothing', 'ERROR', 'crash'],
      ['def f(): import os; os._exit(0)', 'ERROR', 'crash'],
      ['def f(): import os; os.write(4, b"{}\\n")', 'ERROR', 'protocol'],
      [
        'import os, json\ndef f(): os.write(4, json.dumps({"id": 3, "value": {"$handle": {}}}).encode() + b"\\n")',
        'ERROR',
        'protocol',
      ],
      ['def f():\n  while True: pass', 'ERROR', 'cpu'],
      ['def g(): return 1', 'FAILURE', null],
      ['import socket\ndef f(): socket.socket()', 'SECURITY_VIOLATION', null],
    ];
    const verdicts = await Promise.all(
      cases.map(([source]) => run(source, { ...one, limits: { cpuHardMs: 1000, wallMs: 600_000 } })),
    );
    for (const [index, verdict] of verdicts.entries())
      expect([verdict.outcome, verdict.errorKind], `${cases[index]?.[0]}: ${verdict.summary}`).toEqual(
        cases[index]?.slice(1),
      );
    expect(verdicts[1]?.tests.map((test) => test.status)).toEqual(['failed', 'not-run']);
  });

  it('JDG-2 JDG-24 a lie about turns of its event loop is an error of the protocol, and endless turns end', async () => {
    const one = suite(
      'import asyncio, solution\ndef test_a():\n  async def go():\n    other = asyncio.create_task(asyncio.sleep(0.01))\n    found = await solution.f()\n    await other\n    return found\n  assert asyncio.run(go()) == 1',
    );
    const lying = (turns: string, f = 'return 1') => `
import asyncio, gc
async def f():
  ${f}
def add_to(self, reply): reply['turns'] = ${turns}
next(each for each in gc.get_objects() if isinstance(each, type) and each.__name__ == 'OwnLoop').add_to = add_to
`;
    const cases: [string, string, string | null][] = [
      [lying('[-1, []]'), 'ERROR', 'protocol'],
      [lying('["soon", []]'), 'ERROR', 'protocol'],
      [lying('[0, ["a"]]'), 'ERROR', 'protocol'],
      [lying('[]'), 'ERROR', 'protocol'],
      [lying('[0, [99, 1, 2, 3]]'), 'SUCCESS', null],
      [lying('[0, [99, 1, 2, 3]]', 'return 2'), 'FAILURE', null],
      [lying('[0, []]', 'await asyncio.sleep(10 ** 6)'), 'ERROR', 'cpu'],
    ];
    const verdicts = await Promise.all(
      cases.map(([source]) => run(source, { ...one, limits: { cpuHardMs: 1000, wallMs: 600_000 } })),
    );
    for (const [index, verdict] of verdicts.entries())
      expect([verdict.outcome, verdict.errorKind], `${cases[index]?.[0]}: ${verdict.summary}`).toEqual(
        cases[index]?.slice(1),
      );
  });

  it('JDG-2 a suite that is wrong is never held against the artifact', async () => {
    await expect(run('', suite('import nothing'))).rejects.toMatchObject({ code: 'SUITE_INVALID' });
    await expect(run('', suite('x = 1'))).rejects.toMatchObject({ code: 'SUITE_INVALID' });
    const dies = suite('import solution, os\ndef test_a(): os._exit(3)');
    await expect(run('def f(x): return x', dies)).rejects.toMatchObject({ code: 'SUITE_INVALID' });
  });

  it('JDG-2 names the places of a suite that cannot be read, and none of pytest', async () => {
    await expect(run('', suite('x = 1\ndef test_a(:'))).rejects.toThrow(
      /^The suite cannot be read:\n\S+\.py: File "\/suite\/\S+\.py", line 2 .*SyntaxError: invalid syntax$/,
    );
    await expect(
      run('', suite("def load(): return {}['x']\nVALUES = load()\ndef test_a(): pass")),
    ).rejects.toThrow(
      /^The suite cannot be read:\n(\S+\.py): KeyError: 'x'\n\1:2: in <module>\n\s*VALUES = load\(\)\n\1:1: in load\n\s*def load\(\): .*$/,
    );
  });

  it('JDG-4 the tester has a user of its own and sees nothing of the artifact', async () => {
    const verdict = await run(
      'import os\ndef uid(): return os.getuid()\ndef names(): return sorted(os.listdir("/"))',
      suite(
        'import os, solution\ndef test_a():\n  assert solution.uid() != os.getuid()\n  assert not os.path.exists("/artifact") and "suite" not in solution.names()',
      ),
    );
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
  });
});

describe('what a suite does with names before its tests', () => {
  it('combines them in bodies of classes, and takes from a star what the library has under that name too (JDG-19, JDG-21)', async () => {
    const source = `
class Way:
    def __init__(self, names): self.names = names
    def __or__(self, other): return Way(self.names + other.names)
    def __invert__(self): return Way(self.names[::-1])
def way(name): return Way([name])
def tokenize(text):
    yield from text.split()
`;
    const files = {
      'test_it.py': `
import types
from solution import *
from solution import Way

class Light:
    warning = way('yellow') | way('red')
    cycle = ~(Way(['green']) | Way(['red']))

def ways(light=Way(['a']) | Way(['b'])):
    return light.names

def test_ways():
    assert ways() == ['a', 'b']
    assert Light.cycle.names == ['red', 'green']
    assert Light.warning.names == ['yellow', 'red']

def test_tokens():
    assert isinstance(tokenize('a b'), types.GeneratorType)
    assert list(tokenize('a b')) == ['a', 'b']
`,
    };
    const verdict = await judge.run({
      artifact: { language: 'python', source },
      suite: { id: 'names', language: 'python', mode: 'split', files },
    });
    expect(
      verdict.tests.map(({ id, reason }) => [id, reason]),
      verdict.summary,
    ).toEqual([
      ['test_it.py::test_ways', null],
      ['test_it.py::test_tokens', null],
    ]);
  });
});

describe.concurrent('attack corpus against pytest', () => {
  const cases = attackTests();
  const limits = { wallMs: 4000, cpuHardMs: 1000, memoryHardBytes: 256 * 1024 * 1024 };
  const fakes = attacks().filter((each) => each.category === 'fake');
  for (const { id, category, artifact: attack } of partOf(fakes, 24)) {
    it(`JDG-15 ${category} ${id} gains nothing in the mode split`, async () => {
      const verdict = await judge.run({ artifact: attack, suite: suite(cases, { limits }) });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).not.toMatch(/SUCCESS|PARTIAL/);
    });
  }
});
