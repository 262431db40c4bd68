import type { FidelityCase } from './fidelity-case.ts';

/** Classes whose operators compare what their objects were given: vectors, cards, tokens, ranges of dates, edges of graphs. */
export const fidelityFields: readonly FidelityCase[] = [
  {
    id: 'vectors-and-shapes',
    artifact: `
import math

class Vector:
    __slots__ = ('x', 'y')
    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y
    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return self.x == other.x and self.y == other.y
    def __hash__(self): return hash((self.x, self.y))
    def __repr__(self): return f'Vector({self.x}, {self.y})'
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __sub__(self, other): return Vector(self.x - other.x, self.y - other.y)
    def __mul__(self, factor): return Vector(self.x * factor, self.y * factor)
    __rmul__ = __mul__
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return math.hypot(self.x, self.y)
    def rotated(self, quarters):
        found = self
        for _ in range(quarters % 4):
            found = Vector(-found.y, found.x)
        return found
    def dot(self, other): return self.x * other.x + self.y * other.y

class Segment:
    def __init__(self, start, end):
        self.start, self.end = start, end
    def __eq__(self, other):
        return isinstance(other, Segment) and self.start == other.start and self.end == other.end
    def reversed(self): return Segment(self.end, self.start)
    def moved(self, by): return Segment(self.start + by, self.end + by)

def centroid(points):
    total = sum(points, Vector())
    return Vector(total.x / len(points), total.y / len(points))
def hull_box(points):
    xs, ys = [p.x for p in points], [p.y for p in points]
    return Vector(min(xs), min(ys)), Vector(max(xs), max(ys))
`,
    tests: `
import pytest
from solution import Segment, Vector, centroid, hull_box

ORIGIN = Vector(0, 0)

@pytest.fixture
def diagonal():
    return Segment(Vector(0, 0), Vector(2, 2))

def test_add(): assert Vector(1, 2) + Vector(3, 4) == Vector(4, 6)
def test_subtract_itself(): assert Vector(1, 2) - Vector(1, 2) == ORIGIN
def test_scale_both_sides(): assert ((2 * Vector(1, 2)).x, (Vector(1, 2) * 2).y) == (2, 4)
def test_negative(): assert -Vector(1, -2) == Vector(-1, 2)
def test_default(): assert Vector() == ORIGIN
def test_not_equal(): assert Vector(1, 2) != Vector(2, 1)
def test_not_equal_to_tuple(): assert Vector(1, 2) != (1, 2)
@pytest.mark.parametrize('quarters, expected', [(0, Vector(1, 0)), (1, Vector(0, 1)), (2, Vector(-1, 0)), (3, Vector(0, -1)), (4, Vector(1, 0))],
                         ids=['none', 'one', 'two', 'three', 'four'])
def test_rotated(quarters, expected): assert Vector(1, 0).rotated(quarters) == expected
def test_centroid(): assert centroid([Vector(0, 0), Vector(2, 0), Vector(1, 3)]) == Vector(1.0, 1.0)
def test_box():
    low, high = hull_box([Vector(1, 5), Vector(3, 2)])
    assert low == Vector(1, 2)
    assert high == Vector(3, 5)
def test_set_of_points(): assert len({Vector(1, 1), Vector(1, 1), Vector(2, 1)}) == 2
def test_lookup():
    names = {Vector(0, 0): 'origin', Vector(1, 0): 'east'}
    assert names[Vector(1, 2) - Vector(0, 2)] == 'east'
def test_in(): assert Vector(2, 2) in hull_box([Vector(2, 5), Vector(3, 2)])
def test_segment_reversed(diagonal): assert diagonal.reversed() == Segment(Vector(2, 2), Vector(0, 0))
def test_segment_twice_reversed(diagonal): assert diagonal.reversed().reversed() == diagonal
def test_segment_moved(diagonal): assert diagonal.moved(Vector(1, 0)) == Segment(Vector(1, 0), Vector(3, 2))
def test_segment_ends(diagonal):
    assert diagonal.start == ORIGIN
    assert diagonal.end != ORIGIN
def test_hash(): assert hash(Vector(1, 2)) == hash(Vector(1, 2))
def test_length(): assert abs(Vector(3, 4)) == 5
`,
    breaks: ['Vector(-found.y, found.x)', 'Vector(found.y, found.x)'],
  },
  {
    id: 'cards-and-hands',
    artifact: `
from functools import total_ordering
import random

RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A']

@total_ordering
class Card:
    def __init__(self, rank, suit):
        """A card of a French deck."""
        self._rank = rank
        self._suit = suit
    @property
    def rank(self): return self._rank
    @property
    def suit(self): return self._suit
    def __eq__(self, other):
        if not isinstance(other, Card): return False
        return self._rank == other._rank and self._suit == other._suit
    def __lt__(self, other):
        if not isinstance(other, Card): return NotImplemented
        return (self._rank, self._suit) < (other._rank, other._suit)
    def __hash__(self): return hash((self._rank, self._suit))
    def __repr__(self): return 'Card(%r, %r)' % (self._rank, self._suit)
    @classmethod
    def parse(cls, text): return cls(RANKS.index(text[:-1]) + 2, text[-1])

class Deck:
    def __init__(self, cards=None):
        self.cards = cards if cards is not None else [Card(rank, suit) for suit in 'CDHS' for rank in range(2, 15)]
    def __len__(self): return len(self.cards)
    def __contains__(self, card): return card in self.cards
    def deal(self, count=1):
        dealt, self.cards = self.cards[:count], self.cards[count:]
        return dealt
    def shuffle(self, seed):
        random.Random(seed).shuffle(self.cards)
        return self

def best(cards): return max(cards)
def flush(cards): return len({card.suit for card in cards}) == 1
def sort_hand(cards): return sorted(cards, reverse=True)
`,
    tests: `
import unittest
from solution import Card, Deck, best, flush, sort_hand

class CardTest(unittest.TestCase):
    def setUp(self):
        self.ace = Card(14, 'S')
        self.two = Card(2, 'C')
    def test_equal(self): self.assertEqual(self.ace, Card(14, 'S'))
    def test_not_equal(self): self.assertNotEqual(self.ace, Card(14, 'H'))
    def test_is_no_text(self): self.assertNotEqual(self.ace, 'AS')
    def test_less(self): self.assertLess(self.two, self.ace)
    def test_greater_or_equal(self): self.assertGreaterEqual(self.ace, Card(14, 'S'))
    def test_parse(self): self.assertEqual(Card.parse('AS'), self.ace)
    def test_parse_ten(self): self.assertEqual(Card.parse('10H'), Card(10, 'H'))
    def test_hashable(self): self.assertIn(Card(2, 'C'), {self.two: 1})
    def test_rank(self): self.assertEqual((self.ace.rank, self.ace.suit), (14, 'S'))

class DeckTest(unittest.TestCase):
    def setUp(self): self.deck = Deck()
    def test_size(self): self.assertEqual(len(self.deck), 52)
    def test_first(self): self.assertEqual(self.deck.cards[0], Card(2, 'C'))
    def test_deal(self):
        hand = self.deck.deal(2)
        self.assertListEqual(hand, [Card(2, 'C'), Card(3, 'C')])
        self.assertEqual(len(self.deck), 50)
    def test_contains(self): self.assertIn(Card(7, 'H'), self.deck)
    def test_all_different(self): self.assertEqual(len(set(self.deck.cards)), 52)
    def test_shuffled_is_the_same_set(self): self.assertEqual(set(Deck().shuffle(3).cards), set(self.deck.cards))
    def test_best(self): self.assertEqual(best([Card(3, 'D'), Card(12, 'H'), Card(9, 'S')]), Card(12, 'H'))
    def test_sorted_hand(self):
        hand = sort_hand([Card(3, 'D'), Card(12, 'H'), Card(9, 'S')])
        self.assertEqual(hand, [Card(12, 'H'), Card(9, 'S'), Card(3, 'D')])
    def test_sorting(self):
        cards = [Card(9, 'S'), Card(3, 'D'), Card(9, 'C')]
        self.assertEqual([card.rank for card in sorted(cards)], [3, 9, 9])
    def test_flush(self): self.assertTrue(flush([Card(2, 'C'), Card(9, 'C')]))
`,
    breaks: ['max(cards)', 'cards[0]'],
  },
  {
    id: 'tokens-and-trees',
    artifact: `
import re

class Token:
    def __init__(self, kind, value, position=0):
        self.kind = kind
        self.value = value
        self.position = position
    def __repr__(self): return f'Token({self.kind}, {self.value!r}, {self.position})'
    def __eq__(self, other):
        return (isinstance(other, Token) and self.kind == other.kind and self.value == other.value
                and self.position == other.position)

class Node:
    def __init__(self, op, children=()):
        self.op = op
        self.children = list(children)
    def __eq__(self, other):
        return type(self) is type(other) and self.op == other.op and self.children == other.children
    def __iter__(self): return iter(self.children)
    def depth(self): return 1 + max((child.depth() for child in self.children), default=0)

def tokenize(text):
    found = []
    for match in re.finditer(r'\\s*(?:(\\d+)|(.))', text):
        if match.group(1): found.append(Token('NUMBER', int(match.group(1)), match.start(1)))
        else: found.append(Token('OP', match.group(2), match.start(2)))
    return found + [Token('END', None, len(text))]

def parse(text):
    tokens = tokenize(text)
    node = Node(tokens[0].value)
    for op, right in zip(tokens[1:-1:2], tokens[2:-1:2]):
        node = Node(op.value, [node, Node(right.value)])
    return node

def simplify(node):
    children = [simplify(child) for child in node.children]
    if node.op == '+' and Node(0) in children:
        children.remove(Node(0))
        return children[0]
    return Node(node.op, children)
`,
    tests: `
import pytest
from solution import Node, Token, parse, simplify, tokenize

def test_number(): assert tokenize('42')[0] == Token('NUMBER', 42)
def test_end(): assert tokenize('')[-1] == Token('END', None, 0)
def test_all():
    assert tokenize('1 + 23') == [
        Token('NUMBER', 1, 0),
        Token('OP', '+', 2),
        Token('NUMBER', 23, 4),
        Token('END', None, 6),
    ]
@pytest.mark.parametrize('text, op', [('1+2', '+'), ('1*2', '*'), ('1-2', '-')])
def test_operators(text, op): assert Token('OP', op, 1) in tokenize(text)
def test_position_matters(): assert Token('OP', '+', 1) != Token('OP', '+', 2)
def test_unhashable():
    with pytest.raises(TypeError): {Token('OP', '+')}
def test_repr(): assert repr(Token('OP', '+', 1)) == "Token(OP, '+', 1)"
def test_leaf(): assert parse('7') == Node(7)
def test_tree(): assert parse('1+2') == Node('+', [Node(1), Node(2)])
def test_left_to_right(): assert parse('1-2-3') == Node('-', [Node('-', [Node(1), Node(2)]), Node(3)])
def test_children_of_any_kind(): assert Node('+', (Node(1), Node(2))) == Node('+', [Node(1), Node(2)])
def test_other_tree(): assert parse('1+2') != parse('2+1')
def test_simplify(): assert simplify(Node('+', [Node(0), Node(3)])) == Node(3)
def test_simplify_keeps(): assert simplify(parse('1*0')) == parse('1*0')
def test_depth(): assert parse('1+2+3').depth() == 3
`,
    breaks: ['return children[0]', 'return node'],
  },
  {
    id: 'ranges-of-dates',
    artifact: `
import datetime as dt

class DateRange:
    """Days from start to end, both included."""
    def __init__(self, start, end):
        if end < start:
            raise ValueError('a range cannot end before it starts')
        self.start = start
        self.end = end
    def __eq__(self, other):
        return isinstance(other, DateRange) and (self.start, self.end) == (other.start, other.end)
    def __hash__(self): return hash((self.start, self.end))
    def __lt__(self, other): return (self.start, self.end) < (other.start, other.end)
    def __contains__(self, day): return self.start <= day <= self.end
    def __len__(self): return (self.end - self.start).days + 1
    def __iter__(self):
        for n in range(len(self)): yield self.start + dt.timedelta(days=n)
    def __and__(self, other):
        start, end = max(self.start, other.start), min(self.end, other.end)
        return DateRange(start, end) if start <= end else None
    def shift(self, days):
        by = dt.timedelta(days=days)
        return DateRange(self.start + by, self.end + by)
    @classmethod
    def month(cls, year, month):
        start = dt.date(year, month, 1)
        after = dt.date(year + month // 12, month % 12 + 1, 1)
        return cls(start, after - dt.timedelta(days=1))

def merge(ranges):
    found = []
    for each in sorted(ranges):
        if found and each.start <= found[-1].end + dt.timedelta(days=1):
            found[-1] = DateRange(found[-1].start, max(found[-1].end, each.end))
        else: found.append(each)
    return found
`,
    tests: `
from datetime import date
import pytest
from solution import DateRange, merge

def days(first, last): return DateRange(date(2024, 2, first), date(2024, 2, last))

@pytest.fixture
def week(): return days(5, 11)

def test_equal(week): assert week == days(5, 11)
def test_unequal(week): assert week != days(5, 12)
def test_wrong_order():
    with pytest.raises(ValueError, match='before it starts'): days(5, 4)
def test_length(week): assert len(week) == 7
def test_contains(week): assert date(2024, 2, 8) in week and date(2024, 2, 12) not in week
def test_iterates(): assert [day.day for day in days(1, 3)] == [1, 2, 3]
def test_month(): assert DateRange.month(2024, 2) == days(1, 29)
def test_december(): assert DateRange.month(2023, 12) == DateRange(date(2023, 12, 1), date(2023, 12, 31))
def test_shift(week): assert week.shift(7) == days(12, 18)
def test_overlap(week): assert week & days(10, 20) == days(10, 11)
def test_no_overlap(week): assert week & days(20, 22) is None
def test_merge(): assert merge([days(5, 8), days(1, 3), days(7, 9)]) == [days(1, 3), days(5, 9)]
def test_merge_neighbours(): assert merge([days(1, 3), days(4, 6)]) == [days(1, 6)]
def test_order(week): assert days(1, 2) < week
def test_sorted(week): assert sorted([week, days(1, 2)])[0] == days(1, 2)
def test_set(week): assert {week, days(5, 11)} == {week}
`,
    breaks: ['min(self.end, other.end)', 'max(self.end, other.end)'],
  },
  {
    id: 'prices-and-graphs',
    artifact: `
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

class Price:
    def __init__(self, amount, currency='USD'):
        self.amount = Decimal(amount)
        self.currency = currency
    def _check(self, other):
        if self.currency != other.currency: raise ValueError('mixed currencies')
    def __add__(self, other):
        self._check(other)
        return Price(self.amount + other.amount, self.currency)
    def __mul__(self, times): return Price(self.amount * times, self.currency)
    def __eq__(self, other):
        if not isinstance(other, Price): return NotImplemented
        return (self.amount, self.currency) == (other.amount, other.currency)
    def __lt__(self, other):
        self._check(other)
        return self.amount < other.amount
    def __gt__(self, other):
        self._check(other)
        return self.amount > other.amount
    def __hash__(self): return hash((self.amount, self.currency))
    def __str__(self): return f'{self.currency} {self.amount:.2f}'
    def split(self, parts):
        share = (self.amount / parts).quantize(Decimal('0.01'), ROUND_HALF_UP)
        return [Price(share, self.currency)] * (parts - 1) + [Price(self.amount - share * (parts - 1), self.currency)]

def total(prices): return sum(prices[1:], prices[0])
def cheapest(prices): return min(prices)

@dataclass(eq=False)
class Edge:
    source: str
    target: str
    weight: int = 1
    def __eq__(self, other):
        return isinstance(other, Edge) and (self.source, self.target, self.weight) == (other.source, other.target, other.weight)
    def __hash__(self): return hash((self.source, self.target))

class Graph:
    def __init__(self): self.edges = []
    def connect(self, source, target, weight=1):
        self.edges.append(Edge(source, target, weight))
        return self
    def edges_from(self, source): return [edge for edge in self.edges if edge.source == source]
    def reversed(self):
        made = Graph()
        for edge in self.edges: made.connect(edge.target, edge.source, edge.weight)
        return made
    def heaviest(self): return max(self.edges, key=lambda edge: edge.weight)
`,
    tests: `
import pytest
from solution import Edge, Graph, Price, cheapest, total

ONE = Price('1.00')

@pytest.fixture
def graph(): return Graph().connect('a', 'b', 3).connect('a', 'c').connect('c', 'b', 2)

def test_add(): assert Price('1.10') + Price('2.20') == Price('3.30')
def test_total(): assert total([ONE, ONE, ONE]) == Price('3.00')
def test_times(): assert (Price('0.25') * 4).amount == 1
def test_whole(): assert Price(1) == ONE
def test_currencies_differ(): assert Price(1, 'EUR') != Price(1, 'USD')
def test_mixed():
    with pytest.raises(ValueError, match='mixed'): Price(1, 'EUR') + ONE
def test_mixed_order():
    with pytest.raises(ValueError): Price(1, 'EUR') < ONE
def test_cheapest(): assert cheapest([Price(3), ONE, Price(2)]) == ONE
def test_order(): assert ONE < Price(2) and Price(2) > ONE
def test_split(): assert Price('10.00').split(3) == [Price('3.33'), Price('3.33'), Price('3.34')]
def test_text(): assert str(Price('2.5')) == 'USD 2.50'
def test_priced(): assert {ONE: 'one'}[Price('0.50') + Price('0.50')] == 'one'
def test_edges(graph): assert graph.edges_from('a') == [Edge('a', 'b', 3), Edge('a', 'c')]
def test_no_edges(graph): assert graph.edges_from('b') == []
def test_reversed(graph): assert Edge('b', 'a', 3) in graph.reversed().edges
def test_reversed_direction(graph): assert Edge('a', 'b', 3) not in graph.reversed().edges
def test_heaviest(graph): assert graph.heaviest() == Edge('a', 'b', 3)
def test_set_of_edges(graph): assert set(graph.edges) == {Edge('c', 'b', 2), Edge('a', 'c', 1), Edge('a', 'b', 3)}
def test_weight_matters(): assert Edge('a', 'b', 1) != Edge('a', 'b', 2)
`,
    breaks: ['edge.target, edge.source, edge.weight', 'edge.source, edge.target, edge.weight'],
  },
];
