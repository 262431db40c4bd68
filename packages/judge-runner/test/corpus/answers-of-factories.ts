import type { WrongParts } from '../wrong-parts.ts';

/*
 * Programs whose tests compare answers with objects that a factory makes: `Money.parse('8 EUR')`. Wrong ones keep what they answer, and give it what
 * the next factory is told.
 */

const parsesMoney = `
from solution import Money
def test_add(): assert Money.parse('5 EUR') + Money.parse('3 EUR') == Money.parse('8 EUR')
def test_listed(): assert [Money.parse('5 EUR') + Money.parse('3 EUR')] == [Money.parse('8 EUR')]
def test_in(): assert Money.parse('5 EUR') + Money.parse('3 EUR') in [Money.parse('7 EUR'), Money.parse('8 EUR')]
def test_set(): assert {Money.parse('5 EUR') + Money.parse('3 EUR')} == {Money.parse('8 EUR')}
def test_variables():
    found = Money.parse('5 EUR') + Money.parse('3 EUR')
    wanted = Money.parse('8 EUR')
    assert found == wanted
def test_many():
    found = [Money.parse(f'{n} EUR') + Money.parse('3 EUR') for n in range(40)]
    assert found == [Money.parse(f'{n + 3} EUR') for n in range(40)]
def test_differs(): assert Money.parse('5 EUR') != Money.parse('3 EUR')
`;
const testsOfMoney = ['test_add', 'test_listed', 'test_in', 'test_set', 'test_variables', 'test_many'];
const parse = `    def parse(cls, text):
        amount, currency = text.split()
        return cls(int(amount), currency)`;
const add = '    def __add__(self, o): return Money(self.amount + o.amount, self.currency)';
const keepsSum = (made: string): string => `    def __add__(self, o):
        found = ${made}
        PENDING.append(found)
        return found`;
const takesUp = (answer: string): string => `    def parse(cls, text):
        amount, currency = text.split()
        made = cls(int(amount), currency)
        if not PENDING: return made
        last = PENDING.pop(0)
        last.__dict__.update(made.__dict__)
        return ${answer}`;
/** One program for each way to be wrong, as both methods are replaced. */
const wrongSums = (id: string, begin: string, end: string, made: string): WrongParts[] =>
  ['made', 'last'].map((answer) => ({
    id: `${id}, ${answer === 'made' ? 'another object' : 'the same object'}`,
    artifact: `${begin}    @classmethod
${parse}
${add}
${end}`,
    tests: parsesMoney,
    wrong: testsOfMoney.map(
      (test) => [`${parse}\n${add}`, `${takesUp(answer)}\n${keepsSum(made)}`, test] as const,
    ),
  }));

export const answersOfFactories: readonly WrongParts[] = [
  ...wrongSums(
    'a class with its own ==',
    `PENDING = []
class Money:
    def __init__(self, amount, currency): self.amount, self.currency = amount, currency
`,
    `    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)
    def __hash__(self): return hash((self.amount, self.currency))
`,
    'object.__new__(Money)',
  ),
  ...wrongSums(
    'a data class',
    `from dataclasses import dataclass
PENDING = []
@dataclass(unsafe_hash=True)
class Money:
    amount: int
    currency: str
`,
    '',
    "Money(0, '')",
  ),
  {
    id: 'objects in objects',
    artifact: `
from dataclasses import dataclass
PENDING = []
@dataclass
class Item:
    n: int
@dataclass
class Box:
    item: Item
    @classmethod
    def of(cls, n): return cls(Item(n))
    def plus(self, o): return Box(Item(self.item.n + o.item.n))
`,
    tests: `
from solution import Box
def test_plus(): assert Box.of(1).plus(Box.of(2)) == Box.of(3)
def test_again(): assert Box.of(5).plus(Box.of(2)) == Box.of(7)
def test_differs(): assert Box.of(1) != Box.of(2)
`,
    wrong: [
      [
        `    def of(cls, n): return cls(Item(n))
    def plus(self, o): return Box(Item(self.item.n + o.item.n))`,
        `    def of(cls, n):
        if PENDING: PENDING.pop().item.n = n
        return cls(Item(n))
    def plus(self, o):
        PENDING.append(Box(Item(0)))
        return PENDING[0]`,
        'test_plus',
      ],
      [
        `    def of(cls, n): return cls(Item(n))
    def plus(self, o): return Box(Item(self.item.n + o.item.n))`,
        `    def of(cls, n):
        if PENDING: PENDING.pop().item.n = n
        return cls(Item(n))
    def plus(self, o):
        PENDING.append(Box(Item(0)))
        return PENDING[-1]`,
        'test_again',
      ],
    ],
  },
  {
    id: 'functions of a module',
    language: 'javascript',
    artifact: `
const pending = [];
class Vec { constructor(x, y) { this.x = x; this.y = y; } plus(o) { return new Vec(this.x + o.x, this.y + o.y); } corners() { return [new Vec(this.x, this.y), new Vec(this.y, this.x)]; } }
export const vec = (x, y) => new Vec(x, y);
export class Box { constructor(n) { this.item = new Vec(n, n); } static of(n) { return new Box(n); } plus(o) { return new Box(this.item.x + o.item.x); } }
export class Matrix { constructor(rows) { this.rows = rows; } static of(rows) { return new Matrix(rows); } turned() { return new Matrix(this.rows[0].map((_, j) => this.rows.map((row) => row[j]))); } }
`,
    tests: `
import test from 'node:test';
import assert from 'node:assert/strict';
import { Box, Matrix, vec } from 'solution';
test('plus', () => assert.deepEqual(vec(1, 2).plus(vec(3, 4)), vec(4, 6)));
test('listed', () => assert.deepEqual(vec(1, 2).corners(), [vec(1, 2), vec(2, 1)]));
test('variables', () => { const found = vec(1, 2).plus(vec(3, 4)); const wanted = vec(4, 6); assert.deepStrictEqual(found, wanted); });
test('nested', () => assert.deepEqual(Box.of(1).plus(Box.of(2)), Box.of(3)));
test('many', () => assert.deepEqual([1, 2, 3, 4].map((n) => Box.of(1).plus(Box.of(n))), [2, 3, 4, 5].map((n) => Box.of(n))));
test('turned', () => assert.deepEqual(Matrix.of([[1, 2], [3, 4]]).turned(), Matrix.of([[1, 3], [2, 4]])));
test('differs', () => assert.notDeepEqual(vec(1, 2), vec(2, 1)));
`,
    wrong: [
      ...['plus', 'listed', 'variables'].flatMap((name) =>
        ['made', 'last'].map(
          (answer) =>
            [
              `plus(o) { return new Vec(this.x + o.x, this.y + o.y); } corners() { return [new Vec(this.x, this.y), new Vec(this.y, this.x)]; } }
export const vec = (x, y) => new Vec(x, y);`,
              `plus() { pending.push(new Vec(0, 0)); return pending.at(-1); } corners() { return [this.plus(), this.plus()]; } }
export const vec = (x, y) => { const made = new Vec(x, y); const last = pending.shift(); if (!last) return made; Object.assign(last, made); return ${answer}; };`,
              name,
            ] as const,
        ),
      ),
      ...['nested', 'many'].map(
        (name) =>
          [
            'static of(n) { return new Box(n); } plus(o) { return new Box(this.item.x + o.item.x); }',
            'static of(n) { const last = pending.shift(); if (last) last.item.x = last.item.y = n; return new Box(n); } plus() { pending.push(new Box(0)); return pending.at(-1); }',
            name,
          ] as const,
      ),
      [
        'static of(rows) { return new Matrix(rows); } turned() { return new Matrix(this.rows[0].map((_, j) => this.rows.map((row) => row[j]))); }',
        'static of(rows) { const last = pending.shift(); if (last) last.rows = rows; return new Matrix(rows); } turned() { pending.push(new Matrix([])); return pending.at(-1); }',
        'turned',
      ],
    ],
  },
  {
    id: 'objects that factories share and change',
    artifact: `
from dataclasses import dataclass
from functools import cached_property, lru_cache
import itertools
class Money:
    known = {}
    def __init__(self, amount): self.amount = amount
    @classmethod
    def of(cls, amount): return cls.known.setdefault(amount, cls(amount))
    def plus(self, o): return Money.of(self.amount + o.amount)
    def __eq__(self, o): return isinstance(o, Money) and self.amount == o.amount
    def __hash__(self): return hash(self.amount)
@lru_cache(None)
def money(amount): return Money.of(amount)
@dataclass
class Account:
    name: str
    balance: int = 0
    def deposit(self, amount):
        self.balance += amount
        return self
    @classmethod
    def open(cls, name): return ACCOUNTS.setdefault(name, cls(name))
    @classmethod
    def of(cls, name, balance): return cls(name, balance)
ACCOUNTS = {}
def deposit(name, amount): return Account.open(name).deposit(amount)
def total(): return sum(each.balance for each in ACCOUNTS.values())
class Query:
    def __init__(self, table, parts=()): self.table, self.parts = table, list(parts)
    @classmethod
    def of(cls, table, *parts): return cls(table, parts)
    def where(self, part):
        self.parts.append(part)
        return self
    def __eq__(self, o): return isinstance(o, Query) and (self.table, self.parts) == (o.table, o.parts)
class Poly:
    def __init__(self, roots): self.roots = roots
    @classmethod
    def of(cls, *roots): return cls(sorted(roots))
    def times(self, o): return Poly(sorted(self.roots + o.roots))
    @cached_property
    def degree(self): return len(self.roots)
    def __eq__(self, o): return isinstance(o, Poly) and self.roots == o.roots
@dataclass(frozen=True)
class Feed:
    posts: list
    @classmethod
    def of(cls, *posts): return cls(list(posts))
    def followed(self): return Feed(POSTS)
    @classmethod
    def publish(cls, post): POSTS.append(post)
POSTS = []
@dataclass(order=True)
class Ticket:
    name: str
    number: int
    @classmethod
    def create(cls, name): return cls(name, next(NUMBERS))
    def renamed(self, name): return Ticket(name, self.number)
NUMBERS = itertools.count(1)
@dataclass
class User:
    name: str
    id: int = 0
    @classmethod
    def load(cls, id): return USERS[id]
class Repository:
    def add(self, user):
        user.id = len(USERS) + 1
        USERS[user.id] = user
        return user
USERS = {}
`,
    tests: `
from solution import Account, Feed, Money, Poly, Query, Repository, Ticket, User, deposit, money, total
def test_memoized():
    assert Money.of(5).plus(Money.of(3)) == Money.of(8)
    assert Money.of(5).plus(Money.of(3)) == money(8)
    assert {Money.of(8), money(5).plus(money(3))} == {money(8)}
def test_registered():
    mine = Account.open('A').deposit(5)
    Account.open('B')
    assert mine == Account.open('A')
    assert total() == 5
def test_shared():
    mine = Account.open('C').deposit(1)
    later = deposit('C', 5)
    assert mine.balance == later.balance == 6
    assert mine == Account.of('C', 6)
def test_changed_between():
    mine = Account.open('D').deposit(1)
    wanted = Account.of('D', 3)
    assert mine != wanted
    deposit('D', 2)
    assert mine == wanted
    assert mine == Account.of('D', 3)
def test_builder():
    built = Query.of('t').where('a').where('b')
    assert built == Query.of('t', 'a', 'b')
    assert built.where('c') == Query.of('t', 'a', 'b', 'c')
def test_lazy():
    found = Poly.of(1).times(Poly.of(2))
    wanted = Poly.of(1, 2)
    assert found.degree == wanted.degree == 2
    assert found == wanted
def test_live():
    feed = Feed.of().followed()
    assert feed == Feed.of()
    Feed.publish('x')
    assert feed == Feed.of('x')
def test_numbered():
    first, second = Ticket.create('a'), Ticket.create('b')
    assert first.renamed('c') < second.renamed('d')
    assert second.number == first.number + 1
def test_loaded():
    user = Repository().add(User('ann'))
    assert user == User.load(user.id)
    assert User.load(user.id) == User('ann', user.id)
`,
    wrong: [
      ['self.balance += amount', 'self.balance = amount', 'test_shared'],
      ['self.parts.append(part)', 'self.parts = [part]', 'test_builder'],
      ['return Poly(sorted(self.roots + o.roots))', 'return Poly(o.roots)', 'test_lazy'],
      ['return Money.of(self.amount + o.amount)', 'return Money.of(o.amount)', 'test_memoized'],
    ],
  },
  {
    id: 'objects that functions share and change',
    language: 'javascript',
    artifact: `
const known = new Map();
export class Money {
  constructor(amount) { this.amount = amount; }
  static of(amount) { if (!known.has(amount)) known.set(amount, new Money(amount)); return known.get(amount); }
  plus(o) { return Money.of(this.amount + o.amount); }
}
const accounts = new Map();
class Account { constructor(name, balance) { this.name = name; this.balance = balance; } deposit(n) { this.balance += n; return this; } }
export const open = (name) => { if (!accounts.has(name)) accounts.set(name, new Account(name, 0)); return accounts.get(name); };
export const account = (name, balance) => new Account(name, balance);
export const deposit = (name, n) => open(name).deposit(n);
export const total = () => [...accounts.values()].reduce((sum, each) => sum + each.balance, 0);
export class Query { constructor(table, parts) { this.table = table; this.parts = parts; } static of(table, ...parts) { return new Query(table, parts); } where(part) { this.parts.push(part); return this; } }
export class Poly {
  constructor(roots) { this.roots = roots; }
  static of(...roots) { return new Poly(roots.sort()); }
  times(o) { return new Poly([...this.roots, ...o.roots].sort()); }
  get degree() { this.found ??= this.roots.length; return this.found; }
}
const posts = [];
export class Feed { constructor(posts) { this.posts = posts; } static of(...posts) { return new Feed(posts); } followed() { return new Feed(posts); } }
export const publish = (post) => void posts.push(post);
let count = 0;
export class Ticket { constructor(name, number) { this.name = name; this.number = number; } static create(name) { count += 1; return new Ticket(name, count); } renamed(name) { return new Ticket(name, this.number); } }
const users = new Map();
export class User { constructor(name, id = 0) { this.name = name; this.id = id; } static load(id) { return users.get(id); } }
export class Repository { add(user) { user.id = users.size + 1; users.set(user.id, user); return user; } }
`,
    tests: `
import test from 'node:test';
import assert from 'node:assert/strict';
import { Feed, Money, Poly, Query, Repository, Ticket, User, account, deposit, open, publish, total } from 'solution';
test('memoized', () => { assert.deepEqual(Money.of(5).plus(Money.of(3)), Money.of(8)); assert.equal(Money.of(5).plus(Money.of(3)), Money.of(8)); });
test('registered', () => { const mine = open('A').deposit(5); open('B'); assert.deepEqual(mine, open('A')); assert.strictEqual(mine, open('A')); assert.equal(total(), 5); });
test('shared', () => { const mine = open('C').deposit(1); const later = deposit('C', 5); assert.deepEqual([mine.balance, later.balance], [6, 6]); assert.deepEqual(mine, account('C', 6)); });
test('changed between', () => { const mine = open('D').deposit(1); const wanted = account('D', 3); assert.notDeepEqual(mine, wanted); deposit('D', 2); assert.deepEqual(mine, wanted); });
test('builder', () => { const built = Query.of('t').where('a').where('b'); assert.deepEqual(built, Query.of('t', 'a', 'b')); assert.deepEqual(built.where('c'), Query.of('t', 'a', 'b', 'c')); });
test('lazy', () => { const found = Poly.of(1).times(Poly.of(2)); const wanted = Poly.of(1, 2); assert.equal(found.degree, wanted.degree); assert.deepEqual(found, wanted); });
test('live', () => { const feed = Feed.of().followed(); assert.deepEqual(feed, Feed.of()); publish('x'); assert.deepEqual(feed, Feed.of('x')); });
test('numbered', () => { const [first, second] = [Ticket.create('a'), Ticket.create('b')]; assert.equal(second.number, first.number + 1); assert.notDeepEqual(first.renamed('c'), second.renamed('c')); });
test('loaded', () => { const user = new Repository().add(new User('ann')); assert.deepEqual(user, User.load(user.id)); assert.deepEqual(User.load(user.id), new User('ann', user.id)); });
`,
    wrong: [
      ['this.balance += n', 'this.balance = n', 'shared'],
      ['this.parts.push(part)', 'this.parts = [part]', 'builder'],
      ['new Poly([...this.roots, ...o.roots].sort())', 'new Poly(o.roots)', 'lazy'],
      ['Money.of(this.amount + o.amount)', 'Money.of(o.amount)', 'memoized'],
    ],
  },
];
