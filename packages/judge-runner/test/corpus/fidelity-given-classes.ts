import type { FidelityCase } from './fidelity-case.ts';

/** Registries, containers of services, event buses and decorators that are given classes of the test: correct programs with ordinary tests. */
export const fidelityGivenClasses: readonly FidelityCase[] = [
  {
    id: 'event-bus',
    artifact: `
class Bus:
    def __init__(self): self.handlers = {}
    def on(self, kind, handler=None):
        if handler is None: return lambda f: self.on(kind, f)
        self.handlers.setdefault(kind, []).append(handler)
        return handler
    def emit(self, event):
        found = [h for kind in type(event).__mro__ for h in self.handlers.get(kind, ())]
        for each in found: each(event)
        return len(found)
class Encoder:
    def __init__(self): self.rules = []
    def rule(self, kind, f): self.rules.append((kind, f))
    def encode(self, x):
        for kind, f in self.rules:
            if isinstance(x, kind): return f(x)
        raise TypeError('cannot encode ' + type(x).__name__)
def by_type(default):
    table = {}
    def call(x): return next((table[k] for k in type(x).__mro__ if k in table), default)(x)
    call.register = lambda kind: lambda f: table.setdefault(kind, f)
    return call
`,
    tests: `
from dataclasses import dataclass
import pytest
from solution import Bus, Encoder, by_type
class Event: pass
@dataclass
class Created(Event):
    name: str
class Deleted(Event): pass
class A:
    def __init__(self, n): self.n = n
class B(A): pass
@pytest.fixture
def bus(): return Bus()
def test_exact_type(bus):
    seen = []
    bus.on(Created, seen.append)
    event = Created('x')
    assert bus.emit(event) == 1 and seen == [event] and seen[0] is event
    assert bus.emit(Deleted()) == 0
def test_base_type(bus):
    seen = []
    @bus.on(Event)
    def handler(event): seen.append(type(event).__name__)
    bus.emit(Created('x')); bus.emit(Deleted())
    assert seen == ['Created', 'Deleted']
def test_dispatch():
    f = by_type(lambda x: 'default')
    f.register(A)(lambda a: 'A%d' % a.n)
    assert f(A(1)) == 'A1' and f(B(2)) == 'A2' and f(3) == 'default'
def test_encoder():
    e = Encoder()
    e.rule(A, lambda a: {'n': a.n})
    assert e.encode(B(3)) == {'n': 3}
    class C: pass
    with pytest.raises(TypeError, match='cannot encode C'): e.encode(C())
`,
    breaks: ['in type(event).__mro__ for', 'in type(event).__mro__[:1] for'],
  },
  {
    id: 'registry',
    artifact: `
class Registry:
    def __init__(self): self.kinds = {}
    def register(self, name):
        def wrap(cls):
            self.kinds[name] = cls
            cls.registered_as = name
            return cls
        return wrap
    def get(self, name): return self.kinds[name]
    def create(self, name, *args): return self.kinds[name](*args)
    def priorities(self): return sorted(kind.priority for kind in self.kinds.values())
    def names(self, base): return sorted(n for n, k in self.kinds.items() if issubclass(k, base))
    def label(self, part): return type(part).registered_as
`,
    tests: `
import pytest
from solution import Registry
@pytest.fixture
def registry(): return Registry()
def test_class_stays_the_same(registry):
    @registry.register('h')
    class Handler:
        priority = 3
        def __init__(self, x=1): self.x = x
        def run(self): return self.x + 1
    assert registry.get('h') is Handler and Handler.registered_as == 'h'
    made = registry.create('h', 5)
    assert isinstance(made, Handler) and made.run() == 6 and made.x == 5
    assert registry.priorities() == [3] and registry.label(Handler()) == 'h'
def test_subclasses(registry):
    class Base: pass
    @registry.register('a')
    class A(Base): pass
    @registry.register('b')
    class B: pass
    assert registry.names(Base) == ['a']
`,
    breaks: ['if issubclass(k, base)', 'if k is base'],
  },
  {
    id: 'injection',
    artifact: `
import inspect
class Container:
    def __init__(self): self.made, self.bound = {}, {}
    def bind(self, kind, impl): self.bound[kind] = impl
    def get(self, kind):
        kind = self.bound.get(kind, kind)
        if kind not in self.made:
            hints = {n: p.annotation for n, p in inspect.signature(kind.__init__).parameters.items()
                     if n != 'self' and p.annotation is not p.empty}
            self.made[kind] = kind(**{n: self.get(k) for n, k in hints.items()})
        return self.made[kind]
`,
    tests: `
from solution import Container
class Database:
    def __init__(self): self.rows = []
class Repository:
    def __init__(self, database: Database): self.database = database
class Fake(Database): pass
def test_makes_what_is_needed():
    c = Container()
    repository = c.get(Repository)
    assert isinstance(repository, Repository) and isinstance(repository.database, Database)
    assert c.get(Database) is repository.database
def test_takes_another_one():
    c = Container()
    c.bind(Database, Fake)
    assert isinstance(c.get(Repository).database, Fake)
`,
    breaks: ['self.bound.get(kind, kind)', 'kind'],
  },
  {
    id: 'class-decorators',
    artifact: `
def tag(name):
    def wrap(cls):
        cls.tag = name
        cls.shout = lambda self: self.name.upper()
        return cls
    return wrap
def auto_repr(cls):
    def __repr__(self): return f'{type(self).__name__}({", ".join(f"{k}={v!r}" for k, v in vars(self).items())})'
    cls.__repr__ = __repr__
    return cls
def singleton(cls):
    made = {}
    def get(*args, **kwargs):
        if cls not in made: made[cls] = cls(*args, **kwargs)
        return made[cls]
    return get
def mixed(cls):
    class Mixed(cls):
        def extra(self): return 'extra ' + self.name
    Mixed.__name__ = cls.__name__
    return Mixed
class App:
    def __init__(self): self.kinds = {}
    def model(self, cls):
        names = list(cls.__annotations__)
        def __init__(self, **given):
            for name in names: setattr(self, name, given.get(name, getattr(cls, name, None)))
        cls.__init__ = __init__
        cls.to_dict = lambda self: {name: getattr(self, name) for name in names}
        self.kinds[cls.__name__] = cls
        return cls
    def make(self, which, **given): return self.kinds[which](**given)
`,
    tests: `
from solution import App, auto_repr, mixed, singleton, tag
app = App()
@app.model
class User:
    name: str
    age: int = 3
    def greet(self): return 'hi ' + self.name
class Root:
    def __init__(self, name): self.name = name
    def hello(self): return 'hello ' + self.name
def test_tag():
    @tag('t')
    class Thing:
        kind = 'k'
        def __init__(self, name): self.name = name
        def greet(self, other='you'): return f'{self.name} greets {other}'
    assert Thing.tag == 't' and Thing.kind == 'k'
    thing = Thing('ann')
    assert thing.shout() == 'ANN' and thing.name == 'ann' and thing.tag == 't'
    assert thing.greet() == 'ann greets you' and thing.greet(other='bob') == 'ann greets bob'
def test_repr():
    @auto_repr
    class P:
        def __init__(self, x, y): self.x = x; self.y = y
    assert repr(P(1, 'a')) == "P(x=1, y='a')"
def test_singleton():
    @singleton
    class Config:
        def __init__(self): self.n = 0
    a, b = Config(), Config()
    assert a is b
    a.n = 4
    assert b.n == 4
def test_super():
    @tag('s')
    class A(Root):
        def __init__(self, name, n=1):
            super().__init__(name)
            self.n = n
        def hello(self): return super().hello() + '!'
    a = A('x', 2)
    assert a.shout() == 'X' and a.hello() == 'hello x!' and a.n == 2 and isinstance(a, Root)
def test_subclass():
    @mixed
    class B(Root): pass
    b = B('y')
    assert b.extra() == 'extra y' and b.hello() == 'hello y' and B.__name__ == 'B'
def test_models():
    user = User(name='ann')
    assert user.to_dict() == {'name': 'ann', 'age': 3} and user.greet() == 'hi ann'
    other = app.make('User', name='bob', age=4)
    assert other.greet() == 'hi bob' and isinstance(other, User) and other.age == 4
def test_models_of_the_next_test(): assert User(name='x').greet() == 'hi x'
`,
    breaks: ['self.name.upper()', 'self.name'],
  },
  {
    id: 'serialising',
    artifact: `
import dataclasses, json
def to_json(x):
    def default(o):
        if dataclasses.is_dataclass(o): return {'type': type(o).__name__, **dataclasses.asdict(o)}
        if hasattr(o, 'to_json'): return o.to_json()
        return vars(o)
    return json.dumps(x, default=default, sort_keys=True)
class Loader:
    def __init__(self): self.by_name = {}
    def add(self, cls): self.by_name[cls.__name__] = cls; return cls
    def load(self, name, data):
        cls = self.by_name[name]
        return cls(**{f.name: data[f.name] for f in dataclasses.fields(cls) if f.name in data})
def replaced(x, **changes): return dataclasses.replace(x, **changes)
def types_of(cls): return {f.name: f.type for f in dataclasses.fields(cls)}
def required(cls):
    missing = dataclasses.MISSING
    return [f.name for f in dataclasses.fields(cls) if f.default is missing and f.default_factory is missing]
def defaults(cls): return {f.name: f.default for f in dataclasses.fields(cls) if f.default is not dataclasses.MISSING}
`,
    tests: `
from dataclasses import dataclass, field
from solution import Loader, defaults, replaced, required, to_json, types_of
@dataclass
class Point:
    x: int
    y: int = 0
@dataclass
class Note:
    text: str
    tags: list = field(default_factory=list)
    size: int = 4
class Plain:
    def __init__(self): self.a = 1
class Own:
    def to_json(self): return 'own'
def test_json():
    assert to_json(Point(1)) == '{"type": "Point", "x": 1, "y": 0}'
    assert to_json(Plain()) == '{"a": 1}' and to_json(Own()) == '"own"'
def test_load():
    loader = Loader()
    loader.add(Point)
    assert loader.load('Point', {'x': 4}) == Point(4, 0)
def test_replace(): assert replaced(Point(1, 2), y=3) == Point(1, 3)
def test_types(): assert types_of(Point) == {'x': int, 'y': int}
def test_defaults(): assert required(Note) == ['text'] and defaults(Note) == {'size': 4}
`,
    breaks: ['if f.name in data', 'if f.name not in data'],
  },
  {
    id: 'records',
    artifact: `
class Field:
    def __init__(self, default=None, factory=None, convert=None): self.default, self.factory, self.convert = default, factory, convert
    def __set_name__(self, owner, name): self.name = name
def field(**given): return Field(**given)
def record(cls):
    fields = dict(getattr(cls, '_record_fields', {}))
    fields.update({n: f for n, f in vars(cls).items() if isinstance(f, Field)})
    for name in [n for n in vars(cls) if n in fields]: delattr(cls, name)
    cls._record_fields, cls.__match_args__ = fields, tuple(fields)
    def __init__(self, *args, **kwargs):
        given = {**dict(zip(fields, args)), **kwargs}
        if not set(given) <= set(fields): raise TypeError('unexpected argument')
        for name, f in fields.items():
            value = given[name] if name in given else f.factory() if f.factory else f.default
            setattr(self, name, f.convert(value) if f.convert else value)
    cls.__init__ = __init__
    cls.__repr__ = lambda self: f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in fields)})"
    return cls
def names_of(cls): return [f.name for f in cls._record_fields.values()]
`,
    tests: `
import pytest
from solution import field, names_of, record
@record
class Point:
    x = field(convert=int)
    y = field(default=0)
@record
class Shape:
    name = field(convert=str.title)
    points = field(factory=list)
def test_init():
    assert Point('1').x == 1 and Point(1, y=2).y == 2
    with pytest.raises(TypeError, match='unexpected'): Point(1, z=3)
def test_repr(): assert repr(Point(1, 'a')) == "Point(x=1, y='a')"
def test_names(): assert names_of(Point) == ['x', 'y']
def test_not_shared():
    a, b = Shape('a'), Shape('b')
    a.points.append(Point(1))
    assert b.points == [] and len(a.points) == 1 and a.points is not b.points
def test_base():
    @record
    class Point3(Point):
        z = field(default=0)
    assert names_of(Point3) == ['x', 'y', 'z'] and isinstance(Point3(1), Point) and Point3(1, 2, 3).z == 3
`,
    breaks: ['f.factory() if f.factory else', ''],
  },
  {
    id: 'descriptors',
    artifact: `
class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return obj.__dict__[self.name]
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(f'{self.name} must be {self.kind.__name__}')
        obj.__dict__[self.name] = value
class lazy:
    def __init__(self, fn): self.fn, self.name = fn, fn.__name__
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        value = self.fn(obj)
        obj.__dict__[self.name] = value
        return value
class Positive:
    def __set_name__(self, owner, name): self.public, self.private = name, '_' + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return getattr(obj, self.private)
    def __set__(self, obj, value):
        if value < 0: raise ValueError(self.public + ' must be positive')
        setattr(obj, self.private, value)
class Bounded:
    def __init__(self, low, high): self.low, self.high = low, high
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else vars(obj).get(self.name)
    def __set__(self, obj, value):
        if not self.low <= value <= self.high: raise ValueError(value)
        vars(obj)[self.name] = value
    def __delete__(self, obj):
        try: del vars(obj)[self.name]
        except KeyError: raise AttributeError(self.name) from None
class Named:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        try: return obj.__dict__[self.name]
        except KeyError: raise AttributeError(self.name) from None
    def __set__(self, obj, value): obj.__dict__[self.name] = value
    def __delete__(self, obj): obj.__dict__.pop(self.name)
class Validator:
    def __set_name__(self, owner, name): self.private_name = '_' + name
    def __get__(self, obj, objtype=None): return getattr(obj, self.private_name)
    def __set__(self, obj, value):
        self.validate(value)
        setattr(obj, self.private_name, value)
class Choice(Validator):
    def __init__(self, *options): self.options = set(options)
    def validate(self, value):
        if value not in self.options: raise ValueError(f'Expected {value!r} to be one of {self.options!r}')
class Cached:
    def __init__(self, fn): self.fn = fn
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return obj.__dict__.setdefault(self.name, self.fn(obj))
class Field:
    def __init__(self, default=None, required=False): self.default, self.required = default, required
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return obj.__dict__.get(self.name, self.default)
    def __set__(self, obj, value): obj.__dict__[self.name] = value
    @staticmethod
    def names(cls): return [n for n, v in vars(cls).items() if isinstance(v, Field)]
`,
    tests: `
import pytest
from solution import Bounded, Cached, Choice, Field, Named, Positive, Typed, lazy
calls = []
class Point:
    x = Typed(int)
    y = Typed(int)
    def __init__(self, x, y): self.x, self.y = x, y
    def total(self): return self.x + self.y
class Circle:
    def __init__(self, r): self.r = r
    @lazy
    def area(self):
        calls.append(self.r)
        return self.r * self.r * 3
class Account:
    balance = Positive()
    limit = Positive()
    def __init__(self, balance, limit=10):
        self.balance = balance
        self.limit = limit
    def take(self, n): self.balance -= n
class Temp:
    degrees = Bounded(-10, 10)
class Person:
    name = Named()
    tags = Named()
class Card:
    suit = Choice('a', 'b')
    def __init__(self, suit): self.suit = suit
class Row:
    total = Cached(lambda self: self.n + 1)
    def __init__(self, n): self.n = n
def test_typed():
    p = Point(1, 2)
    assert (p.x, p.y, p.total()) == (1, 2, 3)
    p.x = 5
    assert p.x == 5 and p.total() == 7
def test_typed_error():
    with pytest.raises(TypeError, match='x must be int'): Point('a', 2)
    p = Point(1, 2)
    with pytest.raises(TypeError): p.y = 'b'
    assert p.y == 2
def test_isolated():
    a, b = Point(1, 2), Point(3, 4)
    assert (a.x, b.x) == (1, 3)
    a.x = 9
    assert (a.x, b.x) == (9, 3)
def test_vars():
    assert vars(Point(1, 2)) == {'x': 1, 'y': 2}
    assert Point(1, 2).__dict__ == {'x': 1, 'y': 2}
def test_class_access():
    assert isinstance(Point.x, Typed)
    assert Point.x is Point.x
    assert Point.x.name == 'x'
def test_lazy_once():
    del calls[:]
    c = Circle(2)
    assert c.area == 12
    assert c.area == 12
    assert calls == [2]
    assert 'area' in c.__dict__ and c.__dict__['area'] == 12
def test_lazy_two():
    del calls[:]
    a, b = Circle(1), Circle(2)
    assert (a.area, b.area, a.area) == (3, 12, 3)
    assert calls == [1, 2]
def test_lazy_reset():
    del calls[:]
    c = Circle(1)
    assert c.area == 3
    c.r = 2
    assert c.area == 3
    del c.area
    assert c.area == 12
    assert calls == [1, 2]
def test_lazy_class():
    assert isinstance(Circle.area, lazy)
def test_positive():
    a = Account(5)
    a.take(3)
    assert a.balance == 2
    with pytest.raises(ValueError, match='balance'): a.take(4)
    assert a.balance == 2
    with pytest.raises(ValueError, match='limit'): Account(1, -1)
def test_positive_private():
    a = Account(5)
    assert a._balance == 5
    assert vars(a) == {'_balance': 5, '_limit': 10}
    a._balance = 7
    assert a.balance == 7
def test_positive_unchecked():
    class Draft(Account):
        def __init__(self): self._balance, self._limit, self._note = -5, 2, 'x'
    draft = Draft()
    assert (draft.balance, draft.limit) == (-5, 2)
    with pytest.raises(ValueError): draft.take(1)
    draft.balance = 3
    assert draft._balance == 3 and draft._note == 'x'
def test_bounded():
    t = Temp()
    assert t.degrees is None
    t.degrees = 5
    assert t.degrees == 5
    with pytest.raises(ValueError): t.degrees = 11
    del t.degrees
    assert t.degrees is None
    with pytest.raises(AttributeError): del t.degrees
def test_named():
    p = Person()
    with pytest.raises(AttributeError): p.name
    p.name = 'ann'
    assert p.name == 'ann'
    tags = ['a']
    p.tags = tags
    assert p.tags is tags
    p.tags.append('b')
    assert p.tags == ['a', 'b'] and tags == ['a', 'b']
    assert not hasattr(Person(), 'name')
    del p.name
    assert not hasattr(p, 'name')
def test_choice():
    assert Card('a').suit == 'a'
    with pytest.raises(ValueError): Card('c')
def test_cached():
    r = Row(3)
    assert r.total == 4
    r.n = 5
    assert r.total == 4
    assert r.__dict__['total'] == 4
def test_inherited():
    class Sub(Point):
        z = Typed(str)
    s = Sub(1, 2)
    s.z = 'z'
    assert (s.x, s.z) == (1, 'z')
    with pytest.raises(TypeError, match='z must be str'): s.z = 3
def test_setattr():
    p = Point(1, 2)
    setattr(p, 'x', 4)
    assert getattr(p, 'x') == 4
    with pytest.raises(TypeError): setattr(p, 'x', None)
def test_test_objects():
    p, a = Person(), Account(1)
    p.name = a
    assert p.name is a
    p.name = Point(1, 2)
    assert p.name.x == 1
def test_fields():
    class User:
        name = Field(default='x', required=True)
        age = Field(default=3)
    u, v = User(), User()
    assert u.name == 'x'
    u.name = 'b'
    assert (u.name, v.name, u.age) == ('b', 'x', 3)
    assert sorted(Field.names(User)) == ['age', 'name']
`,
    breaks: ['setattr(obj, self.private, value)\nclass Bounded', 'self.value = value\nclass Bounded'],
  },
  {
    id: 'descriptors-that-keep-more',
    artifact: `
import json, weakref
class Item:
    def __init__(self, n): self.n = n
class lazy:
    def __init__(self, fn): self.fn = fn
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        value = obj.__dict__[self.name] = self.fn(obj)
        return value
class lazy_new(lazy):
    def __get__(self, obj, owner=None):
        if obj is None: return self
        value = {k: list(v) for k, v in self.fn(obj).items()}
        obj.__dict__[self.name] = value
        return value
class lazy_private:
    def __init__(self, fn): self.fn, self.key = fn, '_lazy_' + fn.__name__
    def __get__(self, obj, owner=None):
        if obj is None: return self
        if not hasattr(obj, self.key): setattr(obj, self.key, self.fn(obj))
        return getattr(obj, self.key)
def copies(p): return p.fresh
class Reg:
    def __set_name__(self, owner, name):
        self.name = name
        if '_fields' not in owner.__dict__: owner._fields = []
        owner._fields.append(name)
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__.get(self.name)
    def __set__(self, obj, value): obj.__dict__[self.name] = value
def names_of(cls): return cls._fields
class WeakField:
    def __init__(self): self.data = weakref.WeakKeyDictionary()
    def __get__(self, obj, owner=None): return self if obj is None else self.data[obj]
    def __set__(self, obj, value): self.data[obj] = value
class OwnField:
    def __init__(self, default): self.default = default
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__.get(self.name, self.default)
    def __set__(self, obj, value): obj.__dict__.update({self.name: value})
class Conv:
    def __init__(self, *, default): self._default = default
    def __set_name__(self, owner, name): self._name = '_' + name
    def __get__(self, obj, type):
        if obj is None: return self._default
        return getattr(obj, self._name, self._default)
    def __set__(self, obj, value): setattr(obj, self._name, int(value))
class Hist:
    def __set_name__(self, owner, name): self.name, self.key = name, '_' + name + '_history'
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.key)[-1]
    def __set__(self, obj, value): obj.__dict__.setdefault(self.key, []).append(value)
    def history(self, obj): return list(obj.__dict__[self.key])
class Once:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__[self.name]
    def __set__(self, obj, value):
        if self.name in obj.__dict__: raise AttributeError(self.name + ' is set')
        obj.__dict__[self.name] = value
class ReadOnly:
    def __init__(self, value): self.value = value
    def __get__(self, obj, owner=None): return self.value
    def __set__(self, obj, value): raise AttributeError('read only')
class Logged:
    def __init__(self, log): self.log = log
    def __set_name__(self, owner, name): self.public, self.private = name, '_' + name
    def __get__(self, obj, owner=None):
        self.log('get ' + self.public)
        return getattr(obj, self.private)
    def __set__(self, obj, value):
        self.log('set %s %r' % (self.public, value))
        setattr(obj, self.private, value)
class Base:
    kind = object
    def __init__(self, min=None): self.min = min
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        try: return vars(obj)[self.name]
        except KeyError: raise AttributeError(self.name) from None
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(self.name)
        self.check(value)
        vars(obj)[self.name] = value
    def check(self, value): pass
class Str(Base):
    kind = str
    def check(self, value):
        if len(value) < self.min: raise ValueError(self.name + ' is too short')
class Int(Base):
    kind = int
    def check(self, value):
        if value < self.min: raise ValueError(self.name + ' is too small')
def dump(p): return json.dumps(vars(p))
def state(p): return dict(vars(p))
def load(p, held): vars(p).update(held)
def wipe(p): vars(p).clear()
`,
    tests: `
import copy
from dataclasses import dataclass
import pytest
from solution import *
calls = []
class Page:
    @lazy
    def items(self):
        calls.append(1)
        return []
    @lazy
    def made(self): return Item(3)
    @lazy_new
    def fresh(self):
        calls.append(2)
        return {'a': [1]}
    @lazy_private
    def quiet(self):
        calls.append(3)
        return [1]
class Model:
    name = Reg()
    size = Reg()
class Weak:
    x = WeakField()
    def __init__(self, x): self.x = x
class Own:
    x = OwnField(5)
SHARED = Weak(3)
@dataclass
class P:
    x: int = Conv(default=4)
class Stack:
    n = Hist()
    def __init__(self, n): self.n = n
class Frozen:
    n = Once()
class RO:
    n = ReadOnly(4)
class Log:
    n = Logged(calls.append)
class Person:
    first = Str(min=2)
    age = Int(min=0)
    def __init__(self, first, age): self.first, self.age = first, age
    def birthday(self): self.age += 1
    def __repr__(self): return f'Person({self.first!r}, {self.age})'
    def __eq__(self, other): return isinstance(other, Person) and vars(self) == vars(other)
def test_list():
    del calls[:]
    p, q = Page(), Page()
    p.items.append(4)
    assert p.items == [4] and p.items is p.items and q.items == []
    assert calls == [1, 1]
def test_made():
    p = Page()
    assert p.made is p.made and p.made.n == 3
def test_fresh():
    del calls[:]
    p = Page()
    p.fresh['a'].append(2)
    p.fresh['b'] = 1
    assert p.fresh == {'a': [1, 2], 'b': 1} and calls == [2]
    assert copies(p) == {'a': [1, 2], 'b': 1}
def test_quiet():
    del calls[:]
    p = Page()
    p.quiet.append(2)
    assert p.quiet == [1, 2] and calls == [3] and p._lazy_quiet is p.quiet
def test_reg():
    assert names_of(Model) == ['name', 'size']
    m, n = Model(), Model()
    m.name = 'x'
    assert (m.name, n.name, m.size) == ('x', None, None)
    assert vars(m) == {'name': 'x'}
def test_weak():
    a, b = Weak(1), Weak([2])
    assert a.x == 1 and b.x == [2] and SHARED.x == 3
    SHARED.x = 4
    assert vars(a) == {}
def test_shared_again(): assert SHARED.x in (3, 4)
def test_own():
    o = Own()
    assert o.x == 5
    o.x = 6
    assert o.x == 6 and Own().x == 5 and o.__dict__ == {'x': 6}
    assert copy.copy(o).x == 6
def test_dataclass():
    assert P().x == 4 and P('7').x == 7
    p = P(3)
    p.x = '9'
    assert p.x == 9
def test_hist():
    s = Stack(1)
    s.n = 2
    s.n = 3
    assert s.n == 3 and Stack.n.history(s) == [1, 2, 3]
def test_once():
    f = Frozen()
    f.n = 1
    with pytest.raises(AttributeError, match='n is set'): f.n = 2
    assert f.n == 1
    with pytest.raises(AttributeError): del f.n
def test_read_only():
    assert RO().n == 4 and RO.n == 4
    with pytest.raises(AttributeError): RO().n = 5
def test_logged():
    del calls[:]
    l = Log()
    l.n = 5
    l.n
    assert calls == ['set n 5', 'get n']
def test_person():
    p = Person('ann', 3)
    p.birthday()
    assert p.age == 4 and repr(p) == "Person('ann', 4)"
    assert p == Person('ann', 4) and p != Person('bob', 4)
    with pytest.raises(ValueError): Person('a', 3)
    with pytest.raises(TypeError): Person('ann', 'x')
    with pytest.raises(ValueError, match='age'): p.age = -1
def test_dump():
    p = Person('ann', 3)
    assert dump(p) == '{"first": "ann", "age": 3}'
    assert sorted(state(p)) == ['age', 'first']
    p.age = 5
    assert state(p) == {'first': 'ann', 'age': 5}
    load(p, {'first': 'bob'})
    assert p.first == 'bob' and p.age == 5
    wipe(p)
    assert not hasattr(p, 'first') and vars(p) == {}
`,
    breaks: ['.append(value)\n    def history', '.append(0)\n    def history'],
  },
  {
    id: 'descriptors-in-many-classes',
    artifact: `
class Positive:
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value):
        if value < 0: raise ValueError(self.name)
        setattr(obj, self.name, value)
class classproperty:
    def __init__(self, fn): self.fn = fn
    def __get__(self, obj, owner): return self.fn(owner)
class lazy:
    def __init__(self, fn): self.fn, self.name = fn, fn.__name__
    def __get__(self, obj, owner=None):
        if obj is None: return self
        if self.name not in obj.__dict__: obj.__dict__[self.name] = self.fn(obj)
        return obj.__dict__[self.name]
class Unit:
    def __init__(self, factor): self.factor = factor
    def __get__(self, obj, owner=None): return obj._meters * self.factor
    def __set__(self, obj, value): obj._meters = value / self.factor
class Alias:
    def __init__(self, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value): setattr(obj, self.name, value)
class validated:
    def __init__(self, check): self.check = check
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__[self.name]
    def __set__(self, obj, value):
        if not self.check(obj, value): raise ValueError(self.name)
        obj.__dict__[self.name] = value
class Dict:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__.setdefault(self.name, {})
    def __set__(self, obj, value): raise AttributeError(self.name)
class cached_method:
    def __init__(self, fn): self.fn = fn
    def __set_name__(self, owner, name): self.key = '_cache_' + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        def call(*args):
            cache = obj.__dict__.setdefault(self.key, {})
            if args not in cache: cache[args] = self.fn(obj, *args)
            return cache[args]
        return call
class Validated:
    def __init__(self, default=None): self.default = default
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, obj, owner=None):
        if obj is None: return self.default
        return getattr(obj, self.name, self.default)
    def __set__(self, obj, value):
        if value < 0: raise ValueError(self.name)
        setattr(obj, self.name, value)
`,
    tests: `
import copy
import threading
from dataclasses import dataclass
import pytest
from solution import Positive, classproperty, lazy, Unit, Alias, validated, Dict, Validated, cached_method
class Slots:
    __slots__ = ('_x',)
    x = Positive()
    def __init__(self, x): self.x = x
class Config:
    base = 'b'
    @classproperty
    def name(cls): return cls.base + '!'
class Sub(Config):
    base = 'c'
class Len:
    m = Unit(1)
    cm = Unit(100)
    def __init__(self, m): self.m = m
class Al:
    real = 4
    other = Alias('real')
    def __getattr__(self, name):
        if name == 'missing': return 'dyn'
        raise AttributeError(name)
class TestGroup:
    class Inner:
        x = Positive()
    def test_inner(self):
        i = self.Inner()
        i.x = 3
        assert i.x == 3
        with pytest.raises(ValueError): i.x = -3
    def test_two(self):
        i = self.Inner()
        i.x = 4
        assert i.x == 4
@pytest.fixture
def maker():
    class Made:
        x = Positive()
        def __init__(self, x): self.x = x
        def __eq__(self, other): return self.x == other.x
        def __hash__(self): return hash(self.x)
    return Made
@pytest.mark.parametrize('n', [1, 2, 3])
def test_many(maker, n):
    assert maker(n).x == n and maker(n) == maker(n) and len({maker(n), maker(n)}) == 1
def test_slots():
    a, b = Slots(1), Slots(2)
    assert (a.x, b.x) == (1, 2)
    with pytest.raises(ValueError): a.x = -1
    a.x = 5
    assert a.x == 5 and b.x == 2
def test_classproperty():
    assert Config.name == 'b!' and Sub.name == 'c!' and Sub().name == 'c!'
def test_units():
    l = Len(2)
    assert l.m == 2 and l.cm == 200
    l.cm = 50
    assert l.m == 0.5
def test_alias():
    a = Al()
    assert a.other == 4
    a.other = 7
    assert a.real == 7 and Al().real == 4 and a.missing == 'dyn'
    with pytest.raises(AttributeError): a.nothing
def test_copy(maker):
    a = maker(3)
    b = copy.copy(a)
    b.x = 4
    assert (a.x, b.x) == (3, 4)
    c = copy.deepcopy(a)
    assert c.x == 3
def test_loop(maker):
    items = [maker(n) for n in range(20)]
    assert [each.x for each in items] == list(range(20))
    for each in items: each.x += 1
    assert sum(each.x for each in items) == 210
def test_thread(maker):
    made, found = maker(1), []
    def work():
        made.x = 5
        found.append(made.x)
    t = threading.Thread(target=work); t.start(); t.join()
    assert found == [5] and made.x == 5
def test_validated():
    class User:
        @validated
        def age(self, value): return value > 0
    u = User()
    u.age = 4
    assert u.age == 4
    with pytest.raises(ValueError, match='age'): u.age = -1
def test_dict():
    class A:
        d = Dict()
    a, b = A(), A()
    a.d['k'] = 1
    assert a.d == {'k': 1} and b.d == {} and a.d is a.d
def test_memo():
    calls = []
    class A:
        def __init__(self, n): self.n = n
        @cached_method
        def f(self, x):
            calls.append(x)
            return self.n + x
    a, b = A(1), A(2)
    assert [a.f(1), a.f(1), b.f(1)] == [2, 2, 3] and calls == [1, 1]
def test_lazy_error():
    calls = []
    class A:
        @lazy
        def x(self):
            calls.append(1)
            if len(calls) == 1: raise ValueError('first')
            return 5
    a = A()
    with pytest.raises(ValueError, match='first'): a.x
    assert a.x == 5 and a.x == 5 and len(calls) == 2
def test_lazy_none():
    calls = []
    class A:
        @lazy
        def x(self): calls.append(1)
    a = A()
    assert a.x is None and a.x is None and calls == [1]
    assert 'x' in vars(a)
def test_dependent():
    class A:
        def __init__(self, n): self.n = n
        @lazy
        def x(self): return self.n * 2
        @lazy
        def y(self): return self.x + 1
    a = A(3)
    assert a.y == 7 and vars(a) == {'n': 3, 'x': 6, 'y': 7}
    vars(a).pop('x')
    a.n = 5
    assert a.x == 10 and a.y == 7
def test_setlazy():
    class A:
        @lazy
        def x(self): return 1
    a = A()
    a.x = 9
    assert a.x == 9
def test_dataclass():
    @dataclass
    class P:
        x: int = Validated(default=2)
        y: int = 0
    assert P().x == 2 and P(5, 6).x == 5 and P(5) == P(5) and P(5) != P(6)
    assert repr(P(1)) == 'test_dataclass.<locals>.P(x=1, y=0)'
    with pytest.raises(ValueError): P(-1)
`,
    breaks: ['cache[args] = self.fn(obj, *args)', 'cache[args] = self.fn(obj, 2)'],
  },
  {
    id: 'dictionaries-of-objects',
    artifact: `
import copy, pickle
class Field:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__[self.name]
    def __set__(self, obj, value): obj.__dict__[self.name] = value
def state(p): return vars(p)
def nested(p): return {'a': vars(p)}
def keys(p): return [k for k in vars(p)]
def merged(p, **kw): return {**vars(p), **kw}
def give(p, f): f(vars(p))
def update(p, **kw): p.__dict__ |= kw
def clone(p):
    q = type(p).__new__(type(p))
    q.__dict__.update(p.__dict__)
    return q
def same(a, b): return vars(a) == vars(b)
def show(p): return f"{type(p).__name__}({', '.join(f'{k}={v!r}' for k, v in p.__dict__.items())}) {vars(p)}"
def dumped(p): return pickle.loads(pickle.dumps(copy.deepcopy(vars(p))))
def doubled(p):
    for k, v in vars(p).items(): p.__dict__[k] = v * 2
def strip(p, name): delattr(p, name)
def plain(p): return type(vars(p).copy()) is dict and isinstance(vars(p), dict)
`,
    tests: `
import pytest
from solution import *
class P:
    kind = 'k'
    def __init__(self, **kw): self.__dict__.update(kw)
class F(P):
    x = Field()
def test_vars():
    p = P(a=1, b=[2])
    assert state(p) == {'a': 1, 'b': [2]} and type(state(p)) is dict
    assert nested(p) == {'a': {'a': 1, 'b': [2]}}
    assert keys(p) == ['a', 'b'] and merged(p, c=3) == {'a': 1, 'b': [2], 'c': 3}
def test_call():
    seen = []
    give(P(a=1), seen.append)
    assert seen == [{'a': 1}]
def test_update():
    p = P(a=1)
    update(p, b=2, a=3)
    assert vars(p) == {'a': 3, 'b': 2} and p.b == 2
def test_copy():
    p = P(a=1)
    q = clone(p)
    q.a = 2
    assert p.a == 1 and q.a == 2 and type(q) is P
def test_same(): assert same(P(a=[1]), P(a=[1])) and not same(P(a=1), P(a=2))
def test_text(): assert show(P(a=1, b='x')) == "P(a=1, b='x') {'a': 1, 'b': 'x'}"
def test_pickle(): assert dumped(P(a=1)) == {'a': 1}
def test_loop():
    p = P(a=1, b=2)
    doubled(p)
    assert vars(p) == {'a': 2, 'b': 4}
def test_field():
    f = F(x=3, y=4)
    assert f.x == 3 and state(f) == {'x': 3, 'y': 4}
    f.x = 5
    assert f.__dict__['x'] == 5
def test_delete():
    p = P(a=1, b=2)
    strip(p, 'a')
    assert vars(p) == {'b': 2}
    with pytest.raises(AttributeError): strip(p, 'a')
def test_plain():
    p = P(a=1)
    assert plain(p) is True
`,
    breaks: ['] = v * 2', '] = v'],
  },
];
