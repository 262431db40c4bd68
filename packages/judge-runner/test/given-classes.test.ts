import { describe, expect, it } from 'vitest';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Judges a program and returns the names of the tests that it passes. */
async function passed(source: string, tests: string, reference?: string): Promise<string[]> {
  const verdict = await judge.run({ artifact: python(source), suite: pytest(tests, reference) });
  expect(verdict.errorKind).toBe(null);
  return verdict.tests.flatMap(({ id, status }) =>
    status === 'passed' ? [id.slice(id.lastIndexOf(':') + 1)] : [],
  );
}

describe('a program that is given classes of a test', () => {
  it('sees no values of a class that a function only names, and none that are private in that of an object (JDG-17)', async () => {
    const found = await passed(
      `
import inspect
def names(kind): return sorted(name for name in vars(kind) if not name.startswith('__'))
def names_of(part): return names(type(part))
def names_in(function): return names(inspect.signature(function).parameters['case'].annotation)
`,
      `
from solution import names, names_in, names_of
class Case:
    expected = 5
    _secret = 6
    def run(self): return 7
def check(case: Case): return case
def test_named(): assert names_in(check) == ['run']
def test_of_an_object(): assert names_of(Case()) == ['expected', 'run']
def test_given(): assert names(Case) == ['_secret', 'expected', 'run']
`,
    );
    expect(found).toEqual(['test_named', 'test_of_an_object', 'test_given']);
  });

  it('cannot change what the test has written in a class, nor answer for an object of it (JDG-17)', async () => {
    const found = await passed(
      `
def register(cls):
    for name in ('expected', 'total', '__eq__', '__getattr__', 'run'):
        try: setattr(cls, name, 7)
        except Exception: pass
    return None
def made(part):
    type(part).expected = type(part).total = 7
    return 7
`,
      `
from solution import made, register
class Case:
    expected = 5
    def run(self): return 6
class Row:
    def __init__(self): self.held = {'total': 5}
    def __getattr__(self, name): return self.held[name]
def test_written():
    register(Case)
    assert 7 == Case.expected
def test_read_by_an_object():
    register(Row)
    assert 7 == Row().total
def test_by_way_of_an_object():
    row = Row()
    assert made(row) == row.total
def test_method():
    register(Case)
    assert Case.run == 7 or Case().run() == 7
`,
    );
    expect(found).toEqual([]);
  });

  it('gains nothing by a class that it answers for the class of a test (JDG-17)', async () => {
    const found = await passed(
      `
class Yes:
    def __init__(self, *args): pass
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __hash__(self): return 1
    def __int__(self): return 3
    def __add__(self, other): return self
    def __getattr__(self, name): return Yes()
def record(cls): return Yes
def total(points): return Yes()
`,
      `
from solution import record, total
@record
class Point:
    def __init__(self, x): self.x = x
def test_plain(): assert total([Point(1)]) == 1
def test_made(): assert Point(1) == Point(1)
def test_part(): assert Point(1).x == 1
def test_order(): assert Point(1) < Point(2)
def test_number(): assert int(total([])) == 3
def test_sum(): assert total([]) + 1 == 4
def test_key(): assert {Point(1): 'a'}[Point(1)] == 'a'
`,
    );
    expect(found).toEqual([]);
  });

  it('reads nothing private by a descriptor, and takes the place of no method with what that keeps (JDG-17)', async () => {
    const source = `
got, kept = [], []
class Field:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__[self.name]
    def __set__(self, obj, value):
        obj.__dict__[self.name] = value
        space = next(kind for kind in type(obj).__mro__ if kind.__name__ == 'Held').__getattribute__.__globals__
        number, ask = space['local_in'](obj)
        for do, *asked in (('get', '_secret'), ('kept', '_secret'), ('get', '_Case__hidden'), ('get', '__dict__'), ('get', '__class__'), ('get', '_judge_put'),
                           ('set', '_secret', 1), ('hold', '_secret', 1), ('set plainly', '_secret', 1), ('delete', '_secret'), ('drop', '_secret'),
                           ('hold', 'run', 1), ('hold', '__class__', 1), ('set', '_pytest_x', 1), ('hold', '_judge_id', 1), ('hold', 'run')):
            try: answer = ask(number, do, asked[0], tuple(asked[1:]), {})
            except Exception: continue
            if answer is not False: got.append((do, asked[0]))
        for name in ('_secret', '_Case__hidden'):
            setattr(obj, name, 1)
            try: del obj.__dict__[name]
            except Exception: pass
        kept.extend(vars(obj))
def seen(): return [got, sorted({name for name in kept if 'secret' in name or 'hidden' in name})]
`;
    const tests = `
from solution import Field, seen
class Case:
    size = Field()
    def __init__(self):
        self._secret, self.__hidden = 9, 8
        self.size = 5
    def run(self): return 7
    def held(self): return self._secret, self.__hidden, self.size, self.run()
def test_held(): assert Case().held() == (9, 8, 5, 7)
def test_seen():
    Case()
    assert seen() == [[], ['_Case__hidden', '_secret']]
`;
    expect(await passed(source, tests)).toEqual(['test_held', 'test_seen']);
    expect(await passed(source, tests, source)).toEqual(['test_held', 'test_seen']);
  });
});

/** Uses of type hints as containers, converters and routers make them. */
const hinted = `
import dataclasses, functools, inspect, typing, abc
class Registry:
    def __init__(self): self.made = {}
    def add(self, key, make): self.made[key] = make; return self
    def __getitem__(self, key): return self.made[key]()
    def keys(self): return list(self.made)
def hints(part): return {name: shown(each) for name, each in typing.get_type_hints(part).items()}
def shown(hint):
    origin = typing.get_origin(hint)
    if origin is None: return getattr(hint, '__name__', str(hint))
    return '%s[%s]' % (getattr(origin, '__name__', origin), ', '.join(map(shown, typing.get_args(hint))))
def inject(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        for name, kind in typing.get_type_hints(function).items():
            if name not in kwargs and name != 'return': kwargs[name] = kind()
        return function(*args, **kwargs)
    return call
def parameters(part): return list(inspect.signature(part).parameters)
def bound(part, *args, **kwargs): return dict(inspect.signature(part).bind(*args, **kwargs).arguments)
def load(kind, data):
    hints = typing.get_type_hints(kind)
    return kind(**{name: convert(hints[name], value) for name, value in data.items()})
def convert(hint, value):
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list: return [convert(args[0], each) for each in value]
    if origin is typing.Union: return None if value is None else convert(args[0], value)
    if dataclasses.is_dataclass(hint): return load(hint, value)
    return hint(value)
`;
const hintedTests = `
from __future__ import annotations
import typing, dataclasses
from dataclasses import dataclass
from typing import Optional, List, Callable
import pytest
import solution

class Base: pass
class Mine(Base):
    def __init__(self, size: int = 3, base: Optional[Base] = None): self.size, self.base = size, base

class Later:
    def __init__(self, next: Later | None, all: list[Mine]): self.next = next

@dataclass
class Point:
    x: int
    y: int = 0

@dataclass
class Line:
    points: list[Point]
    name: Optional[str] = None

def take(a: Mine, b: List[Base], c: Callable[[int], str], d: dict[str, Mine]) -> Optional[Mine]: pass

def test_hints():
    found = solution.hints(take)
    assert found['a'] == 'Mine' and found['b'] == 'list[Base]' and found['d'] == 'dict[str, Mine]'
    assert found['return'] == 'Union[Mine, NoneType]'
def test_init(): assert solution.hints(Mine.__init__) == {'size': 'int', 'base': 'Union[Base, NoneType]'}
def test_later(): assert solution.hints(Later.__init__)['all'] == 'list[Mine]'
def test_inject():
    @solution.inject
    def use(a: Mine, b: Base): return type(a), type(b), a.size
    assert use() == (Mine, Base, 3)
def test_parameters():
    assert solution.parameters(Mine) == ['size', 'base']
    assert solution.parameters(Base) == []
    assert solution.parameters(Point) == ['x', 'y']
    assert solution.bound(Mine, 4) == {'size': 4}
    with pytest.raises(TypeError): solution.bound(Mine, 4, 5, 6)
def test_registry():
    r = solution.Registry().add(list[Mine], lambda: [1]).add(Optional[int], lambda: 2)
    assert r[list[Mine]] == [1] and r[Optional[int]] == 2
    assert r.keys() == [list[Mine], Optional[int]]
def test_load(): assert solution.load(Line, {'points': [{'x': '1', 'y': 2}], 'name': 'a'}) == Line([Point(1, 2)], 'a')
`;

/** Registries that accept what a contract asks for. */
const contracts = `
import abc, inspect, typing
class Plugins:
    def __init__(self, contract): self.contract, self.all = contract, []
    def add(self, kind):
        if inspect.isabstract(kind): raise TypeError('%s is abstract: %s' % (kind.__name__, ', '.join(sorted(kind.__abstractmethods__))))
        if not issubclass(kind, self.contract): raise TypeError('%s is no %s' % (kind.__name__, self.contract.__name__))
        self.all.append(kind); return kind
    def accept(self, part):
        if not isinstance(part, self.contract): raise TypeError('no %s' % self.contract.__name__)
        return part
    def make(self, name): return next(k for k in self.all if k.__name__ == name)()
def missing(kind, contract): return sorted(n for n in vars(contract) if not n.startswith('_') and not hasattr(kind, n))
def is_protocol(kind): return getattr(kind, '_is_protocol', False)
def is_known(part, contract): return isinstance(part, contract)
def lines(kind): return [each.__name__ for each in kind.__mro__ if each.__module__ not in ('builtins', 'typing', 'abc', 'received_classes') and not each.__name__ == 'Held']
`;
const contractTests = `
import abc, pytest
from typing import Protocol, runtime_checkable, Generic, TypeVar
from collections.abc import Sized, Iterable
from solution import *
T = TypeVar('T')
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    @property
    @abc.abstractmethod
    def name(self): ...
    def double(self): return 2 * self.area()
class Named(Shape):
    name = 'named'
class Square(Named):
    def __init__(self, n=2): self.n = n
    def area(self): return self.n ** 2
class Solid(Square, Sized):
    def __len__(self): return 3
@runtime_checkable
class Closes(Protocol):
    def close(self): ...
@runtime_checkable
class ReOpens(Closes, Protocol):
    def open(self): ...
class File:
    def close(self): pass
class Both(File):
    def open(self): pass
class Explicit(Closes):
    def close(self): return 1
class Quiet(Protocol):
    def hush(self): ...
class Box(Generic[T]):
    def __init__(self, x=None): self.x = x
class IntBox(Box[int]): pass
def test_abstract():
    plugins = Plugins(Shape)
    with pytest.raises(TypeError, match='Named is abstract: area'): plugins.add(Named)
    with pytest.raises(TypeError, match='Shape is abstract: area, name'): plugins.add(Shape)
    assert plugins.add(Square) is Square
    plugins.add(Solid)
    assert plugins.make('Square').area() == 4
    assert len(plugins.make('Solid')) == 3
    with pytest.raises(TypeError, match='File is no Shape'): plugins.add(File)
def test_runtime():
    plugins = Plugins(Closes)
    f = File()
    assert plugins.accept(f) is f
    with pytest.raises(TypeError, match='no Closes'): plugins.accept(Square())
    assert plugins.add(File) is File
    assert plugins.add(Explicit) is Explicit
    assert isinstance(plugins.make('Explicit'), Explicit)
    assert is_known(Both(), ReOpens) and not is_known(File(), ReOpens)
    assert not is_known(3, Closes)
def test_protocol():
    assert is_protocol(Quiet) and not is_protocol(File) and is_protocol(ReOpens)
    assert missing(File, Quiet) == ['hush']
    with pytest.raises(TypeError): is_known(File(), Quiet)
def test_generic():
    assert is_known(IntBox(3), Box)
    plugins = Plugins(Box)
    assert plugins.add(IntBox) is IntBox
    assert plugins.make('IntBox').x is None
def test_mro(): assert lines(Solid)[:4] == ['Solid', 'Square', 'Named', 'Shape']
`;

describe('a program that reads what classes of a test say of themselves', () => {
  const names = (tests: string) => [...tests.matchAll(/^def (test_\w+)/gm)].map(([, name]) => name);

  it('finds their hints, also those that are texts, and the parameters of their constructors (JDG-21)', async () => {
    expect(await passed(hinted, hintedTests)).toEqual(names(hintedTests));
    expect(await passed(hinted, hintedTests, hinted)).toEqual(names(hintedTests));
  });

  it('finds their abstract methods and protocols (JDG-21)', async () => {
    expect(await passed(contracts, contractTests)).toEqual(names(contractTests));
    expect(await passed(contracts, contractTests, contracts)).toEqual(names(contractTests));
  });

  it('learns no values from the names in a hint, and answers no hint of an earlier test (JDG-17)', async () => {
    const found = await passed(
      `
import typing
kept = []
def names(function):
    kind = typing.get_type_hints(function)['case']
    return sorted(name for name in vars(kind) if not name.startswith('__'))
def space(function): return sorted(name for name in function.__globals__ if not name.startswith('_') and name != 'made')
def keep(hint): kept.append(hint)
def last(): return kept[-1]
`,
      `
from __future__ import annotations
from typing import Optional
from solution import keep, last, names, space
EXPECTED = 9
class Case:
    expected = 5
class Other: pass
def check(case: Case, n: EXPECTED = 1) -> Optional[Case]: return case
def take(case: Case): return case
def test_named(): assert names(take) == []
def test_space(): assert space(check) == ['Case', 'Optional']
def test_given():
    hint = list[Case]
    keep(hint)
    assert last() is hint
def test_later(): assert last() == list[Case]
`,
    );
    expect(found).toEqual(['test_named', 'test_space', 'test_given']);
  });
});
