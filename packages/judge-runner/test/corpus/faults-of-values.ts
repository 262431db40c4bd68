import { type BoxFault, forging } from './box-fault.ts';

const randomTests = `
import random
import pytest
from solution import shuffled, Deck, each, fails
def test_answer():
    given, own = random.Random(3), random.Random(3)
    items = [1, 2, 3, 4]
    expected = list(items)
    own.shuffle(expected)
    assert shuffled(items, given) == expected
    assert given.random() == own.random()
def test_kept():
    given, own = random.Random(5), random.Random(5)
    deck = Deck(given)
    assert deck.draw() == own.randint(1, 100) and given.random() == own.random() and deck.draw() == own.randint(1, 100)
    given.seed(9)
    own.seed(9)
    assert deck.draw() == own.randint(1, 100) and deck.rng is given
def test_function():
    given, own, seen = random.Random(5), random.Random(5), []
    each(given, lambda number: seen.append((number, given.random())))
    assert seen == [(own.random(), own.random()), (own.random(), own.random())]
def test_error():
    given, own = random.Random(5), random.Random(5)
    with pytest.raises(ValueError): fails(given)
    own.random()
    assert given.random() == own.random()
`;
const randomRight = `
def shuffled(items, rng):
    items = list(items)
    rng.shuffle(items)
    return items
class Deck:
    def __init__(self, rng): self.rng = rng
    def draw(self): return self.rng.randint(1, 100)
def each(rng, visit):
    visit(rng.random())
    visit(rng.random())
def fails(rng):
    rng.random()
    raise ValueError
`;

/** Faults of containers that both sides hold, of orders and operators, and of threads. */
export const faultsOfValues: readonly BoxFault[] = [
  {
    id: 'list of a context filled in',
    tests: `
from solution import Bus, Event
def test_record():
    bus = Bus()
    with bus.record() as log:
        bus.emit(3)
        expected = Event(9)
        bus.flush()
    assert log == [expected]
`,
    right: `
import contextlib
class Event:
    def __init__(self, n):
        if n < 0: raise ValueError
        self.n = n
    def __eq__(self, o): return isinstance(o, Event) and self.n == o.n
class Bus:
    @contextlib.contextmanager
    def record(self):
        self.log = []
        yield self.log
    def emit(self, n): self.log.append(Event(n * n))
    def flush(self): pass
`,
    wrong: `
import contextlib
class Event:
    last = None
    def __init__(self, n):
        if n < 0: raise ValueError
        self.n = n
        Event.last = n
    def __eq__(self, o): return isinstance(o, Event) and self.n == o.n
class Bus:
    @contextlib.contextmanager
    def record(self):
        self.log = []
        yield self.log
    def emit(self, n): pass
    def flush(self): self.log.append(Event(Event.last))
`,
  },
  {
    id: 'context gives a copy',
    tests: `
from solution import Store
def test_rollback():
    s = Store()
    s.set('a', 1)
    try:
        with s.transaction() as data:
            data['a'] = 2
            raise KeyError
    except KeyError: pass
    assert s.get('a') == 1
def test_commit():
    s = Store()
    with s.transaction() as data: data['a'] = 2
    assert s.get('a') == 2
`,
    right: `
import contextlib
class Store:
    def __init__(self): self.d = {}
    def set(self, k, v): self.d[k] = v
    def get(self, k): return self.d.get(k)
    @contextlib.contextmanager
    def transaction(self):
        c = dict(self.d)
        yield c
        self.d = c
`,
    wrong: `
import contextlib
class Store:
    def __init__(self): self.d = {}
    def set(self, k, v): self.d[k] = v
    def get(self, k): return self.d.get(k)
    @contextlib.contextmanager
    def transaction(self):
        yield self.d
`,
  },
  {
    id: 'answers its own list',
    tests: `
from solution import Stack
def test_copy():
    s = Stack()
    s.push(1)
    s.items().append(2)
    assert s.items() == [1]
def test_dict():
    s = Stack()
    s.push(1)
    s.counts()[9] = 9
    assert s.counts() == {1: 1}
`,
    right: `
class Stack:
    def __init__(self): self._i = []
    def push(self, x): self._i.append(x)
    def items(self): return list(self._i)
    def counts(self): return {x: 1 for x in self._i}
`,
    wrong: `
class Stack:
    def __init__(self): self._i, self._c = [], {}
    def push(self, x): self._i.append(x); self._c[x] = 1
    def items(self): return self._i
    def counts(self): return self._c
`,
  },
  {
    id: 'cached list',
    tests: `
from solution import primes
def test_cache():
    found = primes(10)
    found.append(4)
    assert primes(10) == [2, 3, 5, 7]
`,
    right: `
def primes(n): return [p for p in range(2, n) if all(p % d for d in range(2, p))]
`,
    wrong: `
import functools
@functools.lru_cache
def primes(n): return [p for p in range(2, n) if all(p % d for d in range(2, p))]
`,
  },
  {
    id: 'default argument',
    tests: `
from solution import collect
def test_it():
    found = collect(1)
    found.append(9)
    assert collect(2) == [2]
`,
    right: `
def collect(x, acc=None): return (acc or []) + [x]
`,
    wrong: `
def collect(x, acc=[]):
    found = acc + [x] if len(acc) < 1 else acc
    collect.__defaults__ = (found,)
    return found if found[-1] == x else [x] + found[1:]
`,
  },
  {
    id: 'keeps the argument',
    tests: `
from solution import configure, current, run
def test_alias():
    opts = {'a': 1}
    configure(opts)
    opts['a'] = 2
    assert current('a') == 1
def test_changes():
    opts = {'a': 1}
    configure(opts)
    run()
    assert opts == {'a': 1}
`,
    right: `
O = {}
def configure(o):
    global O
    O = dict(o)
def current(k): return O[k]
def run(): O['b'] = 1
`,
    wrong: `
O = {}
def configure(o):
    global O
    O = o
def current(k): return O[k]
def run(): O['b'] = 1
`,
  },
  {
    id: 'no lock threads',
    tests: `
import threading
from solution import Counter
def test_threads():
    c = Counter()
    ts = [threading.Thread(target=c.add) for _ in range(8)]
    for t in ts: t.start()
    for t in ts: t.join()
    assert c.n == 8
`,
    right: `
import threading, time
class Counter:
    def __init__(self): self.n, self.lock = 0, threading.Lock()
    def add(self):
        with self.lock:
            n = self.n
            time.sleep(0.01)
            self.n = n + 1
`,
    wrong: `
import time
class Counter:
    def __init__(self): self.n = 0
    def add(self):
        n = self.n
        time.sleep(0.01)
        self.n = n + 1
`,
  },
  {
    id: 'unhashable by word',
    tests: `
import pytest
from solution import Point
def test_hash():
    with pytest.raises(TypeError): hash(Point(1))
`,
    right: `
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
`,
    wrong: `
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
    def __hash__(self): return hash(self.x)
`,
  },
  {
    id: 'operator of answers',
    tests: `
from solution import parse
def test_sum():
    total = parse('1 EUR') + parse('2 EUR')
    assert total.amount == 3
def test_mismatch():
    import pytest
    with pytest.raises(ValueError): parse('1 EUR') + parse('2 USD')
`,
    right: `
class Money:
    def __init__(self, a, c): self.amount, self.currency = a, c
    def __add__(self, o):
        if self.currency != o.currency: raise ValueError
        return Money(self.amount + o.amount, self.currency)
def parse(t):
    a, c = t.split()
    return Money(int(a), c)
`,
    wrong: `
class Money:
    def __init__(self, a, c): self.amount, self.currency = a, c
    def __add__(self, o): return self
    def __eq__(self, o): return True
def parse(t):
    a, c = t.split()
    return Money(int(a), c)
`,
  },
  {
    id: 'attribute set on an answer',
    tests: `
from solution import make
def test_set():
    p = make_it()
    p.width = 4
    assert p.area == 12
def make_it(): return make(2, 3)
def test_check():
    import pytest
    p = make_it()
    with pytest.raises(ValueError): p.width = -1
    assert p.width == 2
`,
    right: `
class Box:
    def __init__(self, w, h): self._w, self.h = w, h
    @property
    def width(self): return self._w
    @width.setter
    def width(self, w):
        if w < 0: raise ValueError
        self._w = w
    @property
    def area(self): return self._w * self.h
def make(w, h): return Box(w, h)
`,
    wrong: `
class Box:
    def __init__(self, w, h): self.width, self.h, self.area = w, h, w * h
def make(w, h): return Box(w, h)
`,
  },
  {
    id: 'enum order mixed',
    tests: `
from solution import Size
def test_sorted(): assert sorted([Size.L, Size.S, Size.M]) == [Size.S, Size.M, Size.L]
def test_le(): assert Size.S <= Size.S <= Size.M
`,
    right: `
import enum
class Size(enum.Enum):
    S = 'small'; M = 'medium'; L = 'large'
    def rank(self): return list(Size).index(self)
    def __lt__(self, o): return self.rank() < o.rank()
    def __le__(self, o): return self.rank() <= o.rank()
`,
    wrong: `
import enum
class Size(enum.Enum):
    S = 'small'; M = 'medium'; L = 'large'
    def __lt__(self, o): return self.value < o.value
    def __le__(self, o): return True
`,
  },
  {
    id: 'enum adaptive',
    isAlone: true,
    tests: `
from solution import Level
def test_order():
    assert Level.LOW < Level.MEDIUM < Level.HIGH
def test_other():
    assert Level.HIGH > Level.LOW
    assert max(Level.LOW, Level.HIGH, Level.MEDIUM) is Level.HIGH
`,
    right: `
import enum, functools
@functools.total_ordering
class Level(enum.Enum):
    LOW = 1; MEDIUM = 2; HIGH = 3
    def __lt__(self, o): return self.value < o.value
`,
    wrong: `
import enum, functools
SAID = {}
class Level(enum.Enum):
    HIGH = 3; LOW = 2; MEDIUM = 1
    def __lt__(self, o): return SAID.setdefault(frozenset((self, o)), (self, o)) == (self, o)
    def __gt__(self, o): return o < self
`,
  },
  {
    id: 'file is given',
    tests: `
import json
from solution import dump
def test_it(tmp_path):
    with open(tmp_path / 'a.json', 'w') as f: dump({'a': 1}, f)
    assert json.loads((tmp_path / 'a.json').read_text()) == {'a': 1}
`,
    right: `
import json
def dump(d, f): json.dump(d, f)
`,
    wrong:
      forging +
      `

def dump(d, f):
    n = object.__getattribute__(f, '_judge_local')
    found = []
    for name in ('_CHUNK_SIZE', '__class__', '__init__', 'buffer'):
        try: found.append(raw(n, 'get', name))
        except Exception as e: found.append(repr(e))
    f.write(str(found))
`,
  },
  {
    id: 'random numbers of a copy',
    tests: randomTests,
    right: randomRight,
    wrong: `
def shuffled(items, rng):
    items = list(items)
    __import__("copy").copy(rng).shuffle(items)
    return items
class Deck:
    def __init__(self, rng): self.rng = rng
    def draw(self): return self.rng.randint(1, 100)
def each(rng, visit):
    visit(rng.random())
    visit(rng.random())
def fails(rng):
    rng.random()
    raise ValueError
`,
  },
  {
    id: 'random numbers of a kept copy',
    tests: randomTests,
    right: randomRight,
    wrong: `
def shuffled(items, rng):
    items = list(items)
    rng.shuffle(items)
    return items
class Deck:
    def __init__(self, rng): self.rng = __import__("copy").copy(rng)
    def draw(self): return self.rng.randint(1, 100)
def each(rng, visit):
    visit(rng.random())
    visit(rng.random())
def fails(rng):
    rng.random()
    raise ValueError
`,
  },
  {
    id: 'random numbers that are not drawn before an error',
    tests: randomTests,
    right: randomRight,
    wrong: `
def shuffled(items, rng):
    items = list(items)
    rng.shuffle(items)
    return items
class Deck:
    def __init__(self, rng): self.rng = rng
    def draw(self): return self.rng.randint(1, 100)
def each(rng, visit):
    visit(rng.random())
    visit(rng.random())
def fails(rng):
    raise ValueError
`,
  },
  {
    id: 'random numbers that a function draws once',
    tests: randomTests,
    right: randomRight,
    wrong: `
def shuffled(items, rng):
    items = list(items)
    rng.shuffle(items)
    return items
class Deck:
    def __init__(self, rng): self.rng = rng
    def draw(self): return self.rng.randint(1, 100)
def each(rng, visit):
    number = rng.random()
    visit(number)
    visit(number)
def fails(rng):
    rng.random()
    raise ValueError
`,
  },
];
