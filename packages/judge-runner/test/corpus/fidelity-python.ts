/** Correct programs with ordinary tests, in the styles of well-known projects, as pytest runs them in one process. */
export interface FidelityCase {
  readonly id: string;
  /** `solution.py`, or a tree of files. */
  readonly artifact: string | Readonly<Record<string, string>>;
  readonly tests: string;
  /** Fields of the suite that these tests need where it has no reference. */
  readonly needs?: { readonly objects?: readonly string[]; readonly remoteEq?: true };
  readonly profile?: 'STRICT' | 'EXTENDED' | 'PROCESSES';
}

export const fidelityPython: readonly FidelityCase[] = [
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
  {
    id: 'functions',
    artifact: `
import contextlib, functools, logging, os, sys, time, warnings, json, random, asyncio
log = logging.getLogger('app')
def make_adder(n): return lambda x: x + n
def compose(*fs): return functools.reduce(lambda f, g: lambda x: f(g(x)), fs)
def retry(times):
    def deco(f):
        @functools.wraps(f)
        def run(*a, **k):
            for i in range(times):
                try: return f(*a, **k)
                except ValueError:
                    if i == times - 1: raise
        return run
    return deco
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def evens(n): return (x for x in range(n) if x % 2 == 0)
def countdown(n):
    while n: yield n; n -= 1
def echo():
    got = None
    while True: got = yield got
@contextlib.contextmanager
def opened(log_):
    log_.append('in')
    try: yield 5
    finally: log_.append('out')
@contextlib.contextmanager
def swallow(kind):
    try: yield
    except kind: pass
async def fetch(x): await asyncio.sleep(0); return x * 2
async def ticks(n):
    for i in range(n): yield i
def warn(): warnings.warn('old', DeprecationWarning); return 1
def logs(x): log.info('got %s', x); log.error('bad'); return x
def out(x): print('hello', x); print('err', file=sys.stderr)
def env(): return os.environ.get('APP_MODE', 'none')
def ask(): return input('name? ').upper()
def stdin(): return [line.strip() for line in sys.stdin]
def args(): return sys.argv[1:]
def pause(n): time.sleep(n); return 'slept'
def now(): return time.time()
def roll(): return random.randint(1, 6)
def leave(code): sys.exit(code)
def main(argv=None):
    import argparse
    p = argparse.ArgumentParser(prog='tool')
    p.add_argument('--n', type=int, default=1)
    a = p.parse_args(argv)
    print(a.n * 2)
    return 0
def parse(text): return json.loads(text)
def helper(): return 1
def uses(): return helper() + 1
LIMIT = 3
def limited(): return LIMIT
def sort_inplace(xs): xs.sort()
def add_to(xs, d, s): xs.append(1); d['k'] = 2; s.add(3)
def apply(f, xs): return [f(x) for x in xs]
def sorted_by(xs, key): return sorted(xs, key=key)
def total(it): return sum(it)
def send(client, text): client.connect(); r = client.send(text, retry=2); client.log.append(text) if hasattr(client, 'log') and isinstance(client.log, list) else None; return r
def write(stream): stream.write('a\\n'); stream.write('b')
def read(stream): return stream.read().split()
def lines(stream): return [x.strip() for x in stream]
def save(path, text):
    with open(path, 'w') as f: f.write(text)
def load(path):
    with open(path) as f: return f.read()
def tree(folder): return sorted(os.listdir(folder))
def boom(): raise ZeroDivisionError('no')
def chain():
    try: boom()
    except ZeroDivisionError as e: raise RuntimeError('outer') from e
def kw(a, *b, c=1, **d): return (a, b, c, d)
def ident(x): return x
def many(): return 1, [2, {'a': (3, None)}], {'k': {4}}, b'5', 1.5, True, 2 ** 80, complex(1, 2), range(3), frozenset([1]), bytearray(b'x')
def annotate(x: int) -> str: return str(x)
def big(n): return list(range(n))
def nan(): return float('nan')
def inf(): return float('inf')
`,
    tests: `
import asyncio, io, logging, math, os, sys, time, pytest, solution
from unittest import mock
from unittest.mock import MagicMock, Mock, patch
from solution import *

def test_closure(): assert make_adder(2)(3) == 5 and compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
def test_decorator():
    calls = []
    @retry(3)
    def flaky():
        calls.append(1)
        if len(calls) < 3: raise ValueError('again')
        return 'ok'
    assert flaky() == 'ok' and len(calls) == 3
def test_decorator_gives_up():
    @retry(2)
    def bad(): raise ValueError('no')
    with pytest.raises(ValueError, match='no'): bad()
def test_cache():
    assert fib(20) == 6765 and fib.cache_info().hits > 0
    fib.cache_clear()
def test_generators():
    assert list(evens(5)) == [0, 2, 4] and list(countdown(3)) == [3, 2, 1] and next(countdown(9)) == 9 and sum(evens(5)) == 6
    g = countdown(1); next(g)
    with pytest.raises(StopIteration): next(g)
def test_send():
    g = echo(); next(g)
    assert g.send(4) == 4 and g.send('a') == 'a'
    g.close()
def test_zip(): assert dict(zip('ab', countdown(2))) == {'a': 2, 'b': 1} and list(enumerate(evens(3))) == [(0, 0), (1, 2)]
def test_context():
    seen = []
    with opened(seen) as v: assert v == 5 and seen == ['in']
    assert seen == ['in', 'out']
def test_swallow():
    with swallow(KeyError): raise KeyError('x')
    with pytest.raises(IndexError):
        with swallow(KeyError): raise IndexError('y')
def test_async(): assert asyncio.run(fetch(2)) == 4
def test_gather():
    async def both(): return await asyncio.gather(fetch(1), fetch(2))
    assert asyncio.run(both()) == [2, 4]
def test_async_for():
    async def collect(): return [x async for x in ticks(3)]
    assert asyncio.run(collect()) == [0, 1, 2]
def test_warns():
    with pytest.warns(DeprecationWarning, match='old'): assert warn() == 1
def test_caplog(caplog):
    with caplog.at_level(logging.INFO): logs(5)
    assert 'got 5' in caplog.text and [r.levelname for r in caplog.records] == ['INFO', 'ERROR'] and caplog.messages[1] == 'bad'
def test_capsys(capsys):
    out('you')
    got = capsys.readouterr()
    assert got.out == 'hello you\\n' and got.err == 'err\\n'
def test_env(monkeypatch):
    monkeypatch.setenv('APP_MODE', 'test')
    assert env() == 'test'
    monkeypatch.delenv('APP_MODE')
    assert env() == 'none'
def test_input(monkeypatch):
    monkeypatch.setattr('builtins.input', lambda prompt: 'bob')
    assert ask() == 'BOB'
def test_stdin(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.StringIO('a\\nb\\n'))
    assert stdin() == ['a', 'b']
def test_argv(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['prog', '-v', 'x'])
    assert args() == ['-v', 'x']
def test_sleep():
    with patch('time.sleep') as sleep: assert pause(500) == 'slept'
    sleep.assert_called_once_with(500)
def test_time(monkeypatch):
    monkeypatch.setattr(time, 'time', lambda: 12.5)
    assert now() == 12.5
def test_random():
    with mock.patch('random.randint', return_value=4) as randint: assert roll() == 4
    assert randint.call_args == mock.call(1, 6)
def test_exit():
    with pytest.raises(SystemExit) as info: leave(3)
    assert info.value.code == 3
def test_argparse(capsys):
    assert main(['--n', '4']) == 0 and capsys.readouterr().out == '8\\n'
    with pytest.raises(SystemExit) as info: main(['--nope'])
    assert info.value.code == 2 and 'unrecognized' in capsys.readouterr().err
def test_json_error():
    import json
    with pytest.raises(json.JSONDecodeError) as e: parse('{')
    assert isinstance(e.value, ValueError)
def test_patch_artifact():
    with patch('solution.helper', return_value=10) as h: assert uses() == 11
    assert h.called and uses() == 2
def test_patch_object():
    with patch.object(solution, 'LIMIT', 9): assert limited() == 9
    assert limited() == 3
def test_monkeypatch(monkeypatch):
    monkeypatch.setattr(solution, 'helper', lambda: 5)
    assert uses() == 6
def test_mutation():
    xs, d, s = [2, 1], {}, set()
    sort_inplace(xs); assert xs == [1, 2]
    add_to(xs, d, s); assert (xs, d, s) == ([1, 2, 1], {'k': 2}, {3})
def test_callbacks():
    seen = []
    assert apply(lambda x: seen.append(x) or x * 2, [1, 2]) == [2, 4] and seen == [1, 2]
    assert sorted_by(['bb', 'a'], key=len) == ['a', 'bb'] and sorted_by([3, 1], key=lambda x: -x) == [3, 1] and apply(str, [1]) == ['1']
    assert apply(math.sqrt, [4]) == [2.0]
def test_iterables(): assert total(x for x in [1, 2]) == 3 and total(map(int, ['4'])) == 4 and total(range(4)) == 6
def test_mock():
    client = MagicMock()
    client.send.return_value = 'sent'
    assert send(client, 'hi') == 'sent'
    client.connect.assert_called_once_with()
    client.send.assert_called_once_with('hi', retry=2)
    assert client.send.call_count == 1
def test_fake():
    class Fake:
        def __init__(self): self.log, self.connected = [], False
        def connect(self): self.connected = True
        def send(self, text, retry): return text[::-1]
    fake = Fake()
    assert send(fake, 'abc') == 'cba' and fake.connected
def test_streams():
    out_ = io.StringIO(); write(out_)
    assert out_.getvalue() == 'a\\nb' and read(io.StringIO('x y')) == ['x', 'y'] and lines(io.StringIO('p\\nq\\n')) == ['p', 'q']
def test_files(tmp_path):
    p = tmp_path / 'a.txt'
    p.write_text('hello')
    assert load(p) == 'hello' and load(str(p)) == 'hello'
    save(tmp_path / 'b.txt', 'bye')
    assert (tmp_path / 'b.txt').read_text() == 'bye' and tree(tmp_path) == ['a.txt', 'b.txt']
def test_file_errors(tmp_path):
    with pytest.raises(FileNotFoundError): load(tmp_path / 'none')
def test_chained():
    with pytest.raises(RuntimeError, match='outer'): chain()
def test_kwargs(): assert kw(1, 2, c=3, e=4) == (1, (2,), 3, {'e': 4}) and kw(*[1], **{'c': 2}) == (1, (), 2, {})
def test_type_errors():
    with pytest.raises(TypeError): kw()
    with pytest.raises(ZeroDivisionError): boom()
def test_plain(): assert many() == (1, [2, {'a': (3, None)}], {'k': {4}}, b'5', 1.5, True, 2 ** 80, 1 + 2j, range(3), frozenset({1}), bytearray(b'x'))
def test_same(): assert ident([1, {'a': (1,)}]) == [1, {'a': (1,)}] and ident('é\\u0000') == 'é\\u0000' and ident(None) is None and ident(True) is True
def test_float(): assert math.isnan(nan()) and inf() == float('inf') and 0.1 + 0.2 == pytest.approx(0.3) and many()[4] == pytest.approx(1.5)
def test_big(): assert len(big(20000)) == 20000 and big(3)[-1] == 2
def test_docs(): assert solution.annotate.__name__ == 'annotate' and callable(annotate)
@pytest.mark.parametrize('n, want', [(0, 0), (1, 1), (10, 55)])
def test_param(n, want): assert fib(n) == want
@pytest.mark.parametrize('kind, value', [(ValueError, 'x')], ids=['value'])
def test_param_ids(kind, value):
    with pytest.raises(kind): int(value)
def test_lambda_default(): assert (lambda f=make_adder(1): f(1))() == 2
def test_exception_identity():
    err = ValueError('mine')
    def bad(x): raise err
    with pytest.raises(ValueError, match='mine'): apply(bad, [1])
`,
  },
  {
    id: 'unittest',
    artifact: `
class Cart:
    def __init__(self): self.items = {}
    def add(self, name, price, n=1):
        if price < 0: raise ValueError('negative price')
        self.items[name] = self.items.get(name, 0) + price * n
    def total(self): return round(sum(self.items.values()), 2)
    def __len__(self): return len(self.items)
def divide(a, b): return a / b
def split(text): return text.split()
def matrix(n): return [[i * j for j in range(n)] for i in range(n)]
def slug(t): return '-'.join(t.lower().split())
`,
    tests: `
import unittest
from unittest import TestCase, mock
from solution import Cart, divide, matrix, slug, split
class CartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.price = 2.5
    def setUp(self):
        self.cart = Cart()
        self.addCleanup(lambda: None)
    def tearDown(self): self.cart = None
    def test_total(self):
        self.cart.add('a', self.price, 2)
        self.assertEqual(self.cart.total(), 5.0)
        self.assertAlmostEqual(self.cart.total(), 5.0000001, places=5)
        self.assertEqual(len(self.cart), 1)
    def test_negative(self):
        with self.assertRaises(ValueError) as cm: self.cart.add('a', -1)
        self.assertEqual(str(cm.exception), 'negative price')
        self.assertRaises(ValueError, self.cart.add, 'b', -2)
        with self.assertRaisesRegex(ValueError, 'negative'): self.cart.add('a', -1)
    def test_items(self):
        self.cart.add('x', 1)
        self.assertIn('x', self.cart.items)
        self.assertDictEqual(self.cart.items, {'x': 1})
        self.assertIsInstance(self.cart, Cart)
    def test_empty(self):
        self.assertFalse(len(self.cart))
        self.assertTrue(self.cart.total() == 0)
        self.assertIsNone(None)
class FunctionTest(TestCase):
    def test_divide(self):
        self.assertRaises(ZeroDivisionError, divide, 1, 0)
        self.assertGreater(divide(3, 2), 1)
    def test_split(self):
        self.assertListEqual(split('a b'), ['a', 'b'])
        self.assertCountEqual(split('b a'), ['a', 'b'])
        self.assertSequenceEqual(split('a'), ['a'])
    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n): self.assertEqual(len(matrix(n)), n)
    def test_slug(self):
        self.assertEqual(slug('A b'), 'a-b', 'slug is lower case')
        self.assertMultiLineEqual(slug('A B'), 'a-b')
    def test_not_equal(self): self.assertNotEqual(divide(1, 2), 1)
    @mock.patch('solution.slug', return_value='x')
    def test_patched(self, slug_): self.assertEqual(slug_('z'), 'x')
`,
  },
  {
    id: 'package',
    artifact: {
      'mypkg/__init__.py': "from .core import area\n__version__ = '1.2'\n",
      'mypkg/core.py':
        'from .util import square\nfrom . import util\ndef area(r): return 3 * square(r)\nclass Box:\n    def __init__(self, w): self.w = w\n    def volume(self): return self.w ** 3\n',
      'mypkg/util.py': 'def square(x): return x * x\n',
      'mypkg/sub/__init__.py': '',
      'mypkg/sub/deep.py':
        "from ..util import square\nNAME = 'deep'\ndef fourth(x): return square(square(x))\n",
    },
    tests: `
import mypkg, pytest
import mypkg.util as util
from mypkg import core
from mypkg.core import Box, area
from mypkg.sub.deep import NAME, fourth
from mypkg.sub import deep
from unittest.mock import patch
def test_from(): assert area(2) == 12 and mypkg.area(1) == 3
def test_module(): assert core.area(1) == 3 and util.square(3) == 9
def test_version(): assert mypkg.__version__ == '1.2'
def test_class(): assert Box(2).volume() == 8
def test_deep(): assert fourth(2) == 16 and NAME == 'deep' and deep.fourth(1) == 1
def test_patch():
    with patch('mypkg.core.square', return_value=1): assert area(9) == 3
def test_missing():
    with pytest.raises(AttributeError): mypkg.nothing
`,
  },
];
