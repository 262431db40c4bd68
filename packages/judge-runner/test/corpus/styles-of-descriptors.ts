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
];
