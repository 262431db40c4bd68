import type { FidelityCase } from './fidelity-case.ts';

/** Values of the standard library and classes: correct programs with ordinary tests. */
export const fidelityValues: readonly FidelityCase[] = [
  {
    id: 'value-types',
    artifact: `
import collections, datetime, decimal, enum, fractions, pathlib, uuid, re, types
from dataclasses import dataclass, field
from typing import NamedTuple
Point = collections.namedtuple('Point', 'x y')
class Row(NamedTuple):
    name: str
    size: int = 0
    def label(self): return f'{self.name}:{self.size}'
class Color(enum.Enum):
    RED = 1
    BLUE = 2
    def nice(self): return self.name.title()
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
class Mode(str, enum.Enum):
    READ = 'r'
    WRITE = 'w'
class Perm(enum.Flag):
    R = 1
    W = 2
@dataclass
class Item:
    name: str
    price: float = 0.0
    tags: list = field(default_factory=list)
    def total(self, n): return self.price * n
@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
def point(x, y): return Point(x, y)
def row(n): return Row(n, 3)
def count(text): return collections.Counter(text)
def group(words):
    out = collections.defaultdict(list)
    for w in words: out[w[0]].append(w)
    return out
def ordered(): return collections.OrderedDict([('b', 1), ('a', 2)])
def window(xs, n): return collections.deque(xs, maxlen=n)
def path(*parts): return pathlib.PurePosixPath(*parts)
def home(name): return pathlib.Path('/srv') / name
def ident(n): return uuid.UUID(int=n)
def when(): return datetime.datetime(2020, 1, 2, 3, 4, tzinfo=datetime.timezone.utc)
def offset(): return datetime.timezone(datetime.timedelta(hours=2))
def day(n): return datetime.date(2020, 1, n)
def delta(n): return datetime.timedelta(days=n)
def money(text): return decimal.Decimal(text)
def half(): return fractions.Fraction(1, 2)
def keys(d): return d.keys()
def items(d): return d.items()
def values(d): return d.values()
def pick(n): return Color(n)
def level(n): return Level(n)
def mode(): return Mode.READ
def perms(): return Perm.R | Perm.W
def cheapest(items): return min(items, key=lambda i: i.price)
def make(name): return Item(name, 2.5)
def ns(): return types.SimpleNamespace(a=1, b=[2])
def pattern(): return re.compile('a+', re.I)
def nothing(): return None
def dots(): return ...
def latest(vs): return max(vs)
`,
    tests: `
import collections, datetime, decimal, fractions, pathlib, uuid, pytest
from solution import *
from solution import Color, Item, Level, Point, Row, Version, Mode, Perm
import solution

def test_namedtuple_attributes():
    p = point(1, 2)
    assert p.x == 1 and p.y == 2 and p == (1, 2) and p == Point(1, 2)
    assert p._replace(x=5).x == 5 and p._asdict() == {'x': 1, 'y': 2}
    x, y = p
    assert (x, y) == (1, 2) and isinstance(p, Point) and isinstance(p, tuple)
def test_namedtuple_methods():
    r = row('a')
    assert r.name == 'a' and r.label() == 'a:3' and r == Row('a', 3) and Row('b').size == 0
    assert Row._fields == ('name', 'size')
def test_counter():
    c = count('abca')
    assert c == {'a': 2, 'b': 1, 'c': 1} and c['z'] == 0
    assert c.most_common(1) == [('a', 2)] and c == collections.Counter('aabc')
def test_defaultdict():
    g = group(['ab', 'ac', 'b'])
    assert g == {'a': ['ab', 'ac'], 'b': ['b']} and g['zz'] == [] and dict(g)['a'] == ['ab', 'ac']
def test_ordereddict():
    o = ordered()
    assert list(o) == ['b', 'a'] and o == collections.OrderedDict([('b', 1), ('a', 2)]) and isinstance(o, dict)
    o.move_to_end('b')
    assert list(o) == ['a', 'b']
def test_deque():
    d = window([1, 2, 3], 2)
    assert d == collections.deque([2, 3]) and d.maxlen == 2 and d[0] == 2 and list(d) == [2, 3]
def test_path():
    assert path('a', 'b.txt') == pathlib.PurePosixPath('a/b.txt') and path('a', 'b.txt').suffix == '.txt'
    assert home('x').name == 'x' and str(home('x')) == '/srv/x' and home('x') == pathlib.Path('/srv/x')
def test_uuid():
    assert ident(1) == uuid.UUID(int=1) and ident(1).int == 1 and str(ident(1)).endswith('1')
def test_datetime():
    assert when() == datetime.datetime(2020, 1, 2, 3, 4, tzinfo=datetime.timezone.utc)
    assert when().tzinfo == datetime.timezone.utc and when().year == 2020 and when().isoformat().startswith('2020-01-02')
    assert offset().utcoffset(None) == datetime.timedelta(hours=2)
    assert day(3) - day(1) == datetime.timedelta(2) and delta(2).days == 2 and day(1) < day(2)
def test_decimal():
    assert money('1.10') + 1 == decimal.Decimal('2.10') and money('1.10').as_tuple().exponent == -2
    assert half() == fractions.Fraction(1, 2) and half().denominator == 2 and half() < 1
def test_views():
    assert keys({'a': 1}) == {'a'} and sorted(values({'a': 2})) == [2] and ('a', 1) in items({'a': 1})
    assert keys({'a': 1, 'b': 2}) - {'a'} == {'b'} and len(items({'a': 1})) == 1
def test_enum():
    assert pick(1) is Color.RED and pick(2).name == 'BLUE' and Color['BLUE'] == pick(2) and pick(2).value == 2
    assert [c.name for c in Color] == ['RED', 'BLUE'] and len(Color) == 2 and isinstance(pick(1), Color)
    assert Color.RED.nice() == 'Red' and pick(1) in (Color.RED,) and str(Color.RED) == 'Color.RED'
    with pytest.raises(ValueError):
        Color(9)
    with pytest.raises(KeyError):
        Color['NO']
def test_intenum():
    assert level(2) > Level.LOW and level(2) == 2 and level(1).name == 'LOW' and sorted([level(2), level(1)])[0] is Level.LOW
def test_strenum():
    assert mode() == 'r' and mode() is Mode.READ and Mode('w') is Mode.WRITE and mode().value == 'r'
def test_flag():
    assert perms() & Perm.R and perms() == Perm.R | Perm.W and Perm.R in perms()
@pytest.mark.parametrize('color', [Color.RED, Color.BLUE])
def test_enum_params(color):
    assert color in list(Color)
def test_dataclass():
    i = make('x')
    assert i == Item('x', 2.5) and i.price == 2.5 and i.total(2) == 5 and i != Item('y')
    i.price = 3.0
    assert i.total(1) == 3.0 and i == Item('x', 3.0)
    i.tags.append('t') if False else None
    assert cheapest([Item('a', 2), Item('b', 1)]).name == 'b'
    assert repr(Item('a')) == "Item(name='a', price=0.0, tags=[])"
def test_dataclass_order():
    assert Version(1, 2) < Version(1, 3) and latest([Version(1), Version(2, 1)]) == Version(2, 1)
    assert len({Version(1), Version(1, 0)}) == 1 and sorted([Version(2), Version(1)])[0].major == 1
    with pytest.raises(AttributeError):
        Version(1).major = 2
def test_asdict():
    import dataclasses
    assert dataclasses.asdict(make('x')) == {'name': 'x', 'price': 2.5, 'tags': []}
    assert dataclasses.replace(Version(1, 2), minor=5) == Version(1, 5) and dataclasses.is_dataclass(Item)
def test_namespace():
    assert ns().a == 1 and ns().b == [2]
def test_pattern():
    assert pattern().match('AAA') and pattern().pattern == 'a+'
def test_constants():
    assert nothing() is None and dots() is ...
`,
  },
  {
    id: 'classes',
    artifact: `
import abc, functools
class Empty(Exception):
    def __init__(self, what, code=3):
        super().__init__(f'{what} is empty')
        self.what, self.code = what, code
class Deep(Empty): pass
class Stack:
    kind = 'lifo'
    def __init__(self, items=()): self._items = list(items)
    def push(self, item): self._items.append(item); return self
    def pop(self):
        if not self._items: raise Empty('stack')
        return self._items.pop()
    def peek(self): return self._items[-1] if self._items else None
    @property
    def size(self): return len(self._items)
    @classmethod
    def of(cls, *items): return cls(items)
    @staticmethod
    def describe(): return 'a stack'
    def __len__(self): return len(self._items)
    def __iter__(self): return iter(self._items)
    def __contains__(self, item): return item in self._items
    def __getitem__(self, i): return self._items[i]
    def __setitem__(self, i, v): self._items[i] = v
    def __delitem__(self, i): del self._items[i]
    def __bool__(self): return bool(self._items)
    def __repr__(self): return f'Stack({self._items!r})'
    def __call__(self, x): return x * len(self._items)
    def __enter__(self): return self
    def __exit__(self, *e): self._items.clear(); return False
    def __add__(self, other): return Stack(self._items + other._items)
class Special(Stack):
    kind = 'special'
class Node:
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right
class Tree:
    def __init__(self): self.root = None
    def insert(self, v):
        if self.root is None: self.root = Node(v); return
        at = self.root
        while True:
            side = 'left' if v < at.value else 'right'
            nxt = getattr(at, side)
            if nxt is None: setattr(at, side, Node(v)); return
            at = nxt
    def __iter__(self):
        def walk(n):
            if n:
                yield from walk(n.left)
                yield n.value
                yield from walk(n.right)
        return walk(self.root)
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0): self.owner, self.balance, self.history = owner, balance, []
    def deposit(self, n):
        if n <= 0: raise ValueError('amount must be positive')
        self.balance += n; self.history.append(('deposit', n))
    def withdraw(self, n):
        if n > self.balance: raise Empty('account', code=9)
        self.balance -= n; self.history.append(('withdraw', n))
class LRUCache:
    def __init__(self, n): self.n, self.d = n, {}
    def get(self, k, default=-1):
        if k not in self.d: return default
        self.d[k] = self.d.pop(k); return self.d[k]
    def put(self, k, v):
        self.d.pop(k, None); self.d[k] = v
        if len(self.d) > self.n: del self.d[next(iter(self.d))]
class Config(dict):
    def dig(self, path):
        at = self
        for p in path.split('.'): at = at[p]
        return at
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
class Square(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
def build(kind, n): return {'square': Square}[kind](n)
class Meta:
    registry = {}
    def __init_subclass__(cls, **k): Meta.registry[cls.__name__] = cls
class Plug(Meta): pass
class Counter2:
    def __init__(self): self.n = 0
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
    def __iter__(self): return self
class Temp:
    def __init__(self, c): self._c = c
    @property
    def f(self): return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v): self._c = (v - 32) * 5 / 9
    @property
    def c(self): return self._c
`,
    tests: `
import pytest, solution
from solution import Account, Config, Deep, Empty, LRUCache, Node, Shape, Special, Square, Stack, Temp, Tree, build, Counter2

@pytest.fixture
def stack(): return Stack([1, 2])
@pytest.fixture
def account():
    a = Account('ann', 100)
    yield a
    assert a.balance >= 0
class TestStack:
    def setup_method(self): self.s = Stack()
    def test_empty(self):
        assert not self.s and len(self.s) == 0 and self.s.peek() is None
    def test_push(self):
        self.s.push(1).push(2)
        assert self.s.size == 2 and list(self.s) == [1, 2] and self.s[0] == 1 and self.s[-1] == 2
    def test_pop_empty(self):
        with pytest.raises(Empty) as e: self.s.pop()
        assert e.value.what == 'stack' and e.value.code == 3 and str(e.value) == 'stack is empty' and e.type is Empty
def test_contains(stack): assert 1 in stack and 5 not in stack
def test_iter(stack): assert [x * 2 for x in stack] == [2, 4] and sorted(stack, reverse=True) == [2, 1] and sum(stack) == 3
def test_unpack(stack):
    a, b = stack
    assert (a, b) == (1, 2)
def test_repr(stack): assert repr(stack) == 'Stack([1, 2])' and str(stack) == 'Stack([1, 2])' and f'{stack}' == 'Stack([1, 2])'
def test_setitem(stack):
    stack[0] = 9
    del stack[1]
    assert list(stack) == [9]
def test_call(stack): assert stack(5) == 10 and callable(stack)
def test_with(stack):
    with stack as s: assert s is stack
    assert len(stack) == 0
def test_add(): assert list(Stack.of(1) + Stack.of(2)) == [1, 2]
def test_class_attributes():
    assert Stack.kind == 'lifo' and Special.kind == 'special' and issubclass(Special, Stack) and Stack.describe() == 'a stack'
    assert isinstance(Special(), Stack) and not isinstance(Stack(), Special) and type(Stack()) is Stack and Stack.__name__ == 'Stack'
def test_bool(stack): assert stack and bool(stack) is True and bool(Stack()) is False
def test_index_error(stack):
    with pytest.raises(IndexError): stack[7]
def test_slice(stack): assert stack[0:1] == [1]
def test_isinstance_exception(): assert issubclass(Empty, Exception) and issubclass(Deep, Empty)
def test_raise_from_test():
    with pytest.raises(Empty, match='x is empty'): raise Empty('x')
def test_account(account):
    account.deposit(50)
    account.withdraw(30)
    assert account.balance == 120 and account.history == [('deposit', 50), ('withdraw', 30)] and account.history[-1][1] == 30
def test_account_errors(account):
    with pytest.raises(ValueError, match='positive'): account.deposit(0)
    with pytest.raises(Empty) as info: account.withdraw(10 ** 6)
    assert info.value.code == 9 and account.balance == 100
def test_class_variable(monkeypatch):
    monkeypatch.setattr(Account, 'interest', 0.5)
    assert Account('x').interest == 0.5
def test_instances_are_independent():
    a, b = Account('a'), Account('b')
    a.deposit(1)
    assert b.history == [] and a != b and a == a and a is not b
def test_tree():
    t = Tree()
    for v in [3, 1, 2]: t.insert(v)
    assert list(t) == [1, 2, 3] and t.root.value == 3 and t.root.left.value == 1 and t.root.right is None
    assert t.root.left.right.value == 2 and isinstance(t.root, Node)
def test_lru():
    c = LRUCache(2)
    c.put(1, 1); c.put(2, 2); c.get(1); c.put(3, 3)
    assert c.get(2) == -1 and c.get(1) == 1 and c.get(9, default=None) is None
def test_dict_subclass():
    c = Config(a={'b': 1})
    assert c.dig('a.b') == 1 and c['a'] == {'b': 1} and c == {'a': {'b': 1}} and len(c) == 1 and 'a' in c
    assert list(c.items()) == [('a', {'b': 1})]
def test_abstract():
    with pytest.raises(TypeError): Shape()
    assert build('square', 3).area() == 9 and isinstance(build('square', 1), Shape)
def test_property():
    t = Temp(100)
    assert t.f == 212 and t.c == 100
    t.f = 32
    assert t.c == 0
    with pytest.raises(AttributeError): t.c = 5
def test_iterator_class():
    c = Counter2()
    assert next(c) == 1 and list(c) == [2, 3]
    assert [x for x in Counter2()] == [1, 2, 3] and max(Counter2()) == 3
def test_missing_attribute(account):
    with pytest.raises(AttributeError): account.nothing
    assert not hasattr(account, 'nothing') and hasattr(account, 'deposit') and getattr(account, 'zip', 5) == 5
def test_set_attribute(account):
    account.note = 'hi'
    assert account.note == 'hi'
def test_objects_in_lists(): 
    stacks = [Stack([n]) for n in range(3)]
    assert [s.pop() for s in stacks] == [0, 1, 2] and stacks[0] in stacks
def test_registry(): assert 'Plug' in solution.Meta.registry
`,
  },
];
