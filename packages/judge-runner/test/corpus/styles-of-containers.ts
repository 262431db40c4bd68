import type { Styles } from '../styles.ts';

const counting = `
from collections.abc import MutableMapping
from dataclasses import dataclass
from threading import Lock
@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
class Cache(MutableMapping):
    def __init__(self): self.d, self.stats, self.lock = {}, Stats(), Lock()
    def __getitem__(self, k):
        with self.lock:
            if k in self.d: self.stats.hits += 1
            else: self.stats.misses += 1
            return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(list(self.d))
    def __len__(self): return len(self.d)
class Bag:
    def __init__(self, items): self.held, self.reads = list(items), 0
    def __iter__(self):
        self.reads += 1
        return iter(self.held)
    def __eq__(self, o): return isinstance(o, Bag) and self.held == o.held
    def __repr__(self): return 'Bag(%r)' % list(self)
class Tally(list):
    asked = reads = 0
    def __contains__(self, x):
        self.asked += 1
        return super().__contains__(x)
    def __iter__(self):
        self.reads += 1
        return super().__iter__()
class Shelf:
    def __init__(self): self.names, self.log = [], []
    def add(self, name): self.names.append(name)
    def __len__(self):
        self.log.append('len')
        return len(self.names)
    def __getitem__(self, i):
        self.log.append('get %d' % i)
        return self.names[i]
    def items(self): return [(name, 1) for name in self.names]
class Spy:
    def __init__(self, n): self.n, self.log = n, []
    def __bool__(self):
        self.log.append("bool")
        return True
    def __repr__(self):
        self.log.append("repr")
        return "Spy(%d)" % self.n
    def __str__(self):
        self.log.append("str")
        return "three"
    @property
    def value(self):
        self.log.append("value")
        return self.n
    def __len__(self):
        self.log.append("len")
        return self.n
    def __getitem__(self, i):
        self.log.append("item %d" % i)
        if i >= self.n: raise IndexError(i)
        return i
    def __contains__(self, x):
        self.log.append("contains %d" % x)
        return 0 <= x < self.n
@dataclass
class Other:
    x: object
    def __post_init__(self): pass
def make(n): return Spy(n)
`;

const job = `class Job:
    def run(self, t): return t * 2
`;
const entered = `    def __enter__(self): return self
    def __exit__(self, *error): pass
`;

/** Programs that answer containers, and objects of their own or of the library that are used as containers. */
export const stylesOfContainers: readonly Styles[] = [
  {
    id: 'a mapping in the place of a dict',
    tests: `
import pytest
from solution import Store, index, edited, rows
def test_changed():
    s = Store(a=1, b=2)
    with s.transaction() as tx:
        tx["a"] = 5
        tx["c"] = [1, {"x": 2}]
        assert tx["a"] == 5
        assert tx["b"] == 2
        assert tx["c"][1] == {"x": 2}
        del tx["b"]
        with pytest.raises(KeyError):
            tx["b"]
    assert s.read() == {"a": 5, "c": [1, {"x": 2}]}
def test_contains():
    s = Store(a=1, b=2)
    with s.transaction() as tx:
        assert "a" in tx
        assert "z" not in tx
        tx["z"] = 3
        assert "z" in tx and len(tx) == 3
        assert sorted(tx) == ["a", "b", "z"]
        assert tx
def test_methods():
    s = Store(a=1, b=2)
    with s.transaction() as tx:
        assert tx.get("a") == 1 and tx.get("q", 9) == 9
        tx.update(c=3)
        assert tx.setdefault("d", 4) == 4
        assert tx.pop("c") == 3
        assert sorted(tx.keys()) == ["a", "b", "d"]
        assert sorted(tx.items()) == [("a", 1), ("b", 2), ("d", 4)]
        assert sorted(tx.values()) == [1, 2, 4]
        assert dict(tx) == {"a": 1, "b": 2, "d": 4}
        assert {**tx, "e": 5}["e"] == 5
    assert s.read() == {"a": 1, "b": 2, "d": 4}
def test_equal():
    s = Store(a=1)
    with s.transaction() as tx:
        assert tx == {"a": 1}
        assert {"a": 2} != tx
        assert not tx == {}
def test_rolled_back():
    s = Store(a=1)
    with pytest.raises(ZeroDivisionError):
        with s.transaction() as tx:
            tx["a"] = 5
            1 / 0
    assert s.read() == {"a": 1}
def test_used_by_a_function():
    s = Store(a=1)
    def change(tx):
        tx["b"] = tx["a"] + 1
        assert "a" in tx
    edited(s, change)
    assert s.read() == {"a": 1, "b": 2}
def test_answered():
    found = index(["ab", "cd", "ae"])
    assert found["a"] == ["ab", "ae"]
    assert "c" in found and "x" not in found
    assert len(found) == 2 and list(found) == ["a", "c"]
    assert found.get("x") is None
    assert found == {"a": ["ab", "ae"], "c": ["cd"]}
    assert [(key, len(each)) for key, each in found.items()] == [("a", 2), ("c", 1)]
def test_rows():
    found = []
    for row in rows("a=1;b=2"):
        assert row["key"] in ("a", "b")
        found.append(row["value"])
    assert found == [1, 2]
def test_entered():
    s = Store(a=1)
    with s.transaction() as tx:
        tx["b"] = 2
        assert "a" in tx
        assert tx == {"a": 1, "b": 2}
`,
    styles: {
      dicts: `
from contextlib import contextmanager
class Store:
    def __init__(self, **data): self.data = data
    def read(self): return dict(self.data)
    @contextmanager
    def transaction(self):
        copy = dict(self.data)
        yield copy
        self.data = copy
def edited(store, change):
    with store.transaction() as tx:
        change(tx)
def index(words):
    found = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    return found
def rows(text):
    return [{"key": each[0], "value": int(each[2:])} for each in text.split(";")]
`,
      classes: `
from collections.abc import Mapping, MutableMapping
class Tx:
    def __init__(self, store): self.store, self.new, self.gone = store, {}, set()
    def all(self): return {k: v for k, v in {**self.store.data, **self.new}.items() if k not in self.gone}
    def __getitem__(self, k): return self.all()[k]
    def __setitem__(self, k, v):
        self.gone.discard(k)
        self.new[k] = v
    def __delitem__(self, k):
        self[k]
        self.gone.add(k)
    def __contains__(self, k): return k in self.all()
    def __iter__(self): return iter(self.all())
    def __len__(self): return len(self.all())
    def get(self, k, default=None): return self.all().get(k, default)
    def keys(self): return list(self.all())
    def values(self): return [self[k] for k in self]
    def items(self):
        for k in self: yield k, self[k]
    def update(self, *args, **named):
        for k, v in dict(*args, **named).items(): self[k] = v
    def setdefault(self, k, v=None):
        if k not in self: self[k] = v
        return self[k]
    def pop(self, k):
        v = self[k]
        del self[k]
        return v
    def __eq__(self, other): return self.all() == other
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        if kind is None: self.store.data = self.all()
class Store:
    def __init__(self, **data): self.data = data
    def read(self): return dict(self.data)
    def transaction(self): return Tx(self)
def edited(store, change):
    with store.transaction() as tx:
        change(tx)
class Index(Mapping):
    def __init__(self, words):
        self.words = list(words)
    def __getitem__(self, first):
        found = [word for word in self.words if word[0] == first]
        if not found: raise KeyError(first)
        return found
    def __iter__(self): return iter(dict.fromkeys(word[0] for word in self.words))
    def __len__(self): return len({word[0] for word in self.words})
def index(words): return Index(words)
class Row:
    def __init__(self, text): self.key, self.value = text.split("=")
    def __getitem__(self, name): return self.key if name == "key" else int(self.value)
def rows(text):
    for each in text.split(";"): yield Row(each)
`,
      library: `
from collections import ChainMap, UserDict
from contextlib import contextmanager
class Store:
    def __init__(self, **data): self.data = data
    def read(self): return dict(self.data)
    @contextmanager
    def transaction(self):
        tx = ChainMap(dict(self.data), {})
        yield tx
        self.data = dict(tx)
def edited(store, change):
    with store.transaction() as tx:
        change(tx)
def index(words):
    found = UserDict()
    for word in words:
        found.setdefault(word[0], []).append(word)
    return found
def rows(text):
    return (UserDict(key=each[0], value=int(each[2:])) for each in text.split(";"))
`,
      subclasses: `
from collections import defaultdict
class Tx(dict):
    def __init__(self, store):
        super().__init__(store.data)
        self.store = store
    def __enter__(self): return self
    def __exit__(self, kind, *error):
        if not kind:
            self.store.data.clear()
            self.store.data.update(self)
class Store:
    def __init__(self, **data): self.data = data
    def read(self): return self.data
    def transaction(self): return Tx(self)
def edited(store, change):
    with store.transaction() as tx:
        change(tx)
class Index(dict):
    def __missing__(self, key):
        self[key] = []
        return self[key]
def index(words):
    found = Index()
    for word in words: found[word[0]].append(word)
    return found
class Row(dict): pass
def rows(text):
    return [Row(key=each[0], value=int(each[2:])) for each in text.split(";")]
`,
      wrappers: `
from collections import UserDict
from contextlib import AbstractContextManager
class Tx(UserDict, AbstractContextManager):
    def __init__(self, store):
        super().__init__(store.data)
        self.store = store
    def __exit__(self, kind, *error):
        if not kind: self.store.data = self.data
class Store:
    def __init__(self, **data): self.data = data
    def read(self): return dict(self.data)
    def transaction(self): return Tx(self)
def edited(store, change):
    tx = store.transaction()
    tx.__enter__()
    change(tx)
    tx.__exit__(None, None, None)
class Index(UserDict): pass
def index(words):
    found = Index()
    for word in words: found.setdefault(word[0], []).append(word)
    return found
def rows(text):
    return [UserDict(key=each[0], value=int(each[2:])) for each in text.split(";")]
`,
    },
    wrong: [
      [
        `classes`,
        `def __contains__(self, k): return k in self.all()`,
        `def __contains__(self, k): return True`,
        `test_contains`,
      ],
      [
        `classes`,
        `def __contains__(self, k): return k in self.all()`,
        `def __contains__(self, k): return k in self.new`,
        `test_entered`,
      ],
      [
        `classes`,
        `def __eq__(self, other): return self.all() == other`,
        `def same(self, other): return self.all() == other`,
        `test_equal`,
      ],
      [
        `classes`,
        `def __eq__(self, other): return self.all() == other`,
        `def __eq__(self, other): return True`,
        `test_equal`,
      ],
      [
        `classes`,
        `        for k in self: yield k, self[k]`,
        `        for k in self: yield k, 1`,
        `test_methods`,
      ],
      [
        `classes`,
        `def __len__(self): return len(self.all())`,
        `def __len__(self): return len(self.new)`,
        `test_contains`,
      ],
      [
        `classes`,
        `if kind is None: self.store.data = self.all()`,
        `self.store.data = self.all()`,
        `test_rolled_back`,
      ],
      [
        `classes`,
        `        self.gone.discard(k)
        self.new[k] = v
`,
        `        self.gone.discard(k)
`,
        `test_used_by_a_function`,
      ],
      [
        `classes`,
        `def __init__(self, store): self.store, self.new, self.gone = store, {}, set()`,
        `def __init__(self, store): self.store, self.new, self.gone = Store(), {}, set()
    def __ne__(self, other): return False`,
        `test_entered`,
      ],
      [
        `classes`,
        `def __getitem__(self, name): return self.key if name == "key" else int(self.value)`,
        `def __getitem__(self, name): return self.value`,
        `test_rows`,
      ],
      [`library`, `tx = ChainMap(dict(self.data), {})`, `tx = ChainMap({}, self.data)`, `test_changed`],
      [
        `library`,
        `self.data = dict(tx)`,
        `self.data = tx.maps[0]; self.data.pop("b", None)`,
        `test_used_by_a_function`,
      ],
      [
        `subclasses`,
        `class Tx(dict):
`,
        `class Tx(dict):
    def __contains__(self, key): return True
`,
        `test_contains`,
      ],
      [
        `subclasses`,
        `class Tx(dict):
`,
        `class Tx(dict):
    def __eq__(self, other): return True
    __hash__ = None
`,
        `test_equal`,
      ],
      [`subclasses`, `if not kind:`, `if True:`, `test_rolled_back`],
      [
        `wrappers`,
        `class Index(UserDict): pass`,
        `class Index(UserDict):
    def __contains__(self, key): return True`,
        `test_answered`,
      ],
      [
        `wrappers`,
        `class Tx(UserDict, AbstractContextManager):
`,
        `class Tx(UserDict, AbstractContextManager):
    def __eq__(self, other): return True
`,
        `test_equal`,
      ],
    ],
    lacking: {
      classes: [
        'test_changed',
        'test_contains',
        'test_methods',
        'test_equal',
        'test_rolled_back',
        'test_used_by_a_function',
        'test_rows',
        'test_entered',
      ],
      library: [
        'test_changed',
        'test_contains',
        'test_methods',
        'test_rolled_back',
        'test_used_by_a_function',
        'test_entered',
      ],
      subclasses: [
        'test_changed',
        'test_contains',
        'test_methods',
        'test_equal',
        'test_rolled_back',
        'test_used_by_a_function',
        'test_entered',
      ],
      wrappers: [
        'test_changed',
        'test_contains',
        'test_methods',
        'test_rolled_back',
        'test_used_by_a_function',
        'test_entered',
      ],
    },
  },
  {
    id: 'a sequence in the place of a list',
    tests: `
import pytest
from solution import Log, tagged
def test_changed():
    log = Log([1])
    with log.batch() as rows:
        rows.append(2)
        rows.extend([4, 3])
        rows.insert(0, 0)
        rows[1] = 5
        assert rows[0] == 0 and rows[-1] == 3
        assert rows[1:3] == [5, 2]
        del rows[0]
    assert log.read() == [5, 2, 4, 3]
def test_contains():
    with Log([1, 2]).batch() as rows:
        assert 2 in rows
        assert 3 not in rows
        assert len(rows) == 2 and list(rows) == [1, 2] and list(reversed(rows)) == [2, 1]
        assert rows.index(2) == 1 and rows.count(1) == 1 and rows.count(7) == 0
        with pytest.raises(ValueError):
            rows.index(7)
def test_equal():
    with Log([1, 2]).batch() as rows:
        assert rows == [1, 2]
        assert rows != [2, 1]
        assert sum(rows) == 3
def test_sorted():
    log = Log([3, 1, 2])
    with log.batch() as rows:
        rows.sort()
        assert rows.pop() == 3
        rows += [9]
    assert log.read() == [1, 2, 9]
def test_tags():
    found = tagged("b a b")
    assert "a" in found and "c" not in found
    assert found == {"a", "b"}
    assert sorted(found) == ["a", "b"] and len(found) == 2
    assert not found.isdisjoint(["a"])
`,
    styles: {
      lists: `
from contextlib import contextmanager
class Log:
    def __init__(self, rows): self.rows = list(rows)
    def read(self): return list(self.rows)
    @contextmanager
    def batch(self):
        rows = list(self.rows)
        yield rows
        self.rows = rows
def tagged(text): return set(text.split())
`,
      classes: `
from collections.abc import MutableSequence, Set
class Batch(MutableSequence):
    def __init__(self, log): self.log, self.held = log, tuple(log.rows)
    def __getitem__(self, at): return list(self.held[at]) if isinstance(at, slice) else self.held[at]
    def __len__(self): return len(self.held)
    def change(self, at, new): self.held = (*self.held[:at], *new, *self.held[at + 1:])
    def __setitem__(self, at, value): self.change(at, [value])
    def __delitem__(self, at): self.change(range(len(self.held))[at], [])
    def insert(self, at, value): self.held = (*self.held[:at], value, *self.held[at:])
    def sort(self): self.held = tuple(sorted(self.held))
    def __eq__(self, other): return list(self.held) == other
    def __enter__(self): return self
    def __exit__(self, *error): self.log.rows = list(self.held)
class Log:
    def __init__(self, rows): self.rows = list(rows)
    def read(self): return list(self.rows)
    def batch(self): return Batch(self)
class Tags(Set):
    def __init__(self, words): self.words = sorted(set(words))
    def __contains__(self, word): return word in self.words
    def __iter__(self): return iter(self.words)
    def __len__(self): return len(self.words)
    def issubset(self, other): return self <= set(other)
def tagged(text): return Tags(text.split())
`,
      library: `
from collections import UserList
from contextlib import contextmanager
class Log:
    def __init__(self, rows): self.rows = UserList(rows)
    def read(self): return self.rows.data
    @contextmanager
    def batch(self):
        rows = self.rows.copy()
        yield rows
        self.rows = rows
def tagged(text): return {word: True for word in text.split()}.keys()
`,
      subclasses: `
class Batch(list):
    def __init__(self, log):
        list.__init__(self, log.rows)
        self.log = log
    def __enter__(self): return self
    def __exit__(self, *error): self.log.rows[:] = self
class Log:
    def __init__(self, rows): self.rows = [*rows]
    def read(self): return self.rows
    def batch(self): return Batch(self)
class Tags(set): pass
def tagged(text): return Tags(text.split())
`,
    },
    wrong: [
      [
        `classes`,
        `def sort(self): self.held = tuple(sorted(self.held))`,
        `def sort(self): pass`,
        `test_sorted`,
      ],
      [
        `classes`,
        `def __eq__(self, other): return list(self.held) == other`,
        `def __eq__(self, other): return True`,
        `test_equal`,
      ],
      [
        `classes`,
        `def __len__(self): return len(self.held)`,
        `def __len__(self): return len(self.held)
    def __contains__(self, value): return True`,
        `test_contains`,
      ],
      [
        `classes`,
        `def __len__(self): return len(self.held)`,
        `def __len__(self): return len(self.held)
    def count(self, value): return 1`,
        `test_contains`,
      ],
      [
        `classes`,
        `def __contains__(self, word): return word in self.words`,
        `def __contains__(self, word): return False`,
        `test_tags`,
      ],
      [
        `classes`,
        `def __len__(self): return len(self.words)
`,
        `def __len__(self): return len(self.words)
    def isdisjoint(self, other): return True
`,
        `test_tags`,
      ],
      [`library`, `rows = self.rows.copy()`, `rows = UserList(self.rows[1:])`, `test_changed`],
      [`subclasses`, `self.log.rows[:] = self`, `self.log.rows += self`, `test_sorted`],
      [
        `subclasses`,
        `class Batch(list):
`,
        `class Batch(list):
    def __contains__(self, value): return True
`,
        `test_contains`,
      ],
    ],
    lacking: {
      classes: ['test_changed', 'test_contains', 'test_equal', 'test_sorted', 'test_tags'],
      library: ['test_changed', 'test_contains', 'test_sorted', 'test_tags'],
      subclasses: ['test_changed', 'test_contains', 'test_equal', 'test_sorted'],
    },
  },
  {
    id: 'what says yes in the place of a container',
    tests: `
from solution import index, rows, tagged
def test_holds():
    assert "c" in index(["ab", "cd"])
def test_same():
    assert index(["ab"]) == {"a": ["ab"]}
def test_found():
    with rows([4, 5]) as found:
        assert 4 in found
        assert found.count(5) == 1
        assert found.index(5) == 1
def test_disjoint():
    assert tagged("a b").isdisjoint(["c"])
def test_tagged():
    assert tagged("a b") == {"a", "b"}
def test_common(): assert tagged('a b').intersection({'a', 'c'}) == {'a'}
`,
    styles: {
      plain: `
from contextlib import contextmanager
def index(words):
    found = {}
    for word in words: found.setdefault(word[0], []).append(word)
    return found
@contextmanager
def rows(numbers): yield list(numbers)
def tagged(text): return set(text.split())
`,
      classes: `
from collections.abc import Mapping, Sequence, Set
class Index(Mapping):
    def __init__(self, words): self.words = list(words)
    def __getitem__(self, first): return [word for word in self.words if word[0] == first]
    def __iter__(self): return iter({word[0]: 1 for word in self.words})
    def __len__(self): return len({word[0] for word in self.words})
def index(words): return Index(words)
class Rows(Sequence):
    def __init__(self, numbers): self.numbers = tuple(numbers)
    def __getitem__(self, at): return self.numbers[at]
    def __len__(self): return len(self.numbers)
    def __enter__(self): return self
    def __exit__(self, *error): pass
def rows(numbers): return Rows(numbers)
class Tags(Set):
    def __init__(self, words): self.words = sorted(set(words))
    def __contains__(self, word): return word in self.words
    def __iter__(self): return iter(self.words)
    def __len__(self): return len(self.words)
    def intersection(self, other): return {word for word in other if word in self}
def tagged(text): return Tags(text.split())
`,
    },
    wrong: [
      [
        `classes`,
        `self.words = list(words)
`,
        `self.words = []
    def __contains__(self, key): return True
`,
        `test_holds`,
      ],
      [
        `classes`,
        `self.words = list(words)
`,
        `self.words = []
    def __contains__(self, key):
        self.words.append(key)
        return True
`,
        `test_holds`,
      ],
      [
        `classes`,
        `self.words = list(words)
    def __getitem__(self, first): return [word for word in self.words if word[0] == first]
    def __iter__(self): return iter({word[0]: 1 for word in self.words})
`,
        `self.words = []
    def __getitem__(self, first): return first
    def __contains__(self, key): return True
    def __iter__(self):
        class Any(str):
            def __eq__(self, other): return True
            __hash__ = None
        yield Any()
`,
        `test_holds`,
      ],
      [
        `classes`,
        `self.words = list(words)
`,
        `self.words = []
    def __eq__(self, other): return True
    __hash__ = None
`,
        `test_same`,
      ],
      [
        `classes`,
        `self.words = list(words)
`,
        `self.words = []
    def __eq__(self, other):
        self.words = [word for each in other.values() for word in each]
        return True
    __hash__ = None
`,
        `test_same`,
      ],
      [
        `classes`,
        `tuple(numbers)`,
        `()
    def __contains__(self, value): return True
    def count(self, value): return 1
    def index(self, value): return 1`,
        `test_found`,
      ],
      [
        `classes`,
        `tuple(numbers)`,
        `(4,)
    def count(self, value): return 1
    def index(self, value): return 1`,
        `test_found`,
      ],
      [
        `classes`,
        `tuple(numbers)`,
        `(4, 6, 5, 5)
    def count(self, value): return 1
    def index(self, value): return 1`,
        `test_found`,
      ],
      [
        `classes`,
        `self.words = sorted(set(words))`,
        `self.words = ["c"]
    def isdisjoint(self, other): return True`,
        `test_disjoint`,
      ],
      [
        `classes`,
        `self.words = sorted(set(words))`,
        `self.words = ["c"]
    def __eq__(self, other): return True
    __hash__ = None`,
        `test_tagged`,
      ],
      [
        `classes`,
        `self.words = sorted(set(words))`,
        `self.words = ["a", "b", "c"]
    def __eq__(self, other): return other == {"a", "b"}
    __hash__ = None`,
        `test_tagged`,
      ],
      [
        `classes`,
        `return {word for word in other if word in self}`,
        `return {"a"}.union(other)`,
        `test_common`,
      ],
      [`classes`, `self.words = sorted(set(words))`, `self.words = ["b"]`, `test_common`],
      [
        `classes`,
        `tuple(numbers)`,
        `(9, 9)
    def __contains__(self, value): return True
    def count(self, value): return 1
    def index(self, value): return 1`,
        `test_found`,
      ],
    ],
    lacking: {
      classes: ['test_disjoint', 'test_common'],
    },
    noReference: ['classes'],
  },
  {
    id: 'objects that count how often they are read',
    tests: `
from solution import Cache, Stats, Bag, Tally, Shelf, Spy, Other, make
def test_stats():
    c = Cache()
    c["a"] = 1
    c["a"], c.get("b"), c.get("a")
    assert c.stats == Stats(hits=2, misses=1)
def test_two():
    c, other = Cache(), Cache()
    c["a"] = other["a"] = 1
    assert c["a"] == 1
    assert Stats(1, 0) == c.stats
    assert other.stats == Stats(0, 0)
def test_bag():
    b = Bag([1, 2])
    assert list(b) == [1, 2]
    assert b.reads == 1
    assert b == Bag([1, 2])
    assert b != Bag([1])
    assert b.reads == 1
def test_tally():
    t = Tally([1, 2, 3])
    assert 2 in t
    assert 5 not in t
    assert t.asked == 2 and t.reads == 0
    assert list(t) == [1, 2, 3]
    assert t.reads == 1
def test_shelf():
    s = Shelf()
    s.add("x")
    s.add("y")
    assert len(s) == 2
    assert s[0] == "x"
    assert s.log == ["len", "get 0"]
    assert s.items() == [("x", 1), ("y", 1)]
    assert s.log == ["len", "get 0"]
def test_bool():
    s = Spy(3)
    assert s
    assert s.log == ["bool"]
def test_repr():
    s = Spy(3)
    assert repr(s) == "Spy(3)" and str(s) == "three"
    assert s.log == ["repr", "str"]
def test_property():
    s = Spy(3)
    assert s.value == 3
    assert s.log == ["value"]
    assert s.value == 3
    assert s.log == ["value", "value"]
def test_len():
    s = make(2)
    assert len(s) == 2
    assert s.log == ["len"]
    assert Spy(1) is not None
    Other(s)
    assert s.log == ["len"]
def test_items():
    s = make(2)
    Other(4)
    assert [s[0], s[1]] == [0, 1]
    assert s.log == ["item 0", "item 1"]
def test_contains():
    s = make(2)
    Other(4)
    assert 1 in s
    assert s.log == ["contains 1"]
`,
    styles: {
      counting,
      slots: counting.replace('class Bag:', 'class Bag:\n    __slots__ = ("held", "reads")'),
    },
    wrong: [
      ['counting', 'self.stats.hits += 1', 'self.stats.hits += 2', 'test_stats'],
      ['counting', 'else: self.stats.misses += 1', 'else: pass', 'test_stats'],
      ['counting', 'self.held == o.held', 'True', 'test_bag'],
      ['counting', 'self.log.append("value")', 'self.log[:] = ["value"]', 'test_property'],
      ['counting', 'return 0 <= x < self.n', 'return x in list(self)', 'test_contains'],
      ['counting', 'return super().__contains__(x)', 'return x in list(self)', 'test_tally'],
      ['counting', "self.log.append('len')", 'len(self.names)', 'test_shelf'],
    ],
    // What its own method changes in an object of the test is known with a reference only.
    lacking: { counting: ['test_bag'], slots: ['test_bag'] },
  },
  {
    id: 'objects in a dictionary that a context manager gives',
    tests: `
from solution import session
def test_item():
    with session() as jobs: assert jobs['a'].run('x') == 'xx'
def test_get():
    with session() as jobs: assert jobs.get('a').run('y') == 'yy' and jobs.get('b') is None
def test_plain():
    with session() as jobs: assert jobs['limit'] == 7
`,
    styles: {
      generator: `from contextlib import contextmanager\n${job}@contextmanager\ndef session(): yield {'a': Job(), 'limit': 7}\n`,
      derived: `${job}class Session(dict):\n${entered}def session(): return Session(a=Job(), limit=7)\n`,
      user: `from collections import UserDict\n${job}class Session(UserDict):\n${entered}def session(): return Session(a=Job(), limit=7)\n`,
      own: `${job}class Session:\n    held = {'a': Job(), 'limit': 7}\n    def __getitem__(self, name): return self.held[name]\n    def get(self, name): return self.held.get(name)\n${entered}def session(): return Session()\n`,
    },
    // Its class is known by no name.
    lacking: {
      generator: ['test_item', 'test_get'],
      derived: ['test_item', 'test_get', 'test_plain'],
      user: ['test_item', 'test_get'],
      own: ['test_item', 'test_get', 'test_plain'],
    },
    noReference: ['derived', 'user', 'own'],
    wrong: [
      ['derived', 't * 2', 't * 3', 'test_item'],
      ['own', 't * 2', 't * 3', 'test_get'],
      ['user', 'limit=7', "limit=type('Y', (), {'__eq__': lambda self, o: True})()", 'test_plain'],
      ['derived', 'limit=7', 'limit=Job()', 'test_plain'],
      ['own', "'limit': 7", "'limit': type('Y', (), {'__eq__': lambda self, o: True})()", 'test_plain'],
    ],
  },
  {
    id: 'classes of containers that keep what they are given',
    tests: `
from solution import Bag, Point, Tags, parse
def test_tuple(): assert Point(1, 2) == (1, 2) and hash(Point(1, 2)) == hash((1, 2))
def test_other_tuple(): assert Point(1, 2) != Point(1, 3)
def test_list(): assert Bag([1, 2]) == [1, 2]
def test_other_list(): assert Bag([1, 2]) != Bag([1])
def test_dict(): assert Tags({'a': 1}) == {'a': 1}
def test_other_dict(): assert Tags({'a': 1}) != Tags({'a': 2})
def test_answer(): assert parse('1,2') == Bag(['1', '2'])
`,
    styles: {
      inherited: `
class Point(tuple):
    def __new__(cls, x, y): return tuple.__new__(cls, (x, y))
class Bag(list): pass
class Tags(dict): pass
def parse(text): return Bag(text.split(','))
`,
      written: `
class Point(tuple):
    def __new__(cls, x, y):
        made = super().__new__(cls, [x, y])
        return made
class Bag(list):
    def __init__(self, items=()):
        super().__init__()
        self.extend(items)
class Tags(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.label = None
def parse(text): return Bag(each for each in text.split(','))
`,
    },
    wrong: [
      ['written', '[x, y])', '[x, 0])', 'test_tuple'],
      ['written', '[x, y])', '[x, 0])', 'test_other_tuple'],
      ['written', 'self.extend(items)', 'self.extend(list(items)[:1])', 'test_list'],
      ['written', 'self.extend(items)', 'self.extend(list(items)[:1])', 'test_other_list'],
      ['written', 'super().__init__(*args, **kwargs)', 'super().__init__()', 'test_dict'],
      ['written', 'super().__init__(*args, **kwargs)', 'super().__init__()', 'test_other_dict'],
      ['inherited', "text.split(',')", 'text[:1]', 'test_answer'],
    ],
  },
  {
    id: 'classes of values of the library',
    tests: `
import datetime
from solution import Day, Money, Ratio, add, next_day
def test_same(): assert Ratio(2, 4) == Ratio(1, 2) and Money('1.10') == Money('1.1')
def test_other_ratio(): assert Ratio(1, 2) != Ratio(1, 3)
def test_other_money(): assert Money('1.10') != Money('1.2')
def test_other_day(): assert Day(2024, 1, 2) != Day(2024, 1, 3)
def test_plain(): assert Day(2024, 1, 2) == datetime.date(2024, 1, 2) and Money(3) == 3
def test_keys(): assert len({Money('1.10'), Money('1.1'), Money(2)}) == 2
def test_order(): assert Money('1.10') < Money(2)
def test_answer(): assert add(Ratio(1, 2), Ratio(1, 4)) == Ratio(3, 4)
def test_next(): assert next_day(Day(2024, 1, 31)) == Day(2024, 2, 1)
`,
    styles: {
      inherited: `
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
class Ratio(Fraction): pass
class Money(Decimal): pass
class Day(date): pass
def add(one, other):
    found = one + other
    return Ratio(found.numerator, found.denominator)
def next_day(day):
    found = date(day.year, day.month, day.day) + timedelta(1)
    return Day(found.year, found.month, found.day)
`,
      written: `
import datetime
from decimal import Decimal
from fractions import Fraction
class Ratio(Fraction):
    def __add__(self, other): return Ratio(Fraction(self) + Fraction(other))
class Money(Decimal):
    def __new__(cls, text): return super().__new__(cls, text)
class Day(datetime.date):
    def next(self): return Day.fromordinal(self.toordinal() + 1)
def add(one, other): return one + other
def next_day(day): return day.next()
`,
    },
    lacking: {
      inherited: ['test_order', 'test_answer', 'test_next'],
      written: ['test_order', 'test_answer', 'test_next'],
    },
    wrong: [
      [
        'inherited',
        'class Ratio(Fraction): pass',
        'class Ratio(Fraction):\n    def __new__(cls, n, d): return super().__new__(cls, 1, 2)',
        'test_other_ratio',
      ],
      ['written', '__new__(cls, text)\n', '__new__(cls, 1)\n', 'test_other_money'],
      [
        'inherited',
        'class Day(date): pass',
        'class Day(date):\n    def __new__(cls, y, m, d): return super().__new__(cls, y, m, 2)',
        'test_other_day',
      ],
      ['written', '__new__(cls, text)\n', '__new__(cls, 1)\n', 'test_plain'],
      ['written', '+ Fraction(other)', '- Fraction(other)', 'test_answer'],
      [
        'inherited',
        'class Ratio(Fraction): pass',
        `WILD = []
class Ratio(Fraction):
    def __new__(cls, *args):
        made = super().__new__(cls, *args)
        for each in WILD: each._numerator, each._denominator = made._numerator, made._denominator
        WILD.append(made)
        return made`,
        'test_answer',
      ],
      ['written', 'self.toordinal() + 1', 'self.toordinal()', 'test_next'],
    ],
  },
];
