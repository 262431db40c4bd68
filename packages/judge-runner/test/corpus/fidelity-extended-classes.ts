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
];
