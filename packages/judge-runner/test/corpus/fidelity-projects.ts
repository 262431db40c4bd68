import type { FidelityCase } from './fidelity-case.ts';

/** Classes with operators, and functions on texts and sequences, tested as small libraries test them. */
export const fidelityProjects: readonly FidelityCase[] = [
  {
    id: 'release-numbers',
    needsReference: true,
    artifact: `
import functools, re
PATTERN = re.compile(r'^(\\d+)\\.(\\d+)\\.(\\d+)(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?$')
@functools.total_ordering
class Release:
    def __init__(self, major, minor=0, patch=0, pre=None, build=None):
        self._parts = (int(major), int(minor), int(patch), pre, build)
        if min(self._parts[:3]) < 0: raise ValueError('parts of a release are not negative')
    major = property(lambda self: self._parts[0])
    minor = property(lambda self: self._parts[1])
    patch = property(lambda self: self._parts[2])
    pre = property(lambda self: self._parts[3])
    build = property(lambda self: self._parts[4])
    @classmethod
    def parse(cls, text):
        found = PATTERN.match(text)
        if not found: raise ValueError('%s is not a release' % text)
        return cls(*found.groups())
    def _key(self):
        pre = self.pre
        if pre is None: tail = (1,)
        else: tail = (0, [(0, int(p), '') if p.isdigit() else (1, 0, p) for p in pre.split('.')])
        return (*self._parts[:3], tail)
    def _other(self, other):
        if isinstance(other, str): return Release.parse(other)
        if isinstance(other, (tuple, list)): return Release(*other)
        return other if isinstance(other, Release) else None
    def __eq__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._key() == other._key()
    def __lt__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._key() < other._key()
    def __hash__(self): return hash(self._parts[:4])
    def __str__(self):
        text = '%d.%d.%d' % self._parts[:3]
        if self.pre: text += '-' + self.pre
        return text + '+' + self.build if self.build else text
    def __repr__(self): return 'Release(%r)' % str(self)
    def __iter__(self): return iter(self._parts)
    def __getitem__(self, index): return self._parts[index]
    def bump(self, part='patch'):
        at = ('major', 'minor', 'patch').index(part)
        return Release(*self._parts[:at], self._parts[at] + 1)
    def finalize(self): return Release(*self._parts[:3])
def compare(a, b):
    a, b = Release.parse(a), Release.parse(b)
    return (a > b) - (a < b)
`,
    breaks: [
      'return Release(*self._parts[:at], self._parts[at] + 1)',
      'return Release(*self._parts[:at], self._parts[at])',
    ],
    tests: `
import pytest
import solution
from solution import Release, compare

@pytest.fixture(name='r')
def _r():
    return Release(3, 4, 5, 'rc.2', 'build.4')

class TestParts:
    def test_attributes(self, r):
        """
        Every part has a name.
        """
        assert (r.major, r.minor, r.patch, r.pre, r.build) == (3, 4, 5, 'rc.2', 'build.4')

    def test_tuple(self, r):
        assert tuple(r) == (3, 4, 5, 'rc.2', 'build.4')
        assert r[0] == 3 and r[-1] == 'build.4' and r[0:3] == (3, 4, 5)

    @pytest.mark.parametrize('text', ['1.2.3', '0.0.1-alpha', '1.0.0-rc.1+sha.5114f85', '2.0.0+exp'])
    def test_round_trip(self, text):
        assert str(Release.parse(text)) == text

    @pytest.mark.parametrize('text', ['', '1', '1.2', '1.2.x', '-1.0.0'])
    def test_invalid(self, text):
        with pytest.raises(ValueError, match='not a release'):
            Release.parse(text)

    def test_negative(self):
        with pytest.raises(ValueError) as info:
            Release(-1)
        assert 'not negative' in str(info.value)

    def test_repr(self, r):
        assert repr(r) == "Release('3.4.5-rc.2+build.4')"


class TestComparing:
    def test_equal(self, r):
        assert r == Release(3, 4, 5, 'rc.2', 'build.4')
        assert r == Release.parse('3.4.5-rc.2+build.4')
        assert not (r != Release(3, 4, 5, 'rc.2', 'build.4'))

    def test_build_is_ignored(self):
        assert Release(1, 0, 0, build='a') == Release(1, 0, 0, build='b')

    def test_not_equal(self, r):
        assert r != Release(3, 4, 5)
        assert not r == Release(3, 4, 5)

    def test_strangers(self, r):
        assert r != None and r != 5
        with pytest.raises(TypeError):
            r < 5

    @pytest.mark.parametrize('low, high', [
        ('1.0.0', '2.0.0'), ('1.9.0', '1.10.0'), ('1.0.0-alpha', '1.0.0-alpha.1'), ('1.0.0-alpha.1', '1.0.0-alpha.beta'),
        ('1.0.0-beta.2', '1.0.0-beta.11'), ('1.0.0-rc.1', '1.0.0'),
    ])
    def test_order(self, low, high):
        assert Release.parse(low) < Release.parse(high)
        assert Release.parse(high) > Release.parse(low)
        assert Release.parse(low) <= Release.parse(high)
        assert not Release.parse(low) >= Release.parse(high)
        assert compare(low, high) == -1 and compare(high, low) == 1 and compare(low, low) == 0

    def test_objects(self):
        one, same, more = Release(0, 10, 4), Release(0, 10, 4), Release(0, 10, 5)
        assert one <= same and one >= same and not one < same
        assert one < more and not one > more

    def test_tuples(self, r):
        assert r < (4,)
        assert r < (3, 4, 5)
        assert r > (0,)
        assert (3, 5) > r
        assert r >= (3, 4, 5, 'rc.1')

    def test_texts(self, r):
        assert r > '3.4.4' and r < '3.4.5'

    def test_sorted(self):
        texts = ['1.10.0', '1.2.0', '1.0.0-rc.1', '1.0.0']
        assert [str(each) for each in sorted(map(Release.parse, texts))] == ['1.0.0-rc.1', '1.0.0', '1.2.0', '1.10.0']
        assert str(max(Release(1), Release(2), Release(0, 9))) == '2.0.0'

    def test_hash(self, r):
        assert hash(r) == hash(Release.parse('3.4.5-rc.2'))
        assert len({Release(1), Release(1), Release(2)}) == 2
        assert {Release(1): 'first'}[Release(1, 0, 0)] == 'first'


@pytest.mark.parametrize('part, want', [('major', '4.0.0'), ('minor', '3.5.0'), ('patch', '3.4.6')])
def test_bump(r, part, want):
    assert str(r.bump(part)) == want
    assert r.bump(part) == Release.parse(want)

def test_bump_again():
    assert solution.Release(1).bump().bump('minor') == Release(1, 1)

def test_finalize(r):
    assert r.finalize() == Release(3, 4, 5)
    assert r < r.finalize()
`,
  },
  {
    id: 'sorted-set',
    needsReference: true,
    artifact: `
import bisect
from collections.abc import MutableSet, Sequence
class SortedSet(MutableSet, Sequence):
    def __init__(self, items=(), load=1000):
        self._set, self._list, self.load = set(), [], load
        self.update(items)
    def _check(self):
        assert self._list == sorted(self._set)
    def __contains__(self, item): return item in self._set
    def __getitem__(self, at): return self._list[at]
    def __delitem__(self, at):
        gone = self._list[at]
        del self._list[at]
        self._set.difference_update(gone if isinstance(at, slice) else [gone])
    def __len__(self): return len(self._list)
    def __iter__(self): return iter(self._list)
    def __reversed__(self): return reversed(self._list)
    def __eq__(self, other):
        if isinstance(other, SortedSet): return self._set == other._set
        if isinstance(other, (set, frozenset)): return self._set == other
        if isinstance(other, Sequence): return self._list == list(other)
        return NotImplemented
    __hash__ = None
    def add(self, item):
        if item not in self._set:
            self._set.add(item)
            bisect.insort(self._list, item)
    def discard(self, item):
        if item in self._set:
            self._set.remove(item)
            self._list.remove(item)
    def update(self, *many):
        for items in many:
            for item in items: self.add(item)
        return self
    def union(self, *many): return SortedSet(self, self.load).update(*many)
    def difference(self, *many): return SortedSet(self._set.difference(*many), self.load)
    def intersection(self, *many): return SortedSet(self._set.intersection(*many), self.load)
    __copy__ = copy = lambda self: SortedSet(self, self.load)
    def bisect_left(self, item): return bisect.bisect_left(self._list, item)
    def pop(self, at=-1):
        item = self._list.pop(at)
        self._set.remove(item)
        return item
    def __repr__(self): return 'SortedSet(%r)' % self._list
`,
    breaks: [
      'def difference(self, *many): return SortedSet(self._set.difference(*many), self.load)',
      'def difference(self, *many): return SortedSet(self._set, self.load)',
    ],
    tests: `
import copy
from solution import SortedSet

def test_init():
    temp = SortedSet(range(50), load=7)
    temp._check()
    assert all(val == temp[val] for val in temp)
    assert temp.load == 7

def test_contains():
    temp = SortedSet(range(20))
    assert all(val in temp for val in range(20))
    assert all(val not in temp for val in range(20, 30))

def test_getitem_slice():
    vals = list(range(40))
    temp = SortedSet(vals)
    assert temp[20:30] == vals[20:30]

def test_delitem():
    temp = SortedSet(range(20))
    for val in reversed(range(10)):
        del temp[val]
    assert all(temp[pos] == (pos + 10) for pos in range(10))

def test_delitem_slice():
    vals = list(range(20))
    temp = SortedSet(vals)
    del vals[5:15:2]
    del temp[5:15:2]
    assert temp == vals

def test_eq():
    alpha = SortedSet(range(10), load=7)
    beta = SortedSet(range(10), load=17)
    assert alpha == beta
    assert alpha == set(range(10))
    assert alpha == list(beta)
    beta.add(11)
    assert not (alpha == beta)

def test_ne():
    alpha = SortedSet(range(10))
    beta = SortedSet(range(9))
    assert alpha != beta
    assert alpha != set(range(9))
    assert alpha != [1, 2]

def test_lt_gt():
    temp = SortedSet(range(20))
    that = SortedSet(range(5, 15))
    assert that < temp
    assert temp > that
    assert not temp < that

def test_le_ge():
    alpha = SortedSet(range(20))
    beta = SortedSet(range(21))
    assert alpha <= beta
    assert beta >= alpha
    assert alpha <= alpha.copy()

def test_reversed():
    assert list(reversed(SortedSet([3, 1, 2]))) == [3, 2, 1]

def test_add():
    temp = SortedSet(range(10))
    temp.add(10)
    temp.add(4)
    temp._check()
    assert temp == SortedSet(range(11))

def test_copy():
    temp = SortedSet(range(10))
    that = temp.copy()
    that.add(1000)
    assert len(temp) == 10
    assert len(that) == 11

def test_copy_copy():
    temp = SortedSet(range(10))
    that = copy.copy(temp)
    that.add(1000)
    assert len(temp) == 10
    assert len(that) == 11

def test_difference():
    temp = SortedSet(range(30))
    that = temp.difference(range(0, 10), range(10, 20))
    assert that == SortedSet(range(20, 30))
    assert all((val + 20) == that[val] for val in range(10))

def test_operators():
    alpha, beta = SortedSet('abc'), SortedSet('bcd')
    assert alpha & beta == SortedSet('bc')
    assert alpha | beta == SortedSet('abcd')
    assert list(alpha - beta) == ['a']
    assert sorted(alpha ^ beta) == ['a', 'd']

def test_in_place():
    temp = SortedSet(range(4))
    temp |= SortedSet([8])
    temp -= SortedSet([0])
    assert temp == [1, 2, 3, 8]

def test_disjoint():
    assert SortedSet([1]).isdisjoint(SortedSet([2]))

def test_union():
    result = SortedSet(range(0, 5)).union(SortedSet(range(5, 10)))
    assert all(result[val] == val for val in range(10))

def test_pop():
    temp = SortedSet(range(10))
    assert temp.pop() == 9 and temp.pop(0) == 0
    assert len(temp) == 8

def test_bisect():
    temp = SortedSet(range(20))
    assert all(temp.bisect_left(val) == val for val in range(20))

def test_count_index():
    temp = SortedSet('hello')
    assert temp.count('l') == 1 and temp.count('z') == 0 and temp.index('o') == 3

def test_repr():
    assert repr(SortedSet([2, 1])) == 'SortedSet([1, 2])'
`,
  },
  {
    id: 'lazy-iterators',
    artifact: `
import collections, itertools
_none = object()
class peekable:
    """Wraps an iterator so that the next item can be looked at."""
    def __init__(self, iterable):
        self._it, self._cache = iter(iterable), collections.deque()
    def __iter__(self): return self
    def __bool__(self):
        try: self.peek()
        except StopIteration: return False
        return True
    def peek(self, default=_none):
        if not self._cache:
            try: self._cache.append(next(self._it))
            except StopIteration:
                if default is _none: raise
                return default
        return self._cache[0]
    def prepend(self, *items): self._cache.extendleft(reversed(items))
    def __next__(self): return self._cache.popleft() if self._cache else next(self._it)
    def __getitem__(self, at):
        while len(self._cache) <= at: self._cache.append(next(self._it))
        return self._cache[at]
class countable:
    def __init__(self, iterable): self._it, self.items_seen = iter(iterable), 0
    def __iter__(self): return self
    def __next__(self):
        item = next(self._it)
        self.items_seen += 1
        return item
class frozendict(collections.abc.Mapping):
    def __init__(self, *args, **named): self._d = dict(*args, **named)
    def __getitem__(self, key): return self._d[key]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)
    def __hash__(self): return hash(frozenset(self._d.items()))
    def set(self, key, value): return frozendict({**self._d, key: value})
    def __repr__(self): return 'frozendict(%r)' % self._d
def chunked(iterable, n, strict=False):
    it = iter(iterable)
    while True:
        part = list(itertools.islice(it, n))
        if not part: return
        if strict and len(part) != n: raise ValueError('iterable is not divisible by n.')
        yield part
def first(iterable, default=_none):
    for item in iterable: return item
    if default is _none: raise ValueError('first() was called on an empty iterable')
    return default
def windowed(seq, n, fillvalue=None):
    seq = list(seq)
    if len(seq) < n: yield tuple(seq + [fillvalue] * (n - len(seq)))
    for at in range(len(seq) - n + 1): yield tuple(seq[at:at + n])
def collapse(nested):
    for item in nested:
        if isinstance(item, (list, tuple)): yield from collapse(item)
        else: yield item
def partition(pred, iterable):
    a, b = itertools.tee(iterable)
    return (x for x in a if not pred(x)), (x for x in b if pred(x))
def consume(iterator, n=None): collections.deque(itertools.islice(iterator, n), maxlen=0)
`,
    breaks: ['part = list(itertools.islice(it, n))', 'part = list(itertools.islice(it, n))[::-1]'],
    tests: `
import unittest
from itertools import count, cycle, islice
import solution as mi

class ChunkedTests(unittest.TestCase):
    """Tests for \`\`chunked()\`\`"""
    def test_even(self):
        self.assertEqual(list(mi.chunked('ABCDEF', 3)), [['A', 'B', 'C'], ['D', 'E', 'F']])
    def test_odd(self):
        self.assertEqual(list(mi.chunked('ABCDE', 3)), [['A', 'B', 'C'], ['D', 'E']])
    def test_strict(self):
        it = mi.chunked('ABCDE', 3, strict=True)
        self.assertEqual(next(it), ['A', 'B', 'C'])
        with self.assertRaisesRegex(ValueError, 'not divisible'):
            next(it)
    def test_endless(self):
        self.assertEqual(next(mi.chunked(iter(range(100)), 2)), [0, 1])

class FirstTests(unittest.TestCase):
    def test_many(self):
        self.assertEqual(mi.first(x for x in range(4)), 0)
    def test_default(self):
        self.assertEqual(mi.first([], 'boo'), 'boo')
    def test_empty(self):
        with self.assertRaises(ValueError):
            mi.first([])

class PeekableTests(unittest.TestCase):
    cls = mi.peekable

    def test_peek_default(self):
        p = mi.peekable([])
        self.assertEqual(p.peek(7), 7)
        p = mi.peekable([1])
        self.assertEqual(p.peek(7), 1)

    def test_truthiness(self):
        self.assertFalse(mi.peekable([]))
        self.assertTrue(mi.peekable(range(3)))

    def test_passthrough(self):
        expected = [1, 2, 3, 4, 5]
        self.assertEqual(list(mi.peekable(expected)), expected)

    def test_simple_peeking(self):
        p = mi.peekable(range(10))
        self.assertEqual(next(p), 0)
        self.assertEqual(p.peek(), 1)
        self.assertEqual(p.peek(), 1)
        self.assertEqual(next(p), 1)

    def test_prepend(self):
        it = mi.peekable(range(2))
        it.prepend(10, 11)
        self.assertEqual(list(it), [10, 11, 0, 1])

    def test_index(self):
        p = mi.peekable('ABCD')
        self.assertEqual(p[2], 'C')
        self.assertEqual(''.join(p), 'ABCD')

    def test_exhausted(self):
        p = mi.peekable([1])
        next(p)
        with self.assertRaises(StopIteration):
            p.peek()
        self.assertRaises(StopIteration, next, p)

class CountableTests(unittest.TestCase):
    def test_count(self):
        it = mi.countable('abc')
        self.assertEqual(it.items_seen, 0)
        self.assertEqual(list(it), ['a', 'b', 'c'])
        self.assertEqual(it.items_seen, 3)

class FrozenTests(unittest.TestCase):
    def setUp(self):
        self.d = mi.frozendict(a=1, b=2)
    def test_mapping(self):
        self.assertEqual(self.d['a'], 1)
        self.assertEqual(len(self.d), 2)
        self.assertIn('b', self.d)
        self.assertEqual(sorted(self.d.items()), [('a', 1), ('b', 2)])
        self.assertEqual(dict(self.d), {'a': 1, 'b': 2})
        self.assertIsNone(self.d.get('z'))
    def test_equal(self):
        self.assertEqual(self.d, {'a': 1, 'b': 2})
        self.assertEqual(self.d, mi.frozendict({'a': 1, 'b': 2}))
        self.assertNotEqual(self.d, mi.frozendict())
    def test_immutable(self):
        with self.assertRaises(TypeError):
            self.d['a'] = 3
    def test_set(self):
        more = self.d.set('c', 3)
        self.assertEqual(more['c'], 3)
        self.assertNotIn('c', self.d)
    def test_kind(self):
        self.assertIsInstance(self.d, mi.frozendict)

class OtherTests(unittest.TestCase):
    def test_windowed(self):
        for n, want in ((2, [(1, 2), (2, 3)]), (3, [(1, 2, 3)]), (4, [(1, 2, 3, None)])):
            with self.subTest(n=n):
                self.assertEqual(list(mi.windowed([1, 2, 3], n)), want)
    def test_collapse(self):
        self.assertEqual(list(mi.collapse([[1], 2, [[3], 4], [[[5]]]])), [1, 2, 3, 4, 5])
    def test_partition(self):
        evens, odds = mi.partition(lambda x: x % 2, range(6))
        self.assertEqual((list(evens), list(odds)), ([0, 2, 4], [1, 3, 5]))
    def test_consume(self):
        it = iter(range(10))
        mi.consume(it, 3)
        self.assertEqual(next(it), 3)
    def test_lazy(self):
        self.assertEqual(list(islice(mi.collapse(cycle([1, [2]])), 4)), [1, 2, 1, 2])
`,
  },
  {
    id: 'money-and-durations',
    needsReference: true,
    artifact: `
from decimal import Decimal
import functools
class CurrencyMismatch(ValueError): pass
@functools.total_ordering
class Money:
    __slots__ = ('amount', 'currency')
    def __init__(self, amount, currency='EUR'):
        self.amount, self.currency = Decimal(str(amount)), currency
    def _same(self, other):
        if not isinstance(other, Money): return False
        if other.currency != self.currency: raise CurrencyMismatch('%s and %s' % (self.currency, other.currency))
        return True
    def __add__(self, other):
        if other == 0: return self
        return Money(self.amount + other.amount, self.currency) if self._same(other) else NotImplemented
    __radd__ = __add__
    def __sub__(self, other): return Money(self.amount - other.amount, self.currency) if self._same(other) else NotImplemented
    def __mul__(self, by): return Money(self.amount * Decimal(str(by)), self.currency)
    __rmul__ = __mul__
    def __truediv__(self, by): return Money(self.amount / Decimal(str(by)), self.currency)
    def __neg__(self): return Money(-self.amount, self.currency)
    def __abs__(self): return Money(abs(self.amount), self.currency)
    def __bool__(self): return self.amount != 0
    def __eq__(self, other): return isinstance(other, Money) and (self.amount, self.currency) == (other.amount, other.currency)
    def __hash__(self): return hash((self.amount, self.currency))
    def __lt__(self, other): return self.amount < other.amount if self._same(other) else NotImplemented
    def __str__(self): return '%.2f %s' % (self.amount, self.currency)
    def split(self, n):
        each = (self.amount / n).quantize(Decimal('0.01'))
        return [Money(each, self.currency)] * (n - 1) + [Money(self.amount - each * (n - 1), self.currency)]
class Span:
    def __init__(self, seconds): self.seconds = seconds
    def __eq__(self, other): return self.seconds == other.seconds if isinstance(other, Span) else NotImplemented
    def __lt__(self, other): return self.seconds < other.seconds if isinstance(other, Span) else NotImplemented
    def __le__(self, other): return self < other or self == other
    def __add__(self, other): return Span(self.seconds + other.seconds)
    def __mul__(self, n): return Span(self.seconds * n)
    def __repr__(self): return 'Span(%d)' % self.seconds
    @property
    def minutes(self): return self.seconds / 60
def total(items): return sum(items, Money(0))
def parse_span(text):
    units = {'s': 1, 'm': 60, 'h': 3600}
    return Span(sum(int(part[:-1]) * units[part[-1]] for part in text.split()))
`,
    breaks: [
      'return [Money(each, self.currency)] * (n - 1)',
      'return [Money(each + 1, self.currency)] * (n - 1)',
    ],
    tests: `
from decimal import Decimal
import pytest
from solution import CurrencyMismatch, Money, Span, parse_span, total

EUR = lambda x: Money(x, 'EUR')

def test_add(): assert Money(1) + Money(2) == Money(3)
def test_sub(): assert EUR('2.50') - EUR(1) == EUR('1.5')
def test_scale():
    assert Money(2) * 3 == Money(6)
    assert 3 * Money(2) == Money(6)
    assert Money(9) / 2 == Money('4.5')
def test_negative():
    assert -Money(5) == Money(-5)
    assert abs(Money(-5)) == Money(5)
def test_sum(): assert sum([Money(1), Money(2), Money('.5')]) == Money('3.5')
def test_total(): assert total([Money(1), Money(2)]) == Money(3)
def test_truth():
    assert Money(1)
    assert not Money(0)
def test_amount():
    m = Money('1.10') + Money('2.20')
    assert m.amount == Decimal('3.30') and m.currency == 'EUR'
def test_currencies():
    assert Money(1, 'EUR') != Money(1, 'USD')
    with pytest.raises(CurrencyMismatch, match='EUR and USD'):
        Money(1) + Money(1, 'USD')
    with pytest.raises(CurrencyMismatch):
        Money(1) < Money(1, 'USD')
def test_types():
    with pytest.raises(TypeError):
        Money(1) + 'x'
    with pytest.raises(TypeError):
        Money(1) < 3
def test_order():
    assert Money(1) < Money(2) <= Money(2) and Money(3) > Money(2) >= Money(1)
    assert max([Money(1), Money(5), Money(3)]) == Money(5)
    assert sorted([Money(2), Money(1)]) == [Money(1), Money(2)]
def test_hash():
    prices = {Money(1): 'one', Money(2): 'two'}
    assert prices[Money('1.00')] == 'one'
    assert len({Money(1), Money('1.0'), Money(2)}) == 2
    assert Money(2) in prices and Money(9) not in prices
def test_text(): assert str(Money('3.5')) == '3.50 EUR' and f'{Money(1, "USD")}' == '1.00 USD'
def test_split():
    parts = Money(10).split(3)
    assert parts == [Money('3.33'), Money('3.33'), Money('3.34')]
    assert sum(parts) == Money(10)
@pytest.mark.parametrize('text, seconds', [('90s', 90), ('2m', 120), ('1h 30m', 5400)])
def test_parse(text, seconds):
    assert parse_span(text) == Span(seconds)
    assert parse_span(text).seconds == seconds
def test_span():
    assert Span(30) + Span(60) == Span(90)
    assert Span(90).minutes == 1.5
    assert Span(30) * 2 == Span(60)
    assert Span(30) < Span(31) and Span(30) <= Span(30)
    assert Span(1) != Span(2) and Span(1) != 1
    assert repr(Span(5)) == 'Span(5)'
`,
  },
];
