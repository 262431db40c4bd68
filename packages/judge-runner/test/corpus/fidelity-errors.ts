import type { FidelityCase } from './fidelity-case.ts';

/** Exceptions that tests raise, give and get back, and exceptions of the artifact's own. */
export const fidelityErrors: readonly FidelityCase[] = [
  {
    id: 'orders-of-members-and-hashes',
    artifact: `
import dataclasses
import enum
from collections.abc import MutableSet
class Role(enum.Enum):
    GUEST = ('guest', 1)
    EDITOR = ('editor', 3)
    ADMIN = ('admin', 7)
    def __init__(self, label, grants): self.label, self.grants = label, grants
    def __lt__(self, other):
        if not isinstance(other, Role): return NotImplemented
        return self.grants < other.grants
class Bits(MutableSet):
    def __init__(self, items=()): self.items = sorted(set(items))
    def __contains__(self, item): return item in self.items
    def __iter__(self): return iter(self.items)
    def __len__(self): return len(self.items)
    def add(self, item): self.items = sorted({*self.items, item})
    def discard(self, item): self.items = [each for each in self.items if each != item]
    @classmethod
    def parse(cls, text): return cls(index for index, each in enumerate(reversed(text)) if each == '1')
@dataclasses.dataclass(frozen=True)
class Event:
    topic: str
    payload: dict = dataclasses.field(default_factory=dict, hash=False)
def events(*topics): return [Event(topic) for topic in topics]
def role_of(label): return next(role for role in Role if role.label == label)
`,
    tests: `
import pytest
from solution import Bits, Event, Role, events, role_of
def test_order():
    assert Role.GUEST < Role.EDITOR < Role.ADMIN
    assert not Role.ADMIN < Role.GUEST and not Role.ADMIN < Role.ADMIN
    assert Role.ADMIN > Role.GUEST
    assert max(Role.GUEST, Role.EDITOR) is Role.EDITOR
    assert sorted([Role.ADMIN, role_of('guest')]) == [Role.GUEST, Role.ADMIN]
    with pytest.raises(TypeError): Role.GUEST < 3
def test_unhashable():
    with pytest.raises(TypeError, match='unhashable'): hash(Bits.parse('101'))
    with pytest.raises(TypeError, match='unhashable'): {Bits([1])}
def test_hash():
    assert hash(events('a')[0]) == hash(Event('a', {'ignored': []}))
    assert hash(events('a')[0]) != hash(Event('b'))
    assert len({*events('a', 'b', 'a')}) == 2
`,
    breaks: ['self.grants < other.grants', 'self.grants > other.grants'],
  },
  {
    id: 'errors-of-the-test-come-back',
    artifact: `
import dataclasses
class GaveUp(Exception):
    def __init__(self, attempts, last):
        super().__init__('gave up after %d attempts: %r' % (attempts, last))
        self.attempts, self.last = attempts, last
class Stop(Exception): pass
@dataclasses.dataclass
class Result:
    value: object = None
    error: object = None
def attempt(func, on=Exception):
    try: return Result(func())
    except on as error: return Result(None, error)
def retry(func, times=2):
    errors = []
    for _ in range(times):
        try: return func()
        except Stop: return errors
        except Exception as error: errors.append(error)
    raise GaveUp(times, errors[-1]) from errors[-1]
class Bus:
    def __init__(self, on_error): self.handlers, self.on_error, self.errors = [], on_error, []
    def publish(self, event):
        for handler in self.handlers:
            try: handler(event)
            except Stop: return 'stopped'
            except Exception as error:
                self.errors.append(error)
                self.on_error(event, error)
    def add(self, handler): self.handlers.append(handler)
def wrap(error): raise RuntimeError('wrapped') from error
def label(error):
    error.seen = 1
    raise error
def code_of(error): return error.code, error.label(), str(error)
def make(kind, *args): raise kind(*args)
class Scope:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): self.kind, self.error = kind, error
`,
    tests: `
import json
from unittest import mock
import pytest
from solution import Bus, GaveUp, Scope, Stop, attempt, code_of, label, make, retry, wrap

class Boom(ValueError):
    def __init__(self, code):
        super().__init__('boom %d' % code)
        self.code = code
    def label(self): return 'B%d' % self.code
    def __str__(self): return '<%s>' % self.args

def raising(error):
    def fail(): raise error
    return fail

def test_kept():
    boom = ValueError('boom')
    assert attempt(raising(boom)).error is boom
    assert attempt(lambda: 3).error is None

def test_raised_again():
    boom = Boom(3)
    with pytest.raises(Boom) as info: make(lambda: boom)
    with pytest.raises(Boom) as info: label(boom)
    assert info.value is boom and boom.seen == 1
    with pytest.raises(RuntimeError) as info: wrap(boom)
    assert info.value.__cause__ is boom

def test_gives_up():
    first, second = KeyError('one'), OSError(2, 'two')
    with pytest.raises(GaveUp, match='gave up after 2 attempts') as info:
        retry(mock.Mock(side_effect=[first, second]))
    assert info.value.last is second
    assert info.value.__cause__ is second
    assert info.value.last is info.value.__cause__

def test_caught_by_class():
    boom = Boom(4)
    assert attempt(raising(boom), Boom).error is boom
    assert attempt(raising(boom), (KeyError, Boom)).error is boom
    with pytest.raises(Boom) as info: attempt(raising(boom), KeyError)
    assert info.value is boom
    with pytest.raises(Boom, match='<boom 5>'): make(Boom, 5)
    assert code_of(Boom(6)) == (6, 'B6', '<boom 6>')

def test_errors_of_the_artifact():
    assert retry(mock.Mock(side_effect=Stop)) == []
    assert retry(mock.Mock(side_effect=[KeyError('a'), Stop('x')]))[0].args == ('a',)

def test_bus():
    boom = ValueError('boom')
    seen = mock.Mock()
    bus = Bus(seen)
    bus.add(mock.Mock(side_effect=boom))
    bus.publish('a')
    seen.assert_called_once_with('a', boom)
    assert bus.errors == [boom] and boom in bus.errors
    bus.add(mock.Mock(side_effect=Stop))
    assert bus.publish('b') == 'stopped'
    assert {'last': bus.errors[-1]} == {'last': boom}

def test_of_the_library():
    with pytest.raises(json.JSONDecodeError) as info: json.loads('{')
    assert attempt(raising(info.value), json.JSONDecodeError).error is info.value
    with pytest.raises(json.JSONDecodeError) as again: label(info.value)
    assert again.value is info.value and again.value.pos == 1

def test_of_the_language():
    results = [attempt(lambda: 1 / 0) for _ in range(2)]
    assert results[0].error is results[0].error
    assert results[0].error is not results[1].error
    with pytest.raises(ZeroDivisionError) as info: raising(results[0].error)()
    assert attempt(raising(info.value)).error is info.value

def test_scope():
    boom = Boom(1)
    scope = Scope()
    with pytest.raises(Boom):
        with scope: raise boom
    assert scope.error is boom and scope.kind is Boom
`,
    breaks: [
      'self.attempts, self.last = attempts, last',
      'self.attempts, self.last = attempts, type(last)()',
    ],
  },
  {
    id: 'exceptions-of-its-own',
    artifact: `
class Failure(Exception): pass
class MissingKey(Failure, KeyError):
    def __init__(self, key, layers):
        self.key, self.layers = key, list(layers)
        super().__init__(key)
    def __str__(self): return '%r not found in %s' % (self.key, ', '.join(self.layers))
class Refused(OSError):
    def __init__(self, host, port):
        super().__init__(111, 'refused', host)
        self.port = port
    @property
    def address(self): return '%s:%d' % (self.filename, self.port)
    def details(self, verbose=False): return {'host': self.filename, 'port': self.port} if verbose else self.address
class Invalid(Failure, ValueError):
    def __init__(self, errors):
        self.errors = dict(errors)
        super().__init__(errors)
    def __len__(self): return len(self.errors)
    def __iter__(self): return iter(self.errors)
    def __getitem__(self, name): return self.errors[name]
    def __contains__(self, name): return name in self.errors
class Task:
    error = None
    def run(self, func):
        try: func()
        except Exception as error:
            self.error = error
            raise
def find(key): raise MissingKey(key, ['a', 'b'])
def dial(host): raise Refused(host, 80)
def check(errors): raise Invalid(errors)
def note():
    error = Failure('x')
    if hasattr(error, 'add_note'): error.add_note('while checking')
    else: error.__notes__ = ['while checking']
    raise error
`,
    tests: `
import pytest
from solution import Failure, Invalid, MissingKey, Refused, Task, check, dial, find, note

def test_text():
    with pytest.raises(MissingKey) as info: find('k')
    assert str(info.value) == "'k' not found in a, b"
    assert '%s' % info.value == "'k' not found in a, b"
    assert info.value.args == ('k',) and info.value.key == 'k'
    with pytest.raises(KeyError, match='not found in a'): find('x')
    assert str(MissingKey('z', ['q'])) == "'z' not found in q"

def test_fields_of_the_language():
    with pytest.raises(OSError) as info: dial('h')
    assert (info.value.errno, info.value.strerror, info.value.filename) == (111, 'refused', 'h')
    assert info.value.address == 'h:80'
    assert info.value.details() == 'h:80'
    assert info.value.details(verbose=True) == {'host': 'h', 'port': 80}

def test_collection():
    with pytest.raises(ValueError) as info: check({'a': 'empty', 'b': 'long'})
    error = info.value
    assert len(error) == 2 and list(error) == ['a', 'b'] and error['a'] == 'empty'
    assert 'b' in error and 'c' not in error
    with pytest.raises(KeyError): error['c']

def test_the_same_one():
    task = Task()
    with pytest.raises(MissingKey) as info: task.run(lambda: find('k'))
    assert task.error is info.value
    with pytest.raises(ZeroDivisionError) as info: task.run(lambda: 1 // 0)
    assert task.error is info.value

def test_notes():
    with pytest.raises(Failure) as info: note()
    assert info.value.__notes__ == ['while checking']
`,
    breaks: ["return '%r not found in %s'", "return '%r not in %s'"],
  },
  {
    id: 'functions-that-decorators-answer',
    artifact: `
import functools
def cached(func):
    """Remembers."""
    known = {}
    @functools.wraps(func)
    def wrapper(*args):
        if args not in known: known[args] = func(*args)
        return known[args]
    wrapper.known = known
    return wrapper
def repeat(times):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs): return [func(*args, **kwargs) for _ in range(times)]
        return wrapper
    return decorate
class Command:
    def __init__(self, func):
        functools.update_wrapper(self, func)
        self.func = func
    def __call__(self, *args): return self.func(*args)
def command(func): return Command(func)
`,
    tests: `
import inspect
from unittest import mock
from solution import Command, cached, command, repeat

def square(n):
    """Squares."""
    return n * n

def test_names():
    for wrapped in (cached(square), repeat(2)(square), command(square), Command(square)):
        assert wrapped.__wrapped__ is square
        assert (wrapped.__name__, wrapped.__doc__) == ('square', 'Squares.')
        assert wrapped.__qualname__ == 'square'

def test_unwrapped():
    twice = repeat(2)(cached(square))
    assert twice(3) == [9, 9]
    assert inspect.unwrap(twice) is square
    assert str(inspect.signature(twice)) == '(n)'
    assert not hasattr(repeat, '__wrapped__')

def test_mock():
    inner = mock.Mock(return_value=1, __name__='save')
    wrapped = cached(inner)
    assert wrapped(2) == 1 and wrapped.__name__ == 'save'
`,
    breaks: ['@functools.wraps(func)\n        def wrapper', 'def wrapper'],
  },
  {
    id: 'what-contexts-yield',
    artifact: `
import contextlib
import dataclasses
class Event:
    def __init__(self, topic): self.topic = topic
@dataclasses.dataclass
class Hold:
    name: str
    open: bool = True
class Bus:
    def __init__(self): self.subs, self.held, self.taken = [], None, []
    def publish(self, topic):
        if self.held is not None: self.held.append(Event(topic))
        else:
            for each in self.subs: each(Event(topic))
    @contextlib.contextmanager
    def record(self):
        seen = []
        self.subs.append(seen.append)
        try: yield seen
        finally: self.subs.remove(seen.append)
    @contextlib.contextmanager
    def paused(self):
        self.held = queue = []
        try: yield queue
        finally: self.held = None
        for event in queue: self.publish(event.topic)
    @contextlib.contextmanager
    def hold(self, name):
        held = Hold(name)
        yield held
        if held.open: self.taken.append(name)
class Counts:
    def __init__(self): self.counts = None
    def add(self, word):
        if self.counts is not None: self.counts[word] = self.counts.get(word, 0) + 1
    def __enter__(self):
        self.counts = {}
        return self.counts
    def __exit__(self, *error): self.counts = None
class Session:
    def __init__(self): self.log = None
    async def __aenter__(self):
        self.log = []
        return self.log
    async def __aexit__(self, *error): self.log.append('closed')
    async def send(self, text): self.log.append(text)
class Stop:
    def __init__(self, func): self.func = func
    def __call__(self, n): return self.func(n)
    def __or__(self, other): return Stop(lambda n: self(n) or other(n))
    def __and__(self, other): return Stop(lambda n: self(n) and other(n))
    def __invert__(self): return Stop(lambda n: not self(n))
def after(count): return Stop(lambda n: n >= count)
def even(): return Stop(lambda n: n % 2 == 0)
def count_until(stop):
    n = 1
    while not stop(n): n += 1
    return n
`,
    tests: `
import asyncio
from solution import Bus, Counts, Session, after, count_until, even

def test_record():
    bus = Bus()
    with bus.record() as seen:
        assert seen == []
        bus.publish('a')
        assert [event.topic for event in seen] == ['a']
        bus.publish('b')
    bus.publish('c')
    assert [event.topic for event in seen][:2] == ['a', 'b']

def test_paused():
    bus, topics = Bus(), []
    bus.subs.append(lambda event: topics.append(event.topic))
    with bus.paused() as queue:
        bus.publish('a')
        bus.publish('b')
        assert topics == []
        assert len(queue) == 2
        del queue[0]
    assert topics == ['b']

def test_dict():
    counts = Counts()
    with counts as found:
        for word in 'a b a'.split(): counts.add(word)
        assert found == {'a': 2, 'b': 1}
        found['c'] = 7
        counts.add('c')
    counts.add('a')
    assert found == {'a': 2, 'b': 1, 'c': 8}

def test_async():
    async def main():
        session = Session()
        async with session as log:
            await session.send('x')
            assert log == ['x']
        return log
    assert asyncio.run(main()) == ['x', 'closed']

def test_attribute_of_what_is_held():
    bus = Bus()
    with bus.hold('a') as held:
        assert held.name == 'a'
    with bus.hold('b') as held:
        held.open = False
        assert held.open is False
    assert bus.taken == ['a']

def test_operators_of_answers():
    assert count_until(after(5) & even()) == 6
    assert count_until(after(5) | even()) == 2
    assert count_until(~even() & after(2)) == 3
`,
    breaks: ['self.held.append(Event(topic))', 'self.held.append(Event("x"))'],
  },
];
