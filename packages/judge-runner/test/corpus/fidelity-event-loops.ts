import type { FidelityCase } from './fidelity-case.ts';

/** Programs whose tasks and futures run beside a test, and what a test gives them to wait for. */
export const fidelityEventLoops: readonly FidelityCase[] = [
  {
    id: 'worker pool',
    artifact: `
import asyncio
class Pool:
    def __init__(self): self.q = asyncio.Queue(); self.workers = []
    def submit(self, f, *a):
        fut = asyncio.get_running_loop().create_future()
        self.q.put_nowait((f, a, fut))
        return fut
    async def work(self):
        while True:
            f, a, fut = await self.q.get()
            if not fut.cancelled():
                r = f(*a)
                if asyncio.iscoroutine(r): r = await r
                fut.set_result(r)
            self.q.task_done()
    async def __aenter__(self):
        self.workers = [asyncio.create_task(self.work()) for _ in range(3)]
        return self
    async def __aexit__(self, *e):
        await self.q.join()
        for w in self.workers: w.cancel()
        await asyncio.gather(*self.workers, return_exceptions=True)
`,
    breaks: ['r = f(*a)', 'r = None'],
    tests: `
import asyncio, unittest
from solution import Pool
def test_sync():
    async def main():
        async with Pool() as p:
            return await p.submit(abs, -3)
    assert asyncio.run(main()) == 3
def test_cancel():
    async def main():
        async with Pool() as p:
            f = p.submit(abs, -3)
            f.cancel()
        return f.cancelled()
    assert asyncio.run(main()) is True
def test_own():
    async def twice(x):
        await asyncio.sleep(0.001)
        return 2 * x
    async def main():
        async with Pool() as p:
            return await asyncio.gather(*(p.submit(twice, i) for i in range(7)))
    assert asyncio.run(main()) == [0, 2, 4, 6, 8, 10, 12]
`,
  },
  {
    id: 'primitives of asyncio and open files',
    artifact: `
import asyncio, csv, json
class PoolClosed(Exception): pass
from contextlib import asynccontextmanager
@asynccontextmanager
async def limited(semaphore, timeout):
    try:
        await asyncio.wait_for(semaphore.acquire(), timeout)
    except asyncio.TimeoutError:
        raise PoolClosed(f"no slot within {timeout}s") from None
    try:
        yield semaphore
    finally:
        semaphore.release()
async def consume(queue, stop):
    found = []
    while not stop.is_set():
        found.append(await queue.get())
        queue.task_done()
    return found
async def locked(lock, log, name):
    async with lock:
        log.append(name)
        await asyncio.sleep(0.001)
        log.append(name)
def save(fh, rows): csv.writer(fh).writerows(rows)
def load(fh): return list(csv.reader(fh))
def lines(fh): return [l.strip() for l in fh]
def js(fh): return json.load(fh)
class Ticker:
    def __init__(self): self.n = 0
    def start(self): self.t = asyncio.create_task(self.run())
    async def run(self):
        while True:
            self.n += 1
            await asyncio.sleep(0.005)
    async def stop(self):
        self.t.cancel()
        try: await self.t
        except asyncio.CancelledError: return True
async def slow(): await asyncio.sleep(30)
class Chan:
    def __init__(self): self.q = asyncio.Queue()
    async def get(self): return await self.q.get()
    async def put(self, x): await self.q.put(x)
`,
    breaks: ['self.n += 1', 'pass'],
    tests: `
import asyncio, pytest, io, tempfile
from solution import limited, PoolClosed, consume, locked, save, load, lines, js, Ticker, slow, Chan
def test_limited():
    async def main():
        semaphore = asyncio.Semaphore(1)
        async with limited(semaphore, 1) as inner:
            assert inner.locked()
            with pytest.raises(PoolClosed, match=r"no slot within 0\\.01s"):
                async with limited(semaphore, 0.01):
                    pytest.fail("unreachable")
        return semaphore.locked()
    assert asyncio.run(main()) is False
def test_queue():
    async def main():
        q, stop = asyncio.Queue(), asyncio.Event()
        t = asyncio.create_task(consume(q, stop))
        for i in range(3): await q.put(i)
        await q.join()
        stop.set()
        await q.put(9)
        return await t
    assert asyncio.run(main()) == [0, 1, 2, 9]
def test_lock():
    log = []
    async def main():
        lock = asyncio.Lock()
        await asyncio.gather(*(locked(lock, log, i) for i in range(3)))
    asyncio.run(main())
    assert log == [0, 0, 1, 1, 2, 2]
def test_files(tmp_path):
    p = tmp_path / 'a.csv'
    with p.open('w', newline='') as fh: save(fh, [[1, 'b'], [2, 'c']])
    assert p.read_text() == '1,b\\n2,c\\n'
    with p.open(newline='') as fh: assert load(fh) == [['1', 'b'], ['2', 'c']]
    with p.open() as fh: assert lines(fh) == ['1,b', '2,c']
    p.write_text('{"a": 1}')
    with open(p, 'rb') as fh: assert js(fh) == {'a': 1}
    with tempfile.NamedTemporaryFile('w+', newline='') as fh:
        save(fh, [[1]])
        fh.seek(0)
        assert fh.read() == '1\\r\\n'
def test_ticker():
    async def main():
        t = Ticker()
        t.start()
        for _ in range(1000):
            if t.n > 2: break
            await asyncio.sleep(0.01)
        n = t.n
        assert await t.stop() is True
        m = t.n
        await asyncio.sleep(0.05)
        return n, t.n - m
    n, more = asyncio.run(main())
    assert n > 2 and more == 0
def test_timeout():
    async def main():
        with pytest.raises(asyncio.TimeoutError): await asyncio.wait_for(slow(), 0.02)
        t = asyncio.create_task(slow())
        await asyncio.sleep(0)
        t.cancel()
        with pytest.raises(asyncio.CancelledError): await t
        return t.cancelled()
    assert asyncio.run(main())
def test_chan():
    async def main():
        c = Chan()
        t = asyncio.create_task(c.get())
        await asyncio.sleep(0)
        assert not t.done()
        await c.put(5)
        return await asyncio.wait_for(t, 120)
    assert asyncio.run(main()) == 5
`,
  },
  {
    id: 'functions that are coroutine functions',
    artifact: `
import asyncio, contextlib, functools, inspect
def retry(times=3, delay=0):
    def decorate(func):
        if inspect.iscoroutinefunction(func):
            @functools.wraps(func)
            async def wrapper(*args, **kwargs):
                for attempt in range(1, times + 1):
                    try: return await func(*args, **kwargs)
                    except ConnectionError:
                        if attempt == times: raise
                        await asyncio.sleep(delay)
        else:
            @functools.wraps(func)
            def wrapper(*args, **kwargs):
                for attempt in range(1, times + 1):
                    try: return func(*args, **kwargs)
                    except ConnectionError:
                        if attempt == times: raise
        return wrapper
    return decorate
async def call(handler, *args):
    if asyncio.iscoroutinefunction(handler): return await handler(*args)
    return handler(*args)
def kinds(*functions):
    return ['async' if inspect.iscoroutinefunction(each) else 'generator' if inspect.isgeneratorfunction(each) else 'plain' for each in functions]
class Scope:
    def __init__(self): self.stack = contextlib.ExitStack()
    def get(self, provider):
        if inspect.isgeneratorfunction(provider): return self.stack.enter_context(contextlib.contextmanager(provider)())
        return provider()
    def close(self): self.stack.close()
async def gather(functions): return await asyncio.gather(*(each() for each in functions))
def methods(part): return [name for name, each in inspect.getmembers(type(part), inspect.iscoroutinefunction)]
`,
    breaks: ['range(1, times + 1)', 'range(1, times)'],
    tests: `
import asyncio, functools, pytest
from unittest import mock
import solution
from solution import Scope, call, gather, kinds, methods, retry
def test_retry(monkeypatch):
    slept, calls = [], []
    async def fake_sleep(seconds): slept.append(seconds)
    monkeypatch.setattr(solution.asyncio, 'sleep', fake_sleep)
    @retry(delay=2)
    async def fetch(url):
        'Fetches.'
        calls.append(url)
        if len(calls) < 3: raise ConnectionError
        return len(calls)
    assert asyncio.run(fetch('u')) == 3
    assert slept == [2, 2] and calls == ['u'] * 3
    assert fetch.__name__ == 'fetch' and fetch.__doc__ == 'Fetches.'
def test_retry_sync():
    calls = []
    @retry(times=2)
    def fetch():
        calls.append(1)
        raise ConnectionError('down')
    with pytest.raises(ConnectionError, match='down'): fetch()
    assert len(calls) == 2
def test_call():
    async def later(x): return x + 1
    def now(x): return x + 2
    assert asyncio.run(call(later, 1)) == 2
    assert asyncio.run(call(now, 1)) == 3
def test_async_mock():
    handler = mock.AsyncMock(return_value=7)
    assert asyncio.run(call(handler, 5)) == 7
    handler.assert_awaited_once_with(5)
def test_kinds():
    async def one(): pass
    def two(): yield 1
    class Service:
        async def run(self): pass
        def stop(self): pass
    service = Service()
    assert kinds(one, two, len, service.run, service.stop, functools.partial(one)) == ['async', 'generator', 'plain', 'async', 'plain', 'async']
    assert methods(service) == ['run']
def test_scope():
    log = []
    def connection():
        log.append('open')
        yield 'conn'
        log.append('close')
    scope = Scope()
    assert scope.get(connection) == 'conn' and log == ['open']
    scope.close()
    assert log == ['open', 'close']
def test_gather():
    order = []
    def worker(n):
        async def work():
            order.append(n)
            await asyncio.sleep(0)
            order.append(-n)
            return n
        return work
    assert asyncio.run(gather([worker(1), worker(2)])) == [1, 2]
    assert order == [1, 2, -1, -2]
def test_error():
    async def bad(): raise KeyError('k')
    with pytest.raises(KeyError): asyncio.run(call(bad))
`,
  },
];
