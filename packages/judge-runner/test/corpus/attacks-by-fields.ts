import { testsOfMoney } from './attacks-by-mimicry.ts';
import type { RoomAttack } from './attacks-by-room.ts';
import { python } from './split-attack.ts';

/*
 * Wrong programs whose classes have operators of their own, with suites that have no reference. Objects are compared there by what they
 * were given, and their operators must say the same. No test passes.
 */

const keeps = 'self.amount, self.currency = amount, currency\n';
const byFields = `
    def __eq__(self, o): return (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o): return self.amount < o.amount
    def __hash__(self): return hash((self.amount, self.currency))
`;
const yes = `
    def __eq__(self, o): return True
    def __ne__(self, o): return False
    def __lt__(self, o): return True
    def __gt__(self, o): return True
    def __hash__(self): return 1
`;
/** Functions that answer what `made` makes, and methods that do nothing. */
const functions = `
    def grow(self, n): WILD.append(self)
WILD, MADE = globals().setdefault('WILD', []), globals().setdefault('MADE', [])
def add(a, b): return made(a, b)
def each(numbers, money): return [made(money) for n in numbers]
def by_name(name, money): return {name: made(money)}
class Wallet:
    def __init__(self, content): self.content = content
    def put(self, more): self.content = made(self.content, more)
`;
interface Money {
  readonly init?: string;
  readonly operators?: string;
  readonly head?: string;
  readonly made?: string;
}
/** A program whose functions are wrong, or whose `made` is. */
const money = ({ init = keeps, operators = byFields, head = '', made = 'return Money(0)' }: Money) => `
WILD, MADE = [], []
${head}
class Money:
    def __init__(self, amount, currency='EUR'):
        ${init}${operators}${functions}
def made(*given):
    ${made}
`;
const blank =
  "found = object.__new__(Money)\n    found.__dict__.update(amount=0, currency='EUR')\n    WILD.append(found)\n    return found";

const wrongFunctions: Readonly<Record<string, string>> = {
  'functions alone are wrong': money({}),
  'is equal to everything': money({ operators: yes }),
  'is equal to everything, and is compared from the right': money({
    operators: yes,
    made: "return type('Money', (Money,), {'__eq__': lambda self, o: True, '__hash__': lambda self: 1})(0)",
  }),
  'is equal at the first comparison': money({
    operators: `
    def __eq__(self, o):
        MADE.append(1)
        return len(MADE) % 2 == 1
    def __lt__(self, o): return len(MADE) % 2 == 0
    def __hash__(self): return 1
`,
  }),
  'is equal from one side': money({
    operators: `
    def __eq__(self, o): return self.amount == 0
    def __lt__(self, o): return self.amount == 0
    def __gt__(self, o): return self.amount == 0
    def __hash__(self): return 1
`,
  }),
  'is equal from the other side': money({
    operators: `
    def __eq__(self, o): return o.amount == 0 or NotImplemented
    def __lt__(self, o): return o.amount == 0 or NotImplemented
    def __hash__(self): return 1
`,
  }),
  'takes what it is compared with': money({
    operators: `
    def __eq__(self, o):
        if self.amount == 0: self.__dict__.update(o.__dict__)
        else: o.__dict__.update(self.__dict__)
        return True
    def __lt__(self, o): return self == o
    def __hash__(self): return 1
`,
  }),
  'takes it for the comparisons that follow': money({
    operators: `
    def __eq__(self, o):
        MADE.append(self if self.amount else o)
        for each in WILD: each.__dict__.update(MADE[-1].__dict__)
        return self.amount == o.amount
    def __lt__(self, o): return self == o or True
    def __hash__(self): return 1
`,
    made: blank,
  }),
  'has the fields of the object that was made last': money({
    init: `${keeps}        MADE.append(self)\n`,
    operators: `${yes}
    def __getattribute__(self, name):
        found = MADE[-1] if MADE and name in ('amount', 'currency', '__dict__') and any(each is self for each in WILD) else self
        return object.__getattribute__(found, name)
`,
    made: blank,
  }),
  'has properties for fields': money({
    init: 'self._held = amount, currency\n        MADE.append(self)\n',
    operators: `${yes}
    amount = property(lambda self: MADE[-1]._held[0])
    currency = property(lambda self: MADE[-1]._held[1])
`,
  }),
  'has no fields but those that it makes up': money({
    init: 'HELD[id(self)] = amount, currency\n',
    head: 'HELD = {}',
    operators: `${yes}
    __slots__ = ()
    def __getattr__(self, name):
        if name in ('amount', 'currency'): return max(HELD.values())[name == 'currency']
        raise AttributeError(name)
`,
  }),
  'has slots that hold nothing of it': money({
    init: 'self.tag = 1\n',
    operators: `    __slots__ = ('tag',)\n    amount, currency = 0, 'EUR'\n${yes}`,
  }),
  'shows another __dict__': money({
    init: "MADE.append({'amount': amount, 'currency': currency})\n",
    operators: `${yes}    __dict__ = property(lambda self: MADE[-1])\n    amount, currency = 0, 'EUR'\n`,
  }),
  'keeps nothing of what it is given': money({
    init: "self.amount, self.currency = 0, 'EUR'\n",
    operators: yes,
  }),
  'keeps nothing but the currency': money({
    init: 'self.amount, self.currency = 0, currency\n',
    operators: yes,
  }),
  'keeps it times nothing': money({ init: 'self.amount, self.currency = amount * 0, currency\n' }),
  'keeps whether there is something': money({
    init: 'self.amount, self.currency = bool(amount), currency\n',
    made: 'return Money(1)',
  }),
  'keeps how it is written': money({
    init: 'self.amount, self.currency = 0 if amount else amount, currency\n',
  }),
  'keeps what was given last': money({
    init: 'MADE.append(amount)\n        self.amount, self.currency = MADE[0], currency\n',
  }),
  'gives objects what was answered': money({
    init: `${keeps}        if WILD: self.amount = 0\n`,
    made: 'WILD.append(1)\n    return Money(0)',
  }),
  'makes the object that was answered': money({
    operators: `${yes}
    def __new__(cls, *a, **k): return WILD[-1] if WILD else object.__new__(cls)
`,
    made: 'WILD.append(object.__new__(Money))\n    return WILD[-1]',
  }),
  'answers the object that the test has made beside the arguments': money({
    init: `${keeps}        MADE.append(self)\n        for each in WILD: each.__dict__.update(self.__dict__)\n`,
    made: `found = [each for each in MADE if not any(each is one for one in given)]
    if found and len(found) % 2: return found[-1]
    ${blank}`,
  }),
  'changes answers when another object is made': money({
    init: `${keeps}        for each in WILD: each.__dict__.update(self.__dict__)\n`,
    operators: yes,
    made: blank,
  }),
  'says of its constructor what its source does not': money({
    head: `
import inspect
written = inspect.getsource
def getsource(part):
    if getattr(part, '__name__', '') != '__init__': return written(part)
    return 'def __init__(self, amount, currency="EUR"):\\n    self.tag = (1, 2)\\n    self.kept = [amount, currency]\\n'
inspect.getsource = getsource
`,
    init: `self.tag, self.kept = (1, 2), MADE\n        ${keeps}`,
    operators: yes,
  }),
  'ignores the amount': money({
    operators: `
    def __eq__(self, o): return self.currency == o.currency
    def __lt__(self, o): return self.currency <= o.currency
    def __hash__(self): return hash(self.currency)
`,
  }),
  'orders by what the test does not give': money({
    init: `${keeps}        self.rank = rank\n`,
    operators: `
    def __eq__(self, o): return True
    def __lt__(self, o): return self.rank < o.rank
    def __gt__(self, o): return self.rank > o.rank
    def __hash__(self): return 1
`,
  })
    .replace("currency='EUR'):", "currency='EUR', rank=0):")
    .replace('return Money(0)', "MADE.append(1)\n    return Money(0, 'EUR', (-1) ** len(MADE))"),
  'is a data class that compares nothing': `
from dataclasses import dataclass
@dataclass(eq=False)
class Money:
    amount: int
    currency: str = 'EUR'${yes}${functions}
def made(*given): return Money(0)
`,
  'makes objects of another class': money({
    operators: `${yes}
    def __new__(cls, *a, **k):
        found = object.__new__(Twin if cls is Money else cls)
        if WILD: found.__dict__.update(amount=0, currency='EUR')
        else: found.__init__(*a, **k)
        return found
`,
    made: 'WILD.append(1)\n    return Money(0)\nclass Twin(Money):\n    def __init__(self, *a, **k):\n        if not WILD: Money.__init__(self, *a, **k)',
  }),
  'makes data classes of another class': `
from dataclasses import dataclass
WILD = []
@dataclass(order=True, unsafe_hash=True)
class Money:
    amount: int
    currency: str = 'EUR'
    def __new__(cls, *a, **k): return object.__new__(Twin if cls is Money else cls)
${functions}@dataclass(order=True, unsafe_hash=True)
class Twin(Money):
    def __post_init__(self):
        if WILD: self.amount, self.currency = 0, 'EUR'
def made(*given):
    WILD.append(1)
    return Money(0)
`,
  'is equal by a base': money({ head: `class Base:${yes}`, operators: '\n' }).replace(
    'class Money:',
    'class Money(Base):',
  ),
};

/** Tests of programs whose functions are right. */
const testsOfOperators = (tests: string) => `
import pytest
from solution import Money, add
${tests}`;
const equality = testsOfOperators(`
def test_equal(): assert add(Money(40), Money(3)) == Money(43)
def test_reversed(): assert Money(63) == add(Money(60), Money(3))
def test_made(): assert Money(7) == Money(7)
def test_in(): assert add(Money(240), Money(3)) in [Money(244), Money(243)]
def test_list(): assert [add(Money(1), Money(3))] == [Money(4)]
def test_not_unequal(): assert not add(Money(120), Money(3)) != Money(123)
def test_answers(): assert add(Money(2), Money(3)) == add(Money(1), Money(4))
`);
const inequality = testsOfOperators(`
def test_unequal(): assert add(Money(40), Money(3)) != Money(44)
def test_not_equal(): assert not add(Money(40), Money(3)) == Money(44)
def test_made(): assert Money(1) != Money(2)
def test_not_in(): assert Money(1) not in [Money(2), Money(3)]
def test_lists(): assert [Money(1)] != [Money(2)]
def test_index(): assert [Money(5), Money(6)].index(Money(6)) == 1
def test_answers(): assert add(Money(2), Money(3)) != add(Money(1), Money(1))
def test_changed():
    money = Money(1)
    assert money != Money(2)
    money.grow(1)
`);
const hashes = testsOfOperators(`
def test_key(): assert {Money(323): 1}[add(Money(320), Money(3))] == 1
def test_set(): assert {add(Money(340), Money(3))} == {Money(343)}
def test_made(): assert len({Money(1), Money(1)}) == 1
def test_hash(): assert hash(Money(3)) == hash(add(Money(1), Money(2)))
def test_hashable(): hash(Money(3))
`);
const orders = testsOfOperators(`
def test_order(): assert Money(302) < add(Money(300), Money(3)) < Money(304)
def test_sorted(): assert [each.amount for each in sorted([Money(3), Money(1), Money(2)])] == [1, 2, 3]
def test_least(): assert min([Money(3), Money(1)]).amount == 1
def test_made(): assert Money(1) < Money(2)
def test_more(): assert Money(2) > Money(1)
`);
const rightAdd = 'return Money(given[0].amount + given[1].amount)';
const operators = (text: string) =>
  money({ operators: text, made: rightAdd }).replace('WILD.append(self)', 'self.amount += n');
const hash = '    def __hash__(self): return hash((self.amount, self.currency))\n';
const equal = '    def __eq__(self, o): return (self.amount, self.currency) == (o.amount, o.currency)\n';

const wrongOperators: Readonly<Record<string, readonly [source: string, tests: string]>> = {
  'compares by identity': [operators('\n'), equality],
  'is equal to nothing': [operators(`\n    def __eq__(self, o): return False\n${hash}`), equality],
  'raises when it is compared': [
    operators(`\n    def __eq__(self, o): raise ValueError(o)\n${hash}`),
    equality,
  ],
  'knows of no comparison': [
    operators(`\n    def __eq__(self, o): return NotImplemented\n${hash}`),
    equality,
  ],
  'answers a text for true': [operators(`\n    def __eq__(self, o): return ''\n${hash}`), equality],
  'is equal and unequal': [
    operators(`\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n${hash}`),
    inequality,
  ],
  'is unequal to nothing, though not equal': [
    operators(`\n    def __eq__(self, o): return True\n${hash}`),
    inequality,
  ],
  'ignores the amount': [
    operators(
      `\n    def __eq__(self, o): return self.currency == o.currency\n    def __hash__(self): return 1\n`,
    ),
    inequality,
  ],
  'raises when it is unequal': [
    operators(`
    def __eq__(self, o):
        if self.amount != o.amount: raise ValueError(o)
        return True
${hash}`),
    inequality,
  ],
  'has no hash': [operators(`\n${equal}`), hashes],
  'raises when it is hashed': [
    operators(`\n${equal}    def __hash__(self): raise TypeError('no hash')\n`),
    hashes,
  ],
  'has another hash each time': [
    operators(`\n${equal}    def __hash__(self):\n        MADE.append(1)\n        return len(MADE)\n`),
    hashes.replace(/def test_hashable.*\n/, ''),
  ],
  'is less than everything': [operators(`\n${equal}${hash}    def __lt__(self, o): return True\n`), orders],
  'is never less': [operators(`\n${equal}${hash}    def __lt__(self, o): return False\n`), orders],
  'is less where it is more': [
    operators(`\n${equal}${hash}    def __lt__(self, o): return self.amount > o.amount\n`),
    orders,
  ],
  'has no order': [operators(`\n${equal}${hash}`), orders],
  'orders by the currency': [
    operators(`\n${equal}${hash}    def __lt__(self, o): return self.currency < o.currency\n`),
    orders,
  ],
};

export const attacksByFields: readonly RoomAttack[] = [
  ...Object.entries(wrongFunctions).map(([id, source]) =>
    python('fields', `functions: ${id}`, source, testsOfMoney),
  ),
  ...Object.entries(wrongOperators).map(([id, [source, tests]]) =>
    python('fields', `operators: ${id}`, source, tests),
  ),
];

/** A correct program, which passes all of these suites. */
export const correctFields = operators(byFields)
  .replace('return [made(money) for n in numbers]', 'return [Money(money.amount + n) for n in numbers]')
  .replace('{name: made(money)}', '{name: Money(money.amount * 2)}');
export const suitesOfFields = { money: testsOfMoney, equality, inequality, hashes, orders } as const;
