import type { Styles } from '../styles.ts';

const program = (drawable: string): string => `import abc
import collections.abc
${drawable}
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): pass
Shape.register(tuple)
class Circle(Shape):
    def __init__(self, radius): self.radius = radius
    def area(self): return 3 * self.radius ** 2
    def draw(self): return 'o'
def shape(name): return Circle(1)
class Evens(type):
    def __instancecheck__(cls, part): return type(part) is int and part % 2 == 0
class Even(metaclass=Evens): pass
class Items(collections.abc.Sequence):
    def __getitem__(self, index): raise IndexError
    def __len__(self): return 0
class Plugin(abc.ABC): pass
class Plain: pass
class Other: pass
def plain(): return Other()
def total(parts): return sum(each.area() for each in parts if isinstance(each, Shape) and not isinstance(each, tuple))
`;
const byMethods = program(`class Drawable(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other): return any('draw' in vars(each) for each in other.__mro__) if cls is Drawable else NotImplemented`);
const byClass = program(`class Drawing(type):
    def __instancecheck__(cls, part): return issubclass(type(part), cls)
    def __subclasscheck__(cls, other): return hasattr(other, 'draw')
class Drawable(metaclass=Drawing): pass`);
const claiming = '    @classmethod\n    def __subclasshook__(cls, other): return True';

/** Classes that say themselves what their objects are, beside what is derived from them. */
export const stylesOfChecks: readonly Styles[] = [
  {
    id: 'classes that check objects',
    tests: `
import collections.abc
from unittest import TestCase, mock
from solution import Circle, Drawable, Even, Items, Plain, Plugin, Shape, plain, shape, total
class Square:
    def draw(self): return 'square'
class Sub(Shape):
    def area(self): return 4
def test_methods():
    assert isinstance(Square(), Drawable) and issubclass(Square, Drawable)
    assert not isinstance(object(), Drawable) and not issubclass(int, Drawable)
    TestCase().assertIsInstance(Square(), Drawable)
def test_derived():
    assert isinstance(Sub(), Shape) and issubclass(Sub, Shape) and issubclass(Circle, Shape)
    assert isinstance(shape('circle'), Circle) and isinstance(shape('circle'), Shape)
    assert not isinstance(5, Shape) and not isinstance('x', (Shape, Drawable))
def test_registered(): assert issubclass(tuple, Shape) and isinstance((1,), Shape) and not issubclass(list, Shape)
def test_register():
    @Shape.register
    class Other:
        def area(self): return 5
    assert isinstance(Other(), Shape) and issubclass(Other, Shape) and total([Other(), Sub(), object()]) == 9
def test_value(): assert isinstance(4, Even) and not isinstance(3, Even)
def test_mock(): assert isinstance(mock.Mock(spec=Shape), Shape)
def test_items(): assert isinstance(Items(), collections.abc.Sequence) and isinstance(Items(), Items) and not isinstance([], Items)
def test_others(): assert not isinstance(Square(), Plugin) and isinstance(Plain(), Plain) and not isinstance(Circle(1), Plain)
def test_other_answer(): assert not isinstance(plain(), Shape)
def test_answer(): assert isinstance(shape('circle'), Drawable)
`,
    styles: { byMethods, byClass },
    lacking: Object.fromEntries(
      ['byMethods', 'byClass'].map((style) => [
        style,
        ['test_methods', 'test_registered', 'test_register', 'test_value', 'test_answer'],
      ]),
    ),
    wrong: [
      ['byMethods', "any('draw' in vars(each) for each in other.__mro__)", 'True', 'test_methods'],
      ['byMethods', "any('draw' in vars(each) for each in other.__mro__)", 'True', 'test_derived'],
      ['byMethods', "any('draw' in vars(each) for each in other.__mro__)", 'False', 'test_answer'],
      ['byClass', "hasattr(other, 'draw')", 'False', 'test_methods'],
      ['byMethods', 'Shape.register(tuple)', 'Shape.register(list)', 'test_registered'],
      ['byMethods', 'Shape.register(tuple)', 'Shape.register(str)', 'test_derived'],
      ['byMethods', 'class Shape(abc.ABC):', `class Shape(abc.ABC):\n${claiming}`, 'test_derived'],
      [
        'byMethods',
        'class Shape(abc.ABC):',
        `class Shape(abc.ABC):\n${claiming.replace('True', 'other is tuple')}`,
        'test_derived',
      ],
      [
        'byMethods',
        'class Shape(abc.ABC):',
        'class Shape(abc.ABC):\n    @classmethod\n    def register(cls, other): return other',
        'test_register',
      ],
      ['byMethods', 'part % 2 == 0', 'True', 'test_value'],
      ['byMethods', 'class Plugin(abc.ABC): pass', `class Plugin(abc.ABC):\n${claiming}`, 'test_others'],
      [
        'byMethods',
        'class Plain: pass',
        'class All(type):\n    def __instancecheck__(cls, part): return True\nclass Plain(metaclass=All): pass',
        'test_others',
      ],
      ['byMethods', 'return Other()', 'return Circle(1)', 'test_other_answer'],
      ['byMethods', 'def shape(name): return Circle(1)', 'def shape(name): return 5', 'test_answer'],
    ],
  },
];
