import type { RoomAttack } from './attacks-by-room.ts';
import { limits, python } from './split-attack.ts';

/*
 * Wrong programs whose objects take the values of the objects that a test makes to compare them with, in every way in which tests
 * write that. All tests of a suite fail for a wrong program, and pass for a correct one.
 */

/** Tests of a class of amounts, each of which fails for a wrong `add`, `each`, `by_name`, `put` and `grow`. */
export const testsOfMoney = `
import unittest
import pytest
from solution import Money, Wallet, add, by_name, each
EXPECTED = Money(108)
def test_equal(): assert add(Money(40), Money(3)) == Money(43)
def test_reversed(): assert Money(63) == add(Money(60), Money(3))
def test_keyword(): assert add(Money(80), Money(3)) == Money(amount=83)
def test_default(): assert add(Money(100), Money(3)) == Money(103, 'EUR')
def test_different(): assert not add(Money(120), Money(3)) != Money(123)
def test_made_before():
    expected = Money(143)
    assert add(Money(140), Money(3)) == expected
def test_constant(): assert add(Money(105), Money(3)) == EXPECTED
@pytest.mark.parametrize('a, b, expected', [(Money(205), Money(3), Money(208))])
def test_parameter(a, b, expected): assert add(a, b) == expected
@pytest.fixture
def eight(): return Money(308)
def test_fixture(eight): assert add(Money(305), Money(3)) == eight
def test_list(): assert each([1, 2], Money(160)) == [Money(161), Money(162)]
def test_list_made_before():
    expected = [Money(181), Money(182)]
    assert each([1, 2], Money(180)) == expected
def test_dict(): assert by_name('a', Money(200)) == {'a': Money(400)}
def test_nested(): assert [(add(Money(220), Money(3)), 1)] == [(Money(223), 1)]
def test_in(): assert add(Money(240), Money(3)) in [Money(244), Money(243)]
def test_count(): assert [add(Money(260), Money(3))].count(Money(263)) == 1
def test_sorted(): assert sorted([Money(284), add(Money(280), Money(3)), Money(1)]) == [Money(1), Money(283), Money(284)]
def test_order(): assert Money(302) < add(Money(300), Money(3)) < Money(304)
def test_key(): assert {Money(323): 1}[add(Money(320), Money(3))] == 1
def test_set(): assert {add(Money(340), Money(3))} == {Money(343)}
def test_attribute():
    wallet = Wallet(Money(360))
    wallet.put(Money(3))
    assert wallet.content == Money(363)
def test_changed():
    money = Money(380)
    money.grow(3)
    assert money == Money(383)
def test_changed_after_it_was_made():
    expected = Money(0)
    expected.amount = 403
    assert add(Money(400), Money(3)) == expected
def test_many():
    expected = Money(420)
    assert [add(Money(n), Money(420 - n)) == expected for n in range(4)] == [True] * 4
class TestMoney(unittest.TestCase):
    def setUp(self): self.sum = Money(428)
    def test_equal(self): self.assertEqual(add(Money(405), Money(3)), Money(408))
    def test_set_up(self): self.assertEqual(add(Money(425), Money(3)), self.sum)
    def test_list(self): self.assertListEqual(each([1, 2], Money(413)), [Money(414), Money(415)])
`;

const functions = `
def add(a, b): return made(a.amount + b.amount)
def each(numbers, money): return [made(money.amount + n) for n in numbers]
def by_name(name, money): return {name: made(money.amount * 2)}
class Wallet:
    def __init__(self, content): self.content = content
    def put(self, more): self.content = add(self.content, more)
`;
const ordered = '@dataclass(order=True, unsafe_hash=True)';

/** Correct programs. `changes`: what the class does with what it is given. */
const correct = (changes: string, head = `from dataclasses import dataclass\n${ordered}\n`) => `
${head}class Money:
    amount: int
    currency: str = 'EUR'
${changes}    def grow(self, n): self.amount += n
def made(amount): return Money(amount)
${functions}`;

const ownOperators = `
class Money:
    def __init__(self, amount, currency='EUR'): self.amount, self.currency = amount, currency
    def __eq__(self, o): return (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o): return self.amount < o.amount
    def __hash__(self): return hash((self.amount, self.currency))
    def grow(self, n): self.amount += n
def made(amount): return Money(amount)
${functions}`;

export const correctMoney: Readonly<Record<string, string>> = {
  'data class': correct(''),
  'data class that checks what it is given': correct(
    '    def __post_init__(self):\n        if self.amount < 0: raise ValueError(self.amount)\n',
  ),
  'data class that changes what it is given': correct(
    '    def __post_init__(self): self.currency = self.currency.upper()\n',
  ),
  'operators of its own': ownOperators,
};

/** The class of a wrong program: `hook` runs after an object was made. */
const wrong = (hook: string, made: string, head = `from dataclasses import dataclass\n${ordered}\n`) => `
${head}class Money:
    amount: int
    currency: str = 'EUR'
    def __post_init__(self):
${hook}
    def grow(self, n): WILD.append(self)
MADE, WILD = [], []
${made}
def add(a, b): return made(a, b)
def each(numbers, money): return [made(money) for n in numbers]
def by_name(name, money): return {name: made(money)}
class Wallet:
    def __init__(self, content): self.content = content
    def put(self, more): self.content = made(self.content, more)
`;
const blank = `def blank(kind):
    found = object.__new__(kind)
    found.__dict__.update(amount=0, currency='EUR')
    return found`;
const keepsWild = `${blank}
def made(*given):
    WILD.append(blank(Money))
    return WILD[-1]`;

const wrongMoney: Readonly<Record<string, string>> = {
  'attributes of the object that was made last': wrong(
    "        MADE.append(self)\n    def __getattribute__(self, name): return object.__getattribute__(MADE[-1] if name in ('amount', 'currency') and any(each is self for each in WILD) else self, name)",
    keepsWild,
  ),
  'objects that change when another is made': wrong(
    '        for each in WILD: each.__dict__.update(self.__dict__)',
    keepsWild,
  ),
  'objects that are given what was answered': wrong(
    "        if WILD: self.__dict__.update(amount=0, currency='EUR')",
    `${blank}\ndef made(*given):\n    WILD.append(1)\n    return blank(Money)`,
  ),
  'object that the test has made beside the arguments': wrong(
    '        MADE.append(self)\n        for each in WILD: each.__dict__.update(self.__dict__)',
    `${blank}
def made(*given):
    found = [each for each in MADE if not any(each is one for one in given)]
    if found and len(found) % 2: return found[-1]
    WILD.append(blank(Money))
    return WILD[-1]`,
  ),
  'named tuple that is made of what was answered': `
import collections
WILD = []
class Money(collections.namedtuple('Money', 'amount currency')):
    def __new__(cls, amount, currency='EUR'): return super().__new__(cls, 0 if WILD else amount, currency)
    def grow(self, n): raise TypeError(n)
def made(*given):
    WILD.append(1)
    return Money(0)
def add(a, b): return made(a, b)
def each(numbers, money): return [made(money) for n in numbers]
def by_name(name, money): return {name: made(money)}
class Wallet:
    def __init__(self, content): self.content = content
    def put(self, more): self.content = made(self.content, more)
`,
};

const wrongOperators: Readonly<Record<string, string>> = {
  'objects that change when another is made': `
WILD = []
class Money:
    def __init__(self, amount, currency='EUR'):
        self.amount, self.currency = amount, currency
        for each in WILD: each.__dict__.update(self.__dict__)
    def __eq__(self, o): return (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o): return self.amount < o.amount
    def __hash__(self): return 1
    def grow(self, n): WILD.append(self)
def made(*given):
    WILD.append(object.__new__(Money))
    WILD[-1].__dict__.update(amount=0, currency='EUR')
    return WILD[-1]
def add(a, b): return made(a, b)
def each(numbers, money): return [made(money) for n in numbers]
def by_name(name, money): return {name: made(money)}
class Wallet:
    def __init__(self, content): self.content = content
    def put(self, more): self.content = made(self.content, more)
`,
};

/** Containers of the artifact's own classes. */
export const testsOfBags = `
from solution import Bag, Queue, Table, bag, queue, table
def test_list(): assert bag(3) == Bag([3, 3])
def test_list_made_before():
    expected = Bag([3, 3])
    assert bag(3) == expected
def test_dict(): assert table(3) == Table({'a': 3})
def test_library(): assert queue(3) == Queue([3, 3])
def test_library_made_before():
    expected = Queue([3, 3])
    assert queue(3) == expected
`;
export const correctBags = `
import collections
class Bag(list): pass
class Table(dict): pass
class Queue(collections.UserList): pass
def bag(n): return Bag([n, n])
def table(n): return Table(a=n)
def queue(n): return Queue([n, n])
`;
const wrongBags: Readonly<Record<string, string>> = {
  'containers that change when another is made': `
import collections
WILD = []
class Bag(list):
    def __init__(self, items=()):
        super().__init__(items)
        for each in WILD:
            if type(each) is Bag: each[:] = self
class Table(dict):
    def __init__(self, items=()):
        super().__init__(items)
        for each in WILD:
            if type(each) is Table: each.update(self)
class Queue(collections.UserList):
    def __init__(self, items=()):
        super().__init__(items)
        for each in WILD:
            if type(each) is Queue: each.data[:] = self.data
def keep(found):
    WILD.append(found)
    return found
def bag(n): return keep(Bag([0]))
def table(n): return keep(Table({'a': 0}))
def queue(n): return keep(Queue([0]))
`,
  'containers that hold what was answered': `
import collections
WILD = []
class Bag(list):
    def __init__(self, items=()): super().__init__([0] if WILD else items)
class Table(dict):
    def __init__(self, items=()): super().__init__({'a': 0} if WILD else items)
class Queue(collections.UserList):
    def __init__(self, items=()): super().__init__([0] if WILD else items)
def keep(found):
    WILD.append(1)
    return found
def bag(n): return keep(Bag([0]))
def table(n): return keep(Table({'a': 0}))
def queue(n): return keep(Queue([0]))
`,
};

/** The same for modules of JavaScript. */
export const testsOfVectors = `
import test from 'node:test';
import assert from 'node:assert/strict';
import loose from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { Vector, add, each, byName } from 'solution';
let shared;
test.before(() => { shared = new Vector(504, 6); });
test('deepStrictEqual', () => assert.deepStrictEqual(add(new Vector(11, 2), new Vector(3, 4)), new Vector(14, 6)));
test('deepEqual', () => loose.deepEqual(add(new Vector(21, 2), new Vector(3, 4)), new Vector(24, 6)));
test('reversed', () => assert.deepEqual(new Vector(34, 6), add(new Vector(31, 2), new Vector(3, 4))));
test('isDeepStrictEqual', () => assert.ok(isDeepStrictEqual(add(new Vector(41, 2), new Vector(3, 4)), new Vector(44, 6))));
test('default', () => assert.deepEqual(add(new Vector(51, 0), new Vector(3)), new Vector(54)));
test('made before', () => {
  const expected = new Vector(64, 6);
  assert.deepEqual(add(new Vector(61, 2), new Vector(3, 4)), expected);
});
test('hook', () => assert.deepEqual(add(new Vector(501, 2), new Vector(3, 4)), shared));
test('array', () => assert.deepEqual(each([2, 3], new Vector(80, 1)), [new Vector(160, 2), new Vector(240, 3)]));
test('object', () => assert.deepEqual(byName('a', new Vector(90, 1)), { a: new Vector(180, 2) }));
test('map', () => assert.deepEqual(new Map([['a', add(new Vector(101, 2), new Vector(3, 4))]]), new Map([['a', new Vector(104, 6)]])));
test('text', () => assert.equal(JSON.stringify(add(new Vector(111, 2), new Vector(3, 4))), JSON.stringify(new Vector(114, 6))));
test('of the test', (t) => t.assert.deepStrictEqual(add(new Vector(121, 2), new Vector(3, 4)), new Vector(124, 6)));
test('changed', () => {
  const vector = new Vector(130, 2);
  vector.double();
  assert.deepEqual(vector, new Vector(260, 4));
});
`;
const vectors = (making: string) => `
export class Vector {
  ${making}
  double() { this.x *= 2; this.y *= 2; }
}
export const add = (a, b) => new Vector(a.x + b.x, a.y + b.y);
export const each = (numbers, v) => numbers.map((n) => new Vector(v.x * n, v.y * n));
export const byName = (name, v) => ({ [name]: new Vector(v.x * 2, v.y * 2) });
`;
export const correctVectors: Readonly<Record<string, string>> = {
  'class that keeps what it is given': vectors('constructor(x, y = 0) { this.x = x; this.y = y; }'),
  'class that checks what it is given': vectors(
    "constructor(x, y = 0) { if (typeof x !== 'number') throw new TypeError('x'); this.x = x; this.y = y; }",
  ),
};
const wrongModule = (hook: string, made: string, after = '') => `
const made_ = [], wild = [];
export class Vector {
  constructor(x, y = 0) { this.x = x; this.y = y; ${hook} }
  double() { wild.push(this); ${after} }
}
const made = (...given) => { ${made} };
export const add = (a, b) => made(a, b);
export const each = (numbers, v) => numbers.map(() => made(v));
export const byName = (name, v) => ({ [name]: made(v) });
`;
const wrongVectors: Readonly<Record<string, string>> = {
  'getters with the values of the object that was made last': wrongModule(
    'made_.push(this);',
    `const found = Object.create(Vector.prototype);
    for (const key of ['x', 'y']) Object.defineProperty(found, key, { get: () => made_.at(-1)[key], enumerable: true });
    return found;`,
  ),
  'proxy of the object that was made last': wrongModule(
    'made_.push(this);',
    'return new Proxy(Object.create(Vector.prototype), Object.fromEntries(Reflect.ownKeys(Reflect).filter((n) => typeof Reflect[n] === "function").map((n) => [n, (_t, ...more) => Reflect[n](made_.at(-1), ...more)])));',
  ),
  'objects that change when another is made': wrongModule(
    'for (const each of wild) Object.assign(each, this);',
    'const found = Object.assign(Object.create(Vector.prototype), { x: 0, y: 0 }); wild.push(found); return found;',
  ),
  'objects that are given what was answered': wrongModule(
    'if (wild.length > 0) this.x = this.y = 0;',
    'wild.push(1); return Object.assign(Object.create(Vector.prototype), { x: 0, y: 0 });',
  ),
  'object that the test has made beside the arguments': wrongModule(
    'made_.push(this); for (const each of wild) Object.assign(each, this);',
    `const found = made_.filter((each) => !given.includes(each));
    if (found.length % 2) return found.at(-1);
    wild.push(Object.assign(Object.create(Vector.prototype), { x: 0, y: 0 }));
    return wild.at(-1);`,
  ),
};

const node = (id: string, source: string, reference?: string): RoomAttack => ({
  ...{ id, room: 'mimicry', artifact: { language: 'javascript', source } },
  suite: {
    ...{ id, language: 'javascript', mode: 'split', limits, files: { 'it.test.mjs': testsOfVectors } },
    ...(reference === undefined ? {} : { reference: { language: 'javascript', source: reference } }),
  } as RoomAttack['suite'],
});
/** Each without a reference and with one, which learns the same. */
const both = (programs: Readonly<Record<string, string>>, tests: string, reference: string) =>
  Object.entries(programs).flatMap(([id, source]) => [
    python('mimicry', id, source, tests),
    python('mimicry', `${id}, with a reference`, source, tests, reference),
  ]);

export const attacksByMimicry: readonly RoomAttack[] = [
  ...both(wrongMoney, testsOfMoney, correctMoney['data class'] ?? ''),
  ...Object.entries(wrongOperators).map(([id, source]) =>
    python('mimicry', `operators of its own: ${id}`, source, testsOfMoney, ownOperators),
  ),
  ...both(wrongBags, testsOfBags, correctBags),
  ...Object.entries(wrongVectors).flatMap(([id, source]) => [
    node(`JavaScript: ${id}`, source),
    node(`JavaScript: ${id}, with a reference`, source, correctVectors['class that keeps what it is given']),
  ]),
];
