import type { WrongParts } from '../wrong-parts.ts';

/** Programs of which tests see whether containers that can change are the same one or another. */
export const containerCases: readonly WrongParts[] = [
  {
    id: 'containers that an answer holds more than once',
    artifact: `
import collections
import types
def grid(rows, columns): return [[0] * columns for _ in range(rows)]
def buckets(keys): return {key: [] for key in keys}
def two(): return [], []
def rows(): return {'x': {'n': 0}, 'y': {'n': 0}}
def sets(): return [set(), set()]
def by_key(): return [collections.defaultdict(list), collections.defaultdict(list)]
def queues(): return [collections.deque(), collections.deque()]
def bytes_of(): return [bytearray(b'a'), bytearray(b'a')]
def spaces(): return types.SimpleNamespace(one={'n': 0}, other={'n': 0})
Point = collections.namedtuple('Point', 'x tags')
def points(): return [Point(0, ['p']), Point(1, ['p'])]
def fail(): raise ValueError(['a'], ['a'])
def shared():
    both = []
    return [both, both]
class Board:
    def __init__(self, size): self.cells = [[0] * size for _ in range(size)]
    def set(self, row, column, value): self.cells[row][column] = value
    def sum(self): return sum(map(sum, self.cells))
class Linked:
    def __init__(self): self.rows = [[0, 0]] * 2
    def put(self, value): self.rows[0][0] = value
    def split(self): self.rows = [list(row) for row in self.rows]
    def sums(self): return [sum(row) for row in self.rows]
`,
    tests: `
import pytest
import solution as s
from solution import Board, Linked
def test_grid():
    found = s.grid(2, 3)
    found[0][0] = 1
    assert found == [[1, 0, 0], [0, 0, 0]]
def test_buckets():
    found = s.buckets(['a', 'b'])
    found['a'].append(1)
    assert found == {'a': [1], 'b': []}
def test_two():
    one, other = s.two()
    one.append(1)
    assert other == []
def test_rows():
    found = s.rows()
    found['x']['n'] = 5
    assert found['y']['n'] == 0
def test_sets():
    found = s.sets()
    found[0].add(1)
    assert found[1] == set()
def test_by_key():
    found = s.by_key()
    found[0]['k'].append(1)
    assert found[1] == {}
def test_queues():
    found = s.queues()
    found[0].append(1)
    assert len(found[1]) == 0
def test_bytes():
    found = s.bytes_of()
    found[0] += b'b'
    assert found[1] == b'a'
def test_spaces():
    found = s.spaces()
    found.one['n'] = 1
    assert found.other == {'n': 0}
def test_points():
    found = s.points()
    found[0].tags.append(1)
    assert found[1].tags == ['p']
def test_error():
    with pytest.raises(ValueError) as caught: s.fail()
    caught.value.args[0].append(1)
    assert caught.value.args[1] == ['a']
def test_shared():
    found = s.shared()
    found[0].append(1)
    assert found == [[1], [1]] and found[0] is found[1]
def test_board():
    board = Board(2)
    board.cells[0][0] = 1
    assert board.cells == [[1, 0], [0, 0]] and board.sum() == 1
def test_board_set():
    board = Board(2)
    cells = board.cells
    board.set(0, 0, 1)
    assert cells == [[1, 0], [0, 0]]
def test_linked():
    linked = Linked()
    linked.rows[1][1] = 3
    assert linked.sums() == [3, 3]
    linked.put(4)
    assert linked.rows == [[4, 3], [4, 3]] and linked.rows[0] is linked.rows[1]
def test_linked_split():
    linked = Linked()
    rows = linked.rows
    linked.put(4)
    linked.split()
    linked.put(5)
    assert rows == [[4, 0], [4, 0]] and linked.rows == [[5, 0], [4, 0]]
`,
    wrong: [
      ['[[0] * columns for _ in range(rows)]', '[[0] * columns] * rows', 'test_grid'],
      ['{key: [] for key in keys}', 'dict.fromkeys(keys, [])', 'test_buckets'],
      ['return [], []', 'return ([],) * 2', 'test_two'],
      ["{'x': {'n': 0}, 'y': {'n': 0}}", "dict.fromkeys('xy', {'n': 0})", 'test_rows'],
      ['[set(), set()]', '[set()] * 2', 'test_sets'],
      [
        '[collections.defaultdict(list), collections.defaultdict(list)]',
        '[collections.defaultdict(list)] * 2',
        'test_by_key',
      ],
      ['[collections.deque(), collections.deque()]', '[collections.deque()] * 2', 'test_queues'],
      ["[bytearray(b'a'), bytearray(b'a')]", "[bytearray(b'a')] * 2", 'test_bytes'],
      [
        "types.SimpleNamespace(one={'n': 0}, other={'n': 0})",
        "types.SimpleNamespace(**dict.fromkeys(['one', 'other'], {'n': 0}))",
        'test_spaces',
      ],
      [
        "[Point(0, ['p']), Point(1, ['p'])]",
        "(lambda tags: [Point(0, tags), Point(1, tags)])(['p'])",
        'test_points',
      ],
      ["raise ValueError(['a'], ['a'])", "raise ValueError(*[['a']] * 2)", 'test_error'],
      ['[both, both]', '[both, list(both)]', 'test_shared'],
      ['[[0] * size for _ in range(size)]', '[[0] * size] * size', 'test_board'],
      ['[[0, 0]] * 2', '[[0, 0], [0, 0]]', 'test_linked'],
      ['[list(row) for row in self.rows]', 'list(self.rows)', 'test_linked_split'],
    ],
  },
  {
    id: 'containers of the test within what is its own',
    artifact: `
HELD = {}
def lowest(cart): return min(cart.items)
def lowest_of(function): return min(function())
def lowest_in(generator): return [min(each) for each in generator]
def longest(cart): return max(cart.by_name.values())
def names(cart): return sorted(cart.names())
def classes(kind): return len(kind.marks)
def holds(part): HELD['part'] = part
def held_items(): return sorted(HELD['part'].items)
def held_first(): return sorted(HELD['part'][0])
def held_long(): return sorted(HELD['part'])
def told(error): return sorted(error.items)
def add(cart, item):
    cart.items.append(item)
    cart.items.append(item + 1)
def fill(cart, call):
    items = cart.items
    items.append(4)
    call()
    items.append(5)
def nest(cart):
    row = [1]
    cart.items.append(row)
    row.append(2)
def sort_later(cart):
    items = cart.items
    yield len(items)
    yield len(items)
class Chart:
    data = ()
    def draw(self): return sorted(self.data)
`,
    tests: `
from dataclasses import dataclass
import solution as s
from solution import Chart
@dataclass
class Cart:
    items: list
class Basket:
    __slots__ = ('items', 'by_name')
    def __init__(self): self.items, self.by_name = [3, 1], {'a': 1, 'b': 2}
class Shelf:
    marks = ['x']
    def __init__(self): self._names = ['b', 'a']
    def names(self): return self._names
def test_object():
    cart = Cart([3, 1])
    assert s.lowest(cart) == 1
    assert cart.items == [3, 1]
def test_slots():
    basket = Basket()
    assert s.longest(basket) == 2
    assert basket.by_name == {'a': 1, 'b': 2}
def test_callback():
    data = [3, 1]
    assert s.lowest_of(lambda: data) == 1
    assert data == [3, 1]
def test_generator():
    data = [3, 1]
    assert s.lowest_in(each for each in [data]) == [1]
    assert data == [3, 1]
def test_method():
    shelf = Shelf()
    assert s.names(shelf) == ['a', 'b']
    assert shelf.names() == ['b', 'a']
def test_class():
    assert s.classes(Shelf) == 1
    assert Shelf.marks == ['x']
def test_held_object():
    cart = Cart([3, 1])
    s.holds(cart)
    assert s.held_items() == [1, 3]
    assert cart.items == [3, 1]
def test_held_tuple():
    data = [3, 1]
    s.holds((data,))
    assert s.held_first() == [1, 3]
    assert data == [3, 1]
def test_held_long():
    data = list(range(2000, 0, -1))
    s.holds(data)
    assert s.held_long()[0] == 1
    assert data[0] == 2000
def test_error():
    error = ValueError()
    error.items = [3, 1]
    assert s.told(error) == [1, 3]
    assert error.items == [3, 1]
def test_set_on_object():
    data = [3, 1]
    chart = Chart()
    chart.data = data
    assert chart.draw() == [1, 3]
    assert data == [3, 1]
def test_adds():
    cart = Cart([])
    items = cart.items
    s.add(cart, 1)
    assert cart.items == [1, 2] and items is cart.items
    items.append(7)
    s.add(cart, 3)
    assert cart.items == [1, 2, 7, 3, 4]
def test_fills():
    basket, seen = Basket(), []
    s.fill(basket, lambda: seen.append(list(basket.items)))
    assert seen == [[3, 1, 4]] and basket.items == [3, 1, 4, 5]
def test_nests():
    cart = Cart([])
    s.nest(cart)
    assert cart.items == [[1, 2]]
def test_later():
    cart = Cart([3, 1])
    counts = s.sort_later(cart)
    assert next(counts) == 2 and cart.items == [3, 1]
    assert next(counts) == 2 and cart.items == [3, 1]
`,
    wrong: [
      ['return min(cart.items)', 'return cart.items.sort() or cart.items[0]', 'test_object'],
      ['return max(cart.by_name.values())', "return cart.by_name.pop('b')", 'test_slots'],
      ['return min(function())', 'found = function(); found.sort(); return found[0]', 'test_callback'],
      [
        '[min(each) for each in generator]',
        '[each.sort() or each[0] for each in generator]',
        'test_generator',
      ],
      [
        'return sorted(cart.names())',
        'found = cart.names(); found.sort(); return list(found)',
        'test_method',
      ],
      ['return len(kind.marks)', "kind.marks.append('y'); return 1", 'test_class'],
      [
        "return sorted(HELD['part'].items)",
        "found = HELD['part'].items; found.sort(); return list(found)",
        'test_held_object',
      ],
      [
        "return sorted(HELD['part'][0])",
        "HELD['part'][0].sort(); return list(HELD['part'][0])",
        'test_held_tuple',
      ],
      [
        "def held_long(): return sorted(HELD['part'])",
        "def held_long(): HELD['part'].sort(); return list(HELD['part'])",
        'test_held_long',
      ],
      ['return sorted(error.items)', 'error.items.sort(); return list(error.items)', 'test_error'],
      ['return sorted(self.data)', 'self.data.sort(); return list(self.data)', 'test_set_on_object'],
      ['    cart.items.append(item + 1)', '    cart.items[-1:] = [item, item + 1, item]', 'test_adds'],
      ['    call()\n', '    items.pop(); call(); items.append(4)\n', 'test_fills'],
      ['    row.append(2)', '    row.append(3)', 'test_nests'],
      [
        '    yield len(items)\n    yield len(items)',
        '    yield len(items)\n    items.sort()\n    yield len(items)',
        'test_later',
      ],
    ],
  },
  {
    id: 'containers that functions of the test are given again',
    artifact: `
def subsets(items, call, path=()):
    if not items:
        call(list(path))
        return
    subsets(items[1:], call, path)
    subsets(items[1:], call, (*path, items[0]))
def counted(call):
    for index in range(2):
        row = {'n': index}
        call(row)
class Bus:
    def __init__(self): self.seen, self.call = [], None
    def on(self, call): self.call = call
    def put(self, item):
        self.seen.append(item)
        self.call(list(self.seen))
    def put_in(self, item):
        self.seen.append(item)
        self.call({'seen': list(self.seen)})
    def put_by_name(self, item):
        self.seen.append(item)
        self.call(seen=list(self.seen))
def keep(call):
    kept = []
    call(kept)
    kept.append(1)
    return len(kept)
def last(rows, call):
    for index in range(3):
        row = {'a': index}
        call(row)
        rows = [row['a'], *rows]
    return rows
def replace(rows): rows[0].append(1)
def many(call):
    for index in range(40): call([index])
`,
    tests: `
import solution as s
from solution import Bus
def test_subsets():
    got = []
    s.subsets([1, 2], got.append)
    assert got == [[], [2], [1], [1, 2]]
def test_counted():
    got = []
    s.counted(got.append)
    assert got == [{'n': 0}, {'n': 1}]
def test_bus():
    bus, got = Bus(), []
    bus.on(got.append)
    bus.put(1)
    bus.put(2)
    assert got == [[1], [1, 2]]
def test_bus_in():
    bus, got = Bus(), []
    bus.on(got.append)
    bus.put_in(1)
    bus.put_in(2)
    assert got == [{'seen': [1]}, {'seen': [1, 2]}]
def test_bus_by_name():
    bus, got = Bus(), []
    bus.on(lambda seen: got.append(seen))
    bus.put_by_name(1)
    bus.put_by_name(2)
    assert got == [[1], [1, 2]]
def test_keeps():
    got = []
    assert s.keep(got.append) == 1
    assert got == [[1]]
def test_changes():
    def double(row): row['a'] *= 2
    assert s.last([], double) == [4, 2, 0]
def test_replaces():
    row = []
    rows = [row, row]
    s.replace(rows)
    assert rows == [[1], [1]] and row == [1]
def test_many():
    got = []
    s.many(got.append)
    assert got == [[index] for index in range(40)]
`,
    wrong: [
      [
        'def subsets(items, call, path=()):\n    if not items:\n        call(list(path))',
        'def subsets(items, call, path=(), full=[]):\n    if not items:\n        full[:] = path or ()\n        call(full)',
        'test_subsets',
      ],
      [
        "    for index in range(2):\n        row = {'n': index}",
        "    row = {}\n    for index in range(2):\n        row['n'] = index",
        'test_counted',
      ],
      ['self.call(list(self.seen))', 'self.call(self.seen)', 'test_bus'],
      ["self.call({'seen': list(self.seen)})", "self.call({'seen': self.seen})", 'test_bus_in'],
      ['self.call(seen=list(self.seen))', 'self.call(seen=self.seen)', 'test_bus_by_name'],
      ['    call(kept)', '    call(list(kept))', 'test_keeps'],
      ['        call(row)\n        rows', '        call(dict(row))\n        rows', 'test_changes'],
      ['rows[0].append(1)', 'rows[0] = [*rows[0], 1]', 'test_replaces'],
      [
        '    for index in range(40): call([index])',
        '    row = []\n    for index in range(40):\n        row[:] = [index]\n        call(row)',
        'test_many',
      ],
    ],
  },
];
