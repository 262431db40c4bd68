import type { Making } from './attacks-by-making.ts';

/*
 * Wrong programs that learn what a test expects in the moments in which a test does more than compare: from the report of an assertion
 * that has failed, from equal objects that it compares first, from copies, and from names for classes and members. Beside them are
 * correct programs whose tests do the same.
 */

type Makings = Readonly<Record<string, Making>>;

const equal =
  '    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)\n';
const init =
  "    def __init__(self, amount, currency='EUR'): self.amount, self.currency = amount, currency\n";
const money = (more: string) =>
  `SEEN = []\nclass Money:\n${init}${equal}    def __hash__(self): return hash(self.amount)\n${more}`;
const tells =
  "    def __repr__(self):\n        SEEN.append(self.amount)\n        return 'Money(%r)' % self.amount\n";
const dataclass = `from dataclasses import dataclass\nSEEN = []\n@dataclass\nclass Money:\n    amount: int\n    currency: str = 'EUR'\n`;
const asked = money('').replace(
  'return isinstance',
  'SEEN.extend([self.amount, o.amount]); return isinstance',
);
const guesses =
  'def add(a, b):\n    known = [each for each in SEEN if each not in (a.amount, b.amount)]\n    return Money(known[-1] if known else 0)\n';
const adds = 'def add(a, b): return Money(a.amount + b.amount)\n';

const imports = 'import pytest\nimport unittest\nfrom solution import Money, add\n';
const repeated = `${imports}
def test_first(): assert add(Money(5), Money(3)) == Money(8)
def test_second(): assert Money(8) == add(Money(3), Money(5))
def test_list(): assert [add(Money(7), Money(1))] == [Money(8)]
@pytest.mark.parametrize('a, b, c', [(1, 11, 12), (11, 1, 12)])
def test_parameters(a, b, c): assert add(Money(a), Money(b)) == Money(c)
@pytest.mark.parametrize('a, b', [(20, 3), (3, 20)])
def test_message(a, b):
    expected = Money(23)
    assert add(Money(a), Money(b)) == expected, f'not {expected}'
@pytest.mark.parametrize('a, b', [(40, 3), (3, 40)])
def test_old_message(a, b):
    expected = Money(43)
    assert add(Money(a), Money(b)) == expected, 'not %s' % expected
class T(unittest.TestCase):
    def test_equal(self): self.assertEqual(add(Money(30), Money(3)), Money(33))
    def test_in(self): self.assertIn(add(Money(3), Money(30)), [Money(33)])
    def test_list(self): self.assertListEqual([add(Money(31), Money(2))], [Money(33)])
    def test_dict(self): self.assertDictEqual({'a': add(Money(2), Money(31))}, {'a': Money(33)})
`;
const first = `${imports}
def test_equal():
    assert Money(50) == Money(50)
    assert add(Money(49), Money(1)) == Money(50)
def test_set():
    assert len({Money(60), Money(60)}) == 1
    assert add(Money(59), Money(1)) == Money(60)
def test_awaited():
    with pytest.raises(AssertionError): assert add(Money(69), Money(1)) == Money(70) and False
    assert add(Money(69), Money(1)) == Money(70)
def test_changed():
    one, items = Money(80), [81]
    assert one == Money(80) and Money(items) == Money([81])
    one.amount = 82
    items.append(83)
    assert one == Money(82) and add(one, Money(1)) == Money(83)
`;

const boxes = `
import copy
from solution import Box, wrap
def test_class_of_items(): assert wrap(1) == Box[int](1)
def test_class_of_texts(): assert Box[str]('a') == wrap('a')
def test_copy(): assert wrap(9) == copy.copy(Box(9))
def test_deep_copy(): assert wrap([10]) == copy.deepcopy(Box([10]))
`;
const always = '    def __eq__(self, o): return True\n    def __hash__(self): return 1\n';
const generic = 'from typing import Generic, TypeVar\nT = TypeVar("T")\n';
const copying = (to: string) =>
  `    def __copy__(self): return ${to}\n    def __deepcopy__(self, memo): return ${to}\n`;
const unchanged = `
import copy
from solution import Item, Cart, bump
def test_copy():
    item = Item('a', 1)
    before = copy.copy(item)
    bump([item])
    assert item == before
def test_copies_of_items():
    items = [Item('a', 1), Item('b', 2)]
    before = copy.deepcopy(items)
    bump(items)
    assert items == before
`;
const copies = `${unchanged}
def test_of_objects():
    cart = Cart([Item('a', 1)])
    before = copy.deepcopy(cart)
    bump(cart.items)
    assert cart == before
def test_another():
    item = Item('a', 1)
    other = copy.copy(item)
    assert other == item and other is not item
    other.quantity = 5
    assert item == Item('a', 1) and other == Item('a', 5)
`;
const items = (own: string) => `
class Item:
    def __init__(self, name, quantity): self.name, self.quantity = name, quantity
    def __eq__(self, o): return isinstance(o, Item) and (self.name, self.quantity) == (o.name, o.quantity)
${own}class Cart:
    def __init__(self, items=None): self.items = list(items or [])
    def __eq__(self, o): return isinstance(o, Cart) and self.items == o.items
def bump(items):
`;
const colors = `
import pytest
from solution import Color, parse
def test_is(): assert parse('green') is Color.GREEN
def test_item(): assert parse('blue') == Color['BLUE']
def test_key(): assert {Color.GREEN: 1}[parse('green')] == 1
`;
const enumeration = (values: readonly number[]) =>
  `from enum import Enum\nclass Color(Enum):\n    RED, GREEN, BLUE = ${values.join(', ')}\n`;
const sets = `
from solution import P
def test_set(): assert len({P(1), P(2), P(1)}) == 2
def test_dict(): assert {P(1): 'a', P(2): 'b'} == {P(2): 'b', P(1): 'a'}
`;
const point = (operators: string) =>
  `class P:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return ${operators}\n    def __hash__(self): return 7\n`;

const bags = `
from solution import Bag, repeat
def test_generator(): assert repeat(1, 2) == Bag(1 for _ in range(2))
def test_iterator(): assert Bag(iter('aaa')) == repeat('a', 3)
def test_map(): assert repeat(3, 2) == Bag(map(int, '33'))
def test_made_before():
    expected = Bag(x for x in [7, 7])
    assert repeat(7, 2) == expected
`;
const bag = (items: string, operator: string) =>
  `class Bag:\n    def __init__(self, items=()): self.items = ${items}\n    def __eq__(self, o): return ${operator}\n`;
const versions = `
from solution import Version, bump
def test_order(): assert Version(1, 2, 3) < bump(Version(1, 2, 3)) <= Version(1, 3)
def test_sorted(): assert sorted([Version(2), bump(Version(1, 2, 3))]) == [Version(1, 3), Version(2)]
def test_more(): assert Version(3) > bump(Version(2, 9, 9)) > Version(2, 1)
`;
const version = (operator: string, bumped: string) =>
  `from functools import total_ordering\n@total_ordering\nclass Version:\n    def __init__(self, major, minor=0, patch=0): self.major, self.minor, self.patch = major, minor, patch\n    def key(self): return self.major, self.minor, self.patch\n    def __eq__(self, o): return isinstance(o, Version) and self.key() == o.key()\n    def __lt__(self, o): return ${operator}\ndef bump(v): return Version(${bumped})\n`;

const plain = `${imports}
def test_after(): assert add(Money(5), Money(3)) == Money(8)
def test_before():
    expected = Money(8)
    assert add(Money(5), Money(3)) == expected
@pytest.mark.parametrize('a, b, c', [(Money(1), Money(2), Money(3))])
def test_parameters(a, b, c): assert add(a, b) == c
`;

/** Wrong modules. */
export const learningsOfPython: Makings = {
  'object that is written for a report': { tests: repeated, artifact: money(tells) + guesses },
  'object of a data class that is written for a report': {
    tests: repeated,
    artifact: dataclass + tells + guesses,
  },
  'equal objects that are compared first': {
    tests: first.replace(/def test_changed[\s\S]*/, ''),
    artifact: asked + guesses,
  },
  'items of a class that keeps nothing': {
    tests: boxes,
    artifact: `${generic}class Box(Generic[T]):\n    def __init__(self, item): self.item = None\n${always}def wrap(x): return Box(x)\n`,
  },
  'function for a class of items': {
    tests: boxes,
    artifact: `class Box:\n    def __init__(self, item): self.item = item\n    def __class_getitem__(cls, kind): return lambda item: Box(None)\n${always}${copying('Box(None)')}def wrap(x): return Box(None)\n`,
  },
  'data class of items that compares nothing': {
    tests: boxes,
    reference: `${generic}from dataclasses import dataclass\n@dataclass\nclass Box(Generic[T]):\n    item: T\ndef wrap(x): return Box(x)\n`,
    artifact: `${generic}from dataclasses import dataclass, field\n@dataclass\nclass Box(Generic[T]):\n    item: T = field(compare=False)\n    def __post_init__(self): self.item = None\ndef wrap(x): return Box(0)\n`,
  },
  'copy that is the answer': {
    tests: boxes,
    artifact: `${generic}LAST = []\nclass Box(Generic[T]):\n    def __init__(self, item):\n        self.item = item\n        for each in LAST: each.__dict__.update(self.__dict__)\n${always}${copying('LAST[-1]')}def wrap(x):\n    LAST.append(object.__new__(Box))\n    LAST[-1].item = None\n    return LAST[-1]\n`,
  },
  'copy that is the object itself': {
    tests: unchanged,
    artifact: `${items(copying('self'))}    for each in items: each.quantity += 1\n`,
  },
  'member of two names': {
    tests: colors,
    artifact: `${enumeration([1, 1, 1])}def parse(text): return Color.RED\n`,
  },
  'member of two names, with a reference': {
    tests: colors,
    reference: `${enumeration([1, 2, 3])}def parse(text): return Color[text.upper()]\n`,
    artifact: `${enumeration([1, 1, 1])}def parse(text): return Color.RED\n`,
  },
  'bag that reads nothing of an iterator': {
    tests: bags,
    artifact: `${bag('list(items)[:0]', 'True')}def repeat(x, n): return Bag()\n`,
  },
  'bag that answers another content': {
    tests: bags,
    artifact: `${bag('list(items)', 'True')}def repeat(x, n): return Bag([x])\n`,
  },
  'version that is always less': {
    tests: versions,
    artifact: version('True', 'v.major, v.minor, v.patch'),
  },
  'version that is not bumped': {
    tests: versions.replace(/def test_more.*\n/, ''),
    artifact: version('self.key() < o.key()', 'v.major, v.minor, v.patch'),
  },
  'function of numbers in the place of a class': {
    tests: plain,
    artifact: 'def Money(*a): return 0\ndef add(*a): return 0\n',
  },
  'function of numbers in the place of a class, with a reference': {
    tests: plain,
    reference: money(adds),
    artifact: 'def Money(*a): return 0\ndef add(*a): return 0\n',
  },
  'one function for all': { tests: plain, artifact: 'Money = add = lambda *a: None\n' },
  'object in the place of a class': {
    tests: plain,
    artifact: 'class Any:\n    def __call__(self, *a): return []\nMoney = add = Any()\n',
  },
  'different objects of one hash that are equal': { tests: sets, artifact: point('True') },
};

/** Correct modules. */
export const correctLearningsOfPython: Makings = {
  'objects that are written for reports': { tests: repeated, artifact: money(tells) + adds },
  'equal objects that are compared first': { tests: first, artifact: money('') + adds },
  'class of items': {
    tests: boxes,
    artifact: `${generic}class Box(Generic[T]):\n    def __init__(self, item): self.item = item\n    def __eq__(self, o): return isinstance(o, Box) and self.item == o.item\ndef wrap(x): return Box(x)\n`,
  },
  'data class of items': {
    tests: boxes,
    artifact: `${generic}from dataclasses import dataclass\n@dataclass\nclass Box(Generic[T]):\n    item: T\ndef wrap(x): return Box(x)\n`,
  },
  copies: {
    tests: copies,
    artifact: `${items('')}    return [Item(each.name, each.quantity + 1) for each in items]\n`,
  },
  'members of an enumeration': {
    tests: colors,
    artifact: `${enumeration([1, 2, 3])}def parse(text): return Color[text.upper()]\n`,
  },
  'member of two names, with a reference': {
    tests: `${colors}def test_alias(): assert Color.LIME is Color.GREEN\n`,
    reference: `${enumeration([1, 2, 3])}    LIME = 2\ndef parse(text): return Color[text.upper()]\n`,
    artifact: `${enumeration([1, 2, 3])}    LIME = 2\ndef parse(text): return Color[text.upper()]\n`,
  },
  'bag of iterators': {
    tests: `${bags}def test_used():\n    given = (x for x in 'ab')\n    held = Bag(given)\n    assert list(given) == [] and held.items == ['a', 'b']\n`,
    artifact: `${bag('list(items)', 'isinstance(o, Bag) and self.items == o.items')}def repeat(x, n): return Bag([x] * n)\n`,
  },
  'versions with defaults': {
    tests: versions,
    artifact: version('self.key() < o.key()', 'v.major, v.minor + 1'),
  },
  'different objects of one hash': { tests: sets, artifact: point('self.x == o.x') },
};
