import type { FidelityCase } from './fidelity-case.ts';

/** Data classes, enumerations, collections and objects with parts that tests read and change: correct programs with ordinary tests. */
export const fidelityContainers: readonly FidelityCase[] = [
  {
    id: 'data-classes',
    artifact: `
from __future__ import annotations
from dataclasses import dataclass, field, asdict, replace, astuple, InitVar
from typing import ClassVar, Optional
import functools
@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    patch: int = 0
    @classmethod
    def parse(cls, s): return cls(*map(int, s.split(".")))
    def bump(self, part="patch"):
        if part == "major": return Version(self.major + 1)
        if part == "minor": return replace(self, minor=self.minor + 1, patch=0)
        return replace(self, patch=self.patch + 1)
    def __str__(self): return f"{self.major}.{self.minor}.{self.patch}"
@dataclass
class Item:
    name: str
    price: float
    tags: list[str] = field(default_factory=list)
    qty: int = field(default=1, compare=False)
    count: ClassVar[int] = 0
    _cache: dict = field(default_factory=dict, repr=False, init=False, compare=False)
    def __post_init__(self):
        if self.price < 0: raise ValueError("negative price")
        Item.count += 1
    @property
    def total(self): return self.price * self.qty
@dataclass
class Order:
    items: list[Item]
    customer: Optional[str] = None
    discount: InitVar[float] = 0
    def __post_init__(self, discount): self.rate = 1 - discount
    @functools.cached_property
    def total(self): return sum(i.total for i in self.items) * self.rate
    def add(self, item): self.items.append(item); return self
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __getitem__(self, i): return self.items[i]
@dataclass(slots=True) if __import__("sys").version_info >= (3, 10) else dataclass
class Slot:
    x: int
    y: int = 2
`,
    tests: `
import dataclasses, pytest, copy, pickle
from dataclasses import asdict, astuple, replace, FrozenInstanceError, is_dataclass, fields
from solution import Version, Item, Order, Slot
def test_eq(): assert Version(1, 2) == Version(1, 2, 0) and Version(1) != Version(2)
def test_order(): assert Version(1, 2) < Version(1, 10) and sorted([Version(2), Version(1, 5), Version(1)]) == [Version(1), Version(1, 5), Version(2)]
def test_max(): assert max(Version(1), Version(0, 9)) == Version(1)
def test_parse(): assert Version.parse("1.2.3") == Version(major=1, minor=2, patch=3)
def test_bump(): v = Version(1, 2, 3); assert v.bump() == Version(1, 2, 4) and str(v.bump("minor")) == "1.3.0" and v.bump("major") == Version(2)
def test_frozen():
    with pytest.raises(FrozenInstanceError): Version(1).major = 3
def test_frozen_attr():
    with pytest.raises(AttributeError): Version(1).major = 3
def test_hash(): assert len({Version(1), Version(1), Version(2)}) == 2 and {Version(1): "a"}[Version(1)] == "a"
def test_repr(): assert repr(Version(1)) == "Version(major=1, minor=0, patch=0)"
def test_item(): i = Item("x", 2.5, qty=4); assert i.total == 10 and i.tags == [] and i == Item("x", 2.5)
def test_item_repr(): assert repr(Item("x", 1.0)) == "Item(name='x', price=1.0, tags=[], qty=1)"
def test_neg():
    with pytest.raises(ValueError, match="negative"): Item("x", -1)
def test_default_factory(): a, b = Item("a", 1), Item("b", 1); a.tags.append("t"); assert b.tags == [] and a.tags == ["t"]
def test_asdict(): assert asdict(Version(1, 2)) == {"major": 1, "minor": 2, "patch": 0}
def test_nested_asdict(): assert asdict(Order([Item("a", 1.0)], "me"))["items"][0]["name"] == "a"
def test_astuple(): assert astuple(Version(3)) == (3, 0, 0)
def test_replace(): assert replace(Version(1), minor=9) == Version(1, 9)
def test_is(): assert is_dataclass(Version) and [f.name for f in fields(Version)] == ["major", "minor", "patch"]
def test_order_total(): assert Order([Item("a", 10.0, qty=2)], discount=0.5).total == 10.0
def test_order_add(): o = Order([]); assert o.add(Item("a", 1)).add(Item("b", 2)) is o and len(o) == 2 and [i.name for i in o] == ["a", "b"] and o[-1].name == "b"
def test_order_eq(): assert Order([Item("a", 1)]) == Order([Item("a", 1)])
def test_count(): n = Item.count; Item("q", 1); assert Item.count == n + 1
def test_mutable(): i = Item("a", 1); i.price = 3; i.qty += 1; assert i.total == 6
def test_slot(): s = Slot(1); s.x = 5; assert (s.x, s.y) == (5, 2) and s == Slot(5, 2)
def test_copy(): a = Item("a", 1, ["t"]); b = copy.deepcopy(a); b.tags.append("u"); assert a.tags == ["t"] and b.tags == ["t", "u"]
def test_getattr(): assert [getattr(Version(1, 2, 3), f) for f in ("major", "minor", "patch")] == [1, 2, 3] and hasattr(Version(1), "bump") and not hasattr(Version(1), "nope")
`,
  },
  {
    id: 'enumerations',
    artifact: `
from enum import Enum, IntEnum, Flag, auto, unique, IntFlag
@unique
class Color(Enum):
    RED = "#f00"
    GREEN = "#0f0"
    @property
    def rgb(self): return tuple(int(c * 2, 16) for c in self.value[1:])
    @classmethod
    def from_hex(cls, h):
        for c in cls:
            if c.value == h: return c
        raise ValueError(h)
    def __str__(self): return self.name.lower()
class Level(IntEnum):
    LOW = 1
    MID = 5
    HIGH = 10
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
class State(Enum):
    NEW = auto()
    OPEN = auto()
    DONE = auto()
    def next(self): order = list(State); return order[min(order.index(self) + 1, len(order) - 1)]
    @property
    def final(self): return self is State.DONE
class Shape(str, Enum):
    SQUARE = "square"
    ROUND = "round"
class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.4e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def gravity(self): return 6.67e-11 * self.mass / self.radius ** 2
def classify(n): return Level.HIGH if n >= 10 else Level.MID if n >= 5 else Level.LOW
def allowed(p): return [x for x in (Perm.R, Perm.W, Perm.X) if x & p]
TRANSITIONS = {State.NEW: {State.OPEN}, State.OPEN: {State.DONE}}
`,
    tests: `
import pytest
from solution import Color, Level, Perm, State, Shape, Planet, classify, allowed, TRANSITIONS
def test_members(): assert [c.name for c in Color] == ["RED", "GREEN"] and len(Color) == 2
def test_value(): assert Color("#f00") is Color.RED and Color["GREEN"] is Color.GREEN and Color.RED.value == "#f00"
def test_bad():
    with pytest.raises(ValueError): Color("x")
    with pytest.raises(KeyError): Color["BLUE"]
def test_rgb(): assert Color.RED.rgb == (255, 0, 0)
def test_from(): assert Color.from_hex("#0f0") is Color.GREEN
def test_str(): assert str(Color.RED) == "red" and f"{Color.RED}" == "red" and repr(Color.RED) == "<Color.RED: '#f00'>"
def test_in(): assert Color.RED in Color and Color.RED in {Color.RED, Color.GREEN}
def test_int(): assert classify(7) == 5 and classify(7) is Level.MID and classify(99) > Level.MID and Level.LOW + 1 == 2 and sorted([Level.HIGH, Level.LOW]) == [1, 10]
def test_int_name(): assert classify(0).name == "LOW" and max(Level) is Level.HIGH
def test_flag(): assert allowed(Perm.RW) == [Perm.R, Perm.W] and Perm.R in Perm.RW and (Perm.R | Perm.X) & Perm.X and not Perm.R & Perm.W
def test_flag_none(): assert allowed(Perm(0)) == []
def test_flag_value(): assert (Perm.R | Perm.W) == Perm.RW and Perm.RW.value == 3
def test_state(): assert State.NEW.next() is State.OPEN and State.DONE.next() is State.DONE and State.DONE.final and not State.NEW.final
def test_state_list(): assert list(State) == [State.NEW, State.OPEN, State.DONE]
def test_transitions(): assert TRANSITIONS[State.NEW] == {State.OPEN} and State.DONE not in TRANSITIONS
def test_shape(): assert Shape.ROUND == "round" and Shape("square") is Shape.SQUARE and Shape.ROUND.upper() == "ROUND" and "x-" + Shape.ROUND == "x-round"
def test_planet(): assert Planet.EARTH.gravity == pytest.approx(9.81, abs=0.05) and Planet.MARS.mass < Planet.EARTH.mass

@pytest.mark.parametrize("s,final", [(State.NEW, False), (State.DONE, True)])
def test_final(s, final): assert s.final is final
def test_iter_names(): assert {s.name: s.value for s in State} == {"NEW": 1, "OPEN": 2, "DONE": 3} and "RED" in Color.__members__
def test_dict_key(): d = {Color.RED: 1}; assert d[Color.RED] == 1 and d.get(Color.GREEN) is None
def test_cmp():
    with pytest.raises(TypeError): Color.RED < Color.GREEN
`,
  },
  {
    id: 'collections-of-its-own',
    artifact: `
from collections import OrderedDict, Counter, deque, ChainMap, UserDict, UserList, namedtuple, defaultdict
from collections.abc import MutableMapping, Sequence
Point = namedtuple("Point", ["x", "y"], defaults=[0])
class LRU(OrderedDict):
    def __init__(self, n): super().__init__(); self.n = n
    def __setitem__(self, k, v):
        super().__setitem__(k, v); self.move_to_end(k)
        if len(self) > self.n: self.popitem(last=False)
class CaseDict(MutableMapping):
    def __init__(self, *a, **k): self.d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self.d[k.lower()]
    def __setitem__(self, k, v): self.d[k.lower()] = v
    def __delitem__(self, k): del self.d[k.lower()]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
class Bag(UserList):
    def total(self): return sum(self.data)
class Attr(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
class Stack:
    def __init__(self, it=()): self._d = list(it)
    def push(self, x): self._d.append(x)
    def pop(self):
        if not self._d: raise IndexError("pop from empty stack")
        return self._d.pop()
    def peek(self): return self._d[-1] if self._d else None
    def __len__(self): return len(self._d)
    def __iter__(self): return reversed(self._d)
    def __repr__(self): return f"Stack({self._d})"
class Node:
    def __init__(self, value, next=None): self.value, self.next = value, next
class Linked:
    def __init__(self, *xs):
        self.head = None
        for x in reversed(xs): self.head = Node(x, self.head)
    def __iter__(self):
        n = self.head
        while n: yield n.value; n = n.next
    def reverse(self):
        prev, n = None, self.head
        while n: n.next, prev, n = prev, n, n.next
        self.head = prev; return self
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, list(kids)
    def walk(self):
        yield self.v
        for k in self.kids: yield from k.walk()
    @property
    def depth(self): return 1 + max((k.depth for k in self.kids), default=0)
def top(words, n): return Counter(words).most_common(n)
def group(xs, key):
    d = defaultdict(list)
    for x in xs: d[key(x)].append(x)
    return d
def merge(*ds): return dict(ChainMap(*reversed(ds)))
def last(n, xs): return deque(xs, maxlen=n)
def mid(a, b): return Point((a.x + b.x) / 2, (a.y + b.y) / 2)
`,
    tests: `
import pytest
from collections import Counter, deque, OrderedDict
from solution import Point, LRU, CaseDict, Bag, Attr, Stack, Linked, Node, Tree, top, group, merge, last, mid
def test_point(): p = Point(1); assert p == (1, 0) and p.x == 1 and p._replace(y=5) == Point(1, 5) and p._asdict() == {"x": 1, "y": 0}
def test_unpack(): x, y = Point(3, 4); assert x + y == 7 and Point._fields == ("x", "y")
def test_mid(): assert mid(Point(0, 0), Point(2, 4)) == Point(1, 2)
def test_lru():
    c = LRU(2); c["a"] = 1; c["b"] = 2; c["a"] = 3; c["c"] = 4
    assert list(c) == ["a", "c"] and "b" not in c and len(c) == 2 and c["a"] == 3
def test_case():
    d = CaseDict(A=1); d["Bc"] = 2
    assert d["a"] == 1 and d["BC"] == 2 and "bC" in d and len(d) == 2 and dict(d) == {"a": 1, "bc": 2} and d.get("zz") is None and d.pop("a") == 1
    del d["bc"]; assert not d and list(d.items()) == []
    with pytest.raises(KeyError): d["nope"]
def test_bag(): b = Bag([1, 2]); b.append(3); assert b.total() == 6 and b == [1, 2, 3] and b[0] == 1 and len(b) == 3
def test_attr(): a = Attr(x=1); a.y = 2; assert a.x == 1 and a["y"] == 2 and a == {"x": 1, "y": 2}
def test_stack():
    s = Stack(); s.push(1); s.push(2)
    assert len(s) == 2 and s.peek() == 2 and list(s) == [2, 1] and s.pop() == 2 and repr(s) == "Stack([1])"
    s.pop(); assert not s
    with pytest.raises(IndexError, match="empty"): s.pop()
def test_linked(): l = Linked(1, 2, 3); assert list(l) == [1, 2, 3] and list(l.reverse()) == [3, 2, 1] and l.head.value == 3 and l.head.next.value == 2 and l.head.next.next.next is None
def test_tree(): t = Tree(1, Tree(2, Tree(3)), Tree(4)); assert list(t.walk()) == [1, 2, 3, 4] and t.depth == 3 and t.kids[0].v == 2
def test_top(): assert top("aabbbc", 2) == [("b", 3), ("a", 2)]
def test_group(): assert group([1, 2, 3], lambda x: x % 2) == {1: [1, 3], 0: [2]} and dict(group([], len)) == {}
def test_merge(): assert merge({"a": 1}, {"a": 2, "b": 3}) == {"a": 2, "b": 3}
def test_last(): d = last(2, [1, 2, 3]); assert d == deque([2, 3]) and list(d) == [2, 3] and d.maxlen == 2
`,
  },
  {
    id: 'states-and-events',
    artifact: `
class Machine:
    def __init__(self, start): self.state = start; self.table = {}; self.listeners = []
    def on(self, state, event, to): self.table[state, event] = to; return self
    def listen(self, f): self.listeners.append(f); return lambda: self.listeners.remove(f)
    def fire(self, event, *args):
        try: to = self.table[self.state, event]
        except KeyError: raise InvalidTransition(self.state, event) from None
        old, self.state = self.state, to
        for f in list(self.listeners): f(old, to, *args)
        return self
    def can(self, event): return (self.state, event) in self.table
class InvalidTransition(Exception):
    def __init__(self, state, event): super().__init__(f"{event!r} in {state!r}"); self.state, self.event = state, event
class Events:
    def __init__(self): self._h = {}
    def on(self, name, f=None):
        if f is None: return lambda g: self.on(name, g)
        self._h.setdefault(name, []).append(f); return f
    def emit(self, name, *a, **k): return [f(*a, **k) for f in self._h.get(name, [])]
class Observable:
    def __init__(self, v): self._v, self.subs = v, []
    def get(self): return self._v
    def set(self, v):
        old, self._v = self._v, v
        if old != v:
            for s in self.subs: s(v)
    value = property(get, set)
    def map(self, f):
        o = Observable(f(self._v)); self.subs.append(lambda v: o.set(f(v))); return o
`,
    tests: `
import pytest
from solution import Machine, InvalidTransition, Events, Observable
@pytest.fixture
def door(): return Machine("closed").on("closed", "open", "opened").on("opened", "close", "closed")
def test_fire(door): assert door.fire("open").state == "opened"
def test_can(door): assert door.can("open") and not door.can("close")
def test_bad(door):
    with pytest.raises(InvalidTransition) as e: door.fire("close")
    assert e.value.state == "closed" and e.value.event == "close" and str(e.value) == "'close' in 'closed'" and e.value.__cause__ is None
def test_listen(door):
    seen = []; off = door.listen(lambda *a: seen.append(a)); door.fire("open", 1); off(); door.fire("close")
    assert seen == [("closed", "opened", 1)]
def test_events():
    e = Events(); got = []
    @e.on("x")
    def handler(a, b=2): got.append((a, b)); return a
    assert e.emit("x", 1) == [1] and e.emit("x", 5, b=6) == [5] and got == [(1, 2), (5, 6)] and e.emit("none") == []
def test_observable():
    o = Observable(1); d = o.map(lambda x: x * 2); seen = []; d.subs.append(seen.append)
    o.value = 5; o.value = 5
    assert d.get() == 10 and d.value == 10 and seen == [10]
`,
  },
  {
    id: 'types-and-properties',
    artifact: `
from __future__ import annotations
import typing as t
T = t.TypeVar("T")
class Result(t.Generic[T]):
    def __init__(self, value: T | None = None, error: str | None = None): self.value, self.error = value, error
    @property
    def ok(self) -> bool: return self.error is None
    def unwrap(self) -> T:
        if self.error is not None: raise RuntimeError(self.error)
        return self.value
    def map(self, f): return Result(f(self.value)) if self.ok else self
    def __repr__(self): return f"Ok({self.value!r})" if self.ok else f"Err({self.error!r})"
class User(t.TypedDict):
    name: str
    age: int
class Pair(t.NamedTuple):
    left: int
    right: int = 0
    def swap(self): return Pair(self.right, self.left)
    @property
    def sum(self): return self.left + self.right
def parse(s: str) -> Result[int]:
    try: return Result(int(s))
    except ValueError: return Result(error=f"not a number: {s}")
def user(name: str, age: int) -> User: return {"name": name, "age": age}
def pair(a, b): return Pair(a, b)
def first(xs: t.Iterable[T], default: t.Optional[T] = None) -> t.Optional[T]: return next(iter(xs), default)
class Builder:
    def __init__(self): self.parts = {}
    def set(self, k, v): self.parts[k] = v; return self
    def build(self): return dict(self.parts)
class Singleton:
    _i = None
    def __new__(cls): cls._i = cls._i or super().__new__(cls); return cls._i
class Lazy:
    def __getattr__(self, n):
        if n.startswith("get_"): return lambda: n[4:]
        raise AttributeError(n)
class Temp:
    def __init__(self, c): self.c = c
    @property
    def f(self): return self.c * 9 / 5 + 32
    @f.setter
    def f(self, v): self.c = (v - 32) * 5 / 9
    @f.deleter
    def f(self): self.c = 0
`,
    tests: `
import pytest, typing
from solution import Result, parse, user, pair, Pair, first, Builder, Singleton, Lazy, Temp
def test_ok(): r = parse("4"); assert r.ok and r.value == 4 and r.unwrap() == 4 and r.error is None
def test_err():
    r = parse("x"); assert not r.ok and r.error == "not a number: x"
    with pytest.raises(RuntimeError): r.unwrap()
def test_map(): assert parse("4").map(lambda x: x + 1).value == 5 and parse("q").map(str).ok is False
def test_repr(): assert repr(parse("1")) == "Ok(1)" and str(parse("a")) == "Err('not a number: a')"
def test_isinstance(): assert isinstance(parse("1"), Result)
def test_user(): assert user("a", 1) == {"name": "a", "age": 1} and user("b", 2)["age"] == 2
def test_pair(): p = pair(1, 2); assert p == (1, 2) and p.swap() == Pair(2, 1) and p.sum == 3 and isinstance(p, tuple) and p[0] == 1
def test_first(): assert first([3]) == 3 and first([]) is None and first([], default=7) == 7
def test_builder(): assert Builder().set("a", 1).set("b", 2).build() == {"a": 1, "b": 2}
def test_singleton(): assert Singleton() is Singleton()
def test_lazy():
    assert Lazy().get_name() == "name"
    with pytest.raises(AttributeError): Lazy().other
def test_temp():
    t = Temp(100); assert t.f == 212; t.f = 32; assert t.c == 0; t.c = 5; del t.f; assert t.c == 0
def test_annotations(): assert parse.__name__ == "parse"
def test_callable(): assert callable(parse) and callable(Result)
`,
  },
];
