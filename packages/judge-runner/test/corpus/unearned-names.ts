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
];
