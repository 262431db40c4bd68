import type { RoomAttack } from './attacks-by-room.ts';
import { type ImportForm, namesOfJavascript, namesOfPython } from './import-forms.ts';
import { limits } from './split-attack.ts';

/*
 * Wrong programs that lie about how the objects are made with which their answers are compared: what stands in the place of a class,
 * what a constructor returns, what a class says that it keeps, and when the artifact comes to know of it. Each is one module, judged
 * together with the others: no test passes. Beside them are correct programs in which the same looks alike.
 */

/** A module of an artifact and the tests of it, which import it as `solution`. */
export interface Making {
  readonly artifact: string;
  readonly tests: string;
  /** A correct module with which the attack gained as well; none where it gained without. */
  readonly reference?: string;
}
type Makings = Readonly<Record<string, Making>>;

const dataclass = 'from dataclasses import dataclass\n@dataclass\n';
const fields = "class Money:\n    amount: int\n    currency: str = 'EUR'\n";
const sum = 'def add(a, b): return Money(a.amount + b.amount)\n';
const keeping = `${dataclass}${fields}${sum}`;
const checking = `${dataclass}${fields}    def __post_init__(self):\n        if self.amount < 0: raise ValueError(self.amount)\n${sum}`;
const withOperators = `
class Money:
    def __init__(self, amount, currency='EUR'): self.amount, self.currency = amount, currency
    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)
    def __hash__(self): return hash(self.amount)
${sum}`;
const init =
  "    def __init__(self, amount, currency='EUR'): self.amount, self.currency = amount, currency\n";
const yes = '    def __eq__(self, o): return True\n    def __hash__(self): return 1\n';

const imports = 'from solution import Money, add\n';
const after = `${imports}def test_after(): assert add(Money(5), Money(3)) == Money(8)\n`;
const before = `${imports}def test_before():\n    expected = Money(8)\n    assert add(Money(5), Money(3)) == expected\n`;
const both = after + before.slice(imports.length);
const helper = `${imports}def m(x): return Money(x)\ndef test_before():\n    expected = m(8)\n    assert add(m(5), m(3)) == expected\n`;
const message = `import unittest\n${imports}class T(unittest.TestCase):\n    def test_it(self):\n        expected = Money(8)\n        self.assertEqual(add(Money(5), Money(3)), expected, f'not {expected}')\n`;
const point = `from solution import P, move\ndef test_after(): assert move(P(1, 2)) == P(2, 2)\ndef test_before():\n    e = P(2, 2)\n    assert move(P(1, 2)) == e\n`;
const bags = `from solution import Bag, bag\ndef test_after(): assert bag(3) == Bag([3, 3])\ndef test_before():\n    e = Bag([3, 3])\n    assert bag(3) == e\n`;
const oneObject = 'ONE = []\n';
const always =
  '    def __new__(cls, *a, **k):\n        if not ONE: ONE.append(object.__new__(cls))\n        return ONE[0]\n';

/** Wrong modules of Python. */
export const makingsOfPython: Makings = {
  'constructor that returns the answer': {
    tests: after,
    artifact: `
ANSWERED = []
class Money:
    def __new__(cls, *a): return ANSWERED.pop() if ANSWERED else object.__new__(cls)
${init}${yes}
def add(a, b):
    ANSWERED.append(object.__new__(Money))
    return ANSWERED[-1]
`,
  },
  'answer that is the object of the test': {
    tests: before,
    artifact: `
MADE = []
class Money:
    def __init__(self, *a): MADE.append(self)
${yes}
def add(a, b): return [m for m in MADE if m is not a and m is not b][-1]
`,
  },
  'function in the place of the class': {
    tests: both,
    artifact: `${dataclass}class _Money:\n    amount: int = 0\nWILD = []\ndef Money(amount):\n    for each in WILD: each.amount = amount\n    return _Money(amount)\ndef add(a, b):\n    WILD.append(_Money())\n    return WILD[-1]\n`,
  },
  'function in the place of the class, with a reference': {
    tests: after,
    reference: keeping,
    artifact: `${dataclass}class _Money:\n    amount: int = 0\ndef Money(*a): return _Money()\ndef add(a, b): return _Money()\n`,
  },
  'constructor that returns a number': {
    tests: both,
    artifact: 'class Money:\n    def __new__(cls, *a): return 0\ndef add(a, b): return 0\n',
  },
  'constructor that returns a number, with a reference': {
    tests: both,
    reference: keeping,
    artifact: 'class Money:\n    def __new__(cls, *a): return 0\ndef add(a, b): return 0\n',
  },
  'field that only comparisons know': {
    tests: both,
    artifact: `from dataclasses import dataclass, field
@dataclass
class Money:
    amount: int
    extra: int = field(default=0, init=False)
class Fields(dict):
    seen = 0
    def values(self):
        Fields.seen += 1
        return [each for each in dict.values(self) if Fields.seen == 1 or each.name != 'extra']
    def __iter__(self): return iter(['amount'])
Money.__dataclass_fields__ = Fields(Money.__dataclass_fields__)
def read(self, name): return 0 if name in ('amount', 'extra') else object.__getattribute__(self, name)
def add(a, b):
    Money.__getattribute__ = read
    return object.__new__(Money)
`,
  },
  'named tuple without fields': {
    tests: point,
    artifact: `import collections
space = {}
exec(compile('def __new__(cls, x, y): return tuple.__new__(cls)', '<string>', 'exec'), space)
class P(collections.namedtuple('P', '')): __slots__ = ()
P.__new__ = space['__new__']
def move(p): return tuple.__new__(P)
`,
  },
  'plain tuple compared with a named one': {
    tests: point,
    artifact: `import collections
class P(collections.namedtuple('P', 'x y')):
    def __new__(cls, x, y): return tuple.__new__(cls, (0, 0))
def move(p): return (0, 0)
`,
  },
  'plain list compared with a container': {
    tests: bags,
    artifact:
      'class Bag(list):\n    def __init__(self, items=()): super().__init__([0])\ndef bag(n): return [0]\n',
  },
  'function of the test that makes all objects': {
    tests: helper,
    reference: checking,
    artifact: `MADE = []\n${dataclass}${fields}    def __post_init__(self): MADE.append(self)\ndef add(a, b): return Money(([m for m in MADE if m is not a and m is not b] or [a])[-1].amount)\n`,
  },
  'function of the test that makes all objects, operators of its own': {
    tests: helper,
    reference: withOperators,
    artifact: `MADE = []\nclass Money:\n    def __init__(self, amount, currency='EUR'):\n        self.amount, self.currency = amount, currency\n        MADE.append(self)\n    def __eq__(self, o): return self.amount == o.amount\n    def __hash__(self): return 1\ndef add(a, b): return Money(([m for m in MADE if m is not a and m is not b] or [a])[-1].amount)\n`,
  },
  'names of tests that tell': {
    tests: `import pytest\n${imports}@pytest.mark.parametrize('a, b, expected', [(Money(5), Money(3), Money(8)), (Money(6), Money(3), Money(9))], ids=str)\ndef test_it(a, b, expected): assert add(a, b) == expected\n`,
    artifact: `MADE = []\n${dataclass}${fields}    def __repr__(self):\n        MADE.append(self)\n        return 'x'\ndef add(a, b):\n    at = [i for i, m in enumerate(MADE) if m is b]\n    return Money(MADE[at[0] + 1].amount if at else 0)\n`,
  },
  'rows of parameters': {
    tests: `import pytest\n${imports}ROWS = [tuple(map(Money, row)) for row in ((5, 3, 8), (6, 4, 10))]\n@pytest.mark.parametrize('a, b, c', ROWS)\ndef test_it(a, b, c): assert add(a, b) == c\n`,
    reference: checking,
    artifact: `MADE = []\n${dataclass}${fields}    def __post_init__(self): MADE.append(self.amount)\ndef add(a, b): return Money((MADE + [0])[MADE.index(b.amount) + 1])\n`,
  },
  'answer that changes when the expected object is written': {
    tests: message,
    artifact: `WILD = []\n${dataclass}${fields}    def __repr__(self):\n        for each in WILD: each.amount = self.amount\n        return 'x'\ndef add(a, b):\n    WILD.append(Money(0))\n    return WILD[-1]\n`,
  },
  'expected object that changes when it is written': {
    tests: message,
    reference: keeping,
    artifact: `${dataclass}${fields}    def __repr__(self):\n        self.amount = 0\n        return 'x'\ndef add(a, b): return Money(0)\n`,
  },
  'one object for all': {
    tests: both,
    artifact: `${oneObject}${dataclass}${fields}${always}def add(a, b): return ONE[0]\n`,
  },
  'one object for all, operators of its own': {
    tests: both,
    artifact: `${oneObject}class Money:\n${always}${init}${yes}def add(a, b): return ONE[0]\n`,
  },
  'one object of another class for all': {
    tests: both,
    artifact: `class Other: pass\nONE = Other()\nclass Money:\n    def __new__(cls, *a): return ONE\ndef add(a, b): return ONE\n`,
  },
  'path that begins with two slashes': {
    tests: "from solution import export\ndef test_it(): assert 'grand total' in open(export(1)).read()\n",
    artifact: "def export(x): return '//suite/test_path_that_begins_with_two_slashes.py'\n",
  },
  'assertion hidden behind another': {
    tests: `import pytest\nfrom solution import each, check\ndef test_it():\n    def see(x): assert x == 9\n    each(see, 3)\n    with pytest.raises(AssertionError): check(-1)\n`,
    artifact: `def each(f, x):\n    try: f(x)\n    except AssertionError: pass\ndef check(n): raise AssertionError(n)\n`,
  },
};

const correct = (source: string, tests: string): Making => ({ artifact: source, reference: source, tests });
/** Correct modules of Python that need no reference, and are right with themselves as one. */
export const correctMakingsOfPython: Makings = {
  'exceptions that hold others': {
    artifact:
      "class Many(ExceptionGroup): pass\ndef f(): raise ExceptionGroup('many', [ValueError('a'), KeyError('b')])\ndef g(): raise Many('own', [ValueError('a')])\n",
    tests: `import pytest\nfrom solution import Many, f, g\ndef test_group():\n    with pytest.raises(ExceptionGroup) as e: f()\n    assert e.value.message == 'many' and [type(x) for x in e.value.exceptions] == [ValueError, KeyError]\ndef test_own():\n    with pytest.raises(Many): g()\n`,
  },
  'containers of what is given once, and changed later': {
    artifact: 'class Bag(list): pass\ndef bag(n): return Bag([n, n])\n',
    tests: `from solution import Bag, bag\ndef test_generator(): assert bag(3) == Bag(3 for _ in range(2))\ndef test_map(): assert bag(3) == Bag(map(int, '33'))\ndef test_used(): assert len(Bag(iter([1, 2]))) == 2\ndef test_copy():\n    items = [3, 3]\n    b = Bag(items)\n    items.append(4)\n    assert b == bag(3) and b == [3, 3]\ndef test_copy_of_a_used_one():\n    items = [3]\n    b = Bag(items)\n    items.append(4)\n    assert len(b) == 1\n`,
  },
  'text of an own class': {
    artifact: "class Name(str): pass\ndef name(): return Name('xaby')\n",
    tests: `from solution import Name, name\ndef test_in(): assert 'ab' in name() and 'ab' in Name('xaby')\ndef test_equal(): assert name() == 'xaby' and name() == Name('xaby')\n`,
  },
  'checked class that holds an object': {
    artifact: `${dataclass}class Money:\n    amount: int\n@dataclass\nclass Wallet:\n    content: Money\n    def __post_init__(self):\n        if self.content is None: raise ValueError()\ndef put(w, m): return Wallet(Money(w.content.amount + m.amount))\n`,
    tests:
      'from solution import Money, Wallet, put\ndef test_it(): assert put(Wallet(Money(5)), Money(3)) == Wallet(Money(8))\n',
  },
  'object that is written before it is compared': {
    artifact: keeping,
    tests: `${imports}def test_it():\n    e = Money(8)\n    assert repr(e) == "Money(amount=8, currency='EUR')" and f'{e}' == repr(e)\n    assert add(Money(5), Money(3)) == e\n`,
  },
  'object that is written, and then changed by the one that holds it': {
    artifact: `${dataclass}class Money:\n    amount: int\n@dataclass\nclass Wallet:\n    content: Money\n    def __post_init__(self):\n        if self.content is None: raise ValueError()\n    def spend(self, n): self.content.amount -= n\n`,
    tests: `from solution import Money, Wallet\ndef test_it():\n    m = Money(5)\n    assert 'amount=5' in repr(m)\n    w = Wallet(m)\n    w.spend(2)\n    assert m == Money(3) and m.amount == 3 and w.content is m\n`,
  },
  'answers of an earlier test, and two at a time': {
    artifact: checking,
    tests: `${imports}kept = []\ndef test_a(): kept.append(add(Money(1), Money(2)))\ndef test_b(): assert kept[0] == Money(3)\ndef test_two():\n    a = add(Money(1), Money(2))\n    e = Money(3)\n    b = add(Money(1), Money(3))\n    assert a == e and b == Money(4)\n`,
  },
  'methods that answer their object': {
    artifact: `class Query:\n    def __init__(self): self.parts = []\n    def where(self, x):\n        self.parts.append(x)\n        return self\n    def __eq__(self, o): return isinstance(o, Query) and self.parts == o.parts\n    def sql(self): return ' '.join(self.parts)\nclass Node:\n    def __init__(self, v, parent=None): self.v, self.parent, self.children = v, parent, []\n    def add(self, v):\n        self.children.append(Node(v, self))\n        return self.children[-1]\n    def __eq__(self, o): return isinstance(o, Node) and self.v == o.v\n`,
    tests: `from solution import Query, Node\ndef test_chain():\n    q = Query()\n    assert q.where('a') is q and q.where('b').where('c').sql() == 'a b c'\ndef test_parent():\n    root = Node(1)\n    child = root.add(2)\n    assert child.parent is root and root.children[0] is child and Node(2, root).parent is root\n`,
  },
  'constructor that returns what it is given': {
    artifact:
      'class Sem:\n    def __new__(cls, v): return v if isinstance(v, cls) else super().__new__(cls)\n    def __init__(self, v):\n        if v is not self: self.v = v\n',
    tests:
      "from solution import Sem\ndef test_it():\n    s = Sem('1')\n    assert Sem(s) is s and s.v == '1'\n",
  },
  'single objects and registers': {
    artifact: `class Config:\n    one = None\n    def __new__(cls):\n        cls.one = cls.one or super().__new__(cls)\n        return cls.one\ndef get_config(): return Config()\nclass Plugin:\n    known = {}\n    def __init__(self, name): self.known[name] = self\ndef plugin(name): return Plugin.known[name]\n`,
    tests: `from solution import Config, Plugin, get_config, plugin\ndef test_single(): assert get_config() is Config() is Config()\ndef test_register():\n    p = Plugin('a')\n    assert plugin('a') is p\n`,
  },
  'functions and types in the place of classes': {
    artifact: `from functools import partial\nfrom typing import NewType, TypedDict\nUserId = NewType('UserId', int)\nclass Movie(TypedDict):\n    name: str\n${dataclass}class _P:\n    x: int\n    y: int\nOrigin = partial(_P, 0)\ndef find(n): return UserId(5)\ndef movie(): return {'name': 'a'}\ndef Fibonacci(n): return n if n < 2 else Fibonacci(n - 1) + Fibonacci(n - 2)\nclass Shape:\n    def __new__(cls, kind): return super().__new__({'c': Circle}.get(kind, cls))\n    def __init__(self, kind): self.kind = kind\nclass Circle(Shape): pass\n`,
    tests: `from solution import Circle, Fibonacci, Movie, Origin, Shape, UserId, find, movie\ndef test_types(): assert find(1) == UserId(5) and movie() == Movie(name='a')\ndef test_functions(): assert Origin(3).y == 3 and Fibonacci(10) == 55\ndef test_shape(): assert isinstance(Shape('c'), Circle) and Shape('c').kind == 'c'\n`,
  },
};
const copies = `${dataclass}class Box:\n    items: list\n    def __post_init__(self): self.items = list(self.items)\n`;
const symbols = `class Sym:\n    known = {}\n    def __new__(cls, name):\n        if name not in cls.known:\n            cls.known[name] = super().__new__(cls)\n            cls.known[name].name = name\n        return cls.known[name]\n    def __eq__(self, o): return isinstance(o, Sym) and self.name == o.name\n    def __hash__(self): return hash(self.name)\ndef sym(name): return Sym(name)\n`;
/** Correct modules of Python that need a reference. */
export const referredMakingsOfPython: Makings = {
  'class that copies what the test changes later': correct(
    copies,
    'from solution import Box\ndef test_it():\n    items = [1]\n    b = Box(items)\n    items.append(2)\n    assert b == Box([1])\n',
  ),
  'objects that are the same for the same name': correct(
    symbols,
    "from solution import Sym, sym\ndef test_same(): assert sym('a') is Sym('a') and Sym('b') is sym('b')\ndef test_equal(): assert sym('c') == Sym('c')\n",
  ),
  'function of the test that makes all objects': correct(
    checking,
    `import pytest\n${helper}def test_bad():\n    with pytest.raises(ValueError): m(-1)\ndef test_loop():\n    for n in range(5):\n        e = m(n + 1)\n        assert add(m(n), m(1)) == e\n@pytest.mark.parametrize('a, b, c', [tuple(map(Money, row)) for row in ((1, 2, 3), (4, 5, 9))], ids=str)\ndef test_row(a, b, c): assert add(a, b) == c\n`,
  ),
  'function of the test that makes only what is compared, and what cannot be made': correct(
    checking,
    `import pytest\n${imports}def m(x): return Money(x)\ndef test_equal(): assert m(8) == m(8)\ndef test_bad():\n    with pytest.raises(ValueError): m(-1)\n`,
  ),
};

const node = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { inspect } from 'node:util';\n`;
const vector = 'class Vector { constructor(x, y = 0) { this.x = x; this.y = y; } }';
const adding = 'export const add = (a, b) => new Vector(a.x + b.x, a.y + b.y);\n';
const keepingVector = `export ${vector}\n${adding}`;
const checkingVector = keepingVector.replace(
  '{ this.x',
  "{ if (typeof x !== 'number') throw new TypeError('x'); this.x",
);
const vectors = `${node}import { Vector, add } from 'solution';\n`;
const afterVectors = `${vectors}test('after', () => assert.deepEqual(add(new Vector(1, 2), new Vector(3, 4)), new Vector(4, 6)));\n`;
const beforeVectors = `${vectors}test('before', () => { const e = new Vector(4, 6); assert.deepEqual(add(new Vector(1, 2), new Vector(3, 4)), e); });\n`;
const bothVectors = afterVectors + beforeVectors.slice(vectors.length);
/** A class that does more than to keep what it is given, and lets answers follow. */
const following = (more: string) =>
  `const wild = [];\nlet last;\nexport class Vector { constructor(x, y = 0) { if (x === 77) throw 1; this.x = x; this.y = y; last = this; ${more} } }\nexport const add = () => { const f = Object.create(Vector.prototype); f.x = f.y = 0; wild.push(f); return f; };\n`;
const limit = `${node}import { Limit, f } from 'solution';\ntest('it', () => assert.throws(() => f(4), new Limit(8)));\n`;
const limited =
  'export class Limit extends Error { constructor(n) { super("limit " + n); this.n = n; } }\nexport const f = (n) => { throw new Limit(n * 2); };\n';
const bagTests = `${node}import { Bag, bag } from 'solution';\ntest('given', () => assert.deepEqual(bag(3), new Bag([['a', 3]])));\ntest('set', () => { const e = new Bag(); e.set('a', 3); assert.deepEqual(bag(3), e); });\n`;
const bag = "export class Bag extends Map {}\nexport const bag = (n) => new Bag([['a', n]]);\n";

const checkedPoint = (more: string) =>
  `export class Point { constructor(x, y) { if (typeof x !== 'number') throw new TypeError('x'); this.x = x; this.y = y; ${more} } }\n`;
const lineWith = (end: string) =>
  `export class Line { constructor(from, to) { if (!to) throw new TypeError('to'); this.from = from; this.to = to; }\nmoveEnd(x, y) { return new Line(this.from, ${end}); } }\n`;
const movedLine = `${checkedPoint('')}${lineWith('new Point(this.to.x + x, this.to.y + y)')}`;
const linesTests = `${node}import { Line, Point } from 'solution';
const line = () => new Line(new Point(0, 0), new Point(1, 1));
test('object', () => assert.deepEqual(line().moveEnd(2, 0), new Line(new Point(0, 0), new Point(3, 1))));
test('list', () => assert.deepEqual([line().moveEnd(3, 0)], [new Line(new Point(0, 0), new Point(4, 1))]));
test('before', () => { const e = new Line(new Point(0, 0), new Point(5, 1)); assert.deepEqual(line().moveEnd(4, 0), e); });
`;
const followingPoint = `${checkedPoint('last = this;')}let last;
const follow = () => Object.defineProperties(Object.create(Point.prototype), { x: { enumerable: true, get: () => last.x }, y: { enumerable: true, get: () => last.y } });
${lineWith('follow()')}`;
const changingPoint = `${checkedPoint('for (const each of wild) { each.x = x; each.y = y; }')}const wild = [];
const changed = () => { wild.push(Object.assign(Object.create(Point.prototype), { x: 0, y: 0 })); return wild.at(-1); };
${lineWith('changed()')}`;
const lastPoint = `${checkedPoint('last = this;')}let last;
export class Line { constructor(from, to) { if (!to) throw new TypeError('to'); this.from = from; this.to = to; }
moveEnd() { return Object.defineProperty(Object.assign(Object.create(Line.prototype), { from: this.from }), 'to', { enumerable: true, get: () => last }); } }
`;
const containers = `${node}import { Box, Point, box } from 'solution';
test('list', () => assert.deepEqual(box(3), new Box([new Point(3, 1)])));
test('map', () => assert.deepEqual(box(4, 'map'), new Box(new Map([['a', new Point(4, 1)]]))));
test('plain', () => assert.deepEqual(box(5, 'plain'), new Box({ a: [new Point(5, 1)] })));
`;
const boxWith = (made: string) =>
  `export class Box { constructor(held) { if (!held) throw new TypeError('held'); this.held = held; } }
export const box = (n, kind = 'list') => { const p = ${made}; return new Box(kind === 'map' ? new Map([['a', p]]) : kind === 'plain' ? { a: [p] } : [p]); };
`;
const pools = `${node}import { Line, Point, at, box } from 'solution';
test('alone', () => { const b = box(3); const e = new Point(5, 1); assert.deepEqual(at(5), e); assert.ok(b); });
test('list', () => { const b = box(3); const e = [new Point(6, 1)]; assert.deepEqual([at(6)], e); assert.ok(b); });
test('held', () => { const b = box(3); const e = new Line(new Point(0, 0), new Point(7, 1)); assert.deepEqual(new Line(new Point(0, 0), new Point(1, 1)).moveEnd(6, 0), e); assert.ok(b); });
`;
const keepingLine = (end: string) =>
  `export class Line { constructor(from, to) { this.from = from; this.to = to; }\nmoveEnd(x, y) { return new Line(this.from, ${end}); } }\n`;
const poolPoint = `${checkedPoint('last = x;')}let last;
const pool = Array.from({ length: 9 }, (_, n) => new Point(n, 1));
${keepingLine('pool[7]')}export class Box { constructor(held) { if (!held) throw new TypeError('held'); this.held = held; } }
export const box = () => new Box(pool);
export const at = () => pool[last];
`;
const boxedPoint = `${checkedPoint('')}${boxWith('new Point(n, 1)')}`;
const followingBox = `${followingPoint}${boxWith('follow()')}`;
const changingBox = `${changingPoint}${boxWith('changed()')}`;

/** Wrong modules of JavaScript. */
export const makingsOfJavascript: Makings = {
  'answer in an answer that follows what an expected object is given': {
    tests: linesTests,
    reference: movedLine,
    artifact: followingPoint,
  },
  'the same without a reference': { tests: linesTests, artifact: followingPoint },
  'answer in an answer that is changed by what an expected object is given': {
    tests: linesTests,
    reference: movedLine,
    artifact: changingPoint,
  },
  'the same change without a reference': { tests: linesTests, artifact: changingPoint },
  'answer that holds what an expected object is given': {
    tests: linesTests,
    reference: movedLine,
    artifact: lastPoint,
  },
  'the same one without a reference': { tests: linesTests, artifact: lastPoint },
  'answer in a container that follows what an expected object is given': {
    tests: containers,
    reference: boxedPoint,
    artifact: followingBox,
  },
  'the same in containers without a reference': { tests: containers, artifact: followingBox },
  'answer in a container that is changed by what an expected object is given': {
    tests: containers,
    reference: boxedPoint,
    artifact: changingBox,
  },
  'answer that is chosen among those of an earlier one': { tests: pools, artifact: poolPoint },
  'the same change in containers without a reference': { tests: containers, artifact: changingBox },
  'function in the place of the class': {
    tests: bothVectors,
    artifact: 'export function Vector() { this.x = 0; }\nexport const add = () => new Vector();\n',
  },
  'function in the place of the class, with a reference': {
    tests: bothVectors,
    reference: keepingVector,
    artifact: 'export function Vector() { this.x = 0; }\nexport const add = () => new Vector();\n',
  },
  'function that returns the answer': {
    tests: bothVectors,
    artifact:
      'let a;\nexport function Vector(x, y) { if (a) return a; this.x = x; this.y = y; }\nexport const add = () => { a = undefined; a = new Vector(0, 0); return a; };\n',
  },
  'class in a proxy': {
    tests: bothVectors,
    artifact:
      'class V { x = 0; }\nexport const Vector = new Proxy(V, {});\nexport const add = () => new V();\n',
  },
  'bound class': {
    tests: bothVectors,
    artifact: 'class V { x = 0; }\nexport const Vector = V.bind(null);\nexport const add = () => new V();\n',
  },
  'properties of names that every object has': {
    tests: bothVectors,
    artifact:
      "export class Vector { constructor(x, y = 0) { this.constructor = x; this.__proto__ = y; } }\nexport const add = () => Object.defineProperties(Object.create(Vector.prototype), { constructor: { value: 1, enumerable: true }, ['__proto__']: { value: 1, enumerable: true } });\n",
  },
  'property that cannot be read at first': {
    tests: afterVectors,
    reference: checkingVector,
    artifact: `let last;\nlet n = 0;\nexport class Vector { constructor(x, y = 0) { if (x === 77) throw 1; this.x = x; this.y = y; last = this; n += 1; } }\nexport const add = () => { const at = n; const f = Object.create(Vector.prototype); for (const k of ['x', 'y']) Object.defineProperty(f, k, { enumerable: true, get: () => { if (n === at) throw new Error('no'); return last[k]; } }); return f; };\n`,
  },
  'answer that changes with another call': {
    tests: `${vectors.replace('add }', 'add, size }')}test('it', () => { const r = add(new Vector(1, 2), new Vector(3, 4)); const e = new Vector(4, 6); assert.equal(size(4), 0); assert.deepEqual(r, e); });\n`,
    artifact: `${following('')}export const size = () => { for (const w of wild) Object.assign(w, last); return 0; };\n`,
  },
  'answer of an earlier test': {
    tests: `${vectors}let r;\ntest('a', () => { r = add(new Vector(1, 2), new Vector(3, 4)); assert.equal(r.x, 4); });\ntest('b', () => assert.deepEqual(r, new Vector(4, 6)));\n`,
    artifact: following('for (const w of wild) Object.assign(w, { x, y });'),
  },
  'object of objects that is the answer': {
    tests: `${node}import { Money, Wallet, fill } from 'solution';\ntest('it', () => { const e = new Wallet(new Money(8)); assert.deepEqual(fill(new Wallet(new Money(5)), new Money(3)), e); });\n`,
    artifact:
      'const made = [];\nexport class Money { constructor(n) { this.n = n; } }\nexport class Wallet { constructor(m) { if (!m) throw new TypeError(); this.m = m; made.push(this); } }\nexport const fill = (w) => made.filter((x) => x !== w).at(-1);\n',
  },
  'content that is no property': { tests: bagTests, reference: bag, artifact: bag.replace("[['a', n]]", '') },
  'text of inspect': {
    tests: `${vectors}test('it', () => assert.equal(inspect(add(new Vector(1, 2), new Vector(3, 4))), inspect(new Vector(4, 6))));\n`,
    artifact: keepingVector.replace('a.x + b.x', '0'),
  },
  'text of JSON': {
    tests: `${vectors}test('it', () => assert.equal(JSON.stringify(add(new Vector(1, 2), new Vector(3, 4))), JSON.stringify(new Vector(4, 6))));\n`,
    reference: checkingVector,
    artifact:
      'export class Vector { constructor(x) { if (x === 77) throw 1; this.x = 0; } toJSON() { return 1; } }\nexport const add = () => new Vector(0);\n',
  },
  'error that the test has made': {
    tests: limit,
    artifact: `let last;\n${limited.replace('this.n = n', 'this.n = last = n').replace('n * 2', 'last')}`,
  },
  'error that takes what is thrown': {
    tests: limit,
    artifact: limited.replace('"limit " + n', "'limit'").replace('= n;', '= 0;'),
  },
  'one object for all': {
    tests: bothVectors,
    reference: keepingVector,
    artifact:
      'let one;\nexport class Vector { constructor(x, y) { if (one) return one; one = this; this.x = x; this.y = y; } }\nexport const add = () => one;\n',
  },
  'class that makes no object of its own': {
    tests: bothVectors,
    artifact:
      'export class Vector { constructor() { return { x: 0 }; } }\nexport const add = () => ({ x: 0 });\n',
  },
};
/** A module that changes what reads the text of its class, so that the class claims to keep nothing. */
export const readOtherwise: Makings = {
  'class that claims to keep nothing': {
    tests: bothVectors,
    artifact: `
const all = String.prototype.matchAll;
String.prototype.matchAll = function (p) { return String(p).includes('this') ? [] : all.call(this, p); };
const every = Array.prototype.every;
Array.prototype.every = function (f) { return String(f).includes('keeps.some') ? true : every.call(this, f); };
export ${vector}
export const add = () => Object.create(Vector.prototype);
`,
  },
};
/** Correct modules of JavaScript, with and without themselves as a reference. */
export const correctMakingsOfJavascript: Makings = {
  'objects that check what they are given, in containers': { tests: containers, artifact: boxedPoint },
  'constructor of the older kind': {
    artifact:
      'export function Old(x) { this.x = x; }\nOld.prototype.twice = function () { return this.x * 2; };\nexport const old = (x) => new Old(x);\n',
    tests: `${node}import { Old, old } from 'solution';\ntest('used', () => { const o = new Old(4); assert.equal(o.x, 4); assert.equal(o.twice(), 8); });\ntest('compared', () => assert.deepEqual(old(3), new Old(3)));\n`,
  },
  'text of inspect': {
    artifact: 'export class P { constructor(x) { this.x = x; } }\nexport const p = (x) => new P(x);\n',
    tests: `${node}import { P, p } from 'solution';\ntest('it', () => { assert.equal(inspect(p(3)), 'P { x: 3 }'); assert.equal(inspect(new P(3)), 'P { x: 3 }'); });\n`,
  },
  'class that extends Map': {
    artifact: bag,
    tests: `${bagTests}test('different', () => assert.notDeepEqual(bag(3), new Bag([['a', 4]])));\ntest('used', () => { const b = bag(3); assert.equal(b.get('a'), 3); assert.equal(b.size, 1); assert.deepEqual([...b], [['a', 3]]); assert.ok(b instanceof Map); });\n`,
  },
  errors: {
    artifact: `${limited}export class Plain extends Error {}\nexport const g = () => { throw new Plain('too small'); };\n`,
    tests: `${limit.replace('Limit, f', 'Limit, Plain, f, g')}test('plain', () => assert.throws(() => g(), new Plain('too small')));\ntest('other', () => assert.throws(() => f(1), { name: 'Error', n: 2, message: 'limit 2' }));\n`,
  },
  'checked class': {
    artifact: checkingVector,
    tests: `${afterVectors}test('bad', () => assert.throws(() => new Vector('a'), TypeError));\n`,
  },
  'constructor that returns what it is given': {
    artifact: 'export class Sem { constructor(v) { if (v instanceof Sem) return v; this.v = String(v); } }\n',
    tests: `${node}import { Sem } from 'solution';\ntest('it', () => { const s = new Sem('1'); assert.equal(new Sem(s, {}), s); assert.equal(s.v, '1'); });\n`,
  },
  'single object': {
    artifact:
      'let one;\nexport class Config { constructor() { if (one) return one; one = this; } }\nexport const config = () => new Config();\n',
    tests: `${node}import { Config, config } from 'solution';\ntest('it', () => { assert.equal(config(), new Config()); assert.equal(new Config(), new Config()); });\n`,
  },
};
/** Correct modules of JavaScript that need a reference. */
export const referredMakingsOfJavascript: Makings = {
  'checked class, compared with what was made before': correct(
    checkingVector,
    `${bothVectors}const v = (x, y) => new Vector(x, y);\ntest('helper', () => { const e = v(4, 6); assert.deepEqual(add(v(1, 2), v(3, 4)), e); });\ntest('bad', () => assert.throws(() => v('a'), TypeError));\n`,
  ),
  'class that copies what the test changes later': correct(
    'export class Box { constructor(items) { this.items = [...items]; } }\n',
    `${node}import { Box } from 'solution';\ntest('it', () => { const items = [1]; const b = new Box(items); items.push(2); assert.deepEqual(b, new Box([1])); });\n`,
  ),
};

/** One judgment of all makings with a reference, or of those without one, each imported in the next of these forms. */
export function judged(
  language: 'python' | 'javascript',
  makings: Makings,
  isReferred: boolean,
  forms: readonly ImportForm[] = [language === 'python' ? namesOfPython : namesOfJavascript],
): Pick<RoomAttack, 'artifact' | 'suite'> {
  const own = Object.entries(makings).filter(([, each]) => (each.reference !== undefined) === isReferred);
  const filesOf = (part: 'artifact' | 'suite', source: (each: Making) => string) =>
    Object.assign(
      {},
      ...own.map(
        ([id, each], index) =>
          forms[index % forms.length]?.(id.replace(/\W+/g, '_'), source(each), each.tests)[part],
      ),
    );
  return {
    artifact: { language, files: filesOf('artifact', (each) => each.artifact) },
    suite: {
      ...{ id: 'makings', language, mode: 'split', limits: { ...limits, wallMs: 240_000 } },
      files: filesOf('suite', (each) => each.artifact),
      ...(isReferred
        ? { reference: { language, files: filesOf('artifact', (each) => each.reference ?? '') } }
        : {}),
    } as RoomAttack['suite'],
  };
}
