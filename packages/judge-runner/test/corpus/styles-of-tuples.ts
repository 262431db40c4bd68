import type { Styles } from '../styles.ts';

const parse = `
def parse(text): return Point(*map(int, text.split(',')))
`;
const ofLanguage = `from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int = 0
    @property
    def norm(self): return self.x ** 2 + self.y ** 2
${parse}`;
const written = `from collections import namedtuple
class Point(namedtuple('Point', 'x y', defaults=(0,))):
    __slots__ = ()
    norm = property(lambda self: self[0] ** 2 + self[1] ** 2)
    def _asdict(self): return {'x': self.x, 'y': self.y}
    def _replace(self, **parts):
        if parts.keys() - {'x', 'y'}: raise ValueError(parts)
        return Point(parts.get('x', self.x), parts.get('y', self.y))
    @classmethod
    def _make(cls, items): return cls(*items)
    def count(self, item): return sum(each == item for each in self)
    def index(self, item): return list(self).index(item)
    def __setattr__(self, name, value): raise AttributeError(name)
${parse}`;
const clipped = `from collections import namedtuple
class Point(namedtuple('Point', 'x y')):
    def _replace(self, **parts): return super()._replace(**{name: max(each, 0) for name, each in parts.items()})
    def _asdict(self): return {**super()._asdict(), 'norm': self.norm}
    @classmethod
    def _make(cls, items): return cls(*map(int, items))
    @property
    def norm(self): return self.x + self.y
${parse}`;

const packed = (items: string): string => `class Point(tuple):
    def __new__(cls, x, y=0): return ${items}
    x = property(lambda self: self[0])
    y = property(lambda self: self[1])
def parse(text): return Point(*map(int, text.split(',')))
`;

const ofTuple = `from typing import NamedTuple
class Key(NamedTuple):
    x: int
    y: int
def key(text): return Key(*map(int, text.split(',')))
`;
const hashed = ofTuple.replace(
  '    y: int',
  '    y: int\n    def __hash__(self): return hash((self.x, self.y))',
);

/** Named tuples whose classes have something of their own in the place of a method or field that the language gives them. */
export const stylesOfTuples: readonly Styles[] = [
  {
    id: 'parts of named tuples',
    tests: `
import pytest
from solution import Point, parse
def test_dict(): assert parse('1,2')._asdict() == {'x': 1, 'y': 2} and Point(3)._asdict() == {'x': 3, 'y': 0}
def test_replaced(): assert parse('1,2')._replace(x=9) == (9, 2) and Point(1, 2)._replace(y=5) == Point(1, 5)
def test_no_field():
    with pytest.raises(ValueError): Point(1, 2)._replace(z=5)
def test_made(): assert Point._make([3, 4]) == (3, 4) and Point._make(iter([3, 4])) == Point(3, 4)
def test_norm(): assert parse('1,2')._replace(x=3).norm == 13 and Point._make([3, 4]).norm == 25
def test_items(): assert parse('1,2').count(1) == 1 and parse('1,2').index(2) == 1
def test_fields(): assert parse('1,2').x == 1 and parse('1,2')[1] == parse('1,2').y == 2
def test_expected():
    expected = Point(1, 2)._replace(x=9)
    assert parse('9,2') == expected
def test_fixed():
    point = parse('1,2')
    with pytest.raises(AttributeError): point.x = 5
    with pytest.raises(AttributeError): point.z = 5
    assert point == (1, 2)
def test_defaults(): assert Point._field_defaults == {'y': 0}
`,
    styles: { ofLanguage, written },
    wrong: [
      ['written', "{'x': self.x, 'y': self.y}", "{'x': self.x}", 'test_dict'],
      ['written', "Point(parts.get('x', self.x), parts.get('y', self.y))", 'self', 'test_replaced'],
      ['written', "parts.keys() - {'x', 'y'}", 'False', 'test_no_field'],
      ['written', 'cls(*items)', 'cls(0, 0)', 'test_made'],
      ['written', 'cls(*items)', 'cls(0, 0)', 'test_norm'],
      ['written', 'sum(each == item for each in self)', '7', 'test_items'],
      ['written', 'list(self).index(item)', '7', 'test_items'],
      [
        'written',
        '    __slots__ = ()',
        '    __slots__ = ()\n    x = property(lambda self: 7)',
        'test_fields',
      ],
      ['written', '\ndef parse', '\nPoint.x = Point.y\ndef parse', 'test_fields'],
      ['written', 'raise AttributeError(name)', 'pass', 'test_fixed'],
      [
        'written',
        '    def __setattr__(self, name, value): raise AttributeError(name)\n',
        '    def __getattribute__(self, name): return 7 if name == "x" else super().__getattribute__(name)\n',
        'test_fields',
      ],
      ['ofLanguage', 'y: int = 0', 'y: int = 1', 'test_defaults'],
    ],
  },
  {
    id: 'named tuples that do otherwise than the language',
    tests: `
from solution import Point, parse
def test_replaced(): assert parse('1,2')._replace(x=-3) == (0, 2)
def test_dict(): assert parse('1,2')._asdict() == {'x': 1, 'y': 2, 'norm': 3}
def test_made(): assert Point._make('34') == (3, 4)
def test_set():
    point = parse('1,2')
    point.z = 8
    assert point.z == 8
`,
    styles: { clipped },
    lacking: { clipped: ['test_replaced', 'test_made'] },
    wrong: [
      ['clipped', 'max(each, 0)', 'each', 'test_replaced'],
      ['clipped', "'norm': self.norm", "'norm': 0", 'test_dict'],
      ['clipped', 'map(int, items)', 'items', 'test_made'],
      ['clipped', "'x y')):", "'x y')):\n    __slots__ = ()", 'test_set'],
    ],
  },
  {
    id: 'hashes of named tuples',
    tests: `
from solution import Key, key
def test_direct(): assert hash(Key(1, 2)) == hash((1, 2))
def test_lines():
    first = hash(key('1,2'))
    second = hash((1, 2))
    assert first == second
def test_own(): assert hash(Key(1, 2)) == hash(key('1,2')) and len({key('1,2'), Key(1, 2), Key(2, 3)}) == 2
def test_key():
    seen = {(1, 2): 'home'}
    assert seen[key('1,2')] == 'home'
def test_key_back(): assert {key('1,2'): 'home'}[1, 2] == 'home'
def test_set(): assert len({key('1,2'), (1, 2), Key(1, 2)}) == 1 and {key('1,2')} == {(1, 2)}
def test_nested(): assert hash((key('1,2'), 5)) == hash(((1, 2), 5))
def test_in(): assert (1, 2) in {key('1,2'), key('2,3')}
`,
    styles: { ofTuple, hashed },
    wrong: [
      ['hashed', 'hash((self.x, self.y))', '5', 'test_direct'],
      ['hashed', 'hash((self.x, self.y))', '5', 'test_lines'],
      ['hashed', 'hash((self.x, self.y))', 'id(self)', 'test_own'],
      ['hashed', 'hash((self.x, self.y))', "hash(('Key', *self))", 'test_key'],
      ['hashed', 'hash((self.x, self.y))', "hash(('Key', *self))", 'test_key_back'],
      ['hashed', 'hash((self.x, self.y))', "hash(('Key', *self))", 'test_set'],
      ['hashed', 'hash((self.x, self.y))', "hash(('Key', *self))", 'test_nested'],
      ['hashed', 'hash((self.x, self.y))', "hash(('Key', *self))", 'test_in'],
      ['hashed', '    def __hash__(self): return hash((self.x, self.y))', '    __hash__ = None', 'test_key'],
    ],
  },
  {
    id: 'tuples that pack what they are given, with defaults',
    tests: `
from solution import Point, parse
def test_default(): assert parse('3') == Point(3) and Point(3) == (3, 0)
def test_other(): assert Point(3) != Point(3, 1) and parse('3') != Point(3, 1)
def test_given(): assert parse('1,2') == Point(1, y=2) and Point(1, 2).y == 2
def test_key(): assert {parse('1'), Point(1)} == {Point(1, 0)}
def test_unpacked():
    x, y = Point(5)
    assert (x, y) == (5, 0)
`,
    styles: {
      byName: packed('tuple.__new__(cls, (x, y))'),
      bySuper: packed('super().__new__(cls, (x, y))'),
    },
    wrong: [
      ['byName', 'y=0', 'y=1', 'test_default'],
      ['byName', 'Point(*map(int', 'Point(1, *map(int', 'test_given'],
      ['bySuper', '(x, y))', '(x, 0))', 'test_other'],
      ['bySuper', '    x = prop', '    def __hash__(self): return id(self)\n    x = prop', 'test_key'],
      ['byName', 'def parse', 'Point.__new__.__defaults__ = (1,)\ndef parse', 'test_unpacked'],
    ],
  },
];
