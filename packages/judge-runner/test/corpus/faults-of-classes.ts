import type { BoxFault } from './box-fault.ts';

/** Faults around classes and functions of a test that a program is given, and classes that it answers for them. */
export const faultsOfClasses: readonly BoxFault[] = [
  {
    id: 'class of an answer to a registration',
    tests: `
from solution import register, names
class Handler:
    pass
def test_register():
    register(Handler)
    assert 'Handler' in names()
def test_more():
    register(Handler)
    assert len(names()) == 1
`,
    right: `
R = {}
def register(cls): R[cls.__name__] = cls
def names(): return list(R)
`,
    wrong: `
class Liar:
    def __contains__(self, x): return True
    def __len__(self): return 1
    def __iter__(self): return iter(())
def register(cls): return Liar
def names(): return Liar()
`,
  },
  {
    id: 'class of an answer to a type',
    tests: `
from solution import Parser
def test_parse():
    p = Parser()
    p.add('count', type=int)
    found = p.parse(['--count', '5'])
    assert 'count' in found
    assert found.get('count') == 5
`,
    right: `
class Parser:
    def __init__(self): self.t = {}
    def add(self, name, type): self.t[name] = type
    def parse(self, argv): return {argv[0][2:]: self.t[argv[0][2:]](argv[1])}
`,
    wrong: `
class Liar:
    def __contains__(self, x): return True
    def get(self, name): return 5
class Parser:
    def add(self, name, type): return Liar
    def parse(self, argv): return Liar()
`,
  },
  {
    id: 'registered twice',
    tests: `
from solution import register, lookup
class Handler:
    pass
def test_one():
    register('a')(Handler)
    assert lookup('a') is Handler
    assert Handler.name == 'a'
def test_two():
    register('b')(Handler)
    assert lookup('b') is Handler
    assert Handler.name == 'b'
    assert lookup('b')().name == 'b'
`,
    right: `
R = {}
def register(name):
    def deco(cls):
        cls.name = name
        R[name] = cls
        return cls
    return deco
def lookup(name): return R[name]
`,
    wrong: `
R = {}
def register(name):
    def deco(cls):
        cls.name = 'a'
        R[name] = cls
        return cls
    return deco
def lookup(name): return R[name]
`,
  },
  {
    id: 'given number claimed',
    tests: `
from solution import load
class Config:
    port = 80
def test_load():
    found = load(Config)
    assert isinstance(found, Config)
    assert type(found) is Config
`,
    right: `
def load(cls): return cls()
`,
    wrong: `
def load(cls):
    class Other: pass
    Other.__name__ = 'Config'
    return Other()
`,
  },
  {
    id: 'retry counts',
    tests: `
import pytest
from solution import retry
class Boom(Exception): pass
def test_retry():
    calls = []
    @retry(times=3, on=Boom)
    def f():
        calls.append(1)
        raise Boom('x')
    with pytest.raises(Boom): f()
    assert len(calls) == 3
def test_other():
    calls = []
    @retry(times=3, on=Boom)
    def f():
        calls.append(1)
        raise KeyError('x')
    with pytest.raises(KeyError): f()
    assert len(calls) == 1
`,
    right: `
def retry(times, on):
    def deco(f):
        def call(*a):
            for n in range(times):
                try: return f(*a)
                except on:
                    if n == times - 1: raise
        return call
    return deco
`,
    wrong: `
def retry(times, on):
    def deco(f):
        def call(*a):
            for n in range(times):
                try: return f(*a)
                except Exception:
                    if n == times - 1: raise
        return call
    return deco
`,
  },
  {
    id: 'singleton makes new ones',
    tests: `
from solution import singleton
@singleton
class Config:
    def __init__(self): self.values = {}
def test_same():
    a, b = Config(), Config()
    assert a is b
    a.values['x'] = 1
    assert b.values == {'x': 1}
`,
    right: `
def singleton(cls):
    made = {}
    def get(*a):
        if cls not in made: made[cls] = cls(*a)
        return made[cls]
    return get
`,
    wrong: `
def singleton(cls): return cls
`,
  },
  {
    id: 'model without conversion',
    tests: `
import pytest
from solution import model
@model
class User:
    name: str
    age: int
def test_convert():
    u = User(name='a', age='3')
    assert u.age == 3
def test_missing():
    with pytest.raises(TypeError): User(name='a')
def test_bad():
    with pytest.raises(ValueError): User(name='a', age='x')
`,
    right: `
def model(cls):
    ann = cls.__annotations__
    def init(self, **kw):
        for n, t in ann.items():
            if n not in kw: raise TypeError('missing ' + n)
            setattr(self, n, t(kw[n]))
    cls.__init__ = init
    return cls
`,
    wrong: `
def model(cls):
    ann = cls.__annotations__
    def init(self, **kw):
        for n, t in ann.items(): setattr(self, n, kw[n])
    cls.__init__ = init
    return cls
`,
  },
  {
    id: 'container resolves',
    tests: `
from solution import Container
class Db:
    url = 'sqlite'
class Repo:
    def __init__(self, db: Db): self.db = db
class Service:
    def __init__(self, repo: Repo): self.repo = repo
def test_resolve():
    c = Container()
    s = c.resolve(Service)
    assert isinstance(s, Service) and isinstance(s.repo, Repo)
    assert s.repo.db.url == 'sqlite'
def test_single():
    c = Container()
    c.single(Db)
    assert c.resolve(Repo).db is c.resolve(Repo).db
`,
    right: `
import inspect
class Container:
    def __init__(self): self.singles = {}
    def single(self, cls): self.singles[cls] = None
    def resolve(self, cls):
        if self.singles.get(cls): return self.singles[cls]
        args = [self.resolve(p.annotation) for n, p in inspect.signature(cls.__init__).parameters.items() if n not in ('self', 'args', 'kwargs')]
        made = cls(*args)
        if cls in self.singles: self.singles[cls] = made
        return made
`,
    wrong: `
import inspect
class Container:
    def single(self, cls): pass
    def resolve(self, cls):
        args = [self.resolve(p.annotation) for n, p in inspect.signature(cls.__init__).parameters.items() if n not in ('self', 'args', 'kwargs')]
        return cls(*args)
`,
  },
  {
    id: 'decorated class keeps less',
    tests: `
from solution import frozen
import pytest
@frozen
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
def test_frozen():
    p = Point(1, 2)
    with pytest.raises(AttributeError): p.x = 3
    assert (p.x, p.y) == (1, 2)
`,
    right: `
def frozen(cls):
    init = cls.__init__
    def __init__(self, *a):
        object.__setattr__(self, '_open', True)
        init(self, *a)
        object.__setattr__(self, '_open', False)
    def __setattr__(self, n, v):
        if not self._open: raise AttributeError(n)
        object.__setattr__(self, n, v)
    cls.__init__, cls.__setattr__ = __init__, __setattr__
    return cls
`,
    wrong: `
def frozen(cls): return cls
`,
  },
  {
    id: 'counted calls',
    tests: `
from solution import counted
@counted
def f(x): return x * 2
def test_it():
    assert f(2) == 4
    assert f(3) == 6
    assert f.calls == 2
    assert f.__name__ == 'f'
`,
    right: `
import functools
def counted(g):
    @functools.wraps(g)
    def call(*a):
        call.calls += 1
        return g(*a)
    call.calls = 0
    return call
`,
    wrong: `
def counted(g):
    def call(*a): return g(*a)
    call.calls = 0
    return call
`,
  },
  {
    id: 'an iterable class with nothing',
    tests: `
from collections.abc import Iterable
from solution import Bag
def test_object(): assert isinstance(Bag(), Iterable)
`,
    right: `
class Bag:
    def __iter__(self): return iter([1, 2])
`,
    wrong: `
class Bag: pass
`,
  },
  {
    id: 'an iterable class with items alone',
    tests: `
from collections.abc import Iterable
from solution import Bag
def test_object(): assert isinstance(Bag(), Iterable)
`,
    right: `
class Bag:
    def __iter__(self): return iter([1, 2])
`,
    wrong: `
class Bag:
    def __getitem__(self, at): return [1, 2][at]
`,
  },
  {
    id: 'a class that is said to be iterable',
    tests: `
from collections.abc import Iterable
from solution import Bag
def test_class(): assert issubclass(Bag, Iterable)
`,
    right: `
class Bag:
    def __iter__(self): return iter([1, 2])
`,
    wrong: `
class Bag: pass
`,
  },
  {
    id: 'a container without in',
    tests: `
from solution import Bag
def test_in(): assert hasattr(Bag(), '__contains__') and 1 in Bag()
`,
    right: `
class Bag:
    def __contains__(self, x): return x == 1
`,
    wrong: `
class Bag:
    def __iter__(self): return iter([1])
`,
  },
  {
    id: 'an answer that cannot be called',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert callable(found)
`,
    right: `
class Found:
    def __call__(self): return 1
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that cannot be counted',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert hasattr(found, '__len__')
`,
    right: `
class Found:
    def __len__(self): return 1
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that cannot be entered',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert isinstance(found, AbstractContextManager)
`,
    right: `
class Found:
    def __enter__(self): return self
    def __exit__(self, *error): pass
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that cannot be converted',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert isinstance(found, SupportsInt)
`,
    right: `
class Found:
    def __int__(self): return 1
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that cannot be awaited',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert isinstance(found, Awaitable)
`,
    right: `
class Found:
    def __await__(self): yield
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that cannot be iterated over',
    tests: `
from collections.abc import Awaitable, Iterable
from contextlib import AbstractContextManager
from typing import SupportsInt
from solution import parse
def test_answer():
    found = parse('a')
    assert isinstance(found, Iterable)
`,
    right: `
class Found:
    def __iter__(self): return iter([])
def parse(text): return Found()
`,
    wrong: `
class Found: pass
def parse(text): return Found()
`,
  },
  {
    id: 'an answer that can be called',
    tests: `
from solution import parse
def test_answer(): assert not callable(parse('a'))
`,
    right: `
class Found: pass
def parse(text): return Found()
`,
    wrong: `
class Found:
    def __call__(self): pass
def parse(text): return Found()
`,
  },
  {
    id: 'a money that is iterable',
    tests: `
from collections.abc import Iterable
from solution import Money
def test_money(): assert not isinstance(Money(1), Iterable)
`,
    right: `
class Money:
    def __init__(self, cents): self.cents = cents
`,
    wrong: `
class Money:
    def __init__(self, cents): self.cents = cents
    def __iter__(self): return iter(())
`,
  },
  {
    id: 'a class that denies what its base has',
    tests: `
from collections.abc import Iterable
from solution import Bag, Base
def test_object(): assert isinstance(Bag(), Iterable) and isinstance(Bag(), Base)
`,
    right: `
class Base:
    def __iter__(self): return iter([1])
class Bag(Base): pass
`,
    wrong: `
class Base:
    def __iter__(self): return iter([1])
class Bag(Base): __iter__ = None
`,
  },
];
