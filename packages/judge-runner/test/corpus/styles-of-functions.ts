import type { Styles } from '../styles.ts';

/**
 * What programs do with functions of a test, in several styles: they read what the test has set on them, and make methods of them.
 */
export const stylesOfFunctions: readonly Styles[] = [
  {
    id: 'attributes that a test has set on its functions',
    tests: `import pytest
from solution import Parser, with_pattern, read
def number(text): return int(text)
number.pattern = r'\\d+'
number.name = 'Number'
def tagged(**marks):
    def mark(function):
        for name, value in marks.items(): setattr(function, name, value)
        return function
    return mark
def test_dict():
    parser = Parser('a {n:Number}', {number.name: number})
    assert parser.parse('a 42') == 42
    assert parser.parse('a x') is None
def test_keyword_and_list():
    @tagged(pattern='[ab]', name='AB')
    def ab(text): return text.upper()
    assert Parser('{x:AB}', types={'AB': ab}).parse('b') == 'B'
    assert read('b', [number, ab]) == 'B'
    assert read('5', [number, ab]) == 5
    assert read('?', [number, ab]) is None
def test_changed_later():
    @with_pattern('(m|km)', groups=1)
    def unit(text): return text
    assert unit.pattern == '(m|km)' and unit.groups == 1
    assert Parser('{x:U}', {'U': unit}).parse('km') == 'km'
    unit.groups = 2
    with pytest.raises(IndexError): Parser('{x:U}', {'U': unit}).parse('km')
    unit.groups = 1
    unit.pattern = 'cm'
    assert Parser('{x:U}', {'U': unit}).parse('km') is None
    del unit.pattern
    with pytest.raises(ValueError): Parser('{x:U}', {'U': unit}).parse('!')
def test_method():
    class Reader:
        def word(self, text): return text + '!'
        word.pattern = '[a-z]+'
    assert Parser('{x:W}', {'W': Reader().word}).parse('ab') == 'ab!'
    assert Parser('{x:W}', {'W': Reader().word}).parse('1') is None
`,
    styles: {
      closures: `import re
def with_pattern(pattern, groups=None):
    def decorate(function):
        function.pattern = pattern
        function.groups = groups
        return function
    return decorate
class Parser:
    def __init__(self, form, types=None):
        self.form, self.types = form, types or {}
    def parse(self, text):
        match = re.fullmatch(r'(.*)\\{\\w+:(\\w+)\\}', self.form)
        reader = self.types[match[2]]
        if not hasattr(reader, 'pattern'): raise ValueError('no pattern')
        if (getattr(reader, 'groups', 0) or 0) > 1: raise IndexError('groups')
        if not text.startswith(match[1]): return None
        return read(text[len(match[1]):], [reader])
def read(text, readers):
    for each in readers:
        if re.fullmatch(each.pattern, text): return each(text)
`,
      lambdas: `import re
def with_pattern(pattern, groups=None):
    return lambda function: [setattr(function, 'pattern', pattern), setattr(function, 'groups', groups), function][-1]
class Parser:
    def __init__(self, form, types=None):
        head, _, rest = form.partition('{')
        self.head, self.kind, self.types = head, rest[:-1].split(':')[1], types
    def parse(self, text):
        reader = self.types[self.kind]
        marks = vars(getattr(reader, '__func__', reader))
        if marks.get('groups') not in (None, 0, 1): raise IndexError
        try: pattern = marks['pattern']
        except KeyError: raise ValueError
        found = re.compile(re.escape(self.head) + '(?P<x>' + pattern + ')').fullmatch(text)
        return found and reader(found['x'])
def read(text, readers):
    return next((each(text) for each in readers if re.compile(each.pattern).fullmatch(text)), None)
`,
    },
    wrong: [
      ['closures', '(each.pattern, text)', "('.*', text)", 'test_dict'],
      ['closures', '(each.pattern, text)', "('.*', text)", 'test_method'],
      ['closures', '        function.groups = groups', '', 'test_changed_later'],
      ['closures', "raise IndexError('groups')", 'pass', 'test_changed_later'],
      [
        'closures',
        "if not hasattr(reader, 'pattern'): raise ValueError('no pattern')",
        "if not hasattr(reader, 'pattern'): return None",
        'test_changed_later',
      ],
      [
        'lambdas',
        're.compile(each.pattern)',
        "re.compile(getattr(readers[0], 'pattern'))",
        'test_keyword_and_list',
      ],
      [
        'lambdas',
        "marks['pattern']",
        "self.__dict__.setdefault('seen', {}).setdefault(self.kind, '(m|km)')",
        'test_changed_later',
      ],
    ],
  },
  {
    id: 'attributes of functions that a program changes',
    tests: `from solution import Parser
def test_changed_within():
    def spy(text):
        spy.calls.append(text)
        spy.pattern = spy.pattern + 'a'
        return len(spy.calls)
    spy.calls = []
    spy.pattern = 'a'
    parser = Parser('{x:S}', {'S': spy})
    assert [parser.parse(text) for text in ('a', 'aa', 'a')] == [1, 2, None]
    assert spy.calls == ['a', 'aa']
def test_listed():
    def reader(text): return text
    reader.pattern, reader.tags = 'a+', ['x']
    parser = Parser('{x:S}', {'S': reader})
    assert parser.parse('aa') == 'aa'
    assert reader.tags == ['x', 'used']
    reader.tags.append('y')
    assert parser.parse('a') == 'a'
    assert reader.tags == ['x', 'used', 'y', 'used']
def test_counted():
    def reader(text): return text
    reader.pattern, reader.used = 'a+', 0
    parser = Parser('{x:S}', {'S': reader})
    parser.parse('aa')
    assert reader.used == 1
    parser.parse('a')
    assert reader.used == 2
    reader.used = 5
    parser.parse('a')
    assert reader.used == 6
    assert reader.pattern == 'a+'
`,
    styles: {
      lists: `import re
def with_pattern(pattern, groups=None):
    def decorate(function):
        function.pattern = pattern
        function.groups = groups
        return function
    return decorate
class Parser:
    def __init__(self, form, types=None):
        self.form, self.types = form, types or {}
    def parse(self, text):
        match = re.fullmatch(r'(.*)\\{\\w+:(\\w+)\\}', self.form)
        reader = self.types[match[2]]
        if not hasattr(reader, 'pattern'): raise ValueError('no pattern')
        if (getattr(reader, 'groups', 0) or 0) > 1: raise IndexError('groups')
        if not text.startswith(match[1]): return None
        return read(text[len(match[1]):], [reader])
def read(text, readers):
    for each in readers:
        if hasattr(each, 'used'): each.used += 1
        if re.fullmatch(each.pattern, text): return getattr(each, 'tags', []).append('used') or each(text)
`,
      notes: `import re
def with_pattern(pattern, groups=None):
    def decorate(function):
        function.pattern = pattern
        function.groups = groups
        return function
    return decorate
class Parser:
    def __init__(self, form, types=None):
        self.form, self.types = form, types or {}
    def parse(self, text):
        match = re.fullmatch(r'(.*)\\{\\w+:(\\w+)\\}', self.form)
        reader = self.types[match[2]]
        if not hasattr(reader, 'pattern'): raise ValueError('no pattern')
        if (getattr(reader, 'groups', 0) or 0) > 1: raise IndexError('groups')
        if not text.startswith(match[1]): return None
        return read(text[len(match[1]):], [reader])
def read(text, readers):
    for each in readers:
        if hasattr(each, 'used'): each.used += 1
        if re.fullmatch(each.pattern, text): return note(each) or each(text)
def note(each):
    if hasattr(each, 'tags'): each.tags += ['used']
`,
    },
    wrong: [
      ['lists', "append('used')", "append('x')", 'test_listed'],
      ['lists', "getattr(each, 'tags', [])", "list(getattr(each, 'tags', []))", 'test_listed'],
      ['lists', 'each.used += 1', 'each.used = 1', 'test_counted'],
      ['lists', 'each.used += 1', "each.used += 1; each.pattern = '.*'", 'test_counted'],
      [
        'lists',
        'each.used += 1',
        "each.used = type('Yes', (), {'__eq__': lambda self, other: True})()",
        'test_counted',
      ],
      [
        'lists',
        'each.used += 1',
        "each.used = type('Yes', (int,), {'__eq__': lambda self, other: True, '__hash__': lambda self: 1})()",
        'test_counted',
      ],
      ['lists', 'each.used += 1', 'vars(each).clear()', 'test_counted'],
      [
        'notes',
        're.fullmatch(each.pattern, text)',
        "re.fullmatch(vars(each).setdefault('first', each.pattern), text)",
        'test_changed_within',
      ],
    ],
  },
  {
    id: 'decorators that are given functions of their own and make methods',
    tests: `import pytest
from solution import cachedmethod
class Cached:
    def __init__(self, cache, count=0):
        self.cache, self.count = cache, count
    @cachedmethod(lambda self: self.cache)
    def get(self, value):
        count = self.count
        self.count += 1
        return count
    @cachedmethod(lambda self: self.cache, key=lambda self, value: value % 2)
    def get_key(self, value):
        "Doc."
        count = self.count
        self.count += 1
        return count
def test_cached():
    one, other = Cached({}), Cached({})
    assert one.get(0) == 0
    assert one.get(1) == 1
    assert one.get(1) == 1
    assert other.get(1) == 0
    assert one.count == 2 and len(one.cache) == 2
def test_key():
    one = Cached({})
    assert one.get_key(0) == 0 and one.get_key(2) == 0 and one.get_key(3) == 1
    assert one.cache == {0: 0, 1: 1}
def test_attributes():
    one = Cached({})
    assert one.get_key.__name__ == 'get_key'
    assert one.get_key.__doc__ == 'Doc.'
    assert one.get_key.cache is one.cache
    assert one.get_key.cache_key(5) == 1
def test_clear():
    one = Cached({})
    one.get(0)
    one.get.cache_clear()
    assert one.cache == {}
    assert one.get(0) == 1
def test_two_names():
    with pytest.raises(Exception):
        class Two:
            @cachedmethod(lambda self: {})
            def foo(self): pass
            bar = foo
`,
    styles: {
      wrappers: `import functools
class Wrapper:
    def __init__(self, obj, method, cache, key):
        functools.update_wrapper(self, method)
        self._obj, self._method, self._cache = obj, method, cache
        self.cache_key = functools.partial(key, obj)
    def __call__(self, *args, **kwargs):
        held = self.cache
        key = self.cache_key(*args, **kwargs)
        if key in held:
            return held[key]
        found = held[key] = self._method(self._obj, *args, **kwargs)
        return found
    @property
    def cache(self): return self._cache(self._obj)
    def cache_clear(self): self.cache.clear()
class Descriptor:
    def __init__(self, method, cache, key):
        self.method, self.cache, self.key, self.name = method, cache, key, None
        functools.update_wrapper(self, method)
    def __set_name__(self, owner, name):
        if self.name not in (None, name): raise TypeError('named %s as well' % name)
        self.name = name
    def __call__(self, *args): return self.method(*args)
    def __get__(self, obj, objtype=None):
        made = Wrapper(obj, self.method, self.cache, self.key)
        if obj is not None:
            made = obj.__dict__.setdefault(self.name, made)
        return made
def methodkey(self, *args, **kwargs): return (args, tuple(sorted(kwargs.items())))
def cachedmethod(cache, key=methodkey):
    def decorator(method):
        return Descriptor(method, cache, key)
    return decorator
`,
      closures: `import functools
def methodkey(self, *args, **kwargs): return (args, tuple(sorted(kwargs.items())))
def cachedmethod(cache, key=methodkey):
    def decorator(method):
        class Descriptor:
            def __call__(self, *args): return method(*args)
            def __get__(self, obj, objtype=None):
                def run(*args, **kwargs):
                    held, k = cache(obj), key(obj, *args, **kwargs)
                    if k not in held: held[k] = method(obj, *args, **kwargs)
                    return held[k]
                functools.update_wrapper(run, method)
                run.cache = obj and cache(obj)
                run.cache_key = functools.partial(key, obj)
                run.cache_clear = lambda: cache(obj).clear()
                return run
        return Descriptor()
    return decorator
_made = cachedmethod
def cachedmethod(cache, key=methodkey):
    def decorator(method):
        found = _made(cache, key)(method)
        def name(self, owner, name):
            if vars(self).setdefault('name', name) != name: raise ValueError('named ' + name)
        type(found).__set_name__ = name
        return found
    return decorator
`,
    },
    wrong: [
      ['wrappers', 'if key in held', 'if False', 'test_cached'],
      ['wrappers', 'self.cache.clear()', 'pass', 'test_clear'],
      [
        'wrappers',
        '        self.name = name\n',
        '        self.name = name\n        setattr(owner, name, lambda self, value: 0)\n',
        'test_cached',
      ],
      [
        'wrappers',
        'return self._cache(self._obj)',
        "return self.__dict__.setdefault('own', {})",
        'test_attributes',
      ],
      ['wrappers', "raise TypeError('named %s as well' % name)", 'pass', 'test_two_names'],
      [
        'wrappers',
        'self._method(self._obj, *args, **kwargs)',
        'self._method(self._obj, *args, **kwargs) if args != (3,) else 7',
        'test_key',
      ],
      [
        'wrappers',
        'made = Wrapper(obj, self.method, self.cache, self.key)',
        'made = Wrapper(obj or objtype, self.method, lambda part: Wrapper.__dict__.get("shared") or (setattr(Wrapper, "shared", {None: 0}), Wrapper.shared)[1], self.key)',
        'test_cached',
      ],
      [
        'closures',
        'held[k] = method(obj, *args, **kwargs)',
        'held[k] = method(obj, *args, **kwargs) + 1',
        'test_cached',
      ],
      ['closures', "raise ValueError('named ' + name)", 'return', 'test_two_names'],
    ],
    lacking: {
      wrappers: ['test_attributes'],
      'wrappers for closures': ['test_attributes', 'test_clear'],
      'closures for wrappers': ['test_attributes', 'test_clear'],
    },
  },
  {
    id: 'keys that are tuples with a hash of their own',
    tests: `import pickle
import pytest
from solution import key
def test_equal():
    assert key(1, 2) == key(1, 2) and hash(key(1, 2)) == hash(key(1, 2))
    assert key(1, x=2) != key(1, x=3) and key(1, 2) != key(1, 3)
def test_unhashable():
    with pytest.raises(TypeError): hash(key({}))
def test_pickle():
    for k in [key(), key('abc'), key('abc', 1), key('abc', q='abc')]:
        h = hash(k)
        other = pickle.loads(pickle.dumps(k))
        assert k == other and h == hash(other)
`,
    styles: {
      own: `class Key(tuple):
    _value = None
    def __hash__(self):
        if self._value is None: self._value = tuple.__hash__(self)
        return self._value
    def __getstate__(self): return {}
MARK = (Key,)
def key(*args, **kwargs):
    return Key(args + MARK + tuple(sorted(kwargs.items()))) if kwargs else Key(args)
`,
      plain: `def key(*args, **kwargs): return args + ((tuple,) + tuple(sorted(kwargs.items())) if kwargs else ())
`,
    },
    wrong: [
      ['own', 'tuple.__hash__(self)', '5', 'test_unhashable'],
      ['own', '_value = None', '_value = 5', 'test_unhashable'],
      ['own', '__getstate__(self): return {}', '__reduce__(self): return Key, (self[:1],)', 'test_pickle'],
      ['plain', 'return args', 'return args[:1]', 'test_equal'],
    ],
    noReference: ['plain'],
  },
];
