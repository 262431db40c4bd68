import type { WrongParts } from '../wrong-parts.ts';

/** Programs that hand on decorators, classes and functions of the library as their own. */
export const exportsOfLibrary: readonly WrongParts[] = [
  {
    id: 'what a program hands on of the library',
    tests: `
import pytest
from solution import (lazy, memo, ordering, keeping, bound, context, data, named, Ordered, Base, must, Text, counter, field, Option, auto, suppressing)
class A:
    n = 0
    @lazy
    def x(self):
        self.n += 1
        return self.n
def test_lazy():
    a = A()
    assert (a.x, a.x) == (1, 1)
    assert A().x == 1
def test_memo():
    seen = []
    @memo(maxsize=None)
    def f(x):
        seen.append(x)
        return x * 2
    assert [f(1), f(1), f(2)] == [2, 2, 4] and seen == [1, 2]
    assert f.cache_info().hits == 1
def test_memo_plain():
    @memo
    def f(x): return x
    assert f(3) == 3
def test_ordering():
    @ordering
    class N:
        def __init__(self, n): self.n = n
        def __eq__(self, o): return self.n == o.n
        def __lt__(self, o): return self.n < o.n
    assert N(2) >= N(1) and not N(1) > N(2)
def test_wraps():
    def f(): 'Doc.'
    @keeping(f)
    def w(): return 3
    assert w.__name__ == 'f' and w.__doc__ == 'Doc.' and w() == 3
def test_bound():
    assert bound(int, base=2)('11') == 3
    assert bound(lambda a, b: a - b, 3)(1) == 2
def test_context():
    log = []
    @context
    def open_it(x):
        log.append('in')
        try: yield x
        finally: log.append('out')
    with open_it(2) as y: assert y == 2 and log == ['in']
    assert log == ['in', 'out']
def test_data():
    @data
    class P:
        x: int
        y: int = 3
        z: list = field(default_factory=list)
    assert P(1) == P(1, 3) and repr(P(1)) == 'test_data.<locals>.P(x=1, y=3, z=[])'
def test_frozen():
    @data(frozen=True)
    class P: x: int
    with pytest.raises(AttributeError): P(1).x = 2
def test_named():
    P = named('P', 'x y')
    assert P(1, 2).y == 2 and P(1, 2) == (1, 2)
def test_ordered():
    o = Ordered(a=1, b=2)
    o.move_to_end('a')
    assert list(o) == ['b', 'a'] and isinstance(o, Ordered)
def test_base():
    class S(Base):
        @must
        def go(self): ...
    with pytest.raises(TypeError): S()
    class T(S):
        def go(self): return 1
    assert T().go() == 1
def test_text():
    class C(Text):
        RED = 'red'
        BLUE = auto()
    assert C.RED == 'red' and C.BLUE == 'blue' and C('red') is C.RED
def test_counter(): assert counter('aab').most_common(1) == [('a', 2)]
def test_option():
    class O(Option):
        A = auto()
        B = auto()
    assert O.A | O.B == O.A | O.B and O.A in (O.A | O.B)
def test_suppress():
    with suppressing(KeyError): {}['a']
`,
    artifact: `
from functools import cached_property as lazy, lru_cache as memo, total_ordering as ordering, wraps as keeping, partial as bound
from contextlib import contextmanager as context, suppress as suppressing
from dataclasses import dataclass as data, field
from collections import namedtuple as named, OrderedDict as Ordered, Counter as counter
from abc import ABC as Base, abstractmethod as must
from enum import StrEnum as Text, Flag as Option, auto
`,
    wrong: [
      ['total_ordering as ordering', 'cache as ordering', 'test_ordering'],
      ['lru_cache as memo', 'singledispatch as memo', 'test_memo'],
      ['dataclass as data', 'dataclass', 'test_data'],
      ['from enum', 'from dataclasses import asdict as data\nfrom enum', 'test_frozen'],
      ['OrderedDict as Ordered', 'Counter as Ordered', 'test_ordered'],
      // In one process, what it has changed of the library is changed for the test as well.
      ...[
        [
          'test_lazy',
          'functools.cached_property.__get__ = lambda self, part, kind=None: part and self.func(part)',
        ],
        [
          'test_lazy',
          'functools.cached_property.__get__.__code__ = (lambda self, part, kind=None: part and self.func(part)).__code__',
        ],
        ['test_memo', 'functools._lru_cache_wrapper = lambda f, *rest: f'],
        ['test_context', 'contextlib._GeneratorContextManager.__exit__ = lambda self, *error: None'],
        ['test_data', 'dataclasses._cmp_fn = dataclasses._repr_fn'],
        ['test_base', 'abc.abstractmethod.__code__ = (lambda funcobj: funcobj).__code__'],
      ].map(
        ([test, line]) =>
          [
            'from functools import',
            `import abc, contextlib, dataclasses, enum, functools\n${line}\nfrom functools import`,
            String(test),
          ] as const,
      ),
    ],
  },
];
