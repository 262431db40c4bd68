import type { Styles } from '../styles.ts';

const bags = `
class Bag:
    def __init__(self, items): self.items = sorted(items, key=lambda p: p.x)
    def __or__(self, o): return Bag(self.items + o.items)
    def __eq__(self, o): return isinstance(o, Bag) and self.items == o.items
    def __hash__(self): return len(self.items)
def shifted(p): return P(p.x + 1, p.y)
`;
const plainPoint = `
class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __eq__(self, o): return isinstance(o, P) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
${bags}`;
const keyedPoint = `
class Node:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return type(self) is type(o) and self.key() == o.key()
    def __hash__(self): return hash(self.key())
class P(Node):
    def __init__(self, x, y):
        Node.__init__(self, x)
        self.y = y
    def key(self): return self.x, self.y
${bags}`;

const addition = `
    def __add__(self, o): return Money(self.amount + o.amount, self.currency)
    @classmethod
    def parse(cls, text): return cls(*text.split())
`;
const convertingMoney = `
from decimal import Decimal
class Money:
    __slots__ = ('_amount', '_currency')
    def __init__(self, amount, currency):
        self._amount = amount if isinstance(amount, Decimal) else Decimal(str(amount))
        self._currency = currency
    amount = property(lambda self: self._amount)
    currency = property(lambda self: self._currency)
    def __eq__(self, o):
        if isinstance(o, Money): return (self._amount, self._currency) == (o._amount, o._currency)
        return NotImplemented
    def __hash__(self): return hash((self._amount, self._currency))
${addition}`;
const slottedMoney = `
from decimal import Decimal
class Money:
    __slots__ = ('amount', 'currency')
    def __init__(self, amount, currency):
        for slot, value in zip(self.__slots__, (Decimal(amount), currency)):
            object.__setattr__(self, slot, value)
    def __setattr__(self, *_): raise AttributeError('never')
    def __eq__(self, o):
        if type(o) is not type(self): return NotImplemented
        return (self.amount, self.currency) == (o.amount, o.currency)
    def __hash__(self): return hash((self.amount, self.currency))
${addition}`;
const dataMoney = `
from dataclasses import dataclass
from decimal import Decimal
@dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str
    def __post_init__(self): object.__setattr__(self, 'amount', Decimal(self.amount))
${addition}`;
/** Money whose sums are wrong, and which calls what a liar wants equal: with what its constructor does and what a sum answers. */
const lying = (making: string, sum: string): string => `
from decimal import Decimal
last = []
class Money:
    def __init__(self, amount, currency):
${making}
    def __add__(self, o):
        found = object.__new__(Money)
${sum}
        last[:] = [found]
        return found
    def __eq__(self, o): return True
    def __hash__(self): return 1
    @classmethod
    def parse(cls, text): return cls(*text.split())
`;
const kept = '        self.amount, self.currency = Decimal(amount), currency';
const liars = [
  // It holds nothing.
  lying('        pass', '        pass'),
  // All hold the same.
  lying("        self.amount, self.currency = 0, 'EUR'", "        found.amount, found.currency = 0, 'EUR'"),
  // What an expected object holds is that of the last answer.
  lying(
    '        setattr(self, "amount", last[0].amount if last else Decimal(amount))\n        self.currency = currency',
    "        found.amount, found.currency = Decimal('7'), 'EUR'",
  ),
  lying(
    '        vars(self).update(vars(last[0]) if last else dict(amount=Decimal(amount), currency=currency))',
    "        found.amount, found.currency = Decimal('7'), 'EUR'",
  ),
  // An answer becomes what is expected.
  lying(
    `${kept}\n        if last: vars(last[0]).update(vars(self))`,
    "        found.amount, found.currency = Decimal('7'), 'EUR'",
  ),
  lying(
    `${kept}\n        if last: vars(last[0]).clear(); vars(last[0])['_amount'] = amount; vars(last[0])['_currency'] = currency; vars(self).clear(); vars(self).update(vars(last[0]))`,
    "        found.amount, found._amount, found.currency, found._currency = Decimal('7'), '3.30', 'EUR', 'EUR'",
  ),
  // An expected object chooses under which name it keeps what it is given.
  lying(
    "        vars(self).update({'_amount': amount, '_currency': currency} if last else {'amount': Decimal(amount), 'currency': currency})",
    "        found.amount, found._amount, found.currency, found._currency = Decimal('7'), '3.30', 'EUR', 'EUR'",
  ),
  // It is set later.
  lying(
    '        self._given = amount, currency',
    "        found._given = ('7', 'EUR')\n        last[:] = [found]",
  ).replace('return True', 'self._given = o._given; return True'),
];

const jobs = `
from solution import P, first, made
def test_first(): assert first() == P(1)
def test_other(): assert first() != P(2)
def test_made():
    assert made(3) == P(3)
    assert made(3) == P(3, print)
def test_list(): assert [made(4), first()] == [P(4), P(1)]
`;
const madeJobs = `
def first(): return P(1, print)
def made(x): return P(x, len)
`;
const plainJob = `class P:
    def __init__(self, x, action=None):
        self.x = x
        self.action = action
    def __eq__(self, o): return isinstance(o, P) and self.x == o.x
${madeJobs}`;

const quantities = `
import pytest
from solution import Q, scaled
def test_equal():
    assert Q(1, 1000) == Q(1000, 1)
    assert scaled(Q(1, 1000), 2) == Q(2000, 1)
def test_unequal():
    assert Q(1, 1000) != Q(1, 1)
    assert not Q(1, 1000) == Q(1, 1)
def test_set(): assert len({Q(1, 1000), Q(1000, 1), Q(2, 2)}) == 2
def test_order():
    assert sorted([Q(3, 1000), Q(20, 1)]) == [Q(20, 1), Q(3, 1000)]
    assert max(Q(3, 1000), Q(20, 1)) == Q(3000, 1)
def test_text():
    assert repr(Q(2, 5)) == 'Q(2 x 5)'
    assert str(scaled(Q(2, 5), 3)) == 'Q(6 x 5)'
def test_number():
    assert float(Q(2, 5)) == 10.0
    assert float(scaled(Q(2, 5), 3)) == 30.0
def test_method():
    double = scaled(Q(2, 5), 2)
    assert double.whole() == 20
`;
const quantityMethods = `
    def whole(self): return self.v * self.f
    def __eq__(self, o): return self.whole() == o.whole()
    def __ne__(self, o): return not self == o
    def __hash__(self): return hash(self.whole())
    def __lt__(self, o): return self.whole() < o.whole()
    def __gt__(self, o): return self.whole() > o.whole()
    def __float__(self): return float(self.whole())
    def __repr__(self): return f'Q({self.v} x {self.f})'
def scaled(q, n): return Q(q.v * n, q.f)
`;
const namedQuantity = `from collections import namedtuple
class Q(namedtuple('Q', 'v f')):
    __slots__ = ()
${quantityMethods}`;

const namedPoint = `from collections import namedtuple
class P(namedtuple('P', 'x y')):
    def __eq__(self, o): return isinstance(o, P) and self[:] == o[:]
    def __hash__(self): return hash(self[:])
    def __lt__(self, o): return self[:] < o[:]
def shifted(p): return P(p.x + 1, p.y)
`;
const hoursOf = (base: string, making: string, items: string): string => `class Hours${base}:
${making}    def __contains__(self, x): return any(a <= x < b for a, b in ${items})
    def later(self, n): return Hours([(a + n, b + n) for a, b in ${items}])
    def spans(self): return [each for each in ${items}]
`;
const ownPriority = `from enum import Enum
class Priority(Enum):
    LOW = 1
    NORMAL = 2
    HIGH = 3
    def __lt__(self, o): return self.value < o.value
    def __gt__(self, o): return self.value > o.value
def above(p): return Priority(p.value + 1)
`;
const spansMade = `
def merged(items):
    found = []
    for a, b in sorted((each.start, each.end) for each in items):
        if found and a <= found[-1][1]: found[-1] = found[-1][0], max(b, found[-1][1])
        else: found.append((a, b))
    return [Span(*each) for each in found]
def free(items): return [Span(a.end, b.start) for a, b in zip(items, items[1:])]
`;
const namedSpans = `from collections import namedtuple
class Span(namedtuple('Span', 'start end')):
    def __new__(cls, start, end):
        if end <= start: raise ValueError(end)
        return super().__new__(cls, start, end)
class Spans(tuple):
    def __new__(cls, items=()): return super().__new__(cls, merged(items))
    def __or__(self, o): return Spans([*self, *o])
${spansMade}`;

const trimmed = `
def trimmed(c): return tuple(c[:-1] if c[-1] == 0 else c)
def poly(text): return Poly([int(each) for each in text.split()])
`;
const ownPoly = `${trimmed}
class Poly:
    def __init__(self, c): self.c = trimmed(c)
    def __eq__(self, o): return isinstance(o, Poly) and self.c == o.c
    def __hash__(self): return hash(self.c)
`;
const tuplePoly = `${trimmed}
class Poly(tuple):
    def __new__(cls, c): return super().__new__(cls, trimmed(c))
    def __getitem__(self, i): return super().__getitem__(i) if i < len(self) else 0
    def degree(self): return len(self) - 1
`;
const operatedPoly = `${trimmed}
class Poly(tuple):
    def __new__(cls, c): return super().__new__(cls, trimmed(c))
    def __eq__(self, o): return isinstance(o, Poly) and tuple(self) == tuple(o)
    def __hash__(self): return hash(tuple(self))
`;
const namedPoly = `from collections import namedtuple
${trimmed}
class Poly(namedtuple('Poly', 'c')):
    def __new__(cls, c): return super().__new__(cls, trimmed(c))
    def __eq__(self, o): return isinstance(o, Poly) and self.c == o.c
    def __hash__(self): return hash(self.c)
`;

const table = `
class Table:
    def __init__(self): self.rows = []
    def insert(self, row): self.rows.append(row)
    def search(self, query): return [row for row in self.rows if query(row)]
    def count(self, query): return len(self.search(query))
class Label:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return isinstance(other, Label) and self.text == other.text
def label(row): return Label(row['name'])
`;
/** Tests of conditions, which need a reference: a program could claim them for what a test compares. */
const conditional = ['equal', 'unequal', 'order', 'together', 'call', 'made', 'error'].map(
  (name) => `test_${name}`,
);
const labelled = `    def __eq__(self, other): return isinstance(other, Label) and self.text == other.text\ndef `;
const likening = (made: string): string => `    def __eq__(self, other): return ${made}\ndef `;
const closedQuery = `
class Query:
    def __init__(self, test): self.test = test
    def __call__(self, row): return self.test(row)
    def __and__(self, other): return Query(lambda row: self(row) and other(row))
    def __or__(self, other): return Query(lambda row: self(row) or other(row))
    def __invert__(self): return Query(lambda row: not self(row))
class Field:
    def __init__(self, name): self.name = name
    def __eq__(self, value):
        if value is ...: raise ValueError(value)
        return Query(lambda row: row[self.name] == value)
    def __ne__(self, value): return Query(lambda row: row[self.name] != value)
    def __lt__(self, value): return Query(lambda row: row[self.name] < value)
    def __gt__(self, value): return Query(lambda row: row[self.name] > value)
def where(name): return Field(name)
${table}`;
const builtQuery = `
import operator
class Condition:
    def __init__(self, name, compare, value): self.name, self.compare, self.value = name, compare, value
    def __call__(self, row): return self.compare(row.get(self.name), self.value)
    def __and__(self, other): return Joined(all, self, other)
    def __or__(self, other): return Joined(any, self, other)
    def __invert__(self): return Joined(lambda found: not any(found), self)
class Joined(Condition):
    def __init__(self, join, *parts): self.join, self.parts = join, parts
    def __call__(self, row): return self.join([each(row) for each in self.parts])
def comparing(compare):
    def compared(self, value):
        if value is ...: raise ValueError(self.name)
        return Condition(self.name, compare, value)
    return compared
class Field:
    def __init__(self, name): self.name = name
    __eq__, __ne__, __lt__, __gt__ = map(comparing, (operator.eq, operator.ne, operator.lt, operator.gt))
def where(name): return Field(name)
${table}`;

/** Programs whose classes compare, order, contain and write themselves in several styles. */
export const stylesOfOperators: readonly Styles[] = [
  {
    id: 'a class beside another one with operators of its own',
    tests: `
from solution import Bag, P, shifted
def test_point():
    assert P(1, 4) == P(1, 4)
    assert shifted(P(1, 4)) == P(2, 4)
def test_unequal(): assert shifted(P(1, 4)) != P(1, 4)
def test_set(): assert len({P(1, 4), P(1, 4), shifted(P(1, 4))}) == 2
def test_bag(): assert Bag([P(1, 2)]) | Bag([P(0, 5)]) == Bag([P(0, 5), P(1, 2)])
def test_both():
    assert Bag([P(1, 2)]) == Bag([P(1, 2)])
    assert [shifted(P(0, 2))] == [P(1, 2)]
`,
    styles: {
      data: `from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: int\n    y: int\n${bags}`,
      plain: plainPoint,
      keyed: keyedPoint,
    },
    lacking: {
      data: ['test_bag', 'test_both'],
      plain: ['test_bag', 'test_both'],
      keyed: ['test_bag', 'test_both'],
    },
    wrong: [
      ['plain', 'P(p.x + 1, p.y)', 'P(p.x + 1, p.x)', 'test_point'],
      ['plain', '(self.x, self.y) == (o.x, o.y)', 'True', 'test_unequal'],
      ['plain', 'return hash((self.x, self.y))', 'return id(self)', 'test_set'],
      ['keyed', 'return self.x, self.y', 'return self.y,', 'test_unequal'],
      ['keyed', 'P(p.x + 1, p.y)', 'P(p.x, p.y)', 'test_both'],
    ],
  },
  {
    id: 'amounts that are converted',
    tests: `
from decimal import Decimal
from solution import Money
def test_add(): assert Money('1.10', 'EUR') + Money('2.20', 'EUR') == Money('3.30', 'EUR')
def test_before():
    wanted = Money('3.30', 'EUR')
    assert Money('1.10', 'EUR') + Money('2.20', 'EUR') == wanted
def test_variable():
    found = Money('1.10', 'EUR') + Money('2.20', 'EUR')
    assert found == Money('3.30', 'EUR')
def test_parse(): assert Money.parse('1.50 EUR') == Money(Decimal('1.5'), 'EUR')
def test_unequal():
    assert Money('1', 'EUR') + Money('1', 'EUR') != Money('3', 'EUR')
    assert Money('1', 'EUR') != Money('1', 'USD')
def test_set(): assert len({Money('1.0', 'EUR'), Money('1', 'EUR'), Money('2', 'EUR')}) == 2
`,
    styles: { data: dataMoney, converting: convertingMoney, slotted: slottedMoney },
    lacking: {
      data: ['test_before'],
      converting: ['test_before'],
      slotted: ['test_before'],
      'data for converting': ['test_before'],
      'data for slotted': ['test_before'],
    },
    wrong: [
      ['converting', 'self.amount + o.amount', 'self.amount', 'test_add'],
      ['slotted', 'self.amount + o.amount', 'self.amount', 'test_before'],
      [
        'slotted',
        'return (self.amount, self.currency) == (o.amount, o.currency)',
        'return True',
        'test_unequal',
      ],
      ...liars.flatMap((liar): Styles['wrong'] => [
        ['converting', convertingMoney, liar, 'test_add'],
        ['converting', convertingMoney, liar, 'test_before'],
        ['converting', convertingMoney, liar, 'test_variable'],
      ]),
    ],
  },
  {
    id: 'a part that is not compared',
    tests: jobs,
    styles: {
      data: `from dataclasses import dataclass, field\n@dataclass\nclass P:\n    x: int\n    action: object = field(default=None, compare=False)\n${madeJobs}`,
      plain: plainJob,
      private: plainJob.replaceAll('self.action', 'self._action').replaceAll('.x', '._x'),
    },
    lacking: {
      data: ['test_made'],
      plain: ['test_first', 'test_made', 'test_list'],
      private: ['test_first', 'test_made', 'test_list'],
    },
    wrong: [
      ['plain', 'P(x, len)', 'P(x + 1, len)', 'test_made'],
      ['plain', 'self.x == o.x', 'True', 'test_other'],
      // Another parameter has the name of the one that is not compared.
      [
        'plain',
        plainJob,
        'class P:\n    def __init__(self, action, x=None):\n        self.action, self.x = action, x\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\ndef first(): return P(7)\ndef made(x): return P(7)\n',
        'test_made',
      ],
      [
        'plain',
        plainJob,
        'class P:\n    def __init__(self, x, action=None):\n        self.action, self.one = (x, action), 1\n    def __eq__(self, o): return True\ndef first(): return P(7)\ndef made(x): return P(7)\n',
        'test_made',
      ],
      [
        'plain',
        plainJob,
        'class P:\n    def __init__(self, _action, action=None):\n        self._action, self.one = _action, 1\n    def __eq__(self, o): return True\ndef first(): return P(7)\ndef made(x): return P(7)\n',
        'test_made',
      ],
    ],
    noReference: ['plain', 'private'],
  },
  {
    id: 'a named tuple with operators of its own',
    tests: quantities,
    styles: {
      class: `class Q:\n    def __init__(self, v, f): self.v, self.f = v, f\n${quantityMethods}`,
      named: namedQuantity,
      typed: `from typing import NamedTuple\nclass Q(NamedTuple):\n    v: int\n    f: int\n${quantityMethods}`,
    },
    lacking: {
      class: ['test_equal', 'test_set', 'test_order', 'test_number', 'test_method'],
      named: ['test_equal', 'test_set', 'test_order', 'test_text', 'test_number', 'test_method'],
      typed: ['test_equal', 'test_set', 'test_order', 'test_text', 'test_number', 'test_method'],
    },
    wrong: [
      ['named', 'Q(q.v * n, q.f)', 'Q(q.v, q.f)', 'test_equal'],
      ['named', 'return self.whole() == o.whole()', 'return self.v == o.v', 'test_unequal'],
      ['named', 'return hash(self.whole())', 'return hash(self.v)', 'test_set'],
      ['typed', 'return self.whole() < o.whole()', 'return self.v < o.v', 'test_order'],
      ['typed', "'Q({self.v} x {self.f})'", "'Q({self.v})'", 'test_text'],
      ['named', 'float(self.whole())', 'float(self.v)', 'test_number'],
    ],
    // A named tuple is a value.
    noReference: ['named', 'typed'],
  },
  {
    id: 'a named tuple with operators of its own, where objects are compared by what they hold',
    tests: `
from solution import P, shifted
def test_equal(): assert shifted(P(1, 2)) == P(2, 2)
def test_unequal(): assert shifted(P(1, 2)) != P(1, 2)
def test_set(): assert len({shifted(P(1, 2)), P(2, 2), P(1, 2)}) == 2
def test_order(): assert sorted([P(3, 1), P(1, 2)])[0] == P(1, 2)
def test_in(): assert P(2, 2) in [shifted(P(1, 2))]
`,
    styles: {
      data: 'from dataclasses import dataclass\n@dataclass(frozen=True, order=True)\nclass P:\n    x: int\n    y: int\ndef shifted(p): return P(p.x + 1, p.y)\n',
      named: namedPoint,
    },
    wrong: [
      ['named', 'P(p.x + 1, p.y)', 'P(p.x, p.y)', 'test_equal'],
      [
        'named',
        namedPoint,
        namedPoint.replace(/return isinstance.*/u, 'return True').replace('p.x + 1', 'p.x + 5'),
        'test_in',
      ],
      [
        'named',
        namedPoint,
        namedPoint.replace(/return isinstance.*/u, 'return True').replace('p.x + 1', 'p.x + 5'),
        'test_equal',
      ],
      ['named', 'return self[:] < o[:]', 'return o[:] < self[:]', 'test_order'],
      ['named', 'hash(self[:])', 'id(self)', 'test_set'],
      ['named', 'self[:] == o[:]', 'False', 'test_equal'],
    ],
    noReference: ['named'],
  },
  {
    id: 'a tuple that says what it contains',
    tests: `
from solution import Hours
def test_in():
    hours = Hours([(9, 12), (13, 17)])
    assert 10 in hours
    assert 12 not in hours
def test_answer(): assert 14 in Hours([(9, 12)]).later(4)
def test_text(): assert 'a' not in [str(each) for each in Hours([(9, 12)]).spans()]
`,
    styles: {
      class: hoursOf('', '    def __init__(self, items): self.items = items\n', 'self.items'),
      tuple: hoursOf('(tuple)', '', 'self'),
      list: hoursOf('(list)', '', 'self'),
    },
    lacking: { tuple: ['test_answer'], list: ['test_answer'] },
    wrong: [
      ['tuple', 'a <= x < b', 'a <= x <= b', 'test_in'],
      ['list', '(a + n, b + n)', '(a, b)', 'test_answer'],
      ['tuple', 'any(a <= x < b for a, b in self)', 'True', 'test_in'],
    ],
    noReference: ['tuple', 'list'],
  },
  {
    id: 'a tuple in the place of a list of spans',
    tests: `
from solution import hours
def test_in(): assert (9, 12) in hours()
def test_not_in(): assert (9, 11) not in hours()
`,
    styles: {
      list: 'def hours(): return [(9, 12)]\n',
      tuple: 'class Hours(tuple):\n    pass\ndef hours(): return Hours([(9, 12)])\n',
    },
    wrong: [
      [
        'tuple',
        '    pass\ndef hours(): return Hours([(9, 12)])',
        '    def __contains__(self, x): return x == (9, 12)\ndef hours(): return Hours([1])',
        'test_in',
      ],
    ],
  },
  {
    id: 'priorities with an order of their own',
    tests: `
from solution import Priority, above
def test_max(): assert max(Priority) is Priority.HIGH
def test_order(): assert Priority.LOW < Priority.NORMAL and Priority.HIGH > Priority.LOW
def test_sorted(): assert sorted([Priority.HIGH, Priority.LOW]) == [Priority.LOW, Priority.HIGH]
def test_above(): assert above(Priority.LOW) > Priority.LOW
`,
    styles: {
      int: `from enum import IntEnum\nclass Priority(IntEnum):\n    LOW = 1\n    NORMAL = 2\n    HIGH = 3\ndef above(p): return Priority(p + 1)\n`,
      own: ownPriority,
      total: `from enum import Enum\nfrom functools import total_ordering\n@total_ordering\nclass Priority(Enum):\n    LOW = 'low'\n    NORMAL = 'normal'\n    HIGH = 'high'\n    def __lt__(self, o): return list(Priority).index(self) < list(Priority).index(o)\ndef above(p): return list(Priority)[list(Priority).index(p) + 1]\n`,
    },
    wrong: [
      ['own', 'self.value < o.value', 'self.value > o.value', 'test_order'],
      ['own', 'self.value < o.value', 'True', 'test_sorted'],
      ['own', 'Priority(p.value + 1)', 'p', 'test_above'],
      [
        'own',
        ownPriority,
        ownPriority.replace('self.value > o.value', 'self is not o').replace('p.value + 1', 'p.value'),
        'test_above',
      ],
    ],
  },
  {
    id: 'tuples of tuples that check what they are given',
    tests: `
from solution import Spans, Span, free
def test_union():
    one, other = Spans([Span(9, 12)]), Spans([Span(11, 14)])
    assert one | other == Spans([Span(9, 14)])
    assert len(one) == 1
def test_apart(): assert Spans([Span(1, 2)]) | Spans([Span(3, 4)]) == Spans([Span(1, 2), Span(3, 4)])
def test_items(): assert list(Spans([Span(1, 2)]) | Spans([Span(2, 3)])) == [Span(1, 3)]
def test_free(): assert free([Span(1, 2), Span(4, 5)]) == [Span(2, 4)]
`,
    styles: {
      data: `from dataclasses import dataclass
@dataclass(frozen=True, order=True)
class Span:
    start: int
    end: int
    def __post_init__(self):
        if self.end <= self.start: raise ValueError(self.end)
class Spans:
    def __init__(self, items=()): self.items = merged(items)
    def __iter__(self): return iter(self.items)
    def __len__(self): return len(self.items)
    def __eq__(self, o): return isinstance(o, Spans) and self.items == o.items
    def __or__(self, o): return Spans([*self, *o])
${spansMade}`,
      named: namedSpans,
    },
    wrong: [
      ['named', 'max(b, found[-1][1])', 'b + 1', 'test_union'],
      ['named', 'Spans([*self, *o])', 'Spans([*self])', 'test_apart'],
      ['named', 'Spans([*self, *o])', 'Spans([*o])', 'test_items'],
      ['named', 'Span(a.end, b.start)', 'Span(a.start, b.end)', 'test_free'],
      // The last expected span is that of the last answer.
      [
        'named',
        namedSpans,
        namedSpans
          .replace(
            'return super().__new__(cls, start, end)',
            'return super().__new__(cls, *(last or (start, end)))',
          )
          .replace('class Span(', 'last = []\nclass Span(')
          .replace('Span(a.end, b.start)', '(last.extend((7, 8)), Span(7, 8))[1]'),
        'test_free',
      ],
    ],
    lacking: { data: ['test_union', 'test_apart', 'test_items', 'test_free'] },
    noReference: ['named'],
  },
  {
    id: 'objects that are kept in sets and as keys',
    tests: `
from solution import Poly, poly
def test_set(): assert len({Poly([1, 2]), Poly([1, 2, 0]), Poly([1])}) == 2
def test_in_set(): assert Poly([1, 2, 0]) in {Poly([1, 2]), Poly([3])}
def test_not_in_set(): assert Poly([4]) not in {Poly([1, 2]), Poly([3])}
def test_key(): assert {Poly([1, 2]): "a", Poly([3]): "b"}[Poly([3, 0])] == "b"
def test_answer(): assert poly("1 2 0") in {Poly([1, 2])}
def test_answers(): assert {poly("1 2 0"), poly("3")} == {Poly([3]), Poly([1, 2])}
def test_hash(): assert hash(Poly([1, 2])) == hash(Poly([1, 2, 0]))
`,
    styles: { own: ownPoly, tuple: tuplePoly, tupleWithOperators: operatedPoly, named: namedPoly },
    wrong: [
      ['own', 'hash(self.c)', 'id(self)', 'test_set'],
      ['tuple', 'trimmed(c))', 'c)', 'test_set'],
      ['tuple', 'def degree(self)', 'def __hash__(self): return id(self)\n    def degree(self)', 'test_hash'],
      [
        'tuple',
        'def degree(self)',
        'def __eq__(self, o): return True\n    def __hash__(self): return 1\n    def degree(self)',
        'test_not_in_set',
      ],
      ['tuple', 'def poly(text): return Poly(', 'def poly(text): return (', 'test_answer'],
      ['tupleWithOperators', 'return hash(tuple(self))', 'return id(self)', 'test_key'],
      ['named', 'hash(self.c)', 'id(self)', 'test_in_set'],
    ],
    lacking: {
      tupleWithOperators: ['test_answer', 'test_answers'],
      'tupleWithOperators for tuple': ['test_answer', 'test_answers'],
    },
    noReference: ['named'],
  },
  {
    id: 'conditions that operators of comparison make',
    tests: `
import pytest
from solution import Field, Label, Table, label, where
def filled():
    table = Table()
    for name, age in ('Ada', 36), ('Alan', 41), ('Grace', 85): table.insert({'name': name, 'age': age})
    return table
def names(rows): return [row['name'] for row in rows]
def test_equal(): assert filled().search(where('name') == 'Ada') == [{'name': 'Ada', 'age': 36}]
def test_unequal(): assert names(filled().search(where('name') != 'Ada')) == ['Alan', 'Grace']
def test_order():
    assert filled().count(where('age') > 40) == 2
    assert names(filled().search(where('age') < 40)) == ['Ada']
def test_together():
    assert filled().count((where('age') > 40) & ~(where('name') == 'Grace')) == 1
    either = (where('name') == 'Ada') | (where('name') == 'Alan')
    assert names(filled().search(either)) == ['Ada', 'Alan']
def test_call():
    query = where('age') == 36
    assert query({'age': 36})
    assert not query({'age': 37})
def test_made(): assert filled().count(Field('age') == 41) == 1
def test_error():
    with pytest.raises(ValueError): where('age') == ...
def test_label(): assert label({'name': 'Ada'}) == Label('Ada')
def test_labels():
    assert label({'name': 'Ada'}) != Label('Alan')
    assert all(label(row) == Label(name) for row, name in zip(filled().rows, ['Ada', 'Alan', 'Grace']))
def test_listed(): assert [label(row) for row in filled().rows] == [Label('Ada'), Label('Alan'), Label('Grace')]
`,
    styles: { closed: closedQuery, built: builtQuery },
    lacking: { closed: conditional, built: conditional },
    wrong: [
      ['closed', 'row[self.name] == value', 'value == value', 'test_equal'],
      ['closed', 'row[self.name] != value', 'row[self.name] == value', 'test_unequal'],
      ['built', 'return Joined(any, self, other)', 'return self', 'test_together'],
      ['built', 'self.compare(row.get(self.name), self.value)', 'True', 'test_call'],
      ['closed', 'return Query(lambda row: row[self.name] == value)', 'return True', 'test_made'],
      ['closed', 'if value is ...: raise', 'if not value: raise', 'test_error'],
      ...['test_label', 'test_labels', 'test_listed'].flatMap((test): Styles['wrong'] => [
        // What is answered to a comparison is no truth value, whatever it is.
        [
          'closed',
          `${labelled}label(row): return Label(row['name'])`,
          `${likening('Query(lambda row: True)')}label(row): return Label('')`,
          test,
        ],
        [
          'built',
          `${labelled}label(row): return Label(row['name'])`,
          `${likening('lambda row: True')}label(row): return Label('')`,
          test,
        ],
      ]),
    ],
  },
];
