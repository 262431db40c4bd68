import type { FidelityCase } from './fidelity-case.ts';

/** Graphs, caches, parsers and event loops: correct programs with ordinary tests. */
export const fidelityStructures: readonly FidelityCase[] = [
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
];
