import type { WrongParts } from '../wrong-parts.ts';

/** Programs of which tests replace parts for a while, and watch what is called. */
export const patchingCases: readonly WrongParts[] = [
  {
    id: 'attributes that a test replaces',
    artifact: `
class Base:
    kind = 'base'
class Api(Base):
    base, timeout = 'http://x', 5
    def __init__(self): self.count = 0
    def url(self, path): return self.base + path
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def version(): return 1
    @property
    def whole(self): return self.url('/')
    def save(self, n):
        self.count += n
        return self.count
    def run(self, numbers):
        for n in numbers: self.save(n)
    def fetch(self, path, timeout=5): raise RuntimeError('network')
    def load(self, paths): return {path: self.fetch(path, timeout=3) for path in dict.fromkeys(paths)}
`,
    tests: `
from unittest.mock import patch
import pytest
from solution import Api
def test_attribute(monkeypatch):
    monkeypatch.setattr(Api, 'base', 'http://t')
    monkeypatch.setattr(Api, 'base', 'http://u')
    monkeypatch.setattr(Api, 'kind', 'other')
    assert Api().url('/a') == 'http://u/a' and Api.kind == 'other'
def test_attribute_after():
    assert Api().url('/a') == 'http://x/a' and Api.base == 'http://x' and Api.kind == 'base'
def test_method(monkeypatch):
    monkeypatch.setattr(Api, 'url', lambda self, path: 'fake' + path)
    monkeypatch.setattr(Api, 'version', staticmethod(lambda: 2))
    monkeypatch.delattr(Api, 'timeout')
    assert Api().url('/a') == 'fake/a' and Api().whole == 'fake/' and Api.version() == 2 and not hasattr(Api, 'timeout')
def test_method_after():
    assert Api().url('/b') == 'http://x/b' and Api.version() == 1 and Api().version() == 1 and Api.timeout == 5
def test_mock():
    with patch.object(Api, 'make', return_value=7), patch.object(Api, 'version', return_value=8), patch('solution.Api.base', 'y'):
        assert Api.make() == 7 and Api.version() == 8 and Api().url('/') == 'y/'
    class Own(Api): pass
    assert isinstance(Own.make(), Own) and Api().version() == 1 and Api().url('/') == 'http://x/'
def test_deleted():
    Api.more = 1
    assert Api().more == 1
    del Api.more
    assert not hasattr(Api(), 'more')
def test_wraps():
    api = Api()
    with patch.object(api, 'save', wraps=api.save) as spy:
        api.run([1, 2])
    assert spy.call_count == 2 and api.count == 3
    api.run([4])
    assert spy.call_count == 2 and api.count == 7
def test_spy(monkeypatch):
    api, got = Api(), []
    original = api.save
    def save(n):
        got.append(n)
        return original(n)
    monkeypatch.setattr(api, 'save', save)
    api.run([1, 2])
    assert got == [1, 2] and api.count == 3
def test_spy_of_class(monkeypatch):
    api, got = Api(), []
    original = api.save
    monkeypatch.setattr(Api, 'save', lambda self, n: got.append(original(n)))
    api.run([3])
    assert got == [3] and api.count == 3
def test_autospec():
    with patch.object(Api, 'fetch', autospec=True, return_value=1) as fetch:
        api = Api()
        assert api.load(['a', 'b', 'a']) == {'a': 1, 'b': 1}
    assert fetch.call_count == 2
    fetch.assert_called_with(api, 'b', timeout=3)
`,
    wrong: [
      ['return self.base + path', "return 'http://x' + path", 'test_attribute'],
      ["def whole(self): return self.url('/')", "def whole(self): return self.base + '/'", 'test_method'],
      ['def make(cls): return cls()', 'def make(cls): return Api()', 'test_mock'],
      ['for n in numbers: self.save(n)', 'for n in numbers: self.count += n', 'test_wraps'],
      ['for path in dict.fromkeys(paths)', 'for path in paths', 'test_autospec'],
      ['for n in numbers: self.save(n)', 'self.save(sum(numbers))', 'test_spy'],
    ],
  },
  {
    id: 'descriptors and functions that a test puts in a class',
    artifact: `
import time
class Base:
    def __init__(self, name='n'): self.name = name
    @property
    def ready(self): return True
    @property
    def token(self): return self.__dict__.get('_token', 'none')
    @token.setter
    def token(self, value): self._token = value.strip()
    @staticmethod
    def clean(p): return p.strip()
    @classmethod
    def make(cls, name='made'): return cls(name)
    def state(self): return 'up' if self.ready else 'down'
    def login(self, value):
        self.token = value
        return self.token
    def url(self, p): return self.name + self.clean(p)
class Client(Base):
    limit = 3
    def send(self, *parts): return '+'.join(parts)
    def both(self, one, two): return self.send(one, two)
    def times(self): return [self.now() for _ in range(self.limit)]
    def now(self): return time.time()
class Special(Client):
    def state(self): return 'special ' + super().state()
def connect(name): return Client.make(name)
def special(): return Special.make()
`,
    tests: `
import functools
from unittest.mock import MagicMock, Mock, PropertyMock, call, create_autospec, patch
import pytest
import solution
from solution import Base, Client, Special
def test_class_method(monkeypatch):
    monkeypatch.setattr(Client, 'make', classmethod(lambda cls, name='x': (cls.__name__, name)))
    assert solution.connect('a') == ('Client', 'a') and solution.special() == ('Special', 'x') and Client('i').make('b') == ('Client', 'b')
    monkeypatch.setattr(Base, 'make', classmethod(lambda cls, name: cls('own ' + name)))
    assert Base.make('c').name == 'own c'
def test_class_method_after():
    assert solution.connect('a').name == 'a' and Base.make().name == 'made' and isinstance(solution.special(), Special)
def test_class_method_mock():
    with patch.object(Client, 'make', return_value=5) as make, patch.object(Base, 'make', autospec=True, return_value=6) as other:
        assert solution.connect('q') == 5 and solution.special() == 5 and Base.make('z') == 6
    assert make.mock_calls == [call('q'), call()]
    other.assert_called_once_with('z')
def test_static_method(monkeypatch):
    monkeypatch.setattr(Client, 'clean', staticmethod(lambda p: p.upper()))
    assert Client().url('/b') == 'n/B' and Special('s').url('c') == 'sC' and Base().url(' b ') == 'nb' and Client.clean('x') == 'X'
def test_static_method_after():
    assert Client().url(' b ') == 'nb' and Client.clean(' x') == 'x'
def test_static_method_mock():
    with patch.object(Base, 'clean', autospec=True, return_value='!') as clean:
        assert Client().url(' b ') == 'n!'
    clean.assert_called_once_with(' b ')
    with patch.object(Base, 'clean', side_effect=lambda p: p * 2) as clean:
        assert Base().url('b') == 'nbb'
    clean.assert_called_once_with('b')
    assert Base().url(' c') == 'nc'
def test_property(monkeypatch):
    client = Client()
    monkeypatch.setattr(Client, 'ready', property(lambda self: self.name == 'on'))
    assert client.state() == 'down' and Client('on').state() == 'up' and Special('on').state() == 'special up' and Base().ready is True
    assert Special('off').ready is False and Client('on').ready is True
    with pytest.raises(AttributeError): client.ready = 1
def test_property_after():
    assert Client().state() == 'up' and Special().ready is True
def test_property_set(monkeypatch):
    seen = []
    monkeypatch.setattr(Base, 'token', property(lambda self: 'fake', lambda self, value: seen.append((self.name, value)), lambda self: seen.append('gone')))
    client = Client()
    assert client.login('a ') == 'fake' and seen == [('n', 'a ')]
    client.token = 'b'
    del client.token
    assert seen[1:] == [('n', 'b'), 'gone']
def test_property_set_after():
    assert Client().login(' t ') == 't'
def test_property_mock():
    with patch.object(Client, 'ready', new_callable=PropertyMock, return_value=False) as ready:
        assert Client().state() == 'down'
        ready.assert_called_once_with()
        assert Special().state() == 'special down' and ready.call_count == 2
    assert Client().state() == 'up' and ready.call_count == 2
def test_property_mock_set():
    with patch('solution.Base.token', new_callable=PropertyMock) as token:
        token.return_value = 'kept'
        assert Client().login(' a ') == 'kept'
    assert token.mock_calls == [call(' a '), call()]
    with patch.object(Client, 'ready', PropertyMock(side_effect=[True, False, ValueError('off')])):
        client = Client()
        assert [client.state(), client.state()] == ['up', 'down']
        with pytest.raises(ValueError, match='off'): client.state()
def test_functions(monkeypatch):
    monkeypatch.setattr(Client, 'send', lambda self, *parts: (self.name, parts))
    assert Client().both('a', 'b') == ('n', ('a', 'b'))
    monkeypatch.setattr(Client, 'send', functools.partial(lambda *parts: parts, 0))
    assert Client().both('a', 'b') == (0, 'a', 'b')
    sent = []
    class Recorder:
        def add(self, *parts):
            sent.append(parts)
            return len(sent)
    monkeypatch.setattr(Client, 'send', Recorder().add)
    assert Client().both('a', 'b') == 1 and sent == [('a', 'b')]
    monkeypatch.setattr(Client, 'send', max)
    assert Client().both('a', 'b') == 'b'
    mock = Mock(return_value='m')
    monkeypatch.setattr(Client, 'send', mock)
    assert Client().both('a', 'b') == 'm'
    mock.assert_called_once_with('a', 'b')
    monkeypatch.setattr(Client, 'send', create_autospec(lambda self, one, two: None, return_value='s'))
    assert Client().both('a', 'b') == 's'
def test_functions_after():
    assert Client().both('a', 'b') == 'a+b'
def test_autospec():
    client = Client()
    with patch.object(Client, 'send', autospec=True, side_effect=lambda self, *parts: self.name + parts[-1]) as send:
        assert client.both('a', 'b') == 'nb'
    send.assert_called_once_with(client, 'a', 'b')
def test_partial_method(monkeypatch):
    monkeypatch.setattr(Client, 'send', functools.partialmethod(lambda self, *parts: (self.name, *parts), 'p'))
    assert Client().both('a', 'b') == ('n', 'p', 'a', 'b')
def test_cached(monkeypatch):
    calls = []
    def ready(self):
        calls.append(self.name)
        return False
    made = functools.cached_property(ready)
    made.__set_name__(Client, 'ready')
    monkeypatch.setattr(Client, 'ready', made)
    client = Client()
    assert client.state() == client.state() == 'down' and calls == ['n'] and Client('b').state() == 'down' and calls == ['n', 'b']
def test_descriptor(monkeypatch):
    class Fixed:
        def __init__(self): self.values = {}
        def __get__(self, part, kind=None): return 'of %s' % kind.__name__ if part is None else self.values.get(part.name, 'unset')
        def __set__(self, part, value): self.values[part.name] = value
    fixed = Fixed()
    monkeypatch.setattr(Base, 'token', fixed)
    assert Client('a').login('t') == 't' and Client('b').token == 'unset' and fixed.values == {'a': 't'} and Client.token == 'of Client'
def test_constant(monkeypatch):
    assert len(Client().times()) == 3
    monkeypatch.setattr(Client, 'limit', property(lambda self: 1))
    with patch.object(Client, 'now', side_effect=[7, 8]) as now:
        assert Client().times() == [7] and Client().limit == 1
    now.assert_called_once_with()
    monkeypatch.setattr(Client, 'limit', 2)
    assert Client().limit == 2 and len(Client().times()) == 2
def test_constant_after(): assert Client().limit == 3 and Client.limit == 3
def test_own_function(monkeypatch):
    monkeypatch.setattr(Client, 'send', Client.url)
    with pytest.raises(TypeError): Client().both('a', 'b')
    monkeypatch.setattr(Client, 'send', lambda self, *parts: Client.url(self, parts[0]))
    assert Client('x').both(' a', 'b') == 'xa'
def test_init(monkeypatch):
    def init(self, name='z'): self.name = name + '!'
    monkeypatch.setattr(Base, '__init__', init)
    assert Client().name == 'z!' and solution.connect('q').name == 'q!'
def test_init_after(): assert Client().name == 'n'
def test_init_mock():
    with patch.object(Client, '__init__', return_value=None) as init:
        Client('a')
        solution.connect('b')
    assert init.mock_calls == [call('a'), call('b')]
def test_set_plainly():
    Client.extra = property(lambda self: self.name * 2)
    Client.more = classmethod(lambda cls: cls.__name__)
    assert Client('ab').extra == 'abab' and Special.more() == 'Special'
    del Client.extra, Client.more
    assert not hasattr(Client(), 'extra')
`,
    wrong: [
      [
        "def make(cls, name='made'): return cls(name)",
        "def make(cls, name='made'): return Client(name)",
        'test_class_method_after',
      ],
      [
        'def connect(name): return Client.make(name)',
        'def connect(name): return Client(name)',
        'test_class_method_mock',
      ],
      ['return self.name + self.clean(p)', 'return self.name + p.strip()', 'test_static_method'],
      [
        'return self.name + self.clean(p)',
        'return self.name + self.clean(p.strip())',
        'test_static_method_mock',
      ],
      [
        "def state(self): return 'up' if self.ready else 'down'",
        "def state(self): return 'up'",
        'test_property',
      ],
      [
        "def state(self): return 'up' if self.ready else 'down'",
        "def state(self): return 'up' if self.ready and self.ready else 'down'",
        'test_property_mock_set',
      ],
      [
        "def state(self): return 'special ' + super().state()",
        "def state(self): return 'special ' + Client().state()",
        'test_property',
      ],
      [
        `        self.token = value
        return self.token`,
        `        self._token = value.strip()
        return self._token`,
        'test_property_set',
      ],
      [
        `        self.token = value
        return self.token`,
        `        self.token = value.strip()
        return self.token`,
        'test_property_mock_set',
      ],
      ['return self.send(one, two)', "return one + '+' + two", 'test_functions'],
      ['return self.send(one, two)', 'return self.send(two, one)', 'test_autospec'],
      ['return self.send(one, two)', "return Client.send(Client('o'), one, two)", 'test_partial_method'],
      ['for _ in range(self.limit)', 'for _ in range(3)', 'test_constant'],
    ],
  },
  {
    id: 'classes of which a test replaces what makes objects',
    artifact: `
from dataclasses import dataclass
class Config:
    limit = 3
    def __init__(self, name):
        self.name = name
        self.size = 1
    def text(self): return '%s %d %d' % (self.name, self.size, self.limit)
@dataclass
class Point:
    x: int
    y: int = 0
    def total(self): return self.x + self.y
class Word:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return isinstance(other, Word) and self.text == other.text
    def __hash__(self): return hash(self.text)
    def __repr__(self): return 'Word(%r)' % self.text
def same(a, b): return a == b
def show(a): return repr(a)
def word(t): return Word(t)
`,
    tests: `
from unittest.mock import PropertyMock, patch
import pytest
from solution import Config, Point, Word, same, show, word
def test_constant(monkeypatch):
    monkeypatch.setattr(Config, 'limit', 5)
    assert Config('a').limit == 5 and Config('a').text() == 'a 1 5'
def test_name(monkeypatch):
    monkeypatch.setattr(Config, 'name', property(lambda self: 'p', lambda self, value: None), raising=False)
    assert Config('a').name == 'p' and Config('a').text() == 'p 1 3'
def test_init(monkeypatch):
    def init(self, name): self.name, self.size = name * 2, 7
    monkeypatch.setattr(Config, '__init__', init)
    c = Config('a')
    assert c.name == 'aa' and c.size == 7 and Config('b').text() == 'bb 7 3'
def test_size(monkeypatch):
    sizes = []
    monkeypatch.setattr(Config, 'size', property(lambda self: 9, lambda self, value: sizes.append(value)), raising=False)
    c = Config('a')
    assert sizes == [1] and c.size == 9
def test_after():
    c = Config('a')
    assert (c.name, c.size, c.limit) == ('a', 1, 3)
def test_field():
    with patch.object(Point, 'y', new_callable=PropertyMock, return_value=4) as y:
        p = Point(1, 2)
        assert p.total() == 5 and p.y == 4
    assert y.call_count == 3
def test_total(monkeypatch):
    monkeypatch.setattr(Point, 'total', property(lambda self: self.x * 2))
    assert Point(4).total == 8
def test_post(monkeypatch):
    monkeypatch.setattr(Point, '__init__', lambda self, x: self.__dict__.update(x=x, y=x))
    assert Point(3).y == 3 and Point(3).total() == 6
def test_post_after(): assert Point(1, 2) != Point(1, 3) and Point(4).total() == 4 and not same(Point(1, 2), Point(1, 3))
def test_word(monkeypatch):
    monkeypatch.setattr(Word, '__repr__', lambda self: 'w')
    assert show(Word('q')) == 'w' and repr(Word('q')) == 'w'
def test_word_after():
    assert Word('a') == word('a') and Word('a') != word('A') and repr(word('b')) == "Word('b')" and show(word('c')) == "Word('c')"
`,
    wrong: [
      ['(self.name, self.size, self.limit)', '(self.name, self.size, 3)', 'test_constant'],
      ['self.size = 1', 'self.size = 2', 'test_size'],
      ["return '%s %d %d' % (self.name", "return '%s %d %d' % (vars(self).get('name', 'a')", 'test_name'],
      ['return self.x + self.y', "return self.x + vars(self).get('y', 2)", 'test_field'],
      ['return self.x + self.y', 'return self.x', 'test_post'],
      [
        `    y: int = 0
`,
        `    y: int = 1
`,
        'test_post_after',
      ],
      ['def show(a): return repr(a)', "def show(a): return 'Word(%r)' % a.text", 'test_word'],
      ['isinstance(other, Word) and self.text == other.text', 'isinstance(other, Word)', 'test_word_after'],
    ],
  },
  {
    id: 'constructors that a test replaces and calls',
    artifact: `
class C:
    def __init__(self, n): self.n = n
class D(C): pass
`,
    tests: `
from unittest.mock import patch
import solution as s
def test_wrap(monkeypatch):
    own = s.C.__init__
    def fake(self, n):
        own(self, n + 1)
        self.extra = True
    monkeypatch.setattr(s.C, '__init__', fake)
    c = s.C(1)
    assert c.n == 2 and c.extra
    assert s.D(2).n == 3
def test_after():
    assert s.C(1).n == 1 and not hasattr(s.C(1), 'extra')
    assert s.D(1).n == 1
def test_plain():
    own = s.C.__init__
    s.C.__init__ = lambda self, n: own(self, n * 10)
    try:
        assert s.C(2).n == 20
    finally:
        s.C.__init__ = own
    assert s.C(2).n == 2
def test_patch():
    with patch.object(s.C, '__init__', lambda self, n: None):
        assert not hasattr(s.C(1), 'n')
    assert s.C(5).n == 5
def test_patch_d():
    with patch.object(s.D, '__init__', lambda self, n: setattr(self, 'q', n)):
        assert s.D(4).q == 4
        assert s.C(4).n == 4
    assert s.D(5).n == 5
def test_autospec():
    with patch.object(s.C, '__init__', autospec=True, return_value=None) as m:
        s.C(7)
    assert m.call_count == 1
    assert s.C(5).n == 5
`,
    wrong: [
      ['self.n = n', 'self.n = 1', 'test_wrap'],
      ['self.n = n', 'self.n = n + (n == 2)', 'test_plain'],
      ['class D(C): pass', 'class D(C):\n    def __init__(self, n): self.n = n', 'test_wrap'],
      ['class D(C): pass', 'class D(C):\n    def __new__(cls, n): return C(n)', 'test_patch_d'],
    ],
  },
];
