import { describe, expect, it } from 'vitest';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Judges a program and returns the outcome, and the reasons of the tests that failed by the last part of their ids. */
async function judged(source: string, tests: string) {
  const {
    outcome,
    summary,
    tests: all,
  } = await judge.run({ artifact: python(source), suite: pytest(tests) });
  const failed = all.filter(({ status }) => status !== 'passed');
  return {
    ...{ outcome, summary, all },
    failed: Object.fromEntries(
      failed.map(({ id, reason }) => [id.slice(id.lastIndexOf(':') + 1), reason ?? '']),
    ),
  };
}
/** Places that a check names, by line. */
async function named(tests: string): Promise<string[]> {
  const { warnings, usable } = await judge.checkSuite(pytest(tests));
  expect(usable).toBe(true);
  return warnings.map(({ line, construct }) => `${line} ${construct}`);
}

const derived = `
import collections
import collections.abc
class Slug(str):
    def __new__(cls, text): return super().__new__(cls, text.lower())
class Even(int):
    def __new__(cls, n): return super().__new__(cls, n // 2 * 2)
class Pair(tuple):
    def __new__(cls, a, b): return super().__new__(cls, (a, b))
class Stack(list):
    def push(self, x): self.append(x)
class Tower(Stack): pass
class Bag(collections.Counter): pass
class Config(collections.abc.Mapping):
    def __init__(self, held): self.held = held
    def __getitem__(self, key): return self.held[key]
    def __iter__(self): return iter(self.held)
    def __len__(self): return len(self.held)
def slug(text): return Slug(text)
def double(n): return Even(2 * n)
def pair(a): return Pair(a, a)
def bag(text): return Bag(text)
def config(): return Config({'a': 1})
`;

describe('objects of classes that are derived from a type of the language or the library', () => {
  it('are instances of it for the test (JDG-21)', async () => {
    const { failed, outcome } = await judged(
      derived,
      `
import collections
import unittest
from collections.abc import Mapping, Sequence
import pytest
from solution import Bag, Config, Even, Pair, Slug, Stack, Tower, bag, config, double, pair, slug
def test_answers():
    assert isinstance(slug('A'), str) and isinstance(slug('A'), Slug) and slug('A') == 'a'
    assert isinstance(double(3), int) and isinstance(pair(1), tuple) and not isinstance(pair(1), (str, list))
def test_made(): assert isinstance(Slug('A'), str) and isinstance(Even(3), int) and isinstance(Pair(1, 2), (str, tuple))
def test_bases(): assert isinstance(Tower([1]), list) and isinstance(Tower([1]), Stack) and isinstance(Tower([1]), Sequence)
def test_library(): assert isinstance(bag('aa'), dict) and isinstance(bag('aa'), collections.Counter) and isinstance(config(), Mapping)
def test_own_class(): assert Stack().__class__ is Stack and Slug('A').__class__.__name__ == 'Slug'
@pytest.mark.parametrize('given', [Slug('A'), Tower([1])])
def test_parameters(given): assert len(given) == 1
class Test(unittest.TestCase):
    def test_case(self):
        self.assertIsInstance(slug('A'), str)
        self.assertNotIsInstance(slug('A'), bytes)
`,
    );
    expect(failed).toEqual({});
    expect(outcome).toBe('SUCCESS');
  });

  it('are no truth values and no classes, whatever their class claims (JDG-17)', async () => {
    const { failed } = await judged(
      `
def claims(name): return type('Claim', (type(name, (), {'__module__': 'builtins'}),), {'__module__': __name__})
class Flag(claims('bool')): pass
class Kind(claims('type')): pass
def flag(): return Flag()
def kind(): return Kind()
`,
      `
from solution import Flag, Kind, flag, kind
def test_truth(): assert isinstance(flag(), bool)
def test_class(): assert isinstance(kind(), type)
`,
    );
    expect(Object.keys(failed)).toEqual(['test_truth', 'test_class']);
  });

  it('are named where a test asks a class of the artifact for it (JDG-21)', async () => {
    expect(await named('from solution import Slug\ndef test_it(): assert issubclass(Slug, str)\n')).toEqual([
      '2 asks whether Slug is derived from str',
    ]);
  });
});

const attributes = `
import dataclasses
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def total(self): return self.x + self.y
class Own:
    def __init__(self, a, b=2): self.a, self._b = a, b
    def __eq__(self, other): return isinstance(other, Own) and (self.a, self._b) == (other.a, other._b)
@dataclasses.dataclass
class Data:
    x: int
    y: int = 3
    names: list = dataclasses.field(default_factory=list)
class Slotted:
    __slots__ = ('x',)
    def __init__(self): self.x = 1
class Failed(ValueError):
    def __init__(self, code): super().__init__('failed'); self.code = code
class Node:
    def __init__(self, value, after=None): self.value, self.after = value, after
def point(x): return Point(x, x + 1)
def own(a): return Own(a)
def data(x): return Data(x)
def node(): return Node(1, Node(2))
def fail(): raise Failed(3)
def whole(x): return vars(Point(x, 2))
`;

describe('vars() of an object', () => {
  it('holds the attributes of the object, and writes them (JDG-21)', async () => {
    const { failed, outcome } = await judged(
      attributes,
      `
import json
import pytest
from solution import Data, Failed, Node, Own, Point, Slotted, data, fail, node, own, point, whole
def test_answers(): assert vars(point(1)) == {'x': 1, 'y': 2} and point(1).__dict__ == whole(1)
def test_made(): assert vars(Point(1, 2)) == vars(point(1)) and json.dumps(vars(Point(1, 2))) == '{"x": 1, "y": 2}'
def test_own_equality(): assert vars(Own(1)) == {'a': 1, '_b': 2} and vars(own(1)) == vars(Own(1))
def test_data(): assert vars(Data(1)) == vars(data(1)) == {'x': 1, 'y': 3, 'names': []}
def test_nested(): assert vars(node())['value'] == 1 and vars(node())['after'].value == 2
def test_errors():
    with pytest.raises(Failed) as info: fail()
    assert vars(info.value) == {'code': 3}
def test_slots():
    with pytest.raises(TypeError): vars(Slotted())
def test_written():
    given = Point(1, 2)
    vars(given)['x'] = 5
    given.__dict__.update(y=6)
    assert given.total() == 11 and (given.x, given.y) == (5, 6)
`,
    );
    expect(failed).toEqual({});
    expect(outcome).toBe('SUCCESS');
  });

  it('holds what the test gave an expected object, and what an answer held before that was made (JDG-17)', async () => {
    // The first one answers an object of the test that it knows, the second one becomes what it is compared with.
    const wrong = `
import dataclasses
import gc
@dataclasses.dataclass
class Data:
    x: int
class Late:
    made = []
    def __init__(self, x): self.x = x; Late.made.append(self); Late.made[0].x = x
    def __eq__(self, other): return True
def data(): return next((each for each in gc.get_objects() if type(each) is Data), None) or Data(9)
def late(): return Late(9)
`;
    const { failed } = await judged(
      wrong,
      `
from solution import Data, Late, data, late
def test_local(): assert vars(Data(1)) == vars(data())
def test_late():
    found = late()
    assert vars(Late(1)) == vars(found)
`,
    );
    expect(Object.keys(failed)).toEqual(['test_local', 'test_late']);
  });
});

describe('a container that a test has read off an object', () => {
  it('changes with what the test calls, and with a registry of the artifact (JDG-21)', async () => {
    const { failed, outcome } = await judged(
      `
names = []
class Plugin:
    def __init__(self, name): self.name, self.tags = name, []; names.append(name)
    def tag(self, tag): self.tags.append(tag)
def plugin(name): return Plugin(name)
`,
      `
from solution import Plugin, names, plugin
def test_called():
    one = plugin('one')
    tags = one.tags
    one.tag('a')
    assert tags == ['a']
    Plugin('two')
    one.tag('b')
    assert tags == ['a', 'b']
def test_registry():
    before = len(names)
    Plugin('three')
    assert len(names) == before + 1 and names[-1] == 'three'
`,
    );
    expect(failed).toEqual({});
    expect(outcome).toBe('SUCCESS');
  });

  it('stays what was answered when the test makes what it is compared with (JDG-17)', async () => {
    const wrong = `
made = []
class Point:
    def __init__(self, x):
        self.x, self.items = x, [x]
        made.append(self)
        for each in made: each.x, each.items[:] = x, [x]
class Own(Point):
    def __eq__(self, other): return True
def point(): return Point(9)
def own(): return Own(9)
`;
    const { failed } = await judged(
      wrong,
      `
from solution import Own, Point, own, point
def test_list():
    items = point().items
    assert items == Point(1).items
def test_vars(): assert vars(point()) == vars(Point(1))
def test_own(): assert vars(own()) == vars(Own(1))
`,
    );
    expect(Object.keys(failed)).toEqual(['test_list', 'test_vars', 'test_own']);
  });
});

const matrix = `
class Matrix:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)] for row in self.rows])
    def __mul__(self, factor): return Matrix([[factor * each for each in row] for row in self.rows])
    def __eq__(self, other): return isinstance(other, Matrix) and self.rows == other.rows
    def __bool__(self): return any(map(any, self.rows))
    @classmethod
    def identity(cls): return cls([[1, 0], [0, 1]])
    def transposed(self): return Matrix([list(column) for column in zip(*self.rows)])
    def trace(self): return self.rows[0][0] + self.rows[1][1]
def zeros(): return Matrix([[0, 0], [0, 0]])
`;

describe('arithmetic of an object with what the artifact answers', () => {
  it('is no arithmetic with a value of the test (JDG-17, JDG-21)', async () => {
    const { failed } = await judged(
      matrix,
      `
from solution import Matrix, zeros
A = [[1, 2], [3, 4]]
def test_class(): assert Matrix(A) @ Matrix.identity() == Matrix(A)
def test_left(): assert Matrix.identity() @ Matrix(A) == Matrix(A)
def test_method():
    a = Matrix(A)
    assert a @ a.transposed() == Matrix([[5, 11], [11, 25]])
def test_number():
    a = Matrix(A)
    assert a * a.trace() == Matrix([[5, 10], [15, 20]])
def test_function(): assert Matrix(A) @ zeros() == zeros()
`,
    );
    expect(failed).toEqual({});
  });

  it('is named where its truth is asked for, and so is that with a value of the test (JDG-17)', async () => {
    const tests = 'from solution import Matrix\ndef test_it():\n    a = Matrix([[1, 2], [3, 4]])\n';
    for (const factor of ['a.trace()', 'Matrix.size()', '3'])
      expect(await named(`${tests}    assert a * ${factor}\n`)).toEqual([
        '4 asks for the truth of an object of Matrix',
      ]);
  });

  it('is not believed as anything but an object where a value of the test takes part (JDG-17)', async () => {
    const { all } = await judged(
      `
class Amount:
    def __init__(self, x): self.x = x
    def __mul__(self, factor):
        made = Amount(0)
        made.factor = factor
        return made
    __add__ = __radd__ = __rmul__ = __sub__ = __mul__
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __hash__(self): return 1
    def __bool__(self): return True
    def __int__(self): return 9
    def __float__(self): return 9.0
    def __index__(self): return 9
`,
      `
from solution import Amount
A = Amount(3)
def test_truth(): assert Amount(3) * 3
def test_number(): assert Amount(3) * 3 == 9
def test_other_side(): assert 9 == 3 * Amount(3)
def test_equal(): assert Amount(3) * 3 == Amount(9)
def test_unequal(): assert not Amount(3) * 3 != Amount(9)
def test_expected_first(): assert Amount(9) == Amount(3) * 3
def test_made_before():
    nine = Amount(9)
    assert Amount(3) * 3 == nine
def test_order(): assert Amount(3) + 1 < Amount(9)
def test_order_of_a_number(): assert Amount(3) + 1 <= 9
def test_int(): assert int(Amount(3) * 3) == 9
def test_list(): assert [Amount(3) * 3] == [Amount(9)]
def test_in(): assert Amount(9) in [Amount(3) * 3]
def test_key(): assert {Amount(9): 'a'}[Amount(3) * 3]
def test_index(): assert 'abcdefghij'[Amount(3) * 3] == 'j'
def test_sum(): assert sum([Amount(1), Amount(2)]) == Amount(3)
def test_twice(): assert (A * 2) * 2 == Amount(12)
def test_assigned():
    total = Amount(1)
    total += 2
    assert total == Amount(3)
def test_part(): assert (Amount(3) * 3).x == 9
`,
    );
    expect(all.filter(({ status }) => status === 'passed').map(({ id }) => id)).toEqual([]);
  });
});

describe('what a program answers more than once', () => {
  const source = `
import enum, functools, datetime, decimal
class State(enum.Enum):
    UNSET = 'unset'
    ON = 'on'
    OFF = 'off'
    def __bool__(self): return self is State.ON
UNSET = State.UNSET
class Nothing:
    _one = None
    def __new__(cls):
        if cls._one is None: cls._one = super().__new__(cls)
        return cls._one
    def __bool__(self): return False
    def __repr__(self): return '<nothing>'
NOTHING = Nothing()
class Config:
    def __init__(self): self._at = (1, 2)
    def at(self): return self._at
    @property
    def origin(self): return self._at
    def fresh(self): return tuple([1, 2])
@functools.cache
def table(n): return frozenset(range(n))
@functools.cache
def day(n): return datetime.date(2024, 1, n)
def same(x): return x
def price(text): return decimal.Decimal(text)
def rounded(x): return x if x == x.to_integral_value() else x.to_integral_value()
def state(x): return State.ON if x > 0 else State.OFF
def find(x, default=NOTHING): return default if x is None else x
`;
  const tests = `
import datetime, decimal, pathlib
from solution import *
def test_truth():
    assert State.ON and not State.OFF and not UNSET
    assert state(1) and not state(-1)
def test_single():
    assert Nothing() is Nothing() and Nothing() is NOTHING
    assert find(None) is NOTHING
    assert not NOTHING
def test_cached():
    assert table(3) is table(3) and table(3) is not table(4) and table(3) == {0, 1, 2}
    assert day(3) is day(3)
def test_parts():
    c = Config()
    assert c.at() is c.at() and c.origin is c.at()
    assert c.fresh() is not c.fresh()
def test_same():
    for x in (datetime.date(2024, 1, 1), decimal.Decimal('1.50'), (1, 2), frozenset([1]), pathlib.PurePosixPath('a')):
        assert same(x) is x
    d = decimal.Decimal('2')
    assert rounded(d) is d and rounded(decimal.Decimal('2.1')) == 2
    assert price('1.5') is not price('1.5')
`;

  it('is the same value where the program says so, and its members are true as they say (JDG-21)', async () => {
    const found = await judged(source, tests);
    expect(Object.keys(found.failed)).toEqual(['test_single']);
    const { outcome } = await judge.run({ artifact: python(source), suite: pytest(tests, source) });
    expect(outcome).toBe('SUCCESS');
  });

  it('is no other value, whatever the program says (JDG-17)', async () => {
    const { failed } = await judged(
      `
import enum, gc
class State(enum.Enum):
    ON = 1
    OFF = 2
    def __bool__(self): return Truth.now
class Truth: now = True
def truth(now):
    Truth.now = now
    return State.ON
def lie(**forged):
    answered = next(part for part in gc.get_objects() if type(part).__name__ == 'Answered')
    type(answered).add_to = lambda self, reply, part, args: reply.update(forged)
def same(*values): return values[-1]
def pair(n): return n, n
`,
      `
import datetime, solution
def test_argument():
    solution.lie(**{'is': 0})
    assert solution.same((1, 2), (2, 1)) == (1, 2)
def test_type(): assert solution.same((1, 2), (True, 2))[0] is not True
def test_earlier():
    solution.lie(same=7)
    assert solution.pair(1) == (1, 1)
    assert solution.pair(2) == (1, 1)
def test_is():
    day = datetime.date(2024, 1, 1)
    assert solution.same(day, datetime.date(2024, 1, 2)) is day
def test_truth(): assert solution.truth(True) and not solution.truth(False)
`,
    );
    expect(Object.keys(failed)).toEqual([
      'test_argument',
      'test_type',
      'test_earlier',
      'test_is',
      'test_truth',
    ]);
  });
});

describe('a correct program with unusual values', () => {
  it('has keys of a class that extends a type of the language, as values of that type (JDG-21)', async () => {
    const source = `
import collections
class Name(str):
    def __eq__(self, other): return str.lower(self) == str.lower(other)
    def __hash__(self): return hash(str.lower(self))
class Id(int): pass
class Pair(tuple): pass
def make(): return {Name('a'): 1}
def build_all(): return {Name('a'), (Id(1), Name('b'))}, {Id(1): 'x', Pair((1, 2)): 'y'}, collections.Counter([Name('a')])
def other(): return 1
`;
    const tests = `
import solution
def test_dict():
    found = solution.make()
    assert len(found) == 1 and found == {'a': 1} and found['a'] == 1
def test_others():
    names, ids, counts = solution.build_all()
    assert names == {'a', (1, 'b')} and ids[1] == 'x' and ids[1, 2] == 'y' and counts['a'] == 1
def test_other():
    assert solution.other() == 1
`;
    expect(await judged(source, tests)).toMatchObject({ outcome: 'SUCCESS', failed: {} });
    const verdict = await judge.run({ artifact: python(source), suite: pytest(tests, source) });
    expect(failures(verdict)).toEqual([]);
  });

  it('makes a named tuple that is too short (JDG-21)', async () => {
    const found = await judged(
      `
import collections
Point = collections.namedtuple('Point', 'x y')
def make(): return tuple.__new__(Point, (1,))
def other(): return 1
`,
      `
import pytest
import solution
def test_short():
    found = solution.make()
    assert len(found) == 1 and found.x == 1
    with pytest.raises(IndexError):
        found.y
def test_other():
    assert solution.other() == 1
`,
    );
    expect(found).toMatchObject({ outcome: 'SUCCESS', failed: {} });
  });

  it('goes on in the next test where a function of the test was refused something, and holds no lock (JDG-17, JDG-21)', async () => {
    const found = await judged(
      `
import threading
from concurrent.futures import Future, ThreadPoolExecutor
class Pool:
    def __init__(self): self.executor = ThreadPoolExecutor(2)
    def submit(self, fn, *args): return self.executor.submit(fn, *args)
def done(value):
    future = Future()
    future.set_result(value)
    return future
lock = threading.Lock()
class Thing: pass
def locked(fn):
    with lock: return fn(Thing())
def again(fn):
    for _ in range(1000):
        try: return fn(Thing())
        except Exception: pass
`,
      `
import pytest
import solution
from solution import Pool
def test_refused():
    got = []
    solution.done(4).add_done_callback(lambda future: got.append(future.result()))
    assert got == [4]
def test_error():
    def bad(): raise ValueError('x')
    future = Pool().submit(bad)
    with pytest.raises(ValueError):
        future.result()
def test_locked():
    assert solution.locked(lambda thing: thing + 1) == 2
def test_unlocked():
    assert solution.locked(lambda thing: 5) == 5
def test_again():
    assert solution.again(lambda thing: thing + 1) == 2
def test_once():
    assert solution.again(lambda thing: 5) == 5
`,
    );
    expect(found.outcome).toBe('FAILURE');
    expect(Object.keys(found.failed).sort()).toEqual(['test_again', 'test_locked', 'test_refused']);
    expect(found.failed.test_refused).toContain('nothing vouches for');
  });

  it('names parameters and attributes as the judge names its own (JDG-21)', async () => {
    const source = `
class Plugin:
    registry = {}
    def __init_subclass__(cls, name=None, bases=(), **more):
        super().__init_subclass__(**more)
        Plugin.registry[name] = cls
    def named(self, cls, self_=1, meta=2): return [cls, self_, meta]
class Field:
    def __init__(self, cls=str, name=None, space=None, args=(), kwargs=None): self.cls, self.name, self.args = cls, name, args
    def load(self, value): return self.cls(value)
def make(cls, **more): return cls(**more)
def call(fn, value): return fn(cls=value, name=1, meta=2)
def counted(fn):
    def call(*args):
        call.made += 1
        call.answered = call.made * 10
        return fn(*args)
    call.made = call.answered = 0
    return call
@counted
def f(x): return x
`;
    const tests = `
import solution
from solution import Field, Plugin
def test_class():
    class Csv(Plugin, name='csv', bases=[1]): pass
    assert Plugin.registry['csv'] is Csv
def test_field():
    field = Field(cls=int, name='a', args=(1,))
    assert field.load('3') == 3 and field.name == 'a' and field.args == (1,)
def test_make():
    class Own:
        def __init__(self, name, space): self.name, self.space = name, space
    assert solution.make(cls=Own, name=1, space=2).name == 1
def test_method():
    assert Plugin().named(cls=1, self_=3, meta=4) == [1, 3, 4]
def test_call():
    class Own:
        def __call__(self, cls, name, meta): return [cls, name, meta]
    assert solution.call(Own(), 5) == [5, 1, 2]
def test_counted():
    solution.f(1)
    solution.f(2)
    assert solution.f.made == 2 and solution.f.answered == 20
`;
    const verdict = await judge.run({ artifact: python(source), suite: pytest(tests, source) });
    expect(failures(verdict)).toEqual([]);
  });
});

describe.concurrent('an object of the artifact in an assertion that fails', () => {
  const program = `
class Name(str):
  def shout(self): return self.upper()
def name(x): return Name(x.strip())
`;
  const tests = `
from solution import name
def test_name(): assert name(' ann ') == 'ann'
def test_none():
  try: assert name(' bob ') == 'ann'
  except AssertionError: pass
  assert name('b') == 'b'
`;
  it('is named beside what was asserted, which fails a test alone (JDG-18, JDG-21)', async () => {
    const wrong = program.replace('x.strip()', 'x');
    const suite = pytest(tests, program);
    expect(await judge.run({ artifact: python(program), suite })).toMatchObject({ outcome: 'SUCCESS' });
    const { tests: judged } = await judge.run({ artifact: python(wrong), suite });
    expect(judged).toMatchObject([
      {
        ...{ status: 'failed', refused: true },
        reason: expect.stringMatching(
          /^AssertionError: assert <Name object of the artifact> == 'ann'.* \(answered an object \(Name\) /,
        ),
      },
      { status: 'passed' },
    ]);
  });
});
