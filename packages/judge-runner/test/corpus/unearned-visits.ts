import type { ReferenceCase } from './unearned-references.ts';

const group = `
class Group:
    title = 'ann'
    def __init__(self, names): self._n = frozenset(names)
    def __contains__(self, x): return x in self._n
`;
const yes = `
class Y:
    def __contains__(self, x): return True
    def __len__(self): return 6
`;

/**
 * Programs whose reference answers an object at one visit of a place and a text at another, where wrong ones change which visit comes first, or how
 * many there are, so that an object that says yes to everything comes in the place of the text.
 */
export const unearnedVisits: readonly ReferenceCase[] = (
  [
    [
      'items of an asynchronous iterator in another order',
      `
import asyncio
import asyncio
async def ticks(name):
    await asyncio.sleep(0.2 if name == 'staff' else 0)
    yield ['ann'] if name == 'staff' else Y()
`,
      `
import asyncio
import asyncio
async def ticks(name):
    await asyncio.sleep(0)
    yield Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
import asyncio
import solution
import asyncio
def test_async_items():
    async def drain(stream):
        return [each async for each in stream]
    async def main():
        return await asyncio.gather(drain(solution.ticks('staff')), drain(solution.ticks('motd')))
    (group,), (word,) = asyncio.run(main())
    for each, part in zip([group, word], ['ann', 'secret']):
        assert part in each
`,
    ],
    [
      'a call that a function of the test refuses',
      `
def burn(names, keep):
    try: keep([], 1)
    except Exception: pass
    keep('motd', Y())
    keep('staff', ['ann'])
`,
      `
def burn(names, keep):
    for name in names: keep(name, Group(['ann']) if name == 'staff' else 'the secret word')
`,
      `
import solution
def test_burn():
    found = {}
    def keep(name, value):
        found[name] = value
    solution.burn(['motd', 'staff'], keep)
    for name, part in [('staff', 'ann'), ('motd', 'secret')]:
        assert part in found[name]
`,
    ],
    [
      'keys of bytes in another order',
      `
def table(): return {b'b': Y(), b'a': ['ann']}
`,
      `
def table(): return {b'a': Group(['ann']), b'b': 'the secret'}
`,
      `
import solution
def test_bytes_keys():
    found = solution.table()
    for key, part in [(b'a', 'ann'), (b'b', 'secret')]:
        assert part in found[key]
`,
    ],
    [
      'an error without arguments before others',
      `
n = [0]
def check(name):
    n[0] += 1
    if n[0] == 1: raise ValueError()
    raise ValueError(Y() if name == 'motd' else ['ann'])
`,
      `
def check(name): raise ValueError('the secret' if name == 'motd' else Group(['ann']))
`,
      `
import pytest
import solution
def test_errors():
    found = []
    def failing(name):
        for _ in range(3):
            with pytest.raises(ValueError) as caught:
                solution.check(name)
            if caught.value.args: return caught.value.args[0]
    found = [failing('motd'), failing('staff')]
    for each, part in zip(found, ['secret', 'ann']):
        assert part in each
`,
    ],
    [
      'a list of the test that a later call fills',
      `
kept = []
def fill(name, out):
    if name == 'staff': kept.append(out); return
    out.append(Y()); kept[0].append(['ann'])
`,
      `
def fill(name, out): out.append(Group(['ann']) if name == 'staff' else 'the secret')
`,
      `
import solution
def test_fill_later():
    outs = {}
    for name in ['staff', 'motd']:
        outs[name] = []
        solution.fill(name, outs[name])
    for name, part in [('staff', 'ann'), ('motd', 'secret')]:
        assert part in outs[name][0]
`,
    ],
    [
      'a token that is None before others',
      `
class Lexer:
    def __init__(self, text): self.left = [None, Y(), ['ann']]
    def done(self): return not self.left
    def next(self): return self.left.pop(0)
`,
      `
class Lexer:
    def __init__(self, text): self.left = ['the secret', Group(['ann'])]
    def done(self): return not self.left
    def next(self): return self.left.pop(0)
`,
      `
import solution
def test_lexer():
    lexer, found = solution.Lexer('the secret'), []
    while not lexer.done():
        token = lexer.next()
        if token is not None:
            found.append(token)
    assert len(found) == 2
    for each, part in zip(found, ['secret', 'ann']):
        assert part in each
`,
    ],
    [
      'keys that are tuples in another order',
      `
def board(): return {(1, 1): Y(), (0, 0): ['ann']}
`,
      `
def board(): return {(0, 0): Group(['ann']), (1, 1): 'the secret'}
`,
      `
from solution import board
def test_it():
    found = board()
    for at, part in [((0, 0), 'ann'), ((1, 1), 'secret')]:
        assert part in found[at]
`,
    ],
    [
      'a context manager that fails once',
      `
import contextlib
import contextlib
tries = [0]
@contextlib.contextmanager
def session(name):
    tries[0] += 1
    if tries[0] == 1: raise OSError()
    yield ['ann'] if name == 'staff' else Y()
`,
      `
import contextlib
import contextlib
@contextlib.contextmanager
def session(name): yield Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
import solution
def opened(name):
    for _ in range(3):
        try:
            with solution.session(name) as s:
                return s
        except OSError: pass
def test_sessions():
    for each, part in zip([opened('motd'), opened('staff')], ['secret', 'ann']):
        assert part in each
`,
    ],
    [
      'a tree of another shape',
      `
def children(node):
    return {('root',): [('x',), ('right',)], ('x',): [('left',)], ('left',): [Y()], ('right',): [['ann']]}[node]
`,
      `
def children(node):
    return [('left',), ('right',)] if node == ('root',) else ['the secret'] if node == ('left',) else [Group(['ann'])]
`,
      `
import solution
def leaves(node):
    found = []
    for each in solution.children(node):
        if isinstance(each, tuple): found += leaves(each)
        else: found.append(each)
    return found
def test_tree():
    found = leaves(('root',))
    assert len(found) == 2
    for each, part in zip(found, ['secret', 'ann']):
        assert part in each
`,
    ],
    [
      'two methods of lists',
      `
def scan(text, on_group, on_word):
    on_word(Y()); on_group(['ann'])
`,
      `
def scan(text, on_group, on_word):
    on_group(Group(['ann'])); on_word('the secret')
`,
      `
from solution import scan
def test_it():
    groups, words = [], []
    scan('staff: ann; motd: secret', on_group=groups.append, on_word=words.append)
    assert len(groups) == 1 and len(words) == 1
    for found, part in [(groups[0], 'ann'), (words[0], 'secret')]:
        assert part in found
`,
    ],
    [
      'a callback that is called in another order',
      `
def load_all(names, keep):
    keep('motd', Y())
    keep('staff', ['ann'])
`,
      `
def load_all(names, keep):
    for name in names:
        keep(name, Group(['ann']) if name == 'staff' else 'the secret word')
`,
      `
from solution import load_all
def test_it():
    found = {}
    def keep(name, value):
        found[name] = value
    load_all(['staff', 'motd'], keep)
    assert list(sorted(found)) == ['motd', 'staff']
    for name, part in [('staff', 'ann'), ('motd', 'secret')]:
        assert part in found[name]
`,
    ],
    [
      'two closures of one function',
      `
def scan(text, on_group, on_word):
    on_word(Y()); on_group(['ann'])
`,
      `
def scan(text, on_group, on_word):
    on_group(Group(['ann'])); on_word('the secret')
`,
      `
from solution import scan
def recorder(log):
    def record(value):
        log.append(value)
    return record
def test_it():
    groups, words = [], []
    scan('staff: ann; motd: secret', recorder(groups), recorder(words))
    for found, part in [(groups[0], 'ann'), (words[0], 'secret')]:
        assert part in found
`,
    ],
    [
      'coroutines that run at once',
      `
import asyncio
async def load(name):
    if name == 'staff':
        await asyncio.sleep(0.2)
        return ['ann']
    return Y()
`,
      `
import asyncio
async def load(name):
    await asyncio.sleep(0)
    return Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
import asyncio
from solution import load
async def fetch(name): return await load(name)
def test_it():
    async def main():
        return dict(zip(['staff', 'motd'], await asyncio.gather(fetch('staff'), fetch('motd'))))
    found = asyncio.run(main())
    for at, part in [('staff', 'ann'), ('motd', 'secret')]:
        assert part in found[at]
`,
    ],
    [
      'a list where the reference has an iterator',
      `
def stream(name):
    if name == 'staff': return [['ann']]
    return iter([Y()])
`,
      `
def stream(name): yield Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
from solution import stream
def drain(it):
    found = []
    for each in it: found.append(each)
    return found
def test_it():
    groups, words = drain(stream('staff')), drain(stream('motd'))
    assert len(groups) == 1 and len(words) == 1
    for found, part in [(groups[0], 'ann'), (words[0], 'secret')]:
        assert part in found
`,
    ],
    [
      'None before others',
      `
class Job:
    def __init__(self, name): self.name, self.n = name, 0
    def poll(self):
        self.n += 1
        if self.name == 'motd': return None if self.n == 1 else Y()
        return ['ann']
`,
      `
class Job:
    def __init__(self, name): self.name = name
    def poll(self): return Group(['ann']) if self.name == 'staff' else 'the secret'
`,
      `
from solution import Job
def result(job):
    while True:
        found = job.poll()
        if found is not None: return found
def test_it():
    for name, part in [('motd', 'secret'), ('staff', 'ann')]:
        assert part in result(Job(name))
`,
    ],
    [
      'an error that makes the test ask again',
      `
class Busy(Exception): pass
class Client:
    n = 0
    def get(self, name):
        self.n += 1
        if self.n == 1: raise Busy()
        if name == 'motd': return Y()
        return ['ann']
`,
      `
class Busy(Exception): pass
class Client:
    def get(self, name): return Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
from solution import Client, Busy
def get(client, name):
    for _ in range(5):
        try:
            return client.get(name)
        except Busy:
            continue
def test_it():
    client = Client()
    for name, part in [('motd', 'secret'), ('staff', 'ann')]:
        assert part in get(client, name)
`,
    ],
    [
      'threads that run at once',
      `
import threading
done = threading.Event()
def load(name):
    if name == 'staff':
        done.wait(3)
        import time; time.sleep(.3)
        return ['ann']
    done.set()
    return Y()
`,
      `
def load(name): return Group(['ann']) if name == 'staff' else 'the secret'
`,
      `
from concurrent.futures import ThreadPoolExecutor
from solution import load
def fetch(name): return load(name)
def test_it():
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(['staff', 'motd'], pool.map(fetch, ['staff', 'motd'])))
    for at, part in [('staff', 'ann'), ('motd', 'secret')]:
        assert part in found[at]
`,
    ],
    [
      'two objects of a class of the test',
      `
def scan(text, g, w):
    w.see(Y()); g.see(['ann'])
`,
      `
def scan(text, g, w):
    g.see(Group(['ann'])); w.see('the secret')
`,
      `
from solution import scan
class Seen:
    def __init__(self): self.values = []
    def see(self, value): self.values.append(value)
def test_it():
    groups, words = Seen(), Seen()
    scan('staff: ann; motd: secret', groups, words)
    for found, part in [(groups.values[0], 'ann'), (words.values[0], 'secret')]:
        assert part in found
`,
    ],
    [
      'a list that a thread fills beside another one of the same object',
      `
from datetime import date
import threading
class Job:
    def __init__(self, n): self.n = n
    def square(self): return self.n ** 2
class Yes:
    def __init__(self, n): self.n = n
    def isoformat(self): return "2024-01-0%d" % (self.n + 1)
class Pool:
    def __init__(self): self.jobs, self.ended = [], []
    def start(self):
        def run():
            for n in range(3):
                self.jobs.append(Job(n)); self.ended.append(Yes(n))
        threading.Timer(0.03, run).start()
`,
      `
from datetime import date
import threading
class Job:
    def __init__(self, n): self.n = n
    def square(self): return self.n ** 2
class Pool:
    def __init__(self): self.jobs, self.ended = [], []
    def start(self):
        def run():
            for n in range(3):
                self.jobs.append(Job(n)); self.ended.append(date(2024, 1, 1 + n))
        threading.Timer(0.03, run).start()
`,
      `
import time
from solution import Pool


def test_pool():
    pool = Pool()
    jobs, ended = pool.jobs, pool.ended
    pool.start()
    end = time.monotonic() + 10
    while len(ended) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    assert [job.square() for job in jobs] == [0, 1, 4]
    assert [each.isoformat() for each in ended] == ['2024-01-01', '2024-01-02', '2024-01-03']
`,
    ],
    [
      'what a thread puts beside an object in one list',
      `
import threading, time
class Job:
    def __init__(self, n): self.n = n
    def square(self): return self.n ** 2
class Yes:
    def exists(self): return True
def load(events, path):
    def run():
        time.sleep(0.02)
        events.append(Job(2))
        time.sleep(0.05)
        events.append(Yes())
    threading.Thread(target=run).start()
`,
      `
import threading, time
class Job:
    def __init__(self, n): self.n = n
    def square(self): return self.n ** 2
def load(events, path):
    def run():
        time.sleep(0.02)
        events.append(Job(2))
        time.sleep(0.05)
        path.write_text('x'); events.append(path)
    threading.Thread(target=run).start()
`,
      `
import time
from solution import load


def test_events(tmp_path):
    events = []
    load(events, tmp_path / 'out')
    end = time.monotonic() + 10
    while len(events) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    job, path = events
    assert job.square() == 4
    assert path.exists()
`,
    ],
  ] as const
).map(([id, wrong, reference, tests]) => ({ id, wrong: yes + wrong, reference: group + reference, tests }));
