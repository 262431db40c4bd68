import type { FidelityCase } from './fidelity-python.ts';

/** Further correct programs with ordinary tests: containers, caches, parsers, event loops, command lines, operators, plug-ins. */
export const fidelityStyles: readonly FidelityCase[] = [
  {
    id: 'graph',
    artifact: `
from collections import defaultdict, deque
import heapq
class Graph:
    def __init__(self, directed=False):
        self.directed = directed
        self._adj = defaultdict(dict)
    def add_edge(self, u, v, weight=1):
        self._adj[u][v] = weight
        if not self.directed: self._adj[v][u] = weight
        else: self._adj[v]
        return self
    def __contains__(self, n): return n in self._adj
    def __len__(self): return len(self._adj)
    def __iter__(self): return iter(self._adj)
    def __getitem__(self, n): return dict(self._adj[n])
    @property
    def nodes(self): return set(self._adj)
    @property
    def edges(self):
        for u in self._adj:
            for v, w in self._adj[u].items():
                yield u, v, w
    def bfs(self, start):
        seen, q = {start}, deque([start])
        while q:
            n = q.popleft(); yield n
            for m in sorted(self._adj[n]):
                if m not in seen: seen.add(m); q.append(m)
    def shortest_path(self, a, b):
        if a not in self: raise NodeNotFound(a)
        dist, prev, heap = {a: 0}, {}, [(0, a)]
        while heap:
            d, n = heapq.heappop(heap)
            if n == b: break
            for m, w in self._adj[n].items():
                if d + w < dist.get(m, float('inf')):
                    dist[m] = d + w; prev[m] = n; heapq.heappush(heap, (d + w, m))
        if b not in dist: raise NoPath('no path from %r to %r' % (a, b))
        path = [b]
        while path[-1] != a: path.append(prev[path[-1]])
        return path[::-1]
class GraphError(Exception): pass
class NodeNotFound(GraphError, KeyError):
    def __init__(self, node): super().__init__(node); self.node = node
class NoPath(GraphError): pass
`,
    tests: `
import pytest
from solution import Graph, GraphError, NodeNotFound, NoPath

@pytest.fixture
def g():
    g = Graph()
    g.add_edge('a', 'b', 7).add_edge('b', 'c', 2)
    g.add_edge('a', 'c', weight=3)
    return g

class TestGraph:
    def test_len(self, g): assert len(g) == 3
    def test_contains(self, g):
        assert 'a' in g
        assert 'z' not in g
    def test_iter(self, g): assert sorted(g) == ['a', 'b', 'c']
    def test_nodes(self, g): assert g.nodes == {'a', 'b', 'c'}
    def test_getitem(self, g): assert g['a'] == {'b': 7, 'c': 3}
    def test_edges(self, g):
        edges = list(g.edges)
        assert len(edges) == 6 and ('a', 'b', 7) in edges
    def test_bfs(self, g): assert list(g.bfs('a')) == ['a', 'b', 'c']
    def test_bfs_lazy(self, g):
        it = g.bfs('a')
        assert next(it) == 'a'
        assert next(it) == 'b'
    @pytest.mark.parametrize('a, b, path', [('a', 'b', ['a', 'c', 'b']), ('b', 'b', ['b']), ('c', 'a', ['c', 'a'])], ids=str)
    def test_path(self, g, a, b, path): assert g.shortest_path(a, b) == path
    def test_missing(self, g):
        with pytest.raises(NodeNotFound) as info: g.shortest_path('q', 'a')
        assert info.value.node == 'q'
        assert isinstance(info.value, GraphError) and isinstance(info.value, KeyError)
        assert info.type is NodeNotFound
    def test_no_path(self):
        d = Graph(directed=True).add_edge(1, 2)
        with pytest.raises(NoPath, match=r'no path from 2 to 1'): d.shortest_path(2, 1)
        assert d.directed is True
    def test_subclass(self): assert issubclass(NoPath, GraphError) and not issubclass(NoPath, KeyError)
`,
  },
  {
    id: 'lru',
    artifact: `
import functools, threading, time
class TTLCache:
    def __init__(self, maxsize=128, ttl=60, timer=time.monotonic):
        self.maxsize, self.ttl, self.timer = maxsize, ttl, timer
        self._d = {}
        self.hits = self.misses = 0
    def __setitem__(self, k, v):
        if len(self._d) >= self.maxsize and k not in self._d:
            del self._d[min(self._d, key=lambda x: self._d[x][1])]
        self._d[k] = (v, self.timer())
    def __getitem__(self, k):
        v, t = self._d[k]
        if self.timer() - t > self.ttl:
            del self._d[k]; self.misses += 1
            raise KeyError(k)
        self.hits += 1
        return v
    def get(self, k, default=None):
        try: return self[k]
        except KeyError: return default
    def __delitem__(self, k): del self._d[k]
    def __len__(self): return len(self._d)
    def __repr__(self): return 'TTLCache(%d/%d)' % (len(self._d), self.maxsize)
    def keys(self): return self._d.keys()
    def items(self): return [(k, v) for k, (v, _) in self._d.items()]
def memoize(fn=None, *, maxsize=None):
    if fn is None: return lambda f: memoize(f, maxsize=maxsize)
    cache = {}
    @functools.wraps(fn)
    def wrapper(*a):
        if a not in cache: cache[a] = fn(*a)
        return cache[a]
    wrapper.cache = cache
    wrapper.cache_clear = cache.clear
    return wrapper
def retry(times, exceptions=(Exception,), sleep=time.sleep):
    def deco(f):
        @functools.wraps(f)
        def inner(*a, **k):
            for i in range(times):
                try: return f(*a, **k)
                except exceptions:
                    if i == times - 1: raise
                    sleep(2 ** i)
        return inner
    return deco
@memoize
def fib(n):
    "Fibonacci."
    return n if n < 2 else fib(n-1) + fib(n-2)
`,
    tests: `
from unittest import mock
import pytest
import solution
from solution import TTLCache, memoize, retry, fib

class Clock:
    def __init__(self): self.now = 0.0
    def __call__(self): return self.now

def test_expiry():
    clock = Clock()
    c = TTLCache(maxsize=2, ttl=10, timer=clock)
    c['a'] = 1
    assert c['a'] == 1
    clock.now = 11
    with pytest.raises(KeyError): c['a']
    assert (c.hits, c.misses) == (1, 1)
def test_evicts():
    clock = Clock()
    c = TTLCache(2, timer=clock)
    for i, k in enumerate('abc'):
        clock.now = i
        c[k] = i
    assert len(c) == 2 and list(c.keys()) == ['b', 'c']
    assert dict(c.items()) == {'b': 1, 'c': 2}
    assert repr(c) == 'TTLCache(2/2)'
    del c['b']
    assert c.get('b') is None and c.get('b', 5) == 5
def test_memoize_calls_once():
    f = mock.Mock(side_effect=lambda x: x * 2, __name__='f')
    g = memoize(f)
    assert [g(2), g(2), g(3)] == [4, 4, 6]
    assert f.call_count == 2
    f.assert_has_calls([mock.call(2), mock.call(3)])
def test_memoize_attrs():
    assert fib(30) == 832040
    assert fib.__name__ == 'fib' and fib.__doc__ == 'Fibonacci.'
    assert (5,) in fib.cache
    fib.cache_clear()
    assert fib.cache == {}
def test_memoize_option():
    @memoize(maxsize=10)
    def sq(x): return x * x
    assert sq(4) == 16 and sq.cache == {(4,): 16}
def test_retry():
    sleeps = []
    calls = {'n': 0}
    @retry(3, (ValueError,), sleep=sleeps.append)
    def flaky():
        calls['n'] += 1
        if calls['n'] < 3: raise ValueError('no')
        return 'ok'
    assert flaky() == 'ok' and sleeps == [1, 2]
def test_retry_gives_up():
    @retry(2, exceptions=(ValueError,), sleep=lambda s: None)
    def bad(): raise ValueError('always')
    with pytest.raises(ValueError, match='always'): bad()
def test_retry_other():
    m = mock.Mock(side_effect=TypeError('x'), __name__='m')
    with pytest.raises(TypeError): retry(5, (ValueError,), sleep=lambda s: None)(m)()
    assert m.call_count == 1
def test_time_patched(monkeypatch):
    monkeypatch.setattr('time.sleep', lambda s: None)
    with mock.patch('solution.time.sleep') as s:
        @retry(2)
        def bad(): raise RuntimeError
        with pytest.raises(RuntimeError): bad()
`,
  },
  {
    id: 'parser',
    artifact: `
import re, enum, dataclasses, typing
class TokenType(enum.Enum):
    NUM = 'num'; OP = 'op'; LP = '('; RP = ')'
@dataclasses.dataclass(frozen=True)
class Token:
    type: TokenType
    value: str
    pos: int = 0
class ParseError(ValueError):
    def __init__(self, msg, pos):
        super().__init__('%s at %d' % (msg, pos)); self.pos = pos
def tokenize(s):
    out = []
    for m in re.finditer(r'\\s*(?:(\\d+\\.?\\d*)|(.))', s):
        n, o = m.groups()
        if n: out.append(Token(TokenType.NUM, n, m.start(1)))
        elif o in '+-*/': out.append(Token(TokenType.OP, o, m.start(2)))
        elif o == '(': out.append(Token(TokenType.LP, o, m.start(2)))
        elif o == ')': out.append(Token(TokenType.RP, o, m.start(2)))
        elif o.strip(): raise ParseError('bad character %r' % o, m.start(2))
    return out
@dataclasses.dataclass
class Num:
    value: float
    def eval(self): return self.value
@dataclasses.dataclass
class Bin:
    op: str
    left: object
    right: object
    def eval(self):
        a, b = self.left.eval(), self.right.eval()
        return {'+': lambda: a + b, '-': lambda: a - b, '*': lambda: a * b, '/': lambda: a / b}[self.op]()
def parse(s):
    toks = tokenize(s); i = 0
    def peek(): return toks[i] if i < len(toks) else None
    def atom():
        nonlocal i
        t = peek()
        if t is None: raise ParseError('unexpected end', len(s))
        i += 1
        if t.type is TokenType.NUM: return Num(float(t.value))
        if t.type is TokenType.LP:
            e = expr()
            if peek() is None or peek().type is not TokenType.RP: raise ParseError('expected )', len(s))
            i += 1
            return e
        raise ParseError('unexpected %s' % t.value, t.pos)
    def term():
        nonlocal i
        l = atom()
        while peek() and peek().value in '*/':
            op = peek().value; i += 1; l = Bin(op, l, atom())
        return l
    def expr():
        nonlocal i
        l = term()
        while peek() and peek().value in '+-':
            op = peek().value; i += 1; l = Bin(op, l, term())
        return l
    e = expr()
    if peek(): raise ParseError('trailing', peek().pos)
    return e
def evaluate(s): return parse(s).eval()
`,
    tests: `
import math, dataclasses
import pytest
from solution import Token, TokenType, tokenize, parse, evaluate, Num, Bin, ParseError

@pytest.mark.parametrize('text,value', [('1+2*3', 7), ('(1+2)*3', 9), ('8/4/2', 1), (' 2 - 3 ', -1), ('1.5*2', 3.0)])
def test_eval(text, value): assert evaluate(text) == pytest.approx(value)
def test_tokens():
    assert tokenize('1+(2)') == [Token(TokenType.NUM, '1', 0), Token(TokenType.OP, '+', 1), Token(TokenType.LP, '(', 2), Token(TokenType.NUM, '2', 3), Token(TokenType.RP, ')', 4)]
def test_token_types(): assert [t.type for t in tokenize('1*2')] == [TokenType.NUM, TokenType.OP, TokenType.NUM]
def test_token_type_name(): assert tokenize('7')[0].type.name == 'NUM' and tokenize('7')[0].type.value == 'num'
def test_frozen():
    t = Token(TokenType.NUM, '1')
    with pytest.raises(dataclasses.FrozenInstanceError): t.value = '2'
    assert hash(t) == hash(Token(TokenType.NUM, '1'))
    assert {t: 1}[Token(TokenType.NUM, '1', 0)] == 1
def test_tree(): assert parse('1+2') == Bin('+', Num(1.0), Num(2.0))
def test_tree_deep():
    tree = parse('1+2*3')
    assert isinstance(tree, Bin) and tree.op == '+'
    assert isinstance(tree.right, Bin) and tree.right.left.value == 2
    assert tree.eval() == 7
def test_repr(): assert repr(Num(1.0)) == 'Num(value=1.0)'
def test_replace(): assert dataclasses.replace(Token(TokenType.NUM, '1'), pos=5) == Token(TokenType.NUM, '1', 5)
def test_asdict(): assert dataclasses.asdict(Num(2.0)) == {'value': 2.0}
@pytest.mark.parametrize('bad,pos', [('1+', 2), ('1)', 1), ('$', 0)])
def test_errors(bad, pos):
    with pytest.raises(ParseError) as e: parse(bad)
    assert e.value.pos == pos
    assert str(e.value).endswith('at %d' % pos)
def test_zero():
    with pytest.raises(ZeroDivisionError): evaluate('1/0')
def test_members(): assert list(TokenType) == [TokenType.NUM, TokenType.OP, TokenType.LP, TokenType.RP] and TokenType('num') is TokenType.NUM
`,
  },
  {
    id: 'async',
    artifact: `
import asyncio, contextlib, collections
class RateLimiter:
    def __init__(self, rate): self.rate = rate; self.sem = None; self.active = 0; self.peak = 0
    async def __aenter__(self):
        self.sem = self.sem or asyncio.Semaphore(self.rate)
        await self.sem.acquire(); self.active += 1; self.peak = max(self.peak, self.active)
        return self
    async def __aexit__(self, *e): self.active -= 1; self.sem.release()
async def gather_limited(n, coros):
    lim = RateLimiter(n)
    async def one(c):
        async with lim: return await c
    return await asyncio.gather(*[one(c) for c in coros])
async def countdown(n):
    while n:
        yield n
        n -= 1
        await asyncio.sleep(0)
class EventBus:
    def __init__(self): self._h = collections.defaultdict(list)
    def on(self, name, fn=None):
        if fn is None: return lambda f: self.on(name, f) or f
        self._h[name].append(fn)
    async def emit(self, name, *a):
        out = []
        for h in self._h[name]:
            r = h(*a)
            if asyncio.iscoroutine(r): r = await r
            out.append(r)
        return out
@contextlib.asynccontextmanager
async def opened(log):
    log.append('open')
    try: yield len(log)
    finally: log.append('close')
async def fails(): raise LookupError('async')
async def with_timeout(c, t): return await asyncio.wait_for(c, t)
`,
    tests: `
import asyncio, unittest
import pytest
from solution import gather_limited, countdown, EventBus, opened, fails, with_timeout, RateLimiter

def run(c): return asyncio.run(c)
def test_countdown():
    async def go(): return [x async for x in countdown(3)]
    assert run(go()) == [3, 2, 1]
def test_fails():
    with pytest.raises(LookupError, match='async'): run(fails())
def test_gather():
    async def double(x):
        await asyncio.sleep(0)
        return x * 2
    assert run(gather_limited(2, [double(i) for i in range(5)])) == [0, 2, 4, 6, 8]
def test_opened():
    log = []
    async def go():
        async with opened(log) as n:
            assert n == 1
            assert log == ['open']
    run(go())
    assert log == ['open', 'close']
def test_bus():
    bus = EventBus()
    seen = []
    bus.on('x', seen.append)
    async def later(v): return v + 1
    bus.on('x', later)
    assert run(bus.emit('x', 4)) == [None, 5]
    assert seen == [4]
def test_bus_decorator():
    bus = EventBus()
    @bus.on('y')
    def handler(v): return v
    assert run(bus.emit('y', 1)) == [1]
def test_timeout():
    with pytest.raises(asyncio.TimeoutError): run(with_timeout(asyncio.sleep(5), 0.01))
class TestLimiter(unittest.IsolatedAsyncioTestCase):
    async def test_enter(self):
        lim = RateLimiter(1)
        async with lim as l:
            self.assertEqual(l.active, 1)
        self.assertEqual(lim.active, 0)
        self.assertEqual(lim.peak, 1)
`,
  },
  {
    id: 'cli',
    artifact: `
import argparse, sys, json, csv, io, logging, os, pathlib, warnings
log = logging.getLogger('tool')
def build_parser():
    p = argparse.ArgumentParser(prog='tool')
    sub = p.add_subparsers(dest='cmd', required=True)
    a = sub.add_parser('sum'); a.add_argument('n', nargs='+', type=int); a.add_argument('--json', action='store_true')
    b = sub.add_parser('cat'); b.add_argument('path')
    c = sub.add_parser('env'); c.add_argument('name')
    return p
def main(argv=None):
    ns = build_parser().parse_args(argv)
    if ns.cmd == 'sum':
        t = sum(ns.n)
        print(json.dumps({'sum': t}) if ns.json else t)
    elif ns.cmd == 'cat':
        try: sys.stdout.write(pathlib.Path(ns.path).read_text())
        except FileNotFoundError as e:
            print('tool: %s: no such file' % ns.path, file=sys.stderr); return 2
    elif ns.cmd == 'env': print(os.environ.get(ns.name, ''))
    log.info('ran %s', ns.cmd)
    return 0
def read_csv(f): return [dict(r) for r in csv.DictReader(f)]
def write_csv(f, rows):
    w = csv.DictWriter(f, fieldnames=list(rows[0]), lineterminator='\\n'); w.writeheader(); w.writerows(rows)
def save(path, data):
    path = pathlib.Path(path); path.parent.mkdir(parents=True, exist_ok=True); path.write_text(json.dumps(data)); return path
def old(): warnings.warn('use new()', DeprecationWarning, stacklevel=2); return 1
def ask(): return input('name? ').strip().title()
def process(stream=None): return sum(int(l) for l in (stream or sys.stdin))
`,
    tests: `
import io, json, logging, sys
import pytest
import solution
from solution import main, read_csv, write_csv, save, old, ask, process, build_parser

def test_sum(capsys):
    assert main(['sum', '1', '2']) == 0
    assert capsys.readouterr().out == '3\\n'
def test_json(capsys):
    main(['sum', '4', '--json'])
    assert json.loads(capsys.readouterr().out) == {'sum': 4}
def test_usage(capsys):
    with pytest.raises(SystemExit) as e: main(['nope'])
    assert e.value.code == 2
    assert 'invalid choice' in capsys.readouterr().err
def test_argv(monkeypatch, capsys):
    monkeypatch.setattr(sys, 'argv', ['tool', 'sum', '9'])
    main()
    assert capsys.readouterr().out.strip() == '9'
def test_env(monkeypatch, capsys):
    monkeypatch.setenv('WHO', 'me')
    main(['env', 'WHO'])
    out, err = capsys.readouterr()
    assert out == 'me\\n' and err == ''
def test_cat(tmp_path, capsys):
    f = tmp_path / 'x.txt'
    f.write_text('hello')
    assert main(['cat', str(f)]) == 0
    assert capsys.readouterr().out == 'hello'
def test_missing(tmp_path, capsys):
    assert main(['cat', str(tmp_path / 'no')]) == 2
    assert 'no such file' in capsys.readouterr().err
def test_log(caplog):
    with caplog.at_level(logging.INFO, logger='tool'): main(['sum', '1'])
    assert caplog.records[-1].getMessage() == 'ran sum'
    assert caplog.record_tuples[-1] == ('tool', logging.INFO, 'ran sum')
def test_read(): assert read_csv(io.StringIO('a,b\\n1,2\\n')) == [{'a': '1', 'b': '2'}]
def test_write():
    f = io.StringIO()
    write_csv(f, [{'a': 1, 'b': 2}])
    assert f.getvalue() == 'a,b\\n1,2\\n'
def test_save(tmp_path):
    p = save(tmp_path / 'deep' / 'x.json', [1])
    assert p == tmp_path / 'deep' / 'x.json' and p.exists() and json.loads(p.read_text()) == [1]
def test_deprecated():
    with pytest.warns(DeprecationWarning, match='new'): assert old() == 1
def test_deprecated_call():
    with pytest.deprecated_call(): old()
def test_ask(monkeypatch):
    monkeypatch.setattr('builtins.input', lambda prompt: ' ann ')
    assert ask() == 'Ann'
def test_stdin(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.StringIO('1\\n2\\n'))
    assert process() == 3
def test_stream(): assert process(io.StringIO('4\\n5')) == 9
def test_stream_list(): assert process(['1', '2']) == 3
def test_parser():
    ns = build_parser().parse_args(['sum', '1', '2'])
    assert ns.n == [1, 2] and ns.json is False
def test_patch_module(monkeypatch, capsys):
    monkeypatch.setattr(solution, 'sum', lambda xs: 42, raising=False)
    main(['sum', '1'])
    assert capsys.readouterr().out == '42\\n'
`,
  },
  {
    id: 'bank',
    needs: { objects: ['Money'], remoteEq: true },
    artifact: `
from __future__ import annotations
import abc, decimal, datetime, uuid, typing, itertools, functools
from decimal import Decimal
class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.balance, self.amount = balance, amount
        super().__init__(f'balance {balance} is less than {amount}')
@functools.total_ordering
class Money:
    __slots__ = ('amount', 'currency')
    def __init__(self, amount, currency='EUR'): self.amount = Decimal(str(amount)); self.currency = currency
    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o):
        if self.currency != o.currency: raise ValueError('currencies differ')
        return self.amount < o.amount
    def __add__(self, o):
        if not isinstance(o, Money): return NotImplemented
        if self.currency != o.currency: raise ValueError('currencies differ')
        return Money(self.amount + o.amount, self.currency)
    def __mul__(self, k): return Money(self.amount * k, self.currency)
    __rmul__ = __mul__
    def __neg__(self): return Money(-self.amount, self.currency)
    def __bool__(self): return bool(self.amount)
    def __hash__(self): return hash((self.amount, self.currency))
    def __str__(self): return f'{self.amount:.2f} {self.currency}'
    def __repr__(self): return f'Money({self.amount!s}, {self.currency!r})'
    def __format__(self, spec): return format(str(self), spec)
class Account(abc.ABC):
    _ids = itertools.count(1)
    rate = Decimal('0')
    def __init__(self, owner, balance=0): self.id = next(self._ids); self.owner = owner; self._balance = Decimal(balance); self.history = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError('negative')
        self._balance = Decimal(v)
    def deposit(self, n):
        if n <= 0: raise ValueError('amount must be positive')
        self._balance += n; self.history.append(('deposit', n)); return self
    def withdraw(self, n):
        if n > self._balance: raise InsufficientFunds(self._balance, n)
        self._balance -= n; self.history.append(('withdraw', n)); return self
    @abc.abstractmethod
    def interest(self): ...
    @classmethod
    def open(cls, owner): return cls(owner)
    @staticmethod
    def valid(owner): return bool(owner.strip())
class Savings(Account):
    rate = Decimal('0.02')
    def interest(self): return self._balance * self.rate
class Checking(Account):
    def interest(self): return Decimal(0)
def transfer(a, b, n): a.withdraw(n); b.deposit(n)
`,
    tests: `
import decimal, unittest
from decimal import Decimal
import pytest
from solution import Account, Savings, Checking, Money, InsufficientFunds, transfer

class TestAccount(unittest.TestCase):
    def setUp(self):
        self.a = Savings('ann', 100)
        self.b = Checking('bob')
    def test_balance(self):
        self.assertEqual(self.a.balance, 100)
        self.assertIsInstance(self.a.balance, Decimal)
    def test_transfer(self):
        transfer(self.a, self.b, 30)
        self.assertEqual((self.a.balance, self.b.balance), (70, 30))
        self.assertListEqual(self.a.history, [('withdraw', 30)])
    def test_insufficient(self):
        with self.assertRaises(InsufficientFunds) as ctx: self.a.withdraw(500)
        self.assertEqual(ctx.exception.amount, 500)
        self.assertIn('less than', str(ctx.exception))
        self.assertRaisesRegex(InsufficientFunds, 'balance 100', self.a.withdraw, 101)
    def test_setter(self):
        self.a.balance = 5
        self.assertEqual(self.a.balance, 5)
        with self.assertRaises(ValueError): self.a.balance = -1
    def test_interest(self): self.assertAlmostEqual(self.a.interest(), Decimal('2.00'))
    def test_chain(self): self.assertEqual(self.a.deposit(1).deposit(2).balance, 103)
    def test_identity(self): self.assertIs(self.a.deposit(1), self.a)
    def test_ids(self): self.assertLess(self.a.id, self.b.id)
    def test_abstract(self):
        with self.assertRaises(TypeError): Account('x')
    def test_class(self):
        self.assertIsInstance(Savings.open('x'), Savings)
        self.assertIsInstance(Savings.open('x'), Account)
        self.assertTrue(Account.valid('x')); self.assertFalse(Savings.valid(' '))
        self.assertEqual(Savings.rate, Decimal('0.02'))
    def test_subtests(self):
        for n in (0, -1):
            with self.subTest(n=n):
                with self.assertRaises(ValueError): self.a.deposit(n)
    def test_private(self): self.assertEqual(self.a.__dict__['owner'] if False else self.a.owner, 'ann')

def test_money_eq(): assert Money(1) == Money('1') and Money(1) != Money(1, 'USD')
def test_money_add(): assert Money(1) + Money(2) == Money(3)
def test_money_sum(): assert sum([Money(1), Money(2)], Money(0)) == Money(3)
def test_money_mul(): assert Money(2) * 3 == Money(6) and 3 * Money(2) == Money(6)
def test_money_order(): assert Money(1) < Money(2) <= Money(2) and max(Money(1), Money(5)) == Money(5)
def test_money_sort(): assert sorted([Money(3), Money(1)]) == [Money(1), Money(3)]
def test_money_neg(): assert -Money(1) == Money(-1)
def test_money_bool(): assert Money(1) and not Money(0)
def test_money_hash(): assert len({Money(1), Money('1'), Money(2)}) == 2
def test_money_text(): assert str(Money(1)) == '1.00 EUR' and repr(Money(1)) == "Money(1, 'EUR')" and f'{Money(2)}' == '2.00 EUR'
def test_money_mix():
    with pytest.raises(ValueError): Money(1) + Money(1, 'USD')
    with pytest.raises(TypeError): Money(1) + 1
`,
  },
  {
    id: 'text',
    needs: { objects: ['Roman'], remoteEq: true },
    artifact: `
import re, textwrap, string, unicodedata, collections, itertools, html, base64, hashlib, struct, types
from typing import NamedTuple, Iterable
class Span(NamedTuple):
    start: int
    end: int
    label: str = 'x'
    @property
    def length(self): return self.end - self.start
    def shift(self, n): return self._replace(start=self.start + n, end=self.end + n)
def slugify(s): return re.sub(r'[^a-z0-9]+', '-', unicodedata.normalize('NFKD', s).encode('ascii', 'ignore').decode().lower()).strip('-')
def words(s): return collections.Counter(re.findall(r'\\w+', s.lower()))
def chunks(xs, n):
    it = iter(xs)
    while True:
        c = tuple(itertools.islice(it, n))
        if not c: return
        yield c
def spans(s, w): return [Span(m.start(), m.end()) for m in re.finditer(re.escape(w), s)]
def template(s, **k): return string.Template(s).safe_substitute(k)
def digest(b): return hashlib.sha256(b).digest()
def pack(*n): return struct.pack('>%dI' % len(n), *n)
class Roman(int):
    def __new__(cls, v):
        if isinstance(v, str):
            n, m = 0, dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)
            for a, b in itertools.zip_longest(v, v[1:]): n += -m[a] if b and m[a] < m[b] else m[a]
            v = n
        return super().__new__(cls, v)
    def __str__(self):
        n, out = int(self), ''
        for v, s in ((1000,'M'),(900,'CM'),(500,'D'),(400,'CD'),(100,'C'),(90,'XC'),(50,'L'),(40,'XL'),(10,'X'),(9,'IX'),(5,'V'),(4,'IV'),(1,'I')):
            while n >= v: out += s; n -= v
        return out
class CaseInsensitiveDict(collections.abc.MutableMapping if hasattr(collections, 'abc') else dict):
    def __init__(self, d=(), **k): self._s = {}; self.update(d, **k)
    def __setitem__(self, k, v): self._s[k.lower()] = (k, v)
    def __getitem__(self, k): return self._s[k.lower()][1]
    def __delitem__(self, k): del self._s[k.lower()]
    def __iter__(self): return (k for k, _ in self._s.values())
    def __len__(self): return len(self._s)
    def __eq__(self, o): return dict((k.lower(), v) for k, v in self.items()) == dict((k.lower(), v) for k, v in o.items())
    def __repr__(self): return str(dict(self.items()))
class Trie:
    def __init__(self, ws=()):
        self.root = {}
        for w in ws: self.insert(w)
    def insert(self, w):
        n = self.root
        for c in w: n = n.setdefault(c, {})
        n['$'] = True
    def __contains__(self, w):
        n = self.root
        for c in w:
            if c not in n: return False
            n = n[c]
        return '$' in n
    def complete(self, p):
        n = self.root
        for c in p: n = n.get(c, {})
        def walk(n, acc):
            for k in sorted(n):
                if k == '$': yield acc
                else: yield from walk(n[k], acc + k)
        yield from walk(n, p)
DEFAULTS = types.MappingProxyType({'a': 1})
VERSION = (1, 2)
`,
    tests: `
import collections
import pytest
import solution as s
from solution import *
from solution import Span, slugify, words, chunks, spans, template, digest, pack, Roman, CaseInsensitiveDict, Trie, DEFAULTS, VERSION

@pytest.mark.parametrize('given, expected', [('Hello, World!', 'hello-world'), ('Crème Brûlée', 'creme-brulee'), ('', '')])
def test_slug(given, expected): assert slugify(given) == expected
def test_words():
    w = words('a b a')
    assert w == {'a': 2, 'b': 1} and w.most_common(1) == [('a', 2)] and w['zzz'] == 0
    assert w + collections.Counter('a') == collections.Counter({'a': 3, 'b': 1})
def test_chunks(): assert list(chunks(range(5), 2)) == [(0, 1), (2, 3), (4,)]
def test_chunks_gen():
    g = chunks('abc', 1)
    assert next(g) == ('a',)
    assert ''.join(x for (x,) in g) == 'bc'
    with pytest.raises(StopIteration): next(g)
def test_spans():
    [a, b] = spans('xaxa', 'a')
    assert a == (1, 2, 'x') and b.start == 3 and b.length == 1
    assert a.shift(2) == Span(3, 4) and a._asdict() == {'start': 1, 'end': 2, 'label': 'x'}
    start, end, *_ = b
    assert (start, end) == (3, 4)
def test_template(): assert template('hi $n $m', n='x') == 'hi x $m'
def test_digest(): assert digest(b'').hex().startswith('e3b0c442') and len(digest(b'x')) == 32
def test_pack(): assert pack(1, 2) == b'\\0\\0\\0\\1\\0\\0\\0\\2'
@pytest.mark.parametrize('r, n', [('IV', 4), ('MCMXCIV', 1994)])
def test_roman(r, n):
    assert Roman(r) == n and str(Roman(n)) == r and Roman(r) + 1 == n + 1 and int(Roman(r)) == n
def test_headers():
    h = CaseInsensitiveDict({'Content-Type': 'json'})
    assert h['content-type'] == 'json' and 'CONTENT-TYPE' in h
    h['ACCEPT'] = '*'
    assert len(h) == 2 and sorted(h) == ['ACCEPT', 'Content-Type']
    assert h.get('no') is None and dict(h)['ACCEPT'] == '*'
    del h['accept']
    assert list(h.items()) == [('Content-Type', 'json')]
    with pytest.raises(KeyError): h['zzz']
def test_trie():
    t = Trie(['car', 'cat', 'dog'])
    assert 'car' in t and 'ca' not in t
    assert list(t.complete('ca')) == ['car', 'cat']
    assert not list(t.complete('z'))
def test_defaults():
    assert DEFAULTS['a'] == 1 and dict(DEFAULTS) == {'a': 1}
    with pytest.raises(TypeError): DEFAULTS['b'] = 2
def test_version(): assert VERSION >= (1, 0) and s.VERSION[0] == 1 and '.'.join(map(str, VERSION)) == '1.2'
`,
  },
  {
    id: 'plugins',
    needs: { objects: ['Pipeline', 'Matrix'], remoteEq: true },
    artifact: `
import functools, inspect, operator, weakref, copy, json, pickle, contextlib
from typing import Protocol, Callable, Generic, TypeVar
T = TypeVar('T')
class Registry(Generic[T]):
    def __init__(self): self._items = {}
    def register(self, name=None):
        def deco(obj):
            key = name or obj.__name__
            if key in self._items: raise KeyError(f'duplicate: {key}')
            self._items[key] = obj
            return obj
        return deco
    def create(self, name, *a, **k): return self._items[name](*a, **k)
    def __contains__(self, n): return n in self._items
    def __call__(self, n): return self._items[n]
    @property
    def names(self): return tuple(sorted(self._items))
registry = Registry()
@registry.register('circle')
class Circle:
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
@registry.register()
def square(n): return n * n
class Observable:
    def __init__(self): self._subs = []; self._value = None
    def subscribe(self, fn): self._subs.append(fn); return lambda: self._subs.remove(fn)
    @property
    def value(self): return self._value
    @value.setter
    def value(self, v):
        old, self._value = self._value, v
        for s in list(self._subs): s(old, v)
class Pipeline:
    def __init__(self, *steps): self.steps = list(steps)
    def __or__(self, f): return Pipeline(*self.steps, f)
    def __call__(self, x): return functools.reduce(lambda a, f: f(a), self.steps, x)
    def __len__(self): return len(self.steps)
class Stack:
    def __init__(self, items=()): self._i = list(items)
    def push(self, x): self._i.append(x)
    def pop(self):
        if not self._i: raise IndexError('pop from empty stack')
        return self._i.pop()
    def peek(self): return self._i[-1]
    def __len__(self): return len(self._i)
    def __iter__(self): return reversed(self._i)
    def __bool__(self): return bool(self._i)
    def __enter__(self): return self
    def __exit__(self, *e): self._i.clear(); return False
    def __eq__(self, o): return isinstance(o, Stack) and self._i == o._i
    def __getitem__(self, k): return self._i[k]
    def __copy__(self): return Stack(self._i)
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __eq__(self, o): return self.rows == o.rows
    def __getitem__(self, ij): i, j = ij; return self.rows[i][j]
    def __setitem__(self, ij, v): i, j = ij; self.rows[i][j] = v
    def transpose(self): return Matrix(zip(*self.rows))
    T = property(transpose)
@contextlib.contextmanager
def swapped(d, k, v):
    old = d[k]; d[k] = v
    try: yield d
    finally: d[k] = old
def compose(*fs): return lambda x: functools.reduce(lambda a, f: f(a), reversed(fs), x)
def curry(f):
    def inner(*a): return f(*a) if len(a) >= 2 else lambda *b: inner(*a, *b)
    return inner
def counter():
    n = 0
    def inc(by=1):
        nonlocal n; n += by; return n
    return inc
def accumulate():
    total = 0
    while True:
        x = yield total
        if x is None: return total
        total += x
`,
    tests: `
import copy
from unittest.mock import Mock, call, patch
import pytest
from solution import registry, Registry, Circle, Observable, Pipeline, Stack, Matrix, swapped, compose, curry, counter, accumulate

def test_registry():
    assert registry.names == ('circle', 'square') and 'circle' in registry
    assert registry.create('circle', 2).area() == pytest.approx(12.56636)
    assert isinstance(registry.create('circle', r=1), Circle)
    assert registry('square')(4) == 16
def test_register_own():
    r = Registry()
    @r.register('mine')
    def f(x): return x + 1
    assert r.create('mine', 1) == 2
    with pytest.raises(KeyError, match='duplicate'): r.register('mine')(f)
def test_observable():
    o, m = Observable(), Mock()
    stop = o.subscribe(m)
    o.value = 1
    o.value = 2
    assert m.call_args_list == [call(None, 1), call(1, 2)]
    stop()
    o.value = 3
    assert m.call_count == 2 and o.value == 3
def test_pipeline():
    p = Pipeline(str.strip) | str.upper | (lambda s: s + '!')
    assert p(' hi ') == 'HI!' and len(p) == 3
class TestStack:
    def test_lifo(self):
        s = Stack()
        for i in range(3): s.push(i)
        assert [s.pop(), s.pop(), s.peek()] == [2, 1, 0] and len(s) == 1
    def test_empty(self):
        s = Stack()
        assert not s
        with pytest.raises(IndexError) as e: s.pop()
        assert str(e.value) == 'pop from empty stack'
    def test_iter(self): assert list(Stack('abc')) == ['c', 'b', 'a']
    def test_with(self):
        with Stack([1]) as s: assert s.peek() == 1
        assert len(s) == 0
    def test_with_raises(self):
        with pytest.raises(RuntimeError):
            with Stack([1]) as s: raise RuntimeError
        assert not s
    def test_eq(self): assert Stack([1]) == Stack([1]) and Stack([1]) != Stack([2])
    def test_slice(self): assert Stack([1, 2, 3])[1:] == [2, 3] and Stack([1, 2])[-1] == 2
    def test_copy(self):
        a = Stack([1]); b = copy.copy(a); b.push(2)
        assert len(a) == 1 and len(b) == 2
    def test_object_identity(self):
        s, x = Stack(), object()
        s.push(x)
        assert s.pop() is x
class TestMatrix:
    def test_identity(self):
        m = Matrix([[1, 2], [3, 4]])
        assert m @ Matrix.identity(2) == m
    def test_shape(self): assert Matrix([[1, 2, 3]]).T.shape == (3, 1)
    def test_items(self):
        m = Matrix([[1]])
        m[0, 0] = 5
        assert m[0, 0] == 5
def test_swapped():
    d = {'a': 1}
    with swapped(d, 'a', 2) as e:
        assert d['a'] == 2
    assert d == {'a': 1}
def test_compose(): assert compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
def test_curry(): assert curry(lambda a, b: a - b)(5)(3) == 2
def test_counter():
    c = counter()
    assert [c(), c(), c(by=3)] == [1, 2, 5]
    assert counter()() == 1
def test_send():
    g = accumulate()
    assert next(g) == 0 and g.send(3) == 3 and g.send(4) == 7
    with pytest.raises(StopIteration) as e: g.send(None)
    assert e.value.value == 7
def test_patch():
    with patch('solution.Circle.area', return_value=9):
        assert Circle(1).area() == 9
def test_patch_object():
    with patch.object(Stack, 'pop', lambda self: 'patched'): assert Stack([1]).pop() == 'patched'
`,
  },
  {
    id: 'identity',
    artifact: `
import copy
class Stack:
    def __init__(self): self.i = []
    def push(self, x): self.i.append(x)
    def pop(self): return self.i.pop()
    def remove(self, x): self.i[:] = [y for y in self.i if y is not x]
    def __len__(self): return len(self.i)
def add(xs, x): xs.append(x); return xs
def clone(x): return copy.deepcopy(x)
def shallow(x): return list(x)
def first(xs): return xs[0]
REG = {}
def register(k, v): REG[k] = v
def lookup(k): return REG[k]
def total(rows): return sum(len(r) for r in rows)
def swap(a, b): a[:], b[:] = b[:], a[:]
`,
    tests: `
from solution import *
from solution import Stack, add, clone, shallow, first, register, lookup, total, swap
def test_push():
    s, x = Stack(), {'a': 1}
    s.push(x)
    assert s.pop() is x
def test_list():
    s, x = Stack(), [1]
    s.push(x); x.append(2); s.push(x)
    assert s.pop() == [1, 2]
def test_remove():
    s, x, y = Stack(), [1], [1]
    s.push(x); s.push(y); s.remove(x)
    assert len(s) == 1 and s.pop() is y
def test_same():
    xs = [1]
    assert add(xs, 2) is xs and xs == [1, 2]
def test_clone():
    x = [[1], {'a': []}]
    y = clone(x)
    assert y == x and y is not x and y[0] is not x[0] and y[1]['a'] is not x[1]['a']
def test_shallow():
    x = [[1]]
    y = shallow(x)
    assert y is not x and y[0] is x[0]
def test_first():
    x = [{}, {}]
    assert first(x) is x[0] and first(x) is not x[1]
def test_registry():
    d = {'n': 0}
    register('d', d)
    d['n'] = 5
    assert lookup('d') is d and lookup('d') == {'n': 5}
def test_shared():
    row = [0, 0]
    assert total([row, row]) == 4
def test_swap():
    a, b = [1], [2]
    swap(a, b)
    assert (a, b) == ([2], [1])
def test_big(): assert total([[1, 2]] * 3000) == 6000
`,
  },
  {
    id: 'exceptions-with-mixins',
    artifact: `
from collections import namedtuple
class Described:
    def describe(self): return 'd'
class Missing(Described, KeyError):
    def __init__(self, name):
        super().__init__(name)
        self.code = 5
class Pair(Described, namedtuple('Pair', 'a b')): pass
def find(name): raise Missing(name)
def pair(): return Pair(1, 2)
def memoize(f):
    held = {}
    def wrapped(x):
        if x not in held: held[x] = f(x)
        return held[x]
    wrapped.clear = held.clear
    wrapped.size = lambda: len(held)
    return wrapped
`,
    tests: `
import pytest
from solution import Missing, find, memoize, pair
def test_exception():
    with pytest.raises(KeyError) as caught: find('x')
    assert caught.value.code == 5 and caught.value.describe() == 'd'
    with pytest.raises(Missing, match='x'): find('x')
def test_pair(): assert pair() == (1, 2) and pair().a == 1
def test_decorator():
    calls = []
    @memoize
    def square(x):
        calls.append(x)
        return x * x
    assert square(2) == 4 and square(2) == 4 and calls == [2]
    assert square.size() == 1
    square.clear()
    assert square.size() == 0
`,
  },
  {
    id: 'values-that-tests-make',
    artifact: `
from dataclasses import dataclass
from typing import NamedTuple
@dataclass
class Point:
    x: int
    y: int
@dataclass
class Size:
    width: int
    def __post_init__(self): self.width = abs(self.width)
class Pair(NamedTuple):
    a: int
    b: int = 0
def double(p): return Point(2 * p.x, 2 * p.y)
def size(n): return Size(-n)
def pair(n): return Pair(n)
`,
    tests: `
import pickle, subprocess, sys
from solution import Pair, Point, Size, double, pair, size
def test_points():
    assert double(Point(1, 2)) == Point(2, 4)
    want = Point(1, y=2)
    want.x = 2
    assert want == Point(2, 2) and want != Point(1, 2)
def test_sizes(): assert size(3) == Size(3) == Size(-3)
def test_pairs(): assert pair(3) == Pair(3) == (3, 0)
def test_round_trips():
    assert eval(repr(pair(3)[0])) == 3
    assert pickle.loads(pickle.dumps([pair(3).a])) == [3]
    text = repr(double(Point(1, 2)).x)
    assert eval(text) == 2
def test_own_program(): assert subprocess.run([sys.executable, '-c', 'print(9)'], capture_output=True, text=True).stdout == '9\\n'
`,
  },
  {
    id: 'arithmetic-with-numbers',
    artifact: `
from dataclasses import dataclass
@dataclass
class Vector:
    x: float
    y: float = 0
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __mul__(self, k):
        if not isinstance(k, (int, float)): return NotImplemented
        return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** .5
    def __truediv__(self, k): return Vector(self.x / k, self.y / k)
    def norm(self): return abs(self)
`,
    tests: `
import pytest
from solution import Vector
def test_scale():
    assert (Vector(1, 2) * 3).y == 6
    doubled = 2 * Vector(1, 2)
    assert (doubled.x, doubled.y) == (2, 4)
def test_variables():
    v = Vector(1, 2) * 2
    w = v + Vector(1, 1)
    assert w.x == 3 and w.y == 5
    assert (-v).x == -2
    assert (v / 2).x == 1
    v *= 2
    assert v.norm() == pytest.approx(80 ** .5)
def test_wrong_type():
    with pytest.raises(TypeError): Vector(1) * 'a'
def test_length(): assert abs(Vector(3, 4)) == 5
`,
  },
  {
    id: 'assertions-that-come-back',
    artifact: `
import contextlib
def each(xs, f):
    for x in xs: f(x)
class Store:
    def __enter__(self): return self
    def __exit__(self, *error): return False
@contextlib.contextmanager
def scope(): yield 1
def attempt(f):
    try: return f()
    except ValueError: return None
`,
    tests: `
import pytest
from solution import Store, attempt, each, scope
def check(x): assert x == 9
def fail(): raise ValueError('x')
def test_callback():
    with pytest.raises(AssertionError): each([1], check)
    each([9], check)
def test_contexts():
    with pytest.raises(AssertionError):
        with Store(): assert False
    with pytest.raises(AssertionError):
        with scope(): assert False
def test_errors(): assert attempt(fail) is None
`,
  },
];
