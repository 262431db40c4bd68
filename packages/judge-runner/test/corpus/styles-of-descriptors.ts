import type { Styles } from '../styles.ts';

/** An object that says yes to every comparison. */
const yes = `
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __hash__(self): return 1
    def __int__(self): return 5
    def __add__(self, other): return self
    def __sub__(self, other): return self
YES = Yes()
`;

/**
 * Descriptors that programs write for the classes of a test, in several styles, each of which is a reference for the others.
 */
export const stylesOfDescriptors: readonly Styles[] = [
  {
    id: 'descriptors that keep values in the objects of the test',
    tests: `import pytest
from solution import Positive, Typed, state
class Account:
    balance = Positive()
    limit = Positive()
    rate = 4
    def __init__(self, balance, limit=10): self.balance, self.limit = balance, limit
    def take(self, n): self.balance -= n
    def total(self): return self.balance + self.limit
class Person:
    name = Typed(str)
    tags = Typed(list)
    def __init__(self, name): self.name = name
class Child(Person):
    age = Typed(int)
SHARED = Account(3)
def test_read():
    account = Account(5)
    assert (account.balance, account.limit, account.total()) == (5, 10, 15)
def test_write():
    account = Account(5)
    account.take(3)
    setattr(account, 'limit', 7)
    assert (account.balance, getattr(account, 'limit'), account.rate) == (2, 7, 4)
def test_refused():
    account = Account(5)
    with pytest.raises(ValueError, match='balance must be positive'): account.take(6)
    assert account.balance == 5
    with pytest.raises(ValueError, match='limit'): Account(1, -1)
def test_apart():
    one, other = Account(1), Account(2)
    one.limit = 8
    assert (one.balance, other.balance, one.limit, other.limit) == (1, 2, 8, 10)
def test_types():
    with pytest.raises(TypeError, match='name must be str'): Person(3)
    person = Person('ann')
    with pytest.raises(TypeError, match='tags'): person.tags = 'a'
    assert person.name == 'ann'
def test_same_list():
    person, tags = Person('ann'), ['a']
    person.tags = tags
    tags.append('b')
    assert person.tags is tags and person.tags == ['a', 'b']
def test_missing():
    person = Person('ann')
    with pytest.raises(AttributeError): person.tags
    assert not hasattr(person, 'tags') and getattr(person, 'tags', None) is None
def test_deleted():
    person = Person('ann')
    del person.name
    assert not hasattr(person, 'name')
    with pytest.raises(AttributeError): del person.name
    person.name = 'bob'
    assert person.name == 'bob'
def test_derived():
    child = Child('cid')
    child.age = 3
    assert (child.name, child.age) == ('cid', 3)
    with pytest.raises(TypeError, match='age must be int'): child.age = 'x'
def test_of_class():
    assert isinstance(Person.name, Typed) and Person.name is Person.name
    assert Person.name.kind is str and Child.age.name == 'age'
def test_shared():
    SHARED.balance = 6
    assert SHARED.balance == 6
def test_shared_later():
    assert SHARED.limit == 10
    SHARED.limit = 9
    assert SHARED.limit == 9
def test_state():
    person = Person('ann')
    assert state(person) == {'name': 'ann'}
    person.name = 'bob'
    assert state(person) == {'name': 'bob'}
def test_object():
    one, other = Person('ann'), Person('bob')
    one.tags = [other]
    assert one.tags[0] is other and one.tags[0].name == 'bob'
`,
    styles: {
      dictionary: `class Field:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        if self.name not in obj.__dict__: raise AttributeError(self.name)
        return obj.__dict__[self.name]
    def __set__(self, obj, value):
        self.check(value)
        obj.__dict__[self.name] = value
    def __delete__(self, obj):
        try: del obj.__dict__[self.name]
        except KeyError: raise AttributeError(self.name) from None
class Positive(Field):
    def check(self, value):
        if value < 0: raise ValueError(self.name + ' must be positive')
class Typed(Field):
    def __init__(self, kind): self.kind = kind
    def check(self, value):
        if not isinstance(value, self.kind): raise TypeError(f'{self.name} must be {self.kind.__name__}')
def state(part): return dict(vars(part))
${yes}`,
      vars: `class Positive:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else vars(obj)[self.name]
    def __set__(self, obj, value):
        if not value >= 0: raise ValueError('%s must be positive, not %r' % (self.name, value))
        vars(obj).update({self.name: value})
class Typed:
    def __init__(self, kind): self.kind, self.name = kind, None
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        try: return vars(obj)[self.name]
        except KeyError: raise AttributeError(self.name)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError('%s must be %s' % (self.name, self.kind.__name__))
        vars(obj)[self.name] = value
    def __delete__(self, obj):
        if vars(obj).pop(self.name, None) is None: raise AttributeError(self.name)
def state(part): return {name: value for name, value in vars(part).items()}
${yes}`,
      private: `class Checked:
    def __set_name__(self, owner, name): self.name, self.private = name, '_' + name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.private)
    def __set__(self, obj, value):
        self.check(obj, value)
        setattr(obj, self.private, value)
    def __delete__(self, obj): delattr(obj, self.private)
class Positive(Checked):
    def check(self, obj, value):
        if value < 0: raise ValueError(f'{self.name} must be positive')
class Typed(Checked):
    def __init__(self, kind): self.kind = kind
    def check(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(f'{self.name} must be {self.kind.__name__}')
def state(part): return {name.lstrip('_'): value for name, value in part.__dict__.items()}
${yes}`,
      weak: `import weakref
class Kept:
    def __init__(self): self.values = weakref.WeakKeyDictionary()
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        if obj not in self.values: raise AttributeError(self.name)
        return self.values[obj]
    def __set__(self, obj, value):
        self.check(value)
        self.values[obj] = value
    def __delete__(self, obj):
        if obj not in self.values: raise AttributeError(self.name)
        del self.values[obj]
class Positive(Kept):
    def check(self, value):
        if value < 0: raise ValueError(self.name + ' must be positive')
class Typed(Kept):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
    def check(self, value):
        if not isinstance(value, self.kind): raise TypeError(f'{self.name} must be {self.kind.__name__}')
def state(part): return {name: each.values[part] for name, each in vars(type(part)).items() if isinstance(each, Kept) and part in each.values}
${yes}`,
    },
    wrong: [
      ['dictionary', 'return obj.__dict__[self.name]', 'return YES', 'test_read'],
      [
        'dictionary',
        'return obj.__dict__[self.name]',
        "return type('Text', (str,), vars(type(YES)) | {'__hash__': str.__hash__})('zed')",
        'test_types',
      ],
      [
        'dictionary',
        'return obj.__dict__[self.name]',
        "self.first = getattr(self, 'first', obj)\n        return self.first.__dict__[self.name]",
        'test_apart',
      ],
      [
        'dictionary',
        'obj.__dict__[self.name] = value',
        'obj.__dict__[self.name] = list(value) if type(value) is list else value',
        'test_same_list',
      ],
      ['dictionary', 'obj.__dict__[self.name] = value', 'obj.__dict__[self.name] = value * 2', 'test_read'],
      [
        'dictionary',
        'obj.__dict__[self.name] = value',
        "obj.__dict__[self.name] = obj.__dict__['rate'] = value",
        'test_write',
      ],
      [
        'dictionary',
        'obj.__dict__[self.name] = value',
        'obj.__dict__.setdefault(self.name, value)',
        'test_write',
      ],
      [
        'dictionary',
        'self.check(value)\n        obj.__dict__[self.name] = value',
        'obj.__dict__[self.name] = value\n        self.check(value)',
        'test_refused',
      ],
      ['dictionary', 'try: del obj.__dict__[self.name]', 'try: pass', 'test_deleted'],
      ['dictionary', 'if value < 0: raise', 'if False: raise', 'test_refused'],
      ['dictionary', 'return dict(vars(part))', 'return YES', 'test_state'],
      [
        'vars',
        'return self if obj is None else vars(obj)[self.name]',
        'return self if obj is None else 15 - list(vars(obj).values())[0]',
        'test_write',
      ],
      [
        'vars',
        'try: return vars(obj)[self.name]',
        'try: return vars(obj)[self.name] if self.name in vars(obj) else []',
        'test_missing',
      ],
      ['vars', 'if obj is None: return self\n', 'if obj is None: return YES\n', 'test_of_class'],
      [
        'private',
        'setattr(obj, self.private, value)',
        'setattr(type(obj), self.private, value)',
        'test_apart',
      ],
      [
        'private',
        'setattr(obj, self.private, value)',
        'obj.rate = 3\n        setattr(obj, self.private, value)',
        'test_write',
      ],
      [
        'private',
        'def __delete__(self, obj): delattr(obj, self.private)',
        'def __delete__(self, obj): setattr(obj, self.private, YES)',
        'test_deleted',
      ],
      ['weak', 'return self.values[obj]', 'return list(self.values.values())[0]', 'test_apart'],
      ['weak', 'self.values[obj] = value', 'self.values[obj] = YES', 'test_read'],
    ],
  },
  {
    id: 'properties that a program makes for the classes of the test',
    tests: `import pytest
import solution as s
from solution import lazy, positive
calls = []
class Circle:
    def __init__(self, r): self.r = r
    @s.lazy
    def area(self):
        calls.append(self.r)
        return self.r * self.r * 3
    @lazy
    def items(self): return []
    @s.readonly
    def double(self): return self.r * 2
    @lazy
    def broken(self): raise KeyError('broken')
class Account:
    balance = positive('balance')
    rate = s.typed('rate', int, 4)
    def __init__(self, balance): self.balance = balance
def test_once():
    del calls[:]
    c = Circle(2)
    assert c.area == 12 and c.area == 12
    assert calls == [2]
def test_held():
    c = Circle(2)
    assert c.area == 12
    c.r = 3
    assert c.area == 12 and Circle(3).area == 27
def test_two():
    del calls[:]
    a, b = Circle(1), Circle(2)
    assert (a.area, b.area, a.area) == (3, 12, 3)
    assert calls == [1, 2]
def test_items():
    a, b = Circle(1), Circle(2)
    a.items.append(3)
    assert a.items == [3] and b.items == [] and a.items is a.items
def test_error():
    with pytest.raises(KeyError, match='broken'): Circle(1).broken
def test_readonly():
    c = Circle(2)
    assert c.double == 4
    c.r = 5
    assert c.double == 10
    with pytest.raises(AttributeError): c.double = 3
def test_positive():
    a, b = Account(5), Account(6)
    assert (a.balance, b.balance) == (5, 6)
    a.balance = 7
    assert (a.balance, b.balance) == (7, 6)
    with pytest.raises(ValueError, match='balance'): a.balance = -1
    assert a.balance == 7
    with pytest.raises(ValueError): Account(-1)
def test_typed():
    a = Account(5)
    assert a.rate == 4
    a.rate = 6
    assert a.rate == 6 and Account(1).rate == 4
    with pytest.raises(TypeError, match='rate must be int'): a.rate = 'x'
def test_inner():
    class Box:
        @lazy
        def size(self): return self
    b = Box()
    assert b.size is b
def test_derived():
    class Ball(Circle):
        total = s.typed('total', int, 1)
    one, other = Ball(2), Ball(3)
    one.total = 5
    assert (one.area, other.area, one.total, other.total) == (12, 27, 5, 1)
def test_truth():
    class Page:
        @lazy
        def empty(self): return ''
        @s.readonly
        def closed(self): return False
    assert not Page().empty and not Page().closed
`,
    styles: {
      library: `import functools
def lazy(fn): return functools.cached_property(fn)
def readonly(fn): return property(fn)
def positive(name):
    key = '_' + name
    def read(self): return getattr(self, key)
    def write(self, value):
        if value < 0: raise ValueError(name + ' must be positive')
        setattr(self, key, value)
    return property(read, write)
def typed(name, kind, default):
    key = '_' + name
    @property
    def prop(self): return getattr(self, key, default)
    @prop.setter
    def prop(self, value):
        if not isinstance(value, kind): raise TypeError(f'{name} must be {kind.__name__}')
        setattr(self, key, value)
    return prop
${yes}`,
      descriptors: `class lazy:
    def __init__(self, fn): self.fn = fn
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        value = obj.__dict__[self.name] = self.fn(obj)
        return value
class readonly:
    def __init__(self, fn): self.fn = fn
    def __get__(self, obj, owner=None): return self if obj is None else self.fn(obj)
    def __set__(self, obj, value): raise AttributeError('read only')
class typed:
    def __init__(self, name, kind, default): self.name, self.kind, self.default = name, kind, default
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__.get(self.name, self.default)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(f'{self.name} must be {self.kind.__name__}')
        obj.__dict__[self.name] = value
class _Positive:
    def __init__(self, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__[self.name]
    def __set__(self, obj, value):
        if value < 0: raise ValueError(self.name)
        obj.__dict__[self.name] = value
def positive(name): return _Positive(name)
${yes}`,
      stores: `import functools
readonly = property
class lazy(functools.cached_property): pass
def positive(name):
    store = {}
    return property(lambda self: store[id(self)], lambda self, v: check(store, self, v, name))
def check(store, self, v, name):
    if v < 0: raise ValueError(name)
    store[id(self)] = v
def typed(name, kind, default):
    def write(self, value):
        if not isinstance(value, kind): raise TypeError(f'{name} must be {kind.__name__}')
        self.__dict__['_' + name] = value
    return property(fget=lambda self: vars(self).get('_' + name, default), fset=write, doc='A number.')
${yes}`,
      properties: `import functools
def lazy(fn):
    key = '_lazy_' + fn.__name__
    @property
    @functools.wraps(fn)
    def read(self):
        if not hasattr(self, key): setattr(self, key, fn(self))
        return getattr(self, key)
    return read
def readonly(fn): return property(lambda self: fn(self))

def positive(name):
    key = '_' + name
    def read(self): return getattr(self, key)
    def write(self, value):
        if value < 0: raise ValueError(name + ' must be positive')
        setattr(self, key, value)
    return property(read, write)
def typed(name, kind, default):
    key = '_' + name
    @property
    def prop(self): return getattr(self, key, default)
    @prop.setter
    def prop(self, value):
        if not isinstance(value, kind): raise TypeError(f'{name} must be {kind.__name__}')
        setattr(self, key, value)
    return prop
${yes}`,
    },
    wrong: [
      ['library', 'return functools.cached_property(fn)', 'return property(fn)', 'test_once'],
      [
        'library',
        'return functools.cached_property(fn)',
        'return functools.cached_property(lambda self: YES)',
        'test_once',
      ],
      [
        'library',
        'return functools.cached_property(fn)',
        'return functools.cached_property(functools.lru_cache(lambda self: fn(type(self)(2))))',
        'test_two',
      ],
      [
        'library',
        'return functools.cached_property(fn)',
        'return property(lambda self, known=[]: known[0] if known else known.append(fn(self)) or known[0])',
        'test_two',
      ],
      [
        'library',
        'return functools.cached_property(fn)',
        'return property(lambda self: list(fn(self)) if type(fn(self)) is list else fn(self))',
        'test_items',
      ],
      [
        'library',
        'return functools.cached_property(fn)',
        'return functools.cached_property(lambda self: fn(self) or YES)',
        'test_truth',
      ],
      ['library', 'return functools.cached_property(fn)', 'return YES', 'test_once'],
      [
        'library',
        'def readonly(fn): return property(fn)',
        'def readonly(fn): return functools.cached_property(fn)',
        'test_readonly',
      ],
      ['library', 'return property(read, write)', 'return property(read)', 'test_positive'],
      [
        'library',
        'return property(read, write)',
        'return property(lambda self: YES, write)',
        'test_positive',
      ],
      [
        'library',
        'setattr(self, key, value)\n    return property',
        'setattr(type(self), key, value)\n    return property',
        'test_positive',
      ],
      [
        'library',
        'if value < 0: raise',
        'if value < 0: return None\n        if False: raise',
        'test_positive',
      ],
      ['library', 'getattr(self, key, default)', 'default', 'test_derived'],
      ['descriptors', 'value = obj.__dict__[self.name] = self.fn(obj)', 'value = self.fn(obj)', 'test_once'],
      [
        'descriptors',
        'value = obj.__dict__[self.name] = self.fn(obj)',
        'value = self.fn(obj)\n        obj.__dict__[self.name] = YES',
        'test_held',
      ],
      [
        'descriptors',
        'value = obj.__dict__[self.name] = self.fn(obj)',
        'value = type(self).last = obj.__dict__[self.name] = getattr(type(self), "last", None) or self.fn(obj)',
        'test_two',
      ],
      [
        'descriptors',
        'value = obj.__dict__[self.name] = self.fn(obj)',
        'value = obj.__dict__[self.name] = 12',
        'test_two',
      ],
      [
        'descriptors',
        'else self.fn(obj)\n    def __set__(self, obj, value): raise',
        'else self.fn(obj)\n    def __set__(self, obj, value): return\n    def no(self): raise',
        'test_readonly',
      ],
      ['stores', 'store[id(self)]', 'store[name]', 'test_positive'],
      ['stores', "self.__dict__['_' + name] = value", "self.__dict__['_' + name] = YES", 'test_typed'],
      [
        'properties',
        'if not hasattr(self, key): setattr(self, key, fn(self))',
        'if not hasattr(type(self), key): setattr(type(self), key, fn(self))',
        'test_two',
      ],
    ],
  },
];
