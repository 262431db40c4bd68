import type { FidelityCase } from './fidelity-case.ts';

/** Quantities, parsers of combinators, entities, tries and query builders: correct programs with ordinary tests. */
export const fidelityDomains: readonly FidelityCase[] = [
  {
    id: 'quantities',
    needsReference: true,
    artifact: `
import math
class DimensionError(TypeError): pass
class Quantity:
    def __init__(self, value, unit): self.value, self.unit = value, unit
    def _check(self, other):
        if not isinstance(other, Quantity): raise DimensionError('not a quantity: %r' % (other,))
        if other.unit.dimension != self.unit.dimension: raise DimensionError('%s is not %s' % (other.unit.dimension, self.unit.dimension))
        return other.value * other.unit.factor / self.unit.factor
    def to(self, unit): return Quantity(Quantity(0, unit)._check(self), unit)
    def __add__(self, other): return Quantity(self.value + self._check(other), self.unit)
    def __sub__(self, other): return Quantity(self.value - self._check(other), self.unit)
    def __mul__(self, k): return Quantity(self.value * k, self.unit)
    __rmul__ = __mul__
    def __truediv__(self, other):
        if isinstance(other, Quantity): return self.value / self._check(other)
        return Quantity(self.value / other, self.unit)
    def __eq__(self, other):
        return isinstance(other, Quantity) and other.unit.dimension == self.unit.dimension and math.isclose(self.value, self._check(other))
    def __lt__(self, other): return self.value < self._check(other)
    def __gt__(self, other): return self.value > self._check(other)
    def __float__(self): return float(self.value)
    def __round__(self, n=None): return Quantity(round(self.value, n), self.unit)
    def __str__(self): return '%g %s' % (self.value, self.unit.symbol)
    def __format__(self, spec): return '%s %s' % (format(self.value, spec), self.unit.symbol)
class Unit:
    def __init__(self, symbol, dimension, factor=1): self.symbol, self.dimension, self.factor = symbol, dimension, factor
    def __rmul__(self, value): return Quantity(value, self)
    def __call__(self, value): return Quantity(value, self)
    def __repr__(self): return '<Unit %s>' % self.symbol
metre, kilometre, second = Unit('m', 'length'), Unit('km', 'length', 1000), Unit('s', 'time')
def parse(text):
    value, symbol = text.split()
    for unit in (metre, kilometre, second):
        if unit.symbol == symbol: return Quantity(float(value), unit)
    raise ValueError('unknown unit: ' + symbol)
`,
    breaks: [
      'def to(self, unit): return Quantity(Quantity(0, unit)._check(self), unit)',
      'def to(self, unit): return Quantity(self.value, unit)',
    ],
    tests: `
import math
import pytest
from solution import DimensionError, Quantity, Unit, kilometre, metre, parse, second

def test_make():
    q = Quantity(5, metre)
    assert q.value == 5 and q.unit is metre
def test_multiply_by_unit():
    assert 5 * metre == Quantity(5, metre)
    assert (2.5 * kilometre).value == 2.5
def test_call(): assert metre(3) == Quantity(3, metre)
def test_convert():
    assert Quantity(2, kilometre).to(metre).value == 2000
    assert Quantity(1500, metre).to(kilometre).value == pytest.approx(1.5)
def test_equal_across_units():
    assert Quantity(1, kilometre) == Quantity(1000, metre)
    assert Quantity(1, kilometre) != Quantity(1, metre)
    assert Quantity(1, metre) != Quantity(1, second)
    assert Quantity(1, metre) != 1
def test_add():
    total = Quantity(1, kilometre) + Quantity(500, metre)
    assert total.value == 1.5
    assert str(total) == '1.5 km'
def test_scale(): assert (Quantity(2, metre) * 3).value == (3 * Quantity(2, metre)).value == 6
def test_ratio(): assert Quantity(1, kilometre) / Quantity(250, metre) == 4
def test_divide(): assert (Quantity(6, metre) / 3).value == 2
def test_order():
    assert Quantity(999, metre) < Quantity(1, kilometre)
    assert Quantity(1, kilometre) > Quantity(999, metre)
    assert min(Quantity(3, metre), Quantity(2, metre)).value == 2
def test_dimensions():
    with pytest.raises(DimensionError, match='time is not length'): Quantity(1, metre) + Quantity(1, second)
    with pytest.raises(TypeError): Quantity(1, metre) + 1
    with pytest.raises(DimensionError): Quantity(1, metre) < Quantity(1, second)
def test_float(): assert float(Quantity(3, metre)) == 3.0 and math.sqrt(Quantity(9, metre)) == 3
def test_round(): assert round(Quantity(1.26, metre), 1).value == 1.3
def test_format(): assert f'{Quantity(1.256, metre):.2f}' == '1.26 m'
def test_parse(): assert parse('3 km') == Quantity(3, kilometre) and parse('3 km').unit.symbol == 'km'
def test_parse_unknown():
    with pytest.raises(ValueError, match='unknown unit: lb'): parse('3 lb')
def test_unit(): assert repr(Unit('x', 'y')) == '<Unit x>' and second.dimension == 'time'
`,
  },
  {
    id: 'parser-combinators',
    needsReference: true,
    artifact: `
import re
class ParseError(RuntimeError):
    def __init__(self, expected, text, index): self.expected, self.text, self.index = expected, text, index
    def line_info(self): return '%d:%d' % (self.text.count('\\n', 0, self.index), self.index - (self.text.rfind('\\n', 0, self.index) + 1))
    def __str__(self): return 'expected %s at %s' % (self.expected, self.line_info())
class Parser:
    def __init__(self, run, name='parser'): self.run, self.name = run, name
    def parse(self, text):
        value, rest = self.run(text, 0)
        if rest != len(text): raise ParseError('EOF', text, rest)
        return value
    def parse_partial(self, text):
        value, rest = self.run(text, 0)
        return value, text[rest:]
    def map(self, f):
        def run(text, i):
            value, i = self.run(text, i)
            return f(value), i
        return Parser(run)
    def result(self, value): return self.map(lambda _: value)
    def bind(self, f):
        def run(text, i):
            value, i = self.run(text, i)
            return f(value).run(text, i)
        return Parser(run)
    def then(self, other): return self.bind(lambda _: other)
    def skip(self, other): return self.bind(lambda v: other.result(v))
    def many(self, least=0):
        def run(text, i):
            found = []
            while True:
                try: value, i = self.run(text, i)
                except ParseError:
                    if len(found) < least: raise
                    return found, i
                found.append(value)
        return Parser(run)
    def optional(self, default=None): return self | succeed(default)
    def sep_by(self, sep): return seq(self, (sep >> self).many()).map(lambda p: [p[0], *p[1]]) | succeed([])
    def desc(self, name):
        def run(text, i):
            try: return self.run(text, i)
            except ParseError: raise ParseError(name, text, i) from None
        return Parser(run, name)
    def __or__(self, other):
        def run(text, i):
            try: return self.run(text, i)
            except ParseError: return other.run(text, i)
        return Parser(run)
    def __rshift__(self, other): return self.then(other)
    def __lshift__(self, other): return self.skip(other)
    def __add__(self, other): return seq(self, other).map(lambda p: p[0] + p[1])
    def __mul__(self, n): return seq(*[self] * n)
    def __repr__(self): return '<Parser %s>' % self.name
def succeed(value): return Parser(lambda text, i: (value, i))
def fail(expected):
    def run(text, i): raise ParseError(expected, text, i)
    return Parser(run)
def string(s):
    def run(text, i):
        if text.startswith(s, i): return s, i + len(s)
        raise ParseError(repr(s), text, i)
    return Parser(run, s)
def regex(pattern):
    found = re.compile(pattern)
    def run(text, i):
        m = found.match(text, i)
        if m: return m.group(), m.end()
        raise ParseError(pattern, text, i)
    return Parser(run)
def seq(*parsers):
    def run(text, i):
        values = []
        for p in parsers:
            value, i = p.run(text, i)
            values.append(value)
        return values, i
    return Parser(run)
whitespace = regex(r'\\s*')
number = regex(r'[0-9]+').map(int).desc('number')
def lexeme(p): return p << whitespace
`,
    breaks: ['if len(found) < least: raise', 'if len(found) <= least: raise'],
    tests: `
import unittest
from solution import ParseError, Parser, fail, lexeme, number, regex, seq, string, succeed, whitespace

class TestParser(unittest.TestCase):
    def test_string(self):
        parser = string('x')
        self.assertEqual(parser.parse('x'), 'x')
        self.assertRaises(ParseError, parser.parse, 'y')
    def test_regex(self):
        parser = regex(r'[0-9]')
        self.assertEqual(parser.parse('1'), '1')
        self.assertEqual(parser.parse('4'), '4')
        self.assertRaises(ParseError, parser.parse, 'x')
    def test_then(self):
        xy_parser = string('x') >> string('y')
        self.assertEqual(xy_parser.parse('xy'), 'y')
        self.assertRaises(ParseError, xy_parser.parse, 'y')
    def test_skip(self):
        self.assertEqual((string('x') << string('y')).parse('xy'), 'x')
    def test_map(self):
        self.assertEqual(regex(r'[0-9]+').map(int).map(lambda n: n * 2).parse('21'), 42)
    def test_bind(self):
        piped = None
        def binder(x):
            nonlocal piped
            piped = x
            return string('y')
        parser = string('x').bind(binder)
        self.assertEqual(parser.parse('xy'), 'y')
        self.assertEqual(piped, 'x')
    def test_many(self):
        letters = regex('[a-z]').many()
        self.assertEqual(letters.parse('abc'), ['a', 'b', 'c'])
        self.assertEqual(letters.parse(''), [])
        self.assertEqual(string('x').many(2).parse('xx'), ['x', 'x'])
        with self.assertRaises(ParseError):
            string('x').many(2).parse('x')
    def test_or(self):
        parser = string('a') | string('b') | string('c')
        for letter in 'abc':
            self.assertEqual(parser.parse(letter), letter)
        self.assertRaises(ParseError, parser.parse, 'd')
    def test_add(self):
        self.assertEqual((string('a') + regex('[0-9]+')).parse('a12'), 'a12')
    def test_times(self):
        self.assertEqual((regex('.') * 3).parse('xyz'), ['x', 'y', 'z'])
    def test_sep_by(self):
        parser = number.sep_by(string(','))
        self.assertEqual(parser.parse('1,2,3'), [1, 2, 3])
        self.assertEqual(parser.parse(''), [])
    def test_optional(self):
        self.assertEqual(seq(number, string('!').optional('?')).parse('5'), [5, '?'])
    def test_partial(self):
        self.assertEqual(string('a').parse_partial('abc'), ('a', 'bc'))
    def test_lexeme(self):
        self.assertEqual(lexeme(number).many().parse('1 2  3'), [1, 2, 3])
        self.assertEqual(whitespace.parse('  '), '  ')
    def test_error(self):
        with self.assertRaises(ParseError) as caught:
            (string('a\\n') >> number).parse('a\\nx')
        self.assertEqual(caught.exception.expected, 'number')
        self.assertEqual(caught.exception.index, 2)
        self.assertEqual(caught.exception.line_info(), '1:0')
        self.assertEqual(str(caught.exception), 'expected number at 1:0')
    def test_constants(self):
        self.assertEqual(succeed(3).parse(''), 3)
        with self.assertRaisesRegex(ParseError, 'nothing'): fail('nothing').parse('x')
    def test_recursion(self):
        group = Parser(lambda text, i: (string('(') >> expr << string(')')).run(text, i))
        expr = number | group
        self.assertEqual(expr.parse('((7))'), 7)
    def test_repr(self):
        self.assertEqual(repr(string('x')), '<Parser x>')
`,
  },
  {
    id: 'entities-and-events',
    needsReference: true,
    artifact: `
import itertools, typing, uuid
from dataclasses import dataclass, field
from datetime import date
class OutOfStock(Exception): pass
@dataclass(frozen=True)
class OrderLine:
    orderid: str
    sku: str
    qty: int
@dataclass(frozen=True)
class Allocated:
    orderid: str
    batchref: str
class Batch:
    def __init__(self, ref, sku, qty, eta=None): self.reference, self.sku, self.eta, self._purchased, self._allocations = ref, sku, eta, qty, set()
    def __repr__(self): return '<Batch %s>' % self.reference
    def __eq__(self, other): return isinstance(other, Batch) and other.reference == self.reference
    def __hash__(self): return hash(self.reference)
    def __gt__(self, other):
        if self.eta is None: return False
        if other.eta is None: return True
        return self.eta > other.eta
    def can_allocate(self, line): return self.sku == line.sku and self.available >= line.qty
    def allocate(self, line):
        if self.can_allocate(line): self._allocations.add(line)
    def deallocate(self, line): self._allocations.discard(line)
    @property
    def allocated(self): return sum(line.qty for line in self._allocations)
    @property
    def available(self): return self._purchased - self.allocated
class Product:
    def __init__(self, sku, batches=(), version=0): self.sku, self.batches, self.version, self.events = sku, list(batches), version, []
    def allocate(self, line):
        try: batch = next(b for b in sorted(self.batches) if b.can_allocate(line))
        except StopIteration: raise OutOfStock('Out of stock for sku %s' % line.sku) from None
        batch.allocate(line)
        self.version += 1
        self.events.append(Allocated(line.orderid, batch.reference))
        return batch.reference
class Bus:
    def __init__(self, repository): self.repository, self.handlers, self.log = repository, {}, []
    def register(self, kind): return lambda f: self.handlers.setdefault(kind, []).append(f) or f
    def handle(self, event):
        self.log.append(event)
        return [f(event) for f in self.handlers.get(type(event), [])]
def add_batch(ref, sku, qty, eta, repository):
    product = repository.get(sku)
    if product is None:
        product = Product(sku)
        repository.add(product)
    product.batches.append(Batch(ref, sku, qty, eta))
    repository.commit()
def allocate(orderid, sku, qty, repository):
    product = repository.get(sku)
    if product is None: raise LookupError('Invalid sku ' + sku)
    ref = product.allocate(OrderLine(orderid, sku, qty))
    repository.commit()
    return ref
`,
    breaks: ['return self.eta > other.eta', 'return self.eta < other.eta'],
    tests: `
from datetime import date, timedelta
import pytest
from solution import Allocated, Batch, Bus, OrderLine, OutOfStock, Product, add_batch, allocate

today = date(2026, 3, 1)
tomorrow = today + timedelta(days=1)
later = tomorrow + timedelta(days=10)

def make_batch_and_line(sku, batch_qty, line_qty):
    return Batch('batch-001', sku, batch_qty, eta=today), OrderLine('order-123', sku, line_qty)

class FakeRepository:
    def __init__(self, *products):
        self.products, self.committed = list(products), 0
    def get(self, sku): return next((p for p in self.products if p.sku == sku), None)
    def add(self, product): self.products.append(product)
    def commit(self): self.committed += 1

class TestBatch:
    def test_allocating_reduces_the_available_quantity(self):
        batch, line = make_batch_and_line('SMALL-TABLE', 20, 2)
        batch.allocate(line)
        assert batch.available == 18
    def test_can_allocate(self):
        large, small = make_batch_and_line('LAMP', 20, 2)
        assert large.can_allocate(small)
        small_batch, large_line = make_batch_and_line('LAMP', 2, 20)
        assert small_batch.can_allocate(large_line) is False
    def test_other_sku(self):
        assert Batch('b', 'CHAIR', 100).can_allocate(OrderLine('o', 'TOASTER', 10)) is False
    def test_allocation_is_idempotent(self):
        batch, line = make_batch_and_line('DESK', 20, 2)
        batch.allocate(line)
        batch.allocate(line)
        assert batch.available == 18
    def test_deallocate(self):
        batch, line = make_batch_and_line('DESK', 20, 2)
        batch.deallocate(line)
        assert batch.available == 20 and batch.allocated == 0
    def test_equality_is_by_reference(self):
        assert Batch('b1', 'A', 1) == Batch('b1', 'B', 2)
        assert Batch('b1', 'A', 1) != Batch('b2', 'A', 1)
        assert len({Batch('b1', 'A', 1), Batch('b1', 'A', 5)}) == 1
    def test_order(self):
        first, second, third = Batch('1', 'A', 1), Batch('2', 'A', 1, today), Batch('3', 'A', 1, later)
        assert sorted([third, second, first]) == [first, second, third]
        assert third > second and not first > second

class TestAllocate:
    def test_prefers_warehouse_batches(self):
        in_stock, shipment = Batch('in-stock', 'CLOCK', 100), Batch('shipment', 'CLOCK', 100, eta=tomorrow)
        product = Product('CLOCK', batches=[in_stock, shipment])
        assert product.allocate(OrderLine('oref', 'CLOCK', 10)) == 'in-stock'
        assert in_stock.available == 90
        assert shipment.available == 100
    def test_prefers_earlier_batches(self):
        batches = [Batch('slow', 'SPOON', 100, eta=later), Batch('fast', 'SPOON', 100, eta=today), Batch('mid', 'SPOON', 100, eta=tomorrow)]
        assert Product('SPOON', batches).allocate(OrderLine('order1', 'SPOON', 10)) == 'fast'
        assert [b.available for b in batches] == [100, 90, 100]
    def test_out_of_stock(self):
        product = Product('FORK', [Batch('b', 'FORK', 1, eta=today)])
        product.allocate(OrderLine('o1', 'FORK', 1))
        with pytest.raises(OutOfStock, match='FORK'):
            product.allocate(OrderLine('o2', 'FORK', 1))
    def test_events_and_version(self):
        product = Product('A', [Batch('b', 'A', 5)], version=7)
        product.allocate(OrderLine('o1', 'A', 1))
        assert product.version == 8
        assert product.events == [Allocated('o1', 'b')]
        assert product.events[-1].batchref == 'b'

class TestServices:
    def test_add_batch(self):
        repo = FakeRepository()
        add_batch('b1', 'CHAIR', 100, None, repo)
        assert repo.get('CHAIR') is not None
        assert repo.committed == 1
        assert [b.reference for b in repo.get('CHAIR').batches] == ['b1']
    def test_allocate(self):
        repo = FakeRepository(Product('LAMP', [Batch('b1', 'LAMP', 100)]))
        assert allocate('o1', 'LAMP', 10, repo) == 'b1'
        assert repo.committed == 1
    def test_invalid_sku(self):
        with pytest.raises(LookupError) as info: allocate('o1', 'NO', 10, FakeRepository())
        assert info.value.args == ('Invalid sku NO',)
    def test_bus(self):
        bus, seen = Bus(FakeRepository()), []
        @bus.register(Allocated)
        def on(event):
            seen.append(event.orderid)
            return event.batchref
        assert bus.handle(Allocated('o', 'b')) == ['b']
        assert seen == ['o'] and bus.log == [Allocated('o', 'b')]
`,
  },
  {
    id: 'tries-and-queries',
    needsReference: true,
    artifact: `
class Trie:
    def __init__(self, words=()):
        self.children, self.end, self.count = {}, False, 0
        for word in words: self.add(word)
    def add(self, word):
        node = self
        for letter in word: node = node.children.setdefault(letter, Trie())
        if not node.end: self.count += 1
        node.end = True
        return self
    def _find(self, prefix):
        node = self
        for letter in prefix:
            node = node.children.get(letter)
            if node is None: return None
        return node
    def __contains__(self, word): node = self._find(word); return node is not None and node.end
    def __delitem__(self, word):
        if word not in self: raise KeyError(word)
        self._find(word).end = False
        self.count -= 1
    def __len__(self): return self.count
    def _walk(self, prefix=''):
        if self.end: yield prefix
        for letter in sorted(self.children): yield from self.children[letter]._walk(prefix + letter)
    def __iter__(self): return self._walk()
    def with_prefix(self, prefix):
        node = self._find(prefix)
        return [] if node is None else list(node._walk(prefix))
    def __eq__(self, other): return isinstance(other, Trie) and list(self) == list(other)
    def __or__(self, other): return Trie([*self, *other])
    def __bool__(self): return self.count > 0
class Q:
    def __init__(self, test, text): self._test, self._text = test, text
    def __call__(self, row): return self._test(row)
    def __and__(self, other): return Q(lambda row: self(row) and other(row), '(%s AND %s)' % (self._text, other._text))
    def __or__(self, other): return Q(lambda row: self(row) or other(row), '(%s OR %s)' % (self._text, other._text))
    def __invert__(self): return Q(lambda row: not self(row), 'NOT ' + self._text)
    def __str__(self): return self._text
class Select:
    def __init__(self, table, columns=('*',), q=None, order=(), n=None): self._state = (table, tuple(columns), q, tuple(order), n)
    def _with(self, **new):
        state = dict(zip(('table', 'columns', 'q', 'order', 'n'), self._state))
        return Select(**{**state, **new})
    def columns(self, *names): return self._with(columns=names)
    def where(self, q): return self._with(q=q if self._state[2] is None else self._state[2] & q)
    def order_by(self, *names): return self._with(order=names)
    def limit(self, n): return self._with(n=n)
    def __str__(self):
        table, columns, q, order, n = self._state
        text = 'SELECT %s FROM %s' % (', '.join(columns), table)
        if q: text += ' WHERE %s' % q
        if order: text += ' ORDER BY ' + ', '.join(order)
        return text + (' LIMIT %d' % n if n is not None else '')
    def run(self, rows):
        _, columns, q, order, n = self._state
        found = [row for row in rows if q is None or q(row)]
        for name in reversed(order): found.sort(key=lambda row: row[name.lstrip('-')], reverse=name.startswith('-'))
        return [row if columns == ('*',) else {c: row[c] for c in columns} for row in found[:n]]
def field(name):
    return type('F', (), {'eq': lambda self, v: Q(lambda row: row.get(name) == v, '%s = %r' % (name, v)),
                          'gt': lambda self, v: Q(lambda row: row[name] > v, '%s > %r' % (name, v))})()
def eq(name, value): return Q(lambda row: row.get(name) == value, '%s = %r' % (name, value))
def gt(name, value): return Q(lambda row: row[name] > value, '%s > %r' % (name, value))
class timer:
    def __init__(self, clock): self.clock, self.elapsed = clock, None
    def __enter__(self):
        self.start = self.clock()
        return self
    def __exit__(self, *error):
        self.elapsed = self.clock() - self.start
        return False
class trace:
    """Counts the calls of a function."""
    def __init__(self, func): self.func, self.calls = func, []
    def __call__(self, *args):
        self.calls.append(args)
        return self.func(*args)
`,
    breaks: [
      'return [] if node is None else list(node._walk(prefix))',
      'return [] if node is None else list(node._walk(prefix))[1:]',
    ],
    tests: `
import pytest
from solution import Q, Select, Trie, eq, gt, timer, trace

@pytest.fixture
def trie():
    return Trie(['tea', 'ten', 'to', 'inn'])

@pytest.fixture(scope='module')
def rows():
    return [{'name': 'Ann', 'age': 30}, {'name': 'Bob', 'age': 25}, {'name': 'Cid', 'age': 35}]

def test_contains(trie):
    assert 'tea' in trie
    assert 'te' not in trie
def test_len(trie):
    assert len(trie) == 4
    trie.add('tea')
    assert len(trie) == 4
def test_chain(trie): assert trie.add('a') is trie and 'a' in trie
def test_iteration(trie): assert list(trie) == ['inn', 'tea', 'ten', 'to']
def test_prefix(trie):
    assert trie.with_prefix('te') == ['tea', 'ten']
    assert trie.with_prefix('x') == []
def test_delete(trie):
    del trie['tea']
    assert 'tea' not in trie and len(trie) == 3
    with pytest.raises(KeyError): del trie['tea']
def test_equal():
    assert Trie(['a', 'b']) == Trie(['b', 'a'])
    assert Trie(['a']) != Trie(['b'])
    assert Trie() == Trie()
def test_union(): assert Trie(['a']) | Trie(['b']) == Trie(['a', 'b'])
def test_truth():
    assert Trie('x')
    assert not Trie()
def test_children(trie): assert sorted(trie.children) == ['i', 't'] and not trie.children['t'].end

def test_text(): assert str(Select('users')) == 'SELECT * FROM users'
def test_columns(): assert str(Select('users').columns('name', 'age')) == 'SELECT name, age FROM users'
def test_where():
    assert str(Select('users').where(eq('name', 'Ann'))) == "SELECT * FROM users WHERE name = 'Ann'"
def test_where_twice():
    assert str(Select('u').where(eq('a', 1)).where(gt('b', 2))) == 'SELECT * FROM u WHERE (a = 1 AND b > 2)'
def test_conditions():
    assert str(~(eq('a', 1) | eq('a', 2))) == 'NOT (a = 1 OR a = 2)'
def test_order_and_limit():
    q = Select('u').order_by('-age', 'name').limit(2)
    assert str(q) == 'SELECT * FROM u ORDER BY -age, name LIMIT 2'
def test_is_immutable():
    base = Select('u')
    base.limit(1)
    assert 'LIMIT' not in str(base)
def test_run(rows):
    assert Select('u').where(gt('age', 26)).run(rows) == [{'name': 'Ann', 'age': 30}, {'name': 'Cid', 'age': 35}]
    assert Select('u').columns('name').order_by('-age').limit(1).run(rows) == [{'name': 'Cid'}]
def test_condition(rows):
    adult = gt('age', 29) & ~eq('name', 'Cid')
    assert [row['name'] for row in rows if adult(row)] == ['Ann']
    assert isinstance(adult, Q)

def test_timer():
    ticks = iter([10, 15])
    with timer(lambda: next(ticks)) as t:
        assert t.elapsed is None
    assert t.elapsed == 5
def test_timer_error():
    with pytest.raises(ZeroDivisionError):
        with timer(lambda: 0): 1 / 0
def test_trace():
    @trace
    def add(a, b): return a + b
    assert add(1, 2) == 3 and add(3, 4) == 7
    assert add.calls == [(1, 2), (3, 4)]
`,
  },
];
