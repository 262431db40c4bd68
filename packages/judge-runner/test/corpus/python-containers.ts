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
  {
    id: 'containers of the library that a test reads',
    artifact: `
import collections
class Box:
    def __init__(self):
        self.last, self.counts, self.order = collections.deque(['a'], maxlen=3), collections.Counter('ab'), collections.OrderedDict(a=1)
        self.groups, self.queues = collections.defaultdict(list, a=[1]), {'a': collections.deque([1])}
    def push(self, each):
        self.last.append(each)
        self.counts[each] += 1
        self.order[each] = 2
        self.groups[each].append(2)
    def clear(self): self.last.clear()
    def sizes(self): return [len(self.last), sum(self.counts.values()), len(self.order), len(self.groups), len(self.queues['a'])]
    def use(self, key): self.order.move_to_end(key)
    def queue(self): return self.last
def tally(words, into=None):
    into = collections.Counter() if into is None else into
    into.update(words)
    return into
def touch(order, key): order.move_to_end(key)
def freeze(groups): groups.default_factory = None
`,
    tests: `
import collections
import pytest
import solution
from solution import Box
def test_read():
    box = Box()
    assert list(box.last) == ['a'] and box.counts == {'a': 1, 'b': 1} and list(box.order) == ['a'] and box.groups == {'a': [1]}
    assert box.sizes() == [1, 2, 1, 1, 1]
    box.push('c')
    assert list(box.last) == ['a', 'c'] and box.counts['c'] == 1 and box.order['c'] == 2 and box.groups['c'] == [2]
    assert box.sizes() == [2, 3, 2, 2, 1]
def test_change():
    box = Box()
    box.last.append('x')
    box.counts['x'] += 5
    box.groups['x'].append(1)
    box.queues['a'].append(5)
    assert box.sizes() == [2, 7, 1, 2, 2]
def test_answer():
    box = Box()
    last = box.queue()
    box.push('b')
    assert list(last) == ['a', 'b'] and box.queue() is last and last.maxlen == 3
def test_order():
    box = Box()
    order = box.order
    box.push('b')
    box.use('a')
    assert list(order) == ['b', 'a']
def test_clear():
    box = Box()
    assert list(box.last) == ['a']
    box.clear()
    assert len(box.last) == 0 and box.sizes()[0] == 0
def test_tally():
    assert solution.tally(['a']) == {'a': 1}
    assert solution.tally(['b']) == {'b': 1}
def test_given_order():
    order = collections.OrderedDict(a=1, b=2)
    solution.touch(order, 'a')
    assert list(order) == ['b', 'a']
def test_frozen():
    groups = collections.defaultdict(list, a=[1])
    solution.freeze(groups)
    with pytest.raises(KeyError):
        groups['b']
`,
    wrong: [
      ['def clear(self): self.last.clear()', 'def clear(self): pass', 'test_clear'],
      ['into=None', 'into=collections.Counter()', 'test_tally'],
      ['return self.last', 'return self.last.copy()', 'test_answer'],
      ['def use(self, key): self.order.move_to_end(key)', 'def use(self, key): pass', 'test_order'],
      ['def touch(order, key): order.move_to_end(key)', 'def touch(order, key): pass', 'test_given_order'],
      ['groups.default_factory = None', 'pass', 'test_frozen'],
    ],
  },
  {
    id: 'containers within one that move and that are replaced',
    artifact: `
class Todo:
    def __init__(self): self.tasks, self.done, self.by_id = [], [], {}
    def add(self, number, urgency):
        self.tasks.append({'id': number, 'urgency': urgency, 'done': False, 'tags': []})
        self.by_id[number] = self.tasks[-1]
    def finish(self, number):
        for task in self.tasks:
            if task['id'] == number: task['done'] = True
    def rename(self, number, name):
        self.by_id[number]['name'] = name
    def tag(self, number, tag): self.by_id[number]['tags'].append(tag)
    def sort(self): self.tasks.sort(key=lambda task: task['urgency'])
    def pop(self):
        task = self.tasks.pop(0)
        task['popped'] = True
        return task
    def archive(self): self.done.append(self.tasks.pop(0))
    def all(self): return self.tasks
    def urgent(self): return [task for task in self.tasks if task['urgency'] < 4]
    def reset(self, number): self.tasks[number] = {'id': 0, 'urgency': 0, 'done': False, 'tags': []}
    def names(self): return [task.get('name') for task in self.tasks]
class Settings:
    def __init__(self): self.values = {'db': {'ports': [1]}, 'log': {'level': 1}}
    def set(self, key, value): self.values['db'][key] = value
    def reload(self): self.values['db'] = {'ports': [9]}
    def clear(self): self.values = {}
    def ports(self): return self.values['db']['ports']
def fixed(rows):
    for row in rows: row['ok'] = True
    return rows
`,
    tests: `
import solution
from solution import Settings, Todo
def todo():
    made = Todo()
    made.add(1, 5)
    made.add(2, 3)
    return made
def test_in_place():
    made = todo()
    first = made.tasks[0]
    made.finish(1)
    assert first['done'] is True
    first['id'] = 7
    assert made.tasks[0]['id'] == 7
def test_answered_in_place():
    made = todo()
    first = made.all()[1]
    made.tag(2, 'x')
    assert first['tags'] == ['x'] and made.tasks[1] is first
def test_sorted():
    made = todo()
    first = made.tasks[0]
    made.sort()
    assert first['id'] == 1 and made.tasks[1] is first
    first['tags'].append('x')
    assert [task['tags'] for task in made.tasks] == [[], ['x']]
def test_popped():
    made = todo()
    first, second = made.tasks
    assert made.pop() is first and first == {'id': 1, 'urgency': 5, 'done': False, 'tags': [], 'popped': True}
    assert second['id'] == 2 and made.tasks == [second]
    made.rename(1, 'a')
    assert first['name'] == 'a'
def test_popped_by_test():
    made = todo()
    first = made.tasks.pop(0)
    made.rename(1, 'a')
    assert first['name'] == 'a'
    first['name'] = 'b'
    made.tasks.append(first)
    assert made.names() == [None, 'b']
def test_moved():
    made = todo()
    first = made.tasks[0]
    made.archive()
    assert made.done[0] is first
    first['tags'].append('b')
    assert made.done[0]['tags'] == ['b'] and len(made.tasks) == 1
def test_part_of_another():
    made = todo()
    first = made.tasks[1]
    assert made.urgent()[0] is first
    first['name'] = 'a'
    assert made.names() == [None, 'a']
def test_replaced():
    made = todo()
    first = made.tasks[0]
    made.reset(0)
    assert first['id'] == 1 and made.tasks[0] is not first and made.tasks[0]['id'] == 0
def test_put_by_test():
    made = todo()
    task = {'id': 9, 'urgency': 9, 'done': False, 'tags': []}
    made.tasks.append(task)
    made.finish(9)
    assert task['done'] is True and made.tasks[2] is task
def test_swapped_by_test():
    made = todo()
    made.tasks[0] = dict(made.tasks[0])
    made.rename(1, 'a')
    assert made.names() == [None, None]
def test_settings():
    made = Settings()
    db, level = made.values['db'], made.values['log']
    made.set('name', 'x')
    assert db == {'ports': [1], 'name': 'x'} and level == {'level': 1}
    ports = made.ports()
    assert ports is db['ports']
def test_reloaded():
    made = Settings()
    ports = made.values['db']['ports']
    made.reload()
    assert ports == [1] and made.values['db']['ports'] == [9]
    ports.append(5)
    assert made.values['db'] == {'ports': [9]}
def test_cleared():
    made = Settings()
    values = made.values
    made.clear()
    assert values['log'] == {'level': 1} and made.values == {}
def test_given():
    rows = [{'n': 1}, {'n': 2}]
    first = rows[0]
    assert solution.fixed(rows) is rows
    assert first is rows[0] and first['ok'] is True
`,
    wrong: [
      [
        "if task['id'] == number: task['done'] = True",
        "if task['id'] == number: self.tasks[self.tasks.index(task)] = {**task, 'done': True}",
        'test_in_place',
      ],
      [
        "self.by_id[number]['tags'].append(tag)",
        "self.tasks[:] = [{**task, 'tags': [*task['tags'], tag]} if task['id'] == number else task for task in self.tasks]",
        'test_answered_in_place',
      ],
      [
        'self.tasks.sort(key=lambda task: task[',
        'self.tasks = sorted(map(dict, self.tasks), key=lambda task: task[',
        'test_sorted',
      ],
      ['return task\n', 'return dict(task)\n', 'test_popped'],
      ['self.done.append(self.tasks.pop(0))', 'self.done.append(dict(self.tasks.pop(0)))', 'test_moved'],
      ['return [task for task', 'return [dict(task) for task', 'test_part_of_another'],
      [
        "self.tasks[number] = {'id': 0, 'urgency': 0, 'done': False, 'tags': []}",
        "self.tasks[number].update({'id': 0, 'urgency': 0, 'done': False, 'tags': []})",
        'test_replaced',
      ],
      [
        "self.values['db'][key] = value",
        "self.values['db'] = {**self.values['db'], key: value}",
        'test_settings',
      ],
      ["self.values['db'] = {'ports': [9]}", "self.values['db']['ports'][:] = [9]", 'test_reloaded'],
      ['self.values = {}', 'self.values.clear()', 'test_cleared'],
      ["for row in rows: row['ok'] = True", "rows[:] = [{**row, 'ok': True} for row in rows]", 'test_given'],
    ],
  },
  {
    id: 'containers in tuples, named tuples and namespaces',
    artifact: `
import collections
import types
Snapshot = collections.namedtuple('Snapshot', 'items names')
class Form:
    def __init__(self): self._errors, self._items, self._range, self._space = {}, [], ([0], [9]), types.SimpleNamespace(log=[])
    def validate(self, data):
        self._errors['a'] = ['required']
        return not self._errors, {name: list(each) for name, each in self._errors.items()}
    def errors(self): return {name: list(each) for name, each in self._errors.items()}
    def live(self): return self._items, len(self._items)
    def add(self, each): self._items.append(each)
    def copied(self): return list(self._items), len(self._items)
    def snapshot(self): return Snapshot(list(self._items), ['a'])
    def space(self): return types.SimpleNamespace(items=list(self._items), log=self._space.log)
    def own_space(self): return self._space
    def log(self): return list(self._space.log)
    @property
    def limits(self): return tuple(map(list, self._range))
    def low(self): return self._range[0]
class Graph:
    def __init__(self): self._edges, self._undo = {'a': (1, ['x'])}, [('add', ['x'])]
    def edges(self): return {key: (weight, list(tags)) for key, (weight, tags) in self._edges.items()}
    def tags(self, key): return list(self._edges[key][1])
    def undo(self): return [(name, list(args)) for name, args in self._undo]
    def first_undo(self): return list(self._undo[0][1])
    def walk(self):
        for key in self._edges: yield key, list(self._edges[key][1])
_known = {}
def pair(n):
    if n not in _known: _known[n] = ([n], [n])
    return tuple(map(list, _known[n]))
def rows(n):
    for index in range(n):
        row = []
        row.append(index)
        yield index, row
def load(text): return Snapshot(text.split(), {})
def count(snapshot): return len(snapshot.items) + len(snapshot.names)
`,
    tests: `
import solution
from solution import Form, Graph, Snapshot
def test_errors():
    form = Form()
    ok, errors = form.validate({})
    errors['a'].append('z')
    assert not ok and form.errors() == {'a': ['required']}
def test_live():
    form = Form()
    items, count = form.live()
    form.add('a')
    assert items == ['a'] and count == 0
    items.append('b')
    assert form.live() == (['a', 'b'], 2) and form.live()[0] is items
def test_copied():
    form = Form()
    items, _ = form.copied()
    form.add('a')
    assert items == []
def test_named():
    form = Form()
    form.add('a')
    form.snapshot().items.append('z')
    assert form.live()[0] == ['a']
def test_space():
    form = Form()
    form.space().items.append('z')
    assert form.live()[0] == []
def test_own_space():
    form = Form()
    space = form.own_space()
    space.log.append('x')
    space.more = [1]
    assert form.log() == ['x'] and form.own_space() is space and form.own_space().more == [1]
    assert form.space().log is space.log
def test_property():
    form = Form()
    form.limits[0].append(5)
    assert form.low() == [0]
def test_values():
    graph = Graph()
    graph.edges()['a'][1].append('y')
    assert graph.tags('a') == ['x']
def test_items():
    graph = Graph()
    graph.undo()[0][1].append('y')
    assert graph.first_undo() == ['x']
def test_yielded():
    graph = Graph()
    for _, tags in graph.walk(): tags.append('y')
    assert graph.tags('a') == ['x']
def test_pair():
    solution.pair(1)[0].append(2)
    assert solution.pair(1) == ([1], [1])
def test_rows():
    assert list(solution.rows(3)) == [(0, [0]), (1, [1]), (2, [2])]
    found = [row for _, row in solution.rows(2)]
    found[0].append('x')
    assert found == [[0, 'x'], [1]]
def test_given_back():
    loaded = solution.load('a b')
    loaded.items.append('c')
    loaded.names['x'] = 1
    assert solution.count(loaded) == 4
`,
    wrong: [
      [
        'return not self._errors, {name: list(each) for name, each in self._errors.items()}',
        'return not self._errors, dict(self._errors)',
        'test_errors',
      ],
      ['return self._items, len(self._items)', 'return list(self._items), len(self._items)', 'test_live'],
      ['def copied(self): return list(self._items)', 'def copied(self): return self._items', 'test_copied'],
      ["Snapshot(list(self._items), ['a'])", "Snapshot(self._items, ['a'])", 'test_named'],
      ['SimpleNamespace(items=list(self._items)', 'SimpleNamespace(items=self._items', 'test_space'],
      ['return self._space\n', 'return types.SimpleNamespace(**vars(self._space))\n', 'test_own_space'],
      ['return tuple(map(list, self._range))', 'return self._range', 'test_property'],
      [
        '{key: (weight, list(tags)) for key, (weight, tags) in self._edges.items()}',
        'dict(self._edges)',
        'test_values',
      ],
      ['[(name, list(args)) for name, args in self._undo]', 'list(self._undo)', 'test_items'],
      ['yield key, list(self._edges[key][1])', 'yield key, self._edges[key][1]', 'test_yielded'],
      ['return tuple(map(list, _known[n]))', 'return _known[n]', 'test_pair'],
      [
        '        row = []\n        row.append(index)',
        '        row = rows.__dict__.setdefault("row", [])\n        row[:] = [index]',
        'test_rows',
      ],
      [
        'def load(text): return Snapshot(text.split(), {})',
        'def load(text): return Snapshot(tuple(text.split()), {})',
        'test_given_back',
      ],
    ],
  },
  {
    id: 'numbers and truth values in containers',
    artifact: `
class Flags:
    def __init__(self): self.flags, self.history, self.levels = {'n': 1}, [0, 1], [0.0]
    def enable(self, name): self.flags[name] = True
    def mark(self): self.history[0] = False
    def turn(self): self.levels[0] = -0.0
    def same(self): self.history[1] = 1
def normalized(rows):
    for row in rows: row['active'] = bool(row['active'])
def counted(row): row['n'] = int(row['n'])
class Holder:
    def __init__(self, row): self.row = row
    def fix(self): self.row['active'] = bool(self.row['active'])
`,
    tests: `
import json
import math
import solution
from solution import Flags, Holder
def test_true():
    made = Flags()
    flags = made.flags
    made.enable('n')
    assert flags['n'] is True
def test_false():
    made = Flags()
    history = made.history
    made.mark()
    assert history[0] is False
def test_sign():
    made = Flags()
    levels = made.levels
    made.turn()
    assert math.copysign(1, levels[0]) == -1
def test_number():
    made = Flags()
    history = made.history
    made.same()
    assert json.dumps(history) == '[0, 1]'
def test_rows():
    rows = [{'active': 1}, {'active': 0}]
    solution.normalized(rows)
    assert rows[0]['active'] is True and rows[1]['active'] is False
def test_counted():
    row = {'n': 1}
    solution.counted(row)
    assert json.dumps(row) == '{"n": 1}'
def test_held():
    row = {'active': 1}
    holder = Holder(row)
    holder.fix()
    assert row['active'] is True
`,
    wrong: [
      ['self.flags[name] = True', 'self.flags[name] = 1', 'test_true'],
      ['self.history[0] = False', 'self.history[0] = 0', 'test_false'],
      ['self.levels[0] = -0.0', 'self.levels[0] = 0.0', 'test_sign'],
      ['self.history[1] = 1', 'self.history[1] = True', 'test_number'],
      [
        "for row in rows: row['active'] = bool(row['active'])",
        "for row in rows: row['active'] = int(row['active'])",
        'test_rows',
      ],
      ["row['n'] = int(row['n'])", "row['n'] = bool(row['n'])", 'test_counted'],
      [
        "self.row['active'] = bool(self.row['active'])",
        "self.row['active'] = int(self.row['active'])",
        'test_held',
      ],
    ],
  },
  {
    id: 'methods of the test that are given more than once',
    artifact: `
import inspect
class Bus:
    def __init__(self): self.subs, self.once = [], set()
    def on(self, fn): self.subs.append(fn)
    def on_once(self, fn): self.once.add(fn)
    def off(self, fn): self.subs.remove(fn)
    def drop(self, fn): self.subs = [each for each in self.subs if each is not fn]
    def emit(self, x):
        for fn in [*self.subs, *self.once]: fn(x)
    def has(self, fn): return fn in self.subs
    def first(self): return self.subs[0]
    def count(self): return len(self.subs)
def same(one, other): return [one is other, one == other, hash(one) == hash(other)]
def parameters(fn): return list(inspect.signature(fn).parameters)
`,
    tests: `
import pytest
import solution
from solution import Bus
class Listener:
    def __init__(self): self.got = []
    def on(self, x): self.got.append(x)
    def more(*args): args[0].got.append(args[1:])
    @classmethod
    def whole(cls, x): pass
def test_off():
    bus, listener = Bus(), Listener()
    bus.on(listener.on)
    bus.off(listener.on)
    bus.emit(2)
    assert listener.got == []
def test_builtin():
    bus, got = Bus(), []
    bus.on(got.append)
    assert bus.has(got.append)
    bus.off(got.append)
    bus.emit(1)
    assert got == [] and not bus.has(got.append)
def test_twice():
    bus, listener = Bus(), Listener()
    bus.on(listener.on)
    bus.on(listener.on)
    bus.emit(2)
    assert listener.got == [2, 2] and bus.count() == 2
def test_once():
    bus, listener = Bus(), Listener()
    bus.on_once(listener.on)
    bus.on_once(listener.on)
    bus.emit(2)
    assert listener.got == [2]
def test_dropped():
    bus, listener = Bus(), Listener()
    bus.on(listener.on)
    bus.drop(listener.on)
    bus.emit(2)
    assert listener.got == [2]
    kept = listener.on
    bus.on(kept)
    bus.drop(kept)
    assert bus.count() == 1
def test_two():
    bus, one, other = Bus(), Listener(), Listener()
    bus.on(one.on)
    bus.on(other.on)
    with pytest.raises(ValueError):
        bus.off(Listener().on)
    bus.off(one.on)
    bus.emit(5)
    assert one.got == [] and other.got == [5]
def test_same():
    listener = Listener()
    assert solution.same(listener.on, listener.on) == [False, True, True]
    assert solution.same(listener.on, Listener().on)[:2] == [False, False]
    assert solution.same(Listener.whole, Listener.whole) == [False, True, True]
def test_answered():
    bus, listener = Bus(), Listener()
    bus.on(listener.on)
    assert bus.first() == listener.on
def test_parameters():
    bus, listener = Bus(), Listener()
    assert solution.parameters(listener.on) == ['x'] and solution.parameters(Listener.whole) == ['x']
    bus.on(listener.more)
    bus.emit(3)
    assert listener.got == [(3,)]
`,
    wrong: [
      ['self.subs.remove(fn)', 'self.subs = [each for each in self.subs if each is not fn]', 'test_off'],
      [
        'def on(self, fn): self.subs.append(fn)',
        'def on(self, fn): self.subs = list({each: 1 for each in [*self.subs, fn]})',
        'test_twice',
      ],
      [
        'self.subs, self.once = [], set()',
        'self.subs, self.once = [], type("L", (list,), {"add": list.append})()',
        'test_once',
      ],
      ['if each is not fn]', 'if each != fn]', 'test_dropped'],
      ['return fn in self.subs', 'return any(each is fn for each in self.subs)', 'test_builtin'],
      ['return list(inspect.signature(fn).parameters)', 'return ["self", "x"]', 'test_parameters'],
    ],
  },
  {
    id: 'views of dictionaries',
    artifact: `
from types import MappingProxyType
class Settings:
    def __init__(self, **held):
        self._held = dict(held)
        self.view = MappingProxyType(self._held)
    def set(self, key, value): self._held[key] = value
    def remove(self, key): del self._held[key]
    def all(self): return MappingProxyType(self._held)
    def keys(self): return self._held.keys()
    def values(self): return self._held.values()
    def items(self): return self._held.items()
    def size(self, view): return len(view)
    def get(self, key): return self._held[key]
    def snapshot(self): return MappingProxyType(dict(self._held))
`,
    tests: `
import pytest
from solution import Settings
def test_attribute():
    made = Settings(a=1)
    view = made.view
    made.set('b', 2)
    assert view == {'a': 1, 'b': 2} and made.view is view
def test_answer():
    made = Settings(a=1)
    view = made.all()
    made.set('a', 5)
    assert view['a'] == 5 and made.size(view) == 1
    with pytest.raises(TypeError):
        view['a'] = 2
def test_keys():
    made = Settings(a=1)
    keys = made.keys()
    made.set('b', 2)
    assert list(keys) == ['a', 'b']
def test_values():
    made = Settings(a=1, b=[])
    values = made.values()
    made.set('a', 2)
    assert list(values) == [2, []]
    list(values)[1].append(3)
    assert made.get('b') == [3]
def test_items():
    made = Settings(a=1)
    items = made.items()
    made.remove('a')
    assert list(items) == []
def test_snapshot():
    made = Settings(a=1)
    view = made.snapshot()
    made.set('a', 2)
    assert view == {'a': 1}
`,
    wrong: [
      [
        'self.view = MappingProxyType(self._held)',
        'self.view = MappingProxyType(dict(self._held))',
        'test_attribute',
      ],
      [
        'def all(self): return MappingProxyType(self._held)',
        'def all(self): return MappingProxyType(dict(self._held))',
        'test_answer',
      ],
      ['return self._held.keys()', 'return dict(self._held).keys()', 'test_keys'],
      ['return self._held.values()', 'return list(self._held.values())', 'test_values'],
      ['return self._held.items()', 'return list(self._held.items())', 'test_items'],
      [
        'def snapshot(self): return MappingProxyType(dict(self._held))',
        'def snapshot(self): return MappingProxyType(self._held)',
        'test_snapshot',
      ],
    ],
  },
  {
    id: 'collections of a derived class that hold the parts of a linked list',
    artifact: `
class Cache(dict):
    def __init__(self, size):
        super().__init__()
        self.size = size
        root = self.root = []
        root[:] = [root, root, None, None]
    def put(self, name, value):
        if name in self: self.unlink(dict.pop(self, name))
        link = [self.root[0], self.root, name, value]
        self.root[0][1] = link
        self.root[0] = link
        dict.__setitem__(self, name, link)
        if len(self) > self.size: self.unlink(dict.pop(self, self.root[1][2]))
    def unlink(self, link):
        link[0][1], link[1][0] = link[1], link[0]
    def get(self, name):
        if name not in self: return None
        link = dict.__getitem__(self, name)
        self.put(name, link[3])
        return link[3]
    def names(self):
        found, at = [], self.root[1]
        while at is not self.root:
            found.append(at[2])
            at = at[1]
        return found
class Ordered(dict):
    def __init__(self, pairs):
        super().__init__()
        self.root = []
        self.root[:] = [self.root, self.root]
        for name, value in pairs: dict.__setitem__(self, name, [self.root, value])
    def __getitem__(self, name): return dict.__getitem__(self, name)[1]
    def items(self): return [(name, self[name]) for name in self]
    def __eq__(self, other): return dict(self.items()) == dict(other.items())
    def __ne__(self, other): return not self == other
def filled(names):
    made = Cache(9)
    for each in names: made.put(each, 0)
    return made
`,
    tests: `
from solution import Cache, Ordered, filled

def test_order():
    held = Cache(2)
    held.put('a', 1)
    held.put('b', 2)
    assert held.get('a') == 1
    held.put('c', 3)
    assert held.names() == ['a', 'c']
def test_gone():
    held = Cache(1)
    held.put('a', 1)
    held.put('b', 2)
    assert held.get('a') is None
    assert 'b' in held and 'a' not in held
    assert len(held) == 1
def test_answer(): assert filled(['a', 'b']).names() == ['a', 'b']
def test_equal(): assert Ordered([('a', 1), ('b', 2)]) == {'a': 1, 'b': 2}
def test_unequal():
    assert Ordered([('a', 1)]) != {'a': 2}
    assert not Ordered([('a', 1)]) == {'b': 1}
`,
    wrong: [
      ['        self.put(name, link[3])\n', '', 'test_order'],
      ['if len(self) > self.size: self.unlink', 'if len(self) > self.size + 1: self.unlink', 'test_gone'],
      ['for each in names: made.put(each, 0)', 'for each in names[1:]: made.put(each, 0)', 'test_answer'],
      [
        'dict.__setitem__(self, name, [self.root, value])',
        'dict.__setitem__(self, name, [self.root, 1])',
        'test_equal',
      ],
      ['return dict(self.items()) == dict(other.items())', 'return True', 'test_unequal'],
    ],
  },
  {
    id: 'views of dictionaries of a test',
    artifact: `
class Snapshot:
    def __init__(self, v): self.v = list(v)
    def all(self): return self.v
class Live:
    def __init__(self, v, k, p): self.v, self.k, self.p = v, k, p
    def all(self): return list(self.v), list(self.k), dict(self.p)
    def push(self, x): next(iter(self.v)).append(x)
def common(a, b): return a & b
def total(v): return sum(v)
def longest(i): return max(i, key=lambda p: p[1])
def kinds(x): return type(x).__name__
def same(x): return x
def around(v, f):
    f()
    return list(v)
def put(p):
    try: p['z'] = 1
    except TypeError: return False
    return True
def lookup(keys): return {k: {'a': 1, 'b': 4}[k] for k in keys}
`,
    tests: `
from types import MappingProxyType
from collections import OrderedDict, Counter
import solution as s
def test_values():
    d = {'a': 1}
    k = s.Snapshot(d.values())
    d['b'] = 2
    assert k.all() == [1]
def test_items():
    d = {'a': 1}
    k = s.Snapshot(d.items())
    d['a'] = 2
    assert k.all() == [('a', 1)]
def test_keys():
    d = {'a': 1}
    k = s.Snapshot(d.keys())
    d['b'] = 2
    del d['a']
    assert k.all() == ['a']
def test_proxy():
    d = {'a': 1}
    k = s.Snapshot(MappingProxyType(d))
    d['b'] = 2
    assert k.all() == ['a']
def test_ordered():
    d = OrderedDict(a=1)
    k = s.Snapshot(d.values())
    d['b'] = 2
    assert k.all() == [1]
def test_counter():
    d = Counter('ab')
    k = s.Snapshot(d.values())
    d['b'] = 2
    assert k.all() == [1, 1]
def test_live():
    d = {'a': 1}
    k = s.Live(d.values(), d.keys(), MappingProxyType(d))
    d['b'] = 2
    assert k.all() == ([1, 2], ['a', 'b'], {'a': 1, 'b': 2})
    del d['a']
    assert k.all() == ([2], ['b'], {'b': 2})
    d.clear()
    assert k.all() == ([], [], {})
def test_inner():
    d = {'a': [1]}
    k = s.Live(d.values(), d.keys(), MappingProxyType(d))
    d['a'].append(2)
    assert k.all()[0] == [[1, 2]]
    k.push(3)
    assert d == {'a': [1, 2, 3]}
def test_sets():
    a, b = {'x': 1, 'y': 2}, {'y': 3}
    assert s.common(a.keys(), b.keys()) == {'y'}
    assert s.total(a.values()) == 3
    assert s.longest(a.items()) == ('y', 2)
    assert s.kinds(a.keys()) == 'dict_keys' and s.kinds(MappingProxyType(a)) == 'mappingproxy'
    assert s.same(a.keys()) == a.keys() and s.same(MappingProxyType(a)) == a
def test_callback():
    d = {'a': 1}
    def grow(): d['b'] = 5
    assert s.around(d.values(), grow) == [1, 5]
def test_readonly():
    d = {'a': 1}
    assert s.put(MappingProxyType(d)) is False
    assert d == {'a': 1}
def test_expected():
    expected = {'a': 1, 'b': 4}
    assert s.lookup(expected.keys()) == expected
`,
    wrong: [
      ...['test_values', 'test_items', 'test_keys', 'test_proxy', 'test_ordered', 'test_counter'].map(
        (test) =>
          [
            'self.v = list(v)\n    def all(self): return self.v',
            'self.v = v\n    def all(self): return list(self.v)',
            test,
          ] as const,
      ),
      ['self.v, self.k, self.p = v, k, p', 'self.v, self.k, self.p = list(v), k, p', 'test_live'],
      ['self.v, self.k, self.p = v, k, p', 'self.v, self.k, self.p = v, k, dict(p)', 'test_live'],
      [
        'self.v, self.k, self.p = v, k, p',
        'self.v, self.k, self.p = [[*each] if type(each) is list else each for each in v], k, p',
        'test_inner',
      ],
      ['    f()\n', '    v = list(v)\n    f()\n', 'test_callback'],
      ["p['z'] = 1", 'pass', 'test_readonly'],
      // Nothing behind the keys is told.
      ['{k: {', "dict(__import__('gc').get_referents(keys)[0]) or {k: {", 'test_expected'],
      ['{k: {', 'dict(keys.mapping) or {k: {', 'test_expected'],
    ],
  },
];
