import type { Styles } from '../styles.ts';

/** The same program in several styles, each of which is a reference for the others. */
export const stylesOfPrograms: readonly Styles[] = [
  {
    id: 'what is called',
    tests: `
import functools, inspect
import pytest
from solution import twice, counted, adder, memo, repeat, timer, shout
def test_calls():
    assert twice(lambda x: x + 1)(1) == 4
def test_decorated():
    @twice
    def fetch(x):
        """Fetches."""
        return x
    assert fetch(2) == 4
    assert fetch.__name__ == "fetch"
    assert fetch.__doc__ == "Fetches."
def test_wrapped():
    def f(x): return x
    g = twice(f)
    assert g.__wrapped__ is f
    assert callable(g)
def test_signature():
    @twice
    def fetch(x, y=3): return x
    assert list(inspect.signature(fetch).parameters) == ['x', 'y']
def test_counted():
    @counted
    def f(): return 1
    f(); f()
    assert f.calls == 2
def test_adder(): assert adder(3)(4) == 7
def test_adder_map(): assert list(map(adder(1), [1, 2])) == [2, 3]
def test_memo():
    seen = []
    @memo
    def f(x):
        seen.append(x)
        return x * 2
    assert (f(2), f(2), f(3)) == (4, 4, 6) and seen == [2, 3]
    f.clear()
    assert f(2) == 4 and seen == [2, 3, 2]
def test_repeat():
    found = []
    @repeat(3)
    def f(x): found.append(x)
    f(1)
    assert found == [1, 1, 1] and f.__name__ == 'f'
def test_method():
    class A:
        @repeat(2)
        def m(self): return 5
    assert A().m() == 5
def test_timer():
    with timer() as t:
        pass
    assert t.done
def test_shout_in_list():
    assert [f('a') for f in shout()] == ['A', 'A!']
`,
    styles: {
      closures: `
import functools, contextlib
def twice(f):
    @functools.wraps(f)
    def g(*a): return 2 * f(*a)
    return g
def counted(f):
    @functools.wraps(f)
    def g(*a):
        g.calls += 1
        return f(*a)
    g.calls = 0
    return g
def adder(n): return lambda x: x + n
def memo(f):
    known = {}
    @functools.wraps(f)
    def g(x):
        if x not in known: known[x] = f(x)
        return known[x]
    g.clear = known.clear
    return g
def repeat(n):
    def decorate(f):
        @functools.wraps(f)
        def g(*a):
            for _ in range(n): found = f(*a)
            return found
        return g
    return decorate
class _T:
    done = False
@contextlib.contextmanager
def timer():
    t = _T()
    yield t
    t.done = True
def shout(): return [lambda s: s.upper(), lambda s: s.upper() + '!']
`,
      objects: `
import functools
class _Twice:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f
    def __call__(self, *a): return 2 * self.f(*a)
def twice(f): return _Twice(f)
class Counted:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.calls = f, 0
    def __call__(self, *a):
        self.calls += 1
        return self.f(*a)
def counted(f): return Counted(f)
class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x): return x + self.n
def adder(n): return Adder(n)
class Memo:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.known = f, {}
    def __call__(self, x):
        if x not in self.known: self.known[x] = self.f(x)
        return self.known[x]
    def clear(self): self.known.clear()
def memo(f): return Memo(f)
class Repeat:
    def __init__(self, n): self.n = n
    def __call__(self, f):
        n = self.n
        @functools.wraps(f)
        def g(*a):
            for _ in range(n): found = f(*a)
            return found
        return g
def repeat(n): return Repeat(n)
class Timer:
    done = False
    def __enter__(self): return self
    def __exit__(self, *a): self.done = True
def timer(): return Timer()
class Shout:
    def __init__(self, end): self.end = end
    def __call__(self, s): return s.upper() + self.end
def shout(): return [Shout(''), Shout('!')]
`,
      classes: `
import functools
class twice:
    def __init__(self, f):
        self.f = f
        functools.update_wrapper(self, f)
    def __call__(self, *a): return 2 * self.f(*a)
class counted:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.calls = f, 0
    def __call__(self, *a):
        self.calls += 1
        return self.f(*a)
class adder:
    def __init__(self, n): self.n = n
    def __call__(self, x): return x + self.n
class memo:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.known = f, {}
    def __call__(self, x):
        if x not in self.known: self.known[x] = self.f(x)
        return self.known[x]
    def clear(self): self.known.clear()
class repeat:
    def __init__(self, n): self.n = n
    def __call__(self, f):
        n = self.n
        @functools.wraps(f)
        def g(*a):
            for _ in range(n): found = f(*a)
            return found
        return g
class timer:
    done = False
    def __enter__(self): return self
    def __exit__(self, *a): self.done = True
class Shout:
    def __init__(self, end): self.end = end
    def __call__(self, s): return s.upper() + self.end
def shout(): return (Shout(''), Shout('!'))
`,
      parts: `
import functools, contextlib, operator
def _twice(f, *a): return 2 * f(*a)
def twice(f):
    made = functools.partial(_twice, f)
    functools.update_wrapper(made, f)
    return made
class _Count:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.calls = f, 0
    def __call__(self, *a):
        self.calls += 1
        return self.f(*a)
    def __get__(self, owner, kind=None): return self if owner is None else functools.partial(self, owner)
counted = _Count
def adder(n): return functools.partial(operator.add, n)
class _Memo:
    def __init__(self, f): self.f, self.known = f, {}
    def ask(self, x):
        if x not in self.known: self.known[x] = self.f(x)
        return self.known[x]
def memo(f):
    g = functools.lru_cache(None)(f)
    g.clear = g.cache_clear
    return g
def repeat(n):
    def decorate(f):
        def g(*a):
            for _ in range(n): found = f(*a)
            return found
        return functools.update_wrapper(g, f)
    return decorate
class Timer(contextlib.AbstractContextManager):
    def __init__(self): self.done = False
    def __exit__(self, *a): self.done = True
timer = Timer
class _Shout:
    def __init__(self, end): self.end = end
    def say(self, s): return s.upper() + self.end
def shout(): return [_Shout('').say, _Shout('!').say]
`,
    },
    wrong: [
      [
        'objects',
        'def __call__(self, *a): return 2 * self.f(*a)',
        'def __call__(self, *a): return self.f(*a)',
        'test_calls',
      ],
      [
        'objects',
        'class _Twice:\n    def __init__(self, f):\n        functools.update_wrapper(self, f)',
        'class _Twice:\n    __name__ = "other"\n    def __init__(self, f):\n        pass',
        'test_decorated',
      ],
      ['objects', 'self.calls += 1', 'self.calls += 2', 'test_counted'],
      [
        'objects',
        'def __call__(self, x): return x + self.n',
        'def __call__(self, x):\n        class N:\n            def __eq__(self, other): return True\n        return N()',
        'test_adder',
      ],
      ['objects', 'def clear(self): self.known.clear()', 'def clear(self): pass', 'test_memo'],
      ['objects', 'def __exit__(self, *a): self.done = True', 'def __exit__(self, *a): pass', 'test_timer'],
      [
        'objects',
        'def __call__(self, s): return s.upper() + self.end',
        'def __call__(self, s): return self',
        'test_shout_in_list',
      ],
      ['parts', 'functools.update_wrapper(made, f)', 'made.__name__ = f.__name__', 'test_wrapped'],
      ['classes', 'for _ in range(n): found = f(*a)', 'found = f(*a)', 'test_repeat'],
    ],
  },
  {
    id: 'what is iterated over',
    tests: `
from solution import Todos, Item
def test_methods():
    t = Todos(['a', 'b'])
    assert [i.shown() for i in t.all()] == ['A', 'B']
def test_for():
    t = Todos(['a', 'b'])
    for item in t.all(): item.finish()
    assert [i.is_done() for i in t.all()] == [True, True]
def test_next():
    assert next(iter(Todos(['a', 'b']).all())).shown() == 'A'
def test_sorted():
    assert [i.shown() for i in sorted(Todos(['b', 'a']).all(), key=lambda i: i.title)] == ['A', 'B']
def test_list():
    found = list(Todos(['b', 'a']).all())
    assert found[0].shown() == 'B' and len(found) == 2
def test_unpack():
    a, b = Todos(['b', 'a']).all()
    assert (a.shown(), b.shown()) == ('B', 'A')
def test_pairs():
    assert [(n, i.shown()) for n, i in Todos(['b', 'a']).pairs()] == [(0, 'B'), (1, 'A')]
def test_enumerate():
    for n, i in enumerate(Todos(['b', 'a']).all()):
        assert i.title == 'ba'[n] and i.shown() == 'BA'[n]
def test_none(): assert list(Todos([]).all()) == []
def test_plain(): assert list(Todos(['b', 'a']).titles()) == ['b', 'a']
def test_self():
    assert [i.shown() for i in Todos(['b', 'a'])] == ['B', 'A']
def test_mapping():
    assert sorted((k, v.shown()) for k, v in Todos(['b', 'a']).named()) == [('a', 'A'), ('b', 'B')]
`,
    styles: {
      lists: `
class Item:
    def __init__(self, t): self.title, self.done = t, False
    def shown(self): return self.title.upper()
    def finish(self): self.done = True
    def is_done(self): return self.done
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return list(self.items)
    def pairs(self): return list(enumerate(self.items))
    def titles(self): return [i.title for i in self.items]
    def __iter__(self): return iter(list(self.items))
    def named(self): return {i.title: i for i in self.items}.items()
`,
      generators: `
class Item:
    def __init__(self, t): self.title, self.done = t, False
    def shown(self): return self.title.upper()
    def finish(self): self.done = True
    def is_done(self): return self.done
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return (i for i in self.items)
    def pairs(self): return enumerate(self.items)
    def titles(self):
        for i in self.items: yield i.title
    def __iter__(self):
        for i in self.items: yield i
    def named(self):
        for i in self.items: yield i.title, i
`,
      tuples: `
class Item:
    def __init__(self, t): self.title, self.done = t, False
    def shown(self): return self.title.upper()
    def finish(self): self.done = True
    def is_done(self): return self.done
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return tuple(self.items)
    def pairs(self): return tuple((n, i) for n, i in enumerate(self.items))
    def titles(self): return tuple(i.title for i in self.items)
    def __iter__(self): return iter(tuple(self.items))
    def named(self): return [(i.title, i) for i in self.items]
`,
      iterators: `
class Item:
    def __init__(self, t): self.title, self.done = t, False
    def shown(self): return self.title.upper()
    def finish(self): self.done = True
    def is_done(self): return self.done
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return map(lambda i: i, self.items)
    def pairs(self): return zip(range(9), self.items)
    def titles(self): return map(lambda i: i.title, self.items)
    def __iter__(self): return map(lambda i: i, self.items)
    def named(self): return ((i.title, i) for i in self.items)
`,
      collections: `
class Item:
    def __init__(self, t): self.title, self.done = t, False
    def shown(self): return self.title.upper()
    def finish(self): self.done = True
    def is_done(self): return self.done
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return _All(self.items)
    def pairs(self): return [(n, i) for n, i in enumerate(self.items)]
    def titles(self): return [i.title for i in self.items]
    def __iter__(self): return iter(self.items)
    def named(self): return [(i.title, i) for i in self.items]
class _All:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)
    def __len__(self): return len(self.items)
    def __getitem__(self, n): return self.items[n]
`,
    },
    // What an own collection holds is read as values.
    lacking: {
      collections: [
        'test_methods',
        'test_for',
        'test_next',
        'test_sorted',
        'test_list',
        'test_unpack',
        'test_enumerate',
      ],
    },
    wrong: [
      ['generators', 'return self.title.upper()', 'return self.title', 'test_methods'],
      ['generators', 'def finish(self): self.done = True', 'def finish(self): pass', 'test_for'],
      [
        'lists',
        'def all(self): return list(self.items)',
        'def all(self): return self.items[::-1]',
        'test_unpack',
      ],
      ['generators', 'yield i.title, i', 'yield i.title, self.items[0]', 'test_mapping'],
      [
        'iterators',
        'def titles(self): return map(lambda i: i.title, self.items)',
        'def titles(self): return iter(self.items)',
        'test_plain',
      ],
      [
        'generators',
        'return (i for i in self.items)',
        'return (type("I", (), {"shown": lambda s: type("Y", (), {"__eq__": lambda s, o: True})(), "title": "b"})() for i in self.items)',
        'test_methods',
      ],
    ],
  },
  {
    id: 'what is compared',
    // An artifact's objects of these classes are no values.
    noReference: ['tuples'],
    tests: `
import pytest
from solution import Money, Version, Point, Tag
def test_add(): assert Money("1.10") + Money("2.20") == Money("3.30")
def test_same(): assert Money("1.10") == Money("1.1")
def test_not(): assert Money("1.10") + Money("2.20") != Money("3.31")
def test_not_equal(): assert not Money("1") == Money("2")
def test_order(): assert Version("1.2.3") < Version("1.10.0") and not Version("2.0.0") < Version("1.0.0")
def test_sorted(): assert sorted([Version("1.10.0"), Version("1.2.3")]) == [Version("1.2.3"), Version("1.10.0")]
def test_max(): assert max(Version("1.10.0"), Version("1.2.3")) == Version("1.10.0")
def test_bump(): assert Version("1.2.3").bump() == Version("1.2.4")
def test_bump_before():
    wanted = Version("1.2.4")
    assert Version("1.2.3").bump() == wanted
def test_point(): assert Point(1, 2) + Point(3, 4) == Point(4, 6)
def test_set(): assert len({Point(1, 2), Point(1, 2), Point(2, 1)}) == 2
def test_in(): assert Point(1, 2) in [Point(3, 4), Point(1, 2)]
def test_key(): assert {Point(1, 2): 'a'}[Point(1, 2)] == 'a'
def test_tag(): assert Tag('  Hello ') == Tag('hello')
def test_tag_made(): assert Tag.of('a,B') == [Tag('a'), Tag('b')]
`,
    styles: {
      operators: `
from decimal import Decimal
from functools import total_ordering
class Money:
    def __init__(self, amount): self.amount = Decimal(amount)
    def __eq__(self, o): return isinstance(o, Money) and self.amount == o.amount
    def __hash__(self): return hash(self.amount)
    def __add__(self, o): return Money(self.amount + o.amount)
@total_ordering
class Version:
    def __init__(self, text): self.parts = tuple(int(each) for each in text.split('.'))
    def __eq__(self, o): return isinstance(o, Version) and self.parts == o.parts
    def __lt__(self, o): return self.parts < o.parts
    def __hash__(self): return hash(self.parts)
    def bump(self):
        a, b, c = self.parts
        return Version('%d.%d.%d' % (a, b, c + 1))
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, o): return isinstance(o, Point) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
class Tag:
    def __init__(self, name): self.name = name.strip().lower()
    def __eq__(self, o): return isinstance(o, Tag) and self.name == o.name
    def __hash__(self): return hash(self.name)
    @classmethod
    def of(cls, text): return [cls(each) for each in text.split(',')]
`,
      fields: `
from dataclasses import dataclass
from decimal import Decimal
@dataclass(frozen=True)
class Money:
    amount: Decimal
    def __post_init__(self): object.__setattr__(self, "amount", Decimal(self.amount))
    def __add__(self, o): return Money(self.amount + o.amount)
@dataclass(frozen=True, order=True)
class Version:
    parts: tuple
    def __post_init__(self):
        if isinstance(self.parts, str): object.__setattr__(self, 'parts', tuple(int(each) for each in self.parts.split('.')))
    def bump(self): return Version((*self.parts[:2], self.parts[2] + 1))
@dataclass(frozen=True)
class Point:
    x: int
    y: int
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
@dataclass(frozen=True)
class Tag:
    name: str
    def __post_init__(self): object.__setattr__(self, 'name', self.name.strip().lower())
    @classmethod
    def of(cls, text): return [cls(each) for each in text.split(',')]
`,
      tuples: `
from decimal import Decimal
from typing import NamedTuple
class Money(NamedTuple('M', [('amount', Decimal)])):
    def __new__(cls, amount): return super().__new__(cls, Decimal(amount))
    def __add__(self, o): return Money(self.amount + o.amount)
class Version(NamedTuple('V', [('a', int), ('b', int), ('c', int)])):
    def __new__(cls, text): return super().__new__(cls, *map(int, text.split('.')))
    def bump(self): return Version('%d.%d.%d' % (self.a, self.b, self.c + 1))
class Point(NamedTuple):
    x: int
    y: int
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
class Tag(NamedTuple('T', [('name', str)])):
    def __new__(cls, name): return super().__new__(cls, name.strip().lower())
    @classmethod
    def of(cls, text): return [cls(each) for each in text.split(',')]
`,
    },
    lacking: {
      operators: ['test_order', 'test_sorted', 'test_max', 'test_bump', 'test_bump_before'],
      fields: ['test_bump', 'test_bump_before'],
      tuples: ['test_bump', 'test_bump_before'],
      'operators for fields': ['test_order', 'test_sorted', 'test_max', 'test_bump', 'test_bump_before'],
      'fields for operators': ['test_bump_before'],
      'tuples for operators': ['test_bump_before'],
    },
    wrong: [
      ['fields', 'return Money(self.amount + o.amount)', 'return Money(self.amount - o.amount)', 'test_add'],
      [
        'fields',
        'object.__setattr__(self, "amount", Decimal(self.amount))',
        'object.__setattr__(self, "amount", Decimal(0))',
        'test_not',
      ],
      [
        'fields',
        '    def __post_init__(self): object.__setattr__(self, "amount", Decimal(self.amount))\n    def __add__(self, o): return Money(self.amount + o.amount)',
        '    def __post_init__(self):\n        object.__setattr__(self, "amount", Decimal(self.amount))\n        for each in LAST: object.__setattr__(each, "amount", self.amount)\n    def __add__(self, o):\n        made = Money(self.amount - o.amount)\n        LAST[:] = [made]\n        return made\nLAST = []',
        'test_add',
      ],
      ['fields', 'self.parts[2] + 1', 'self.parts[2] + 2', 'test_bump'],
      ['operators', 'return isinstance(o, Money) and self.amount == o.amount', 'return True', 'test_not'],
      ['operators', 'Money(self.amount + o.amount)', 'Money(self.amount - o.amount)', 'test_add'],
      ['operators', 'return Point(self.x + o.x, self.y + o.y)', 'return Point(self.x, o.y)', 'test_point'],
      [
        'operators',
        'def __hash__(self): return hash((self.x, self.y))',
        "def __hash__(self): return 1\n    def __getattribute__(self, name): return 1 if name in 'xy' else object.__getattribute__(self, name)",
        'test_set',
      ],
      ['tuples', 'return Point(self.x + o.x, self.y + o.y)', 'return Point(self.x, o.y)', 'test_point'],
      [
        'tuples',
        'return Point(self.x + o.x, self.y + o.y)',
        '\n        class Yes(tuple):\n            def __eq__(self, other): return True\n        return Yes()',
        'test_point',
      ],
    ],
  },
  {
    id: 'what a decorator makes of methods, with a __get__ of its own',
    tests: `
from solution import memoize
class Circle:
    def __init__(self, r):
        self.r = r
    @memoize
    def area(self):
        return self.r ** 2
    @memoize
    def scaled(self, n=1, *, plus=0):
        return self.r * n + plus
def test_method():
    assert [Circle(2).area(), Circle(3).area()] == [4, 9]
def test_arguments():
    c = Circle(3)
    assert c.scaled(2) == 6 and c.scaled(2, plus=1) == 7 and c.scaled(2) == 6
def test_function():
    @memoize
    def double(x): return 2 * x
    assert [double(2), double(3), double(2)] == [4, 6, 4]
def test_inner():
    class Square:
        def __init__(self, r): self.r = r
        @memoize
        def area(self): return self.r * self.r
    a = Square(2)
    f = a.area
    assert [f(), a.area(), Square(5).area()] == [4, 4, 25]
def test_through_class():
    assert Circle.area(Circle(4)) == 16
class TestMethods:
    @memoize
    def helper(self, n): return n + 1
    def test_helper(self): assert self.helper(3) == 4
`,
    styles: {
      wrapper: `import functools
def memoize(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper
`,
      partial: `import functools
class _Memo:
    def __init__(self, fn):
        self.fn = fn
        functools.update_wrapper(self, fn)
    def __get__(self, obj, owner=None):
        return self if obj is None else functools.partial(self, obj)
    def __call__(self, *args, **kwargs): return self.fn(*args, **kwargs)
def memoize(fn): return _Memo(fn)
`,
      method: `import types
class _Memo:
    def __init__(self, fn): self.fn = fn
    def __get__(self, obj, owner=None):
        return self if obj is None else types.MethodType(self, obj)
    def __call__(self, *args, **kwargs): return self.fn(*args, **kwargs)
def memoize(fn): return _Memo(fn)
`,
      itself: `import functools
class memoize:
    def __init__(self, fn):
        self.fn = fn
        functools.update_wrapper(self, fn)
    def __get__(self, obj, owner=None):
        return self if obj is None else functools.partial(self, obj)
    def __call__(self, *args, **kwargs): return self.fn(*args, **kwargs)
`,
      bound: `class _Bound:
    def __init__(self, memo, obj): self.memo, self.obj = memo, obj
    def __call__(self, *args, **kwargs): return self.memo.fn(self.obj, *args, **kwargs)
class _Memo:
    def __init__(self, fn): self.fn = fn
    def __get__(self, obj, owner=None): return self if obj is None else _Bound(self, obj)
    def __call__(self, *args, **kwargs): return self.fn(*args, **kwargs)
def memoize(fn): return _Memo(fn)
`,
    },
    wrong: [
      ['partial', 'functools.partial(self, obj)', 'functools.partial(self, owner)', 'test_method'],
      [
        'partial',
        'return self if obj is None else functools.partial(self, obj)',
        'return self',
        'test_method',
      ],
      ['partial', 'functools.partial(self, obj)', 'lambda *args, **named: 4', 'test_inner'],
      [
        'partial',
        'return self if obj is None else functools.partial(self, obj)',
        "self.first = getattr(self, 'first', obj)\n        return functools.partial(self, self.first)",
        'test_inner',
      ],
      ['itself', 'functools.partial(self, obj)', 'functools.partial(self, owner)', 'test_method'],
      ['itself', 'functools.partial(self, obj)', 'lambda *args, **named: 4', 'test_inner'],
      ['method', 'return self if obj is None else', 'return', 'test_through_class'],
      ['bound', 'self.memo.fn(self.obj,', 'self.memo.fn(', 'test_arguments'],
    ],
  },
  {
    id: 'classes of the library that are extended, after a class or a function that is entered',
    tests: `import json
import solution as s
def test_request():
    with s.request('a') as name:
        assert name == 'a'
def test_encoder():
    assert json.dumps({'a': {2, 1}}, cls=s.Encoder) == '{"a": [1, 2]}'
def test_plain():
    assert json.dumps({'a': 1}, cls=s.Encoder) == '{"a": 1}'
`,
    styles: {
      function: `import json
from contextlib import contextmanager
@contextmanager
def request(name):
    yield name
class Encoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)
`,
      class: `import json
class request:
    def __init__(self, name): self.name = name
    def __enter__(self): return self.name
    def __exit__(self, *error): return False
class Encoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)
`,
    },
    wrong: [
      ['class', 'sorted(o)', 'sorted(o)[:1]', 'test_encoder'],
      ['class', 'return self.name', 'return self', 'test_request'],
      ['function', 'yield name', 'yield name.upper()', 'test_request'],
    ],
  },
];
