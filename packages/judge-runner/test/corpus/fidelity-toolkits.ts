import type { FidelityCase } from './fidelity-case.ts';

/** Colors, matrices, schedules, boards and bit sets: correct programs with ordinary tests. */
export const fidelityToolkits: readonly FidelityCase[] = [
  {
    id: 'colors',
    needsReference: true,
    artifact: `
import colorsys, re
NAMES = {'red': '#ff0000', 'white': '#ffffff', 'black': '#000000', 'teal': '#008080'}
class Color:
    __slots__ = ('_rgb',)
    def __init__(self, value='black', *, rgb=None):
        if rgb is not None: parts = rgb
        else:
            text = NAMES.get(value, value)
            if re.fullmatch('#[0-9a-fA-F]{3}', text): text = '#' + ''.join(c * 2 for c in text[1:])
            if not re.fullmatch('#[0-9a-fA-F]{6}', text): raise ValueError('%r is not a recognized color.' % value)
            parts = tuple(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))
        object.__setattr__(self, '_rgb', tuple(parts))
    def __setattr__(self, name, value):
        if name not in ('red', 'green', 'blue', 'luminance'): raise AttributeError("'Color' has no attribute %r" % name)
        super().__setattr__(name, value)
    @property
    def red(self): return self._rgb[0]
    @red.setter
    def red(self, value): object.__setattr__(self, '_rgb', (value, *self._rgb[1:]))
    @property
    def hsl(self): h, l, s = colorsys.rgb_to_hls(*self._rgb); return h, s, l
    @property
    def luminance(self): return self.hsl[2]
    @luminance.setter
    def luminance(self, value):
        h, s, _ = self.hsl
        object.__setattr__(self, '_rgb', colorsys.hls_to_rgb(h, value, s))
    @property
    def hex(self): return '#%02x%02x%02x' % tuple(round(c * 255) for c in self._rgb)
    def range_to(self, other, steps):
        for i in range(steps):
            t = i / (steps - 1)
            yield Color(rgb=tuple(a + (b - a) * t for a, b in zip(self._rgb, other._rgb)))
    def __eq__(self, other): return isinstance(other, Color) and self.hex == other.hex
    def __hash__(self): return hash(self.hex)
    def __str__(self): return next((n for n, h in NAMES.items() if h == self.hex), self.hex)
    def __repr__(self): return '<Color %s>' % self
def mix(a, b): return list(a.range_to(b, 3))[1]
`,
    breaks: ['a + (b - a) * t', 'a + (b - a) * t * t'],
    tests: `
import pytest
from solution import Color, mix

def test_names():
    assert Color('red').hex == '#ff0000'
    assert str(Color('#f00')) == 'red'
    assert repr(Color('#123456')) == '<Color #123456>'
@pytest.mark.parametrize('bad', ['', 'nope', '#12', '#ggg'])
def test_unknown(bad):
    with pytest.raises(ValueError, match='is not a recognized color'): Color(bad)
def test_equal():
    assert Color('red') == Color('#f00') == Color('#FF0000') == Color(rgb=(1, 0, 0))
    assert Color('red') != Color('white')
    assert Color('red') != 'red'
    assert not (Color('red') == 5)
def test_hash(): assert {Color('red'), Color('#f00'), Color('teal')} == {Color('red'), Color('teal')}
def test_set_parts():
    c = Color('black')
    c.red = 1
    assert c == Color('red') and c.red == 1
def test_luminance():
    c = Color('red')
    c.luminance = 1
    assert c == Color('white')
    assert Color('red').luminance == pytest.approx(0.5)
def test_hsl(): assert Color('teal').hsl == pytest.approx((0.5, 1.0, 0.25), abs=0.01)
def test_no_attribute():
    with pytest.raises(AttributeError): Color('red').purple = 3
def test_range():
    steps = list(Color('black').range_to(Color('white'), 3))
    assert [c.hex for c in steps] == ['#000000', '#808080', '#ffffff']
    assert steps[0] == Color('black') and steps[-1] == Color('white')
def test_mix(): assert mix(Color('black'), Color('white')) == Color('#808080')
def test_in(): assert Color('red') in [Color('white'), Color('#f00')] and Color('teal') not in [Color('red')]
`,
  },
  {
    id: 'matrices',
    needsReference: true,
    artifact: `
import math
class ShapeError(ValueError): pass
class matrix:
    """Rows of numbers."""
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        if len({len(row) for row in self.rows}) > 1: raise ShapeError('ragged rows')
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0]) if self.rows else 0
    @property
    def T(self): return matrix(zip(*self.rows))
    def __getitem__(self, at):
        i, j = at
        return self.rows[i][j]
    def __setitem__(self, at, value): self.rows[at[0]][at[1]] = value
    def __iter__(self): return iter([tuple(row) for row in self.rows])
    def __len__(self): return len(self.rows)
    def _zip(self, other, f):
        if self.shape != other.shape: raise ShapeError('%r and %r' % (self.shape, other.shape))
        return matrix([[f(a, b) for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])
    def __add__(self, other): return self._zip(other, lambda a, b: a + b)
    def __sub__(self, other): return self._zip(other, lambda a, b: a - b)
    def __neg__(self): return self * -1
    def __mul__(self, k): return matrix([[x * k for x in row] for row in self.rows])
    __rmul__ = __mul__
    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]: raise ShapeError('cannot multiply')
        return matrix([[sum(a * b for a, b in zip(row, col)) for col in zip(*other.rows)] for row in self.rows])
    def __pow__(self, n):
        found = matrix.identity(len(self))
        for _ in range(n): found = found @ self
        return found
    def __eq__(self, other): return isinstance(other, matrix) and self.rows == other.rows
    def det(self):
        if len(self) == 1: return self.rows[0][0]
        return sum((-1) ** j * x * matrix([row[:j] + row[j + 1:] for row in self.rows[1:]]).det() for j, x in enumerate(self.rows[0]))
    def __repr__(self): return 'matrix(%r)' % self.rows
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def rotation(angle): return matrix([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
def solve(a, b):
    d = a.det()
    if d == 0: raise ZeroDivisionError('singular')
    return [matrix([[b[i] if j == k else x for j, x in enumerate(row)] for i, row in enumerate(a.rows)]).det() / d for k in range(len(a))]
`,
    breaks: [
      'def __sub__(self, other): return self._zip(other, lambda a, b: a - b)',
      'def __sub__(self, other): return self._zip(other, lambda a, b: b - a)',
    ],
    tests: `
import math
import unittest
from solution import ShapeError, dot, matrix, rotation, solve

class MatrixTest(unittest.TestCase):
    def setUp(self):
        self.a = matrix([[1, 2], [3, 4]])
        self.b = matrix([[0, 1], [1, 0]])
    def test_shape(self):
        self.assertEqual(self.a.shape, (2, 2))
        self.assertEqual(matrix([[1, 2, 3]]).shape, (1, 3))
    def test_ragged(self):
        with self.assertRaises(ShapeError): matrix([[1], [1, 2]])
    def test_items(self):
        self.assertEqual(self.a[1, 0], 3)
        self.a[1, 0] = 9
        self.assertEqual(self.a[1, 0], 9)
    def test_rows(self):
        self.assertEqual(list(self.a), [(1, 2), (3, 4)])
        self.assertEqual(len(self.a), 2)
    def test_equal(self):
        self.assertEqual(self.a, matrix([[1, 2], [3, 4]]))
        self.assertNotEqual(self.a, self.b)
    def test_add(self): self.assertEqual(self.a + self.b, matrix([[1, 3], [4, 4]]))
    def test_sub(self): self.assertEqual(self.a - self.b, matrix([[1, 1], [2, 4]]))
    def test_neg(self): self.assertEqual(-self.b, matrix([[0, -1], [-1, 0]]))
    def test_scale(self):
        self.assertEqual(self.a * 2, matrix([[2, 4], [6, 8]]))
        self.assertEqual(2 * self.a, self.a + self.a)
    def test_product(self):
        self.assertEqual(self.a @ self.b, matrix([[2, 1], [4, 3]]))
        self.assertEqual(self.a @ matrix.identity(2), self.a)
    def test_shapes_differ(self):
        with self.assertRaisesRegex(ShapeError, 'cannot multiply'): self.a @ matrix([[1, 2]])
        with self.assertRaises(ShapeError): self.a + matrix([[1]])
    def test_power(self): self.assertEqual(self.b ** 2, matrix.identity(2))
    def test_transpose(self):
        self.assertEqual(self.a.T, matrix([[1, 3], [2, 4]]))
        self.assertEqual(self.a.T.T, self.a)
    def test_det(self):
        self.assertEqual(self.a.det(), -2)
        self.assertAlmostEqual(rotation(0.3).det(), 1)
    def test_solve(self):
        self.assertEqual(solve(self.a, [5, 11]), [1.0, 2.0])
        with self.assertRaises(ZeroDivisionError): solve(matrix([[1, 1], [1, 1]]), [1, 2])
    def test_rotation(self):
        quarter = rotation(math.pi / 2)
        for got, want in zip(quarter @ matrix([[1], [0]]), [(0,), (1,)]):
            self.assertAlmostEqual(got[0], want[0])
    def test_dot(self): self.assertEqual(dot([1, 2], [3, 4]), 11)
    def test_repr(self): self.assertEqual(repr(self.b), 'matrix([[0, 1], [1, 0]])')
    def test_unhashable(self):
        with self.assertRaises(TypeError): hash(self.a)
`,
  },
  {
    id: 'schedules',
    needsReference: true,
    artifact: `
import datetime, functools, heapq, itertools
class CancelJob: pass
class ScheduleError(Exception): pass
@functools.total_ordering
class Job:
    def __init__(self, interval, scheduler): self.interval, self.scheduler, self.unit, self.func, self.next_run, self.tags = interval, scheduler, None, None, None, set()
    def __lt__(self, other): return self.next_run < other.next_run
    def __eq__(self, other): return self is other
    __hash__ = object.__hash__
    def __repr__(self): return 'Every %d %s' % (self.interval, self.unit)
    def _of(self, unit): self.unit = unit; return self
    seconds = property(lambda self: self._of('seconds'))
    minutes = property(lambda self: self._of('minutes'))
    @property
    def minute(self):
        if self.interval != 1: raise ScheduleError('Use minutes instead of minute')
        return self.minutes
    def tag(self, *tags):
        if not all(isinstance(t, str) for t in tags): raise TypeError('Tags must be text')
        self.tags.update(tags)
        return self
    def do(self, func, *args):
        self.func = functools.partial(func, *args)
        self.next_run = self.scheduler.now() + datetime.timedelta(**{self.unit: self.interval})
        self.scheduler.jobs.append(self)
        return self
    def run(self):
        found = self.func()
        self.next_run += datetime.timedelta(**{self.unit: self.interval})
        return found
class Scheduler:
    def __init__(self, now=datetime.datetime.now): self.now, self.jobs = now, []
    def every(self, interval=1): return Job(interval, self)
    def run_pending(self):
        for job in sorted(j for j in self.jobs if j.next_run <= self.now()):
            if job.run() is CancelJob: self.cancel(job)
    def cancel(self, job): self.jobs.remove(job)
    def clear(self, tag=None): self.jobs[:] = [j for j in self.jobs if tag is not None and tag not in j.tags]
    @property
    def next_run(self): return min(self.jobs).next_run if self.jobs else None
    def get_jobs(self, tag=None): return [j for j in self.jobs if tag is None or tag in j.tags]
class TaskQueue:
    def __init__(self): self._heap, self._count = [], itertools.count()
    def push(self, item, priority=0): heapq.heappush(self._heap, (-priority, next(self._count), item))
    def pop(self):
        if not self._heap: raise IndexError('empty queue')
        return heapq.heappop(self._heap)[-1]
    def __len__(self): return len(self._heap)
    def __iter__(self):
        while self._heap: yield self.pop()
def parse_interval(text):
    number, unit = text.split()
    return datetime.timedelta(**{unit if unit.endswith('s') else unit + 's': float(number)})
`,
    breaks: ['heapq.heappush(self._heap, (-priority,', 'heapq.heappush(self._heap, (priority,'],
    tests: `
import datetime
from unittest import mock
import pytest
import solution as schedule
from solution import CancelJob, Job, ScheduleError, Scheduler, TaskQueue

def make_mock_job(name='job'):
    job = mock.Mock()
    job.__name__ = name
    return job

class Clock:
    def __init__(self): self.time = datetime.datetime(2026, 1, 1, 12)
    def __call__(self): return self.time
    def forward(self, **by): self.time += datetime.timedelta(**by)

@pytest.fixture
def clock(): return Clock()

@pytest.fixture
def scheduler(clock): return Scheduler(now=clock)

def test_time_units(scheduler):
    assert scheduler.every().seconds.unit == 'seconds'
    assert scheduler.every(2).minutes.unit == 'minutes'
    assert repr(scheduler.every(2).minutes) == 'Every 2 minutes'
def test_singular(scheduler):
    assert scheduler.every().minute.unit == 'minutes'
    with pytest.raises(ScheduleError, match='Use minutes'): scheduler.every(2).minute
def test_next_run(scheduler, clock):
    job = scheduler.every(30).seconds.do(make_mock_job())
    assert job.next_run == clock.time + datetime.timedelta(seconds=30)
    assert scheduler.next_run == job.next_run
    assert Scheduler(clock).next_run is None
def test_run_pending(scheduler, clock):
    fast, slow = make_mock_job('fast'), make_mock_job('slow')
    scheduler.every(10).seconds.do(fast)
    scheduler.every(1).minutes.do(slow, 'arg')
    scheduler.run_pending()
    assert fast.call_count == 0
    clock.forward(seconds=11)
    scheduler.run_pending()
    assert (fast.call_count, slow.call_count) == (1, 0)
    clock.forward(minutes=1)
    scheduler.run_pending()
    assert (fast.call_count, slow.call_count) == (2, 1)
    slow.assert_called_once_with('arg')
def test_cancel(scheduler, clock):
    calls = []
    def stop():
        calls.append(1)
        return CancelJob
    scheduler.every().seconds.do(stop)
    scheduler.every().minutes.do(calls.append, 2)
    clock.forward(seconds=5)
    scheduler.run_pending()
    assert calls == [1]
    assert len(scheduler.jobs) == 1
def test_cancel_job(scheduler):
    one, two = scheduler.every().seconds.do(print), scheduler.every().seconds.do(print)
    scheduler.cancel(one)
    assert scheduler.jobs == [two]
    assert one not in scheduler.get_jobs() and two in scheduler.get_jobs()
def test_tags(scheduler):
    a = scheduler.every().seconds.do(print).tag('x', 'y')
    b = scheduler.every().seconds.do(print).tag('y')
    assert scheduler.get_jobs('x') == [a]
    assert set(scheduler.get_jobs('y')) == {a, b}
    scheduler.clear('x')
    assert scheduler.get_jobs() == [b]
    with pytest.raises(TypeError): b.tag(5)
def test_order(scheduler):
    late, early = scheduler.every(9).minutes.do(print), scheduler.every(5).seconds.do(print)
    assert early < late and late > early
    assert min(scheduler.jobs) is early
    assert isinstance(early, Job)
class TestTaskQueue:
    def test_order(self):
        q = TaskQueue()
        q.push('a')
        q.push('b', priority=5)
        q.push('c', priority=5)
        assert list(q) == ['b', 'c', 'a']
        assert len(q) == 0
    def test_empty(self):
        with pytest.raises(IndexError, match='empty queue'): TaskQueue().pop()
@pytest.mark.parametrize('text, seconds', [('5 minutes', 300), ('1 hour', 3600), ('0.5 seconds', 0.5)])
def test_parse(text, seconds): assert schedule.parse_interval(text).total_seconds() == seconds
`,
  },
  {
    id: 'boards-and-bits',
    needsReference: true,
    artifact: `
import collections, enum, itertools
class Player(enum.Enum):
    X = 'x'
    O = 'o'
    @property
    def other(self): return Player.O if self is Player.X else Player.X
Move = collections.namedtuple('Move', 'player row col')
class IllegalMove(Exception):
    def __init__(self, move, why): super().__init__('%s: %s' % (tuple(move[1:]), why)); self.move = move
class Board:
    LINES = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)] + [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    def __init__(self, cells=None): self.cells, self.history = dict(cells or {}), []
    @classmethod
    def from_text(cls, text):
        return cls({(r, c): Player(ch) for r, line in enumerate(text.split('/')) for c, ch in enumerate(line) if ch != '.'})
    @property
    def turn(self): return Player.X if len(self.cells) % 2 == 0 else Player.O
    def play(self, row, col):
        move = Move(self.turn, row, col)
        if self.winner: raise IllegalMove(move, 'game is over')
        if (row, col) in self.cells: raise IllegalMove(move, 'cell is taken')
        self.cells[row, col] = move.player
        self.history.append(move)
        return self
    def undo(self):
        move = self.history.pop()
        del self.cells[move.row, move.col]
        return move
    @property
    def winner(self):
        for line in self.LINES:
            owners = {self.cells.get(cell) for cell in line}
            if len(owners) == 1 and None not in owners: return owners.pop()
        return None
    def __getitem__(self, at): return self.cells.get(at)
    def __eq__(self, other): return isinstance(other, Board) and self.cells == other.cells
    def copy(self): return Board(self.cells)
    def __str__(self): return '/'.join(''.join(self.cells[r, c].value if (r, c) in self.cells else '.' for c in range(3)) for r in range(3))
    def moves(self): return [(r, c) for r, c in itertools.product(range(3), repeat=2) if (r, c) not in self.cells]
class bitset:
    def __init__(self, items=()):
        self.bits = 0
        for item in items: self.add(item)
    @classmethod
    def from_int(cls, bits): made = cls(); made.bits = bits; return made
    def add(self, item): self.bits |= 1 << item
    def remove(self, item):
        if item not in self: raise KeyError(item)
        self.bits &= ~(1 << item)
    def __contains__(self, item): return bool(self.bits >> item & 1)
    def __len__(self): return bin(self.bits).count('1')
    def __iter__(self): return (i for i in range(self.bits.bit_length()) if i in self)
    def __and__(self, other): return bitset.from_int(self.bits & other.bits)
    def __or__(self, other): return bitset.from_int(self.bits | other.bits)
    def __xor__(self, other): return bitset.from_int(self.bits ^ other.bits)
    def __le__(self, other): return self.bits & ~other.bits == 0
    def __lt__(self, other): return self <= other and self != other
    def __eq__(self, other):
        if isinstance(other, (set, frozenset)): return set(self) == other
        return isinstance(other, bitset) and self.bits == other.bits
    def __hash__(self): return hash(self.bits)
    def __int__(self): return self.bits
    def __bool__(self): return self.bits != 0
    def __repr__(self): return 'bitset(%r)' % list(self)
def primes(n):
    found = bitset(range(2, n))
    for p in range(2, n):
        if p in found:
            for k in range(p * p, n, p):
                if k in found: found.remove(k)
    return found
`,
    breaks: ['bitset.from_int(self.bits & other.bits)', 'bitset.from_int(self.bits & other.bits | 1)'],
    tests: `
import pytest
from solution import Board, IllegalMove, Move, Player, bitset, primes

@pytest.fixture
def board(): return Board()

def test_turns(board):
    assert board.turn is Player.X
    board.play(0, 0)
    assert board.turn is Player.O and board.turn.other == Player.X
def test_play(board):
    board.play(1, 1).play(0, 2)
    assert board[1, 1] is Player.X and board[0, 2] is Player.O and board[2, 2] is None
    assert board.history == [Move(Player.X, 1, 1), Move(Player.O, 0, 2)]
    assert str(board) == '..o/.x./...'
def test_text_round_trip(): assert str(Board.from_text('xo./.x./..o')) == 'xo./.x./..o'
def test_equal(board):
    assert board == Board()
    assert board.play(0, 0) == Board.from_text('x../.../...')
    assert board != Board()
def test_copy(board):
    other = board.copy()
    other.play(0, 0)
    assert board == Board() and other != board
def test_undo(board):
    board.play(0, 0)
    move = board.undo()
    assert move == (Player.X, 0, 0) and move.col == 0
    assert board == Board()
@pytest.mark.parametrize('text, winner', [('xxx/oo./...', Player.X), ('oxx/xo./..o', Player.O), ('.../.../...', None), ('x.o/x.o/x..', Player.X)])
def test_winner(text, winner): assert Board.from_text(text).winner is winner
def test_taken(board):
    board.play(0, 0)
    with pytest.raises(IllegalMove, match='cell is taken') as info: board.play(0, 0)
    assert info.value.move == Move(Player.O, 0, 0)
    assert len(board.history) == 1
def test_over():
    with pytest.raises(IllegalMove, match='over'): Board.from_text('xxx/oo./...').play(2, 2)
def test_moves(board): assert len(board.moves()) == 9 and board.play(0, 0).moves()[0] == (0, 1)

def test_bits():
    s = bitset([1, 4])
    assert 1 in s and 2 not in s
    assert len(s) == 2 and list(s) == [1, 4] and int(s) == 18
def test_bits_change():
    s = bitset()
    s.add(3)
    assert s and s == bitset([3])
    s.remove(3)
    assert not s
    with pytest.raises(KeyError): s.remove(3)
def test_bits_operators():
    a, b = bitset([1, 2]), bitset([2, 3])
    assert a & b == bitset([2])
    assert a | b == {1, 2, 3}
    assert list(a ^ b) == [1, 3]
def test_bits_order():
    assert bitset([1]) < bitset([1, 2])
    assert bitset([1]) <= bitset([1])
    assert not bitset([1]) < bitset([2])
def test_bits_hash(): assert len({bitset([1]), bitset([1]), bitset()}) == 2
def test_bits_repr(): assert repr(bitset([5, 0])) == 'bitset([0, 5])'
def test_primes():
    assert list(primes(20)) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert primes(10) == {2, 3, 5, 7}
    assert 9 not in primes(30)
`,
  },
];
