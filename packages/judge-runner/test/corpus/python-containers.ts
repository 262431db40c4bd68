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
];
