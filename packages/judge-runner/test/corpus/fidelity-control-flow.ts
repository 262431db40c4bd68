import type { FidelityCase } from './fidelity-case.ts';

/** Exceptions, context managers, generators, coroutines and threads: correct programs with ordinary tests. */
export const fidelityControlFlow: readonly FidelityCase[] = [
  {
    id: 'exceptions',
    artifact: `
class ApiError(Exception):
    def __init__(self, status, message="failed", **extra):
        super().__init__(status, message); self.status, self.message, self.extra = status, message, extra
    def __str__(self): return f"[{self.status}] {self.message}"
    def __repr__(self): return f"ApiError({self.status})"
class NotFound(ApiError):
    def __init__(self, what): super().__init__(404, f"{what} not found", what=what)
def fetch(path, store):
    try: return store[path]
    except KeyError as e: raise NotFound(path) from e
def boom(): raise ApiError(500)
def chain():
    try: 1 / 0
    except ZeroDivisionError: raise RuntimeError("after")
def gen():
    yield 1
    raise StopAsyncIteration("x")
def assert_positive(n):
    assert n > 0, "must be positive, got %r" % n
    return n
def group(xs):
    errors = []
    for x in xs:
        try: int(x)
        except ValueError as e: errors.append(e)
    return errors

def annotated():
    error = ValueError('x')
    error.code = 5
    raise error
def parse(text): import json; return json.loads(text)
`,
    tests: `
import pytest, re
import solution
from solution import *
from solution import ApiError, NotFound, fetch, boom, chain, assert_positive, group, annotated, parse
def test_match():
    with pytest.raises(NotFound, match=r"\\[404\\] /x not found"): fetch("/x", {})
def test_value():
    with pytest.raises(ApiError) as e: fetch("/y", {})
    assert e.value.status == 404 and e.value.extra == {"what": "/y"} and e.type is NotFound
    assert isinstance(e.value.__cause__, KeyError)
    assert e.value.__cause__.args == ("/y",)
def test_str():
    with pytest.raises(ApiError) as e: boom()
    assert str(e.value) == "[500] failed" and repr(e.value) == "ApiError(500)" and e.value.args == (500, "failed")
    assert e.value.__cause__ is None
def test_context():
    with pytest.raises(RuntimeError) as e: chain()
    assert isinstance(e.value.__context__, ZeroDivisionError)
def test_call_form(): pytest.raises(NotFound, fetch, "/z", {}); pytest.raises(NotFound, solution.fetch, path="q", store={})
def test_tuple():
    with pytest.raises((KeyError, NotFound)): fetch("/x", {})
def test_assertion():
    with pytest.raises(AssertionError, match="must be positive, got -1"): assert_positive(-1)
    assert assert_positive(3) == 3
def test_group():
    es = group(["1", "a", "b"])
    assert [type(e) for e in es] == [ValueError, ValueError]
    assert "invalid literal" in str(es[0]) and all(isinstance(e, ValueError) for e in es)
def test_type_error():
    with pytest.raises(TypeError): fetch()
def test_no_raise():
    try: fetch("a", {"a": 1})
    except ApiError: pytest.fail("raised")
    else: pass
def test_catch_and_reraise():
    try: fetch("k", {})
    except NotFound as err:
        got = err
    assert got.message.endswith("not found") and got.status // 100 == 4
def test_make(): 
    e = NotFound("it")
    assert e.status == 404 and isinstance(e, Exception) and str(e) == "[404] it not found"
    with pytest.raises(NotFound): raise e

def test_attribute_of_a_builtin():
    with pytest.raises(ValueError) as e: annotated()
    assert e.value.code == 5
def test_library_exception():
    import json
    with pytest.raises(json.JSONDecodeError) as e: parse('{"a": }')
    assert (e.value.pos, e.value.lineno, e.value.msg) == (6, 1, 'Expecting value')
`,
  },
  {
    id: 'context-managers',
    artifact: `
import contextlib, threading, time
class Timer:
    def __init__(self, clock=time.perf_counter): self.clock = clock; self.elapsed = None
    def __enter__(self): self.t = self.clock(); return self
    def __exit__(self, *exc): self.elapsed = self.clock() - self.t; return False
class Transaction:
    def __init__(self, log): self.log = log
    def __enter__(self): self.log.append("begin"); return self
    def __exit__(self, kind, value, tb):
        self.log.append("rollback" if kind else "commit")
        return kind is not None and issubclass(kind, KeyError)
@contextlib.contextmanager
def tag(name, out):
    out.append(f"<{name}>")
    try: yield name.upper()
    finally: out.append(f"</{name}>")
@contextlib.contextmanager
def swallow(*kinds):
    try: yield
    except kinds as e: pass
class Pool:
    def __init__(self, n): self.free = list(range(n)); self.lock = threading.Lock()
    @contextlib.contextmanager
    def take(self):
        with self.lock:
            if not self.free: raise RuntimeError("empty")
            x = self.free.pop()
        try: yield x
        finally: self.free.append(x)
class Stack(contextlib.ExitStack): pass
@contextlib.contextmanager
def setting(d, **kw):
    old = dict(d); d.update(kw)
    try: yield d
    finally: d.clear(); d.update(old)
`,
    tests: `
import pytest
from solution import Timer, Transaction, tag, swallow, Pool, setting
def test_timer():
    ticks = iter([1.0, 3.5])
    with Timer(clock=lambda: next(ticks)) as t: pass
    assert t.elapsed == 2.5
def test_timer_real():
    with Timer() as t: pass
    assert t.elapsed >= 0
def test_commit():
    log = []
    with Transaction(log) as t: log.append("work")
    assert log == ["begin", "work", "commit"] and isinstance(t, Transaction)
def test_rollback():
    log = []
    with pytest.raises(ValueError):
        with Transaction(log): raise ValueError
    assert log == ["begin", "rollback"]
def test_suppressed():
    log = []
    with Transaction(log): raise KeyError("x")
    assert log[-1] == "rollback"
def test_tag():
    out = []
    with tag("a", out) as a, tag("b", out) as b: out.append(a + b)
    assert out == ["<a>", "<b>", "AB", "</b>", "</a>"]
def test_tag_error():
    out = []
    try:
        with tag("x", out): raise RuntimeError("boom")
    except RuntimeError as e: assert str(e) == "boom"
    assert out == ["<x>", "</x>"]
def test_swallow():
    with swallow(ZeroDivisionError, KeyError): 1 / 0
    with pytest.raises(TypeError):
        with swallow(KeyError): raise TypeError
def test_pool():
    p = Pool(1)
    with p.take() as a:
        assert a == 0 and p.free == []
        with pytest.raises(RuntimeError, match="empty"):
            with p.take(): pass
    assert p.free == [0]
def test_setting():
    d = {"a": 1}
    with setting(d, a=2, b=3) as inner: assert d == {"a": 2, "b": 3} and inner is d
    assert d == {"a": 1}

def test_manual():
    log = []; t = Transaction(log); t.__enter__(); t.__exit__(None, None, None); assert log == ["begin", "commit"]
`,
  },
  {
    id: 'generators',
    artifact: `
import itertools, contextlib
def count(n, step=1):
    while True: yield n; n += step
def chunks(xs, n):
    it = iter(xs)
    while chunk := list(itertools.islice(it, n)): yield chunk
def averager():
    total = n = 0; avg = None
    while True:
        x = yield avg
        if x is None: return avg
        total += x; n += 1; avg = total / n
def flatten(x):
    for i in x:
        if isinstance(i, (list, tuple)): yield from flatten(i)
        else: yield i
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1; return self.n + 1
class Range2:
    def __init__(self, n): self.n = n
    def __iter__(self): return (i * i for i in range(self.n))
    def __len__(self): return self.n
    def __reversed__(self): return (i * i for i in range(self.n - 1, -1, -1))
    def __contains__(self, x): return any(i == x for i in self)
def primes():
    seen = []
    for n in itertools.count(2):
        if all(n % p for p in seen): seen.append(n); yield n
def pairwise(xs): a, b = itertools.tee(xs); next(b, None); return zip(a, b)
def evens(xs): return filter(lambda x: x % 2 == 0, xs)
def squares(xs): return map(lambda x: x * x, xs)
def cleanup(log):
    try:
        yield 1; yield 2
    finally: log.append("closed")
`,
    tests: `
import itertools, pytest
from solution import count, chunks, averager, flatten, Countdown, Range2, primes, pairwise, evens, squares, cleanup
def test_islice(): assert list(itertools.islice(count(3, 2), 4)) == [3, 5, 7, 9]
def test_chunks(): assert list(chunks("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]] and [*chunks([], 3)] == []
def test_send():
    a = averager(); assert next(a) is None; assert a.send(10) == 10; assert a.send(20) == 15.0
    with pytest.raises(StopIteration) as e: a.send(None)
    assert e.value.value == 15.0
def test_flatten(): assert list(flatten([1, [2, (3, [4])], 5])) == [1, 2, 3, 4, 5]
def test_countdown(): assert list(Countdown(3)) == [3, 2, 1]; c = Countdown(2); assert next(c) == 2 and next(c) == 1; assert next(c, "end") == "end"
def test_exhausted():
    c = Countdown(0)
    with pytest.raises(StopIteration): next(c)
def test_range(): r = Range2(4); assert list(r) == [0, 1, 4, 9] and list(r) == [0, 1, 4, 9] and len(r) == 4 and list(reversed(r)) == [9, 4, 1, 0] and 4 in r and 5 not in r
def test_primes(): p = primes(); assert [next(p) for _ in range(5)] == [2, 3, 5, 7, 11]
def test_takewhile(): assert list(itertools.takewhile(lambda x: x < 20, primes())) == [2, 3, 5, 7, 11, 13, 17, 19]
def test_pairwise(): assert list(pairwise([1, 2, 3])) == [(1, 2), (2, 3)] and list(pairwise(iter("ab"))) == [("a", "b")]
def test_filter(): assert list(evens(range(6))) == [0, 2, 4] and sum(evens([1, 2, 4])) == 6
def test_map(): assert tuple(squares([1, 2])) == (1, 4) and max(squares([-3, 2])) == 9
def test_close():
    log = []; g = cleanup(log); assert next(g) == 1; g.close(); assert log == ["closed"]
def test_for_break():
    out = []
    for x in count(1):
        if x > 3: break
        out.append(x)
    assert out == [1, 2, 3]
def test_zip(): assert dict(zip("ab", count(0))) == {"a": 0, "b": 1}
def test_enumerate(): assert [(i, c) for i, c in enumerate(chunks("ab", 1))] == [(0, ["a"]), (1, ["b"])]

def test_input_gen(): assert list(chunks((i for i in range(3)), 2)) == [[0, 1], [2]]
def test_unpack(): a, b, *rest = flatten([1, [2, 3, 4]]); assert (a, b, rest) == (1, 2, [3, 4])
def test_sorted(): assert sorted(flatten([[3], 1])) == [1, 3] and set(flatten([1, [1]])) == {1} and "".join(itertools.chain.from_iterable(chunks("abc", 2))) == "abc"
def test_throw():
    g = cleanup([]); next(g)
    with pytest.raises(KeyError): g.throw(KeyError("x"))
def test_any(): assert any(x > 100 for x in count(1)) and all(isinstance(x, int) for x in itertools.islice(primes(), 3))
`,
  },
  {
    id: 'coroutines',
    artifact: `
import asyncio, contextlib
async def add(a, b): await asyncio.sleep(0); return a + b
async def gather(*xs): return await asyncio.gather(*(add(x, 1) for x in xs))
async def ticker(n, delay=0):
    for i in range(n): await asyncio.sleep(delay); yield i
async def with_timeout(coro, t):
    try: return await asyncio.wait_for(coro, t)
    except asyncio.TimeoutError: return "timeout"
class Queue:
    def __init__(self): self.q = asyncio.Queue(); self.done = []
    async def worker(self):
        while True:
            x = await self.q.get()
            if x is None: return
            self.done.append(x * 2); self.q.task_done()
    async def run(self, xs):
        t = asyncio.create_task(self.worker())
        for x in xs: await self.q.put(x)
        await self.q.put(None); await t
        return self.done
class Conn:
    opened = 0
    async def __aenter__(self): Conn.opened += 1; return self
    async def __aexit__(self, *a): Conn.opened -= 1
    async def query(self, s):
        if "drop" in s: raise PermissionError(s)
        return [s.upper()]
@contextlib.asynccontextmanager
async def session():
    yield {"open": True}
async def retry(f, n):
    for i in range(n):
        try: return await f()
        except ConnectionError:
            if i == n - 1: raise
async def map_async(f, xs): return [await f(x) for x in xs]
async def limited(jobs, n):
    sem = asyncio.Semaphore(n); running = peak = 0
    async def one(j):
        nonlocal running, peak
        async with sem:
            running += 1; peak = max(peak, running); await asyncio.sleep(0.001); running -= 1; return j
    r = await asyncio.gather(*map(one, jobs)); return r, peak
`,
    tests: `
import asyncio, pytest, unittest
from solution import add, gather, ticker, with_timeout, Queue, Conn, session, retry, map_async, limited
def run(c): return asyncio.run(c)
def test_add(): assert asyncio.run(add(1, 2)) == 3
def test_gather(): assert run(gather(1, 2)) == [2, 3]
def test_async_for():
    async def go(): return [x async for x in ticker(3)]
    assert run(go()) == [0, 1, 2]
def test_loop(): 
    loop = asyncio.new_event_loop()
    try: assert loop.run_until_complete(add(2, 2)) == 4
    finally: loop.close()
def test_timeout(): assert run(with_timeout(asyncio.sleep(5), 0.01)) == "timeout" and run(with_timeout(add(1, 1), 1)) == 2
def test_queue(): assert run(Queue().run([1, 2, 3])) == [2, 4, 6]
def test_context():
    async def go():
        async with Conn() as c:
            assert Conn.opened == 1
            return await c.query("a")
    assert run(go()) == ["A"] and Conn.opened == 0
def test_raises():
    async def go():
        async with Conn() as c:
            with pytest.raises(PermissionError, match="drop"): await c.query("drop it")
    run(go())
def test_session():
    async def go():
        async with session() as s: return s
    assert run(go()) == {"open": True}
def test_retry():
    n = 0
    async def flaky():
        nonlocal n; n += 1
        if n < 3: raise ConnectionError("no")
        return n
    assert run(retry(flaky, 5)) == 3
def test_retry_fails():
    async def bad(): raise ConnectionError("no")
    with pytest.raises(ConnectionError): run(retry(bad, 2))
def test_map():
    async def double(x): return x * 2
    assert run(map_async(double, [1, 2])) == [2, 4]
def test_limited(): r, peak = run(limited([1, 2, 3, 4], 2)); assert r == [1, 2, 3, 4] and peak <= 2

def test_gather_outside():
    async def go(): return await asyncio.gather(add(1, 1), add(2, 2), return_exceptions=True)
    assert run(go()) == [2, 4]
def test_task():
    async def go():
        t = asyncio.create_task(add(3, 4)); return await t
    assert run(go()) == 7
class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self): self.conn = Conn()
    async def test_it(self): self.assertEqual(await add(1, 5), 6)
    async def test_conn(self):
        async with self.conn as c: self.assertEqual(await c.query("q"), ["Q"])
`,
  },
  {
    id: 'threads',
    artifact: `
import threading, queue, concurrent.futures as cf, time
class Counter:
    def __init__(self): self.n = 0; self._l = threading.Lock()
    def inc(self):
        with self._l: self.n += 1
def parallel(f, xs, workers=4):
    with cf.ThreadPoolExecutor(workers) as ex: return list(ex.map(f, xs))
def produce(q, n):
    for i in range(n): q.put(i)
    q.put(None)
def consume(q):
    out = []
    while (x := q.get()) is not None: out.append(x)
    return out
class Once:
    def __init__(self, f): self.f, self.done, self.lock = f, False, threading.Lock()
    def __call__(self):
        with self.lock:
            if not self.done: self.value = self.f(); self.done = True
        return self.value
`,
    tests: `
import threading, queue, pytest
from solution import Counter, parallel, produce, consume, Once
def test_counter():
    c = Counter()
    ts = [threading.Thread(target=lambda: [c.inc() for _ in range(20)]) for _ in range(4)]
    for t in ts: t.start()
    for t in ts: t.join()
    assert c.n == 80
def test_parallel(): assert parallel(lambda x: x * x, [1, 2, 3]) == [1, 4, 9]
def test_queue():
    q = queue.Queue(); t = threading.Thread(target=produce, args=(q, 3)); t.start()
    assert consume(q) == [0, 1, 2]; t.join()
def test_once():
    n = []
    o = Once(lambda: n.append(1) or 5)
    assert o() == 5 and o() == 5 and n == [1]
`,
  },
];
