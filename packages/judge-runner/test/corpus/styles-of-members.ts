import type { Styles } from '../styles.ts';

const called = `from enum import Enum
class Op(Enum):
    ADD = '+'
    SUB = '-'
    def __call__(self, a, b): return a + b if self is Op.ADD else a - b
    @property
    def sign(self): return self.value
    def __len__(self): return 2
    def __contains__(self, x): return x in self.value
def op(text): return Op(text)
`;
const turning = `from enum import Enum
class Dir(Enum):
    N = 0
    E = 1
    S = 2
    W = 3
    def __neg__(self): return Dir((self.value + 2) % 4)
    def __add__(self, n): return Dir((self.value + n) % 4)
    def __radd__(self, n): return self + n
    def __invert__(self): return -self
    def __format__(self, spec): return format(self.name.lower(), spec)
    def __bool__(self): return self is not Dir.N
    def __iter__(self): return iter([self, -self])
    def __getitem__(self, n): return (self + n).name
    def __enter__(self): return self.value
    def __exit__(self, kind, error, trace): return kind is KeyError
    @property
    def vertical(self): return self in (Dir.N, Dir.S)
    @classmethod
    def first(cls): return cls.N
    @staticmethod
    def parse(text): return Dir[text.upper()]
    @classmethod
    def _missing_(cls, value): return cls[value.upper()] if isinstance(value, str) and value.upper() in cls.__members__ else None
def between(one, other): return Dir((one.value + other.value) // 2)
`;
const permitting = `from enum import Flag, auto
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    @property
    def text(self): return ''.join(c if p in self else '-' for c, p in zip('rwx', Perm))
    def writes(self): return bool(self & Perm.W)
    def __str__(self): return self.text
    def __sub__(self, o): return self & ~o
    def __len__(self): return self.text.count('r') + self.text.count('w') + self.text.count('x')
def parse(text): return sum((p.value for c, p in zip('rwx', Perm) if c in text), 0) and Perm(sum(p.value for c, p in zip('rwx', Perm) if c in text))
`;
const sized = `from enum import Enum, IntEnum
class Size(IntEnum):
    S = 1
    M = 2
    L = 3
    def __add__(self, n): return Size(min(int(self) + n, 3))
    def __str__(self): return self.name.lower()
    def __bool__(self): return self is not Size.S
    @property
    def label(self): return self.name + '!'
class Shape(str, Enum):
    ROUND = 'round'
    SQUARE = 'square'
    def upper(self): return '<' + self.value.upper() + '>'
    def wide(self, n): return self.value * n
class Key(Enum):
    A = 1
    B = 2
    @property
    def name(self): return self._name_.lower()
    @property
    def value(self): return self._value_ * 10
class Word(str, Enum):
    def _generate_next_value_(name, start, count, last): return name.lower() + str(count)
    ONE = __import__('enum').auto()
    TWO = __import__('enum').auto()
def larger(size): return size + 1
`;

const comparing = (status: string): string => `from enum import Enum, IntEnum, Flag
${status}class Level(IntEnum):
    LOW = 1
    HIGH = 2
    ANY = 9
    def __lt__(self, o): return int(self) < int(o)
    def __ge__(self, o): return not self < o
class Rights(Flag):
    R = 1
    W = 2
    def __eq__(self, o): return self.value == (o.value if isinstance(o, Rights) else o)
    def __hash__(self): return hash(self.value)
def parse(code): return Status(code)
def named(name): return Status[name.upper()]
def level(n): return Level(n)
def rights(n): return Rights(n)
`;
const bySelf = comparing(`class Status(Enum):
    OK = 200
    GONE = 410
    def __eq__(self, o):
        if isinstance(o, Status): return self is o
        return self.value == o if isinstance(o, int) else self.name.lower() == o.lower() if isinstance(o, str) else NotImplemented
    def __hash__(self): return hash(self.name)
`);
const byKeys = comparing(`class Status(Enum):
    OK = 200
    GONE = 410
    def keys(self): return (self, self.value, self.name)
    def __eq__(self, o): return any(o is each if isinstance(each, Enum) else each == (o.upper() if isinstance(o, str) else o) for each in self.keys())
    def __ne__(self, o): return not self == o
    __hash__ = Enum.__hash__
`);

const pointTests = `
import pytest
from solution import P, point
def test_truth(): assert not P(0, 1) and P(1, 1)
def test_call(): assert P(1, 2)(3) == 4 and point(2)(3) == 5
def test_text(): assert str(P(1, 2)) == '1/2' and f'{P(3, 4)}' == '3/4'
def test_answer(): assert str(point(2)) == '2/2' and repr([point(1)]) == '[P<1>]'
def test_negated(): assert -P(1, 2) == P(-1, -2)
def test_with():
    with P(1, 2) as p:
        assert p.x == 1
    with P(1, 2): raise KeyError
    with pytest.raises(ValueError):
        with point(1): raise ValueError
def test_sum(): assert P(1, 2) + P(3, 4) == P(4, 6)
def test_number(): assert abs(P(-3, 1)) == 3
def test_value(): assert point(1).x == 1 and point(3).norm() == 6
`;
const pointBody = `
    def __bool__(self): return self.x != 0
    def __call__(self, z): return self.x + z
    def __str__(self): return '%d/%d' % (self.x, self.y)
    def __repr__(self): return 'P<%d>' % self.x
    def __neg__(self): return P(-self.x, -self.y)
    def __add__(self, o): return P(self.x + o.x, self.y + o.y)
    def __abs__(self): return abs(self.x)
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): return kind is KeyError
    def norm(self): return self.x + self.y
def point(n): return P(n, n)
`;
const named = `from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int
${pointBody}`;
const derived = `from collections import namedtuple
class P(namedtuple('P', 'x y')):
    __slots__ = ()
${pointBody}`;
const coded = `class Failure(Exception):
    def __init__(self, code, *parts):
        super().__init__(code, *parts)
        self.code, self.parts = code, parts
    def __bool__(self): return self.code != 0
    def __call__(self, n): return self.code + n
    def __enter__(self): return self.parts
    def __exit__(self, kind, error, trace): return kind is KeyError
    def __len__(self): return len(self.parts)
    def __iter__(self): return iter(self.parts)
    def __reversed__(self): return reversed(self.parts)
    def __getitem__(self, i): return self.parts[i]
    def __eq__(self, o): return isinstance(o, Failure) and self.args == o.args
    def __hash__(self): return hash(self.args)
    def __lt__(self, o): return self.args < o.args
    def __int__(self): return self.code
    def __or__(self, o): return Failure(self.code, *self.parts, *o.parts)
    def __format__(self, spec): return 'code %d' % self.code
def fail(*args): raise Failure(*args)
def failure(*args): return Failure(*args)
`;
const keyed = coded
  .replace(
    'isinstance(o, Failure) and self.args == o.args',
    'type(o) is type(self) and self.key() == o.key()',
  )
  .replace('hash(self.args)', 'hash(self.key())')
  .replace('def fail(', '    def key(self): return self.code, self.parts\ndef fail(');

/** Members of enumerations, named tuples and exceptions whose classes have operators of their own. */
export const stylesOfMembers: readonly Styles[] = [
  {
    id: 'members that are called',
    tests: `
from solution import Op, op
def test_call(): assert Op.ADD(2, 3) == 5 and Op('-')(2, 3) == -1
def test_answer(): assert op('+')(4, 5) == 9 and op('-').sign == '-'
def test_content(): assert len(Op.ADD) == 2 and '+' in Op.ADD and 'x' not in op('-')
def test_same(): assert op('+') is Op.ADD and op('-') != Op.ADD
`,
    styles: {
      members: called,
      table: called.replace('a + b if self is Op.ADD else a - b', "{'+': a + b, '-': a - b}[self.value]"),
    },
    wrong: [
      ['members', 'a + b if', 'a * b if', 'test_call'],
      ['members', 'Op(text)', 'Op.ADD', 'test_answer'],
      ['members', 'return x in self.value', 'return True', 'test_content'],
      ['members', 'return 2', 'return 3', 'test_content'],
      [
        'members',
        'Op(text)',
        'Op.SUB\nOp.__eq__ = lambda self, o: True\nOp.__hash__ = lambda self: 1',
        'test_same',
      ],
    ],
  },
  {
    id: 'members that are turned',
    tests: `
import pytest
from solution import Dir, between
def test_negated(): assert -Dir.N is Dir.S and ~Dir.E is Dir.W
def test_sum(): assert Dir.W + 1 is Dir.N and Dir.N + 2 == Dir.S and 1 + Dir.E == Dir.S
def test_answer(): assert between(Dir.N, Dir.S) + 1 is Dir.S
def test_text(): assert f'{Dir.N}' == 'n' and f'{Dir.E:>3}' == '  e' and str(Dir.N) == 'Dir.N'
def test_truth(): assert Dir.E and not Dir.N
def test_items(): assert list(Dir.E) == [Dir.E, Dir.W] and Dir.E[2] == 'W'
def test_with():
    with Dir.S as n: assert n == 2
    with Dir.S: raise KeyError
    with pytest.raises(ValueError):
        with Dir.S: raise ValueError
def test_class(): assert Dir.first() is Dir.N and Dir.parse('w') is Dir.W and Dir.S.vertical and not Dir.E.vertical
def test_missing():
    assert Dir('s') is Dir.S
    with pytest.raises(ValueError): Dir('q')
`,
    styles: {
      members: turning,
      listed: turning.replace('Dir((self.value + n) % 4)', 'list(Dir)[(list(Dir).index(self) + n) % 4]'),
    },
    // One that is false could say that a value is none that the test expects.
    lacking: { members: ['test_sum'], listed: ['test_sum'] },
    wrong: [
      ['members', '(self.value + 2) % 4', 'self.value', 'test_negated'],
      ['members', '(self.value + n) % 4', 'self.value', 'test_sum'],
      ['members', '(one.value + other.value) // 2', 'one.value', 'test_answer'],
      ['members', 'self.name.lower()', 'self.name', 'test_text'],
      ['members', 'self is not Dir.N', 'True', 'test_truth'],
      ['members', 'iter([self, -self])', 'iter([self])', 'test_items'],
      ['members', 'kind is KeyError', 'True', 'test_with'],
      ['members', 'else None', 'else cls.N', 'test_missing'],
    ],
  },
  {
    id: 'members of flags that are combined',
    tests: `
from solution import Perm, parse
def test_property(): assert (Perm.R | Perm.W).text == 'rw-' and Perm.X.text == '--x'
def test_method(): assert (Perm.R | Perm.W).writes() and not Perm.R.writes()
def test_text(): assert str(Perm.R | Perm.X) == 'r-x' and str(parse('rw')) == 'rw-'
def test_answer(): assert parse('rw') == Perm.R | Perm.W and parse('rw').text == 'rw-'
def test_in(): assert Perm.W in parse('rw') and Perm.X not in parse('rw')
def test_without(): assert (Perm.R | Perm.W) - Perm.W == Perm.R
def test_length(): assert len(Perm.R | Perm.W) == 2
`,
    styles: { flags: permitting, kept: permitting.replace('bool(self & Perm.W)', 'self & Perm.W == Perm.W') },
    wrong: [
      ['flags', 'c if p in self else', 'c if True else', 'test_property'],
      ['flags', 'bool(self & Perm.W)', 'True', 'test_method'],
      ['flags', 'if c in text))', "if c in text or c == 'x'))", 'test_answer'],
      ['flags', 'self & ~o', 'self', 'test_without'],
      [
        'flags',
        permitting.slice(permitting.indexOf('def parse')),
        'def parse(text): return Perm.R\nPerm.__contains__ = lambda self, o: True\n',
        'test_in',
      ],
    ],
  },
  {
    id: 'members that are numbers and texts',
    tests: `
from solution import Key, Shape, Size, Word, larger
def test_sum(): assert Size.S + 1 is Size.M and larger(Size.M) is Size.L
def test_number(): assert Size.L - 1 == 2 and Size.L > Size.M and larger(Size.S) == 2
def test_text(): assert str(Size.S) == 's' and Size.M.label == 'M!'
def test_truth(): assert Size.L and not Size.S
def test_upper(): assert Shape.ROUND.upper() == '<ROUND>' and Shape.ROUND.title() == 'Round'
def test_wide(): assert Shape.ROUND.wide(2) == 'roundround' and Shape('square') == 'square'
def test_names(): assert Key.A.name == 'a' and Key.B.value == 20 and Key(2) is Key.B
def test_words(): assert Word.ONE == 'one0' and Word('two1') is Word.TWO
`,
    styles: {
      members: sized,
      sums: sized.replace('min(int(self) + n, 3)', '[0, 1, 2, 3, 3][self.value + n]'),
    },
    wrong: [
      ['members', 'min(int(self) + n, 3)', 'int(self)', 'test_sum'],
      ['members', 'self is not Size.S', 'True', 'test_truth'],
      ['members', "'<' + self.value.upper()", 'self.value.upper()', 'test_upper'],
      ['members', 'self._value_ * 10', 'self._value_', 'test_names'],
      ['members', 'self._name_.lower()', 'self._name_', 'test_names'],
    ],
  },
  {
    id: 'named tuples that are called, entered and written',
    tests: pointTests,
    styles: { named, derived },
    wrong: [
      ['named', 'self.x != 0', 'True', 'test_truth'],
      ['named', 'return self.x + z', 'return z', 'test_call'],
      ['named', "'%d/%d' % (self.x, self.y)", "'1/2'", 'test_text'],
      ['derived', "'P<%d>' % self.x", "'P'", 'test_answer'],
      ['derived', 'P(-self.x, -self.y)', 'self', 'test_negated'],
      ['derived', 'kind is KeyError', 'True', 'test_with'],
      ['named', 'self.x + o.x', 'self.x', 'test_sum'],
      ['named', 'abs(self.x)', 'self.x', 'test_number'],
      ['named', 'P(n, n)', 'P(n, 0)', 'test_value'],
    ],
  },
  {
    id: 'enumerations with comparisons of their own',
    tests: `
from solution import Level, Rights, Status, level, named, parse, rights
def test_member(): assert parse(200) == Status.OK and parse(200) != Status.GONE and not parse(410) == Status.OK and not parse(410) != Status.GONE
def test_value(): assert parse(200) == 200 and parse(410) != 200 and 410 == parse(410)
def test_name(): assert named('ok') == 'ok' and named('gone') == 'GONE' and named('gone') != 'ok'
def test_lists(): assert [parse(200), parse(410)] == [200, 410] and parse(200) in [410, Status.OK] and Status.GONE not in [parse(200)]
def test_keys(): assert {Status.OK: 1}[parse(200)] == 1 and len({parse(410), Status.GONE}) == 1
def test_others(): assert parse(200) != None and parse(200) != 'nothing' and parse(410) != [410]
def test_order(): assert level(1) < Level.HIGH and level(2) >= 2 and not level(9) < 3 and sorted([level(9), level(1)]) == [1, 9]
def test_rights(): assert rights(3) == Rights.R | Rights.W and rights(1) == 1 and rights(2) != Rights.R
`,
    styles: { bySelf, byKeys },
    lacking: { bySelf: ['test_name'], byKeys: ['test_name'] },
    wrong: [
      ['bySelf', 'return self is o', 'return False', 'test_member'],
      ['bySelf', 'return self is o', 'return True', 'test_member'],
      ['bySelf', 'self.value == o if', 'False if', 'test_value'],
      ['bySelf', 'self.name.lower() == o.lower()', "o in ('ok', 'GONE')", 'test_name'],
      ['bySelf', 'else NotImplemented', 'else True', 'test_others'],
      ['byKeys', 'return not self == o', 'return True', 'test_member'],
      ['byKeys', 'return not self == o', 'return False', 'test_others'],
      ['byKeys', '__hash__ = Enum.__hash__', '__hash__ = None', 'test_keys'],
      ['bySelf', 'return int(self) < int(o)', 'return True', 'test_order'],
      ['bySelf', 'return int(self) < int(o)', 'return int(self) > int(o)', 'test_order'],
      ['bySelf', 'return self.value == (o.value', 'return True or (o.value', 'test_rights'],
    ],
  },
  {
    id: 'exceptions with operators',
    tests: `
import pytest
from solution import Failure, fail, failure
def caught(*args):
    with pytest.raises(Failure) as info: fail(*args)
    return info.value
def test_truth(): assert not Failure(0) and caught(1)
def test_call(): assert Failure(1)(3) == 4 and caught(2)(3) == 5
def test_with():
    with caught(1, 'a') as parts: assert parts == ('a',)
    with Failure(2): raise KeyError
    with pytest.raises(ValueError):
        with Failure(2): raise ValueError
def test_items(): assert len(caught(1, 2, 3)) == 2 and list(Failure(1, 2, 3)) == [2, 3] and caught(1, 7)[0] == 7 and list(reversed(Failure(1, 2, 3))) == [3, 2]
def test_equal(): assert caught(1, 2) == Failure(1, 2) and caught(1) != Failure(2) and [failure(3)] == [Failure(3)]
def test_hash(): assert {Failure(1): 'a', Failure(2): 'b'}[caught(1)] == 'a' and len({Failure(1), Failure(1)}) == 1
def test_order(): assert caught(1) < Failure(2) and not caught(3) < Failure(2)
def test_number(): assert int(caught(5)) == 5
def test_joined(): assert list(Failure(1, 'a') | caught(2, 'b')) == ['a', 'b']
def test_text(): assert f'{caught(4)}' == 'code 4'
`,
    styles: { args: coded, keyed },
    lacking: {
      args: ['test_equal', 'test_hash', 'test_order'],
      keyed: ['test_equal', 'test_hash', 'test_order'],
    },
    wrong: [
      ['args', 'self.code != 0', 'True', 'test_truth'],
      ['args', 'self.code + n', 'n', 'test_call'],
      ['args', 'kind is KeyError', 'True', 'test_with'],
      ['args', 'len(self.parts)', '9', 'test_items'],
      ['args', 'isinstance(o, Failure) and self.args == o.args', 'True', 'test_equal'],
      ['args', 'raise Failure(*args)', 'raise Failure(7)', 'test_equal'],
      ['args', 'return hash(self.args)', 'return id(self)', 'test_hash'],
      ['args', 'self.args < o.args', 'True', 'test_order'],
      ['args', '*self.parts, *o.parts', '*o.parts', 'test_joined'],
    ],
  },
];
