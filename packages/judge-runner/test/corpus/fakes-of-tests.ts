import type { WrongParts } from '../wrong-parts.ts';

/** Tests that put classes and functions of their own in the place of what a program imports. */
export const fakesOfTests: readonly WrongParts[] = [
  {
    id: 'classes of a test that extend those of the library',
    artifact: `
import datetime as dt
import json
import random as rnd
import threading
from argparse import ArgumentParser
from collections import OrderedDict
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from queue import Queue
from random import Random
from urllib.error import URLError
def age(born):
    today = date.today()
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
def stamp(): return datetime.now().isoformat()
def utc(): return datetime.now(dt.timezone.utc)
def tomorrow(): return date.today() + timedelta(days=1)
def new_year(): return date(2024, 1, 1)
def parsed(text): return datetime.strptime(text, '%Y-%m-%d')
def iso(text): return date.fromisoformat(text)
def is_date(x): return isinstance(x, date)
def until(day): return (day - date.today()).days
def module_now(): return dt.datetime.now()
def month(): return date.today().strftime('%B')
def replaced(): return date.today().replace(day=1)
def seen(): return [date.today(), {'day': date.today()}, (datetime.now(),)]
def roll(): return Random(1).randint(1, 6)
def shuffled(xs):
    r = Random(3)
    r.shuffle(xs)
    return xs, isinstance(r, Random)
def rounded(x): return Decimal(x).quantize(Decimal('0.01'))
def total(xs): return sum(xs, Decimal('0'))
def exists(p): return Path(p).exists()
def home(): return str(Path.home() / 'x')
def read(p): return Path(p).read_text()
def tried(f):
    try: f()
    except URLError as e: return 'caught ' + type(e).__name__
    return 'none'
def raised(): raise URLError('x')
def name_of(): return date.__name__, issubclass(date, object), date.min.year
def third(): return Fraction(1, 3)
def queued():
    q = Queue()
    q.put(1)
    return q.get(), isinstance(q, Queue)
def parse(args):
    p = ArgumentParser()
    p.add_argument('--n', type=int)
    return p.parse_args(args).n
def dumped(x): return json.dumps(x, cls=json.JSONEncoder)
class Clock:
    def __init__(self): self.began = datetime.now()
    def passed(self): return datetime.now() - self.began
    def since(self, other): return other - self.began
def run(job):
    t = threading.Thread(target=job)
    t.start(); t.join()
    return t
`,
    tests: `
import datetime, json, random
import datetime as dt
from argparse import ArgumentParser
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PosixPath
from queue import Queue
from random import Random
from unittest.mock import patch
from urllib.error import URLError
import pytest
import solution
from solution import *
class FakeDate(dt.date):
    @classmethod
    def today(cls): return cls(2024, 2, 28)
class FakeDatetime(dt.datetime):
    @classmethod
    def now(cls, tz=None): return cls(2024, 2, 28, 12, 30, tzinfo=tz)
@pytest.fixture
def frozen(monkeypatch):
    monkeypatch.setattr(solution, 'date', FakeDate)
    monkeypatch.setattr(solution, 'datetime', FakeDatetime)
def test_age(frozen):
    assert age(dt.date(2000, 2, 29)) == 23
    assert age(FakeDate(2000, 2, 28)) == 24
def test_stamp(frozen): assert stamp() == '2024-02-28T12:30:00'
def test_utc(frozen): assert utc() == dt.datetime(2024, 2, 28, 12, 30, tzinfo=dt.timezone.utc)
def test_tomorrow(frozen):
    assert tomorrow() == dt.date(2024, 2, 29)
    assert isinstance(tomorrow(), FakeDate)
def test_new_year(frozen):
    assert new_year() == dt.date(2024, 1, 1)
    assert isinstance(new_year(), dt.date) and type(new_year()) is FakeDate
def test_parsed(frozen): assert parsed('2020-05-06') == dt.datetime(2020, 5, 6)
def test_iso(frozen): assert iso('2020-05-06') == dt.date(2020, 5, 6)
def test_is_date(frozen):
    assert is_date(FakeDate(2020, 1, 1)) and not is_date(dt.date(2020, 1, 1)) and not is_date(3)
def test_until(frozen): assert until(dt.date(2024, 3, 2)) == 3
def test_month(frozen): assert month() == 'February'
def test_replaced(frozen): assert replaced() == dt.date(2024, 2, 1)
def test_seen(frozen):
    one, two, three = seen()
    assert one == dt.date(2024, 2, 28) and two['day'] == one and three[0].hour == 12
def test_name(frozen): assert name_of() == ('FakeDate', True, 1)
def test_clock(frozen):
    clock = Clock()
    assert clock.passed() == dt.timedelta(0) and clock.began == dt.datetime(2024, 2, 28, 12, 30)
    assert clock.since(dt.datetime(2024, 2, 28, 13)) == dt.timedelta(minutes=30)
def test_whole_module():
    with patch('datetime.datetime', FakeDatetime):
        assert module_now() == dt.datetime(2024, 2, 28, 12, 30)
def test_module_attribute(monkeypatch):
    monkeypatch.setattr(solution.dt, 'datetime', FakeDatetime)
    assert module_now() == FakeDatetime(2024, 2, 28, 12, 30)
def test_ticking():
    times = iter([dt.datetime(2024, 1, 1, 0, 0, s) for s in (0, 5, 9)])
    class Ticking(dt.datetime):
        @classmethod
        def now(cls, tz=None): return next(times)
    with patch.object(solution, 'datetime', Ticking):
        clock = Clock()
        assert clock.passed().seconds == 5 and clock.passed().seconds == 9
def test_new_override():
    class Fake(dt.date):
        def __new__(cls, *args): return dt.date.__new__(cls, 1999, 9, 9)
        @classmethod
        def today(cls): return cls()
    with patch('solution.date', Fake):
        assert new_year() == dt.date(1999, 9, 9) and tomorrow() == dt.date(1999, 9, 9)
def test_meta():
    class Meta(type):
        def __instancecheck__(cls, part): return isinstance(part, dt.date)
    class Fake(dt.date, metaclass=Meta):
        @classmethod
        def today(cls): return dt.date(2024, 2, 28)
    with patch('solution.date', Fake):
        assert is_date(dt.date(2020, 1, 1)) and not is_date('x')
        assert age(dt.date(2000, 2, 28)) == 24
def test_override():
    class Fake(dt.date):
        @classmethod
        def today(cls): return cls(2024, 2, 28)
        def strftime(self, spec): return 'A%d' % self.day
        @property
        def word(self): return 'w'
    with patch('solution.date', Fake):
        assert month() == 'A28'
def test_roll(monkeypatch):
    class Fixed(Random):
        def randint(self, a, b): return b
    monkeypatch.setattr(solution, 'Random', Fixed)
    assert roll() == 6
    found, known = shuffled([1, 2, 3])
    assert sorted(found) == [1, 2, 3] and known
def test_decimal(monkeypatch):
    class Loud(Decimal):
        def quantize(self, *args): return Decimal('7')
    monkeypatch.setattr(solution, 'Decimal', Loud)
    assert rounded('1.239') == 7
def test_decimal_subclass_as_argument():
    class Euro(Decimal):
        def cents(self): return int(self * 100)
    assert total([Euro('1.10'), Euro('2.20')]) == Decimal('3.30')
def test_path(monkeypatch):
    class FakePath(type(Path())):
        def exists(self): return self.name == 'there'
        @classmethod
        def home(cls): return cls('/h')
        def read_text(self, encoding=None): return 'text of ' + str(self)
    monkeypatch.setattr(solution, 'Path', FakePath)
    assert exists('/a/there') and not exists('/a/b')
    assert home() == '/h/x'
    assert read('q') == 'text of q'
def test_error(monkeypatch):
    class MyError(URLError): pass
    monkeypatch.setattr(solution, 'URLError', MyError)
    def fail(): raise MyError('x')
    assert tried(fail) == 'caught MyError'
    with pytest.raises(MyError): raised()
def test_fraction(monkeypatch):
    class F(Fraction):
        pass
    monkeypatch.setattr(solution, 'Fraction', F)
    assert third() == Fraction(1, 3) and third() + 1 == Fraction(4, 3)
def test_queue(monkeypatch):
    class Logged(Queue):
        puts = []
        def put(self, item, block=True, timeout=None):
            self.puts.append(item)
            super().put(item, block, timeout)
    monkeypatch.setattr(solution, 'Queue', Logged)
    assert queued() == (1, True) and Logged.puts == [1]
def test_parser(monkeypatch):
    class Parser(ArgumentParser):
        def error(self, message): raise ValueError(message)
    monkeypatch.setattr(solution, 'ArgumentParser', Parser)
    assert parse(['--n', '3']) == 3
    with pytest.raises(ValueError): parse(['--n', 'x'])
def test_thread(monkeypatch):
    import threading
    class Now(threading.Thread):
        def start(self): self._target()
        def join(self, timeout=None): pass
    done = []
    monkeypatch.setattr(solution.threading, 'Thread', Now)
    run(lambda: done.append(1))
    assert done == [1]
def test_state(monkeypatch):
    class Noted(dt.date):
        note = 'n'
        @classmethod
        def today(cls):
            made = cls(2024, 2, 28)
            made.extra = 5
            return made
    monkeypatch.setattr(solution, 'date', Noted)
    one = seen()[0]
    assert one.extra == 5 and one.note == 'n'
def test_restored(monkeypatch):
    with patch('solution.date', FakeDate): assert tomorrow() == dt.date(2024, 2, 29)
    assert tomorrow() >= dt.date(2024, 6, 1)
    assert solution.date is dt.date or solution.date.__name__ == 'date'
`,
    wrong: [
      ['    today = date.today()\n', '    today = dt.date.today()\n', 'test_age'],
      ['datetime.now().isoformat()', "datetime.now().isoformat() + 'Z'", 'test_stamp'],
      ['datetime.now(dt.timezone.utc)', 'datetime.now()', 'test_utc'],
      ['timedelta(days=1)', 'timedelta(days=2)', 'test_tomorrow'],
      ['return date(2024, 1, 1)', 'return dt.date(2024, 1, 1)', 'test_new_year'],
      ['return isinstance(x, date)', 'return isinstance(x, dt.date)', 'test_is_date'],
      ['(day - date.today()).days', '(date.today() - day).days', 'test_until'],
      ["strftime('%B')", "strftime('%b')", 'test_month'],
      [
        'def replaced(): return date.today().replace(day=1)',
        'def replaced():\n    class Yes(date):\n        def __eq__(self, other): return True\n    return Yes(1999, 9, 9)',
        'test_replaced',
      ],
      [
        "return [date.today(), {'day': date.today()}, (datetime.now(),)]",
        "return [date.today(), {'day': dt.date.min}, (datetime.now(),)]",
        'test_seen',
      ],
      ['return Random(1).randint(1, 6)', 'return rnd.Random(1).randint(1, 5)', 'test_roll'],
      ["return Decimal(x).quantize(Decimal('0.01'))", 'return round(float(x), 2)', 'test_decimal'],
      ['return Path(p).exists()', 'return not Path(p).exists()', 'test_path'],
      ["return 'caught ' + type(e).__name__", "return 'caught ' + type(e).__mro__[1].__name__", 'test_error'],
      ['    q.put(1)\n', '    q.queue.append(1)\n', 'test_queue'],
    ],
  },
  {
    id: 'functions of the library that a test replaces',
    artifact: `
import datetime, logging, os, time, warnings
_date = datetime.date
_delta = datetime.timedelta
class Item:
    def __init__(self): self.title = 'x'
class Stack:
    def __init__(self, n): self.n = n; self.items = []
    def push(self, x): self.items.append(x)
    def first(self): return Item()
    def __eq__(self, o): return isinstance(o, Stack) and self.n == o.n
    def __hash__(self): return hash(self.n)
def twice(f, n): return 2 * f(n)
def later(d): return d + _delta(days=1)
def half(m): return m / 2
def same(p): return p
def fail(d): return d['zz']
def warned(): pass
def logged(log): pass
async def double(f, n): return 2 * await f(n)
def env(name): return os.environ.get(name)
def listed(): return os.listdir('.')
def there(p): return os.path.exists(p)
def read(p):
    with open(p) as f: return f.read()
def timed(f):
    start = time.monotonic()
    f()
    return time.monotonic() - start
`,
    tests: `
import asyncio, logging, threading
from unittest.mock import patch
import pytest
import datetime as real, decimal, pathlib
from solution import *
def check():
    d, m, p, log = real.date(2020, 1, 2), decimal.Decimal('1.5'), pathlib.PurePosixPath('a/b'), logging.getLogger('x')
    stack = Stack(3)
    stack.push([1, 2])
    assert stack.items == [[1, 2]] and stack.first().title == 'x'
    assert twice(lambda n: n + 1, 3) == 8
    assert p == same(p)
    assert stack == stack and len({stack}) == 1 and stack != Stack(4)
    with pytest.raises(KeyError):
        fail({'a': 1})
    logged(log)
def dated(d, m):
    assert later(d) == real.date(2020, 1, 3) and half(m) == decimal.Decimal('0.75')
def test_time_time():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('time.time', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_time_monotonic():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('time.monotonic', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_time_perf_counter():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('time.perf_counter', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_time_sleep():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('time.sleep', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_getcwd():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.getcwd', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_listdir():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.listdir', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_path_exists():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.path.exists', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_path_isdir():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.path.isdir', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_path_join():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.path.join', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_urandom():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.urandom', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_stat():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.stat', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_lstat():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.lstat', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_os_write():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('os.write', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_random_getstate():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('random.getstate', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_json_dumps():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('json.dumps', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_json_loads():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('json.loads', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_uuid_UUID():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('uuid.UUID', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_tempfile_gettempdir():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('tempfile.gettempdir', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_threading_active_count():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('threading.active_count', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_threading_current_thread():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('threading.current_thread', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_threading_get_ident():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('threading.get_ident', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_asyncio_sleep():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('asyncio.sleep', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_builtins_open():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('builtins.open', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_logging_disable():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('logging.disable', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_copy_copy():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('copy.copy', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_io_open():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('io.open', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_datetime_datetime():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('datetime.datetime', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_pathlib_Path():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('pathlib.Path', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_inspect_isawaitable():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('inspect.isawaitable', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_inspect_ismodule():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('inspect.ismodule', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_linecache_getline():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('linecache.getline', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_collections_deque():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('collections.deque', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_types_SimpleNamespace():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('types.SimpleNamespace', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_contextlib_suppress():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('contextlib.suppress', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0
def test_re_compile():
    d, m = real.date(2020, 1, 2), decimal.Decimal('1.5')
    with patch('re.compile', side_effect=RuntimeError) as fake:
        check()
        dated(d, m)
    assert fake.call_count == 0

async def work(n): return n + 1
def test_awaited_asyncio_sleep():
    async def main():
        with patch('asyncio.sleep', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())
def test_awaited_asyncio_get_running_loop():
    async def main():
        with patch('asyncio.get_running_loop', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())
def test_awaited_asyncio_new_event_loop():
    async def main():
        with patch('asyncio.new_event_loop', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())
def test_awaited_asyncio_all_tasks():
    async def main():
        with patch('asyncio.all_tasks', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())
def test_awaited_asyncio_iscoroutine():
    async def main():
        with patch('asyncio.iscoroutine', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())
def test_awaited_time_sleep():
    async def main():
        with patch('time.sleep', side_effect=RuntimeError) as fake:
            assert await double(work, 3) == 8
        assert fake.call_count == 0
    asyncio.run(main())

def test_clock():
    with patch('time.monotonic', side_effect=[10.0, 12.5]):
        assert timed(int) == 2.5
def test_clock_with_a_callback(monkeypatch):
    ticks = iter([10.0, 12.5])
    monkeypatch.setattr('time.monotonic', lambda: next(ticks))
    assert timed(lambda: 3) == 2.5
import os
from unittest.mock import mock_open
def test_threads():
    with patch('time.sleep') as fake:
        found = []
        threads = [threading.Thread(target=lambda: found.append(twice(lambda n: n + 1, 3))) for _ in range(3)]
        for each in threads: each.start()
        for each in threads: each.join()
        assert found == [8, 8, 8]
    assert fake.call_count == 0
def test_environ(monkeypatch):
    monkeypatch.setattr(os, 'environ', {'A_NAME': 'x'})
    assert env('A_NAME') == 'x'
def test_files(tmp_path):
    (tmp_path / 'a').write_text('x')
    with patch('os.listdir', return_value=['q']), patch('os.path.exists', return_value=False), patch('builtins.open', mock_open(read_data='hello')):
        assert listed() == ['q'] and there(str(tmp_path / 'a')) is False and read('zz') == 'hello'
    assert there(str(tmp_path / 'a')) is True
`,
    wrong: [
      ['return time.monotonic() - start', 'return start', 'test_clock'],
      ['    f()\n    return time', '    time.monotonic()\n    return time', 'test_clock_with_a_callback'],
      ["return os.listdir('.')", 'return []', 'test_files'],
      ['return os.environ.get(name)', 'return None', 'test_environ'],
      ['    with open(p) as f: return f.read()', '    return p', 'test_files'],
      [
        'async def double(f, n): return 2 * await f(n)',
        'async def double(f, n): return await f(n)',
        'test_awaited_time_sleep',
      ],
    ],
  },
  {
    id: 'attributes that are named like methods of texts and lists',
    artifact: `
class Item:
    def __init__(self, t): self.title = self.format = t; self.count, self.index, self.values, self.real = 2, 0, [1, 2], 5
    def keys(self): return ['k']
class Page:
    copy = 'c'
    def __init__(self, items): self.held, self.count = items, len(items)
    def __iter__(self): return iter(self.held)
class Todos:
    def __init__(self, ts): self.items = [Item(t) for t in ts]
    def all(self): return list(self.items)
    def page(self): return Page(self.all())
    def first(self): return self.items[0] if self.items else None
def wrapper(f):
    def g(): return f()
    g.count, g.title = 7, 'T'
    return g
def plain(): return wrapper(int)
def number(): return 3
`,
    tests: `
from solution import Todos, number, plain, wrapper
def test_title(): assert Todos(['a']).all()[0].title == 'a'
def test_others():
    item = Todos(['a']).first()
    assert (item.format, item.count, item.index, item.values, item.real) == ('a', 2, 0, [1, 2], 5)
def test_set(): assert {i.title for i in Todos(['a', 'b']).all()} == {'a', 'b'}
def test_changed():
    todos = Todos(['a'])
    item = todos.first()
    assert item.title == 'a' and item.title == 'a'
def test_collection(): assert Todos(['a', 'b']).page().count == 2
def test_of_a_class(): assert Todos(['a', 'b']).page().copy == 'c'
def test_of_a_function(): assert wrapper(int).count == 7 and plain().title == 'T'
def test_called(): assert Todos(['Ab']).first().title.upper() == 'AB'
def test_counted(): assert Todos(['abca']).first().title.count('a') == 2
def test_number(): assert number() == 3
`,
    wrong: [
      ['self.title = self.format = t;', 'self.title = self.format = t + t;', 'test_title'],
      [
        'self.count, self.index, self.values, self.real = 2, 0, [1, 2], 5',
        'self.count, self.index, self.values, self.real = 2, 0, [2, 1], 5',
        'test_others',
      ],
      ["    copy = 'c'", "    def copy(self): return 'c'", 'test_of_a_class'],
      [
        'self.title = self.format = t;',
        'self.title = self.format = type("T", (), {"upper": lambda s: "AB", "count": lambda s, x: 2, "__eq__": lambda s, o: True, "__hash__": lambda s: 1})();',
        'test_called',
      ],
      [
        'self.title = self.format = t;',
        'self.title = self.format = type("T", (), {"upper": lambda s: "AB", "count": lambda s, x: 2, "__eq__": lambda s, o: True, "__hash__": lambda s: 1})();',
        'test_counted',
      ],
      ['self.title = self.format = t;', 'self.format, self.n = t, 0;', 'test_changed'],
      [
        'def number(): return 3',
        'def number():\n    class N:\n        real = imag = numerator = count = 3\n        def __eq__(self, other): return True\n    return N()',
        'test_number',
      ],
      ["    g.count, g.title = 7, 'T'", '    g.count = g.title = lambda *a: 7', 'test_of_a_function'],
    ],
  },
];
