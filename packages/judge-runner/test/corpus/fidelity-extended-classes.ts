import type { FidelityCase } from './fidelity-case.ts';

/** Base classes of all kinds that the classes of a test extend. */
export const fidelityExtendedClasses: readonly FidelityCase[] = [
  {
    id: 'extended-classes',
    artifact: `
import abc
from dataclasses import dataclass, asdict, fields, field
from typing import Generic, TypeVar
import unittest
T = TypeVar('T')

@dataclass(frozen=True)
class Event:
    source: str
    def to_dict(self): return {'type': type(self).__name__, **asdict(self)}

class Command:
    def to_dict(self): return {f.name: getattr(self, f.name) for f in fields(self)}

class AppError(Exception):
    status = 500
    def __init__(self, message, **extra):
        super().__init__(message)
        self.extra = extra
    def to_dict(self): return {'error': type(self).__name__, 'status': self.status, **self.extra}

def guard(f):
    try: return 200, f()
    except AppError as e: return e.status, e.to_dict()

class Base(abc.ABC):
    registry = {}
    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        if key: Base.registry[key] = cls
    def __init__(self, name='x'): self.name = name
    @property
    @abc.abstractmethod
    def size(self): ...
    def twice(self): return self.size * 2
    @property
    def label(self): return 'label:' + self.name
    @classmethod
    def build(cls, *a): return cls(*a)
    @staticmethod
    def helper(x): return x + 1
    def __len__(self): return 3
    def __setattr__(self, n, v): object.__setattr__(self, n, v)
    def each(self):
        for i in range(self.size): yield self.item(i)
    def item(self, i): return i
    def render(self): return self.template.format(name=self.name)

class Repo(Generic[T]):
    def __init__(self): self.items = {}
    def add(self, k, v: T): self.items[k] = v; self.on_add(k)
    def on_add(self, k): pass
    def get(self, k): return self.items[k]

class Handler:
    async def handle(self, x): return await self.process(x)
    async def process(self, x): raise NotImplementedError
class Ctx:
    def __enter__(self): self.enter(); return self
    def __exit__(self, *e): self.leave(e[0]); return False
    def enter(self): pass
    def leave(self, kind): pass
class Stack(list):
    def push(self, x): self.append(x)
    def peek(self): return self[-1]
class Thread2:
    def run_all(self): return [getattr(self, n)() for n in sorted(dir(self)) if n.startswith('do_')]
`,
    tests: `
import asyncio
import functools
from dataclasses import dataclass, field
import pytest
from unittest import mock
from solution import AppError, Base, Command, Ctx, Event, Handler, Repo, Stack, Thread2, guard

@dataclass(frozen=True)
class Placed(Event):
    order: int
    lines: tuple = ()
    def total(self): return sum(self.lines)

@dataclass
class Rename(Command):
    old: str
    new: str = 'n'
    tags: list = field(default_factory=list)

class NotFound(AppError):
    status = 404

class Detailed(AppError):
    def __init__(self, code):
        super().__init__('code %d' % code, code=code)
        self.code = code

class Small(Base, key='small'):
    size = 2
    template = 'hi {name}'

class Big(Base):
    def __init__(self, name, size):
        super().__init__(name)
        self._size = size
    @property
    def size(self): return self._size
    @property
    def label(self): return super().label + '!'
    def __len__(self): return super().__len__() + 1
    def item(self, i): return super().item(i) * 10
    @classmethod
    def build(cls, *a): return super().build(*a, 7)
    @staticmethod
    def helper(x): return Base.helper(x) * 2
    @functools.cached_property
    def heavy(self): return self.size * 100

class Bigger(Big):
    def item(self, i): return super().item(i) + 1
    def __repr__(self): return 'Bigger(%s)' % self.name

class Loud:
    def item(self, i): return str(super().item(i)) + '?'
class LoudBig(Loud, Big): pass

def test_dataclass():
    e = Placed('web', 3, (1, 2))
    assert e.to_dict() == {'type': 'Placed', 'source': 'web', 'order': 3, 'lines': (1, 2)}
    assert e.total() == 3
    assert e.order == 3
    assert isinstance(e, Event)
def test_dataclass_equal():
    assert Placed('web', 3) == Placed('web', 3)
    assert Placed('web', 3) != Placed('web', 4)
    assert repr(Placed('w', 1)) == "Placed(source='w', order=1, lines=())"
def test_frozen():
    with pytest.raises(AttributeError):
        Placed('a', 1).order = 2
def test_command():
    c = Rename('a')
    c.tags.append('t')
    c.new = 'z'
    assert c.to_dict() == {'old': 'a', 'new': 'z', 'tags': ['t']}
    assert Rename('q').tags == []
def test_error():
    def fail(): raise NotFound('no', id=3)
    assert guard(fail) == (404, {'error': 'NotFound', 'status': 404, 'id': 3})
def test_error_raised():
    with pytest.raises(AppError, match='no') as info:
        raise NotFound('no')
    assert info.value.status == 404
    assert isinstance(info.value, NotFound)
def test_error_init():
    def fail(): raise Detailed(7)
    assert guard(fail)[1]['code'] == 7
    assert Detailed(8).code == 8
    assert str(Detailed(8)) == 'code 8'
def test_values():
    s = Small('n')
    assert s.size == 2 and s.twice() == 4 and s.render() == 'hi n' and s.label == 'label:n'
    assert Small.template == 'hi {name}'
    assert list(s.each()) == [0, 1]
def test_registry(): assert Base.registry['small'] is Small
def test_big():
    b = Big('q', 3)
    assert b.size == 3 and b.twice() == 6 and b.label == 'label:q!' and len(b) == 4
    assert list(b.each()) == [0, 10, 20]
    assert Big.helper(1) == 4
    assert b.heavy == 300
def test_build():
    b = Big.build('q')
    assert isinstance(b, Big) and b.size == 7
def test_bigger():
    b = Bigger('r', 2)
    assert list(b.each()) == [1, 11]
    assert repr(b) == 'Bigger(r)' and str(b) == 'Bigger(r)'
    assert Bigger.__mro__[0] is Bigger and issubclass(Bigger, Big)
def test_mixin(): assert list(LoudBig('r', 2).each()) == ['0?', '10?']
def test_abstract():
    class Missing(Base): pass
    with pytest.raises(TypeError, match='abstract'): Missing()
def test_generic():
    class Names(Repo[str]):
        def __init__(self):
            super().__init__()
            self.seen = []
        def on_add(self, k): self.seen.append(k)
    r = Names()
    r.add('a', 'x')
    assert r.get('a') == 'x' and r.seen == ['a'] and r.items == {'a': 'x'}
def test_async():
    class Double(Handler):
        async def process(self, x):
            await asyncio.sleep(0)
            return x * 2
    assert asyncio.run(Double().handle(4)) == 8
def test_async_default():
    with pytest.raises(NotImplementedError): asyncio.run(Handler().handle(1))
def test_context():
    log = []
    class Logged(Ctx):
        def enter(self): log.append('in')
        def leave(self, kind): log.append(kind)
    with pytest.raises(KeyError):
        with Logged() as c:
            assert isinstance(c, Logged)
            raise KeyError
    assert log == ['in', KeyError]
def test_list():
    class Sized(Stack):
        def push(self, x):
            if len(self) >= 2: raise OverflowError
            super().push(x)
    s = Sized()
    s.push(1); s.push(2)
    assert s.peek() == 2 and len(s) == 2 and list(s) == [1, 2]
    with pytest.raises(OverflowError): s.push(3)
def test_dir():
    class T(Thread2):
        def do_b(self): return 'b'
        def do_a(self): return 'a'
    assert T().run_all() == ['a', 'b']
def test_patch():
    with mock.patch.object(Big, 'item', return_value=5): assert list(Big('x', 1).each()) == [5]
    assert list(Big('x', 1).each()) == [0]
def test_monkeypatch(monkeypatch):
    monkeypatch.setattr(Small, 'size', 3)
    assert Small().twice() == 6 and Small.size == 3
def test_identity():
    kept = []
    class K(Base):
        size = 1
        def __init__(self, n):
            kept.append(self)
            super().__init__(n)
            self.other = n
            kept.append(self)
    k = K('a')
    assert kept[0] is k and kept[1] is k and k.other == 'a' and k == k
def test_set_class_attribute():
    Small.extra = 4
    assert Small.extra == 4 and Small().extra == 4
`,
    breaks: ['def twice(self): return self.size * 2', 'def twice(self): return self.size'],
  },
  {
    id: 'base-classes-called-by-name',
    artifact: `
import threading, abc
class AppError(Exception):
    def __init__(self, msg, code=1):
        super().__init__(msg)
        self.code = code
class Ctx:
    def __init__(self): self.log = []
    def __enter__(self):
        self.log.append('in'); return self
    def __exit__(self, *e):
        self.log.append('out'); return False
class Stack(list):
    def __init__(self, items=(), limit=10):
        list.__init__(self, items)
        self.limit = limit
    def push(self, x):
        if len(self) >= self.limit: raise OverflowError('full')
        self.append(x)
class Node:
    def __init__(self, value): self.value = value; self.children = []
    def add(self, n): self.children.append(n); return self
    def total(self): return self.value + sum(c.total() for c in self.children)
    def __len__(self): return 1 + sum(len(c) for c in self.children)
    def __contains__(self, v): return self.value == v or any(v in c for c in self.children)
    def __iter__(self):
        yield self.value
        for c in self.children: yield from c
    def __str__(self): return 'N%s' % self.value
class Shape(abc.ABC):
    def __init__(self, name): self.name = name
    @abc.abstractmethod
    def area(self): ...
    def describe(self): return '%s with area %s' % (self.name, self.area())
class Handler:
    def __init__(self, *a, **k): self.args, self.kw = a, k
    def handle(self, x): return 'base %s' % x
    @property
    def size(self): return len(self.args)
class Special(Handler):
    def handle(self, x): return 'special %s' % x
class Cache:
    def __init__(self, maxsize):
        self.maxsize = maxsize
        self.data = {}
    def __getitem__(self, k): return self.data[k]
    def __setitem__(self, k, v): self.data[k] = v
    def __len__(self): return len(self.data)
class Animal:
    def __init__(self, name): self.name = name
    def speak(self): return self.name + ' speaks'
    def __repr__(self): return 'Animal(%r)' % self.name
    def __call__(self, x): return x + 1
`,
    tests: `
import pytest
import solution as s

class MyError(s.AppError):
    def __init__(self, msg):
        s.AppError.__init__(self, 'my ' + msg, code=7)
        self.extra = 'e'
def test_error():
    with pytest.raises(s.AppError) as info:
        raise MyError('x')
    assert str(info.value) == 'my x' and info.value.code == 7 and info.value.extra == 'e'
class MyCtx(s.Ctx):
    def __init__(self):
        s.Ctx.__init__(self)
        self.n = 0
    def __enter__(self):
        self.n += 1
        return s.Ctx.__enter__(self)
    def __exit__(self, *e):
        return s.Ctx.__exit__(self, *e)
def test_ctx():
    with MyCtx() as c:
        assert c.n == 1
    assert c.log == ['in', 'out']
class Loud(s.Stack):
    def __init__(self, *items):
        s.Stack.__init__(self, items, limit=3)
    def push(self, x):
        s.Stack.push(self, x * 2)
def test_stack():
    l = Loud(1)
    l.push(2)
    assert l == [1, 4] and l.limit == 3
    l.push(2)
    with pytest.raises(OverflowError):
        l.push(1)
class Big(s.Node):
    def __init__(self, v):
        super(Big, self).__init__(v * 10)
    def total(self):
        return s.Node.total(self) + 1
    def __len__(self):
        return s.Node.__len__(self) * 100
    def __contains__(self, v):
        return s.Node.__contains__(self, v * 10)
    def __iter__(self):
        return iter([x + 1 for x in s.Node.__iter__(self)])
    def __str__(self):
        return 'Big' + s.Node.__str__(self)
def test_node():
    b = Big(1).add(s.Node(2)).add(Big(3))
    assert b.total() == 10 + 2 + 31 + 1
    assert len(b) == 100 * (1 + 1 + 100)
    assert 1 in b and 7 not in b
    assert list(b) == [11, 3, 32]
    assert str(b) == 'BigN10'
class Square(s.Shape):
    def __init__(self, side):
        s.Shape.__init__(self, 'square')
        self.side = side
    def area(self): return self.side ** 2
def test_shape():
    assert Square(3).describe() == 'square with area 9'
class Mine(s.Special):
    def __init__(self, *a):
        s.Handler.__init__(self, *a, key=1)
    def handle(self, x):
        return s.Handler.handle(self, x) + '/' + s.Special.handle(self, x)
def test_skip():
    m = Mine(1, 2)
    assert m.handle('q') == 'base q/special q' and m.size == 2 and m.kw == {'key': 1}
class A(s.Handler):
    def __init__(self):
        s.Handler.__init__(self, 1)
        self.a = True
class B(A):
    def __init__(self):
        A.__init__(self)
        self.b = True
def test_two():
    b = B()
    assert b.args == (1,) and b.a and b.b
class Both(s.Ctx, s.Handler):
    def __init__(self):
        s.Ctx.__init__(self)
        s.Handler.__init__(self, 5)
def test_both():
    b = Both()
    assert b.args == (5,) and b.log == []

class Dog(s.Animal):
    def __init__(self, name, age):
        s.Animal.__init__(self, name)
        self.age = age
    def speak(self):
        return s.Animal.speak(self) + ' woof'
    def __repr__(self):
        return 'Dog:' + s.Animal.__repr__(self)
    def __call__(self, x):
        return s.Animal.__call__(self, x) * 2

class Dub(s.Cache):
    def __setitem__(self, k, v):
        s.Cache.__setitem__(self, k, v * 2)
    def __getitem__(self, k):
        return s.Cache.__getitem__(self, k) + 1
    def __len__(self):
        return s.Cache.__len__(self) + 10

def test_init():
    d = Dog('rex', 3)
    assert d.name == 'rex' and d.age == 3
def test_speak():
    assert Dog('rex', 3).speak() == 'rex speaks woof'
def test_repr():
    assert repr(Dog('rex', 3)) == "Dog:Animal('rex')"
def test_call():
    assert Dog('rex', 3)(1) == 4
def test_items():
    d = Dub(3)
    d[1] = 5
    assert d[1] == 11
    assert len(d) == 11
def test_direct():
    a = s.Animal('x')
    assert s.Animal.speak(a) == 'x speaks'
    assert s.Animal.__repr__(a) == "Animal('x')"
    s.Animal.__init__(a, 'y')
    assert a.name == 'y'
def test_mixin():
    class Mixin:
        def speak(self): return 'loud ' + super().speak()
    class C(Mixin, s.Animal):
        def __init__(self, name):
            super().__init__(name)
            self.extra = 1
    assert C('a').speak() == 'loud a speaks'
def test_super_dunder():
    class C(s.Cache):
        def __setitem__(self, k, v): super().__setitem__(k, v * 2)
        def __getitem__(self, k): return super().__getitem__(k) + 1
    c = C(1)
    c['a'] = 2
    assert c['a'] == 5
`,
    breaks: ["return 'base %s' % x", "return 'best %s' % x"],
  },
];
