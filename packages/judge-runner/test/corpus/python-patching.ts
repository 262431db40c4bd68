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
];
