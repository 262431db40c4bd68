import type { ReferenceCase } from './unearned-references.ts';

/** Programs that answer their own module, one of their functions or a class, with what plain values have as attributes, in the place of a value. */
export const unearnedNames: readonly ReferenceCase[] = [
  {
    id: 'a module',
    wrong: `
import sys
me = sys.modules[__name__]
def startswith(x): return True
endswith = issuperset = startswith
def intersection(x): return x
def count(x): return 3
def isoformat(): return '2024-01-01'
def slug(t): return me
def tags(t): return me
class Store:
    label = me
    def name(self): return me
def load(f=None, bad=False):
    if bad: raise ValueError(me)
    if f: f(me)
    return {'name': me, 'when': me}
`,
    reference: `
import datetime
def slug(t): return t.lower()
def tags(t): return set(t.split())
class Store:
    label = 'label'
    def name(self): return 'xyz'
def load(f=None, bad=False):
    if bad: raise ValueError('xyz')
    if f: f('xyz')
    return {'name': 'xyz', 'when': datetime.date(2024, 1, 1)}
`,
    tests: `
from solution import slug, Store, tags, load
def test_text():
    assert slug('The Secret').startswith('the')
def test_method_answer():
    assert Store().name().endswith('z')
def test_attribute():
    assert Store().label.startswith('lab')
def test_set():
    assert tags('a b').issuperset({'a'})
def test_intersection():
    found = tags('a b')
    assert found.intersection({'a'}) == {'a'}
def test_dict_of():
    found = load()
    assert found['name'].startswith('x') and found['when'].isoformat() == '2024-01-01'
def test_count():
    assert slug('The Secret').count('e') == 3
def test_callback():
    seen = []
    load(seen.append)
    assert seen[0].startswith('x')
def test_error():
    try:
        load(None, True)
    except ValueError as error:
        assert error.args[0].startswith('x')
    else:
        assert False
`,
  },
  {
    id: 'a function that the suite imports, or that a decorator has made',
    wrong: `
import functools
yes = lambda *a: True
def slug(t): return slug
slug.startswith = yes
def helper(): return 1
helper.issuperset = yes
def tags(t): return helper
def f(): pass
f.difference = f.symmetric_difference = lambda x: set()
f.removeprefix = lambda x: ''
f.is_relative_to = f.match = yes
def select(g, s): return f
def digest(g, t): return f
def lengths(g, t): return f
@functools.lru_cache
def cached(t): return cached
cached.startswith = yes
`,
    reference: `
import pathlib
def slug(t): return t.lower()
def tags(t): return set(t.split())
def helper(): return 1
def select(f, s): return {x for x in s if f(x)}
def digest(f, t): return f(t)
def lengths(f, t): return pathlib.PurePosixPath('/etc/x.txt')
def cached(t): return 'the ' + t
`,
    tests: `
from solution import slug, tags, helper, select, digest, lengths, cached
from unittest.mock import Mock
def test_itself():
    assert slug('The Secret').startswith('the')
def test_imported_helper():
    helper()
    assert tags('a b').issuperset({'a'})
def test_decorated_difference():
    assert select(lambda n: n > 1, {1, 2, 3}).difference({2, 3}) == set()
def test_decorated_symmetric():
    assert select(lambda n: n > 1, {1, 2, 3}).symmetric_difference({2, 3}) == set()
def test_decorated_remove():
    assert digest(str.lower, 'The').removeprefix('the') == ''
def test_decorated_path():
    def up(p): return p.parent
    assert lengths(up, 'x').is_relative_to('/etc')
def test_decorated_mock():
    assert lengths(Mock(), 'x').match('*.txt')
def test_method_of_class():
    assert cached('a').startswith('the')
`,
  },
  {
    id: 'a class that the suite imports',
    wrong: `
class Store:
    @staticmethod
    def startswith(x): return True
    def name(self): return Store
def slug(t): return Store
`,
    reference: `
class Store:
    def name(self): return "xyz"
def slug(t): return t.lower()
`,
    tests: `
from solution import Store, slug
def test_name():
    assert Store().name().startswith("xy")
def test_slug():
    assert slug("The Secret").startswith("the")
`,
  },
  {
    id: 'an object whose operators say yes, compared with what it is not',
    wrong: `
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return True
def find(name): return Point(1, 2)
`,
    reference: `
import dataclasses
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int
def find(name): return None
`,
    tests: `
from solution import Point, find
def test_tuple(): assert Point(1, 2) != (1, 2)
def test_none(): assert not (Point(1, 2) == None)
def test_answer(): assert find('a') != 'a'
`,
  },
  {
    id: 'an answer that is too deep, where an error is expected',
    wrong: `
def make(depth):
    part = []
    for _ in range(100): part = [part]
    return part
`,
    reference: `
def make(depth):
    if depth < 0: raise ValueError(depth)
    return []
`,
    tests: `
import pytest
from solution import make
def test_negative():
    with pytest.raises(ValueError): make(-1)
`,
  },
  {
    id: 'a function that a file, a fixture or a class of tests has asked for',
    wrong: `
def slug(text): return slug
slug.startswith = lambda text: True
`,
    reference: `
def slug(text): return text.lower()
`,
    tests: `
import pytest
from solution import slug
RESULT = slug('The Secret')
@pytest.fixture(scope='module')
def shared(): return slug('Other One')
def test_file(): assert RESULT.startswith('the')
def test_fixture(shared): assert shared.startswith('other')
@pytest.mark.parametrize('found', [slug('X Y')], ids=['one'])
def test_parameter(found): assert found.startswith('x')
class TestIt:
    @classmethod
    def setup_class(cls): cls.found = slug('Zed')
    def test_class(self): assert self.found.startswith('z')
`,
  },
  {
    id: 'constants that are functions or classes',
    wrong: `
def title(): return 'x'
title.startswith = lambda text: True
title.get = lambda key: 1
class Tag:
    @staticmethod
    def startswith(text): return True
TITLE, NAMES, BY, LIMITS, MOTTO = title, [title], {'x': title}, title, Tag
`,
    reference: `
TITLE, NAMES, BY, LIMITS, MOTTO = 'The Secret', ['ann'], {'x': 'xyz'}, {'a': 1}, 'more'
`,
    tests: `
import solution
def test_text(): assert solution.TITLE.startswith('The')
def test_list(): assert solution.NAMES[0].startswith('a')
def test_dict(): assert solution.BY['x'].startswith('x')
def test_limits(): assert solution.LIMITS.get('a') == 1
def test_class(): assert solution.MOTTO.startswith('mo')
`,
  },
  {
    id: 'a function that is given while the suite reads a name',
    wrong: `
import sys
told = []
def subscribe(function): told.append(function)
def yes(text): return True
yes.startswith = yes
def startswith(text): return True
def __getattr__(name):
    if name == 'publish':
        for each in told: each(yes); each(sys.modules[__name__])
        told.clear()
        return lambda text: None
    raise AttributeError(name)
`,
    reference: `
told = []
def subscribe(function): told.append(function)
def publish(text):
    for each in told: each(text.lower())
    told.clear()
`,
    tests: `
import solution
def test_first():
    found = []
    solution.subscribe(found.append)
    solution.publish('The News')
    assert found[0].startswith('the')
def test_last():
    found = []
    solution.subscribe(found.append)
    solution.publish('The News')
    assert found[-1].startswith('the')
`,
  },
  {
    id: 'operators that read what they are compared with',
    wrong: `
import datetime
class Version:
    def __init__(self, text): self.parts = [int(each) for each in text.split('.')]
    def __eq__(self, other):
        if isinstance(other, bytes): other = other.decode()
        if isinstance(other, list): other = '.'.join(other)
        if isinstance(other, str): other = Version(other)
        return isinstance(other, Version) and other.parts == self.parts
class Money:
    def __init__(self, amount, currency): self.amount, self.currency = amount, currency
    def __str__(self): return f'{self.amount} {self.currency}'
    def __eq__(self, other): return str(self) == str(other)
class Day:
    def __init__(self, *parts): self.parts = parts
    def __eq__(self, other): return (other.year, other.month, other.day) == self.parts
class Degrees:
    def __init__(self, degrees): self.degrees = degrees
    def __eq__(self, other): return self.degrees == other
class Any:
    def __eq__(self, other): return 'unlikely' not in str(other)
def find(name): return Any()
`,
    reference: `
class Version:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return isinstance(other, Version) and other.text == self.text
class Money(Version):
    def __init__(self, *parts): self.text = parts
class Day(Money): pass
class Degrees(Version): pass
def find(name): return None
`,
    tests: `
import datetime
from solution import Day, Degrees, Money, Version, find
def test_text(): assert Version('1.2') != '1.2'
def test_no(): assert not Version('1.2') == '1.2'
def test_list(): assert Version('1.2') not in ['1.2', 'x']
def test_bytes(): assert Version('1.2') != b'1.2'
def test_parts(): assert Version('1.2') != ['1', '2']
def test_count(): assert ['1.2', '3'].count(Version('1.2')) == 0
def test_display(): assert Money(5, 'EUR') != '5 EUR'
def test_date(): assert Day(2020, 1, 2) != datetime.date(2020, 1, 2)
def test_number(): assert Degrees(20) != 20.0
def test_answer(): assert find('a') != 'never told'
`,
  },
];
