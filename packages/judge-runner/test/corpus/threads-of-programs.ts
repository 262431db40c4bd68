import type { WrongParts } from '../wrong-parts.ts';

/** Threads of a program that call functions of a test, and change what it has, while the test itself waits. */
export const threadsOfPrograms: readonly WrongParts[] = [
  {
    id: 'timers, tickers and watchers',
    artifact: `
import threading
import time


class Ticker:
    def __init__(self, every, call):
        self.every, self.call, self.stopping = every, call, threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def run(self):
        while not self.stopping.wait(self.every):
            self.call()

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()


class Watcher:
    def __init__(self, read, on_change):
        self.read, self.on_change = read, on_change
        self.seen, self.stopping = None, threading.Event()

    def start(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stopping.wait(0.01):
            now = self.read()
            if now != self.seen:
                self.on_change(self.seen, now)
                self.seen = now

    def stop(self):
        self.stopping.set()
        self.thread.join()


class Debouncer:
    def __init__(self, wait, call):
        self.wait, self.call, self.timer = wait, call, None

    def __call__(self, *args):
        if self.timer:
            self.timer.cancel()
        self.timer = threading.Timer(self.wait, self.call, args)
        self.timer.start()


class Store:
    def __init__(self):
        self.items, self.lock = {}, threading.Lock()

    def load(self, fetch, *keys):
        def run(key):
            got = fetch(key)
            with self.lock:
                self.items[key] = got
        for key in keys:
            threading.Thread(target=run, args=(key,)).start()


def fill(out, items):
    def run():
        for item in items:
            time.sleep(0.01)
            out.append(item)
    threading.Thread(target=run).start()


def write(path, text):
    def run():
        time.sleep(0.05)
        path.with_suffix('.part').write_text(text)
        path.with_suffix('.part').rename(path)
    threading.Thread(target=run).start()


def say(text):
    def run():
        time.sleep(0.05)
        print(text)
    threading.Thread(target=run).start()
`,
    tests: `
import threading
import time
from unittest.mock import Mock
from solution import Debouncer, Store, Ticker, Watcher, fill, say, write


def eventually(check):
    end = time.monotonic() + 100
    while not check():
        assert time.monotonic() < end, 'it never came to that'
        time.sleep(0.01)


def test_ticker():
    times, third = [], threading.Event()
    def tick():
        times.append(time.monotonic())
        if len(times) == 3:
            third.set()
    with Ticker(0.2, tick):
        assert third.wait(100)
    count = len(times)
    time.sleep(0.5)
    assert len(times) == count
    assert times[2] - times[0] > 0.3


def test_watcher():
    state, seen = {'n': 1}, []
    watcher = Watcher(lambda: state['n'], lambda old, new: seen.append((old, new)))
    watcher.start()
    eventually(lambda: seen)
    state['n'] = 2
    eventually(lambda: len(seen) == 2)
    watcher.stop()
    assert seen == [(None, 1), (1, 2)]


def test_debouncer():
    call = Mock()
    debouncer = Debouncer(30, call)
    debouncer(1)
    debouncer(2)
    debouncer.wait = 0.01
    debouncer(3)
    eventually(lambda: call.call_count)
    time.sleep(0.05)
    call.assert_called_once_with(3)


def test_not_yet():
    ready = threading.Event()
    debouncer = Debouncer(30, ready.set)
    debouncer()
    assert not ready.wait(0.2)
    debouncer.wait = 0.01
    debouncer()
    assert ready.wait(100)


def test_store():
    store, calls = Store(), []
    def fetch(key):
        calls.append(key)
        time.sleep(0.01)
        return key.upper()
    store.load(fetch, 'a', 'b', 'c')
    eventually(lambda: len(store.items) == 3)
    assert store.items == {'a': 'A', 'b': 'B', 'c': 'C'} and sorted(calls) == ['a', 'b', 'c']


def test_fill():
    out = []
    fill(out, 'abc')
    eventually(lambda: len(out) == 3)
    assert out == ['a', 'b', 'c']


def test_write(tmp_path):
    write(tmp_path / 'a.txt', 'hi')
    eventually((tmp_path / 'a.txt').exists)
    assert (tmp_path / 'a.txt').read_text() == 'hi'


def test_say(capsys):
    said = []
    say('hello')
    eventually(lambda: said.append(capsys.readouterr().out) or 'hello' in ''.join(said).lower())
    assert ''.join(said) == 'hello\\n'
`,
    wrong: [
      ['while not self.stopping.wait(self.every)', 'while not self.stopping.wait(0)', 'test_ticker'],
      ['self.on_change(self.seen, now)', 'self.on_change(now, self.seen)', 'test_watcher'],
      ['            self.timer.cancel()\n', '            self.call(*self.timer.args)\n', 'test_debouncer'],
      ['Timer(self.wait, self.call, args)', 'Timer(0, self.call, args)', 'test_not_yet'],
      ['self.items[key] = got', 'self.items[key] = key', 'test_store'],
      ['out.append(item)', 'out.insert(0, item)', 'test_fill'],
      ['write_text(text)', 'write_text(text * 2)', 'test_write'],
      ['print(text)', 'print(text.upper())', 'test_say'],
    ],
  },
  {
    id: 'workers and events',
    artifact: `
import queue
import threading
import time


class Worker:
    def __init__(self, handle):
        self.jobs, self.handle, self.failed = queue.Queue(), handle, []
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            job = self.jobs.get()
            try:
                time.sleep(0.02)
                self.handle(job)
            except ValueError as error:
                self.failed.append((job, str(error)))
            finally:
                self.jobs.task_done()

    def put(self, job):
        self.jobs.put(job)

    def join(self):
        self.jobs.join()


class Later:
    def __init__(self, delay, call, *args):
        self.timer = threading.Timer(delay, call, args)
        self.timer.start()

    def join(self):
        self.timer.join()


class Waiting:
    def __init__(self, begun, event, out):
        self.begun, self.event, self.out = begun, event, out
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        self.begun.set()
        self.out.append('set' if self.event.wait(100) else 'late')

    def join(self):
        self.thread.join(100)


def raises_later(call):
    def run():
        try:
            call()
        except KeyError as error:
            caught.append(error.args[0])
    caught = []
    threading.Timer(0.05, run).start()
    return caught
`,
    tests: `
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from solution import Later, Waiting, Worker, raises_later


def test_later():
    done = []
    timer = Later(0.01, done.append, 3)
    time.sleep(0.1)
    timer.join()
    assert done == [3]


def test_worker():
    done = []
    def handle(job):
        if job < 0:
            raise ValueError('negative: %d' % job)
        done.append(job * 2)
    worker = Worker(handle)
    for job in (1, -2, 3):
        worker.put(job)
    time.sleep(0.2)
    worker.join()
    assert done == [2, 6]
    assert worker.failed == [(-2, 'negative: -2')]


def test_event():
    begun, event, out = threading.Event(), threading.Event(), []
    waiting = Waiting(begun, event, out)
    assert begun.wait(100)
    time.sleep(0.2)
    event.set()
    waiting.join()
    assert out == ['set']


def test_many():
    done = []
    workers = [Worker(done.append) for _ in range(5)]
    for n, worker in enumerate(workers):
        worker.put(n)
    time.sleep(0.1)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Worker.join, workers))
    assert sorted(done) == [0, 1, 2, 3, 4]


def test_raises():
    begun = threading.Event()
    def call():
        begun.set()
        raise KeyError('gone')
    caught = raises_later(call)
    assert begun.wait(100)
    end = time.monotonic() + 100
    while not caught and time.monotonic() < end:
        time.sleep(0.01)
    assert caught == ['gone']
`,
    wrong: [
      ['Timer(delay, call, args)', 'Timer(delay, call, [args])', 'test_later'],
      ['self.handle(job)', 'self.handle(abs(job))', 'test_worker'],
      ['self.event.wait(100)', 'self.event.wait(0)', 'test_event'],
      ['self.jobs.put(job)', 'self.jobs.put(0)', 'test_many'],
      ['caught.append(error.args[0])', 'caught.append(error.args)', 'test_raises'],
    ],
  },
  {
    id: 'programs that a test asks all the time',
    artifact: `
import threading


class Job:
    def __init__(self, call, items):
        self.call, self.items, self.results, self.done = call, items, [], False

    def start(self):
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        for item in self.items:
            self.results.append(self.call(item))
        self.done = True
`,
    tests: `
import time
from solution import Job


def test_looks():
    job = Job(lambda item: item * 2, list(range(20)))
    job.start()
    end = time.monotonic() + 20
    while not job.done and time.monotonic() < end:
        pass
    assert job.results == [item * 2 for item in range(20)]


def test_pauses():
    items = []
    job = Job(items.append, 'abc')
    job.start()
    end = time.monotonic() + 20
    while not job.done and time.monotonic() < end:
        time.sleep(0)
    assert items == ['a', 'b', 'c']
`,
    wrong: [
      ['self.call(item)', 'item', 'test_looks'],
      ['in self.items', 'in self.items[1:]', 'test_pauses'],
    ],
  },
  {
    id: 'programs that look at what a test changes while it waits',
    artifact: `
import os
import threading


class Folder:
    def __init__(self, path, on_new):
        self.path, self.on_new, self.stopping = path, on_new, threading.Event()
        self.seen = set(os.listdir(path))
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stopping.wait(0.01):
            for name in sorted(set(os.listdir(self.path)) - self.seen):
                self.seen.add(name)
                self.on_new(name)

    def stop(self):
        self.stopping.set()
        self.thread.join()


class Length:
    def __init__(self, items, most, reached):
        self.items, self.most, self.reached = items, most, reached
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while len(self.items) < self.most:
            threading.Event().wait(0.01)
        self.reached.set()
`,
    tests: `
import threading
import time
from solution import Folder, Length


def test_files(tmp_path):
    (tmp_path / 'old').write_text('')
    names, come = [], threading.Event()
    folder = Folder(str(tmp_path), lambda name: (names.append(name), come.set()))
    time.sleep(0.05)
    (tmp_path / 'new').write_text('')
    assert come.wait(20)
    folder.stop()
    assert names == ['new']


def test_items():
    items, reached = [], threading.Event()
    Length(items, 2, reached)
    items.append(1)
    assert not reached.wait(2)
    items.append(2)
    assert reached.wait(20)
`,
    wrong: [
      ['self.on_new(name)', 'self.on_new(self.path)', 'test_files'],
      ['len(self.items) < self.most', 'len(self.items) < 1', 'test_items'],
    ],
  },
  {
    id: 'what a test changes beside threads',
    artifact: `
import asyncio
import threading


class Runner:
    def __init__(self):
        self.stopping = threading.Event()

    def start(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stopping.wait(0.01):
            self.step()

    def stop(self):
        self.stopping.set()
        self.thread.join()


class Counter(Runner):
    def __init__(self, config):
        super().__init__()
        self.config, self.total = dict(config), 0

    def step(self):
        self.total += self.config['step']


class Live(Runner):
    def __init__(self, config):
        super().__init__()
        self.config, self.total = config, 0

    def step(self):
        self.total += self.config['step']


class Sweeper(Runner):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def step(self):
        for path in self.folder.glob('*.tmp'):
            path.unlink()


class Logger(Runner):
    def __init__(self, log):
        super().__init__()
        self.log = log

    def step(self):
        self.log.append('tick')

    def check(self):
        return True


class Ticker(Runner):
    def __init__(self, call):
        super().__init__()
        self.call = call

    def step(self):
        self.call()


async def later(n):
    await asyncio.sleep(0.01)
    return n
`,
    tests: `
import asyncio
import time
import pytest
from solution import Counter, Live, Logger, Sweeper, Ticker, later


def eventually(check):
    end = time.monotonic() + 5
    while not check():
        assert time.monotonic() < end, 'it never came to that'
        time.sleep(0.01)


def test_settings_are_copied():
    config = {'step': 1}
    counter = Counter(config)
    counter.start()
    eventually(lambda: counter.total > 0)
    config['step'] = 100000
    time.sleep(0.3)
    counter.stop()
    assert counter.total < 100000


def test_settings_are_live():
    config = {'step': 1}
    counter = Live(config)
    counter.start()
    eventually(lambda: counter.total > 0)
    config['step'] = 100000
    eventually(lambda: counter.total > 100000)
    counter.stop()


def test_files(tmp_path):
    sweeper = Sweeper(tmp_path)
    sweeper.start()
    (tmp_path / 'a.txt').write_text('a')
    (tmp_path / 'b.tmp').write_text('b')
    eventually(lambda: not (tmp_path / 'b.tmp').exists())
    time.sleep(0.1)
    sweeper.stop()
    assert (tmp_path / 'a.txt').exists()


def test_log_of_both():
    log = []
    logger = Logger(log)
    logger.start()
    try:
        logger.check()
    except ValueError:
        log.append('failed')
    eventually(lambda: 'tick' in log)
    logger.stop()
    assert 'failed' not in log


def test_after_a_loop():
    ticks = []
    ticker = Ticker(lambda: ticks.append(1))
    ticker.start()
    assert asyncio.run(later(3)) == 3
    ticks.clear()
    eventually(lambda: len(ticks) > 2)
    ticker.stop()


@pytest.fixture(scope='module')
def shared():
    ticks = []
    ticker = Ticker(lambda: ticks.append(1))
    ticker.start()
    yield ticks
    ticker.stop()


def test_shared(shared):
    eventually(lambda: len(shared) > 2)


def test_shared_again(shared):
    del shared[:]
    eventually(lambda: len(shared) > 2)
`,
    wrong: [
      ['dict(config)', 'config', 'test_settings_are_copied'],
      [
        'self.config, self.total = config, 0',
        'self.config, self.total = config.copy(), 0',
        'test_settings_are_live',
      ],
      ["'*.tmp'", "'*'", 'test_files'],
      ['return True', 'raise ValueError', 'test_log_of_both'],
      ['await asyncio.sleep(0.01)', 'n = 4', 'test_after_a_loop'],
      ['self.call()', 'self.stopping.set() or self.call()', 'test_shared_again'],
    ],
  },
  {
    id: 'locks and queues of the test',
    artifact: `
import threading


class Counter:
    def __init__(self, lock):
        self.lock, self.count = lock, 0

    def add(self, times):
        def run():
            for _ in range(times):
                with self.lock:
                    self.count += 1
        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.count

    def try_lock(self):
        return self.lock.acquire(False)


class Consumer:
    def __init__(self, jobs, handle):
        self.jobs, self.handle = jobs, handle
        self.thread = threading.Thread(target=self.run, name='consumer')

    def start(self):
        self.thread.start()

    def run(self):
        for job in iter(self.jobs.get, None):
            self.handle(job)
            self.jobs.task_done()

    def join(self):
        self.thread.join()


def both(first, second):
    threads = [threading.Thread(target=each) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
`,
    tests: `
import queue
import threading
from solution import Consumer, Counter, both


def test_lock():
    lock = threading.Lock()
    counter = Counter(lock)
    assert counter.add(5) == 15
    with lock:
        assert not counter.try_lock()
    assert not lock.locked()
    assert counter.try_lock() and lock.locked()


def test_rlock():
    lock = threading.RLock()
    counter = Counter(lock)
    with lock:
        assert counter.try_lock()


def test_queue():
    jobs, done, local = queue.Queue(), [], threading.local()
    def handle(job):
        local.count = getattr(local, 'count', 0) + 1
        done.append((job, local.count, threading.current_thread().name))
    consumer = Consumer(jobs, handle)
    consumer.start()
    for job in 'ab':
        jobs.put(job)
    jobs.join()
    assert done == [('a', 1, 'consumer'), ('b', 2, 'consumer')]
    jobs.put(None)
    consumer.join()


def test_at_once():
    meeting = threading.Barrier(2, timeout=10)
    both(meeting.wait, meeting.wait)
    assert not meeting.broken


def test_held():
    lock, got = threading.Lock(), []
    def take():
        with lock:
            got.append(threading.current_thread() is threading.main_thread())
    both(take, take)
    assert got == [False, False]
`,
    wrong: [
      ['self.lock.acquire(False)', 'self.lock.acquire(True, 0.1) or True', 'test_lock'],
      ["name='consumer'", "name='other'", 'test_queue'],
      ['for each in (first, second)]', 'for each in ()]; first(); second()', 'test_held'],
    ],
  },
  {
    id: 'calls at once after one another',
    artifact: `
import threading


class Poller:
    def __init__(self, read, names=('poller',)):
        self.read, self.stopping = read, threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(name,)) for name in names]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def run(self, name):
        while not self.stopping.is_set():
            self.read(name)

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()


class Journal:
    def __init__(self, lines):
        self.lines = lines

    def copy(self, fetch):
        def run():
            for line in iter(fetch, None):
                self.lines.append(line)
        self.thread = threading.Thread(target=run)
        self.thread.start()

    def mark(self, text):
        self.lines.append(text)

    def close(self):
        self.thread.join()
        return len(self.lines)
`,
    tests: `
import threading
from solution import Journal, Poller


def test_third():
    names, third = [], threading.Event()
    def read(name):
        names.append(name)
        if len(names) == 3:
            third.set()
    with Poller(read):
        assert third.wait(10)
    assert names[:3] == ['poller'] * 3
    count = len(names)
    assert not threading.Event().wait(0.1) and len(names) == count


def test_pollers():
    seen, all_seen = set(), threading.Event()
    def read(name):
        seen.add(name)
        if len(seen) == 3:
            all_seen.set()
    with Poller(read, ['a', 'b', 'c']):
        assert all_seen.wait(10)
    assert seen == {'a', 'b', 'c'}


def test_each_line_once():
    for _ in range(20):
        lines, todo = ['begin'], list(range(5, 0, -1))
        journal = Journal(lines)
        journal.copy(lambda: todo.pop() if todo else None)
        assert journal.close() == 6
        assert lines == ['begin', 1, 2, 3, 4, 5]
        journal.mark('end')
        assert lines[-1] == 'end' and len(lines) == 7
`,
    wrong: [
      ['while not self.stopping.is_set():', 'for _ in range(2):', 'test_third'],
      ['for name in names]', 'for name in names[:1]]', 'test_pollers'],
      ['for line in iter(fetch, None):', 'for line in list(iter(fetch, None))[1:]:', 'test_each_line_once'],
    ],
  },
  {
    id: 'which thread it is, and what it has of its own',
    artifact: `
import sqlite3
import threading
from contextvars import copy_context


def run_later(job):
    threading.Thread(target=job, daemon=True).start()


def run_each(jobs):
    for job in jobs:
        thread = threading.Thread(target=job)
        thread.start()
        thread.join()


class Worker:
    def __init__(self):
        self.jobs, self.begun = [], threading.Condition()

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def submit(self, job):
        with self.begun:
            self.jobs.append(job)
            self.begun.notify()

    def run(self):
        while True:
            with self.begun:
                self.begun.wait_for(lambda: self.jobs)
                job = self.jobs.pop(0)
            if job is None:
                return
            job()

    def __exit__(self, *_):
        self.submit(None)
        self.thread.join()


class Cache:
    def __init__(self, load):
        self.load, self.held, self.lock = load, {}, threading.Lock()

    def get(self, key):
        with self.lock:
            if key not in self.held:
                self.held[key] = self.load(key)
            return self.held[key]


class Bus:
    def __init__(self):
        self.handlers = []

    def on(self, handler):
        self.handlers.append((copy_context(), handler))

    def emit(self):
        within = copy_context()
        def run():
            for _, handler in self.handlers:
                within.copy().run(handler)
        return self.begun(run)

    def emit_as_registered(self):
        def run():
            for within, handler in self.handlers:
                within.copy().run(handler)
        return self.begun(run)

    def begun(self, run):
        thread = threading.Thread(target=run)
        thread.start()
        return thread


class Sessions:
    def __init__(self):
        self.local, self.count = threading.local(), 0

    def current(self):
        if not hasattr(self.local, 'number'):
            self.count += 1
            self.local.number = self.count
        return self.local.number


class Store:
    def __init__(self):
        self.rows = sqlite3.connect(':memory:')
        self.rows.execute('create table rows (key text, value int)')

    def put(self, key, value):
        self.rows.execute('insert into rows values (?, ?)', (key, value))

    def get(self, key):
        return self.rows.execute('select value from rows where key = ?', (key,)).fetchone()[0]


def run_both(here, there):
    thread = threading.Timer(0.02, there)
    thread.start()
    here()
    thread.join()


def call_for_ever(call):
    def run():
        while True:
            call()
    for _ in range(4):
        threading.Thread(target=run, daemon=True).start()
`,
    tests: `
import contextvars
import threading
from solution import Bus, Cache, Sessions, Store, Worker, call_for_ever, run_both, run_each, run_later

count = contextvars.ContextVar('count', default=0)


def counting(seen):
    def job():
        count.set(count.get() + 1)
        seen.append(count.get())
    return job


def test_daemon():
    seen, done = [], threading.Event()
    def job():
        seen.append(threading.current_thread().daemon)
        done.set()
    run_later(job)
    assert done.wait(10)
    assert seen == [True]


def test_each_begins_afresh():
    seen = []
    run_each([counting(seen)] * 4)
    assert seen == [1, 1, 1, 1]


def test_contexts():
    bus, seen = Bus(), []
    count.set(1)
    bus.on(lambda: seen.append(count.get()))
    count.set(2)
    bus.emit().join()
    bus.emit_as_registered().join()
    assert seen == [2, 1]


def test_worker_goes_on():
    seen = []
    with Worker() as worker:
        for _ in range(4):
            worker.submit(counting(seen))
    assert seen == [1, 2, 3, 4]


def test_shared_by_threads():
    loaded = []
    cache = Cache(lambda key: loaded.append(key) or key * 2)
    for _ in range(4):
        thread = threading.Thread(target=cache.get, args=(1,))
        thread.start()
        thread.join()
    assert loaded == [1]


def test_session_of_each_thread():
    sessions, seen, seen_all = Sessions(), [], threading.Event()
    assert sessions.current() == 1
    for _ in range(3):
        thread = threading.Thread(target=lambda: seen.append(sessions.current()))
        thread.start()
        thread.join()
    assert seen == [2, 3, 4]
    waiting = threading.Thread(target=seen_all.wait, args=(10,))
    waiting.start()
    assert sessions.current() == 1
    seen_all.set()
    waiting.join()


def test_store_of_one_thread():
    store, errors, ended = Store(), [], threading.Event()
    waiting = threading.Thread(target=ended.wait, args=(10,))
    waiting.start()
    store.put('a', 1)
    assert store.get('a') == 1
    def work():
        try:
            store.put('b', 2)
        except Exception as error:
            errors.append(type(error).__name__)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    ended.set()
    waiting.join()
    assert len(errors) == 1


def test_one_waits_for_the_other():
    ready, order = threading.Event(), []
    def there():
        order.append('there')
        ready.set()
    def here():
        order.append('here' if ready.wait(10) else 'too late')
    run_both(here, there)
    assert order == ['there', 'here']


def test_calls_go_on_at_the_end():
    times, third = [], threading.Event()
    def tick():
        times.append(1)
        if len(times) == 3:
            third.set()
    call_for_ever(tick)
    assert third.wait(10)
`,
    wrong: [
      ['target=job, daemon=True', 'target=job', 'test_daemon'],
      [
        '    for job in jobs:\n        thread = threading.Thread(target=job)',
        '    for _ in jobs[:1]:\n        thread = threading.Thread(target=lambda: [job() for job in jobs])',
        'test_each_begins_afresh',
      ],
      ['            job()\n', '            threading.Thread(target=job).start()\n', 'test_worker_goes_on'],
      ['        within = copy_context()\n', '        within = self.handlers[0][0]\n', 'test_contexts'],
      ['class Cache:', 'class Cache(threading.local):', 'test_shared_by_threads'],
      [
        'self.local, self.count = threading.local(), 0',
        "self.local, self.count = type('Local', (), {})(), 0",
        'test_session_of_each_thread',
      ],
      ["connect(':memory:')", "connect(':memory:', check_same_thread=False)", 'test_store_of_one_thread'],
      [
        '    here()\n    thread.join()',
        '    thread.join()\n    there()\n    here()',
        'test_one_waits_for_the_other',
      ],
    ],
  },
  {
    id: 'how many run at once, and what counts meanwhile',
    artifact: `
import threading
from concurrent.futures import ThreadPoolExecutor


class Limiter:
    def __init__(self, most):
        self.most = most

    def run(self, jobs):
        with ThreadPoolExecutor(self.most) as pool:
            return [each.result() for each in [pool.submit(job) for job in jobs]]


class Counter:
    def __init__(self):
        self.count, self.ended = 0, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.ended.wait(0.01):
            self.count += 1


def begin():
    return Counter()


def end(counter):
    counter.ended.set()
    counter.thread.join()
`,
    tests: `
import threading
import time
from solution import Limiter, begin, end


def test_at_most_two():
    limiter, active, most, lock = Limiter(2), 0, 0, threading.Lock()
    def job():
        nonlocal active, most
        with lock:
            active += 1
            most = max(most, active)
        time.sleep(0.03)
        with lock:
            active -= 1
    limiter.run([job] * 6)
    assert most == 2


def test_counts():
    counter, last = begin(), time.monotonic() + 100
    while counter.count < 3 and time.monotonic() < last:
        time.sleep(0.01)
    assert counter.count >= 3
    end(counter)


def test_counts_no_more():
    counter = begin()
    time.sleep(0.1)
    end(counter)
    count = counter.count
    assert count > 0
    time.sleep(0.1)
    assert counter.count == count
`,
    wrong: [
      ['ThreadPoolExecutor(self.most)', 'ThreadPoolExecutor(self.most + 1)', 'test_at_most_two'],
      ['    counter.ended.set()\n    counter.thread.join()\n', '    pass\n', 'test_counts_no_more'],
    ],
  },
  {
    id: 'what threads and tests leave behind',
    artifact: `
import logging
import threading

log = logging.getLogger('station')


class Station:
    def __init__(self):
        self.listeners, self.heard = [], 0
        self.thread = None

    def tell(self, text):
        def run():
            for each in list(self.listeners):
                each(text)
                self.heard += 1
            log.warning('told %s', text)
        thread = threading.Thread(target=run, name='speaker')
        thread.start()
        thread.join()


def attempt(functions):
    errors = []

    def run(function):
        try:
            function()
        except Exception as error:
            errors.append(error)
    for each in functions:
        thread = threading.Thread(target=run, args=(each,))
        thread.start()
        thread.join()
    if errors:
        raise errors[0]


def leave(functions):
    def run(function):
        while True:
            function()
    for each in functions:
        threading.Thread(target=run, args=(each,), daemon=True).start()
`,
    tests: `
import threading
import pytest
from solution import Station, attempt, leave


@pytest.fixture(scope='module')
def station():
    return Station()


@pytest.fixture
def heard(station):
    got = []
    station.listeners.append(got.append)
    yield got
    station.listeners.remove(got.append)


def test_listener_of_a_fixture(station, heard):
    station.tell('a')
    assert heard == ['a'] and station.heard == 1


def test_listeners_are_gone(station):
    assert station.listeners == []
    station.listeners.append(print)
    assert len(station.listeners) == 1
    station.listeners.remove(print)


def test_none_is_told(station):
    station.tell('b')
    assert station.listeners == [] and station.heard == 1


def test_names_in_logs(station, caplog):
    station.tell('c')
    assert [(record.threadName, record.getMessage()) for record in caplog.records] == [('speaker', 'told c')]


def test_cause():
    def fail():
        raise ValueError('outer') from KeyError('inner')
    with pytest.raises(ValueError, match='outer') as caught:
        attempt([fail])
    assert isinstance(caught.value.__cause__, KeyError)


def test_threads_that_are_left():
    third, count = threading.Event(), []
    def tick():
        count.append(1)
        if len(count) > 10:
            third.set()
    leave([tick] * 5)
    assert third.wait(10)
`,
    wrong: [
      ["name='speaker'", 'daemon=True', 'test_names_in_logs'],
      ['raise errors[0]', 'raise errors[0] from None', 'test_cause'],
      [
        'in list(self.listeners)',
        'in self.__dict__.setdefault("all", list(self.listeners))',
        'test_none_is_told',
      ],
    ],
  },
  {
    id: 'functions that wait for threads while a call is open',
    artifact: `
import threading
import time


def run(a, b):
    thread = threading.Thread(target=b)
    thread.start()
    found = a()
    thread.join()
    return found


def late(a, b):
    def after():
        time.sleep(0.05)
        b()
    thread = threading.Thread(target=after)
    thread.start()
    found = a()
    thread.join()
    return found


class Buffer:
    def __init__(self, changed, items, take):
        self.changed, self.items, self.take, self.over = changed, items, take, False
        self.thread = threading.Thread(target=self.run)

    def start(self):
        self.thread.start()

    def run(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.items or self.over)
                if not self.items:
                    return
                item = self.items.pop(0)
            self.take(item)

    def finish(self):
        with self.changed:
            self.over = True
            self.changed.notify_all()
        self.thread.join()
`,
    tests: `
import threading
from solution import Buffer, late, run


def test_at_once():
    event = threading.Event()
    assert run(lambda: event.wait(5), event.set) is True


def test_late():
    event = threading.Event()
    assert late(lambda: event.wait(5), event.set) is True


def test_twice():
    a, b, got = threading.Event(), threading.Event(), []
    def first():
        a.set()
        return b.wait(5)
    def second():
        got.append(a.wait(5))
        b.set()
    assert run(first, second) is True and got == [True]


def test_lock():
    lock, got = threading.Lock(), []
    def first():
        with lock:
            got.append('first')
        return True
    def second():
        with lock:
            threading.Event().wait(0.05)
            got.append('second')
    assert late(first, second) is True and sorted(got) == ['first', 'second']


def test_condition():
    changed, items, got = threading.Condition(), [1], []
    buffer = Buffer(changed, items, got.append)
    buffer.start()
    buffer.finish()
    assert got == [1] and items == []
`,
    wrong: [
      [
        '    found = a()\n    thread.join()\n    return found\n\n\ndef late',
        '    thread.join()\n    return a()\n\n\ndef late',
        'test_twice',
      ],
      ['        b()\n', '        pass\n', 'test_late'],
      ['            self.take(item)', '            self.take(-item)', 'test_condition'],
    ],
  },
  {
    id: 'sets of threads, and contexts that are many or gone',
    artifact: `
import threading
from contextvars import copy_context


class Item:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Item) and self.n == other.n

    def __hash__(self):
        return hash(self.n)


def fill(into, count):
    def run():
        for n in range(count):
            into.add(Item(n))
            threading.Event().wait(0.0005)
    threading.Thread(target=run, daemon=True).start()


class Queue:
    def __init__(self):
        self.jobs = []

    def put(self, job):
        self.jobs.append((copy_context(), job))

    def run(self):
        def work():
            for context, job in self.jobs:
                context.run(job)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()


def call(job):
    return job()


kept = []


def keep(part):
    kept.append(part)
`,
    tests: `
import contextvars
import gc
import time
import weakref
from solution import Item, Queue, call, fill, keep

current = contextvars.ContextVar('current', default=None)
owner = contextvars.ContextVar('owner', default=None)


class User:
    pass


def test_set_of_a_thread():
    found, end = set(), time.monotonic() + 10
    fill(found, 60)
    while len(found) < 60 and time.monotonic() < end:
        time.sleep(0.005)
    assert len(found) == 60
    assert Item(7) in found and Item(60) not in found


def test_each_in_its_context():
    queue, seen = Queue(), []
    for n in range(100):
        current.set(n)
        queue.put(lambda: seen.append(current.get()))
    queue.run()
    assert seen == list(range(100))


def test_context_lets_go():
    user = User()
    token = owner.set(user)
    assert call(lambda: owner.get() is user)
    owner.reset(token)
    seen = weakref.ref(user)
    del user, token
    assert call(lambda: owner.get() is None)
    gc.collect()
    assert seen() is None


def test_large_at_the_end():
    mine = []
    keep(mine)
    assert mine == []
    mine.append(mine)
`,
    wrong: [
      ['context.run(job)', 'job()', 'test_each_in_its_context'],
      ['into.add(Item(n))', 'into.add(Item(n + 1))', 'test_set_of_a_thread'],
    ],
  },
];
