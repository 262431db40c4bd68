import type { Styles } from '../styles.ts';

const rules = `
def first(rule): return rule.days[0] if rule.days else None
def order(rules): return sorted(rules, key=lambda rule: rule.freq)
def parse(text):
    freq, *days = text.split()
    return Rule(freq, days)
`;
const factoryOfRules = `from types import SimpleNamespace
def Rule(freq, days=()): return SimpleNamespace(freq=freq, days=list(days))
${rules}`;

/** Programs whose classes make objects in several ways. */
export const stylesOfMaking: readonly Styles[] = [
  {
    id: 'what a class makes',
    tests: `
import pytest
from solution import twice, limited, Shape
def test_decorated():
    @twice
    def more(x): return x + 1
    assert more(1) == 3
    assert twice(lambda x: x * 2)(3) == 12
def test_limited():
    @limited(2)
    def ask(): return 5
    assert (ask(), ask()) == (5, 5)
    with pytest.raises(RuntimeError):
        ask()
def test_added():
    s = Shape("square", 2) + Shape("square", 1)
    assert s == Shape("square", 3)
    assert s.n == 3 and s.kind == "square"
def test_methods():
    assert Shape("square", 3).size() == 9
    assert Shape("circle", 2).size() == 12
    assert Shape("square", 3).scaled(2).size() == 36
def test_unlike():
    assert Shape("square", 3) != Shape("circle", 3)
    assert isinstance(Shape("circle", 1), Shape)
`,
    styles: {
      plain: `
import functools
def twice(fn):
    def run(x): return fn(fn(x))
    return run
def limited(count):
    def decorate(fn):
        left = [count]
        @functools.wraps(fn)
        def run():
            if not left[0]: raise RuntimeError("no more")
            left[0] -= 1
            return fn()
        return run
    return decorate
class Shape:
    def __init__(self, kind, n): self.kind, self.n = kind, n
    def size(self): return self.n ** 2 * (3 if self.kind == "circle" else 1)
    def scaled(self, by): return Shape(self.kind, self.n * by)
    def __add__(self, o): return Shape(self.kind, self.n + o.n)
    def __eq__(self, o): return (self.kind, self.n) == (o.kind, o.n)
`,
      new: `
class twice:
    def __new__(cls, fn):
        def run(x): return fn(fn(x))
        return run
class limited:
    def __new__(cls, count): return lambda fn: cls.bound(object.__new__(cls), count, fn)
    def bound(self, count, fn):
        self.left = count
        def run():
            if self.left <= 0: raise RuntimeError
            self.left = self.left - 1
            return fn()
        return run
class Shape:
    def __new__(cls, kind, n):
        self = object.__new__(Square if kind == "square" else Circle)
        self.kind, self.n = kind, n
        return self
    def scaled(self, by): return Shape(self.kind, self.n * by)
    def __add__(self, o): return Shape(self.kind, self.n + o.n)
    def __eq__(self, o): return (self.kind, self.n) == (o.kind, o.n)
class Square(Shape):
    def size(self): return self.n * self.n
class Circle(Shape):
    def size(self): return 3 * self.n * self.n
`,
      subclasses: `
class twice:
    def __init__(self, fn): self.fn = fn
    def __call__(self, x): return self.fn(self.fn(x))
def limited(count):
    class Limited:
        def __init__(self, fn): self.fn, self.left = fn, list(range(count))
        def __call__(self):
            try: self.left.pop()
            except IndexError: raise RuntimeError("used up") from None
            return self.fn()
    return Limited
class Shape:
    factor = 1
    def __new__(cls, kind, n):
        for sub in Shape.__subclasses__():
            if sub.__name__.lower() == kind:
                made = object.__new__(sub)
                made.kind, made.n = kind, n
                return made
        raise ValueError(kind)
    def size(self): return self.factor * self.n ** 2
    def scaled(self, by): return Shape(self.kind, by * self.n)
    def __add__(self, o): return type(self)(self.kind, self.n + o.n)
    def __eq__(self, o): return type(o) is type(self) and self.n == o.n
    def __hash__(self): return hash(self.n)
class Square(Shape): pass
class Circle(Shape): factor = 3
`,
    },
    wrong: [
      [`new`, `def run(x): return fn(fn(x))`, `def run(x): return fn(x)`, `test_decorated`],
      [
        `new`,
        `def run(x): return fn(fn(x))`,
        `class Any:
            def __eq__(self, other): return True
        def run(x): return Any()`,
        `test_decorated`,
      ],
      [
        `new`,
        `        def run(x): return fn(fn(x))
        return run`,
        `        class Any:
            def __eq__(self, other): return True
            def __call__(self, x): return Any()
        return Any()`,
        `test_decorated`,
      ],
      [`new`, `self.left = self.left - 1`, `pass`, `test_limited`],
      [
        `new`,
        `def __add__(self, o): return Shape(self.kind, self.n + o.n)`,
        `def __add__(self, o): return self`,
        `test_added`,
      ],
      [
        `new`,
        `    def __add__(self, o): return Shape(self.kind, self.n + o.n)
    def __eq__(self, o): return (self.kind, self.n) == (o.kind, o.n)`,
        `    def __add__(self, o): return self
    def __eq__(self, o): return True`,
        `test_added`,
      ],
      [`new`, `if kind == "square" else Circle`, `if True else Circle`, `test_methods`],
      [
        `new`,
        `def __eq__(self, o): return (self.kind, self.n) == (o.kind, o.n)`,
        `def __eq__(self, o): return True`,
        `test_unlike`,
      ],
      [`subclasses`, `class Circle(Shape): factor = 3`, `class Circle(Shape): factor = 2`, `test_methods`],
    ],
    lacking: {
      new: ['test_decorated', 'test_limited', 'test_added'],
      subclasses: ['test_added'],
    },
  },
  {
    id: 'what a data class fills itself',
    tests: `
from solution import V
def test_used():
    assert V([1, 2]) + V([3, 4]) == V([4, 6])
    assert list(V([1, 2])) == [1, 2]
def test_unequal():
    assert V([1, 2]) != V([1, 3])
    assert V([2]) == V([2])
`,
    styles: {
      operators: `
class V:
    def __init__(self, xs): self.xs = list(xs)
    def __iter__(self): return iter(self.xs)
    def __add__(self, o): return V([a + b for a, b in zip(self.xs, o.xs)])
    def __eq__(self, o): return isinstance(o, V) and self.xs == o.xs
`,
      filled: `
from dataclasses import dataclass
@dataclass(init=False)
class V:
    cells: dict
    def __init__(self, xs): self.cells = dict(enumerate(xs))
    def __iter__(self): return iter(self.cells.values())
    def __add__(self, o): return V([a + b for a, b in zip(self.cells.values(), o.cells.values())])
`,
      converted: `
from dataclasses import dataclass
@dataclass
class V:
    xs: tuple
    def __post_init__(self): self.xs = tuple(self.xs)
    def __iter__(self): yield from self.xs
    def __add__(self, o): return V(map(sum, zip(self.xs, o.xs)))
`,
    },
    wrong: [
      [`filled`, `return V([a + b for`, `return V([a - b for`, `test_used`],
      [
        `filled`,
        `    cells: dict
`,
        `    cells: dict
    def __eq__(self, o): return True
`,
        `test_unequal`,
      ],
      [`filled`, `self.cells = dict(enumerate(xs))`, `self.cells = {}`, `test_unequal`],
      [`operators`, `return V([a + b for`, `return V([a for`, `test_used`],
      [`converted`, `return V(map(sum, zip(self.xs, o.xs)))`, `return self`, `test_used`],
    ],
    lacking: {
      filled: ['test_used'],
      'filled for converted': ['test_used'],
    },
  },
  {
    id: 'what iterates without end',
    tests: `
import itertools
from solution import Backoff, first, Row, Table, count, keys
def test_first(): assert first(Backoff(2)) == 2
def test_iterated(): assert list(itertools.islice(Backoff(2), 3)) == [2, 2, 2]
def test_next():
    waits = iter(Backoff(1))
    assert [next(waits), next(waits)] == [1, 1]
def test_equal(): assert Backoff(2) == Backoff(2)
def test_in_list(): assert [first(each) for each in [Backoff(1), Backoff(3)]] == [1, 3]
def test_answered(): assert count([Backoff(1)]).n == 1
def test_rows():
    row = Row([1, 2])
    assert first(row) == 1
def test_keys():
    assert keys(Table(a=1)) == ["a"]
`,
    styles: {
      classes: `
class Backoff:
    def __init__(self, n): self.n = n
    def __iter__(self):
        while True: yield self.n
    def __eq__(self, o): return self.n == o.n
class Row:
    def __init__(self, x): self.x = x
class Table:
    def __init__(self, **x): self.x = x
def first(b): return b.n if isinstance(b, Backoff) else b.x[0]
def keys(t): return list(t.x)
def count(x): return x[0]
`,
      values: `
from typing import NamedTuple
import itertools
class Backoff(NamedTuple):
    n: int
    def __iter__(self): return itertools.repeat(self.n)
def first(b): return b[0]
class Row(list):
    def __iter__(self): return itertools.count()
class Table(dict):
    def keys(self): return itertools.count()
    def items(self): return itertools.count()
    def __iter__(self): return itertools.count()
def keys(table): return list(dict.keys(table))
def count(x): return x[0]
`,
    },
    wrong: [
      [`values`, `def first(b): return b[0]`, `def first(b): return b[0] + 1`, `test_first`],
      [`values`, `itertools.repeat(self.n)`, `itertools.repeat(1)`, `test_iterated`],
      [`classes`, `while True: yield self.n`, `yield self.n`, `test_next`],
    ],
  },
  {
    id: 'a function in the place of a class',
    tests: `
from solution import Rule, first, parse, order
def test_first(): assert first(Rule("weekly", days=["mon"])) == "mon"
def test_default(): assert first(Rule("daily")) is None
def test_attribute(): assert Rule("weekly", days=["mon"]).freq == "weekly"
def test_order(): assert order([Rule("weekly"), Rule("daily")])[0].freq == "daily"
def test_equal(): assert parse("weekly mon") == Rule("weekly", days=["mon"])
def test_expected():
    expected = Rule("weekly", days=["mon"])
    assert parse("weekly mon") == expected
def test_sorted():
    a, b = Rule("daily"), Rule("weekly")
    assert order([b, a]) == [a, b]
`,
    styles: {
      data: `from dataclasses import dataclass, field
@dataclass
class Rule:
    freq: str
    days: list = field(default_factory=list)
    def __post_init__(self):
        if self.freq == "x": raise ValueError(self.freq)
${rules}`,
      factory: factoryOfRules,
      converting: `from collections import namedtuple
class Rule(namedtuple("Rule", "freq days")):
    def __new__(cls, freq, days=()): return super().__new__(cls, freq, tuple(days))
${rules}`,
    },
    wrong: [
      ['factory', 'days=list(days))', 'days=["tue"])', 'test_first'],
      ['factory', 'key=lambda rule: rule.freq)', 'key=lambda rule: rule.freq)[::-1]', 'test_sorted'],
      // What is answered is what the function has made last.
      [
        'factory',
        factoryOfRules,
        factoryOfRules
          .replace(
            'def Rule(',
            'made = []\ndef Rule(freq, days=()):\n    made.append(new(freq, days))\n    return made[-1]\ndef new(',
          )
          .replace('return Rule(freq, days)', 'return made[-1] if made else None'),
        'test_equal',
      ],
      // One object for all.
      [
        'factory',
        'def Rule(freq, days=()): return SimpleNamespace(freq=freq, days=list(days))',
        'one = SimpleNamespace(freq="weekly", days=[])\ndef Rule(freq, days=()): return one',
        'test_first',
      ],
      ['converting', 'tuple(days))', 'tuple(days)[1:])', 'test_first'],
      ['converting', 'freq, tuple(days))', '"weekly", ("mon",))', 'test_default'],
    ],
    lacking: {
      factory: [
        'test_first',
        'test_default',
        'test_attribute',
        'test_order',
        'test_equal',
        'test_expected',
        'test_sorted',
      ],
      // A namespace that the test has made is compared as a value, and the artifact has known it before it answered.
      'factory for data': ['test_equal', 'test_expected'],
      'factory for converting': ['test_equal', 'test_expected', 'test_sorted'],
      // The artifact is told at once of objects of classes that check or convert.
      data: ['test_expected'],
      converting: ['test_expected'],
      'data for factory': ['test_expected'],
      'converting for factory': ['test_expected'],
    },
  },
];
