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
];
