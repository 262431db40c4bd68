import type { Styles } from '../styles.ts';

const ofLanguage = `import enum
class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
def mix(name): return list(Color) if name == 'all' else {'r': Color.RED, 'g': Color.GREEN, 'b': Color.BLUE}[name]
class Lower(enum.EnumMeta):
    def __contains__(cls, name): return name in cls.__members__
    def __getitem__(cls, name): return super().__getitem__(name.lower())
class Level(enum.Enum, metaclass=Lower):
    low = 1
    high = 2
class Perm(enum.Flag):
    R = 1
    W = 2
`;
const written = ofLanguage
  .replace(
    'class Color(enum.Enum):',
    `class Listed(enum.EnumMeta):
    def __contains__(cls, part): return super().__contains__(part)
    def __iter__(cls): return iter([*cls.__members__.values()])
    def __reversed__(cls): return iter([*cls][::-1])
    def __len__(cls): return len(cls.__members__)
    def __call__(cls, value, *more, **named): return super().__call__(value, *more, **named)
    def __getitem__(cls, name): return cls.__members__[name]
    def __setattr__(cls, name, value): super().__setattr__(name, value)
    def __delattr__(cls, name): super().__delattr__(name)
class Color(enum.Enum, metaclass=Listed):`,
  )
  .replace(
    '    BLUE = 3',
    `    BLUE = 3
    def __copy__(self): return self
    def __deepcopy__(self, memo): return self
    def __reduce_ex__(self, protocol): return Color, (self.value,)
    def __setattr__(self, name, value): super().__setattr__(name, value)`,
  );
/** An object of the class of an enumeration that says that it is a member. */
const fake = `def fake(value, name):
    made = object.__new__(Color)
    made._value_, made._name_ = value, name
    return made
def mix`;

/** Enumerations whose classes copy, list and keep their members themselves. */
export const stylesOfEnumerations: readonly Styles[] = [
  {
    id: 'enumerations that do what the language does',
    tests: `
import copy, pickle
import pytest
from solution import Color, Level, Perm, mix
def test_deep(): assert copy.deepcopy(mix('b')) is Color.BLUE and copy.deepcopy({'a': [Color.RED]}) == {'a': [Color.RED]}
def test_copy(): assert copy.copy(mix('b')) is Color.BLUE
def test_pickle(): assert pickle.loads(pickle.dumps(mix('b'))) is Color.BLUE
def test_same(): assert mix('b') is Color.BLUE and mix('g') is Color.GREEN and mix('all') == [Color.RED, Color.GREEN, Color.BLUE]
def test_set():
    with pytest.raises(AttributeError): Color.RED = 5
    with pytest.raises(AttributeError): Color.RED.value = 5
def test_deleted():
    with pytest.raises(AttributeError): del Color.RED
def test_list(): assert list(Color) == [Color.RED, Color.GREEN, Color.BLUE] and [each.name for each in reversed(Color)] == ['BLUE', 'GREEN', 'RED']
def test_count(): assert len(Color) == 3
def test_value(): assert Color(2) is Color.GREEN
def test_name(): assert Color['RED'] is Color.RED
def test_in(): assert Color.RED in Color and Perm.R not in Color
def test_own():
    assert 'low' in Level and 'no' not in Level
    assert Level['LOW'] is Level['low'] is Level.low and list(Level) == [Level.low, Level.high]
    with pytest.raises(KeyError): Level['no']
def test_flag(): assert Perm.R | Perm.W == Perm(3) and copy.deepcopy(Perm.R | Perm.W) == Perm.R | Perm.W
`,
    styles: { ofLanguage, written },
    wrong: [
      [
        'written',
        '__deepcopy__(self, memo): return self',
        '__deepcopy__(self, memo): return Color.RED',
        'test_deep',
      ],
      ['written', '__copy__(self): return self', '__copy__(self): return self.value', 'test_copy'],
      ['written', 'return Color, (self.value,)', 'raise TypeError', 'test_pickle'],
      ['written', 'def mix', `Color.__deepcopy__ = lambda self, memo: fake(3, 'BLUE')\n${fake}`, 'test_deep'],
      [
        'written',
        'def __setattr__(cls, name, value): super().__setattr__(name, value)',
        'def __setattr__(cls, name, value): type.__setattr__(cls, name, value)',
        'test_set',
      ],
      [
        'written',
        'def __setattr__(self, name, value): super().__setattr__(name, value)',
        "def __setattr__(self, name, value): name[0] == '_' and super().__setattr__(name, value)",
        'test_set',
      ],
      ['written', 'super().__delattr__(name)', 'pass', 'test_deleted'],
      ['written', 'iter([*cls.__members__.values()])', 'iter([cls.RED])', 'test_list'],
      ['written', '[*cls][::-1]', '[*cls]', 'test_list'],
      ['written', 'return len(cls.__members__)', 'return 4', 'test_count'],
      [
        'written',
        'super().__call__(value, *more, **named)',
        'cls.RED if value == 2 else super().__call__(value, *more, **named)',
        'test_value',
      ],
      ['written', 'return cls.__members__[name]', 'return cls.BLUE', 'test_name'],
      ['written', 'return super().__contains__(part)', 'return True', 'test_in'],
      ['ofLanguage', 'return name in cls.__members__', 'return True', 'test_own'],
      ['ofLanguage', 'name.lower()', 'name', 'test_own'],
    ],
  },
  {
    id: 'members that are none',
    tests: `
from solution import Color, mix
def test_name(): assert mix('b') is Color.BLUE
def test_value(): assert mix('g') is Color.GREEN
def test_within(): assert mix('all')[0] is Color.RED
`,
    styles: { faked: ofLanguage.replace('def mix', fake) },
    wrong: [
      ['faked', "'b': Color.BLUE", "'b': fake(3, 'BLUE')", 'test_name'],
      ['faked', "'g': Color.GREEN", "'g': fake(2, 'GROEN')", 'test_value'],
      ['faked', 'list(Color) if', "[fake(1, 'RED')] if", 'test_within'],
    ],
  },
];
