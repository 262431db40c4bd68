import type { FidelityCase } from './fidelity-case.ts';

/** Packages that calculate: parsers, graphs, money, dates, streams, texts, with the tests that their authors wrote. */
export const fidelityAlgorithms: readonly FidelityCase[] = [
  {
    id: 'calculator-package',
    artifact: {
      'calc/__init__.py': `
from .errors import CalcError, EvalError, ParseError
from .lexer import Token, TokenKind, tokenize
from .nodes import Binary, Call, Name, Node, NodeVisitor, Number, Unary, dump
from .parser import parse
from .evaluator import Evaluator, evaluate
`,
      'calc/errors.py': `
class CalcError(Exception):
    pass


class ParseError(CalcError, SyntaxError):
    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position


class EvalError(CalcError):
    pass
`,
      'calc/evaluator.py': `
import math
import operator

from .errors import EvalError
from .nodes import NodeVisitor
from .parser import parse

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}
FUNCTIONS = {"max": max, "min": min, "sqrt": math.sqrt}


class Evaluator(NodeVisitor):
    def __init__(self, variables=None, functions=None):
        self.variables = dict(variables or {})
        self.functions = {**FUNCTIONS, **(functions or {})}

    def visit_Number(self, node):
        return node.value

    def visit_Name(self, node):
        try:
            return self.variables[node.id]
        except KeyError:
            raise EvalError(f"undefined name {node.id!r}") from None

    def visit_Unary(self, node):
        return -self.visit(node.operand)

    def visit_Binary(self, node):
        try:
            return OPERATORS[node.op](self.visit(node.left), self.visit(node.right))
        except ZeroDivisionError as error:
            raise EvalError("division by zero") from error

    def visit_Call(self, node):
        if node.func not in self.functions:
            raise EvalError(f"undefined function {node.func!r}")
        return self.functions[node.func](*map(self.visit, node.args))


def evaluate(text, functions=None, **variables):
    return Evaluator(variables, functions).visit(parse(text))
`,
      'calc/lexer.py': `
import enum
import re
from typing import Iterator, NamedTuple

from .errors import ParseError


class TokenKind(enum.Enum):
    NUMBER = enum.auto()
    NAME = enum.auto()
    OP = enum.auto()
    END = enum.auto()


class Token(NamedTuple):
    kind: TokenKind
    text: str
    position: int

    def is_op(self, *texts: str) -> bool:
        return self.kind is TokenKind.OP and self.text in texts


_PATTERN = re.compile(r"\\s*(?:(?P<NUMBER>\\d+(?:\\.\\d+)?)|(?P<NAME>[A-Za-z_]\\w*)|(?P<OP>\\*\\*|[-+*/(),]))")


def tokenize(text: str) -> Iterator[Token]:
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            raise ParseError(f"unexpected {text[position:].lstrip()[0]!r}", position)
        kind = TokenKind[match.lastgroup]
        yield Token(kind, match[match.lastgroup], match.start(match.lastgroup))
        position = match.end()
    yield Token(TokenKind.END, "", len(text))
`,
      'calc/nodes.py': `
from __future__ import annotations

from dataclasses import dataclass, fields


class Node:
    def children(self):
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                yield from value


@dataclass(frozen=True)
class Number(Node):
    value: float


@dataclass(frozen=True)
class Name(Node):
    id: str


@dataclass(frozen=True)
class Unary(Node):
    op: str
    operand: Node


@dataclass(frozen=True)
class Binary(Node):
    left: Node
    op: str
    right: Node


@dataclass(frozen=True)
class Call(Node):
    func: str
    args: tuple[Node, ...] = ()


class NodeVisitor:
    def visit(self, node):
        method = getattr(self, f"visit_{type(node).__name__}", self.generic_visit)
        return method(node)

    def generic_visit(self, node):
        for child in node.children():
            self.visit(child)


def dump(node: Node) -> str:
    match node:
        case Number(value):
            return f"{value:g}"
        case Name(id):
            return id
        case Unary(op, operand):
            return f"({op}{dump(operand)})"
        case Binary(left, op, right):
            return f"({dump(left)} {op} {dump(right)})"
        case Call(func, args):
            return f"{func}({', '.join(map(dump, args))})"
    raise TypeError(type(node))
`,
      'calc/parser.py': `
from .errors import ParseError
from .lexer import TokenKind, tokenize
from .nodes import Binary, Call, Name, Number, Unary

_LEVELS = [("+", "-"), ("*", "/")]


class Parser:
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def advance(self):
        token = self.current
        self.index += 1
        return token

    def expect(self, text):
        if not self.current.is_op(text):
            raise ParseError(f"expected {text!r}", self.current.position)
        return self.advance()

    def binary(self, level=0):
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.current.is_op(*_LEVELS[level]):
            op = self.advance().text
            left = Binary(left, op, self.binary(level + 1))
        return left

    def unary(self):
        if self.current.is_op("-"):
            self.advance()
            return Unary("-", self.unary())
        return self.power()

    def power(self):
        base = self.atom()
        if self.current.is_op("**"):
            self.advance()
            return Binary(base, "**", self.unary())
        return base

    def atom(self):
        token = self.advance()
        if token.kind is TokenKind.NUMBER:
            return Number(float(token.text))
        if token.kind is TokenKind.NAME:
            if self.current.is_op("("):
                return self.call(token.text)
            return Name(token.text)
        if token.is_op("("):
            node = self.binary()
            self.expect(")")
            return node
        raise ParseError("expected an expression", token.position)

    def call(self, name):
        self.expect("(")
        args = []
        while not self.current.is_op(")"):
            args.append(self.binary())
            if not self.current.is_op(")"):
                self.expect(",")
        self.expect(")")
        return Call(name, tuple(args))


def parse(text):
    parser = Parser(text)
    node = parser.binary()
    if parser.current.kind is not TokenKind.END:
        raise ParseError("unexpected input", parser.current.position)
    return node
`,
    },
    tests: `
import math

import pytest

from calc import (
    Binary, Call, CalcError, EvalError, Evaluator, Name, NodeVisitor, Number, ParseError, Token, TokenKind, Unary, dump,
    evaluate, parse, tokenize,
)


class TestLexer:
    def test_kinds(self):
        tokens = list(tokenize("1 + foo"))
        assert tokens == [
            Token(TokenKind.NUMBER, "1", 0),
            Token(TokenKind.OP, "+", 2),
            Token(TokenKind.NAME, "foo", 4),
            Token(TokenKind.END, "", 7),
        ]

    def test_positions(self):
        assert [t.position for t in tokenize("  12**3 ")] == [2, 4, 6, 7]

    def test_is_op(self):
        token = next(tokenize("+"))
        assert token.is_op("+", "-")
        assert not token.is_op("*")

    def test_bad_character(self):
        with pytest.raises(ParseError) as info:
            list(tokenize("1 $ 2"))
        assert info.value.position == 1
        assert "unexpected '$'" in str(info.value)

    def test_lazy(self):
        tokens = tokenize("1 $")
        assert next(tokens).text == "1"
        with pytest.raises(ParseError):
            next(tokens)


class TestParser:
    def test_number(self):
        assert parse("42") == Number(42)

    def test_precedence(self):
        assert parse("1 + 2 * x") == Binary(Number(1), "+", Binary(Number(2), "*", Name("x")))

    def test_left_associative(self):
        tree = parse("1 - 2 - 3")
        assert isinstance(tree, Binary)
        assert tree.left == Binary(Number(1), "-", Number(2))
        assert tree.right == Number(3)

    def test_power_is_right_associative(self):
        assert dump(parse("2 ** 3 ** 2")) == "(2 ** (3 ** 2))"

    def test_call(self):
        node = parse("max(1, -y)")
        assert node == Call("max", (Number(1), Unary("-", Name("y"))))
        assert len(node.args) == 2
        assert isinstance(node.args[1], Unary)

    def test_nodes_are_hashable(self):
        assert len({parse("a+b"), parse("a + b"), parse("b+a")}) == 2

    @pytest.mark.parametrize(
        "text, position",
        [("", 0), ("1 +", 3), ("(1", 2), ("1 2", 2), ("f(1", 3), ("* 2", 0)],
    )
    def test_errors(self, text, position):
        with pytest.raises(ParseError) as info:
            parse(text)
        assert info.value.position == position

    def test_error_hierarchy(self):
        with pytest.raises(SyntaxError):
            parse("(")
        assert issubclass(ParseError, CalcError)

    @pytest.mark.parametrize("text", ["(1 + 2)", "(-x)", "f(a, (b / c))", "1.5"])
    def test_dump_round_trip(self, text):
        assert dump(parse(text)) == text

    def test_repr(self):
        assert repr(parse("x")) == "Name(id='x')"

    def test_children(self):
        names = [type(n).__name__ for n in parse("f(x, 1 + 2)").children()]
        assert names == ["Name", "Binary"]


class TestEvaluate:
    @pytest.mark.parametrize(
        "text, expected",
        [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("2 ** -1", 0.5),
            ("-2 ** 2", -4),
            ("max(1, 5, 3)", 5),
            ("sqrt(2)", math.sqrt(2)),
        ],
    )
    def test_values(self, text, expected):
        assert evaluate(text) == pytest.approx(expected)

    def test_variables(self):
        assert evaluate("x * y", x=3, y=4) == 12

    def test_undefined_name(self):
        with pytest.raises(EvalError, match="undefined name 'z'"):
            evaluate("z")

    def test_division_by_zero_has_cause(self):
        with pytest.raises(EvalError) as info:
            evaluate("1 / 0")
        assert isinstance(info.value.__cause__, ZeroDivisionError)

    def test_custom_function(self):
        seen = []

        def spy(*args):
            seen.append(args)
            return sum(args)

        assert evaluate("spy(1, 2) + spy()", functions={"spy": spy}) == 3
        assert seen == [(1.0, 2.0), ()]


class TestVisitor:
    def test_collects_names(self):
        class Names(NodeVisitor):
            def __init__(self):
                self.names = []

            def visit_Name(self, node):
                self.names.append(node.id)

        visitor = Names()
        visitor.visit(parse("a + f(b, -c)"))
        assert visitor.names == ["a", "b", "c"]

    def test_counts_with_generic_visit(self):
        class Counter(NodeVisitor):
            count = 0

            def generic_visit(self, node):
                self.count += 1
                super().generic_visit(node)

        counter = Counter()
        counter.visit(parse("1 + 2 * 3"))
        assert counter.count == 5

    def test_evaluator_can_be_extended(self):
        class Safe(Evaluator):
            def visit_Name(self, node):
                return self.variables.get(node.id, 0)

        assert Safe({"a": 2}).visit(parse("a + b")) == 2

    def test_evaluator_object(self):
        evaluator = Evaluator({"x": 1})
        assert evaluator.visit(parse("x + 1")) == 2
        evaluator.variables["x"] = 10
        assert evaluator.visit(parse("x + 1")) == 11
`,
    breaks: [`Binary(base, "**", self.unary())`, `Binary(base, "**", self.atom())`],
  },
  {
    id: 'graph-package',
    artifact: {
      'graphs.py': `
"""Graphs and algorithms on them."""
from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


class GraphError(Exception):
    """Base of all errors of graphs."""


class NodeNotFound(GraphError, KeyError):
    def __str__(self):
        return f"node {self.args[0]!r} is not in the graph"


class NoPath(GraphError):
    def __init__(self, source, target):
        super().__init__(f"no path between {source} and {target}")
        self.source, self.target = source, target


class CycleError(GraphError, ValueError):
    def __init__(self, cycle):
        super().__init__("graph has a cycle", cycle)

    @property
    def cycle(self):
        return self.args[1]


class Graph(Generic[N]):
    directed = False

    def __init__(self, edges: Iterable = ()):
        self._adjacent: dict[N, dict[N, float]] = {}
        for edge in edges:
            self.add_edge(*edge)

    def add_node(self, node: N) -> None:
        self._adjacent.setdefault(node, {})

    def add_edge(self, u: N, v: N, weight: float = 1) -> None:
        self.add_node(u)
        self.add_node(v)
        self._adjacent[u][v] = weight
        if not self.directed:
            self._adjacent[v][u] = weight

    def remove_node(self, node: N) -> None:
        self[node]
        del self._adjacent[node]
        for neighbours in self._adjacent.values():
            neighbours.pop(node, None)

    def __getitem__(self, node: N) -> dict[N, float]:
        try:
            return self._adjacent[node]
        except KeyError:
            raise NodeNotFound(node) from None

    def __contains__(self, node) -> bool:
        return node in self._adjacent

    def __iter__(self) -> Iterator[N]:
        return iter(self._adjacent)

    def __len__(self) -> int:
        return len(self._adjacent)

    @property
    def nodes(self):
        return self._adjacent.keys()

    def edges(self) -> Iterator[tuple[N, N, float]]:
        seen = set()
        for u, neighbours in self._adjacent.items():
            for v, weight in neighbours.items():
                if self.directed or (v, u) not in seen:
                    seen.add((u, v))
                    yield u, v, weight

    def degree(self, node: N) -> int:
        return len(self[node])

    def subgraph(self, nodes):
        keep = set(nodes)
        graph = type(self)((u, v, w) for u, v, w in self.edges() if u in keep and v in keep)
        for node in keep:
            graph.add_node(node)
        return graph


class DiGraph(Graph[N]):
    directed = True

    def reverse(self) -> "DiGraph[N]":
        return DiGraph((v, u, w) for u, v, w in self.edges())


def bfs(graph, start, visit: Callable | None = None):
    queue, seen = deque([start]), {start}
    while queue:
        node = queue.popleft()
        if visit is not None:
            visit(node)
        yield node
        for neighbour in graph[node]:
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)


def shortest_path(graph, source, target):
    graph[source], graph[target]
    heap, best, previous = [(0, 0, source)], {source: 0}, {}
    counter = 0
    while heap:
        cost, _, node = heapq.heappop(heap)
        if node == target:
            path = [node]
            while node in previous:
                node = previous[node]
                path.append(node)
            return cost, path[::-1]
        for neighbour, weight in graph[node].items():
            if weight < 0:
                raise ValueError("negative weight")
            if cost + weight < best.get(neighbour, float("inf")):
                best[neighbour] = cost + weight
                previous[neighbour] = node
                counter += 1
                heapq.heappush(heap, (cost + weight, counter, neighbour))
    raise NoPath(source, target)


def topological_sort(graph):
    done, path, result = set(), [], []

    def visit(node):
        if node in path:
            raise CycleError(path[path.index(node):] + [node])
        if node in done:
            return
        path.append(node)
        for neighbour in graph[node]:
            visit(neighbour)
        path.pop()
        done.add(node)
        result.append(node)

    for node in graph:
        visit(node)
    return result[::-1]


def components(graph):
    seen = set()
    for node in graph:
        if node not in seen:
            component = frozenset(bfs(graph, node))
            seen |= component
            yield component


def group_by_degree(graph):
    groups = defaultdict(set)
    for node in graph:
        groups[graph.degree(node)].add(node)
    return groups


class UnionFind:
    def __init__(self):
        self._parent = {}

    def __getitem__(self, item):
        parent = self._parent.setdefault(item, item)
        if parent != item:
            parent = self._parent[item] = self[parent]
        return parent

    def union(self, *items):
        roots = [self[item] for item in items]
        for root in roots[1:]:
            self._parent[root] = roots[0]

    def connected(self, a, b):
        return self[a] == self[b]
`,
    },
    tests: `
from collections import namedtuple

import pytest

from graphs import (
    CycleError, DiGraph, Graph, GraphError, NodeNotFound, NoPath, UnionFind, bfs, components, group_by_degree,
    shortest_path, topological_sort,
)

Point = namedtuple("Point", "x y")


@pytest.fixture
def square():
    return Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a", 5)])


@pytest.fixture(params=[Graph, DiGraph])
def empty(request):
    return request.param()


def test_empty(empty):
    assert len(empty) == 0
    assert list(empty) == []
    assert list(empty.edges()) == []
    assert not empty


def test_add_node_is_idempotent(empty):
    empty.add_node(1)
    empty.add_edge(1, 2)
    empty.add_node(1)
    assert 1 in empty
    assert dict(empty[1]) == {2: 1}
    assert set(empty.nodes) == {1, 2}


def test_undirected_edges(square):
    assert list(square.edges()) == [("a", "b", 1), ("a", "d", 5), ("b", "c", 1), ("c", "d", 1)]
    assert square["d"] == {"c": 1, "a": 5}


def test_directed_edges():
    graph = DiGraph([(1, 2), (2, 1)])
    assert sorted(graph.edges()) == [(1, 2, 1), (2, 1, 1)]
    assert graph.degree(1) == 1


def test_remove_node(square):
    square.remove_node("a")
    assert "a" not in square
    assert "a" not in square["b"]
    assert len(square) == 3


def test_unknown_node(square):
    with pytest.raises(NodeNotFound) as info:
        square["z"]
    assert str(info.value) == "node 'z' is not in the graph"
    assert isinstance(info.value, KeyError)
    with pytest.raises(GraphError):
        square.remove_node("z")


def test_subgraph(square):
    sub = square.subgraph("abc")
    assert type(sub) is Graph
    assert sorted(sub) == ["a", "b", "c"]
    assert list(sub.edges()) == [("a", "b", 1), ("b", "c", 1)]


def test_reverse():
    graph = DiGraph([("a", "b", 3)]).reverse()
    assert isinstance(graph, DiGraph)
    assert list(graph.edges()) == [("b", "a", 3)]


class TestBfs:
    def test_order(self, square):
        assert list(bfs(square, "a")) == ["a", "b", "d", "c"]

    def test_is_lazy(self, square):
        visited = []
        walk = bfs(square, "a", visited.append)
        assert visited == []
        assert next(walk) == "a"
        assert visited == ["a"]

    def test_unreachable(self):
        graph = Graph([(1, 2), (3, 4)])
        assert set(bfs(graph, 1)) == {1, 2}

    def test_start_must_exist(self):
        with pytest.raises(NodeNotFound):
            list(bfs(Graph(), "x"))


class TestShortestPath:
    def test_prefers_light_edges(self, square):
        cost, path = shortest_path(square, "a", "d")
        assert cost == 3
        assert path == ["a", "b", "c", "d"]

    def test_same_node(self, square):
        assert shortest_path(square, "a", "a") == (0, ["a"])

    def test_no_path(self):
        with pytest.raises(NoPath, match="no path between 1 and 3") as info:
            shortest_path(Graph([(1, 2), (3, 4)]), 1, 3)
        assert info.value.source == 1
        assert info.value.target == 3

    def test_negative_weight(self):
        with pytest.raises(ValueError, match="negative"):
            shortest_path(DiGraph([(1, 2, -1)]), 1, 2)

    def test_points_as_nodes(self):
        a, b, c = Point(0, 0), Point(0, 1), Point(1, 1)
        cost, path = shortest_path(Graph([(a, b, 1.5), (b, c, 2)]), a, c)
        assert cost == pytest.approx(3.5)
        assert path == [a, b, c]
        assert path[-1].x == 1


class TestTopologicalSort:
    def test_order(self):
        graph = DiGraph([("shirt", "tie"), ("tie", "jacket"), ("trousers", "shoes"), ("trousers", "jacket")])
        order = topological_sort(graph)
        for before, after, _ in graph.edges():
            assert order.index(before) < order.index(after)

    def test_cycle(self):
        with pytest.raises(CycleError) as info:
            topological_sort(DiGraph([(1, 2), (2, 3), (3, 2)]))
        assert info.value.cycle == [2, 3, 2]
        assert isinstance(info.value, ValueError)


def test_components():
    graph = Graph([(1, 2), (3, 4), (4, 5)])
    graph.add_node(9)
    assert sorted(components(graph), key=min) == [{1, 2}, {3, 4, 5}, {9}]


def test_group_by_degree(square):
    square.add_edge("a", "e")
    groups = group_by_degree(square)
    assert groups == {3: {"a"}, 2: {"b", "c", "d"}, 1: {"e"}}
    assert groups[17] == set()


def test_union_find():
    uf = UnionFind()
    uf.union("a", "b")
    uf.union("c", "d", "e")
    assert uf.connected("a", "b")
    assert not uf.connected("a", "c")
    uf.union("b", "e")
    assert uf.connected("a", "d")
    assert uf["new"] == "new"


def test_custom_graph_class():
    class Weighted(DiGraph):
        def add_edge(self, u, v, weight=10):
            super().add_edge(u, v, weight * 2)

    graph = Weighted([(1, 2), (2, 3, 1)])
    assert list(graph.edges()) == [(1, 2, 20), (2, 3, 2)]
    assert shortest_path(graph, 1, 3)[0] == 22
`,
    breaks: [
      `            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)`,
      `            if neighbour not in seen:
                seen.add(neighbour)
                queue.appendleft(neighbour)`,
    ],
  },
  {
    id: 'money-package',
    artifact: {
      'solution.py': `
"""Money, vectors and matrices with operators."""
from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import total_ordering
from numbers import Number


class CurrencyMismatch(TypeError):
    pass


@total_ordering
class Money:
    __slots__ = ("_amount", "_currency")

    def __init__(self, amount, currency="EUR"):
        self._amount = Decimal(str(amount)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
        self._currency = currency.upper()

    @property
    def amount(self):
        return self._amount

    @property
    def currency(self):
        return self._currency

    @classmethod
    def parse(cls, text):
        amount, _, currency = text.strip().partition(" ")
        if not currency:
            raise ValueError(f"no currency in {text!r}")
        return cls(amount, currency)

    def _same(self, other):
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")

    def __add__(self, other):
        if other == 0 and isinstance(other, int):
            return self
        if not isinstance(other, Money):
            return NotImplemented
        self._same(other)
        return Money(self.amount + other.amount, self.currency)

    __radd__ = __add__

    def __sub__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self + -other

    def __neg__(self):
        return Money(-self.amount, self.currency)

    def __mul__(self, factor):
        if not isinstance(factor, (int, float, Decimal)):
            return NotImplemented
        return Money(self.amount * Decimal(str(factor)), self.currency)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Money):
            self._same(other)
            return float(self.amount / other.amount)
        return Money(self.amount / Decimal(str(other)), self.currency)

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.amount, self.currency) == (other.amount, other.currency)

    def __lt__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        self._same(other)
        return self.amount < other.amount

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __bool__(self):
        return bool(self.amount)

    def __repr__(self):
        return f"Money({str(self.amount)!r}, {self.currency!r})"

    def __str__(self):
        return f"{self.amount:,} {self.currency}"

    def __format__(self, spec):
        return str(self) if not spec else format(self.amount, spec)

    def allocate(self, *ratios):
        total = sum(ratios)
        cents = int(self.amount * 100)
        shares = [cents * ratio // total for ratio in ratios]
        for i in range(cents - sum(shares)):
            shares[i] += 1
        return [Money(Decimal(share) / 100, self.currency) for share in shares]


class Vector:
    def __init__(self, *components):
        self._components = tuple(components)

    def __iter__(self):
        return iter(self._components)

    def __len__(self):
        return len(self._components)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Vector(*self._components[index])
        return self._components[index]

    def __eq__(self, other):
        return isinstance(other, Vector) and tuple(self) == tuple(other)

    def __hash__(self):
        return hash(self._components)

    def __repr__(self):
        return f"Vector({', '.join(map(repr, self))})"

    def __abs__(self):
        return math.hypot(*self)

    def __bool__(self):
        return any(self)

    def __neg__(self):
        return Vector(*(-a for a in self))

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other):
        return self + -other

    def __mul__(self, scalar):
        if isinstance(scalar, Number):
            return Vector(*(a * scalar for a in self))
        return NotImplemented

    __rmul__ = __mul__

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self, other, strict=True))

    @property
    def x(self):
        return self[0]

    @property
    def y(self):
        return self[1]

    def normalized(self):
        length = abs(self)
        if not length:
            raise ZeroDivisionError("the zero vector has no direction")
        return self * (1 / length)


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("rows differ in length")

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, position):
        i, j = position
        return self.rows[i][j]

    def __setitem__(self, position, value):
        i, j = position
        self.rows[i][j] = value

    def __eq__(self, other):
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.rows == other.rows

    __hash__ = None

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"cannot multiply {self.shape} by {other.shape}")
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in columns] for row in self.rows])

    def __pow__(self, exponent):
        result = Matrix.identity(self.shape[0])
        for _ in range(exponent):
            result = result @ self
        return result

    def determinant(self):
        rows = [[Fraction(v) for v in row] for row in self.rows]
        result = Fraction(1)
        for i in range(len(rows)):
            pivot = next((r for r in range(i, len(rows)) if rows[r][i]), None)
            if pivot is None:
                return Fraction(0)
            if pivot != i:
                rows[i], rows[pivot] = rows[pivot], rows[i]
                result = -result
            result *= rows[i][i]
            for r in range(i + 1, len(rows)):
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
        return result
`,
    },
    tests: `
import math
from decimal import Decimal
from fractions import Fraction

import pytest

from solution import CurrencyMismatch, Matrix, Money, Vector


@pytest.fixture
def ten():
    return Money(10)


class TestMoney:
    def test_amount_is_rounded(self):
        assert Money("1.005").amount == Decimal("1.00")
        assert Money(2.675).amount == Decimal("2.68")
        assert Money(1, "usd").currency == "USD"

    def test_add_and_subtract(self, ten):
        assert ten + Money(5) == Money(15)
        assert ten - Money("0.01") == Money("9.99")

    def test_add_number(self, ten):
        with pytest.raises(TypeError):
            ten + 5

    def test_sum(self):
        assert sum([Money(1), Money(2), Money("3.50")]) == Money("6.50")

    def test_multiply(self, ten):
        assert ten * 3 == Money(30)
        assert 0.5 * ten == Money(5)
        assert (ten * 3).amount == 30

    def test_multiply_money(self, ten):
        with pytest.raises(TypeError, match="unsupported operand"):
            ten * ten

    def test_divide(self, ten):
        assert ten / 4 == Money("2.50")
        assert ten / Money(4) == 2.5

    def test_currency_mismatch(self, ten):
        with pytest.raises(CurrencyMismatch, match="EUR and USD"):
            ten + Money(1, "USD")
        with pytest.raises(CurrencyMismatch):
            ten < Money(1, "USD")

    def test_equality(self, ten):
        assert ten == Money("10.00")
        assert ten != Money(10, "USD")
        assert ten != 10
        assert not ten == "10.00 EUR"

    def test_ordering(self):
        assert Money(1) < Money(2) <= Money(2)
        assert max(Money(3), Money(7), Money(5)) == Money(7)
        assert sorted([Money(3), Money(1)]) == [Money(1), Money(3)]

    def test_hash(self):
        assert len({Money(1), Money("1.00"), Money(1, "USD")}) == 2

    def test_truth(self):
        assert Money("0.01")
        assert not Money(0)

    def test_text(self):
        assert str(Money("1234567.5")) == "1,234,567.50 EUR"
        assert repr(Money(1)) == "Money('1.00', 'EUR')"
        assert f"{Money(2):.1f}" == "2.0"
        assert f"{Money(2)}" == "2.00 EUR"

    def test_parse(self):
        assert Money.parse(" 12.50 usd") == Money("12.50", "USD")
        with pytest.raises(ValueError, match="no currency"):
            Money.parse("12")

    @pytest.mark.parametrize(
        "ratios, expected",
        [((1, 1, 1), ["3.34", "3.33", "3.33"]), ((70, 30), ["7.00", "3.00"]), ((1,), ["10.00"])],
    )
    def test_allocate(self, ten, ratios, expected):
        shares = ten.allocate(*ratios)
        assert shares == [Money(text) for text in expected]
        assert sum(shares) == ten

    def test_immutable(self, ten):
        with pytest.raises(AttributeError):
            ten.amount = 5


class TestVector:
    def test_arithmetic(self):
        a, b = Vector(1, 2), Vector(3, 4)
        assert a + b == Vector(4, 6)
        assert b - a == Vector(2, 2)
        assert -a == Vector(-1, -2)
        assert 2 * a == a * 2 == Vector(2, 4)
        assert a @ b == 11

    def test_length(self):
        assert abs(Vector(3, 4)) == 5
        assert len(Vector(1, 2, 3)) == 3

    def test_unpacking(self):
        x, y = Vector(1, 2)
        assert (x, y) == (1, 2)
        assert list(Vector(5, 6)) == [5, 6]

    def test_indexing(self):
        v = Vector(1, 2, 3)
        assert v[0] == v.x == 1
        assert v[-1] == 3
        assert v[1:] == Vector(2, 3)
        with pytest.raises(IndexError):
            v[3]

    def test_normalized(self):
        v = Vector(1, 1).normalized()
        assert v.x == pytest.approx(1 / math.sqrt(2))
        assert abs(v) == pytest.approx(1)
        with pytest.raises(ZeroDivisionError):
            Vector(0, 0).normalized()

    def test_dimension_mismatch(self):
        with pytest.raises(ValueError):
            Vector(1) + Vector(1, 2)

    def test_bool_and_repr(self):
        assert not Vector(0, 0)
        assert Vector(0, 1)
        assert repr(Vector(1, 2.5)) == "Vector(1, 2.5)"

    def test_usable_as_key(self):
        positions = {Vector(0, 0): "origin"}
        assert positions[Vector(0, 0)] == "origin"
        assert Vector(1, 0) not in positions


class TestMatrix:
    def test_shape_and_items(self):
        m = Matrix([[1, 2, 3], [4, 5, 6]])
        assert m.shape == (2, 3)
        assert m[1, 2] == 6
        m[0, 0] = 9
        assert m.rows == [[9, 2, 3], [4, 5, 6]]

    def test_transpose(self):
        assert Matrix([[1, 2], [3, 4]]).T == Matrix([[1, 3], [2, 4]])

    def test_product(self):
        assert Matrix([[1, 2]]) @ Matrix([[3], [4]]) == Matrix([[11]])

    def test_product_shape_mismatch(self):
        with pytest.raises(ValueError, match=r"cannot multiply \\(1, 2\\) by \\(1, 2\\)"):
            Matrix([[1, 2]]) @ Matrix([[1, 2]])

    def test_identity(self):
        m = Matrix([[2, 3], [4, 5]])
        assert m @ Matrix.identity(2) == m
        assert m ** 0 == Matrix.identity(2)

    def test_power(self):
        assert (Matrix([[1, 1], [1, 0]]) ** 10)[0, 1] == 55

    def test_determinant(self):
        assert Matrix([[1, 2], [3, 4]]).determinant() == -2
        assert Matrix([[0, 1], [1, 0]]).determinant() == -1
        assert Matrix([[Fraction(1, 2)]]).determinant() == Fraction(1, 2)
        assert Matrix([[1, 2], [2, 4]]).determinant() == 0

    def test_ragged(self):
        with pytest.raises(ValueError, match="differ in length"):
            Matrix([[1], [1, 2]])

    def test_unhashable(self):
        with pytest.raises(TypeError, match="unhashable"):
            hash(Matrix([[1]]))
`,
    leaning: [
      'test_add_and_subtract',
      'test_sum',
      'test_divide',
      'test_text',
      'test_parse',
      'test_allocate[ratios0-expected0]',
      'test_allocate[ratios1-expected1]',
      'test_allocate[ratios2-expected2]',
      'test_normalized',
    ],
    breaks: [
      `        for i in range(cents - sum(shares)):
            shares[i] += 1
`,
      ``,
    ],
  },
  {
    id: 'date-package',
    artifact: {
      'daterange.py': `
"""Date ranges, half open."""
from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

ONE_DAY = timedelta(days=1)


class Weekday(IntEnum):
    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6

    @property
    def is_weekend(self):
        return self >= Weekday.SATURDAY

    @classmethod
    def of(cls, day):
        return cls(day.weekday())


@dataclass(frozen=True, order=True)
class DateRange:
    start: date
    end: date

    def __post_init__(self):
        for name in ("start", "end"):
            value = getattr(self, name)
            if isinstance(value, str):
                object.__setattr__(self, name, date.fromisoformat(value))
        if self.end < self.start:
            raise ValueError(f"{self.end} is before {self.start}")

    @classmethod
    def month(cls, year, month):
        first = date(year, month, 1)
        return cls(first, first + timedelta(days=calendar.monthrange(year, month)[1]))

    def __contains__(self, day):
        if isinstance(day, DateRange):
            return self.start <= day.start and day.end <= self.end
        return self.start <= day < self.end

    def __iter__(self) -> Iterator[date]:
        day = self.start
        while day < self.end:
            yield day
            day += ONE_DAY

    def __len__(self):
        return (self.end - self.start).days

    def __and__(self, other):
        start, end = max(self.start, other.start), min(self.end, other.end)
        return DateRange(start, end) if start < end else None

    def __lshift__(self, days):
        return DateRange(self.start - days * ONE_DAY, self.end - days * ONE_DAY)

    def __str__(self):
        return f"{self.start:%d.%m.%Y}-{self.end:%d.%m.%Y}"

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def split(self, size):
        start = self.start
        while start < self.end:
            end = min(self.end, start + timedelta(days=size))
            yield DateRange(start, end)
            start = end

    def workdays(self, holidays=()):
        return [d for d in self if not Weekday.of(d).is_weekend and d not in holidays]


def merge(ranges: Iterable[DateRange]) -> list[DateRange]:
    merged: list[DateRange] = []
    for current in sorted(ranges):
        if merged and current.start <= merged[-1].end:
            last = merged.pop()
            current = DateRange(last.start, max(last.end, current.end))
        merged.append(current)
    return merged


class Calendar:
    def __init__(self, today=date.today):
        self._today = today
        self._bookings: dict[str, list[DateRange]] = {}

    def book(self, room, period):
        if period.start < self._today():
            raise ValueError("cannot book the past")
        for other in self._bookings.setdefault(room, []):
            if other.overlaps(period):
                raise LookupError(f"{room} is taken {other}")
        self._bookings[room].append(period)
        return len(self._bookings[room])

    def free(self, room, within):
        day = within.start
        for taken in merge(self._bookings.get(room, [])):
            common = taken & within
            if common is None:
                continue
            if day < common.start:
                yield DateRange(day, common.start)
            day = common.end
        if day < within.end:
            yield DateRange(day, within.end)

    def __getitem__(self, room):
        return tuple(sorted(self._bookings[room]))
`,
    },
    tests: `
import unittest
from datetime import date, timedelta

import pytest

from daterange import Calendar, DateRange, Weekday, merge


def r(start, end):
    return DateRange(f"2024-{start}", f"2024-{end}")


@pytest.fixture
def january():
    return DateRange.month(2024, 1)


def test_month(january):
    assert january == DateRange(date(2024, 1, 1), date(2024, 2, 1))
    assert len(january) == 31
    assert len(DateRange.month(2024, 2)) == 29


def test_strings_are_parsed():
    assert r("01-01", "01-05").start == date(2024, 1, 1)
    assert r("01-01", "01-05") == DateRange(date(2024, 1, 1), date(2024, 1, 5))


def test_end_before_start():
    with pytest.raises(ValueError, match="2024-01-01 is before 2024-01-02"):
        r("01-02", "01-01")


def test_contains(january):
    assert date(2024, 1, 1) in january
    assert date(2024, 1, 31) in january
    assert date(2024, 2, 1) not in january
    assert r("01-05", "01-10") in january
    assert r("01-30", "02-02") not in january


def test_iteration():
    assert list(r("02-28", "03-02")) == [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
    assert list(r("01-01", "01-01")) == []


def test_empty_range_is_falsy():
    assert not r("01-01", "01-01")
    assert r("01-01", "01-02")


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (("01-01", "01-10"), ("01-05", "01-15"), ("01-05", "01-10")),
        (("01-01", "01-10"), ("01-02", "01-03"), ("01-02", "01-03")),
        (("01-01", "01-05"), ("01-05", "01-10"), None),
    ],
)
def test_intersection(a, b, expected):
    result = r(*a) & r(*b)
    assert result == (expected and r(*expected))
    assert r(*a).overlaps(r(*b)) == bool(expected)


def test_shift():
    assert r("01-08", "01-15") << 7 == r("01-01", "01-08")


def test_split(january):
    weeks = list(january.split(7))
    assert len(weeks) == 5
    assert weeks[0] == r("01-01", "01-08")
    assert weeks[-1] == r("01-29", "02-01")
    assert sum(map(len, weeks)) == 31
    assert all(a.end == b.start for a, b in zip(weeks, weeks[1:]))


def test_str(january):
    assert str(january) == "01.01.2024-01.02.2024"
    assert f"{january!r}".startswith("DateRange(start=datetime.date(2024, 1, 1)")


def test_workdays():
    days = r("01-01", "01-08").workdays(holidays={date(2024, 1, 1)})
    assert [d.day for d in days] == [2, 3, 4, 5]


def test_weekday():
    assert Weekday.of(date(2024, 1, 6)) is Weekday.SATURDAY
    assert Weekday.SATURDAY.is_weekend
    assert not Weekday.FRIDAY.is_weekend
    assert Weekday.MONDAY + 1 == Weekday.TUESDAY
    assert Weekday.MONDAY < Weekday.SUNDAY


def test_order():
    ranges = [r("03-01", "03-02"), r("01-01", "01-09"), r("01-01", "01-02")]
    assert sorted(ranges) == [r("01-01", "01-02"), r("01-01", "01-09"), r("03-01", "03-02")]
    assert min(ranges).start.month == 1


def test_hashable():
    assert {r("01-01", "01-02"): 1}[r("01-01", "01-02")] == 1


def test_frozen(january):
    with pytest.raises(AttributeError):
        january.start = date(2020, 1, 1)


class MergeTest(unittest.TestCase):
    def test_cases(self):
        cases = {
            "empty": ([], []),
            "single": ([r("01-01", "01-02")], [r("01-01", "01-02")]),
            "touching": ([r("01-02", "01-03"), r("01-01", "01-02")], [r("01-01", "01-03")]),
            "nested": ([r("01-01", "01-09"), r("01-02", "01-03")], [r("01-01", "01-09")]),
            "apart": ([r("01-05", "01-06"), r("01-01", "01-02")], [r("01-01", "01-02"), r("01-05", "01-06")]),
        }
        for name, (ranges, expected) in cases.items():
            with self.subTest(name):
                self.assertEqual(merge(ranges), expected)

    def test_accepts_generator(self):
        self.assertEqual(len(merge(r("01-01", f"01-0{n}") for n in (2, 3))), 1)

    def test_does_not_change_input(self):
        ranges = [r("01-02", "01-03"), r("01-01", "01-02")]
        copy = list(ranges)
        merge(ranges)
        self.assertEqual(ranges, copy)


class CalendarTest(unittest.TestCase):
    def setUp(self):
        self.today = date(2024, 1, 1)
        self.calendar = Calendar(today=lambda: self.today)

    def test_book(self):
        self.assertEqual(self.calendar.book("A", r("01-02", "01-04")), 1)
        self.assertEqual(self.calendar.book("A", r("01-04", "01-05")), 2)
        self.assertEqual(self.calendar["A"], (r("01-02", "01-04"), r("01-04", "01-05")))

    def test_conflict(self):
        self.calendar.book("A", r("01-02", "01-04"))
        with self.assertRaisesRegex(LookupError, r"A is taken 02\\.01\\.2024-04\\.01\\.2024"):
            self.calendar.book("A", r("01-03", "01-05"))
        self.calendar.book("B", r("01-03", "01-05"))

    def test_past(self):
        self.today += timedelta(days=5)
        with self.assertRaises(ValueError):
            self.calendar.book("A", r("01-02", "01-04"))

    def test_free(self):
        self.calendar.book("A", r("01-10", "01-12"))
        self.calendar.book("A", r("01-03", "01-05"))
        free = list(self.calendar.free("A", r("01-01", "01-15")))
        self.assertEqual(free, [r("01-01", "01-03"), r("01-05", "01-10"), r("01-12", "01-15")])

    def test_unknown_room(self):
        with self.assertRaises(KeyError):
            self.calendar["X"]
        self.assertEqual(list(self.calendar.free("X", r("01-01", "01-02"))), [r("01-01", "01-02")])
`,
    leaning: [
      'test_intersection[a0-b0-expected0]',
      'test_intersection[a1-b1-expected1]',
      'test_shift',
      'test_split',
      'test_cases',
      'test_book',
      'test_free',
      'test_unknown_room',
    ],
    breaks: [
      `self.start < other.end and other.start < self.end`,
      `self.start <= other.end and other.start <= self.end`,
    ],
  },
  {
    id: 'stream-package',
    artifact: {
      'streams.py': `
"""Lazy streams and iterator tools."""
import itertools
from collections import deque
from collections.abc import Iterable, Iterator

_EMPTY = object()


class Stream:
    """A chain of lazy operations on an iterable."""

    def __init__(self, source=()):
        self._source = source

    @classmethod
    def of(cls, *items):
        return cls(items)

    @classmethod
    def iterate(cls, function, seed):
        def generate():
            value = seed
            while True:
                yield value
                value = function(value)

        return cls(generate())

    def __iter__(self):
        return iter(self._source)

    def map(self, function):
        return Stream(map(function, self))

    def filter(self, predicate):
        return Stream(filter(predicate, self))

    def take(self, n):
        return Stream(itertools.islice(self, n))

    def skip(self, n):
        return Stream(itertools.islice(self, n, None))

    def distinct(self, key=None):
        def generate():
            seen = set()
            for item in self:
                k = key(item) if key else item
                if k not in seen:
                    seen.add(k)
                    yield item

        return Stream(generate())

    def peek(self, action):
        def generate():
            for item in self:
                action(item)
                yield item

        return Stream(generate())

    def reduce(self, function, initial=_EMPTY):
        iterator = iter(self)
        result = next(iterator, _EMPTY) if initial is _EMPTY else initial
        if result is _EMPTY:
            raise TypeError("reduce() of an empty stream with no initial value")
        for item in iterator:
            result = function(result, item)
        return result

    def collect(self, factory=list):
        return factory(self)

    def group_by(self, key):
        groups = {}
        for item in self:
            groups.setdefault(key(item), []).append(item)
        return groups

    def first(self, default=_EMPTY):
        for item in self:
            return item
        if default is _EMPTY:
            raise LookupError("the stream is empty")
        return default

    def __or__(self, function):
        return function(self)


class peekable:
    def __init__(self, iterable):
        self._it = iter(iterable)
        self._cache = deque()

    def __iter__(self):
        return self

    def __next__(self):
        return self._cache.popleft() if self._cache else next(self._it)

    def __bool__(self):
        return self.peek(_EMPTY) is not _EMPTY

    def peek(self, default=None):
        if not self._cache:
            try:
                self._cache.append(next(self._it))
            except StopIteration:
                return default
        return self._cache[0]

    def prepend(self, *items):
        self._cache.extendleft(reversed(items))


def chunked(iterable: Iterable, size: int) -> Iterator[list]:
    if size < 1:
        raise ValueError("size must be at least 1")
    iterator = iter(iterable)
    return iter(lambda: list(itertools.islice(iterator, size)), [])


def windowed(iterable, size):
    window = deque(maxlen=size)
    for item in iterable:
        window.append(item)
        if len(window) == size:
            yield tuple(window)


def accumulate_until(limit):
    """A coroutine: send numbers, get running totals; returns the count."""
    total = count = 0
    while total < limit:
        number = yield total
        if number is None:
            continue
        total += number
        count += 1
    return count


def flatten(value, base=(str, bytes)):
    if isinstance(value, base) or not isinstance(value, Iterable):
        yield value
    else:
        for item in value:
            yield from flatten(item, base)


def interleave(*iterables):
    pending = [iter(i) for i in iterables]
    while pending:
        for iterator in list(pending):
            try:
                yield next(iterator)
            except StopIteration:
                pending.remove(iterator)


class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        yield from range(self.start, 0, -1)

    def __reversed__(self):
        return iter(range(1, self.start + 1))

    def __len__(self):
        return self.start

    def __contains__(self, number):
        return 1 <= number <= self.start
`,
    },
    tests: `
import itertools
from operator import add

import pytest

from streams import (
    Countdown, Stream, accumulate_until, chunked, flatten, interleave, peekable, windowed,
)


class TestStream:
    def test_map_and_filter(self):
        stream = Stream(range(10)).filter(lambda n: n % 2).map(lambda n: n * n)
        assert list(stream) == [1, 9, 25, 49, 81]

    def test_is_lazy(self):
        seen = []
        stream = Stream([1, 2, 3]).peek(seen.append)
        assert seen == []
        assert stream.first() == 1
        assert seen == [1]

    def test_infinite(self):
        powers = Stream.iterate(lambda n: n * 2, 1)
        assert powers.take(5).collect() == [1, 2, 4, 8, 16]

    def test_skip(self):
        assert list(Stream("abcd").skip(2)) == ["c", "d"]

    @pytest.mark.parametrize("factory, expected", [(list, [3, 1, 3]), (set, {1, 3}), (tuple, (3, 1, 3)), (sum, 7)])
    def test_collect(self, factory, expected):
        assert Stream.of(3, 1, 3).collect(factory) == expected

    def test_distinct(self):
        assert list(Stream("abAB").distinct(key=str.lower)) == ["a", "b"]
        assert list(Stream.of(1, 1, 2).distinct()) == [1, 2]

    def test_reduce(self):
        assert Stream.of(1, 2, 3).reduce(add) == 6
        assert Stream.of().reduce(add, 10) == 10
        assert Stream("abc").reduce(lambda a, b: b + a) == "cba"

    def test_reduce_empty(self):
        with pytest.raises(TypeError, match="empty stream"):
            Stream().reduce(add)

    def test_group_by(self):
        words = ["apple", "bob", "ant", "bee"]
        assert Stream(words).group_by(lambda w: w[0]) == {"a": ["apple", "ant"], "b": ["bob", "bee"]}

    def test_first(self):
        assert Stream().first(default=None) is None
        with pytest.raises(LookupError):
            Stream().first()

    def test_pipe(self):
        assert Stream.of(1, 2) | sum == 3
        assert (Stream.of(2, 1) | sorted) == [1, 2]

    def test_file_lines(self, tmp_path):
        path = tmp_path / "lines.txt"
        path.write_text("one\\ntwo\\nthree\\n")
        with path.open() as file:
            assert Stream(file).map(str.strip).map(len).collect() == [3, 3, 5]

    def test_errors_surface_when_consumed(self):
        stream = Stream([1, 0]).map(lambda n: 1 // n)
        iterator = iter(stream)
        assert next(iterator) == 1
        with pytest.raises(ZeroDivisionError):
            next(iterator)


class TestPeekable:
    def test_peek_does_not_consume(self):
        p = peekable("abc")
        assert p.peek() == "a"
        assert p.peek() == "a"
        assert next(p) == "a"
        assert list(p) == ["b", "c"]

    def test_truth(self):
        p = peekable([1])
        assert p
        next(p)
        assert not p

    def test_default(self):
        p = peekable([])
        assert p.peek() is None
        assert p.peek("nothing") == "nothing"
        with pytest.raises(StopIteration):
            next(p)

    def test_prepend(self):
        p = peekable([3])
        p.prepend(1, 2)
        assert list(p) == [1, 2, 3]


class TestTools:
    def test_chunked(self):
        assert list(chunked(range(5), 2)) == [[0, 1], [2, 3], [4]]
        assert list(chunked([], 3)) == []

    def test_chunked_is_lazy(self):
        counter = itertools.count()
        chunks = chunked(counter, 3)
        assert next(chunks) == [0, 1, 2]
        assert next(counter) == 3

    def test_chunked_validates_at_once(self):
        with pytest.raises(ValueError):
            chunked([1], 0)

    def test_windowed(self):
        assert list(windowed([1, 2, 3, 4], 3)) == [(1, 2, 3), (2, 3, 4)]
        assert list(windowed([1], 2)) == []

    def test_coroutine(self):
        totals = accumulate_until(10)
        assert next(totals) == 0
        assert totals.send(4) == 4
        assert totals.send(None) == 4
        with pytest.raises(StopIteration) as stop:
            totals.send(6)
        assert stop.value.value == 2

    def test_generator_close(self):
        totals = accumulate_until(10)
        next(totals)
        totals.close()
        with pytest.raises(StopIteration):
            totals.send(1)

    @pytest.mark.parametrize(
        "value, expected",
        [([1, [2, [3, (4,)]]], [1, 2, 3, 4]), (["ab", [b"c"]], ["ab", b"c"]), (5, [5]), ({"k": 1}, ["k"])],
    )
    def test_flatten(self, value, expected):
        assert list(flatten(value)) == expected

    def test_interleave(self):
        assert list(interleave([1, 2, 3], "a", [])) == [1, "a", 2, 3]

    def test_interleave_generators(self):
        def numbers():
            yield 1
            yield 2

        assert "".join(map(str, interleave(numbers(), numbers()))) == "1122"


class TestCountdown:
    def test_protocol(self):
        countdown = Countdown(3)
        assert list(countdown) == [3, 2, 1]
        assert list(countdown) == [3, 2, 1]
        assert list(reversed(countdown)) == [1, 2, 3]
        assert len(countdown) == 3
        assert 2 in countdown
        assert 0 not in countdown

    def test_unpacking(self):
        first, *rest = Countdown(4)
        assert first == 4
        assert rest == [3, 2, 1]
`,
    leaning: ['test_pipe'],
    breaks: [
      `    if size < 1:
        raise ValueError("size must be at least 1")
    iterator = iter(iterable)
    return iter(lambda: list(itertools.islice(iterator, size)), [])`,
      `    if size < 1:
        raise ValueError("size must be at least 1")
    items = list(itertools.islice(iterable, 1000))
    return iter([items[i : i + size] for i in range(0, len(items), size)])`,
    ],
  },
  {
    id: 'text-package',
    artifact: {
      'textkit/__init__.py': `
from .table import Align, Column, Table
from .template import Template, TemplateError, UndefinedName, filters
from .wrap import dedent, indent, slugify, truncate, wrap

__version__ = "1.2.0"
`,
      'textkit/table.py': `
from __future__ import annotations

import enum
import io
from dataclasses import dataclass
from typing import Any, Callable


class Align(enum.Enum):
    LEFT = "<"
    RIGHT = ">"
    CENTER = "^"

    def apply(self, text: str, width: int) -> str:
        return f"{text:{self.value}{width}}"


@dataclass
class Column:
    title: str
    align: Align = Align.LEFT
    format: Callable[[Any], str] = str

    def render(self, value: Any) -> str:
        return "-" if value is None else self.format(value)


class Table:
    def __init__(self, *columns: Column | str) -> None:
        self.columns = [c if isinstance(c, Column) else Column(c) for c in columns]
        self.rows: list[tuple] = []

    def add(self, *values: Any) -> "Table":
        if len(values) != len(self.columns):
            raise ValueError(f"expected {len(self.columns)} values, got {len(values)}")
        self.rows.append(values)
        return self

    def sort(self, key: Callable[[tuple], Any], reverse: bool = False) -> None:
        self.rows.sort(key=key, reverse=reverse)

    def widths(self) -> list[int]:
        cells = [[c.title for c in self.columns], *self._cells()]
        return [max(map(len, column)) for column in zip(*cells)]

    def _cells(self):
        return [[c.render(v) for c, v in zip(self.columns, row)] for row in self.rows]

    def write(self, stream) -> None:
        widths = self.widths()
        header = [c.title for c in self.columns]
        for n, cells in enumerate([header, *self._cells()]):
            line = " | ".join(c.align.apply(text, w) for c, text, w in zip(self.columns, cells, widths))
            stream.write(line.rstrip() + "\\n")
            if n == 0:
                stream.write("-+-".join("-" * w for w in widths) + "\\n")

    def __str__(self) -> str:
        stream = io.StringIO()
        self.write(stream)
        return stream.getvalue()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self):
        names = [c.title.lower() for c in self.columns]
        return (dict(zip(names, row)) for row in self.rows)
`,
      'textkit/template.py': `
import re
from collections import ChainMap

filters = {"upper": str.upper, "title": str.title, "length": len}


class TemplateError(Exception):
    def __init__(self, message, line=None):
        super().__init__(message)
        self.line = line

    def __str__(self):
        message = super().__str__()
        return message if self.line is None else f"line {self.line}: {message}"


class UndefinedName(TemplateError, NameError):
    pass


class Template:
    _tag = re.compile(r"\\{\\{\\s*(.*?)\\s*\\}\\}")

    def __init__(self, source, **defaults):
        self.source = source
        self.defaults = defaults
        if source.count("{{") != source.count("}}"):
            raise TemplateError("unbalanced braces", line=source[: source.rfind("{{")].count("\\n") + 1)

    @classmethod
    def from_file(cls, path, **defaults):
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), **defaults)

    @property
    def names(self):
        return {expression.split("|")[0].split(".")[0].strip() for expression in self._tag.findall(self.source)}

    def resolve(self, expression, scope, line):
        path, *pipes = [part.strip() for part in expression.split("|")]
        name, *attributes = path.split(".")
        if name not in scope:
            raise UndefinedName(f"{name!r} is undefined", line)
        value = scope[name]
        for attribute in attributes:
            value = value[attribute] if isinstance(value, dict) else getattr(value, attribute)
        for pipe in pipes:
            if pipe not in filters:
                raise TemplateError(f"unknown filter {pipe!r}", line)
            value = filters[pipe](value)
        return value

    def render(self, context=None, **names):
        scope = ChainMap(names, context or {}, self.defaults)

        def replace(match):
            line = self.source.count("\\n", 0, match.start()) + 1
            return str(self.resolve(match[1], scope, line))

        return self._tag.sub(replace, self.source)
`,
      'textkit/wrap.py': `
import re
import unicodedata


def wrap(text, width=70, *, indent="", subsequent=None):
    if width <= 0:
        raise ValueError(f"invalid width {width!r} (must be > 0)")
    subsequent = indent if subsequent is None else subsequent
    lines, line = [], indent
    start = True
    for word in text.split():
        candidate = line + word if start else f"{line} {word}"
        if len(candidate) <= width or start:
            line, start = candidate, False
        else:
            lines.append(line)
            line = subsequent + word
    if not start:
        lines.append(line)
    return lines


def indent(text, prefix="  ", predicate=None):
    predicate = predicate or str.strip
    return "".join(prefix + line if predicate(line) else line for line in text.splitlines(keepends=True))


def dedent(text):
    lines = text.splitlines()
    margins = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\\n".join(line[margin:] for line in lines)


def truncate(text, length, ellipsis="…"):
    if len(text) <= length:
        return text
    return text[: max(0, length - len(ellipsis))].rstrip() + ellipsis


def slugify(text, separator="-"):
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return separator.join(re.findall(r"[a-z0-9]+", text.lower()))
`,
    },
    tests: `
import io
from types import SimpleNamespace

import pytest

import textkit
from textkit import (
    Align, Column, Table, Template, TemplateError, UndefinedName, dedent, filters, indent, slugify, truncate, wrap,
)

LOREM = "The quick brown fox jumps over the lazy dog"


def test_version():
    assert tuple(map(int, textkit.__version__.split("."))) >= (1, 2)


class TestWrap:
    def test_wraps(self):
        assert wrap(LOREM, 15) == ["The quick brown", "fox jumps over", "the lazy dog"]

    def test_long_word_is_kept(self):
        assert wrap("a incomprehensibilities b", 5) == ["a", "incomprehensibilities", "b"]

    def test_indent(self):
        assert wrap("one two three", 9, indent="* ", subsequent="  ") == ["* one two", "  three"]

    @pytest.mark.parametrize("text", ["", "   ", "\\n\\t"])
    def test_blank(self, text):
        assert wrap(text) == []

    @pytest.mark.parametrize("width", range(5, 40, 7))
    def test_width_is_respected(self, width):
        lines = wrap(LOREM, width)
        assert all(len(line) <= width for line in lines)
        assert " ".join(lines) == LOREM

    def test_invalid_width(self):
        with pytest.raises(ValueError, match=r"invalid width 0 \\(must be > 0\\)"):
            wrap(LOREM, 0)


class TestHelpers:
    def test_indent_skips_blank_lines(self):
        assert indent("a\\n\\nb\\n") == "  a\\n\\n  b\\n"
        assert indent("a\\n\\nb", "> ", predicate=lambda line: True) == "> a\\n> \\n> b"

    def test_dedent(self):
        assert dedent("    a\\n      b\\n\\n    c") == "a\\n  b\\n\\nc"

    @pytest.mark.parametrize(
        "text, length, expected",
        [("hello", 10, "hello"), ("hello", 5, "hello"), ("hello world", 7, "hello…"), ("abc", 0, "…")],
    )
    def test_truncate(self, text, length, expected):
        assert truncate(text, length) == expected

    @pytest.mark.parametrize(
        "text, expected",
        [("Hello, World!", "hello-world"), ("Crème brûlée", "creme-brulee"), ("  ", ""), ("a--b", "a-b")],
    )
    def test_slugify(self, text, expected):
        assert slugify(text) == expected

    def test_slug_separator(self):
        assert slugify("A b c", separator="_") == "a_b_c"


class TestTable:
    @pytest.fixture
    def table(self):
        table = Table("Name", Column("Price", Align.RIGHT, "{:.2f}".format))
        table.add("Tea", 2.5).add("Coffee", 13)
        return table

    def test_text(self, table):
        assert str(table) == (
            "Name   | Price\\n"
            "-------+------\\n"
            "Tea    |  2.50\\n"
            "Coffee | 13.00\\n"
        )

    def test_none_is_a_dash(self, table):
        table.add("Water", None)
        assert str(table).splitlines()[-1] == "Water  |     -"

    def test_write(self, table):
        out = io.StringIO()
        table.write(out)
        assert out.getvalue() == str(table)

    def test_wrong_number_of_values(self, table):
        with pytest.raises(ValueError, match="expected 2 values, got 1"):
            table.add("x")
        assert len(table) == 2

    def test_sort(self, table):
        table.sort(key=lambda row: row[1], reverse=True)
        assert [row["name"] for row in table] == ["Coffee", "Tea"]

    def test_iteration(self, table):
        assert list(table) == [{"name": "Tea", "price": 2.5}, {"name": "Coffee", "price": 13}]

    def test_columns(self, table):
        first, second = table.columns
        assert first == Column("Name")
        assert second.align is Align.RIGHT
        assert second.render(3) == "3.00"
        assert table.widths() == [6, 5]

    @pytest.mark.parametrize("align, expected", [(Align.LEFT, "a  "), (Align.RIGHT, "  a"), (Align.CENTER, " a ")])
    def test_align(self, align, expected):
        assert align.apply("a", 3) == expected


class TestTemplate:
    def test_render(self):
        assert Template("Hello {{ name }}!").render(name="Ada") == "Hello Ada!"

    def test_context_and_defaults(self):
        template = Template("{{a}}{{b}}{{c}}", a=1, b=1, c=1)
        assert template.render({"b": 2, "c": 2}, c=3) == "123"

    def test_attributes(self):
        user = SimpleNamespace(name="ada", address={"city": "London"})
        assert Template("{{ user.name|title }} in {{ user.address.city }}").render(user=user) == "Ada in London"

    def test_names(self):
        assert Template("{{ a.b }} {{ c | upper }}").names == {"a", "c"}

    def test_undefined(self):
        with pytest.raises(UndefinedName) as info:
            Template("ok\\n{{ missing }}").render()
        assert info.value.line == 2
        assert str(info.value) == "line 2: 'missing' is undefined"
        assert isinstance(info.value, NameError)

    def test_unknown_filter(self):
        with pytest.raises(TemplateError, match="unknown filter 'nope'"):
            Template("{{ x|nope }}").render(x=1)

    def test_unbalanced(self):
        with pytest.raises(TemplateError, match="^line 1: unbalanced braces$"):
            Template("{{ x")

    def test_custom_filter(self, monkeypatch):
        monkeypatch.setitem(filters, "shout", lambda value: value.upper() + "!")
        assert Template("{{ x | shout }}").render(x="hi") == "HI!"

    def test_filter_is_removed_again(self):
        assert "shout" not in filters

    def test_from_file(self, tmp_path):
        path = tmp_path / "greeting.txt"
        path.write_text("Grüße, {{ who }}", encoding="utf-8")
        template = Template.from_file(path, who="all")
        assert template.render() == "Grüße, all"
        assert template.defaults == {"who": "all"}

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            Template.from_file(tmp_path / "nope")
`,
    breaks: [`if len(candidate) <= width or start:`, `if len(candidate) < width or start:`],
  },
];
