import type { FidelityCase } from './fidelity-case.ts';

/** What differs between one process and two: identity, exceptions, arithmetic, assertions: correct programs with ordinary tests. */
export const fidelityTwoBoxes: readonly FidelityCase[] = [
  {
    id: 'identity',
    artifact: `
import copy
class Stack:
    def __init__(self): self.i = []
    def push(self, x): self.i.append(x)
    def pop(self): return self.i.pop()
    def remove(self, x): self.i[:] = [y for y in self.i if y is not x]
    def __len__(self): return len(self.i)
def add(xs, x): xs.append(x); return xs
def clone(x): return copy.deepcopy(x)
def shallow(x): return list(x)
def first(xs): return xs[0]
REG = {}
def register(k, v): REG[k] = v
def lookup(k): return REG[k]
def total(rows): return sum(len(r) for r in rows)
def swap(a, b): a[:], b[:] = b[:], a[:]
`,
    tests: `
from solution import *
from solution import Stack, add, clone, shallow, first, register, lookup, total, swap
def test_push():
    s, x = Stack(), {'a': 1}
    s.push(x)
    assert s.pop() is x
def test_list():
    s, x = Stack(), [1]
    s.push(x); x.append(2); s.push(x)
    assert s.pop() == [1, 2]
def test_remove():
    s, x, y = Stack(), [1], [1]
    s.push(x); s.push(y); s.remove(x)
    assert len(s) == 1 and s.pop() is y
def test_same():
    xs = [1]
    assert add(xs, 2) is xs and xs == [1, 2]
def test_clone():
    x = [[1], {'a': []}]
    y = clone(x)
    assert y == x and y is not x and y[0] is not x[0] and y[1]['a'] is not x[1]['a']
def test_shallow():
    x = [[1]]
    y = shallow(x)
    assert y is not x and y[0] is x[0]
def test_first():
    x = [{}, {}]
    assert first(x) is x[0] and first(x) is not x[1]
def test_registry():
    d = {'n': 0}
    register('d', d)
    d['n'] = 5
    assert lookup('d') is d and lookup('d') == {'n': 5}
def test_shared():
    row = [0, 0]
    assert total([row, row]) == 4
def test_swap():
    a, b = [1], [2]
    swap(a, b)
    assert (a, b) == ([2], [1])
def test_big(): assert total([[1, 2]] * 3000) == 6000
`,
  },
  {
    id: 'exceptions-with-mixins',
    artifact: `
from collections import namedtuple
class Described:
    def describe(self): return 'd'
class Missing(Described, KeyError):
    def __init__(self, name):
        super().__init__(name)
        self.code = 5
class Pair(Described, namedtuple('Pair', 'a b')): pass
def find(name): raise Missing(name)
def pair(): return Pair(1, 2)
def memoize(f):
    held = {}
    def wrapped(x):
        if x not in held: held[x] = f(x)
        return held[x]
    wrapped.clear = held.clear
    wrapped.size = lambda: len(held)
    return wrapped
`,
    tests: `
import pytest
from solution import Missing, find, memoize, pair
def test_exception():
    with pytest.raises(KeyError) as caught: find('x')
    assert caught.value.code == 5 and caught.value.describe() == 'd'
    with pytest.raises(Missing, match='x'): find('x')
def test_pair(): assert pair() == (1, 2) and pair().a == 1
def test_decorator():
    calls = []
    @memoize
    def square(x):
        calls.append(x)
        return x * x
    assert square(2) == 4 and square(2) == 4 and calls == [2]
    assert square.size() == 1
    square.clear()
    assert square.size() == 0
`,
  },
  {
    id: 'values-that-tests-make',
    artifact: `
from dataclasses import dataclass
from typing import NamedTuple
@dataclass
class Point:
    x: int
    y: int
@dataclass
class Size:
    width: int
    def __post_init__(self): self.width = abs(self.width)
class Pair(NamedTuple):
    a: int
    b: int = 0
def double(p): return Point(2 * p.x, 2 * p.y)
def size(n): return Size(-n)
def pair(n): return Pair(n)
`,
    tests: `
import pickle, subprocess, sys
from solution import Pair, Point, Size, double, pair, size
def test_points():
    assert double(Point(1, 2)) == Point(2, 4)
    want = Point(1, y=2)
    want.x = 2
    assert want == Point(2, 2) and want != Point(1, 2)
def test_sizes(): assert size(3) == Size(3) == Size(-3)
def test_pairs(): assert pair(3) == Pair(3) == (3, 0)
def test_round_trips():
    assert eval(repr(pair(3)[0])) == 3
    assert pickle.loads(pickle.dumps([pair(3).a])) == [3]
    text = repr(double(Point(1, 2)).x)
    assert eval(text) == 2
def test_own_program(): assert subprocess.run([sys.executable, '-c', 'print(9)'], capture_output=True, text=True).stdout == '9\\n'
`,
  },
  {
    id: 'arithmetic-with-numbers',
    artifact: `
from dataclasses import dataclass
@dataclass
class Vector:
    x: float
    y: float = 0
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __mul__(self, k):
        if not isinstance(k, (int, float)): return NotImplemented
        return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** .5
    def __truediv__(self, k): return Vector(self.x / k, self.y / k)
    def norm(self): return abs(self)
`,
    tests: `
import pytest
from solution import Vector
def test_scale():
    assert (Vector(1, 2) * 3).y == 6
    doubled = 2 * Vector(1, 2)
    assert (doubled.x, doubled.y) == (2, 4)
def test_variables():
    v = Vector(1, 2) * 2
    w = v + Vector(1, 1)
    assert w.x == 3 and w.y == 5
    assert (-v).x == -2
    assert (v / 2).x == 1
    v *= 2
    assert v.norm() == pytest.approx(80 ** .5)
def test_wrong_type():
    with pytest.raises(TypeError): Vector(1) * 'a'
def test_length(): assert abs(Vector(3, 4)) == 5
`,
  },
  {
    id: 'assertions-that-come-back',
    artifact: `
import contextlib
def each(xs, f):
    for x in xs: f(x)
class Store:
    def __enter__(self): return self
    def __exit__(self, *error): return False
@contextlib.contextmanager
def scope(): yield 1
def attempt(f):
    try: return f()
    except ValueError: return None
`,
    tests: `
import pytest
from solution import Store, attempt, each, scope
def check(x): assert x == 9
def fail(): raise ValueError('x')
def test_callback():
    with pytest.raises(AssertionError): each([1], check)
    each([9], check)
def test_contexts():
    with pytest.raises(AssertionError):
        with Store(): assert False
    with pytest.raises(AssertionError):
        with scope(): assert False
def test_errors(): assert attempt(fail) is None
`,
  },
];
