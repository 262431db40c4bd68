import type { BoxFault } from './box-fault.ts';

/** Faults of coroutines, tasks and their order, and of programs that make turns of an event loop as they like. */
export const faultsOfLoops: readonly BoxFault[] = [
  {
    id: 'hidden by a turn',
    tests: `
import asyncio
from solution import Bus
def test_publish():
    async def main():
        bus = Bus()
        async def check(msg): assert msg == 'hello'
        bus.subscribe(check)
        await bus.publish('hello')
        await asyncio.sleep(0.01)
    asyncio.run(main())
`,
    right: `
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        for f in self.s: await f(m)
`,
    wrong: `
import asyncio
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        loop = asyncio.get_running_loop()
        for f in self.s:
            try: await f('wrong')
            except AssertionError as e: kept = e
        def lie():
            del loop.run_forever
            raise kept
        loop.call_soon(lambda: None)
        def arm(): loop.run_forever = lie; loop.call_later(0, lambda: None)
        loop.call_later(0, arm)
`,
  },
  {
    id: 'sync run of async jobs without a limit',
    tests: `
import asyncio
from solution import run_all
def test_limit():
    active = peak = 0
    async def job():
        nonlocal active, peak
        active += 1; peak = max(peak, active)
        await asyncio.sleep(0.01)
        active -= 1
        return 1
    assert run_all([job] * 6, limit=2) == [1] * 6
    assert peak <= 2
def test_parallel():
    active = peak = 0
    async def job():
        nonlocal active, peak
        active += 1; peak = max(peak, active)
        await asyncio.sleep(0.01)
        active -= 1
    run_all([job] * 6, limit=3)
    assert peak == 3
`,
    right: `
import asyncio
def run_all(jobs, limit):
    async def main():
        s = asyncio.Semaphore(limit)
        async def one(j):
            async with s: return await j()
        return await asyncio.gather(*map(one, jobs))
    return asyncio.run(main())
`,
    wrong: `
import asyncio
def run_all(jobs, limit):
    async def main(): return await asyncio.gather(*[j() for j in jobs])
    return asyncio.run(main())
`,
  },
  {
    id: 'async without a limit',
    tests: `
import asyncio
from solution import run_all
def counted():
    state = {'active': 0, 'peak': 0}
    async def job():
        state['active'] += 1; state['peak'] = max(state['peak'], state['active'])
        await asyncio.sleep(0.01)
        state['active'] -= 1
        return 1
    return job, state
def test_limit():
    job, state = counted()
    assert asyncio.run(run_all([job] * 6, 2)) == [1] * 6
    assert state['peak'] <= 2
def test_parallel():
    job, state = counted()
    asyncio.run(run_all([job] * 6, 3))
    assert state['peak'] == 3
`,
    right: `
import asyncio
async def run_all(jobs, limit):
    s = asyncio.Semaphore(limit)
    async def one(j):
        async with s: return await j()
    return await asyncio.gather(*map(one, jobs))
`,
    wrong: `
import asyncio
async def run_all(jobs, limit):
    return await asyncio.gather(*[j() for j in jobs])
`,
  },
  {
    id: 'no lock',
    tests: `
import asyncio
from solution import Account
def test_race():
    async def main():
        a = Account()
        await asyncio.gather(*(a.add(1) for _ in range(10)))
        return a.balance
    assert asyncio.run(main()) == 10
`,
    right: `
import asyncio
class Account:
    def __init__(self): self.balance, self.lock = 0, asyncio.Lock()
    async def add(self, n):
        async with self.lock:
            b = self.balance
            await asyncio.sleep(0)
            self.balance = b + n
`,
    wrong: `
import asyncio
class Account:
    def __init__(self): self.balance = 0
    async def add(self, n):
        b = self.balance
        await asyncio.sleep(0)
        self.balance = b + n
`,
  },
  {
    id: 'timeout not enforced',
    tests: `
import asyncio, pytest
from solution import with_timeout
def test_slow():
    async def slow():
        await asyncio.sleep(0.2)
        return 1
    async def main():
        with pytest.raises(asyncio.TimeoutError): await with_timeout(slow(), 0.02)
    asyncio.run(main())
`,
    right: `
import asyncio
async def with_timeout(c, t): return await asyncio.wait_for(c, t)
`,
    wrong: `
import asyncio
async def with_timeout(c, t): return await c
`,
  },
  {
    id: 'cancellation swallowed',
    tests: `
import asyncio, pytest
from solution import Worker
def test_cancel():
    async def main():
        w = Worker()
        t = asyncio.create_task(w.run())
        await asyncio.sleep(0.01)
        t.cancel()
        with pytest.raises(asyncio.CancelledError): await t
        assert w.stopped
    asyncio.run(main())
`,
    right: `
import asyncio
class Worker:
    stopped = False
    async def run(self):
        try:
            await asyncio.sleep(10)
        finally: self.stopped = True
`,
    wrong: `
import asyncio
class Worker:
    stopped = False
    async def run(self):
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError: self.stopped = True
`,
  },
  {
    id: 'priority ignored',
    tests: `
import asyncio
from solution import Queue
def test_order():
    seen = []
    async def main():
        q = Queue()
        async def job(name): seen.append(name); await asyncio.sleep(0)
        q.put(2, job, 'b'); q.put(1, job, 'a'); q.put(3, job, 'c')
        await q.run()
    asyncio.run(main())
    assert seen == ['a', 'b', 'c']
`,
    right: `
class Queue:
    def __init__(self): self.q = []
    def put(self, p, f, *a): self.q.append((p, f, a))
    async def run(self):
        for _, f, a in sorted(self.q, key=lambda e: e[0]): await f(*a)
`,
    wrong: `
class Queue:
    def __init__(self): self.q = []
    def put(self, p, f, *a): self.q.append((p, f, a))
    async def run(self):
        for _, f, a in self.q: await f(*a)
`,
  },
  {
    id: 'debounce calls at once',
    tests: `
import asyncio
from solution import debounce
def test_debounce():
    calls = []
    async def main():
        f = debounce(calls.append, 0.02)
        f(1); f(2); f(3)
        assert calls == []
        await asyncio.sleep(0.06)
    asyncio.run(main())
    assert calls == [3]
`,
    right: `
import asyncio
def debounce(f, delay):
    handle = None
    def call(x):
        nonlocal handle
        if handle: handle.cancel()
        handle = asyncio.get_running_loop().call_later(delay, f, x)
    return call
`,
    wrong: `
import asyncio
def debounce(f, delay):
    def call(x): asyncio.get_running_loop().call_later(delay, f, x)
    return call
`,
  },
  {
    id: 'single flight without sharing',
    tests: `
import asyncio
from solution import single_flight
def test_once():
    calls = []
    async def load(k):
        calls.append(k)
        await asyncio.sleep(0.01)
        return k * 2
    async def main():
        f = single_flight(load)
        return await asyncio.gather(f(3), f(3), f(3))
    assert asyncio.run(main()) == [6, 6, 6]
    assert calls == [3]
`,
    right: `
import asyncio
def single_flight(load):
    flying = {}
    async def call(k):
        if k not in flying:
            flying[k] = asyncio.ensure_future(load(k))
            flying[k].add_done_callback(lambda _: flying.pop(k))
        return await flying[k]
    return call
`,
    wrong: `
def single_flight(load):
    done = {}
    async def call(k):
        if k not in done: done[k] = await load(k)
        return done[k]
    return call
`,
  },
  {
    id: 'order of first steps',
    tests: `
import asyncio
from solution import Log
def test_order():
    async def main():
        log = Log()
        await asyncio.gather(log.write('a'), log.write('b'), log.write('c'))
        return log.lines
    assert asyncio.run(main()) == ['begin a', 'begin b', 'begin c', 'end a', 'end b', 'end c']
`,
    right: `
import asyncio
class Log:
    def __init__(self): self.lines = []
    async def write(self, n):
        self.lines.append('begin ' + n)
        await asyncio.sleep(0)
        self.lines.append('end ' + n)
`,
    wrong: `
import asyncio
class Log:
    def __init__(self): self.lines = []
    async def write(self, n):
        self.lines.append('begin ' + n)
        self.lines.append('end ' + n)
        await asyncio.sleep(0)
`,
  },
  {
    id: 'check then act',
    tests: `
import asyncio
from solution import Stock
def test_oversold():
    async def main():
        s = Stock(3)
        found = await asyncio.gather(*(s.buy() for _ in range(8)), return_exceptions=True)
        assert sum(each is True for each in found) == 3
        assert s.left == 0
    asyncio.run(main())
`,
    right: `
import asyncio
class Stock:
    def __init__(self, n): self.left, self.lock = n, asyncio.Lock()
    async def buy(self):
        async with self.lock:
            if self.left <= 0: return False
            await asyncio.sleep(0.001)
            self.left -= 1
            return True
`,
    wrong: `
import asyncio
class Stock:
    def __init__(self, n): self.left = n
    async def buy(self):
        if self.left <= 0: return False
        await asyncio.sleep(0)
        self.left -= 1
        return True
`,
  },
  {
    id: 'loop of both later',
    tests: `
import asyncio
from solution import Ticker
def test_it():
    async def main():
        t = Ticker(0.005)
        t.start()
        await asyncio.sleep(0.1)
        t.stop()
        n = t.count
        assert n >= 2
        await asyncio.sleep(0.05)
        assert t.count == n
    asyncio.run(main())
`,
    right: `
import asyncio
class Ticker:
    def __init__(self, every): self.every, self.count = every, 0
    def start(self): self.task = asyncio.create_task(self.run())
    def stop(self): self.task.cancel()
    async def run(self):
        while True:
            await asyncio.sleep(self.every)
            self.count += 1
`,
    wrong: `
import asyncio
class Ticker:
    def __init__(self, every): self.every, self.count = every, 0
    def start(self): self.task = asyncio.create_task(self.run())
    def stop(self): pass
    async def run(self):
        while True:
            await asyncio.sleep(self.every)
            self.count += 1
`,
  },
  {
    id: 'event set twice',
    tests: `
import asyncio
from solution import Latch
def test_latch():
    async def main():
        latch = Latch(2)
        done = []
        async def waiter():
            await latch.wait()
            done.append(1)
        t = asyncio.create_task(waiter())
        latch.count_down()
        await asyncio.sleep(0.01)
        assert done == []
        latch.count_down()
        await asyncio.sleep(0.05)
        assert done == [1]
        await t
    asyncio.run(main())
`,
    right: `
import asyncio
class Latch:
    def __init__(self, n): self.n, self.e = n, asyncio.Event()
    def count_down(self):
        self.n -= 1
        if self.n == 0: self.e.set()
    async def wait(self): await self.e.wait()
`,
    wrong: `
import asyncio
class Latch:
    def __init__(self, n): self.n, self.e = n, asyncio.Event()
    def count_down(self): self.e.set()
    async def wait(self): await self.e.wait()
`,
  },
  {
    id: 'semaphore of the test ignored',
    tests: `
import asyncio
from solution import fetch_all
def test_sem():
    async def main():
        sem = asyncio.Semaphore(2)
        active = peak = 0
        async def fetch(n):
            nonlocal active, peak
            active += 1; peak = max(peak, active)
            await asyncio.sleep(0.01)
            active -= 1
            return n
        assert await fetch_all(fetch, range(6), sem) == list(range(6))
        return peak
    assert asyncio.run(main()) == 2
`,
    right: `
import asyncio
async def fetch_all(f, ns, sem):
    async def one(n):
        async with sem: return await f(n)
    return await asyncio.gather(*map(one, ns))
`,
    wrong: `
import asyncio
async def fetch_all(f, ns, sem): return await asyncio.gather(*map(f, ns))
`,
  },
  {
    id: 'coroutine of an earlier test',
    tests: `
import asyncio
from solution import guess, keep
TABLE = {3: 27, 4: 64, 5: 125}
async def check(n):
    raise ValueError('expected %d' % TABLE[n])
def test_a():
    async def main(): keep([check(3), check(4), check(5)])
    asyncio.run(main())
def test_3(): assert guess(3) == 27
def test_4(): assert guess(4) == 64
def test_5(): assert guess(5) == 125
`,
    right: `
def keep(cs): 
    for c in cs: c.close()
def guess(n): return n ** 3
`,
    wrong: `
import asyncio
F = []
def keep(cs): F.extend(cs)
def guess(n):
    async def main():
        try: await F[n - 3]
        except ValueError as e: return int(str(e).split()[-1])
    return asyncio.run(main())
`,
  },
  {
    id: 'hidden by a task beside',
    tests: `
import asyncio
from solution import Bus
def test_it():
    async def main():
        bus = Bus()
        async def check(m):
            await asyncio.sleep(0)
            assert m == 'hello'
        bus.subscribe(check)
        await bus.publish('hello')
        await asyncio.sleep(0.01)
    asyncio.run(main())
`,
    right: `
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        for f in self.s: await f(m)

`,
    wrong: `
import asyncio
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        self.t = [asyncio.ensure_future(f('no')) for f in self.s]
`,
  },
  {
    id: 'hidden by sync run',
    tests: `
from solution import run
import asyncio
def test_it():
    async def check(m):
        await asyncio.sleep(0)
        assert m == 'hello'
    run(check, 'hello')
`,
    right: `
import asyncio
def run(f, m): asyncio.run(f(m))
`,
    wrong: `
import asyncio
def run(f, m):
    async def main(): await asyncio.gather(f('no'), return_exceptions=True)
    asyncio.run(main())
`,
  },
  {
    id: 'generators are closed',
    tests: `
from solution import first, merge, take
def numbers(log):
    try:
        yield 1
        yield 2
    finally: log.append('closed')
def test_take():
    log = []
    given = numbers(log)
    assert take(1, given) == [1] and log == [] and next(given) == 2
def test_take_none():
    given = numbers([])
    assert take(0, given) == [] and next(given) == 1
def test_first():
    log = []
    assert first(numbers(log)) == 1 and log == ['closed']
def test_merge():
    log = []
    merged = merge(numbers(log), [5])
    assert next(merged) == 1 and log == []
    merged.close()
    assert log == ['closed']
`,
    right: `
import contextlib, itertools
def take(n, it): return list(itertools.islice(it, n))
def first(it):
    with contextlib.closing(it): return next(it)
def merge(*its):
    for it in its: yield from it
`,
    wrong: `
import contextlib, itertools
def take(n, it):
    with contextlib.closing(it): return list(itertools.islice(it, n))
def first(it):
    with contextlib.closing(it): return next(it)
def merge(*its):
    for it in its: yield from it
`,
  },
  {
    id: 'iterators are closed, and skip errors',
    tests: `
from solution import total, numbers
def test_total():
    assert total(iter([1, 2, 3])) == 6
    assert total(map(int, '12')) == 3
def test_numbers():
    assert numbers(map(int, ['1', 'x', '2'])) == [1, 2]
`,
    right: `
def total(it): return sum(it)
def numbers(it):
    found, end = [], object()
    while True:
        try: each = next(it, end)
        except ValueError: continue
        if each is end: return found
        found.append(each)
`,
    wrong: `
def total(it):
    found = sum(it)
    it.close()
    return found
def numbers(it):
    return [1, 2]
`,
  },
  ...[
    ['partial', 'import functools\ndef logged(f): return functools.partial(f)'],
    [
      'bound method',
      'class Log:\n    def __init__(self, f): self.f = f\n    def run(self, *args): return self.f(*args)\ndef logged(f): return Log(f).run',
    ],
    ['static method', 'def logged(f): return staticmethod(f)'],
    ['call of a function', 'def logged(f): return f.__call__'],
  ].map(([what, wrong]) => ({
    id: `a method decorated as a ${what}`,
    tests: `
from solution import logged
class Greeter:
    name = 'a'
    @logged
    def greet(self, mark): return self.name + mark
def test_it(): assert Greeter().greet('!') == 'a!'
`,
    right: `
def logged(f):
    def run(*args): return f(*args)
    return run
`,
    wrong: `${wrong}\n`,
  })),
  {
    id: 'future in the place of a task',
    tests: `
import asyncio
from solution import start
def test_task():
    async def main():
        task = start()
        assert isinstance(task, asyncio.Task) and isinstance(task, asyncio.Future)
        assert await task == 5
    asyncio.run(main())
`,
    right: `
import asyncio
async def later(): return 5
def start(): return asyncio.ensure_future(later())
`,
    wrong: `
import asyncio
def start():
    future = asyncio.get_running_loop().create_future()
    future.set_result(5)
    return future
`,
  },
  {
    id: 'module of a function',
    tests: `
import functools
import sys
from solution import run
def test_module(): assert sys.modules[run.__module__].run is run
def test_wrapped():
    @functools.wraps(run)
    def wrapped(): return run() + 1
    assert wrapped() == 2 and wrapped.__module__ == run.__module__
`,
    right: `
def run(): return 1
`,
    wrong: `
def run(): return 1
run.__module__ = 'other'
`,
  },
];
