import { describe, expect, it } from 'vitest';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

async function failed(source: string, tests: string): Promise<string[]> {
  const verdict = await judge.run({ artifact: python(source), suite: pytest(tests) });
  expect(verdict.errorKind).toBe(null);
  expect(verdict.tests.length).toBeGreaterThan(0);
  return failures(verdict);
}

/** Uses of an enumeration as libraries of forms, codecs and state machines make them. */
const solution = `
import copy
import enum
import json

class Choice:
    def __init__(self, kind, default=None):
        if not (isinstance(kind, type) and issubclass(kind, enum.Enum)):
            raise TypeError('no enumeration: %r' % (kind,))
        self.kind, self.default = kind, default
    def parse(self, text):
        if text is None:
            return self.default
        try:
            return self.kind[text.upper()]
        except KeyError:
            return self.kind(text)
    def names(self):
        return [member.name.lower() for member in self.kind]
    def options(self):
        return {member.value: member for member in self.kind}
    def aliases(self):
        return sorted(name for name, member in self.kind.__members__.items() if member.name != name)

def to_json(value):
    def plain(part):
        return {'enum': type(part).__name__, 'name': part.name, 'value': part.value} if isinstance(part, enum.Enum) else str(part)
    return json.dumps(value, default=plain)

def after(member):
    members = list(type(member))
    return members[(members.index(member) + 1) % len(members)]

def described(member):
    return '%s %r %s' % (member, member, f'{member}')

def texts(member):
    return [member.label(), member.short, member.value]

def both(one, two):
    return one | two

def holds(all, one):
    return one in all

def counted(members):
    found = {}
    for each in members:
        found[each] = found.get(each, 0) + 1
    return found

def largest(members):
    return max(members)

def total(members):
    return sum(members)

def copied(member):
    return copy.deepcopy(member)

def kept(members, kind):
    return [each for each in members if isinstance(each, kind)]

class Machine:
    def __init__(self, start, moves):
        self.state, self.moves = start, moves
    def fire(self, event):
        if (self.state, event) not in self.moves:
            raise ValueError('%s has no %s' % (self.state.name, event.name))
        self.state = self.moves[self.state, event]
        return self.state

def convert(kind, data):
    made = {}
    for name, annotation in kind.__annotations__.items():
        made[name] = annotation(data[name]) if issubclass(annotation, enum.Enum) else data[name]
    return kind(**made)
`;

const tests = `
import enum, pytest
from dataclasses import dataclass
import solution
from solution import Choice

class Named:
    def label(self): return self.name.title()

class Genre(Named, enum.Enum):
    """What is played."""
    ROCK = 'rock'
    JAZZ = 'jazz'
    METAL = 'rock'
    @property
    def short(self): return self.value[0]
    @classmethod
    def _missing_(cls, value):
        return cls.JAZZ if value == 'swing' else None

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5

class Suit(str, enum.Enum):
    HEARTS = 'h'
    SPADES = 's'
    def __str__(self): return 'suit of ' + self.name

class Perm(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()
    ALL = READ | WRITE

class Bit(enum.IntFlag):
    A = 1
    B = 2

class Planet(enum.Enum):
    EARTH = (5.976e+24, 6.37814e6)
    MARS = (6.421e+23, 3.3972e6)
    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius
    @property
    def gravity(self): return 6.6743e-11 * self.mass / self.radius ** 2

State = enum.Enum('State', 'IDLE RUNNING')
class Event(enum.Enum):
    START = object()
    STOP = object()

@dataclass
class Track:
    title: str
    genre: Genre

def test_by_name(): assert Choice(Genre).parse('rock') is Genre.ROCK
def test_by_value(): assert Choice(Suit).parse('s') is Suit.SPADES
def test_missing(): assert Choice(Genre).parse('swing') is Genre.JAZZ
def test_default(): assert Choice(Genre, Genre.JAZZ).parse(None) == Genre.JAZZ
def test_unknown():
    with pytest.raises(ValueError, match="'polka' is not a valid Genre"): Choice(Genre).parse('polka')
def test_names(): assert Choice(Genre).names() == ['rock', 'jazz']
def test_options(): assert Choice(Genre).options() == {'rock': Genre.ROCK, 'jazz': Genre.JAZZ}
def test_aliases(): assert Choice(Genre).aliases() == ['METAL']
def test_no_enumeration():
    with pytest.raises(TypeError): Choice(Track)
def test_json(): assert solution.to_json([Genre.ROCK]) == '[{"enum": "Genre", "name": "ROCK", "value": "rock"}]'
def test_json_of_numbers(): assert solution.to_json({'level': Level.HIGH}) == '{"level": 5}'
@pytest.mark.parametrize('member', list(Genre))
def test_after(member): assert solution.after(member) is not member
def test_described(): assert solution.described(Suit.SPADES) == "suit of SPADES <Suit.SPADES: 's'> suit of SPADES"
def test_described_without_texts(): assert solution.described(Perm.READ).startswith('Perm.READ <Perm.READ: 1>')
def test_methods(): assert solution.texts(Genre.JAZZ) == ['Jazz', 'j', 'jazz']
def test_flags(): assert solution.both(Perm.READ, Perm.WRITE) is Perm.ALL
def test_flags_without_a_name(): assert solution.both(Bit.A, Bit(8)) == Bit.A | 8
def test_flags_held():
    assert solution.holds(Perm.ALL, Perm.READ) is True
    assert solution.holds(Perm.WRITE, Perm.READ) is False
def test_flag_answered(): assert solution.both(Bit.A, Bit.B) is Bit.A | Bit.B
def test_keys(): assert solution.counted([Genre.ROCK, Genre.JAZZ, Genre.METAL]) == {Genre.ROCK: 2, Genre.JAZZ: 1}
def test_order(): assert solution.largest([Level.LOW, Level.HIGH]) is Level.HIGH
def test_sum(): assert solution.total(list(Level)) == 6
def test_copy(): assert solution.copied([Genre.ROCK]) == [Genre.ROCK] and solution.copied(Genre.ROCK) is Genre.ROCK
def test_kept(): assert solution.kept([Genre.ROCK, 'rock', Level.LOW], Genre) == [Genre.ROCK]
def test_attributes(): assert solution.largest([part.mass for part in Planet]) == Planet.EARTH.mass
def test_machine():
    machine = solution.Machine(State.IDLE, {(State.IDLE, Event.START): State.RUNNING})
    assert machine.fire(Event.START) is State.RUNNING
    with pytest.raises(ValueError, match='RUNNING has no STOP'): machine.fire(Event.STOP)
    assert machine.state == State.RUNNING
def test_annotations(): assert solution.convert(Track, {'title': 'So What', 'genre': 'jazz'}) == Track('So What', Genre.JAZZ)
`;

describe('a program that is given enumerations of a test', () => {
  it('finds, lists, orders and answers their members as in one process (JDG-21)', async () => {
    expect(await failed(solution, tests)).toEqual([]);
  });

  it('cannot answer what only an earlier test has given, nor members that there are not (JDG-17)', async () => {
    const found = await failed(
      `
kept = []
def keep(kind): kept[:] = list(kind)
def first(): return kept[0]
def both(): return kept[0] | kept[1]
def changed(part):
    part._value_ = 7
    part.label = lambda: 'B'
    return part
def forged(part):
    type.__setattr__(type(part), '__eq__', lambda self, other: True)
    return type(part)(64) if hasattr(type(part), '__or__') else None
`,
      `
import enum, solution
class State(enum.Enum):
    A = 1
    B = 2
    def label(self): return self.name
class Perm(enum.Flag):
    READ = 1
    WRITE = 2
class Bit(enum.IntFlag):
    ONE = 1
def test_1_gives():
    solution.keep(State)
    assert solution.first() is State.A
def test_2_an_earlier_member(): assert solution.first() is State.A
def test_3_gives_flags():
    solution.keep(Perm)
    assert solution.both() == Perm(3)
def test_4_an_earlier_flag(): assert solution.both() == Perm(3)
def test_5_its_value(): assert solution.changed(State.A).value == 7
def test_6_its_method():
    part = State.A
    solution.changed(part)
    assert part.label() == 'B'
def test_7_a_flag_of_its_own(): assert solution.forged(Bit.ONE) == Bit.ONE
def test_8_an_own_comparison(): assert solution.forged(State.A) == State.A
`,
    );
    expect(found.map((each) => each.slice(0, 6))).toEqual(
      [2, 4, 5, 6, 7, 8].map((number) => `test_${number}`),
    );
  });
});
