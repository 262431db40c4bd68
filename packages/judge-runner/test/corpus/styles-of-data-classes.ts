import type { Styles } from '../styles.ts';

const held = `
import copy
from solution import Account, Basket, Box, Cart, Wallet, fill
def test_apart():
    one, other = Basket(), Basket()
    one.lines.append(1)
    assert other.lines == []
    assert one != other
def test_changed():
    basket = Basket()
    basket.lines.append(1)
    assert basket == Basket([1])
    assert basket != Basket()
def test_filled():
    basket = Basket()
    fill(basket.lines)
    assert basket == Basket([9])
def test_given():
    lines = []
    basket = Basket(lines)
    lines.append(1)
    assert basket.lines == [1]
    assert basket == Basket([1])
def test_within():
    basket = Basket([], Box())
    basket.box.marks['a'] = 1
    assert basket != Basket([], Box())
    assert basket == Basket([], Box({'a': 1}))
def test_among_others():
    one, other = Box(), Box()
    one.marks['a'] = 1
    assert [one, other].index(other) == 1
    assert other not in [Box({'a': 1})]
def test_ordered():
    one, other = Cart(), Cart()
    other.items.append(1)
    assert one < other
    assert max(one, other) == Cart([1])
def test_copy():
    box = Box()
    copied, deep = copy.copy(box), copy.deepcopy(box)
    box.marks['a'] = 1
    assert copied.marks == {'a': 1}
    assert deep.marks == {}
    assert box == copied
    assert box != deep
def test_objects():
    wallet = Wallet()
    wallet.accounts.append(Account('a', 1))
    assert wallet.total() == 1
    wallet.accounts[0].deposit(5)
    assert wallet.total() == 6
    assert wallet == Wallet([Account('a', 6)])
def test_found():
    wallet = Wallet([Account('a', 1), Account('b', 2)])
    account = wallet.find('b')
    assert account is wallet.accounts[1]
    account.deposit(3)
    assert wallet.total() == 6
`;
const holding = (list: string, dict: string) => `
from dataclasses import dataclass, field
SHARED = []
@dataclass
class Account:
    owner: str
    balance: int = 0
    def deposit(self, n): self.balance += n
@dataclass
class Box:
    marks: dict = field(default_factory=${dict})
@dataclass
class Basket:
    lines: list = field(default_factory=${list})
    box: Box = None
@dataclass(order=True)
class Cart:
    items: list = field(default_factory=${list})
@dataclass
class Wallet:
    accounts: list = field(default_factory=${list})
    def total(self): return sum(each.balance for each in self.accounts)
    def find(self, owner): return next((each for each in self.accounts if each.owner == owner), None)
def fill(lines): lines.append(9)
`;

const written = `
from solution import Money, Pair, Tags, make
def test_kept(): assert Money(5).amount == 5
def test_equal(): assert Money(5) != Money(6)
def test_order(): assert Money(5) < Money(6)
def test_order_of_an_answer(): assert not make(6) < Money(5)
def test_most(): assert max(Money(1), Money(3), Money(2)) == Money(3)
def test_hash(): assert len({Money(5), make(5), Money(6)}) == 2
def test_key(): assert {make(5): 1}[Money(5)] == 1
def test_pair(): assert Pair(1, 2).y == 2
def test_tags():
    one, other = Tags(), Tags()
    one.items.append(1)
    assert other.items == []
def test_same_tags(): assert Tags() == Tags()
`;
const others = `
SHARED = []
Pair = namedtuple('Pair', 'x y')
@dataclass
class Tags:
    items: list = field(default_factory=list)
def make(amount): return Money(amount)
`;
/** A function that is made of a text, as the library makes those of a data class, in the place of one of these. */
const replaced = (owner: string, name: string, parameters: string, body: string): string =>
  `MADE = {}\nexec('def ${name}(${parameters}): ${body}', globals(), MADE)\n${owner}.${name} = MADE['${name}']\ndef make(`;

/** Data classes whose tests change what the objects hold, and those of which not every method is the library's. */
const madeByCalls = `
import dataclasses
from solution import Point, User, add
def test_added():
    assert add(1) == Point(1, 2)
    assert dataclasses.asdict(add(1)) == {'x': 1, 'y': 2}
def test_other(): assert add(1) != Point(1, 3)
def test_text(): assert repr(add(3)) == 'Point(x=3, y=2)'
def test_total(): assert Point(x=1, y=2).total() == 3
def test_user(): assert User('ann').name == 'ann'
`;

export const stylesOfDataClasses: readonly Styles[] = [
  {
    id: 'data classes that hold containers',
    tests: held,
    styles: {
      'factories of the library': holding('list', 'dict'),
      'factories of the program': holding('lambda: []', 'lambda: {}'),
    },
    wrong: [
      [
        'factories of the library',
        'class Box:\n',
        'class Box:\n    def __deepcopy__(self, memo): return Box(self.marks)\n',
        'test_copy',
      ],
      [
        'factories of the library',
        'lines: list = field(default_factory=list)',
        'lines: list = field(default_factory=lambda: SHARED)',
        'test_apart',
      ],
      [
        'factories of the library',
        'lines: list = field(default_factory=list)',
        'lines: list = field(default_factory=list, compare=False)',
        'test_changed',
      ],
      [
        'factories of the program',
        'marks: dict = field(default_factory=lambda: {})',
        'marks: dict = field(default_factory=lambda: {}, compare=False)',
        'test_within',
      ],
      ['factories of the program', 'lines.append(9)', 'lines.append(8)', 'test_filled'],
      ['factories of the library', 'sum(each.balance for each in self.accounts)', '1', 'test_objects'],
      [
        'factories of the library',
        'next((each for',
        'next((Account(each.owner, each.balance) for',
        'test_found',
      ],
      [
        'factories of the library',
        'lines: list = field(default_factory=list)',
        `lines: list = field(default_factory=type('Any', (), {'__eq__': lambda self, o: True, '__call__': lambda self: SHARED})())`,
        'test_apart',
      ],
    ],
  },
  {
    id: 'data classes and named tuples with other methods than those of the library',
    tests: written,
    styles: {
      'a data class': `
from collections import namedtuple
from dataclasses import dataclass, field
@dataclass(order=True, frozen=True)
class Money:
    amount: int
${others}`,
      'a class of a data class': `
from collections import namedtuple
from dataclasses import dataclass, field
@dataclass(order=True, frozen=True)
class Amount:
    amount: int
class Money(Amount):
    pass
${others}`,
    },
    wrong: [
      ['a class of a data class', '    pass', '    def __lt__(self, o): return False', 'test_order'],
      [
        'a class of a data class',
        '    pass',
        '    def __lt__(self, o): return True',
        'test_order_of_an_answer',
      ],
      ['a class of a data class', '    pass', '    def __gt__(self, o): return False', 'test_most'],
      ['a class of a data class', '    pass', '    def __hash__(self): return id(self)', 'test_hash'],
      [
        'a data class',
        '    amount: int',
        '    amount: int\n    def __hash__(self): return id(self)',
        'test_key',
      ],
      ['a data class', 'def make(', 'Money.__lt__ = lambda self, o: False\ndef make(', 'test_order'],
      [
        'a data class',
        'def make(',
        replaced('Money', '__init__', 'self, amount', 'self.__dict__["amount"] = 0'),
        'test_kept',
      ],
      ['a data class', 'def make(', replaced('Money', '__eq__', 'self, o', 'return True'), 'test_equal'],
      [
        'a data class',
        'def make(',
        replaced('Pair', '__new__', 'cls, x, y', 'return tuple.__new__(cls, (0, 0))'),
        'test_pair',
      ],
      [
        'a data class',
        'def make(',
        replaced('Tags', '__init__', 'self, items=None', 'self.items = SHARED'),
        'test_tags',
      ],
      [
        'a data class',
        'def make(',
        replaced('Tags', '__eq__', 'self, o', 'return self is o'),
        'test_same_tags',
      ],
    ],
  },
  {
    id: 'classes that calls make',
    tests: madeByCalls,
    styles: {
      calls: `
from dataclasses import make_dataclass
from types import new_class
Point = make_dataclass('Point', ['x', 'y'], namespace={'total': lambda self: self.x + self.y})
def fill(held):
    def __init__(self, name): self.name = name
    held['__init__'] = __init__
User = new_class('User', (), {}, fill)
def add(x): return Point(x, 2)
`,
      statements: `
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: int
    def total(self): return self.x + self.y
class User:
    def __init__(self, name): self.name = name
def add(x): return Point(x, 2)
`,
    },
    wrong: [
      ['calls', 'Point(x, 2)', 'Point(x, 3)', 'test_added'],
      ['calls', 'Point(x, 2)', 'Point(x, 2) if x == 1 else Point(0, 2)', 'test_text'],
      ['calls', 'namespace={', "eq=False, namespace={'__eq__': lambda self, o: True, ", 'test_other'],
      ['calls', 'self.name = name', "self.name = 'me'", 'test_user'],
      ['statements', 'Point(x, 2)', 'Point(x, 3)', 'test_added'],
    ],
  },
];
