import type { FidelityCase } from './fidelity-case.ts';

/** Packages that act on their surroundings: caches, retries, schedulers, an inventory, with the tests that their authors wrote. */
export const fidelityServices: readonly FidelityCase[] = [
  {
    id: 'cache-package',
    artifact: {
      'solution.py': `
"""An LRU cache with expiry, and a decorator built on it."""
import functools
import threading
import time
from collections import OrderedDict, namedtuple
from collections.abc import MutableMapping

CacheInfo = namedtuple("CacheInfo", "hits misses maxsize currsize")
_MISSING = object()


class LRUCache(MutableMapping):
    def __init__(self, maxsize, data=(), on_evict=None):
        if maxsize <= 0:
            raise ValueError("maxsize must be positive")
        self.maxsize = maxsize
        self.on_evict = on_evict
        self._data = OrderedDict()
        self.update(data)

    def __getitem__(self, key):
        try:
            value = self._data[key]
        except KeyError:
            return self.__missing__(key)
        self._data.move_to_end(key)
        return value

    def __missing__(self, key):
        raise KeyError(key)

    def __setitem__(self, key, value):
        self._data[key] = value
        self._data.move_to_end(key)
        while len(self._data) > self.maxsize:
            self.popitem()

    def __delitem__(self, key):
        del self._data[key]

    def __contains__(self, key):
        return key in self._data

    def __iter__(self):
        return iter(list(self._data))

    def __len__(self):
        return len(self._data)

    def popitem(self):
        if not self._data:
            raise KeyError("cache is empty")
        key, value = self._data.popitem(last=False)
        if self.on_evict:
            self.on_evict(key, value)
        return key, value

    def peek(self, key, default=None):
        return self._data.get(key, default)

    def __repr__(self):
        return f"{type(self).__name__}({dict(self._data)!r}, maxsize={self.maxsize})"


class TTLCache(LRUCache):
    def __init__(self, maxsize, ttl, timer=time.monotonic):
        super().__init__(maxsize)
        self.ttl = ttl
        self.timer = timer
        self._deadlines = {}

    def __setitem__(self, key, value):
        self._deadlines[key] = self.timer() + self.ttl
        super().__setitem__(key, value)

    def __getitem__(self, key):
        if key in self._data and self._deadlines[key] <= self.timer():
            del self[key]
        return super().__getitem__(key)

    def __contains__(self, key):
        return key in self._data and self._deadlines[key] > self.timer()

    def __delitem__(self, key):
        super().__delitem__(key)
        self._deadlines.pop(key, None)

    def expire(self):
        now = self.timer()
        expired = [key for key, deadline in self._deadlines.items() if deadline <= now]
        for key in expired:
            del self[key]
        return expired


def cached(maxsize=128, key=None, cache=None):
    """Memoize a function in an LRUCache."""

    def decorator(function):
        store = LRUCache(maxsize) if cache is None else cache
        lock = threading.RLock()
        hits = misses = 0

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            nonlocal hits, misses
            k = key(*args, **kwargs) if key else (args, tuple(sorted(kwargs.items())))
            with lock:
                value = store.get(k, _MISSING)
                if value is not _MISSING:
                    hits += 1
                    return value
                misses += 1
            value = function(*args, **kwargs)
            with lock:
                store[k] = value
            return value

        def cache_info():
            return CacheInfo(hits, misses, getattr(store, "maxsize", None), len(store))

        def cache_clear():
            nonlocal hits, misses
            with lock:
                store.clear()
                hits = misses = 0

        wrapper.cache_info = cache_info
        wrapper.cache_clear = cache_clear
        wrapper.cache = store
        return wrapper

    return decorator
`,
    },
    tests: `
import threading
import time
import unittest
from unittest.mock import Mock, call

import pytest

from solution import CacheInfo, LRUCache, TTLCache, cached


class Clock:
    def __init__(self, now=0.0):
        self.now = now

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


class TestLRUCache:
    def test_set_and_get(self):
        cache = LRUCache(2)
        cache["a"] = 1
        assert cache["a"] == 1
        assert len(cache) == 1

    def test_evicts_least_recently_used(self):
        cache = LRUCache(2, {"a": 1, "b": 2})
        cache["a"]
        cache["c"] = 3
        assert "b" not in cache
        assert list(cache) == ["a", "c"]

    def test_peek_does_not_touch(self):
        cache = LRUCache(2, [("a", 1), ("b", 2)])
        assert cache.peek("a") == 1
        assert cache.peek("z", "none") == "none"
        cache["c"] = 3
        assert "a" not in cache

    def test_missing_key(self):
        with pytest.raises(KeyError, match="nope"):
            LRUCache(1)["nope"]

    def test_mapping_methods(self):
        cache = LRUCache(3, dict(a=1, b=2))
        assert dict(cache) == {"a": 1, "b": 2}
        assert cache.get("z") is None
        assert cache.setdefault("c", 3) == 3
        assert cache.pop("a") == 1
        assert sorted(cache.items()) == [("b", 2), ("c", 3)]
        cache.update(b=20)
        assert cache == {"b": 20, "c": 3}

    def test_popitem_on_empty(self):
        with pytest.raises(KeyError):
            LRUCache(1).popitem()

    def test_delete(self):
        cache = LRUCache(2, {"a": 1})
        del cache["a"]
        assert not cache
        with pytest.raises(KeyError):
            del cache["a"]

    def test_on_evict_callback(self):
        evicted = Mock()
        cache = LRUCache(1, on_evict=evicted)
        for i, letter in enumerate("abc"):
            cache[letter] = i
        assert evicted.call_args_list == [call("a", 0), call("b", 1)]

    def test_repr(self):
        assert repr(LRUCache(2, {"a": 1})) == "LRUCache({'a': 1}, maxsize=2)"

    @pytest.mark.parametrize("size", [0, -1])
    def test_invalid_size(self, size):
        with pytest.raises(ValueError):
            LRUCache(size)

    def test_missing_hook_in_subclass(self):
        class Squares(LRUCache):
            def __missing__(self, key):
                value = self[key] = key * key
                return value

        squares = Squares(maxsize=2)
        assert squares[3] == 9
        assert 3 in squares
        assert squares[4] == 16
        assert squares[5] == 25
        assert 3 not in squares


class TestTTLCache:
    def test_expires(self, clock):
        cache = TTLCache(10, ttl=5, timer=clock)
        cache["a"] = 1
        clock.advance(4.9)
        assert "a" in cache
        assert cache["a"] == 1
        clock.advance(0.1)
        assert "a" not in cache
        with pytest.raises(KeyError):
            cache["a"]

    def test_expire_returns_keys(self, clock):
        cache = TTLCache(10, ttl=5, timer=clock)
        cache["a"] = 1
        clock.advance(3)
        cache["b"] = 2
        clock.advance(2)
        assert cache.expire() == ["a"]
        assert list(cache) == ["b"]

    def test_write_renews(self, clock):
        cache = TTLCache(10, ttl=5, timer=clock)
        cache["a"] = 1
        clock.advance(4)
        cache["a"] = 2
        clock.advance(4)
        assert cache["a"] == 2

    def test_is_lru(self):
        assert issubclass(TTLCache, LRUCache)
        assert isinstance(TTLCache(1, 1), LRUCache)


class TestCached:
    def test_calls_once(self):
        function = Mock(return_value=42, __name__="function")
        wrapped = cached()(function)
        assert wrapped(1) == 42
        assert wrapped(1) == 42
        function.assert_called_once_with(1)

    def test_cache_info(self):
        @cached(maxsize=2)
        def double(x):
            return x * 2

        for x in (1, 1, 2, 3):
            double(x)
        assert double.cache_info() == CacheInfo(hits=1, misses=3, maxsize=2, currsize=2)
        assert double.cache_info().hits == 1
        double.cache_clear()
        assert double.cache_info() == (0, 0, 2, 0)

    def test_preserves_metadata(self):
        @cached()
        def documented(x):
            """Docs."""

        assert documented.__name__ == "documented"
        assert documented.__doc__ == "Docs."

    def test_custom_key(self):
        calls = []

        @cached(key=lambda s: s.lower())
        def shout(s):
            calls.append(s)
            return s.upper()

        assert shout("Abc") == "ABC"
        assert shout("aBC") == "ABC"
        assert calls == ["Abc"]
        assert "abc" in shout.cache

    def test_own_cache_object(self, clock):
        store = TTLCache(5, ttl=1, timer=clock)

        @cached(cache=store)
        def f(x):
            return object()

        first = f(1)
        assert f(1) is first
        clock.advance(2)
        assert f(1) is not first

    def test_dict_as_cache(self):
        store = {}

        @cached(cache=store)
        def add(a, b=1):
            return a + b

        assert add(1, b=2) == 3
        assert store == {((1,), (("b", 2),)): 3}
        assert add.cache_info().maxsize is None

    def test_exceptions_are_not_cached(self):
        attempts = []

        @cached()
        def flaky():
            attempts.append(1)
            if len(attempts) == 1:
                raise IOError("first")
            return "ok"

        with pytest.raises(OSError, match="first"):
            flaky()
        assert flaky() == "ok"

    def test_threads(self):
        @cached()
        def slow(x):
            time.sleep(0.01)
            return x

        results = []
        threads = [threading.Thread(target=lambda: results.append(slow(1))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert results == [1] * 4
        info = slow.cache_info()
        assert info.hits + info.misses == 4


class MappingProtocolTest(unittest.TestCase):
    def test_is_mutable_mapping(self):
        from collections.abc import MutableMapping

        self.assertIsInstance(LRUCache(1), MutableMapping)

    def test_views(self):
        cache = LRUCache(3, {"x": 1, "y": 2})
        self.assertCountEqual(cache.keys(), ["x", "y"])
        self.assertEqual(sum(cache.values()), 3)
        self.assertIn(("x", 1), cache.items())
        self.assertDictEqual(dict(cache), {"x": 1, "y": 2})
`,
    breaks: [
      `        self._data.move_to_end(key)
        return value`,
      `        return value`,
    ],
  },
  {
    id: 'retry-package',
    artifact: {
      'solution.py': `
"""Retry policies for functions and coroutines."""
import asyncio
import functools
import inspect
import logging
import random
import time
from dataclasses import dataclass, field
from typing import Callable, Optional, Protocol, runtime_checkable

log = logging.getLogger(__name__)


@runtime_checkable
class Backoff(Protocol):
    def delay(self, attempt: int) -> float: ...


@dataclass(frozen=True)
class Constant:
    seconds: float = 1.0

    def delay(self, attempt: int) -> float:
        return self.seconds


@dataclass(frozen=True)
class Exponential:
    base: float = 1.0
    factor: float = 2.0
    maximum: float = 60.0
    jitter: float = 0.0

    def __post_init__(self):
        if self.factor < 1:
            raise ValueError("factor must not be below 1")

    def delay(self, attempt: int) -> float:
        value = min(self.maximum, self.base * self.factor ** (attempt - 1))
        if self.jitter:
            value += random.uniform(0, self.jitter)
        return value


class RetryError(Exception):
    def __init__(self, attempts: int, last: BaseException):
        super().__init__(f"gave up after {attempts} attempts")
        self.attempts = attempts
        self.last = last


@dataclass
class Stats:
    attempts: int = 0
    slept: list = field(default_factory=list)

    @property
    def total_slept(self) -> float:
        return sum(self.slept)


class Retrying:
    def __init__(self, attempts=3, on=Exception, backoff: Optional[Backoff] = None,
                 sleep: Optional[Callable] = None, before_sleep=None, reraise=False):
        if attempts < 1:
            raise ValueError("attempts must be positive")
        self.attempts = attempts
        self.on = on if isinstance(on, tuple) else (on,)
        self.backoff = backoff or Constant(0)
        self.sleep = sleep
        self.before_sleep = before_sleep
        self.reraise = reraise
        self.stats = Stats()

    def _failed(self, error, attempt):
        self.stats.attempts = attempt
        if attempt >= self.attempts:
            if self.reraise:
                raise error
            raise RetryError(attempt, error) from error
        delay = self.backoff.delay(attempt)
        self.stats.slept.append(delay)
        log.warning("attempt %d failed: %s", attempt, error)
        if self.before_sleep:
            self.before_sleep(attempt, error, delay)
        return delay

    def call(self, function, *args, **kwargs):
        self.stats = Stats()
        for attempt in range(1, self.attempts + 1):
            try:
                result = function(*args, **kwargs)
            except self.on as error:
                delay = self._failed(error, attempt)
                (self.sleep or time.sleep)(delay)
            else:
                self.stats.attempts = attempt
                return result

    async def call_async(self, function, *args, **kwargs):
        self.stats = Stats()
        for attempt in range(1, self.attempts + 1):
            try:
                result = await function(*args, **kwargs)
            except self.on as error:
                delay = self._failed(error, attempt)
                await (self.sleep or asyncio.sleep)(delay)
            else:
                self.stats.attempts = attempt
                return result


def retry(function=None, **options):
    """Use as \`@retry\` or \`@retry(attempts=5)\`."""
    if function is None:
        return functools.partial(retry, **options)
    retrying = Retrying(**options)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            return await retrying.call_async(function, *args, **kwargs)

    else:

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return retrying.call(function, *args, **kwargs)

    wrapper.retrying = retrying
    return wrapper
`,
    },
    tests: `
import asyncio
import inspect
import random
import time
from unittest import mock

import pytest

import solution
from solution import Backoff, Constant, Exponential, RetryError, Retrying, retry


class Flaky:
    """Fails a number of times, then answers."""

    def __init__(self, failures, error=ConnectionError("down")):
        self.failures = failures
        self.error = error
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return args, kwargs


@pytest.fixture
def sleeps(monkeypatch):
    calls = []
    monkeypatch.setattr(time, "sleep", calls.append)
    return calls


def test_first_call_succeeds(sleeps):
    flaky = Flaky(0)
    assert Retrying().call(flaky, 1, two=2) == ((1,), {"two": 2})
    assert flaky.calls == 1
    assert sleeps == []


def test_retries_until_success(sleeps):
    flaky = Flaky(2)
    retrying = Retrying(attempts=3, backoff=Constant(0.5))
    assert retrying.call(flaky) == ((), {})
    assert flaky.calls == 3
    assert sleeps == [0.5, 0.5]
    assert retrying.stats.attempts == 3
    assert retrying.stats.total_slept == 1.0


def test_gives_up(sleeps):
    flaky = Flaky(10)
    with pytest.raises(RetryError, match="gave up after 3 attempts") as excinfo:
        Retrying().call(flaky)
    assert excinfo.value.attempts == 3
    assert excinfo.value.last is flaky.error
    assert excinfo.value.__cause__ is flaky.error


def test_reraise(sleeps):
    with pytest.raises(ConnectionError, match="down"):
        Retrying(reraise=True).call(Flaky(10))


def test_other_errors_are_not_retried(sleeps):
    flaky = Flaky(1, error=KeyError("x"))
    with pytest.raises(KeyError):
        Retrying(on=(ConnectionError, TimeoutError)).call(flaky)
    assert flaky.calls == 1


def test_subclass_of_error_is_retried(sleeps):
    flaky = Flaky(1, error=ConnectionResetError())
    Retrying(on=OSError).call(flaky)
    assert flaky.calls == 2


def test_before_sleep_hook(sleeps):
    hook = mock.Mock()
    error = ValueError("x")
    Retrying(before_sleep=hook, backoff=Exponential()).call(Flaky(2, error))
    assert hook.call_args_list == [mock.call(1, error, 1.0), mock.call(2, error, 2.0)]


def test_logs_warning(sleeps, caplog):
    Retrying().call(Flaky(1))
    assert "attempt 1 failed: down" in caplog.text
    assert caplog.records[0].name == "solution"


def test_custom_backoff(sleeps):
    class Fibonacci:
        def delay(self, attempt):
            a, b = 0, 1
            for _ in range(attempt):
                a, b = b, a + b
            return a

    Retrying(attempts=6, backoff=Fibonacci()).call(Flaky(5))
    assert sleeps == [1, 1, 2, 3, 5]


@pytest.mark.parametrize("attempts", [0, -3])
def test_attempts_are_validated(attempts):
    with pytest.raises(ValueError, match="positive"):
        Retrying(attempts=attempts)


class TestBackoff:
    @pytest.mark.parametrize("attempt, expected", [(1, 1), (2, 2), (3, 4), (7, 60), (50, 60)])
    def test_exponential(self, attempt, expected):
        assert Exponential().delay(attempt) == expected

    def test_jitter(self, monkeypatch):
        monkeypatch.setattr(random, "uniform", lambda low, high: high / 2)
        assert Exponential(jitter=1).delay(1) == 1.5

    def test_jitter_stays_in_range(self):
        backoff = Exponential(base=2, jitter=0.5)
        assert all(2 <= backoff.delay(1) <= 2.5 for _ in range(50))

    def test_protocol(self):
        assert isinstance(Exponential(), Backoff)
        assert isinstance(Constant(), Backoff)
        assert not isinstance(object(), Backoff)

    def test_value_semantics(self):
        assert Constant(1) == Constant(1.0)
        assert Constant(1) != Constant(2)
        assert hash(Exponential()) == hash(Exponential(1.0))
        assert repr(Constant(2)) == "Constant(seconds=2)"

    def test_factor_is_validated(self):
        with pytest.raises(ValueError, match="factor"):
            Exponential(factor=0.5)


class TestDecorator:
    def test_plain(self, sleeps):
        calls = []

        @retry
        def work(x):
            """Work hard."""
            calls.append(x)
            if len(calls) < 3:
                raise OSError
            return x * 2

        assert work(4) == 8
        assert calls == [4, 4, 4]
        assert work.__name__ == "work"
        assert work.__doc__ == "Work hard."

    def test_with_options(self, sleeps):
        @retry(attempts=5, backoff=Constant(2))
        def never():
            raise RuntimeError("no")

        with pytest.raises(RetryError) as info:
            never()
        assert info.value.attempts == 5
        assert sum(sleeps) == 8
        assert never.retrying.stats.slept == [2, 2, 2, 2]

    def test_method(self, sleeps):
        class Client:
            def __init__(self):
                self.tries = 0

            @retry(attempts=2)
            def fetch(self):
                self.tries += 1
                if self.tries == 1:
                    raise TimeoutError
                return "data"

        client = Client()
        assert client.fetch() == "data"
        assert client.tries == 2

    def test_coroutine(self):
        attempts = []

        async def fake_sleep(delay):
            attempts.append(delay)

        @retry(attempts=3, backoff=Exponential(base=0.1), sleep=fake_sleep)
        async def fetch():
            if len(attempts) < 2:
                raise OSError
            return "ok"

        assert inspect.iscoroutinefunction(fetch)
        assert asyncio.run(fetch()) == "ok"
        assert attempts == pytest.approx([0.1, 0.2])

    def test_coroutine_gives_up(self):
        sleep = mock.AsyncMock()

        @retry(sleep=sleep)
        async def fetch():
            raise OSError("nope")

        with pytest.raises(RetryError):
            asyncio.run(fetch())
        assert sleep.await_count == 2


def test_patched_sleep_in_module():
    with mock.patch.object(solution.time, "sleep") as sleep:
        Retrying(backoff=Constant(7)).call(Flaky(1))
    sleep.assert_called_once_with(7)
`,
    breaks: [
      `self.base * self.factor ** (attempt - 1)`,
      `self.base * self.factor * (attempt - 1) or self.base`,
    ],
  },
  {
    id: 'scheduler-package',
    artifact: {
      'solution.py': `
"""An asyncio job scheduler with limited concurrency."""
from __future__ import annotations

import asyncio
import contextlib
import enum
import heapq
import itertools
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable


class JobState(str, enum.Enum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SchedulerClosed(RuntimeError):
    pass


@dataclass(order=True)
class Job:
    priority: int
    number: int
    name: str = field(compare=False)
    run: Callable[[], Awaitable[Any]] = field(compare=False, repr=False)
    state: JobState = field(default=JobState.PENDING, compare=False)
    result: Any = field(default=None, compare=False)
    error: BaseException | None = field(default=None, compare=False)


class Scheduler:
    def __init__(self, workers: int = 2, timeout: float | None = None) -> None:
        self.workers = workers
        self.timeout = timeout
        self.peak = 0
        self._running = 0
        self._queue: list[Job] = []
        self._counter = itertools.count(1)
        self._closed = False

    def submit(self, run, *, name: str | None = None, priority: int = 0) -> Job:
        if self._closed:
            raise SchedulerClosed("the scheduler is closed")
        number = next(self._counter)
        job = Job(priority, number, name or f"job-{number}", run)
        heapq.heappush(self._queue, job)
        return job

    def job(self, **options):
        def decorate(function):
            self.submit(function, name=function.__name__, **options)
            return function

        return decorate

    def cancel(self, job: Job) -> bool:
        if job.state is not JobState.PENDING:
            return False
        job.state = JobState.CANCELLED
        self._queue.remove(job)
        heapq.heapify(self._queue)
        return True

    @property
    def pending(self) -> list[str]:
        return [job.name for job in sorted(self._queue)]

    async def _run(self, job: Job) -> None:
        job.state = JobState.RUNNING
        self._running += 1
        self.peak = max(self.peak, self._running)
        try:
            job.result = await asyncio.wait_for(job.run(), self.timeout)
            job.state = JobState.DONE
        except Exception as error:
            job.error = error
            job.state = JobState.FAILED
        finally:
            self._running -= 1

    async def _worker(self, finished: list[Job]) -> None:
        while self._queue:
            job = heapq.heappop(self._queue)
            await self._run(job)
            finished.append(job)

    async def drain(self) -> list[Job]:
        finished: list[Job] = []
        await asyncio.gather(*(self._worker(finished) for _ in range(self.workers)))
        return finished

    async def results(self):
        for job in await self.drain():
            if job.state is JobState.DONE:
                yield job.name, job.result

    async def __aenter__(self) -> "Scheduler":
        return self

    async def __aexit__(self, exc_type, exc, tb) -> None:
        self._closed = True
        if exc_type is None:
            await self.drain()


class RateLimiter:
    def __init__(self, rate: int, period: float, clock: Callable[[], float]) -> None:
        self.rate, self.period, self.clock = rate, period, clock
        self._times: list[float] = []

    def allow(self) -> bool:
        now = self.clock()
        self._times = [t for t in self._times if now - t < self.period]
        if len(self._times) >= self.rate:
            return False
        self._times.append(now)
        return True


async def first_success(*factories):
    errors = []
    for factory in factories:
        try:
            return await factory()
        except Exception as error:
            errors.append(error)
    raise LookupError(f"{len(errors)} attempts failed") from (errors[-1] if errors else None)


@contextlib.asynccontextmanager
async def span(log: list, name: str):
    log.append(f"enter {name}")
    try:
        yield name
    except ValueError as error:
        log.append(f"error {error}")
    finally:
        log.append(f"exit {name}")
`,
    },
    tests: `
import asyncio
import unittest
from unittest.mock import AsyncMock, Mock

import pytest

from solution import Job, JobState, RateLimiter, Scheduler, SchedulerClosed, first_success, span


def make(value, log=None):
    async def run():
        await asyncio.sleep(0)
        if log is not None:
            log.append(value)
        return value

    return run


async def broken():
    raise ValueError("broken")


@pytest.fixture
def scheduler():
    return Scheduler(workers=1)


def test_runs_by_priority(scheduler):
    log = []
    scheduler.submit(make("b", log), priority=2)
    scheduler.submit(make("a", log), priority=1)
    scheduler.submit(make("c", log), priority=2)
    asyncio.run(scheduler.drain())
    assert log == ["a", "b", "c"]


def test_job_result_and_state(scheduler):
    job = scheduler.submit(make(42))
    assert job.state is JobState.PENDING
    assert job.name == "job-1"
    finished = asyncio.run(scheduler.drain())
    assert finished == [job]
    assert job.result == 42
    assert job.state == "done"


def test_failed_job(scheduler):
    job = scheduler.submit(broken, name="bad")
    other = scheduler.submit(make(1))
    asyncio.run(scheduler.drain())
    assert job.state is JobState.FAILED
    assert isinstance(job.error, ValueError)
    assert str(job.error) == "broken"
    assert other.state is JobState.DONE


def test_pending_names(scheduler):
    scheduler.submit(make(1), name="late", priority=5)
    scheduler.submit(make(1), name="early", priority=-5)
    assert scheduler.pending == ["early", "late"]


def test_cancel(scheduler):
    log = []
    job = scheduler.submit(make("x", log))
    scheduler.submit(make("y", log))
    assert scheduler.cancel(job) is True
    assert scheduler.cancel(job) is False
    asyncio.run(scheduler.drain())
    assert log == ["y"]
    assert job.state is JobState.CANCELLED


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_concurrency_is_limited(workers):
    scheduler = Scheduler(workers=workers)
    for i in range(6):
        scheduler.submit(make(i))
    asyncio.run(scheduler.drain())
    assert scheduler.peak == workers


def test_job_decorator(scheduler):
    calls = []

    @scheduler.job(priority=3)
    async def clean_up():
        calls.append("clean")

    assert scheduler.pending == ["clean_up"]
    asyncio.run(scheduler.drain())
    assert calls == ["clean"]


def test_timeout():
    scheduler = Scheduler(timeout=0.01)

    async def forever():
        await asyncio.Event().wait()

    job = scheduler.submit(forever)
    asyncio.run(scheduler.drain())
    assert isinstance(job.error, asyncio.TimeoutError)


def test_results_is_async_iterator(scheduler):
    scheduler.submit(make(1), name="one")
    scheduler.submit(broken)
    scheduler.submit(make(2), name="two")

    async def collect():
        return {name: value async for name, value in scheduler.results()}

    assert asyncio.run(collect()) == {"one": 1, "two": 2}


def test_context_manager_drains_and_closes():
    async def main():
        mock = AsyncMock(return_value="r")
        async with Scheduler() as scheduler:
            job = scheduler.submit(mock)
        assert job.result == "r"
        mock.assert_awaited_once_with()
        with pytest.raises(SchedulerClosed, match="closed"):
            scheduler.submit(mock)

    asyncio.run(main())


def test_context_manager_does_not_drain_on_error():
    run = Mock()

    async def main():
        async with Scheduler() as scheduler:
            scheduler.submit(run)
            raise KeyError("stop")

    with pytest.raises(KeyError):
        asyncio.run(main())
    run.assert_not_called()


def test_jobs_are_ordered():
    jobs = [Job(2, 1, "c", None), Job(1, 2, "b", None), Job(1, 1, "a", None)]
    assert [job.name for job in sorted(jobs)] == ["a", "b", "c"]
    assert Job(1, 1, "x", None) == Job(1, 1, "y", print)


def test_rate_limiter():
    now = [0.0]
    limiter = RateLimiter(2, 10, clock=lambda: now[0])
    assert [limiter.allow() for _ in range(3)] == [True, True, False]
    now[0] = 9.9
    assert not limiter.allow()
    now[0] = 10
    assert limiter.allow()


class FirstSuccessTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.calls = []

    async def fail(self):
        self.calls.append("fail")
        raise OSError("nope")

    async def succeed(self):
        self.calls.append("succeed")
        return "yes"

    async def test_first(self):
        self.assertEqual(await first_success(self.succeed, self.fail), "yes")
        self.assertEqual(self.calls, ["succeed"])

    async def test_fallback(self):
        self.assertEqual(await first_success(self.fail, self.succeed), "yes")
        self.assertEqual(self.calls, ["fail", "succeed"])

    async def test_all_fail(self):
        with self.assertRaisesRegex(LookupError, "2 attempts failed") as context:
            await first_success(self.fail, self.fail)
        self.assertIsInstance(context.exception.__cause__, OSError)

    async def test_span(self):
        log = []
        async with span(log, "work") as name:
            self.assertEqual(name, "work")
            log.append("inside")
        self.assertEqual(log, ["enter work", "inside", "exit work"])

    async def test_span_swallows_value_error(self):
        log = []
        async with span(log, "x"):
            raise ValueError("bad")
        self.assertListEqual(log, ["enter x", "error bad", "exit x"])
`,
    breaks: [`now - t < self.period`, `now - t <= self.period`],
  },
  {
    id: 'inventory-package',
    artifact: {
      'inventory.py': `
"""An inventory with a notifier and a price service."""
import contextlib
import csv
import datetime
import io
import json
import os
import smtplib
import urllib.request
import warnings
from collections import Counter, defaultdict


class InventoryError(Exception):
    code = "inventory"


class NotEnough(InventoryError):
    code = "not-enough"

    def __init__(self, item, missing):
        super().__init__(f"{missing} more of {item} needed")
        self.item = item
        self.missing = missing


class PriceService:
    url = "https://prices.invalid/"

    def __init__(self, currency="EUR"):
        self.currency = currency
        self.requests = 0

    def fetch(self, item):
        self.requests += 1
        with urllib.request.urlopen(f"{self.url}{item}?c={self.currency}") as response:
            return json.loads(response.read())["price"]

    def price(self, item):
        try:
            return round(self.fetch(item), 2)
        except OSError:
            return None


class Notifier:
    def __init__(self, sender="shop@example.org"):
        self.sender = sender

    def send(self, to, subject):
        with smtplib.SMTP("localhost") as smtp:
            smtp.sendmail(self.sender, [to], f"Subject: {subject}\\n\\n")


class Inventory:
    low = 2

    def __init__(self, prices=None, notifier=None):
        self.prices = prices or PriceService()
        self.notifier = notifier
        self._counts = Counter()
        self._log = []
        self._hooks = defaultdict(list)

    @property
    def log(self):
        return tuple(self._log)

    def hook(self, name, function):
        self._hooks[name].append(function)
        return self

    def _record(self, action, item, count):
        self._log.append((datetime.date.today().isoformat(), action, item, count))
        for function in self._hooks[action]:
            function(item, count)

    def add(self, item, count=1):
        if count <= 0:
            raise ValueError("count must be positive")
        self._counts[item] += count
        self._record("add", item, count)
        return self

    def remove(self, item, count=1):
        available = self._counts[item]
        if count > available:
            raise NotEnough(item, count - available)
        self._counts[item] -= count
        self._record("remove", item, count)
        if self._counts[item] <= self.low and self.notifier:
            self.notifier.send("buyer@example.org", f"{item} is low")

    def take(self, item, count=1):
        warnings.warn("take() is deprecated, use remove()", DeprecationWarning, stacklevel=2)
        self.remove(item, count)

    def __getitem__(self, item):
        return self._counts[item]

    def __contains__(self, item):
        return self._counts[item] > 0

    def __len__(self):
        return sum(self._counts.values())

    def value(self):
        total = 0
        for item, count in self._counts.items():
            price = self.prices.price(item)
            if price is None:
                raise InventoryError(f"no price for {item}")
            total += price * count
        return total

    @contextlib.contextmanager
    def reserved(self, item, count=1):
        self.remove(item, count)
        try:
            yield self[item]
        except Exception:
            self._counts[item] += count
            raise

    def to_csv(self):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\\n")
        writer.writerow(["item", "count"])
        writer.writerows(sorted(self._counts.items()))
        return out.getvalue()

    @classmethod
    def load(cls, path, **options):
        inventory = cls(**options)
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                inventory._counts[row["item"]] += int(row["count"])
        return inventory


def data_folder():
    return os.path.join(os.environ.get("INVENTORY_HOME", os.getcwd()), "data")
`,
    },
    tests: `
import io
import json
import os
import tempfile
import unittest
import urllib.error
from unittest import mock
from unittest.mock import MagicMock, patch

import inventory
from inventory import Inventory, InventoryError, NotEnough, Notifier, PriceService, data_folder


class FixedPrices:
    def __init__(self, **prices):
        self.prices = prices

    def price(self, item):
        return self.prices.get(item)


class InventoryTest(unittest.TestCase):
    def setUp(self):
        self.notifier = MagicMock(spec=Notifier)
        self.inventory = Inventory(FixedPrices(nut=0.5, bolt=2), self.notifier)
        self.inventory.add("nut", 10).add("bolt", 3)

    def test_counts(self):
        self.assertEqual(self.inventory["nut"], 10)
        self.assertEqual(self.inventory["screw"], 0)
        self.assertEqual(len(self.inventory), 13)
        self.assertIn("nut", self.inventory)
        self.assertNotIn("screw", self.inventory)

    def test_add_returns_self(self):
        self.assertIs(self.inventory.add("nut"), self.inventory)

    def test_invalid_counts(self):
        for count in (0, -1, -100):
            with self.subTest(count=count):
                with self.assertRaisesRegex(ValueError, "^count must be positive$"):
                    self.inventory.add("nut", count)

    def test_remove(self):
        self.inventory.remove("nut", 4)
        self.assertEqual(self.inventory["nut"], 6)
        self.notifier.send.assert_not_called()

    def test_low_stock_notifies(self):
        self.inventory.remove("bolt")
        self.notifier.send.assert_called_once_with("buyer@example.org", "bolt is low")

    def test_not_enough(self):
        with self.assertRaises(NotEnough) as caught:
            self.inventory.remove("bolt", 5)
        self.assertEqual(caught.exception.missing, 2)
        self.assertEqual(caught.exception.item, "bolt")
        self.assertEqual(caught.exception.code, "not-enough")
        self.assertEqual(InventoryError.code, "inventory")
        self.assertEqual(self.inventory["bolt"], 3)

    def test_value(self):
        self.assertAlmostEqual(self.inventory.value(), 11.0)

    def test_value_without_price(self):
        self.inventory.add("glue")
        with self.assertRaisesRegex(InventoryError, "no price for glue"):
            self.inventory.value()

    def test_deprecated_take(self):
        with self.assertWarns(DeprecationWarning) as caught:
            self.inventory.take("nut")
        self.assertIn("use remove()", str(caught.warning))
        self.assertEqual(self.inventory["nut"], 9)

    def test_hooks(self):
        hook = mock.Mock()
        self.inventory.hook("add", hook).hook("remove", hook)
        self.inventory.add("nut", 2)
        self.inventory.remove("nut", 3)
        self.assertEqual(hook.mock_calls, [mock.call("nut", 2), mock.call("nut", 3)])

    def test_log(self):
        with patch("inventory.datetime") as fake:
            fake.date.today.return_value.isoformat.return_value = "2024-05-06"
            self.inventory.remove("nut")
        self.assertEqual(self.inventory.log[-1], ("2024-05-06", "remove", "nut", 1))

    def test_reserved(self):
        with self.inventory.reserved("nut", 4) as left:
            self.assertEqual(left, 6)
        self.assertEqual(self.inventory["nut"], 6)

    def test_reserved_is_given_back(self):
        with self.assertRaises(RuntimeError):
            with self.inventory.reserved("nut", 4):
                raise RuntimeError("changed my mind")
        self.assertEqual(self.inventory["nut"], 10)

    def test_csv(self):
        self.assertMultiLineEqual(self.inventory.to_csv(), "item,count\\nbolt,3\\nnut,10\\n")


class PriceServiceTest(unittest.TestCase):
    def setUp(self):
        self.service = PriceService("USD")

    def response(self, data):
        return io.BytesIO(json.dumps(data).encode())

    @patch("urllib.request.urlopen")
    def test_fetch(self, urlopen):
        urlopen.return_value = self.response({"price": 1.5})
        self.assertEqual(self.service.fetch("nut"), 1.5)
        urlopen.assert_called_once_with("https://prices.invalid/nut?c=USD")

    def test_price_is_rounded(self):
        with patch.object(self.service, "fetch", return_value=1.239):
            self.assertEqual(self.service.price("nut"), 1.24)

    def test_price_of_class(self):
        with patch.object(PriceService, "fetch", return_value=3) as fetch:
            self.assertEqual(PriceService().price("nut"), 3)
        fetch.assert_called_once_with("nut")

    def test_errors_become_none(self):
        with patch.object(PriceService, "fetch", side_effect=urllib.error.URLError("down")):
            self.assertIsNone(self.service.price("nut"))

    def test_other_errors_propagate(self):
        with patch.object(self.service, "fetch", side_effect=KeyError("price")):
            self.assertRaises(KeyError, self.service.price, "nut")

    @patch.object(PriceService, "url", "http://localhost/")
    def test_url_is_configurable(self):
        with patch("inventory.urllib.request.urlopen") as urlopen:
            urlopen.return_value = self.response({"price": 2})
            self.service.fetch("nut")
        self.assertTrue(urlopen.call_args[0][0].startswith("http://localhost/"))
        self.assertEqual(self.service.requests, 1)


class NotifierTest(unittest.TestCase):
    @patch("inventory.smtplib.SMTP")
    def test_send(self, smtp):
        Notifier("me@example.org").send("you@example.org", "hello")
        smtp.assert_called_once_with("localhost")
        connection = smtp.return_value.__enter__.return_value
        connection.sendmail.assert_called_once_with("me@example.org", ["you@example.org"], "Subject: hello\\n\\n")


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "stock.csv")

    def test_load(self):
        with open(self.path, "w") as file:
            file.write("item,count\\nnut,3\\nbolt,4\\nnut,2\\n")
        loaded = Inventory.load(self.path, prices=FixedPrices(nut=1, bolt=1))
        self.assertIsInstance(loaded, Inventory)
        self.assertEqual(loaded["nut"], 5)
        self.assertEqual(loaded.value(), 9)

    def test_round_trip(self):
        first = Inventory().add("a", 2)
        with open(self.path, "w") as file:
            file.write(first.to_csv())
        self.assertEqual(Inventory.load(self.path).to_csv(), first.to_csv())

    @patch.dict(os.environ, {"INVENTORY_HOME": "/srv/shop"})
    def test_data_folder(self):
        self.assertEqual(data_folder(), "/srv/shop/data")

    def test_data_folder_defaults_to_cwd(self):
        with patch.dict(os.environ, clear=True), patch("os.getcwd", return_value="/tmp/x"):
            self.assertEqual(inventory.data_folder(), "/tmp/x/data")


if __name__ == "__main__":
    unittest.main()
`,
    breaks: [
      `        try:
            yield self[item]
        except Exception:
            self._counts[item] += count
            raise`,
      `        yield self[item]`,
    ],
  },
];
