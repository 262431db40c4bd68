import type { WrongParts } from '../wrong-parts.ts';

const weakTests = `
import gc
from functools import partial
import pytest
from solution import Bus, Cache, Typed, Registry
class Listener:
    def __init__(self):
        self.got = []
    def on(self, x):
        self.got.append(x)
    def other(self, x):
        self.got.append(-x)
@pytest.fixture
def bus():
    return Bus()
def test_function_held(bus):
    got = []
    def handler(x):
        got.append(x)
    bus.subscribe(handler)
    bus.publish(1)
    bus.publish(2)
    assert got == [1, 2]
    del handler
    bus.publish(3)
    assert got == [1, 2]
    assert bus.count() == 0
def test_lambda_gone(bus):
    got = []
    bus.subscribe(lambda x: got.append(x))
    bus.publish(1)
    assert got == []
def test_method_held(bus):
    a, b = Listener(), Listener()
    bus.subscribe(a.on)
    bus.subscribe(b.on)
    bus.subscribe(b.other)
    bus.publish(1)
    bus.publish(2)
    assert a.got == [1, 2]
    assert b.got == [1, -1, 2, -2]
    del a
    bus.publish(3)
    assert b.got == [1, -1, 2, -2, 3, -3]
    assert bus.count() == 2
def test_method_gone(bus):
    got = []
    class Noting:
        def on(self, x):
            got.append(x)
    bus.subscribe(Noting().on)
    bus.publish(1)
    assert got == []
def test_kept_again(bus):
    got = []
    def handler(x):
        got.append(x)
    bus.subscribe(handler)
    bus.publish(0)
    bus.keep(handler)
    del handler
    bus.publish(1)
    assert got == [0, 1]
    bus.drop()
    bus.publish(2)
    assert got == [0, 1]
def test_unsubscribe(bus):
    a = Listener()
    bus.subscribe(a.on)
    bus.unsubscribe(a.on)
    bus.publish(1)
    assert a.got == []
    bus.subscribe(a.on)
    bus.subscribe(a.on)
    bus.publish(1)
    assert a.got == [1]
def test_cycle(bus):
    a = Listener()
    a.me = a
    bus.subscribe(a.on)
    assert bus.count() == 1
    del a
    gc.collect()
    assert bus.count() == 0
def test_held_in_list(bus):
    got = []
    handlers = [lambda x, n=n: got.append((n, x)) for n in range(3)]
    for each in handlers:
        bus.subscribe(each)
    bus.publish('a')
    assert got == [(0, 'a'), (1, 'a'), (2, 'a')]
    del each
    handlers.pop()
    bus.publish('b')
    assert got[3:] == [(0, 'b'), (1, 'b')]
def test_decorator(bus):
    got = []
    @bus.subscribe
    def handler(x):
        got.append(x)
    bus.publish(1)
    assert got == [1]
    assert handler(5) is None
    assert got == [1, 5]
def test_partial(bus):
    got = []
    handler = partial(got.append)
    bus.subscribe(handler)
    bus.publish(1)
    assert got == [1]
def test_cache():
    c = Cache()
    k = Listener()
    c.put(k, 'v')
    assert c.get(k) == 'v'
    assert len(c) == 1
    c.put(Listener(), 'w')
    assert len(c) == 1
    del k
    assert len(c) == 0
class Point:
    x = Typed(int)
    y = Typed(int)
    def __init__(self, x, y):
        self.x, self.y = x, y
def test_descriptor():
    p, q = Point(1, 2), Point(3, 4)
    assert (p.x, p.y, q.x, q.y) == (1, 2, 3, 4)
    p.x = 5
    assert (p.x, q.x) == (5, 3)
    with pytest.raises(TypeError):
        p.x = 'a'
    assert [Point(n, n).x for n in range(5)] == [0, 1, 2, 3, 4]
def test_registry_of_objects():
    r = Registry()
    a = r.register(Listener())
    assert r.get(a) is a
    assert r.alive() == 1
    a = None
    assert r.alive() == 0
def test_subscribed_inside(bus):
    got, held = [], []
    def outer(x):
        def inner(y):
            got.append(y)
        held.append(inner)
        bus.subscribe(inner)
    bus.subscribe(outer)
    bus.publish(1)
    bus.publish(2)
    assert got == [2]
    held.clear()
    got.clear()
    bus.publish(3)
    assert got == []
def test_gone_inside(bus):
    got = []
    a = Listener()
    held = [a]
    def first(x):
        held.clear()
    bus.subscribe(first)
    bus.subscribe(a.on)
    got_of_a = a.got
    del a
    bus.publish(1)
    assert got_of_a == []
`;

/** Programs of which tests see how long things live that both hold. */
export const lifetimeCases: readonly WrongParts[] = [
  {
    id: 'handlers that a program holds',
    artifact: `
import weakref
class Bus:
    def __init__(self): self.handlers = []
    def subscribe(self, handler): self.handlers.append(handler)
    def on(self, handler):
        self.subscribe(handler)
        return handler
    def publish(self, value):
        for handler in list(self.handlers): handler(value)
class Listeners:
    def __init__(self): self.all = []
    def add(self, listener): self.all.append(listener)
    def notify(self, value):
        for each in list(self.all): each.on(value)
class Calls:
    def __init__(self): self.made = []
    def put(self, handler): self.made.append(handler)
    def run(self): return [each() for each in self.made]
class Keys:
    def __init__(self): self.values = {}
    def put(self, key, value): self.values[key] = value
    def __len__(self): return len(self.values)
`,
    tests: `
from functools import partial
from solution import Bus, Calls, Keys, Listeners
class Listener:
    def __init__(self, got): self.got = got
    def on(self, value): self.got.append(value)
def test_lambda():
    bus, got = Bus(), []
    bus.subscribe(lambda value: got.append(value))
    bus.publish(1)
    assert got == [1]
def test_method():
    bus, got = Bus(), []
    bus.subscribe(Listener(got).on)
    bus.publish(1)
    assert got == [1]
def test_scope():
    bus, got = Bus(), []
    def subscribe(number):
        def handler(value): got.append(number * value)
        bus.subscribe(handler)
    for number in (1, 2):
        subscribe(number)
    bus.publish(10)
    assert got == [10, 20]
def test_decorator():
    bus, got = Bus(), []
    @bus.on
    def handler(value): got.append(value)
    bus.publish(1)
    assert got == [1]
    del handler
    bus.publish(2)
    assert got == [1, 2]
def test_listener():
    all, got = Listeners(), []
    all.add(Listener(got))
    all.notify(1)
    assert got == [1]
def test_partial():
    calls = Calls()
    calls.put(partial(lambda value: value + 1, 4))
    assert calls.run() == [5]
def test_keys():
    keys = Keys()
    keys.put(Listener([]), 1)
    keys.put(Listener([]), 2)
    assert len(keys) == 2
`,
    wrong: [
      [
        'self.handlers = []',
        'self.handlers = weakref.WeakSet(); self.handlers.append = self.handlers.add',
        'test_lambda',
      ],
      ['self.handlers.append(handler)', 'self.handlers.append(weakref.proxy(handler))', 'test_scope'],
      [
        'handler(value)',
        '(handler() or print)(value)\n    def subscribe(self, f): self.handlers.append(weakref.WeakMethod(f) if hasattr(f, "__self__") else lambda: f)',
        'test_method',
      ],
      ['self.subscribe(handler)', 'self.subscribe(weakref.proxy(handler))', 'test_decorator'],
      ['self.all = []', 'self.all = weakref.WeakSet(); self.all.append = self.all.add', 'test_listener'],
      ['self.made.append(handler)', 'self.made.append(weakref.proxy(handler))', 'test_partial'],
      ['self.values = {}', 'self.values = weakref.WeakKeyDictionary()', 'test_keys'],
    ],
  },
  {
    id: 'handlers, keys and values that a program holds weakly',
    artifact: `
import weakref
class Bus:
    def __init__(self):
        self._refs, self._kept = [], []
    def subscribe(self, f):
        ref = weakref.WeakMethod(f) if hasattr(f, '__self__') and hasattr(f, '__func__') else weakref.ref(f)
        if ref not in self._refs:
            self._refs.append(ref)
        return f
    def unsubscribe(self, f):
        self._refs = [r for r in self._refs if r() != f]
    def keep(self, f):
        self._kept.append(f)
    def drop(self):
        self._kept.clear()
    def publish(self, v):
        for r in list(self._refs):
            f = r()
            if f is None:
                self._refs.remove(r)
            else:
                f(v)
    def count(self):
        return sum(r() is not None for r in self._refs)
class Cache:
    def __init__(self):
        self._d = weakref.WeakKeyDictionary()
    def put(self, k, v):
        self._d[k] = v
    def get(self, k):
        return self._d[k]
    def __len__(self):
        return len(self._d)
class Typed:
    def __init__(self, kind):
        self.kind, self.values = kind, weakref.WeakKeyDictionary()
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, owner, kind=None):
        return self if owner is None else self.values[owner]
    def __set__(self, owner, value):
        if not isinstance(value, self.kind):
            raise TypeError(self.name)
        self.values[owner] = value
class Registry:
    def __init__(self):
        self._s = weakref.WeakSet()
    def register(self, x):
        self._s.add(x)
        return x
    def get(self, x):
        return next(y for y in self._s if y is x)
    def alive(self):
        return len(self._s)
`,
    tests: weakTests,
    wrong: [
      [
        "weakref.WeakMethod(f) if hasattr(f, '__self__') and hasattr(f, '__func__') else weakref.ref(f)",
        'lambda: f',
        'test_method_gone',
      ],
      [
        "weakref.WeakMethod(f) if hasattr(f, '__self__') and hasattr(f, '__func__') else weakref.ref(f)",
        'weakref.ref(f)',
        'test_method_held',
      ],
      [
        "weakref.WeakMethod(f) if hasattr(f, '__self__') and hasattr(f, '__func__') else weakref.ref(f)",
        'weakref.ref(f)',
        'test_unsubscribe',
      ],
      ['else weakref.ref(f)', 'else lambda: f', 'test_lambda_gone'],
      ['self._kept.append(f)', 'self._kept.append(weakref.ref(f))', 'test_kept_again'],
      ['self._kept.clear()', 'pass', 'test_kept_again'],
      ['self._d = weakref.WeakKeyDictionary()', 'self._d = {}', 'test_cache'],
      ['self._s = weakref.WeakSet()', 'self._s = set()', 'test_registry_of_objects'],
    ],
  },
  {
    id: 'the same with finalizers',
    artifact: `
from weakref import finalize, ref, WeakValueDictionary, WeakKeyDictionary
class Bus:
    def __init__(self):
        self._next, self._live, self._kept = 0, {}, []
    def subscribe(self, f):
        owner = getattr(f, '__self__', None)
        func = getattr(f, '__func__', None)
        if func is not None:
            for o, fn in self._live.values():
                if fn is func and o() is owner:
                    return f
            entry, target = (ref(owner), func), owner
        else:
            entry, target = (ref(f), None), f
        n = self._next = self._next + 1
        self._live[n] = entry
        finalize(target, self._live.pop, n, None).atexit = False
        return f
    def unsubscribe(self, f):
        self._live = {n: (o, fn) for n, (o, fn) in self._live.items() if not (o() is getattr(f, '__self__', f) and fn in (None, getattr(f, '__func__', None)))}
    def keep(self, f):
        self._kept.append(f)
    def drop(self):
        del self._kept[:]
    def publish(self, v):
        for n in list(self._live):
            if n not in self._live:
                continue
            o, fn = self._live[n]
            owner = o()
            if owner is not None:
                owner(v) if fn is None else fn(owner, v)
    def count(self):
        return len(self._live)
class Cache:
    def __init__(self):
        self._d = {}
    def put(self, k, v):
        self._d[id(k)] = v
        finalize(k, self._d.pop, id(k), None)
    def get(self, k):
        return self._d[id(k)]
    def __len__(self):
        return len(self._d)
class Typed:
    def __init__(self, kind):
        self.kind, self.values = kind, WeakKeyDictionary()
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, owner, kind=None):
        return self if owner is None else self.values[owner]
    def __set__(self, owner, value):
        if not isinstance(value, self.kind):
            raise TypeError(self.name)
        self.values[owner] = value
class Registry:
    def __init__(self):
        self._s = WeakValueDictionary()
    def register(self, x):
        self._s[id(x)] = x
        return x
    def get(self, x):
        return self._s[id(x)]
    def alive(self):
        return len(self._s)
`,
    tests: weakTests,
    wrong: [
      ['(ref(f), None), f', '(lambda: f, None), f', 'test_lambda_gone'],
      ['finalize(target, self._live.pop, n, None).atexit = False', 'pass', 'test_method_held'],
      ['finalize(k, self._d.pop, id(k), None)', 'pass', 'test_cache'],
    ],
  },
  {
    id: 'things of a test that it looks for',
    artifact: `
class Session:
    def __init__(self): self.done = []
    def run(self, job):
        self.done.append(job.name)
        return job.run()
    def each(self, function, items): return [function(each) for each in items]
    def close(self): self.done.clear()
class Pool:
    def __init__(self): self.parts = []
    def put(self, part): self.parts.append(part)
    def take(self): return self.parts.pop()
    def clear(self): self.parts.clear()
`,
    tests: `
import gc
import weakref
from solution import Pool, Session
class Job:
    def __init__(self, name): self.name = name
    def run(self): return 5
    def double(self, value): return 2 * value
def test_job():
    session, job = Session(), Job('a')
    found = weakref.ref(job)
    assert session.run(job) == 5
    assert found() is job
    del job
    gc.collect()
    assert found() is None
def test_function():
    def double(value): return 2 * value
    found = weakref.ref(double)
    assert Session().each(double, [1, 2]) == [2, 4]
    del double
    assert found() is None
def test_method():
    job = Job('a')
    found = weakref.ref(job)
    assert Session().each(job.double, [1, 2]) == [2, 4]
    del job
    assert found() is None
def test_pool():
    pool, job = Pool(), Job('a')
    found = weakref.ref(job)
    pool.put(job)
    del job
    gc.collect()
    assert found() is not None
    assert pool.take() is found()
    assert found() is None
def test_cleared():
    pool, job = Pool(), Job('a')
    found = weakref.ref(job)
    pool.put(job)
    del job
    pool.clear()
    assert found() is None
`,
    wrong: [
      ['self.done.append(job.name)', 'self.done.append(job)', 'test_job'],
      [
        'return [function(each) for each in items]',
        'self.last = function; LAST.append(self); return [function(each) for each in items]\nLAST = []\nclass Other:\n    pass',
        'test_function',
      ],
      [
        'return [function(each) for each in items]',
        'LAST.append(function); return [function(each) for each in items]\n    def close(self): self.done.clear()\nLAST = []\nclass Other:\n    pass',
        'test_method',
      ],
      ['self.parts.pop()', 'self.parts[-1]', 'test_pool'],
      ['self.parts.clear()', 'pass', 'test_cleared'],
    ],
  },
  {
    id: 'objects of a program that it holds weakly',
    artifact: `
import weakref
class Tree:
    def __init__(self, name, parent=None):
        self.name, self.kids = name, []
        self._parent = None if parent is None else weakref.ref(parent)
    @property
    def parent(self):
        return None if self._parent is None else self._parent()
    def add(self, name):
        kid = Tree(name, self)
        self.kids.append(kid)
        return kid
    def path(self):
        found, at = [], self
        while at is not None:
            found.insert(0, at.name)
            at = at.parent
        return found
class Color:
    _made = weakref.WeakValueDictionary()
    def __new__(cls, name):
        made = cls._made.get(name)
        if made is None:
            made = cls._made[name] = super().__new__(cls)
            made.name = name
        return made
    @classmethod
    def alive(cls):
        return len(cls._made)
class Item:
    def __init__(self, name):
        self.name = name
class Cache:
    def __init__(self):
        self._made = weakref.WeakValueDictionary()
    def get(self, name):
        try:
            return self._made[name]
        except KeyError:
            made = self._made[name] = Item(name)
            return made
    def __len__(self):
        return len(self._made)
class Pool:
    def __init__(self):
        self._items = weakref.WeakSet()
    def add(self, item):
        self._items.add(item)
    def has(self, item):
        return item in self._items
    def names(self):
        return sorted(each.name for each in self._items)
    def check(self, item):
        raise ValueError(item.name)
class Observer:
    def __init__(self):
        self.seen = []
    def on(self, value):
        self.seen.append(value)
class Subject:
    def __init__(self):
        self._observers = []
    def observe(self):
        made = Observer()
        self._observers.append(weakref.WeakMethod(made.on))
        return made
    def set(self, value):
        for each in self._observers:
            call = each()
            if call is not None:
                call(value)
    def count(self):
        return sum(each() is not None for each in self._observers)
class Connection:
    def __init__(self, log):
        weakref.finalize(self, log.append, 'closed')
    def ping(self):
        return 'pong'
`,
    tests: `
import pytest
from solution import Cache, Color, Connection, Item, Pool, Subject, Tree
def test_parent():
    root = Tree('root')
    kid = root.add('kid')
    grandkid = kid.add('grandkid')
    assert kid.parent is root
    assert grandkid.parent.parent.name == 'root'
    assert [each.name for each in root.kids] == ['kid']
    assert grandkid.path() == ['root', 'kid', 'grandkid']
def test_parent_gone():
    kid = Tree('root').add('kid')
    assert kid.parent is None
def test_method_holds():
    add = Tree('root').add
    kid = add('kid')
    assert kid.parent.name == 'root'
def test_flyweight():
    a, b = Color('red'), Color('red')
    assert a is b
    assert Color('blue') is not a
    assert Color.alive() == 1
    del a, b
    assert Color.alive() == 0
def test_cache():
    c = Cache()
    item = c.get('a')
    assert c.get('a') is item
    assert len(c) == 1
    kept = [c.get('b'), c.get('c')]
    assert len(c) == 3
    kept.pop()
    assert len(c) == 2
    del item
    assert len(c) == 1
    assert c.get('b') is kept[0]
def test_pool():
    p = Pool()
    one = Item('a')
    p.add(one)
    p.add(Item('b'))
    assert p.names() == ['a']
    one = None
    assert p.names() == []
def test_held_elsewhere():
    p = Pool()
    holders = {'a': Item('a'), 'b': (Item('b'),)}
    p.add(holders['a'])
    p.add(holders['b'][0])
    assert p.names() == ['a', 'b']
    class Holder:
        pass
    h = Holder()
    h.item = Item('c')
    p.add(h.item)
    assert p.names() == ['a', 'b', 'c']
    holders.clear()
    assert p.names() == ['c']
def test_subject():
    s = Subject()
    observer = s.observe()
    s.set(5)
    assert observer.seen == [5]
    s.set(6)
    assert observer.seen == [5, 6]
    other = s.observe()
    s.set(7)
    assert (observer.seen, other.seen) == ([5, 6, 7], [7])
    assert s.count() == 2
    del other
    assert s.count() == 1
def test_values():
    p = Pool()
    items = [Item(str(n)) for n in range(20)]
    for each in items:
        p.add(each)
    assert len(p.names()) == 20
    del each
    del items[10:]
    assert len(p.names()) == 10
    assert all(p.has(each) for each in items)
    assert not p.has(Item('3'))
def test_finalized():
    log = []
    c = Connection(log)
    assert c.ping() == 'pong'
    del c
    assert Connection([]).ping() == 'pong'
    assert log == ['closed']
def test_raises():
    p = Pool()
    item = Item('a')
    with pytest.raises(ValueError):
        p.check(item)
    p.add(item)
    assert p.names() == ['a']
`,
    wrong: [
      ['weakref.ref(parent)', 'lambda: parent', 'test_parent_gone'],
      [
        '_made = weakref.WeakValueDictionary()\n    def __new__',
        '_made = {}\n    def __new__',
        'test_flyweight',
      ],
      ['self._made = weakref.WeakValueDictionary()', 'self._made = {}', 'test_cache'],
      ['self._items = weakref.WeakSet()', 'self._items = set()', 'test_pool'],
      ['self._items = weakref.WeakSet()', 'self._items = set()', 'test_held_elsewhere'],
      ['weakref.WeakMethod(made.on)', 'lambda: made.on', 'test_subject'],
      ['weakref.WeakMethod(made.on)', 'weakref.ref(made.on)', 'test_subject'],
      ["weakref.finalize(self, log.append, 'closed')", 'self.log = log', 'test_finalized'],
    ],
  },
  {
    id: 'objects of a program that it holds',
    artifact: `
import weakref
from contextlib import contextmanager
from dataclasses import dataclass
class Node:
    def __init__(self, name, parent=None):
        self.name = name
        self._p = REF(parent)
    @property
    def parent(self):
        return self._p()
    def add(self, name):
        return Node(name, self)
REF = lambda part: lambda: part
def pair():
    p = Node('p')
    return p, p.add('c')
def nodes(n):
    found = [Node('n0')]
    for i in range(1, n):
        found.append(found[-1].add('n%d' % i))
    return found
def by_name():
    root = Node('root')
    return {'root': root, 'kid': root.add('kid')}
class Graph:
    def __init__(self):
        self._edges = []
    def link(self, a, b):
        self._edges.append((REF(a), REF(b)))
    def edges(self):
        return [(a().name, b().name) for a, b in self._edges if a() and b()]
@dataclass
class Point:
    x: int
    y: int
class Key:
    def __init__(self, name):
        self.name = name
    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name
    def __hash__(self):
        return hash(self.name)
class Store:
    def __init__(self):
        self._d = {}
        self._tags = {}
    def put(self, name, part):
        self._d[name] = part
    def get(self, name):
        return self._d[name]
    def tag(self, key, value):
        self._tags[key] = value
    def tags(self):
        return sorted(self._tags.values())
    def tagged(self, key):
        return self._tags[key]
class Listener:
    def __init__(self, name):
        self.name = name
    def on(self, value):
        return value
def make(name):
    return Listener(name)
class Watcher:
    def __init__(self):
        self._all = []
    def watch(self, f):
        self._all.append(REF(f))
    def fire(self, value):
        return [f()(value) for f in self._all if f() is not None]
def wrap(f):
    def wrapped(x):
        return f(x)
    return wrapped
class Registry:
    def __init__(self):
        self._all = []
    def add(self, f):
        self._all.append(REF(f))
    def run(self, value):
        return [f()(value) for f in self._all if f() is not None]
class Opened:
    def __init__(self):
        self._owner = REF(Node('o'))
    @property
    def owner(self):
        return self._owner()
@contextmanager
def opened():
    yield Opened()
`,
    tests: `
from solution import Node, pair, nodes, by_name, Graph, Point, Store, Key, Watcher, make, wrap, Registry, opened
def test_pair():
    child = pair()[1]
    assert child.parent.name == 'p'
def test_nodes():
    last = nodes(3)[-1]
    assert last.parent.name == 'n1'
def test_by_name():
    kid = by_name()['kid']
    assert kid.parent.name == 'root'
def test_chain():
    assert Node('a').add('b').add('c').parent.parent.name == 'a'
def test_graph():
    g = Graph()
    g.link(Node('a'), Node('b'))
    assert g.edges() == [('a', 'b')]
    for name in 'cd':
        g.link(Node(name), Node('e'))
    assert g.edges() == [('a', 'b'), ('c', 'e'), ('d', 'e')]
def test_store():
    s = Store()
    s.put('p', Point(1, 2))
    assert s.get('p').x == 1
    assert s.get('p') == Point(1, 2)
def test_keys():
    s = Store()
    s.tag(Key('k'), 5)
    assert s.tags() == [5]
    assert s.tagged(Key('k')) == 5
def test_watcher():
    w = Watcher()
    w.watch(make('x').on)
    assert w.fire(3) == [3]
def test_wrapped():
    r = Registry()
    r.add(wrap(lambda x: x + 1))
    assert r.run(1) == [2]
def test_factory():
    r = Registry()
    r.add(make('y').on)
    r.add(make('z').on)
    assert r.run(4) == [4, 4]
def test_context():
    with opened() as o:
        pass
    assert o.owner.name == 'o'
`,
    wrong: [
      ['self._p = REF(parent)', 'self._p = weakref.ref(parent) if parent else REF(None)', 'test_pair'],
      ['self._p = REF(parent)', 'self._p = weakref.ref(parent) if parent else REF(None)', 'test_nodes'],
      ['self._p = REF(parent)', 'self._p = weakref.ref(parent) if parent else REF(None)', 'test_by_name'],
      ['(REF(a), REF(b))', '(weakref.ref(a), weakref.ref(b))', 'test_graph'],
      ['self._d = {}', 'self._d = weakref.WeakValueDictionary()', 'test_store'],
      ['self._tags = {}', 'self._tags = weakref.WeakKeyDictionary()', 'test_keys'],
      [
        'def watch(self, f):\n        self._all.append(REF(f))',
        'def watch(self, f):\n        self._all.append(weakref.WeakMethod(f))',
        'test_watcher',
      ],
      [
        'def add(self, f):\n        self._all.append(REF(f))',
        'def add(self, f):\n        self._all.append(weakref.ref(f))',
        'test_wrapped',
      ],
      [
        'def add(self, f):\n        self._all.append(REF(f))',
        'def add(self, f):\n        self._all.append(weakref.WeakMethod(f) if hasattr(f, "__self__") else REF(f))',
        'test_factory',
      ],
      ["REF(Node('o'))", "weakref.ref(Node('o'))", 'test_context'],
    ],
  },
];
