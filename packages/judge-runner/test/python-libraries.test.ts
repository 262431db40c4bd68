import { describe, expect, it } from 'vitest';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** What ordinary libraries do, each with ordinary tests and a wrong program that these notice. */
const libraries: readonly {
  readonly name: string;
  readonly source: string;
  readonly tests: string;
  /** A part of the program and what stands there in a wrong one. */
  readonly breaks: readonly [right: string, wrong: string];
  /** Names of the tests that the wrong program fails. */
  readonly failing: readonly string[];
}[] = [
  {
    name: 'keep what tests give them in their modules',
    source: `
KEPT = []
def keep(part):
    KEPT.append(part)
    return part
def last(): return KEPT[-1]
def add(part): part.append(1)
`,
    tests: `
import pytest
from solution import add, keep, last
SHARED = []
@pytest.fixture(scope='module')
def box(): return {'a': []}
def test_1(): assert keep([1, 2]) == [1, 2]
def test_2_of_an_earlier_test(): assert last() == [1, 2]
def test_3_of_the_file():
    assert keep(SHARED) is SHARED
    add(SHARED)
    assert SHARED == [1]
def test_4_of_the_file_again():
    assert last() == [1]
    SHARED.append(2)
    assert keep(SHARED) == [1, 2]
def test_5_of_a_fixture(box): assert keep(box) is box
def test_6_of_a_fixture_again(box):
    box['a'].append(3)
    add(box['a'])
    assert keep(box) == {'a': [3, 1]}
def test_7_at_the_end(): assert last() == {'a': [3, 1]}
def test_8_what_is_equal_and_another():
    part = [1]
    keep(part)
    part[0] = True
    assert last()[0] is True
`,
    breaks: ['def last(): return KEPT[-1]', 'def last(): return KEPT[0]'],
    failing: ['test_4_of_the_file_again', 'test_7_at_the_end', 'test_8_what_is_equal_and_another'],
  },
  {
    name: 'make data classes of what is derived from their classes',
    source: `
from dataclasses import dataclass, replace
class Record:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        dataclass(frozen=True)(cls)
    def evolve(self, **changes): return replace(self, **changes)
def same(part): return part
`,
    tests: `
import pytest
from dataclasses import FrozenInstanceError
from solution import Record, same
class Point(Record):
    x: int
    y: int = 0
def test_equal(): assert Point(1) == Point(1, 0) and Point(1) != Point(2)
def test_hash(): assert len({Point(1), Point(1), Point(2)}) == 2
def test_evolve(): assert Point(1).evolve(y=3) == Point(1, 3)
def test_given(): assert same(Point(4)) == Point(4)
def test_text(): assert repr(Point(1)) == 'Point(x=1, y=0)'
def test_frozen():
    with pytest.raises(FrozenInstanceError): Point(1).x = 2
`,
    breaks: ['return replace(self, **changes)', 'return self'],
    failing: ['test_evolve'],
  },
  {
    name: 'have objects that are pickled',
    source: `
class Version:
    def __init__(self, *parts): self.parts = parts
    def __eq__(self, other): return isinstance(other, Version) and self.parts == other.parts
    def __hash__(self): return hash(self.parts)
    def __reduce__(self): return Version, self.parts
    def bump(self): return Version(*self.parts[:-1], self.parts[-1] + 1)
class Mismatch(ValueError):
    def __init__(self, left, right):
        super().__init__('%s is not %s' % (left, right))
        self.left, self.right = left, right
    def __reduce__(self): return Mismatch, (self.left, self.right)
def check(left, right):
    if left != right: raise Mismatch(left, right)
`,
    tests: `
import pickle, pytest
from solution import Mismatch, Version, check
@pytest.mark.parametrize('protocol', range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_object(protocol):
    version = Version(1, 2)
    again = pickle.loads(pickle.dumps(version, protocol))
    assert again == version and again is not version
def test_in_a_container():
    again = pickle.loads(pickle.dumps({'all': [Version(1), Version(2)]}))
    assert again['all'][1].bump().parts == (3,)
def test_class(): assert pickle.loads(pickle.dumps(Version)) is Version
def test_error():
    with pytest.raises(Mismatch) as caught: check(1, 2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is Mismatch and str(again) == '1 is not 2' and again.right == 2
`,
    breaks: ['return Version, self.parts', 'return Version, (0,)'],
    failing: ['test_object[2]', 'test_object[3]', 'test_object[4]', 'test_object[5]', 'test_in_a_container'],
  },
  {
    name: 'open files and databases',
    source: `
import contextlib, os, sqlite3
@contextlib.contextmanager
def replacing(path):
    with open(str(path) + '.new', 'w') as file:
        yield file
    os.replace(str(path) + '.new', path)
def lines(path): return open(path)
class Store:
    def __init__(self):
        self.db = sqlite3.connect(':memory:')
        self.db.execute('CREATE TABLE part (name TEXT, size INT)')
    def add(self, name, size): self.db.execute('INSERT INTO part VALUES (?, ?)', (name, size))
    def execute(self, text): return self.db.execute(text)
`,
    tests: `
from solution import Store, lines, replacing
def test_file(tmp_path):
    path = tmp_path / 'a.txt'
    path.write_text('old')
    with replacing(path) as file:
        file.write('new')
        assert path.read_text() == 'old'
    assert path.read_text() == 'new'
def test_lines(tmp_path):
    path = tmp_path / 'b.txt'
    path.write_text('one\\ntwo\\n')
    assert list(lines(path)) == ['one\\n', 'two\\n']
def test_cursor():
    store = Store()
    store.add('a', 1)
    store.add('b', 2)
    assert store.execute('SELECT size FROM part ORDER BY size').fetchone() == (1,)
    assert store.execute('SELECT name FROM part').fetchall() == [('a',), ('b',)]
`,
    breaks: ["(str(path) + '.new', path)", "(str(path) + '.new', str(path) + '.old')"],
    failing: ['test_file'],
  },
  {
    name: 'make fields of data classes, and build such classes without their methods',
    source: `
import dataclasses
def field(alias=None, **options): return dataclasses.field(metadata={'alias': alias}, **options)
def dump(part):
    return {each.metadata.get('alias') or each.name: getattr(part, each.name) for each in dataclasses.fields(part)}
def load(kind, data):
    made = object.__new__(kind)
    for each in dataclasses.fields(kind):
        object.__setattr__(made, each.name, data[each.metadata.get('alias') or each.name])
    return made
`,
    tests: `
from dataclasses import dataclass, field as plain
from solution import dump, field, load
@dataclass(frozen=True)
class Song:
    title: str
    since: int = field(alias='year', default=0, compare=False)
    tags: list = field(default_factory=list)
    notes: list = plain(default_factory=list, repr=False)
def test_defaults(): assert Song('a') == Song('a', 5, [], []) and Song('a').since == 0
def test_dump(): assert dump(Song('a', 1999)) == {'title': 'a', 'year': 1999, 'tags': [], 'notes': []}
def test_load(): assert load(Song, {'title': 'b', 'year': 3, 'tags': ['x'], 'notes': []}).tags == ['x']
def test_equal(): assert load(Song, {'title': 'b', 'year': 3, 'tags': [], 'notes': []}) == Song('b', 3)
`,
    breaks: ["metadata={'alias': alias}", "metadata={'alias': None}"],
    failing: ['test_dump', 'test_load', 'test_equal'],
  },
  {
    name: 'decorate methods by objects that can be called, and make classes by subscripts',
    source: `
import functools
from collections.abc import MutableSequence
class Retry:
    def __init__(self, attempts): self.attempts = attempts
    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(self.attempts):
                try: return function(*args, **kwargs)
                except OSError:
                    if attempt + 1 == self.attempts: raise
        return wrapper
class Typed(MutableSequence):
    kind, made = object, {}
    def __class_getitem__(cls, kind):
        if kind not in cls.made: cls.made[kind] = type('Typed[%s]' % kind.__name__, (cls,), {'kind': kind})
        return cls.made[kind]
    def __init__(self, items=()): self.items = [self.check(item) for item in items]
    def check(self, item):
        if not isinstance(item, self.kind): raise TypeError('%r is not %s' % (item, self.kind.__name__))
        return item
    def __getitem__(self, index): return self.items[index]
    def __setitem__(self, index, item): self.items[index] = self.check(item)
    def __delitem__(self, index): del self.items[index]
    def __len__(self): return len(self.items)
    def insert(self, index, item): self.items.insert(index, self.check(item))
`,
    tests: `
import pytest
from solution import Retry, Typed
class Client:
    tries = 0
    @Retry(5)
    def get(self):
        self.tries += 1
        if self.tries < 4: raise OSError
        return self.tries
class Dog: pass
def test_method(): assert Client().get() == 4
def test_typed():
    dogs = Typed[Dog]([Dog()])
    dogs.append(Dog())
    assert len(dogs) == 2
def test_other():
    with pytest.raises(TypeError, match='is not Dog'): Typed[Dog]([1])
    with pytest.raises(TypeError, match='is not int'): Typed[int]([1])[0:] = 'x'
def test_set():
    numbers = Typed[int]([1, 2])
    numbers[0] = 3
    del numbers[1]
    assert list(numbers) == [3]
`,
    breaks: ['self.items[index] = self.check(item)', 'pass'],
    failing: ['test_other', 'test_set'],
  },
  {
    name: 'set attributes plainly, and know types of the library by what is derived from them',
    source: `
import datetime
class Op:
    def key(self): return self.path[-1]
def total(part):
    object.__setattr__(part, 'total', sum(part.sizes))
    return part
def write(value):
    for kind in type(value).__mro__:
        if kind is datetime.date: return value.isoformat()
    raise TypeError(type(value).__name__)
`,
    tests: `
import datetime
from dataclasses import dataclass
from solution import Op, total, write
class Rename(Op):
    def __init__(self, path): object.__setattr__(self, 'path', path)
@dataclass(frozen=True)
class Parcel:
    sizes: tuple
    total: int = 0
class Stamp(datetime.date): pass
def test_of_the_test(): assert Rename(('a', 'b')).key() == 'b'
def test_of_the_program(): assert total(Parcel((1, 2))).total == 3
def test_of_the_program_compared(): assert total(Parcel((1, 2))) == Parcel((1, 2), 3)
def test_derived(): assert write(Stamp(2024, 1, 2)) == '2024-01-02'
`,
    breaks: ['sum(part.sizes)', '0'],
    failing: ['test_of_the_program', 'test_of_the_program_compared'],
  },
  {
    name: 'wait for what asynchronous generators give',
    source: `
async def chunks(source, size):
    held = []
    async for each in source:
        held.append(each)
        if len(held) == size:
            yield held
            held = []
    if held: yield held
`,
    tests: `
import asyncio
import pytest
from solution import chunks
async def numbers(count):
    for each in range(count):
        await asyncio.sleep(0)
        yield each
@pytest.mark.parametrize('count, expected', [(0, []), (4, [[0, 1], [2, 3]]), (3, [[0, 1], [2]])])
def test_chunks(count, expected):
    async def main(): return [each async for each in chunks(numbers(count), 2)]
    assert asyncio.run(main()) == expected
`,
    breaks: ['    if held: yield held\n', ''],
    failing: ['test_chunks[3-expected2]'],
  },
  {
    name: 'read the annotations of what a test gives, and say what their modules are for',
    source: `
"""Events and codes."""
import enum, inspect
class Event: pass
class Created(Event):
    def __init__(self, name): self.name = name
class Bus:
    def __init__(self): self.listeners = []
    def on(self, function):
        (parameter,) = inspect.signature(function).parameters.values()
        self.listeners.append((parameter.annotation, function))
        return function
    def emit(self, event): return [function(event) for kind, function in self.listeners if isinstance(event, kind)]
def code_of(kind, number): return kind(number)
`,
    tests: `
import enum
import solution
from solution import Bus, Created, Event, code_of
def test_annotations():
    bus = Bus()
    @bus.on
    def created(event: Created): return event.name
    @bus.on
    def other(event: int): return 'no'
    assert bus.emit(Created('a')) == ['a']
class Code(enum.Enum):
    OK = 200
    @classmethod
    def _missing_(cls, value):
        made = object.__new__(cls)
        made._name_, made._value_ = 'OTHER', value
        return made
def test_missing(): assert code_of(Code, 200) is Code.OK and code_of(Code, 999).value == 999
def test_module(): assert solution.__doc__ == 'Events and codes.'
`,
    breaks: ['if isinstance(event, kind)', 'if True'],
    failing: ['test_annotations'],
  },
];

describe.each(libraries)('programs that $name', ({ source, tests, breaks, failing }) => {
  const [right, wrong] = breaks;
  const lasts = (found: readonly string[]) => found.map((each) => each.split(': ')[0]);

  it.each([
    ['without a reference', undefined],
    ['with one', source],
  ])('pass, and a wrong one fails what it breaks, %s (JDG-17, JDG-21)', async (_, reference) => {
    const suite = pytest(tests, reference);
    const verdict = await judge.run({ artifact: python(source), suite });
    expect(failures(verdict)).toEqual([]);
    expect(verdict.outcome).toBe('SUCCESS');
    expect(source).toContain(right);
    const broken = await judge.run({ artifact: python(source.replace(right, () => wrong)), suite });
    expect(lasts(failures(broken))).toEqual(failing);
  });
});

/** An object that says yes to everything, answered where the right program answers a plain value. */
const yes = `
class Yes:
    told = []
    def append(self, part): self.told.append(part)
    def put(self, part): self.told.append(part)
    def __eq__(self, other): return True
    def __len__(self): return 4
    def __getitem__(self, index): return self.told[-1]
    def __getattr__(self, name): return lambda *args: True
def parse(text): return Yes()
def fill(part):
    object.__setattr__(part, 'ok', lambda: True)
    return part
`;

describe('calls whose answer is not used, and attributes that are set plainly', () => {
  it.each([
    ['without a reference', undefined],
    [
      'with one',
      'def parse(text): return [int(each) for each in text.split()]\ndef fill(part):\n    object.__setattr__(part, "total", 3)\n    return part\n',
    ],
  ])('earn nothing for an object in the place of a value, %s (JDG-17)', async (_, reference) => {
    const tests = `
import solution
class Box:
    total = 0
    def ok(self): return self.total == 3
def test_appended():
    found = solution.parse('1 2 3')
    found.append(4)
    assert found == [1, 2, 3, 4]
def test_item():
    found = solution.parse('1 2 3')
    found.append(4)
    assert found[-1] == 4
def test_length():
    found = solution.parse('1 2 3')
    found.append(4)
    assert len(found) == 4
def test_method():
    box = Box()
    solution.fill(box)
    assert box.ok()
`;
    const verdict = await judge.run({ artifact: python(yes), suite: pytest(tests, reference) });
    expect(failures(verdict).length).toBe(4);
  });
});
