import type { FidelityCase } from './fidelity-case.ts';

/** Programs that call what tests have registered with them, and that answer objects which tests call by what only these have. */
export const fidelityPlugins: readonly FidelityCase[] = [
  {
    id: 'hooks-of-plugins',
    artifact: `
import inspect
from types import SimpleNamespace


class Marker:
    def __call__(self, function):
        function.marked = True
        return function


class Caller:
    def __init__(self):
        self.functions = []

    def __call__(self, **given):
        wrappers, results = [], []
        for function in self.functions:
            names = list(inspect.signature(function).parameters)
            found = function(*[given[name] for name in names if name in given])
            if inspect.isgeneratorfunction(function):
                next(found)
                wrappers.append(found)
            else:
                results.append(found)
        for each in reversed(wrappers):
            try:
                each.throw(LookupError("nothing")) if not results else each.send(results)
            except StopIteration as stop:
                results = stop.value
        return results

    def names(self):
        return [function.__name__ for function in self.functions]


class Manager:
    def __init__(self):
        self.hook, self.known = SimpleNamespace(), []

    def register(self, plugin):
        if any(each is plugin for each in self.known):
            raise ValueError("registered twice")
        self.known.append(plugin)
        for name in dir(plugin):
            function = getattr(plugin, name)
            if getattr(function, "marked", False):
                vars(self.hook).setdefault(name, Caller()).functions.append(function)
        return getattr(plugin, "__name__", None)
`,
    tests: `
import types

import pytest

from solution import Manager, Marker

mark = Marker()


class Adder:
    @mark
    def gather(self, extra, arg, start=10):
        return (arg, extra, start)


@pytest.fixture
def manager():
    return Manager()


def test_method(manager):
    manager.register(Adder())
    assert manager.hook.gather(arg=1, extra=2) == [(1, 2, 10)]
    assert manager.hook.gather.names() == ["gather"]


def test_wrapper(manager):
    seen = []

    class Wrapper:
        @mark
        def gather(self):
            try:
                values = yield
            except LookupError as error:
                return [str(error)]
            seen.append(values)
            return sorted(values)

    manager.register(Wrapper())
    assert manager.hook.gather(arg=1) == ["nothing"]
    for value in (3, 1):
        manager.register(types.SimpleNamespace(gather=mark(lambda arg, value=value: arg + value)))
    assert manager.hook.gather(arg=1) == [2, 4]
    assert seen == [[4, 2]]


def test_module_and_namespace(manager):
    module = types.ModuleType("my_plugin")
    module.gather = mark(lambda: "module")
    assert manager.register(module) == "my_plugin"
    one = types.SimpleNamespace()
    manager.register(one)
    with pytest.raises(ValueError, match="twice"):
        manager.register(one)
    assert manager.hook.gather() == ["module"]
`,
    breaks: ['reversed(wrappers)', 'wrappers[:0]'],
  },
  {
    id: 'leases-of-a-pool',
    lacking: ['test_lease'],
    artifact: `
import random
import threading
from enum import IntEnum
from typing import NamedTuple


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Status(NamedTuple):
    idle: int
    used: int

    def __str__(self):
        return f"{self.idle} idle, {self.used} used"


class Lease:
    def __init__(self, pool):
        self.pool, self.info, self.number = pool, {}, pool.random.randrange(100)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        self.pool.idle.append(self)

    def with_level(self, level):
        self.info["level"] = level
        return self

    def label(self):
        return f"{self.info['level'].name.lower()}"


class Pool:
    def __init__(self, rng):
        self.random, self.idle, self.lock = rng, [], threading.Lock()

    def connect(self):
        return self.idle.pop() if self.idle else Lease(self)

    def status(self):
        return Status(len(self.idle), 1)
`,
    tests: `
import random
import pytest
from solution import Level, Pool

LOW, HIGH = Level


@pytest.fixture
def make_pool():
    def make(seed=7):
        return Pool(random.Random(seed))
    return make


def test_lease(make_pool):
    pool = make_pool()
    leases = [pool.connect(), pool.connect()]
    for lease in leases:
        lease.close()
    assert str(pool.status()) == "2 idle, 1 used"
    with pool.connect() as one:
        one.info["user"] = "ann"
    assert pool.connect().info == {"user": "ann"}


def test_levels(make_pool):
    pool = make_pool()
    assert pool.connect().with_level(HIGH).label() == "high"
    assert pool.connect().with_level(LOW).label() == "low"


def test_lock(make_pool, request):
    pool = make_pool()
    request.addfinalizer(pool.lock.release)
    pool.lock.acquire()
    assert pool.lock.locked()


def test_random():
    own, given = random.Random(3), random.Random(3)
    pool, other = Pool(given), Pool(given)
    assert [pool.connect().number, other.connect().number] == [own.randrange(100), own.randrange(100)]
`,
    breaks: ['.append(self)', '.clear()'],
  },
];
