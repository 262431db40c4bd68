import type { Styles } from '../styles.ts';

const counters = `
import pytest
from solution import create_counter, words
def test_add():
    counter = create_counter(5)
    counter.add(2)
    counter.add(3)
    assert counter.value == 10
def test_undo():
    counter = create_counter(1)
    counter.add(4)
    counter.undo()
    assert (counter.value, counter.depth()) == (1, 0)
    with pytest.raises(IndexError):
        counter.undo()
def test_listener():
    seen, counter = [], create_counter(0)
    stop = counter.watch(seen.append)
    counter.add(2)
    stop()
    counter.add(2)
    assert seen == [2]
def test_words(): assert words('a b a').count('a') == 2
`;
const spans = `
import copy, pickle
import pytest
from solution import Span
def test_length(): assert len(Span(1, 31)) == 31
def test_contains():
    assert 17 in Span(1, 31)
    assert 32 not in Span(1, 31)
def test_items(): assert list(Span(1, 3)) == [1, 2, 3]
def test_unpack():
    first, second = Span(4, 5)
    assert first + second == 9
def test_backwards(): assert list(reversed(Span(1, 3))) == [3, 2, 1]
def test_answer():
    assert len(Span(1, 3).shift(2)) == 3
    assert list(Span(1, 3).shift(2)) == [3, 4, 5]
def test_pickle():
    found = pickle.loads(pickle.dumps(Span(1, 31)))
    assert (found.first, found.last) == (1, 31)
    assert found == Span(1, 31)
def test_copies():
    span = Span(1, 31)
    assert copy.copy(span) == span
    assert copy.deepcopy([span]) == [span]
`;
const spanMethods = `
    def __len__(self): return self.last - self.first + 1
    def __contains__(self, n): return self.first <= n <= self.last
    def __iter__(self): return iter(range(self.first, self.last + 1))
    def __reversed__(self): return iter(range(self.last, self.first - 1, -1))
    def shift(self, n): return Span(self.first + n, self.last + n)
`;
const spanClass = `class Span:
    def __init__(self, first, last): self.first, self.last = first, last
    def __eq__(self, other): return isinstance(other, Span) and (self.first, self.last) == (other.first, other.last)
    def __hash__(self): return hash((self.first, self.last))
${spanMethods}`;

/** Programs whose values are written in several styles: named tuples, namespaces, ways to end. */
const packing = (parameters: string, content: string, of: string): string => `class V(tuple):
    def __new__(cls, ${parameters}): return super(${of}).__new__(cls, ${content})
def add(one, other): return V(*(i + j for i, j in zip(one, other)))
class Bag:
    def __init__(self, rows): self.rows = rows
    def __iter__(self): return (V(*row) for row in self.rows)
`;

export const stylesOfValues: readonly Styles[] = [
  {
    id: 'ends by itself',
    tests: `
import pytest
from solution import main
def test_usage():
    with pytest.raises(SystemExit) as info:
        main([])
    assert info.value.code == 2
def test_right(): assert main(['a']) == 'a'
def test_message():
    with pytest.raises(SystemExit, match='no such'):
        main(['x'])
`,
    styles: {
      sys: `import sys\ndef main(args):\n    if not args: sys.exit(2)\n    if args == ['x']: sys.exit('no such file')\n    return args[0]\n`,
      builtins: `def main(args):\n    if not args: exit(2)\n    if args == ['x']: quit('no such file')\n    return args[0]\n`,
      raised: `def main(args):\n    if not args: raise SystemExit(2)\n    if args == ['x']: raise SystemExit('no such file')\n    return args[0]\n`,
    },
    wrong: [
      ['builtins', 'exit(2)', 'exit(1)', 'test_usage'],
      ['builtins', 'exit(2)', 'return 2', 'test_usage'],
      ['builtins', "quit('no such file')", "quit('no')", 'test_message'],
    ],
  },
  {
    id: 'a tuple that is a collection',
    tests: spans,
    styles: {
      class: spanClass,
      named: `from typing import NamedTuple\nclass Span(NamedTuple):\n    first: int\n    last: int\n    def __reduce__(self): return Span, (self.first, self.last)\n${spanMethods}`,
      collections: `from collections import namedtuple\nclass Span(namedtuple('Span', 'first last')):\n    __slots__ = ()\n    def __reduce__(self): return Span, (self.first, self.last)\n${spanMethods}`,
    },
    wrong: [
      ['named', 'self.last - self.first + 1', 'self.last - self.first', 'test_length'],
      ['named', 'return self.first <= n <= self.last', 'return True', 'test_contains'],
      ['named', 'iter(range(self.first, self.last + 1))', 'iter((self.first, self.last))', 'test_items'],
      ['named', 'Span(self.first + n, self.last + n)', 'Span(self.first, self.last + n)', 'test_answer'],
      ['collections', '(self.first, self.last)\n', '(self.first, self.first)\n', 'test_pickle'],
      ['collections', '(self.first, self.last)\n', '(self.first, self.first)\n', 'test_copies'],
    ],
    // A named tuple is a value.
    noReference: ['named', 'collections'],
  },
  {
    id: 'a tuple that is copied',
    tests: `
import copy, pickle
from solution import Span, shifted
def test_pickle(): assert pickle.loads(pickle.dumps(Span(1, [31]))) == Span(1, [31])
def test_copies():
    span = Span(1, [31])
    assert copy.copy(span) == span and copy.deepcopy([span]) == [span]
    assert copy.copy(span).last is span.last
def test_answer():
    span = shifted(Span(1, [31]))
    assert copy.deepcopy(span) == Span(2, [31])
    assert pickle.loads(pickle.dumps(span)).first == 2
`,
    styles: {
      named: `from typing import NamedTuple\nclass Span(NamedTuple):\n    first: int\n    last: list\ndef shifted(s): return s._replace(first=s.first + 1)\n`,
      collections: `from collections import namedtuple\nSpan = namedtuple('Span', 'first last')\ndef shifted(s): return Span(s.first + 1, s.last)\n`,
      data: `from dataclasses import dataclass\n@dataclass\nclass Span:\n    first: int\n    last: list\ndef shifted(s): return Span(s.first + 1, s.last)\n`,
    },
    wrong: [
      [
        'named',
        '    last: list\n',
        '    last: list\n    def __copy__(self): return Span(0, [31])\n',
        'test_copies',
      ],
      [
        'named',
        '    last: list\n',
        '    last: list\n    def __reduce__(self): return Span, (0, [31])\n',
        'test_pickle',
      ],
      ['named', 's.first + 1', 's.first', 'test_answer'],
    ],
  },
  {
    id: 'a tuple in the place of a list',
    tests: `
from solution import split
def test_length(): assert len(split('a,b')) == 2
def test_member(): assert 'b' in split('a,b')
def test_missing(): assert 'c' not in split('a,b')
`,
    styles: {
      list: `def split(text): return text.split(',')\n`,
      tuple: `def split(text): return tuple(text.split(','))\n`,
      named: `from collections import namedtuple\nclass Pair(namedtuple('Pair', 'a b')):\n    pass\ndef split(text): return Pair(*text.split(','))\n`,
    },
    wrong: [
      [
        'named',
        "    pass\ndef split(text): return Pair(*text.split(','))",
        "    def __contains__(self, n): return n == 'b'\ndef split(text): return Pair(1, 2)",
        'test_member',
      ],
      [
        'named',
        "'a b')):\n    pass\ndef split(text): return Pair(*text.split(','))",
        "'a')):\n    def __len__(self): return 2\ndef split(text): return Pair(1)",
        'test_length',
      ],
    ],
  },
  {
    id: 'an object of functions',
    tests: counters,
    styles: {
      class: `
def words(t): return t.split()
class Counter:
    def __init__(self, value): self.value, self._done, self._seen = value, [], []
    def add(self, n):
        self._done.append(self.value)
        self.value += n
        for f in list(self._seen): f(self.value)
    def undo(self): self.value = self._done.pop()
    def depth(self): return len(self._done)
    def watch(self, f):
        self._seen.append(f)
        return lambda: self._seen.remove(f)
def create_counter(start): return Counter(start)
`,
      closures: `
from types import SimpleNamespace
def words(t): return t.split()
def create_counter(start):
    c, done, seen = SimpleNamespace(value=start), [], []
    def add(n):
        done.append(c.value)
        c.value += n
        for f in list(seen): f(c.value)
    def undo(): c.value = done.pop()
    def watch(f):
        seen.append(f)
        return lambda: seen.remove(f)
    c.add, c.undo, c.watch, c.depth = add, undo, watch, lambda: len(done)
    return c
`,
      partials: `
from functools import partial
from types import SimpleNamespace
def words(t): return t.split()
def add(c, done, seen, n):
    done.append(c.value)
    c.value += n
    for f in list(seen): f(c.value)
def undo(c, done): c.value = done.pop()
def watch(seen, f):
    seen.append(f)
    return partial(seen.remove, f)
def create_counter(start):
    c, done, seen = SimpleNamespace(value=start), [], []
    c.add, c.undo = partial(add, c, done, seen), partial(undo, c, done)
    c.depth, c.watch = done.__len__, partial(watch, seen)
    return c
`,
    },
    wrong: [
      ['closures', 'c.value += n', 'c.value = n', 'test_add'],
      ['closures', 'c.value = done.pop()', 'done.pop()', 'test_undo'],
      ['partials', 'partial(seen.remove, f)', 'partial(str, f)', 'test_listener'],
      [
        'partials',
        'def words(t): return t.split()',
        'def words(t): return SimpleNamespace(count=lambda x: 2)',
        'test_words',
      ],
      [
        'class',
        'def words(t): return t.split()',
        'from types import SimpleNamespace\ndef words(t): return SimpleNamespace(count=lambda x: 2)',
        'test_words',
      ],
    ],
  },
  {
    id: 'tuples that pack what they are given',
    tests: `
from solution import Bag, V, add
def test_sum(): assert add(V(1, 2), V(3, 4)) == V(4, 6) and add(V(1, 2), V(3, 4)) != V(4, 7)
def test_list(): assert V(4, 6) in [add(V(1, 2), V(3, 4))] and [add(V(0, 0), V(1, 1))] == [V(1, 1)]
def test_bag(): assert V(1, 2) in Bag([[1, 2], [3, 4]]) and V(1, 3) not in Bag([[1, 2], [3, 4]])
def test_items(): assert add(V(1, 2), V(3, 4))[0] == 4 and list(add(V(1, 2), V(3, 4))) == [4, 6]
`,
    styles: {
      all: packing('*v', 'v', ''),
      pair: packing('x, y', '(x, y)', ''),
      more: packing('x, y, *more', '(x, y, *more)', 'V, cls'),
    },
    wrong: [
      ['all', 'super().__new__(cls, v)', 'super().__new__(cls, v[:1])', 'test_sum'],
      ['pair', '(x, y))', '(x, x))', 'test_sum'],
      ['pair', 'V(*(i + j', 'V(*(i - j', 'test_list'],
      ['all', 'V(*row)', 'V(*row[1:])', 'test_bag'],
      ['more', '(x, y, *more)', '(x, *more)', 'test_items'],
    ],
  },
];

/** A data class as reference, and programs with operators of their own, which a suite has to name in `objects`. */
export const ownOperators = {
  tests: `
import copy
from solution import Span
def test_equal():
    assert Span(1, 3).shift(2) == Span(3, 5)
    assert Span(1, 3) == Span(1, 3)
def test_unequal():
    assert Span(1, 3).shift(2) != Span(3, 6)
    assert Span(1, 3) != 'Span(1, 3)'
def test_order():
    assert [each.first for each in sorted([Span(5, 6), Span(1, 2), Span(3, 4)])] == [1, 3, 5]
    assert max([Span(1, 2), Span(3, 4)]).first == 3
def test_hash(): assert len({Span(1, 2), Span(1, 2), Span(1, 3)}) == 2
def test_list(): assert [each.shift(1) for each in [Span(1, 2)]] == [Span(2, 3)]
def test_copy(): assert copy.copy(Span(1, 2)) == Span(1, 2)
`,
  reference: `
from dataclasses import dataclass
@dataclass(frozen=True, order=True)
class Span:
    first: int
    last: int
    def shift(self, n): return Span(self.first + n, self.last + n)
`,
  right: {
    length: `
import functools
@functools.total_ordering
class Span:
    __slots__ = ('first', '_length')
    def __init__(self, first, last): self.first, self._length = first, last - first + 1
    last = property(lambda self: self.first + self._length - 1)
    def __eq__(self, o): return isinstance(o, Span) and (self.first, self._length) == (o.first, o._length)
    def __lt__(self, o): return (self.first, self._length) < (o.first, o._length)
    def __hash__(self): return hash((self.first, self._length))
    def __copy__(self): return self
    def shift(self, n): return Span(self.first + n, self.last + n)
`,
    bounds: `
class Span:
    def __init__(self, first, last): self.bounds = (first, last)
    first = property(lambda self: self.bounds[0])
    def __eq__(self, o): return self.bounds == o.bounds if type(o) is Span else NotImplemented
    def __lt__(self, o): return self.bounds < o.bounds
    def __gt__(self, o): return self.bounds > o.bounds
    def __hash__(self): return hash(self.bounds)
    def shift(self, n): return Span(*(each + n for each in self.bounds))
`,
  },
  /** The style, what stands in the place of a part, and the test that fails. */
  wrong: [
    ['length', 'Span(self.first + n, self.last + n)', 'Span(self.first + n, self.last)', 'test_equal'],
    ['bounds', 'each + n', 'each', 'test_list'],
    ['bounds', 'self.bounds == o.bounds if', 'True if', 'test_unequal'],
    ['bounds', 'hash(self.bounds)', 'id(self)', 'test_hash'],
    ['length', 'return (self.first, self._length) <', 'return (o.first, self._length) >', 'test_order'],
  ],
} as const;
